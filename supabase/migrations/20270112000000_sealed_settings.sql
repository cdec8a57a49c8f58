-- Adds the settings that the server stores encrypted, and the history of who changed them.

set local search_path = pg_catalog;
set local check_function_bodies = off;

CREATE TABLE "internal"."sealed_setting_changes" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "name" text NOT NULL, "action" text NOT NULL, "changed_by" uuid NOT NULL, "changed_at" timestamp with time zone NOT NULL, CONSTRAINT "sealed_setting_changes_action_is_known" CHECK ((action = ANY (ARRAY['saved'::text, 'removed'::text]))), CONSTRAINT "sealed_setting_changes_pkey" PRIMARY KEY (id));

ALTER TABLE "internal"."sealed_setting_changes" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."sealed_settings" ("name" text NOT NULL, "sealed" text, "changed_by" uuid NOT NULL, "changed_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "sealed_settings_is_sealed" CHECK (((sealed ~ '^v1\.[A-Za-z0-9_-]+$'::text) AND (length(sealed) <= 8000))), CONSTRAINT "sealed_settings_name_is_known" CHECK ((name = 'email'::text)), CONSTRAINT "sealed_settings_pkey" PRIMARY KEY (name));

ALTER TABLE "internal"."sealed_settings" ENABLE ROW LEVEL SECURITY;

create or replace function internal.record_sealed_setting_change() returns trigger
  -- Runs with its owner's rights, because the server may not write the history itself.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.sealed_setting_changes (name, action, changed_by, changed_at)
  values (new.name, case when new.sealed is null then 'removed' else 'saved' end, new.changed_by, new.changed_at);
  perform pg_notify('settings_changed', new.name);
  return null;
end
$$;

ALTER TABLE "internal"."sealed_setting_changes" ADD CONSTRAINT "sealed_setting_changes_changed_by_fkey" FOREIGN KEY (changed_by) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."sealed_settings" ADD CONSTRAINT "sealed_settings_changed_by_fkey" FOREIGN KEY (changed_by) REFERENCES public.staff_accounts(user_id);

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON internal.sealed_setting_changes FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE TRIGGER record_sealed_setting_change AFTER INSERT OR UPDATE ON internal.sealed_settings FOR EACH ROW EXECUTE FUNCTION internal.record_sealed_setting_change();

CREATE POLICY "the server reads changes of sealed settings" ON "internal"."sealed_setting_changes" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the server reads and writes sealed settings" ON "internal"."sealed_settings" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

COMMENT ON COLUMN "internal"."sealed_settings"."sealed" IS 'The encrypted setting; null after its removal.';

COMMENT ON FUNCTION "internal"."record_sealed_setting_change"() IS 'Adds a line to the history of a sealed setting, and notifies all processes (settings_changed).';

COMMENT ON TABLE "internal"."sealed_setting_changes" IS 'Who changed which setting with a password, without its value. [append-only]';

COMMENT ON TABLE "internal"."sealed_settings" IS 'The settings with passwords that an owner entered in the dashboard.';

REVOKE ALL ON FUNCTION "internal"."record_sealed_setting_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_sealed_setting_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_sealed_setting_change"() TO "postgres";

GRANT SELECT ON TABLE "internal"."sealed_setting_changes" TO "shop_server";

GRANT INSERT, SELECT, UPDATE ON TABLE "internal"."sealed_settings" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.sealed_setting_changes', 'action', 'free', 'the name of a setting of the shop', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.sealed_setting_changes', 'name', 'free', 'the name of a setting of the shop', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.sealed_settings', 'name', 'free', 'a setting of the shop, encrypted', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.sealed_settings', 'sealed', 'free', 'a setting of the shop, encrypted', NULL, NULL, NULL, NULL, NULL, 'true');
