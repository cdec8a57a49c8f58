-- How many cars are worked on at once, and on which dates the week's hours do not hold. A fresh shop has one bay and no
-- closure, and is what it was.

create extension if not exists btree_gist with schema extensions;

create table public.bays (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint bays_name_is_unique unique
    constraint bays_name_is_text check (internal.is_line(name, 1, 40)),
  position integer not null constraint bays_position_is_one_bays unique deferrable
    constraint bays_position_in_range check (position between 1 and 50),
  is_active boolean not null default true,
  version integer not null default 1
);
comment on table public.bays is 'Where cars are worked on, one at a time in each.';
comment on column public.bays.position is 'Their order: an appointment gets the first one that is free.';
comment on column public.bays.is_active is 'Whether appointments are placed in it.';
comment on column public.bays.version is 'Counts its changes: who saves it names the one they saw.';
insert into public.bays (name, position) values ('Bay 1', 1);

create table public.bay_services (
  bay_id uuid not null references public.bays on delete cascade,
  service_id uuid not null references public.services on delete cascade,
  primary key (bay_id, service_id)
);
comment on table public.bay_services is 'The only services that a bay can do; a bay without a row can do all of them.';
create index bay_services_by_service on public.bay_services (service_id);

create table public.closures (
  id uuid primary key default gen_random_uuid(),
  starts_at timestamp not null,
  ends_at timestamp not null,
  is_open boolean not null default false,
  bay_id uuid references public.bays on delete cascade,
  reason text not null default '' constraint closures_reason_is_text check (internal.is_line(reason, 0, 100)),
  is_public boolean not null default true,
  version integer not null default 1,
  span tsrange not null generated always as (
    case when starts_at < ends_at then tsrange(starts_at, ends_at, '[)') else 'empty' end
  ) stored,
  constraint closures_end_after_start check (starts_at < ends_at),
  constraint closures_are_of_this_century check (
    starts_at between '2000-01-01' and '2100-01-01' and ends_at <= '2100-01-01' and ends_at - starts_at <= interval '400 days'
  ),
  constraint closures_are_whole_minutes check (
    starts_at = date_trunc('minute', starts_at) and ends_at = date_trunc('minute', ends_at)
  ),
  -- One of several days would be open at night.
  constraint closures_openings_are_of_one_day check (not is_open or ends_at <= starts_at::date + 1)
);
comment on table public.closures is
  'When the week''s hours do not hold: closed although they say open, or open although they say closed. Where both are '
  'said, it is closed. Shop wall-clock time; several days are one row.';
comment on column public.closures.is_open is 'True for a special opening, false for a closure.';
comment on column public.closures.bay_id is 'The bay that it is about; null is the whole shop.';
comment on column public.closures.is_public is 'Whether visitors read it with its reason; its times are theirs to find out anyway.';
comment on column public.closures.span is 'Half-open, as appointments are.';
create index closures_by_span on public.closures using gist (span);
create index closures_of_bay on public.closures (bay_id);

alter table public.bays enable row level security;
alter table public.bay_services enable row level security;
alter table public.closures enable row level security;
grant select on public.bays, public.bay_services, public.closures to authenticated, shop_server, service_role;
grant select (starts_at, ends_at, is_open, reason) on public.closures to anon;
create policy "the admin reads bays" on public.bays for select to authenticated using ((select internal.is_admin()));
create policy "the server reads bays" on public.bays for select to shop_server using (true);
create policy "the admin reads what bays can do" on public.bay_services
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads what bays can do" on public.bay_services for select to shop_server using (true);
create policy "visitors read public closures of the shop" on public.closures
  for select to anon using (is_public and bay_id is null);
create policy "the admin reads closures" on public.closures
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads closures" on public.closures for select to shop_server using (true);

create function internal.open_spans(day date, bay uuid default null) returns tsmultirange
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select coalesce(range_agg(span) filter (where is_open), '{}') - coalesce(range_agg(span) filter (where not is_open), '{}')
    from (
      select tsrange(day + opens_minute * interval '1 minute', day + closes_minute * interval '1 minute') as span, true as is_open
      from public.opening_hours where weekday = extract(dow from day)
      union all
      select span * tsrange(day, day + 1), is_open
      from public.closures where span && tsrange(day, day + 1) and (bay_id is null or bay_id = bay)
    ) as said
  );
end
$$;
comment on function internal.open_spans(date, uuid) is
  'When a bay, or for null the shop, is open on a date: the week''s hours and special openings without what is closed. '
  'Everything that asks for hours asks here; domain/opening-spans.ts is the same rule.';

create function internal.moment_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable
  set search_path = ''
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
comment on function internal.moment_refusal(date, time) is 'What the clock has against an appointment: a code, or null.';

create function internal.can_do(bay uuid, service uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Null when the bay names no service, or nobody asks for one.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;
comment on function internal.can_do(uuid, uuid) is 'Whether a bay can do a service; any bay can, when it is null.';

create function internal.open_bays(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns table (bay_id uuid, bay_position integer, is_on_grid boolean)
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
  grid constant integer := (select grid_minutes from public.booking_rules);
begin
  return query
    select bay.id, bay.position,
           booking_time = date_trunc('minute', booking_time)
             and (extract(epoch from starts_at - lower(span))::integer / 60) % grid = 0
    from public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and internal.can_do(bay.id, service);
end
$$;
comment on function internal.open_bays(date, time, integer, uuid) is
  'The bays that are open for a whole appointment and can do its service (any for null), and whether it starts on the grid of theirs.';

create function internal.hours_refusal(booking_date date, booking_time time, duration_minutes integer, service uuid) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select case when count(*) = 0 then 'outside_hours' when not bool_or(is_on_grid) then 'off_the_grid' end
    from internal.open_bays(booking_date, booking_time, duration_minutes, service)
  );
end
$$;
comment on function internal.hours_refusal(date, time, integer, uuid) is
  'What the hours have against an appointment: a code, or null.';

drop function internal.booking_refusal(date, time, integer);
create function internal.booking_refusal(booking_date date, booking_time time, duration_minutes integer, service uuid default null)
  returns text
  language plpgsql stable
  -- The same answer for everyone, whatever of the rules they may read.
  security definer
  set search_path = ''
as $$
begin
  return coalesce(
    internal.moment_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
end
$$;
comment on function internal.booking_refusal(date, time, integer, uuid) is
  'Why an appointment may not start then (a code), or null when only another appointment could be in the way. '
  'The same rules as domain/booking-refusal.ts; a test holds them against each other.';
grant execute on function internal.booking_refusal(date, time, integer, uuid) to anon, authenticated;

create function internal.minutes_of_day(day date, spans tsmultirange) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'opensAtMinute', extract(epoch from lower(span) - day)::integer / 60,
      'closesAtMinute', extract(epoch from upper(span) - day)::integer / 60) order by span), '[]')
    from unnest(spans) span
  );
comment on function internal.minutes_of_day(date, tsmultirange) is
  'Spans of a day as domain/opening-hours.ts has them: minutes after midnight.';

create function public.list_open_days(first_date date, last_date date, service uuid default null)
  returns table (day date, bays jsonb, closed_because text)
  language plpgsql stable
  -- A visitor learns when the shop is open, never why a closure that is not public is there.
  security definer
  set search_path = ''
as $$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- Bays with the same hours are told as one.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.can_do(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.closures closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$$;
comment on function public.list_open_days(date, date, uuid) is
  'For each date of up to 62: the spans of its open bays in minutes after midnight ([[{opensAtMinute, closesAtMinute}]]; of '
  'those that can do a service, when it is named), and, when none is open, the reason of a public closure.';
grant execute on function public.list_open_days(date, date, uuid) to anon, authenticated, shop_server;
