-- Who calls is booked with a name and a phone number; a visitor of the site still leaves an address for the confirmation.
-- An appointment holds its bay as long as the work takes, also overnight.

alter table public.bookings
  alter column customer_email drop not null,
  drop constraint bookings_duration_minutes_check,
  add constraint bookings_duration_minutes_in_range check (duration_minutes between 5 and 20160),
  -- With a null in it the former check held for every row.
  drop constraint bookings_show_every_character,
  add constraint bookings_show_every_character check (
    customer_name || coalesce(customer_email, '') || customer_phone || coalesce(vehicle_year, '')
      || coalesce(vehicle_make, '') || coalesce(vehicle_model, '') || coalesce(vehicle_color, '')
      !~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  ),
  -- Goes with its index.
  drop column search_text;
alter table public.bookings add column search_text text not null generated always as (
  lower(
    customer_name || ' ' || coalesce(customer_email, '') || ' ' || customer_phone || ' '
    || regexp_replace(customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(vehicle_year, '') || ' ' || coalesce(vehicle_make, '') || ' ' || coalesce(vehicle_model, '')
  )
) stored;
create index bookings_by_search_text on public.bookings
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
-- What a caller had done here before.
create index bookings_by_phone on public.bookings (internal.canonical_phone(customer_phone), appointment_date desc);
comment on column public.bookings.search_text is 'What the dashboard''s search looks through, in lower case.';
comment on column public.bookings.customer_email is 'Where letters about it go; null for a caller who left none: then nothing is sent.';
comment on column public.bookings.duration_minutes is
  'How long it holds its bay, in minutes of the wall clock: the service''s when it was booked, later what staff made of it, up to '
  'two weeks.';

create function internal.require_email() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
end
$$;
comment on function internal.require_email() is 'Whoever books on the site is written to; only book_by_phone does without.';
create trigger require_email before insert on public.bookings
  for each row when (new.customer_email is null and current_user in ('anon', 'authenticated'))
  execute function internal.require_email();
