-- Adds the passkeys, the own passwords and the ended sessions to the audit.
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."audit_events" DROP CONSTRAINT "audit_events_kind_is_known";

create or replace function internal.audit_passkey() returns trigger
  -- Runs with its owner's rights, because no role may write the audit itself.
  language plpgsql security definer set search_path = '' as $$
declare
  passkey constant internal.passkeys := case tg_op when 'DELETE' then old else new end;
  -- Only its owner adds and removes a passkey in the dashboard; a restore removes those that were removed later.
  actor constant uuid := case when tg_op <> 'UPDATE' and current_setting('role') = 'shop_server' then passkey.user_id end;
begin
  if tg_op = 'UPDATE' and not (old.is_active and new.anomaly_count > old.anomaly_count) then
    return null;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case tg_op when 'INSERT' then 'passkey_added' when 'DELETE' then 'passkey_removed'
                       else case when new.is_active then 'passkey_doubted' else 'passkey_switched_off' end end,
    'user_id', actor, 'subject_user_id', passkey.user_id,
    'detail', case when internal.is_single_line_text(passkey.name, 1, 100) then passkey.name else 'without a name' end)));
  return null;
end
$$;

create or replace function internal.record_own_change(kind text, staff_user_id uuid, detail text) returns void
  -- Runs with its owner's rights, because the server may not write the audit itself.
  language sql security definer set search_path = ''
begin atomic
  select internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', kind, 'user_id', staff_user_id, 'subject_user_id', staff_user_id, 'detail', detail)));
end;

ALTER TABLE "public"."audit_events" ADD CONSTRAINT "audit_events_kind_is_known" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'wrong_password'::text, 'sign_in_blocked'::text, 'not_allowed'::text, 'account_added'::text, 'role_changed'::text, 'switched_off'::text, 'switched_on'::text, 'invited'::text, 'invitation_renewed'::text, 'invitation_taken_back'::text, 'invitation_used'::text, 'refunded'::text, 'invoice_cancelled'::text, 'invoice_voided'::text, 'invoice_written_off'::text, 'customer_exported'::text, 'files_exported'::text, 'erased'::text, 'lines_removed'::text, 'wrong_code'::text, 'code_app_set_up'::text, 'code_app_ended'::text, 'recovery_code_used'::text, 'passkey_added'::text, 'passkey_removed'::text, 'passkey_doubted'::text, 'passkey_switched_off'::text, 'password_changed'::text, 'session_ended'::text])));

CREATE TRIGGER audit_passkey AFTER INSERT OR DELETE OR UPDATE OF anomaly_count ON internal.passkeys FOR EACH ROW EXECUTE FUNCTION internal.audit_passkey();

COMMENT ON FUNCTION "internal"."record_own_change"(text, uuid, text) IS 'Records that a person changed the own password (password_changed) or signed out other browsers (session_ended, detail: how many).';

REVOKE ALL ON FUNCTION "internal"."audit_passkey"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."audit_passkey"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."audit_passkey"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."record_own_change"(text, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_own_change"(text, uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_own_change"(text, uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_own_change"(text, uuid, text) TO "shop_server";
