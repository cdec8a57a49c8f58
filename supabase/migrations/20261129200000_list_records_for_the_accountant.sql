-- The records of a range for the owner's accountant, a page at a time: no read holds all of them, nor a transaction while
-- somebody's line is slow. Whoever has no right of their own is refused; the server asks for the admin.

create function internal.list_appointment_records(
  after_date date, after_time time, after_id uuid, until date, at_most integer
) returns table (
  id uuid, appointment_date date, appointment_time time, service text, minutes integer, price_cents integer, state text,
  is_held boolean, customer text, email text, phone text, vehicle text, plate text, bay text, booked_on date, source text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select booking.id, booking.appointment_date, booking.appointment_time, booking.service_name, booking.duration_minutes,
    booking.service_price_cents, internal.booking_state(booking), booking.held_until is not null, booking.customer_name,
    booking.customer_email, booking.customer_phone,
    internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model), car.plate, bay.name,
    (booking.created_at at time zone (select time_zone from public.shop))::date, made.source
  from public.bookings booking
  left join public.cars car on car.id = booking.car_id
  left join public.bays bay on bay.id = booking.bay_id
  left join lateral (
    select event.source from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked' order by event.id limit 1
  ) made on true
  where (booking.appointment_date, booking.appointment_time, booking.id) > (after_date, after_time, after_id)
    and booking.appointment_date <= until
  order by booking.appointment_date, booking.appointment_time, booking.id
  limit at_most
$$;
comment on function internal.list_appointment_records(date, time, uuid, date, integer) is
  'A page of appointments until a date, that day too, after one that was read last: by day, time and id.';
grant execute on function internal.list_appointment_records(date, time, uuid, date, integer) to shop_server;
