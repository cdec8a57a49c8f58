-- create_estimate finds an estimate that was begun before by a function of its own; what it does is the same.

create function internal.find_begun_estimate(
  wanted_booking_id uuid, wanted_quote_request_id uuid, wanted_customer_id uuid, wanted_vehicle_id uuid
)
  returns uuid
  language sql stable
  set search_path = ''
as $$
  select id from public.estimates
  where booking_id = wanted_booking_id or (quote_request_id = wanted_quote_request_id and wanted_booking_id is null)
    or (customer_id = wanted_customer_id and vehicle_id is not distinct from wanted_vehicle_id and version = 1
        and booking_id is null and quote_request_id is null)
  order by created_at desc limit 1
$$;
comment on function internal.find_begun_estimate(uuid, uuid, uuid, uuid) is
  'The estimate that a second click or another window finds instead of beginning another one. For a customer without a booking '
  'or quote request: only one in which nothing was written yet.';

create or replace function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates and estimate_revisions. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  person public.customers;
  car public.vehicles;
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
  select * into car from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'carId')::uuid);
  select * into person from public.customers
  where id = coalesce(car.customer_id, internal.resolve_merged_customer((source ->> 'personId')::uuid)) and merged_into is null and erased_at is null
  -- Nobody is merged into another while an estimate of theirs is begun.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'carId' and car.id is null) or ((source ? 'personId' or source ? 'carId') and person.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, person.id, car.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- What was only typed online is nobody's address: staff are asked first.
  email := coalesce(internal.email_for_estimate(booking, quote, person.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, person.id, car.id,
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
