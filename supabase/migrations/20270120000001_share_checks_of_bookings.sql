-- The checks of bookings and of their events move into three functions, which PostgreSQL prepares faster for each statement.
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."booking_events" DROP CONSTRAINT "booking_events_changed_by_name_check";

ALTER TABLE "public"."booking_events" DROP CONSTRAINT "booking_events_kind_is_known";

ALTER TABLE "public"."booking_events" DROP CONSTRAINT "booking_events_reason_is_text";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_calendar_sequence_counts_up";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_completed_by_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_completion_is_complete";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_conflict_acceptance_is_complete";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_conflict_accepted_by_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_customer_email_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_customer_name_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_customer_phone_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_duration_minutes_in_range";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_have_no_invisible_characters";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_hold_is_open";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_internal_note_is_plain";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_notes_are_plain";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_notes_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_status_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_vehicle_color_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_vehicle_make_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_vehicle_model_check";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_vehicle_year_check";

DROP FUNCTION "internal"."is_booking_event"(text, text);

create or replace function internal.are_booking_texts_valid(
  customer_name text, customer_email text, customer_phone text, notes text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, internal_note text
) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return length(trim(customer_name)) between 1 and 200
    and length(customer_email) between 1 and 254 and position('@' in customer_email) > 0
    and length(trim(customer_phone)) between 1 and 40
    and length(notes) <= 2000 and internal.is_plain_text(notes)
    and length(vehicle_year) <= 20
    and length(vehicle_make) <= 60
    and length(vehicle_model) <= 60
    and length(vehicle_color) <= 40
    and length(internal_note) <= 500 and internal.is_plain_text(internal_note)
    and internal.shows_every_character(
      customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color);
end
$$;

create or replace function internal.is_booking_event_valid(kind text, source text, changed_by_name text, reason text) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return kind in (
      'booked', 'moved', 'placed', 'extended', 'shortened', 'edited', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
      'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
      'notification_dismissed')
    and source in ('visitor', 'counter', 'customer', 'system', 'task')
    and length(changed_by_name) <= 100
    and internal.is_single_line_text(reason, 1, 300);
end
$$;

create or replace function internal.is_booking_state_valid(
  status text, duration_minutes integer, completed_at timestamptz, completed_by text, held_until timestamptz,
  conflict_accepted_at timestamptz, conflict_accepted_by text, calendar_sequence integer
) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return length(status) between 1 and 30
    and duration_minutes between 5 and 20160
    and (completed_at is null) = (completed_by is null) and length(completed_by) <= 100
    and (held_until is null or (status = 'confirmed' and completed_at is null))
    and (conflict_accepted_at is null) = (conflict_accepted_by is null) and length(conflict_accepted_by) <= 100
    and calendar_sequence >= 0;
end
$$;

COMMENT ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) IS 'Whether the texts of a booking have an allowed length and only allowed characters. Notes may contain line ends and tabs. Null counts as valid: the result is then null, which a check accepts.';

COMMENT ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) IS 'Whether this kind, source, name and reason of an event are valid. Without a reason the result is null, which a check accepts.';

COMMENT ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) IS 'Whether the state of a booking is complete: who completed it and when, who accepted its schedule conflict and when, and a hold only while the booking is open. Null counts as valid: the result is then null, which a check accepts.';

REVOKE ALL ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) TO "postgres";

ALTER TABLE "public"."booking_events" ADD CONSTRAINT "booking_events_are_valid" CHECK (internal.is_booking_event_valid(kind, source, changed_by_name, reason));

ALTER TABLE "public"."bookings" ADD CONSTRAINT "bookings_state_is_valid" CHECK (internal.is_booking_state_valid(status, duration_minutes, completed_at, completed_by, held_until, conflict_accepted_at, conflict_accepted_by, calendar_sequence));

ALTER TABLE "public"."bookings" ADD CONSTRAINT "bookings_texts_are_valid" CHECK (internal.are_booking_texts_valid(customer_name, customer_email, customer_phone, notes, vehicle_year, vehicle_make, vehicle_model, vehicle_color, internal_note));
