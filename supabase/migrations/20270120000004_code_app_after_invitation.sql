-- Adds the code app that a person sets up after accepting an invitation with a password (docs/product.md 6.11).
set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text);

ALTER TABLE "public"."staff_accounts" ADD COLUMN "needs_code_app" boolean NOT NULL DEFAULT false;

create or replace function internal.accept_staff_invitation(
  invitation_id uuid, new_user_id uuid, accepted_username text, with_password boolean
) returns boolean
  -- Runs with its owner's rights, because the server has no right to add employees.
  language plpgsql security definer set search_path = '' as $$
declare
  invitation public.staff_invitations;
  known_employee uuid;
begin
  -- Of two acceptances at the same time, the second waits for the row and then finds the invitation used.
  update public.staff_invitations set used_at = now()
  where id = invitation_id and used_at is null and taken_back_at is null and expires_at > now() returning * into invitation;
  if not found then
    return false;
  end if;
  if invitation.account_id is not null then
    update public.staff_accounts
    set is_active = true, email = coalesce(email, invitation.email), needs_code_app = with_password
    where user_id = invitation.account_id;
    perform internal.end_code_app(invitation.account_id, null);
    return true;
  end if;
  update public.employees set is_active = true
  where lower(email) = invitation.email and not exists (select from public.staff_accounts where employee_id = employees.id)
  returning id into known_employee;
  if known_employee is null then
    insert into public.employees (name, email) values (invitation.name, invitation.email)
    on conflict (email) do nothing returning id into known_employee;
  end if;
  insert into public.staff_accounts (user_id, username, role, name, email, employee_id, needs_code_app)
  values (new_user_id, accepted_username, invitation.role, invitation.name, invitation.email, known_employee, with_password);
  return true;
end
$$;

create or replace function internal.database_role_of(staff_user_id uuid, session_id uuid) returns text
  -- Runs with its owner's rights, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case
      when at_tablet.data_session_id is null and not account.needs_code_app then 'shop_' || account.role
      when at_tablet.ends_at > now() then 'shop_technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = session_id
    where account.user_id = staff_user_id and account.is_active);

create or replace function internal.grant_role_after_code_app() returns trigger
  -- Runs with its owner's rights, because no role may change needs_code_app.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.staff_accounts set needs_code_app = false where user_id = new.user_id and needs_code_app;
  return null;
end
$$;

create or replace function internal.may_sign_in(staff_user_id uuid) returns boolean
  -- Runs with its owner's rights, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return exists (select from public.staff_accounts where user_id = staff_user_id and is_active);

create or replace function internal.record_settings_change() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to write settings_versions and
  -- settings_history.
  language plpgsql security definer set search_path = '' as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span', 'needs_code_app'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.with_service_name(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.with_service_name(to_jsonb(new) - counted) end;
  changed_row constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- The first rows of a new shop are not recorded as changes.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(changed_row ->> tg_argv[1], (select name from public.bays where id = (changed_row ->> 'bay_id')::uuid), ''),
    case
      -- The services of a bay are part of the bay: adding or removing one is recorded as a change.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;

create or replace function internal.staff_role() returns text
  -- Runs with its owner's rights, because a technician and a visitor have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case
      when at_tablet.data_session_id is null and not account.needs_code_app then account.role
      when at_tablet.ends_at > now() then 'technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = (auth.jwt() ->> 'session_id')::uuid
    where account.user_id = auth.uid() and account.is_active);

CREATE TRIGGER grant_role_after_code_app AFTER UPDATE OF confirmed_at ON internal.code_apps FOR EACH ROW WHEN (((old.confirmed_at IS NULL) AND (new.confirmed_at IS NOT NULL))) EXECUTE FUNCTION internal.grant_role_after_code_app();

COMMENT ON COLUMN "public"."staff_accounts"."needs_code_app" IS 'Whether a person who accepted an invitation with a password has yet to set up a code app. Until then the account has no role.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) IS 'Makes the staff account of an open invitation, with exactly its name, address and role; false when the invitation is no longer open. With a password the account needs a code app before it has its role.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid, uuid) IS 'The PostgreSQL role with which the data service runs the requests of a session: shop_technician at a shared tablet; null for a user without an active staff account, and for one who has yet to set up a code app.';

COMMENT ON FUNCTION "internal"."grant_role_after_code_app"() IS 'Gives an account whose invitation was accepted with a password its role, once the first code proved its code app.';

COMMENT ON FUNCTION "internal"."may_sign_in"(uuid) IS 'Whether a user may sign in to the dashboard: the staff account is active. A session of an account that needs a code app reaches no data.';

COMMENT ON FUNCTION "internal"."staff_role"() IS 'The role of the active staff account whose access token the request has: owner, advisor or technician; technician for every session of a shared tablet; null for everybody else, also for a person who has yet to set up a code app.';

REVOKE ALL ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."grant_role_after_code_app"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."grant_role_after_code_app"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."grant_role_after_code_app"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."may_sign_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."may_sign_in"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."may_sign_in"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."may_sign_in"(uuid) TO "supabase_auth_admin";
