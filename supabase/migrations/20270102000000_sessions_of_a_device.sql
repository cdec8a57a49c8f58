-- Ends a session of the dashboard after twelve hours without use, and adds what the list of sessions shows.
set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP INDEX "internal"."admin_sessions_expires_at_idx";

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "id" uuid NOT NULL DEFAULT gen_random_uuid();

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "last_used_at" timestamp with time zone NOT NULL DEFAULT now();

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "device" text NOT NULL DEFAULT 'Unknown device'::text;

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "network_address" inet;

ALTER TABLE "internal"."admin_sessions" ALTER COLUMN "expires_at" SET DEFAULT (now() + '30 days'::interval);

create or replace function internal.limit_data_sessions() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to write auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  update auth.sessions set not_after = internal.session_ends_at(cookie.expires_at, cookie.last_used_at)
  from internal.admin_data_sessions linked join internal.admin_sessions cookie using (token_hash)
  where sessions.id = linked.data_session_id and linked.token_hash = new.token_hash;
  return null;
exception when insufficient_privilege then
  -- On a hosted project without the right to change sessions, they end when the session of the dashboard is deleted.
  return null;
end
$$;

create or replace function internal.session_ends_at(expires_at timestamptz, last_used_at timestamptz) returns timestamptz
  language sql immutable
  return least(expires_at, last_used_at + interval '12 hours');

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_count_a_confirmation_for_5_minutes" CHECK ((confirmed_until <= (last_used_at + '00:05:00'::interval)));

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_device_is_short" CHECK (((length(device) >= 1) AND (length(device) <= 60)));

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_id_key" UNIQUE (id);

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_last_at_most_30_days" CHECK ((expires_at <= (created_at + '30 days'::interval)));

CREATE TRIGGER limit_data_sessions AFTER INSERT ON internal.admin_data_sessions FOR EACH ROW EXECUTE FUNCTION internal.limit_data_sessions();

CREATE TRIGGER limit_data_sessions AFTER UPDATE OF last_used_at ON internal.admin_sessions FOR EACH ROW EXECUTE FUNCTION internal.limit_data_sessions();

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_until" IS 'Until when the password counts as confirmed for endpoints that need a step-up; null without a confirmation.';

COMMENT ON COLUMN "internal"."admin_sessions"."device" IS 'The browser of the sign-in in a few words: ''Chrome on Windows''.';

COMMENT ON COLUMN "internal"."admin_sessions"."id" IS 'Names the session in the list of sessions; opens nothing.';

COMMENT ON COLUMN "internal"."admin_sessions"."last_used_at" IS 'When a person last used the session, to the minute; 12 hours later it ends. Requests that a page sends by itself do not count.';

COMMENT ON COLUMN "internal"."admin_sessions"."network_address" IS 'The network address of the sign-in; null for a session from before this column.';

COMMENT ON FUNCTION "internal"."limit_data_sessions"() IS 'Ends the data sessions, with their refresh tokens, at the time at which their dashboard session ends.';

COMMENT ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) IS 'When a session of the dashboard ends: after 12 hours without use, at the latest after 30 days.';

REVOKE ALL ON FUNCTION "internal"."limit_data_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."limit_data_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."limit_data_sessions"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.admin_sessions', 'device', 'free', 'words of the product', NULL, NULL, NULL, NULL, NULL, 'true');
