-- Staff edit the service, vehicle and contact of a booking (docs/product.md 12.15).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid);

CREATE OR REPLACE FUNCTION internal.booking_event_kind(before public.bookings, after public.bookings)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when internal.booking_change_context() ? 'edited' then 'edited'
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.conflict_accepted_at is null and after.conflict_accepted_at is not null)
      then 'kept'
    when before.attendance_confirmed_at is null and after.attendance_confirmed_at is not null then 'answered'
    when before.link_version <> after.link_version then 'relinked'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.correct_customer(booking public.bookings, edited public.bookings)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
begin
  select * into customer from public.customers where id = booking.customer_id;
  perform public.save_customer(
    customer.id, customer.version,
    case when edited.customer_name = booking.customer_name then customer.name else edited.customer_name end,
    case when edited.customer_email is not distinct from booking.customer_email then customer.email else edited.customer_email end,
    case when edited.customer_phone = booking.customer_phone then customer.phone else edited.customer_phone end);
  update public.bookings other
  set customer_name = case when other.customer_name = booking.customer_name then edited.customer_name else other.customer_name end,
      customer_phone = case when other.customer_phone = booking.customer_phone then edited.customer_phone else other.customer_phone end,
      customer_email = case when other.customer_email is not distinct from booking.customer_email then edited.customer_email
                       else other.customer_email end
  where other.customer_id = booking.customer_id and other.id <> booking.id
    and other.completed_at is null and internal.is_active_booking(other)
    and (other.customer_name = booking.customer_name or other.customer_phone = booking.customer_phone
         or other.customer_email is not distinct from booking.customer_email);
end
$function$;

CREATE OR REPLACE FUNCTION internal.edited_fields(before public.bookings, after public.bookings)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array_remove(array[
    case when before.service_id <> after.service_id then 'service' end,
    case when (before.vehicle_year, before.vehicle_make, before.vehicle_model, before.vehicle_color)
              is distinct from (after.vehicle_year, after.vehicle_make, after.vehicle_model, after.vehicle_color) then 'vehicle' end,
    case when before.customer_name <> after.customer_name then 'name' end,
    case when before.customer_phone <> after.customer_phone then 'phone' end,
    case when before.customer_email is distinct from after.customer_email then 'email' end
  ], null)
$function$;

CREATE OR REPLACE FUNCTION internal.email_outdated_reason(email public.emails)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when not rules.is_sent_at_night and internal.is_quiet_hours() then 'Not sent in time: it is night.'
    when rules.must_match = 'sent_revision' then coalesce(
      internal.sent_revision_outdated_reason(email.estimate_id, email.estimate_revision),
      internal.sent_revision_misdirected_reason(email.estimate_id, email.recipient_email))
    when rules.must_match = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when email.kind <> 'address_question' and lower(email.recipient_email) <> lower(booking.customer_email)
      then 'Not sent: the appointment has another email address.'
    when rules.must_match = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.must_match = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.customer_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$function$;

CREATE OR REPLACE FUNCTION internal.hand_over_booking(booking public.bookings)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  new_customer_id uuid;
begin
  if exists (
    select from public.estimates estimate join public.estimate_revisions revision on revision.estimate_id = estimate.id
    where estimate.repair_id = booking.repair_id and revision.frozen_at is not null
  ) then
    raise exception 'The customer of this appointment has its estimate.' using errcode = 'TT076', hint = 'estimate_sent';
  end if;
  new_customer_id := internal.find_or_create_customer(internal.booking_customer_details(booking, false));
  update public.bookings
  set customer_id = new_customer_id, vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year,
        booking.vehicle_make, booking.vehicle_model, booking.vehicle_color, null, null), internal.current_instant(), booking.is_sample),
      -- The links in the emails to the former customer no longer open the appointment.
      link_version = link_version + 1, attendance_confirmed_at = null
  where id = booking.id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_booking_event(kind text, source text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return kind in (
      'booked', 'moved', 'placed', 'extended', 'shortened', 'edited', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
      'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
      'notification_dismissed')
    and source in ('visitor', 'counter', 'customer', 'system', 'task');
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_described_vehicle(booking public.bookings, plate text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  described_id constant uuid := internal.find_or_create_vehicle(
    booking.customer_id, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model, booking.vehicle_color, plate, null),
    internal.current_instant(), booking.is_sample);
  vehicle public.vehicles;
begin
  select * into vehicle from public.vehicles where id = described_id;
  -- A plate alone names the vehicle that is known by it.
  update public.bookings
  set vehicle_id = vehicle.id,
      vehicle_year = coalesce(vehicle_year, vehicle.year), vehicle_make = coalesce(vehicle_make, vehicle.make),
      vehicle_model = coalesce(vehicle_model, vehicle.model), vehicle_color = coalesce(vehicle_color, vehicle.color)
  where id = booking.id and vehicle_id is distinct from vehicle.id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.place_edited_booking(booking public.bookings, edited public.bookings)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  wanted constant tsrange := internal.booking_range(edited.appointment_date, edited.appointment_time, edited.duration_minutes);
  warnings text[] := '{}';
begin
  if wanted <> booking.occupied or edited.service_id <> booking.service_id then
    -- A booking without a bay stays without one as long as its start stays.
    if booking.bay_id is not null or lower(wanted) <> lower(booking.occupied) then
      edited.bay_id := internal.choose_bay(wanted, edited.service_id, null, booking.bay_id, booking.id);
    end if;
    warnings := internal.booking_warnings(wanted, edited.bay_id);
    edited.conflict_accepted_at := case when internal.is_placed_outside_hours(edited.bay_id, warnings) then internal.current_instant() end;
    edited.conflict_accepted_by := case when internal.is_placed_outside_hours(edited.bay_id, warnings) then internal.author_name(null) end;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('edited', true, 'warnings', warnings));
  return edited;
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_booking_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  event_kind constant text := case tg_op when 'DELETE' then 'deleted' else internal.booking_event_kind(old, new) end;
  source constant text := internal.booking_event_source(event_kind);
  note constant jsonb := internal.booking_change_context();
  warnings text[] := '{}';
  snapshot_before constant jsonb := internal.booking_snapshot(old);
  snapshot_after constant jsonb := case tg_op when 'UPDATE' then internal.booking_snapshot(new) end;
  event_id bigint;
begin
  if event_kind is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      old.id, event_kind, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(snapshot_before, snapshot_after) else snapshot_before end,
      case
        when event_kind = 'edited' then coalesce(internal.changed_columns(snapshot_after, snapshot_before), '{}')
          || jsonb_build_object('edited', internal.edited_fields(old, new))
        when tg_op = 'UPDATE' then internal.changed_columns(snapshot_after, snapshot_before)
      end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  perform internal.announce_booking(old.id, event_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.save_edited_booking(edited public.bookings)
 RETURNS public.bookings
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.bookings
  set service_id = edited.service_id, service_name = edited.service_name, service_price_cents = edited.service_price_cents,
      duration_minutes = edited.duration_minutes, appointment_date = edited.appointment_date,
      appointment_time = edited.appointment_time, bay_id = edited.bay_id, conflict_accepted_at = edited.conflict_accepted_at,
      conflict_accepted_by = edited.conflict_accepted_by, customer_name = edited.customer_name,
      customer_phone = edited.customer_phone, customer_email = edited.customer_email, vehicle_year = edited.vehicle_year,
      vehicle_make = edited.vehicle_make, vehicle_model = edited.vehicle_model, vehicle_color = edited.vehicle_color
  where id = edited.id returning *
$function$;

CREATE OR REPLACE FUNCTION internal.take_service(booking public.bookings, wanted_service_id uuid)
 RETURNS public.bookings
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  service public.services;
begin
  if wanted_service_id = booking.service_id then
    return booking;
  end if;
  select * into service from public.services where id = wanted_service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  booking.service_id := service.id;
  booking.service_name := service.name;
  booking.service_price_cents := service.price_from_cents;
  booking.duration_minutes := service.duration_minutes;
  return booking;
end
$function$;

CREATE OR REPLACE FUNCTION public.book_by_phone(service_id uuid, appointment_date date, appointment_time time without time zone, customer_name text, customer_phone text, customer_email text DEFAULT NULL::text, notes text DEFAULT NULL::text, vehicle_year text DEFAULT NULL::text, vehicle_make text DEFAULT NULL::text, vehicle_model text DEFAULT NULL::text, vehicle_color text DEFAULT NULL::text, minutes integer DEFAULT NULL::integer, bay_id uuid DEFAULT NULL::uuid, without_bay boolean DEFAULT false, reason text DEFAULT NULL::text, booking_id uuid DEFAULT gen_random_uuid(), vehicle_plate text DEFAULT NULL::text)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  service public.services;
  wanted tsrange;
  bay uuid;
  warnings text[];
  booked public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into booked from public.bookings where id = book_by_phone.booking_id;
  if found then
    return booked;
  end if;
  perform internal.end_expired_holds();
  select * into service from public.services where id = book_by_phone.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  wanted := internal.booking_range(appointment_date, appointment_time, coalesce(minutes, service.duration_minutes));
  if without_bay then
    perform internal.require_reason(reason);
  else
    bay := internal.choose_bay(wanted, service.id, book_by_phone.bay_id, null, null);
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  insert into public.bookings (
    id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone, customer_email, notes,
    vehicle_year, vehicle_make, vehicle_model, vehicle_color, bay_id, conflict_accepted_at, conflict_accepted_by
  ) values (
    book_by_phone.booking_id, service.id, book_by_phone.appointment_date, book_by_phone.appointment_time,
    coalesce(minutes, service.duration_minutes), trim(book_by_phone.customer_name), trim(book_by_phone.customer_phone),
    nullif(trim(book_by_phone.customer_email), ''), nullif(trim(book_by_phone.notes), ''),
    nullif(trim(book_by_phone.vehicle_year), ''), nullif(trim(book_by_phone.vehicle_make), ''),
    nullif(trim(book_by_phone.vehicle_model), ''), nullif(trim(book_by_phone.vehicle_color), ''), bay,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  ) returning * into booked;
  perform internal.set_booking_change_context(null);
  if vehicle_plate is not null then
    perform internal.link_described_vehicle(booked, nullif(trim(vehicle_plate), ''));
  end if;
  return booked;
end
$function$;

CREATE OR REPLACE FUNCTION public.edit_booking(booking_id uuid, seen_version integer, service_id uuid, appointment_date date, appointment_time time without time zone, customer_name text, customer_phone text, customer_email text, vehicle_year text, vehicle_make text, vehicle_model text, vehicle_color text, vehicle_plate text DEFAULT NULL::text, contact_change text DEFAULT NULL::text)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings := internal.lock_booking(edit_booking.booking_id);
  edited public.bookings;
  fields text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment is edited.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  perform from public.estimates where repair_id = booking.repair_id order by id for share;
  perform internal.link_waiting_booking(booking.id);
  select * into booking from public.bookings where id = booking.id;
  edited := internal.take_service(booking, edit_booking.service_id);
  edited.appointment_date := edit_booking.appointment_date;
  edited.appointment_time := edit_booking.appointment_time;
  edited.customer_name := trim(edit_booking.customer_name);
  edited.customer_phone := trim(edit_booking.customer_phone);
  edited.customer_email := nullif(trim(edit_booking.customer_email), '');
  edited.vehicle_year := nullif(trim(edit_booking.vehicle_year), '');
  edited.vehicle_make := nullif(trim(edit_booking.vehicle_make), '');
  edited.vehicle_model := nullif(trim(edit_booking.vehicle_model), '');
  edited.vehicle_color := nullif(trim(edit_booking.vehicle_color), '');
  fields := internal.edited_fields(booking, edited);
  if fields && array['name', 'phone', 'email'] and coalesce(contact_change, '') not in ('correction', 'other_customer') then
    raise exception 'Is this a correction, or is it somebody else?' using errcode = '22023', hint = 'contact_change_required';
  end if;
  edited := internal.place_edited_booking(booking, edited);
  if edited is distinct from booking then
    edited := internal.save_edited_booking(edited);
  end if;
  if fields && array['name', 'phone', 'email'] then
    perform case contact_change when 'correction' then internal.correct_customer(booking, edited)
                                else internal.hand_over_booking(edited) end;
    select * into edited from public.bookings where id = booking.id;
  end if;
  if edited.customer_id is not null and ('vehicle' = any (fields) or vehicle_plate is not null) then
    perform internal.link_described_vehicle(edited, nullif(trim(vehicle_plate), ''));
    select * into edited from public.bookings where id = booking.id;
  end if;
  perform internal.set_booking_change_context(null);
  return edited;
end
$function$;

COMMENT ON COLUMN "public"."booking_events"."after" IS 'The changed fields of internal.booking_snapshot after the change, and for edited the names of the edited fields; all fields for booked.';

COMMENT ON COLUMN "public"."booking_events"."kind" IS 'The kind of change: booked; moved (to another date, time or bay); placed (into a bay, having had none); extended, shortened; a new state (internal.booking_transitions); edited (service, vehicle or contact: edited_fields); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link in the email), not_confirmed (the hold expired); answered (the customer will come), explained (why the customer cancelled); relinked (new link to the visit page); changed (to a status that staff wrote); notification_dismissed; deleted.';

COMMENT ON FUNCTION "internal"."booking_change_context"() IS 'The values that a procedure passes to the triggers of bookings: {source, reason, warnings, allow_without_bay, edited}.';

COMMENT ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) IS 'Saves the edited contact of a booking in the record of its customer and in their other open bookings that have the former contact.';

COMMENT ON FUNCTION "internal"."edited_fields"(public.bookings, public.bookings) IS 'The names of the fields that staff edited: service, vehicle, name, phone, email. The history stores these names, never the values of the customer.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking, whose contact was edited, to the customer with that contact, and makes the links of the former customer invalid. Refused (TT076) once its estimate was sent or decided.';

COMMENT ON FUNCTION "internal"."link_described_vehicle"(public.bookings, text) IS 'Links a booking to the vehicle of its customer that its fields and the license plate describe.';

COMMENT ON FUNCTION "internal"."place_edited_booking"(public.bookings, public.bookings) IS 'Returns an edited booking with a bay for its time and service, refused like a move when none is free. Passes the warnings to the history.';

COMMENT ON FUNCTION "internal"."take_service"(public.bookings, uuid) IS 'Returns a booking with the present name, price and duration of another service, or unchanged with its own.';

COMMENT ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) IS 'Books for a customer on the phone and returns the booking. minutes defaults to the duration of the service. A null bay_id is the first bay that can do the service and is free; without_bay, with a reason, is none. The rules for visitors are not enforced, booking_events.warnings records those that were broken. Calling it again with the same booking_id returns the first booking. vehicle_plate identifies the vehicle.';

COMMENT ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) IS 'Edits an open booking of the seen version (TT051) and returns it. Another service takes its present name, price and duration; the start stays as given, and a time that does not fit is refused like a move, with the next three free times. Another name, phone number or email address needs contact_change: correction also changes the customer and their other open bookings, other_customer hands the booking to somebody else. vehicle_plate identifies the vehicle; the booking stores no plate.';

REVOKE ALL ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."edited_fields"(public.bookings, public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."hand_over_booking"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."link_described_vehicle"(public.bookings, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."place_edited_booking"(public.bookings, public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."save_edited_booking"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."take_service"(public.bookings, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) TO "authenticated";



insert into internal.email_kinds (kind, is_retried, is_visitor_triggered, must_match, is_sent_at_night)
values ('booking_handed_over', true, false, 'nothing', true)
on conflict do nothing;
