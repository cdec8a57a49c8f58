-- Each appointment has a bay, and two of them overlap only in different ones. A visitor's gets the first that is free.

create function internal.first_bay() returns uuid
  language sql stable
  -- Where an appointment goes is nothing that its visitor reads.
  security definer
  set search_path = ''
  return (select id from public.bays where is_active order by position limit 1);
comment on function internal.first_bay() is
  'The bay of an appointment that was put in past the rules for visitors, by a tool that knows no bays.';
grant execute on function internal.first_bay() to anon, authenticated;

alter table public.bookings drop constraint bookings_do_not_overlap;
alter table public.bookings add column bay_id uuid references public.bays;
update public.bookings set bay_id = internal.first_bay();
alter table public.bookings
  alter column bay_id set default internal.first_bay(),
  add constraint bookings_do_not_overlap exclude using gist (bay_id with =, occupied with &&)
    where (bay_id is not null and status not in ('cancelled', 'not_confirmed', 'no_show'));
comment on column public.bookings.bay_id is
  'Where its car is worked on; null is not placed: it stands, and takes no bay''s time.';
create index bookings_not_placed on public.bookings (appointment_date) where bay_id is null;

create or replace function internal.lock_booking_day(day date) returns void
  language sql
  set search_path = ''
as $$
  -- Whoever changes hours or bays waits for all who place an appointment, and they for him: first, always.
  select pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  select pg_advisory_xact_lock(hashtextextended('booking ' || day, 0));
$$;

create function internal.is_taken(bay uuid, wanted tsrange) returns boolean
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
  );
end
$$;
comment on function internal.is_taken(uuid, tsrange) is 'Whether an appointment that stands takes a bay''s time.';

create function internal.free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid) returns uuid
  language plpgsql stable
  -- A visitor may learn that a time is free, never who has it: so this reads appointments on their behalf.
  security definer
  set search_path = ''
as $$
declare
  start_minute constant integer := extract(hour from booking_time) * 60 + extract(minute from booking_time);
  starts_at constant timestamp := booking_date + booking_time;
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return (
    select bay.id
    from public.bays bay, public.booking_rules rule
    left join public.opening_hours hours on hours.weekday = extract(dow from booking_date)
    where bay.is_active
      and case
        when exists (select from public.closures where span && tsrange(booking_date, booking_date + 1)) then exists (
          select from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
          where open.bay_id = bay.id and open.is_on_grid
        )
        -- Asked for each time that a visitor sees, nearly always of a date on which the week's hours hold: then they
        -- are compared as they stand.
        else start_minute >= hours.opens_minute and start_minute + duration_minutes <= hours.closes_minute
          and (start_minute - hours.opens_minute) % rule.grid_minutes = 0 and extract(second from booking_time) = 0
      end
      and (service is null or internal.can_do(bay.id, service))
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = bay.id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
    order by bay.position limit 1
  );
end
$$;
comment on function internal.free_bay(date, time, integer, uuid) is
  'The first bay by position that is open for an appointment, can do its service and has the time; null when none has.';
grant execute on function internal.free_bay(date, time, integer, uuid) to anon, authenticated;

create function internal.refuse_taken() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken';
end
$$;
comment on function internal.refuse_taken() is 'Refuses an appointment for which no bay is free, as the constraint would.';
grant execute on function internal.refuse_taken() to anon, authenticated;

create or replace function internal.accept_booking() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not internal.is_admin() then
    if current_setting('shop.has_booked', true) = 'yes' then
      raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_at_a_time';
    end if;
    perform set_config('shop.has_booked', 'yes', true);
  end if;
  select duration_minutes into new.duration_minutes from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  perform internal.refuse_booking(internal.booking_refusal(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id));
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  new.bay_id := internal.free_bay(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if new.bay_id is null then
    perform internal.refuse_taken();
  end if;
  return new;
end
$$;

create function internal.bay_to_return_to(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Its own, also when the hours have changed since.
  if not internal.is_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  return internal.free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;
comment on function internal.bay_to_return_to(public.bookings) is
  'Where an appointment that had given its time away can stand again; null when no bay has its time.';

create or replace function internal.settle_hold() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status in ('cancelled', 'not_confirmed', 'no_show') and new.status not in ('cancelled', 'not_confirmed', 'no_show') then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    new.bay_id := internal.bay_to_return_to(old);
    if new.bay_id is null then
      perform internal.refuse_taken();
    end if;
  end if;
  return new;
end
$$;
comment on function internal.settle_hold() is
  'A booking that changes its state or loses its marks is held no more; one that takes its slot again finds expired holds '
  'out of the way, and another bay when its own has been given away.';

drop function public.is_time_slot_available(integer, date, time);
create function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
)
  returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  return internal.moment_refusal(booking_date, booking_time) is null
    and internal.free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;
comment on function public.is_time_slot_available(integer, date, time, uuid) is
  'Whether an appointment of service_duration minutes could be booked then, in a bay that can do the service when it is named.';
grant execute on function public.is_time_slot_available(integer, date, time, uuid) to anon, authenticated, shop_server;
