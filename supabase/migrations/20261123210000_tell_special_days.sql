-- Pages say on which days to come the week's hours do not hold, and why.

create function public.list_special_days()
  returns table (day date, hours jsonb, bays jsonb, closed_because text)
  language plpgsql stable
  -- What visitors may know of each day, told once to whoever writes their pages.
  security definer
  set search_path = ''
as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A page that stands open for a week still knows every day that can be booked on it.
  last_date constant date := first_date + 7 + (select horizon_days from public.booking_rules);
begin
  return query
    with told as (
      select span * tsrange(first_date, last_date + 1) as span from public.closures
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.closures
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from told, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
end
$$;
comment on function public.list_special_days() is
  'The days that a closure or special opening touches: all that can be booked today and in the week to come, and the first '
  'month of the next public closure after them. Each with the shop''s hours ([{opensAtMinute, closesAtMinute}]) and what '
  'list_open_days says of it.';
grant execute on function public.list_special_days() to shop_server;
