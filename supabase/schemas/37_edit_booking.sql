-- Editing a booking: staff change its service, time, vehicle and contact. A change of the contact is either a
-- correction, which also updates the customer record and the customer's other open bookings, or it transfers the
-- booking to another customer.

create function internal.edited_fields(before public.bookings, after public.bookings) returns text[]
  language sql immutable set search_path = '' as $$
  select array_remove(array[
    case when before.service_id <> after.service_id then 'service' end,
    case when (before.vehicle_year, before.vehicle_make, before.vehicle_model, before.vehicle_color)
              is distinct from (after.vehicle_year, after.vehicle_make, after.vehicle_model, after.vehicle_color) then 'vehicle' end,
    case when before.customer_name <> after.customer_name then 'name' end,
    case when before.customer_phone <> after.customer_phone then 'phone' end,
    case when before.customer_email is distinct from after.customer_email then 'email' end
  ], null)
$$;
comment on function internal.edited_fields(public.bookings, public.bookings) is
  'The names of the fields that staff edited: service, vehicle, name, phone, email. The history stores these field '
  'names, never the customer''s data.';

create function internal.correct_customer(booking public.bookings, edited public.bookings) returns void
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
  'Copies each edited field of a booking''s contact (name, email, phone) to the record of its customer. Also copies '
  'it to the customer''s other open bookings and unsent estimates in which the field has the value from before the '
  'edit.';

create function internal.correct_drafts(booking public.bookings, edited public.bookings) returns void
  language sql set search_path = '' as $$
  update public.estimates draft
  set customer_name = case when draft.customer_name = left(booking.customer_name, 100) then left(edited.customer_name, 100) else draft.customer_name end,
      customer_email = case when draft.customer_email <> coalesce(booking.customer_email, '') then draft.customer_email
                       -- An invalid email address is not copied to an estimate.
                       when internal.is_email_address(edited.customer_email) then edited.customer_email else '' end,
      customer_phone = case when draft.customer_phone = booking.customer_phone then edited.customer_phone else draft.customer_phone end,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.customer_id = booking.customer_id and internal.last_frozen_at(draft.id) is null
    and (draft.customer_name = left(booking.customer_name, 100) or draft.customer_email = coalesce(booking.customer_email, '')
         or draft.customer_phone = booking.customer_phone)
$$;
comment on function internal.correct_drafts(public.bookings, public.bookings) is
  'Copies each edited field of a booking''s contact (name, email, phone) to the unsent estimates of its customer in '
  'which the field has the value from before the edit.';

create function internal.hand_over_drafts(booking public.bookings) returns void
  language sql set search_path = '' as $$
  -- All estimates of the repair get the customer of the booking, also an estimate that was created for the quote
  -- request.
  update public.estimates draft
  set booking_id = coalesce(draft.booking_id, booking.id), customer_name = left(booking.customer_name, 100),
      customer_email = case when internal.is_email_address(booking.customer_email) then booking.customer_email else '' end,
      customer_phone = booking.customer_phone,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.repair_id = booking.repair_id
$$;
comment on function internal.hand_over_drafts(public.bookings) is
  'Copies the contact of a booking that was transferred to another customer to the estimates of its repair, so that '
  'no estimate is sent to the former customer. These estimates are always drafts: a booking with a sent estimate '
  'cannot be transferred.';

create function internal.hand_over_booking(booking public.bookings) returns void
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
      -- Makes the links in the emails to the former customer invalid.
      link_version = link_version + 1, attendance_confirmed_at = null
  where id = booking.id;
  perform internal.hand_over_drafts(booking);
end
$$;
comment on function internal.hand_over_booking(public.bookings) is
  'Links a booking whose contact was edited, and its draft estimates, to the customer with the new contact. Makes the '
  'links invalid that the previous customer of the booking received. Refused (TT076) once an estimate of the booking '
  'was sent or decided.';

create function internal.is_respelled(former text, corrected text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(trim(former), '') = '' or coalesce((
    -- A word that contains a digit or has at most three letters must be the same in both texts, because such words
    -- distinguish models: F-150 and F-250, GLC and GLE.
    select bool_and(old.word = new.word
      or old.word !~ '[0-9]' and new.word !~ '[0-9]' and length(old.word) > 3 and extensions.similarity(old.word, new.word) >= 0.33)
    from (select regexp_replace(word, '[^[:alnum:]]', '', 'g') as word, place
          from regexp_split_to_table(internal.normalize_search_text(former), '[[:space:]]+') with ordinality each (word, place)) old
    join (select regexp_replace(word, '[^[:alnum:]]', '', 'g') as word, place
          from regexp_split_to_table(internal.normalize_search_text(corrected), '[[:space:]]+') with ordinality each (word, place)) new using (place)
  ), false)
$$;
comment on function internal.is_respelled(text, text) is
  'Whether the former and the corrected text are two spellings of the same make or model. A word that only one of '
  'the texts contains is not compared. If the former text is empty, every text counts as a correction.';

create function internal.corrects_vehicle(former public.bookings, edited public.bookings) returns boolean
  language sql stable set search_path = '' as $$
  select former.vehicle_id is not null and former.customer_id = edited.customer_id and (
    coalesce(internal.vehicle_key('', former.vehicle_make, former.vehicle_model) = internal.vehicle_key('', edited.vehicle_make, edited.vehicle_model), false)
    or (former.vehicle_year is null or former.vehicle_year = edited.vehicle_year)
      and internal.is_respelled(former.vehicle_make, edited.vehicle_make) and internal.is_respelled(former.vehicle_model, edited.vehicle_model))
$$;
comment on function internal.corrects_vehicle(public.bookings, public.bookings) is
  'Whether an edit describes the same vehicle: the edit changes only the year, or it only corrects the spelling of make and model and adds '
  'missing values. Another year together with another model can mean another vehicle.';

create function internal.correct_vehicle(former public.bookings, edited public.bookings, plate text) returns void
  language plpgsql set search_path = '' as $$
begin
  update public.vehicles own
  set year = coalesce(edited.vehicle_year, own.year), make = coalesce(edited.vehicle_make, own.make),
      model = coalesce(edited.vehicle_model, own.model)
  where own.id = former.vehicle_id and own.customer_id = edited.customer_id and own.merged_into is null
    and own.vehicle_key is not distinct from internal.vehicle_key(former.vehicle_year, former.vehicle_make, former.vehicle_model)
    and coalesce(own.plate_key = internal.plate_key(correct_vehicle.plate), true);
  if found then
    update public.bookings other
    set vehicle_year = edited.vehicle_year, vehicle_make = edited.vehicle_make, vehicle_model = edited.vehicle_model
    where other.vehicle_id = former.vehicle_id and other.id <> former.id
      and other.completed_at is null and internal.is_active_booking(other)
      and (other.vehicle_year, other.vehicle_make, other.vehicle_model)
        is not distinct from (former.vehicle_year, former.vehicle_make, former.vehicle_model);
  end if;
end
$$;
comment on function internal.correct_vehicle(public.bookings, public.bookings, text) is
  'Saves the corrected year, make and model of a booking in the record of its vehicle. Also saves them in other open '
  'bookings of the vehicle, if their year, make and model were the same as in this booking before the edit.';

create function internal.link_described_vehicle(former public.bookings, booking public.bookings, plate text) returns void
  language plpgsql set search_path = '' as $$
declare
  described constant internal.vehicle_details := row(
    booking.vehicle_year, booking.vehicle_make, booking.vehicle_model, booking.vehicle_color, plate, null);
  described_id uuid;
  vehicle public.vehicles;
begin
  if internal.edited_fields(former, booking) @> '{vehicle}' and internal.corrects_vehicle(former, booking)
      and coalesce(internal.find_vehicle(booking.customer_id, described) = former.vehicle_id, true) then
    perform internal.correct_vehicle(former, booking, plate);
  end if;
  described_id := internal.find_or_create_vehicle(booking.customer_id, described, internal.current_instant(), booking.is_sample);
  select * into vehicle from public.vehicles where id = described_id;
  update public.bookings
  set vehicle_id = vehicle.id,
      vehicle_year = coalesce(vehicle_year, vehicle.year), vehicle_make = coalesce(vehicle_make, vehicle.make),
      vehicle_model = coalesce(vehicle_model, vehicle.model), vehicle_color = coalesce(vehicle_color, vehicle.color)
  where id = booking.id and vehicle_id is distinct from vehicle.id;
end
$$;
comment on function internal.link_described_vehicle(public.bookings, public.bookings, text) is
  'Links an edited booking to the customer''s vehicle that the fields of the booking and the license plate describe. '
  'If the edit corrects the description, the function changes the record of the booking''s vehicle, unless the '
  'customer has another vehicle with that description.';

create function internal.take_vehicle(booking public.bookings, typed internal.vehicle_details) returns public.bookings
  language plpgsql stable set search_path = '' as $$
declare
  known public.vehicles;
begin
  booking.vehicle_color := nullif(trim(typed.color), '');
  if typed.plate is null or trim(concat(typed.year, typed.make, typed.model)) <> '' then
    booking.vehicle_year := nullif(trim(typed.year), '');
    booking.vehicle_make := nullif(trim(typed.make), '');
    booking.vehicle_model := nullif(trim(typed.model), '');
    return booking;
  end if;
  -- If staff typed only a plate, and a vehicle of the customer already has this plate, the booking gets that vehicle.
  -- Otherwise the plate is a new plate of the booking's current vehicle.
  select * into known from public.vehicles
  where customer_id = booking.customer_id and merged_into is null and plate_key = internal.plate_key(typed.plate)
    and vehicle_key is not null
  limit 1;
  if found then
    booking.vehicle_year := known.year;
    booking.vehicle_make := known.make;
    booking.vehicle_model := known.model;
  end if;
  return booking;
end
$$;
comment on function internal.take_vehicle(public.bookings, internal.vehicle_details) is
  'Returns a booking with the vehicle that staff typed. If staff typed only a plate, the booking gets the year, make '
  'and model of the customer''s vehicle with this plate; without such a vehicle, year, make and model do not change.';

create function internal.take_service(booking public.bookings, wanted_service_id uuid) returns public.bookings
  language plpgsql stable set search_path = '' as $$
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
$$;
comment on function internal.take_service(public.bookings, uuid) is
  'Returns a booking with another service and the current name, price and duration of that service. Returns the '
  'booking unchanged if it already has the service.';

create function internal.place_edited_booking(booking public.bookings, edited public.bookings) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  wanted constant tsrange := internal.booking_range(edited.appointment_date, edited.appointment_time, edited.duration_minutes);
  warnings text[] := '{}';
begin
  if wanted <> booking.occupied or edited.service_id <> booking.service_id then
    -- A booking without a bay gets a bay only if its start changes.
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
$$;
comment on function internal.place_edited_booking(public.bookings, public.bookings) is
  'Returns an edited booking with a bay for its time and service. If no bay is free, the edit is refused (23P01); the '
  'detail of the error contains the conflicting bookings and the next free times. The history stores as warnings the '
  'codes of the rules that the booking breaks.';

create function internal.save_edited_booking(edited public.bookings) returns public.bookings
  language sql set search_path = '' as $$
  update public.bookings
  set service_id = edited.service_id, service_name = edited.service_name, service_price_cents = edited.service_price_cents,
      duration_minutes = edited.duration_minutes, appointment_date = edited.appointment_date,
      appointment_time = edited.appointment_time, bay_id = edited.bay_id, conflict_accepted_at = edited.conflict_accepted_at,
      conflict_accepted_by = edited.conflict_accepted_by, customer_name = edited.customer_name,
      customer_phone = edited.customer_phone, customer_email = edited.customer_email, vehicle_year = edited.vehicle_year,
      vehicle_make = edited.vehicle_make, vehicle_model = edited.vehicle_model, vehicle_color = edited.vehicle_color
  where id = edited.id returning *
$$;

create function public.edit_booking(
  booking_id uuid, seen_version integer, service_id uuid, appointment_date date, appointment_time time,
  customer_name text, customer_phone text, customer_email text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, vehicle_plate text default null, contact_change text default null
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to write bookings and customers.
  -- lock_booking() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(edit_booking.booking_id);
  edited public.bookings;
  fields text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment can be edited.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  -- Locks the estimates before their customers, in the same order as the function that saves an estimate.
  perform from public.estimates where repair_id = booking.repair_id or customer_id = booking.customer_id order by id for update;
  perform internal.link_waiting_booking(booking.id);
  select * into booking from public.bookings where id = booking.id;
  edited := internal.take_service(booking, edit_booking.service_id);
  edited.appointment_date := edit_booking.appointment_date;
  edited.appointment_time := edit_booking.appointment_time;
  edited.customer_name := trim(edit_booking.customer_name);
  edited.customer_phone := trim(edit_booking.customer_phone);
  edited.customer_email := nullif(trim(edit_booking.customer_email), '');
  edited := internal.take_vehicle(edited, row(edit_booking.vehicle_year, edit_booking.vehicle_make, edit_booking.vehicle_model,
    edit_booking.vehicle_color, nullif(trim(vehicle_plate), ''), null));
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
    perform internal.link_described_vehicle(booking, edited, nullif(trim(vehicle_plate), ''));
    select * into edited from public.bookings where id = booking.id;
  end if;
  perform internal.set_booking_change_context(null);
  return edited;
end
$$;
comment on function public.edit_booking(uuid, integer, uuid, date, time, text, text, text, text, text, text, text, text, text) is
  'Changes an open booking and returns it; refused (TT051) if somebody changed the booking since the user read it. A '
  'booking that changes its service gets the current name, price and duration of the new service. A time that is not '
  'free is refused with the next three free times. A new name, phone number or email address requires the argument '
  'contact_change. Its value correction also corrects the record of the customer, the customer''s other open bookings '
  'and the draft estimates; its value other_customer assigns the booking and its draft estimates to another customer. '
  'vehicle_plate is used only to find the vehicle; the booking stores no plate.';
grant execute on function public.edit_booking(uuid, integer, uuid, date, time, text, text, text, text, text, text, text, text, text)
  to authenticated;
