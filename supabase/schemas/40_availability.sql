-- When a booking may start: the shop is open, a bay that can do the service is free, and the start is after the
-- minimum notice and within the booking window. The same rules determine the times that pages offer, whether a
-- visitor's insert is accepted, and the times to which a customer can move a booking. Staff may break these rules. A
-- booking outside the hours or without a bay is then listed as a schedule conflict until staff accept or resolve it.

create extension if not exists btree_gist with schema extensions;

create table internal.bay_hours (
  day date,
  bay_id uuid references public.bays on delete cascade,
  span tsrange,
  bay_rank integer not null,
  service_ids uuid[],
  primary key (day, bay_id, span)
);
comment on table internal.bay_hours is
  'The open times of each active bay in shop wall-clock time, computed by internal.open_spans for the dates from '
  'yesterday until 31 days after the last bookable date. Triggers and a daily job update the table. For a date '
  'without rows, functions compute the times when they need them.';
comment on column internal.bay_hours.span is
  'A range of time in which the bay is open on that date; an empty range if the bay is closed all day.';
comment on column internal.bay_hours.bay_rank is
  'The result of internal.bay_rank, stored so that it is not computed for each booking.';
comment on column internal.bay_hours.service_ids is
  'The services that the bay can do; null if the bay can do all services.';

create index bay_hours_of_bay on internal.bay_hours (bay_id);

select internal.keep_bay_hours();

alter table internal.bay_hours enable row level security;

create view public.schedule_conflicts with (security_invoker = true) as
  select booking.id as booking_id, booking.appointment_date, booking.appointment_time, booking.duration_minutes,
         booking.customer_name, booking.customer_phone, booking.service_name, booking.bay_id,
         case when booking.occupied <@ hours.spans then 'no_bay' else 'outside_hours' end as problem
  from public.bookings booking
  -- `offset 0` prevents PostgreSQL from merging this subquery into a join, so that the planner can memoize the result
  -- by date and bay. In a join, the condition on the hours would become part of the cache key.
  left join lateral (
    select internal.open_spans(booking.appointment_date, booking.bay_id) as spans offset 0
  ) hours on true
  where booking.appointment_date >= internal.shop_now()::date and upper(booking.occupied) > (select internal.shop_now())
    and booking.completed_at is null and booking.conflict_accepted_at is null
    and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
    and (booking.held_until is null or booking.held_until > internal.current_instant())
    and (booking.bay_id is null or not booking.occupied <@ hours.spans);
comment on view public.schedule_conflicts is
  'The upcoming bookings outside the hours of their bay (outside_hours) or without a bay (no_bay), until they are '
  'moved, cancelled or accepted.';
grant select on public.schedule_conflicts to authenticated;

create function internal.booking_refusal(
  booking_date date, booking_time time, duration_minutes integer, service uuid default null
) returns text
  -- Runs with the rights of the function's owner, so that every role gets the same result, also a role that may not
  -- read all rules.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return coalesce(
    internal.start_time_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
end
$$;
comment on function internal.booking_refusal(date, time, integer, uuid) is
  'The code of the rule that a booking by a visitor would break, or null. The times of other bookings are not '
  'checked. domain/bookings/booking-refusal.ts implements the same rules, and a test compares both.';
grant execute on function internal.booking_refusal(date, time, integer, uuid) to anon, authenticated;

create function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
) returns boolean
  -- Runs with the rights of the function's owner, because the function reads all bookings: a visitor may know that a
  -- time is occupied, but not by which booking.
  language plpgsql stable security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  is_start_allowed boolean;
  has_free_bay boolean;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  -- For speed, one statement reads all data, because pages call this function for each time of a date.
  select internal.start_time_refusal(booking_date, booking_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused) is null,
         exists (select from internal.free_bays(booking_date, booking_time, service_duration, service, rules.slot_interval_minutes))
  into is_start_allowed, has_free_bay
  from public.shop, public.booking_rules rules;
  if has_free_bay or not is_start_allowed then
    return is_start_allowed;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.find_free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;
comment on function public.is_time_slot_available(integer, date, time, uuid) is
  'Whether a visitor could book an appointment of service_duration minutes at this date and time. If a service is '
  'given, a bay that can do it must be free.';
-- `shop_server` may call the function, because the visit page shows whether the time of an expired hold is still
-- free.
grant execute on function public.is_time_slot_available(integer, date, time, uuid) to anon, authenticated, shop_server;

create function internal.open_spans(day date, bay uuid default null) returns tsmultirange
  language plpgsql stable set search_path = ''
  -- The high cost makes the planner avoid calls of this function, which reads tables.
  cost 1000
  -- With `force_generic_plan`, each connection plans the statements of the function once instead of at every call.
  set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(range_agg(span) filter (where is_open), '{}') - coalesce(range_agg(span) filter (where not is_open), '{}')
    from (
      select tsrange(day + opens_minute * interval '1 minute', day + closes_minute * interval '1 minute') as span, true as is_open
      from public.opening_hours where weekday = extract(dow from day)
      union all
      select span * tsrange(day, day + 1), is_open
      from public.special_hours where span && tsrange(day, day + 1) and (bay_id is null or bay_id = bay)
    ) as given
  );
end
$$;
comment on function internal.open_spans(date, uuid) is
  'The times at which a bay (or, if the bay is null, the shop) is open on a date: weekly hours and special openings '
  'minus closures. No other SQL function computes these times; domain/calendar/opening-spans.ts implements the same '
  'rule.';
-- `authenticated` may call the function, because the view schedule_conflicts calls it with the privileges of the
-- admin.
grant execute on function internal.open_spans(date, uuid) to authenticated;

create function internal.start_time_refusal(
  booking_date date, booking_time time, instant timestamptz, time_zone text, notice_minutes integer,
  booking_window_days integer, is_paused boolean
) returns text
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return case
    when is_paused then 'booking_paused'
    when booking_date < (instant at time zone time_zone)::date
      or (booking_date + booking_time) at time zone time_zone < instant then 'in_the_past'
    when booking_date > (instant at time zone time_zone)::date + booking_window_days then 'too_far_ahead'
    when (booking_date + booking_time) at time zone time_zone < instant + notice_minutes * interval '1 minute' then 'notice_required'
  end;
comment on function internal.start_time_refusal(date, time, timestamptz, text, integer, integer, boolean) is
  'The result of start_time_refusal(date, time). The caller passes the values of the rules, so that this function '
  'reads no table and PostgreSQL can inline it.';

create function internal.start_time_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select internal.start_time_refusal(booking_date, booking_time, internal.current_instant(), shop.time_zone,
                                      rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused)
    from public.shop, public.booking_rules rules
  );
end
$$;
comment on function internal.start_time_refusal(date, time) is
  'The code of the rule that a start time breaks regardless of the opening hours (a code of booking_refusal), or null.';

create function internal.bay_rank(bay uuid, bay_position integer) returns integer
  language sql stable set search_path = ''
  return (
    select case when count(*) = 0 then 1000 else count(*)::integer end * 100 + bay_position
    from public.bay_services known where known.bay_id = bay
  );
comment on function internal.bay_rank(uuid, integer) is
  'The rank of a bay: a booking gets the free bay with the lowest rank. Bays that can do only a few services have a '
  'lower rank, so that bays that can do every service stay free. Between bays with the same number of services, the '
  'order that the owner chose decides.';

create function internal.open_bays(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns table (bay_id uuid, bay_rank integer, is_on_grid boolean)
  language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
  -- With `enable_seqscan = off`, a plan that was made while a table was small does not read the whole table after the
  -- table has grown.
  set enable_seqscan = off as $$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return query
    select hours.bay_id, hours.bay_rank,
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
    from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and (service is null or hours.service_ids is null or service = any (hours.service_ids));
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return;
  end if;
  return query
    select bay.id, internal.bay_rank(bay.id, bay.position),
           extract(epoch from booking_date + booking_time - lower(span)) % (rules.slot_interval_minutes * 60) = 0
    from public.booking_rules rules, public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and (service is null or internal.bay_can_do_service(bay.id, service));
end
$$;
comment on function internal.open_bays(date, time, integer, uuid) is
  'The bays that are open for the whole booking and can do the service (all open bays if the service is null). '
  'is_on_grid states whether the start is one of the regular start times of the bay.';

create function internal.hours_refusal(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns text
  language plpgsql stable set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements of the function once instead of at every call.
  set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select case when count(*) = 0 then 'outside_hours' when not bool_or(is_on_grid) then 'off_the_grid' end
    from internal.open_bays(booking_date, booking_time, duration_minutes, service)
  );
end
$$;
comment on function internal.hours_refusal(date, time, integer, uuid) is
  'The code of the rule about opening hours that a booking breaks, or null.';

create function public.list_open_days(first_date date, last_date date, service uuid default null)
  returns table (day date, bays jsonb, closed_because text)
  -- Runs with the rights of the function's owner, because visitors may know when the shop is closed, but not the reason
  -- of a closure that is not public.
  language plpgsql stable security definer set search_path = '' as $$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- If several bays have the same hours, the hours are returned only once.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.bay_can_do_service(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.special_hours closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$$;
comment on function public.list_open_days(date, date, uuid) is
  'For each of up to 62 dates: the open ranges of the bays in minutes after midnight ([[{opensAtMinute, '
  'closesAtMinute}]]) and, if all bays are closed, the reason of a public closure. If a service is given, only bays '
  'that can do it are included.';
grant execute on function public.list_open_days(date, date, uuid) to anon, authenticated, shop_server;

create function internal.is_bay_taken(bay uuid, wanted tsrange, ignored_booking_id uuid default null) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- The time of an expired hold counts as free, even before end_expired_holds has ended the hold.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;
comment on function internal.is_bay_taken(uuid, tsrange, uuid) is
  'Whether an active booking, other than the one with ignored_booking_id, occupies a bay at a time.';

create function internal.free_bays(booking_date date, booking_time time, minutes integer, service uuid, slot_minutes integer)
  returns table (bay_id uuid, bay_rank integer)
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
begin atomic
  -- For speed, this single statement repeats the rules of the functions open_bays and is_bay_taken.
  select hours.bay_id, hours.bay_rank
  from internal.bay_hours hours
  where hours.day = booking_date
    and hours.span @> tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute')
    and extract(epoch from booking_date + booking_time - lower(hours.span)) % (slot_minutes * 60) = 0
    and (service is null or hours.service_ids is null or service = any (hours.service_ids))
    -- The condition is not written as `not exists`, because PostgreSQL would plan it as a join with all bookings.
    and (
      select true from public.bookings booking
      where booking.bay_id = hours.bay_id
        and booking.occupied
          && tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute')
        and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        -- The time of an expired hold counts as free, even before end_expired_holds has ended the hold.
        and (booking.held_until is null or booking.held_until > internal.current_instant())
      limit 1
    ) is null;
end;
comment on function internal.free_bays(date, time, integer, uuid, integer) is
  'The open bays that can do a service and are free at a time; no bay for a date without rows in bay_hours.';

create function internal.find_free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns uuid
  language plpgsql stable
  -- Runs with the rights of the function's owner, because a visitor has no right to read bookings and to call open_bays
  -- and is_bay_taken.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  -- With `enable_seqscan = off`, a plan that was made while a table was small does not read the whole table after the
  -- table has grown.
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
  found_bay uuid;
begin
  select free.bay_id into found_bay
  from public.booking_rules rules,
       internal.free_bays(booking_date, booking_time, duration_minutes, service, rules.slot_interval_minutes) free
  order by free.bay_rank limit 1;
  if found then
    return found_bay;
  end if;
  if exists (select from internal.bay_hours where day = booking_date) then
    return null;
  end if;
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_bay_taken(open.bay_id, wanted)
    order by open.bay_rank limit 1
  );
end
$$;
comment on function internal.find_free_bay(date, time, integer, uuid) is
  'The first bay by rank that is open for an appointment, can do its service and is free at that time; null when there is no such bay.';
grant execute on function internal.find_free_bay(date, time, integer, uuid) to anon, authenticated;

create function internal.raise_slot_taken() returns void
  language plpgsql stable set search_path = '' as $$
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken';
end
$$;
comment on function internal.raise_slot_taken() is
  'Refuses a booking for which no bay is free, with the same error code (23P01) as the exclusion constraint.';
grant execute on function internal.raise_slot_taken() to anon, authenticated;

create function internal.find_bay_for_reopened_booking(booking public.bookings) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  -- The booking keeps its own bay if the bay is free and active, even if the bay's hours have changed since.
  if not internal.is_bay_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.find_bay_for_staff(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.find_free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;
comment on function internal.find_bay_for_reopened_booking(public.bookings) is
  'The bay for a booking that is reopened: its own bay if free, otherwise another free bay; null when no bay is free.';

create function internal.find_bay_at_same_time(booking public.bookings) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
      and booking.occupied <@ internal.open_spans(booking.appointment_date, bay.id)
      and not internal.is_bay_taken(bay.id, booking.occupied)
    order by internal.bay_rank(bay.id, bay.position) limit 1
  );
end
$$;
comment on function internal.find_bay_at_same_time(public.bookings) is
  'The first bay, other than the booking''s own, that is open and free at the time of the booking; null if there is '
  'none.';

create function internal.reassign_bay_bookings(bay uuid) returns table (booking_id uuid, new_bay_id uuid)
  language plpgsql set search_path = '' as $$
declare
  booking public.bookings;
begin
  perform internal.end_expired_holds();
  for booking in
    select * from public.bookings
    where bay_id = bay and upper(occupied) > internal.shop_now() and completed_at is null
      and status not in ('cancelled', 'not_confirmed', 'no_show')
    order by occupied for update
  loop
    update public.bookings set bay_id = internal.find_bay_at_same_time(booking) where id = booking.id returning id, bay_id
    into booking_id, new_bay_id;
    return next;
  end loop;
end
$$;
comment on function internal.reassign_bay_bookings(uuid) is
  'Moves the upcoming bookings of a bay to other bays at the same time, or to no bay; returns the bookings with their '
  'new bays.';

create function internal.find_bay_for_staff(service uuid, wanted tsrange, ignored_booking_id uuid) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, service) and not internal.is_bay_taken(bay.id, wanted, ignored_booking_id)
    order by not internal.fits_hours(wanted, internal.open_spans(lower(wanted)::date, bay.id), bay.id),
             internal.bay_rank(bay.id, bay.position) limit 1
  );
end
$$;
comment on function internal.find_bay_for_staff(uuid, tsrange, uuid) is
  'The first free bay that can do a service, for a booking by staff. Bays that are open at that time are preferred. '
  'Null if no bay is free.';

create function internal.free_spans(day date, bay uuid, ignored_booking_id uuid) returns tsmultirange
  language plpgsql stable set search_path = '' as $$
begin
  return internal.open_spans(day, bay) - (
    select coalesce(range_agg(booking.occupied), '{}') from public.bookings booking
    where booking.bay_id = bay and booking.occupied && tsrange(day, day + 1)
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;
comment on function internal.free_spans(date, uuid, uuid) is
  'The times of a date at which a bay is open and no booking, other than the one with ignored_booking_id, occupies '
  'the bay.';

create function internal.list_starts_in_range(free tsrange) returns setof timestamp
  language sql immutable set search_path = '' as $$
  select start from (
    select date_bin('15 minutes', lower(free) + interval '15 minutes' - interval '1 microsecond', '2000-01-01')
    union
    select generate_series(date_bin('30 minutes', lower(free) + interval '30 minutes' - interval '1 microsecond', '2000-01-01'),
                           upper(free), interval '30 minutes')
  ) as starts (start)
  where start < upper(free);
$$;
comment on function internal.list_starts_in_range(tsrange) is
  'The start times that are offered for a booking by phone within a free range: the first quarter hour of the range, '
  'and each full and half hour.';

create function internal.free_times(
  service uuid, from_moment timestamp, minutes integer, bay uuid, ignored_booking_id uuid, max_rows integer,
  days integer
) returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable set search_path = '' as $$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  duration constant interval := minutes * interval '1 minute';
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.rank)
      from (
             select bays.id, internal.bay_rank(bays.id, bays.position) as rank, internal.open_spans(day, bays.id) as open,
                    internal.free_spans(day, bays.id, ignored_booking_id) as free
             from public.bays
             where bays.is_active and internal.bay_can_do_service(bays.id, service) and (bay is null or bays.id = bay) offset 0
           ) candidate,
           unnest(candidate.free * tsmultirange(tsrange(first_moment, null))) span,
           internal.list_starts_in_range(span) start
      where internal.fits_hours(tsrange(start, start + duration), candidate.open, candidate.id)
        and not internal.is_bay_taken(candidate.id, tsrange(start, start + duration), ignored_booking_id)
      group by start order by start limit max_rows - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= max_rows;
  end loop;
end
$$;
comment on function internal.free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'Computes the result of public.next_free_times without checking the caller and the arguments.';

create function internal.choose_bay(wanted tsrange, service uuid, bay uuid, own_bay uuid, ignored_booking_id uuid)
  returns uuid
  language plpgsql stable set search_path = '' as $$
declare
  chosen uuid := bay;
begin
  if bay is not null and not exists (select from public.bays where id = bay and is_active) then
    raise exception 'This bay is not active.' using errcode = 'TT065', hint = 'bay_not_active';
  end if;
  if bay is not null and not internal.bay_can_do_service(bay, service) then
    raise exception 'This bay does not do this service.' using errcode = 'TT064', hint = 'bay_cannot_do_service';
  end if;
  if bay is null then
    select id into chosen from public.bays
    where id = own_bay and is_active and internal.bay_can_do_service(own_bay, service)
      and not internal.is_bay_taken(own_bay, wanted, ignored_booking_id);
    chosen := coalesce(chosen, internal.find_bay_for_staff(service, wanted, ignored_booking_id));
  end if;
  if chosen is null or internal.is_bay_taken(chosen, wanted, ignored_booking_id) then
    perform internal.raise_slot_taken_by(wanted, service, bay, ignored_booking_id);
  end if;
  return chosen;
end
$$;
comment on function internal.choose_bay(tsrange, uuid, uuid, uuid, uuid) is
  'The bay for a booking by staff: the given bay; if it is null, the booking''s own bay or the first free bay that '
  'can do the service. Refuses an inactive bay (TT065), a bay that cannot do the service (TT064), and an occupied bay '
  '(23P01).';

create function public.next_free_times(
  service_id uuid, from_moment timestamp default null, minutes integer default null, bay_id uuid default null,
  ignored_booking_id uuid default null, max_rows integer default 3, days integer default 31
) returns table (free_date date, free_time time, bay_ids uuid[])
  -- Runs with the rights of the function's owner, because the admin has no right to call free_times. require_admin()
  -- checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  wanted_minutes constant integer := coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = next_free_times.service_id));
begin
  perform internal.require_admin();
  if wanted_minutes is null or wanted_minutes not between 5 and 20160 or max_rows is null or max_rows not between 1 and 500
     or days is null or days not between 1 and 62
     or coalesce(from_moment, '2026-01-01') not between '2000-01-01' and '2100-01-01' then
    raise exception 'A known service, 5 to 20160 minutes, 1 to 500 times, 1 to 62 days.' using errcode = '22023', hint = 'invalid_slot';
  end if;
  return query select * from internal.free_times(
    service_id, coalesce(from_moment, internal.shop_now()), wanted_minutes, bay_id, ignored_booking_id, max_rows, days);
end
$$;
comment on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'The next free times for a service or a number of minutes, at most max_rows within a number of days. A free time can '
  'extend overnight. Each time has the list of its free bays, the preferred bay first; if bay_id is given, only the '
  'free times of this bay are returned. The time of the booking ignored_booking_id counts as free. Past times are not '
  'returned.';
grant execute on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) to authenticated;

create function public.check_booking_time(
  service_id uuid, appointment_date date, appointment_time time, minutes integer default null, bay_id uuid default null,
  ignored_booking_id uuid default null
) returns table (assigned_bay_id uuid, warnings text[], refusal text, in_the_way uuid[], free_times jsonb)
  -- Runs with the rights of the function's owner, because the admin has no right to call booking_range, choose_bay and
  -- booking_warnings. require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant tsrange := internal.booking_range(appointment_date, appointment_time, coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = check_booking_time.service_id)));
  own_bay constant uuid := (select booking.bay_id from public.bookings booking where booking.id = ignored_booking_id);
  details text;
begin
  perform internal.require_admin();
  begin
    assigned_bay_id := internal.choose_bay(wanted, service_id, bay_id, own_bay, ignored_booking_id);
  exception when exclusion_violation or sqlstate 'TT064' or sqlstate 'TT065' then
    get stacked diagnostics refusal = pg_exception_hint, details = pg_exception_detail;
  end;
  warnings := internal.booking_warnings(wanted, coalesce(assigned_bay_id, bay_id));
  in_the_way := array(select jsonb_array_elements_text(nullif(details, '')::jsonb -> 'in_the_way')::uuid);
  free_times := coalesce(nullif(details, '')::jsonb -> 'free_times', '[]');
  return next;
end
$$;
comment on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) is
  'Previews book_by_phone or, if ignored_booking_id is given, move_booking of that booking. Returns the bay, the '
  'warnings, the hint of the error that would occur (slot_taken, bay_cannot_do_service, bay_not_active), the '
  'conflicting bookings, and free_times [{date, time, bay_ids}].';
grant execute on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) to authenticated;

create function public.read_daily_loads(first_date date, days integer default 7)
  returns table (day date, booking_count integer, open_minutes integer)
  -- Runs with the rights of the function's owner, because only this owner may call require_admin(), which checks that
  -- the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.bookings, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as bookings
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$$;
comment on function public.read_daily_loads(date, integer) is
  'For each of up to 62 dates: the number of bookings that start, and the total minutes for which the active bays are open.';
grant execute on function public.read_daily_loads(date, integer) to authenticated;

create function internal.describe_week_load(monday date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'booking_count', load.booking_count, 'done', coalesce(done.bookings, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_daily_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as bookings from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );
comment on function internal.describe_week_load(date) is
  'The result of read_daily_loads for seven dates as JSON, each date with the number of its completed bookings.';

create function internal.fits_hours(wanted tsrange, open tsmultirange, bay uuid) returns boolean
  language plpgsql stable set search_path = '' as $$
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
  'Whether a booking fits the hours of a bay. The argument open contains the open ranges of the booking''s first '
  'date. A booking fits if the bay is open for its whole time. A booking that ends on a later date also fits if it '
  'starts while the bay is open and is longer than every open range of its first date: the vehicle then stays '
  'overnight.';

create function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  -- Runs with the rights of the function's owner, because the server has no right to call booking_refusal.
  language sql stable security definer set search_path = '' as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_reschedule_times(list_taken_times.booking_id, day))
    -- Omits times that a rule refuses, for example past times, because another booking is not the reason why they are
    -- unavailable.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$$;
comment on function internal.list_taken_times(uuid, date, time[]) is
  'Of the times that the visit page of a booking shows (the argument shown), those that another booking occupies now.';
grant execute on function internal.list_taken_times(uuid, date, time[]) to shop_server;

create function internal.keep_bay_hours() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write bay_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  today date;
  last_day date;
begin
  -- Without this lock, two transactions that change the hours at the same time would each compute bay_hours without
  -- the other's change. The lock is taken first, so that the statements below see what the other transaction
  -- committed.
  perform internal.lock_calendar();
  today := internal.shop_now()::date;
  last_day := today + 31 + (select booking_window_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span,
           internal.bay_rank(bay.id, bay.position) as bay_rank, internal.services_of_bay(bay.id) as service_ids
    from public.bays bay
    cross join (select today + nth as day from generate_series(-1, last_day - today) nth) dates
    left join lateral unnest(internal.open_spans(dates.day, bay.id)) open (span) on true
    where bay.is_active
  ), outdated as (
    delete from internal.bay_hours known
    where not exists (
      select from wanted
      where wanted.day = known.day and wanted.bay_id = known.bay_id and wanted.span = known.span)
  )
  insert into internal.bay_hours (day, bay_id, span, bay_rank, service_ids)
  select day, bay_id, span, bay_rank, service_ids from wanted on conflict do nothing;
end
$$;
comment on function internal.keep_bay_hours() is
  'Recomputes internal.bay_hours after each change of hours, bays or booking rules. A daily job also calls this '
  'function, because every day one more date can be booked.';
grant execute on function internal.keep_bay_hours() to shop_server;

create function internal.keep_bay_hours_after_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- keep_bay_hours.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.keep_bay_hours();
  return null;
end
$$;
comment on function internal.keep_bay_hours_after_change() is
  'Recomputes internal.bay_hours after a change of the tables from which it is computed.';

create function internal.keep_bay_ranks() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- bay_hours.
  language plpgsql security definer set search_path = '' as $$
begin
  -- Takes the calendar lock, because a transaction that recomputes the hours at the same time would otherwise store the
  -- former services.
  perform internal.lock_calendar();
  update internal.bay_hours hours set bay_rank = bay.rank, service_ids = bay.service_ids
  from (
    select id, internal.bay_rank(id, position) as rank, internal.services_of_bay(id) as service_ids from public.bays
  ) bay
  where bay.id = hours.bay_id
    and (bay.rank, bay.service_ids) is distinct from (hours.bay_rank, hours.service_ids);
  return null;
end
$$;
comment on function internal.keep_bay_ranks() is
  'Updates rank and services in internal.bay_hours after a change of the bays'' order or services, which does not change the hours.';
