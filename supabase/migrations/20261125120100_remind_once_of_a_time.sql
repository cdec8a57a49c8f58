-- A visit that staff make longer or shorter counts its calendar file up, and is still at the time that its customer was
-- reminded of.

create or replace function internal.bookings_to_remind(most integer) returns setof public.bookings
  language sql stable
  -- Reads the stories of appointments, which are nobody's but the admin's.
  security definer
  set search_path = ''
as $$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_night()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Whoever chose this time after the hour of reminders knows of it.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- Nor does another length make it another time.
    and not exists (
      select from public.emails letter
      where letter.booking_id = booking.id and letter.kind = 'booking_reminder'
        and letter.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
  limit most
$$;
comment on function internal.bookings_to_remind(integer) is
  'The appointments of tomorrow whose customers are to be reminded now and have not been: from the hour of booking_rules on, '
  'until nine in the evening. Each time of an appointment is reminded of once.';
