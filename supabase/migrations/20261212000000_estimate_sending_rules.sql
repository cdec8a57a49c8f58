-- Estimates state vehicle and odometer before they are sent, and invoices of estimates the odometer.

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.add_estimate_odometer_reading(estimate public.estimates) returns void
  language sql set search_path = '' as $$
  insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
  select estimate.vehicle_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
  where estimate.vehicle_id is not null and estimate.odometer_miles is not null and not exists (
    select from public.odometer_readings known
    where known.vehicle_id = estimate.vehicle_id and known.miles = estimate.odometer_miles)
$$;

create or replace function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text)
  returns jsonb
  -- Runs with its owner's rights, because the server has no right to write estimate_invoices and
  -- estimate_invoice_jobs.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or a retry after a crash, gets the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  latest := internal.freeze_revision(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  if estimate.odometer_miles is null then
    raise exception 'An invoice states the odometer reading.' using errcode = 'TT074', hint = 'odometer_missing';
  end if;
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), changed_by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.job_key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.job_key, estimate.id);
  return internal.describe_claim(claim);
end
$$;

create or replace function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', estimate.customer_email,
        'phone', revision.document ->> 'customerPhone'),
      -- The odometer may have been read after the revision was sent.
      'vehicle', (revision.document -> 'vehicle') || jsonb_build_object('odometerMiles',
        coalesce((revision.document #>> '{vehicle,odometerMiles}')::integer, estimate.odometer_miles)),
      'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(internal.read_document_jobs(revision.document)) with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    join public.estimates estimate on estimate.id = revision.estimate_id
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );

create or replace function internal.lacks_odometer(estimate public.estimates) returns boolean
  language sql stable set search_path = ''
  return estimate.odometer_miles is null and exists (
    select from public.bookings booking
    where booking.id = estimate.booking_id and (booking.completed_at is not null or booking.status in ('arrived', 'in_work')));

create or replace function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select problem.code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates estimate
      cross join lateral (values
        ('name_missing', trim(estimate.customer_name) = ''),
        ('vehicle_missing', '' in (trim(estimate.vehicle_year), trim(estimate.vehicle_make), trim(estimate.vehicle_model))),
        ('odometer_missing', internal.lacks_odometer(estimate))
      ) problem (code, is_so)
      where estimate.id = wanted_id and problem.is_so
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.job_key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.job_key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.job_key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.subtype = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

create or replace function internal.link_sent_estimate() returns trigger
  -- Runs with its owner's rights, because the role that hands over an estimate has no right to customers and their
  -- vehicles.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.customer_id := coalesce(estimate.customer_id, internal.find_or_create_customer(internal.estimate_customer_details(estimate)));
  -- Plate and VIN belong to the vehicle of the booking, if there is one.
  estimate.vehicle_id := coalesce(
    internal.fill_missing_plate_and_vin(estimate.vehicle_id, internal.estimate_vehicle_details(estimate)),
    internal.find_or_create_vehicle(estimate.customer_id, internal.estimate_vehicle_details(estimate), estimate.created_at, false));
  update public.estimates set customer_id = estimate.customer_id, vehicle_id = estimate.vehicle_id where id = estimate.id;
  perform internal.add_estimate_odometer_reading(estimate);
  return null;
end
$$;

create or replace function public.record_estimate_odometer(estimate_id uuid, seen_version integer, miles integer) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write estimates. require_admin() checks that the
  -- caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_estimate_odometer.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if miles is null then
    raise exception 'An odometer reading is a number of miles.' using errcode = '22023', hint = 'invalid_odometer';
  end if;
  if estimate.odometer_miles is distinct from miles then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      jsonb_build_object('odometerMiles', estimate.odometer_miles), jsonb_build_object('odometerMiles', miles));
  end if;
  update public.estimates known
  set odometer_miles = miles, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where known.id = estimate.id
  returning * into estimate;
  perform internal.add_estimate_odometer_reading(estimate);
  return internal.describe_saved_estimate(estimate.id);
end
$$;

COMMENT ON FUNCTION "internal"."add_estimate_odometer_reading"(public.estimates) IS 'Adds the odometer reading of an estimate to its vehicle, unless the vehicle has it.';

COMMENT ON FUNCTION "internal"."claim_estimate_invoice"(uuid, integer, text) IS 'Claims the invoice of an estimate in the name of an admin, with its approved jobs in the latest revision. Refused (TT072) when a job costs more than was approved, or (TT074) without an odometer reading. An existing claim is returned again.';

COMMENT ON FUNCTION "internal"."lacks_odometer"(public.estimates) IS 'Whether an estimate has no odometer reading although the vehicle of its booking has arrived (16 CCR 3353).';

COMMENT ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) IS 'Records the odometer reading of an estimate without a new revision; approvals stay. Refused (TT075) once invoiced. Returns the same as save_estimate.';

REVOKE ALL ON FUNCTION "internal"."add_estimate_odometer_reading"(public.estimates) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."add_estimate_odometer_reading"(public.estimates) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."add_estimate_odometer_reading"(public.estimates) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."lacks_odometer"(public.estimates) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lacks_odometer"(public.estimates) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."lacks_odometer"(public.estimates) TO "postgres";

REVOKE ALL ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) TO "postgres";
