-- A customer's five open bookings were counted when a booking was inserted, and not when one was reopened: whoever
-- cancelled five, booked five more and took the first five back had ten. One function answers for every way now.

drop function internal.count_open_bookings(text, text);
drop function internal.lock_booking_person(text, text);

create function internal.lock_booking_person(mailbox text, phone_key text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0));
  perform pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0));
end
$$;
comment on function internal.lock_booking_person(text, text) is
  'The open bookings of one mailbox (internal.mailbox_of) and phone number (internal.canonical_phone) do not change until the '
  'transaction ends. Taken after the lock of the day, always.';

create function internal.is_at_open_limit(
  mailbox text, phone_key text, other_than uuid, since_event bigint default null
) returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  -- Once: the clock is asked by a function of its own.
  local_now constant timestamp := internal.shop_now();
  open_ids uuid[];
begin
  open_ids := array(
    select id from public.bookings
    where internal.mailbox_of(customer_email) = mailbox
      and appointment_date >= local_now::date and upper(occupied) > local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than);
  if cardinality(open_ids) < most_open then
    open_ids := array(
      select id from public.bookings
      where internal.canonical_phone(customer_phone) = phone_key
        and appointment_date >= local_now::date and upper(occupied) > local_now
        and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than);
  end if;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;
comment on function internal.is_at_open_limit(text, text, uuid, bigint) is
  'Whether five other bookings of one mailbox or phone number are open and ahead; with since_event, whether the customer also '
  'opened one of them after that event of booking_events.';

create function internal.may_become_open(booking public.bookings) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.mailbox_of(booking.customer_email);
  phone_key constant text := internal.canonical_phone(booking.customer_phone);
  closing record;
begin
  if not internal.is_admin() then
    perform internal.lock_booking_person(mailbox, phone_key);
    return not internal.is_at_open_limit(mailbox, phone_key, booking.id);
  end if;
  select id, kind into closing from public.booking_events
  where booking_id = booking.id and kind in ('cancelled', 'no_show', 'completed', 'not_confirmed') order by id desc limit 1;
  -- Staff decide what they book, keep and confirm. Their undo gives back what there was, and no more.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_person(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;
comment on function internal.may_become_open(public.bookings) is
  'Guards every way in which a booking becomes open: insert, reopening by its customer, undo by staff, confirmation of a held one. '
  'False when five others of its customer are open; for an undo by staff, only when the customer opened one of them since.';

create or replace function internal.hold_flagged_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  hold constant interval := interval '30 minutes';
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
begin
  perform internal.end_expired_holds(new.appointment_date);
  if internal.is_admin() then
    return new;
  end if;
  if not internal.may_become_open(new) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  perform internal.lock_booking_client(headers);
  if new.flagged_reasons = '{}' then
    new.flagged_reasons := array_remove(array[internal.reached_booking_cap(headers)], null);
  end if;
  if new.flagged_reasons = '{}' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  if (select count(*) from public.bookings where held_until > internal.current_instant()) >= most_held then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
  new.held_until := internal.current_instant() + hold;
  return new;
end
$$;

create function internal.is_open_state(state text) returns boolean
  language sql immutable
  set search_path = ''
  return state not in ('completed', 'cancelled', 'not_confirmed', 'no_show');
comment on function internal.is_open_state(text) is 'Whether a booking in this state (internal.booking_state) is still ahead or under way.';

create or replace function internal.settle_hold() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (gone) and new.status <> all (gone) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- One that had no bay took no time, and finds its place as it was.
    if old.bay_id is not null then
      new.bay_id := internal.bay_to_return_to(old);
      if new.bay_id is null and not coalesce((internal.booking_note() ->> 'may_leave_unplaced')::boolean, false) then
        perform internal.refuse_taken();
      end if;
    end if;
  end if;
  if internal.is_open_state(internal.booking_state(new))
     and (not was_open or (old.held_until is not null and new.held_until is null))
     and not internal.may_become_open(new) then
    raise exception 'This customer has five appointments ahead.' using errcode = 'TT042', hint = 'too_many_open';
  end if;
  return new;
end
$$;
comment on function internal.settle_hold() is
  'A booking that changes its state or loses its marks is held no more; one that takes its slot again finds expired holds '
  'out of the way; one that becomes open again is one of its customer''s five.';

create or replace function internal.take_back_refusal(booking public.bookings, seen_sequence integer) returns text
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
    -- Whoever closed the shop meanwhile did not see this one in the way; what staff put outside the hours they saw.
    when booking.bay_id is not null and booking.kept_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.bay_to_return_to(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.mailbox_of(booking.customer_email), internal.canonical_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$$;
comment on function internal.take_back_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), changed_meanwhile, over, too_close, '
  'outside_hours, slot_taken, too_many (five others are open); null when they may.';

create or replace function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  select * into booking from public.bookings where id = booking_id for update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception
  when exclusion_violation then return 'slot_taken';
  when sqlstate 'TT042' then return 'too_many';
end
$$;

create or replace function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- A car that is here is not sent back by an old tab.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- Its time was given away, or its customer has five others: it stays exactly as it was, the rest goes on.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;
comment on function public.reopen_bookings(uuid[], text) is
  'Lets cancelled, not confirmed or held appointments stand again, each where its time is still free and its customer has not '
  'booked five others since; returns which do.';
