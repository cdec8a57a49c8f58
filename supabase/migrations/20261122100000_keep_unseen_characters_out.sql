-- A name that turns the direction of writing around reads as another name, and one with characters that nobody
-- sees is not found again. domain/typed-text.ts takes them out of what is typed; here they are refused.

-- What is stored already loses them. A name of nothing else is not known.
update public.bookings set
  customer_name = coalesce(nullif(trim(regexp_replace(customer_name, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  customer_email = regexp_replace(customer_email, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  customer_phone = coalesce(nullif(trim(regexp_replace(customer_phone, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  notes = regexp_replace(notes, '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]', '', 'g'),
  vehicle_year = regexp_replace(vehicle_year, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  vehicle_make = regexp_replace(vehicle_make, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  vehicle_model = regexp_replace(vehicle_model, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  vehicle_color = regexp_replace(vehicle_color, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')
where concat(customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color) ~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  or notes ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]';

update public.quote_requests set
  name = coalesce(nullif(trim(regexp_replace(name, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  email = regexp_replace(email, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  phone = regexp_replace(phone, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g'),
  vehicle_year = coalesce(nullif(trim(regexp_replace(vehicle_year, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  vehicle_make = coalesce(nullif(trim(regexp_replace(vehicle_make, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  vehicle_model = coalesce(nullif(trim(regexp_replace(vehicle_model, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]', '', 'g')), ''), 'Unknown'),
  description = coalesce(nullif(trim(regexp_replace(description, '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]', '', 'g')), ''), 'Unknown')
where concat(name, email, phone, vehicle_year, vehicle_make, vehicle_model) ~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]' or description ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]';

-- In this order: soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width space, the marks,
-- embeddings, overrides and isolates of direction with the line and paragraph separators among them, word joiner
-- and invisible operators, byte order mark, interlinear annotation, tags. The joiners U+200C and U+200D spell names.
alter table public.bookings
  add constraint bookings_show_every_character check (
    customer_name || customer_email || customer_phone || coalesce(vehicle_year, '') || coalesce(vehicle_make, '')
      || coalesce(vehicle_model, '') || coalesce(vehicle_color, '') !~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  ),
  -- Lines and tabs are meant, other control characters and held-on directions are not.
  add constraint bookings_notes_are_plain check (notes !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');
alter table public.quote_requests
  add constraint quote_requests_show_every_character check (
    name || email || coalesce(phone, '') || vehicle_year || vehicle_make || vehicle_model
      !~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  ),
  add constraint quote_requests_description_is_plain check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');
