-- A sample week also has what the counter makes of visits: a car that is here, one that nobody brought, one booked by phone.

create or replace function internal.add_sample_booking(visit jsonb) returns setof public.bookings
  language sql
  security definer
  set search_path = ''
as $$
  insert into public.bookings (
    is_sample, id, service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name, customer_email,
    customer_phone, notes, shop_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, status, created_at,
    completed_at, completed_by)
  select true, (visit ->> 'id')::uuid, service.id, place.starts_at::date, place.starts_at::time, service.duration_minutes,
         place.bay_id, visit ->> 'name', visit ->> 'email', visit ->> 'phone', visit ->> 'notes', visit ->> 'shopNote',
         visit ->> 'year', visit ->> 'make', visit ->> 'model', visit ->> 'color',
         case
           when visit ->> 'status' <> 'here' then visit ->> 'status'
           when ended.is_done then 'confirmed'
           when place.starts_at <= internal.shop_now() then 'in_work'
           when place.starts_at <= internal.shop_now() + interval '1 hour' then 'arrived'
           else 'confirmed'
         end,
         (visit ->> 'createdAt')::timestamptz,
         case when ended.is_done then ended.at at time zone shop.time_zone end, case when ended.is_done then 'admin' end
  from public.shop, public.services service,
       internal.sample_place((visit ->> 'date')::date, (visit ->> 'time')::time, service) place,
       lateral (select place.starts_at + service.duration_minutes * interval '1 minute' as at) as ends,
       lateral (
         select ends.at, ends.at <= internal.shop_now() and visit ->> 'status' in ('confirmed', 'here') as is_done
       ) as ended
  where service.id = (visit ->> 'serviceId')::uuid
  returning *
$$;
comment on function internal.add_sample_booking(jsonb) is
  'Adds an appointment to the sample week at the free time nearest to its wish, completed when that is over; of status here, '
  'it is arrived in the hour before its time and in work during it. No row when its date has no room.';
