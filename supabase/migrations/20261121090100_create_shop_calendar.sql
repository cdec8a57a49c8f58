-- When the shop is open, and what "now" and "today" mean there.

create table public.opening_hours (
  weekday smallint primary key check (weekday between 0 and 6),
  opens_minute smallint not null check (opens_minute between 0 and 1439),
  closes_minute smallint not null check (closes_minute between 1 and 1440),
  check (opens_minute < closes_minute)
);
comment on table public.opening_hours is
  'Opening hours by weekday, 0 is Sunday; minutes from midnight, shop time. A weekday without a row is closed.';

insert into public.opening_hours (weekday, opens_minute, closes_minute) values
  (0, 510, 1260), (1, 660, 1140), (2, 660, 1140), (3, 660, 1140),
  (4, 510, 1260), (5, 510, 1260), (6, 510, 1260);

alter table public.opening_hours enable row level security;
grant select on public.opening_hours to anon, authenticated, shop_server;
create policy "anyone reads the opening hours" on public.opening_hours
  for select to anon, authenticated, shop_server using (true);

create function internal.current_instant() returns timestamptz
  language sql stable set search_path = ''
  return now();
comment on function internal.current_instant() is 'The clock of every booking rule; tests replace it.';

create function internal.shop_now() returns timestamp
  language sql stable set search_path = ''
  return internal.current_instant() at time zone 'America/Los_Angeles';
comment on function internal.shop_now() is 'Wall-clock time at the shop, whatever the zone of the session.';

grant execute on function internal.current_instant(), internal.shop_now() to anon, authenticated, shop_server;

create function internal.booking_refusal(booking_date date, booking_time time, duration_minutes integer)
  returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  minimum_notice constant interval := interval '120 minutes';
  horizon_days constant integer := 30;
  slot_step_minutes constant integer := 30;
  starts_at constant timestamptz := (booking_date + booking_time) at time zone 'America/Los_Angeles';
  shop_today constant date := internal.shop_now()::date;
  start_minute constant integer := extract(hour from booking_time) * 60 + extract(minute from booking_time);
  hours public.opening_hours;
begin
  if booking_date < shop_today or starts_at < internal.current_instant() then return 'in_the_past'; end if;
  if booking_date > shop_today + horizon_days then return 'too_far_ahead'; end if;
  if starts_at < internal.current_instant() + minimum_notice then return 'notice_required'; end if;
  select * into hours from public.opening_hours where weekday = extract(dow from booking_date);
  if not found or start_minute < hours.opens_minute or start_minute + duration_minutes > hours.closes_minute then
    return 'outside_hours';
  end if;
  if extract(second from booking_time) <> 0 or (start_minute - hours.opens_minute) % slot_step_minutes <> 0 then
    return 'off_the_grid';
  end if;
  return null;
end
$$;
comment on function internal.booking_refusal(date, time, integer) is
  'Why an appointment may not start then (a code), or null when only another appointment could be in the way. '
  'The same rules as domain/time-slots.ts and domain/booking-notice.ts; a test holds them against each other.';
grant execute on function internal.booking_refusal(date, time, integer) to anon, authenticated;
