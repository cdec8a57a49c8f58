-- A job of an estimate can be a tear-down, whose terms the customer is told before (16 CCR 3353).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."estimate_events" DROP CONSTRAINT "estimate_events_kind_is_known";

ALTER TABLE "public"."estimate_jobs" ADD COLUMN "tear_down" jsonb;

create or replace function internal.describe_job_scope(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_array(job.title, job.tear_down, (
      select jsonb_agg(jsonb_build_array(line.kind, line.subtype, line.description, line.quantity_thousandths, line.unit_price_cents, line.is_taxable)
        order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key)))
    from public.estimate_jobs job
    where (job.estimate_id, job.revision, job.job_key) = (wanted_id, wanted_revision, wanted_key)
  );

create or replace function internal.describe_revision_jobs(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', job.job_key, 'title', job.title, 'customerDescription', job.customer_description,
      'isNeeded', job.is_needed_now, 'measurement', job.measurement, 'tearDown', job.tear_down,
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', line.kind, 'subtype', line.subtype, 'description', line.description, 'quantityThousandths', line.quantity_thousandths,
          'unitPriceCents', line.unit_price_cents, 'isTaxable', line.is_taxable) order by line.position), '[]')
        from public.estimate_lines line
        where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key))
      ) order by job.position), '[]')
    from public.estimate_jobs job where job.estimate_id = wanted_id and job.revision = wanted_revision
  );

create or replace function internal.is_cents_or_missing(amount jsonb) returns boolean
  language sql immutable strict set search_path = ''
  return case jsonb_typeof(amount)
    when 'number' then amount::numeric between 0 and 99999999 and amount::numeric = trunc(amount::numeric)
    else amount = 'null' end;

create or replace function internal.list_tear_down_declines(wanted_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('declined', split_part(event.kind, '_', 1), 'jobTitle', event.after ->> 'jobTitle',
      'notedBy', event.changed_by_name, 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event
    where event.estimate_id = wanted_id and event.kind in ('repair_declined', 'reassembly_declined')
  );

create or replace function internal.read_document_jobs(document jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (
    select coalesce(jsonb_agg(
      '{"tearDown": null}' || internal.rename_keys(job, '{"plainWords": "customerDescription", "measure": "measurement"}')
      || jsonb_build_object('lines', (
        select coalesce(jsonb_agg(internal.rename_keys(line,
          '{"detail": "subtype", "thousandths": "quantityThousandths", "unitCents": "unitPriceCents"}') order by line_place), '[]')
        from jsonb_array_elements(job -> 'lines') with ordinality stored_line (line, line_place)))
      order by job_place), '[]')
    from jsonb_array_elements(document -> 'jobs') with ordinality stored_job (job, job_place)
  );

create or replace function internal.read_printable_estimate(estimate_id uuid, for_customer boolean) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates and estimate_revisions.
  language sql stable security definer set search_path = '' as $$
  select stored.document || jsonb_build_object(
    'jobs', internal.read_document_jobs(stored.document),
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

create or replace function internal.read_printable_invoice(invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to call describe_claim and describe_authorizations.
  language sql stable security definer set search_path = '' as $$
  select internal.describe_claim(claim)
    || jsonb_build_object('authorizations', internal.describe_authorizations(claim.estimate_id),
      'tearDownDeclines', internal.list_tear_down_declines(claim.estimate_id))
  from public.estimate_invoices claim
  where claim.invoice_id = read_printable_invoice.invoice_id
$$;

create or replace function internal.save_revision_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql set search_path = '' as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'invalid_document';
  end if;
  -- A dashboard that was opened before an update of the site sends the earlier keys.
  jobs := internal.read_document_jobs(jsonb_build_object('jobs', jobs));
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (
    estimate_id, revision, job_key, position, title, customer_description, is_needed_now, measurement, tear_down)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'customerDescription',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measurement', 'null'), nullif(job -> 'tearDown', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'subtype', line ->> 'description',
    (line ->> 'quantityThousandths')::integer, (line ->> 'unitPriceCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;

create or replace function internal.tear_down_problems(totals internal.job_totals) returns setof text
  language sql stable set search_path = '' as $$
  select problem.code
  from public.estimate_jobs job
  cross join lateral (select (job.tear_down ->> 'priceCents')::bigint as price, (job.tear_down ->> 'reassemblyPriceCents')::bigint as reassembly)
    stated
  cross join lateral (values
    ('tear_down_areas_missing', trim(job.tear_down ->> 'areas') = ''),
    ('tear_down_price_missing', stated.price is null),
    ('tear_down_reassembly_price_missing', stated.reassembly is null),
    ('tear_down_destroyed_parts_missing', trim(job.tear_down ->> 'destroyedParts') = ''),
    ('tear_down_time_missing', trim(job.tear_down ->> 'reassemblyTime') = ''),
    ('tear_down_risk_missing', job.tear_down ->> 'mayPreventReassembly' is null),
    ('tear_down_price_differs', totals.before_tax <> stated.price + stated.reassembly)
  ) problem (code, is_so)
  where (job.estimate_id, job.revision, job.job_key) = (totals.estimate_id, totals.revision, totals.job_key)
    and job.tear_down is not null and problem.is_so
$$;

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

create or replace function public.note_declined_after_tear_down(estimate_id uuid, job_key uuid, declined text) returns void
  -- Runs with its owner's rights, because the admin has no right to write estimate_events. require_admin() checks that
  -- the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  noted_kind constant text := declined || '_declined';
  torn_down public.estimate_jobs;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(note_declined_after_tear_down.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  select * into torn_down from public.estimate_jobs job
  where job.estimate_id = estimate.id and job.revision = (internal.latest_sent_revision(estimate.id)).revision
    and job.job_key = note_declined_after_tear_down.job_key and job.tear_down is not null and internal.is_approved(job.job_key, estimate.id);
  if torn_down.job_key is null or declined is null or declined not in ('repair', 'reassembly') then
    raise exception 'Only after an approved tear-down, a repair or reassembly is declined.' using errcode = '22023', hint = 'no_tear_down';
  end if;
  if not exists (
    select from public.estimate_events event
    where event.estimate_id = estimate.id and event.kind = noted_kind and event.after ->> 'jobKey' = torn_down.job_key::text
  ) then
    perform internal.add_estimate_event(estimate.id, noted_kind, null,
      jsonb_build_object('jobKey', torn_down.job_key, 'jobTitle', torn_down.title));
  end if;
end
$$;

ALTER TABLE "public"."estimate_events" ADD CONSTRAINT "estimate_events_kind_is_known" CHECK ((kind = ANY (ARRAY['details_changed'::text, 'customer_changed'::text, 'vehicle_changed'::text, 'address_changed'::text, 'relinked'::text, 'repair_declined'::text, 'reassembly_declined'::text])));

COMMENT ON COLUMN "public"."estimate_events"."kind" IS 'details_changed (of the same customer and vehicle); customer_changed, vehicle_changed (approvals become void); address_changed (the link to the former address became invalid); relinked (staff created a new link); repair_declined, reassembly_declined (the customer declined it after a tear-down).';

COMMENT ON COLUMN "public"."estimate_jobs"."tear_down" IS 'What a customer is told before a tear-down (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, mayPreventReassembly}; null for a job of another kind.';

COMMENT ON FUNCTION "internal"."describe_job_scope"(uuid, integer, uuid) IS 'The scope of a job of a revision: its title, its terms of a tear-down and its lines, without the explanation.';

COMMENT ON FUNCTION "internal"."is_cents_or_missing"(jsonb) IS 'Whether a JSON value is an amount in whole cents, or null.';

COMMENT ON FUNCTION "internal"."list_tear_down_declines"(uuid) IS 'What the customer declined after a tear-down: [{declined, jobTitle, notedBy, at}], declined is repair or reassembly.';

COMMENT ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) IS 'Why a tear-down cannot be sent (16 CCR 3353): a field is missing, or its lines do not come to the two prices, before tax.';

COMMENT ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) IS 'Notes once that the customer declined the ''repair'' or the ''reassembly'' after an approved tear-down. Printed on the estimate and on its invoice. Refused (TT075) once invoiced.';

REVOKE ALL ON FUNCTION "internal"."is_cents_or_missing"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_cents_or_missing"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_cents_or_missing"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_tear_down_declines"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_tear_down_declines"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_tear_down_declines"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) TO "postgres";

REVOKE ALL ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) TO "postgres";

ALTER TABLE "public"."estimate_jobs" ADD CONSTRAINT "estimate_jobs_tear_down_is_valid" CHECK (((tear_down IS NULL) OR COALESCE((internal.is_single_line_text((tear_down ->> 'areas'::text), 0, 300) AND internal.is_cents_or_missing((tear_down -> 'priceCents'::text)) AND internal.is_cents_or_missing((tear_down -> 'reassemblyPriceCents'::text)) AND internal.is_single_line_text((tear_down ->> 'destroyedParts'::text), 0, 300) AND internal.is_single_line_text((tear_down ->> 'reassemblyTime'::text), 0, 60) AND (jsonb_typeof((tear_down -> 'mayPreventReassembly'::text)) = ANY (ARRAY['boolean'::text, 'null'::text]))), false)));

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.estimate_jobs', 'tear_down', 'free', 'how a vehicle is taken apart');
