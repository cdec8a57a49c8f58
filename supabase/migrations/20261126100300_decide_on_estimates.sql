-- From a draft to a yes or no: freezing what is handed over, the customer's page, and what the shop writes down for a customer
-- who called. All of it lands in the ledger.

create function internal.write_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'revision', revision.revision, 'customerName', estimate.customer_name,
      'customerEmail', estimate.customer_email, 'customerPhone', estimate.customer_phone,
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', revision.customer_note, 'goodUntil', revision.good_until, 'taxRate', revision.tax_rate,
      'jobs', (
        select jsonb_agg(job || jsonb_build_object('taxCents', totals.tax, 'totalCents', totals.total) order by totals.position)
        from jsonb_array_elements(internal.jobs_of(estimate.id, revision.revision)) job
        join internal.job_totals totals on (totals.estimate_id, totals.revision, totals.key)
          = (estimate.id, revision.revision, (job ->> 'key')::uuid)))
    from public.estimates estimate
    join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.revision = wanted_revision
    where estimate.id = wanted_id
  );
comment on function internal.write_document(uuid, integer) is 'All that a customer is shown of a revision: no internal note.';

create function internal.freeze(estimate public.estimates) returns public.estimate_revisions
  language plpgsql
  set search_path = ''
as $$
declare
  latest public.estimate_revisions := internal.latest_revision(estimate.id);
  problems jsonb;
begin
  if latest.frozen_at is not null then
    return latest;
  end if;
  problems := internal.estimate_problems(estimate.id, latest.revision);
  if problems <> '[]' then
    raise exception 'This estimate is not ready to be handed over.'
      using errcode = 'TT074', hint = problems #>> '{0,code}', detail = problems::text;
  end if;
  latest.document := internal.write_document(estimate.id, latest.revision);
  update public.estimate_revisions revision
  set frozen_at = internal.current_instant(), document = latest.document,
    hash = encode(sha256(convert_to(latest.document::text, 'UTF8')), 'hex')
  where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  perform internal.close_if_decided(estimate.id, latest.revision);
  return internal.latest_revision(estimate.id);
end
$$;
comment on function internal.freeze(public.estimates) is
  'The latest revision of an estimate, from now on as it is; refused (TT074, with its problems) when it is not ready.';

create function internal.freeze_estimate(estimate_id uuid, seen_version integer, is_sent boolean, by_name text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  estimate constant public.estimates := internal.take_estimate(freeze_estimate.estimate_id, coalesce(seen_version, -1));
  latest constant public.estimate_revisions := internal.freeze(estimate);
begin
  if is_sent and latest.answered_at is null then
    update public.estimate_revisions revision set sent_at = internal.current_instant()
    where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  end if;
  update public.estimates set changed_at = clock_timestamp(), changed_by = by_name where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;
comment on function internal.freeze_estimate(uuid, integer, boolean, text) is
  'Hands the latest revision over, in the name of an admin, and notes that it was sent where it was: as save_estimate answers.';
grant execute on function internal.freeze_estimate(uuid, integer, boolean, text) to shop_server;

-- Other work at the same price is not what was approved: its customer has never seen what they would be asked to pay for
-- (16 CCR 3354).

create function internal.sold_work(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_array(job.title, (
      select jsonb_agg(jsonb_build_array(line.kind, line.detail, line.description, line.thousandths, line.unit_cents, line.is_taxable)
        order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key)))
    from public.estimate_jobs job
    where (job.estimate_id, job.revision, job.key) = (wanted_id, wanted_revision, wanted_key)
  );
comment on function internal.sold_work(uuid, integer, uuid) is 'What a job of a revision sells: its title and its lines, without the words that explain it.';

create function internal.close_if_decided(wanted_id uuid, wanted_revision integer) returns void
  language sql
  set search_path = ''
as $$
  update public.estimate_revisions revision
  set answered_at = internal.current_instant()
  where revision.estimate_id = wanted_id and revision.revision = wanted_revision and revision.answered_at is null
    and not exists (
      select from internal.job_totals totals
      left join internal.authorized_jobs(wanted_id) authorized on authorized.job_key = totals.key
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
        and not coalesce(authorized.revision = wanted_revision
          or authorized.decision = 'approved' and authorized.cents >= totals.total
            and internal.sold_work(wanted_id, authorized.revision, totals.key)
              = internal.sold_work(wanted_id, wanted_revision, totals.key), false))
$$;
comment on function internal.close_if_decided(uuid, integer) is 'Notes that nothing of a revision is left to decide, once that is so.';

create function public.record_authorization(
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
  'Writes down what a customer decided by other ways than the page, [{jobKey, decision}], of the latest revision: a draft is frozen '
  'first. As save_estimate answers, and actId.';
grant execute on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean)
  to authenticated;

create function internal.offered_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select offered from public.estimate_revisions offered
    where offered.estimate_id = wanted_id and offered.frozen_at is not null order by offered.revision desc limit 1);
comment on function internal.offered_revision(uuid) is 'What was handed over last; a later draft is not shown to anybody.';

create function internal.offer_state(offered public.estimate_revisions) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = offered.estimate_id and claim.state in ('claimed', 'made')) then 'closed'
    when offered.answered_at is not null then 'answered'
    when offered.good_until < internal.shop_now()::date then 'expired'
    else 'open'
  end;
comment on function internal.offer_state(public.estimate_revisions) is
  'closed (it has its invoice), answered, expired (its last day at the shop is over), or open.';

create function internal.describe_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.act_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.person, 'relation', line.relation,
      'contact', line.contact, 'words', line.words, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.said_at,
      'recordedBy', line.recorded_by) order by line.id), '[]')
    from public.authorizations line where line.estimate_id = wanted_id
  );
comment on function internal.describe_ledger(uuid) is 'The ledger of an estimate, oldest first.';

create function internal.read_offer(estimate_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select (offered.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'bookingId', estimate.booking_id, 'revisionHash', offered.hash,
    'state', internal.offer_state(offered), 'sentAt', offered.sent_at,
    'vehicle', (offered.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.sold_work(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.sold_work(estimate.id, offered.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(offered.document -> 'jobs') with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_ledger(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.offered_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) offered
  where estimate.id = read_offer.estimate_id and offered.frozen_at is not null
$$;
comment on function internal.read_offer(uuid) is 'What the customer of an estimate sees; null before anything was handed over.';
grant execute on function internal.read_offer(uuid) to shop_server;

create function internal.note_offer_seen(estimate_id uuid, revision_hash text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.estimate_revisions revision set seen_at = internal.current_instant()
  where revision.estimate_id = note_offer_seen.estimate_id and revision.hash = note_offer_seen.revision_hash and revision.seen_at is null;
  return found;
end
$$;
comment on function internal.note_offer_seen(uuid, text) is 'Notes that its customer looked at a revision, once: whether this was the first time.';
grant execute on function internal.note_offer_seen(uuid, text) to shop_server;

create function internal.answer_offer(estimate_id uuid, revision_hash text, approved uuid[], person text, words text, wants_parts_back boolean)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.take_estimate(answer_offer.estimate_id, null);
  offered constant public.estimate_revisions := internal.offered_revision(estimate.id);
  act constant uuid := gen_random_uuid();
begin
  if offered.hash is distinct from answer_offer.revision_hash then
    return 'changed_meanwhile';
  end if;
  case internal.offer_state(offered)
    when 'closed' then return 'closed';
    when 'answered' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- A draft begun meanwhile takes nothing away: what is on the customer's screen is what they approve.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, contact, words, wants_parts_back, said_at, recorded_by)
  select estimate.id, offered.revision, offered.hash, totals.key, act,
    case when totals.key = any (approved) then 'approved' else 'declined' end,
    'web', trim(answer_offer.person), estimate.customer_email, answer_offer.words, answer_offer.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
  where totals.estimate_id = estimate.id and totals.revision = offered.revision
    and not coalesce(authorized.revision = offered.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.sold_work(estimate.id, authorized.revision, totals.key)
          = internal.sold_work(estimate.id, offered.revision, totals.key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set answered_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = offered.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.act_id = act and line.decision = 'approved') then 'approved' else 'declined' end;
end
$$;
comment on function internal.answer_offer(uuid, text, uuid[], text, text, boolean) is
  'The customer''s answer: the jobs that are approved, all others that wait for an answer are declined. approved, declined, or why '
  'not: unchanged (it was answered), changed_meanwhile (another revision than was shown), expired, closed (it has its invoice).';
grant execute on function internal.answer_offer(uuid, text, uuid[], text, text, boolean) to shop_server;

create function internal.estimate_token(estimate_id uuid) returns text
  language sql stable
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(estimate.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('estimate ' || estimate.id || ' ' || estimate.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.estimates estimate
    where name = 'visit_key' and estimate.id = estimate_token.estimate_id
  );
comment on function internal.estimate_token(uuid) is 'What the address of an estimate''s private page ends in now; null when there is none.';
grant execute on function internal.estimate_token(uuid) to shop_server;

create function internal.estimate_state(estimate public.estimates) returns text
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
    when latest.answered_at is not null then
      case when exists (select from internal.authorized_jobs(estimate.id) job where internal.is_approved(job.job_key, estimate.id))
        then 'approved' else 'declined' end
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;
comment on function internal.estimate_state(public.estimates) is
  'Where an estimate is on its way: draft, sent, seen, approved (any job), declined, expired, invoiced.';

create function public.read_estimate(estimate_id uuid) returns jsonb
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
        'decision', authorized.decision, 'taskId', task.id) order by totals.position), '[]')
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
comment on function public.read_estimate(uuid) is 'An estimate with its ledger and all that belongs to it, as contracts/estimates.ts describes it.';
grant execute on function public.read_estimate(uuid) to authenticated;

create function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
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
      'totalCents', totals.total, 'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
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
  'The estimates that were changed last, at most 50: all, or those with a term in number, name, plate or model, or in one state.';
grant execute on function public.list_estimates(text, text) to authenticated;
