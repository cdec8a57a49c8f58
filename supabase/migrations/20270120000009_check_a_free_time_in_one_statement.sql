-- Checks a free time with one statement instead of two, because pages call the function for each time of a date.

set local check_function_bodies = off;

create or replace function public.is_time_slot_available(
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
  -- For speed, one statement reads everything, because pages call this function for each time of a date.
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
