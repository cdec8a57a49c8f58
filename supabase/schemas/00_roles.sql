-- Database roles. By default they have no privileges. Visitors use the role `anon`, staff use the roles of
-- 03_staff_accounts.sql, the server functions of a hosted Supabase project use `service_role`, and the site's own
-- server uses `shop_server`. A hosted project grants every privilege in `public` to every role by default. This file
-- first revokes these grants; the other files then grant each privilege by name beside its table or function. The
-- statements of this file are executed before those of all other files.

-- Roles belong to the whole PostgreSQL server, so the migration of another database may already have created this role.
do $$
begin
  if not exists (select from pg_roles where rolname = 'shop_server') then
    create role shop_server nologin noinherit;
  end if;
end
$$;
grant shop_server to authenticator;
-- Lets the owner of the database switch to the role of the site's server (`set role`). In a hosted project, the site
-- connects as the owner of the database.
grant shop_server to current_user;

-- The database roles of staff (03_staff_accounts.sql).
do $$
declare
  staff_role text;
begin
  foreach staff_role in array array['shop_owner', 'shop_advisor', 'shop_technician'] loop
    if not exists (select from pg_roles where rolname = staff_role) then
      execute format('create role %I nologin', staff_role);
    end if;
    execute format('grant %I to authenticator', staff_role);
    execute format('grant %I to current_user', staff_role);
  end loop;
end
$$;
-- Grants owners and advisors every right that is granted to `authenticated`.
grant authenticated to shop_owner, shop_advisor;

alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role, shop_server, shop_technician;

create schema internal;
comment on schema internal is 'Objects for the server only; the REST API does not expose them.';
-- Visitors and the admin get no privileges on the tables of the schema `internal`. They may use the schema, because
-- triggers and checks execute its functions when a visitor or the admin writes a booking.
grant usage on schema internal to shop_server, anon, authenticated, shop_technician, supabase_auth_admin;

create table internal.secrets (
  name text primary key check (name ~ '^[a-z_]{1,60}$'),
  value text not null check (length(value) between 32 and 500),
  created_at timestamptz not null default now(),
  inner_key bytea generated always as (internal.hmac_pad(value, 54)) stored,
  outer_key bytea generated always as (internal.hmac_pad(value, 92)) stored
);
-- The site also stores its keys as files in DATA_DIR/keys (docs/decisions/0028).
comment on table internal.secrets is
  'The keys with which database functions sign: the key of links in emails and the key of form tokens. An external '
  'database also stores copies of the site''s other keys here, so that several machines can use the same keys. These '
  'copies are encrypted with a key that is derived from the password of the role that owns the tables. Backups '
  'contain no row of this table.';
comment on column internal.secrets.inner_key is
  'The inner key of HMAC (RFC 2104), computed from the column `value` when the row is written.';
comment on column internal.secrets.outer_key is
  'The outer key of HMAC (RFC 2104), computed from the column `value` when the row is written.';

alter table internal.secrets enable row level security;
grant select, insert on internal.secrets to shop_server;
create policy "the server reads its keys" on internal.secrets for select to shop_server using (true);
create policy "the server makes its keys" on internal.secrets for insert to shop_server with check (true);
