-- What pages, letters and rules say of the shop, as rows that its owner changes: who it is, and how it takes bookings.

create function internal.is_line(value text, fewest integer, most integer) returns boolean
  language sql immutable
  set search_path = ''
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
comment on function internal.is_line(text, integer, integer) is
  'Whether a text is one line of so many characters, each of which is seen, as domain/typed-text.ts leaves it.';

create function internal.is_email_address(value text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.is_line(value, 3, 254) and value ~ '^[^@[:space:]<>",;]+@[^@[:space:]<>",;]+$';
comment on function internal.is_email_address(text) is 'Whether a text can stand where a letter needs an address.';

create function internal.are_links(links text[]) returns boolean
  language sql immutable
  set search_path = ''
  return cardinality(links) <= 10
    and coalesce((select bool_and(coalesce(internal.is_line(link, 12, 300) and link ~ '^https://[^[:space:]<>"]+$', false))
      from unnest(links) link), true);
comment on function internal.are_links(text[]) is 'Whether these are up to ten addresses of pages, each with https.';
-- Checks run with the rights of whoever writes.
grant execute on function internal.is_line(text, integer, integer), internal.is_email_address(text),
  internal.are_links(text[]) to authenticated;

create function internal.count_version() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
comment on function internal.count_version() is
  'Counts the changes of a row: who saves it names the version that they saw, and finds no row when it is another by now.';

create table public.shop (
  id boolean primary key default true constraint shop_is_one_row check (id),
  name text not null constraint shop_name_is_text check (internal.is_line(name, 1, 60)),
  legal_name text not null constraint shop_legal_name_is_text check (internal.is_line(legal_name, 1, 100)),
  kind text not null constraint shop_kind_is_text check (internal.is_line(kind, 1, 60)),
  tagline text not null constraint shop_tagline_is_text check (internal.is_line(tagline, 0, 100)),
  lead text not null constraint shop_lead_is_text check (internal.is_line(lead, 0, 300)),
  street text not null constraint shop_street_is_text check (internal.is_line(street, 1, 100)),
  city text not null constraint shop_city_is_text check (internal.is_line(city, 1, 60)),
  state text not null constraint shop_state_is_text check (internal.is_line(state, 0, 30)),
  postal_code text not null constraint shop_postal_code_is_text check (internal.is_line(postal_code, 1, 12)),
  country text not null constraint shop_country_is_a_code check (country ~ '^[A-Z]{2}$'),
  latitude double precision not null constraint shop_latitude_in_range check (latitude between -90 and 90),
  longitude double precision not null constraint shop_longitude_in_range check (longitude between -180 and 180),
  time_zone text not null constraint shop_time_zone_is_text check (internal.is_line(time_zone, 1, 60)),
  phone text not null constraint shop_phone_is_a_number check (phone ~ '^\+[1-9][0-9]{7,14}$'),
  billing_phone text not null constraint shop_billing_phone_is_a_number check (billing_phone ~ '^\+[1-9][0-9]{7,14}$'),
  support_email text not null constraint shop_support_email_is_an_address check (internal.is_email_address(support_email)),
  billing_email text not null constraint shop_billing_email_is_an_address check (internal.is_email_address(billing_email)),
  booking_email text not null constraint shop_booking_email_is_an_address check (internal.is_email_address(booking_email)),
  links text[] not null default '{}' constraint shop_links_are_addresses check (internal.are_links(links)),
  appointment_minutes integer not null
    constraint shop_appointment_minutes_in_range check (appointment_minutes between 5 and 720),
  quote_reply_hours integer not null constraint shop_quote_reply_hours_in_range check (quote_reply_hours between 1 and 336),
  version integer not null default 1
);
comment on table public.shop is 'Who the shop is, in one row: what every page, letter, invoice and calendar file says of it.';
comment on column public.shop.name is 'What customers call the shop.';
comment on column public.shop.legal_name is 'Under which it is registered: on invoices and in structured data.';
comment on column public.shop.kind is 'What it is, above its name: ''Auto Repair & Performance''.';
comment on column public.shop.tagline is 'The line under its name.';
comment on column public.shop.lead is 'What it does in one or two sentences.';
comment on column public.shop.street is 'Of the address as registered, like city, state, postal_code and country (ISO 3166-1 alpha-2).';
comment on column public.shop.latitude is 'WGS 84 degrees, like longitude: where the map is centred.';
comment on column public.shop.time_zone is 'A name of the IANA database: the wall clock of every date and time of the product.';
comment on column public.shop.phone is 'The counter, E.164; how it is shown follows from it (domain/phone-number.ts).';
comment on column public.shop.billing_phone is 'Accounts, E.164.';
comment on column public.shop.links is 'Pages about the shop elsewhere, for structured data.';
comment on column public.shop.appointment_minutes is 'How long the site says that an appointment takes; each is as long as its service.';
comment on column public.shop.quote_reply_hours is 'Within how many hours the site promises to answer a quote request.';
comment on column public.shop.version is 'Counts its changes: an update names the one it saw.';

insert into public.shop (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, appointment_minutes, quote_reply_hours
) values (
  'Torque & Timing', 'Torque & Timing Auto Repair', 'Auto Repair & Performance', 'Fixed right. Ready on time.',
  'Brakes, engines, transmissions and the small things in between. You see the price before we start.',
  '2130 Example Way', 'Mountain View', 'CA', '94043', 'US', 37.4189, -122.0864, 'America/Los_Angeles',
  '+16505550142', '+16505550188', 'support@torqueandtiming.example', 'billing@torqueandtiming.example',
  'hello@torqueandtiming.example', 75, 24
);

create function internal.check_time_zone() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The abbreviations and offsets that `at time zone` also takes know no summer; the browser does not take them.
  if new.time_zone !~ '^[A-Z][A-Za-z]+/[A-Za-z/_+0-9-]+$' and new.time_zone <> 'UTC'
     or not exists (select from pg_timezone_names where name = new.time_zone) then
    raise exception 'There is no time zone of this name.' using errcode = 'TT052', hint = 'time_zone_unknown';
  end if;
  return new;
end
$$;
comment on function internal.check_time_zone() is 'Refuses a time zone that PostgreSQL does not know by its full name.';
grant execute on function internal.check_time_zone(), internal.count_version() to authenticated;
create trigger check_time_zone before insert or update of time_zone on public.shop
  for each row execute function internal.check_time_zone();
create trigger count_version before update on public.shop
  for each row execute function internal.count_version();

alter table public.shop enable row level security;
grant select (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours
) on public.shop to anon;
grant select on public.shop to authenticated, shop_server, service_role;
grant update (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours
) on public.shop to authenticated;
create policy "anyone reads the shop's facts" on public.shop
  for select to anon, authenticated, shop_server using (true);
create policy "the admin changes the shop's facts" on public.shop
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create table public.booking_rules (
  id boolean primary key default true constraint booking_rules_are_one_row check (id),
  notice_minutes integer not null default 120
    constraint booking_rules_notice_minutes_in_range check (notice_minutes between 0 and 20160),
  horizon_days integer not null default 30 constraint booking_rules_horizon_days_in_range check (horizon_days between 1 and 365),
  grid_minutes integer not null default 30
    constraint booking_rules_grid_minutes_in_range check (grid_minutes between 5 and 240 and grid_minutes % 5 = 0),
  change_cutoff_minutes integer not null default 120
    constraint booking_rules_change_cutoff_minutes_in_range check (change_cutoff_minutes between 0 and 20160),
  cancel_cutoff_minutes integer not null default 120
    constraint booking_rules_cancel_cutoff_minutes_in_range check (cancel_cutoff_minutes between 0 and 20160),
  reminder_time time(0) not null default '17:00'
    constraint booking_rules_reminder_time_by_day check (reminder_time between '08:00' and '21:00'),
  online_booking_paused boolean not null default false,
  pause_sentence text not null default '' constraint booking_rules_pause_sentence_is_text check (internal.is_line(pause_sentence, 0, 300)),
  invoice_lookup_asks_email boolean not null default false,
  version integer not null default 1,
  constraint booking_rules_notice_within_horizon check (notice_minutes < horizon_days * 1440),
  constraint booking_rules_pause_says_why check (not online_booking_paused or length(trim(pause_sentence)) > 0)
);
comment on table public.booking_rules is 'How the shop takes bookings, in one row. A fresh shop has what docs/product.md 9.3 says.';
comment on column public.booking_rules.notice_minutes is 'How long before its start a visitor must book.';
comment on column public.booking_rules.horizon_days is 'How many days after today the last one is that a visitor can book.';
comment on column public.booking_rules.grid_minutes is 'Every how many minutes from opening an appointment may start.';
comment on column public.booking_rules.change_cutoff_minutes is 'Until how long before its start a customer may move an appointment.';
comment on column public.booking_rules.cancel_cutoff_minutes is 'Until how long before its start a customer may cancel it.';
comment on column public.booking_rules.reminder_time is 'When, on the day before, a reminder leaves; shop time.';
comment on column public.booking_rules.pause_sentence is 'What a visitor reads while online booking is paused.';
comment on column public.booking_rules.invoice_lookup_asks_email is 'Whether an invoice is found only with the e-mail address it was made for.';
comment on column public.booking_rules.version is 'Counts its changes: an update names the one it saw.';
insert into public.booking_rules default values;
create trigger count_version before update on public.booking_rules
  for each row execute function internal.count_version();

alter table public.booking_rules enable row level security;
grant select (
  notice_minutes, horizon_days, grid_minutes, change_cutoff_minutes, cancel_cutoff_minutes, online_booking_paused,
  pause_sentence, invoice_lookup_asks_email
) on public.booking_rules to anon;
grant select on public.booking_rules to authenticated, shop_server, service_role;
grant update (
  notice_minutes, horizon_days, grid_minutes, change_cutoff_minutes, cancel_cutoff_minutes, reminder_time,
  online_booking_paused, pause_sentence, invoice_lookup_asks_email
) on public.booking_rules to authenticated;
create policy "anyone reads what visitors keep to" on public.booking_rules for select to anon, shop_server using (true);
create policy "the admin reads the booking rules" on public.booking_rules
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes the booking rules" on public.booking_rules
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
