-- Replaces the embedded tables of `auth` by tables with the columns of a hosted project's auth service, which owns them,
-- and adds tables of other services of the project. Source of the names: the migrations of github.com/supabase/auth.

drop table auth.refresh_tokens, auth.sessions, auth.users;

create table auth.users (
  instance_id uuid,
  id uuid primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text,
  phone_change_token varchar(255),
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255),
  email_change_confirm_status smallint,
  banned_until timestamptz,
  reauthentication_token varchar(255),
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where not is_sso_user;

create table auth.identities (
  provider_id text,
  user_id uuid references auth.users on delete cascade,
  identity_data jsonb,
  provider text,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid()
);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  not_after timestamptz,
  user_agent text,
  tag text
);

create table auth.refresh_tokens (
  instance_id uuid,
  id bigserial primary key,
  token varchar(255) unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions on delete cascade
);

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  token_hash text,
  relates_to text
);

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  friendly_name text,
  secret text,
  phone text
);

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid,
  auth_code text,
  code_challenge text,
  provider_access_token text,
  provider_refresh_token text
);

create table auth.audit_log_entries (
  id uuid primary key default gen_random_uuid(),
  payload json,
  ip_address varchar(64)
);

create schema vault;
create table vault.secrets (id uuid primary key default gen_random_uuid(), name text, secret text);

create schema storage;
create table storage.objects (id uuid primary key default gen_random_uuid(), name text, metadata jsonb);

do $$
declare
  service_table text;
begin
  for service_table in
    select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('auth', 'vault', 'storage')
  loop
    execute format('alter table %s owner to supabase_auth_admin', service_table);
    execute format('alter table %s enable row level security', service_table);
  end loop;
end
$$;
grant usage on schema vault, storage to supabase_auth_admin;
