-- Adds the staff accounts. Every admin so far becomes an owner, with the same username, password and sessions.
set local search_path = pg_catalog;

set local check_function_bodies = off;

-- The roles of staff (03_staff_accounts.sql).
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
-- Owners and advisors have every right that is granted to `authenticated`.
grant authenticated to shop_owner, shop_advisor;


DROP TRIGGER "t00_lock_calendar_before_status_change" ON "public"."bookings";

DROP TRIGGER "t10_accept_booking" ON "public"."bookings";

DROP TRIGGER "lock_calendar_before_status_change" ON "public"."tasks";

DROP FUNCTION "internal"."is_active_admin"(uuid, timestamp with time zone);

CREATE TABLE "public"."staff_accounts" ("user_id" uuid NOT NULL, "username" text NOT NULL, "role" text NOT NULL, "is_active" boolean NOT NULL DEFAULT true, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "staff_accounts_pkey" PRIMARY KEY (user_id), CONSTRAINT "staff_accounts_role_is_known" CHECK ((role = ANY (ARRAY['owner'::text, 'advisor'::text, 'technician'::text]))), CONSTRAINT "staff_accounts_username_is_short" CHECK (((length(username) >= 1) AND (length(username) <= 60))), CONSTRAINT "staff_accounts_username_key" UNIQUE (username));

ALTER TABLE "public"."staff_accounts" ENABLE ROW LEVEL SECURITY;

create or replace function internal.booking_event_source(kind text) returns text
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings. The
  -- setting `role` is the role of the request, even inside a security definer function.
  return case
    when internal.booking_change_context() ->> 'source' = 'task' then 'task'
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated', 'shop_owner', 'shop_advisor') then 'visitor'
    when kind = 'confirmed' or internal.booking_change_context() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create or replace function internal.database_role_of(staff_user_id uuid) returns text
  -- Runs with its owner's rights, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (select 'shop_' || role from public.staff_accounts where user_id = staff_user_id and is_active);

create or replace function internal.has_owner() returns boolean
  -- Runs with its owner's rights, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return exists (
    select from public.staff_accounts account join auth.users on users.id = account.user_id
    where account.role = 'owner' and account.is_active);

create or replace function internal.keep_one_owner() returns trigger
  -- Runs with its owner's rights, because it reads all accounts.
  language plpgsql security definer set search_path = '' as $$
begin
  -- Of two owners who demote each other, the second waits here and then sees what the first did.
  perform pg_advisory_xact_lock(hashtextextended('shop owners', 0));
  if not exists (
    select from public.staff_accounts where role = 'owner' and is_active and user_id <> old.user_id
  ) then
    raise exception 'At least one owner has to be able to sign in.' using errcode = 'TT120', hint = 'last_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create or replace function internal.staff_role() returns text
  -- Runs with its owner's rights, because a technician and a visitor have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (select role from public.staff_accounts where user_id = auth.uid() and is_active);

create or replace function internal.is_admin() returns boolean
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings.
  return coalesce(internal.staff_role() in ('owner', 'advisor'), false);

create or replace function internal.is_owner() returns boolean
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings.
  return coalesce(internal.staff_role() = 'owner', false);

create or replace function internal.staff_role_of(staff_user_id uuid, at timestamptz) returns text
  -- Runs with its owner's rights, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return (
    select account.role from public.staff_accounts account join auth.users on users.id = account.user_id
    where account.user_id = staff_user_id and account.is_active and (users.banned_until is null or users.banned_until <= at)
  );

CREATE TRIGGER t00_lock_calendar_before_status_change BEFORE UPDATE OF status ON public.bookings FOR EACH STATEMENT WHEN ((CURRENT_USER = ANY ('{authenticated,shop_owner,shop_advisor}'::text[]))) EXECUTE FUNCTION internal.lock_calendar_before_status_change();

CREATE TRIGGER t10_accept_booking BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER = ANY ('{authenticated,shop_owner,shop_advisor}'::text[]))) EXECUTE FUNCTION internal.accept_booking();

CREATE TRIGGER keep_one_owner_on_change BEFORE UPDATE ON public.staff_accounts FOR EACH ROW WHEN (((old.role = 'owner'::text) AND old.is_active AND (NOT ((new.role = 'owner'::text) AND new.is_active)))) EXECUTE FUNCTION internal.keep_one_owner();

CREATE TRIGGER keep_one_owner_on_delete BEFORE DELETE ON public.staff_accounts FOR EACH ROW WHEN (((old.role = 'owner'::text) AND old.is_active)) EXECUTE FUNCTION internal.keep_one_owner();

CREATE TRIGGER lock_calendar_before_status_change BEFORE DELETE ON public.tasks FOR EACH STATEMENT WHEN ((CURRENT_USER = ANY ('{authenticated,shop_owner,shop_advisor}'::text[]))) EXECUTE FUNCTION internal.lock_calendar_before_status_change();

CREATE POLICY "owners change staff accounts" ON "public"."staff_accounts" FOR UPDATE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner)) WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "the counter reads staff accounts" ON "public"."staff_accounts" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the server functions read staff accounts" ON "public"."staff_accounts" FOR SELECT TO "service_role" USING (true);

CREATE POLICY "the server reads and writes staff accounts" ON "public"."staff_accounts" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

COMMENT ON COLUMN "public"."staff_accounts"."user_id" IS 'The user of the auth service; no foreign key, because that schema belongs to the auth service.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid) IS 'The PostgreSQL role with which the data service runs the requests of a user; null for a user without an active staff account.';

COMMENT ON FUNCTION "internal"."has_owner"() IS 'Whether an owner can sign in; false before the first start of a shop.';

COMMENT ON FUNCTION "internal"."is_admin"() IS 'Whether the request is of an owner or an advisor, who do the work of the counter.';

COMMENT ON FUNCTION "internal"."is_owner"() IS 'Whether the request is of an owner.';

COMMENT ON FUNCTION "internal"."keep_one_owner"() IS 'Refuses to switch off, demote or delete the last active owner (TT120).';

COMMENT ON FUNCTION "internal"."staff_role"() IS 'The role of the active staff account whose access token the request has: owner, advisor or technician; null for everybody else.';

COMMENT ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) IS 'The role of a staff account that can sign in: switched on, with a user of the auth service who is not banned; otherwise null.';

COMMENT ON TABLE "public"."staff_accounts" IS 'The people who may sign in to the dashboard. An account is switched off, never deleted.';

REVOKE ALL ON FUNCTION "internal"."database_role_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."database_role_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."database_role_of"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."database_role_of"(uuid) TO "shop_server", "supabase_auth_admin";

REVOKE ALL ON FUNCTION "internal"."has_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_owner"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_owner"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."is_admin"() FROM "shop_technician";

GRANT EXECUTE ON FUNCTION "internal"."is_admin"() TO "shop_technician";

REVOKE ALL ON FUNCTION "internal"."is_owner"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."is_owner"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."is_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_owner"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_owner"() TO "shop_server", "shop_technician";

REVOKE ALL ON FUNCTION "internal"."keep_one_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."keep_one_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."keep_one_owner"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."staff_role"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."staff_role"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."staff_role"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."staff_role"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."staff_role"() TO "shop_server", "shop_technician";

REVOKE ALL ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) TO "shop_server";

REVOKE ALL ON SCHEMA "internal" FROM "shop_technician";

GRANT USAGE ON SCHEMA "internal" TO "shop_technician";

REVOKE ALL ON SCHEMA "internal" FROM "supabase_auth_admin";

GRANT USAGE ON SCHEMA "internal" TO "supabase_auth_admin";

REVOKE ALL ON SCHEMA "public" FROM "shop_technician";

GRANT USAGE ON SCHEMA "public" TO "shop_technician";

GRANT SELECT ON TABLE "public"."staff_accounts" TO "authenticated", "service_role";

GRANT UPDATE ("is_active") ON TABLE "public"."staff_accounts" TO "shop_owner";

GRANT UPDATE ("role") ON TABLE "public"."staff_accounts" TO "shop_owner";

GRANT UPDATE ("is_active") ON TABLE "public"."staff_accounts" TO "shop_server";

GRANT UPDATE ("role") ON TABLE "public"."staff_accounts" TO "shop_server";

GRANT UPDATE ("user_id") ON TABLE "public"."staff_accounts" TO "shop_server";

GRANT INSERT, SELECT ON TABLE "public"."staff_accounts" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('public.staff_accounts', 'role', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.staff_accounts', 'username', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true');

insert into public.staff_accounts (user_id, username, role, created_at)
select id, coalesce(raw_app_meta_data ->> 'username', split_part(email, '@', 1)), 'owner', created_at
from auth.users where raw_app_meta_data ->> 'role' = 'admin';
