-- Adds the session of a step-up to the challenges of passkeys.
set local search_path = pg_catalog;

ALTER TABLE "internal"."passkey_challenges" ADD COLUMN "session_id" uuid;

ALTER TABLE "internal"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_session_id_fkey" FOREIGN KEY (session_id) REFERENCES internal.admin_sessions(id) ON DELETE CASCADE;

CREATE INDEX passkey_challenges_session_id_idx ON internal.passkey_challenges USING btree (session_id);

COMMENT ON COLUMN "internal"."passkey_challenges"."session_id" IS 'The session of the dashboard whose step-up the answer is; null for everything else.';

COMMENT ON COLUMN "internal"."passkey_challenges"."user_id" IS 'The team member who registers a passkey with the answer; null for a sign-in, where the answer names the passkey, and for a step-up.';
