-- A cookie is worth what its user is worth now: who is blocked, removed or no admin any more is out at once.

create function internal.is_active_admin(admin_id uuid, at timestamptz) returns boolean
  language sql stable
  security definer
  set search_path = ''
  return exists (
    select from auth.users
    where id = admin_id
      and raw_app_meta_data ->> 'role' = 'admin'
      and (banned_until is null or banned_until <= at)
  );
comment on function internal.is_active_admin(uuid, timestamptz) is
  'Whether that user of the auth service is an admin who may sign in. As owner: the server reads no users.';
grant execute on function internal.is_active_admin(uuid, timestamptz) to shop_server;
