-- The sample week has estimates in each state that needs no invoice (docs/product.md 11.10).

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.add_sample_estimate(estimate jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made public.estimates;
  frozen public.estimate_revisions;
begin
  insert into public.estimates (
    is_sample, repair_id, booking_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
    vehicle_plate, odometer_miles, created_by, changed_by)
  select true, booking.repair_id, booking.id, booking.customer_name, coalesce(booking.customer_email, ''), booking.customer_phone,
    coalesce(booking.vehicle_year, ''), coalesce(booking.vehicle_make, ''), coalesce(booking.vehicle_model, ''),
    estimate ->> 'plate', (estimate ->> 'odometerMiles')::integer, 'admin', 'admin'
  from public.bookings booking where booking.id = (estimate ->> 'bookingId')::uuid
  returning * into made;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  select made.id, 1, estimate ->> 'customerNote',
    internal.shop_now()::date + case estimate ->> 'state' when 'expired' then -1 else good_for_days end,
    internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.save_revision_jobs(made.id, 1, estimate -> 'jobs');
  insert into public.canned_jobs (title, job, is_sample)
  select job ->> 'title', job - 'key', true from jsonb_array_elements(estimate -> 'jobs') job
  on conflict (title) do nothing;
  if estimate ->> 'state' = 'draft' then
    return;
  end if;
  frozen := internal.freeze_revision(made);
  update public.estimate_revisions revision
  set sent_at = frozen.frozen_at, seen_at = case estimate ->> 'state' when 'seen' then frozen.frozen_at end
  where revision.estimate_id = made.id;
  if estimate ? 'approved' then
    perform internal.decide_estimate(
      made.id, frozen.hash, array(select jsonb_array_elements_text(estimate -> 'approved'))::uuid[], made.customer_name, '', false);
  end if;
end
$function$;

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds an estimate to the sample week: sent, decided where approved jobs are given, or in the given state (draft, seen, expired). Its jobs become canned jobs.';
