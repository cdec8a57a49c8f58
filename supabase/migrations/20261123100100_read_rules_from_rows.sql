-- The rules of a booking read zone, notice, horizon and grid from the shop's rows, and refuse in their numbers.

create or replace function internal.shop_now() returns timestamp
  language sql stable
  -- Whoever asks for the time reads one fact of the shop by it.
  security definer
  set search_path = ''
  return internal.current_instant() at time zone (select time_zone from public.shop);
comment on function internal.shop_now() is 'Wall-clock time at the shop, whatever the zone of the session.';

create or replace function internal.booking_refusal(booking_date date, booking_time time, duration_minutes integer)
  returns text
  language plpgsql stable
  -- The same answer for everyone, whatever of the rules they may read.
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
         hours.opens_minute, hours.closes_minute
  into rules
  from public.shop, public.booking_rules rule
  left join public.opening_hours hours on hours.weekday = extract(dow from booking_date);
  if rules.online_booking_paused then return 'booking_paused'; end if;
  starts_at := (booking_date + booking_time) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  if booking_date < shop_today or starts_at < instant then return 'in_the_past'; end if;
  if booking_date > shop_today + rules.horizon_days then return 'too_far_ahead'; end if;
  if starts_at < instant + rules.notice_minutes * interval '1 minute' then return 'notice_required'; end if;
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

create function internal.duration_in_words(minutes integer) returns text
  language sql immutable
  set search_path = ''
  return coalesce(nullif(concat_ws(' and ',
    case when minutes >= 60 then minutes / 60 || ' hour' || case when minutes / 60 = 1 then '' else 's' end end,
    case when minutes % 60 > 0 then minutes % 60 || ' minute' || case when minutes % 60 = 1 then '' else 's' end end
  ), ''), '0 minutes');
comment on function internal.duration_in_words(integer) is
  'A length as people say it, as domain/duration-text.ts does: 75 is ''1 hour and 15 minutes''.';

create function internal.refuse_booking(refusal text) returns void
  language plpgsql stable
  -- Names the numbers of the rules to whoever breaks them.
  security definer
  set search_path = ''
as $$
declare
  rules public.booking_rules;
begin
  select * into rules from public.booking_rules;
  case refusal
    when 'booking_paused' then
      raise exception '%', rules.pause_sentence using errcode = 'TT016', hint = refusal;
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least % in advance.', internal.duration_in_words(rules.notice_minutes)
        using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to % ahead.',
        rules.horizon_days || case when rules.horizon_days = 1 then ' day' else ' days' end
        using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every % from opening time.', internal.duration_in_words(rules.grid_minutes)
        using errcode = 'TT015', hint = refusal;
    else null;
  end case;
end
$$;
comment on function internal.refuse_booking(text) is
  'Raises what booking_refusal found, each with its own SQLSTATE, hint and words; nothing for null.';
grant execute on function internal.refuse_booking(text) to anon, authenticated;

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
  perform internal.refuse_booking(
    internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes));
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  return new;
end
$$;
