-- The visit page, the day, the panel, the calendar, Today and the tasks each derived the state of a vehicle from a part of what
-- was known, and contradicted each other. They all read the same facts now, and domain/vehicle-state.ts decides.

create function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, paid_at timestamptz)
  language sql stable
  set search_path = ''
as $$
  select claim.number, claim.total_cents, paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) as at from public.payments payment
    where payment.invoice_id = claim.invoice_id and payment.outcome <> 'refunded'
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;
comment on function internal.booking_invoice(uuid) is
  'The invoice of the estimate that was handed over last for a booking; paid_at is null until it is paid in full.';

create function internal.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  security definer
  set search_path = ''
  return jsonb_build_object(
    'bookingState', internal.booking_state(booking),
    'hold', case when booking.held_until is null then 'none'
                 when booking.held_until > internal.current_instant() then 'running' else 'ended' end,
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('status', status, 'isReady', ready_for_pickup_at is not null)
                                order by created_at, id), '[]')
      from public.tasks where booking_id = booking.id),
    'isPaid', exists (select from internal.booking_invoice(booking.id) where paid_at is not null)
  );
comment on function internal.vehicle_facts(public.bookings) is
  'All that the state of a booking''s vehicle depends on (VehicleFacts of domain/vehicle-state.ts).';

create function public.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  security definer
  set search_path = ''
  return case when (select internal.is_admin()) then internal.vehicle_facts(booking) end;
comment on function public.vehicle_facts(public.bookings) is
  'A computed column of bookings: all that the state of the vehicle depends on.';
grant execute on function public.vehicle_facts(public.bookings) to authenticated;

create function internal.vehicle_state(facts jsonb) returns text
  language plpgsql immutable
  set search_path = ''
as $$
declare
  booking_state constant text := facts ->> 'bookingState';
  tasks constant jsonb := jsonb_path_query_array(facts, '$.tasks[*] ? (@.status != "cancelled")');
  statuses constant text[] := array(select task ->> 'status' from jsonb_array_elements(tasks) task);
begin
  return case
    when booking_state = 'completed' then 'picked_up'
    when booking_state in ('cancelled', 'no_show', 'not_confirmed') then booking_state
    when statuses <> '{}' and 'completed' = all (statuses) and tasks @> '[{"isReady": true}]' then
      case when (facts ->> 'isPaid')::boolean then 'ready_and_paid' else 'ready' end
    when booking_state in ('arrived', 'in_work') or 'in_progress' = any (statuses) then
      case when 'waiting_on_parts' = any (statuses) then 'waiting_on_parts'
           when 'waiting_on_customer' = any (statuses) then 'waiting_on_customer'
           when booking_state = 'in_work' or statuses && array['in_progress', 'completed'] then 'in_work'
           else 'here' end
    when facts ->> 'hold' = 'running' then 'held'
    when facts ->> 'hold' = 'ended' then 'not_confirmed'
    else 'expected'
  end;
end
$$;
comment on function internal.vehicle_state(jsonb) is
  'The state of a vehicle by its facts: vehicleState of domain/vehicle-state.ts, for queries that select by it.';

-- Starting a task marks its booking as in work, and the event says so; taking the start back takes that back.

alter table public.booking_events
  drop constraint booking_events_source_is_known,
  add constraint booking_events_source_is_known check (source in ('visitor', 'counter', 'customer', 'system', 'task'));
comment on column public.booking_events.source is
  'Who: a visitor of the site, the counter (the admin), the customer by the appointment''s own link, the admin by starting a task, '
  'or nobody.';
comment on column public.booking_events.changed_by_name is 'The admin''s username at the counter or at a task, else the source.';

create or replace function internal.source_of_change(kind text) returns text
  language sql stable
  set search_path = ''
  -- The role of the request, also where a procedure acts with its owner's rights.
  return case
    when internal.booking_note() ->> 'source' = 'task' then 'task'
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated') then 'visitor'
    when kind = 'confirmed' or internal.booking_note() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create or replace function internal.record_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  told constant text := case tg_op when 'INSERT' then 'booked' when 'DELETE' then 'deleted' else internal.kind_of_change(old, new) end;
  source constant text := internal.source_of_change(told);
  note constant jsonb := internal.booking_note();
  facts_before constant jsonb := case when tg_op <> 'INSERT' then internal.booking_facts(old) end;
  facts_after constant jsonb := case when tg_op <> 'DELETE' then internal.booking_facts(new) end;
  event_id bigint;
begin
  if told is not null then
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      coalesce(new.id, old.id), told, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_before, facts_after) else facts_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_after, facts_before) else facts_after end,
      nullif(trim(note ->> 'reason'), ''),
      array(select jsonb_array_elements_text(coalesce(note -> 'warnings', '[]')))
    ) returning id into event_id;
  end if;
  -- Ids only: whoever hears of them asks with rights of their own.
  perform pg_notify('bookings_changed', concat_ws(' ', coalesce(new.id, old.id), event_id));
  return null;
end
$$;

create function internal.set_state_by_task(booking_id uuid, new_state text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.set_booking_note('{"source": "task", "may_leave_unplaced": true}');
  update public.bookings set status = new_state
  where id = set_state_by_task.booking_id and completed_at is null and status <> new_state;
  perform internal.set_booking_note(null);
end
$$;
comment on function internal.set_state_by_task(uuid, text) is 'Changes the status of an open booking because of one of its tasks.';

create function internal.state_before_task(booking_id uuid) returns text
  language sql stable
  set search_path = ''
  return (
    select case when event.kind = 'started' and event.source = 'task' then event.before ->> 'state' end
    from public.booking_events event
    where event.booking_id = state_before_task.booking_id and event.before ? 'state'
    order by event.id desc limit 1
  );
comment on function internal.state_before_task(uuid) is
  'The state from which a task took a booking into work; null unless that was the last change of its state.';

create function internal.follow_task() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  is_started constant boolean := tg_op = 'UPDATE' and new.status = 'in_progress' and old.status <> 'in_progress';
  is_taken_back constant boolean := case tg_op when 'UPDATE' then new.status = 'pending' and old.status <> 'pending'
                                               else old.status = 'in_progress' end;
  state_before text;
begin
  if is_started and exists (
    select from public.bookings booking
    join internal.booking_transitions step on step.from_state = internal.booking_state(booking)
    where booking.id = new.booking_id and step.to_state = 'in_work' and step.kind = 'started'
  ) then
    perform internal.set_state_by_task(new.booking_id, 'in_work');
  elsif is_taken_back
    and exists (select from public.bookings where id = old.booking_id and status = 'in_work' and completed_at is null)
    and not exists (select from public.tasks other
                    where other.booking_id = old.booking_id and other.id <> old.id and other.status not in ('pending', 'cancelled'))
  then
    state_before := internal.state_before_task(old.booking_id);
    if state_before is not null then
      perform internal.set_state_by_task(old.booking_id, state_before);
    end if;
  end if;
  if old.booking_id is not null then
    perform pg_notify('bookings_changed', old.booking_id::text);
  end if;
  return null;
end
$$;
comment on function internal.follow_task() is
  'A booking follows its tasks: in work once one is started, back as it was when the start of the only one is taken back (to '
  'pending, or deleted while in progress). Open dashboards hear of each change, because the state of the vehicle depends on it.';
create trigger follow_task_status after update of status, ready_for_pickup_at on public.tasks
  for each row when (old.status <> new.status or old.ready_for_pickup_at is distinct from new.ready_for_pickup_at)
  execute function internal.follow_task();
create trigger follow_task_deletion after delete on public.tasks
  for each row when (old.booking_id is not null) execute function internal.follow_task();

create trigger change_calendar_alone before delete on public.tasks
  for each statement when (current_user = 'authenticated') execute function internal.change_calendar_alone();

create or replace function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql
  set search_path = ''
as $$
declare
  task public.tasks;
begin
  -- The order of every change of a booking: the calendar, the booking, what belongs to it.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

-- A vehicle that waits for its pickup stays ready, however many tasks are completed after its own.

create or replace function public.clean_up_tasks(task_ids uuid[]) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Only what is still completed: a task that was reopened meanwhile is work again.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;
comment on function public.clean_up_tasks(uuid[]) is
  'Takes completed tasks off the list: deletes them, or keeps out of sight those of an estimate and those of a vehicle that was '
  'not picked up. How many were taken.';

-- The readers.

create or replace function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'vehicle_facts', internal.vehicle_facts(booking),
    'will_come', booking.answered_at is not null,
    'needs_notification', internal.needs_notification(booking),
    'notified_starts_at', booking.notified_starts_at, 'notified_cancelled', booking.notified_cancelled,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'person_id', booking.person_id, 'car_id', booking.car_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );

create or replace function internal.describe_visit(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'vehicleFacts', internal.vehicle_facts(booking),
    'carId', booking.car_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.answered_at is not null);

create or replace function internal.cars_here(moment timestamp) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  -- By the index of dates: one that began earlier is at most as long as any may be (14 days).
  where appointment_date between moment::date - 14 and moment::date
    and occupied && tsrange(moment::date, moment::date + 1)
    and status = 'arrived' and completed_at is null
    and internal.vehicle_state(internal.vehicle_facts(booking)) = 'here'
$$;

create or replace function internal.tasks_with_customers() returns jsonb
  language sql stable
  set search_path = ''
  return (
    with waiting as (
      select task.id, task.title, task.booking_id, booking.customer_name, task.ready_for_pickup_at is not null as is_ready,
             case when booking.id is not null then internal.vehicle_facts(booking)
                  -- Without a booking the task is all that is known of a vehicle that is here.
                  else jsonb_build_object('bookingState', 'in_work', 'hold', 'none', 'isPaid', false, 'tasks', jsonb_build_array(
                    jsonb_build_object('status', task.status, 'isReady', task.ready_for_pickup_at is not null))) end as facts,
             coalesce(task.ready_for_pickup_at,
                      (select max(created_at) from public.task_status_history
                       where task_id = task.id and new_status = 'waiting_on_customer' and old_status <> new_status),
                      task.created_at) as since
      from public.tasks task left join public.bookings booking on booking.id = task.booking_id
      where task.status = 'waiting_on_customer' or task.ready_for_pickup_at is not null
    ),
    shown as (
      select distinct on (coalesce(booking_id, id), is_ready) *
      from waiting
      where internal.vehicle_state(facts) = any (case when is_ready then array['ready', 'ready_and_paid']
        else array['held', 'expected', 'here', 'in_work', 'waiting_on_parts', 'waiting_on_customer'] end)
      order by coalesce(booking_id, id), is_ready, since desc, id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'customer_name', customer_name, 'vehicle_facts', facts, 'since', since
    ) order by since, id), '[]')
    from (select * from shown order by since, id limit 50) oldest
  );
comment on function internal.tasks_with_customers() is
  'What waits for its customer, the 50 that do longest: tasks with a question to them, and vehicles that are ready for pickup '
  '(by the task that was marked last). What was picked up, cancelled or missed waits no more.';

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
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_work.booking_id) invoice, zone))
  );

create or replace function internal.read_visit(booking_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.visit_starts_at(booking);
  -- A machine may have typed the address of somebody who knows nothing of it: they read none of its words.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Only what was not confirmed in time asks for it.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasLetter', internal.has_letter_of_change(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasAnswered', booking.answered_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.visit_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.visit_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.take_back_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.tell_story(booking.id, zone)
  );
end
$$;
drop function internal.visit_state(public.bookings);

-- What was declined a minute ago, in the repair that is open, was not declined last time.

create or replace function public.read_facts(booking_id uuid default null, person_id uuid default null) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person public.people;
  today constant date := internal.shop_now()::date;
begin
  select * into booking from public.bookings known where known.id = read_facts.booking_id;
  person := internal.read_known_person(coalesce(booking.person_id, read_facts.person_id));
  return jsonb_build_object(
    'personId', person.id, 'carId', booking.car_id, 'typedEmails', internal.typed_emails(person.id),
    'noShows', (select count(*) from public.bookings missed where missed.person_id = person.id and missed.status = 'no_show'),
    'lastHere', (
      select internal.describe_visit(known) from public.bookings known
      where known.person_id = person.id and known.id is distinct from booking.id and internal.has_come(known, today)
        and (booking.id is null or known.occupied < booking.occupied)
      order by known.appointment_date desc, known.appointment_time desc limit 1),
    'ahead', (
      select coalesce(jsonb_agg(internal.describe_visit(known) order by known.occupied), '[]')
      from public.bookings known
      where known.person_id = person.id and known.id is distinct from booking.id and known.appointment_date >= today - 14
        and internal.is_ahead(known)),
    'declined', (
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'carId', estimate.car_id)), '[]')
      from (
        select distinct on (known.car_id) known.* from public.estimates known
        where known.person_id = person.id and (booking.car_id is null or known.car_id = booking.car_id)
          and known.thread_id is distinct from booking.thread_id
          and exists (select from public.authorizations said where said.estimate_id = known.id)
        order by known.car_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.declined_of(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'carId', estimate.car_id)), '[]')
      from public.estimates estimate
      where estimate.person_id = person.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$$;
