-- The dashboard finds an appointment by any part of name, e-mail, phone or vehicle; a phone number
-- is found however its digits are grouped.
alter table public.bookings add column search_text text not null generated always as (
  lower(
    customer_name || ' ' || customer_email || ' ' || customer_phone || ' '
    || regexp_replace(customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(vehicle_year, '') || ' ' || coalesce(vehicle_make, '') || ' ' || coalesce(vehicle_model, '')
  )
) stored;
comment on column public.bookings.search_text is 'What the dashboard''s search looks through, in lower case.';

-- The list reads open appointments in order, and completed ones newest first, a page at a time.
create index bookings_open_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null;
create index bookings_completed_by_date on public.bookings (appointment_date desc, appointment_time desc)
  where completed_at is not null;
