-- A body in the standard form keeps the columns that a row type had when the function was created. Databases of before the
-- first release have some from before later columns; this writes the same bodies again.

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

create or replace function internal.describe_save(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
      'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
        where totals.estimate_id = wanted_id and totals.revision = revision.revision),
      'problems', case when revision.frozen_at is null
        then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
    from public.estimates estimate
    cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
    where estimate.id = wanted_id
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

create or replace function internal.letters_that_wait() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', letter.id, 'kind', letter.kind, 'recipient_name', letter.recipient_name, 'recipient_email', letter.recipient_email,
      'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', letter.booking_id,
      'appointment_date', booking.appointment_date, 'quote_request_id', letter.quote_request_id, 'created_at', letter.created_at
    ) order by letter.created_at, letter.id), '[]')
    from internal.undelivered_letters() letter
    left join public.bookings booking on booking.id = letter.booking_id
    left join public.quote_requests quote on quote.id = letter.quote_request_id
  );

create or replace function internal.held_appointments() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'customer_name', customer_name, 'service_name', service_name, 'starts_at', lower(occupied),
      'held_until', held_until
    ) order by held_until, id), '[]')
    from (
      select * from public.bookings
      where held_until > internal.current_instant() and status not in ('cancelled', 'not_confirmed') and completed_at is null
      order by held_until, id limit 50
    ) held
  );

create or replace function internal.describe_found_person(person public.people, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', person.id, 'name', person.name, 'phone', person.phone, 'email', person.email,
      'cars', (select count(*) from public.cars where person_id = person.id and merged_into is null),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'lastVisit', max(booking.appointment_date) filter (where internal.has_come(booking, today)),
      'nextVisit', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_ahead(booking)),
      'askedOn', (select max(created_at) from public.quote_requests where person_id = person.id),
      'maybeSame', internal.maybe_same_people(person) <> '[]')
    from (select * from public.bookings known where known.person_id = person.id order by appointment_date desc limit 200) booking
  );
