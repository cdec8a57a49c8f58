-- Turns a bootstrapped database into a new hosted Supabase project, as far as the schema depends on it: its owner is no
-- superuser, and everything that the owner creates in `public` is granted to all roles by default. Source: the initial
-- scripts of github.com/supabase/postgres.

do $$
begin
  if not exists (select from pg_roles where rolname = 'hosted_owner') then
    create role hosted_owner login createrole createdb bypassrls;
  end if;
end
$$;
grant anon, authenticated, service_role, authenticator to hosted_owner with admin option;

grant usage, create on schema public to hosted_owner;
grant usage on schema public to anon, authenticated, service_role;
grant all on schema extensions to hosted_owner;
grant usage on schema auth to hosted_owner;
grant all on all tables in schema auth to hosted_owner;
grant execute on all functions in schema auth to hosted_owner;

alter default privileges for role hosted_owner in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role hosted_owner in schema public
  grant all on sequences to anon, authenticated, service_role;
alter default privileges for role hosted_owner in schema public
  grant all on functions to anon, authenticated, service_role;
