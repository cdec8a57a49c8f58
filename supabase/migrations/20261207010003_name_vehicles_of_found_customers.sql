set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.summarize_customer_bookings(name text, phone text, today date)
 RETURNS TABLE(email text, vehicles jsonb, last_appointment date, next_appointment date, appointment_count integer, no_shows integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with known as (
    select * from public.bookings booking
    where internal.normalize_phone(booking.customer_phone) = internal.normalize_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select internal.email_of_bookings(array(select id from known)),
         (select jsonb_agg(jsonb_build_object('id', vehicle_id, 'year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model,
                                              'color', vehicle_color) order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen,
                       (array_agg(vehicle_id order by appointment_date desc) filter (where vehicle_id is not null))[1] as vehicle_id
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) vehicle),
         max(appointment_date) filter (where customer_came),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where customer_came))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as customer_came from known) as known
$function$;

COMMENT ON FUNCTION "public"."find_customers"(text) IS 'Up to eight customers by the words of a search in their bookings, latest first: one for each name and phone number, with vehicles [{id, year, make, model, color}], last and next appointment, number of appointments and no-shows.';
