-- An estimate is its person's from when it says whom; who is new becomes known when it is handed over, not while it is typed.

alter table public.estimates add column person_id uuid references public.people, add column car_id uuid references public.cars;
comment on column public.estimates.person_id is 'Whose it is; null while a draft names nobody who is known.';
comment on column public.estimates.car_id is 'Which of their cars it is about.';
create index estimates_of_person on public.estimates (person_id, created_at desc);
create index estimates_of_car on public.estimates (car_id);
insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('person', 'public.estimates', 'person_id', 'id', 'moves'),
  ('car', 'public.estimates', 'car_id', 'id', 'moves');

create function internal.car_of_estimate(estimate public.estimates) returns internal.described_car
  language sql immutable
  set search_path = ''
  return row(
    nullif(left(estimate.vehicle_year, 20), ''), nullif(left(estimate.vehicle_make, 60), ''),
    nullif(left(estimate.vehicle_model, 60), ''), null, nullif(trim(estimate.vehicle_plate), ''),
    case when internal.is_vin(upper(estimate.vehicle_vin)) then upper(estimate.vehicle_vin) end
  )::internal.described_car;
comment on function internal.car_of_estimate(public.estimates) is 'The car as an estimate describes it; a VIN that is none is left out.';

create function internal.caller_of_estimate(estimate public.estimates) returns internal.caller
  language plpgsql stable
  set search_path = ''
as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Of an older database there is no such column yet.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false))::internal.caller;
end
$$;
comment on function internal.caller_of_estimate(public.estimates) is 'Whom an estimate names.';

create function internal.link_estimate() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  names_the_same constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_the_same_car constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  source record;
  former constant uuid := new.person_id;
begin
  select person_id, car_id into source from public.bookings where id = new.booking_id and not internal.is_erased(person_id);
  if source.person_id is null then
    select person_id, car_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(person_id);
  end if;
  new.person_id := coalesce(
    source.person_id, case when names_the_same and not internal.is_erased(former) then former end,
    internal.find_person(internal.caller_of_estimate(new)), former);
  if new.person_id is not null and not coalesce(is_the_same_car and new.person_id = former and new.car_id is not null, false) then
    new.car_id := coalesce(internal.find_car(new.person_id, internal.car_of_estimate(new)), source.car_id);
  end if;
  return new;
end
$$;
comment on function internal.link_estimate() is
  'Gives an estimate the person of its appointment or quote request, else whom it was begun for while it names them the same, '
  'else the one whom it names, if known.';
create trigger link_to_person before insert or update of
  booking_id, quote_request_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
  vehicle_plate, vehicle_vin on public.estimates
  for each row execute function internal.link_estimate();

create function internal.know_from_estimate() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.person_id := coalesce(estimate.person_id, internal.ensure_person(internal.caller_of_estimate(estimate)));
  -- What an appointment named is the car to which plate and VIN belong.
  estimate.car_id := coalesce(
    internal.complete_car(estimate.car_id, internal.car_of_estimate(estimate)),
    internal.ensure_car(estimate.person_id, internal.car_of_estimate(estimate), estimate.created_at, false));
  update public.estimates set person_id = estimate.person_id, car_id = estimate.car_id where id = estimate.id;
  if estimate.car_id is not null and estimate.odometer_miles is not null then
    insert into public.odometer_readings (car_id, booking_id, miles, read_on, recorded_by_name)
    select estimate.car_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
    where not exists (
      select from public.odometer_readings known
      where known.car_id = estimate.car_id and known.miles = estimate.odometer_miles);
  end if;
  return null;
end
$$;
comment on function internal.know_from_estimate() is
  'What is handed over names a person and a car: they are known from then on, with plate, VIN and what the odometer said.';
create trigger know_from_estimate after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null) execute function internal.know_from_estimate();

create function internal.complete_car(car uuid, described internal.described_car) returns uuid
  language plpgsql
  set search_path = ''
as $$
begin
  update public.cars known
  set plate = coalesce(known.plate, described.plate), vin = coalesce(known.vin, described.vin)
  where known.id = car and (known.plate is null and described.plate is not null or known.vin is null and described.vin is not null);
  return car;
end
$$;
comment on function internal.complete_car(uuid, internal.described_car) is 'Writes plate and VIN where a car has none yet; returns the car.';

create function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  person public.people;
  car public.cars;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- One after the other: the second sees what the first began.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'carId'), (source ->> 'personId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into car from public.cars where id = internal.car_now((source ->> 'carId')::uuid);
  select * into person from public.people
  where id = coalesce(car.person_id, internal.person_now((source ->> 'personId')::uuid)) and merged_into is null and erased_at is null
  -- Nobody is merged into another while an estimate of theirs is begun.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'carId' and car.id is null) or ((source ? 'personId' or source ? 'carId') and person.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  -- A second click, or another window, finds what the first began; of a person alone only what nobody wrote in yet.
  select known.* into estimate from public.estimates known
  where known.booking_id = booking.id or (known.quote_request_id = quote.id and booking.id is null)
    or (known.person_id = person.id and known.car_id is not distinct from car.id and known.version = 1
        and known.booking_id is null and known.quote_request_id is null)
  order by known.created_at desc limit 1;
  if found then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  email := coalesce(booking.customer_email, quote.email, person.email, source #>> '{customer,email}', '');
  insert into public.estimates (
    thread_id, booking_id, quote_request_id, person_id, car_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.thread_id, quote.thread_id, gen_random_uuid()), booking.id, quote.id, person.id, car.id,
    left(trim(coalesce(booking.customer_name, quote.name, person.name, source #>> '{customer,name}', '')), 100),
    -- What no letter could be sent to is left out.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, person.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, car.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, car.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, car.model, source #>> '{vehicle,model}', ''),
    coalesce(left(car.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(car.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;
grant execute on function public.create_estimate(jsonb) to authenticated;
comment on function public.create_estimate(jsonb) is
  'Begins an estimate from {bookingId}, {quoteRequestId}, {carId} or {personId}, or from nothing with {customer, vehicle}: '
  '{id, isNew}. What was begun for the same appointment or quote is found again; for the same car or person what nobody wrote in yet.';
