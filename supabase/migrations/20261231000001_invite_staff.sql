-- Adds invitations of team members by email, switching accounts off and on, and what ends with an account that is
-- switched off or whose role is narrowed.
set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE TABLE "public"."staff_invitations" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "name" text NOT NULL, "email" text NOT NULL, "role" text NOT NULL, "username" text NOT NULL, "account_id" uuid, "token_hash" bytea NOT NULL, "invited_by" uuid NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), "sent_at" timestamp with time zone NOT NULL DEFAULT now(), "expires_at" timestamp with time zone NOT NULL DEFAULT (now() + '72:00:00'::interval), "used_at" timestamp with time zone, "taken_back_at" timestamp with time zone, CONSTRAINT "staff_invitations_end_once" CHECK (((used_at IS NULL) OR (taken_back_at IS NULL))), CONSTRAINT "staff_invitations_pkey" PRIMARY KEY (id), CONSTRAINT "staff_invitations_role_is_known" CHECK ((role = ANY (ARRAY['owner'::text, 'advisor'::text, 'technician'::text]))), CONSTRAINT "staff_invitations_token_hash_is_sha256" CHECK ((length(token_hash) = 32)), CONSTRAINT "staff_invitations_token_hash_key" UNIQUE (token_hash), CONSTRAINT "staff_invitations_username_is_short" CHECK (((length(username) >= 1) AND (length(username) <= 60))), CONSTRAINT "staff_invitations_email_is_an_address" CHECK ((internal.is_email_address(email) AND (email = lower(email)))), CONSTRAINT "staff_invitations_name_is_text" CHECK (internal.is_single_line_text(name, 1, 80)));

ALTER TABLE "public"."staff_invitations" ENABLE ROW LEVEL SECURITY;

create or replace function internal.accept_staff_invitation(invitation_id uuid, new_user_id uuid, accepted_username text) returns boolean
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
    update public.staff_accounts set is_active = true, email = coalesce(email, invitation.email) where user_id = invitation.account_id;
    return true;
  end if;
  update public.employees set is_active = true
  where lower(email) = invitation.email and not exists (select from public.staff_accounts where employee_id = employees.id)
  returning id into known_employee;
  if known_employee is null then
    insert into public.employees (name, email) values (invitation.name, invitation.email)
    on conflict (email) do nothing returning id into known_employee;
  end if;
  insert into public.staff_accounts (user_id, username, role, name, email, employee_id)
  values (new_user_id, accepted_username, invitation.role, invitation.name, invitation.email, known_employee);
  return true;
end
$$;

create or replace function internal.change_staff_invitation() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if old.used_at is not null or old.taken_back_at is not null then
    raise exception 'The invitation was used or taken back.' using errcode = 'TT122', hint = 'invitation_ended';
  end if;
  if new.token_hash <> old.token_hash then
    new.sent_at := now();
    new.expires_at := now() + interval '72 hours';
    new.invited_by := auth.uid();
  end if;
  if new.taken_back_at is not null then
    new.taken_back_at := now();
  end if;
  return new;
end
$$;

create or replace function internal.end_staff_rights() returns trigger
  -- Runs with its owner's rights, because owners have no right to end sessions of others.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.sign_in_codes where user_id = new.user_id;
  update public.staff_invitations set taken_back_at = now()
  where used_at is null and taken_back_at is null
    and (invited_by = new.user_id and not (new.role = 'owner' and new.is_active) or account_id = new.user_id);
  update internal.admin_sessions set confirmed_until = null where user_id = new.user_id;
  if new.is_active then
    return null;
  end if;
  delete from internal.admin_sessions where user_id = new.user_id;
  begin
    delete from auth.sessions where user_id = new.user_id;
  exception when insufficient_privilege then
    -- In a hosted project only the auth service ends its sessions; their tokens reach nothing, because every policy asks the account.
    null;
  end;
  return null;
end
$$;

create or replace function internal.find_staff_invitation(searched_hash bytea) returns uuid
  -- Runs with its owner's rights, because the server acts for a person who is not signed in.
  language sql stable security definer set search_path = ''
  return (
    select id from public.staff_invitations
    where token_hash = searched_hash and used_at is null and taken_back_at is null and expires_at > now());

create or replace function internal.free_staff_username(full_name text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  first_name text := left(regexp_replace(lower(normalize(split_part(trim(full_name), ' ', 1), nfkd)), '[^a-z0-9]', '', 'g'), 50);
  candidate text;
  suffix integer := 1;
begin
  first_name := coalesce(nullif(first_name, ''), 'team');
  loop
    candidate := first_name || case suffix when 1 then '' else suffix::text end;
    exit when not exists (select from public.staff_accounts where lower(username) = candidate)
      and not exists (
        select from public.staff_invitations where username = candidate and used_at is null and taken_back_at is null);
    suffix := suffix + 1;
  end loop;
  return candidate;
end
$$;

create or replace function internal.notify_team_changed() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform pg_notify('settings_changed', 'team');
  return null;
end
$$;

create or replace function internal.prepare_staff_invitation() returns trigger
  -- Runs with its owner's rights, because it reads all accounts.
  language plpgsql security definer set search_path = '' as $$
declare
  account public.staff_accounts;
begin
  new.invited_by := auth.uid();
  select * into account from public.staff_accounts where user_id = new.account_id or (new.account_id is null and email = new.email);
  if new.account_id is null then
    if found then
      raise exception 'A staff account has this address.' using errcode = 'TT121', hint = 'address_has_account';
    end if;
    new.username := internal.free_staff_username(new.name);
    return new;
  end if;
  new.username := account.username;
  new.name := account.name;
  new.email := coalesce(account.email, new.email);
  new.role := account.role;
  return new;
end
$$;

create or replace function public.switch_staff_off(account_id uuid, give_tasks_to uuid) returns integer
  -- Runs with its owner's rights, because owners have no right to change whom a task is assigned to.
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  given integer;
begin
  perform internal.require_owner();
  update public.staff_accounts set is_active = false where user_id = account_id returning employee_id into member;
  if not found then
    raise exception 'This person has no account.' using errcode = 'TT122', hint = 'no_account';
  end if;
  update public.tasks set assigned_to = give_tasks_to where assigned_to = member and status not in ('completed', 'cancelled');
  get diagnostics given = row_count;
  update public.employees set is_active = false where id = member;
  return given;
end
$$;

create or replace function public.switch_staff_on(account_id uuid) returns void
  -- Runs with its owner's rights, as switch_staff_off.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_owner();
  update public.staff_accounts set is_active = true where user_id = account_id;
  update public.employees set is_active = true where id = (select employee_id from public.staff_accounts where user_id = account_id);
end
$$;

ALTER TABLE "public"."staff_invitations" ADD CONSTRAINT "staff_invitations_account_id_fkey" FOREIGN KEY (account_id) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "public"."staff_invitations" ADD CONSTRAINT "staff_invitations_invited_by_fkey" FOREIGN KEY (invited_by) REFERENCES public.staff_accounts(user_id);

CREATE UNIQUE INDEX staff_invitations_one_open_for_an_address ON public.staff_invitations USING btree (email) WHERE ((used_at IS NULL) AND (taken_back_at IS NULL));

CREATE TRIGGER end_staff_rights AFTER UPDATE ON public.staff_accounts FOR EACH ROW WHEN ((old.is_active AND ((NOT new.is_active) OR (array_position(ARRAY['technician'::text, 'advisor'::text, 'owner'::text], new.role) < array_position(ARRAY['technician'::text, 'advisor'::text, 'owner'::text], old.role))))) EXECUTE FUNCTION internal.end_staff_rights();

CREATE TRIGGER notify_team_changed AFTER INSERT ON public.staff_accounts FOR EACH STATEMENT EXECUTE FUNCTION internal.notify_team_changed();

CREATE TRIGGER record_settings_change AFTER UPDATE ON public.staff_accounts FOR EACH ROW EXECUTE FUNCTION internal.record_settings_change('team', 'name');

CREATE TRIGGER change_staff_invitation BEFORE UPDATE ON public.staff_invitations FOR EACH ROW EXECUTE FUNCTION internal.change_staff_invitation();

CREATE TRIGGER notify_team_changed AFTER INSERT OR UPDATE ON public.staff_invitations FOR EACH STATEMENT EXECUTE FUNCTION internal.notify_team_changed();

CREATE TRIGGER prepare_staff_invitation BEFORE INSERT ON public.staff_invitations FOR EACH ROW EXECUTE FUNCTION internal.prepare_staff_invitation();

CREATE POLICY "owners invite" ON "public"."staff_invitations" FOR INSERT TO "shop_owner" WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners read invitations" ON "public"."staff_invitations" FOR SELECT TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners send again and take back" ON "public"."staff_invitations" FOR UPDATE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner)) WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "the server reads invitations" ON "public"."staff_invitations" FOR SELECT TO "shop_server" USING (true);

COMMENT ON COLUMN "public"."staff_invitations"."account_id" IS 'The account whose sign-in the invitation renews; null for a new account.';

COMMENT ON COLUMN "public"."staff_invitations"."sent_at" IS 'When the current link was sent; it works until expires_at.';

COMMENT ON COLUMN "public"."staff_invitations"."token_hash" IS 'SHA-256 of the token of the link. A new token makes the former link useless.';

COMMENT ON COLUMN "public"."staff_invitations"."username" IS 'The username of the new account: the first name, with a number when it is taken.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) IS 'Makes the staff account of an open invitation, with exactly its name, address and role; false when the invitation is no longer open.';

COMMENT ON FUNCTION "internal"."change_staff_invitation"() IS 'Keeps ended invitations (TT122), and gives a new link its 72 hours.';

COMMENT ON FUNCTION "internal"."end_staff_rights"() IS 'Ends the sign-in codes, invitations and step-ups of an account whose role was narrowed, and all its sessions when it was switched off.';

COMMENT ON FUNCTION "internal"."find_staff_invitation"(bytea) IS 'The open invitation of a link; null for every other link.';

COMMENT ON FUNCTION "internal"."free_staff_username"(text) IS 'The first name in small letters, with a number when an account or an open invitation has it.';

COMMENT ON FUNCTION "internal"."notify_team_changed"() IS 'Tells open dashboards to read the team again.';

COMMENT ON FUNCTION "internal"."prepare_staff_invitation"() IS 'Names the inviting owner and the username of an invitation, and refuses the address of an account (TT121).';

COMMENT ON FUNCTION "public"."switch_staff_off"(uuid, uuid) IS 'Switches a staff account off and gives its open tasks to another employee, or to nobody; returns their number.';

COMMENT ON FUNCTION "public"."switch_staff_on"(uuid) IS 'Switches a staff account on again; the person signs in as before.';

COMMENT ON TABLE "public"."staff_invitations" IS 'The invitations of team members: each makes one staff account, or renews the sign-in of one.';

REVOKE ALL ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."change_staff_invitation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."change_staff_invitation"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."change_staff_invitation"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."end_staff_rights"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."end_staff_rights"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."end_staff_rights"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."find_staff_invitation"(bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."find_staff_invitation"(bytea) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."find_staff_invitation"(bytea) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."find_staff_invitation"(bytea) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."free_staff_username"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."free_staff_username"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."free_staff_username"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."notify_team_changed"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."notify_team_changed"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."notify_team_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."prepare_staff_invitation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."prepare_staff_invitation"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."prepare_staff_invitation"() TO "postgres";

REVOKE ALL ON FUNCTION "public"."switch_staff_off"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."switch_staff_off"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."switch_staff_off"(uuid, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."switch_staff_off"(uuid, uuid) TO "shop_owner";

REVOKE ALL ON FUNCTION "public"."switch_staff_on"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."switch_staff_on"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."switch_staff_on"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."switch_staff_on"(uuid) TO "shop_owner";

GRANT INSERT ("account_id"), SELECT ("account_id") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("created_at") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT INSERT ("email"), SELECT ("email") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("expires_at") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT INSERT ("id"), SELECT ("id") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("invited_by") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT INSERT ("name"), SELECT ("name") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT INSERT ("role"), SELECT ("role") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("sent_at") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("taken_back_at"), UPDATE ("taken_back_at") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT INSERT ("token_hash"), UPDATE ("token_hash") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("used_at") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ("username") ON TABLE "public"."staff_invitations" TO "shop_owner";

GRANT SELECT ON TABLE "public"."staff_invitations" TO "shop_server";

insert into internal.email_kinds (kind, is_retried, is_visitor_triggered, must_match, is_sent_at_night) values
  ('invitation', 'true', 'false', 'nothing', 'true');

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('public.staff_invitations', 'email', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.staff_invitations', 'name', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.staff_invitations', 'role', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.staff_invitations', 'username', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true');
