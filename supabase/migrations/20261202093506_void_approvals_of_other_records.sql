-- An approval is given by a customer for a vehicle. Another customer record or another vehicle record voids it, until the first
-- one is back; a correction of the same record is a line of the estimate's history and nothing else.

create table public.estimate_events (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  kind text not null constraint estimate_events_kind_is_known
    check (kind in ('details_changed', 'customer_changed', 'vehicle_changed', 'address_changed', 'relinked')),
  before jsonb,
  after jsonb,
  changed_by_name text not null constraint estimate_events_changed_by_name_is_short check (length(changed_by_name) <= 100),
  happened_at timestamptz not null default internal.current_instant()
);
comment on table public.estimate_events is
  'The history of each estimate that was handed over: what changed of its customer, its vehicle and its link. Deleted with it. '
  '[append-only]';
comment on column public.estimate_events.estimate_id is 'No foreign key: a cascade would pass the trigger that keeps the lines.';
comment on column public.estimate_events.kind is
  'details_changed (of the same records); customer_changed, vehicle_changed (another record, which voids approvals); address_changed '
  '(the link to the former address ended); relinked (staff made a new link).';
comment on column public.estimate_events.before is 'The fields that changed, as they were; null where the kind says all.';
comment on column public.estimate_events.after is 'The fields that changed, as they are; null where the kind says all.';
comment on column public.estimate_events.changed_by_name is 'The admin''s username; ''system'' for a change past the data service.';
create index estimate_events_of_estimate on public.estimate_events (estimate_id, id);
alter table public.estimate_events enable row level security;
grant select on public.estimate_events to authenticated;
create policy "the admin reads the history of estimates" on public.estimate_events
  for select to authenticated using ((select internal.is_admin()));
create trigger refuse_rewriting before update or delete or truncate on public.estimate_events
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');
create trigger tell_of_estimates after insert on public.estimate_events
  for each row execute function internal.tell_of_estimates();

create function internal.delete_estimate_events() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_events where estimate_id = old.id) then
    delete from public.estimate_events where estimate_id = old.id;
  end if;
  return null;
end
$$;
comment on function internal.delete_estimate_events() is 'Deletes the history of an estimate with the estimate.';
create trigger delete_estimate_events after delete on public.estimates
  for each row execute function internal.delete_estimate_events();

create function internal.add_estimate_event(wanted_id uuid, kind text, before jsonb default null, after jsonb default null) returns void
  language sql
  set search_path = ''
as $$
  insert into public.estimate_events (estimate_id, kind, before, after, changed_by_name)
  values (wanted_id, kind, before, after, internal.author_name(null))
$$;
comment on function internal.add_estimate_event(uuid, text, jsonb, jsonb) is 'Adds a line to the history of an estimate.';

alter table public.authorizations add column person_id uuid, add column car_id uuid;
comment on column public.authorizations.person_id is
  'Whose estimate it was when the line was written; null where that is not known. No foreign key: the line outlives the record.';
comment on column public.authorizations.car_id is
  'Which vehicle the estimate was about when the line was written; null where none was described. No foreign key.';
alter table public.authorizations disable trigger refuse_rewriting;
update public.authorizations line set person_id = estimate.person_id, car_id = estimate.car_id
from public.estimates estimate where estimate.id = line.estimate_id;
alter table public.authorizations enable trigger refuse_rewriting;

create function internal.last_person_of(person uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.people where id = person
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.people next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;
comment on function internal.last_person_of(uuid) is 'The customer record to which merges lead from one, also of a customer who was erased.';

create function internal.void_because(line public.authorizations, estimate public.estimates) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    -- What was billed was approved, whatever is put right in the records later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.person_id is not null and line.person_id is distinct from estimate.person_id
      and internal.last_person_of(line.person_id) is distinct from internal.last_person_of(estimate.person_id) then 'customer'
    when line.car_id is not null and line.car_id is distinct from estimate.car_id
      and internal.car_now(line.car_id) is distinct from internal.car_now(estimate.car_id) then 'vehicle'
  end
$$;
comment on function internal.void_because(public.authorizations, public.estimates) is
  'Why a line of the ledger does not count: customer (another customer record), vehicle (another vehicle record); null while it counts.';

create function internal.binding_lines(wanted_id uuid) returns setof public.authorizations
  language sql stable
  set search_path = ''
as $$
  select line.* from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.estimate_id = wanted_id and internal.void_because(line, estimate) is null
$$;
comment on function internal.binding_lines(uuid) is 'The lines of the ledger of an estimate that count.';

create or replace function internal.authorized_jobs(wanted_id uuid)
  returns table (job_key uuid, cents bigint, decision text, revision integer)
  language sql stable
  set search_path = ''
as $$
  with line as materialized (select * from internal.binding_lines(wanted_id))
  select latest.job_key, case when binding.decision = 'approved' then binding.amount_cents else 0 end, latest.decision, latest.revision
  from (
    select distinct on (line.job_key) line.job_key, line.decision, line.revision from line order by line.job_key, line.id desc
  ) latest
  left join lateral (
    select line.decision, line.amount_cents from line
    where line.job_key = latest.job_key and line.decision <> 'declined'
    order by line.id desc limit 1
  ) binding on true
$$;

create or replace function internal.is_approved(wanted_key uuid, wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select line.decision = 'approved' from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false);

create or replace function internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from internal.binding_lines(wanted_id) line
      where line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  );

create or replace function internal.is_other_work(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  approved_revision constant integer := (
    select line.revision from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision = 'approved' order by line.id desc limit 1);
begin
  return (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, wanted_revision, wanted_key))
      is distinct from
      (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, approved_revision, wanted_key))
    or exists (
      select from public.estimate_lines sold
      where (sold.estimate_id, sold.revision, sold.job_key) = (wanted_id, wanted_revision, wanted_key) and sold.kind <> 'discount'
        and not exists (
          select from public.estimate_lines approved
          where (approved.estimate_id, approved.revision, approved.job_key) = (wanted_id, approved_revision, wanted_key)
            and (approved.kind, approved.detail, approved.description) = (sold.kind, sold.detail, sold.description)));
end
$$;

create or replace function internal.fill_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  authorized_before bigint;
begin
  -- One after the other, or two running totals would miss each other.
  select person_id, car_id into new.person_id, new.car_id from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;

create or replace function internal.declined_of(estimate uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('title', said.job_title, 'cents', said.amount_cents, 'saidAt', said.said_at) order by said.id), '[]')
    from internal.authorized_jobs(estimate) job
    join lateral (
      select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
    ) said on true
    where job.decision = 'declined' and job.cents = 0
  );

create or replace function internal.describe_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.act_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.person, 'relation', line.relation,
      'contact', line.contact, 'words', line.words, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.said_at,
      'recordedBy', line.recorded_by, 'voidBecause', null) order by line.id), '[]')
    from internal.binding_lines(wanted_id) line
  );
comment on function internal.describe_ledger(uuid) is 'The lines of the ledger that count, oldest first: what customers and papers show.';

create function internal.describe_whole_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.act_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.person, 'relation', line.relation,
      'contact', line.contact, 'words', line.words, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.said_at,
      'recordedBy', line.recorded_by, 'voidBecause', internal.void_because(line, estimate)) order by line.id), '[]')
    from public.authorizations line
    join public.estimates estimate on estimate.id = line.estimate_id
    where line.estimate_id = wanted_id
  );
comment on function internal.describe_whole_ledger(uuid) is 'The whole ledger of an estimate, oldest first, with why a line does not count: for the shop.';

create function internal.describe_estimate_history(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', event.id, 'kind', event.kind, 'before', event.before, 'after', event.after,
      'changedBy', event.changed_by_name, 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event where event.estimate_id = wanted_id
  );
comment on function internal.describe_estimate_history(uuid) is 'The history of an estimate, oldest first.';

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
    'authorizations', internal.describe_whole_ledger(estimate.id),
    'customerPath', case when offered.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.offered_revision(estimate.id)).*) offered;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
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

create function internal.refuse_void_approvals(wanted_id uuid, wanted_revision integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  void record;
begin
  select job.title, internal.void_because(line, estimate) as because into void
  from public.estimate_jobs job
  join public.estimates estimate on estimate.id = job.estimate_id
  join public.authorizations line on line.estimate_id = job.estimate_id and line.job_key = job.key and line.decision = 'approved'
  where job.estimate_id = wanted_id and job.revision = wanted_revision and internal.void_because(line, estimate) is not null
    and not exists (select from internal.authorized_jobs(wanted_id) decided where decided.job_key = job.key)
  order by job.position, line.id desc limit 1;
  if found then
    raise exception 'The approval was given by another customer or for another vehicle.' using errcode = 'TT072', hint = 'approval_void',
      detail = jsonb_build_object('jobTitle', void.title, 'because', void.because)::text;
  end if;
end
$$;
comment on function internal.refuse_void_approvals(uuid, integer) is
  'Refuses (TT072) to bill an estimate while a job of it was approved by another customer or for another vehicle and nobody decided since.';

create or replace function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, by_name text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.take_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or whoever heals a death: the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.name_conflict(estimate);
  end if;
  latest := internal.freeze(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.key, estimate.id);
  return internal.describe_claim(claim);
end
$$;

create function internal.names_another_customer(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select not internal.names_agree(shown.name, estimate.customer_name) and trim(estimate.customer_name) <> ''
      and (shown.email, shown.phone) is distinct from (lower(estimate.customer_email), internal.canonical_phone(estimate.customer_phone))
      and not coalesce(shown.email = nullif(lower(estimate.customer_email), ''), false)
      and not coalesce(shown.phone = internal.canonical_phone(estimate.customer_phone), false)
    from (
      select document ->> 'customerName' as name, lower(document ->> 'customerEmail') as email,
        internal.canonical_phone(document ->> 'customerPhone') as phone
      from internal.offered_revision(estimate.id)
    ) shown
    where shown.name is not null
  ), false)
$$;
comment on function internal.names_another_customer(public.estimates) is
  'Whether an estimate names somebody else than when it was handed over: another name, and neither its address nor its number.';

create function internal.is_another_word(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return trim(one) <> '' and trim(other) <> '' and internal.plain(trim(one)) <> internal.plain(trim(other));
comment on function internal.is_another_word(text, text) is 'Whether two words say different things; what is empty says nothing.';

create function internal.describes_another_vehicle(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select (internal.is_another_word(shown.year, estimate.vehicle_year) or internal.is_another_word(shown.make, estimate.vehicle_make)
        or internal.is_another_word(shown.model, estimate.vehicle_model))
      and not coalesce(internal.plate_key(shown.plate) = internal.plate_key(estimate.vehicle_plate), false)
      and not coalesce(nullif(shown.vin, '') = upper(estimate.vehicle_vin), false)
    from (
      select document #>> '{vehicle,year}' as year, document #>> '{vehicle,make}' as make, document #>> '{vehicle,model}' as model,
        document #>> '{vehicle,plate}' as plate, upper(document #>> '{vehicle,vin}') as vin, document
      from internal.offered_revision(estimate.id)
    ) shown
    where shown.document is not null
  ), false)
$$;
comment on function internal.describes_another_vehicle(public.estimates) is
  'Whether an estimate describes another vehicle than when it was handed over: another year, make or model, and neither its plate nor its VIN.';

create or replace function internal.link_estimate() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  names_the_same constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_the_same_car constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_car constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former constant uuid := new.person_id;
  former_car constant uuid := new.car_id;
  source record;
begin
  select person_id, car_id into source from public.bookings where id = new.booking_id and not internal.is_erased(person_id);
  if source.person_id is null then
    select person_id, car_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(person_id);
  end if;
  if tg_op = 'UPDATE' and not names_the_same and internal.names_another_customer(new) then
    new.person_id := internal.find_person(internal.caller_of_estimate(new));
  elsif tg_op = 'UPDATE' and names_the_same and former is distinct from source.person_id
      and internal.handed_over_at(new.id) is not null and not internal.is_erased(former) then
    -- Whoever it names since it was handed over, also somebody else than its appointment.
    new.person_id := former;
  else
    new.person_id := coalesce(
      source.person_id, case when names_the_same and not internal.is_erased(former) then former end,
      internal.find_person(internal.caller_of_estimate(new)), former);
  end if;
  if new.person_id is null then
    new.car_id := null;
  elsif not coalesce(is_the_same_car and new.person_id = former and new.car_id is not null, false) then
    new.car_id := coalesce(
      internal.find_car(new.person_id, internal.car_of_estimate(new)),
      -- A plate or a VIN that was put right is of the same vehicle.
      case when not is_another_car and internal.handed_over_at(new.id) is not null and new.person_id = former then former_car end,
      case when not is_another_car then source.car_id end);
  end if;
  return new;
end
$$;
comment on function internal.link_estimate() is
  'Gives an estimate the person of its appointment or quote request, else whom it was begun for while it names them the same, '
  'else the one whom it names, if known. What was handed over keeps person and car through every correction, until it names '
  'another person or describes another vehicle.';

create function internal.note_other_record() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_because(line, new) as because from public.authorizations line
    where line.estimate_id = new.id and internal.void_because(line, old) is null
  loop
    continue when void.because is null;
    perform internal.add_estimate_event(new.id, void.because || '_changed');
    -- What was decided is to be decided again.
    update public.estimate_revisions revision set answered_at = null
    where revision.estimate_id = new.id and revision.answered_at is not null
      and revision.revision = (internal.offered_revision(new.id)).revision;
    perform internal.close_if_decided(new.id, (internal.offered_revision(new.id)).revision);
  end loop;
  return null;
end
$$;
comment on function internal.note_other_record() is
  'When another record voids approvals: a line of history, and what was handed over last can be answered again.';
create trigger note_other_record after update on public.estimates
  for each row when ((old.person_id, old.car_id) is distinct from (new.person_id, new.car_id))
  execute function internal.note_other_record();

create function internal.note_changed_details() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  former constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  details_then constant jsonb := internal.details_of_document(former);
  details_now constant jsonb := internal.details_of_document(new.document);
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;
comment on function internal.note_changed_details() is
  'A line of history with what a revision says of customer and vehicle otherwise than the one that was handed over before.';
create trigger note_changed_details after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null and new.revision > 1)
  execute function internal.note_changed_details();

create function internal.details_of_document(document jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (document -> 'vehicle') || jsonb_build_object(
    'name', document -> 'customerName', 'email', document -> 'customerEmail', 'phone', document -> 'customerPhone');
comment on function internal.details_of_document(jsonb) is 'Whose and of which vehicle a frozen revision is, in one object.';

create function internal.note_corrected_record() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  details constant text[] := '{name,email,phone,year,make,model,color,plate,vin}';
  row_then constant jsonb := internal.details_of_record(to_jsonb(old), details);
  row_now constant jsonb := internal.details_of_record(to_jsonb(new), details);
begin
  if row_then <> row_now then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      internal.changed_columns(row_then, row_now), internal.changed_columns(row_now, row_then))
    from public.estimates estimate
    where case tg_table_name when 'people' then estimate.person_id else estimate.car_id end = new.id
      and exists (select from internal.binding_lines(estimate.id) line where line.decision = 'approved')
      and internal.estimate_state(estimate) <> 'invoiced';
  end if;
  return null;
end
$$;
comment on function internal.note_corrected_record() is
  'A line of history in each estimate with an approval whose customer or vehicle was corrected on its own page.';

create function internal.details_of_record(whole jsonb, details text[]) returns jsonb
  language sql immutable
  set search_path = ''
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(whole) where key = any (details));
comment on function internal.details_of_record(jsonb, text[]) is 'Of a row the columns that are named.';
-- An erasure is no correction: the admin's own request is one.
create trigger note_corrected_record after update on public.people
  for each row when (internal.is_admin()) execute function internal.note_corrected_record();
create trigger note_corrected_record after update on public.cars
  for each row when (internal.is_admin()) execute function internal.note_corrected_record();

create or replace function internal.read_person_export(person_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
begin
  select * into person from public.people where id = internal.person_now(read_person_export.person_id) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  whom := internal.merged_into_person(person.id);
  return jsonb_build_object(
    'person', to_jsonb(person) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.person_contacts where person_id = any ($1) order by id', whom),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.person_notes where person_id = any ($1) order by created_at', whom),
    'cars', internal.rows_as_json('select id, year, make, model, color, plate, vin, note, created_at from public.cars where person_id = any ($1) order by created_at', whom),
    'odometer', internal.rows_as_json('select reading.car_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.cars car on car.id = reading.car_id where car.person_id = any ($1) order by read_on', whom),
    'visits', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, shop_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      car_id, created_at from public.bookings where person_id = any ($1) order by appointment_date, appointment_time', whom),
    'visit_story', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.person_id = any ($1) order by event.id', whom),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where person_id = any ($1) order by created_at', whom),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where person_id = any ($1)) order by created_at', whom),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at from public.estimates where person_id = any ($1) order by created_at', whom),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.person_id = any ($1) order by estimate_id, revision', whom),
    'authorizations', internal.rows_as_json('select said.* from public.authorizations said
      join public.estimates estimate on estimate.id = said.estimate_id where estimate.person_id = any ($1) order by said.id', whom),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.person_id = any ($1) order by event.id', whom),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where person_id = any ($1))
         or estimate_id in (select id from public.estimates where person_id = any ($1)) order by created_at', whom),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where person_id = any ($1))
         or task.estimate_id in (select id from public.estimates where person_id = any ($1)) order by note.created_at', whom),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, made_at from public.invoice_links
      where person_id = any ($1) order by made_at', whom),
    'payments', internal.rows_as_json('select invoice_id, invoice_number, amount_cents, overpaid_cents, currency, outcome, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoice_links where person_id = any ($1)) order by paid_at', whom),
    'letters', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.emails_of_person(person) order by created_at', whom));
end
$$;
