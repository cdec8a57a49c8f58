-- The role that the shop's own server acts as, the schema that only it uses, and a clean slate:
-- a hosted project grants everything to everyone by default, we grant each right by name.

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
comment on schema internal is 'What only the server touches: nothing here is reachable through the data API.';
-- Visitors get no table of it; the rules of a booking, which run in their name, live here.
grant usage on schema internal to shop_server, anon, authenticated;

create table internal.secrets (
  name text primary key check (name ~ '^[a-z_]{1,60}$'),
  value text not null check (length(value) between 32 and 500),
  created_at timestamptz not null default now()
);
comment on table internal.secrets is
  'Keys that all processes of the shop share, made on first use: the signing keys of access tokens and forms.';
alter table internal.secrets enable row level security;
grant select, insert on internal.secrets to shop_server;
create policy "the server reads its keys" on internal.secrets for select to shop_server using (true);
create policy "the server makes its keys" on internal.secrets for insert to shop_server with check (true);

-- The shop's one staff role travels in the access token; a visitor's token has none.
create function internal.is_admin() returns boolean
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,role}', '') = 'admin';
comment on function internal.is_admin() is 'Whether the request carries the token of the shop''s admin.';
grant execute on function internal.is_admin() to authenticated, shop_server;
