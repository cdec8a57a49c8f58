-- A recorded approval of a job that the customer declined must name that refusal, so that nobody overwrites an answer that they
-- did not read (16 CCR 3354).

create function internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from public.authorizations line
      where line.estimate_id = wanted_id and line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  );
comment on function internal.approves_unseen_refusal(uuid, jsonb) is
  'Whether one of the decisions approves a job whose latest answer is a refusal, without naming that line of the ledger as declinedId.';

create or replace function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, person text, relation text, contact text, words text,
  said_at timestamptz, wants_parts_back boolean default false
)
  returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  act constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer approves on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'nothing_decided';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze(estimate);
  if (said_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, relation, contact, words, wants_parts_back,
    said_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, act, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.person), trim(record_authorization.relation),
    trim(record_authorization.contact), trim(record_authorization.words), record_authorization.wants_parts_back,
    record_authorization.said_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.close_if_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_save(estimate.id) || jsonb_build_object('actId', act);
end
$$;
comment on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean) is
  'Records what a customer decided by other ways than the page, [{jobKey, decision, declinedId}], of the latest revision: a draft is '
  'frozen first. declinedId names the refusal that an approval replaces. Answers as save_estimate, with actId.';

-- A fee for hazardous waste needs the EPA number, whatever kind of fee it is called (16 CCR 3356.1, 3357). The same rule as
-- domain/hazardous-waste-fee.ts.

create function internal.is_hazardous_waste_fee(description text) returns boolean
  language sql immutable
  set search_path = ''
  return replace(' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ', ' non toxic ', ' ') ~
    ' (hazardous|haz ?mat|toxic|(waste|used) oils?|(coolant|antifreeze|fluids?)( [a-z]+)? (disposal|dispose)|(disposal|dispose)( of)?( [a-z]+){0,2} (coolant|antifreeze|fluids?)) ';
comment on function internal.is_hazardous_waste_fee(text) is 'Whether the description of a fee names hazardous waste.';

create or replace function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select 'name_missing' as code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates where id = wanted_id and trim(customer_name) = ''
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.detail = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

-- An estimate is approved from the first approved job of its latest revision on, also while other jobs are still open.

create or replace function internal.estimate_state(estimate public.estimates) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then 'invoiced'
    when latest.frozen_at is null then 'draft'
    when exists (select from internal.authorized_jobs(estimate.id) job
      where (latest.answered_at is not null or job.revision = latest.revision) and internal.is_approved(job.job_key, estimate.id))
      then 'approved'
    when latest.answered_at is not null then 'declined'
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;

create or replace function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total,
      'invoicedCents', (select claim.total_cents from public.estimate_invoices claim
        where claim.estimate_id = found.id and claim.state in ('claimed', 'made')),
      'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(internal.plain(trim(term)) in internal.plain(
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
comment on function public.list_estimates(text, text) is
  'The estimates that were changed last, at most 50: all, or those with a term in number, name, plate or model, or in one state. '
  'invoicedCents is the total of the invoice, null without one.';

-- Staff see whether an approved job still sells what was approved.

create or replace function public.read_estimate(estimate_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
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
    'sentAt', offered.sent_at, 'seenAt', offered.seen_at, 'answeredAt', offered.answered_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.jobs_of(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_ledger(estimate.id),
    'customerPath', case when offered.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.offered_revision(estimate.id)).*) offered;
  return answer || jsonb_build_object(
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.sold_work(estimate.id, authorized.revision, totals.key)
          = internal.sold_work(estimate.id, latest.revision, totals.key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'thread', internal.read_thread(estimate.thread_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'letters', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$$;
