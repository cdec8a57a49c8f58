-- A visitor's page asks for each time of a date, nearly always one on which the week's hours hold: then they are read
-- with the rules and compared as they stand, and bays are asked for their appointments only.

create or replace function internal.booking_refusal(
  booking_date date, booking_time time, duration_minutes integer, service uuid default null
)
  returns text
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  rules record;
  -- Once: the clock is asked by a function of its own.
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  start_minute constant integer := extract(hour from booking_time) * 60 + extract(minute from booking_time);
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days, rule.grid_minutes, rule.online_booking_paused,
         hours.opens_minute, hours.closes_minute,
         exists (select from public.closures where span && tsrange(booking_date, booking_date + 1)) as differs
  into rules
  from public.shop, public.booking_rules rule
  left join public.opening_hours hours on hours.weekday = extract(dow from booking_date);
  if rules.online_booking_paused then return 'booking_paused'; end if;
  starts_at := (booking_date + booking_time) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  if booking_date < shop_today or starts_at < instant then return 'in_the_past'; end if;
  if booking_date > shop_today + rules.horizon_days then return 'too_far_ahead'; end if;
  if starts_at < instant + rules.notice_minutes * interval '1 minute' then return 'notice_required'; end if;
  if rules.differs then return internal.hours_refusal(booking_date, booking_time, duration_minutes, service); end if;
  if rules.opens_minute is null or start_minute < rules.opens_minute
     or start_minute + duration_minutes > rules.closes_minute then
    return 'outside_hours';
  end if;
  if extract(second from booking_time) <> 0 or (start_minute - rules.opens_minute) % rules.grid_minutes <> 0 then
    return 'off_the_grid';
  end if;
  return null;
end
$$;
drop function internal.moment_refusal(date, time);

create or replace function internal.free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := tsrange(
    booking_date + booking_time, booking_date + booking_time + duration_minutes * interval '1 minute');
begin
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_taken(open.bay_id, wanted)
    order by open.bay_position limit 1
  );
end
$$;

create or replace function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
)
  returns boolean
  language plpgsql stable
  -- A visitor may learn that a time is free, never who has it: so this reads appointments on their behalf.
  security definer
  set search_path = ''
as $$
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.booking_refusal(booking_date, booking_time, service_duration, service) is not null then
    return false;
  end if;
  return exists (
    select from public.bays bay
    where bay.is_active
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = bay.id
          and booking.occupied && tsrange(
            booking_date + booking_time, booking_date + booking_time + service_duration * interval '1 minute')
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
      and (service is null or internal.can_do(bay.id, service))
      and (not exists (select from public.closures where span && tsrange(booking_date, booking_date + 1))
           or exists (select from internal.open_bays(booking_date, booking_time, service_duration, service) open
                      where open.bay_id = bay.id and open.is_on_grid))
  );
end
$$;
