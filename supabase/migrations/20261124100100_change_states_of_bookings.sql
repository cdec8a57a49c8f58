-- The day at the counter: who is here, what is being worked on, who never came. Each step is taken from the state that
-- whoever takes it saw, and taken back by one more step.

create function internal.lock_calendar() returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
comment on function internal.lock_calendar() is
  'One change of appointments by staff at a time, while no visitor places one: taken first, so that nobody waits crosswise.';

create function internal.change_calendar_alone() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- Before any row is locked; the procedures have taken it themselves.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;
comment on function internal.change_calendar_alone() is
  'A status that the admin writes without a procedure waits its turn like theirs: two of them never wait for each other.';
create trigger change_calendar_alone before update of status on public.bookings
  for each statement when (current_user = 'authenticated') execute function internal.change_calendar_alone();

drop function internal.is_taken(uuid, tsrange);
create function internal.is_taken(bay uuid, wanted tsrange, by_other_than uuid default null) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- A hold that ran out gives its time back before anybody noted it.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from by_other_than
  );
end
$$;
comment on function internal.is_taken(uuid, tsrange, uuid) is
  'Whether an appointment that stands takes a bay''s time, another one than the named.';

create function internal.staff_bay(service uuid, wanted tsrange, for_booking uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.can_do(bay.id, service) and not internal.is_taken(bay.id, wanted, for_booking)
    order by not wanted <@ internal.open_spans(lower(wanted)::date, bay.id), bay.position limit 1
  );
end
$$;
comment on function internal.staff_bay(uuid, tsrange, uuid) is
  'The first bay for what staff place: one that can do the service and has the time, open ones first; null when there is none.';

create or replace function internal.bay_to_return_to(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Its own, also when the hours have changed since.
  if not internal.is_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.staff_bay(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;

create or replace function internal.settle_hold() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
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
  return new;
end
$$;

create function internal.refuse_early_no_show(booking public.bookings) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'Nobody is missed until 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$$;
comment on function internal.refuse_early_no_show(public.bookings) is 'docs/product.md 12.4: a no-show is one from 15 minutes after the start.';

create function internal.check_no_show() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if old.status is distinct from new.status and internal.is_admin() then
    perform internal.refuse_early_no_show(old);
  end if;
  return new;
end
$$;
comment on function internal.check_no_show() is 'The same rule, however the admin writes the status.';
create trigger check_no_show before update of status on public.bookings
  for each row when (new.status = 'no_show') execute function internal.check_no_show();

create function internal.refuse_outdated(booking public.bookings, expected_version integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if booking.version = expected_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT061', hint = 'changed_meanwhile', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', event.changed_by_name, 'happened_at', event.happened_at)
    from (values (booking.id)) as asked (id)
    left join lateral (
      select * from public.booking_events where booking_id = asked.id order by id desc limit 1
    ) event on true
  );
end
$$;
comment on function internal.refuse_outdated(public.bookings, integer) is
  'Refuses whoever saw another version of an appointment; the detail says which it is now and who changed it last.';

create function internal.take_booking(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  select * into booking from public.bookings where id = wanted_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  return booking;
end
$$;
comment on function internal.take_booking(uuid) is 'An appointment that the admin alone changes until the transaction ends.';

create function internal.write_state(booking public.bookings, new_state text) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings
  set status = case when new_state = 'completed' then status else new_state end,
      completed_at = case when new_state = 'completed' then internal.current_instant() end,
      completed_by = case when new_state = 'completed' then 'admin' end,
      hold_confirmed_at = case
        when new_state = 'confirmed' and flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
        else hold_confirmed_at end
  where id = booking.id;
$$;
comment on function internal.write_state(public.bookings, text) is
  'Writes a state where it is kept: completed in completed_at and completed_by (docs/product.md 4.2), every other in status.';

create function public.change_booking_state(
  booking_id uuid, new_state text, expected_version integer, reason text default null, may_leave_unplaced boolean default false
)
  returns public.bookings
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(change_booking_state.booking_id);
  old_state constant text := internal.booking_state(booking);
begin
  -- The second of two clicks finds what the first one wanted.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.refuse_outdated(booking, expected_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment that is % does not become %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'may_leave_unplaced', may_leave_unplaced));
  perform internal.write_state(booking, new_state);
  perform internal.set_booking_note(null);
  select * into booking from public.bookings where id = booking.id;
  return booking;
end
$$;
comment on function public.change_booking_state(uuid, text, integer, text, boolean) is
  'Takes an appointment of the expected version to another state (confirmed, pending, arrived, in_work, completed, cancelled, '
  'no_show; the undo of a step is the step back) and returns it; unchanged when it is in that state already. One that had '
  'given its time away gets its bay again or another one; when no bay has the time it is refused (23P01), or stands in no '
  'bay where may_leave_unplaced says so.';
grant execute on function public.change_booking_state(uuid, text, integer, text, boolean) to authenticated;

drop function public.cancel_bookings(uuid[]);
create function public.cancel_bookings(booking_ids uuid[], reason text default null) returns table (id uuid, previous_status text)
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.set_booking_note(jsonb_build_object('reason', cancel_bookings.reason));
  return query
    with chosen as (
      select booking.id, case when booking.held_until is null then booking.status else 'not_confirmed' end as previous
      from public.bookings booking
      where booking.id = any (booking_ids) and booking.completed_at is null and booking.status not in ('cancelled', 'no_show')
      order by booking.id for update
    ), changed as (
      update public.bookings booking set status = 'cancelled' from chosen where booking.id = chosen.id
      returning booking.id, chosen.previous
    )
    select changed.id, changed.previous from changed;
  perform internal.set_booking_note(null);
end
$$;
comment on function public.cancel_bookings(uuid[], text) is
  'Cancels open appointments at once, for one reason; returns which, with the status that an undo gives back. Completed ones, '
  'and those whose customer never came, are left alone.';

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
    exception when exclusion_violation then
      -- Its time was given away: this one stays exactly as it was, the others are not held up by it.
      null;
    end;
  end loop;
end
$$;

create or replace function public.keep_bookings(booking_ids uuid[]) returns setof uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  return query
    update public.bookings set kept_at = internal.current_instant(), kept_by = internal.author_name(null)
    where id = any (booking_ids) and kept_at is null returning id;
end
$$;
grant execute on function public.cancel_bookings(uuid[], text) to authenticated;
