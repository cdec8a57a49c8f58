-- Database roles and their default privileges: none. Visitors are `anon`, the shop's admin is `authenticated` with a claim in
-- the access token, `service_role` belongs to the server functions of a hosted project, `shop_server` to the site's own server.
-- A hosted project grants everything in `public` to every role by default; that is revoked here first, and every privilege is
-- granted by name beside its table or function. This file is executed in its order, before all others.

-- PostgreSQL's roles belong to the whole server, where another database may have made this one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'shop_server') then
    create role shop_server nologin noinherit;
  end if;
end
$$;
grant shop_server to authenticator;
-- Lets the owner of the database act as the server, as a hosted project's connection string does.
grant shop_server to current_user;

alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role, shop_server;

create schema internal;
comment on schema internal is 'Objects for the server only; the data API does not expose them.';
-- Visitors have no right to its tables, but call the functions with the rules of a booking.
grant usage on schema internal to shop_server, anon, authenticated;

create table internal.secrets (
  name text primary key check (name ~ '^[a-z_]{1,60}$'),
  value text not null check (length(value) between 32 and 500),
  created_at timestamptz not null default now(),
  inner_key bytea generated always as (internal.hmac_pad(value, 54)) stored,
  outer_key bytea generated always as (internal.hmac_pad(value, 92)) stored
);
-- The other keys of the site are files in DATA_DIR/keys (docs/decisions/0028).
comment on table internal.secrets is
  'The key of mailed links and the key of form tokens, with which the database itself signs. Where several machines may work '
  'on this database: the keys of the site on their way from one machine to the next, sealed with the password of the '
  'tables'' owner. No backup contains a row of this table.';
comment on column internal.secrets.inner_key is 'The inner key of HMAC, computed once.';
comment on column internal.secrets.outer_key is 'The outer key of HMAC, computed once.';

alter table internal.secrets enable row level security;
grant select, insert on internal.secrets to shop_server;
create policy "the server reads its keys" on internal.secrets for select to shop_server using (true);
create policy "the server makes its keys" on internal.secrets for insert to shop_server with check (true);

-- The role of staff is a claim in the access token; a visitor's token has none.
create function internal.is_admin() returns boolean
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return coalesce(auth.jwt() #>> '{app_metadata,role}', '') = 'admin';
comment on function internal.is_admin() is 'Whether the request carries the token of the shop''s admin.';
-- Reads nothing but the request's own token.
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

-- The argument is used only when the token does not name the author.
create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');
