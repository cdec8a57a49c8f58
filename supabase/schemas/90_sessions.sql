-- Sign-in to the dashboard: its sign-in sessions, the linked data sessions (sessions of the REST API), known browsers,
-- codes for a single sign-in (created on the server's command line), and the counters of the sign-in limits.

create table internal.admin_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  confirmed_until timestamptz,
  id uuid not null default gen_random_uuid() constraint admin_sessions_id_key unique,
  last_used_at timestamptz not null default now(),
  device text not null default 'Unknown device'
    constraint admin_sessions_device_is_short check (length(device) between 1 and 60),
  network_address inet,
  tablet_id uuid references internal.tablets,
  confirmed_with text constraint admin_sessions_confirmed_with_is_known check (confirmed_with in ('passkey', 'password')),
  constraint admin_sessions_of_tablets_confirm_nothing check (tablet_id is null or confirmed_until is null),
  constraint admin_sessions_last_at_most_30_days check (expires_at <= created_at + interval '30 days'),
  constraint admin_sessions_count_a_confirmation_for_5_minutes check (confirmed_until <= last_used_at + interval '5 minutes')
);
comment on table internal.admin_sessions is
  'The sign-in sessions of the dashboard: one row for each browser that is signed in. Deleting the row signs the '
  'browser out.';
comment on column internal.admin_sessions.id is
  'The id of the session in the list of sessions that staff see. The id alone grants no access.';
comment on column internal.admin_sessions.last_used_at is
  'The minute in which a person last used the session. The session ends 12 hours later. Requests that a page sends by '
  'itself, without an action of the person, do not count.';
comment on column internal.admin_sessions.device is
  'A short description of the browser that signed in, such as ''Chrome on Windows''.';
comment on column internal.admin_sessions.network_address is
  'The IP address from which the person signed in; null for a session that started before this column existed.';
comment on column internal.admin_sessions.tablet_id is
  'The shared tablet at which the session was started with a PIN. Such a session has the rights of a technician. Null '
  'for a session that was started in another way.';
comment on column internal.admin_sessions.token_hash is
  'The SHA-256 hash of the session token in the browser''s cookie.';
comment on column internal.admin_sessions.confirmed_until is
  'The time until which the last step-up authentication (a repeated check of the password or passkey) is valid for '
  'endpoints that require one; null without a step-up authentication.';
comment on column internal.admin_sessions.confirmed_with is
  'The means of the last step-up authentication of the session: password or passkey.';
comment on column internal.admin_sessions.user_id is
  'The id of the user in the auth service. The column has no foreign key, because the auth service owns the table of '
  'its users.';

create function internal.session_ends_at(expires_at timestamptz, last_used_at timestamptz) returns timestamptz
  language sql immutable
  return least(expires_at, last_used_at + interval '12 hours');
comment on function internal.session_ends_at(timestamptz, timestamptz) is
  'The time at which a dashboard session ends: after 12 hours without use, at the latest 30 days after the sign-in.';
grant execute on function internal.session_ends_at(timestamptz, timestamptz) to shop_server;

create index admin_sessions_user_id_idx on internal.admin_sessions (user_id);
create index admin_sessions_tablet_id_idx on internal.admin_sessions (tablet_id);

alter table internal.admin_sessions enable row level security;
grant select, insert, update, delete on internal.admin_sessions to shop_server;
create policy "the server reads and writes sessions of the dashboard" on internal.admin_sessions
  to shop_server using (true) with check (true);

create table internal.admin_data_sessions (
  data_session_id uuid primary key,
  token_hash bytea not null references internal.admin_sessions on delete cascade,
  created_at timestamptz not null default now()
);
-- With the shop's own auth service, this foreign key prevents an ended data session from being linked to a dashboard
-- session. In a hosted project, the auth service owns its tables and does not allow foreign keys to them.
do $$
begin
  if (select pg_has_role(relowner, 'usage') from pg_class where oid = 'auth.sessions'::regclass) then
    alter table internal.admin_data_sessions
      add foreign key (data_session_id) references auth.sessions on delete cascade;
  end if;
end
$$;
comment on table internal.admin_data_sessions is
  'The sessions of the data service (the REST API), called data sessions, that belong to dashboard sessions. '
  'Deleting a row ends the data session.';
comment on column internal.admin_data_sessions.token_hash is
  'The dashboard session (admin_sessions.token_hash) to which the data session (the session of the REST API) '
  'belongs.';

create index admin_data_sessions_token_hash_idx on internal.admin_data_sessions (token_hash, created_at);

alter table internal.admin_data_sessions enable row level security;
grant select, insert, delete on internal.admin_data_sessions to shop_server;
create policy "the server links data sessions to cookies" on internal.admin_data_sessions to shop_server using (true) with check (true);

create function internal.end_data_session() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- In a hosted Supabase project, the owner of this function may have no right to delete sessions. The server then
  -- ends the session with the API of the auth service.
  return null;
end
$$;
comment on function internal.end_data_session() is
  'Ends a data session (a session of the REST API) when its row in admin_data_sessions is deleted, for example '
  'together with the dashboard session.';
create trigger end_data_session after delete on internal.admin_data_sessions for each row execute function internal.end_data_session();

create function internal.limit_data_sessions() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  update auth.sessions set not_after = internal.session_ends_at(cookie.expires_at, cookie.last_used_at)
  from internal.admin_data_sessions linked join internal.admin_sessions cookie using (token_hash)
  where sessions.id = linked.data_session_id and linked.token_hash = new.token_hash;
  return null;
exception when insufficient_privilege then
  -- In a hosted Supabase project, the owner of this function may have no right to update sessions. A data session then
  -- ends when its dashboard session ends.
  return null;
end
$$;
comment on function internal.limit_data_sessions() is
  'Makes the sessions of the data service (the REST API) that belong to a dashboard session, with their refresh '
  'tokens, expire when the dashboard session ends.';
create trigger limit_data_sessions after insert on internal.admin_data_sessions
  for each row execute function internal.limit_data_sessions();
create trigger limit_data_sessions after update of last_used_at on internal.admin_sessions
  for each row execute function internal.limit_data_sessions();

create function internal.mark_tablet_data_sessions() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write tablet_data_sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.tablet_data_sessions (data_session_id, ends_at)
  select linked.data_session_id, internal.session_ends_at(cookie.expires_at, cookie.last_used_at)
  from internal.admin_data_sessions linked join internal.admin_sessions cookie using (token_hash)
  where linked.token_hash = new.token_hash and cookie.tablet_id is not null
  on conflict (data_session_id) do update set ends_at = excluded.ends_at;
  return null;
end
$$;
comment on function internal.mark_tablet_data_sessions() is
  'Restricts the data sessions (sessions of the REST API) of a person at a shared tablet to the rights of a '
  'technician, until the dashboard session at the tablet ends.';
create trigger mark_tablet_data_sessions after insert on internal.admin_data_sessions
  for each row execute function internal.mark_tablet_data_sessions();
create trigger mark_tablet_data_sessions after update of last_used_at on internal.admin_sessions
  for each row when (new.tablet_id is not null) execute function internal.mark_tablet_data_sessions();

create function internal.end_tablet_data_session() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to update tablet_data_sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  update internal.tablet_data_sessions set ends_at = least(ends_at, now()) where data_session_id = old.data_session_id;
  return null;
end
$$;
comment on function internal.end_tablet_data_session() is
  'When a data session (a session of the REST API) of a shared tablet ends, revokes the rights of its access '
  'tokens.';
create trigger end_tablet_data_session after delete on internal.admin_data_sessions
  for each row execute function internal.end_tablet_data_session();

create function internal.end_sessions_of_tablet() returns trigger
  -- Runs with the rights of the function's owner, so that the role that revokes or locks the tablet needs no right to
  -- end sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.admin_sessions where tablet_id = new.id;
  return null;
end
$$;
comment on function internal.end_sessions_of_tablet() is
  'Ends the sign-in sessions at a shared tablet that was revoked or locked.';
create trigger end_sessions_of_tablet after update on internal.tablets
  for each row when (new.revoked_at is distinct from old.revoked_at or (old.locked_at is null and new.locked_at is not null))
  execute function internal.end_sessions_of_tablet();

create table internal.known_browsers (
  token_hash bytea check (length(token_hash) = 32),
  username text check (username = lower(username) and length(username) between 1 and 60),
  attempts_left int not null check (attempts_left between 0 and 10),
  trusted_at timestamptz not null,
  trusted_until timestamptz not null,
  primary key (token_hash, username)
);
comment on table internal.known_browsers is
  'The browsers from which an admin has signed in before. Wrong passwords are counted separately for each of these '
  'browsers. The row alone lets nobody sign in.';
comment on column internal.known_browsers.token_hash is 'The SHA-256 hash of the token in the browser''s cookie.';
comment on column internal.known_browsers.username is
  'The username in lower case. A browser that several admins use has one row for each of these admins.';
comment on column internal.known_browsers.attempts_left is
  'The number of wrong passwords that the browser may still send before it counts as unknown. A right password resets '
  'the number.';

create index known_browsers_username_idx on internal.known_browsers (username, trusted_at);
create index known_browsers_trusted_until_idx on internal.known_browsers (trusted_until);

alter table internal.known_browsers enable row level security;
grant select, insert, update, delete on internal.known_browsers to shop_server;
create policy "the server reads and writes known browsers" on internal.known_browsers to shop_server using (true) with check (true);

create table internal.sign_in_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  expires_at timestamptz not null
);
comment on table internal.sign_in_codes is
  'The codes that "npm run admin -- code" creates on the server. With such a code, an admin can sign in once without '
  'the password.';
comment on column internal.sign_in_codes.code_hash is 'The SHA-256 hash of the code, which has 100 random bits.';
comment on column internal.sign_in_codes.user_id is
  'The id of the user in the auth service. The column has no foreign key, because the auth service owns the table of '
  'its users.';

create index sign_in_codes_user_id_idx on internal.sign_in_codes (user_id);

alter table internal.sign_in_codes enable row level security;
grant select, insert, delete on internal.sign_in_codes to shop_server;
create policy "the server reads and writes sign-in codes" on internal.sign_in_codes to shop_server using (true) with check (true);

create unlogged table internal.rate_limits (
  key bytea primary key check (length(key) = 32),
  taken int not null check (taken >= 0),
  resets_at timestamptz not null
);
comment on table internal.rate_limits is
  'The counters of the rate limits that all processes of the site share. A key is a keyed hash of the limit''s name '
  'and of the client, so that no IP address is stored.';
comment on column internal.rate_limits.resets_at is 'When the counter starts again from zero.';

create index rate_limits_resets_at_idx on internal.rate_limits (resets_at);

alter table internal.rate_limits enable row level security;
grant select, insert, update, delete on internal.rate_limits to shop_server;
create policy "the server counts attempts" on internal.rate_limits to shop_server using (true) with check (true);

create function internal.staff_role_of(staff_user_id uuid, at timestamptz) returns text
  -- Runs with the rights of the function's owner, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return (
    select account.role from public.staff_accounts account join auth.users on users.id = account.user_id
    where account.user_id = staff_user_id and account.is_active and (users.banned_until is null or users.banned_until <= at)
  );
comment on function internal.staff_role_of(uuid, timestamptz) is
  'The role of a staff account that can sign in: the account is active, and its user of the auth service is not '
  'banned. Otherwise null.';
grant execute on function internal.staff_role_of(uuid, timestamptz) to shop_server;

create function internal.has_owner() returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return exists (
    select from public.staff_accounts account join auth.users on users.id = account.user_id
    where account.role = 'owner' and account.is_active);
comment on function internal.has_owner() is 'Whether an owner can sign in; false before the first start of a shop.';
grant execute on function internal.has_owner() to shop_server;

create function internal.end_staff_rights() returns trigger
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to end the sessions of other
  -- people.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.sign_in_codes where user_id = new.user_id;
  update public.staff_invitations set taken_back_at = now()
  where used_at is null and taken_back_at is null
    and (invited_by = new.user_id and not (new.role = 'owner' and new.is_active) or account_id = new.user_id);
  update internal.admin_sessions set confirmed_until = null where user_id = new.user_id;
  if new.is_active then
    return null;
  end if;
  delete from internal.admin_sessions where user_id = new.user_id;
  delete from internal.tablet_pins where user_id = new.user_id;
  begin
    delete from auth.sessions where user_id = new.user_id;
  exception when insufficient_privilege then
    -- In a hosted Supabase project, only the auth service can end its sessions. Their access tokens grant no rights
    -- anyway, because every policy checks that the staff account is active.
    null;
  end;
  return null;
end
$$;
comment on function internal.end_staff_rights() is
  'When an account gets a role with fewer rights, ends its sign-in codes, its open invitations and its step-up '
  'authentications. When the account is switched off, also ends all its sessions and removes its PIN.';
create trigger end_staff_rights after update on public.staff_accounts
  for each row when (
    old.is_active and (not new.is_active or array_position(array['technician', 'advisor', 'owner'], new.role)
      < array_position(array['technician', 'advisor', 'owner'], old.role)))
  execute function internal.end_staff_rights();
