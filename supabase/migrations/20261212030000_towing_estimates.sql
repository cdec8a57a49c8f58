-- Towing has an estimate and an invoice of its own (16 CCR 3353).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."estimates" ADD COLUMN "kind" text NOT NULL DEFAULT 'repair'::text;

create or replace function internal.build_revision_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'kind', estimate.kind, 'revision', revision.revision, 'customerName', estimate.customer_name,
      'customerEmail', estimate.customer_email, 'customerPhone', estimate.customer_phone,
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'payer', internal.describe_payer(estimate),
      'customerNote', revision.customer_note, 'goodUntil', revision.good_until, 'taxRate', revision.tax_rate,
      'jobs', (
        select jsonb_agg(job || jsonb_build_object('taxCents', totals.tax, 'totalCents', totals.total) order by totals.position)
        from jsonb_array_elements(internal.describe_revision_jobs(estimate.id, revision.revision)) job
        join internal.job_totals totals on (totals.estimate_id, totals.revision, totals.job_key)
          = (estimate.id, revision.revision, (job ->> 'key')::uuid)))
    from public.estimates estimate
    join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.revision = wanted_revision
    where estimate.id = wanted_id
  );

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
  if estimate.kind = 'repair' and estimate.odometer_miles is null then
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

create or replace function internal.create_towing_estimate() returns jsonb
  language sql set search_path = '' as $$
  with estimate as (
    insert into public.estimates (kind, created_by, changed_by)
    values ('towing', internal.author_name(null), internal.author_name(null)) returning id
  ), revision as (
    insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
    select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
    from estimate, public.estimate_rules
  )
  select jsonb_build_object('id', id, 'isNew', true) from estimate
$$;

create or replace function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'kind', estimate.kind, 'number', revision.document ->> 'number',
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

create or replace function internal.find_begun_estimate(
  wanted_booking_id uuid, wanted_quote_request_id uuid, wanted_customer_id uuid, wanted_vehicle_id uuid
) returns uuid
  language sql stable set search_path = '' as $$
  select id from public.estimates
  where kind = 'repair' and (booking_id = wanted_booking_id or (quote_request_id = wanted_quote_request_id and wanted_booking_id is null)
    or (customer_id = wanted_customer_id and vehicle_id is not distinct from wanted_vehicle_id and version = 1
        and booking_id is null and quote_request_id is null))
  order by created_at desc limit 1
$$;

create or replace function internal.is_towing(description text) returns boolean
  language sql immutable set search_path = ''
  return (' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ') ~
    ' (tow|tows|towed|towing|towage) (?!(hitch|hitches|bar|hook|hooks|eye|ball|strap|package|mirrors?|receiver|wiring|harness|connector|module|mode|kit|cover) )';

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
        ('odometer_missing', internal.lacks_odometer(estimate)),
        ('payer_name_missing', trim(estimate.payer_name) = ''
          and (trim(estimate.payer_reference) <> '' or estimate.payer_approved_cents is not null)),
        ('payer_reference_missing', trim(estimate.payer_name) <> '' and trim(estimate.payer_reference) = '')
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
      select problem.code, totals.job_key, totals.position, null
      from internal.job_totals totals
      cross join lateral internal.tear_down_problems(totals) problem (code)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.job_key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('towing_needs_own_estimate', internal.is_towing(line.description)
          and (select kind = 'repair' from public.estimates where id = wanted_id)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.subtype = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

create or replace function internal.lacks_odometer(estimate public.estimates) returns boolean
  language sql stable set search_path = ''
  return estimate.kind = 'repair' and estimate.odometer_miles is null and exists (
    select from public.bookings booking
    where booking.id = estimate.booking_id and (booking.completed_at is not null or booking.status in ('arrived', 'in_work')));

create or replace function internal.read_printable_estimate(estimate_id uuid, for_customer boolean) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates and estimate_revisions.
  language sql stable security definer set search_path = '' as $$
  select stored.document || jsonb_build_object(
    'jobs', internal.read_document_jobs(stored.document),
    'kind', estimate.kind, 'payer', stored.document -> 'payer',
    'date', (coalesce(printed.frozen_at, internal.current_instant()) at time zone (select time_zone from public.shop))::date,
    'isFrozen', printed.frozen_at is not null,
    'decisions', internal.list_job_decisions(estimate.id, printed.revision),
    'authorizations', internal.describe_authorizations(estimate.id),
    'tearDownDeclines', internal.list_tear_down_declines(estimate.id))
  from public.estimates estimate
  cross join lateral (
    select revision.* from public.estimate_revisions revision
    where revision.estimate_id = estimate.id and (revision.frozen_at is not null or not for_customer)
    order by revision.revision desc limit 1
  ) printed
  cross join lateral (
    select coalesce(printed.document, internal.build_revision_document(estimate.id, printed.revision)) as document
  ) stored
  where estimate.id = read_printable_estimate.estimate_id
$$;

create or replace function internal.read_sent_revision(estimate_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates.
  language sql stable security definer set search_path = '' as $$
  select (sent.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', sent.hash,
    'state', internal.sent_revision_state(sent), 'sentAt', sent.sent_at,
    'vehicle', (sent.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
    -- Documents of earlier releases have neither kind nor payer.
    'kind', estimate.kind, 'payer', sent.document -> 'payer',
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.describe_job_scope(estimate.id, sent.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(internal.read_document_jobs(sent.document)) with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.latest_sent_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) sent
  where estimate.id = read_sent_revision.estimate_id and sent.frozen_at is not null
$$;

create or replace function public.create_estimate(source jsonb) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write estimates and estimate_revisions.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  if source ->> 'kind' = 'towing' then
    return internal.create_towing_estimate();
  end if;
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
  perform internal.save_revision_jobs(estimate.id, 1, source -> 'jobs') where source ? 'jobs';
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;

create or replace function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to read job_totals. require_admin() checks that the
  -- caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'kind', found.kind, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total,
      'invoicedCents', (select claim.total_cents from public.estimate_invoices claim
        where claim.estimate_id = found.id and claim.state in ('claimed', 'made')),
      'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(
        concat_ws(' ', estimate.number, estimate.customer_name, estimate.vehicle_plate, estimate.vehicle_model))) > 0)
        and (wanted_state is null or internal.estimate_state(estimate) = wanted_state)
      order by estimate.changed_at desc limit 50
    ) found
    cross join lateral (
      select coalesce(sum(total), 0) as total, count(*) as jobs from internal.job_totals
      where estimate_id = found.id and revision = (select max(revision) from public.estimate_revisions where estimate_id = found.id)
    ) totals
    cross join lateral (
      select coalesce(sum(cents), 0) as cents, count(*) filter (where internal.is_approved(job_key, found.id)) as jobs
      from internal.authorized_jobs(found.id)
    ) authorized
  );
end
$$;

create or replace function public.read_estimate(estimate_id uuid) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to read job_totals. require_admin() checks that the
  -- caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  answer jsonb;
begin
  perform internal.require_admin();
  select * into estimate from public.estimates where id = read_estimate.estimate_id;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  latest := internal.latest_revision(estimate.id);
  select jsonb_build_object(
    'id', estimate.id, 'number', estimate.number, 'kind', estimate.kind, 'version', estimate.version, 'savedAt', estimate.changed_at,
    'savedBy', estimate.changed_by, 'revision', latest.revision, 'isFrozen', latest.frozen_at is not null,
    'revisionHash', latest.hash, 'state', internal.estimate_state(estimate),
    'sentAt', sent.sent_at, 'sentTo', sent.sent_to, 'seenAt', sent.seen_at, 'decidedAt', sent.decided_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'payer', jsonb_build_object('name', estimate.payer_name, 'reference', estimate.payer_reference,
        'approvedCents', estimate.payer_approved_cents),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.describe_revision_jobs(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_all_authorizations(estimate.id),
    'customerPath', case when sent.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.latest_sent_revision(estimate.id)).*) sent;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.job_key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, latest.revision, totals.job_key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.job_key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'repairRecords', internal.list_repair_records(estimate.repair_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'emails', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$$;

ALTER TABLE "public"."estimates" ADD CONSTRAINT "estimates_kind_is_known" CHECK ((kind = ANY (ARRAY['repair'::text, 'towing'::text])));

COMMENT ON COLUMN "public"."estimates"."kind" IS 'repair, or towing, which has an estimate and an invoice of its own.';

COMMENT ON FUNCTION "internal"."create_towing_estimate"() IS 'Creates an empty estimate of towing; returns {id, isNew}.';

COMMENT ON FUNCTION "internal"."is_towing"(text) IS 'Whether the description of a line names towing, and not a towing part of a vehicle.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate of a repair from {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or from {customer, vehicle} alone; returns {id, isNew}. That of a booking begins with a job for its service. An existing one of the same booking or quote request is returned instead; of the same vehicle or customer only while it was never saved. {kind: towing} creates an empty estimate of towing. With {jobs} it begins with these jobs.';

REVOKE ALL ON FUNCTION "internal"."create_towing_estimate"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."create_towing_estimate"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."create_towing_estimate"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_towing"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_towing"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_towing"(text) TO "postgres";

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.estimates', 'kind', 'free', 'words of the product');
