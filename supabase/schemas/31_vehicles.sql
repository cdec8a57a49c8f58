-- Vehicles of customers with their odometer readings. A booking, quote request or estimate is linked to a vehicle by
-- VIN, plate or description.

create type internal.vehicle_details as (year text, make text, model text, color text, plate text, vin text);
comment on type internal.vehicle_details is 'A vehicle as a booking, quote request or estimate describes it.';

create table public.vehicles (
  id uuid primary key default gen_random_uuid(),
  customer_id uuid not null references public.customers,
  year text constraint vehicles_year_is_text check (length(year) <= 20 and year !~ '[[:cntrl:]]'),
  make text constraint vehicles_make_is_text check (length(make) <= 60 and make !~ '[[:cntrl:]]'),
  model text constraint vehicles_model_is_text check (length(model) <= 60 and model !~ '[[:cntrl:]]'),
  color text constraint vehicles_color_is_text check (length(color) <= 40 and color !~ '[[:cntrl:]]'),
  plate text constraint vehicles_plate_is_text check (internal.is_single_line_text(plate, 1, 15)),
  vin text constraint vehicles_vin_is_valid check (internal.is_vin(vin)),
  internal_note text constraint vehicles_internal_note_is_plain check (
    length(internal_note) <= 1000 and internal_note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  vehicle_key text generated always as (internal.vehicle_key(year, make, model)) stored,
  plate_key text generated always as (internal.plate_key(plate)) stored,
  search_text text not null generated always as (
    internal.normalize_search_text(coalesce(year, '') || ' ' || coalesce(make, '') || ' ' || coalesce(model, '') || ' ' || coalesce(plate, '') || ' '
      || coalesce(internal.plate_key(plate), '') || ' ' || coalesce(vin, ''))
  ) stored,
  merged_into uuid constraint vehicles_merge_into_another check (merged_into <> id),
  is_sample boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  foreign key (merged_into) references public.vehicles
);
comment on table public.vehicles is
  'The vehicles of customers, created from the descriptions in bookings, quote requests and estimates. Staff can add '
  'the plate and the VIN.';
comment on column public.vehicles.customer_id is 'The current owner of the vehicle.';
comment on column public.vehicles.vin is
  'The vehicle identification number, 17 characters with a valid check digit; null if it is unknown.';
comment on column public.vehicles.internal_note is 'An internal note of staff about the vehicle.';
comment on column public.vehicles.vehicle_key is
  'Normalized year, make and model (internal.vehicle_key). A later booking, quote request or estimate with the same '
  'key is linked to this vehicle.';
comment on column public.vehicles.plate_key is 'The plate in upper case without spaces and punctuation.';
comment on column public.vehicles.search_text is
  'The searchable text of the vehicle, normalized by internal.normalize_search_text.';
comment on column public.vehicles.merged_into is
  'The vehicle into which this duplicate was merged. A read with the duplicate''s id returns the surviving vehicle.';

create index vehicles_of_customer on public.vehicles (customer_id, vehicle_key);
create index vehicles_by_search_text on public.vehicles using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index vehicles_merged on public.vehicles (merged_into) where merged_into is not null;

alter table public.vehicles enable row level security;
grant select on public.vehicles to authenticated;
create policy "the admin reads vehicles" on public.vehicles for select to authenticated using ((select internal.is_admin()));

create trigger increment_version before update on public.vehicles for each row execute function internal.increment_version();
create trigger publish_customer_change after update on public.vehicles for each row execute function internal.publish_customer_change();
create trigger log_corrected_record after update on public.vehicles
  for each row when (internal.is_admin()) execute function internal.log_corrected_record();

create table public.odometer_readings (
  id uuid primary key default gen_random_uuid(),
  vehicle_id uuid not null references public.vehicles on delete cascade,
  booking_id uuid references public.bookings on delete set null,
  miles integer not null constraint odometer_readings_miles_in_range check (miles between 0 and 2000000),
  read_on date not null constraint odometer_readings_date_in_range check (read_on between '1950-01-01' and '2100-01-01'),
  recorded_by_name text not null check (length(recorded_by_name) <= 100),
  recorded_at timestamptz not null default now()
);
comment on table public.odometer_readings is 'Odometer readings of vehicles, each with its date and the person who recorded it.';
comment on column public.odometer_readings.read_on is 'The date of the reading, in shop time.';

create index odometer_readings_of_vehicle on public.odometer_readings (vehicle_id, read_on desc);
create index odometer_readings_of_booking on public.odometer_readings (booking_id) where booking_id is not null;

alter table public.odometer_readings enable row level security;
grant select on public.odometer_readings to authenticated;
create policy "the admin reads odometers" on public.odometer_readings for select to authenticated using ((select internal.is_admin()));

create trigger publish_customer_change after insert or delete on public.odometer_readings
  for each row execute function internal.publish_customer_change();

create function internal.vehicle_key(year text, make text, model text) returns text
  language sql immutable set search_path = ''
  return case when regexp_replace(concat(make, model), '[[:space:][:punct:]]+', '', 'g') <> ''
    then regexp_replace(internal.normalize_search_text(concat_ws(' ', year, make, model)), '[[:space:][:punct:]]+', '', 'g') end;
comment on function internal.vehicle_key(text, text, text) is 'Year, make and model normalized; null when neither make nor model is known.';

create function internal.plate_key(plate text) returns text
  language sql immutable strict set search_path = ''
  return nullif(regexp_replace(upper(plate), '[^[:alnum:]]+', '', 'g'), '');
comment on function internal.plate_key(text) is 'A license plate in upper case without spaces and punctuation.';

create function internal.is_vin(value text) returns boolean
  language sql immutable set search_path = '' as $$
  -- 49 CFR 565.15: each character has a value and a weight. The ninth character, the check digit, is the weighted sum
  -- modulo 11.
  select value ~ '^[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}$' and (
    select sum(translate(substr(value, place, 1), 'ABCDEFGHJKLMNPRSTUVWXYZ', '12345678123457923456789')::integer
               * (array[8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2])[place]) % 11
    from generate_series(1, 17) place where place <> 9
  ) = case substr(value, 9, 1) when 'X' then 10 else nullif(substr(value, 9, 1), '')::integer end
$$;
comment on function internal.is_vin(text) is
  'Whether a text is a valid vehicle identification number: 17 characters without I, O and Q, with the right check digit.';

create function internal.find_vehicle(wanted_customer_id uuid, vehicle internal.vehicle_details) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select known.id from public.vehicles known
    where known.customer_id = wanted_customer_id and known.merged_into is null
      and (known.vin = vehicle.vin or known.plate_key = internal.plate_key(vehicle.plate)
           or known.vehicle_key = internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model)
              -- Two vehicles of the same year, make and model are different vehicles if their VINs or plates differ.
              and coalesce(known.vin = vehicle.vin, true) and coalesce(known.plate_key = internal.plate_key(vehicle.plate), true))
    order by known.vin = vehicle.vin desc nulls last, known.plate_key = internal.plate_key(vehicle.plate) desc nulls last,
             known.created_at desc, known.id
    limit 1
  );
end
$$;
comment on function internal.find_vehicle(uuid, internal.vehicle_details) is
  'The customer''s vehicle that a booking, quote request or estimate describes, by VIN, plate, or year, make and '
  'model; null when the customer has no such vehicle.';

create function internal.find_or_create_vehicle(
  wanted_customer_id uuid, vehicle internal.vehicle_details, seen_at timestamptz, is_sample boolean
) returns uuid
  language plpgsql set search_path = '' as $$
declare
  found_id uuid;
begin
  if internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model) is null and vehicle.plate is null and vehicle.vin is null then
    return null;
  end if;
  found_id := internal.find_vehicle(wanted_customer_id, vehicle);
  if found_id is null then
    insert into public.vehicles (customer_id, year, make, model, color, plate, vin, created_at, is_sample)
    values (wanted_customer_id, nullif(trim(vehicle.year), ''), nullif(trim(vehicle.make), ''), nullif(trim(vehicle.model), ''),
            nullif(trim(vehicle.color), ''), vehicle.plate, vehicle.vin, seen_at, find_or_create_vehicle.is_sample)
    returning id into found_id;
    return found_id;
  end if;
  update public.vehicles
  set color = coalesce(color, nullif(trim(vehicle.color), '')), plate = coalesce(plate, vehicle.plate), vin = coalesce(vin, vehicle.vin)
  where id = found_id and (color is null and trim(vehicle.color) <> '' or plate is null and vehicle.plate is not null
                           or vin is null and vehicle.vin is not null);
  return found_id;
end
$$;
comment on function internal.find_or_create_vehicle(uuid, internal.vehicle_details, timestamptz, boolean) is
  'The customer''s vehicle that a booking, quote request or estimate describes; the function creates a vehicle that '
  'the customer does not have yet. Null when no vehicle is described.';

create function internal.fill_missing_plate_and_vin(vehicle_id uuid, described internal.vehicle_details) returns uuid
  language plpgsql set search_path = '' as $$
begin
  update public.vehicles known
  set plate = coalesce(known.plate, described.plate), vin = coalesce(known.vin, described.vin)
  where known.id = vehicle_id and (known.plate is null and described.plate is not null or known.vin is null and described.vin is not null);
  return vehicle_id;
end
$$;
comment on function internal.fill_missing_plate_and_vin(uuid, internal.vehicle_details) is
  'Saves the plate if the vehicle has no plate yet, and the VIN if the vehicle has no VIN yet; returns the vehicle''s '
  'id.';

create function internal.vehicle_line(year text, make text, model text) returns text
  language sql immutable set search_path = ''
  return trim(concat_ws(' ', nullif(trim(year), ''), nullif(trim(make), ''), nullif(trim(model), '')));
comment on function internal.vehicle_line(text, text, text) is
  'The year, make and model of a vehicle in one line; empty if none of them is known.';

create function internal.describe_vehicle(vehicle public.vehicles) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'id', vehicle.id, 'version', vehicle.version, 'customerId', vehicle.customer_id, 'year', vehicle.year, 'make', vehicle.make, 'model', vehicle.model,
      'color', vehicle.color, 'plate', vehicle.plate, 'vin', vehicle.vin, 'note', vehicle.internal_note, 'miles', latest.miles, 'milesOn', latest.read_on)
    from (values (vehicle.id)) as given (id)
    left join lateral (
      select miles, read_on from public.odometer_readings where vehicle_id = given.id order by read_on desc, recorded_at desc limit 1
    ) latest on true
  );
comment on function internal.describe_vehicle(public.vehicles) is
  'A vehicle with its latest odometer reading, as JSON.';

create function public.read_vehicle(vehicle_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call resolve_merged_vehicle,
  -- describe_vehicle and other functions. require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  select * into vehicle from public.vehicles known where known.id = internal.resolve_merged_vehicle(read_vehicle.vehicle_id);
  if vehicle.id is null then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  return internal.describe_vehicle(vehicle) || jsonb_build_object(
    'customer', (
      select jsonb_build_object('id', customer.id, 'version', customer.version, 'name', customer.name, 'phone', customer.phone, 'email', customer.email)
      from public.customers customer where customer.id = vehicle.customer_id),
    'odometer', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', reading.id, 'miles', reading.miles, 'readOn', reading.read_on, 'bookingId', reading.booking_id,
        'recordedBy', reading.recorded_by_name) order by reading.read_on desc, reading.recorded_at desc), '[]')
      from public.odometer_readings reading where reading.vehicle_id = vehicle.id),
    'milesAMonth', internal.miles_per_month(vehicle.id),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
          'internalNote', booking.internal_note,
          'miles', (select max(reading.miles) from public.odometer_readings reading where reading.booking_id = booking.id),
          'invoices', (select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice)), '[]')
                       from public.invoices invoice where invoice.booking_id = booking.id))
        order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.vehicle_id = vehicle.id
            order by appointment_date desc, appointment_time desc limit 200) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'service', quote.service_type, 'status', quote.status)
        order by quote.created_at desc), '[]')
      from public.quote_requests quote where quote.vehicle_id = vehicle.id),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from public.estimates estimate where estimate.vehicle_id = vehicle.id),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice) order by invoice.created_at desc), '[]')
      from public.invoices invoice where invoice.vehicle_id = vehicle.id and invoice.booking_id is null),
    'tasks', (
      select coalesce(jsonb_agg(internal.describe_customer_task(task) order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.vehicle_id = vehicle.id)
         or task.estimate_id in (select id from public.estimates known where known.vehicle_id = vehicle.id)));
end
$$;
comment on function public.read_vehicle(uuid) is
  'All data of a vehicle in one call (contracts/customers.ts). The id of a merged duplicate returns the surviving '
  'vehicle.';
grant execute on function public.read_vehicle(uuid) to authenticated;

create function internal.miles_per_month(wanted_vehicle_id uuid) returns integer
  language sql stable set search_path = ''
  return (
    select round((last_miles - first_miles) / ((last_on - first_on) / 30.4))::integer
    from (
      select min(read_on) as first_on, max(read_on) as last_on, min(miles) as first_miles, max(miles) as last_miles
      from (select read_on, miles from public.odometer_readings where vehicle_id = wanted_vehicle_id order by read_on desc limit 12) lately
    ) span
    where last_on - first_on >= 30
  );
comment on function internal.miles_per_month(uuid) is
  'The average number of miles per month, computed from the last twelve odometer readings; null if these readings '
  'span less than thirty days.';

create function public.save_vehicle(
  vehicle_id uuid, seen_version integer, customer_id uuid, year text, make text, model text, color text, plate text,
  vin text, note text
) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  plain_vin constant text := nullif(upper(regexp_replace(save_vehicle.vin, '[^[:alnum:]]+', '', 'g')), '');
  saved uuid;
begin
  perform internal.require_admin();
  if plain_vin is not null and not internal.is_vin(plain_vin) then
    raise exception 'This VIN is not right: 17 characters, and the ninth must fit the others.' using errcode = 'TT097', hint = 'invalid_vin';
  end if;
  if internal.vehicle_key('', save_vehicle.make, save_vehicle.model) is null and plain_vin is null and internal.plate_key(save_vehicle.plate) is null then
    raise exception 'A vehicle has a make, a model, a plate or a VIN.' using errcode = '22023', hint = 'vehicle_incomplete';
  end if;
  if save_vehicle.vehicle_id is null then
    insert into public.vehicles (customer_id) select id from public.customers where id = internal.resolve_merged_customer(save_vehicle.customer_id) returning id into saved;
  else
    saved := (internal.lock_vehicle(save_vehicle.vehicle_id, seen_version)).id;
  end if;
  if saved is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.vehicles vehicle
  set year = nullif(trim(save_vehicle.year), ''), make = nullif(trim(save_vehicle.make), ''), model = nullif(trim(save_vehicle.model), ''),
      color = nullif(trim(save_vehicle.color), ''), plate = nullif(upper(trim(save_vehicle.plate)), ''), vin = plain_vin,
      internal_note = nullif(trim(save_vehicle.note), '')
  where id = saved;
  return saved;
end
$$;
comment on function public.save_vehicle(uuid, integer, uuid, text, text, text, text, text, text, text) is
  'Adds a vehicle to a customer (vehicle_id null) or changes a vehicle; returns its id. Refuses an outdated version (TT051) and an invalid '
  'VIN (TT097).';
grant execute on function public.save_vehicle(uuid, integer, uuid, text, text, text, text, text, text, text) to authenticated;

create function public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  owner_id uuid;
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  -- A merge locks customers before vehicles; this function locks the vehicle before the new owner. Both functions lock
  -- the calendar first, so that the two transactions cannot deadlock.
  perform internal.lock_calendar();
  owner_id := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  vehicle := internal.lock_vehicle(change_vehicle_owner.vehicle_id, seen_version);
  update public.vehicles set customer_id = owner_id where id = vehicle.id;
end
$$;
comment on function public.change_vehicle_owner(uuid, integer, uuid) is
  'Changes the owner of a vehicle. Earlier bookings, estimates and invoices still belong to the former owner, and the '
  'vehicle''s history still shows them.';
grant execute on function public.change_vehicle_owner(uuid, integer, uuid) to authenticated;

create function public.record_odometer(
  vehicle_id uuid, miles integer, read_on date default null, booking_id uuid default null,
  is_certain boolean default false
) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write odometer_readings.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  known_vehicle_id uuid := internal.resolve_merged_vehicle(record_odometer.vehicle_id);
  day constant date := coalesce(record_odometer.read_on, internal.shop_now()::date);
  contradicting public.odometer_readings;
  reading_id uuid;
begin
  perform internal.require_admin();
  select vehicle.id into known_vehicle_id from public.vehicles vehicle where vehicle.id = known_vehicle_id and not internal.is_erased(vehicle.customer_id);
  if known_vehicle_id is null then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if day > internal.shop_now()::date then
    raise exception 'The date of a reading is not in the future.' using errcode = '22023', hint = 'date_in_future';
  end if;
  if day < '1950-01-01' then
    raise exception 'The date of a reading is not before 1950.' using errcode = '22023', hint = 'date_too_old';
  end if;
  select reading.* into contradicting from public.odometer_readings reading
  where reading.vehicle_id = known_vehicle_id
    and (reading.read_on < day and reading.miles > record_odometer.miles or reading.read_on > day and reading.miles < record_odometer.miles)
  order by reading.read_on desc limit 1;
  if contradicting.id is not null and not is_certain then
    raise exception 'The odometer showed % on %.', contradicting.miles, contradicting.read_on
      using errcode = 'TT098', hint = 'odometer_decreased', detail = jsonb_build_object('miles', contradicting.miles, 'readOn', contradicting.read_on);
  end if;
  insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
  values (known_vehicle_id, record_odometer.booking_id, record_odometer.miles, day, internal.author_name(null))
  returning id into reading_id;
  return reading_id;
end
$$;
comment on function public.record_odometer(uuid, integer, date, uuid, boolean) is
  'Records an odometer reading of a day (default today), optionally for a booking. Unless is_certain is true, refuses '
  '(TT098) a reading that is lower than an earlier reading or higher than a later reading; the detail of the error '
  'contains that other reading.';
grant execute on function public.record_odometer(uuid, integer, date, uuid, boolean) to authenticated;

create function public.remove_odometer_reading(reading_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write odometer_readings.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  delete from public.odometer_readings where id = reading_id;
end
$$;
grant execute on function public.remove_odometer_reading(uuid) to authenticated;
