-- An estimate names its third-party payer (16 CCR 3353).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."estimate_rules" ADD COLUMN "payer_sentence" text NOT NULL DEFAULT 'This estimate is for repairs that meet the standards of the vehicle''s manufacturer and of the industry. You authorize the repairs, so it is up to you to ask the third-party payer to approve their payment.'::text;

ALTER TABLE "public"."estimates" ADD COLUMN "payer_name" text NOT NULL DEFAULT ''::text;

ALTER TABLE "public"."estimates" ADD COLUMN "payer_reference" text NOT NULL DEFAULT ''::text;

ALTER TABLE "public"."estimates" ADD COLUMN "payer_approved_cents" integer;

create or replace function internal.describe_payer(estimate public.estimates) returns jsonb
  language sql stable set search_path = ''
  return case when trim(estimate.payer_name) <> '' then jsonb_build_object(
    'name', estimate.payer_name, 'reference', estimate.payer_reference, 'approvedCents', estimate.payer_approved_cents,
    'sentence', case when estimate.payer_approved_cents is null then (select payer_sentence from public.estimate_rules) end) end;

create or replace function internal.build_revision_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'revision', revision.revision, 'customerName', estimate.customer_name,
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
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.subtype = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

create or replace function internal.read_customer_export(customer_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read customers, customer_contact_methods and
  -- others.
  language plpgsql stable security definer set search_path = '' as $$
declare
  customer public.customers;
  merged_ids uuid[];
begin
  select * into customer from public.customers where id = internal.resolve_merged_customer(read_customer_export.customer_id) and erased_at is null;
  if customer.id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  merged_ids := internal.list_merged_customers(customer.id);
  return jsonb_build_object(
    'customer', to_jsonb(customer) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.customer_contact_methods where customer_id = any ($1) order by id', merged_ids),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.customer_notes where customer_id = any ($1) order by created_at', merged_ids),
    'vehicles', internal.rows_as_json('select id, year, make, model, color, plate, vin, internal_note, created_at from public.vehicles where customer_id = any ($1) order by created_at', merged_ids),
    'odometer', internal.rows_as_json('select reading.vehicle_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.vehicles vehicle on vehicle.id = reading.vehicle_id where vehicle.customer_id = any ($1) order by read_on', merged_ids),
    'bookings', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      vehicle_id, created_at from public.bookings where customer_id = any ($1) order by appointment_date, appointment_time', merged_ids),
    'booking_history', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.customer_id = any ($1) order by event.id', merged_ids),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where customer_id = any ($1) order by created_at', merged_ids),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where customer_id = any ($1)) order by created_at', merged_ids),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at, payer_name, payer_reference, payer_approved_cents from public.estimates where customer_id = any ($1) order by created_at', merged_ids),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.customer_id = any ($1) order by estimate_id, revision', merged_ids),
    'authorizations', internal.rows_as_json('select line.* from public.authorizations line
      join public.estimates estimate on estimate.id = line.estimate_id where estimate.customer_id = any ($1) order by line.id', merged_ids),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.customer_id = any ($1) order by event.id', merged_ids),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by created_at', merged_ids),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where customer_id = any ($1))
         or task.estimate_id in (select id from public.estimates where customer_id = any ($1)) order by note.created_at', merged_ids),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, created_at from public.invoices
      where customer_id = any ($1) order by created_at', merged_ids),
    'payments', internal.rows_as_json('select invoice_id, kind, method, amount_cents, currency, reference, note, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1)) order by paid_at', merged_ids),
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) merged_id, internal.list_customer_emails(merged_id) order by created_at', merged_ids));
end
$$;

create or replace function internal.read_printable_estimate(estimate_id uuid, for_customer boolean) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates and estimate_revisions.
  language sql stable security definer set search_path = '' as $$
  select stored.document || jsonb_build_object(
    'jobs', internal.read_document_jobs(stored.document),
    'payer', stored.document -> 'payer',
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
    -- Documents of earlier releases have no payer.
    'payer', sent.document -> 'payer',
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
    'id', estimate.id, 'number', estimate.number, 'version', estimate.version, 'savedAt', estimate.changed_at,
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

create or replace function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write estimates and estimate_revisions.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    -- A dashboard that was opened before an update of the site sends no payer.
    payer_name = case when document ? 'payer' then document #>> '{payer,name}' else payer_name end,
    payer_reference = case when document ? 'payer' then document #>> '{payer,reference}' else payer_reference end,
    payer_approved_cents = case when document ? 'payer' then (document #>> '{payer,approvedCents}')::integer else payer_approved_cents end,
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.save_revision_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_saved_estimate(estimate.id);
end
$$;

ALTER TABLE "public"."estimate_rules" ADD CONSTRAINT "estimate_rules_payer_sentence_is_text" CHECK (((length(TRIM(BOTH FROM payer_sentence)) >= 1) AND (length(TRIM(BOTH FROM payer_sentence)) <= 1000)));

ALTER TABLE "public"."estimates" ADD CONSTRAINT "estimates_payer_approved_in_range" CHECK (((payer_approved_cents >= 0) AND (payer_approved_cents <= 99999999)));

COMMENT ON COLUMN "public"."estimate_rules"."payer_sentence" IS 'Printed on an estimate whose third-party payer approved no amount yet (16 CCR 3353).';

COMMENT ON COLUMN "public"."estimates"."payer_approved_cents" IS 'The amount that the payer approved; null while unknown.';

COMMENT ON COLUMN "public"."estimates"."payer_name" IS 'Who pays in place of the customer, such as an insurer; '''' for nobody (16 CCR 3353).';

COMMENT ON COLUMN "public"."estimates"."payer_reference" IS 'The number of the payer''s claim or of its estimate.';

COMMENT ON FUNCTION "internal"."describe_payer"(public.estimates) IS 'The third-party payer of an estimate as it is printed: {name, reference, approvedCents, sentence}; null without one. The sentence stands in place of an unknown amount (16 CCR 3353).';

REVOKE ALL ON FUNCTION "internal"."describe_payer"(public.estimates) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_payer"(public.estimates) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_payer"(public.estimates) TO "postgres";

REVOKE ALL ("payer_sentence") ON TABLE "public"."estimate_rules" FROM "authenticated";

GRANT UPDATE ("payer_sentence") ON TABLE "public"."estimate_rules" TO "authenticated";

ALTER TABLE "public"."estimates" ADD CONSTRAINT "estimates_payer_name_is_text" CHECK (internal.is_single_line_text(payer_name, 0, 100));

ALTER TABLE "public"."estimates" ADD CONSTRAINT "estimates_payer_reference_is_text" CHECK (internal.is_single_line_text(payer_reference, 0, 60));

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.estimates', 'payer_name', 'kept',
    'who paid for what was handed over, for three years (BPC 9884.11), then the row is deleted; a draft is deleted at once'),
  ('public.estimates', 'payer_reference', 'kept',
    'who paid for what was handed over, for three years (BPC 9884.11), then the row is deleted; a draft is deleted at once'),
  ('public.estimate_rules', 'payer_sentence', 'free', 'a text of the shop for every estimate with a third-party payer');
