-- Adds the challenge with which an invited person makes a passkey (docs/product.md 6.11).
set local search_path = pg_catalog;

ALTER TABLE "internal"."passkey_challenges" ADD COLUMN "invitation_id" uuid;

ALTER TABLE "internal"."passkey_challenges" ADD COLUMN "new_user_id" uuid;

ALTER TABLE "internal"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_invitation_id_fkey" FOREIGN KEY (invitation_id) REFERENCES public.staff_invitations(id) ON DELETE CASCADE;

ALTER TABLE "internal"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_of_invitations_name_the_new_user" CHECK (((invitation_id IS NULL) = (new_user_id IS NULL)));

CREATE INDEX passkey_challenges_invitation_id_idx ON internal.passkey_challenges USING btree (invitation_id);

COMMENT ON COLUMN "internal"."passkey_challenges"."invitation_id" IS 'The invitation that the answer accepts; null for everything else.';

COMMENT ON COLUMN "internal"."passkey_challenges"."new_user_id" IS 'The id that the user of the invited person will have: the device stores the passkey under it.';
