-- What lies outside the hours is found by asking the clock once, and for the hours of a date and bay once where the planner
-- expects that many cars share them.

create or replace view public.misfits with (security_invoker = true) as
  select booking.id as booking_id, booking.appointment_date, booking.appointment_time, booking.duration_minutes,
         booking.customer_name, booking.customer_phone, booking.service_name, booking.bay_id,
         case when booking.occupied <@ hours.spans then 'not_placed' else 'outside_hours' end as problem
  from public.bookings booking
  -- So that the planner may remember what a date and bay had: a function is taken to cost nothing the second time, and the
  -- condition on the hours would be part of what is remembered, were they an inner join.
  left join lateral (
    select internal.open_spans(booking.appointment_date, booking.bay_id) as spans offset 0
  ) hours on true
  where booking.appointment_date >= internal.shop_now()::date and upper(booking.occupied) > (select internal.shop_now())
    and booking.completed_at is null and booking.kept_at is null
    and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
    and (booking.held_until is null or booking.held_until > internal.current_instant())
    and (booking.bay_id is null or not booking.occupied <@ hours.spans);

-- It reads tables: that is what it costs.
alter function internal.open_spans(date, uuid) cost 1000;
