-- Time at the shop. Dates and times of bookings are those of the shop's wall clock; instants are timestamptz. Every
-- rule gets the current time from the functions of this file, so that a test can replace the time.

create function internal.current_instant() returns timestamptz
  -- Has no search_path, because PostgreSQL inlines only functions without settings. PostgreSQL resolved the names in
  -- the body when the function was created.
  language sql stable
  return now();
comment on function internal.current_instant() is
  'The current time for every booking rule; tests replace this function.';
grant execute on function internal.current_instant() to anon, authenticated, shop_server;

create function internal.shop_now() returns timestamp
  -- Runs with the rights of the function's owner, because the time zone is in the table shop, which not every role may
  -- read.
  language sql stable security definer set search_path = ''
  return internal.current_instant() at time zone (select time_zone from public.shop);
comment on function internal.shop_now() is
  'The wall-clock time at the shop, independent of the time zone of the database connection.';
grant execute on function internal.shop_now() to anon, authenticated, shop_server;

create function internal.format_duration(minutes integer) returns text
  language sql immutable set search_path = ''
  return coalesce(nullif(concat_ws(' and ',
    case when minutes >= 60 then minutes / 60 || ' hour' || case when minutes / 60 = 1 then '' else 's' end end,
    case when minutes % 60 > 0 then minutes % 60 || ' minute' || case when minutes % 60 = 1 then '' else 's' end end
  ), ''), '0 minutes');
comment on function internal.format_duration(integer) is
  'A duration as text, as in domain/text/duration-text.ts: 75 is ''1 hour and 15 minutes''.';

create function internal.minutes_of_day(day date, spans tsmultirange) returns jsonb
  language sql immutable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'opensAtMinute', extract(epoch from lower(span) - day)::integer / 60,
      'closesAtMinute', extract(epoch from upper(span) - day)::integer / 60) order by span), '[]')
    from unnest(spans) span
  );
comment on function internal.minutes_of_day(date, tsmultirange) is
  'Converts time ranges of a day to minutes after midnight, in the format of domain/calendar/opening-hours.ts.';

create function internal.booking_range(booking_date date, booking_time time, minutes integer) returns tsrange
  language plpgsql immutable set search_path = '' as $$
begin
  if booking_date is null or booking_time is null or minutes is null
     or booking_date not between '2000-01-01' and '2100-01-01' or minutes not between 5 and 20160
     or extract(second from booking_time) <> 0 then
    raise exception 'An appointment has a date, a time in whole minutes, and 5 to 20160 minutes.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  return tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute');
end
$$;
comment on function internal.booking_range(date, time, integer) is
  'The time range that a booking would occupy (the value of bookings.occupied). Refuses an invalid date, time or '
  'duration (SQLSTATE 22023).';

create function internal.is_quiet_hours() returns boolean
  language sql stable set search_path = ''
  return internal.shop_now()::time not between '08:00' and '21:00';
comment on function internal.is_quiet_hours() is
  'Whether the time at the shop is between 9 PM and 8 AM. At these hours, customers receive only emails that they requested.';
