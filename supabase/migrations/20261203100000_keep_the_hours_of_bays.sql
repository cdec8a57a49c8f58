-- Visitors' pages ask for every time of a date. Each answer computed the hours of the date again, and PostgreSQL planned the
-- statements of these functions again at each call, because a plan for known values looks a little cheaper: planning took
-- longer than all the rest. Now the hours of the dates that visitors can ask for are rows, which triggers keep, and each
-- connection plans these statements once.

alter function internal.open_spans(date, uuid) set plan_cache_mode = force_generic_plan;
alter function internal.can_do(uuid, uuid) set plan_cache_mode = force_generic_plan;
alter function internal.hours_refusal(date, time, integer, uuid) set plan_cache_mode = force_generic_plan;

create table internal.bay_hours (
  day date,
  bay_id uuid references public.bays on delete cascade,
  span tsrange,
  primary key (day, bay_id, span)
);
comment on table internal.bay_hours is
  'When each active bay is open, as internal.open_spans computes it, from yesterday until 31 days after the last date that '
  'visitors can book. Shop wall-clock time. Triggers keep it; a date without a row is one that has to be computed.';
comment on column internal.bay_hours.span is 'One span of the date; empty when the bay is closed on the whole date.';
create index bay_hours_of_bay on internal.bay_hours (bay_id);
alter table internal.bay_hours enable row level security;

create function internal.keep_bay_hours() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  today date;
  last_day date;
begin
  -- Two transactions that change the hours would otherwise each compute without the change of the other. The lock comes
  -- first, so that the statements below see what the other one committed.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  today := internal.shop_now()::date;
  last_day := today + 31 + (select horizon_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span
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
  insert into internal.bay_hours select day, bay_id, span from wanted on conflict do nothing;
end
$$;
comment on function internal.keep_bay_hours() is
  'Brings internal.bay_hours into agreement with hours, closures, bays and the calendar: after each change of them, and by '
  'a scheduled job, because every day one more date can be booked.';
grant execute on function internal.keep_bay_hours() to shop_server;

create function internal.keep_bay_hours_after_change() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.keep_bay_hours();
  return null;
end
$$;
comment on function internal.keep_bay_hours_after_change() is 'Keeps internal.bay_hours in agreement with what it was computed from.';

create trigger keep_bay_hours after insert or update or delete or truncate on public.opening_hours
  for each statement execute function internal.keep_bay_hours_after_change();
create trigger keep_bay_hours after insert or update or delete or truncate on public.closures
  for each statement execute function internal.keep_bay_hours_after_change();
create trigger keep_bay_hours after insert or update of is_active or delete on public.bays
  for each statement execute function internal.keep_bay_hours_after_change();
create trigger keep_bay_hours after update of horizon_days on public.booking_rules
  for each statement execute function internal.keep_bay_hours_after_change();
create trigger keep_bay_hours after update of time_zone on public.shop
  for each statement execute function internal.keep_bay_hours_after_change();
select internal.keep_bay_hours();

create or replace function internal.open_bays(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns table (bay_id uuid, bay_position integer, is_on_grid boolean)
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  -- A plan is kept: a table that was small when it was made is not to be read as a whole once it has grown.
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.grid_minutes * 60) = 0
    from internal.bay_hours hours, public.bays bay, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted and bay.id = hours.bay_id
      and (service is null or internal.can_do(bay.id, service));
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return;
  end if;
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(span)) % (rules.grid_minutes * 60) = 0
    from public.booking_rules rules, public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and (service is null or internal.can_do(bay.id, service));
end
$$;

create function internal.moment_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  rules record;
  -- Once: the clock is asked by a function of its own.
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days, rule.online_booking_paused
  into rules from public.shop, public.booking_rules rule;
  if rules.online_booking_paused then return 'booking_paused'; end if;
  starts_at := (booking_date + booking_time) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  if booking_date < shop_today or starts_at < instant then return 'in_the_past'; end if;
  if booking_date > shop_today + rules.horizon_days then return 'too_far_ahead'; end if;
  if starts_at < instant + rules.notice_minutes * interval '1 minute' then return 'notice_required'; end if;
  return null;
end
$$;
comment on function internal.moment_refusal(date, time) is
  'Why no appointment may start at a moment, whatever the hours are (a code of booking_refusal), or null.';

create or replace function internal.booking_refusal(
  booking_date date, booking_time time, duration_minutes integer, service uuid default null
)
  returns text
  language plpgsql stable
  -- The same answer for everyone, whatever of the rules they may read.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce(
    internal.moment_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
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
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted tsrange;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.moment_refusal(booking_date, booking_time) is not null then
    return false;
  end if;
  wanted := tsrange(starts_at, starts_at + service_duration * interval '1 minute');
  -- What open_bays and is_taken find, in one statement: pages ask for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.grid_minutes * 60) = 0
      and (service is null or internal.can_do(hours.bay_id, service))
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = hours.bay_id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
  ) then
    return true;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;
