-- A job that became other work at the same price passed for approved: its customer had never seen what they were asked to
-- pay for (16 CCR 3354).

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

create or replace function internal.close_if_decided(wanted_id uuid, wanted_revision integer) returns void
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

create or replace function internal.read_offer(estimate_id uuid) returns jsonb
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

create or replace function internal.answer_offer(estimate_id uuid, revision_hash text, approved uuid[], person text, words text, wants_parts_back boolean)
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
