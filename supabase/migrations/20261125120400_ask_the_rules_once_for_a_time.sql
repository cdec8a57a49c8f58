-- The rules were asked for each bay at each time, and on a day with a closure they look at all bays: with ten of them one
-- look at a day took most of a second.

create or replace function internal.list_visit_times(booking_id uuid, day date) returns setof time
  language sql stable
  security definer
  set search_path = ''
as $$
  with possible as materialized (
    select bay.id as bay_id, start, booking.id as booking_id, booking.duration_minutes, booking.service_id
    from public.bookings booking, public.booking_rules rules, public.bays bay,
         unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                         rules.grid_minutes * interval '1 minute') start
    where booking.id = list_visit_times.booking_id and bay.is_active and internal.can_do(bay.id, booking.service_id)
  ), asked as materialized (
    -- Not inside the next one: there the rules would be asked before doubles are taken out.
    select distinct start, duration_minutes, service_id from possible
  ), allowed as materialized (
    select start from asked
    where internal.booking_refusal(day, start::time, duration_minutes, service_id) is null
  )
  select distinct start::time from possible join allowed using (start)
  where not internal.is_taken(bay_id, internal.span_of(day, start::time, duration_minutes), possible.booking_id)
  order by 1
$$;
