-- Database roles. By default they have no privileges. Visitors use the role `anon`, the shop's admin uses
-- `authenticated` with a claim in the access token, the server functions of a hosted project use `service_role`, and
-- the site's own server uses `shop_server`. A hosted project grants every privilege in `public` to every role by
-- default. This file first revokes these grants; the other files then grant each privilege by name beside its table
-- or function. The files are executed in the order of their numbers, this one first.

-- Roles belong to the whole PostgreSQL server, so another database may already have created this one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'shop_server') then
    create role shop_server nologin noinherit;
  end if;
end
$$;
grant shop_server to authenticator;
-- Lets the owner of the database switch to the role of the site's server, as in a hosted project, whose connection
-- string is that of the owner.
grant shop_server to current_user;

alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role, shop_server;

create schema internal;
comment on schema internal is 'Objects for the server only; the data API does not expose them.';
-- Visitors and the admin get no privileges on the tables of the schema `internal`, but call its functions when they
-- write a booking.
grant usage on schema internal to shop_server, anon, authenticated;

create table internal.secrets (
  name text primary key check (name ~ '^[a-z_]{1,60}$'),
  value text not null check (length(value) between 32 and 500),
  created_at timestamptz not null default now(),
  inner_key bytea generated always as (internal.hmac_pad(value, 54)) stored,
  outer_key bytea generated always as (internal.hmac_pad(value, 92)) stored
);
-- The site's other keys are files in DATA_DIR/keys (docs/decisions/0028).
comment on table internal.secrets is
  'The keys with which the database itself signs: the key of mailed links and the key of form tokens. Where several machines may work on '
  'this database, the table also holds the site''s other keys while one machine passes them to the next, sealed with the password of the '
  'tables'' owner. No backup contains a row of this table.';
comment on column internal.secrets.inner_key is 'The inner key of HMAC, computed once.';
comment on column internal.secrets.outer_key is 'The outer key of HMAC, computed once.';

alter table internal.secrets enable row level security;
grant select, insert on internal.secrets to shop_server;
create policy "the server reads its keys" on internal.secrets for select to shop_server using (true);
create policy "the server makes its keys" on internal.secrets for insert to shop_server with check (true);

-- Whether the request is the admin's: the role of staff is a claim in the access token, and a visitor's token has no
-- such claim.
create function internal.is_admin() returns boolean
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings.
  return coalesce(auth.jwt() #>> '{app_metadata,role}', '') = 'admin';
comment on function internal.is_admin() is 'Whether the request carries the token of the shop''s admin.';
-- Every role may call this function, because it reads only the request's own access token.
grant execute on function internal.is_admin() to anon, authenticated, shop_server;

create function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only the admin may do this.' using errcode = '42501';
  end if;
end
$$;

-- The author is the username in the access token; the argument is used only when the token has none.
create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');
