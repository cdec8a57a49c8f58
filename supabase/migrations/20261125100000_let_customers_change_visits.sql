-- Whoever has an appointment's link moves it, cancels it, takes it back and says that they come: by the rules for visitors,
-- by the shop's cut-offs, and with a line in its story for each.

alter table public.bookings
  add column link_version integer not null default 1,
  add column answered_at timestamptz;
comment on column public.bookings.link_version is 'Which link opens its private page: a higher one makes those of before worthless.';
comment on column public.bookings.answered_at is
  'When its customer said that they will come at the time that it has now; null after a move or a cancellation.';

alter table public.booking_rules add column tell_shop_of_changes boolean not null default false;
comment on column public.booking_rules.tell_shop_of_changes is
  'Whether the shop gets a letter when a customer moves or cancels a visit; the dashboard hears of it anyway.';
grant update (tell_shop_of_changes) on public.booking_rules to authenticated;

alter table public.booking_events
  drop constraint booking_events_kind_is_known,
  add constraint booking_events_kind_is_known check (kind in (
    'booked', 'moved', 'placed', 'extended', 'shortened', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
    'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked'));
comment on column public.booking_events.kind is
  'booked; moved (day, time, or from one bay to another); placed (into a bay, from none); extended, shortened; a state that was '
  'reached (internal.booking_transitions); kept (a hold, or one that lies outside the hours); confirmed (by the link in its '
  'e-mail), not_confirmed (nobody did); answered (the customer will come), explained (the customer said why it was cancelled); '
  'relinked (its private page has a new link); changed (to a status that staff wrote); deleted.';

create or replace function public.visit_token(booking_id uuid) returns text
  language sql stable
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256(
             -- The first link is signed as it was before there was another.
             'visit ' || booking.id || case when booking.link_version > 1 then ' ' || booking.link_version else '' end,
             value) from 1 for 16), 'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = visit_token.booking_id
  );
comment on function public.visit_token(uuid) is
  'What the address of an appointment''s private page ends in now, as server/features/visit signs it; null when there is none.';
grant execute on function public.visit_token(uuid) to shop_server;

create function public.read_visit_link(booking_id uuid, renew boolean default false) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.take_booking(read_visit_link.booking_id);
    update public.bookings set link_version = link_version + 1 where id = read_visit_link.booking_id;
  end if;
  return '/visit/' || public.visit_token(read_visit_link.booking_id);
end
$$;
comment on function public.read_visit_link(uuid, boolean) is
  'The path of an appointment''s private page, for whoever at the counter asks for this one; with renew a new one, and those '
  'of before open nothing.';
grant execute on function public.read_visit_link(uuid, boolean) to authenticated;

create or replace function internal.kind_of_change(before public.bookings, after public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.kept_at is null and after.kept_at is not null)
      then 'kept'
    when before.answered_at is null and after.answered_at is not null then 'answered'
    when before.link_version <> after.link_version then 'relinked'
  end;
end
$$;

create or replace function internal.source_of_change(kind text) returns text
  language sql stable
  set search_path = ''
  -- The role of the request, also where a procedure acts with its owner's rights.
  return case
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated') then 'visitor'
    when kind = 'confirmed' or internal.booking_note() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create function internal.forget_answer() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if (new.appointment_date, new.appointment_time) <> (old.appointment_date, old.appointment_time)
     or new.status in ('cancelled', 'no_show', 'not_confirmed') then
    new.answered_at := null;
  end if;
  return new;
end
$$;
comment on function internal.forget_answer() is 'Who said that they come at one time has not said it of another.';
create trigger forget_answer before update on public.bookings
  for each row when (old.answered_at is not null) execute function internal.forget_answer();

create function internal.visit_starts_at(booking public.bookings) returns timestamptz
  language sql stable
  set search_path = ''
  return (select lower(booking.occupied) at time zone time_zone from public.shop);
comment on function internal.visit_starts_at(public.bookings) is 'The instant at which an appointment begins.';

create function internal.visit_refusal(booking public.bookings, seen_sequence integer, cutoff_minutes integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.visit_starts_at(booking);
begin
  return case
    when booking.id is null then 'gone'
    when internal.booking_state(booking) = 'cancelled' then 'cancelled'
    when internal.booking_state(booking) not in ('confirmed', 'pending') or starts_at <= internal.current_instant() then 'over'
    when booking.held_until is not null then 'not_confirmed'
    when booking.calendar_sequence is distinct from seen_sequence then 'changed_meanwhile'
    when internal.current_instant() > starts_at - cutoff_minutes * interval '1 minute' then 'too_close'
  end;
end
$$;
comment on function internal.visit_refusal(public.bookings, integer, integer) is
  'Why a customer may not change an appointment of which they saw this calendar_sequence: gone, cancelled, over, not_confirmed (a '
  'hold waits for its click), changed_meanwhile, too_close (the cut-off has passed); null when they may.';

create function internal.take_visit(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  -- As staff do: first, so that nobody waits crosswise.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  select * into booking from public.bookings where id = wanted_id for update;
  return booking;
end
$$;
comment on function internal.take_visit(uuid) is
  'An appointment that its customer alone changes until the transaction ends; all null when there is none.';

create function internal.visit_bay(booking public.bookings, new_date date, new_time time) returns uuid
  language sql stable
  set search_path = ''
  return (
    select open.bay_id from internal.open_bays(new_date, new_time, booking.duration_minutes, booking.service_id) open
    where open.is_on_grid and not internal.is_taken(
      open.bay_id, internal.span_of(new_date, new_time, booking.duration_minutes), booking.id)
    order by open.bay_id = booking.bay_id desc nulls last, open.bay_position limit 1
  );
comment on function internal.visit_bay(public.bookings, date, time) is
  'Where an appointment can be at another time, as if it were not there: its own bay, or the first that is free; null for none.';

create function internal.move_visit(booking_id uuid, seen_sequence integer, new_date date, new_time time) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- A second click, or one of an old tab that asks for what is so already.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return 'unchanged';
  end if;
  refusal := coalesce(
    internal.visit_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return refusal;
  end if;
  bay := internal.visit_bay(booking, new_date, new_time);
  if bay is null then
    return 'slot_taken';
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, kept_at = null, kept_by = null
  where id = booking.id;
  perform internal.set_booking_note(null);
  return 'moved';
end
$$;
comment on function internal.move_visit(uuid, integer, date, time) is
  'Moves an appointment by its private page, as long as it is and by the rules for visitors, in one statement. moved, unchanged '
  '(it is there already), slot_taken, or why not: a code of visit_refusal or of booking_refusal.';

create function internal.cancel_visit(booking_id uuid, seen_sequence integer) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, cutoff);
begin
  if refusal is not null then
    return case refusal when 'cancelled' then 'unchanged' else refusal end;
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, 'cancelled');
  perform internal.set_booking_note(null);
  return 'cancelled';
end
$$;
comment on function internal.cancel_visit(uuid, integer) is
  'Cancels an appointment by its private page: cancelled, unchanged (it is already), or a code of visit_refusal.';

create function internal.last_cancellation(booking_id uuid) returns public.booking_events
  language sql stable
  set search_path = ''
  return (
    select event from public.booking_events event
    where event.booking_id = last_cancellation.booking_id and event.kind = 'cancelled' order by event.id desc limit 1
  );
comment on function internal.last_cancellation(uuid) is 'Who cancelled an appointment last, and what it was before; null when nobody did.';

create function internal.take_back_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.visit_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'changed_meanwhile'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    when booking.bay_id is not null and internal.bay_to_return_to(booking) is null then 'slot_taken'
  end;
end
$$;
comment on function internal.take_back_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), changed_meanwhile, over, too_close, '
  'slot_taken; null when they may.';

create function internal.take_visit_back(booking_id uuid, seen_sequence integer) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal text;
begin
  if internal.booking_state(booking) in ('confirmed', 'pending') then
    return 'unchanged';
  end if;
  refusal := case when booking.status = 'cancelled' then internal.take_back_refusal(booking, seen_sequence) else 'over' end;
  if refusal is not null then
    return refusal;
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, coalesce((internal.last_cancellation(booking.id)).before ->> 'state', 'confirmed'));
  perform internal.set_booking_note(null);
  return 'taken_back';
end
$$;
comment on function internal.take_visit_back(uuid, integer) is
  'Undoes a customer''s own cancellation while the time is free: taken_back, unchanged (it stands), or a code of take_back_refusal.';

create function internal.answer_visit(booking_id uuid, seen_sequence integer) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, 0);
begin
  if refusal is not null or booking.answered_at is not null then
    return coalesce(refusal, 'unchanged');
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings set answered_at = internal.current_instant() where id = booking.id;
  perform internal.set_booking_note(null);
  return 'answered';
end
$$;
comment on function internal.answer_visit(uuid, integer) is
  'The customer will come: answered, unchanged (they said so), or a code of visit_refusal. There is no cut-off.';

create function internal.explain_visit(booking_id uuid, reason text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cancellation constant public.booking_events := internal.last_cancellation(booking_id);
  event_id bigint;
begin
  if booking.status is distinct from 'cancelled' or cancellation.source is distinct from 'customer' then
    return 'changed_meanwhile';
  end if;
  if exists (select from public.booking_events event
             where event.booking_id = explain_visit.booking_id and kind = 'explained' and id > cancellation.id) then
    return 'unchanged';
  end if;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'explained', 'customer', 'customer', explain_visit.reason) returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
  return 'explained';
end
$$;
comment on function internal.explain_visit(uuid, text) is
  'Why a customer cancelled, once for each cancellation: explained, unchanged, or changed_meanwhile (it is not cancelled by them).';

create function internal.visit_state(booking public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  state constant text := internal.booking_state(booking);
begin
  return case
    when state in ('completed', 'cancelled', 'no_show', 'arrived', 'in_work') then state
    when lower(booking.occupied) <= internal.shop_now() then 'over'
    when booking.held_until > internal.current_instant() then 'held'
    when state <> 'not_confirmed' and booking.held_until is null then 'expected'
    when public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id) then 'lapsed'
    else 'lost'
  end;
end
$$;
comment on function internal.visit_state(public.bookings) is
  'How an appointment stands for its customer: expected, held (waits for the click), lapsed (it did not come in time, the time is '
  'still free), lost (it is not), cancelled, over (it has begun and nobody is here), arrived, in_work, completed, no_show.';

create function internal.tell_story(booking_id uuid, time_zone text) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', event.kind, 'source', event.source, 'before', event.before, 'after', event.after,
      'at', to_char(event.happened_at at time zone tell_story.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by event.id), '[]')
    from (select * from public.booking_events story where story.booking_id = tell_story.booking_id order by id desc limit 100) event
  );
comment on function internal.tell_story(uuid, text) is 'The latest lines of an appointment''s story, in shop time, without reasons and names.';

create function internal.read_visit(booking_id uuid) returns jsonb
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
    'id', booking.id, 'sequence', booking.calendar_sequence, 'state', internal.visit_state(booking),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasEmail', booking.customer_email is not null,
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'bookedAt', booking.created_at, 'heldUntil', booking.held_until, 'hasAnswered', booking.answered_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.visit_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.visit_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.take_back_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.tell_story(booking.id, zone)
  );
end
$$;
comment on function internal.read_visit(uuid) is
  'All that the private page of an appointment says, in shop time (server/features/visit/read-visit.ts); null when there is none.';

create function internal.list_visit_times(booking_id uuid, day date) returns setof time
  language sql stable
  security definer
  set search_path = ''
as $$
  select distinct start::time
  from public.bookings booking, public.booking_rules rules, public.bays bay,
       unnest(internal.open_spans(day, bay.id)) span,
       generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                       rules.grid_minutes * interval '1 minute') start
  where booking.id = list_visit_times.booking_id and bay.is_active and internal.can_do(bay.id, booking.service_id)
    and internal.booking_refusal(day, start::time, booking.duration_minutes, booking.service_id) is null
    and not internal.is_taken(bay.id, internal.span_of(day, start::time, booking.duration_minutes), booking.id)
  order by 1
$$;
comment on function internal.list_visit_times(uuid, date) is
  'The times of a date at which an appointment could be instead, as if it were not there.';

grant execute on function
  internal.move_visit(uuid, integer, date, time), internal.cancel_visit(uuid, integer), internal.take_visit_back(uuid, integer),
  internal.answer_visit(uuid, integer), internal.explain_visit(uuid, text), internal.read_visit(uuid),
  internal.list_visit_times(uuid, date)
to shop_server;
