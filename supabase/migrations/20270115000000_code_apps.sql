-- Adds code apps with recovery codes as the second step of a sign-in.

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE TABLE "internal"."code_apps" ("user_id" uuid NOT NULL, "sealed_secret" text NOT NULL, "last_step" bigint NOT NULL DEFAULT 0, "confirmed_at" timestamp with time zone, CONSTRAINT "code_apps_last_step_is_a_time" CHECK ((last_step >= 0)), CONSTRAINT "code_apps_pkey" PRIMARY KEY (user_id), CONSTRAINT "code_apps_sealed_secret_is_short" CHECK ((length(sealed_secret) <= 400)));

ALTER TABLE "internal"."code_apps" ENABLE ROW LEVEL SECURITY;

CREATE UNLOGGED TABLE "internal"."pending_sign_ins" ("browser_hash" bytea NOT NULL, "user_id" uuid NOT NULL, "attempts_left" integer NOT NULL DEFAULT 5, "expires_at" timestamp with time zone NOT NULL DEFAULT (now() + '00:05:00'::interval), CONSTRAINT "pending_sign_ins_attempts_are_few" CHECK (((attempts_left >= 0) AND (attempts_left <= 5))), CONSTRAINT "pending_sign_ins_browser_is_a_hash" CHECK ((length(browser_hash) = 32)), CONSTRAINT "pending_sign_ins_pkey" PRIMARY KEY (browser_hash));

ALTER TABLE "internal"."pending_sign_ins" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."recovery_codes" ("user_id" uuid NOT NULL, "code_hash" bytea NOT NULL, "used_at" timestamp with time zone, CONSTRAINT "recovery_codes_code_hash_is_sha256" CHECK ((length(code_hash) = 32)), CONSTRAINT "recovery_codes_pkey" PRIMARY KEY (user_id, code_hash));

ALTER TABLE "internal"."recovery_codes" ENABLE ROW LEVEL SECURITY;

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
  insert into public.staff_accounts (user_id, username, role, name, email, employee_id)
  values (new_user_id, accepted_username, invitation.role, invitation.name, invitation.email, known_employee);
  return true;
end
$$;

create or replace function internal.audit_code_app() returns trigger
  -- Runs with its owner's rights, because no role may write the audit itself.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object('kind', tg_argv[0], 'user_id', new.user_id)));
  return null;
end
$$;

create or replace function internal.end_code_app(staff_user_id uuid, ended_by uuid) returns void
  -- Runs with its owner's rights, because the server may not delete a code app without a line in the audit.
  language plpgsql security definer set search_path = '' as $$
declare
  was_confirmed boolean;
begin
  delete from internal.pending_sign_ins where user_id = staff_user_id;
  delete from internal.code_apps where user_id = staff_user_id returning confirmed_at is not null into was_confirmed;
  if was_confirmed then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', 'code_app_ended', 'user_id', ended_by, 'subject_user_id', staff_user_id)));
  end if;
end
$$;

create or replace function internal.has_code_app(staff_user_id uuid) returns boolean
  -- Runs with its owner's rights, because the auth service has no right to read code_apps.
  language sql stable security definer set search_path = ''
  return exists (select from internal.code_apps where user_id = staff_user_id and confirmed_at is not null);

ALTER TABLE "internal"."code_apps" ADD CONSTRAINT "code_apps_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES internal.code_apps(user_id) ON DELETE CASCADE;

CREATE INDEX pending_sign_ins_expires_at_idx ON internal.pending_sign_ins USING btree (expires_at);

CREATE INDEX pending_sign_ins_user_id_idx ON internal.pending_sign_ins USING btree (user_id);

CREATE TRIGGER audit_code_app AFTER UPDATE OF confirmed_at ON internal.code_apps FOR EACH ROW WHEN (((old.confirmed_at IS NULL) AND (new.confirmed_at IS NOT NULL))) EXECUTE FUNCTION internal.audit_code_app('code_app_set_up');

CREATE TRIGGER audit_recovery_code AFTER UPDATE OF used_at ON internal.recovery_codes FOR EACH ROW WHEN ((old.used_at IS NULL)) EXECUTE FUNCTION internal.audit_code_app('recovery_code_used');

CREATE POLICY "the server reads and writes code apps" ON "internal"."code_apps" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads and writes pending sign-ins" ON "internal"."pending_sign_ins" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads and writes recovery codes" ON "internal"."recovery_codes" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

COMMENT ON COLUMN "internal"."code_apps"."confirmed_at" IS 'When the first code proved that the app has the secret; null until then.';

COMMENT ON COLUMN "internal"."code_apps"."last_step" IS 'The number of the 30 seconds of the last accepted code, counted from 1970. A code of it or of an earlier one is not accepted again.';

COMMENT ON COLUMN "internal"."code_apps"."sealed_secret" IS 'The secret that the app shares, encrypted with the key of the installation.';

COMMENT ON COLUMN "internal"."pending_sign_ins"."browser_hash" IS 'SHA-256 of the token in the cookie of the browser that sent the password.';

COMMENT ON COLUMN "internal"."recovery_codes"."code_hash" IS 'SHA-256 of the code, with the key of the installation (HMAC), so that a copy of the database does not help to guess.';

COMMENT ON FUNCTION "internal"."end_code_app"(uuid, uuid) IS 'Removes the code app and the recovery codes of an account; ended_by is null when the server or a new invitation does it.';

COMMENT ON FUNCTION "internal"."has_code_app"(uuid) IS 'Whether the password of a staff account is not enough to sign in.';

COMMENT ON TABLE "internal"."code_apps" IS 'The apps that show a staff account its codes. One that no code has confirmed is not asked for yet.';

COMMENT ON TABLE "internal"."pending_sign_ins" IS 'Sign-ins whose password was right and whose code is missing. A row opens nothing by itself; its code deletes it.';

COMMENT ON TABLE "internal"."recovery_codes" IS 'The codes that replace the code app, each once. They end with it.';

REVOKE ALL ON FUNCTION "internal"."audit_code_app"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."audit_code_app"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."audit_code_app"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."end_code_app"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."end_code_app"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."end_code_app"(uuid, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."end_code_app"(uuid, uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."has_code_app"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_code_app"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_code_app"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_code_app"(uuid) TO "shop_server", "supabase_auth_admin";

GRANT INSERT, SELECT, UPDATE ON TABLE "internal"."code_apps" TO "shop_server";

GRANT UPDATE ("attempts_left") ON TABLE "internal"."pending_sign_ins" TO "shop_server";

GRANT DELETE, INSERT, SELECT ON TABLE "internal"."pending_sign_ins" TO "shop_server";

GRANT UPDATE ("used_at") ON TABLE "internal"."recovery_codes" TO "shop_server";

GRANT DELETE, INSERT, SELECT ON TABLE "internal"."recovery_codes" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.code_apps', 'sealed_secret', 'free', 'a secret of a team member', NULL, NULL, NULL, NULL, NULL, 'true');
