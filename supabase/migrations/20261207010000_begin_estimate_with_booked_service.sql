set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.add_booked_job(estimate_id uuid, booking_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with job as (
    insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now)
    select add_booked_job.estimate_id, 1, gen_random_uuid(), 1, service_name, '', true
    from public.bookings where id = add_booked_job.booking_id
    returning job_key, title
  )
  -- The minutes are those of the service, because the booking can be longer: a vehicle stays overnight.
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, description, quantity_thousandths, unit_price_cents, is_taxable)
  select add_booked_job.estimate_id, 1, job.job_key, 1, 'labor', job.title, round(service.duration_minutes / 60.0 * 1000),
    rules.labor_rate_cents, false
  from job, public.estimate_rules rules, public.bookings booking
  join public.services service on service.id = booking.service_id
  where booking.id = add_booked_job.booking_id
$function$;

CREATE OR REPLACE FUNCTION public.create_estimate(source jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- Locks the source, so that a second call finds the estimate of the first.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- Prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- An unconfirmed address is not used until staff confirm it.
  email := coalesce(internal.email_for_estimate(booking, quote, customer.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, customer.id, vehicle.id,
    left(trim(coalesce(booking.customer_name, quote.name, customer.name, source #>> '{customer,name}', '')), 100),
    -- An invalid address is left out.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, customer.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, vehicle.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, vehicle.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, vehicle.model, source #>> '{vehicle,model}', ''),
    coalesce(left(vehicle.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(vehicle.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.add_booked_job(estimate.id, booking.id);
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$function$;

COMMENT ON FUNCTION "internal"."add_booked_job"(uuid, uuid) IS 'Adds the first job of an estimate: the service of its booking with one labor line, the service''s hours at the labor rate. Without a booking it adds none.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate from {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or from {customer, vehicle} alone; returns {id, isNew}. That of a booking begins with a job for its service. An existing one of the same booking or quote request is returned instead; of the same vehicle or customer only while it was never saved.';

REVOKE ALL ON FUNCTION "internal"."add_booked_job"(uuid, uuid) FROM PUBLIC;
