-- PostgreSQL reads the text of each check again for each insert, the longest patterns eight times over for a booking. How long
-- a text may be stays a check of its column; which signs may be in it is one check with a compiled function.

create function internal.shows_every_character(variadic texts text[]) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return array_to_string(texts, '')
    !~ '[[:cntrl:]\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;
comment on function internal.shows_every_character(text[]) is
  'Whether lines of text have no control character, and none that nobody sees or that turns the direction of writing. Null is no line.';
-- A check is evaluated as who writes the row.
grant execute on function internal.shows_every_character(text[]) to anon, authenticated;

alter table public.bookings
  drop constraint bookings_show_every_character,
  add constraint bookings_show_every_character check (internal.shows_every_character(
    customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color)),
  drop constraint bookings_customer_name_check,
  add constraint bookings_customer_name_check check (length(trim(customer_name)) between 1 and 200),
  drop constraint bookings_customer_email_check,
  add constraint bookings_customer_email_check check (length(customer_email) between 1 and 254 and position('@' in customer_email) > 0),
  drop constraint bookings_customer_phone_check,
  add constraint bookings_customer_phone_check check (length(trim(customer_phone)) between 1 and 40),
  drop constraint bookings_vehicle_year_check,
  add constraint bookings_vehicle_year_check check (length(vehicle_year) <= 20),
  drop constraint bookings_vehicle_make_check,
  add constraint bookings_vehicle_make_check check (length(vehicle_make) <= 60),
  drop constraint bookings_vehicle_model_check,
  add constraint bookings_vehicle_model_check check (length(vehicle_model) <= 60),
  drop constraint bookings_vehicle_color_check,
  add constraint bookings_vehicle_color_check check (length(vehicle_color) <= 40);
