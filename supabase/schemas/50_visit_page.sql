-- The visit page of one booking, which its customer opens by a signed link: the customer reads the booking, moves or
-- cancels it, or confirms that they will come. Each procedure checks the cut-offs of the booking rules and the
-- version of the booking that the page showed.

create table internal.visit_link_requests (
  mailbox_digest bytea primary key,
  mailbox text,
  requested_at timestamptz not null default now()
);
comment on table internal.visit_link_requests is
  'The requests of customers to receive the links to their bookings by email. A mailbox gets at most one such email '
  'per hour. Rows are deleted after a day.';
comment on column internal.visit_link_requests.mailbox_digest is
  'The SHA-256 hash of the mailbox, by which a repeated request of the same mailbox is recognized.';
comment on column internal.visit_link_requests.mailbox is
  'The mailbox, normalized by internal.normalize_mailbox; null after the request was processed.';

create index visit_link_requests_waiting on internal.visit_link_requests (requested_at) where mailbox is not null;

alter table internal.visit_link_requests enable row level security;

create function public.visit_page_token(booking_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to read secrets.
  language sql stable security definer set search_path = ''
  return (
    -- The signed message of the first link contains no version; the message of every later link contains the version.
    select internal.link_token(
      booking.id, 'visit ' || booking.id || case when booking.link_version > 1 then ' ' || booking.link_version else '' end)
    from public.bookings booking where booking.id = visit_page_token.booking_id
  );
comment on function public.visit_page_token(uuid) is
  'The token in the URL of a booking''s visit page, signed as in server/features/visit-page; null if the booking does '
  'not exist.';
grant execute on function public.visit_page_token(uuid) to service_role, shop_server;

create function public.read_visit_page_link(booking_id uuid, renew boolean default false) returns text
  -- Runs with the rights of the function's owner, because the admin has no right to call renew_links and
  -- visit_page_token. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(read_visit_page_link.booking_id, null);
  end if;
  return '/visit/' || public.visit_page_token(read_visit_page_link.booking_id);
end
$$;
comment on function public.read_visit_page_link(uuid, boolean) is
  'For the admin: the URL path of a booking''s visit page. If renew is true, the function creates a new path, and the '
  'earlier links to the booking and to its estimates stop working.';
grant execute on function public.read_visit_page_link(uuid, boolean) to authenticated;

create function internal.clear_attendance_confirmation() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (new.appointment_date, new.appointment_time) <> (old.appointment_date, old.appointment_time)
     or new.status in ('cancelled', 'no_show', 'not_confirmed') then
    new.attendance_confirmed_at := null;
  end if;
  return new;
end
$$;
comment on function internal.clear_attendance_confirmation() is
  'When a booking is moved, clears the customer''s confirmation that they will come, because the customer confirmed '
  'the earlier time. Also clears the confirmation when the status becomes cancelled, no_show or not_confirmed.';

create function internal.booking_starts_at(booking public.bookings) returns timestamptz
  language sql stable set search_path = ''
  return (select lower(booking.occupied) at time zone time_zone from public.shop);

create function internal.customer_change_refusal(booking public.bookings, seen_sequence integer, cutoff_minutes integer)
  returns text
  language plpgsql stable set search_path = '' as $$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
begin
  return case
    when booking.id is null then 'gone'
    when internal.booking_state(booking) = 'cancelled' then 'cancelled'
    when internal.booking_state(booking) not in ('confirmed', 'pending') or starts_at <= internal.current_instant() then 'over'
    when booking.held_until is not null then 'not_confirmed'
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when internal.current_instant() > starts_at - cutoff_minutes * interval '1 minute' then 'too_close'
  end;
end
$$;
comment on function internal.customer_change_refusal(public.bookings, integer, integer) is
  'The reason why a customer may not change a booking: gone (deleted), cancelled, over (the vehicle has arrived or '
  'the start is past), not_confirmed (held), version_conflict (the booking no longer has the calendar_sequence that '
  'the customer''s page showed), too_close (after the cut-off time for changes). Null if the customer may change '
  'the booking.';

create function internal.lock_booking_for_customer(wanted_id uuid) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  booking public.bookings;
begin
  -- The calendar lock comes first, as in changes by staff, so that no two transactions deadlock.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- With `for update`, this transaction could deadlock with a process that queues an email of this booking, because the
  -- foreign key of the email needs a key share lock on the booking.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$$;
comment on function internal.lock_booking_for_customer(uuid) is
  'Locks a booking for a change by its customer until the transaction ends, and returns it. All fields are null if '
  'the booking does not exist.';

create function internal.find_bay_for_customer(booking public.bookings, new_date date, new_time time) returns uuid
  language sql stable set search_path = ''
  return (
    select open.bay_id from internal.open_bays(new_date, new_time, booking.duration_minutes, booking.service_id) open
    where open.is_on_grid and not internal.is_bay_taken(
      open.bay_id, internal.booking_range(new_date, new_time, booking.duration_minutes), booking.id)
    order by open.bay_id = booking.bay_id desc nulls last, open.bay_rank limit 1
  );
comment on function internal.find_bay_for_customer(public.bookings, date, time) is
  'The bay for moving a booking to another time: its own bay if free, otherwise the first free bay; null when no bay is free.';

create function internal.move_booking_by_customer(booking_id uuid, seen_sequence integer, new_date date, new_time time)
  returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- The booking may already have the new time, for example after a second click or because the customer's page was
  -- outdated.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.customer_change_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.find_bay_for_customer(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, conflict_accepted_at = null, conflict_accepted_by = null
  where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('moved');
end
$$;
comment on function internal.move_booking_by_customer(uuid, integer, date, time) is
  'Moves a booking for its customer, who uses the visit page; the rules for visitors apply. The result contains '
  'either done (moved, or unchanged if the booking already has that time) or refused (slot_taken, or a code of '
  'customer_change_refusal or booking_refusal).';
grant execute on function internal.move_booking_by_customer(uuid, integer, date, time) to shop_server;

create function internal.cancel_booking_by_customer(booking_id uuid, seen_sequence integer)
  returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to call lock_booking_for_customer,
  -- customer_change_refusal and other functions.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
  refusal constant text := internal.customer_change_refusal(booking, seen_sequence, cutoff);
begin
  if refusal is not null then
    return case refusal when 'cancelled' then internal.action_done('unchanged') else internal.action_refused(refusal) end;
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  perform internal.save_booking_state(booking, 'cancelled');
  perform internal.set_booking_change_context(null);
  return internal.action_done('cancelled');
end
$$;
comment on function internal.cancel_booking_by_customer(uuid, integer) is
  'Cancels a booking for its customer, who uses the visit page. The time becomes free, booking_events records the '
  'customer as the source, and the customer counts as notified (reset_notification). The result contains either done '
  '(cancelled, or unchanged if the booking was already cancelled) or refused (a code of customer_change_refusal, such '
  'as too_close).';
grant execute on function internal.cancel_booking_by_customer(uuid, integer) to shop_server;

create function internal.last_cancellation(booking_id uuid) returns public.booking_events
  language sql stable set search_path = ''
  return (
    select event from public.booking_events event
    where event.booking_id = last_cancellation.booking_id and event.kind = 'cancelled' order by event.id desc limit 1
  );
comment on function internal.last_cancellation(uuid) is
  'The latest cancellation of a booking; null if the booking was never cancelled.';

create function internal.undo_cancellation_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable set search_path = '' as $$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- Checks the hours again, because the shop may have added a closure after the cancellation. A schedule conflict
    -- that staff accepted before is still accepted.
    when booking.bay_id is not null and booking.conflict_accepted_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.find_bay_for_reopened_booking(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.normalize_mailbox(booking.customer_email), internal.normalize_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$$;
comment on function internal.undo_cancellation_refusal(public.bookings, integer) is
  'The reason why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict (the '
  'booking changed since), over (the start is past), too_close (after the cut-off time for changes), outside_hours, '
  'slot_taken, too_many (five other open bookings); null if the customer may undo it.';

create function internal.undo_cancellation_by_customer(booking_id uuid, seen_sequence integer)
  returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to call lock_booking_for_customer,
  -- booking_state and other functions.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  refusal text;
begin
  if internal.booking_state(booking) in ('confirmed', 'pending') then
    return internal.action_done('unchanged');
  end if;
  refusal := case when booking.status = 'cancelled' then internal.undo_cancellation_refusal(booking, seen_sequence) else 'over' end;
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  perform internal.save_booking_state(booking, coalesce((internal.last_cancellation(booking.id)).before ->> 'state', 'confirmed'));
  perform internal.set_booking_change_context(null);
  return internal.action_done('restored');
end
$$;
comment on function internal.undo_cancellation_by_customer(uuid, integer) is
  'Undoes a cancellation that the customer made, if the time is still free. The result contains either done '
  '(restored, or unchanged if the booking is open) or refused (over if the booking is neither open nor cancelled, '
  'otherwise a code of undo_cancellation_refusal).';
grant execute on function internal.undo_cancellation_by_customer(uuid, integer) to shop_server;

create function internal.confirm_attendance(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  refusal constant text := internal.customer_change_refusal(booking, seen_sequence, 0);
begin
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  if booking.attendance_confirmed_at is not null then
    return internal.action_done('unchanged');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings set attendance_confirmed_at = internal.current_instant() where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('attendance_confirmed');
end
$$;
comment on function internal.confirm_attendance(uuid, integer) is
  'Records that the customer confirmed that they will come. The result contains either done (attendance_confirmed, '
  'or unchanged if the customer confirmed before) or refused (a code of customer_change_refusal, but never '
  'too_close, because no cut-off time applies to a confirmation).';
grant execute on function internal.confirm_attendance(uuid, integer) to shop_server;

create function internal.save_cancellation_reason(booking_id uuid, reason text) returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to write booking_events.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cancellation constant public.booking_events := internal.last_cancellation(booking_id);
  event_id bigint;
begin
  if booking.status is distinct from 'cancelled' or cancellation.source is distinct from 'customer' then
    return internal.action_refused('version_conflict');
  end if;
  if exists (select from public.booking_events event
             where event.booking_id = save_cancellation_reason.booking_id and kind = 'explained' and id > cancellation.id) then
    return internal.action_done('unchanged');
  end if;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'explained', 'customer', 'customer', save_cancellation_reason.reason) returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
  return internal.action_done('reason_saved');
end
$$;
comment on function internal.save_cancellation_reason(uuid, text) is
  'Records why a customer cancelled, once for each cancellation. The result contains either done (reason_saved, or '
  'unchanged if a reason was recorded before) or refused (version_conflict if the booking is not cancelled or staff '
  'cancelled it).';
grant execute on function internal.save_cancellation_reason(uuid, text) to shop_server;

create function internal.read_visit_page_history(booking_id uuid, time_zone text) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', event.kind, 'source', event.source, 'before', event.before, 'after', event.after,
      'at', to_char(event.happened_at at time zone read_visit_page_history.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by event.id), '[]')
    from (
      select id, kind, source, before, after, happened_at from public.booking_events known
      where known.booking_id = read_visit_page_history.booking_id order by id desc limit 100
    ) event
  );
comment on function internal.read_visit_page_history(uuid, text) is
  'The latest 100 events of a booking for its visit page, with times in shop time, without reasons and names.';

create function internal.read_visit_page(booking_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to call booking_starts_at,
  -- vehicle_facts and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit_page.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.booking_starts_at(booking);
  -- An automated program may have entered someone else's address in a flagged form, so the page of a flagged booking
  -- repeats none of the form's texts.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Checks whether the time is free only for held bookings and expired holds, because only their visit pages show
    -- this.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'wasEmailed', internal.has_change_email(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasConfirmedAttendance', booking.attendance_confirmed_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'canRestore', booking.status = 'cancelled' and internal.undo_cancellation_refusal(booking, booking.calendar_sequence) is null,
    'history', internal.read_visit_page_history(booking.id, zone)
  );
end
$$;
comment on function internal.read_visit_page(uuid) is
  'The data of a booking''s visit page, in shop time (server/features/visit-page/read-visit-page.ts); null if the '
  'booking does not exist.';
grant execute on function internal.read_visit_page(uuid) to shop_server;

create function internal.list_reschedule_times(booking_id uuid, day date) returns setof time
  -- Runs with the rights of the function's owner, because the server has no right to call open_spans,
  -- bay_can_do_service and other functions.
  language sql stable security definer set search_path = '' as $$
  with possible as materialized (
    select bay.id as bay_id, start, booking.id as booking_id, booking.duration_minutes, booking.service_id
    from public.bookings booking, public.booking_rules rules, public.bays bay,
         unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                         rules.slot_interval_minutes * interval '1 minute') start
    where booking.id = list_reschedule_times.booking_id and bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
  ), candidates as materialized (
    -- This subquery is materialized, so that PostgreSQL removes duplicate times before it checks the rules for each
    -- time.
    select distinct start, duration_minutes, service_id from possible
  ), allowed as materialized (
    select start from candidates
    where internal.booking_refusal(day, start::time, duration_minutes, service_id) is null
  )
  select distinct start::time from possible join allowed using (start)
  where not internal.is_bay_taken(bay_id, internal.booking_range(day, start::time, duration_minutes), possible.booking_id)
  order by 1
$$;
comment on function internal.list_reschedule_times(uuid, date) is
  'The times of a day to which a booking can be moved. The time that the booking itself occupies counts as free.';
grant execute on function internal.list_reschedule_times(uuid, date) to shop_server;

create function internal.request_visit_links(email text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write visit_link_requests, which
  -- holds email addresses.
  language plpgsql security definer set search_path = '' as $$
declare
  wanted constant text := internal.normalize_mailbox(email);
begin
  insert into internal.visit_link_requests as known (mailbox_digest, mailbox)
  values (sha256(convert_to(wanted, 'UTF8')), wanted)
  on conflict (mailbox_digest) do update set mailbox = excluded.mailbox, requested_at = now()
    where known.requested_at < now() - interval '1 hour';
end
$$;
comment on function internal.request_visit_links(text) is
  'Records a request to email the links to the bookings of an email address to this address, at most once an hour '
  'for a mailbox.';
grant execute on function internal.request_visit_links(text) to shop_server;

create function internal.claim_link_request() returns setof public.bookings
  -- Runs with the rights of the function's owner, because the server has no right to write visit_link_requests.
  language plpgsql security definer set search_path = '' as $$
declare
  request record;
begin
  delete from internal.visit_link_requests where requested_at < now() - interval '1 day';
  for request in
    select mailbox_digest, mailbox from internal.visit_link_requests
    where mailbox is not null order by requested_at for update skip locked
  loop
    update internal.visit_link_requests set mailbox = null where mailbox_digest = request.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.normalize_mailbox(booking.customer_email) = request.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Sample customers get no email.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- Each transaction sends at most one email; a mailbox without upcoming bookings gets no email.
    exit when found;
  end loop;
end
$$;
comment on function internal.claim_link_request() is
  'Processes the requests for booking links, oldest first, up to the first request whose mailbox has upcoming '
  'bookings. Returns these bookings: at most 20, earliest first. Returns no row if no request is left.';
grant execute on function internal.claim_link_request() to shop_server;

create function internal.read_visit_page_repair(booking_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read estimates, estimate_revisions
  -- and other tables.
  language sql stable security definer set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    -- The reader of the page is perhaps not the customer: a visitor who books under a customer's name with another
    -- email address also gets a link to this page. In that case, the function returns no estimate and no texts of
    -- tasks.
    booked as (
      select internal.unconfirmed_email(booking) is null as is_theirs from public.bookings booking where booking.id = read_visit_page_repair.booking_id
    ),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_page_repair.booking_id and (select is_theirs from booked)
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.id, task.status, task.created_at, task.ready_for_pickup_at,
        case when task.estimate_id is not null and booked.is_theirs then task.title else '' end as title,
        case when booked.is_theirs then task.customer_note else '' end as note
      from booked, public.tasks task
      where task.booking_id = read_visit_page_repair.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', title, 'status', status, 'note', note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, work.title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents, 'balanceCents', invoice.balance_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_page_repair.booking_id) invoice, zone
        where (select is_theirs from booked) and not exists (
          select from public.estimates taken
          where taken.booking_id = read_visit_page_repair.booking_id and internal.was_taken_from_visitor(taken, taken.booking_id))))
  );
comment on function internal.read_visit_page_repair(uuid) is
  'The repair on a booking''s visit page: the latest sent estimate with the URL path of its page, the tasks with their '
  'notes for the customer, and the invoice. The title of a task is shown only if it is the title of a job in an '
  'estimate that was sent to the customer.';
grant execute on function internal.read_visit_page_repair(uuid) to shop_server;
