-- The staff accounts: who may sign in to the dashboard, and with which role. A role is also a PostgreSQL role
-- (`shop_owner`, `shop_advisor`, `shop_technician`), so that PostgreSQL enforces the rights. Owners and advisors are
-- members of `authenticated`: rights of both roles are granted to `authenticated`, and rights of owners alone are
-- granted to `shop_owner`. The role of a request is read from this table at each request, so that a change of the role
-- also applies immediately to access tokens that already exist.

create table public.staff_accounts (
  user_id uuid primary key,
  username text not null unique constraint staff_accounts_username_is_short check (length(username) between 1 and 60),
  role text not null constraint staff_accounts_role_is_known check (role in ('owner', 'advisor', 'technician')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  name text not null constraint staff_accounts_name_is_text check (internal.is_single_line_text(name, 1, 80)),
  email text constraint staff_accounts_email_key unique
    constraint staff_accounts_email_is_an_address check (internal.is_email_address(email) and email = lower(email)),
  employee_id uuid constraint staff_accounts_employee_id_key unique references public.employees,
  needs_code_app boolean not null default false
);
comment on table public.staff_accounts is 'The people who may sign in to the dashboard. An account is switched off, never deleted.';
comment on column public.staff_accounts.user_id is
  'The id of the person''s user in the auth service. The column has no foreign key, because the auth service owns the '
  'table of its users.';

comment on column public.staff_accounts.username is
  'The name that the person enters to sign in. The username never changes.';
comment on column public.staff_accounts.name is
  'The name that the dashboard shows; the username if no name was entered.';
comment on column public.staff_accounts.email is
  'The email address, in lower case, to which invitations and notices are sent; null for an account that was created '
  'on the server''s command line.';
comment on column public.staff_accounts.employee_id is
  'The employee to whom this person''s tasks are assigned; null for an account that the first start of the site or the '
  'server''s command line created.';

comment on column public.staff_accounts.needs_code_app is
  'Whether the person, who accepted the invitation with a password, must still set up an authenticator app. Until '
  'then the account has no role.';

create function internal.name_staff_account() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.name := coalesce(new.name, new.username);
  return new;
end
$$;
create trigger name_staff_account before insert on public.staff_accounts for each row execute function internal.name_staff_account();

alter table public.staff_accounts enable row level security;
grant select on public.staff_accounts to authenticated, service_role;
grant update (role, is_active, name, email) on public.staff_accounts to shop_owner;
grant select, insert, update (user_id, role, is_active, name, email, employee_id) on public.staff_accounts to shop_server;
create policy "the server functions read staff accounts" on public.staff_accounts for select to service_role using (true);
create policy "the server reads and writes staff accounts" on public.staff_accounts to shop_server using (true) with check (true);

create table internal.tablet_data_sessions (
  data_session_id uuid primary key,
  ends_at timestamptz not null
);
comment on table internal.tablet_data_sessions is
  'The sessions for the REST API (data sessions) that people started at a shared tablet. A row is deleted a day after '
  'its session has ended. Until then the row prevents an access token that an owner received at a tablet from granting '
  'the rights of an owner.';
comment on column internal.tablet_data_sessions.ends_at is
  'The time until which the session''s access tokens have the rights of a technician. Afterwards these tokens have no '
  'rights.';

create index tablet_data_sessions_ends_at_idx on internal.tablet_data_sessions (ends_at);

alter table internal.tablet_data_sessions enable row level security;
grant select, delete on internal.tablet_data_sessions to shop_server;
create policy "the server removes old sessions of tablets" on internal.tablet_data_sessions to shop_server using (true) with check (true);

-- Every policy that requires a role calls internal.staff_role() in a subquery, so that a statement reads staff_accounts
-- only once.
create function internal.staff_role() returns text
  -- Runs with the rights of the function's owner, because a technician and a visitor have no right to read
  -- staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case
      when at_tablet.data_session_id is null and not account.needs_code_app then account.role
      when at_tablet.ends_at > now() then 'technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = (auth.jwt() ->> 'session_id')::uuid
    where account.user_id = auth.uid() and account.is_active);
comment on function internal.staff_role() is
  'The role of the active staff account whose access token the request contains: owner, advisor or technician. For '
  'every sign-in session at a shared tablet the role is technician. Null for everybody else, including a team member '
  'who must first set up an authenticator app.';
-- Every role may call `staff_role`, `is_admin` and `is_owner`, because these functions return only data about their
-- caller.
grant execute on function internal.staff_role() to anon, authenticated, shop_technician, shop_server;

create function internal.is_admin() returns boolean
  language sql stable
  -- Has no search_path, because PostgreSQL inlines only functions without settings. PostgreSQL resolved the names in
  -- the body when the function was created.
  return coalesce(internal.staff_role() in ('owner', 'advisor'), false);
comment on function internal.is_admin() is 'Whether an owner or an advisor sent the request.';
grant execute on function internal.is_admin() to anon, authenticated, shop_technician, shop_server;

create function internal.is_owner() returns boolean
  language sql stable
  -- Has no search_path, because PostgreSQL inlines only functions without settings. PostgreSQL resolved the names in
  -- the body when the function was created.
  return coalesce(internal.staff_role() = 'owner', false);
comment on function internal.is_owner() is 'Whether an owner sent the request.';
grant execute on function internal.is_owner() to anon, authenticated, shop_technician, shop_server;

create policy "the counter reads staff accounts" on public.staff_accounts for select to authenticated using ((select internal.is_admin()));
create policy "owners change staff accounts" on public.staff_accounts
  for update to shop_owner using ((select internal.is_owner())) with check ((select internal.is_owner()));

create function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only an owner or an advisor may do this.' using errcode = '42501';
  end if;
end
$$;

create function internal.require_owner() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_owner() then
    raise exception 'Only an owner may do this.' using errcode = '42501';
  end if;
end
$$;

create function internal.refuse_change_by_others() returns trigger
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to call require_owner.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_owner();
  return new;
end
$$;
comment on function internal.refuse_change_by_others() is
  'Refuses a change of a column that only owners may change, in a table whose other columns advisors may change too. '
  'A row-level security policy cannot restrict single columns.';
grant execute on function internal.refuse_change_by_others() to shop_owner;

create function internal.require_command() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- The setting `role` is the role of the request, even inside a security definer function.
  if current_setting('role', true) in ('authenticated', 'shop_owner', 'shop_advisor', 'shop_technician')
     and coalesce(current_setting('shop.command', true), '') = '' then
    raise exception 'Staff accounts and invitations are changed by commands of the dashboard.' using errcode = '42501';
  end if;
  return null;
end
$$;
comment on function internal.require_command() is
  'Refuses a change by a signed-in person unless a command (an endpoint of the site''s server) makes the change, '
  'because only a command can require step-up authentication (docs/product.md 6.8). The server sets shop.command; a '
  'request to the REST API cannot set it.';
create trigger require_command before update on public.staff_accounts for each statement execute function internal.require_command();

-- The author of a change is the username in the access token. If the token contains no username, the author is
-- claimed_name, or 'admin' if claimed_name is empty.
create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');

create function internal.database_role_of(staff_user_id uuid, session_id uuid) returns text
  -- Runs with the rights of the function's owner, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case
      when at_tablet.data_session_id is null and not account.needs_code_app then 'shop_' || account.role
      when at_tablet.ends_at > now() then 'shop_technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = session_id
    where account.user_id = staff_user_id and account.is_active);
comment on function internal.database_role_of(uuid, uuid) is
  'The PostgreSQL role with which the REST API runs the requests of a data session (a session for this API): '
  'shop_technician at a shared tablet; null for a user without an active staff account, and for a user who must first '
  'set up an authenticator app.';
grant execute on function internal.database_role_of(uuid, uuid) to supabase_auth_admin, shop_server;

create function internal.may_sign_in(staff_user_id uuid) returns boolean
  -- Runs with the rights of the function's owner, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return exists (select from public.staff_accounts where user_id = staff_user_id and is_active);
comment on function internal.may_sign_in(uuid) is
  'Whether a user may sign in to the dashboard: the staff account is active. An account that must first set up an '
  'authenticator app can sign in, but has no access to data.';
grant execute on function internal.may_sign_in(uuid) to supabase_auth_admin;

create function internal.staff_name_at(staff_username text, at timestamptz) returns text
  -- Runs with the rights of the function's owner, because the caller may have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return coalesce(
    (select name from public.staff_accounts where username = staff_username and created_at <= at), staff_username);
comment on function internal.staff_name_at(text, timestamptz) is
  'The current name of the person who has a username. For an instant before the account was created, the function '
  'returns the username itself, because several people shared a username at that time.';

create function internal.keep_one_owner() returns trigger
  -- Runs with the rights of the function's owner, because it reads all staff accounts.
  language plpgsql security definer set search_path = '' as $$
begin
  -- If two owners demote each other at the same time, the second transaction waits here until the first one has
  -- committed, and then sees its change.
  perform pg_advisory_xact_lock(hashtextextended('shop owners', 0));
  if not exists (
    select from public.staff_accounts where role = 'owner' and is_active and user_id <> old.user_id
  ) then
    raise exception 'At least one owner has to be able to sign in.' using errcode = 'TT120', hint = 'last_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
comment on function internal.keep_one_owner() is 'Refuses to switch off, demote or delete the last active owner (TT120).';
create trigger keep_one_owner_on_change before update on public.staff_accounts
  for each row when (old.role = 'owner' and old.is_active and not (new.role = 'owner' and new.is_active))
  execute function internal.keep_one_owner();
create trigger keep_one_owner_on_delete before delete on public.staff_accounts
  for each row when (old.role = 'owner' and old.is_active) execute function internal.keep_one_owner();
