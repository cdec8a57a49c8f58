-- Drills of the continuous backup are recorded, and a restored shop sends no email before an admin presses a button
-- (docs/product.md 10.5.2).

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE TABLE "internal"."backup_drills" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "started_at" timestamp with time zone NOT NULL, "ended_at" timestamp with time zone NOT NULL DEFAULT now(), "outcome" text NOT NULL, "reason" text, "restored_ms" integer, "table_count" integer, "row_count" bigint, "file_count" integer, "checked_file_count" integer, "next_file_number" integer, "differing" text[] NOT NULL DEFAULT '{}'::text[], CONSTRAINT "backup_drills_end_after_start" CHECK ((ended_at >= started_at)), CONSTRAINT "backup_drills_name_a_reason" CHECK (((outcome = 'not_drilled'::text) = (reason IS NOT NULL))), CONSTRAINT "backup_drills_outcome_is_known" CHECK ((outcome = ANY (ARRAY['proven'::text, 'differs'::text, 'not_drilled'::text]))), CONSTRAINT "backup_drills_pkey" PRIMARY KEY (id), CONSTRAINT "backup_drills_compare_rows" CHECK (((outcome <> 'proven'::text) OR ((row_count IS NOT NULL) AND (differing = '{}'::text[])))), CONSTRAINT "backup_drills_reason_is_short" CHECK ((length(reason) <= 60)));

ALTER TABLE "internal"."backup_drills" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."backup_key_copies" ("fingerprint" text NOT NULL, "confirmed_at" timestamp with time zone NOT NULL DEFAULT now(), "confirmed_by_name" text NOT NULL, CONSTRAINT "backup_key_copies_confirmed_by_name_check" CHECK ((length(confirmed_by_name) <= 100)), CONSTRAINT "backup_key_copies_fingerprint_is_hex" CHECK ((fingerprint ~ '^([0-9A-F]{4} ){2}[0-9A-F]{4}$'::text)), CONSTRAINT "backup_key_copies_pkey" PRIMARY KEY (fingerprint));

ALTER TABLE "internal"."backup_key_copies" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."restored_shop" ("id" boolean NOT NULL DEFAULT true, "recovered_until" timestamp with time zone NOT NULL, "restored_at" timestamp with time zone NOT NULL DEFAULT now(), "resumed_at" timestamp with time zone, "resumed_by_name" text, CONSTRAINT "restored_shop_is_one_row" CHECK (id), CONSTRAINT "restored_shop_pkey" PRIMARY KEY (id), CONSTRAINT "restored_shop_resumed_by_name_check" CHECK ((length(resumed_by_name) <= 100)), CONSTRAINT "restored_shop_resumes_with_name" CHECK (((resumed_at IS NULL) = (resumed_by_name IS NULL))));

ALTER TABLE "internal"."restored_shop" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION internal.are_emails_paused()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
return exists (select from internal.restored_shop where resumed_at is null);

CREATE OR REPLACE FUNCTION public.claim_email(email_id uuid)
 RETURNS SETOF public.emails
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  if internal.are_emails_paused() then
    return;
  end if;
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_current_links(email.html_body, email.recipient_email),
      text_body = internal.with_current_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- The email stays in the outbox even with a mail server, because sample customers do not exist.
    perform public.record_email_sent(email_id, 'in_outbox', null);
    return;
  end if;
  outdated := internal.email_outdated_reason(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
end
$function$;

CREATE INDEX backup_drills_latest_first ON internal.backup_drills USING btree (ended_at DESC);

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON internal.backup_drills FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON internal.backup_key_copies FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE POLICY "the server reads drills" ON "internal"."backup_drills" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the server records drills" ON "internal"."backup_drills" FOR INSERT TO "shop_server" WITH CHECK (true);

CREATE POLICY "the server reads confirmed copies" ON "internal"."backup_key_copies" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the server records confirmed copies" ON "internal"."backup_key_copies" FOR INSERT TO "shop_server" WITH CHECK (true);

CREATE POLICY "the server ends the pause" ON "internal"."restored_shop" FOR UPDATE TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads the restore" ON "internal"."restored_shop" FOR SELECT TO "shop_server" USING (true);

COMMENT ON COLUMN "internal"."backup_drills"."differing" IS 'The names of tables whose rows differ, ''catalog'' and ''files''.';

COMMENT ON COLUMN "internal"."backup_drills"."next_file_number" IS 'Copies of files with this number or a later one are new for the next drill.';

COMMENT ON COLUMN "internal"."backup_drills"."reason" IS 'Why the backup could not be restored or compared: a word of the program.';

COMMENT ON COLUMN "internal"."backup_drills"."restored_ms" IS 'How long the copy and the recovery took, in milliseconds.';

COMMENT ON COLUMN "internal"."restored_shop"."recovered_until" IS 'The last change that was recovered.';

COMMENT ON COLUMN "internal"."restored_shop"."resumed_at" IS 'When an admin let the emails go; null while they wait.';

COMMENT ON FUNCTION "internal"."are_emails_paused"() IS 'Whether the emails of a restored shop wait for an admin.';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Claims an email for one attempt and returns it with current links. No row when it is done, claimed by another process, not due, outdated (it then fails) or of the sample week, and while the emails of a restored shop are paused. The first attempt can be made before it is due.';

COMMENT ON TABLE "internal"."backup_drills" IS 'Each drill: the newest backup was restored beside the shop and compared with it. [append-only]';

COMMENT ON TABLE "internal"."backup_key_copies" IS 'The keys of the backup of which the owner keeps a copy off this machine, by their fingerprints. [append-only]';

COMMENT ON TABLE "internal"."restored_shop" IS 'The last restore from a backup; no row for a shop that was never restored. The restore writes it. A restored copy sends no email by itself, because the shop that it copies may still run, and later cancellations may be missing in it.';

REVOKE ALL ON FUNCTION "internal"."are_emails_paused"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."are_emails_paused"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."are_emails_paused"() TO "postgres";

GRANT INSERT, SELECT ON TABLE "internal"."backup_drills" TO "shop_server";

GRANT INSERT, SELECT ON TABLE "internal"."backup_key_copies" TO "shop_server";

GRANT UPDATE ("resumed_at") ON TABLE "internal"."restored_shop" TO "shop_server";

GRANT UPDATE ("resumed_by_name") ON TABLE "internal"."restored_shop" TO "shop_server";

GRANT SELECT ON TABLE "internal"."restored_shop" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
values
  ('internal.backup_drills', 'outcome', 'free', 'words of the product and names of tables'),
  ('internal.backup_drills', 'reason', 'free', 'words of the product and names of tables'),
  ('internal.backup_drills', 'differing', 'free', 'words of the product and names of tables'),
  ('internal.backup_key_copies', 'fingerprint', 'free', 'a checksum, and the username of a staff account'),
  ('internal.backup_key_copies', 'confirmed_by_name', 'free', 'a checksum, and the username of a staff account'),
  ('internal.restored_shop', 'resumed_by_name', 'free', 'the username of a staff account');
