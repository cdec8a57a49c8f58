-- The times that staff are offered and the times that are accepted without a question are found by one rule. A job longer
-- than a day was accepted as staying overnight, but offered at no time.

create function internal.fits_hours(wanted tsrange, open tsmultirange, bay uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  if wanted <@ open then
    return true;
  end if;
  if last_day = lower(wanted)::date or not open @> lower(wanted) then
    return false;
  end if;
  return upper(wanted) - lower(wanted) > (select max(upper(span) - lower(span)) from unnest(open) span)
    or wanted <@ (open + internal.open_spans(last_day, bay));
end
$$;
comment on function internal.fits_hours(tsrange, tsmultirange, uuid) is
  'Whether a job keeps to the hours of a bay, of which open are those of its first date: it is done while the bay is open, or it '
  'begins then and is longer than any span of that date, so that the vehicle stays overnight.';

create or replace function internal.booking_warnings(wanted tsrange, bay uuid) returns text[]
  language plpgsql stable
  set search_path = ''
as $$
declare
  rules record;
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  first_day constant date := lower(wanted)::date;
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days into rules from public.shop, public.booking_rules rule;
  starts_at := lower(wanted) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  return array_remove(array[
    case when starts_at < instant then 'in_the_past'
         when starts_at < instant + rules.notice_minutes * interval '1 minute' then 'notice_required' end,
    case when first_day > shop_today + rules.horizon_days then 'too_far_ahead' end,
    case when last_day > first_day then 'overnight' end,
    case when not internal.fits_hours(wanted, internal.open_spans(first_day, bay), bay) then 'outside_hours' end
  ], null);
end
$$;

create function internal.starts_in(free tsrange) returns setof timestamp
  language sql immutable
  set search_path = ''
as $$
  select start from (
    select date_bin('15 minutes', lower(free) + interval '15 minutes' - interval '1 microsecond', '2000-01-01')
    union
    select generate_series(date_bin('30 minutes', lower(free) + interval '30 minutes' - interval '1 microsecond', '2000-01-01'),
                           upper(free), interval '30 minutes')
  ) as starts (start)
  where start < upper(free);
$$;
comment on function internal.starts_in(tsrange) is
  'When a job can begin in a free span, by phone: at its first quarter of an hour and each half hour after.';

create or replace function internal.free_times(
  service uuid, from_moment timestamp, minutes integer, bay uuid, for_booking uuid, most integer, days integer
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  set search_path = ''
as $$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  duration constant interval := minutes * interval '1 minute';
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.position)
      from (
             select bays.id, bays.position, internal.open_spans(day, bays.id) as open,
                    internal.free_spans(day, bays.id, for_booking) as free
             from public.bays
             where bays.is_active and internal.can_do(bays.id, service) and (bay is null or bays.id = bay) offset 0
           ) candidate,
           unnest(candidate.free * tsmultirange(tsrange(first_moment, null))) span,
           internal.starts_in(span) start
      where internal.fits_hours(tsrange(start, start + duration), candidate.open, candidate.id)
        and not internal.is_taken(candidate.id, tsrange(start, start + duration), for_booking)
      group by start order by start limit most - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= most;
  end loop;
end
$$;

drop function internal.starts_in(tsrange, integer);
comment on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'The next times (at most most, within so many days) at which a service, or so many minutes, is free and fits the hours of a bay, '
  'also overnight, with the bays by position: of one bay when it is named, as if the appointment for_booking were not there. '
  'Never in the past. What check_booking_time neither refuses nor calls outside_hours.';

create or replace function internal.staff_bay(service uuid, wanted tsrange, for_booking uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.can_do(bay.id, service) and not internal.is_taken(bay.id, wanted, for_booking)
    order by not internal.fits_hours(wanted, internal.open_spans(lower(wanted)::date, bay.id), bay.id), bay.position limit 1
  );
end
$$;

-- The load of a bay is counted where it is shown (domain/bay-load.ts): this second count differed from it, and had no reader.
drop function internal.cars_of_week(date);
drop function public.read_loads(date, integer);

create function public.read_loads(first_date date, days integer default 7)
  returns table (day date, cars integer, open_minutes integer)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.cars, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as cars
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$$;
comment on function public.read_loads(date, integer) is
  'For each of up to 62 dates: cars that begin then, and how many minutes the active bays are open together.';
grant execute on function public.read_loads(date, integer) to authenticated;

create function internal.cars_of_week(monday date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'cars', load.cars, 'done', coalesce(done.cars, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as cars from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );
comment on function internal.cars_of_week(date) is 'What read_loads says of seven dates, and how many of the cars are completed.';
