-- Adds the passkeys of team members and the challenges that devices sign.

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE UNLOGGED TABLE "internal"."passkey_challenges" ("challenge" bytea NOT NULL, "browser_hash" bytea NOT NULL, "user_id" uuid, "expires_at" timestamp with time zone NOT NULL DEFAULT (now() + '00:05:00'::interval), CONSTRAINT "passkey_challenges_browser_is_a_hash" CHECK ((length(browser_hash) = 32)), CONSTRAINT "passkey_challenges_have_a_length" CHECK ((length(challenge) = 32)), CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY (challenge));

ALTER TABLE "internal"."passkey_challenges" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."passkeys" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "credential_id" bytea NOT NULL, "public_key" bytea NOT NULL, "counter" bigint NOT NULL, "is_backup_eligible" boolean NOT NULL, "is_backed_up" boolean NOT NULL, "transports" text[] NOT NULL, "name" text NOT NULL, "rp_id" text NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), "last_used_at" timestamp with time zone, "anomaly_count" integer NOT NULL DEFAULT 0, "is_active" boolean NOT NULL DEFAULT true, CONSTRAINT "passkeys_anomalies_are_counted" CHECK ((anomaly_count >= 0)), CONSTRAINT "passkeys_backup_needs_eligibility" CHECK ((is_backup_eligible OR (NOT is_backed_up))), CONSTRAINT "passkeys_counter_is_unsigned" CHECK (((counter >= 0) AND (counter <= '4294967295'::bigint))), CONSTRAINT "passkeys_credential_id_has_a_length" CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))), CONSTRAINT "passkeys_credential_id_key" UNIQUE (credential_id), CONSTRAINT "passkeys_name_is_short" CHECK (((length(TRIM(BOTH FROM name)) >= 1) AND (length(TRIM(BOTH FROM name)) <= 60))), CONSTRAINT "passkeys_pkey" PRIMARY KEY (id), CONSTRAINT "passkeys_public_key_has_a_length" CHECK (((length(public_key) >= 1) AND (length(public_key) <= 2000))), CONSTRAINT "passkeys_rp_id_is_a_host" CHECK (((length(rp_id) >= 1) AND (length(rp_id) <= 253))), CONSTRAINT "passkeys_second_anomaly_switches_off" CHECK (((NOT is_active) OR (anomaly_count < 2))));

ALTER TABLE "internal"."passkeys" ENABLE ROW LEVEL SECURITY;

create or replace function internal.has_password(staff_user_id uuid) returns boolean
  -- Runs with its owner's rights, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return exists (select from auth.users where id = staff_user_id and encrypted_password <> '');

ALTER TABLE "internal"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.staff_accounts(user_id);

ALTER TABLE "internal"."passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.staff_accounts(user_id);

CREATE INDEX passkey_challenges_expires_at_idx ON internal.passkey_challenges USING btree (expires_at);

CREATE INDEX passkeys_user_id_idx ON internal.passkeys USING btree (user_id);

CREATE POLICY "the server reads and writes challenges" ON "internal"."passkey_challenges" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads and writes passkeys" ON "internal"."passkeys" FOR ALL TO "shop_server" USING (true) WITH CHECK (true);

COMMENT ON COLUMN "internal"."passkey_challenges"."browser_hash" IS 'SHA-256 of the token in the cookie of the browser that asked for the challenge.';

COMMENT ON COLUMN "internal"."passkey_challenges"."user_id" IS 'The team member who registers a passkey with the answer; null for a sign-in, where the answer names the passkey.';

COMMENT ON COLUMN "internal"."passkeys"."anomaly_count" IS 'How often the passkey answered with an old counter, which a copied passkey does; the second time switches it off.';

COMMENT ON COLUMN "internal"."passkeys"."counter" IS 'The signature counter of the last accepted answer (WebAuthn Level 3, 6.1.1); synced passkeys always answer 0.';

COMMENT ON COLUMN "internal"."passkeys"."credential_id" IS 'The id that the device gave the passkey (WebAuthn Level 3, 4).';

COMMENT ON COLUMN "internal"."passkeys"."is_active" IS 'False for a passkey that was switched off because it may have been copied.';

COMMENT ON COLUMN "internal"."passkeys"."is_backup_eligible" IS 'Whether the passkey can be synced between devices; its counter is not judged then.';

COMMENT ON COLUMN "internal"."passkeys"."public_key" IS 'The public key in COSE format (RFC 9052).';

COMMENT ON COLUMN "internal"."passkeys"."rp_id" IS 'The host of the site at the registration. Browsers offer the passkey at this host only.';

COMMENT ON COLUMN "internal"."passkeys"."transports" IS 'How a browser reaches the device, for example internal or usb.';

COMMENT ON FUNCTION "internal"."has_password"(uuid) IS 'Whether a team member can sign in with a password.';

COMMENT ON TABLE "internal"."passkey_challenges" IS 'The challenges that a device has not answered yet. An answer deletes its challenge, so that each is answered once.';

COMMENT ON TABLE "internal"."passkeys" IS 'The passkeys with which team members sign in.';

REVOKE ALL ON FUNCTION "internal"."has_password"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_password"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_password"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_password"(uuid) TO "shop_server";

GRANT DELETE, INSERT, SELECT ON TABLE "internal"."passkey_challenges" TO "shop_server";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "internal"."passkeys" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.passkeys', 'name', 'free', 'a team member''s device and the host of the site', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.passkeys', 'rp_id', 'free', 'a team member''s device and the host of the site', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.passkeys', 'transports', 'free', 'a team member''s device and the host of the site', NULL, NULL, NULL, NULL, NULL, 'true');
