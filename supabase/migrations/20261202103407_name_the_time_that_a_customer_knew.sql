-- Emails about a change name the time that the customer knew before it.

create function internal.known_start(booking_id uuid) returns timestamp
  language sql stable
  security definer
  set search_path = ''
  -- A customer who moves an appointment by its link knew the time before. The trigger settle_notification has stored the new
  -- time as known by then, so the time before comes from the history.
  return (
    select coalesce(
      nullif(booking.notified_starts_at, booking.appointment_date + booking.appointment_time),
      (select coalesce((latest.before ->> 'date')::date, booking.appointment_date)
              + coalesce((latest.before ->> 'time')::time, booking.appointment_time)
       from (select event.kind, event.source, event.before from public.booking_events event
             where event.booking_id = booking.id order by event.id desc limit 1) latest
       where latest.kind = 'moved' and latest.source = 'customer'),
      booking.notified_starts_at)
    from public.bookings booking where booking.id = known_start.booking_id);
comment on function internal.known_start(uuid) is
  'The start, shop wall clock, that the customer of an appointment knew before its last change; the start itself where it did '
  'not change.';
grant execute on function internal.known_start(uuid) to shop_server;
