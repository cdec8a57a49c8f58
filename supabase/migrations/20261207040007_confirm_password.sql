-- A session can confirm its password again, for the commands that give money back (docs/product.md 17.6).

set local search_path = pg_catalog;

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "confirmed_until" timestamp with time zone;

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_until" IS 'Until when the password counts as confirmed for commands that give money back; null without a confirmation.';
