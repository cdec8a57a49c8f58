-- A draft estimate follows the contact of its booking when staff correct the customer or hand the booking over (docs/product.md 12.15).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.correct_drafts(booking public.bookings, edited public.bookings) returns void
  language sql set search_path = '' as $$
  update public.estimates draft
  set customer_name = case when draft.customer_name = left(booking.customer_name, 100) then left(edited.customer_name, 100) else draft.customer_name end,
      customer_email = case when draft.customer_email <> coalesce(booking.customer_email, '') then draft.customer_email
                       -- As in a new estimate, an invalid address is left out.
                       when internal.is_email_address(edited.customer_email) then edited.customer_email else '' end,
      customer_phone = case when draft.customer_phone = booking.customer_phone then edited.customer_phone else draft.customer_phone end,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.customer_id = booking.customer_id and internal.last_frozen_at(draft.id) is null
    and (draft.customer_name = left(booking.customer_name, 100) or draft.customer_email = coalesce(booking.customer_email, '')
         or draft.customer_phone = booking.customer_phone)
$$;

comment on function internal.correct_drafts(public.bookings, public.bookings) is
  'Corrects the contact in estimates of a customer that were never sent and have the former contact of a booking.';

create or replace function internal.hand_over_drafts(booking public.bookings) returns void
  language sql set search_path = '' as $$
  -- The booking links the draft to the new customer, also a draft that was begun for the quote request.
  update public.estimates draft
  set booking_id = coalesce(draft.booking_id, booking.id), customer_name = left(booking.customer_name, 100),
      customer_email = case when internal.is_email_address(booking.customer_email) then booking.customer_email else '' end,
      customer_phone = booking.customer_phone,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.repair_id = booking.repair_id
$$;

comment on function internal.hand_over_drafts(public.bookings) is
  'Writes the contact of a booking that was handed over into its estimates, so that none is sent to the former customer. All of them '
  'are drafts: a booking with a sent estimate is not handed over.';

create or replace function internal.correct_customer(booking public.bookings, edited public.bookings) returns void
  language plpgsql set search_path = '' as $$
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
  perform internal.correct_drafts(booking, edited);
end
$$;

comment on function internal.correct_customer(public.bookings, public.bookings) is
  'Saves the edited contact of a booking in the record of its customer, and in their other open bookings and draft estimates that have the '
  'former contact.';

create or replace function internal.hand_over_booking(booking public.bookings) returns void
  language plpgsql set search_path = '' as $$
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
  perform internal.hand_over_drafts(booking);
end
$$;

comment on function internal.hand_over_booking(public.bookings) is
  'Links a booking, whose contact was edited, and its draft estimates to the customer with that contact, and makes the links of the '
  'former customer invalid. Refused (TT076) once its estimate was sent or decided.';

create or replace function public.edit_booking(
  booking_id uuid, seen_version integer, service_id uuid, appointment_date date, appointment_time time,
  customer_name text, customer_phone text, customer_email text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, vehicle_plate text default null, contact_change text default null
) returns public.bookings
  -- Runs with its owner's rights, because the admin has no right to write bookings and customers. lock_booking()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(edit_booking.booking_id);
  edited public.bookings;
  fields text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment is edited.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  -- Saving an estimate locks in the same order: first the estimate, then its customer.
  perform from public.estimates where repair_id = booking.repair_id or customer_id = booking.customer_id order by id for update;
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
$$;

comment on function public.edit_booking(uuid, integer, uuid, date, time, text, text, text, text, text, text, text, text, text) is
  'Edits an open booking of the seen version (TT051) and returns it. Another service takes its present name, price and duration; the '
  'start stays as given, and a time that does not fit is refused like a move, with the next three free times. Another name, phone number '
  'or email address needs contact_change: correction also changes the customer and their other open bookings and draft estimates, '
  'other_customer hands the booking and its draft estimates to somebody else. vehicle_plate identifies the vehicle; the booking stores no plate.';

revoke all on function internal.correct_drafts(public.bookings, public.bookings) from public;

revoke all on function internal.hand_over_drafts(public.bookings) from public;
