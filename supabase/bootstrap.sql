-- Adds to a plain PostgreSQL what every hosted Supabase project has: the roles of the data service, the schemas
-- `auth` and `extensions`, and the functions with which policies read the request. This file can be executed
-- repeatedly; the shop's own objects are in supabase/schemas. One intended difference: a hosted project grants every
-- privilege in `public` to `anon` by default, and this file grants none. supabase/schemas/00_roles.sql revokes the
-- grants of a hosted project, so that both databases have the same privileges.

do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    begin
      create role service_role nologin noinherit bypassrls;
    exception when insufficient_privilege then
      -- A managed server hands out no superuser. Only outside tools use this role; there it sees no rows.
      create role service_role nologin noinherit;
    end;
  end if;
  if not exists (select from pg_roles where rolname = 'supabase_auth_admin') then
    create role supabase_auth_admin nologin noinherit;
  end if;
  -- The only role that logs in. It has no rights of its own: every transaction takes a role first.
  if not exists (select from pg_roles where rolname = 'authenticator') then
    create role authenticator login noinherit;
  end if;
end
$$;

grant anon, authenticated, service_role, supabase_auth_admin to authenticator;

-- Times leave the database in UTC, whatever the time zone of the machine is.
alter role authenticator set timezone = 'UTC';
alter role authenticator set search_path = public, extensions;
-- Ends a statement of the data service after 15 seconds, so that a forgotten transaction does not keep the lock of a
-- booking day. No statement of the site takes seconds.
alter role authenticator set statement_timeout = '15s';
alter role authenticator set idle_in_transaction_session_timeout = '30s';

create schema if not exists extensions;
create schema if not exists auth;

revoke create on schema public from public;
grant usage on schema public, extensions to anon, authenticated, service_role;
grant usage on schema auth to anon, authenticated, service_role, supabase_auth_admin;

-- Without a grant in supabase/schemas, no role may call a function.
alter default privileges revoke execute on functions from public;

create table if not exists auth.users (
  id uuid primary key default gen_random_uuid(),
  email text unique,
  encrypted_password text,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  banned_until timestamptz
);
comment on table auth.users is 'Who can sign in. Passwords are stored as salted hashes only.';

create table if not exists auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  not_after timestamptz
);
comment on table auth.sessions is 'One sign-in; deleting it revokes every token that came from it.';
create index if not exists sessions_user_id_idx on auth.sessions (user_id);

create table if not exists auth.refresh_tokens (
  id bigserial primary key,
  token text unique,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  parent text,
  revoked boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table auth.refresh_tokens is
  'Each refresh token works once. `token` and `parent` hold hashes, never the tokens themselves.';
create index if not exists refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
create index if not exists refresh_tokens_user_id_idx on auth.refresh_tokens (user_id);

alter table auth.users enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['users', 'sessions', 'refresh_tokens'] loop
    if not exists (
      select from pg_policies
      where schemaname = 'auth' and tablename = table_name and policyname = 'the auth service does everything'
    ) then
      execute format(
        'create policy "the auth service does everything" on auth.%I to supabase_auth_admin using (true) with check (true)',
        table_name
      );
    end if;
  end loop;
end
$$;

grant select, insert, update, delete on auth.users, auth.sessions, auth.refresh_tokens to supabase_auth_admin;
grant usage on sequence auth.refresh_tokens_id_seq to supabase_auth_admin;

create or replace function auth.jwt() returns jsonb
  language sql stable
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
comment on function auth.jwt() is 'The claims of the verified access token; empty for a visitor.';

create or replace function auth.uid() returns uuid
  language sql stable
  return (coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb ->> 'sub')::uuid;
comment on function auth.uid() is 'The id of the user who is signed in, or null.';

create or replace function auth.role() returns text
  language sql stable
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb ->> 'role';
comment on function auth.role() is 'The role that the access token claims.';

grant execute on function auth.jwt(), auth.uid(), auth.role()
  to anon, authenticated, service_role, supabase_auth_admin;
