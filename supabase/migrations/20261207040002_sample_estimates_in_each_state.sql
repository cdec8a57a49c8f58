-- The sample week has estimates in each state, and its removal deletes the invoices of its estimates (docs/product.md 11.10).

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
  if estimate ->> 'state' = 'invoiced' then
    perform internal.claim_estimate_invoice(made.id, (select version from public.estimates where id = made.id), 'admin');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_customers()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from public.vehicles vehicle
  where (is_sample or exists (select from public.customers where id = vehicle.customer_id and is_sample))
    and not exists (select from public.bookings where vehicle_id = vehicle.id)
    and not exists (select from public.quote_requests where vehicle_id = vehicle.id)
    and not exists (select from public.estimates where vehicle_id = vehicle.id)
    and not exists (select from public.invoices where vehicle_id = vehicle.id)
    and not exists (select from public.vehicles where merged_into = vehicle.id);
  delete from public.customers customer
  where is_sample and not exists (select from public.bookings where customer_id = customer.id)
    and not exists (select from public.quote_requests where customer_id = customer.id)
    and not exists (select from public.estimates where customer_id = customer.id)
    and not exists (select from public.invoices where customer_id = customer.id)
    and not exists (select from public.vehicles where customer_id = customer.id)
    and not exists (select from public.customers where merged_into = customer.id);
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_week()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  delete from public.invoices where number = any (numbers);
  -- Also tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$function$;

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds an estimate to the sample week: sent, decided where approved jobs are given, or in the given state (draft, seen, expired, invoiced). Its jobs become canned jobs.';
