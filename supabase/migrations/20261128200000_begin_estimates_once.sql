-- Two clicks at the same moment found nothing of each other and began two estimates, each of which could be billed. And what
-- a stranger had typed for an address kept an estimate from being begun at all.

create or replace function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- One after the other: the second sees what the first began.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId')) as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  -- A second click, or another window, finds what the first began.
  select known.* into estimate from public.estimates known
  where known.booking_id = booking.id or (known.quote_request_id = quote.id and booking.id is null)
  order by known.created_at desc limit 1;
  if found then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  email := coalesce(booking.customer_email, quote.email, source #>> '{customer,email}', '');
  insert into public.estimates (
    thread_id, booking_id, quote_request_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.thread_id, quote.thread_id, gen_random_uuid()), booking.id, quote.id,
    left(trim(coalesce(booking.customer_name, quote.name, source #>> '{customer,name}', '')), 100),
    -- What no letter could be sent to is left out.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, source #>> '{vehicle,model}', ''),
    coalesce(source #>> '{vehicle,plate}', ''), coalesce(source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;
