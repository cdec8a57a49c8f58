-- The link of an estimate ends: when staff change the email address of a sent estimate, and when they make a new link. Answers
-- that somebody gave who should never have had the link are withdrawn, each by a line of the ledger.

alter table public.estimate_revisions
  add column sent_to text constraint estimate_revisions_sent_to_is_short check (length(sent_to) <= 254);
comment on column public.estimate_revisions.sent_to is 'The address to which it was last sent.';
update public.estimate_revisions set sent_to = document ->> 'customerEmail' where sent_at is not null;

create function internal.note_recipient() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.sent_to := (select customer_email from public.estimates where id = new.estimate_id);
  return new;
end
$$;
comment on function internal.note_recipient() is 'Notes with each sending to which address a revision was sent.';
create trigger note_recipient before update of sent_at on public.estimate_revisions
  for each row when (new.sent_at is not null) execute function internal.note_recipient();

alter table public.authorizations
  add column link_version integer,
  add column withdraws_id bigint references public.authorizations,
  drop constraint authorizations_method_is_known,
  add constraint authorizations_method_is_known
    check (method in ('web', 'in_person', 'phone', 'text', 'email', 'signature', 'shop'));
comment on column public.authorizations.link_version is 'By which link of the estimate a customer answered on the page; else null.';
comment on column public.authorizations.withdraws_id is
  'The answer that the shop withdraws because the estimate was sent to the wrong recipient: neither line counts.';
alter table public.authorizations disable trigger refuse_rewriting;
update public.authorizations line set link_version = estimate.link_version
from public.estimates estimate where estimate.id = line.estimate_id and line.method = 'web';
alter table public.authorizations enable trigger refuse_rewriting;
alter table public.authorizations
  add constraint authorizations_withdraw_for_the_shop check ((method = 'shop') = (withdraws_id is not null)),
  add constraint authorizations_withdraw_by_name check (withdraws_id is null or decision = 'withdrawn');
create unique index authorizations_withdrawn_once on public.authorizations (withdraws_id);

create or replace function internal.void_because(line public.authorizations, estimate public.estimates) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- What was billed was approved, whatever is put right in the records later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.person_id is not null and line.person_id is distinct from estimate.person_id
      and internal.last_person_of(line.person_id) is distinct from internal.last_person_of(estimate.person_id) then 'customer'
    when line.car_id is not null and line.car_id is distinct from estimate.car_id
      and internal.car_now(line.car_id) is distinct from internal.car_now(estimate.car_id) then 'vehicle'
  end
$$;
comment on function internal.void_because(public.authorizations, public.estimates) is
  'Why a line of the ledger does not count: wrong_recipient (withdrawn, or the line that withdraws), customer (another customer '
  'record), vehicle (another vehicle record); null while it counts.';

create or replace function internal.fill_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  authorized_before bigint;
begin
  -- One after the other, or two running totals would miss each other.
  select person_id, car_id, case new.method when 'web' then link_version end into new.person_id, new.car_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- What the job may cost without the answer that is withdrawn.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;

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
  elsif tg_op = 'UPDATE' and internal.handed_over_at(new.id) is not null and former is not null and not internal.is_erased(former)
      and (names_the_same or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- An address or a number that was put right is of the same customer, whose else it may be.
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

create or replace function internal.note_changed_details() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  former constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A change of the address of a sent estimate has its own line.
  told constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former) - told;
  details_now constant jsonb := internal.details_of_document(new.document) - told;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;

create function internal.end_link_of_old_address() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_revisions where estimate_id = new.id and sent_at is not null) then
    new.link_version := old.link_version + 1;
    -- An erasure is no change of an address.
    if internal.is_admin() then
      perform internal.add_estimate_event(new.id, 'address_changed',
        jsonb_build_object('email', old.customer_email), jsonb_build_object('email', new.customer_email));
    end if;
  end if;
  return new;
end
$$;
comment on function internal.end_link_of_old_address() is
  'Ends the link of a sent estimate when its email address changes, with a line of history: whoever has the old mailbox opens nothing.';
create trigger end_link_of_old_address before update of customer_email on public.estimates
  for each row when (lower(trim(old.customer_email)) <> lower(trim(new.customer_email)))
  execute function internal.end_link_of_old_address();

create function internal.withdraw_answers(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  former record;
  act uuid;
begin
  for former in
    select line.act_id, min(line.id) from public.authorizations line
    where line.estimate_id = estimate.id and line.method = 'web'
      and (line.link_version = estimate.link_version or lower(line.contact) = lower(estimate.customer_email))
      and not exists (select from public.authorizations later where later.withdraws_id = line.id)
    group by line.act_id order by min(line.id)
  loop
    act := gen_random_uuid();
    insert into public.authorizations (
      estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, contact, words, said_at, recorded_by, withdraws_id)
    select line.estimate_id, line.revision, line.revision_hash, line.job_key, act, 'withdrawn', 'shop', internal.author_name(null),
      line.contact, 'withdrawn: wrong recipient', internal.current_instant(), internal.author_name(null), line.id
    from public.authorizations line where line.act_id = former.act_id order by line.id;
  end loop;
  update public.estimate_revisions revision set answered_at = null, seen_at = null
  where revision.estimate_id = estimate.id and revision.revision = (internal.offered_revision(estimate.id)).revision;
  perform internal.close_if_decided(estimate.id, (internal.offered_revision(estimate.id)).revision);
end
$$;
comment on function internal.withdraw_answers(public.estimates) is
  'Withdraws each answer that was given by the link of an estimate, or from its address, with a line of the ledger; what was sent '
  'last can be answered again.';

create function public.change_estimate_email(estimate_id uuid, seen_version integer, email text, reason text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  new_email constant text := trim(change_estimate_email.email);
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(change_estimate_email.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if reason is null or reason not in ('new_address', 'wrong_recipient') then
    raise exception 'An address changes because it is new, or because the old one was wrong.' using errcode = '22023', hint = 'invalid_reason';
  end if;
  if reason = 'wrong_recipient' then
    perform internal.withdraw_answers(estimate);
  end if;
  update public.estimates
  set customer_email = new_email, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;
comment on function public.change_estimate_email(uuid, integer, text, text) is
  'Changes the email address of an estimate without a new revision. reason: new_address (answers stay), wrong_recipient (each answer '
  'by the old link is withdrawn). Refused (TT075) once it has its invoice. Answers as save_estimate.';
grant execute on function public.change_estimate_email(uuid, integer, text, text) to authenticated;

create function internal.renew_links(wanted_booking uuid, wanted_estimate uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  estimate uuid;
begin
  if wanted_booking is not null then
    perform internal.take_booking(wanted_booking);
    update public.bookings set link_version = link_version + 1 where id = wanted_booking;
  end if;
  for estimate in
    update public.estimates known set link_version = known.link_version + 1
    where known.id = wanted_estimate or known.booking_id = wanted_booking returning known.id
  loop
    if internal.handed_over_at(estimate) is not null then
      perform internal.add_estimate_event(estimate, 'relinked');
    end if;
  end loop;
end
$$;
comment on function internal.renew_links(uuid, uuid) is
  'Ends all links of an appointment and of its estimates, or of an estimate that has no appointment.';

create or replace function public.read_visit_link(booking_id uuid, renew boolean default false) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(read_visit_link.booking_id, null);
  end if;
  return '/visit/' || public.visit_token(read_visit_link.booking_id);
end
$$;
comment on function public.read_visit_link(uuid, boolean) is
  'The path of an appointment''s private page, for whoever at the counter asks for this one; with renew a new one, and those '
  'of before open nothing, those of its estimates neither.';

create function public.read_estimate_link(estimate_id uuid, renew boolean default false) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(
      (select booking_id from public.estimates where id = read_estimate_link.estimate_id), read_estimate_link.estimate_id);
  end if;
  return '/estimate/' || internal.estimate_token(read_estimate_link.estimate_id);
end
$$;
comment on function public.read_estimate_link(uuid, boolean) is
  'The path of the page of an estimate, for the admin; with renew a new one, and those of before open nothing, those of its '
  'appointment neither.';
grant execute on function public.read_estimate_link(uuid, boolean) to authenticated;

create or replace function internal.read_offer(estimate_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select (offered.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', offered.hash,
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

create or replace function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', estimate.customer_email,
        'phone', revision.document ->> 'customerPhone'),
      'vehicle', revision.document -> 'vehicle', 'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(revision.document -> 'jobs') with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    join public.estimates estimate on estimate.id = revision.estimate_id
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );

create or replace function internal.untold_approvals(most integer) returns table (estimate_id uuid, act_id uuid)
  language sql stable
  security definer
  set search_path = ''
as $$
  select line.estimate_id, line.act_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and internal.void_because(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails letter
      where letter.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.act_id)
  group by line.estimate_id, line.act_id
  order by min(line.id)
  limit most
$$;

create function internal.misdirected_offer_because(wanted_id uuid, recipient text) returns text
  language sql stable
  security definer
  set search_path = ''
as $$
  select 'Not sent: the customer has another address.'
  from public.estimates where id = wanted_id and lower(trim(customer_email)) <> lower(trim(recipient))
$$;
comment on function internal.misdirected_offer_because(uuid, text) is
  'Why an email that offers an estimate must not leave to an address; null while it is the address of its customer.';
grant execute on function internal.misdirected_offer_because(uuid, text) to shop_server, service_role;

create or replace function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when not rules.leaves_at_night and internal.is_night() then 'Not sent in time: it is night.'
    when rules.agrees_with = 'offer' then coalesce(
      internal.outdated_offer_because(email.estimate_id, email.estimate_revision),
      internal.misdirected_offer_because(email.estimate_id, email.recipient_email))
    when rules.agrees_with = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when rules.agrees_with = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.agrees_with = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.person_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;

create or replace function internal.with_live_links(body text, recipient_email text) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  alive text := body;
  written text;
  live text;
begin
  for written in
    select distinct token[1] from regexp_matches(body, '/visit/([A-Za-z0-9_-]{43})', 'g') token
  loop
    -- Whoever typed a link that was replaced, into a note or a name, gets no live one for it: only the mailbox that the
    -- appointment was booked with does.
    select public.visit_token(booking.id) into live
    from public.bookings booking
    where booking.id
          = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(booking.customer_email) = lower(with_live_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/visit/' || written, '/visit/' || live);
    end if;
  end loop;
  for written in
    select distinct token[1] from regexp_matches(body, '/estimate/([A-Za-z0-9_-]{43})', 'g') token
  loop
    select internal.estimate_token(estimate.id) into live
    from public.estimates estimate
    where estimate.id = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(estimate.customer_email) = lower(with_live_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/estimate/' || written, '/estimate/' || live);
    end if;
  end loop;
  return alive;
end
$$;
comment on function internal.with_live_links(text, text) is
  'The words of an email with the links of its recipient''s appointments and estimates as they are now.';

create function internal.was_taken_from_visitor(estimate public.estimates, wanted_booking uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (
    select from public.bookings booking
    join public.estimate_events event on event.estimate_id = estimate.id and event.kind = 'address_changed'
    where booking.id = wanted_booking and lower(booking.customer_email) = lower(event.before ->> 'email')
      and lower(booking.customer_email) <> lower(estimate.customer_email))
$$;
comment on function internal.was_taken_from_visitor(public.estimates, uuid) is
  'Whether an estimate was sent to the address of its appointment and has another address since: the page of the appointment, '
  'whose link is in the old mailbox, does not lead to it.';

create or replace function internal.read_visit_work(booking_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_work.booking_id
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.* from public.tasks task
      where task.booking_id = read_visit_work.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', case when estimate_id is null then '' else title end, 'status', status, 'note', customer_note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, case when work.estimate_id is null then '' else work.title end as title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', claim.number, 'totalCents', claim.total_cents,
          'isPaid', paid.at is not null,
          'paidAt', to_char(paid.at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from public.estimate_invoices claim
        cross join zone
        left join lateral (
          select max(payment.paid_at) as at from public.payments payment
          where payment.invoice_id = claim.invoice_id and payment.outcome <> 'refunded'
          having sum(payment.amount_cents) >= claim.total_cents
        ) paid on true
        where claim.estimate_id = (select id from handed_over) and claim.state = 'made'))
  );

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
    'sentAt', offered.sent_at, 'sentTo', offered.sent_to, 'seenAt', offered.seen_at, 'answeredAt', offered.answered_at,
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
