-- Adds shared tablets, which team members open by a PIN, with the rights of a technician (docs/product.md 6.14).
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."audit_events" DROP CONSTRAINT "audit_events_kind_is_known";

DROP FUNCTION "internal"."database_role_of"(uuid);

CREATE TABLE "internal"."tablet_attempts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "tablet_id" uuid NOT NULL, "attempted_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "tablet_attempts_pkey" PRIMARY KEY (id));

ALTER TABLE "internal"."tablet_attempts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."tablet_data_sessions" ("data_session_id" uuid NOT NULL, "ends_at" timestamp with time zone NOT NULL, CONSTRAINT "tablet_data_sessions_pkey" PRIMARY KEY (data_session_id));

ALTER TABLE "internal"."tablet_data_sessions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."tablet_pins" ("user_id" uuid NOT NULL, "pin_hash" text NOT NULL, "wrong_count" integer NOT NULL DEFAULT 0, "waits_until" timestamp with time zone, "set_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "tablet_pins_pkey" PRIMARY KEY (user_id), CONSTRAINT "tablet_pins_wrong_count_ends_at_10" CHECK (((wrong_count >= 0) AND (wrong_count <= 10))));

ALTER TABLE "internal"."tablet_pins" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."tablets" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "token_hash" bytea NOT NULL, "name" text NOT NULL, "enrolled_by" uuid NOT NULL, "enrolled_at" timestamp with time zone NOT NULL DEFAULT now(), "revoked_at" timestamp with time zone, "locked_at" timestamp with time zone, "last_used_at" timestamp with time zone, "last_used_by" uuid, "revoked_by" uuid, CONSTRAINT "tablets_pkey" PRIMARY KEY (id), CONSTRAINT "tablets_token_hash_key" UNIQUE (token_hash), CONSTRAINT "tablets_token_is_a_hash" CHECK ((length(token_hash) = 32)), CONSTRAINT "tablets_name_is_text" CHECK (internal.is_single_line_text(name, 1, 40)));

ALTER TABLE "internal"."tablets" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "tablet_id" uuid;

create or replace function internal.audit_pin() returns trigger
  -- Runs with its owner's rights, because no role may write the audit itself.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object('kind', 'pin_set', 'user_id', new.user_id)));
  return null;
end
$$;

create or replace function internal.audit_tablet() returns trigger
  -- Runs with its owner's rights, because no role may write the audit itself.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', tg_argv[0], 'detail', new.name,
    'user_id', case tg_argv[0] when 'tablet_enrolled' then new.enrolled_by when 'tablet_revoked' then new.revoked_by end)));
  return null;
end
$$;

create or replace function internal.clear_pin(staff_user_id uuid, cleared_by uuid) returns void
  -- Runs with its owner's rights, because the server may not write the audit itself.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.tablet_pins where user_id = staff_user_id;
  if found then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', 'pin_cleared', 'user_id', cleared_by, 'subject_user_id', staff_user_id)));
  end if;
end
$$;

create or replace function internal.database_role_of(staff_user_id uuid, session_id uuid) returns text
  -- Runs with its owner's rights, because the auth service has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case when at_tablet.data_session_id is null then 'shop_' || account.role when at_tablet.ends_at > now() then 'shop_technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = session_id
    where account.user_id = staff_user_id and account.is_active);

create or replace function internal.end_sessions_of_tablet() returns trigger
  -- Runs with its owner's rights, so that the end of the sessions needs no right of whoever revokes or locks the tablet.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.admin_sessions where tablet_id = new.id;
  return null;
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
  delete from internal.tablet_pins where user_id = new.user_id;
  begin
    delete from auth.sessions where user_id = new.user_id;
  exception when insufficient_privilege then
    -- In a hosted project only the auth service ends its sessions; their tokens reach nothing, because every policy asks the account.
    null;
  end;
  return null;
end
$$;

create or replace function internal.end_tablet_data_session() returns trigger
  -- Runs with its owner's rights, because no role may change the mark of a session.
  language plpgsql security definer set search_path = '' as $$
begin
  update internal.tablet_data_sessions set ends_at = least(ends_at, now()) where data_session_id = old.data_session_id;
  return null;
end
$$;

create or replace function internal.list_tablet_members() returns table (id uuid, name text, has_pin boolean, jobs int)
  -- Runs with its owner's rights, because the server has no right to read all that it counts.
  language sql stable security definer set search_path = ''
begin atomic
  select account.user_id, account.name, pin.user_id is not null,
         (select count(*)::int
          from public.bookings booking left join public.bays bay on bay.id = booking.bay_id
          where booking.appointment_date = internal.shop_now()::date and booking.status not in ('cancelled', 'not_confirmed')
            and (lower(trim(bay.technician)) = lower(trim(employee.name)) or exists (
              select from public.tasks task
              where task.booking_id = booking.id and task.status <> 'cancelled' and task.assigned_to = employee.id)))
  from public.staff_accounts account
  left join public.employees employee on employee.id = account.employee_id
  left join internal.tablet_pins pin on pin.user_id = account.user_id
  where account.is_active
  order by account.name, account.user_id;
end;

create or replace function internal.mark_tablet_data_sessions() returns trigger
  -- Runs with its owner's rights, because no role may mark a session.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.tablet_data_sessions (data_session_id, ends_at)
  select linked.data_session_id, internal.session_ends_at(cookie.expires_at, cookie.last_used_at)
  from internal.admin_data_sessions linked join internal.admin_sessions cookie using (token_hash)
  where linked.token_hash = new.token_hash and cookie.tablet_id is not null
  on conflict (data_session_id) do update set ends_at = excluded.ends_at;
  return null;
end
$$;

create or replace function internal.staff_role() returns text
  -- Runs with its owner's rights, because a technician and a visitor have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (
    select case when at_tablet.data_session_id is null then account.role when at_tablet.ends_at > now() then 'technician' end
    from public.staff_accounts account
    left join internal.tablet_data_sessions at_tablet on at_tablet.data_session_id = (auth.jwt() ->> 'session_id')::uuid
    where account.user_id = auth.uid() and account.is_active);

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_of_tablets_confirm_nothing" CHECK (((tablet_id IS NULL) OR (confirmed_until IS NULL)));

ALTER TABLE "internal"."tablet_pins" ADD CONSTRAINT "tablet_pins_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."tablets" ADD CONSTRAINT "tablets_enrolled_by_fkey" FOREIGN KEY (enrolled_by) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."tablets" ADD CONSTRAINT "tablets_last_used_by_fkey" FOREIGN KEY (last_used_by) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_tablet_id_fkey" FOREIGN KEY (tablet_id) REFERENCES internal.tablets(id);

ALTER TABLE "internal"."tablet_attempts" ADD CONSTRAINT "tablet_attempts_tablet_id_fkey" FOREIGN KEY (tablet_id) REFERENCES internal.tablets(id);

ALTER TABLE "internal"."tablets" ADD CONSTRAINT "tablets_revoked_by_fkey" FOREIGN KEY (revoked_by) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "public"."audit_events" ADD CONSTRAINT "audit_events_kind_is_known" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'wrong_password'::text, 'sign_in_blocked'::text, 'not_allowed'::text, 'account_added'::text, 'role_changed'::text, 'switched_off'::text, 'switched_on'::text, 'invited'::text, 'invitation_renewed'::text, 'invitation_taken_back'::text, 'invitation_used'::text, 'refunded'::text, 'invoice_cancelled'::text, 'invoice_voided'::text, 'invoice_written_off'::text, 'customer_exported'::text, 'files_exported'::text, 'erased'::text, 'tablet_enrolled'::text, 'tablet_revoked'::text, 'tablet_locked'::text, 'pin_set'::text, 'pin_cleared'::text, 'wrong_pin'::text, 'lines_removed'::text, 'wrong_code'::text, 'code_app_set_up'::text, 'code_app_ended'::text, 'recovery_code_used'::text, 'passkey_added'::text, 'passkey_removed'::text, 'passkey_doubted'::text, 'passkey_switched_off'::text, 'password_changed'::text, 'session_ended'::text])));

CREATE INDEX admin_sessions_tablet_id_idx ON internal.admin_sessions USING btree (tablet_id);

CREATE INDEX tablet_attempts_tablet_id_idx ON internal.tablet_attempts USING btree (tablet_id, attempted_at);

CREATE INDEX tablet_data_sessions_ends_at_idx ON internal.tablet_data_sessions USING btree (ends_at);

CREATE TRIGGER end_tablet_data_session AFTER DELETE ON internal.admin_data_sessions FOR EACH ROW EXECUTE FUNCTION internal.end_tablet_data_session();

CREATE TRIGGER mark_tablet_data_sessions AFTER INSERT ON internal.admin_data_sessions FOR EACH ROW EXECUTE FUNCTION internal.mark_tablet_data_sessions();

CREATE TRIGGER mark_tablet_data_sessions AFTER UPDATE OF last_used_at ON internal.admin_sessions FOR EACH ROW WHEN ((new.tablet_id IS NOT NULL)) EXECUTE FUNCTION internal.mark_tablet_data_sessions();

CREATE TRIGGER audit_pin AFTER INSERT OR UPDATE OF pin_hash ON internal.tablet_pins FOR EACH ROW EXECUTE FUNCTION internal.audit_pin();

CREATE TRIGGER audit_enrolled_tablet AFTER INSERT ON internal.tablets FOR EACH ROW EXECUTE FUNCTION internal.audit_tablet('tablet_enrolled');

CREATE TRIGGER audit_locked_tablet AFTER UPDATE OF locked_at ON internal.tablets FOR EACH ROW WHEN (((old.locked_at IS NULL) AND (new.locked_at IS NOT NULL))) EXECUTE FUNCTION internal.audit_tablet('tablet_locked');

CREATE TRIGGER audit_revoked_tablet AFTER UPDATE OF revoked_at ON internal.tablets FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION internal.audit_tablet('tablet_revoked');

CREATE TRIGGER end_sessions_of_tablet AFTER UPDATE ON internal.tablets FOR EACH ROW WHEN (((new.revoked_at IS DISTINCT FROM old.revoked_at) OR ((old.locked_at IS NULL) AND (new.locked_at IS NOT NULL)))) EXECUTE FUNCTION internal.end_sessions_of_tablet();

CREATE POLICY "the server counts PINs of a tablet" ON "internal"."tablet_attempts" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server removes old sessions of tablets" ON "internal"."tablet_data_sessions" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads and writes PINs" ON "internal"."tablet_pins" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads and writes tablets" ON "internal"."tablets" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

COMMENT ON COLUMN "internal"."admin_sessions"."tablet_id" IS 'The shared tablet at which a PIN opened the session, which then has the rights of a technician; null for a sign-in.';

COMMENT ON COLUMN "internal"."tablet_data_sessions"."ends_at" IS 'Until when its access tokens have the rights of a technician; afterwards they have none.';

COMMENT ON COLUMN "internal"."tablet_pins"."pin_hash" IS 'Argon2id of the PIN, in the format of passwords.';

COMMENT ON COLUMN "internal"."tablet_pins"."waits_until" IS 'Until when no PIN of this person is checked, after five wrong ones.';

COMMENT ON COLUMN "internal"."tablet_pins"."wrong_count" IS 'The attempts since the last right PIN. An attempt is counted before its PIN is checked. At 10 the PIN opens nothing until it is set again.';

COMMENT ON COLUMN "internal"."tablets"."locked_at" IS 'When too many wrong PINs locked the tablet; null again after an advisor or owner signed in there.';

COMMENT ON COLUMN "internal"."tablets"."revoked_by" IS 'Who revoked the tablet; null when another enrollment of the browser or a restore did it.';

COMMENT ON COLUMN "internal"."tablets"."token_hash" IS 'SHA-256 of the token in the cookie of the tablet.';

COMMENT ON FUNCTION "internal"."clear_pin"(uuid, uuid) IS 'Removes the PIN of a team member, who then opens no shared tablet until a new PIN is set.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid, uuid) IS 'The PostgreSQL role with which the data service runs the requests of a session: shop_technician at a shared tablet; null for a user without an active staff account.';

COMMENT ON FUNCTION "internal"."end_sessions_of_tablet"() IS 'Ends the sessions at a shared tablet that was revoked or locked.';

COMMENT ON FUNCTION "internal"."end_staff_rights"() IS 'Ends the sign-in codes, invitations and step-ups of an account whose role was narrowed, and all its sessions and its PIN when it was switched off.';

COMMENT ON FUNCTION "internal"."end_tablet_data_session"() IS 'Takes the rights from the access tokens of a session that has ended at a shared tablet.';

COMMENT ON FUNCTION "internal"."list_tablet_members"() IS 'The active team members as a shared tablet shows them: whether they have a PIN, and the number of their appointments today.';

COMMENT ON FUNCTION "internal"."mark_tablet_data_sessions"() IS 'Gives the data sessions of a person at a shared tablet the rights of a technician, until the session of the tablet ends.';

COMMENT ON FUNCTION "internal"."record_refusal"(text, uuid, text, text, inet) IS 'Records a wrong password (wrong_password), a wrong PIN at a shared tablet (wrong_pin, detail: its name), too many attempts (sign_in_blocked) or a request that the role does not include (not_allowed, detail: the path), at most once in 15 minutes. A username that no account has is not stored.';

COMMENT ON FUNCTION "internal"."staff_role"() IS 'The role of the active staff account whose access token the request has: owner, advisor or technician; technician for every session of a shared tablet; null for everybody else.';

COMMENT ON TABLE "internal"."tablet_attempts" IS 'The PINs that were typed at a tablet in the last hour. A right PIN deletes its row. Fifteen rows lock the tablet.';

COMMENT ON TABLE "internal"."tablet_data_sessions" IS 'The data sessions of people at a shared tablet. A row stays for a day after its session, so that an old access token of an owner at a tablet never counts as one of the owner.';

COMMENT ON TABLE "internal"."tablet_pins" IS 'The PINs with which team members open a shared tablet.';

COMMENT ON TABLE "internal"."tablets" IS 'The browsers that an owner made shared tablets; a revoked one is never used again.';

REVOKE ALL ON FUNCTION "internal"."audit_pin"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."audit_pin"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."audit_pin"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."audit_tablet"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."audit_tablet"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."audit_tablet"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."clear_pin"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."clear_pin"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."clear_pin"(uuid, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."clear_pin"(uuid, uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."database_role_of"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."database_role_of"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."database_role_of"(uuid, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."database_role_of"(uuid, uuid) TO "shop_server", "supabase_auth_admin";

REVOKE ALL ON FUNCTION "internal"."end_sessions_of_tablet"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."end_sessions_of_tablet"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."end_sessions_of_tablet"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."end_tablet_data_session"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."end_tablet_data_session"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."end_tablet_data_session"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_tablet_members"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_tablet_members"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_tablet_members"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_tablet_members"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."mark_tablet_data_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."mark_tablet_data_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."mark_tablet_data_sessions"() TO "postgres";

GRANT DELETE, INSERT, SELECT ON TABLE "internal"."tablet_attempts" TO "shop_server";

GRANT DELETE, SELECT ON TABLE "internal"."tablet_data_sessions" TO "shop_server";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "internal"."tablet_pins" TO "shop_server";

GRANT INSERT, SELECT, UPDATE ON TABLE "internal"."tablets" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.tablet_pins', 'pin_hash', 'free', 'the hash of a team member''s PIN', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.tablets', 'name', 'free', 'the name that an owner gave a shared tablet', NULL, NULL, NULL, NULL, NULL, 'true');
