-- The schema of the first release, as supabase/schemas had it, in one piece: nobody needs to read it.
-- It replaced every migration before it (docs/decisions, 'The schema is written once').

-- Bodies name what is created later.
set check_function_bodies = off;

-- Who works on the database, and what each may do by default: nothing. Visitors are `anon`, the shop's admin is
-- `authenticated` with a claim in the access token, `service_role` belongs to the server functions of a hosted project,
-- `shop_server` to the site's own server. A hosted project grants everything in `public` to everybody by default; that is
-- revoked here first, and every right is granted by name beside its table or function. This file is executed as it
-- stands, before all others.

-- PostgreSQL's roles belong to the whole server, where another database may have made this one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'shop_server') then
    create role shop_server nologin noinherit;
  end if;
end
$$;

grant shop_server to authenticator;

-- Lets the owner of the database act as the server, as a hosted project's connection string does.
grant shop_server to current_user;

alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;

alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

alter default privileges revoke execute on functions from public;

revoke create on schema public from public;

grant usage on schema public to anon, authenticated, service_role, shop_server;

create schema internal;

comment on schema internal is 'What only the server touches: nothing here is reachable through the data API.';

-- Visitors get no table of it; the rules of a booking, which run in their name, live here.
grant usage on schema internal to shop_server, anon, authenticated;

create table internal.secrets (
  name text primary key check (name ~ '^[a-z_]{1,60}$'),
  value text not null check (length(value) between 32 and 500),
  created_at timestamptz not null default now()
);

-- Keys of the site lie in files of DATA_DIR/keys now (docs/decisions/0028).
comment on table internal.secrets is
  'The key of mailed links and the key of form tokens, with which the database itself signs. Where several machines may work '
  'on this database: the keys of the site on their way from one machine to the next, sealed with the password of the '
  'tables'' owner. No backup contains a row of this table.';

alter table internal.secrets enable row level security;

grant select, insert on internal.secrets to shop_server;

create policy "the server reads its keys" on internal.secrets for select to shop_server using (true);

create policy "the server makes its keys" on internal.secrets for insert to shop_server with check (true);

-- The shop's one staff role travels in the access token; a visitor's token has none.
create function internal.is_admin() returns boolean
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return coalesce(auth.jwt() #>> '{app_metadata,role}', '') = 'admin';

comment on function internal.is_admin() is 'Whether the request carries the token of the shop''s admin.';

-- Reads nothing but the request's own token.
grant execute on function internal.is_admin() to anon, authenticated, shop_server;

create function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only the admin may do this.' using errcode = '42501';
  end if;
end
$$;

-- The author is who the token says; the argument only names someone when the token does not.
create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');

-- Text that people typed: what one line of it may contain, how addresses and phone numbers are compared, and how words
-- are searched without regard to accents and capitals.

create extension if not exists pg_trgm with schema extensions;

-- When a booking may start: the shop is open, a bay that can do the service is free, the notice and the horizon are kept.
-- The same rules decide the times that are offered, the insert of a visitor and a move by the customer. Staff may go
-- beyond them, and a booking outside the hours or without a bay is listed as a misfit until somebody decides.

create extension if not exists btree_gist with schema extensions;

-- What stands in for the payment processor while the shop has no account with it: its objects, the
-- replies it promised to repeat, and the events it still has to deliver. The product's own tables
-- never refer to any of this; with a processor's key configured the schema simply stays empty.

create schema stripe_sandbox;

grant usage on schema stripe_sandbox to shop_server;

-- How rows change. A row that two windows may edit counts its version, and a save names the version that it saw.
-- A ledger is only added to: `refuse_rewriting` is on every table whose comment ends with [append-only]. A procedure that
-- changes the calendar can be tried first: its preview makes the change and takes it back.

create type internal.action_outcome_fields as (done text, refused text);

create domain internal.action_outcome as internal.action_outcome_fields
  constraint action_outcome_is_done_or_refused check (num_nonnulls((value).done, (value).refused) = 1)
  constraint action_outcome_done_is_known check (
    (value).done is null or (value).done in ('moved', 'cancelled', 'taken_back', 'answered', 'explained', 'unchanged'))
  constraint action_outcome_refused_is_no_change check (
    (value).refused is null or (value).refused not in ('moved', 'taken_back', 'answered', 'explained', 'unchanged'));

-- Customers (`people`) and how they are reached. A booking, a quote request or an estimate finds its customer by a confirmed
-- email address or phone number and a name that agrees, or makes a new one. An address that anybody can type into a form
-- becomes a customer's own only when staff or the customer confirm it.

create type internal.caller as (
  name text, email text, phone text, seen_at timestamptz, is_trusted boolean, is_sample boolean, typed_online boolean
);

-- Vehicles (`cars`) of customers, found by VIN, plate or description, with their odometer readings.

create type internal.described_car as (year text, make text, model text, color text, plate text, vin text);

-- What is known of a customer is exported, and erased on request. `erasure_rules` says for every column that holds text what
-- an erasure does with it; records that the law asks the shop to keep stay until their retention ends. Texts of other
-- customers are left alone.

create type internal.said as (kind text, words text);

-- What keeps machines from filling the calendar. A form token proves when a form was opened; what looks automated is held
-- for half an hour until its email address confirms it; caps count bookings by client, network and site. Addresses are
-- kept as keyed digests only.

create type internal.client_digests as (
  address bytea, network_56 bytea, network_48 bytea, network_24 bytea, is_limited boolean
);

-- Estimates: jobs and lines, totals and tax. An estimate is edited in its latest revision; a revision that was sent is
-- frozen with a hash of its document, and a change makes the next revision.

create sequence internal.estimate_count start 101;

-- Invoices are the payment processor's; here is what links them to records. An estimate is invoiced for approved jobs only
-- and never above what was approved, a claim is written before the processor is asked, and numbers are assigned once.

create sequence internal.invoice_count;

create sequence stripe_sandbox.invoice_number;

create function internal.is_line(value text, fewest integer, most integer) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;

create function internal.is_email_address(value text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.is_line(value, 3, 254) and value ~ '^[^@[:space:]<>",;]+@[^@[:space:]<>",;]+$';

create function internal.are_links(links text[]) returns boolean
  language sql immutable
  set search_path = ''
  return cardinality(links) <= 10
    and coalesce((select bool_and(coalesce(internal.is_line(link, 12, 300) and link ~ '^https://[^[:space:]<>"]+$', false))
      from unnest(links) link), true);

-- The shop's facts and settings, a row or a few each: name and address, rules of booking, opening hours, closures, bays and
-- the services that each bay can do. Every change of a setting is recorded with before and after; the week, the closures
-- and the bays are saved as a whole by somebody who saw the latest version.

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
  latitude double precision constraint shop_latitude_in_range check (latitude between -90 and 90),
  longitude double precision constraint shop_longitude_in_range check (longitude between -180 and 180),
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
  version integer not null default 1,
  constraint shop_position_is_whole check ((latitude is null) = (longitude is null))
);

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
  reminder_time time(0) not null default '17:00',
  online_booking_paused boolean not null default false,
  pause_sentence text not null default '' constraint booking_rules_pause_sentence_is_text check (internal.is_line(pause_sentence, 0, 300)),
  invoice_lookup_asks_email boolean not null default false,
  version integer not null default 1,
  tell_shop_of_changes boolean not null default false,
  constraint booking_rules_notice_within_horizon check (notice_minutes < horizon_days * 1440),
  constraint booking_rules_pause_says_why check (not online_booking_paused or length(trim(pause_sentence)) > 0),
  constraint booking_rules_reminder_time_by_day check (reminder_time between '08:00' and '20:30')
);

create table public.opening_hours (
  weekday smallint primary key check (weekday between 0 and 6),
  opens_minute smallint not null constraint opening_hours_opens_minute_in_range check (opens_minute between 0 and 1439),
  closes_minute smallint not null constraint opening_hours_closes_minute_in_range check (closes_minute between 1 and 1440),
  constraint opening_hours_close_after_opening check (opens_minute < closes_minute)
);

create table public.bays (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint bays_name_is_unique unique
    constraint bays_name_is_text check (internal.is_line(name, 1, 40)),
  position integer not null constraint bays_position_is_one_bays unique deferrable
    constraint bays_position_in_range check (position between 1 and 50),
  is_active boolean not null default true,
  version integer not null default 1,
  technician text constraint bays_technician_is_text check (internal.is_line(technician, 1, 40))
);

create table public.closures (
  id uuid primary key default gen_random_uuid(),
  starts_at timestamp not null,
  ends_at timestamp not null,
  is_open boolean not null default false,
  bay_id uuid references public.bays on delete cascade,
  reason text not null default '' constraint closures_reason_is_text check (internal.is_line(reason, 0, 100)),
  is_public boolean not null default true,
  version integer not null default 1,
  span tsrange not null generated always as (
    case when starts_at < ends_at then tsrange(starts_at, ends_at, '[)') else 'empty' end
  ) stored,
  constraint closures_end_after_start check (starts_at < ends_at),
  constraint closures_are_of_this_century check (
    starts_at between '2000-01-01' and '2100-01-01' and ends_at <= '2100-01-01' and ends_at - starts_at <= interval '400 days'
  ),
  constraint closures_are_whole_minutes check (
    starts_at = date_trunc('minute', starts_at) and ends_at = date_trunc('minute', ends_at)
  ),
  -- One of several days would be open at night.
  constraint closures_openings_are_of_one_day check (not is_open or ends_at <= starts_at::date + 1)
);

-- What can be booked. At least one service stays active, and a booking remembers name and price
-- as they were.

create table public.services (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  description text not null default '' check (length(description) <= 1000),
  duration_minutes integer not null constraint services_duration_minutes_in_range check (duration_minutes between 5 and 720),
  is_active boolean not null default true,
  position integer constraint services_position_in_range check (position between 1 and 1000),
  price_from_cents integer
    constraint services_price_from_cents_in_range check (price_from_cents between 1 and 10000000),
  version integer not null default 1,
  constraint services_name_is_text check (internal.is_line(name, 1, 100)),
  constraint services_description_is_plain check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]')
);

create table public.bay_services (
  bay_id uuid not null references public.bays on delete cascade,
  service_id uuid not null references public.services on delete cascade,
  primary key (bay_id, service_id)
);

create table public.settings_versions (
  section text primary key,
  version integer not null default 1
);

create table public.settings_history (
  id bigint generated always as identity primary key,
  section text not null,
  subject text not null,
  action text not null check (action in ('added', 'changed', 'removed')),
  before jsonb,
  after jsonb,
  changed_by_name text not null check (length(changed_by_name) <= 100),
  changed_at timestamptz not null default clock_timestamp(),
  constraint settings_history_section_check check (section in ('shop', 'rules', 'hours', 'closures', 'bays', 'services', 'team', 'estimates'))
);

create table internal.shop_setup (
  id boolean primary key default true constraint shop_setup_is_one_row check (id),
  has_first_password boolean not null default false,
  confirmed_steps text[] not null default '{}'
    constraint shop_setup_confirmed_steps_are_known check (confirmed_steps <@ array['hours', 'services']),
  hidden_at timestamptz,
  done_at timestamptz,
  sample_week_id uuid,
  sample_filled_at timestamptz,
  constraint shop_setup_fills_a_week_it_began check (sample_filled_at is null or sample_week_id is not null)
);

-- Whom tasks can be assigned to.

create table public.employees (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  is_active boolean not null default true,
  version integer not null default 1,
  constraint employees_name_is_text check (internal.is_line(name, 1, 100))
);

-- What indexes, checks and generated columns call is planned again for each insert. A compiled function is not.
create function internal.canonical_phone(phone text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return substring(regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^1(?=[0-9]{10}$)', ''), '^.{7,}$');
end
$$;

create function internal.plain(said text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return translate(lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]+', '', 'g')), 'ŁłØøĐđ', 'lloodd');
end
$$;

create table public.people (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint people_name_is_text check (length(name) <= 200 and length(trim(name)) >= 1 and name !~ '[[:cntrl:]]'),
  email text constraint people_email_is_text check (length(email) between 1 and 254 and email !~ '[[:cntrl:]]'),
  phone text constraint people_phone_is_text check (length(phone) <= 40 and length(trim(phone)) >= 1 and phone !~ '[[:cntrl:]]'),
  phone_key text generated always as (internal.canonical_phone(phone)) stored,
  search_text text not null generated always as (
    internal.plain(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
      || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), ''))
  ) stored,
  merged_into uuid constraint people_merge_into_another check (merged_into <> id),
  is_sample boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  gets_reminders boolean not null default true,
  foreign key (merged_into) references public.people
);

create table public.person_contacts (
  id bigint generated always as identity primary key,
  person_id uuid not null references public.people on delete cascade,
  kind text not null constraint person_contacts_kind_is_known check (kind in ('email', 'phone')),
  key text not null constraint person_contacts_key_is_text check (length(key) between 1 and 254),
  value text not null constraint person_contacts_value_is_text check (length(value) between 1 and 254),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  confirmed_by_name text constraint person_contacts_confirmed_by_is_text check (length(confirmed_by_name) <= 100),
  constraint person_contacts_phones_are_confirmed check (kind = 'email' or confirmed_at is not null)
);

create table public.person_notes (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references public.people on delete cascade,
  note text not null constraint person_notes_note_is_plain check (
    length(trim(note)) between 1 and 1000
    and note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  written_by_name text not null check (length(written_by_name) <= 100),
  created_at timestamptz not null default now()
);

create table public.different_people (
  person_id uuid not null references public.people on delete cascade,
  other_id uuid not null references public.people on delete cascade,
  primary key (person_id, other_id),
  constraint different_people_are_in_order check (person_id < other_id)
);

create function internal.first_bay() returns uuid
  language sql stable
  -- Where an appointment goes is nothing that its visitor reads.
  security definer
  set search_path = ''
  return (select id from public.bays where is_active order by position limit 1);

create function internal.is_vin(value text) returns boolean
  language sql immutable
  set search_path = ''
as $$
  -- 49 CFR 565.15: each character has a value and a weight, the ninth is the remainder of their sum by 11.
  select value ~ '^[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}$' and (
    select sum(translate(substr(value, place, 1), 'ABCDEFGHJKLMNPRSTUVWXYZ', '12345678123457923456789')::integer
               * (array[8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2])[place]) % 11
    from generate_series(1, 17) place where place <> 9
  ) = case substr(value, 9, 1) when 'X' then 10 else nullif(substr(value, 9, 1), '')::integer end
$$;

create function internal.car_key(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return case when regexp_replace(concat(make, model), '[[:space:][:punct:]]+', '', 'g') <> ''
    then regexp_replace(internal.plain(concat_ws(' ', year, make, model)), '[[:space:][:punct:]]+', '', 'g') end;

create function internal.plate_key(plate text) returns text
  language sql immutable strict
  set search_path = ''
  return nullif(regexp_replace(upper(plate), '[^[:alnum:]]+', '', 'g'), '');

create table public.cars (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references public.people,
  year text constraint cars_year_is_text check (length(year) <= 20 and year !~ '[[:cntrl:]]'),
  make text constraint cars_make_is_text check (length(make) <= 60 and make !~ '[[:cntrl:]]'),
  model text constraint cars_model_is_text check (length(model) <= 60 and model !~ '[[:cntrl:]]'),
  color text constraint cars_color_is_text check (length(color) <= 40 and color !~ '[[:cntrl:]]'),
  plate text constraint cars_plate_is_text check (internal.is_line(plate, 1, 15)),
  vin text constraint cars_vin_is_right check (internal.is_vin(vin)),
  note text constraint cars_note_is_plain check (
    length(note) <= 1000 and note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  car_key text generated always as (internal.car_key(year, make, model)) stored,
  plate_key text generated always as (internal.plate_key(plate)) stored,
  search_text text not null generated always as (
    internal.plain(coalesce(year, '') || ' ' || coalesce(make, '') || ' ' || coalesce(model, '') || ' ' || coalesce(plate, '') || ' '
      || coalesce(internal.plate_key(plate), '') || ' ' || coalesce(vin, ''))
  ) stored,
  merged_into uuid constraint cars_merge_into_another check (merged_into <> id),
  is_sample boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  foreign key (merged_into) references public.cars
);

create function internal.shows_every_character(variadic texts text[]) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return array_to_string(texts, '')
    !~ '[[:cntrl:]\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;

-- Bookings: appointments of vehicles, in shop time. Two bookings of one bay never overlap
-- (`bookings_do_not_overlap`). Every change is an event that stays (`booking_events`), a state follows another only as
-- `booking_transitions` allows, and each change by staff names the version that they saw.

create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  service_id uuid not null references public.services,
  appointment_date date not null,
  appointment_time time(0) not null,
  duration_minutes integer not null,
  occupied tsrange not null generated always as (
    tsrange(
      appointment_date + appointment_time,
      appointment_date + appointment_time + duration_minutes * interval '1 minute',
      '[)'
    )
  ) stored,
  customer_name text not null,
  customer_email text,
  customer_phone text not null,
  notes text check (length(notes) <= 2000),
  vehicle_year text,
  vehicle_make text,
  vehicle_model text,
  vehicle_color text,
  status text not null default 'confirmed' check (length(status) between 1 and 30),
  completed_at timestamptz,
  completed_by text check (length(completed_by) <= 100),
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now(),
  held_until timestamptz,
  hold_confirmed_at timestamptz,
  bay_id uuid default internal.first_bay() references public.bays,
  service_name text not null,
  service_price_cents integer,
  kept_at timestamptz,
  kept_by text check (length(kept_by) <= 100),
  is_sample boolean not null default false,
  version integer not null default 1,
  state_since timestamptz not null default now(),
  search_text text not null default '',
  shop_note text
    constraint bookings_shop_note_is_plain check (
      length(shop_note) <= 500
      and shop_note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  calendar_sequence integer not null default 0
    constraint bookings_calendar_sequence_counts_up check (calendar_sequence >= 0),
  link_version integer not null default 1,
  answered_at timestamptz,
  thread_id uuid not null default gen_random_uuid(),
  person_id uuid references public.people,
  car_id uuid references public.cars,
  notified_starts_at timestamp not null,
  notified_cancelled boolean not null default false,
  is_notification_outdated boolean not null generated always as (
    (status = 'cancelled') <> notified_cancelled
    or (status <> 'cancelled' and notified_starts_at <> appointment_date + appointment_time)) stored,
  constraint bookings_check check ((completed_at is null) = (completed_by is null)),
  -- Lines and tabs are meant, other control characters and held-on directions are not.
  constraint bookings_notes_are_plain check (notes !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  constraint bookings_hold_is_open check (held_until is null or (status = 'confirmed' and completed_at is null)),
  constraint bookings_do_not_overlap exclude using gist (bay_id with =, occupied with &&)
    where (bay_id is not null and status not in ('cancelled', 'not_confirmed', 'no_show')),
  constraint bookings_are_kept_by_somebody check ((kept_at is null) = (kept_by is null)),
  constraint bookings_duration_minutes_in_range check (duration_minutes between 5 and 20160),
  constraint bookings_show_every_character check (internal.shows_every_character(
    customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color)),
  constraint bookings_customer_name_check check (length(trim(customer_name)) between 1 and 200),
  constraint bookings_customer_email_check check (length(customer_email) between 1 and 254 and position('@' in customer_email) > 0),
  constraint bookings_customer_phone_check check (length(trim(customer_phone)) between 1 and 40),
  constraint bookings_vehicle_year_check check (length(vehicle_year) <= 20),
  constraint bookings_vehicle_make_check check (length(vehicle_make) <= 60),
  constraint bookings_vehicle_model_check check (length(vehicle_model) <= 60),
  constraint bookings_vehicle_color_check check (length(vehicle_color) <= 40)
);

create table internal.address_answers (
  booking_id uuid primary key references public.bookings on delete cascade,
  answered_at timestamptz not null default now()
);

create table public.odometer_readings (
  id uuid primary key default gen_random_uuid(),
  car_id uuid not null references public.cars on delete cascade,
  booking_id uuid references public.bookings on delete set null,
  miles integer not null constraint odometer_readings_miles_in_range check (miles between 0 and 2000000),
  read_on date not null constraint odometer_readings_on_a_day_of_cars check (read_on between '1950-01-01' and '2100-01-01'),
  recorded_by_name text not null check (length(recorded_by_name) <= 100),
  recorded_at timestamptz not null default now()
);

-- Time at the shop. Dates and times of appointments are the shop's wall clock; instants are timestamptz. Every rule reads
-- the clock here, so that a test can replace it.

create function internal.current_instant() returns timestamptz
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  language sql stable
  return now();

-- Two records of one customer or of one vehicle become one, and can be taken apart again for thirty days:
-- `record_merges` keeps what was moved. `merge_rules` says for every column that refers to a customer or a vehicle what a
-- merge does with it, and a merge refuses to run while a reference is undecided.

create table public.record_merges (
  id uuid primary key default gen_random_uuid(),
  kind text not null constraint record_merges_kind_is_known check (kind in ('person', 'car')),
  kept_id uuid not null,
  gone_id uuid not null,
  part_of uuid references public.record_merges,
  moved jsonb not null default '{}',
  before jsonb not null default '{}',
  merged_by_name text not null check (length(merged_by_name) <= 100),
  merged_at timestamptz not null default internal.current_instant(),
  undone_at timestamptz,
  constraint record_merges_are_of_two check (kept_id <> gone_id)
);

create table internal.merge_rules (
  kind text not null check (kind in ('person', 'car')),
  table_name text not null,
  column_name text not null,
  key_column text not null default 'id',
  rule text not null check (rule in ('moves', 'stays')),
  primary key (table_name, column_name)
);

create table public.erasures (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null,
  erased_at timestamptz not null default internal.current_instant(),
  erased_by_name text not null check (length(erased_by_name) <= 100),
  counts jsonb not null,
  kept jsonb not null,
  kept_until date
);

create table internal.erasure_rules (
  table_name text not null,
  column_name text not null,
  treatment text not null constraint erasure_rules_treatment_is_known check (treatment in ('replaced', 'kept', 'free')),
  reason text not null constraint erasure_rules_say_why check (length(trim(reason)) > 0),
  label text,
  row_key text,
  owner text,
  subject text,
  longest integer,
  only_where text not null default 'true',
  primary key (table_name, column_name),
  constraint erasure_rules_search_what_is_replaced check (label is null or treatment = 'replaced'),
  constraint erasure_rules_search_completely check (num_nulls(label, row_key, owner, subject, longest) in (0, 5))
);

create table internal.file_cleanups (
  table_name text primary key,
  requests integer not null default 1,
  cleaned integer not null default 0,
  is_ours boolean not null default true
);

create table public.booking_events (
  id bigint generated always as identity primary key,
  booking_id uuid not null,
  kind text not null,
  source text not null,
  changed_by_name text not null check (length(changed_by_name) <= 100),
  before jsonb,
  after jsonb,
  reason text constraint booking_events_reason_is_text check (internal.is_line(reason, 1, 300)),
  warnings text[] not null default '{}',
  happened_at timestamptz not null default internal.current_instant(),
  constraint booking_events_kind_is_known check (kind in (
    'booked', 'moved', 'placed', 'extended', 'shortened', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
    'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
    'notification_dismissed')),
  constraint booking_events_source_is_known check (source in ('visitor', 'counter', 'customer', 'system', 'task'))
);

create table internal.booking_transitions (
  from_state text not null,
  to_state text not null,
  kind text not null,
  is_for_staff boolean not null default true,
  primary key (from_state, to_state)
);

create table internal.calendar_feed (
  only_one boolean primary key default true check (only_one),
  token text not null check (length(token) >= 43),
  renewed_at timestamptz not null default now()
);

create table internal.bay_hours (
  day date,
  bay_id uuid references public.bays on delete cascade,
  span tsrange,
  primary key (day, bay_id, span)
);

create table internal.form_token_uses (
  token_digest bytea primary key,
  used_at timestamptz not null default now()
);

-- Requests for a quote and the replies to them.

create table public.quote_requests (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  email text not null check (length(email) between 1 and 254 and position('@' in email) > 0 and email !~ '[[:cntrl:]]'),
  phone text check (length(phone) <= 40 and phone !~ '[[:cntrl:]]'),
  vehicle_year text not null check (length(trim(vehicle_year)) between 1 and 20 and vehicle_year !~ '[[:cntrl:]]'),
  vehicle_make text not null check (length(trim(vehicle_make)) between 1 and 60 and vehicle_make !~ '[[:cntrl:]]'),
  vehicle_model text not null check (length(trim(vehicle_model)) between 1 and 60 and vehicle_model !~ '[[:cntrl:]]'),
  service_type text check (service_type in (
    'oil-change', 'brake-service', 'engine-repair', 'transmission', 'electrical',
    'ac-heating', 'performance', 'diagnostic', 'other'
  )),
  description text not null check (length(trim(description)) between 1 and 5000),
  status text not null default 'pending' check (status in ('pending', 'completed')),
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now(),
  looks_automated boolean generated always as (flagged_reasons <> '{}') stored,
  is_sample boolean not null default false,
  thread_id uuid not null default gen_random_uuid(),
  person_id uuid references public.people,
  car_id uuid references public.cars,
  constraint quote_requests_show_every_character check (
    name || email || coalesce(phone, '') || vehicle_year || vehicle_make || vehicle_model
      !~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  ),
  constraint quote_requests_description_is_plain check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]')
);

create table internal.form_origins (
  booking_id uuid unique references public.bookings on delete cascade,
  quote_request_id uuid unique references public.quote_requests on delete cascade,
  token_digest bytea,
  address_digest bytea,
  created_at timestamptz not null default now(),
  network_56_digest bytea,
  network_48_digest bytea,
  network_24_digest bytea,
  is_counted boolean not null default false,
  is_of_known_customer boolean not null default false,
  constraint form_origins_check check (num_nonnulls(booking_id, quote_request_id) = 1)
);

create table internal.booking_caps (
  name text not null,
  span interval not null,
  most integer not null check (most >= 0),
  primary key (name, span),
  constraint booking_caps_name_is_known check (name in ('client', 'network_56', 'network_48', 'network_24', 'site'))
);

-- The private page of one booking, opened by a signed link: its customer reads it, moves or cancels the booking, says that
-- they will come. Each procedure checks the link's version, the cut-offs of the shop and the version of the booking.

create table internal.link_requests (
  mailbox_digest bytea primary key,
  mailbox text,
  asked_at timestamptz not null default now()
);

create table public.estimates (
  id uuid primary key default gen_random_uuid(),
  number text not null unique default 'E-' || lpad(nextval('internal.estimate_count')::text, 4, '0'),
  thread_id uuid not null default gen_random_uuid(),
  booking_id uuid references public.bookings on delete set null,
  quote_request_id uuid references public.quote_requests on delete set null,
  customer_name text not null default '' constraint estimates_customer_name_is_text check (internal.is_line(customer_name, 0, 100)),
  customer_email text not null default ''
    constraint estimates_customer_email_is_an_address check (customer_email = '' or internal.is_email_address(customer_email)),
  customer_phone text not null default '' constraint estimates_customer_phone_is_text check (internal.is_line(customer_phone, 0, 40)),
  vehicle_year text not null default '' constraint estimates_vehicle_year_is_text check (internal.is_line(vehicle_year, 0, 40)),
  vehicle_make text not null default '' constraint estimates_vehicle_make_is_text check (internal.is_line(vehicle_make, 0, 100)),
  vehicle_model text not null default '' constraint estimates_vehicle_model_is_text check (internal.is_line(vehicle_model, 0, 100)),
  vehicle_plate text not null default '' constraint estimates_vehicle_plate_is_text check (internal.is_line(vehicle_plate, 0, 12)),
  vehicle_vin text not null default '' constraint estimates_vehicle_vin_is_text check (internal.is_line(vehicle_vin, 0, 17)),
  odometer_miles integer constraint estimates_odometer_in_range check (odometer_miles between 0 and 2000000),
  internal_note text not null default '' constraint estimates_internal_note_is_short check (length(internal_note) <= 2000),
  link_version integer not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by text not null default '',
  changed_at timestamptz not null default now(),
  changed_by text not null default '',
  person_id uuid references public.people,
  car_id uuid references public.cars,
  search_text text not null generated always as (
    internal.plain(number || ' ' || customer_name || ' ' || vehicle_plate || ' ' || vehicle_vin)
  ) stored,
  is_sample boolean not null default false
);

-- Work on a vehicle. A task changes its state by procedures that write the history, and the state of its booking follows
-- the tasks.

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200),
  description text not null default '' check (length(description) <= 5000),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null default 'pending' check (status in (
    'pending', 'in_progress', 'waiting_on_parts', 'waiting_on_customer', 'on_hold', 'completed', 'cancelled'
  )),
  assigned_to uuid references public.employees on delete set null,
  due_date date,
  booking_id uuid references public.bookings on delete set null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  ready_for_pickup_at timestamptz,
  is_sample boolean not null default false,
  estimate_id uuid references public.estimates,
  estimate_job_key uuid,
  archived_at timestamptz constraint tasks_archived_when_completed
    check (archived_at is null or completed_at is not null),
  customer_note text not null default ''
    constraint tasks_customer_note_is_text check (internal.is_line(customer_note, 0, 80)),
  constraint tasks_check check ((status = 'completed') = (completed_at is not null)),
  constraint tasks_check1 check (ready_for_pickup_at is null or completed_at is not null),
  constraint tasks_name_estimate_and_job check ((estimate_id is null) = (estimate_job_key is null)),
  constraint tasks_one_a_job unique (estimate_id, estimate_job_key)
);

create table public.task_status_history (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  old_status text not null,
  new_status text not null,
  note text check (length(note) <= 2000),
  changed_by text check (length(changed_by) <= 100),
  changed_by_name text not null check (length(changed_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);

create table public.task_notes (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  note text not null check (length(trim(note)) between 1 and 2000),
  created_by text check (length(created_by) <= 100),
  created_by_name text not null check (length(created_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);

create table internal.email_kinds (
  kind text primary key,
  is_retried boolean not null,
  is_confirmation boolean not null,
  agrees_with text not null,
  leaves_at_night boolean not null default true,
  constraint email_kinds_agrees_with_check check (agrees_with in ('booking', 'held_booking', 'cancelled_booking', 'offer', 'nothing'))
);

-- The outbox. An email is queued in the transaction that causes it, with a key that keeps it from being sent twice, and is
-- claimed before it is sent. Emails that a visitor can cause are counted against caps.

create table public.emails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  dedupe_key text not null unique check (length(dedupe_key) between 1 and 200),
  recipient_email text not null check (length(recipient_email) between 1 and 254),
  recipient_name text not null default '' check (length(recipient_name) <= 200),
  subject text not null check (length(subject) between 1 and 300),
  html_body text not null,
  text_body text not null,
  attachments jsonb not null default '[]',
  booking_id uuid references public.bookings on delete cascade,
  quote_request_id uuid references public.quote_requests on delete cascade,
  invoice_id text check (length(invoice_id) <= 100),
  appointment_at timestamp,
  status text not null default 'queued' check (status in ('queued', 'retrying', 'sent', 'kept', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  resends integer not null default 0,
  last_error text check (length(last_error) <= 500),
  provider_message_id text check (length(provider_message_id) <= 300),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  estimate_id uuid references public.estimates on delete cascade,
  estimate_revision integer,
  constraint emails_check check ((status in ('sent', 'kept')) = (sent_at is not null)),
  constraint emails_kind_fkey foreign key (kind) references internal.email_kinds,
  constraint emails_name_estimate_of_revision check (estimate_revision is null or estimate_id is not null)
);

create table public.quote_email_logs (
  id uuid primary key default gen_random_uuid(),
  quote_request_id uuid not null references public.quote_requests on delete cascade,
  email_id uuid references public.emails on delete cascade,
  recipient_email text not null,
  recipient_name text not null default '',
  subject text not null,
  original_draft text not null default '',
  polished_draft text,
  final_body text not null,
  vehicle_info text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null default now()
);

create table public.estimate_revisions (
  estimate_id uuid not null references public.estimates on delete cascade,
  revision integer not null constraint estimate_revisions_count_from_one check (revision >= 1),
  customer_note text not null default '' constraint estimate_revisions_customer_note_is_short check (length(customer_note) <= 2000),
  -- A day that no page can write would break the customer's for good.
  good_until date not null constraint estimate_revisions_good_until_is_near check (good_until between '2000-01-01' and '2199-12-31'),
  tax_rate integer not null constraint estimate_revisions_tax_rate_in_range check (tax_rate between 0 and 300000),
  frozen_at timestamptz,
  sent_at timestamptz,
  seen_at timestamptz,
  answered_at timestamptz,
  document jsonb,
  hash text,
  sent_to text constraint estimate_revisions_sent_to_is_short check (length(sent_to) <= 254),
  primary key (estimate_id, revision),
  constraint estimate_revisions_hash_names_one unique (estimate_id, revision, hash),
  constraint estimate_revisions_frozen_with_document check ((frozen_at is null) = (document is null)),
  constraint estimate_revisions_hash_is_of_document check (hash is not distinct from encode(sha256(convert_to(document::text, 'UTF8')), 'hex')),
  constraint estimate_revisions_frozen_before_sent check (frozen_at is not null or (sent_at, seen_at, answered_at) is not distinct from (null, null, null))
);

create table public.estimate_jobs (
  estimate_id uuid not null,
  revision integer not null,
  key uuid not null,
  position integer not null constraint estimate_jobs_at_most_forty check (position between 1 and 40),
  title text not null constraint estimate_jobs_title_is_text check (internal.is_line(title, 0, 120)),
  plain_words text not null constraint estimate_jobs_plain_words_are_short check (length(plain_words) <= 1000),
  is_needed boolean not null,
  measure jsonb constraint estimate_jobs_measure_is_one check (measure is null or coalesce(
    jsonb_typeof(measure -> 'value') = 'number' and jsonb_typeof(measure -> 'limit') = 'number'
    and jsonb_typeof(measure -> 'whenNew') = 'number' and jsonb_typeof(measure -> 'unit') = 'string'
    and internal.is_line(measure ->> 'unit', 0, 12)
    and (measure ->> 'value')::numeric between 0 and 1000000 and (measure ->> 'limit')::numeric between 0 and 1000000
    -- What is missing compares to null, which would pass.
    and (measure ->> 'whenNew')::numeric between 0 and 1000000, false)),
  primary key (estimate_id, revision, key),
  constraint estimate_jobs_one_a_position unique (estimate_id, revision, position),
  foreign key (estimate_id, revision) references public.estimate_revisions on delete cascade
);

create table public.estimate_lines (
  estimate_id uuid not null,
  revision integer not null,
  job_key uuid not null,
  position integer not null constraint estimate_lines_at_most_three_hundred check (position between 1 and 300),
  kind text not null,
  detail text not null default '',
  description text not null constraint estimate_lines_description_is_text check (internal.is_line(description, 0, 200)),
  thousandths integer not null constraint estimate_lines_thousandths_in_range check (thousandths between 0 and 9999999),
  unit_cents integer not null constraint estimate_lines_unit_cents_in_range check (unit_cents between 0 and 99999999),
  is_taxable boolean not null,
  primary key (estimate_id, revision, job_key, position),
  foreign key (estimate_id, revision, job_key) references public.estimate_jobs on delete cascade,
  constraint estimate_lines_detail_fits_kind check (detail in ('', 'new', 'used', 'rebuilt', 'reconditioned', 'oem')
      and (kind = 'part') = (detail <> '') and kind in ('labor', 'part', 'sublet')
    or kind = 'fee' and detail in ('other', 'hazardous_waste', 'battery', 'tire')
    or kind = 'discount' and detail in ('amount', 'percent')),
  constraint estimate_lines_percent_is_a_share check (detail <> 'percent' or (thousandths <= 100000 and unit_cents = 0 and not is_taxable)),
  constraint estimate_lines_states_fees_untaxed check (detail not in ('battery', 'tire') or not is_taxable)
);

create table public.estimate_events (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  kind text not null constraint estimate_events_kind_is_known
    check (kind in ('details_changed', 'customer_changed', 'vehicle_changed', 'address_changed', 'relinked')),
  before jsonb,
  after jsonb,
  changed_by_name text not null constraint estimate_events_changed_by_name_is_short check (length(changed_by_name) <= 100),
  happened_at timestamptz not null default internal.current_instant()
);

create table public.estimate_rules (
  id boolean primary key default true constraint estimate_rules_are_one_row check (id),
  labor_rate_cents integer not null default 14500
    constraint estimate_rules_labor_rate_in_range check (labor_rate_cents between 0 and 1000000),
  good_for_days integer not null default 14 constraint estimate_rules_good_for_days_in_range check (good_for_days between 1 and 365),
  registration_number text not null default ''
    constraint estimate_rules_registration_number_is_text check (internal.is_line(registration_number, 0, 30)),
  epa_number text not null default '' constraint estimate_rules_epa_number_is_text check (internal.is_line(epa_number, 0, 30)),
  conditions text not null default '' constraint estimate_rules_conditions_are_short check (length(conditions) <= 2000),
  version integer not null default 1
);

create table public.tax_rates (
  effective_from date primary key,
  rate integer not null constraint tax_rates_rate_in_range check (rate between 0 and 300000)
);

create table public.kept_jobs (
  id uuid primary key default gen_random_uuid(),
  title text not null unique constraint kept_jobs_title_is_text check (internal.is_line(title, 1, 120)),
  job jsonb not null constraint kept_jobs_job_is_an_object check (jsonb_typeof(job) = 'object' and length(job::text) <= 20000),
  kept_at timestamptz not null default now(),
  is_sample boolean not null default false
);

-- What customers decided on the jobs of an estimate: a ledger that is only added to. What binds is computed from its
-- lines; an approval of another customer, of another vehicle or of something that was never shown is void.

create table public.authorizations (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  revision integer not null,
  revision_hash text not null,
  job_key uuid not null,
  act_id uuid not null,
  job_title text not null,
  decision text not null constraint authorizations_decision_is_known check (decision in ('approved', 'declined', 'withdrawn')),
  amount_cents bigint not null constraint authorizations_amount_not_negative check (amount_cents >= 0),
  running_total_cents bigint not null constraint authorizations_total_not_negative check (running_total_cents >= 0),
  method text not null,
  person text not null constraint authorizations_person_is_named check (internal.is_line(person, 1, 100)),
  relation text not null default '' constraint authorizations_relation_is_text check (internal.is_line(relation, 0, 60)),
  contact text not null default '' constraint authorizations_contact_is_text check (internal.is_line(contact, 0, 254)),
  words text not null default '' constraint authorizations_words_are_short check (length(words) <= 2000),
  wants_parts_back boolean not null default false,
  said_at timestamptz not null constraint authorizations_not_long_ago check (said_at >= '2000-01-01T00:00:00Z'),
  recorded_at timestamptz not null default internal.current_instant(),
  recorded_by text not null,
  person_id uuid,
  car_id uuid,
  link_version integer,
  withdraws_id bigint references public.authorizations,
  constraint authorizations_once_an_act unique (act_id, job_key),
  constraint authorizations_bound_to_revision foreign key (estimate_id, revision, revision_hash)
    references public.estimate_revisions (estimate_id, revision, hash),
  constraint authorizations_of_a_job foreign key (estimate_id, revision, job_key) references public.estimate_jobs,
  constraint authorizations_say_the_number check (method not in ('phone', 'text', 'email') or length(trim(contact)) > 0),
  constraint authorizations_not_ahead check (said_at <= recorded_at + interval '5 minutes'),
  constraint authorizations_method_is_known check (method in ('web', 'in_person', 'phone', 'text', 'email', 'signature', 'shop')),
  constraint authorizations_withdraw_for_the_shop check ((method = 'shop') = (withdraws_id is not null)),
  constraint authorizations_withdraw_by_name check (withdraws_id is null or decision = 'withdrawn')
);

create table public.estimate_invoices (
  id uuid primary key default gen_random_uuid(),
  estimate_id uuid not null,
  revision integer not null,
  state text not null default 'claimed' constraint estimate_invoices_state_is_known
    check (state in ('claimed', 'made', 'failed', 'voided')),
  total_cents bigint not null constraint estimate_invoices_total_in_range check (total_cents between 1 and 99999999),
  tax_cents bigint not null constraint estimate_invoices_tax_in_range check (tax_cents between 0 and total_cents),
  invoice_id text constraint estimate_invoices_invoice_id_is_short check (length(invoice_id) <= 100),
  number text constraint estimate_invoices_number_is_short check (length(number) <= 40),
  claimed_at timestamptz not null default now(),
  claimed_by text not null,
  settled_at timestamptz,
  foreign key (estimate_id, revision) references public.estimate_revisions,
  constraint estimate_invoices_made_with_invoice check (state not in ('made', 'voided') or (invoice_id is not null and number is not null))
);

create table public.estimate_invoice_jobs (
  claim_id uuid not null references public.estimate_invoices on delete cascade,
  job_key uuid not null,
  cents bigint not null constraint estimate_invoice_jobs_not_negative check (cents >= 0),
  primary key (claim_id, job_key)
);

create table public.invoice_links (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text check (length(number) between 1 and 100),
  person_id uuid references public.people,
  car_id uuid references public.cars,
  booking_id uuid references public.bookings on delete set null,
  customer_name text not null check (length(customer_name) <= 200),
  total_cents bigint not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null check (length(status) between 1 and 30),
  made_at timestamptz not null,
  search_text text not null generated always as (internal.plain(coalesce(number, '') || ' ' || customer_name)) stored
);

create table internal.invoice_numbers (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text not null check (length(number) between 1 and 100),
  created_at timestamptz not null default now()
);

create table internal.assigned_invoice_numbers (
  request_id text primary key check (length(request_id) between 8 and 64),
  number text not null unique check (number ~ '^INV-\d{4}-\d{4,10}-[2-9B-DF-HJKMNP-TV-Z]{6}$'),
  assigned_at timestamptz not null default now()
);

create table internal.invoice_backfill (
  id boolean primary key default true constraint invoice_backfill_is_one_row check (id),
  after_invoice_id text,
  done_at timestamptz
);

-- Payments as the processor reported them, once each: a ledger that is only added to.

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  invoice_id text not null check (length(invoice_id) between 4 and 100),
  invoice_number text check (length(invoice_number) <= 100),
  payment_intent_id text not null unique check (length(payment_intent_id) between 4 and 100),
  checkout_session_id text unique check (length(checkout_session_id) <= 250),
  amount_cents integer not null check (amount_cents >= 0),
  overpaid_cents integer not null default 0 constraint payments_check check (overpaid_cents between 0 and amount_cents),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  outcome text not null check (outcome in ('applied', 'overpaid', 'refunded')),
  refund_id text unique check (length(refund_id) <= 100),
  paid_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint payments_check1 check ((outcome = 'refunded') = (refund_id is not null)),
  constraint payments_check2 check ((outcome = 'overpaid') = (overpaid_cents > 0))
);

create table internal.stripe_events (
  id text primary key check (length(id) between 4 and 100),
  type text not null check (length(type) between 1 and 100),
  handled_at timestamptz not null default now(),
  is_live boolean not null default false
);

create table internal.letter_caps (
  name text not null check (name in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  span interval not null,
  most integer not null check (most >= 0),
  primary key (name, span)
);

create table internal.visitor_letters (
  dedupe_key text primary key,
  mailbox_digest bytea not null,
  domain_digest bytea,
  address_digest bytea,
  is_flagged boolean not null,
  refused_because text check (refused_because in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  created_at timestamptz not null default now()
);

create table internal.owner_notices (
  dedupe_key text primary key,
  line text not null constraint owner_notices_line_is_text check (internal.is_line(line, 1, 300)),
  noted_at timestamptz not null default now(),
  told_at timestamptz
);

-- Sign-in of the admin: sessions of the dashboard's cookie, the data sessions tied to them, known browsers, codes by email,
-- and the counters of strict limits.

create table internal.admin_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table internal.admin_data_sessions (
  data_session_id uuid primary key,
  token_hash bytea not null references internal.admin_sessions on delete cascade,
  created_at timestamptz not null default now()
);

create table internal.known_browsers (
  token_hash bytea check (length(token_hash) = 32),
  username text check (username = lower(username) and length(username) between 1 and 60),
  tries_left int not null check (tries_left between 0 and 10),
  trusted_at timestamptz not null,
  trusted_until timestamptz not null,
  primary key (token_hash, username)
);

create table internal.sign_in_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  expires_at timestamptz not null
);

create unlogged table internal.rate_limits (
  key bytea primary key check (length(key) = 32),
  taken int not null check (taken >= 0),
  resets_at timestamptz not null
);

create table stripe_sandbox.objects (
  id text primary key check (length(id) between 4 and 100),
  object text not null,
  seq bigint generated always as identity unique,
  created bigint not null,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);

create table stripe_sandbox.idempotency_keys (
  key text primary key check (length(key) between 1 and 255),
  fingerprint text not null,
  endpoint text not null,
  status integer,
  body jsonb,
  created bigint not null
);

create table stripe_sandbox.event_deliveries (
  event_id text primary key references stripe_sandbox.objects (id) on delete cascade,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at bigint,
  delivered_at bigint,
  last_answer text check (length(last_answer) <= 200)
);

create function internal.hmac_sha256(message text, secret text) returns bytea
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  key bytea := convert_to(secret, 'UTF8');
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  if length(key) > 64 then
    key := sha256(key);
  end if;
  for place in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(key, place));
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(key, place));
  end loop;
  return sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8')));
end
$$;

create function internal.mailbox_of(email text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  spelled constant text := lower(normalize(email, nfkc));
  whole constant text := regexp_replace(spelled, '@[^@]*$', '');
  domain constant text := rtrim(substring(spelled from '@([^@]*)$'), '.');
  name constant text := coalesce(nullif(split_part(whole, '+', 1), ''), whole);
begin
  return case
    when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- https://proton.me/support/addresses-and-aliases: one account has its name at all of them.
    when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || domain
  end;
end
$$;

create function internal.search_condition(word text) returns text
  language sql immutable
  set search_path = ''
  return
    case
      -- One or two letters are in nearly every row; at the beginning of a word they are what somebody means.
      when length(word) < 3 then format(
        '(search_text like %1$L or search_text like %2$L)',
        regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%',
        '% ' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      )
      else format('search_text like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    end;

create function internal.search_words(search text) returns text[]
  language sql immutable
  set search_path = ''
  return
    case
      when search ~ '^[0-9 ().+-]+$' and length(regexp_replace(search, '[^0-9]', '', 'g')) >= 3
        then array[regexp_replace(search, '[^0-9]', '', 'g')]
      else array_remove(regexp_split_to_array(internal.plain(left(search, 100)), '\s+'), '')
    end;

create function internal.mail_host_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
  return substring(mailbox from '@([^@]*)$');

create function internal.count_version() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

create function internal.refuse_rewriting() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The row triggers of the table decide about each line.
    return null;
  end if;
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create function internal.changed_columns(row_then jsonb, row_now jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (select jsonb_object_agg(key, value) from jsonb_each(row_then) where row_now -> key is distinct from value);

create function internal.begin_change(changed_section text, expected_version integer) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if (select version from public.settings_versions where section = changed_section) is distinct from expected_version then
    raise exception 'These settings were changed meanwhile.' using errcode = 'TT051', hint = 'changed_meanwhile';
  end if;
end
$$;

create function internal.end_preview() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'A preview changes nothing.' using errcode = 'TT050', hint = 'preview';
end
$$;

create function internal.action_done(change text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(change, null)::internal.action_outcome_fields::internal.action_outcome;

create function internal.action_refused(reason text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(null, reason)::internal.action_outcome_fields::internal.action_outcome;

create function internal.shop_now() returns timestamp
  language sql stable
  -- Whoever asks for the time reads one fact of the shop by it.
  security definer
  set search_path = ''
  return internal.current_instant() at time zone (select time_zone from public.shop);

create function internal.duration_in_words(minutes integer) returns text
  language sql immutable
  set search_path = ''
  return coalesce(nullif(concat_ws(' and ',
    case when minutes >= 60 then minutes / 60 || ' hour' || case when minutes / 60 = 1 then '' else 's' end end,
    case when minutes % 60 > 0 then minutes % 60 || ' minute' || case when minutes % 60 = 1 then '' else 's' end end
  ), ''), '0 minutes');

create function internal.minutes_of_day(day date, spans tsmultirange) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'opensAtMinute', extract(epoch from lower(span) - day)::integer / 60,
      'closesAtMinute', extract(epoch from upper(span) - day)::integer / 60) order by span), '[]')
    from unnest(spans) span
  );

create function internal.span_of(booking_date date, booking_time time, minutes integer) returns tsrange
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if booking_date is null or booking_time is null or minutes is null
     or booking_date not between '2000-01-01' and '2100-01-01' or minutes not between 5 and 20160
     or extract(second from booking_time) <> 0 then
    raise exception 'An appointment has a date, a time in whole minutes, and 5 to 20160 minutes.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  return tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute');
end
$$;

create function internal.is_night() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time not between '08:00' and '21:00';

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

create function internal.clear_old_position() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.latitude := null;
  new.longitude := null;
  return new;
end
$$;

create function internal.keep_history_but_words() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - '{subject,before,after}'::text[] <> to_jsonb(old) - '{subject,before,after}'::text[] then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create function internal.can_do(bay uuid, service uuid) returns boolean
  language plpgsql stable
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  -- Null when the bay names no service, or nobody asks for one.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;

create function internal.record_setting() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write settings_versions and settings_history.
  security definer
  set search_path = ''
as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.name_service(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.name_service(to_jsonb(new) - counted) end;
  whole constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- What a shop starts with is no change of anybody's.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(whole ->> tg_argv[1], (select name from public.bays where id = (whole ->> 'bay_id')::uuid), ''),
    case
      -- A service that a bay is kept to is a change of the bay.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;

create function internal.open_spans(day date, bay uuid default null) returns tsmultirange
  language plpgsql stable
  -- It reads tables: that is what it costs.
  cost 1000
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(range_agg(span) filter (where is_open), '{}') - coalesce(range_agg(span) filter (where not is_open), '{}')
    from (
      select tsrange(day + opens_minute * interval '1 minute', day + closes_minute * interval '1 minute') as span, true as is_open
      from public.opening_hours where weekday = extract(dow from day)
      union all
      select span * tsrange(day, day + 1), is_open
      from public.closures where span && tsrange(day, day + 1) and (bay_id is null or bay_id = bay)
    ) as said
  );
end
$$;

create view public.misfits with (security_invoker = true) as
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

create function public.save_opening_hours(hours jsonb, expected_version integer, is_preview boolean default false)
  returns setof public.misfits
  language plpgsql
  -- The admin has no right to write opening_hours.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('hours', expected_version);
  begin
    delete from public.opening_hours
    where weekday not in (select said.weekday from jsonb_to_recordset(hours) as said(weekday smallint));
    insert into public.opening_hours as known (weekday, opens_minute, closes_minute)
    select weekday, opens_minute, closes_minute
    from jsonb_to_recordset(hours) as said(weekday smallint, opens_minute smallint, closes_minute smallint)
    on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute
    where (known.opens_minute, known.closes_minute) <> (excluded.opens_minute, excluded.closes_minute);
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function public.save_closure(
  closure_id uuid, starts_at timestamp, ends_at timestamp, is_open boolean, bay_id uuid, reason text, is_public boolean,
  expected_version integer, is_preview boolean default false
)
  returns setof public.misfits
  language plpgsql
  -- The admin has no right to write closures.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('closures', expected_version);
  begin
    if closure_id is null then
      insert into public.closures (starts_at, ends_at, is_open, bay_id, reason, is_public)
      values (save_closure.starts_at, save_closure.ends_at, save_closure.is_open, save_closure.bay_id,
              trim(save_closure.reason), save_closure.is_public);
    else
      update public.closures
      set starts_at = save_closure.starts_at, ends_at = save_closure.ends_at, is_open = save_closure.is_open,
          bay_id = save_closure.bay_id, reason = trim(save_closure.reason), is_public = save_closure.is_public
      where id = closure_id;
    end if;
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function public.remove_closure(closure_id uuid, expected_version integer, is_preview boolean default false)
  returns setof public.misfits
  language plpgsql
  -- The admin has no right to write closures.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('closures', expected_version);
  begin
    delete from public.closures where id = closure_id;
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function internal.save_bay_services(bay uuid, service_ids uuid[]) returns void
  language sql
  set search_path = ''
as $$
  delete from public.bay_services where bay_id = bay and service_id <> all (service_ids);
  insert into public.bay_services (bay_id, service_id) select bay, wanted from unnest(service_ids) wanted
  on conflict do nothing;
$$;

create function internal.write_bay(wanted_id uuid, wanted_name text, should_be_active boolean, wanted_technician text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  written uuid := wanted_id;
begin
  if written is null then
    insert into public.bays (name, position, is_active, technician)
    select trim(wanted_name), coalesce(max(position), 0) + 1, should_be_active, nullif(trim(wanted_technician), '')
    from public.bays returning id into written;
  else
    update public.bays
    set name = trim(wanted_name), is_active = should_be_active,
        technician = case when wanted_technician is null then technician else nullif(trim(wanted_technician), '') end
    where id = written;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return written;
end
$$;

create function public.save_bay(
  bay_id uuid, name text, is_active boolean, service_ids uuid[], expected_version integer, is_preview boolean default false,
  technician text default null
)
  returns table (
    booking_id uuid, appointment_date date, appointment_time time, customer_name text, service_name text, new_bay_name text
  )
  language plpgsql
  -- The admin has no right to call begin_change, write_bay and others.
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
  moved jsonb := '[]';
begin
  perform internal.begin_change('bays', expected_version);
  begin
    saved := internal.write_bay(save_bay.bay_id, save_bay.name, save_bay.is_active, save_bay.technician);
    perform internal.save_bay_services(saved, coalesce(service_ids, '{}'));
    if not save_bay.is_active then
      select coalesce(jsonb_object_agg(moves.booking_id, moves.new_bay_id), '{}') into moved
      from internal.empty_bay(saved) moves;
    end if;
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query
    select booking.id, booking.appointment_date, booking.appointment_time, booking.customer_name, booking.service_name, bay.name
    from jsonb_each_text(case when save_bay.is_active then '{}' else moved end) as moves(booking, bay)
    join public.bookings booking on booking.id = moves.booking::uuid
    left join public.bays bay on bay.id = moves.bay::uuid
    order by booking.occupied;
end
$$;

create function public.order_bays(bay_ids uuid[], expected_version integer) returns void
  language plpgsql
  -- The admin has no right to write bays.
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_change('bays', expected_version);
  if array(select id from public.bays order by id) <> array(select unnest(bay_ids) order by 1) then
    raise exception 'bay_ids is every bay once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.bays set position = array_position(bay_ids, id) where position <> array_position(bay_ids, id);
end
$$;

create function public.list_special_days()
  returns table (day date, hours jsonb, bays jsonb, closed_because text)
  language plpgsql stable
  -- What visitors may know of each day, told once to whoever writes their pages.
  security definer
  set search_path = ''
as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A page that stands open for a week still knows every day that can be booked on it.
  last_date constant date := first_date + 7 + (select horizon_days from public.booking_rules);
begin
  return query
    with told as (
      select span * tsrange(first_date, last_date + 1) as span from public.closures
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.closures
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from told, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
end
$$;

create function internal.keep_one_service() returns trigger
  language plpgsql
  -- Counts every service, also those that the policies hide from whoever writes.
  security definer
  set search_path = ''
as $$
begin
  -- After the rows' own triggers, which let one change of services pass at a time.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;

create function public.order_services(service_ids uuid[], expected_version integer) returns integer
  language plpgsql
  -- The admin has no right to call begin_change.
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_change('services', expected_version);
  if array(select id from public.services order by id) <> array(select unnest(service_ids) order by 1) then
    raise exception 'service_ids is every service once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.services set position = array_position(service_ids, id)
  where position is distinct from array_position(service_ids, id);
  return (select version from public.settings_versions where section = 'services');
end
$$;

create function internal.tie_service(service uuid, bay_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'unknown_bay';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.can_do(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- A bay that can do all of them names none, so that it can do the next one too.
      delete from public.bay_services
      where bay_id = bay.id
        and not exists (select id from public.services except
                        select service_id from public.bay_services known where known.bay_id = bay.id);
    else
      if not exists (select from public.bay_services where bay_id = bay.id) then
        insert into public.bay_services (bay_id, service_id) select bay.id, id from public.services;
      end if;
      delete from public.bay_services where bay_id = bay.id and service_id = service;
      if not exists (select from public.bay_services where bay_id = bay.id) then
        raise exception '% can do nothing else.', bay.name using errcode = 'TT056', hint = 'bay_without_service';
      end if;
    end if;
  end loop;
end
$$;

create function public.save_service(
  service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean,
  bay_ids uuid[], expected_version integer
)
  returns uuid
  language plpgsql
  -- The admin has no right to call tie_service. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if save_service.service_id is null then
    -- Behind the others, once they have an order.
    insert into public.services (name, description, duration_minutes, price_from_cents, is_active, position)
    select trim(save_service.name), trim(save_service.description), save_service.duration_minutes,
           save_service.price_from_cents, save_service.is_active, max(position) + 1
    from public.services
    returning id into saved;
  else
    update public.services
    set name = trim(save_service.name), description = trim(save_service.description),
        duration_minutes = save_service.duration_minutes, price_from_cents = save_service.price_from_cents,
        is_active = save_service.is_active
    where id = save_service.service_id and version = expected_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'changed_meanwhile';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.tie_service(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$$;

create function internal.name_service(fields jsonb) returns jsonb
  language sql stable
  set search_path = ''
  return case
    when fields ? 'service_id' then
      fields - 'service_id' || jsonb_build_object(
        'service', (select name from public.services where id = (fields ->> 'service_id')::uuid)
      )
    else fields
  end;

create function internal.name_words(name text) returns text[]
  language sql immutable
  set search_path = ''
  return array_remove(regexp_split_to_array(internal.plain(name), '[[:space:].,]+'), '');

create function internal.names_agree(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.name_words(one) <> '{}' and internal.name_words(other) <> '{}'
    and (internal.name_words(one) <@ internal.name_words(other) or internal.name_words(other) <@ internal.name_words(one));

create function internal.lock_people(keys text[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- All who lock several do so in one order, so that nobody waits crosswise. Of so many locks that two who book at once
  -- seldom share one, and so few that a hundred thousand rows in one transaction find room in memory.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$$;

-- plpgsql throughout: it plans each statement once a connection, and a visitor waits for none of them.
create function internal.person_by_email(email_key text, name text) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select person.id
    from public.person_contacts contact join public.people person on person.id = contact.person_id
    where contact.kind = 'email' and contact.key = email_key and person.merged_into is null
    -- After a split several have it: then the name decides.
    order by lower(person.name) = lower(person_by_email.name) desc, internal.names_agree(person.name, person_by_email.name) desc,
             person.created_at, person.id
    limit 1
  );
end
$$;

create function internal.person_by_phone(phone_key text, name text, has_email boolean) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    with latest as materialized (
      -- What hundreds write is nobody's number, and costs no more to look at.
      select person_id from public.person_contacts where kind = 'phone' and key = phone_key order by id desc limit 50
    ),
    known as (
      select distinct person.id, person.created_at,
             lower(person.name) = lower(person_by_phone.name) as is_name,
             internal.names_agree(person.name, person_by_phone.name) as agrees,
             has_email and exists (
               select from public.person_contacts address where address.person_id = person.id and address.kind = 'email') as has_another
      from latest join public.people person on person.id = latest.person_id
      where person.merged_into is null
    )
    select id from known
    where case
      -- Another address than theirs: it is one of the family, unless only one of them can be meant.
      when has_another then
        is_name and (select count(*) from known where is_name) = 1 or agrees and (select count(*) from known where agrees) = 1
      else agrees or (not has_email and (select count(*) from known) = 1)
    end
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$$;

create function internal.add_contacts(person uuid, email text, phone text, is_confirmed boolean default true) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into public.person_contacts (person_id, kind, key, value, confirmed_at)
  select person, given.kind, given.key, given.value,
         case when is_confirmed or given.kind = 'phone' then internal.current_instant() end
  from (values ('email', lower(trim(email)), trim(email)), ('phone', internal.canonical_phone(phone), trim(phone))) as given (kind, key, value)
  where given.key <> '' and not exists (
    select from public.person_contacts known
    where known.person_id = person and known.kind = given.kind and known.key = given.key);
  update public.person_contacts known set confirmed_at = internal.current_instant()
  where is_confirmed and known.person_id = person and known.kind = 'email' and known.key = lower(trim(email)) and known.confirmed_at is null;
end
$$;

create function internal.find_person(caller internal.caller) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  email_key constant text := nullif(lower(trim(caller.email)), '');
  phone_key constant text := internal.canonical_phone(caller.phone);
  found_id uuid;
  standing uuid;
begin
  loop
    found_id := coalesce(
      case when email_key is not null then internal.person_by_email(email_key, caller.name) end,
      case when phone_key is not null then internal.person_by_phone(phone_key, caller.name, email_key is not null) end);
    exit when found_id is null;
    -- Waits for a merge or an erasure that is under way; then the contacts lead to whom it was merged into, or to nobody.
    select id into standing from public.people where id = found_id and merged_into is null and erased_at is null for key share;
    exit when standing is not null;
  end loop;
  return found_id;
end
$$;

create function internal.ensure_person(caller internal.caller) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  -- What a visitor typed is an address of who is new, and of nobody who is known already.
  own_email constant text := case when not caller.typed_online then nullif(trim(caller.email), '') end;
begin
  perform internal.lock_people(array[lower(trim(caller.email)), internal.canonical_phone(caller.phone)]);
  person := internal.find_person(caller);
  if person is null then
    insert into public.people (name, email, phone, created_at, is_sample)
    values (trim(caller.name), nullif(trim(caller.email), ''), nullif(trim(caller.phone), ''), caller.seen_at, caller.is_sample)
    returning id into person;
    perform internal.add_contacts(person, caller.email, caller.phone, not caller.typed_online);
    return person;
  end if;
  update public.people set created_at = caller.seen_at where id = person and created_at > caller.seen_at;
  -- What looks automated adds nothing to whom it names.
  if caller.is_trusted and internal.names_agree((select name from public.people where id = person), caller.name) then
    perform internal.add_contacts(person, own_email, caller.phone, true);
    update public.people
    set email = coalesce(email, own_email), phone = coalesce(phone, nullif(trim(caller.phone), ''))
    where id = person and (email is null and own_email is not null or phone is null and trim(caller.phone) <> '');
  end if;
  return person;
end
$$;

create function internal.link_old_bookings(most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where person_id is null) then
    return 0;
  end if;
  -- An erasure holds this lock alone, and then looks for its texts in all appointments.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- One that somebody has in hand is left for the next time.
    select waiting from public.bookings waiting where person_id is null order by created_at, id limit most for update skip locked);
  perform internal.lock_people(array(
    select unnest(array[lower(trim(customer_email)), internal.canonical_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    perform internal.link_booking_now(booking);
  end loop;
  return cardinality(batch);
end
$$;

create function internal.link_old_quote_requests(most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  batch constant public.quote_requests[] := array(
    select quote from public.quote_requests quote where person_id is null order by created_at, id limit most for update skip locked);
  quote public.quote_requests;
  person uuid;
begin
  perform internal.lock_people(array(select unnest(array[lower(trim(email)), internal.canonical_phone(phone)]) from unnest(batch)));
  foreach quote in array batch loop
    person := internal.ensure_person(internal.caller_of_quote_request(quote));
    update public.quote_requests
    set person_id = person, car_id = internal.ensure_car(person, row(
          quote.vehicle_year, quote.vehicle_make, quote.vehicle_model, null, null, null), quote.created_at, quote.is_sample)
    where id = quote.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;

create function internal.link_old_records(most integer default 100) returns integer
  language sql
  -- The server has no right to call link_old_bookings and link_old_quote_requests.
  security definer
  set search_path = ''
  return internal.link_old_bookings(most) + internal.link_old_quote_requests(most);

create function internal.analyze_people() returns void
  language plpgsql
  -- The server has no right to read people, person_contacts and cars.
  security definer
  set search_path = ''
as $$
begin
  analyze public.people, public.person_contacts, public.cars;
end
$$;

create function internal.has_come(booking public.bookings, today date) returns boolean
  language sql immutable
  set search_path = ''
  return booking.completed_at is not null or booking.status in ('arrived', 'in_work')
    or booking.appointment_date < today and booking.status not in ('cancelled', 'no_show', 'not_confirmed');

create function internal.booking_state(booking public.bookings) returns text
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return case when booking.completed_at is null then booking.status else 'completed' end;

create function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, paid_at timestamptz)
  language sql stable
  set search_path = ''
as $$
  select claim.number, claim.total_cents, paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) as at from public.payments payment
    where payment.invoice_id = claim.invoice_id and payment.outcome <> 'refunded'
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;

create function internal.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  -- Those for whom this is called have no right to read bookings and tasks.
  security definer
  set search_path = ''
  return jsonb_build_object(
    'bookingState', internal.booking_state(booking),
    'hold', case when booking.held_until is null then 'none'
                 when booking.held_until > internal.current_instant() then 'running' else 'ended' end,
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('status', status, 'isReady', ready_for_pickup_at is not null)
                                order by created_at, id), '[]')
      from public.tasks where booking_id = booking.id),
    'isPaid', exists (select from internal.booking_invoice(booking.id) where paid_at is not null)
  );

create function internal.vehicle_line(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return trim(concat_ws(' ', nullif(trim(year), ''), nullif(trim(make), ''), nullif(trim(model), '')));

create function internal.describe_visit(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'vehicleFacts', internal.vehicle_facts(booking),
    'carId', booking.car_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.answered_at is not null);

create function internal.authorized_jobs(wanted_id uuid)
  returns table (job_key uuid, cents bigint, decision text, revision integer)
  language sql stable
  set search_path = ''
as $$
  with line as materialized (select * from internal.binding_lines(wanted_id))
  select latest.job_key, case when binding.decision = 'approved' then binding.amount_cents else 0 end, latest.decision, latest.revision
  from (
    select distinct on (line.job_key) line.job_key, line.decision, line.revision from line order by line.job_key, line.id desc
  ) latest
  left join lateral (
    select line.decision, line.amount_cents from line
    where line.job_key = latest.job_key and line.decision <> 'declined'
    order by line.id desc limit 1
  ) binding on true
$$;

create function internal.binding_lines(wanted_id uuid) returns setof public.authorizations
  language sql stable
  set search_path = ''
as $$
  select line.* from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.estimate_id = wanted_id and internal.void_because(line, estimate) is null
$$;

create function internal.declined_of(estimate uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('title', said.job_title, 'cents', said.amount_cents, 'saidAt', said.said_at) order by said.id), '[]')
    from internal.authorized_jobs(estimate) job
    join lateral (
      select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
    ) said on true
    where job.decision = 'declined' and job.cents = 0
  );

-- An estimate is approved from the first approved job of its latest revision on, also while other jobs are still open.
create function internal.estimate_state(estimate public.estimates) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then 'invoiced'
    when latest.frozen_at is null then 'draft'
    when exists (select from internal.authorized_jobs(estimate.id) job
      where (latest.answered_at is not null or job.revision = latest.revision) and internal.is_approved(job.job_key, estimate.id))
      then 'approved'
    when latest.answered_at is not null then 'declined'
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;

-- The same arithmetic as domain/estimates/estimate-totals.ts: exact, half away from zero, discount before tax, tax rounded once a job.
create view internal.priced_lines as
  with priced as (
    select line.*,
      case when detail = 'percent' then 0 else round(thousandths * unit_cents::numeric / 1000) end as price
    from public.estimate_lines line
  ), summed as (
    select priced.*,
      sum(price) filter (where kind <> 'discount') over of_job as whole,
      sum(price) filter (where kind <> 'discount' and is_taxable) over of_job as taxed
    from priced
    window of_job as (partition by estimate_id, revision, job_key)
  )
  select estimate_id, revision, job_key, position, kind, detail, description, thousandths, unit_cents, is_taxable,
    (case
      when kind <> 'discount' then price
      when detail = 'amount' then - price
      else - round(thousandths * coalesce(whole, 0) / 100000) end)::bigint as cents,
    (case
      when detail = 'percent' then - round(thousandths * coalesce(taxed, 0) / 100000)
      when not is_taxable then 0
      when kind = 'discount' then - price
      else price end)::bigint as taxable_cents
  from summed;

create view internal.job_totals as
  select job.estimate_id, job.revision, job.key, job.position, job.title, sums.before_tax, sums.taxable,
    round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as tax,
    sums.before_tax + round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as total
  from public.estimate_jobs job
  join public.estimate_revisions revision using (estimate_id, revision)
  cross join lateral (
    select coalesce(sum(line.cents), 0)::bigint as before_tax,
      greatest(0, least(coalesce(sum(line.taxable_cents), 0), coalesce(sum(line.cents), 0)))::bigint as taxable
    from internal.priced_lines line
    where line.estimate_id = job.estimate_id and line.revision = job.revision and line.job_key = job.key
  ) sums;

create function internal.describe_known_estimate(estimate public.estimates) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', estimate.id, 'number', estimate.number, 'carId', estimate.car_id,
      'vehicle', internal.vehicle_line(estimate.vehicle_year, estimate.vehicle_make, estimate.vehicle_model),
      'title', totals.title, 'jobs', totals.jobs, 'totalCents', totals.total,
      'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
      'state', internal.estimate_state(estimate), 'createdAt', estimate.created_at, 'declined', internal.declined_of(estimate.id))
    from (
      select coalesce((array_agg(title order by position))[1], '') as title, count(*) as jobs, coalesce(sum(total), 0) as total
      from internal.job_totals
      where estimate_id = estimate.id
        and revision = (select max(revision) from public.estimate_revisions where estimate_id = estimate.id)
    ) totals
  );

create function internal.paid_of(links public.invoice_links) returns bigint
  language sql stable
  set search_path = ''
  return coalesce(
    (select sum(amount_cents - overpaid_cents) from public.payments where invoice_id = links.invoice_id and outcome <> 'refunded'),
    -- What was paid past the site is in no ledger of ours.
    case when links.status = 'paid' then links.total_cents else 0 end);

create function internal.describe_known_invoice(links public.invoice_links) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', links.invoice_id, 'number', links.number, 'madeAt', links.made_at, 'totalCents', links.total_cents,
    'currency', links.currency, 'status', links.status, 'carId', links.car_id, 'bookingId', links.booking_id,
    'paidCents', internal.paid_of(links));

create function internal.maybe_same_people(person public.people) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', other.id, 'version', other.version, 'name', other.name, 'email', other.email, 'phone', other.phone,
      'since', other.created_at, 'why', found.why) order by found.why, other.created_at), '[]')
    from (
      select their.person_id, min(their.kind) as why
      from public.person_contacts own
      join lateral (
        select person_id, kind from public.person_contacts near
        where near.kind = own.kind and near.key = own.key and near.person_id <> person.id order by near.id desc limit 5
      ) their on true
      where own.person_id = person.id
      group by their.person_id limit 5
    ) found
    join public.people other on other.id = found.person_id and other.merged_into is null
    where not exists (
      select from public.different_people
      where person_id = least(person.id, other.id) and other_id = greatest(person.id, other.id))
  );

create function internal.read_known_person(wanted uuid) returns public.people
  language plpgsql stable
  set search_path = ''
as $$
declare
  person public.people;
begin
  perform internal.require_admin();
  select * into person from public.people where id = internal.person_now(wanted) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  return person;
end
$$;

create function public.read_person(person_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call read_known_person, gets_reminders and others.
  security definer
  set search_path = ''
as $$
declare
  person constant public.people := internal.read_known_person(read_person.person_id);
  today constant date := internal.shop_now()::date;
  most constant integer := 200;
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'email', person.email, 'phone', person.phone,
    'since', person.created_at, 'getsReminders', internal.gets_reminders(person.id),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', contact.id, 'kind', contact.kind, 'value', contact.value,
        'isConfirmed', contact.confirmed_at is not null) order by contact.id), '[]')
      from public.person_contacts contact where contact.person_id = person.id),
    'typedEmails', internal.typed_emails(person.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_car(car) order by car.created_at), '[]')
      from public.cars car where car.person_id = person.id and car.merged_into is null),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_visit(booking) order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.person_id = person.id
            order by appointment_date desc, appointment_time desc limit most) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'carId', quote.car_id, 'service', quote.service_type, 'status', quote.status,
        'vehicle', internal.vehicle_line(quote.vehicle_year, quote.vehicle_make, quote.vehicle_model)) order by quote.created_at desc), '[]')
      from (select * from public.quote_requests known where known.person_id = person.id order by created_at desc limit most) quote),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_known_estimate(estimate) order by estimate.created_at desc), '[]')
      from (select * from public.estimates known where known.person_id = person.id order by created_at desc limit most) estimate),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_known_invoice(links) order by links.made_at desc), '[]')
      from (select * from public.invoice_links known where known.person_id = person.id order by made_at desc limit most) links),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', task.id, 'title', task.title, 'status', task.status, 'createdAt', task.created_at, 'bookingId', task.booking_id)
        order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.person_id = person.id)
         or task.estimate_id in (select id from public.estimates known where known.person_id = person.id)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', note.id, 'note', note.note, 'writtenBy', note.written_by_name, 'createdAt', note.created_at)
        order by note.created_at desc), '[]')
      from public.person_notes note where note.person_id = person.id),
    'totals', internal.totals_of_person(person.id, today),
    'maybeSame', internal.maybe_same_people(person),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', merge.id, 'name', gone.name, 'mergedAt', merge.merged_at, 'mergedBy', merge.merged_by_name,
        'undoUntil', merge.merged_at + interval '30 days') order by merge.merged_at desc), '[]')
      from public.record_merges merge join public.people gone on gone.id = merge.gone_id
      where merge.kept_id = person.id and merge.kind = 'person' and merge.undone_at is null
        and merge.merged_at >= internal.current_instant() - interval '30 days'));
end
$$;

create function internal.is_ahead(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.completed_at is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed')
    and (upper(booking.occupied) > internal.shop_now() or booking.status in ('arrived', 'in_work'));

create function internal.emails_of_person(person uuid) returns setof public.emails
  language plpgsql stable
  set search_path = ''
as $$
begin
  return query
    select * from public.emails where booking_id in (select id from public.bookings where person_id = person)
    union
    select * from public.emails where quote_request_id in (select id from public.quote_requests where person_id = person)
    union
    select * from public.emails where estimate_id in (select id from public.estimates where person_id = person)
    union
    select * from public.emails where invoice_id in (select invoice_id from public.invoice_links where person_id = person)
    union
    select email.* from public.emails email
    join public.person_contacts contact on contact.kind = 'email' and contact.key = lower(email.recipient_email)
    where contact.person_id = person
      -- Another member of the family has the same address.
      and email.booking_id is null and email.quote_request_id is null and email.estimate_id is null and email.invoice_id is null;
end
$$;

create function internal.totals_of_person(person uuid, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'visits', count(*) filter (where internal.has_come(booking, today)),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'ahead', count(*) filter (where internal.is_ahead(booking)),
      'lastVisit', max(booking.appointment_date) filter (where internal.has_come(booking, today)),
      'emails', (select count(*) from internal.emails_of_person(person)),
      'paidCents', (select coalesce(sum(internal.paid_of(links)), 0) from public.invoice_links links where links.person_id = person),
      'openCents', (select coalesce(sum(links.total_cents - internal.paid_of(links)), 0) from public.invoice_links links
                    where links.person_id = person and links.status = 'open'),
      'openEstimates', (select count(*) from public.estimates estimate where estimate.person_id = person
                        and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
    from public.bookings booking where booking.person_id = person
  );

-- What was declined a minute ago, in the repair that is open, was not declined last time.
create function public.read_facts(booking_id uuid default null, person_id uuid default null) returns jsonb
  language plpgsql stable
  -- The admin has no right to call read_known_person, typed_emails and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person public.people;
  today constant date := internal.shop_now()::date;
begin
  select * into booking from public.bookings known where known.id = read_facts.booking_id;
  person := internal.read_known_person(coalesce(booking.person_id, read_facts.person_id));
  return jsonb_build_object(
    'personId', person.id, 'carId', booking.car_id, 'typedEmails', internal.typed_emails(person.id),
    'noShows', (select count(*) from public.bookings missed where missed.person_id = person.id and missed.status = 'no_show'),
    'lastHere', (
      select internal.describe_visit(known) from public.bookings known
      where known.person_id = person.id and known.id is distinct from booking.id and internal.has_come(known, today)
        and (booking.id is null or known.occupied < booking.occupied)
      order by known.appointment_date desc, known.appointment_time desc limit 1),
    'ahead', (
      select coalesce(jsonb_agg(internal.describe_visit(known) order by known.occupied), '[]')
      from public.bookings known
      where known.person_id = person.id and known.id is distinct from booking.id and known.appointment_date >= today - 14
        and internal.is_ahead(known)),
    'declined', (
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'carId', estimate.car_id)), '[]')
      from (
        select distinct on (known.car_id) known.* from public.estimates known
        where known.person_id = person.id and (booking.car_id is null or known.car_id = booking.car_id)
          and known.thread_id is distinct from booking.thread_id
          and exists (select from public.authorizations said where said.estimate_id = known.id)
        order by known.car_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.declined_of(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'carId', estimate.car_id)), '[]')
      from public.estimates estimate
      where estimate.person_id = person.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$$;

create function public.save_person(
  person_id uuid, expected_version integer, name text, email text, phone text, may_share_email boolean default false
)
  returns integer
  language plpgsql
  -- The admin has no right to write people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  other public.people;
  new_email constant text := nullif(trim(save_person.email), '');
  saved integer;
begin
  perform internal.require_admin();
  perform internal.lock_people(array[lower(new_email), internal.canonical_phone(save_person.phone)]);
  person := internal.take_person(save_person.person_id, expected_version);
  if new_email is not null and not internal.is_email_address(new_email) then
    raise exception 'This is no e-mail address.' using errcode = '22023', hint = 'invalid_email';
  end if;
  if not (internal.is_line(save_person.name, 1, 200) and internal.is_line(coalesce(save_person.phone, ''), 0, 40)) then
    raise exception 'A name and a number are lines of text that is seen.' using errcode = '23514', hint = 'invalid_contact';
  end if;
  select known.* into other
  from public.person_contacts contact join public.people known on known.id = contact.person_id
  where contact.kind = 'email' and contact.key = lower(new_email) and known.id <> person.id limit 1;
  if other.id is not null and lower(new_email) is distinct from lower(person.email) and not may_share_email then
    -- A message stands in the log of the database, its detail does not.
    raise exception 'This address is somebody else''s.'
      using errcode = 'TT096', hint = 'email_of_another', detail = jsonb_build_object('id', other.id, 'name', other.name);
  end if;
  update public.people known
  set name = trim(save_person.name), email = new_email, phone = nullif(trim(save_person.phone), '')
  where known.id = person.id returning version into saved;
  perform internal.add_contacts(person.id, new_email, save_person.phone);
  return saved;
end
$$;

create function public.forget_contact(contact_id bigint) returns void
  language plpgsql
  -- The admin has no right to write person_contacts. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.person_contacts where id = contact_id;
end
$$;

create function public.add_person_note(person_id uuid, note text) returns uuid
  language plpgsql
  -- The admin has no right to write person_notes.
  security definer
  set search_path = ''
as $$
declare
  person constant public.people := internal.read_known_person(add_person_note.person_id);
  written uuid;
begin
  insert into public.person_notes (person_id, note, written_by_name)
  values (person.id, trim(add_person_note.note), internal.author_name(null)) returning id into written;
  return written;
end
$$;

create function public.remove_person_note(note_id uuid) returns void
  language plpgsql
  -- The admin has no right to write person_notes. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.person_notes where id = note_id;
end
$$;

create function internal.contact_keys_of(whom uuid[]) returns text[]
  language sql stable
  set search_path = ''
  return array(select key from public.person_contacts where person_id = any (whom));

create function internal.gets_reminders(person uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  with recursive known as (
    select id, gets_reminders from public.people where id = person
    union
    select gone.id, gone.gets_reminders from known join public.people gone on gone.merged_into = known.id
  )
  select not exists (select from known where not gets_reminders)
$$;

create function public.set_reminders(person_id uuid, gets_reminders boolean) returns void
  language plpgsql
  -- The admin has no right to write people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.require_admin();
  select id into person from public.people
  where id = internal.person_now(set_reminders.person_id) and merged_into is null and erased_at is null for update;
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  with recursive known as (
    select id from public.people where id = person
    union
    select gone.id from known join public.people gone on gone.merged_into = known.id
  )
  update public.people
  set gets_reminders = set_reminders.gets_reminders
  where id in (select id from known) and people.gets_reminders <> set_reminders.gets_reminders
    -- What is taken apart again keeps its no; only a yes has to be said of all.
    and (id = person or set_reminders.gets_reminders);
end
$$;

create function internal.is_known_customer(email text, phone text) returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read person_contacts, people and bookings.
  security definer
  set search_path = ''
as $$
begin
  return exists (
    select from public.person_contacts address
    join public.person_contacts number
      on number.person_id = address.person_id and number.kind = 'phone' and number.key = internal.canonical_phone(is_known_customer.phone)
    join public.people person on person.id = address.person_id and person.merged_into is null and person.erased_at is null
    where address.kind = 'email' and address.key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- Anybody may know the customers of the sample week.
        where done.person_id = person.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;

create function internal.is_their_email(person uuid, email text) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  email_key constant text := lower(trim(email));
begin
  return exists (
    select from public.person_contacts contact join public.people known on known.id = contact.person_id
    where contact.person_id = person and contact.kind = 'email' and contact.key = email_key
      and (contact.confirmed_at is not null
        -- Who is new is known by the address of their first booking or quote request, once it stands.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.person_id = person
                  and lower(trim(booking.customer_email)) = email_key and internal.is_standing(booking))
          or exists (select from public.quote_requests quote where quote.person_id = person
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$$;

create function internal.was_typed_online(booking_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.booking_events event
    where event.booking_id = was_typed_online.booking_id and event.kind = 'booked' and event.source = 'visitor');

create function internal.typed_email(booking public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return case when booking.customer_email is not null and internal.was_typed_online(booking.id)
    and not internal.is_their_email(booking.person_id, booking.customer_email) then booking.customer_email end;
end
$$;

create function internal.own_email(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case when internal.typed_email(booking) is null then booking.customer_email end;

create function internal.is_standing(booking public.bookings) returns boolean
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return booking.held_until is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed');

create function internal.caller_of_booking(booking public.bookings, typed_online boolean) returns internal.caller
  language sql immutable
  set search_path = ''
  return row(booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at,
    booking.flagged_reasons = '{}' and internal.is_standing(booking), booking.is_sample, typed_online)::internal.caller;

create function internal.caller_of_quote_request(quote public.quote_requests) returns internal.caller
  language sql immutable
  set search_path = ''
  return row(quote.name, quote.email, quote.phone, quote.created_at, quote.flagged_reasons = '{}', quote.is_sample, true)::internal.caller;

create function internal.main_email(person uuid) returns text
  language sql stable
  set search_path = ''
  return (select email from public.people where id = person and internal.is_their_email(id, email));

create function internal.typed_emails(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'email', typed.email, 'bookingId', typed.booking_id, 'quoteRequestId', typed.quote_request_id, 'typedAt', typed.typed_at)
      order by typed.typed_at desc), '[]')
    from (
      select * from (
        select distinct on (lower(trim(record.email))) record.*
        from (
          select customer_email as email, id as booking_id, null::uuid as quote_request_id, created_at as typed_at
          from public.bookings booking
          where booking.person_id = person and customer_email is not null and internal.is_standing(booking) and internal.was_typed_online(id)
          union all
          select email, null, id, created_at from public.quote_requests quote
          where quote.person_id = person and quote.flagged_reasons = '{}'
        ) record
        order by lower(trim(record.email)), record.typed_at desc
      ) latest
      where not internal.is_their_email(person, latest.email)
      order by latest.typed_at desc limit 3
    ) typed
  );

create function internal.confirm_email(person uuid, email text, by_name text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.add_contacts(person, confirm_email.email, null, true);
  update public.person_contacts contact set confirmed_by_name = left(by_name, 100)
  where contact.person_id = person and contact.kind = 'email' and contact.key = lower(trim(confirm_email.email));
  -- Also where nothing of the row changes: dashboards that show the customer hear of it.
  update public.people known set email = coalesce(known.email, trim(confirm_email.email)) where known.id = person;
end
$$;

create function public.use_typed_email(booking_id uuid default null, quote_request_id uuid default null) returns text
  language plpgsql
  -- The admin has no right to call link_waiting_booking, lock_people and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  record record;
  person uuid;
  offered text;
begin
  perform internal.require_admin();
  perform internal.link_waiting_booking(use_typed_email.booking_id);
  select booking.person_id, booking.customer_email as email into record
  from public.bookings booking where booking.id = use_typed_email.booking_id for key share;
  if record.person_id is null then
    select quote.person_id, quote.email into record
    from public.quote_requests quote where quote.id = use_typed_email.quote_request_id for key share;
  end if;
  perform internal.lock_people(array[lower(trim(record.email))]);
  select id into person from public.people
  where id = internal.person_now(record.person_id) and merged_into is null and erased_at is null for update;
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  if internal.is_their_email(person, record.email) then
    return trim(record.email);
  end if;
  select typed ->> 'email' into offered from jsonb_array_elements(internal.typed_emails(person)) typed
  where lower(trim(typed ->> 'email')) = lower(trim(record.email));
  if offered is null or not internal.is_email_address(trim(offered)) then
    raise exception 'This address is not offered.' using errcode = 'TT100', hint = 'email_not_offered';
  end if;
  perform internal.confirm_email(person, offered, internal.author_name(null));
  return trim(offered);
end
$$;

create function internal.is_confirmed_email(person uuid, email text) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.person_contacts contact
    where contact.person_id = person and contact.kind = 'email' and contact.key = lower(trim(is_confirmed_email.email))
      and contact.confirmed_at is not null);

create function internal.email_of_caller(booking_ids uuid[]) returns text
  language sql stable
  set search_path = ''
  return (
    select coalesce(
      (select latest.customer_email from (
         select distinct on (lower(trim(booking.customer_email))) booking.* from public.bookings booking
         where booking.id = any (booking_ids) and booking.customer_email is not null and internal.is_standing(booking)
         order by lower(trim(booking.customer_email)), booking.appointment_date desc
       ) latest
       where internal.is_their_email(latest.person_id, latest.customer_email)
       order by latest.appointment_date desc limit 1),
      (select internal.main_email(booking.person_id) from public.bookings booking
       where booking.id = any (booking_ids) order by booking.appointment_date desc limit 1)));

create function internal.addresses_to_ask(most integer) returns table (booking_id uuid, recipient_email text)
  language sql stable
  -- The server has no right to read people.
  security definer
  set search_path = ''
as $$
  select booking.id, person.email
  from public.bookings booking join public.people person on person.id = booking.person_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_ahead(booking) and internal.is_standing(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_night()
    and internal.typed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(person.id) is not null
    -- Once for an address, however often it is typed.
    and not exists (
      select from public.bookings asked join public.emails letter on letter.booking_id = asked.id
      where asked.person_id = booking.person_id and lower(trim(asked.customer_email)) = lower(trim(booking.customer_email))
        and letter.kind = 'address_question')
  order by booking.created_at, booking.id
  limit most
$$;

create function internal.address_token(booking_id uuid) returns text
  language sql stable
  -- The server has no right to call hmac_sha256.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('address ' || booking.id || ' ' || booking.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = address_token.booking_id
  );

create function internal.address_question_state(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from internal.address_answers answer where answer.booking_id = booking.id) then 'answered'
    when internal.is_standing(booking) and internal.typed_email(booking) is not null
      and booking.created_at > now() - interval '30 days'
      -- Who reads a mailbox that is no address of the customer any more says nothing for them.
      and exists (
        select from public.emails letter
        where letter.booking_id = booking.id and letter.kind = 'address_question'
          and internal.is_their_email(booking.person_id, letter.recipient_email))
    then 'open' else 'closed' end;

create function internal.is_erased(person uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.people where id = person and erased_at is not null);

create function internal.read_address_question(booking_id uuid) returns jsonb
  language sql stable
  -- The server has no right to call address_question_state and is_erased.
  security definer
  set search_path = ''
  return (
    select jsonb_build_object(
      'state', internal.address_question_state(booking), 'email', booking.customer_email, 'date', booking.appointment_date,
      'time', to_char(booking.appointment_time, 'HH24:MI:SS'))
    from public.bookings booking
    where booking.id = read_address_question.booking_id and booking.customer_email is not null
      and not internal.is_erased(booking.person_id)
  );

create function internal.answer_address_question(booking_id uuid) returns text
  language plpgsql
  -- The server has no right to write address_answers.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person uuid;
begin
  -- A merge holds its customers and then moves appointments: this waits for none of its updates.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_people(array[lower(trim(booking.customer_email))]);
  select id into person from public.people
  where id = internal.person_now(booking.person_id) and merged_into is null and erased_at is null for update;
  if person is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(person, booking.customer_email, 'customer');
  return 'confirmed';
end
$$;

create function internal.find_car(person uuid, car internal.described_car) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select known.id from public.cars known
    where known.person_id = person and known.merged_into is null
      and (known.vin = car.vin or known.plate_key = internal.plate_key(car.plate)
           or known.car_key = internal.car_key(car.year, car.make, car.model)
              -- Two alike are told apart by what is written on them.
              and coalesce(known.vin = car.vin, true) and coalesce(known.plate_key = internal.plate_key(car.plate), true))
    order by known.vin = car.vin desc nulls last, known.plate_key = internal.plate_key(car.plate) desc nulls last,
             known.created_at desc, known.id
    limit 1
  );
end
$$;

create function internal.ensure_car(person uuid, car internal.described_car, seen_at timestamptz, is_sample boolean) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_id uuid;
begin
  if internal.car_key(car.year, car.make, car.model) is null and car.plate is null and car.vin is null then
    return null;
  end if;
  found_id := internal.find_car(person, car);
  if found_id is null then
    insert into public.cars (person_id, year, make, model, color, plate, vin, created_at, is_sample)
    values (person, nullif(trim(car.year), ''), nullif(trim(car.make), ''), nullif(trim(car.model), ''),
            nullif(trim(car.color), ''), car.plate, car.vin, seen_at, ensure_car.is_sample)
    returning id into found_id;
    return found_id;
  end if;
  update public.cars
  set color = coalesce(color, nullif(trim(car.color), '')), plate = coalesce(plate, car.plate), vin = coalesce(vin, car.vin)
  where id = found_id and (color is null and trim(car.color) <> '' or plate is null and car.plate is not null
                           or vin is null and car.vin is not null);
  return found_id;
end
$$;

create function internal.complete_car(car uuid, described internal.described_car) returns uuid
  language plpgsql
  set search_path = ''
as $$
begin
  update public.cars known
  set plate = coalesce(known.plate, described.plate), vin = coalesce(known.vin, described.vin)
  where known.id = car and (known.plate is null and described.plate is not null or known.vin is null and described.vin is not null);
  return car;
end
$$;

create function internal.describe_car(car public.cars) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', car.id, 'version', car.version, 'personId', car.person_id, 'year', car.year, 'make', car.make, 'model', car.model,
      'color', car.color, 'plate', car.plate, 'vin', car.vin, 'note', car.note, 'miles', latest.miles, 'milesOn', latest.read_on)
    from (values (car.id)) as asked (id)
    left join lateral (
      select miles, read_on from public.odometer_readings where car_id = asked.id order by read_on desc, recorded_at desc limit 1
    ) latest on true
  );

create function public.read_car(car_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call car_now, describe_car and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  car public.cars;
begin
  perform internal.require_admin();
  select * into car from public.cars known where known.id = internal.car_now(read_car.car_id);
  if car.id is null then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'car_not_found';
  end if;
  return internal.describe_car(car) || jsonb_build_object(
    'person', (
      select jsonb_build_object('id', person.id, 'version', person.version, 'name', person.name, 'phone', person.phone, 'email', person.email)
      from public.people person where person.id = car.person_id),
    'odometer', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', reading.id, 'miles', reading.miles, 'readOn', reading.read_on, 'bookingId', reading.booking_id,
        'recordedBy', reading.recorded_by_name) order by reading.read_on desc, reading.recorded_at desc), '[]')
      from public.odometer_readings reading where reading.car_id = car.id),
    'milesAMonth', internal.miles_a_month(car.id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_visit(booking) || jsonb_build_object(
          'shopNote', booking.shop_note,
          'miles', (select max(reading.miles) from public.odometer_readings reading where reading.booking_id = booking.id),
          'invoices', (select coalesce(jsonb_agg(internal.describe_known_invoice(links)), '[]')
                       from public.invoice_links links where links.booking_id = booking.id))
        order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.car_id = car.id
            order by appointment_date desc, appointment_time desc limit 200) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'service', quote.service_type, 'status', quote.status)
        order by quote.created_at desc), '[]')
      from public.quote_requests quote where quote.car_id = car.id),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_known_estimate(estimate) order by estimate.created_at desc), '[]')
      from public.estimates estimate where estimate.car_id = car.id),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_known_invoice(links) order by links.made_at desc), '[]')
      from public.invoice_links links where links.car_id = car.id and links.booking_id is null),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', task.id, 'title', task.title, 'status', task.status, 'createdAt', task.created_at, 'bookingId', task.booking_id)
        order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.car_id = car.id)
         or task.estimate_id in (select id from public.estimates known where known.car_id = car.id)));
end
$$;

create function internal.miles_a_month(car uuid) returns integer
  language sql stable
  set search_path = ''
  return (
    select round((last_miles - first_miles) / ((last_on - first_on) / 30.4))::integer
    from (
      select min(read_on) as first_on, max(read_on) as last_on, min(miles) as first_miles, max(miles) as last_miles
      from (select * from public.odometer_readings where car_id = car order by read_on desc limit 12) lately
    ) span
    where last_on - first_on >= 30
  );

create function public.save_car(
  car_id uuid, expected_version integer, person_id uuid, year text, make text, model text, color text, plate text, vin text, note text
)
  returns uuid
  language plpgsql
  -- The admin has no right to write cars. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  plain_vin constant text := nullif(upper(regexp_replace(save_car.vin, '[^[:alnum:]]+', '', 'g')), '');
  saved uuid;
begin
  perform internal.require_admin();
  if plain_vin is not null and not internal.is_vin(plain_vin) then
    raise exception 'This VIN is not right: 17 characters, and the ninth must fit the others.' using errcode = 'TT097', hint = 'vin_wrong';
  end if;
  if internal.car_key('', save_car.make, save_car.model) is null and plain_vin is null and internal.plate_key(save_car.plate) is null then
    raise exception 'A car has a make, a model, a plate or a VIN.' using errcode = '22023', hint = 'car_unknown';
  end if;
  if save_car.car_id is null then
    insert into public.cars (person_id) select id from public.people where id = internal.person_now(save_car.person_id) returning id into saved;
  else
    saved := (internal.take_car(save_car.car_id, expected_version)).id;
  end if;
  if saved is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  update public.cars car
  set year = nullif(trim(save_car.year), ''), make = nullif(trim(save_car.make), ''), model = nullif(trim(save_car.model), ''),
      color = nullif(trim(save_car.color), ''), plate = nullif(upper(trim(save_car.plate)), ''), vin = plain_vin,
      note = nullif(trim(save_car.note), '')
  where id = saved;
  return saved;
end
$$;

create function public.give_car(car_id uuid, expected_version integer, person_id uuid) returns void
  language plpgsql
  -- The admin has no right to write cars. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  owner_id constant uuid := internal.person_now(give_car.person_id);
  car public.cars;
begin
  perform internal.require_admin();
  if owner_id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  car := internal.take_car(give_car.car_id, expected_version);
  update public.cars set person_id = owner_id where id = car.id;
end
$$;

create function public.note_odometer(
  car_id uuid, miles integer, read_on date default null, booking_id uuid default null, is_certain boolean default false
)
  returns uuid
  language plpgsql
  -- The admin has no right to write odometer_readings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  known_car uuid := internal.car_now(note_odometer.car_id);
  day constant date := coalesce(note_odometer.read_on, internal.shop_now()::date);
  against public.odometer_readings;
  noted uuid;
begin
  perform internal.require_admin();
  select car.id into known_car from public.cars car where car.id = known_car and not internal.is_erased(car.person_id);
  if known_car is null then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'car_not_found';
  end if;
  if day > internal.shop_now()::date then
    raise exception 'What an odometer says is read, not foreseen.' using errcode = '22023', hint = 'in_the_future';
  end if;
  if day < '1950-01-01' then
    raise exception 'That long ago nobody read it.' using errcode = '22023', hint = 'long_ago';
  end if;
  select reading.* into against from public.odometer_readings reading
  where reading.car_id = known_car
    and (reading.read_on < day and reading.miles > note_odometer.miles or reading.read_on > day and reading.miles < note_odometer.miles)
  order by reading.read_on desc limit 1;
  if against.id is not null and not is_certain then
    raise exception 'It said % on %.', against.miles, against.read_on
      using errcode = 'TT098', hint = 'odometer_runs_back', detail = jsonb_build_object('miles', against.miles, 'readOn', against.read_on);
  end if;
  insert into public.odometer_readings (car_id, booking_id, miles, read_on, recorded_by_name)
  values (known_car, note_odometer.booking_id, note_odometer.miles, day, internal.author_name(null))
  returning id into noted;
  return noted;
end
$$;

create function public.remove_odometer_reading(reading_id uuid) returns void
  language plpgsql
  -- The admin has no right to write odometer_readings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.odometer_readings where id = reading_id;
end
$$;

create function internal.undecided_references() returns setof text
  language sql stable
  set search_path = ''
as $$
  select conrelid::regclass::text || '.' || attname
  from pg_catalog.pg_constraint
  join pg_catalog.pg_attribute on attrelid = conrelid and attnum = any (conkey)
  where contype = 'f' and confrelid in ('public.people'::regclass, 'public.cars'::regclass)
    and not exists (
      select from internal.merge_rules
      where table_name::regclass = conrelid and column_name = attname
        and kind = case confrelid when 'public.people'::regclass then 'person' else 'car' end)
$$;

create function internal.move_references(kind text, from_id uuid, to_id uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
  keys jsonb;
  moved jsonb := '{}';
begin
  if exists (select from internal.undecided_references()) then
    raise exception 'No rule says what a merge does with %.', (select string_agg(name, ', ') from internal.undecided_references() name);
  end if;
  for rule in select * from internal.merge_rules known where known.kind = move_references.kind and known.rule = 'moves' loop
    execute format(
      'with moved as (update %1$s set %2$I = $2 where %2$I = $1 returning %3$I as key) select coalesce(jsonb_agg(key), ''[]'') from moved',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    into keys using from_id, to_id;
    moved := moved || jsonb_build_object(rule.table_name || '.' || rule.column_name, keys);
  end loop;
  return moved;
end
$$;

create function internal.move_references_back(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
begin
  for rule in select * from internal.merge_rules known where known.kind = merge.kind and known.rule = 'moves' loop
    execute format(
      'update %1$s set %2$I = $2 where %2$I = $1 and %3$I::text in (select jsonb_array_elements_text($3))',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    using merge.kept_id, merge.gone_id, coalesce(merge.moved -> (rule.table_name || '.' || rule.column_name), '[]');
  end loop;
end
$$;

create function internal.person_now(person uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, erased_at, 1 as step from public.people where id = person
    union all
    select next.id, next.merged_into, next.erased_at, led.step + 1
    from led join public.people next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null and erased_at is null
$$;

create function internal.car_now(car uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.cars where id = car
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.cars next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;

create function internal.take_person(wanted uuid, expected_version integer) returns public.people
  language plpgsql
  set search_path = ''
as $$
declare
  person public.people;
begin
  select * into person from public.people where id = wanted for update;
  if person.id is null or person.erased_at is not null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  if person.merged_into is not null then
    raise exception 'This person was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = coalesce(internal.person_now(wanted)::text, '');
  end if;
  if person.version is distinct from expected_version then
    raise exception 'This person was changed meanwhile.' using errcode = 'TT093', hint = 'changed_meanwhile';
  end if;
  return person;
end
$$;

create function internal.take_car(wanted uuid, expected_version integer) returns public.cars
  language plpgsql
  set search_path = ''
as $$
declare
  car public.cars;
begin
  select * into car from public.cars where id = wanted for update;
  if car.id is null or internal.is_erased(car.person_id) then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'car_not_found';
  end if;
  if car.merged_into is not null then
    raise exception 'This car was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = internal.car_now(wanted);
  end if;
  if car.version is distinct from expected_version then
    raise exception 'This car was changed meanwhile.' using errcode = 'TT093', hint = 'changed_meanwhile';
  end if;
  return car;
end
$$;

create function internal.refuse_self_merge(kept_id uuid, gone_id uuid) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if kept_id is null or gone_id is null or kept_id = gone_id then
    raise exception 'Two different ones are merged.' using errcode = 'TT091', hint = 'same_record';
  end if;
end
$$;

create function internal.put_cars_together(kept public.cars, gone public.cars, in_merge uuid default null) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  merge uuid;
begin
  -- First: what is written on the one that goes must not stand in the way.
  update public.cars set merged_into = kept.id where id = gone.id;
  update public.cars
  set color = coalesce(color, gone.color), plate = coalesce(plate, gone.plate), vin = coalesce(vin, gone.vin),
      note = coalesce(note, gone.note), created_at = least(created_at, gone.created_at)
  where id = kept.id;
  insert into public.record_merges (kind, kept_id, gone_id, part_of, moved, before, merged_by_name)
  select 'car', kept.id, gone.id, in_merge, internal.move_references('car', gone.id, kept.id),
         internal.what_changed(to_jsonb(kept), to_jsonb(car)), internal.author_name(null)
  from public.cars car where id = kept.id
  returning id into merge;
  return merge;
end
$$;

create function internal.what_changed(row_then jsonb, row_now jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_object_agg(key, jsonb_build_object('before', value, 'after', row_now -> key)), '{}')
    from jsonb_each(row_then)
    where row_now -> key is distinct from value
      and key in ('name', 'email', 'phone', 'color', 'plate', 'vin', 'note', 'created_at')
  );

create function public.merge_people(
  kept_id uuid, gone_id uuid, kept_version integer, gone_version integer, from_gone text[] default '{}'
)
  returns uuid
  language plpgsql
  -- The admin has no right to write people and record_merges. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept public.people;
  gone public.people;
  pair record;
  merge uuid;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(kept_id, gone_id);
  perform internal.lock_calendar();
  -- Who saves an estimate holds it before its person.
  perform from public.estimates where person_id in (kept_id, gone_id) order by id for update;
  perform from public.people where id in (kept_id, gone_id) order by id for update;
  kept := internal.take_person(kept_id, kept_version);
  gone := internal.take_person(gone_id, gone_version);
  update public.people set merged_into = kept.id where id = gone.id;
  update public.people
  set name = case when 'name' = any (from_gone) then gone.name else name end,
      email = internal.merged_email(kept, gone, 'email' = any (from_gone)),
      phone = case when 'phone' = any (from_gone) then coalesce(gone.phone, phone) else coalesce(phone, gone.phone) end,
      created_at = least(created_at, gone.created_at)
  where id = kept.id;
  insert into public.record_merges (kind, kept_id, gone_id, moved, before, merged_by_name)
  select 'person', kept.id, gone.id, internal.move_references('person', gone.id, kept.id),
         internal.what_changed(to_jsonb(kept), to_jsonb(person)), internal.author_name(null)
  from public.people person where id = kept.id
  returning id into merge;
  for pair in
    select own as kept, other as gone from public.cars other
    join public.cars own on own.id = internal.same_car(kept.id, other)
    join public.record_merges done on done.id = merge
    where done.moved -> 'public.cars.person_id' ? other.id::text and other.merged_into is null
      and not done.moved -> 'public.cars.person_id' ? own.id::text
    for update of own, other
  loop
    perform internal.put_cars_together(pair.kept, pair.gone, merge);
  end loop;
  return merge;
end
$$;

create function internal.same_car(person uuid, car public.cars) returns uuid
  language sql stable
  set search_path = ''
  return (
    select own.id from public.cars own
    where own.person_id = person and own.id <> car.id and own.merged_into is null
      and (own.vin = car.vin or own.plate_key = car.plate_key
           or own.car_key = car.car_key and coalesce(own.vin = car.vin, true) and coalesce(own.plate_key = car.plate_key, true))
    order by own.vin = car.vin desc nulls last, own.plate_key = car.plate_key desc nulls last, own.created_at, own.id limit 1
  );

create function public.merge_cars(kept_id uuid, gone_id uuid, kept_version integer, gone_version integer) returns uuid
  language plpgsql
  -- The admin has no right to call refuse_self_merge, lock_calendar and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept public.cars;
  gone public.cars;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(kept_id, gone_id);
  perform internal.lock_calendar();
  perform from public.cars where id in (kept_id, gone_id) order by id for update;
  kept := internal.take_car(kept_id, kept_version);
  gone := internal.take_car(gone_id, gone_version);
  if kept.person_id <> gone.person_id then
    raise exception 'These are cars of two people.' using errcode = 'TT091', hint = 'cars_of_two_people';
  end if;
  return internal.put_cars_together(kept, gone);
end
$$;

create function internal.restore_kept(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.before) loop
    -- What somebody wrote since stays.
    execute format(
      'update public.%1$I kept set %2$I = (jsonb_populate_record(kept, $2)).%2$I where id = $1 and to_jsonb(kept) -> %2$L = $3',
      case merge.kind when 'person' then 'people' else 'cars' end, changed.key)
    using merge.kept_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$$;

create function internal.take_apart(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  part public.record_merges;
begin
  for part in select * from public.record_merges where part_of = merge.id and undone_at is null loop
    perform internal.take_apart(part);
  end loop;
  perform internal.restore_kept(merge);
  perform internal.move_references_back(merge);
  if merge.kind = 'person' then
    update public.people set merged_into = null where id = merge.gone_id;
  else
    update public.cars set merged_into = null where id = merge.gone_id;
  end if;
  update public.record_merges set undone_at = internal.current_instant() where id = merge.id;
end
$$;

create function public.undo_merge(merge_id uuid) returns void
  language plpgsql
  -- The admin has no right to call lock_calendar and take_apart. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  merge public.record_merges;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into merge from public.record_merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- The second of two clicks finds what the first one wanted.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge is taken apart within 30 days.' using errcode = 'TT094', hint = 'undo_too_late';
  end if;
  if merge.part_of is not null or exists (
    select from public.record_merges later where later.gone_id = merge.kept_id and later.undone_at is null) then
    raise exception 'Take the merge of both apart first.' using errcode = 'TT095', hint = 'later_merge_first';
  end if;
  perform from public.people where id in (merge.kept_id, merge.gone_id) order by id for update;
  perform internal.take_apart(merge);
end
$$;

create function public.keep_people_apart(person_id uuid, other_id uuid) returns void
  language plpgsql
  -- The admin has no right to write different_people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(person_id, other_id);
  insert into public.different_people (person_id, other_id)
  select least(keep_people_apart.person_id, keep_people_apart.other_id), greatest(keep_people_apart.person_id, keep_people_apart.other_id)
  on conflict do nothing;
end
$$;

create function internal.make_person_of(booking public.bookings) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.lock_people(array[lower(booking.customer_email), internal.canonical_phone(booking.customer_phone)]);
  insert into public.people (name, email, phone, created_at, is_sample)
  values (booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at, booking.is_sample)
  returning id into person;
  perform internal.add_contacts(person, booking.customer_email, booking.customer_phone,
    not internal.was_typed_online(booking.id) or internal.is_confirmed_email(booking.person_id, booking.customer_email));
  return person;
end
$$;

create function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
  -- The admin has no right to write estimates, odometer_readings and invoice_links.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(split_booking.booking_id);
  former constant uuid := booking.person_id;
  person uuid;
begin
  if internal.is_erased(former) then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  perform internal.lock_people(array[lower(booking.customer_email), internal.canonical_phone(booking.customer_phone)]);
  perform from public.people where id = former for update;
  person := internal.make_person_of(booking);
  update public.bookings
  set person_id = person,
      car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set person_id = person, car_id = booking.car_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set car_id = booking.car_id where reading.booking_id = booking.id and booking.car_id is not null;
  update public.invoice_links links set person_id = person, car_id = booking.car_id where links.booking_id = booking.id;
  perform internal.forget_what_left(former, person);
  return person;
end
$$;

create function public.split_car(car_id uuid, expected_version integer) returns uuid
  language plpgsql
  -- The admin has no right to write cars, estimates and invoice_links. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  car public.cars;
  latest public.bookings;
  person uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  car := internal.take_car(split_car.car_id, expected_version);
  select * into latest from public.bookings booking
  where booking.car_id = car.id and not internal.is_erased(booking.person_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment says whose this car is.' using errcode = 'TT090', hint = 'car_without_visit';
  end if;
  -- Everything about the car goes along: not to an address that was only typed online.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_people(array[lower(latest.customer_email), internal.canonical_phone(latest.customer_phone)]);
  perform from public.people where id = car.person_id for update;
  person := internal.make_person_of(latest);
  update public.cars set person_id = person where id = car.id;
  update public.bookings booking set person_id = person where booking.car_id = car.id and not internal.is_erased(booking.person_id);
  update public.quote_requests quote set person_id = person where quote.car_id = car.id and not internal.is_erased(quote.person_id);
  update public.estimates estimate set person_id = person where estimate.car_id = car.id and not internal.is_erased(estimate.person_id);
  update public.invoice_links links set person_id = person where links.car_id = car.id and not internal.is_erased(links.person_id);
  perform internal.forget_what_left(car.person_id, person);
  return person;
end
$$;

create function internal.forget_what_left(former uuid, person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.person_contacts contact
  using public.people known
  where known.id = former and contact.person_id = former
    and exists (
      select from public.person_contacts theirs
      where theirs.person_id = person and theirs.kind = contact.kind and theirs.key = contact.key)
    and contact.key is distinct from lower(known.email) and contact.key is distinct from known.phone_key
    and not exists (select from public.bookings where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)))
    and not exists (select from public.quote_requests where person_id = former
                    and contact.key in (lower(email), internal.canonical_phone(phone)))
    and not exists (select from public.estimates where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)));
end
$$;

create function internal.merged_email(kept public.people, gone public.people, takes_gone boolean) returns text
  language sql stable
  set search_path = ''
  return case when takes_gone
    then coalesce(gone.email, case when internal.is_confirmed_email(kept.id, kept.email) then kept.email end)
    else coalesce(kept.email, case when internal.is_confirmed_email(gone.id, gone.email) then gone.email end) end;

create function internal.note_erasure() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call request_file_cleanup.
  security definer
  set search_path = ''
as $$
begin
  perform internal.request_file_cleanup();
  return null;
end
$$;

create function internal.spread(said text, between_two text) returns text
  language sql immutable
  set search_path = ''
  return array_to_string(regexp_split_to_array(said, ''), between_two);

create function internal.pattern_of(kind text, said text) returns text
  language sql immutable
  set search_path = ''
  return case kind
    when 'name' then
      '(?<![[:alnum:]])' || regexp_replace(regexp_replace(normalize(said, nfd), '([[:punct:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
      || '(?![[:alnum:]])'
    when 'email' then
      '(?<![[:alnum:]._%+-])' || regexp_replace(normalize(said, nfd), '([[:punct:]])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])'
    when 'phone' then
      '(?<![0-9])(\+?1[^[:alnum:]]{0,3})?\(?' || internal.spread(left(said, -3), '[^[:alnum:]]{0,3}') || right(said, 3) || '(?![0-9])'
      -- As it is dialed next door; not the end of another number.
      || case when length(said) = 10 then
           '|(?<![0-9])(?<![0-9][^[:alnum:]]{1,3})' || internal.spread(substr(said, 4, 4), '[^[:alnum:]]{0,3}') || right(said, 3)
           || '(?![0-9])'
         else '' end
    when 'plate' then '(?<![[:alnum:]])' || internal.spread(left(said, -2), '[ .-]?') || right(said, 2) || '(?![[:alnum:]])'
  end;

create function internal.scrubbed(words text, pattern text, most integer default null) returns text
  language sql immutable
  set search_path = ''
  return left(normalize(regexp_replace(normalize(words, nfd), pattern, '[erased]', 'gi'), nfc), coalesce(most, length(words) * 4));

create function internal.scrubbed(content jsonb, pattern text, longest integer) returns jsonb
  language plpgsql immutable
  set search_path = ''
as $$
declare
  words constant text := content #>> '{}';
begin
  case jsonb_typeof(content)
    when 'string' then
      -- Nothing else of a text changes, not even how its accents are written.
      if normalize(words, nfd) !~* pattern then
        return content;
      end if;
      return to_jsonb(internal.scrubbed(words, pattern, longest));
    when 'array' then
      return (select coalesce(jsonb_agg(internal.scrubbed(item, pattern, greatest(length(item #>> '{}'), 60)) order by place), '[]')
              from jsonb_array_elements(content) with ordinality each (item, place));
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, internal.scrubbed(value, pattern, greatest(length(value #>> '{}'), 60))), '{}')
              from jsonb_each(content));
    else
      return content;
  end case;
end
$$;

create function internal.needle_of(kind text, said text) returns text
  language sql immutable
  set search_path = ''
  return '%' || regexp_replace(
    case kind
      when 'name' then internal.plain(substring(said from '[^[:space:]]+$'))
      when 'email' then internal.plain(said)
      when 'phone' then right(said, 4)
      when 'plate' then lower(right(said, 3))
    end, '([\\%_])', '\\\1', 'g') || '%';

create function internal.said_of_person(whom uuid[]) returns internal.said[]
  language sql stable
  set search_path = ''
  return array(
    select row(kind, said)::internal.said
    from (
      select 'name' as kind, trim(name) as said from public.people where id = any (whom)
      union select 'name', trim(customer_name) from public.bookings where person_id = any (whom)
      union select 'name', trim(name) from public.quote_requests where person_id = any (whom)
      union select 'name', trim(customer_name) from public.estimates where person_id = any (whom)
      union select 'name', trim(customer_name) from public.invoice_links where person_id = any (whom)
      union select kind, key from public.person_contacts where person_id = any (whom)
      union select 'email', lower(trim(customer_email)) from public.bookings where person_id = any (whom)
      union select 'email', lower(trim(email)) from public.quote_requests where person_id = any (whom)
      union select 'email', lower(customer_email) from public.estimates where person_id = any (whom)
      union select 'phone', internal.canonical_phone(customer_phone) from public.bookings where person_id = any (whom)
      union select 'phone', internal.canonical_phone(phone) from public.quote_requests where person_id = any (whom)
      union select 'phone', internal.canonical_phone(customer_phone) from public.estimates where person_id = any (whom)
      union select 'plate', plate_key from public.cars where person_id = any (whom)
      union select 'plate', vin from public.cars where person_id = any (whom)
    ) known
    where case kind
      when 'name' then said ~ '[[:alnum:]].*[[:alnum:]]'
      when 'plate' then length(said) >= 3
      else said <> '' end
    -- The longest first: no part of an address is left standing.
    order by length(said) desc
  );

create function internal.may_say(words text, needles text[]) returns boolean
  language sql immutable
  set search_path = ''
  return internal.plain(words) like any (needles);

create function internal.open_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(standing) order by standing.kind, standing.at), '[]')
    from (
      select 'visit' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.person_id = person and internal.is_ahead(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.person_id = person and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', links.invoice_id, links.number, links.made_at::text
      from public.invoice_links links where links.person_id = person and links.status in ('open', 'draft')
    ) standing
  );

create function internal.handed_over_at(estimate uuid) returns timestamptz
  language sql stable
  set search_path = ''
  return (select max(frozen_at) from public.estimate_revisions where estimate_id = estimate);

create function internal.kept_until(happened_at timestamptz) returns date
  language sql stable
  set search_path = ''
  return (happened_at at time zone (select time_zone from public.shop) + interval '3 years')::date;

create function internal.kept_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(record) order by record."keptUntil", record.kind, record.id), '[]')
    from (
      select 'invoice' as kind, invoice_id as id, number, internal.kept_until(made_at) as "keptUntil"
      from public.invoice_links where person_id = person
      union all
      select 'estimate', id::text, number, internal.kept_until(internal.handed_over_at(id))
      from public.estimates where person_id = person
    ) record
    where record."keptUntil" >= internal.shop_now()::date
  );

create function public.read_erasure(person_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call read_known_person, kept_of_person and others.
  security definer
  set search_path = ''
as $$
declare
  person constant public.people := internal.read_known_person(read_erasure.person_id);
  kept constant jsonb := internal.kept_of_person(person.id);
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'open', internal.open_of_person(person.id), 'kept', kept,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(kept) record),
    'counts', internal.counts_of_person(person.id), 'others', internal.other_texts_of_person(person.id),
    'areFilesCleaned', internal.are_files_ours());
end
$$;

create function internal.counts_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'visits', (select count(*) from public.bookings where person_id = person),
    'quotes', (select count(*) from public.quote_requests where person_id = person),
    'estimates', (select count(*) from public.estimates where person_id = person),
    'invoices', (select count(*) from public.invoice_links where person_id = person),
    'cars', (select count(*) from public.cars where person_id = person and merged_into is null),
    'emails', (select count(*) from internal.emails_of_person(person)),
    'notes', (select count(*) from public.person_notes where person_id = person));

create function internal.keep_events_but_reason() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create function internal.erase_letters(whom uuid[]) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  gone uuid[] := '{}';
begin
  foreach person in array whom loop
    gone := gone || array(select id from internal.emails_of_person(person));
  end loop;
  gone := gone || array(select internal.notices_of_letters(gone));
  delete from public.quote_email_logs
  where email_id = any (gone) or quote_request_id in (select id from public.quote_requests where person_id = any (whom));
  delete from internal.visitor_letters where dedupe_key in (select dedupe_key from public.emails where id = any (gone));
  delete from internal.link_requests request
  using public.person_contacts contact
  where contact.person_id = any (whom) and contact.kind = 'email' and request.mailbox = internal.mailbox_of(contact.value);
  -- One that waits is not sent any more.
  delete from public.emails where id = any (gone);
  return gone;
end
$$;

create function internal.erase_estimates(whom uuid[], until date) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  gone constant uuid[] := array(
    select id from public.estimates
    where person_id = any (whom) and coalesce(internal.kept_until(internal.handed_over_at(id)), '-infinity') < until);
begin
  update public.tasks set estimate_id = null, estimate_job_key = null where estimate_id = any (gone);
  delete from public.authorizations where estimate_id = any (gone);
  delete from public.estimate_invoices where estimate_id = any (gone);
  delete from public.estimates where id = any (gone);
end
$$;

create function internal.erase_rows(whom uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from internal.form_origins
  where booking_id in (select id from public.bookings where person_id = any (whom))
     or quote_request_id in (select id from public.quote_requests where person_id = any (whom));
  -- With a link that opens nothing any more.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, shop_note = null, vehicle_color = null,
      link_version = link_version + 1
  where person_id = any (whom);
  update public.estimates set link_version = link_version + 1 where person_id = any (whom);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where person_id = any (whom);
  update public.cars set plate = null, vin = null, color = null, note = null where person_id = any (whom);
  delete from public.person_notes where person_id = any (whom);
  delete from public.person_contacts where person_id = any (whom);
  update public.people set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (whom);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and internal.kept_until(made_at) < internal.shop_now()::date;
end
$$;

create function internal.merged_into_person(person uuid) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  with recursive cluster as (
    select id from public.people where id = person
    union
    select merged.id from cluster join public.people merged on merged.merged_into = cluster.id
  )
  select array_agg(id) from cluster
$$;

create function internal.erase_person(person_id uuid, expected_version integer, by_name text, left_out text[] default '{}') returns jsonb
  language plpgsql
  -- The server has no right to write erasures.
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
  kept jsonb;
  counts jsonb;
  changed_texts integer;
  letters uuid[];
begin
  perform internal.lock_calendar();
  -- Nobody books meanwhile: what was booked until now is known to be whose.
  perform internal.link_old_bookings(1000);
  whom := internal.merged_into_person(erase_person.person_id);
  -- In the order of those who write records: an estimate, then addresses and numbers, then people.
  perform from public.estimates estimate where estimate.person_id = any (whom) or estimate.person_id is null order by id for update;
  perform internal.lock_people(internal.contact_keys_of(whom));
  person := internal.take_person(erase_person.person_id, expected_version);
  perform internal.adopt_estimates(person.id);
  if internal.open_of_person(person.id) <> '[]' then
    raise exception 'Something of this person is still open.'
      using errcode = 'TT099', hint = 'something_open', detail = internal.open_of_person(person.id)::text;
  end if;
  kept := internal.kept_of_person(person.id);
  counts := internal.counts_of_person(person.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- While it is known yet whose record each is.
  changed_texts := internal.erase_texts(whom, left_out);
  -- The history of the settings that were changed just now.
  perform internal.erase_texts(whom, left_out, 'public.settings_history');
  perform internal.forget_merges(whom);
  letters := internal.erase_letters(whom);
  perform internal.erase_estimates(whom, internal.shop_now()::date);
  perform internal.erase_rows(whom);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (person_id, erased_by_name, counts, kept, kept_until)
  values (
    person.id, left(by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), kept,
    (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(kept) record));
  return jsonb_build_object('letters', to_jsonb(letters), 'kept', kept, 'counts', counts);
end
$$;

create function internal.end_retention() returns integer
  language plpgsql
  -- The server has no right to write invoice_links and emails.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  whom constant uuid[] := array(
    select distinct erasure.person_id from public.erasures erasure
    where erasure.kept_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.kept) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where person_id = any (whom));
  renamed integer;
  forgotten integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_estimates(whom, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and customer_name <> 'Erased' and internal.kept_until(made_at) < today;
  get diagnostics renamed = row_count;
  -- A receipt of what was paid meanwhile is still sent, and is then nobody's either.
  delete from public.emails
  where id in (
    select letter.id from (select distinct person_id from public.erasures) erased
    cross join lateral internal.emails_of_person(erased.person_id) letter
    where letter.status not in ('queued', 'retrying'));
  get diagnostics forgotten = row_count;
  if renamed + forgotten > 0 or estimates_before > (select count(*) from public.estimates where person_id = any (whom)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$$;

create function internal.read_person_export(person_id uuid) returns jsonb
  language plpgsql stable
  -- The server has no right to read people, person_contacts and others.
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
begin
  select * into person from public.people where id = internal.person_now(read_person_export.person_id) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  whom := internal.merged_into_person(person.id);
  return jsonb_build_object(
    'person', to_jsonb(person) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.person_contacts where person_id = any ($1) order by id', whom),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.person_notes where person_id = any ($1) order by created_at', whom),
    'cars', internal.rows_as_json('select id, year, make, model, color, plate, vin, note, created_at from public.cars where person_id = any ($1) order by created_at', whom),
    'odometer', internal.rows_as_json('select reading.car_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.cars car on car.id = reading.car_id where car.person_id = any ($1) order by read_on', whom),
    'visits', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, shop_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      car_id, created_at from public.bookings where person_id = any ($1) order by appointment_date, appointment_time', whom),
    'visit_story', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.person_id = any ($1) order by event.id', whom),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where person_id = any ($1) order by created_at', whom),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where person_id = any ($1)) order by created_at', whom),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at from public.estimates where person_id = any ($1) order by created_at', whom),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.person_id = any ($1) order by estimate_id, revision', whom),
    'authorizations', internal.rows_as_json('select said.* from public.authorizations said
      join public.estimates estimate on estimate.id = said.estimate_id where estimate.person_id = any ($1) order by said.id', whom),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.person_id = any ($1) order by event.id', whom),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where person_id = any ($1))
         or estimate_id in (select id from public.estimates where person_id = any ($1)) order by created_at', whom),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where person_id = any ($1))
         or task.estimate_id in (select id from public.estimates where person_id = any ($1)) order by note.created_at', whom),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, made_at from public.invoice_links
      where person_id = any ($1) order by made_at', whom),
    'payments', internal.rows_as_json('select invoice_id, invoice_number, amount_cents, overpaid_cents, currency, outcome, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoice_links where person_id = any ($1)) order by paid_at', whom),
    'letters', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.emails_of_person(person) order by created_at', whom));
end
$$;

create function internal.rows_as_json(statement text, whom uuid[]) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  rows jsonb;
begin
  execute format('select coalesce(jsonb_agg(to_jsonb(one)), ''[]'') from (%s) one', statement) into rows using whom;
  return rows;
end
$$;

create function internal.open_invoices_of(person_id uuid) returns setof text
  language sql stable
  -- The server has no right to read invoice_links.
  security definer
  set search_path = ''
as $$
  select invoice_id from public.invoice_links links where links.person_id = open_invoices_of.person_id and status in ('open', 'draft')
$$;

create function internal.adopt_estimates(person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  keys constant text[] := internal.contact_keys_of(array[person]);
begin
  update public.estimates estimate set person_id = person
  where person_id is null
    and (lower(customer_email) = any (keys) or internal.canonical_phone(customer_phone) = any (keys))
    and internal.find_person(internal.caller_of_estimate(estimate)) = person;
end
$$;

create function internal.forget_merges(whom uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  with gone as (
    select id from public.record_merges where kept_id = any (whom) or gone_id = any (whom)
  )
  delete from public.record_merges merge using gone where gone.id in (merge.id, merge.part_of);
  delete from public.record_merges merge using public.cars kept, public.cars gone
  where merge.kind = 'car' and merge.part_of is null and kept.id = merge.kept_id and gone.id = merge.gone_id
    and (kept.person_id = any (whom) or gone.person_id = any (whom));
  -- Cars of others that became one before it was given to whom is erased: two of them again, without what stood on it.
  update public.record_merges merge set before = '{}'
  from public.cars kept where kept.id = merge.kept_id and kept.person_id = any (whom);
end
$$;

create function internal.notices_of_letters(letters uuid[]) returns setof uuid
  language sql stable
  set search_path = ''
  begin atomic
    select notice.id
    from unnest(letters) letter
    -- 'undelivered:<', the letter's id, '.'
    join public.emails notice
      on notice.dedupe_key >= 'undelivered:<' || letter || '.' and notice.dedupe_key < 'undelivered:<' || letter || '/';
  end;

create function internal.note_missing_invoice(invoice_id text) returns void
  language sql
  -- The server has no right to write invoice_links.
  security definer
  set search_path = ''
begin atomic
  update public.invoice_links links set status = 'void' where links.invoice_id = note_missing_invoice.invoice_id;
end;

create function internal.has_erased() returns boolean
  language sql stable
  -- The server has no right to read erasures.
  security definer
  set search_path = ''
begin atomic
  select exists (select from public.erasures);
end;

create function internal.customer_of_task(task public.tasks) returns uuid
  language sql stable
  set search_path = ''
  return coalesce(
    (select person_id from public.bookings where id = task.booking_id), (select person_id from public.estimates where id = task.estimate_id));

create function internal.customer_of_estimate(wanted_id uuid) returns uuid
  language sql stable
  set search_path = ''
  return (select person_id from public.estimates where id = wanted_id);

create function internal.is_unsent(wanted_id uuid, wanted_revision integer) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.estimate_revisions where (estimate_id, revision) = (wanted_id, wanted_revision) and frozen_at is null);

create function internal.words_of(content jsonb) returns text
  language sql immutable
  set search_path = ''
  return (select string_agg(said #>> '{}', E'\n') from jsonb_path_query(content, 'strict $.**') said where jsonb_typeof(said) = 'string');

create function internal.is_automated_only(whom uuid[], contact text) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select bool_and(is_automated)
    from (
      select flagged_reasons <> '{}' as is_automated from public.bookings
      where person_id = any (whom) and contact in (lower(trim(customer_email)), internal.canonical_phone(customer_phone))
      union all
      select flagged_reasons <> '{}' from public.quote_requests
      where person_id = any (whom) and contact in (lower(trim(email)), internal.canonical_phone(phone))
      union all
      select false from public.estimates
      where person_id = any (whom) and contact in (lower(customer_email), internal.canonical_phone(customer_phone))
    ) records), false);

create function internal.is_of_others(whom uuid[], kind text, words text) returns boolean
  language sql stable
  set search_path = ''
  return exists (
      select from public.person_contacts contact join public.people other on other.id = contact.person_id
      where contact.kind = is_of_others.kind and contact.key = words and other.id <> all (whom) and other.erased_at is null
        -- What was only typed online may be anybody's.
        and (contact.confirmed_at is not null or lower(trim(other.email)) = words))
    or exists (
      select from public.cars car where words in (car.plate_key, car.vin) and car.person_id <> all (whom) and car.merged_into is null)
    or exists (
      select from public.shop
      where words in (lower(support_email), lower(billing_email), lower(booking_email), internal.canonical_phone(phone),
        internal.canonical_phone(billing_phone)))
    or exists (select from public.employees where lower(email) = words);

create function internal.sought_elsewhere(whom uuid[]) returns internal.said[]
  language sql stable
  set search_path = ''
  return array(
    select row(kind, words)::internal.said
    from unnest(internal.said_of_person(whom)) with ordinality known (kind, words, place)
    where kind <> 'name'
      -- 'MY CAR' is a plate and two words.
      and (kind <> 'plate' or length(words) >= 5 and words ~ '[0-9]')
      and not internal.is_of_others(whom, kind, words)
      and not internal.is_automated_only(whom, words)
    order by place
  );

create function internal.find_texts(whom uuid[], only_table text default null)
  returns table (rule internal.erasure_rules, text_key text, row_id text, is_own boolean, about text, content jsonb, pattern text)
  language plpgsql stable
  set search_path = ''
as $$
declare
  own constant internal.said[] := internal.said_of_person(whom);
  elsewhere constant internal.said[] := internal.sought_elsewhere(whom);
  own_pattern constant text := (select string_agg(internal.pattern_of(known.kind, known.words), '|') from unnest(own) known);
  other_pattern constant text := (select string_agg(internal.pattern_of(known.kind, known.words), '|') from unnest(elsewhere) known);
  needles constant text[] := array(select distinct internal.needle_of(known.kind, known.words) from unnest(own) known);
  searched internal.erasure_rules;
begin
  for searched in
    select * from internal.erasure_rules known
    where known.label is not null and known.table_name = coalesce(only_table, known.table_name)
    order by known.table_name = 'public.settings_history', known.table_name, known.column_name
  loop
    return query execute format(
      'select $1, $2 || '' '' || (%1$s), %1$s, mine.is_own, (%2$s)::text, to_jsonb(one.%3$I), sought.pattern
       from %4$s one,
         lateral (select coalesce((%5$s) = any ($3), false) as is_own) mine,
         lateral (select case when mine.is_own then $4 else $5 end as pattern) sought
       where %6$s and case when internal.may_say(one.%3$I::text, $6) and sought.pattern is not null
         then internal.scrubbed(to_jsonb(one.%3$I), sought.pattern, 1000000) <> to_jsonb(one.%3$I) end
       order by 2',
      searched.row_key, searched.subject, searched.column_name, searched.table_name, searched.owner, searched.only_where)
    using searched, searched.table_name || '.' || searched.column_name, whom, own_pattern, other_pattern, needles;
  end loop;
end
$$;

create function internal.pieces_of(words text, pattern text) returns jsonb
  language sql immutable
  set search_path = ''
  return to_jsonb(string_to_array(
    normalize(regexp_replace(translate(normalize(words, nfd), U&'\E000', ''), pattern, U&'\E000' || '\&' || U&'\E000', 'gi'), nfc),
    U&'\E000'));

create function internal.other_texts_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'count', count(*),
      'texts', coalesce(jsonb_agg(jsonb_build_object(
        'key', found.text_key, 'label', (found.rule).label, 'about', found.about,
        'pieces', internal.pieces_of(internal.words_of(found.content), found.pattern)) order by found.place)
        filter (where found.place <= 20), '[]'))
    from (
      select *, row_number() over () as place from internal.find_texts(internal.merged_into_person(person)) text_found
      where not text_found.is_own
    ) found
  );

create function internal.erase_texts(whom uuid[], left_out text[], only_table text default null) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  found record;
  statement text;
  erased jsonb;
  changed integer := 0;
begin
  for found in
    select * from internal.find_texts(whom, only_table) text_found where text_found.is_own or text_found.text_key <> all (left_out)
  loop
    statement := format('update %s one set %I = %s where (%s) = $2', (found.rule).table_name, (found.rule).column_name,
      case when (select atttypid from pg_catalog.pg_attribute
                 where attrelid = (found.rule).table_name::regclass and attname = (found.rule).column_name) = 'jsonb'::regtype
        then '$1' else '$1 #>> ''{}''' end,
      (found.rule).row_key);
    erased := internal.scrubbed(found.content, found.pattern, (found.rule).longest);
    begin
      execute statement using erased, found.row_id;
    exception when unique_violation then
      -- Two texts that differed in nothing else.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$$;

create function internal.request_file_cleanup() returns void
  language sql
  set search_path = ''
begin atomic
  insert into internal.file_cleanups as known (table_name)
  select distinct table_name from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  order by table_name
  on conflict (table_name) do update set requests = known.requests + 1;
end;

create function internal.is_quiet() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time between '02:00' and '05:00'
    and not exists (select from public.bookings where created_at > internal.current_instant() - interval '10 minutes')
    and not exists (select from public.quote_requests where created_at > internal.current_instant() - interval '10 minutes');

create function internal.list_file_cleanups() returns table (table_name text, requests integer)
  language sql stable
  -- The server has no right to read file_cleanups.
  security definer
  set search_path = ''
begin atomic
  select known.table_name, known.requests from internal.file_cleanups known
  where known.cleaned < known.requests and known.is_ours and internal.is_quiet() order by known.table_name;
end;

create function internal.note_file_cleanup(name text, requests integer) returns void
  language sql
  -- The server has no right to write file_cleanups.
  security definer
  set search_path = ''
begin atomic
  update internal.file_cleanups known set cleaned = note_file_cleanup.requests where known.table_name = note_file_cleanup.name;
end;

create function internal.note_file_owner(login text) returns void
  language sql
  -- The server has no right to write file_cleanups.
  security definer
  set search_path = ''
begin atomic
  insert into internal.file_cleanups (table_name, requests)
  select distinct table_name, 0 from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  on conflict (table_name) do nothing;
  update internal.file_cleanups known
  set is_ours = pg_has_role(login, relation.relowner, 'USAGE')
  from pg_catalog.pg_class relation
  where relation.oid = known.table_name::regclass and known.is_ours <> pg_has_role(login, relation.relowner, 'USAGE');
end;

create function internal.are_files_ours() returns boolean
  language sql stable
  set search_path = ''
  return not exists (select from internal.file_cleanups where not is_ours);

create function internal.accept_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read bookings.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  is_admin constant boolean := internal.is_admin();
  instant constant timestamptz := internal.current_instant();
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  mailbox constant text := internal.mailbox_of(new.customer_email);
  phone_key constant text := internal.canonical_phone(new.customer_phone);
  service record;
  refusal text;
  ignored text;
  client internal.client_digests;
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not is_admin then
    if current_setting('shop.has_booked', true) = 'yes' then
      raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_at_a_time';
    end if;
    ignored := set_config('shop.has_booked', 'yes', true);
  end if;
  select duration_minutes, name, price_from_cents,
         exists (select from public.bookings where held_until <= instant and appointment_date = new.appointment_date) as has_expired_holds
  into service from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  new.duration_minutes := service.duration_minutes;
  new.service_name := service.name;
  new.service_price_cents := service.price_from_cents;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if refusal is not null then
    perform internal.refuse_booking(refusal);
  end if;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  new.bay_id := internal.free_bay(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if new.bay_id is null then
    perform internal.refuse_taken();
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
  end if;
  if service.has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  if new.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  -- Staff decide what they book.
  if is_admin then
    return new;
  end if;
  perform internal.lock_booking_person(mailbox, phone_key);
  if internal.is_at_open_limit(mailbox, phone_key, new.id) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  client := internal.client_digests(headers);
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if new.flagged_reasons = '{}' then
      new.flagged_reasons := array_remove(array[internal.reached_booking_cap(client)], null);
    end if;
  end if;
  if new.flagged_reasons <> '{}' then
    -- One that is marked lets its time go after half an hour unless somebody confirms it, and there are few of those at a time.
    if not internal.is_hold_of_known_customer(new) then
      perform internal.refuse_too_many_held(client);
    end if;
    new.held_until := instant + interval '30 minutes';
  end if;
  return new;
end
$$;

create function internal.keep_open_booking() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.completed_at is null then
    raise exception 'Only completed appointments can be deleted.' using errcode = 'TT021', hint = 'not_completed';
  end if;
  return old;
end
$$;

create function internal.record_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write booking_events.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
declare
  told constant text := case tg_op when 'INSERT' then 'booked' when 'DELETE' then 'deleted' else internal.kind_of_change(old, new) end;
  source constant text := internal.source_of_change(told);
  note constant jsonb := internal.booking_note();
  warnings text[] := '{}';
  facts_before constant jsonb := case when tg_op <> 'INSERT' then internal.booking_facts(old) end;
  facts_after constant jsonb := case when tg_op <> 'DELETE' then internal.booking_facts(new) end;
  event_id bigint;
begin
  if told is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      coalesce(new.id, old.id), told, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_before, facts_after) else facts_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_after, facts_before) else facts_after end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  -- A transaction that notifies waits for the commit of every other one that does: a booking that is linked later leaves this
  -- to who links it.
  if tg_op <> 'INSERT' or new.person_id is not null or not internal.is_linked_later() then
    perform internal.announce_booking(coalesce(new.id, old.id), event_id);
  end if;
  return null;
end
$$;

create function internal.count_booking_change() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call booking_state.
  security definer
  set search_path = ''
as $$
declare
  -- What changes without staff losing the version that they saw; generated columns are not computed yet.
  apart constant text[] := array[
    'shop_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.shop_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.shop_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_since := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;

create function internal.check_no_show() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call refuse_early_no_show.
  security definer
  set search_path = ''
as $$
begin
  if old.status is distinct from new.status and internal.is_admin() then
    perform internal.refuse_early_no_show(old);
  end if;
  return new;
end
$$;

create function internal.fill_search_text() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call search_text_of.
  security definer
  set search_path = ''
as $$
begin
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;

create function internal.link_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call ensure_person, caller_of_booking and others.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
begin
  new.person_id := internal.ensure_person(
    internal.caller_of_booking(new, internal.source_of_change('booked') = 'visitor'));
  new.car_id := internal.ensure_car(new.person_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The row's own checks say what is wrong with it.
  new.person_id := null;
  return new;
end
$$;

create function internal.settle_notification() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call source_of_change.
  security definer
  set search_path = ''
as $$
begin
  if internal.source_of_change('moved') = 'customer' then
    new.notified_starts_at := new.appointment_date + new.appointment_time;
    new.notified_cancelled := new.status = 'cancelled';
  end if;
  return new;
end
$$;

create function internal.complete_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call search_text_of.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  if new.service_name is null then
    select name, price_from_cents into new.service_name, new.service_price_cents
    from public.services where id = new.service_id;
  end if;
  new.notified_starts_at := new.appointment_date + new.appointment_time;
  new.notified_cancelled := new.status = 'cancelled';
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;

create function public.find_bookings(search text) returns setof public.bookings
  language plpgsql stable
  -- As the owner: row-level security lets no index serve an operator that it cannot vouch for, `like` among them.
  security definer
  set search_path = ''
as $$
declare
  conditions constant text := (
    select string_agg(internal.search_condition(word), ' and ') from unnest(internal.search_words(search)) as word
  );
begin
  if not internal.is_admin() then
    return;
  end if;
  return query execute 'select * from public.bookings where ' || coalesce(conditions, 'true');
end
$$;

create function internal.lock_booking_day(day date) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Whoever changes hours or bays waits for all who place an appointment, and they for him: first, always.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0)),
          pg_advisory_xact_lock(hashtextextended('booking ' || day, 0));
end
$$;

create function public.cancel_bookings(booking_ids uuid[], reason text default null) returns table (id uuid, previous_status text)
  language plpgsql
  -- The admin has no right to call lock_calendar and set_booking_note. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.set_booking_note(jsonb_build_object('reason', cancel_bookings.reason));
  return query
    with chosen as (
      select booking.id, case when booking.held_until is null then booking.status else 'not_confirmed' end as previous
      from public.bookings booking
      where booking.id = any (booking_ids) and booking.completed_at is null and booking.status not in ('cancelled', 'no_show')
      order by booking.id for update
    ), changed as (
      update public.bookings booking set status = 'cancelled' from chosen where booking.id = chosen.id
      returning booking.id, chosen.previous
    )
    select changed.id, changed.previous from changed;
  perform internal.set_booking_note(null);
end
$$;

create function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  language plpgsql
  -- The admin has no right to call lock_calendar. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- A car that is here is not sent back by an old tab.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- Its time was given away, or its customer has five others: it stays exactly as it was, the rest goes on.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;

create function internal.refuse_booking(refusal text) returns void
  language plpgsql stable
  -- Names the numbers of the rules to whoever breaks them.
  security definer
  set search_path = ''
as $$
declare
  rules public.booking_rules;
begin
  select * into rules from public.booking_rules;
  case refusal
    when 'booking_paused' then
      raise exception '%', rules.pause_sentence using errcode = 'TT016', hint = refusal;
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least % in advance.', internal.duration_in_words(rules.notice_minutes)
        using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to % ahead.',
        rules.horizon_days || case when rules.horizon_days = 1 then ' day' else ' days' end
        using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every % from opening time.', internal.duration_in_words(rules.grid_minutes)
        using errcode = 'TT015', hint = refusal;
    else null;
  end case;
end
$$;

create function public.keep_bookings(booking_ids uuid[]) returns setof uuid
  language plpgsql
  -- The admin has no right to call lock_calendar. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  return query
    update public.bookings set kept_at = internal.current_instant(), kept_by = internal.author_name(null)
    where id = any (booking_ids) and kept_at is null returning id;
end
$$;

-- The history of a new booking, with what a note says only where there is one.
create function internal.booking_facts(booking public.bookings) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  bay_name text;
begin
  if booking.bay_id is not null then
    select name into bay_name from public.bays where id = booking.bay_id;
  end if;
  return jsonb_build_object(
    'date', booking.appointment_date, 'time', to_char(booking.appointment_time::interval, 'HH24:MI'),
    'minutes', booking.duration_minutes, 'service', booking.service_name, 'bay_id', booking.bay_id, 'bay', bay_name,
    'state', internal.booking_state(booking), 'held_until', booking.held_until, 'kept_at', booking.kept_at);
end
$$;

create function internal.booking_note() returns jsonb
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return coalesce(nullif(current_setting('shop.booking_note', true), ''), '{}')::jsonb;

create function internal.set_booking_note(note jsonb) returns void
  language sql
  set search_path = ''
  return set_config('shop.booking_note', coalesce(note::text, ''), true);

create function internal.kind_of_change(before public.bookings, after public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.kept_at is null and after.kept_at is not null)
      then 'kept'
    when before.answered_at is null and after.answered_at is not null then 'answered'
    when before.link_version <> after.link_version then 'relinked'
  end;
end
$$;

create function internal.source_of_change(kind text) returns text
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  -- The role of the request, also where a procedure acts with its owner's rights.
  return case
    when internal.booking_note() ->> 'source' = 'task' then 'task'
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated') then 'visitor'
    when kind = 'confirmed' or internal.booking_note() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create function internal.lock_calendar() returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('shop calendar', 0));

create function internal.change_calendar_alone() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call lock_calendar.
  security definer
  set search_path = ''
as $$
begin
  -- Before any row is locked; the procedures have taken it themselves.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;

create function internal.refuse_early_no_show(booking public.bookings) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'Nobody is missed until 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$$;

create function internal.refuse_outdated(booking public.bookings, expected_version integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if booking.version = expected_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT061', hint = 'changed_meanwhile', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', event.changed_by_name, 'happened_at', event.happened_at)
    from (values (booking.id)) as asked (id)
    left join lateral (
      select * from public.booking_events where booking_id = asked.id order by id desc limit 1
    ) event on true
  );
end
$$;

create function internal.take_booking(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  select * into booking from public.bookings where id = wanted_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  return booking;
end
$$;

create function internal.write_state(booking public.bookings, new_state text) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings
  set status = case when new_state = 'completed' then status else new_state end,
      completed_at = case when new_state = 'completed' then internal.current_instant() end,
      completed_by = case when new_state = 'completed' then 'admin' end,
      hold_confirmed_at = case
        when new_state = 'confirmed' and flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
        else hold_confirmed_at end
  where id = booking.id;
$$;

create function public.change_booking_state(
  booking_id uuid, new_state text, expected_version integer, reason text default null, may_leave_unplaced boolean default false
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to read booking_transitions.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(change_booking_state.booking_id);
  old_state constant text := internal.booking_state(booking);
begin
  -- The second of two clicks finds what the first one wanted.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.refuse_outdated(booking, expected_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment that is % does not become %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'may_leave_unplaced', may_leave_unplaced));
  perform internal.write_state(booking, new_state);
  perform internal.set_booking_note(null);
  select * into booking from public.bookings where id = booking.id;
  return booking;
end
$$;

create function internal.booking_warnings(wanted tsrange, bay uuid) returns text[]
  language plpgsql stable
  set search_path = ''
as $$
declare
  rules record;
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  first_day constant date := lower(wanted)::date;
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days into rules from public.shop, public.booking_rules rule;
  starts_at := lower(wanted) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  return array_remove(array[
    case when starts_at < instant then 'in_the_past'
         when starts_at < instant + rules.notice_minutes * interval '1 minute' then 'notice_required' end,
    case when first_day > shop_today + rules.horizon_days then 'too_far_ahead' end,
    case when last_day > first_day then 'overnight' end,
    case when not internal.fits_hours(wanted, internal.open_spans(first_day, bay), bay) then 'outside_hours' end
  ], null);
end
$$;

create function internal.refuse_taken_by(wanted tsrange, service uuid, bay uuid, for_booking uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  minutes constant integer := extract(epoch from upper(wanted) - lower(wanted)) / 60;
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken', detail = jsonb_build_object(
      'in_the_way', (
        select coalesce(jsonb_agg(id), '[]') from (
          select booking.id from public.bookings booking
          where booking.bay_id is not null and booking.occupied && wanted
            and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
            and (bay is null or booking.bay_id = bay) and booking.id is distinct from for_booking
          order by lower(booking.occupied), booking.id limit 10
        ) as others),
      'free_times', (
        select coalesce(jsonb_agg(jsonb_build_object('date', free_date, 'time', to_char(free_time, 'HH24:MI'), 'bay_ids', bay_ids)), '[]')
        from internal.free_times(service, lower(wanted), minutes, bay, for_booking, 3, 31)));
end
$$;

create function internal.require_reason(reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if length(trim(coalesce(reason, ''))) = 0 then
    raise exception 'Please say why.' using errcode = 'TT066', hint = 'reason_required';
  end if;
end
$$;

create function internal.is_kept(bay uuid, warnings text[]) returns boolean
  language sql immutable
  set search_path = ''
  return bay is not null and warnings && array['outside_hours', 'overnight'];

create function public.book_by_phone(
  service_id uuid, appointment_date date, appointment_time time, customer_name text, customer_phone text,
  customer_email text default null, notes text default null,
  vehicle_year text default null, vehicle_make text default null, vehicle_model text default null, vehicle_color text default null,
  minutes integer default null, bay_id uuid default null, leave_unplaced boolean default false, reason text default null,
  booking_id uuid default gen_random_uuid()
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to call lock_calendar, end_expired_holds and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  service public.services;
  wanted tsrange;
  bay uuid;
  warnings text[];
  booked public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into booked from public.bookings where id = book_by_phone.booking_id;
  if found then
    return booked;
  end if;
  perform internal.end_expired_holds();
  select * into service from public.services where id = book_by_phone.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  wanted := internal.span_of(appointment_date, appointment_time, coalesce(minutes, service.duration_minutes));
  if leave_unplaced then
    perform internal.require_reason(reason);
  else
    bay := internal.choose_bay(wanted, service.id, book_by_phone.bay_id, null, null);
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'warnings', warnings));
  insert into public.bookings (
    id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone, customer_email, notes,
    vehicle_year, vehicle_make, vehicle_model, vehicle_color, bay_id, kept_at, kept_by
  ) values (
    book_by_phone.booking_id, service.id, book_by_phone.appointment_date, book_by_phone.appointment_time,
    coalesce(minutes, service.duration_minutes), trim(book_by_phone.customer_name), trim(book_by_phone.customer_phone),
    nullif(trim(book_by_phone.customer_email), ''), nullif(trim(book_by_phone.notes), ''),
    nullif(trim(book_by_phone.vehicle_year), ''), nullif(trim(book_by_phone.vehicle_make), ''),
    nullif(trim(book_by_phone.vehicle_model), ''), nullif(trim(book_by_phone.vehicle_color), ''), bay,
    case when internal.is_kept(bay, warnings) then internal.current_instant() end,
    case when internal.is_kept(bay, warnings) then internal.author_name(null) end
  ) returning * into booked;
  perform internal.set_booking_note(null);
  return booked;
end
$$;

create function public.move_booking(
  booking_id uuid, expected_version integer, appointment_date date, appointment_time time, minutes integer default null,
  bay_id uuid default null, leave_unplaced boolean default false, reason text default null
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to call take_booking, span_of and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(move_booking.booking_id);
  new_minutes constant integer := coalesce(minutes, booking.duration_minutes);
  wanted constant tsrange := internal.span_of(appointment_date, appointment_time, new_minutes);
  bay uuid;
  warnings text[];
begin
  perform internal.refuse_outdated(booking, expected_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment is moved.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  if not leave_unplaced then
    bay := internal.choose_bay(wanted, booking.service_id, move_booking.bay_id, booking.bay_id, booking.id);
  end if;
  if booking.occupied = wanted and booking.bay_id is not distinct from bay then
    return booking;
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'warnings', warnings));
  update public.bookings
  set appointment_date = move_booking.appointment_date, appointment_time = move_booking.appointment_time,
      duration_minutes = new_minutes, bay_id = bay,
      kept_at = case when internal.is_kept(bay, warnings) then internal.current_instant() end,
      kept_by = case when internal.is_kept(bay, warnings) then internal.author_name(null) end
  where id = booking.id returning * into booking;
  perform internal.set_booking_note(null);
  return booking;
end
$$;

create function internal.find_by_words(search text) returns setof public.bookings
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  most constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index knows one or two letters: they are looked for among the latest appointments.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      most, conditions)
    else format('select * from public.bookings where %s limit %s', conditions, most)
  end;
end
$$;

create function public.find_customers(search text)
  returns table (
    customer_name text, customer_phone text, customer_email text, cars jsonb, last_visit date, last_service_id uuid,
    last_service_name text, next_visit date, visits integer, no_shows integer
  )
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  most constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Eight people are among so many, and telling them apart is what costs.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    people as (
      select distinct on (coalesce(internal.canonical_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.canonical_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from people order by appointment_date desc, created_at desc, id limit most)
    select person.customer_name, person.customer_phone, history.email, coalesce(history.cars, '[]'), history.last_visit,
           person.service_id, person.service_name, history.next_visit, history.visits, history.no_shows
    from latest person, internal.history_of(person.customer_name, person.customer_phone, today) history
    order by person.appointment_date desc, person.created_at desc, person.id;
end
$$;

create function internal.history_of(name text, phone text, today date)
  returns table (email text, cars jsonb, last_visit date, next_visit date, visits integer, no_shows integer)
  language sql stable
  set search_path = ''
as $$
  with known as (
    select * from public.bookings booking
    where internal.canonical_phone(booking.customer_phone) = internal.canonical_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select internal.email_of_caller(array(select id from known)),
         (select jsonb_agg(jsonb_build_object('year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model, 'color', vehicle_color)
                           order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) car),
         max(appointment_date) filter (where has_come),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where has_come))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as has_come from known) as known
$$;

create function public.read_past_visits(booking_id uuid) returns setof public.bookings
  language plpgsql stable
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return query
    select other.* from public.bookings booking
    join public.bookings other
      on internal.canonical_phone(other.customer_phone) = internal.canonical_phone(booking.customer_phone)
      and lower(other.customer_name) = lower(booking.customer_name) and other.id <> booking.id
    where booking.id = read_past_visits.booking_id and other.status <> 'not_confirmed'
    order by other.appointment_date desc, other.appointment_time desc limit 50;
end
$$;

create function public.note_booking(booking_id uuid, note text, seen text default null) returns void
  language plpgsql
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := coalesce(trim(note), '');
  standing text;
begin
  perform internal.require_admin();
  select coalesce(shop_note, '') into standing from public.bookings where id = note_booking.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- The second of two clicks finds what the first one wrote.
  if standing not in (wanted, coalesce(seen, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT068', hint = 'note_changed', detail = standing;
  end if;
  update public.bookings set shop_note = nullif(wanted, '')
  where id = note_booking.booking_id and standing <> wanted;
end
$$;

create function internal.last_change_of(booking public.bookings) returns timestamptz
  language sql stable
  -- Reads the stories of appointments, which are nobody's but the admin's.
  security definer
  set search_path = ''
  return coalesce((select max(happened_at) from public.booking_events where booking_id = booking.id), booking.created_at);

create function internal.is_open_state(state text) returns boolean
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return state not in ('completed', 'cancelled', 'not_confirmed', 'no_show');

create function internal.note_notified(email_id uuid) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings booking
  set notified_starts_at = email.appointment_at, notified_cancelled = rules.agrees_with = 'cancelled_booking'
  from public.emails email join internal.email_kinds rules using (kind)
  where email.id = note_notified.email_id and booking.id = email.booking_id and email.appointment_at is not null
    and rules.agrees_with in ('booking', 'held_booking', 'cancelled_booking')
    and (booking.notified_starts_at, booking.notified_cancelled)
      is distinct from (email.appointment_at, rules.agrees_with = 'cancelled_booking');
$$;

create function internal.needs_notification(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.is_notification_outdated and booking.completed_at is null
    and booking.status not in ('arrived', 'in_work', 'no_show', 'not_confirmed')
    -- Nobody is notified of a booking that looks automated: one of a crowd may well be a person (docs/product.md 10.3).
    and (booking.hold_confirmed_at is not null
         or booking.flagged_reasons <@ array['many_open_bookings', 'many_from_one_client', 'many_at_once'])
    and greatest(upper(booking.occupied), booking.notified_starts_at) > internal.shop_now();

create function public.dismiss_notification(booking_id uuid, expected_version integer, reason text) returns void
  language plpgsql
  -- The admin has no right to write booking_events.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(dismiss_notification.booking_id);
  event_id bigint;
begin
  perform internal.refuse_outdated(booking, expected_version);
  perform internal.require_reason(reason);
  if not booking.is_notification_outdated then
    return;
  end if;
  update public.bookings
  set notified_starts_at = appointment_date + appointment_time, notified_cancelled = status = 'cancelled'
  where id = booking.id;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'notification_dismissed', 'counter', internal.author_name(null), trim(dismiss_notification.reason))
  returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
end
$$;

create function internal.bookings_to_notify() returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where booking.is_notification_outdated and internal.needs_notification(booking)
  order by booking.appointment_date, booking.appointment_time, booking.id limit 50
$$;

create function internal.known_start(booking_id uuid) returns timestamp
  language sql stable
  -- The server has no right to read booking_events.
  security definer
  set search_path = ''
  -- A customer who moves an appointment by its link knew the time before. The trigger settle_notification has stored the new
  -- time as known by then, so the time before comes from the history.
  return (
    select coalesce(
      nullif(booking.notified_starts_at, booking.appointment_date + booking.appointment_time),
      (select coalesce((latest.before ->> 'date')::date, booking.appointment_date)
              + coalesce((latest.before ->> 'time')::time, booking.appointment_time)
       from (select event.kind, event.source, event.before from public.booking_events event
             where event.booking_id = booking.id order by event.id desc limit 1) latest
       where latest.kind = 'moved' and latest.source = 'customer'),
      booking.notified_starts_at)
    from public.bookings booking where booking.id = known_start.booking_id);

create function internal.search_text_of(booking public.bookings) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return internal.plain(
    booking.customer_name || ' ' || coalesce(booking.customer_email, '') || ' ' || booking.customer_phone || ' '
    || regexp_replace(booking.customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(booking.vehicle_year, '') || ' ' || coalesce(booking.vehicle_make, '') || ' ' || coalesce(booking.vehicle_model, ''));
end
$$;

create function internal.is_linked_later() returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Staff see at once who is booked. On a hosted project nobody says it, and the appointment is linked as it is inserted.
  return coalesce(current_setting('role', true) = 'anon'
    and nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-links-later' = 'yes', false);
end
$$;

create function internal.announce_booking(booking_id uuid, event_id bigint) returns void
  language sql
  set search_path = ''
  -- Ids only: whoever hears of them asks with rights of their own.
  return pg_notify('bookings_changed', concat_ws(' ', booking_id, event_id));

-- As link_booking does it when a row is inserted.
create function internal.link_booking_now(booking public.bookings) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  person constant uuid := internal.ensure_person(internal.caller_of_booking(booking, internal.was_typed_online(booking.id)));
  booked_event bigint;
begin
  update public.bookings
  set person_id = person, car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make,
        booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id;
  select id into booked_event from public.booking_events
  where booking_id = booking.id and kind = 'booked' order by id limit 1;
  if found then
    perform internal.announce_booking(booking.id, booked_event);
  end if;
end
$$;

create function internal.link_waiting_booking(booking_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  waiting public.bookings;
begin
  select * into waiting from public.bookings where id = link_waiting_booking.booking_id and person_id is null for update;
  if found then
    perform internal.link_booking_now(waiting);
  end if;
end
$$;

create function internal.booking_refusal(
  booking_date date, booking_time time, duration_minutes integer, service uuid default null
)
  returns text
  language plpgsql stable
  -- The same answer for everyone, whatever of the rules they may read.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce(
    internal.moment_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
end
$$;

create function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
)
  returns boolean
  language plpgsql stable
  -- A visitor may learn that a time is free, never who has it: so this reads appointments on their behalf.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted tsrange;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.moment_refusal(booking_date, booking_time) is not null then
    return false;
  end if;
  wanted := tsrange(starts_at, starts_at + service_duration * interval '1 minute');
  -- What open_bays and is_taken find, in one statement: pages ask for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.grid_minutes * 60) = 0
      and (service is null or internal.can_do(hours.bay_id, service))
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = hours.bay_id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
  ) then
    return true;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;

create function internal.moment_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  rules record;
  -- Once: the clock is asked by a function of its own.
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days, rule.online_booking_paused
  into rules from public.shop, public.booking_rules rule;
  if rules.online_booking_paused then return 'booking_paused'; end if;
  starts_at := (booking_date + booking_time) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  if booking_date < shop_today or starts_at < instant then return 'in_the_past'; end if;
  if booking_date > shop_today + rules.horizon_days then return 'too_far_ahead'; end if;
  if starts_at < instant + rules.notice_minutes * interval '1 minute' then return 'notice_required'; end if;
  return null;
end
$$;

create function internal.open_bays(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns table (bay_id uuid, bay_position integer, is_on_grid boolean)
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  -- A plan is kept: a table that was small when it was made is not to be read as a whole once it has grown.
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.grid_minutes * 60) = 0
    from internal.bay_hours hours, public.bays bay, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted and bay.id = hours.bay_id
      and (service is null or internal.can_do(bay.id, service));
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return;
  end if;
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(span)) % (rules.grid_minutes * 60) = 0
    from public.booking_rules rules, public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and (service is null or internal.can_do(bay.id, service));
end
$$;

create function internal.hours_refusal(booking_date date, booking_time time, duration_minutes integer, service uuid) returns text
  language plpgsql stable
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select case when count(*) = 0 then 'outside_hours' when not bool_or(is_on_grid) then 'off_the_grid' end
    from internal.open_bays(booking_date, booking_time, duration_minutes, service)
  );
end
$$;

create function public.list_open_days(first_date date, last_date date, service uuid default null)
  returns table (day date, bays jsonb, closed_because text)
  language plpgsql stable
  -- A visitor learns when the shop is open, never why a closure that is not public is there.
  security definer
  set search_path = ''
as $$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- Bays with the same hours are told as one.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.can_do(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.closures closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$$;

create function internal.is_taken(bay uuid, wanted tsrange, by_other_than uuid default null) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- A hold that ran out gives its time back before anybody noted it.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from by_other_than
  );
end
$$;

create function internal.free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns uuid
  language plpgsql stable
  -- A visitor has no right to call open_bays and is_taken.
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := tsrange(
    booking_date + booking_time, booking_date + booking_time + duration_minutes * interval '1 minute');
begin
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_taken(open.bay_id, wanted)
    order by open.bay_position limit 1
  );
end
$$;

create function internal.refuse_taken() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken';
end
$$;

create function internal.bay_to_return_to(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Its own, also when the hours have changed since.
  if not internal.is_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.staff_bay(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;

create function internal.fitting_bay(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.can_do(bay.id, booking.service_id)
      and booking.occupied <@ internal.open_spans(booking.appointment_date, bay.id)
      and not internal.is_taken(bay.id, booking.occupied)
    order by bay.position limit 1
  );
end
$$;

create function internal.empty_bay(bay uuid)
  returns table (booking_id uuid, new_bay_id uuid)
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.end_expired_holds();
  for booking in
    select * from public.bookings
    where bay_id = bay and upper(occupied) > internal.shop_now() and completed_at is null
      and status not in ('cancelled', 'not_confirmed', 'no_show')
    order by occupied for update
  loop
    update public.bookings set bay_id = internal.fitting_bay(booking) where id = booking.id returning id, bay_id
    into booking_id, new_bay_id;
    return next;
  end loop;
end
$$;

create function internal.staff_bay(service uuid, wanted tsrange, for_booking uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.can_do(bay.id, service) and not internal.is_taken(bay.id, wanted, for_booking)
    order by not internal.fits_hours(wanted, internal.open_spans(lower(wanted)::date, bay.id), bay.id), bay.position limit 1
  );
end
$$;

create function internal.free_spans(day date, bay uuid, for_booking uuid) returns tsmultirange
  language plpgsql stable
  set search_path = ''
as $$
begin
  return internal.open_spans(day, bay) - (
    select coalesce(range_agg(booking.occupied), '{}') from public.bookings booking
    where booking.bay_id = bay and booking.occupied && tsrange(day, day + 1)
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from for_booking
  );
end
$$;

create function internal.starts_in(free tsrange) returns setof timestamp
  language sql immutable
  set search_path = ''
as $$
  select start from (
    select date_bin('15 minutes', lower(free) + interval '15 minutes' - interval '1 microsecond', '2000-01-01')
    union
    select generate_series(date_bin('30 minutes', lower(free) + interval '30 minutes' - interval '1 microsecond', '2000-01-01'),
                           upper(free), interval '30 minutes')
  ) as starts (start)
  where start < upper(free);
$$;

create function internal.free_times(
  service uuid, from_moment timestamp, minutes integer, bay uuid, for_booking uuid, most integer, days integer
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  set search_path = ''
as $$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  duration constant interval := minutes * interval '1 minute';
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.position)
      from (
             select bays.id, bays.position, internal.open_spans(day, bays.id) as open,
                    internal.free_spans(day, bays.id, for_booking) as free
             from public.bays
             where bays.is_active and internal.can_do(bays.id, service) and (bay is null or bays.id = bay) offset 0
           ) candidate,
           unnest(candidate.free * tsmultirange(tsrange(first_moment, null))) span,
           internal.starts_in(span) start
      where internal.fits_hours(tsrange(start, start + duration), candidate.open, candidate.id)
        and not internal.is_taken(candidate.id, tsrange(start, start + duration), for_booking)
      group by start order by start limit most - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= most;
  end loop;
end
$$;

create function internal.choose_bay(wanted tsrange, service uuid, bay uuid, own_bay uuid, for_booking uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  chosen uuid := bay;
begin
  if bay is not null and not exists (select from public.bays where id = bay and is_active) then
    raise exception 'No cars are placed in this bay.' using errcode = 'TT065', hint = 'bay_not_active';
  end if;
  if bay is not null and not internal.can_do(bay, service) then
    raise exception 'This bay does not do this service.' using errcode = 'TT064', hint = 'bay_cannot';
  end if;
  if bay is null then
    select id into chosen from public.bays
    where id = own_bay and is_active and internal.can_do(own_bay, service)
      and not internal.is_taken(own_bay, wanted, for_booking);
    chosen := coalesce(chosen, internal.staff_bay(service, wanted, for_booking));
  end if;
  if chosen is null or internal.is_taken(chosen, wanted, for_booking) then
    perform internal.refuse_taken_by(wanted, service, bay, for_booking);
  end if;
  return chosen;
end
$$;

create function public.next_free_times(
  service_id uuid, from_moment timestamp default null, minutes integer default null, bay_id uuid default null,
  for_booking uuid default null, most integer default 3, days integer default 31
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  -- The admin has no right to call free_times. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted_minutes constant integer := coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = next_free_times.service_id));
begin
  perform internal.require_admin();
  if wanted_minutes is null or wanted_minutes not between 5 and 20160 or most is null or most not between 1 and 500
     or days is null or days not between 1 and 62
     or coalesce(from_moment, '2026-01-01') not between '2000-01-01' and '2100-01-01' then
    raise exception 'A known service, 5 to 20160 minutes, 1 to 500 times, 1 to 62 days.' using errcode = '22023', hint = 'invalid_slot';
  end if;
  return query select * from internal.free_times(
    service_id, coalesce(from_moment, internal.shop_now()), wanted_minutes, bay_id, for_booking, most, days);
end
$$;

create function public.check_booking_time(
  service_id uuid, appointment_date date, appointment_time time, minutes integer default null, bay_id uuid default null,
  for_booking uuid default null
)
  returns table (placed_in uuid, warnings text[], refusal text, in_the_way uuid[], free_times jsonb)
  language plpgsql stable
  -- The admin has no right to call span_of, choose_bay and booking_warnings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := internal.span_of(appointment_date, appointment_time, coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = check_booking_time.service_id)));
  own_bay constant uuid := (select booking.bay_id from public.bookings booking where booking.id = for_booking);
  details text;
begin
  perform internal.require_admin();
  begin
    placed_in := internal.choose_bay(wanted, service_id, bay_id, own_bay, for_booking);
  exception when exclusion_violation or sqlstate 'TT064' or sqlstate 'TT065' then
    get stacked diagnostics refusal = pg_exception_hint, details = pg_exception_detail;
  end;
  warnings := internal.booking_warnings(wanted, coalesce(placed_in, bay_id));
  in_the_way := array(select jsonb_array_elements_text(nullif(details, '')::jsonb -> 'in_the_way')::uuid);
  free_times := coalesce(nullif(details, '')::jsonb -> 'free_times', '[]');
  return next;
end
$$;

create function public.read_loads(first_date date, days integer default 7)
  returns table (day date, cars integer, open_minutes integer)
  language plpgsql stable
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.cars, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as cars
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$$;

create function internal.cars_of_week(monday date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'cars', load.cars, 'done', coalesce(done.cars, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as cars from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );

create function internal.fits_hours(wanted tsrange, open tsmultirange, bay uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  if wanted <@ open then
    return true;
  end if;
  if last_day = lower(wanted)::date or not open @> lower(wanted) then
    return false;
  end if;
  return upper(wanted) - lower(wanted) > (select max(upper(span) - lower(span)) from unnest(open) span)
    or wanted <@ (open + internal.open_spans(last_day, bay));
end
$$;

create function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  language sql stable
  -- The server has no right to call booking_refusal.
  security definer
  set search_path = ''
as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_visit_times(list_taken_times.booking_id, day))
    -- What the rules refuse by now was not taken by anybody.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$$;

create function internal.keep_bay_hours() returns void
  language plpgsql
  -- The server has no right to write bay_hours.
  security definer
  set search_path = ''
as $$
declare
  today date;
  last_day date;
begin
  -- Two transactions that change the hours would otherwise each compute without the change of the other. The lock comes
  -- first, so that the statements below see what the other one committed.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  today := internal.shop_now()::date;
  last_day := today + 31 + (select horizon_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span
    from public.bays bay
    cross join (select today + nth as day from generate_series(-1, last_day - today) nth) dates
    left join lateral unnest(internal.open_spans(dates.day, bay.id)) open (span) on true
    where bay.is_active
  ), outdated as (
    delete from internal.bay_hours known
    where not exists (
      select from wanted
      where wanted.day = known.day and wanted.bay_id = known.bay_id and wanted.span = known.span)
  )
  insert into internal.bay_hours select day, bay_id, span from wanted on conflict do nothing;
end
$$;

create function internal.keep_bay_hours_after_change() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call keep_bay_hours.
  security definer
  set search_path = ''
as $$
begin
  perform internal.keep_bay_hours();
  return null;
end
$$;

create function internal.why_token_is_suspicious(token text) returns text
  language plpgsql
  -- Reads the key, which no visitor may.
  security definer
  set search_path = ''
as $$
declare
  signed constant text := substring(token from '^\d{13}\.[0-9a-f]{16}(?=\.[0-9a-f]{64}$)');
  form_key text;
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  select value into form_key from internal.secrets where name = 'form_key';
  if signed is null or form_key is null
     or encode(internal.hmac_sha256(signed, form_key), 'hex') <> right(token, 64) then
    return 'form_token_invalid';
  end if;
  age := clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000);
  if age not between interval '0' and interval '24 hours' then
    return 'form_token_invalid';
  end if;
  insert into internal.form_token_uses (token_digest) values (sha256(convert_to(token, 'UTF8')))
    on conflict do nothing;
  if not found then
    return 'form_token_reused';
  end if;
  return case when age < interval '3 seconds' then 'sent_too_fast' end;
end
$$;

create function internal.flag_suspicious_form() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call reasons_to_flag_form.
  security definer
  set search_path = ''
as $$
begin
  new.flagged_reasons := internal.reasons_to_flag_form(
    coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb);
  return new;
end
$$;

create function internal.token_digest(headers jsonb) returns bytea
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return sha256(convert_to(nullif(headers ->> 'x-form-token', ''), 'UTF8'));

create function internal.client_digests(headers jsonb) returns internal.client_digests
  language plpgsql stable
  -- Those for whom this is called have no right to call digests_of_address.
  security definer
  set search_path = ''
as $$
begin
  -- A hosted project's gateway writes cf-connecting-ip over whatever the client sent. The shop's own data service names
  -- client and networks by hashes that have a key, and passes no other header on.
  if headers ? 'cf-connecting-ip' then
    return internal.digests_of_address(headers ->> 'cf-connecting-ip');
  end if;
  return row(sha256(convert_to(headers ->> 'x-client-address-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-56-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-48-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-24-hash', 'UTF8')),
             -- On a hosted project anybody could say it.
             (headers ->> 'x-rate-limits') is distinct from 'off');
end
$$;

create function internal.address_digest(headers jsonb) returns bytea
  language sql stable
  -- Those for whom this is called have no right to call client_digests.
  security definer
  set search_path = ''
  return (internal.client_digests(headers)).address;

create function internal.remember_form_origin() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write form_origins.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  client constant internal.client_digests := internal.client_digests(headers);
  is_unmarked constant boolean := new.flagged_reasons = '{}';
  is_of_known_customer boolean := false;
begin
  if tg_table_name = 'quote_requests' then
    insert into internal.form_origins (quote_request_id, token_digest, address_digest)
    values (new.id, internal.token_digest(headers), client.address);
    return null;
  end if;
  if not is_unmarked then
    is_of_known_customer := internal.is_hold_of_known_customer(new);
  end if;
  insert into internal.form_origins (
    booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
    is_of_known_customer
  ) values (
    new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
    is_unmarked and client.is_limited, is_of_known_customer
  );
  return null;
end
$$;

create function public.forms_sent_by(headers jsonb)
  returns table (booking_id uuid, quote_request_id uuid)
  language sql stable
  -- Reads the key that digests are made with.
  security definer
  set search_path = ''
as $$
  select origin.booking_id, origin.quote_request_id
  from internal.form_origins origin
  where origin.created_at > now() - interval '15 minutes'
    and (
      origin.token_digest = internal.token_digest(headers)
      or origin.token_digest is null and origin.address_digest = internal.address_digest(headers)
    )
$$;

create function internal.end_expired_holds(day date default null) returns integer
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  instant constant timestamptz := internal.current_instant();
  ended integer;
begin
  -- Nearly always there is none, which a look into the index says in a fraction of an update's time.
  if not exists (select from public.bookings where held_until <= instant and (day is null or appointment_date = day)) then
    return 0;
  end if;
  -- Rows that another transaction has in hand are left to it: nobody waits, so nobody deadlocks.
  update public.bookings set status = 'not_confirmed'
  where id in (
    select id from public.bookings
    where held_until <= instant and (day is null or appointment_date = day)
    for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;

create function internal.settle_hold() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call is_open_state, booking_state and others.
  security definer
  set search_path = ''
as $$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (gone) and new.status <> all (gone) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- One that had no bay took no time, and finds its place as it was.
    if old.bay_id is not null then
      new.bay_id := internal.bay_to_return_to(old);
      if new.bay_id is null and not coalesce((internal.booking_note() ->> 'may_leave_unplaced')::boolean, false) then
        perform internal.refuse_taken();
      end if;
    end if;
  end if;
  if internal.is_open_state(internal.booking_state(new))
     and (not was_open or (old.held_until is not null and new.held_until is null))
     and not internal.may_become_open(new) then
    raise exception 'This customer has five appointments ahead.' using errcode = 'TT042', hint = 'too_many_open';
  end if;
  return new;
end
$$;

create function internal.lock_booking_person(mailbox text, phone_key text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0)),
          pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0));
end
$$;

-- Its confirmation is counted with the others now.
create function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  -- Whoever writes its email holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = booking_id for no key update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception
  when exclusion_violation then return 'slot_taken';
  when sqlstate 'TT042' then return 'too_many';
end
$$;

create function internal.release_answered_quote() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.flagged_reasons := '{}';
  return new;
end
$$;

create function internal.reached_booking_cap(client internal.client_digests) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  -- Variables of their own: a field of a row is looked up for each row that is compared with it.
  address constant bytea := client.address;
  network_56 constant bytea := client.network_56;
  network_48 constant bytea := client.network_48;
  network_24 constant bytea := client.network_24;
begin
  return (
    with caps as materialized (
      select name, most, now() - span as since from internal.booking_caps
    ), latest as materialized (
      select created_at, address_digest = address as is_client, network_56_digest = network_56 as is_56,
             network_48_digest = network_48 as is_48, network_24_digest = network_24 as is_24
      from internal.form_origins
      where is_counted and created_at > now() - interval '1 day'
      -- More than the whole site may have are not read: then its own cap is reached.
      order by created_at desc limit (select min(most) from internal.booking_caps where name = 'site' and span = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.most having count(latest.created_at) >= caps.most
    -- The client's first, the site's last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$$;

-- All appointments with a number are found by bookings_by_phone, and those ahead are first in it.
create function internal.is_at_open_limit(mailbox text, phone_key text, other_than uuid, since_event bigint default null)
  returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  of_mailbox uuid[];
  of_phone uuid[];
  open_ids uuid[];
begin
  select array(
    select id from public.bookings
    where internal.mailbox_of(customer_email) = mailbox
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than
  ), array(
    select id from public.bookings
    where internal.canonical_phone(customer_phone) = phone_key
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than
  ) into of_mailbox, of_phone
  from (select internal.current_instant() at time zone time_zone as local_now from public.shop) clock;
  open_ids := case when cardinality(of_mailbox) < most_open then of_phone else of_mailbox end;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;

create function internal.may_become_open(booking public.bookings) returns boolean
  language plpgsql
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.mailbox_of(booking.customer_email);
  phone_key constant text := internal.canonical_phone(booking.customer_phone);
  closing record;
begin
  if not internal.is_admin() then
    perform internal.lock_booking_person(mailbox, phone_key);
    return not internal.is_at_open_limit(mailbox, phone_key, booking.id);
  end if;
  select id, kind into closing from public.booking_events
  where booking_id = booking.id and kind in ('cancelled', 'no_show', 'completed', 'not_confirmed') order by id desc limit 1;
  -- Staff decide what they book, keep and confirm. Their undo gives back what there was, and no more.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_person(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;

create function internal.digests_of_address(address text) returns internal.client_digests
  language plpgsql stable
  -- Those for whom this is called have no right to read secrets.
  security definer
  set search_path = ''
as $$
declare
  form_key constant text := (select value from internal.secrets where name = 'form_key');
  -- An IPv4 address in the notation of IPv6 is an IPv4 address.
  client constant inet := regexp_replace(address, '^::ffff:(?=[0-9.]+$)', '', 'i');
begin
  if family(client) = 4 then
    return row(internal.hmac_sha256(host(client), form_key), null::bytea, null::bytea,
               internal.hmac_sha256(network(set_masklen(client, 24))::text, form_key), true);
  end if;
  return row(internal.hmac_sha256(network(set_masklen(client, 64))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 56))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 48))::text, form_key), null::bytea, true);
exception when invalid_text_representation then
  return row(internal.hmac_sha256(address, form_key), null::bytea, null::bytea, null::bytea, true);
end
$$;

create function internal.lock_booking_network(client internal.client_digests) returns void
  language sql
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return pg_advisory_xact_lock(hashtextextended(
    'booking network ' || encode(coalesce(client.network_48, client.network_24, client.address), 'hex'), 0));

create function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings.
  security definer
  set search_path = ''
as $$
begin
  -- Whoever knows a customer's address and number fills no more of the calendar by them than that customer may.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$$;

create function internal.refuse_too_many_held(client internal.client_digests) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
  most_of_network constant integer := 3;
  instant constant timestamptz := internal.current_instant();
  held integer;
  of_network integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*),
         count(*) filter (where coalesce(origin.network_48_digest, origin.network_24_digest)
                                = coalesce(client.network_48, client.network_24))
  into held, of_network
  from public.bookings booking left join internal.form_origins origin on origin.booking_id = booking.id
  where booking.held_until > instant and origin.is_of_known_customer is not true;
  if held >= most_held or (client.is_limited and of_network >= most_of_network) then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
end
$$;

create function internal.reasons_to_flag_form(headers jsonb) returns text[]
  language plpgsql
  set search_path = ''
as $$
begin
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  return array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.why_token_is_suspicious(headers ->> 'x-form-token')
    ],
    null
  );
end
$$;

create function public.visit_token(booking_id uuid) returns text
  language sql stable
  -- The server has no right to read secrets.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256(
             -- The first link is signed as it was before there was another.
             'visit ' || booking.id || case when booking.link_version > 1 then ' ' || booking.link_version else '' end,
             value) from 1 for 16), 'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = visit_token.booking_id
  );

create function public.read_visit_link(booking_id uuid, renew boolean default false) returns text
  language plpgsql
  -- The admin has no right to call renew_links and visit_token. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(read_visit_link.booking_id, null);
  end if;
  return '/visit/' || public.visit_token(read_visit_link.booking_id);
end
$$;

create function internal.forget_answer() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if (new.appointment_date, new.appointment_time) <> (old.appointment_date, old.appointment_time)
     or new.status in ('cancelled', 'no_show', 'not_confirmed') then
    new.answered_at := null;
  end if;
  return new;
end
$$;

create function internal.visit_starts_at(booking public.bookings) returns timestamptz
  language sql stable
  set search_path = ''
  return (select lower(booking.occupied) at time zone time_zone from public.shop);

create function internal.visit_refusal(booking public.bookings, seen_sequence integer, cutoff_minutes integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.visit_starts_at(booking);
begin
  return case
    when booking.id is null then 'gone'
    when internal.booking_state(booking) = 'cancelled' then 'cancelled'
    when internal.booking_state(booking) not in ('confirmed', 'pending') or starts_at <= internal.current_instant() then 'over'
    when booking.held_until is not null then 'not_confirmed'
    when booking.calendar_sequence is distinct from seen_sequence then 'changed_meanwhile'
    when internal.current_instant() > starts_at - cutoff_minutes * interval '1 minute' then 'too_close'
  end;
end
$$;

create function internal.take_visit(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  -- As staff do: first, so that nobody waits crosswise.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- Whoever writes its confirmation holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$$;

create function internal.visit_bay(booking public.bookings, new_date date, new_time time) returns uuid
  language sql stable
  set search_path = ''
  return (
    select open.bay_id from internal.open_bays(new_date, new_time, booking.duration_minutes, booking.service_id) open
    where open.is_on_grid and not internal.is_taken(
      open.bay_id, internal.span_of(new_date, new_time, booking.duration_minutes), booking.id)
    order by open.bay_id = booking.bay_id desc nulls last, open.bay_position limit 1
  );

create function internal.move_visit(booking_id uuid, seen_sequence integer, new_date date, new_time time) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- A second click, or one of an old tab that asks for what is so already.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.visit_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.visit_bay(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, kept_at = null, kept_by = null
  where id = booking.id;
  perform internal.set_booking_note(null);
  return internal.action_done('moved');
end
$$;

create function internal.cancel_visit(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to call take_visit, visit_refusal and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, cutoff);
begin
  if refusal is not null then
    return case refusal when 'cancelled' then internal.action_done('unchanged') else internal.action_refused(refusal) end;
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, 'cancelled');
  perform internal.set_booking_note(null);
  return internal.action_done('cancelled');
end
$$;

create function internal.last_cancellation(booking_id uuid) returns public.booking_events
  language sql stable
  set search_path = ''
  return (
    select event from public.booking_events event
    where event.booking_id = last_cancellation.booking_id and event.kind = 'cancelled' order by event.id desc limit 1
  );

create function internal.take_back_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.visit_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'changed_meanwhile'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- Whoever closed the shop meanwhile did not see this one in the way; what staff put outside the hours they saw.
    when booking.bay_id is not null and booking.kept_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.bay_to_return_to(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.mailbox_of(booking.customer_email), internal.canonical_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$$;

create function internal.take_visit_back(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to call take_visit, booking_state and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal text;
begin
  if internal.booking_state(booking) in ('confirmed', 'pending') then
    return internal.action_done('unchanged');
  end if;
  refusal := case when booking.status = 'cancelled' then internal.take_back_refusal(booking, seen_sequence) else 'over' end;
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  perform internal.write_state(booking, coalesce((internal.last_cancellation(booking.id)).before ->> 'state', 'confirmed'));
  perform internal.set_booking_note(null);
  return internal.action_done('taken_back');
end
$$;

create function internal.answer_visit(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  refusal constant text := internal.visit_refusal(booking, seen_sequence, 0);
begin
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  if booking.answered_at is not null then
    return internal.action_done('unchanged');
  end if;
  perform internal.set_booking_note('{"source": "customer"}');
  update public.bookings set answered_at = internal.current_instant() where id = booking.id;
  perform internal.set_booking_note(null);
  return internal.action_done('answered');
end
$$;

create function internal.explain_visit(booking_id uuid, reason text) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write booking_events.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_visit(booking_id);
  cancellation constant public.booking_events := internal.last_cancellation(booking_id);
  event_id bigint;
begin
  if booking.status is distinct from 'cancelled' or cancellation.source is distinct from 'customer' then
    return internal.action_refused('changed_meanwhile');
  end if;
  if exists (select from public.booking_events event
             where event.booking_id = explain_visit.booking_id and kind = 'explained' and id > cancellation.id) then
    return internal.action_done('unchanged');
  end if;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'explained', 'customer', 'customer', explain_visit.reason) returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
  return internal.action_done('explained');
end
$$;

create function internal.tell_story(booking_id uuid, time_zone text) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', event.kind, 'source', event.source, 'before', event.before, 'after', event.after,
      'at', to_char(event.happened_at at time zone tell_story.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by event.id), '[]')
    from (select * from public.booking_events story where story.booking_id = tell_story.booking_id order by id desc limit 100) event
  );

create function internal.read_visit(booking_id uuid) returns jsonb
  language plpgsql stable
  -- The server has no right to call visit_starts_at, vehicle_facts and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.visit_starts_at(booking);
  -- A machine may have typed the address of somebody who knows nothing of it: they read none of its words.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Only what was not confirmed in time asks for it.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasLetter', internal.has_letter_of_change(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasAnswered', booking.answered_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.visit_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.visit_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.take_back_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.tell_story(booking.id, zone)
  );
end
$$;

create function internal.list_visit_times(booking_id uuid, day date) returns setof time
  language sql stable
  -- The server has no right to call open_spans, can_do and others.
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

create function internal.ask_for_links(email text) returns void
  language plpgsql
  -- Nobody reads who asked.
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := internal.mailbox_of(email);
begin
  insert into internal.link_requests as known (mailbox_digest, mailbox)
  values (sha256(convert_to(wanted, 'UTF8')), wanted)
  on conflict (mailbox_digest) do update set mailbox = excluded.mailbox, asked_at = now()
    where known.asked_at < now() - interval '1 hour';
end
$$;

create function internal.take_link_request() returns setof public.bookings
  language plpgsql
  -- The server has no right to write link_requests.
  security definer
  set search_path = ''
as $$
declare
  asked record;
begin
  delete from internal.link_requests where asked_at < now() - interval '1 day';
  for asked in
    select mailbox_digest, mailbox from internal.link_requests
    where mailbox is not null order by asked_at for update skip locked
  loop
    update internal.link_requests set mailbox = null where mailbox_digest = asked.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.mailbox_of(booking.customer_email) = asked.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Made-up people get no mail.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- One letter a transaction; who has no appointment is answered by nothing.
    exit when found;
  end loop;
end
$$;

create function internal.was_taken_from_visitor(estimate public.estimates, wanted_booking uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (
    select from public.bookings booking
    join public.estimate_events event on event.estimate_id = estimate.id and event.kind = 'address_changed'
    where booking.id = wanted_booking and lower(booking.customer_email) = lower(event.before ->> 'email')
      and lower(booking.customer_email) <> lower(estimate.customer_email))
$$;

create function internal.estimate_token(estimate_id uuid) returns text
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(estimate.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('estimate ' || estimate.id || ' ' || estimate.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.estimates estimate
    where name = 'visit_key' and estimate.id = estimate_token.estimate_id
  );

create function internal.read_visit_work(booking_id uuid) returns jsonb
  language sql stable
  -- The server has no right to read estimates, estimate_revisions and others.
  security definer
  set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    -- Who typed an address of their own with a customer's name and number has this page, too.
    booked as (
      select internal.typed_email(booking) is null as is_theirs from public.bookings booking where booking.id = read_visit_work.booking_id
    ),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_work.booking_id and (select is_theirs from booked)
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.id, task.status, task.created_at, task.ready_for_pickup_at,
        case when task.estimate_id is not null and booked.is_theirs then task.title else '' end as title,
        case when booked.is_theirs then task.customer_note else '' end as note
      from booked, public.tasks task
      where task.booking_id = read_visit_work.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', title, 'status', status, 'note', note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, work.title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_work.booking_id) invoice, zone
        where (select is_theirs from booked) and not exists (
          select from public.estimates taken
          where taken.booking_id = read_visit_work.booking_id and internal.was_taken_from_visitor(taken, taken.booking_id))))
  );

create function internal.keep_booking_of_task() returns trigger
  language plpgsql
  -- The admin may not write held_until of a booking.
  security definer
  set search_path = ''
as $$
begin
  update public.bookings set held_until = null, hold_confirmed_at = internal.current_instant()
  where id = new.booking_id and held_until is not null;
  return new;
end
$$;

create function internal.bring_task_back() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.archived_at := null;
  return new;
end
$$;

create function internal.forget_customer_note() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.customer_note := '';
  return new;
end
$$;

create function internal.follow_task() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read booking_transitions.
  security definer
  set search_path = ''
as $$
declare
  is_started constant boolean := tg_op = 'UPDATE' and new.status = 'in_progress' and old.status <> 'in_progress';
  is_taken_back constant boolean := case tg_op when 'UPDATE' then new.status = 'pending' and old.status <> 'pending'
                                               else old.status = 'in_progress' end;
  state_before text;
begin
  if is_started and exists (
    select from public.bookings booking
    join internal.booking_transitions step on step.from_state = internal.booking_state(booking)
    where booking.id = new.booking_id and step.to_state = 'in_work' and step.kind = 'started'
  ) then
    perform internal.set_state_by_task(new.booking_id, 'in_work');
  elsif is_taken_back
    and exists (select from public.bookings where id = old.booking_id and status = 'in_work' and completed_at is null)
    and not exists (select from public.tasks other
                    where other.booking_id = old.booking_id and other.id <> old.id and other.status not in ('pending', 'cancelled'))
  then
    state_before := internal.state_before_task(old.booking_id);
    if state_before is not null then
      perform internal.set_state_by_task(old.booking_id, state_before);
    end if;
  end if;
  if old.booking_id is not null then
    perform pg_notify('bookings_changed', old.booking_id::text);
  end if;
  return null;
end
$$;

create function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql
  set search_path = ''
as $$
declare
  task public.tasks;
begin
  -- The order of every change of a booking: the calendar, the booking, what belongs to it.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

create function public.add_task_note(task_id uuid, note text, changed_by text default null, changed_by_name text default null)
  returns public.task_notes
  language plpgsql
  -- The admin has no right to write task_notes. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  added public.task_notes;
begin
  perform internal.require_admin();
  perform internal.lock_task(add_task_note.task_id);
  insert into public.task_notes (task_id, note, created_by, created_by_name)
  values (add_task_note.task_id, trim(add_task_note.note), add_task_note.changed_by,
          internal.author_name(add_task_note.changed_by_name))
  returning * into added;
  return added;
end
$$;

create function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null,
  changed_by_name text default null, expected_status text default null
)
  returns public.tasks
  language plpgsql
  -- The admin has no right to write task_status_history and tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(update_task_status.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(update_task_status.task_id);
  if task.status = update_task_status.new_status then
    if written_note is not null then
      perform public.add_task_note(task.id, written_note, update_task_status.changed_by, update_task_status.changed_by_name);
    end if;
    return task;
  end if;
  if task.status <> update_task_status.expected_status then
    raise exception 'This task was changed meanwhile.' using errcode = 'TT033', hint = task.status;
  end if;
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by, changed_by_name)
  values (task.id, task.status, update_task_status.new_status, written_note, update_task_status.changed_by,
          internal.author_name(update_task_status.changed_by_name));
  update public.tasks
  set status = update_task_status.new_status,
      completed_at = case when update_task_status.new_status = 'completed' then now() end,
      ready_for_pickup_at = null
  where id = task.id
  returning * into task;
  return task;
end
$$;

create function public.mark_task_ready_for_pickup(
  task_id uuid, note text default null, changed_by text default null, changed_by_name text default null
)
  returns public.tasks
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(mark_task_ready_for_pickup.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(mark_task_ready_for_pickup.task_id);
  if task.status <> 'completed' then
    raise exception 'Only a completed task can be marked ready for pickup.' using errcode = 'TT032', hint = 'not_completed';
  end if;
  if task.ready_for_pickup_at is null then
    update public.tasks set ready_for_pickup_at = now() where id = task.id returning * into task;
  end if;
  if written_note is not null then
    perform public.add_task_note(
      task.id, written_note, mark_task_ready_for_pickup.changed_by, mark_task_ready_for_pickup.changed_by_name
    );
  end if;
  return task;
end
$$;

-- A vehicle that waits for its pickup stays ready, however many tasks are completed after its own.
create function public.clean_up_tasks(task_ids uuid[]) returns integer
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Only what is still completed: a task that was reopened meanwhile is work again.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;

create function public.tell_customer_of_task(task_id uuid, note text) returns void
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_task(task_id);
  update public.tasks set customer_note = trim(coalesce(note, '')) where id = task_id;
end
$$;

create function public.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  -- The admin has no right to call vehicle_facts.
  security definer
  set search_path = ''
  return case when (select internal.is_admin()) then internal.vehicle_facts(booking) end;

create function internal.vehicle_state(facts jsonb) returns text
  language plpgsql immutable
  set search_path = ''
as $$
declare
  booking_state constant text := facts ->> 'bookingState';
  tasks constant jsonb := jsonb_path_query_array(facts, '$.tasks[*] ? (@.status != "cancelled")');
  statuses constant text[] := array(select task ->> 'status' from jsonb_array_elements(tasks) task);
begin
  return case
    when booking_state = 'completed' then 'picked_up'
    when booking_state in ('cancelled', 'no_show', 'not_confirmed') then booking_state
    when statuses <> '{}' and 'completed' = all (statuses) and tasks @> '[{"isReady": true}]' then
      case when (facts ->> 'isPaid')::boolean then 'ready_and_paid' else 'ready' end
    when booking_state in ('arrived', 'in_work') or 'in_progress' = any (statuses) then
      case when 'waiting_on_parts' = any (statuses) then 'waiting_on_parts'
           when 'waiting_on_customer' = any (statuses) then 'waiting_on_customer'
           when booking_state = 'in_work' or statuses && array['in_progress', 'completed'] then 'in_work'
           else 'here' end
    when facts ->> 'hold' = 'running' then 'held'
    when facts ->> 'hold' = 'ended' then 'not_confirmed'
    else 'expected'
  end;
end
$$;

create function internal.set_state_by_task(booking_id uuid, new_state text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.set_booking_note('{"source": "task", "may_leave_unplaced": true}');
  update public.bookings set status = new_state
  where id = set_state_by_task.booking_id and completed_at is null and status <> new_state;
  perform internal.set_booking_note(null);
end
$$;

create function internal.state_before_task(booking_id uuid) returns text
  language sql stable
  set search_path = ''
  return (
    select case when event.kind = 'started' and event.source = 'task' then event.before ->> 'state' end
    from public.booking_events event
    where event.booking_id = state_before_task.booking_id and event.before ? 'state'
    order by event.id desc limit 1
  );

create function internal.link_quote_request() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call ensure_person, caller_of_quote_request and ensure_car.
  security definer
  set search_path = ''
as $$
begin
  new.person_id := internal.ensure_person(internal.caller_of_quote_request(new));
  new.car_id := internal.ensure_car(new.person_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, null, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  new.person_id := null;
  return new;
end
$$;

create function public.queue_quote_reply(message jsonb, log jsonb) returns uuid
  language plpgsql
  -- The server has no right to write emails and quote_email_logs.
  security definer
  set search_path = ''
as $$
declare
  written uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- The admin pressed Send again after a failure: the same message, the same Message-ID.
  on conflict (dedupe_key) do update
    -- Nobody is to find it interrupted before it is claimed.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into written;
  if not found then
    select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, written, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return written;
end
$$;

create function internal.unanswered_quotes() returns setof public.quote_requests
  language sql stable
  set search_path = ''
as $$
  select * from public.quote_requests
  where status = 'pending' and not looks_automated and created_at <= internal.current_instant() - interval '12 hours'
  order by created_at, id limit 50
$$;

create function public.read_quote_email(quote_request_id uuid) returns text
  language plpgsql stable
  -- The admin has no right to call email_for_estimate. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select internal.email_for_estimate(null, quote, null) from public.quote_requests quote where quote.id = read_quote_email.quote_request_id);
end
$$;

create function internal.link_estimate() returns trigger
  language plpgsql
  -- Reads the booking and the quote request, whatever the policies show to whoever saves.
  security definer
  set search_path = ''
as $$
declare
  names_the_same constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_the_same_car constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_car constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former constant uuid := new.person_id;
  former_car constant uuid := new.car_id;
  source record;
begin
  perform internal.link_waiting_booking(new.booking_id);
  select person_id, car_id into source from public.bookings where id = new.booking_id and not internal.is_erased(person_id);
  if source.person_id is null then
    select person_id, car_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(person_id);
  end if;
  if tg_op = 'UPDATE' and not names_the_same and internal.names_another_customer(new) then
    new.person_id := internal.find_person(internal.caller_of_estimate(new));
  elsif tg_op = 'UPDATE' and internal.handed_over_at(new.id) is not null and former is not null and not internal.is_erased(former)
      and (names_the_same or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- An address or a number that was put right is of the same customer, whose else it may be.
    new.person_id := former;
  else
    new.person_id := coalesce(
      source.person_id, case when names_the_same and not internal.is_erased(former) then former end,
      internal.find_person(internal.caller_of_estimate(new)), former);
  end if;
  if new.person_id is null then
    new.car_id := null;
  elsif not coalesce(is_the_same_car and new.person_id = former and new.car_id is not null, false) then
    new.car_id := coalesce(
      internal.find_car(new.person_id, internal.car_of_estimate(new)),
      -- A plate or a VIN that was put right is of the same vehicle.
      case when not is_another_car and internal.handed_over_at(new.id) is not null and new.person_id = former then former_car end,
      case when not is_another_car then source.car_id end);
  end if;
  return new;
end
$$;

create function internal.keep_estimate() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.refuse_losing_records(max(frozen_at)) from public.estimate_revisions where estimate_id = old.id;
  return old;
end
$$;

create function internal.delete_estimate_events() returns trigger
  language plpgsql
  -- Whoever deletes an estimate has no right to its events.
  security definer
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_events where estimate_id = old.id) then
    delete from public.estimate_events where estimate_id = old.id;
  end if;
  return null;
end
$$;

create function internal.note_other_record() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_because(line, new) as because from public.authorizations line
    where line.estimate_id = new.id and internal.void_because(line, old) is null
  loop
    continue when void.because is null;
    perform internal.add_estimate_event(new.id, void.because || '_changed');
    -- What was decided is to be decided again.
    update public.estimate_revisions revision set answered_at = null
    where revision.estimate_id = new.id and revision.answered_at is not null
      and revision.revision = (internal.offered_revision(new.id)).revision;
    perform internal.close_if_decided(new.id, (internal.offered_revision(new.id)).revision);
  end loop;
  return null;
end
$$;

create function internal.end_link_of_old_address() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_revisions where estimate_id = new.id and sent_at is not null) then
    new.link_version := old.link_version + 1;
    -- An erasure is no change of an address.
    if internal.is_admin() then
      perform internal.add_estimate_event(new.id, 'address_changed',
        jsonb_build_object('email', old.customer_email), jsonb_build_object('email', new.customer_email));
    end if;
  end if;
  return new;
end
$$;

create function internal.keep_frozen_revision() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- Once its estimate is gone, which keep_estimate allowed, it goes with it.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.refuse_losing_records(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;

create function internal.know_from_estimate() returns trigger
  language plpgsql
  -- Whoever hands over an estimate has no right to customers and their vehicles.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.person_id := coalesce(estimate.person_id, internal.ensure_person(internal.caller_of_estimate(estimate)));
  -- What an appointment named is the car to which plate and VIN belong.
  estimate.car_id := coalesce(
    internal.complete_car(estimate.car_id, internal.car_of_estimate(estimate)),
    internal.ensure_car(estimate.person_id, internal.car_of_estimate(estimate), estimate.created_at, false));
  update public.estimates set person_id = estimate.person_id, car_id = estimate.car_id where id = estimate.id;
  if estimate.car_id is not null and estimate.odometer_miles is not null then
    insert into public.odometer_readings (car_id, booking_id, miles, read_on, recorded_by_name)
    select estimate.car_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
    where not exists (
      select from public.odometer_readings known
      where known.car_id = estimate.car_id and known.miles = estimate.odometer_miles);
  end if;
  return null;
end
$$;

create function internal.note_changed_details() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  former constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A change of the address of a sent estimate has its own line.
  told constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former) - told;
  details_now constant jsonb := internal.details_of_document(new.document) - told;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;

create function internal.note_recipient() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.sent_to := (select customer_email from public.estimates where id = new.estimate_id);
  return new;
end
$$;

create function internal.tax_rate_on(day date) returns integer
  language sql stable
  set search_path = ''
  return coalesce((select rate from public.tax_rates where effective_from <= day order by effective_from desc limit 1), 0);

create function internal.refuse_frozen() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then changed := new; else changed := old; end if;
  if exists (select from public.estimate_revisions revision
             where revision.estimate_id = changed.estimate_id and revision.revision = changed.revision
               and revision.frozen_at is not null) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

create function internal.name_conflict(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'This estimate was changed meanwhile.' using errcode = 'TT070', hint = 'changed_meanwhile',
    detail = jsonb_build_object('by', estimate.changed_by, 'at', estimate.changed_at, 'version', estimate.version)::text;
end
$$;

create function internal.take_estimate(wanted_id uuid, seen_version integer) returns public.estimates
  language plpgsql
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = wanted_id for update;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  if seen_version is not null and estimate.version <> seen_version then
    perform internal.name_conflict(estimate);
  end if;
  return estimate;
end
$$;

create function internal.latest_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select latest from public.estimate_revisions latest where latest.estimate_id = wanted_id order by latest.revision desc limit 1);

create function internal.refuse_invoiced(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then
    raise exception 'This estimate has its invoice.' using errcode = 'TT075', hint = 'already_invoiced';
  end if;
end
$$;

create function internal.begin_revision(estimate public.estimates) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  if latest.frozen_at is null then
    return latest.revision;
  end if;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  values (estimate.id, latest.revision + 1, latest.customer_note, latest.good_until, latest.tax_rate);
  return latest.revision + 1;
end
$$;

create function internal.write_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'not_a_document';
  end if;
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (estimate_id, revision, key, position, title, plain_words, is_needed, measure)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'plainWords',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measure', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, detail, description, thousandths, unit_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'detail', line ->> 'description',
    (line ->> 'thousandths')::integer, (line ->> 'unitCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;

create function internal.is_generic_supplies(description text) returns boolean
  language sql immutable
  set search_path = ''
  return lower(trim(description)) ~
    '^((shop|misc\.?|miscellaneous|general|generic|sundry|workshop)( |-)*)*(suppl(y|ies)|materials?|sundries|shop|misc\.?|miscellaneous)( *(fees?|charges?|costs?))?$';

-- A fee for hazardous waste needs the EPA number, whatever kind of fee it is called (16 CCR 3356.1, 3357). The same rule as
-- domain/estimates/hazardous-waste-fee.ts.
create function internal.is_hazardous_waste_fee(description text) returns boolean
  language sql immutable
  set search_path = ''
  return replace(' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ', ' non toxic ', ' ') ~
    ' (hazardous|haz ?mat|toxic|(waste|used) oils?|(coolant|antifreeze|fluids?)( [a-z]+)? (disposal|dispose)|(disposal|dispose)( of)?( [a-z]+){0,2} (coolant|antifreeze|fluids?)) ';

create function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select 'name_missing' as code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates where id = wanted_id and trim(customer_name) = ''
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.detail = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

create function internal.describe_save(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
      'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
        where totals.estimate_id = wanted_id and totals.revision = revision.revision),
      'problems', case when revision.frozen_at is null
        then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
    from public.estimates estimate
    cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
    where estimate.id = wanted_id
  );

create function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates and estimate_revisions. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.write_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_save(estimate.id);
end
$$;

create function public.use_todays_tax_rate(estimate_id uuid, seen_version integer) returns jsonb
  language plpgsql
  -- The admin has no right to write estimate_revisions and estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(use_todays_tax_rate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  if draft > 1 and not exists (select from public.estimate_jobs job where job.estimate_id = estimate.id and job.revision = draft) then
    perform internal.write_jobs(estimate.id, draft, internal.jobs_of(estimate.id, draft - 1));
  end if;
  update public.estimate_revisions revision set tax_rate = internal.tax_rate_on(internal.shop_now()::date)
  where revision.estimate_id = estimate.id and revision.revision = draft;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;

create function internal.jobs_of(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', job.key, 'title', job.title, 'plainWords', job.plain_words, 'isNeeded', job.is_needed, 'measure', job.measure,
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', line.kind, 'detail', line.detail, 'description', line.description, 'thousandths', line.thousandths,
          'unitCents', line.unit_cents, 'isTaxable', line.is_taxable) order by line.position), '[]')
        from public.estimate_lines line
        where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key))
      ) order by job.position), '[]')
    from public.estimate_jobs job where job.estimate_id = wanted_id and job.revision = wanted_revision
  );

create function public.delete_estimate(estimate_id uuid) returns void
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.take_estimate(delete_estimate.estimate_id, null);
  delete from public.estimates where id = delete_estimate.estimate_id;
end
$$;

create function public.keep_job(job jsonb) returns uuid
  language plpgsql
  -- The admin has no right to write kept_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept uuid;
begin
  perform internal.require_admin();
  insert into public.kept_jobs (title, job) values (trim(keep_job.job ->> 'title'), keep_job.job - 'key')
  on conflict (title) do update set job = excluded.job, kept_at = now()
  returning id into kept;
  return kept;
end
$$;

create function public.forget_kept_job(kept_id uuid) returns void
  language plpgsql
  -- The admin has no right to write kept_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.kept_jobs where id = kept_id;
end
$$;

create function public.find_kept_jobs(term text default '') returns jsonb
  language plpgsql stable
  -- The admin has no right to call plain. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'job', job || jsonb_build_object('key', id)) order by place, title), '[]')
    from (
      select id, title, job, position(internal.plain(trim(term)) in internal.plain(title)) as place from public.kept_jobs
      where position(internal.plain(trim(term)) in internal.plain(title)) > 0 or trim(term) = ''
      order by place, title limit 50
    ) found
  );
end
$$;

create function internal.write_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'revision', revision.revision, 'customerName', estimate.customer_name,
      'customerEmail', estimate.customer_email, 'customerPhone', estimate.customer_phone,
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', revision.customer_note, 'goodUntil', revision.good_until, 'taxRate', revision.tax_rate,
      'jobs', (
        select jsonb_agg(job || jsonb_build_object('taxCents', totals.tax, 'totalCents', totals.total) order by totals.position)
        from jsonb_array_elements(internal.jobs_of(estimate.id, revision.revision)) job
        join internal.job_totals totals on (totals.estimate_id, totals.revision, totals.key)
          = (estimate.id, revision.revision, (job ->> 'key')::uuid)))
    from public.estimates estimate
    join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.revision = wanted_revision
    where estimate.id = wanted_id
  );

create function internal.freeze(estimate public.estimates) returns public.estimate_revisions
  language plpgsql
  set search_path = ''
as $$
declare
  latest public.estimate_revisions := internal.latest_revision(estimate.id);
  problems jsonb;
begin
  if latest.frozen_at is not null then
    return latest;
  end if;
  problems := internal.estimate_problems(estimate.id, latest.revision);
  if problems <> '[]' then
    raise exception 'This estimate is not ready to be handed over.'
      using errcode = 'TT074', hint = problems #>> '{0,code}', detail = problems::text;
  end if;
  latest.document := internal.write_document(estimate.id, latest.revision);
  update public.estimate_revisions revision
  set frozen_at = internal.current_instant(), document = latest.document,
    hash = encode(sha256(convert_to(latest.document::text, 'UTF8')), 'hex')
  where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  perform internal.close_if_decided(estimate.id, latest.revision);
  return internal.latest_revision(estimate.id);
end
$$;

create function internal.freeze_estimate(estimate_id uuid, seen_version integer, is_sent boolean, by_name text) returns jsonb
  language plpgsql
  -- The server has no right to write estimate_revisions and estimates.
  security definer
  set search_path = ''
as $$
declare
  estimate constant public.estimates := internal.take_estimate(freeze_estimate.estimate_id, coalesce(seen_version, -1));
  latest constant public.estimate_revisions := internal.freeze(estimate);
begin
  if is_sent and latest.answered_at is null then
    update public.estimate_revisions revision set sent_at = internal.current_instant()
    where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  end if;
  update public.estimates set changed_at = clock_timestamp(), changed_by = by_name where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;

-- Other work at the same price is not what was approved: its customer has never seen what they would be asked to pay for
-- (16 CCR 3354).
create function internal.sold_work(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_array(job.title, (
      select jsonb_agg(jsonb_build_array(line.kind, line.detail, line.description, line.thousandths, line.unit_cents, line.is_taxable)
        order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key)))
    from public.estimate_jobs job
    where (job.estimate_id, job.revision, job.key) = (wanted_id, wanted_revision, wanted_key)
  );

create function internal.offered_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select offered from public.estimate_revisions offered
    where offered.estimate_id = wanted_id and offered.frozen_at is not null order by offered.revision desc limit 1);

create function internal.offer_state(offered public.estimate_revisions) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = offered.estimate_id and claim.state in ('claimed', 'made')) then 'closed'
    when offered.answered_at is not null then 'answered'
    when offered.good_until < internal.shop_now()::date then 'expired'
    else 'open'
  end;

create function internal.read_offer(estimate_id uuid) returns jsonb
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
as $$
  select (offered.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', offered.hash,
    'state', internal.offer_state(offered), 'sentAt', offered.sent_at,
    'vehicle', (offered.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.sold_work(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.sold_work(estimate.id, offered.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(offered.document -> 'jobs') with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_ledger(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.offered_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) offered
  where estimate.id = read_offer.estimate_id and offered.frozen_at is not null
$$;

create function internal.note_offer_seen(estimate_id uuid, revision_hash text) returns boolean
  language plpgsql
  -- The server has no right to write estimate_revisions.
  security definer
  set search_path = ''
as $$
begin
  update public.estimate_revisions revision set seen_at = internal.current_instant()
  where revision.estimate_id = note_offer_seen.estimate_id and revision.hash = note_offer_seen.revision_hash and revision.seen_at is null;
  return found;
end
$$;

create function internal.answer_offer(estimate_id uuid, revision_hash text, approved uuid[], person text, words text, wants_parts_back boolean)
  returns text
  language plpgsql
  -- The server has no right to write authorizations, estimate_revisions and estimates.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.take_estimate(answer_offer.estimate_id, null);
  offered constant public.estimate_revisions := internal.offered_revision(estimate.id);
  act constant uuid := gen_random_uuid();
begin
  if offered.hash is distinct from answer_offer.revision_hash then
    return 'changed_meanwhile';
  end if;
  case internal.offer_state(offered)
    when 'closed' then return 'closed';
    when 'answered' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- A draft begun meanwhile takes nothing away: what is on the customer's screen is what they approve.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, contact, words, wants_parts_back, said_at, recorded_by)
  select estimate.id, offered.revision, offered.hash, totals.key, act,
    case when totals.key = any (approved) then 'approved' else 'declined' end,
    'web', trim(answer_offer.person), estimate.customer_email, answer_offer.words, answer_offer.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
  where totals.estimate_id = estimate.id and totals.revision = offered.revision
    and not coalesce(authorized.revision = offered.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.sold_work(estimate.id, authorized.revision, totals.key)
          = internal.sold_work(estimate.id, offered.revision, totals.key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set answered_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = offered.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.act_id = act and line.decision = 'approved') then 'approved' else 'declined' end;
end
$$;

create function public.read_estimate(estimate_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to read job_totals. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  answer jsonb;
begin
  perform internal.require_admin();
  select * into estimate from public.estimates where id = read_estimate.estimate_id;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  latest := internal.latest_revision(estimate.id);
  select jsonb_build_object(
    'id', estimate.id, 'number', estimate.number, 'version', estimate.version, 'savedAt', estimate.changed_at,
    'savedBy', estimate.changed_by, 'revision', latest.revision, 'isFrozen', latest.frozen_at is not null,
    'revisionHash', latest.hash, 'state', internal.estimate_state(estimate),
    'sentAt', offered.sent_at, 'sentTo', offered.sent_to, 'seenAt', offered.seen_at, 'answeredAt', offered.answered_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.jobs_of(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_whole_ledger(estimate.id),
    'customerPath', case when offered.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.offered_revision(estimate.id)).*) offered;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.sold_work(estimate.id, authorized.revision, totals.key)
          = internal.sold_work(estimate.id, latest.revision, totals.key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'thread', internal.read_thread(estimate.thread_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'letters', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$$;

create function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  language plpgsql stable
  -- The admin has no right to read job_totals. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total,
      'invoicedCents', (select claim.total_cents from public.estimate_invoices claim
        where claim.estimate_id = found.id and claim.state in ('claimed', 'made')),
      'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(internal.plain(trim(term)) in internal.plain(
        concat_ws(' ', estimate.number, estimate.customer_name, estimate.vehicle_plate, estimate.vehicle_model))) > 0)
        and (wanted_state is null or internal.estimate_state(estimate) = wanted_state)
      order by estimate.changed_at desc limit 50
    ) found
    cross join lateral (
      select coalesce(sum(total), 0) as total, count(*) as jobs from internal.job_totals
      where estimate_id = found.id and revision = (select max(revision) from public.estimate_revisions where estimate_id = found.id)
    ) totals
    cross join lateral (
      select coalesce(sum(cents), 0) as cents, count(*) filter (where internal.is_approved(job_key, found.id)) as jobs
      from internal.authorized_jobs(found.id)
    ) authorized
  );
end
$$;

create function public.create_estimate_tasks(estimate_id uuid) returns integer
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  made integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(create_estimate_tasks.estimate_id, null);
  insert into public.tasks (title, description, booking_id, assigned_to, estimate_id, estimate_job_key)
  select job.title,
    (select string_agg(line.description || case line.kind
        when 'labor' then ', ' || trim_scale(line.thousandths / 1000.0) || ' h'
        when 'part' then ', ' || trim_scale(line.thousandths / 1000.0) || ' pcs' else '' end, E'\n' order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key) and line.kind <> 'discount'),
    estimate.booking_id,
    (select employee.id from public.bookings booking
      join public.bays bay on bay.id = booking.bay_id
      join public.employees employee on employee.name = bay.technician and employee.is_active
      where booking.id = estimate.booking_id order by employee.id limit 1),
    estimate.id, job.key
  from public.estimate_jobs job
  where job.estimate_id = estimate.id
    and job.revision = (select (internal.offered_revision(estimate.id)).revision)
    and internal.is_approved(job.key, estimate.id)
  order by job.position
  on conflict (estimate_id, estimate_job_key) do nothing;
  get diagnostics made = row_count;
  update public.estimates set changed_at = clock_timestamp() where id = estimate.id and made > 0;
  return made;
end
$$;

create function internal.outdated_offer_because(wanted_id uuid, wanted_revision integer) returns text
  language sql stable
  -- Reads estimates, which are nobody's but the admin's.
  security definer
  set search_path = ''
as $$
  select case
    when offered.revision is distinct from wanted_revision then 'Not sent: the estimate was changed.'
    when internal.offer_state(offered) = 'answered' then 'Not sent: the estimate was answered.'
    when internal.offer_state(offered) = 'closed' then 'Not sent: the estimate has its invoice.'
    when internal.offer_state(offered) = 'expired' then 'Not sent in time: the estimate has expired.'
  end
  from internal.offered_revision(wanted_id) offered
$$;

create function internal.estimate_link_version(estimate_id uuid) returns integer
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
  return (select link_version from public.estimates where id = estimate_id);

create function internal.tell_of_estimates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  row_now constant jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('estimates_changed', coalesce(row_now ->> 'estimate_id', row_now ->> 'id'));
  return null;
end
$$;

create function public.rename_kept_job(kept_id uuid, new_title text) returns void
  language plpgsql
  -- The admin has no right to write kept_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  update public.kept_jobs
  set title = trim(new_title), job = jsonb_set(job, '{title}', to_jsonb(trim(new_title)))
  where id = kept_id;
  if not found then
    raise exception 'This job is not kept any more.' using errcode = 'TT071', hint = 'kept_job_not_found';
  end if;
end
$$;

create function internal.read_estimate_paper(estimate_id uuid, for_customer boolean) returns jsonb
  language sql stable
  -- The server has no right to read estimates and estimate_revisions.
  security definer
  set search_path = ''
as $$
  select coalesce(printed.document, internal.write_document(estimate.id, printed.revision)) || jsonb_build_object(
    'date', (coalesce(printed.frozen_at, internal.current_instant()) at time zone (select time_zone from public.shop))::date,
    'isFrozen', printed.frozen_at is not null,
    'decisions', internal.decisions_on(estimate.id, printed.revision),
    'authorizations', internal.describe_ledger(estimate.id))
  from public.estimates estimate
  cross join lateral (
    select revision.* from public.estimate_revisions revision
    where revision.estimate_id = estimate.id and (revision.frozen_at is not null or not for_customer)
    order by revision.revision desc limit 1
  ) printed
  where estimate.id = read_estimate_paper.estimate_id
$$;

create function internal.car_of_estimate(estimate public.estimates) returns internal.described_car
  language sql immutable
  set search_path = ''
  return row(
    nullif(left(estimate.vehicle_year, 20), ''), nullif(left(estimate.vehicle_make, 60), ''),
    nullif(left(estimate.vehicle_model, 60), ''), null, nullif(trim(estimate.vehicle_plate), ''),
    case when internal.is_vin(upper(estimate.vehicle_vin)) then upper(estimate.vehicle_vin) end
  )::internal.described_car;

create function internal.caller_of_estimate(estimate public.estimates) returns internal.caller
  language plpgsql stable
  set search_path = ''
as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Of an older database there is no such column yet.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false), false)::internal.caller;
end
$$;

create function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates and estimate_revisions. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  person public.people;
  car public.cars;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- One after the other: the second sees what the first began.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'carId'), (source ->> 'personId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into car from public.cars where id = internal.car_now((source ->> 'carId')::uuid);
  select * into person from public.people
  where id = coalesce(car.person_id, internal.person_now((source ->> 'personId')::uuid)) and merged_into is null and erased_at is null
  -- Nobody is merged into another while an estimate of theirs is begun.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'carId' and car.id is null) or ((source ? 'personId' or source ? 'carId') and person.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  -- A second click, or another window, finds what the first began; of a person alone only what nobody wrote in yet.
  select known.* into estimate from public.estimates known
  where known.booking_id = booking.id or (known.quote_request_id = quote.id and booking.id is null)
    or (known.person_id = person.id and known.car_id is not distinct from car.id and known.version = 1
        and known.booking_id is null and known.quote_request_id is null)
  order by known.created_at desc limit 1;
  if found then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- What was only typed online is nobody's address: staff are asked first.
  email := coalesce(internal.email_for_estimate(booking, quote, person.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    thread_id, booking_id, quote_request_id, person_id, car_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.thread_id, quote.thread_id, gen_random_uuid()), booking.id, quote.id, person.id, car.id,
    left(trim(coalesce(booking.customer_name, quote.name, person.name, source #>> '{customer,name}', '')), 100),
    -- What no letter could be sent to is left out.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, person.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, car.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, car.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, car.model, source #>> '{vehicle,model}', ''),
    coalesce(left(car.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(car.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;

create function internal.add_estimate_event(wanted_id uuid, kind text, before jsonb default null, after jsonb default null) returns void
  language sql
  set search_path = ''
as $$
  insert into public.estimate_events (estimate_id, kind, before, after, changed_by_name)
  values (wanted_id, kind, before, after, internal.author_name(null))
$$;

create function internal.last_person_of(person uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.people where id = person
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.people next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;

create function internal.describe_estimate_history(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', event.id, 'kind', event.kind, 'before', event.before, 'after', event.after,
      'changedBy', event.changed_by_name, 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event where event.estimate_id = wanted_id
  );

create function internal.names_another_customer(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select not internal.names_agree(shown.name, estimate.customer_name) and trim(estimate.customer_name) <> ''
      and (shown.email, shown.phone) is distinct from (lower(estimate.customer_email), internal.canonical_phone(estimate.customer_phone))
      and not coalesce(shown.email = nullif(lower(estimate.customer_email), ''), false)
      and not coalesce(shown.phone = internal.canonical_phone(estimate.customer_phone), false)
    from (
      select document ->> 'customerName' as name, lower(document ->> 'customerEmail') as email,
        internal.canonical_phone(document ->> 'customerPhone') as phone
      from internal.offered_revision(estimate.id)
    ) shown
    where shown.name is not null
  ), false)
$$;

create function internal.is_another_word(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return trim(one) <> '' and trim(other) <> '' and internal.plain(trim(one)) <> internal.plain(trim(other));

create function internal.describes_another_vehicle(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select (internal.is_another_word(shown.year, estimate.vehicle_year) or internal.is_another_word(shown.make, estimate.vehicle_make)
        or internal.is_another_word(shown.model, estimate.vehicle_model))
      and not coalesce(internal.plate_key(shown.plate) = internal.plate_key(estimate.vehicle_plate), false)
      and not coalesce(nullif(shown.vin, '') = upper(estimate.vehicle_vin), false)
    from (
      select document #>> '{vehicle,year}' as year, document #>> '{vehicle,make}' as make, document #>> '{vehicle,model}' as model,
        document #>> '{vehicle,plate}' as plate, upper(document #>> '{vehicle,vin}') as vin, document
      from internal.offered_revision(estimate.id)
    ) shown
    where shown.document is not null
  ), false)
$$;

create function internal.details_of_document(document jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (document -> 'vehicle') || jsonb_build_object(
    'name', document -> 'customerName', 'email', document -> 'customerEmail', 'phone', document -> 'customerPhone');

create function internal.note_corrected_record() returns trigger
  language plpgsql
  -- Whoever corrects a customer or a vehicle has no right to the events of estimates.
  security definer
  set search_path = ''
as $$
declare
  details constant text[] := '{name,email,phone,year,make,model,color,plate,vin}';
  row_then constant jsonb := internal.details_of_record(to_jsonb(old), details);
  row_now constant jsonb := internal.details_of_record(to_jsonb(new), details);
begin
  if row_then <> row_now then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      internal.changed_columns(row_then, row_now), internal.changed_columns(row_now, row_then))
    from public.estimates estimate
    where case tg_table_name when 'people' then estimate.person_id else estimate.car_id end = new.id
      and exists (select from internal.binding_lines(estimate.id) line where line.decision = 'approved')
      and internal.estimate_state(estimate) <> 'invoiced';
  end if;
  return null;
end
$$;

create function internal.details_of_record(whole jsonb, details text[]) returns jsonb
  language sql immutable
  set search_path = ''
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(whole) where key = any (details));

create function internal.email_for_estimate(booking public.bookings, quote public.quote_requests, person uuid) returns text
  language sql stable
  set search_path = ''
  return coalesce(
    internal.own_email(booking),
    case when internal.is_their_email(quote.person_id, quote.email) then quote.email end,
    internal.main_email(coalesce(booking.person_id, quote.person_id, person)));

create function public.change_estimate_email(estimate_id uuid, seen_version integer, email text, reason text) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  new_email constant text := trim(change_estimate_email.email);
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(change_estimate_email.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if reason is null or reason not in ('new_address', 'wrong_recipient') then
    raise exception 'An address changes because it is new, or because the old one was wrong.' using errcode = '22023', hint = 'invalid_reason';
  end if;
  if reason = 'wrong_recipient' then
    perform internal.withdraw_answers(estimate);
  end if;
  update public.estimates
  set customer_email = new_email, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;

create function internal.renew_links(wanted_booking uuid, wanted_estimate uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  estimate uuid;
begin
  if wanted_booking is not null then
    perform internal.take_booking(wanted_booking);
    update public.bookings set link_version = link_version + 1 where id = wanted_booking;
  end if;
  for estimate in
    update public.estimates known set link_version = known.link_version + 1
    where known.id = wanted_estimate or known.booking_id = wanted_booking returning known.id
  loop
    if internal.handed_over_at(estimate) is not null then
      perform internal.add_estimate_event(estimate, 'relinked');
    end if;
  end loop;
end
$$;

create function public.read_estimate_link(estimate_id uuid, renew boolean default false) returns text
  language plpgsql
  -- The admin has no right to call renew_links and estimate_token. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(
      (select booking_id from public.estimates where id = read_estimate_link.estimate_id), read_estimate_link.estimate_id);
  end if;
  return '/estimate/' || internal.estimate_token(read_estimate_link.estimate_id);
end
$$;

create function internal.misdirected_offer_because(wanted_id uuid, recipient text) returns text
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
as $$
  select 'Not sent: the customer has another address.'
  from public.estimates where id = wanted_id and lower(trim(customer_email)) <> lower(trim(recipient))
$$;

create function internal.fill_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  authorized_before bigint;
begin
  -- One after the other, or two running totals would miss each other.
  select person_id, car_id, case new.method when 'web' then link_version end into new.person_id, new.car_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- What the job may cost without the answer that is withdrawn.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;

create function internal.keep_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not internal.is_sample_estimate(old.estimate_id) then
    perform internal.refuse_losing_records(old.recorded_at);
  end if;
  return old;
end
$$;

create function internal.refuse_losing_records(kept_from timestamptz) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if kept_from is not null and internal.kept_until(kept_from) >= internal.shop_now()::date then
    raise exception 'This belongs to a repair whose records stay until %, as the law asks.', to_char(internal.kept_until(kept_from), 'FMMonth FMDD, YYYY')
      using errcode = 'TT076', hint = 'record_kept', detail = internal.kept_until(kept_from)::text;
  end if;
end
$$;

create function internal.is_other_work(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  approved_revision constant integer := (
    select line.revision from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision = 'approved' order by line.id desc limit 1);
begin
  return (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, wanted_revision, wanted_key))
      is distinct from
      (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, approved_revision, wanted_key))
    or exists (
      select from public.estimate_lines sold
      where (sold.estimate_id, sold.revision, sold.job_key) = (wanted_id, wanted_revision, wanted_key) and sold.kind <> 'discount'
        and not exists (
          select from public.estimate_lines approved
          where (approved.estimate_id, approved.revision, approved.job_key) = (wanted_id, approved_revision, wanted_key)
            and (approved.kind, approved.detail, approved.description) = (sold.kind, sold.detail, sold.description)));
end
$$;

create function internal.close_if_decided(wanted_id uuid, wanted_revision integer) returns void
  language sql
  set search_path = ''
as $$
  update public.estimate_revisions revision
  set answered_at = internal.current_instant()
  where revision.estimate_id = wanted_id and revision.revision = wanted_revision and revision.answered_at is null
    and not exists (
      select from internal.job_totals totals
      left join internal.authorized_jobs(wanted_id) authorized on authorized.job_key = totals.key
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
        and not coalesce(authorized.revision = wanted_revision
          or authorized.decision = 'approved' and authorized.cents >= totals.total
            and internal.sold_work(wanted_id, authorized.revision, totals.key)
              = internal.sold_work(wanted_id, wanted_revision, totals.key), false))
$$;

create function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, person text, relation text, contact text, words text,
  said_at timestamptz, wants_parts_back boolean default false
)
  returns jsonb
  language plpgsql
  -- The admin has no right to write authorizations and estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  act constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer approves on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'nothing_decided';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze(estimate);
  if (said_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, relation, contact, words, wants_parts_back,
    said_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, act, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.person), trim(record_authorization.relation),
    trim(record_authorization.contact), trim(record_authorization.words), record_authorization.wants_parts_back,
    record_authorization.said_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.close_if_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_save(estimate.id) || jsonb_build_object('actId', act);
end
$$;

create function internal.describe_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.act_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.person, 'relation', line.relation,
      'contact', line.contact, 'words', line.words, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.said_at,
      'recordedBy', line.recorded_by, 'voidBecause', null) order by line.id), '[]')
    from internal.binding_lines(wanted_id) line
  );

create function internal.is_approved(wanted_key uuid, wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select line.decision = 'approved' from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false);

create function internal.untold_approvals(most integer) returns table (estimate_id uuid, act_id uuid)
  language sql stable
  -- The server has no right to read authorizations and estimates.
  security definer
  set search_path = ''
as $$
  select line.estimate_id, line.act_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and internal.void_because(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails letter
      where letter.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.act_id)
  group by line.estimate_id, line.act_id
  order by min(line.id)
  limit most
$$;

-- On paper a job says what was decided of it as it is printed: an approval at a lower price, or of other work, is in the
-- ledger below and nowhere else.
create function internal.decisions_on(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(decided.job_key, decided.decision), '{}')
  from internal.authorized_jobs(wanted_id) decided
  join internal.job_totals totals
    on totals.estimate_id = wanted_id and totals.revision = wanted_revision and totals.key = decided.job_key
  where decided.revision = wanted_revision
    or decided.decision = 'approved' and decided.cents >= totals.total
      and not internal.is_other_work(wanted_id, wanted_revision, decided.job_key)
$$;

create function internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from internal.binding_lines(wanted_id) line
      where line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  );

create function internal.void_because(line public.authorizations, estimate public.estimates) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- What was billed was approved, whatever is put right in the records later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.person_id is not null and line.person_id is distinct from estimate.person_id
      and internal.last_person_of(line.person_id) is distinct from internal.last_person_of(estimate.person_id) then 'customer'
    when line.car_id is not null and line.car_id is distinct from estimate.car_id
      and internal.car_now(line.car_id) is distinct from internal.car_now(estimate.car_id) then 'vehicle'
  end
$$;

create function internal.describe_whole_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.act_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.person, 'relation', line.relation,
      'contact', line.contact, 'words', line.words, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.said_at,
      'recordedBy', line.recorded_by, 'voidBecause', internal.void_because(line, estimate)) order by line.id), '[]')
    from public.authorizations line
    join public.estimates estimate on estimate.id = line.estimate_id
    where line.estimate_id = wanted_id
  );

create function internal.refuse_void_approvals(wanted_id uuid, wanted_revision integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  void record;
begin
  select job.title, internal.void_because(line, estimate) as because into void
  from public.estimate_jobs job
  join public.estimates estimate on estimate.id = job.estimate_id
  join public.authorizations line on line.estimate_id = job.estimate_id and line.job_key = job.key and line.decision = 'approved'
  where job.estimate_id = wanted_id and job.revision = wanted_revision and internal.void_because(line, estimate) is not null
    and not exists (select from internal.authorized_jobs(wanted_id) decided where decided.job_key = job.key)
  order by job.position, line.id desc limit 1;
  if found then
    raise exception 'The approval was given by another customer or for another vehicle.' using errcode = 'TT072', hint = 'approval_void',
      detail = jsonb_build_object('jobTitle', void.title, 'because', void.because)::text;
  end if;
end
$$;

create function internal.withdraw_answers(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  former record;
  act uuid;
begin
  for former in
    select line.act_id, min(line.id) from public.authorizations line
    where line.estimate_id = estimate.id and line.method = 'web'
      and (line.link_version = estimate.link_version or lower(line.contact) = lower(estimate.customer_email))
      and not exists (select from public.authorizations later where later.withdraws_id = line.id)
    group by line.act_id order by min(line.id)
  loop
    act := gen_random_uuid();
    insert into public.authorizations (
      estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, contact, words, said_at, recorded_by, withdraws_id)
    select line.estimate_id, line.revision, line.revision_hash, line.job_key, act, 'withdrawn', 'shop', internal.author_name(null),
      line.contact, 'withdrawn: wrong recipient', internal.current_instant(), internal.author_name(null), line.id
    from public.authorizations line where line.act_id = former.act_id order by line.id;
  end loop;
  update public.estimate_revisions revision set answered_at = null, seen_at = null
  where revision.estimate_id = estimate.id and revision.revision = (internal.offered_revision(estimate.id)).revision;
  perform internal.close_if_decided(estimate.id, (internal.offered_revision(estimate.id)).revision);
end
$$;

create function internal.check_billed_total() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if new.total_cents <> (select coalesce(sum(cents), 0) from public.estimate_invoice_jobs where claim_id = new.id) then
    raise exception 'An invoice is the sum of its jobs.' using errcode = 'TT072', hint = 'total_differs';
  end if;
  return null;
end
$$;

create function internal.keep_claim() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.refuse_losing_records(old.claimed_at);
    end if;
    return old;
  end if;
  if to_jsonb(new) - '{state,invoice_id,number,settled_at}'::text[] <> to_jsonb(old) - '{state,invoice_id,number,settled_at}'::text[] then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if (old.state, new.state) not in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
     or new.invoice_id is distinct from coalesce(old.invoice_id, new.invoice_id)
     or new.number is distinct from coalesce(old.number, new.number) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create function internal.refuse_above_authorized() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- No approval is taken back while it is counted.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice is never above what was approved.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_other_work(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice is of nothing but what was approved.' using errcode = 'TT072', hint = 'other_work',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$$;

create function internal.keep_billed_jobs() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices where id = old.claim_id) then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return old;
end
$$;

create function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', estimate.customer_email,
        'phone', revision.document ->> 'customerPhone'),
      'vehicle', revision.document -> 'vehicle', 'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(revision.document -> 'jobs') with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    join public.estimates estimate on estimate.id = revision.estimate_id
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );

create function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, by_name text) returns jsonb
  language plpgsql
  -- The server has no right to write estimate_invoices and estimate_invoice_jobs.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.take_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or whoever heals a death: the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.name_conflict(estimate);
  end if;
  latest := internal.freeze(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.key, estimate.id);
  return internal.describe_claim(claim);
end
$$;

create function internal.note_estimate_invoice(request_id uuid, new_state text, new_invoice_id text default null, new_number text default null)
  returns boolean
  language plpgsql
  -- The server has no right to write estimate_invoices and estimates.
  security definer
  set search_path = ''
as $$
declare
  claim public.estimate_invoices;
begin
  update public.estimate_invoices
  set state = new_state, invoice_id = coalesce(new_invoice_id, invoice_id), number = coalesce(new_number, number), settled_at = now()
  where id = request_id and state <> new_state
    and (state, new_state) in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
  returning * into claim;
  if not found then
    return false;
  end if;
  update public.estimates set version = version + 1, changed_at = clock_timestamp() where id = claim.estimate_id;
  return true;
end
$$;

create function internal.list_unmade_estimate_invoices(older_than_seconds integer) returns setof uuid
  language sql stable
  -- The server sees the invoices through procedures alone.
  security definer
  set search_path = ''
as $$
  select id from public.estimate_invoices
  where state = 'claimed' and claimed_at < now() - older_than_seconds * interval '1 second' order by claimed_at limit 20
$$;

create function internal.read_claim(request_id uuid) returns jsonb
  language sql stable
  -- The server has no right to call describe_claim.
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim) from public.estimate_invoices claim where claim.id = request_id
$$;

create function internal.read_thread(wanted uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'label', label, 'state', state, 'at', at) order by at), '[]')
    from (
      select 'quote' as kind, quote.id::text, quote.name as label, quote.status as state, quote.created_at as at
      from public.quote_requests quote where quote.thread_id = wanted
      union all
      select 'booking', booking.id::text, booking.appointment_date || ' ' || to_char(booking.appointment_time, 'HH24:MI'),
        internal.booking_state(booking), booking.created_at
      from public.bookings booking where booking.thread_id = wanted
      union all
      select 'estimate', estimate.id::text, estimate.number, internal.estimate_state(estimate), estimate.created_at
      from public.estimates estimate where estimate.thread_id = wanted
      union all
      select 'task', task.id::text, task.title, task.status, task.created_at
      from public.tasks task
      where task.estimate_id in (select id from public.estimates where thread_id = wanted)
        or task.booking_id in (select id from public.bookings where thread_id = wanted)
      union all
      select 'invoice', coalesce(claim.invoice_id, claim.id::text), coalesce(claim.number, ''), claim.state, claim.claimed_at
      from public.estimate_invoices claim where claim.estimate_id in (select id from public.estimates where thread_id = wanted)
      union all
      select 'payment', payment.id::text, (payment.amount_cents / 100.0)::numeric(12, 2)::text, payment.outcome, payment.paid_at
      from public.payments payment
      where payment.invoice_id in (
        select claim.invoice_id from public.estimate_invoices claim
        where claim.estimate_id in (select id from public.estimates where thread_id = wanted))
    ) linked
  );

create function public.read_thread(kind text, id text) returns jsonb
  language plpgsql stable
  -- The admin has no right to call read_thread. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return internal.read_thread(case read_thread.kind
    when 'quote' then (select thread_id from public.quote_requests quote where quote.id = read_thread.id::uuid)
    when 'booking' then (select thread_id from public.bookings booking where booking.id = read_thread.id::uuid)
    when 'estimate' then (select thread_id from public.estimates estimate where estimate.id = read_thread.id::uuid)
    when 'task' then (
      select coalesce(estimate.thread_id, booking.thread_id) from public.tasks task
      left join public.estimates estimate on estimate.id = task.estimate_id
      left join public.bookings booking on booking.id = task.booking_id
      where task.id = read_thread.id::uuid)
    when 'invoice' then (
      select estimate.thread_id from public.estimate_invoices claim
      join public.estimates estimate on estimate.id = claim.estimate_id where claim.invoice_id = read_thread.id)
  end);
end
$$;

create function internal.keep_records() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read estimates and estimate_revisions.
  security definer
  set search_path = ''
as $$
begin
  perform internal.refuse_losing_records(max(revision.frozen_at))
  from public.estimates estimate
  join public.estimate_revisions revision on revision.estimate_id = estimate.id
  where not estimate.is_sample and estimate.thread_id = case tg_table_name when 'tasks' then
      (select linked.thread_id from public.estimates linked where linked.id = (to_jsonb(old) ->> 'estimate_id')::uuid)
    else (to_jsonb(old) ->> 'thread_id')::uuid end;
  return old;
end
$$;

create function internal.read_invoice_paper(invoice_id text) returns jsonb
  language sql stable
  -- The server has no right to call describe_claim and describe_ledger.
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim)
    || jsonb_build_object('authorizations', internal.describe_ledger(claim.estimate_id))
  from public.estimate_invoices claim
  where claim.invoice_id = read_invoice_paper.invoice_id
$$;

-- A week of invented customers for a new shop. Every row of it says so (`is_sample`), none of it leaves the shop, and all of
-- it goes at once.

create function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- The mark is older than the invoice: no header that names a wish can begin like this.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$$;

create function internal.is_sample_invoice(number text) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from internal.sample_invoices() sample where sample.number = is_sample_invoice.number);

create function internal.link_invoice(invoice jsonb) returns void
  language plpgsql
  -- The server has no right to write invoice_links.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  made_at constant timestamptz := to_timestamp((invoice ->> 'made_at')::bigint);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  person uuid;
begin
  update public.invoice_links
  set number = invoice ->> 'number', status = invoice ->> 'status', total_cents = (invoice ->> 'total_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  person := coalesce(estimate.person_id, internal.ensure_person(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoice_links (
    invoice_id, number, person_id, car_id, booking_id, customer_name, total_cents, currency, status, made_at)
  values (
    invoice ->> 'id', invoice ->> 'number', person, estimate.car_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, invoice ->> 'currency', invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
end
$$;

create function internal.has_invoice(booking_id uuid) returns boolean
  language sql stable
  -- The server has no right to call booking_invoice.
  security definer
  set search_path = ''
  return exists (select from internal.booking_invoice(has_invoice.booking_id));

-- The lists that the accountant's files are made of.

create function internal.list_appointment_records(
  after_date date, after_time time, after_id uuid, until date, at_most integer
) returns table (
  id uuid, appointment_date date, appointment_time time, service text, minutes integer, price_cents integer, state text,
  is_held boolean, customer text, email text, phone text, vehicle text, plate text, bay text, booked_on date, source text)
  language sql stable
  -- The server has no right to read cars and booking_events.
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

create function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint)
  language sql stable
  -- The server has no right to read invoice_links, people and others.
  security definer
  set search_path = ''
as $$
  select links.invoice_id, links.customer_name, person.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount
  from public.invoice_links links
  left join public.people person on person.id = links.person_id
  left join public.estimate_invoices claim on claim.invoice_id = links.invoice_id
  left join public.estimates estimate on estimate.id = claim.estimate_id
  left join lateral (
    select coalesce(sum(line.cents) filter (where line.kind = 'part'), 0)::bigint as parts,
      coalesce(sum(line.cents) filter (where line.kind = 'labor'), 0)::bigint as labor,
      coalesce(sum(line.cents) filter (where line.kind = 'fee'), 0)::bigint as fees,
      coalesce(sum(line.cents) filter (where line.kind = 'sublet'), 0)::bigint as sublet,
      coalesce(sum(line.cents) filter (where line.kind = 'discount'), 0)::bigint as discount
    from public.estimate_invoice_jobs billed
    join internal.priced_lines line
      on (line.estimate_id, line.revision, line.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
    where billed.claim_id = claim.id
    having count(*) > 0
  ) sums on true
  where links.invoice_id = any (invoice_ids)
$$;

create function internal.list_person_records(from_date date, until date, after_since timestamptz, after_id uuid, at_most integer)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, visits integer, missed integer,
    invoices integer, invoiced_cents bigint, paid_cents bigint)
  language plpgsql stable
  -- The server has no right to read people, invoice_links and others.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The shop's midnights.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select person.id, person.created_at, (person.created_at at time zone zone)::date, person.name, person.email, person.phone,
      came.visits, came.missed, billed.invoices, billed.cents, billed.paid
    from public.people person
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.has_come(booking, today)))::integer as visits,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.person_id = person.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      select count(*)::integer as invoices, coalesce(sum(links.total_cents) filter (where links.currency = 'usd'), 0)::bigint as cents,
        coalesce(sum(internal.paid_of(links)) filter (where links.currency = 'usd'), 0)::bigint as paid
      from public.invoice_links links
      where links.person_id = person.id and links.made_at >= starts_at and links.made_at < ends_at and links.status <> 'void'
    ) billed
    where (person.created_at, person.id) > (after_since, after_id) and person.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.person_id = person.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.person_id = person.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.person_id = person.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoice_links links
                   join public.payments payment on payment.invoice_id = links.invoice_id
                   where links.person_id = person.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.person_contacts contact
                   join public.emails letter on lower(letter.recipient_email) = contact.key
                   where contact.person_id = person.id and contact.kind = 'email'
                     and letter.created_at >= starts_at and letter.created_at < ends_at))
    order by person.created_at, person.id
    limit at_most;
end
$$;

create function internal.keep_payment() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;

create function internal.refuse_uncounted_notice() returns trigger
  language plpgsql
  -- Sees the counted notices whatever the policies show to whoever writes the email.
  security definer
  set search_path = ''
as $$
begin
  if not exists (select from internal.owner_notices where told_at = now()) then
    raise exception 'An email to the owner is written after note_for_owner or take_owner_notices.' using errcode = '22023';
  end if;
  return new;
end
$$;

create function internal.reached_letter_cap(letter internal.visitor_letters, mailbox text) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    with caps as materialized (
      select name, most, now() - span as since from internal.letter_caps
    ), latest as materialized (
      select created_at, mailbox_digest = letter.mailbox_digest as is_mailbox, domain_digest = letter.domain_digest as is_domain,
             address_digest = letter.address_digest as is_address, is_flagged and letter.is_flagged as is_flagged
      from internal.visitor_letters
      where refused_because is null and created_at > now() - interval '1 day'
      -- More than the whole site may cause are not read: then its own cap is reached.
      order by created_at desc limit (select min(most) from internal.letter_caps where name = 'site' and span = '1 day')
    ), reached as materialized (
      select caps.name
      from caps left join latest on latest.created_at > caps.since and case caps.name
        when 'mailbox' then is_mailbox when 'domain' then is_domain when 'address' then is_address when 'flagged' then is_flagged
        else true end
      group by caps.name, caps.since, caps.most having count(latest.created_at) >= caps.most
    )
    select name from reached
    -- A domain that many customers are with is no one person's.
    where case when name = 'domain' then not internal.has_ten_customers(internal.mail_host_of(mailbox)) else true end
    -- The site's last: it is the owner's worry, the others are the sender's.
    order by name = 'site' limit 1
  );
end
$$;

create function internal.count_letter(message jsonb, mailbox text) returns internal.visitor_letters
  language sql stable
  set search_path = ''
as $$
  select message ->> 'dedupe_key', sha256(convert_to(mailbox, 'UTF8')),
         sha256(convert_to(internal.capped_domain_of(mailbox), 'UTF8')), origin.address_digest,
         coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}', null::text, now()
  from (values (message)) as asked
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id
$$;

create function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  language plpgsql
  -- The server has no right to write visitor_letters and emails.
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.mailbox_of(message ->> 'recipient_email');
  letter internal.visitor_letters;
  written uuid;
begin
  if not exists (select from internal.email_kinds known where known.kind = message ->> 'kind' and is_confirmation) then
    raise exception 'No visitor causes an e-mail of kind %.', message ->> 'kind' using errcode = '22023';
  end if;
  -- One at a time: what is counted is what is written.
  perform pg_advisory_xact_lock(hashtextextended('letters to visitors', 0));
  select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  if found then
    return written;
  end if;
  letter := internal.count_letter(message, mailbox);
  letter.refused_because := case when is_capped then internal.reached_letter_cap(letter, mailbox) end;
  insert into internal.visitor_letters select letter.*
    on conflict (dedupe_key) do update
    set refused_because = excluded.refused_because, created_at = excluded.created_at;
  if letter.refused_because is not null then
    return null;
  end if;
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
    booking_id, appointment_at, quote_request_id, next_attempt_at
  ) values (
    message ->> 'kind', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'booking_id')::uuid, (message ->> 'appointment_at')::timestamp, (message ->> 'quote_request_id')::uuid,
    coalesce((message ->> 'next_attempt_at')::timestamptz, now())
  ) returning id into written;
  return written;
end
$$;

create function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when not rules.leaves_at_night and internal.is_night() then 'Not sent in time: it is night.'
    when rules.agrees_with = 'offer' then coalesce(
      internal.outdated_offer_because(email.estimate_id, email.estimate_revision),
      internal.misdirected_offer_because(email.estimate_id, email.recipient_email))
    when rules.agrees_with = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when rules.agrees_with = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.agrees_with = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.person_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;

create function public.claim_email(email_id uuid) returns setof public.emails
  language plpgsql
  -- The server has no right to write emails.
  security definer
  set search_path = ''
as $$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_live_links(email.html_body, email.recipient_email),
      text_body = internal.with_live_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- Also with a mail server set: its addressee does not exist.
    perform public.note_email_left(email_id, 'kept', null);
    return;
  end if;
  outdated := internal.outdated_because(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
end
$$;

create function public.note_email_left(email_id uuid, outcome text, provider_message_id text) returns void
  language plpgsql
  -- The server has no right to write emails, quote_email_logs and quote_requests.
  security definer
  set search_path = ''
as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(note_email_left.provider_message_id, 300)
  where email.id = note_email_left.email_id;
  if outcome = 'sent' then
    perform internal.note_notified(note_email_left.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = note_email_left.email_id;
  -- A quote request is completed once its reply went out, also when it was sent again (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = note_email_left.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$$;

create function public.note_email_failed(email_id uuid, reason text, is_final boolean) returns text
  language sql
  -- The server has no right to write emails.
  security definer
  set search_path = ''
as $$
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- How long to wait after the first, second … failure; after the last wait comes the last attempt.
      '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '24 hours'
    ]::interval[])[email.attempts] end as wait
    from public.emails email join internal.email_kinds rules using (kind)
    where email.id = email_id and email.status in ('queued', 'retrying')
  )
  update public.emails email
  set status = case when outcome.wait is null then 'failed' else 'retrying' end,
      last_error = left(reason, 500), leased_until = null, next_attempt_at = now() + coalesce(outcome.wait, '0')
  from outcome where outcome.id = email.id
  returning email.status
$$;

create function internal.is_sample_email(email public.emails) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where id = email.booking_id and is_sample)
    or exists (select from public.quote_requests where id = email.quote_request_id and is_sample)
    or internal.is_sample_estimate(email.estimate_id)
    or (email.invoice_id is not null
        and exists (select from internal.sample_invoices() sample where sample.invoice_id = email.invoice_id));
end
$$;

create function internal.undelivered_letters() returns setof public.emails
  -- Hardly ever many: who joins them looks each up by index.
  language sql stable rows 10
  set search_path = ''
as $$
  select letter.*
  from public.emails letter
  left join public.bookings booking on booking.id = letter.booking_id
  left join public.quote_requests quote on quote.id = letter.quote_request_id
  where letter.status = 'failed' and letter.kind not in ('owner_notice', 'test_message')
    and letter.created_at > internal.current_instant() - interval '60 days'
    and (letter.booking_id is not null or letter.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.outdated_because(letter) is null
    and not (letter.kind = 'quote_confirmation' and quote.status = 'completed')
    -- One for each index: together they would read all that was written since.
    and not exists (select from public.emails later where later.booking_id = letter.booking_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = letter.quote_request_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = letter.invoice_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
  order by letter.created_at, letter.id limit 50
$$;

create function internal.letters_that_wait() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', letter.id, 'kind', letter.kind, 'recipient_name', letter.recipient_name, 'recipient_email', letter.recipient_email,
      'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', letter.booking_id,
      'appointment_date', booking.appointment_date, 'quote_request_id', letter.quote_request_id, 'created_at', letter.created_at
    ) order by letter.created_at, letter.id), '[]')
    from internal.undelivered_letters() letter
    left join public.bookings booking on booking.id = letter.booking_id
    left join public.quote_requests quote on quote.id = letter.quote_request_id
  );

create function internal.bookings_to_remind(most integer) returns setof public.bookings
  language sql stable
  -- The server has no right to read booking_events.
  security definer
  set search_path = ''
as $$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_night()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Whether its customer wants reminders is known once it is linked.
    and booking.person_id is not null and internal.gets_reminders(booking.person_id)
    -- Whoever chose this time after the hour of reminders knows of it.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- Nor does another length make it another time.
    and not exists (
      select from public.emails letter
      where letter.booking_id = booking.id and letter.kind = 'booking_reminder'
        and letter.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
  limit most
$$;

create function internal.has_letter_of_change(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.emails letter
    where letter.booking_id = booking.id and letter.dedupe_key in (
      'booking:' || booking.id || ':moved:' || booking.calendar_sequence,
      'booking:' || booking.id || ':cancelled:' || booking.calendar_sequence,
      'booking:' || booking.id || ':restored:' || booking.calendar_sequence)
  );

create function internal.with_live_links(body text, recipient_email text) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  alive text := body;
  written text;
  live text;
begin
  for written in
    select distinct token[1] from regexp_matches(body, '/visit/([A-Za-z0-9_-]{43})', 'g') token
  loop
    -- Whoever typed a link that was replaced, into a note or a name, gets no live one for it: only the mailbox that the
    -- appointment was booked with does.
    select public.visit_token(booking.id) into live
    from public.bookings booking
    where booking.id
          = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(booking.customer_email) = lower(with_live_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/visit/' || written, '/visit/' || live);
    end if;
  end loop;
  for written in
    select distinct token[1] from regexp_matches(body, '/estimate/([A-Za-z0-9_-]{43})', 'g') token
  loop
    select internal.estimate_token(estimate.id) into live
    from public.estimates estimate
    where estimate.id = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(estimate.customer_email) = lower(with_live_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/estimate/' || written, '/estimate/' || live);
    end if;
  end loop;
  return alive;
end
$$;

create function internal.capped_domain_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select substring(host from '(?:^|\.)([^.]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.]+))$')
  from internal.mail_host_of(mailbox) as host
  where host not in ('gmail.com', 'proton.me')
$$;

create function internal.has_ten_customers(host text) returns boolean
  language sql stable
  set search_path = ''
as $$
  -- From one mailbox to the next by the index: ten looks, however many appointments each has.
  with recursive found (mailbox, nth) as (
    (
      select internal.mailbox_of(customer_email), 1 from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.mailbox_of(customer_email)) = host
      order by internal.mailbox_of(customer_email) limit 1
    )
    union all
    select (
      select internal.mailbox_of(customer_email) from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.mailbox_of(customer_email)) = host
        and internal.mailbox_of(customer_email) > found.mailbox
      order by internal.mailbox_of(customer_email) limit 1
    ), nth + 1
    from found where mailbox is not null and nth < 10
  )
  select count(mailbox) = 10 from found
$$;

create function internal.was_owner_told() returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- One at a time: whoever asks next sees what this one writes.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where told_at > now() - interval '10 minutes');
end
$$;

create function internal.note_for_owner(dedupe_key text, line text) returns boolean
  language plpgsql
  -- The server has no right to write owner_notices.
  security definer
  set search_path = ''
as $$
declare
  must_wait boolean := internal.was_owner_told();
begin
  must_wait := must_wait or exists (select from internal.owner_notices where told_at is null);
  insert into internal.owner_notices (dedupe_key, line, told_at)
  values (note_for_owner.dedupe_key, note_for_owner.line, case when not must_wait then now() end)
  on conflict do nothing;
  return found and not must_wait;
end
$$;

create function internal.take_owner_notices() returns table (line text)
  language plpgsql
  -- The server has no right to write owner_notices.
  security definer
  set search_path = ''
as $$
begin
  if internal.was_owner_told() then
    return;
  end if;
  return query
    with taken as (
      update internal.owner_notices notice set told_at = now() where notice.told_at is null
      returning notice.line, notice.noted_at
    )
    select taken.line from taken order by taken.noted_at;
end
$$;

-- Notifications to all processes of the site when records change: ids only, whoever listens reads with rights of its own.

create function internal.tell_person_changed() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read cars.
  security definer
  set search_path = ''
as $$
declare
  row_now constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  row_then constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  person uuid;
begin
  foreach person in array array[
    coalesce(row_now ->> 'person_id', (select car.person_id::text from public.cars car where car.id::text = row_now ->> 'car_id'),
             row_now ->> 'id')::uuid,
    (row_then ->> 'person_id')::uuid, (row_now ->> 'merged_into')::uuid
  ] loop
    if person is not null then
      perform pg_notify('people_changed', person::text);
    end if;
  end loop;
  return null;
end
$$;

create function internal.announce_invoice() returns trigger
  language plpgsql
  -- Whoever writes the row needs no right for the announcement.
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('invoices_changed', new.invoice_id);
  return null;
end
$$;

create function internal.announce_quote() returns trigger
  language plpgsql
  -- Whoever writes the row needs no right for the announcement.
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;

create function internal.end_data_session() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write auth.sessions.
  security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- A hosted project that keeps its sessions to itself: there its own interface ends them.
  return null;
end
$$;

create function internal.is_active_admin(admin_id uuid, at timestamptz) returns boolean
  language sql stable
  -- The server has no right to read auth.users.
  security definer
  set search_path = ''
  return exists (
    select from auth.users
    where id = admin_id
      and raw_app_meta_data ->> 'role' = 'admin'
      and (banned_until is null or banned_until <= at)
  );

-- What the dashboard reads at once: Today, the day view, and the search over all records.

create function internal.bays_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', bay.id, 'name', bay.name, 'position', bay.position, 'is_active', bay.is_active, 'technician', bay.technician,
      'service_ids', (select jsonb_agg(service_id order by service_id) from public.bay_services where bay_id = bay.id),
      'open', internal.minutes_of_day(day, internal.open_spans(day, bay.id))
    ) order by bay.position), '[]')
    from public.bays bay
  );

create function internal.closures_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'bay_id', bay_id, 'starts_at', starts_at, 'ends_at', ends_at, 'is_open', is_open, 'reason', reason
    ) order by starts_at, id), '[]')
    from public.closures where span && tsrange(day, day + 1)
  );

create function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'vehicle_facts', internal.vehicle_facts(booking),
    'will_come', booking.answered_at is not null,
    'needs_notification', internal.needs_notification(booking),
    'notified_starts_at', booking.notified_starts_at, 'notified_cancelled', booking.notified_cancelled,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'person_id', booking.person_id, 'car_id', booking.car_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );

create function public.read_day(day date) returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  longest_days constant integer := 14;
  most constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.closures_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- By the index of dates: one that began earlier is at most as long as any may be.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit most
      ) booking
    )
  );
end
$$;

create function internal.cars_here(moment timestamp) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where appointment_date >= moment::date - 28 and upper(occupied) > moment::date - 14
    and status = 'arrived' and completed_at is null
    and internal.vehicle_state(internal.vehicle_facts(booking)) = 'here'
$$;

create function internal.misfits_ahead() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(misfit) order by appointment_date, appointment_time, booking_id), '[]')
    from (
      select booking_id, appointment_date, appointment_time, duration_minutes, customer_name, service_name, problem
      from public.misfits order by appointment_date, appointment_time, booking_id limit 500
    ) misfit
  );

create function internal.held_appointments() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'customer_name', customer_name, 'service_name', service_name, 'starts_at', lower(occupied),
      'held_until', held_until
    ) order by held_until, id), '[]')
    from (
      select * from public.bookings
      where held_until > internal.current_instant() and status not in ('cancelled', 'not_confirmed') and completed_at is null
      order by held_until, id limit 50
    ) held
  );

create function internal.tasks_with_customers() returns jsonb
  language sql stable
  set search_path = ''
  return (
    with waiting as (
      select task.id, task.title, task.booking_id, booking.customer_name, task.ready_for_pickup_at is not null as is_ready,
             case when booking.id is not null then internal.vehicle_facts(booking)
                  -- Without a booking the task is all that is known of a vehicle that is here.
                  else jsonb_build_object('bookingState', 'in_work', 'hold', 'none', 'isPaid', false, 'tasks', jsonb_build_array(
                    jsonb_build_object('status', task.status, 'isReady', task.ready_for_pickup_at is not null))) end as facts,
             coalesce(task.ready_for_pickup_at,
                      (select max(created_at) from public.task_status_history
                       where task_id = task.id and new_status = 'waiting_on_customer' and old_status <> new_status),
                      task.created_at) as since
      from public.tasks task left join public.bookings booking on booking.id = task.booking_id
      where task.status = 'waiting_on_customer' or task.ready_for_pickup_at is not null
    ),
    shown as (
      select distinct on (coalesce(booking_id, id), is_ready) *
      from waiting
      where internal.vehicle_state(facts) = any (case when is_ready then array['ready', 'ready_and_paid']
        else array['held', 'expected', 'here', 'in_work', 'waiting_on_parts', 'waiting_on_customer'] end)
      order by coalesce(booking_id, id), is_ready, since desc, id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'customer_name', customer_name, 'vehicle_facts', facts, 'since', since
    ) order by since, id), '[]')
    from (select * from shown order by since, id limit 50) oldest
  );

create function internal.payments_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(kind)), '[]')
    from (
      select outcome, currency, count(*)::integer as payments, sum(amount_cents)::bigint as cents
      from public.payments, (select time_zone from public.shop) shop
      where paid_at >= day::timestamp at time zone shop.time_zone
        and paid_at < (day + 1)::timestamp at time zone shop.time_zone
      group by outcome, currency order by outcome, currency
    ) kind
  );

create function public.read_today() returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return public.read_day(today) || jsonb_build_object(
    'instant', internal.current_instant(),
    'also_here', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from internal.vehicles_of_other_days(today) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'name', name, 'vehicle_year', vehicle_year, 'vehicle_make', vehicle_make, 'vehicle_model', vehicle_model,
        'service_type', service_type, 'created_at', created_at) order by created_at, id), '[]')
      from internal.unanswered_quotes()),
    'letters', internal.letters_that_wait(),
    'to_notify', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'customer_name', customer_name, 'customer_email', customer_email, 'customer_phone', customer_phone,
        'starts_at', lower(occupied), 'is_cancelled', status = 'cancelled') order by appointment_date, appointment_time, id), '[]')
      from internal.bookings_to_notify()),
    'misfits', internal.misfits_ahead(),
    'held', internal.held_appointments(),
    'tasks', internal.tasks_with_customers(),
    'payments', internal.payments_of_day(today),
    'week', internal.cars_of_week(date_trunc('week', today)::date)
  );
end
$$;

create function public.somebody_waits() returns boolean
  language plpgsql stable
  -- The admin has no right to call cars_here, unanswered_quotes and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return exists (select from internal.cars_here(internal.shop_now()))
    or exists (select from internal.unanswered_quotes())
    or exists (select from internal.undelivered_letters())
    or exists (select from internal.bookings_to_notify())
    or exists (select from public.misfits);
end
$$;

create function internal.all_words(words text[]) returns text
  language sql immutable
  set search_path = ''
  return (select string_agg(internal.search_condition(word), ' and ') from unnest(words) word);

create function internal.people_words(term text) returns text[]
  language sql immutable
  set search_path = ''
  -- The country code is not in a number that was stored without it.
  return array(select regexp_replace(word, '^1(?=[0-9]{10}$)', '') from unnest(internal.search_words(term)) word);

create function internal.search_people(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.people_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- What a name begins with, and so its line to look through.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, search_text, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where person_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.people where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index knows one or two letters within a name: they are looked for among those who came last.
    case when longest < 3 then format('(select * from public.people order by created_at desc limit %s)', latest) else 'public.people' end,
    internal.all_words(words),
    case when is_one_word and longest >= 3 then format(
      'union all select people.* from (select distinct person_id from public.person_contacts where %s limit %s) contact
       join public.people on people.id = contact.person_id and merged_into is null and erased_at is null',
      replace(internal.all_words(words), 'search_text', 'key'), candidates) || case when words[1] like '%@%' then format(
        -- Whose record was typed online with it, although it is no address of theirs yet.
        ' union all select people.* from (
           (select person_id from public.bookings where %1$s limit %3$s)
           union (select person_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.people on people.id = typed.person_id and merged_into is null and erased_at is null',
        internal.all_words(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, most);
end
$$;

create function internal.search_cars(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.plain(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.plain(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- The signs in a number stand in no plate as they do there.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, person_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.cars where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(person_id) limit %4$s',
    compact, case when is_number then 'false' else internal.all_words(words) end, '%' || compact || '%', most, candidates);
end
$$;

create function internal.search_visits(term text, most integer) returns table (person_id uuid, car_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.people_words(term);
begin
  if cardinality(words) < 2 or (select max(length(word)) from unnest(words) word) < 3 then
    return;
  end if;
  return query execute format(
    'select person_id, car_id from (
       select * from (select person_id, car_id, appointment_date from public.bookings where %1$s limit %3$s) found
       order by appointment_date desc limit %3$s
     ) newest where not internal.is_erased(person_id) limit %2$s', internal.all_words(words), most, 200);
end
$$;

create function internal.search_documents(term text, people uuid[], most integer)
  returns table (kind text, id text, number text, made_at timestamptz)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.plain(left(term, 100)), '\s+'), '');
  has_text constant boolean := coalesce((select max(length(word)) from unnest(words) word), 0) >= 3;
begin
  return query execute format(
    'select kind, id, number, made_at from (
       (select ''estimate'' as kind, id::text, number, created_at as made_at from public.estimates
        where person_id = any ($1) order by created_at desc limit %1$s)
       union (select ''estimate'', id::text, number, created_at from public.estimates where %2$s limit %1$s)
       union (select ''invoice'', invoice_id, number, made_at from public.invoice_links
              where person_id = any ($1) order by made_at desc limit %1$s)
       union (select ''invoice'', invoice_id, number, made_at from public.invoice_links where %2$s limit %1$s)
     ) found order by internal.plain(number) = %3$L desc, made_at desc, id limit %1$s',
    most, case when has_text then internal.all_words(words) else 'false' end, internal.plain(trim(term)))
  using people;
end
$$;

create function internal.describe_found_person(person public.people, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', person.id, 'name', person.name, 'phone', person.phone, 'email', person.email,
      'cars', (select count(*) from public.cars where person_id = person.id and merged_into is null),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'lastVisit', max(booking.appointment_date) filter (where internal.has_come(booking, today)),
      'nextVisit', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_ahead(booking)),
      'askedOn', (select max(created_at) from public.quote_requests where person_id = person.id),
      'maybeSame', internal.maybe_same_people(person) <> '[]')
    from (select * from public.bookings known where known.person_id = person.id order by appointment_date desc limit 200) booking
  );

create function internal.describe_found_document(kind text, id text) returns jsonb
  language sql stable
  set search_path = ''
  return case kind
    when 'estimate' then (
      select internal.describe_known_estimate(estimate) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)
      from public.estimates estimate where estimate.id = describe_found_document.id::uuid)
    else (
      select internal.describe_known_invoice(links) || jsonb_build_object('kind', 'invoice', 'name', links.customer_name)
      from public.invoice_links links where links.invoice_id = describe_found_document.id)
  end;

create function public.search_everything(term text, most integer default 5) returns jsonb
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  at_most constant integer := least(greatest(coalesce(most, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- What a visit's own id begins with, as its story and its letters name it.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  people uuid[];
  cars uuid[];
  visits uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  people := array(select internal.search_people(term, at_most));
  cars := array(select internal.search_cars(term, at_most));
  if people = '{}' and cars = '{}' then
    select coalesce(array_agg(distinct person_id) filter (where person_id is not null), '{}'),
           coalesce(array_agg(distinct car_id) filter (where car_id is not null), '{}')
    into people, cars from internal.search_visits(term, at_most);
  else
    cars := cars || array(
      select car.id from public.cars car where car.person_id = any (people) and car.merged_into is null and car.id <> all (cars)
      order by car.created_at desc limit greatest(at_most - cardinality(cars), 0));
  end if;
  visits := array(
    select id from (
      (select id, occupied from public.bookings where person_id = any (people) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where car_id = any (cars) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, people, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(internal.describe_found_person(person, today) order by place), '[]')
      from unnest(people) with ordinality as ranked (id, place) join public.people person on person.id = ranked.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_car(car) || jsonb_build_object('personName', person.name) order by place), '[]')
      from unnest(cars) with ordinality as ranked (id, place)
      join public.cars car on car.id = ranked.id join public.people person on person.id = car.person_id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_visit(booking) || jsonb_build_object(
        'personId', booking.person_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(visits[1:at_most]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_found_document(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= at_most),
    'counts', jsonb_build_object('visits', cardinality(visits), 'documents', jsonb_array_length(documents)));
end
$$;

create function internal.is_at_shop(state text) returns boolean
  language sql immutable
  set search_path = ''
  return state in ('here', 'in_work', 'waiting_on_parts', 'waiting_on_customer', 'ready', 'ready_and_paid');

create function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  -- By the index of dates: an appointment is at most 14 days long.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$$;

create function stripe_sandbox.forget_invoices(numbers text[]) returns text[]
  language plpgsql
  set search_path = ''
as $$
declare
  gone text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  gone_customers constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (gone));
  forgotten_events text[];
begin
  gone := gone || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (gone)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (gone));
  gone := gone || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (gone)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (gone));
  gone := gone || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (gone));
  -- A customer whom the shop has made an invoice of its own for stays.
  gone := gone || array(
    select wanted from unnest(gone_customers) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (gone)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (gone);
  forgotten_events := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (gone));
  -- In the order in which whoever delivers one takes them: delivery, event.
  delete from stripe_sandbox.event_deliveries where event_id = any (forgotten_events);
  delete from stripe_sandbox.objects where id = any (gone || forgotten_events);
  return forgotten_events;
end
$$;

create function internal.has_real_records() returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where not is_sample)
    or exists (select from public.quote_requests where not is_sample)
    or exists (select from public.tasks where not is_sample)
    or exists (select from public.estimates where not is_sample)
    or exists (select from internal.assigned_invoice_numbers assigned
               where not exists (select from internal.sample_invoices() sample where sample.number = assigned.number))
    or exists (select from public.payments payment
               where not exists (select from internal.sample_invoices() sample where sample.invoice_id = payment.invoice_id));
end
$$;

create function internal.can_fill_sample_week() returns boolean
  language sql stable
  -- The server has no right to call has_real_records.
  security definer
  set search_path = ''
  return not internal.has_real_records() and (select sample_week_id is null from internal.shop_setup);

create function internal.begin_sample_week() returns uuid
  language plpgsql
  -- The server has no right to call has_real_records.
  security definer
  set search_path = ''
as $$
declare
  week uuid;
begin
  -- Nobody books while it is decided.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if internal.has_real_records() then
    return null;
  end if;
  update internal.shop_setup set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$$;

create function internal.sample_place(day date, wished_time time, service public.services)
  returns table (starts_at timestamp, bay_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  takes constant interval := service.duration_minutes * interval '1 minute';
begin
  return query
    select start, bay.id
    from public.bays bay, unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - takes, interval '30 minutes') start
    where bay.is_active and internal.can_do(bay.id, service.id) and not internal.is_taken(bay.id, tsrange(start, start + takes))
    order by abs(extract(epoch from start - (day + wished_time))), bay.position
    limit 1;
end
$$;

create function internal.add_sample_booking(visit jsonb) returns setof public.bookings
  language sql
  -- The server has no right to write bookings.
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

create function internal.add_sample_quote(quote jsonb) returns void
  language sql
  -- The server has no right to write quote_requests.
  security definer
  set search_path = ''
as $$
  insert into public.quote_requests (
    is_sample, id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, created_at)
  values (
    true, (quote ->> 'id')::uuid, quote ->> 'name', quote ->> 'email', quote ->> 'phone', quote ->> 'year', quote ->> 'make',
    quote ->> 'model', quote ->> 'serviceType', quote ->> 'description', (quote ->> 'createdAt')::timestamptz)
$$;

create function internal.add_sample_task(task jsonb) returns void
  language sql
  -- The server has no right to write tasks, task_status_history and task_notes.
  security definer
  set search_path = ''
as $$
  insert into public.tasks (
    is_sample, id, title, description, priority, status, assigned_to, due_date, booking_id, created_at, completed_at,
    ready_for_pickup_at)
  values (
    true, (task ->> 'id')::uuid, task ->> 'title', task ->> 'description', task ->> 'priority', task ->> 'status',
    (
      select employee.id
      from (select id, row_number() over (order by name) as number from public.employees where is_active) employee
      where employee.number = (task ->> 'employee')::integer),
    (task ->> 'dueDate')::date, (task ->> 'bookingId')::uuid, (task ->> 'createdAt')::timestamptz,
    (task ->> 'completedAt')::timestamptz, (task ->> 'readyAt')::timestamptz);
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by_name, created_at)
  select (task ->> 'id')::uuid, "from", "to", note, "by", "at"
  from jsonb_to_recordset(task -> 'changes') as change("from" text, "to" text, note text, "by" text, "at" timestamptz);
  insert into public.task_notes (task_id, note, created_by_name, created_at)
  select (task ->> 'id')::uuid, note, "by", "at"
  from jsonb_to_recordset(task -> 'notes') as written(note text, "by" text, "at" timestamptz)
$$;

create function internal.end_sample_week() returns void
  language sql
  -- The server has no right to call is_sample_email.
  security definer
  set search_path = ''
as $$
  update public.emails email set status = 'kept', sent_at = coalesce(sent_at, now()), leased_until = null
  where status in ('queued', 'retrying') and internal.is_sample_email(email);
  update internal.shop_setup set sample_filled_at = now()
$$;

create function internal.remove_sample_week() returns void
  language plpgsql
  -- The server has no right to write emails, payments and others.
  security definer
  set search_path = ''
as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  forgotten_events text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- What was made of a sample appointment is about somebody who does not exist.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.kept_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_people();
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.shop_setup set sample_week_id = null, sample_filled_at = null;
end
$$;

create function internal.mark_sample_estimate() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_sample := new.is_sample or exists (select from public.bookings where id = new.booking_id and is_sample)
    or exists (select from public.quote_requests where id = new.quote_request_id and is_sample);
  return new;
end
$$;

create function internal.is_sample_estimate(wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.estimates where id = wanted_id and is_sample);

create function internal.add_sample_estimate(estimate jsonb) returns void
  language plpgsql
  -- The server has no right to write estimates, estimate_revisions and kept_jobs.
  security definer
  set search_path = ''
as $$
declare
  made public.estimates;
  frozen public.estimate_revisions;
begin
  insert into public.estimates (
    is_sample, thread_id, booking_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
    vehicle_plate, odometer_miles, created_by, changed_by)
  select true, booking.thread_id, booking.id, booking.customer_name, coalesce(booking.customer_email, ''), booking.customer_phone,
    coalesce(booking.vehicle_year, ''), coalesce(booking.vehicle_make, ''), coalesce(booking.vehicle_model, ''),
    estimate ->> 'plate', (estimate ->> 'odometerMiles')::integer, 'admin', 'admin'
  from public.bookings booking where booking.id = (estimate ->> 'bookingId')::uuid
  returning * into made;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  select made.id, 1, estimate ->> 'customerNote', internal.shop_now()::date + good_for_days,
    internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.write_jobs(made.id, 1, estimate -> 'jobs');
  insert into public.kept_jobs (title, job, is_sample)
  select job ->> 'title', job - 'key', true from jsonb_array_elements(estimate -> 'jobs') job
  on conflict (title) do nothing;
  frozen := internal.freeze(made);
  update public.estimate_revisions revision set sent_at = frozen.frozen_at where revision.estimate_id = made.id;
  if estimate ? 'approved' then
    perform internal.answer_offer(
      made.id, frozen.hash, array(select jsonb_array_elements_text(estimate -> 'approved'))::uuid[], made.customer_name, '', false);
  end if;
end
$$;

create function internal.remove_sample_people() returns void
  language sql
  set search_path = ''
as $$
  delete from public.invoice_links where internal.is_sample_invoice(number);
  delete from public.cars car
  where (is_sample or exists (select from public.people where id = car.person_id and is_sample))
    and not exists (select from public.bookings where car_id = car.id)
    and not exists (select from public.quote_requests where car_id = car.id)
    and not exists (select from public.estimates where car_id = car.id)
    and not exists (select from public.invoice_links where car_id = car.id)
    and not exists (select from public.cars where merged_into = car.id);
  delete from public.people person
  where is_sample and not exists (select from public.bookings where person_id = person.id)
    and not exists (select from public.quote_requests where person_id = person.id)
    and not exists (select from public.estimates where person_id = person.id)
    and not exists (select from public.invoice_links where person_id = person.id)
    and not exists (select from public.cars where person_id = person.id)
    and not exists (select from public.people where merged_into = person.id);
$$;

create index closures_by_span on public.closures using gist (span);

create index closures_of_bay on public.closures (bay_id);

create index bay_services_by_service on public.bay_services (service_id);

create index settings_history_of_section on public.settings_history (section, id desc);

-- What an earlier version of the site took stays as it is.
alter table public.employees
  add constraint employees_email_is_an_address check (internal.is_email_address(email)) not valid;

create index people_by_search_text on public.people
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create index people_by_name on public.people (search_text text_pattern_ops) where merged_into is null;

create index people_newest_first on public.people (created_at desc);

create index people_merged on public.people (merged_into) where merged_into is not null;

create index person_contacts_by_key on public.person_contacts (kind, key, id);

create index person_contacts_of_person on public.person_contacts (person_id);

create index person_contacts_by_part on public.person_contacts
  using gin (key extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create index person_notes_of_person on public.person_notes (person_id, created_at desc);

create index different_people_of_other on public.different_people (other_id);

create index cars_of_person on public.cars (person_id, car_key);

create index cars_by_search_text on public.cars
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create index cars_merged on public.cars (merged_into) where merged_into is not null;

create index odometer_readings_of_car on public.odometer_readings (car_id, read_on desc);

create index odometer_readings_of_booking on public.odometer_readings (booking_id) where booking_id is not null;

create index record_merges_of_kept on public.record_merges (kept_id);

create index record_merges_of_gone on public.record_merges (gone_id);

create index record_merges_of_part on public.record_merges (part_of) where part_of is not null;

create index erasures_latest_first on public.erasures (erased_at desc);

create index bookings_by_date on public.bookings (appointment_date, appointment_time);

create index bookings_by_service on public.bookings (service_id);

-- The list reads open appointments in order, and completed ones newest first, a page at a time.
create index bookings_open_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null;

create index bookings_completed_by_date on public.bookings (appointment_date desc, appointment_time desc)
  where completed_at is not null;

-- A confirmation is sent for what was booked in the last minutes only.
create index bookings_newest_first on public.bookings (created_at desc);

create index bookings_held on public.bookings (held_until) where held_until is not null;

-- What the dashboard folds away, and leaves out when it counts.
create index bookings_gone_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null and status in ('cancelled', 'not_confirmed');

create index bookings_open_by_mailbox on public.bookings (internal.mailbox_of(customer_email), appointment_date)
  where completed_at is null and status not in ('cancelled', 'not_confirmed');

create index bookings_not_placed on public.bookings (appointment_date) where bay_id is null;

create index bookings_by_search_text on public.bookings
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

-- What a caller had done here before.
create index bookings_by_phone on public.bookings (internal.canonical_phone(customer_phone), appointment_date desc);

create index bookings_by_thread on public.bookings (thread_id);

create index bookings_of_person on public.bookings (person_id, appointment_date desc);

create index bookings_of_car on public.bookings (car_id, appointment_date desc);

-- What is left of the time before people were known: empty from when it is linked.
create index bookings_without_person on public.bookings (created_at, id) where person_id is null;

create index bookings_outdated_notification on public.bookings (appointment_date) where is_notification_outdated;

create index bookings_completed_by_mail_host
  on public.bookings (internal.mail_host_of(internal.mailbox_of(customer_email)), internal.mailbox_of(customer_email))
  where completed_at is not null and not is_sample;

create index booking_events_of_booking on public.booking_events (booking_id, id);

create index bay_hours_of_bay on internal.bay_hours (bay_id);

create index form_token_uses_oldest_first on internal.form_token_uses (used_at);

create index form_origins_by_token on internal.form_origins (token_digest) where token_digest is not null;

create index form_origins_by_address on internal.form_origins (address_digest) where token_digest is null;

-- All counts of a day read this index alone; the job that forgets old rows reads the table.
create index form_origins_counted on internal.form_origins (created_at)
  include (address_digest, network_56_digest, network_48_digest, network_24_digest) where is_counted;

create index link_requests_waiting on internal.link_requests (asked_at) where mailbox is not null;

create index tasks_newest_first on public.tasks (created_at desc);

create index tasks_by_completion on public.tasks (completed_at desc) where completed_at is not null;

create index tasks_by_booking on public.tasks (booking_id);

create index tasks_by_assignee on public.tasks (assigned_to);

create index tasks_with_the_customer on public.tasks (created_at)
  where status = 'waiting_on_customer' or ready_for_pickup_at is not null;

create index task_status_history_of_task on public.task_status_history (task_id, created_at desc);

create index task_notes_of_task on public.task_notes (task_id, created_at desc);

create index quote_requests_newest_first on public.quote_requests (created_at desc);

create index quote_requests_as_listed on public.quote_requests (status, looks_automated, created_at desc);

create index quote_requests_by_thread on public.quote_requests (thread_id);

create index quote_requests_of_person on public.quote_requests (person_id, created_at desc);

create index quote_requests_of_car on public.quote_requests (car_id);

create index quote_requests_without_person on public.quote_requests (created_at, id) where person_id is null;

create index quote_requests_by_email on public.quote_requests (lower(trim(email)));

create index quote_email_logs_of_request on public.quote_email_logs (quote_request_id, created_at desc);

create unique index quote_email_logs_of_email on public.quote_email_logs (email_id);

create index estimates_by_booking on public.estimates (booking_id);

create index estimates_by_quote on public.estimates (quote_request_id);

create index estimates_by_thread on public.estimates (thread_id);

create index estimates_latest_first on public.estimates (changed_at desc);

create index estimates_of_person on public.estimates (person_id, created_at desc);

create index estimates_of_car on public.estimates (car_id);

create index estimates_by_search_text on public.estimates
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create unique index estimate_revisions_one_draft on public.estimate_revisions (estimate_id) where frozen_at is null;

create index estimate_events_of_estimate on public.estimate_events (estimate_id, id);

create index authorizations_of_estimate on public.authorizations (estimate_id, job_key, id desc);

create index authorizations_latest on public.authorizations (recorded_at desc);

create unique index authorizations_withdrawn_once on public.authorizations (withdraws_id);

create unique index estimate_invoices_one_an_estimate on public.estimate_invoices (estimate_id) where state in ('claimed', 'made');

create unique index estimate_invoices_of_invoice on public.estimate_invoices (invoice_id);

create index estimate_invoices_claimed on public.estimate_invoices (claimed_at) where state = 'claimed';

create index invoice_links_of_person on public.invoice_links (person_id, made_at desc);

create index invoice_links_of_car on public.invoice_links (car_id) where car_id is not null;

create index invoice_links_of_booking on public.invoice_links (booking_id) where booking_id is not null;

create index invoice_links_by_search_text on public.invoice_links
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

-- Who reads an invoice's number off paper types it in any case. The processor's search compares without
-- regard to case; so do our own index of numbers and the sandbox that stands in for the processor.
create index invoice_numbers_in_any_case on internal.invoice_numbers (lower(number));

create index payments_of_invoice on public.payments (invoice_id);

create index payments_by_time on public.payments (paid_at desc);

create index stripe_events_by_age on internal.stripe_events (handled_at);

create index emails_to_send on public.emails (next_attempt_at) where status in ('queued', 'retrying');

create index emails_of_booking on public.emails (booking_id) where booking_id is not null;

create index emails_of_quote_request on public.emails (quote_request_id) where quote_request_id is not null;

create index emails_of_invoice on public.emails (invoice_id) where invoice_id is not null;

create index emails_of_recipient on public.emails (lower(recipient_email), created_at desc);

create index emails_newest_first on public.emails (created_at desc);

create index emails_failed on public.emails (created_at) where status = 'failed';

create index emails_of_estimate on public.emails (estimate_id) where estimate_id is not null;

create index visitor_letters_newest_first on internal.visitor_letters (created_at desc);

create index visitor_letters_counted on internal.visitor_letters (created_at)
  include (mailbox_digest, domain_digest, address_digest, is_flagged) where refused_because is null;

create index owner_notices_waiting on internal.owner_notices (noted_at) where told_at is null;

create index owner_notices_told on internal.owner_notices (told_at);

create index admin_sessions_user_id_idx on internal.admin_sessions (user_id);

create index admin_sessions_expires_at_idx on internal.admin_sessions (expires_at);

-- Where the auth service is ours, the tie holds at both ends: a session that has just been ended cannot be tied to a
-- cookie any more. A hosted project's auth service owns its tables, and nobody else may refer to them.
do $$
begin
  if (select pg_has_role(relowner, 'usage') from pg_class where oid = 'auth.sessions'::regclass) then
    alter table internal.admin_data_sessions
      add foreign key (data_session_id) references auth.sessions on delete cascade;
  end if;
end
$$;

create index admin_data_sessions_token_hash_idx
  on internal.admin_data_sessions (token_hash, created_at);

create index known_browsers_username_idx on internal.known_browsers (username, trusted_at);

create index known_browsers_trusted_until_idx on internal.known_browsers (trusted_until);

create index sign_in_codes_user_id_idx on internal.sign_in_codes (user_id);

create index rate_limits_resets_at_idx on internal.rate_limits (resets_at);

create index objects_newest_first on stripe_sandbox.objects (object, seq desc);

create index objects_by_content on stripe_sandbox.objects using gin (data jsonb_path_ops);

create index open_sessions_by_expiry on stripe_sandbox.objects (((data ->> 'expires_at')::bigint))
  where object = 'checkout.session' and data ->> 'status' = 'open';

create index objects_by_number on stripe_sandbox.objects (lower(data ->> 'number')) where object = 'invoice';

create index idempotency_keys_by_age on stripe_sandbox.idempotency_keys (created);

create index event_deliveries_due on stripe_sandbox.event_deliveries (next_attempt_at)
  where next_attempt_at is not null;

insert into public.shop (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, appointment_minutes, quote_reply_hours
) values (
  'Torque & Timing', 'Torque & Timing Auto Repair', 'Auto Repair & Performance', 'Fixed right. Ready on time.',
  'Brakes, engines, transmissions and the small things in between. You see the price before we start.',
  '2130 Example Way', 'Mountain View', 'CA', '94043', 'US', 37.4189, -122.0864, 'America/Los_Angeles',
  '+16505550142', '+16505550188', 'support@torqueandtiming.example', 'billing@torqueandtiming.example',
  'hello@torqueandtiming.example', 75, 24
)
on conflict do nothing;

insert into public.booking_rules default values on conflict do nothing;

insert into public.opening_hours (weekday, opens_minute, closes_minute) values
  (0, 510, 1260), (1, 660, 1140), (2, 660, 1140), (3, 660, 1140),
  (4, 510, 1260), (5, 510, 1260), (6, 510, 1260)
on conflict do nothing;

insert into public.bays (name, position)
select 'Bay 1', 1 where not exists (select from public.bays);

insert into public.settings_versions (section)
values ('shop'), ('rules'), ('hours'), ('closures'), ('bays'), ('services'), ('team')
on conflict do nothing;

insert into public.settings_versions (section) values ('estimates')
on conflict do nothing;

insert into internal.shop_setup default values on conflict do nothing;

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('person', 'public.bookings', 'person_id', 'id', 'moves'),
  ('person', 'public.quote_requests', 'person_id', 'id', 'moves'),
  ('person', 'public.invoice_links', 'person_id', 'invoice_id', 'moves'),
  ('person', 'public.cars', 'person_id', 'id', 'moves'),
  ('person', 'public.person_contacts', 'person_id', 'id', 'moves'),
  ('person', 'public.person_notes', 'person_id', 'id', 'moves'),
  -- An old id leads on, step by step; who is another than one was another than that one.
  ('person', 'public.people', 'merged_into', 'id', 'stays'),
  ('person', 'public.different_people', 'person_id', 'person_id', 'stays'),
  ('person', 'public.different_people', 'other_id', 'other_id', 'stays'),
  ('car', 'public.bookings', 'car_id', 'id', 'moves'),
  ('car', 'public.quote_requests', 'car_id', 'id', 'moves'),
  ('car', 'public.invoice_links', 'car_id', 'invoice_id', 'moves'),
  ('car', 'public.odometer_readings', 'car_id', 'id', 'moves'),
  ('car', 'public.cars', 'merged_into', 'id', 'stays')
on conflict do nothing;

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('person', 'public.estimates', 'person_id', 'id', 'moves'),
  ('car', 'public.estimates', 'car_id', 'id', 'moves')
on conflict do nothing;

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where)
select table_name, column_name, 'replaced', 'searched for what names the customer', label, row_key, owner, subject, longest,
  coalesce(only_where, 'true')
from (values
  ('public.bookings', 'notes', 'Customer''s notes', 'one.id::text', 'one.person_id',
    $$one.customer_name || to_char(one.appointment_date, ', FMMon FMDD, YYYY')$$, 2000, null),
  ('public.bookings', 'shop_note', 'Shop note', 'one.id::text', 'one.person_id',
    $$one.customer_name || to_char(one.appointment_date, ', FMMon FMDD, YYYY')$$, 500, null),
  ('public.booking_events', 'reason', 'Appointment history', 'one.id::text',
    '(select booking.person_id from public.bookings booking where booking.id = one.booking_id)',
    $$(select booking.customer_name || to_char(booking.appointment_date, ', FMMon FMDD, YYYY')
       from public.bookings booking where booking.id = one.booking_id)$$, 300, null),
  ('public.quote_requests', 'description', 'Quote request', 'one.id::text', 'one.person_id', 'one.name', 5000, null),
  ('public.tasks', 'title', 'Task title', 'one.id::text', 'internal.customer_of_task(one)', 'null::text', 200, null),
  ('public.tasks', 'description', 'Task description', 'one.id::text', 'internal.customer_of_task(one)', 'one.title', 5000, null),
  ('public.tasks', 'customer_note', 'Task note for the customer', 'one.id::text', 'internal.customer_of_task(one)', 'one.title', 80, null),
  ('public.task_notes', 'note', 'Task note', 'one.id::text',
    '(select internal.customer_of_task(task) from public.tasks task where task.id = one.task_id)',
    '(select task.title from public.tasks task where task.id = one.task_id)', 2000, null),
  ('public.task_status_history', 'note', 'Task history', 'one.id::text',
    '(select internal.customer_of_task(task) from public.tasks task where task.id = one.task_id)',
    '(select task.title from public.tasks task where task.id = one.task_id)', 2000, null),
  ('public.person_notes', 'note', 'Note on a customer', 'one.id::text', 'one.person_id',
    '(select person.name from public.people person where person.id = one.person_id)', 1000, null),
  ('public.cars', 'note', 'Note on a vehicle', 'one.id::text', 'one.person_id', $$concat_ws(' ', one.year, one.make, one.model)$$, 1000, null),
  ('public.estimates', 'internal_note', 'Internal note of an estimate', 'one.id::text', 'one.person_id',
    $$one.number || ', ' || one.customer_name$$, 2000, null),
  ('public.estimate_revisions', 'customer_note', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 2000, 'one.frozen_at is null'),
  ('public.estimate_jobs', 'title', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision || ' ' || one.key$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 120,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_jobs', 'plain_words', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision || ' ' || one.key$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 1000,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_lines', 'description', 'Estimate that was not sent',
    $$one.estimate_id || ' ' || one.revision || ' ' || one.job_key || ' ' || one.position$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 200,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.kept_jobs', 'title', 'Saved job', 'one.id::text', 'null::uuid', 'null::text', 120, null),
  ('public.kept_jobs', 'job', 'Saved job', 'one.id::text', 'null::uuid', 'one.title', 20000, null),
  ('public.closures', 'reason', 'Closure', 'one.id::text', 'null::uuid', $$to_char(one.starts_at, 'FMMon FMDD, YYYY')$$, 100, null),
  ('public.booking_rules', 'pause_sentence', 'Pause message', 'one.id::text', 'null::uuid', 'null::text', 300, null),
  ('public.services', 'description', 'Service description', 'one.id::text', 'null::uuid', 'one.name', 1000, null),
  ('public.bays', 'technician', 'Technician of a bay', 'one.id::text', 'null::uuid', 'one.name', 40, null),
  ('public.settings_history', 'subject', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 300, null),
  ('public.settings_history', 'before', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 20000, null),
  ('public.settings_history', 'after', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 20000, null)
) as searched (table_name, column_name, label, row_key, owner, subject, longest, only_where)
on conflict do nothing;

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
select table_name, column_name, treatment, reason
from (values
  ('public.people', '{name,email,phone}'::text[], 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.people', '{phone_key,search_text}', 'replaced', 'generated from name, email and phone'),
  ('public.person_contacts', '{kind,key,value,confirmed_by_name}', 'replaced', 'the row is deleted'),
  ('public.person_notes', '{written_by_name}', 'replaced', 'the row is deleted'),
  ('public.bookings', '{customer_name,customer_email,customer_phone,vehicle_color,search_text}', 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.bookings', '{vehicle_year,vehicle_make,vehicle_model}', 'kept', 'to which model of vehicle something was done'),
  ('public.bookings', '{status,service_name,flagged_reasons}', 'free', 'words of the shop'),
  ('public.bookings', '{completed_by,kept_by}', 'free', 'the username of a staff account'),
  ('public.booking_events', '{kind,source,before,after,warnings}', 'free', 'times, states, service and bay of an appointment'),
  ('public.booking_events', '{changed_by_name}', 'free', 'the username of a staff account'),
  ('public.quote_requests', '{name,email,phone}', 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.quote_requests', '{vehicle_year,vehicle_make,vehicle_model}', 'kept', 'about which model of vehicle somebody asked'),
  ('public.quote_requests', '{service_type,status,flagged_reasons}', 'free', 'words of the shop'),
  ('public.quote_email_logs', '{recipient_email,recipient_name,subject,original_draft,polished_draft,final_body,vehicle_info}', 'replaced',
    'the row is deleted; a reply to another customer stays as it was sent'),
  ('public.emails', '{dedupe_key,recipient_email,recipient_name,subject,html_body,text_body,attachments,last_error}', 'replaced',
    'the row is deleted; an email to another customer stays as it was sent'),
  ('public.emails', '{kind,status,invoice_id,provider_message_id}', 'free', 'words and ids of the shop and its providers'),
  ('public.cars', '{color,plate,vin}', 'replaced', 'emptied'),
  ('public.cars', '{year,make,model}', 'kept', 'to which model of vehicle something was done'),
  ('public.cars', '{car_key,plate_key,search_text}', 'replaced', 'generated from the vehicle'),
  ('public.odometer_readings', '{recorded_by_name}', 'free', 'the username of a staff account'),
  ('public.record_merges', '{kind,moved,before,merged_by_name}', 'replaced', 'the row is deleted, or what it remembers is emptied'),
  ('public.estimates', '{number}', 'free', 'counted by the shop'),
  ('public.estimates', '{customer_name,customer_email,customer_phone,vehicle_year,vehicle_make,vehicle_model,vehicle_plate,vehicle_vin,search_text}',
    'kept', 'of what was handed over for three years (BPC 9884.11), then the row is deleted; a draft is deleted at once'),
  ('public.estimates', '{created_by,changed_by}', 'free', 'the username of a staff account'),
  ('public.estimate_revisions', '{document}', 'kept', 'what was handed over, for three years (BPC 9884.11), then the row is deleted'),
  ('public.estimate_revisions', '{hash}', 'free', 'a digest that is bound to the document'),
  ('public.estimate_jobs', '{measure}', 'free', 'what was measured on a vehicle'),
  ('public.estimate_lines', '{kind,detail}', 'free', 'words of the product'),
  ('public.estimate_events', '{before,after}', 'kept', 'the history of what was handed over, deleted with its estimate'),
  ('public.estimate_events', '{kind,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.authorizations', '{person,relation,contact,words}', 'kept', 'who authorized what, for three years (BPC 9884.11), then the row is deleted'),
  ('public.authorizations', '{revision_hash,job_title,decision,method,recorded_by}', 'free', 'words of the shop and of the product'),
  ('public.estimate_invoices', '{state,invoice_id,number,claimed_by}', 'free', 'ids of an invoice'),
  ('public.invoice_links', '{customer_name,search_text}', 'kept', 'the name on an invoice for three years (BPC 9884.11), then it becomes ''Erased'''),
  ('public.invoice_links', '{invoice_id,number,currency,status}', 'free', 'ids and state of an invoice'),
  ('public.payments', '{invoice_id,invoice_number,payment_intent_id,checkout_session_id,currency,outcome,refund_id}', 'free', 'ids of a payment'),
  ('public.erasures', '{erased_by_name,counts,kept}', 'free', 'names nobody who was erased'),
  ('public.tasks', '{priority,status}', 'free', 'words of the product'),
  ('public.task_notes', '{created_by,created_by_name}', 'free', 'the username of a staff account'),
  ('public.task_status_history', '{old_status,new_status,changed_by,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.bays', '{name}', 'free', 'the name of a bay'),
  ('public.services', '{name}', 'free', 'the name of what the shop sells'),
  ('public.employees', '{name,email}', 'free', 'a team member, not a customer'),
  ('public.estimate_rules', '{registration_number,epa_number,conditions}', 'free', 'public facts of the shop'),
  ('public.settings_history', '{section,action,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.settings_versions', '{section}', 'free', 'words of the product'),
  ('public.shop', '{name,legal_name,kind,tagline,lead,street,city,state,postal_code,country,time_zone,phone,billing_phone,support_email,billing_email,booking_email,links}',
    'free', 'public facts of the shop'),
  ('internal.admin_sessions', '{username}', 'free', 'the username of a staff account'),
  ('internal.known_browsers', '{username}', 'free', 'the username of a staff account'),
  ('internal.sign_in_codes', '{username}', 'free', 'the username of a staff account'),
  ('internal.assigned_invoice_numbers', '{request_id,number}', 'free', 'ids of an invoice'),
  ('internal.invoice_numbers', '{invoice_id,number}', 'free', 'ids of an invoice'),
  ('internal.invoice_backfill', '{after_invoice_id}', 'free', 'ids of an invoice'),
  ('internal.stripe_events', '{id,type}', 'free', 'ids of an event'),
  ('internal.booking_caps', '{name}', 'free', 'words of the product'),
  ('internal.booking_transitions', '{from_state,to_state,kind}', 'free', 'words of the product'),
  ('internal.email_kinds', '{kind,agrees_with}', 'free', 'words of the product'),
  ('internal.letter_caps', '{name}', 'free', 'words of the product'),
  ('internal.merge_rules', '{kind,table_name,column_name,key_column,rule}', 'free', 'words of the product'),
  ('internal.erasure_rules', '{table_name,column_name,treatment,reason,label,row_key,owner,subject,only_where}', 'free', 'words of the product'),
  ('internal.calendar_feed', '{token}', 'free', 'a secret of the shop'),
  ('internal.secrets', '{name,value}', 'free', 'a secret of the shop'),
  ('internal.shop_setup', '{confirmed_steps}', 'free', 'words of the product'),
  ('internal.owner_notices', '{dedupe_key,line}', 'free', 'what happened to which record, by its id'),
  ('internal.link_requests', '{mailbox}', 'replaced', 'the row is deleted'),
  ('internal.visitor_letters', '{dedupe_key}', 'replaced', 'the row is deleted'),
  ('internal.visitor_letters', '{refused_because}', 'free', 'words of the product'),
  ('stripe_sandbox.event_deliveries', '{event_id,last_answer}', 'free', 'ids of an event, and what the shop answered'),
  ('stripe_sandbox.idempotency_keys', '{key,fingerprint,endpoint,body}', 'kept', 'the books of the stand-in for the payment processor'),
  ('stripe_sandbox.objects', '{id,object,data}', 'kept', 'the books of the stand-in for the payment processor')
) as decided (table_name, columns, treatment, reason), unnest(columns) column_name
on conflict do nothing;

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
values
  ('internal.file_cleanups', 'table_name', 'free', 'words of the product'),
  ('public.estimate_revisions', 'sent_to', 'kept', 'to whom it was handed over, for three years (BPC 9884.11), then the row is deleted')
on conflict do nothing;

insert into internal.booking_transitions (from_state, to_state, kind)
select from_state, to_state, kind from (values
  ('arrived', array['confirmed', 'pending', 'no_show'], 'arrived'),
  ('in_work', array['confirmed', 'pending', 'arrived'], 'started'),
  ('completed', array['confirmed', 'pending', 'arrived', 'in_work'], 'completed'),
  ('cancelled', array['confirmed', 'pending', 'arrived', 'in_work', 'not_confirmed'], 'cancelled'),
  ('no_show', array['confirmed', 'pending'], 'no_show'),
  ('confirmed', array['arrived', 'in_work', 'no_show'], 'undone'),
  ('pending', array['arrived', 'in_work', 'no_show'], 'undone'),
  ('arrived', array['in_work', 'cancelled'], 'undone'),
  ('in_work', array['cancelled'], 'undone'),
  ('not_confirmed', array['cancelled'], 'undone'),
  ('confirmed', array['cancelled', 'completed'], 'reopened'),
  ('pending', array['cancelled', 'completed'], 'reopened'),
  ('arrived', array['completed'], 'reopened'),
  ('in_work', array['completed'], 'reopened'),
  ('confirmed', array['not_confirmed'], 'kept')
) as steps (to_state, from_states, kind), unnest(from_states) from_state
on conflict do nothing;

insert into internal.booking_transitions values ('confirmed', 'not_confirmed', 'not_confirmed', false)
on conflict do nothing;

select internal.keep_bay_hours();

insert into internal.booking_caps (name, span, most) values
  ('site', '01:00:00', 25),
  ('site', '1 day', 60),
  ('client', '1 day', 6),
  ('network_56', '1 day', 8),
  ('network_48', '1 day', 12),
  ('network_24', '1 day', 15)
on conflict do nothing;

insert into public.estimate_rules default values on conflict do nothing;

insert into public.tax_rates (effective_from, rate) values
  ('2026-01-01', 91250)
on conflict do nothing;

insert into internal.invoice_backfill default values on conflict do nothing;

insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with, leaves_at_night) values
  ('booking_confirmation', true, true, 'booking', true),
  ('confirmation_request', true, true, 'held_booking', true),
  ('quote_confirmation', true, true, 'nothing', true),
  ('quote_reply', false, false, 'nothing', true),
  ('invoice', true, false, 'nothing', true),
  ('payment_receipt', true, false, 'nothing', true),
  ('owner_notice', true, false, 'nothing', true),
  ('test_message', false, false, 'nothing', true),
  ('booking_reminder', true, false, 'booking', false),
  ('booking_moved', true, true, 'booking', true),
  ('booking_cancelled', true, true, 'cancelled_booking', true),
  ('estimate', true, false, 'offer', true),
  ('estimate_approved', true, false, 'nothing', true),
  ('address_question', true, true, 'booking', false),
  ('visit_links', true, true, 'nothing', true)
on conflict do nothing;

insert into internal.letter_caps (name, span, most) values
  ('flagged', '01:00:00', 20),
  ('site', '1 day', 300),
  ('mailbox', '01:00:00', 10),
  ('mailbox', '1 day', 20),
  ('domain', '1 day', 30),
  ('address', '01:00:00', 20),
  ('address', '1 day', 30),
  ('site', '01:00:00', 100)
on conflict do nothing;

create trigger check_time_zone before insert or update of time_zone on public.shop
  for each row execute function internal.check_time_zone();

create trigger clear_old_position before update on public.shop
  for each row when (
    (new.street, new.city, new.state, new.postal_code, new.country)
      is distinct from (old.street, old.city, old.state, old.postal_code, old.country)
    and (new.latitude, new.longitude) is not distinct from (old.latitude, old.longitude))
  execute function internal.clear_old_position();

create trigger count_version before update on public.shop
  for each row execute function internal.count_version();

create trigger record_setting after insert or update or delete on public.shop
  for each row execute function internal.record_setting('shop');

create trigger keep_bay_hours after update of time_zone on public.shop
  for each statement execute function internal.keep_bay_hours_after_change();

create trigger count_version before update on public.booking_rules
  for each row execute function internal.count_version();

create trigger record_setting after insert or update or delete on public.booking_rules
  for each row execute function internal.record_setting('rules');

create trigger keep_bay_hours after update of horizon_days on public.booking_rules
  for each statement execute function internal.keep_bay_hours_after_change();

create trigger record_setting after insert or update or delete on public.opening_hours
  for each row execute function internal.record_setting('hours', 'weekday');

create trigger keep_bay_hours after insert or update or delete or truncate on public.opening_hours
  for each statement execute function internal.keep_bay_hours_after_change();

create trigger record_setting after insert or update or delete on public.closures
  for each row execute function internal.record_setting('closures', 'reason');

create trigger count_version before update on public.closures
  for each row execute function internal.count_version();

create trigger keep_bay_hours after insert or update or delete or truncate on public.closures
  for each statement execute function internal.keep_bay_hours_after_change();

create trigger record_setting after insert or update or delete on public.bays
  for each row execute function internal.record_setting('bays', 'name');

create trigger count_version before update on public.bays
  for each row execute function internal.count_version();

create trigger keep_bay_hours after insert or update of is_active or delete on public.bays
  for each statement execute function internal.keep_bay_hours_after_change();

create trigger record_setting after insert or update or delete on public.bay_services
  for each row execute function internal.record_setting('bays');

create trigger keep_history_but_words before update on public.settings_history
  for each row execute function internal.keep_history_but_words();

create trigger refuse_rewriting before update or delete or truncate on public.settings_history
  for each statement execute function internal.refuse_rewriting('erasure UPDATE');

create trigger keep_one_service after update or delete on public.services
  for each statement execute function internal.keep_one_service();

create trigger count_version before update on public.services
  for each row execute function internal.count_version();

create trigger record_setting after insert or update or delete on public.services
  for each row execute function internal.record_setting('services', 'name');

create trigger count_version before update on public.employees
  for each row execute function internal.count_version();

create trigger record_setting after insert or update or delete on public.employees
  for each row execute function internal.record_setting('team', 'name');

create trigger count_version before update on public.people
  for each row execute function internal.count_version();

-- Not of one who is new: whoever books is told as a booking.
create trigger tell_person_changed after update on public.people
  for each row execute function internal.tell_person_changed();

-- An erasure is no correction: the admin's own request is one.
create trigger note_corrected_record after update on public.people
  for each row when (internal.is_admin()) execute function internal.note_corrected_record();

create trigger tell_person_changed after insert or delete on public.person_notes
  for each row execute function internal.tell_person_changed();

create trigger count_version before update on public.cars
  for each row execute function internal.count_version();

create trigger tell_person_changed after update on public.cars
  for each row execute function internal.tell_person_changed();

create trigger note_corrected_record after update on public.cars
  for each row when (internal.is_admin()) execute function internal.note_corrected_record();

create trigger tell_person_changed after insert or delete on public.odometer_readings
  for each row execute function internal.tell_person_changed();

create trigger note_erasure after insert on public.erasures for each statement execute function internal.note_erasure();

create trigger refuse_rewriting before update or delete or truncate on public.erasures
  for each statement execute function internal.refuse_rewriting();

create trigger accept_booking before insert on public.bookings
  for each row when (current_user = 'authenticated') execute function internal.accept_booking();

create trigger accept_booking_of_visitor before insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.accept_booking('visitor');

-- An invented appointment may go while it is open.
create trigger keep_open_booking before delete on public.bookings
  for each row when (not old.is_sample) execute function internal.keep_open_booking();

create trigger record_booking after insert or delete on public.bookings
  for each row execute function internal.record_booking();

create trigger record_booking_change after update on public.bookings
  for each row when ((new.person_id, new.car_id) is not distinct from (old.person_id, old.car_id))
  execute function internal.record_booking();

-- Whose an appointment is changes nothing of the appointment: no version that staff saw, no line of its story.
create trigger count_booking_change before update on public.bookings
  for each row when ((new.person_id, new.car_id) is not distinct from (old.person_id, old.car_id))
  execute function internal.count_booking_change();

create trigger check_no_show before update of status on public.bookings
  for each row when (new.status = 'no_show') execute function internal.check_no_show();

create trigger fill_search_text before update on public.bookings
  for each row execute function internal.fill_search_text();

create trigger link_to_person before insert on public.bookings
  for each row when (new.person_id is null and not internal.is_linked_later()) execute function internal.link_booking();

create trigger settle_notification before update of appointment_date, appointment_time, status on public.bookings
  for each row execute function internal.settle_notification();

create trigger complete_booking before insert on public.bookings
  for each row execute function internal.complete_booking();

create trigger remember_form_origin after insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.remember_form_origin();

create trigger settle_hold before update of status, completed_at, flagged_reasons on public.bookings
  for each row execute function internal.settle_hold();

create trigger change_calendar_alone before update of status on public.bookings
  for each statement when (current_user = 'authenticated') execute function internal.change_calendar_alone();

create trigger forget_answer before update on public.bookings
  for each row when (old.answered_at is not null) execute function internal.forget_answer();

create trigger keep_records before delete on public.bookings for each row execute function internal.keep_records();

create trigger tell_person_changed after update of person_id on public.bookings
  for each row when (old.person_id is not null and old.person_id is distinct from new.person_id)
  execute function internal.tell_person_changed();

create trigger keep_events_but_reason before update on public.booking_events
  for each row execute function internal.keep_events_but_reason();

create trigger refuse_rewriting before update or delete or truncate on public.booking_events
  for each statement execute function internal.refuse_rewriting('erasure UPDATE');

create trigger keep_booking_of_task after insert on public.tasks
  for each row when (new.booking_id is not null) execute function internal.keep_booking_of_task();

create trigger bring_task_back before update on public.tasks
  for each row when (old.archived_at is not null and new.completed_at is null) execute function internal.bring_task_back();

create trigger forget_customer_note before update on public.tasks
  for each row when (new.status <> old.status and new.customer_note = old.customer_note)
  execute function internal.forget_customer_note();

create trigger follow_task_status after update of status, ready_for_pickup_at on public.tasks
  for each row when (old.status <> new.status or old.ready_for_pickup_at is distinct from new.ready_for_pickup_at)
  execute function internal.follow_task();

create trigger follow_task_deletion after delete on public.tasks
  for each row when (old.booking_id is not null) execute function internal.follow_task();

create trigger keep_records before delete on public.tasks for each row execute function internal.keep_records();

create trigger change_calendar_alone before delete on public.tasks
  for each statement when (current_user = 'authenticated') execute function internal.change_calendar_alone();

create trigger link_to_person before insert on public.quote_requests
  for each row when (new.person_id is null) execute function internal.link_quote_request();

create trigger flag_suspicious_form before insert on public.quote_requests
  for each row when (current_user = 'anon') execute function internal.flag_suspicious_form();

create trigger remember_form_origin after insert on public.quote_requests
  for each row when (current_user = 'anon') execute function internal.remember_form_origin();

create trigger release_answered_quote before update of status on public.quote_requests
  for each row when (new.status = 'completed') execute function internal.release_answered_quote();

create trigger keep_records before delete on public.quote_requests for each row execute function internal.keep_records();

create trigger announce_quote after insert or delete on public.quote_requests
  for each row execute function internal.announce_quote('id');

create trigger announce_changed_quote after update on public.quote_requests
  for each row when (old.* is distinct from new.*) execute function internal.announce_quote('id');

create trigger link_to_person before insert or update of
  booking_id, quote_request_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
  vehicle_plate, vehicle_vin on public.estimates
  for each row execute function internal.link_estimate();

create trigger keep_estimate before delete on public.estimates
  for each row when (not old.is_sample) execute function internal.keep_estimate();

create trigger delete_estimate_events after delete on public.estimates
  for each row execute function internal.delete_estimate_events();

create trigger note_other_record after update on public.estimates
  for each row when ((old.person_id, old.car_id) is distinct from (new.person_id, new.car_id))
  execute function internal.note_other_record();

create trigger end_link_of_old_address before update of customer_email on public.estimates
  for each row when (lower(trim(old.customer_email)) <> lower(trim(new.customer_email)))
  execute function internal.end_link_of_old_address();

create trigger tell_of_estimates after insert or update or delete on public.estimates
  for each row execute function internal.tell_of_estimates();

create trigger mark_sample_estimate before insert on public.estimates
  for each row execute function internal.mark_sample_estimate();

create trigger refuse_frozen before insert or update or delete on public.estimate_jobs
  for each row execute function internal.refuse_frozen();

create trigger refuse_frozen before insert or update or delete on public.estimate_lines
  for each row execute function internal.refuse_frozen();

create trigger keep_frozen_revision before update or delete on public.estimate_revisions
  for each row when (old.frozen_at is not null) execute function internal.keep_frozen_revision();

create trigger know_from_estimate after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null) execute function internal.know_from_estimate();

create trigger note_changed_details after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null and new.revision > 1)
  execute function internal.note_changed_details();

create trigger note_recipient before update of sent_at on public.estimate_revisions
  for each row when (new.sent_at is not null) execute function internal.note_recipient();

create trigger tell_of_estimates after update on public.estimate_revisions
  for each row execute function internal.tell_of_estimates();

create trigger refuse_rewriting before update or delete or truncate on public.estimate_events
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create trigger tell_of_estimates after insert on public.estimate_events
  for each row execute function internal.tell_of_estimates();

create trigger count_version before update on public.estimate_rules
  for each row execute function internal.count_version();

create trigger record_setting after insert or update or delete on public.estimate_rules
  for each row execute function internal.record_setting('estimates');

create trigger record_setting after insert or update or delete on public.tax_rates
  for each row execute function internal.record_setting('estimates', 'effective_from');

-- What comes and goes with the sample week is no change of a setting.
create trigger record_kept_job after insert on public.kept_jobs
  for each row when (not new.is_sample) execute function internal.record_setting('estimates', 'title');

create trigger record_forgotten_job after delete on public.kept_jobs
  for each row when (not old.is_sample) execute function internal.record_setting('estimates', 'title');

create trigger record_renamed_job after update of title on public.kept_jobs
  for each row execute function internal.record_setting('estimates', 'title');

create trigger fill_authorization before insert on public.authorizations
  for each row execute function internal.fill_authorization();

create trigger keep_authorization before delete on public.authorizations
  for each row execute function internal.keep_authorization();

create trigger refuse_rewriting before update or delete or truncate on public.authorizations
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create constraint trigger check_billed_total after insert or update on public.estimate_invoices
  deferrable initially deferred for each row execute function internal.check_billed_total();

create trigger keep_claim before update or delete on public.estimate_invoices
  for each row execute function internal.keep_claim();

-- A claim is one line whose state moves forward; a BEFORE UPDATE row trigger refuses every other update.
create trigger refuse_rewriting before delete or truncate on public.estimate_invoices
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create trigger refuse_above_authorized before insert or update on public.estimate_invoice_jobs
  for each row execute function internal.refuse_above_authorized();

create trigger keep_billed_jobs before update or delete on public.estimate_invoice_jobs
  for each row execute function internal.keep_billed_jobs();

create trigger refuse_rewriting before update or delete or truncate on public.estimate_invoice_jobs
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create trigger tell_person_changed after insert or update on public.invoice_links
  for each row execute function internal.tell_person_changed();

create trigger announce_invoice after insert on public.invoice_links
  for each row execute function internal.announce_invoice();

create trigger announce_changed_invoice after update on public.invoice_links
  for each row when (old.* is distinct from new.*) execute function internal.announce_invoice();

create trigger keep_payment before delete on public.payments for each row execute function internal.keep_payment();

create trigger refuse_rewriting before update or delete or truncate on public.payments
  for each statement execute function internal.refuse_rewriting('sample_week_removal DELETE');

create trigger announce_invoice after insert on public.payments
  for each row execute function internal.announce_invoice();

create trigger refuse_uncounted_notice before insert on public.emails
  for each row when (new.kind = 'owner_notice' and current_user = 'shop_server') execute function internal.refuse_uncounted_notice();

create trigger announce_invoice after insert on public.emails
  for each row when (new.invoice_id is not null) execute function internal.announce_invoice();

create trigger announce_changed_invoice after update of status on public.emails
  for each row when (new.invoice_id is not null and new.status is distinct from old.status)
  execute function internal.announce_invoice();

create trigger announce_quote after insert on public.emails
  for each row when (new.quote_request_id is not null)
  execute function internal.announce_quote('quote_request_id');

create trigger announce_changed_quote after update of status on public.emails
  for each row when (new.quote_request_id is not null and new.status is distinct from old.status)
  execute function internal.announce_quote('quote_request_id');

create trigger end_data_session after delete on internal.admin_data_sessions
  for each row execute function internal.end_data_session();

comment on function internal.hmac_sha256(text, text) is 'HMAC (RFC 2104) with the built-in SHA-256: pgcrypto is not everywhere.';

comment on function internal.mailbox_of(text) is
  'One text for all spellings of an address that reach one mailbox: case, width, +tags, at Gmail dots, and at Proton its domains.';

-- The indexes below are written with the rights of whoever inserts.
grant execute on function internal.mailbox_of(text) to anon, authenticated;

comment on function internal.canonical_phone(text) is
  'A phone number''s digits without the country code 1; null when there are too few to be anybody''s.';

grant execute on function internal.canonical_phone(text) to anon, authenticated;

comment on function internal.search_condition(text) is
  'SQL that holds where search_text has the word; of one or two letters, where a word begins with them.';

comment on function internal.search_words(text) is
  'What to look for, as it is compared: the digits of a phone number as one word, else every word.';

comment on function internal.is_line(text, integer, integer) is
  'Whether a text is one line of so many characters, each of which is seen, as domain/text/text-input.ts leaves it.';

-- Checks run with the rights of whoever writes.
grant execute on function internal.is_line(text, integer, integer) to authenticated;

comment on function internal.is_email_address(text) is 'Whether a text can stand where a letter needs an address.';

grant execute on function internal.is_email_address(text) to authenticated;

comment on function internal.are_links(text[]) is 'Whether these are up to ten addresses of pages, each with https.';

grant execute on function internal.are_links(text[]) to authenticated;

comment on function internal.plain(text) is 'A text as it is compared: in lower case and without accents, ''nunez'' of ''Núñez''.';

comment on function internal.mail_host_of(text) is 'What stands behind the @ of a mailbox.';

-- The index below is written with the rights of whoever completes an appointment.
grant execute on function internal.mail_host_of(text) to authenticated;

comment on function internal.shows_every_character(text[]) is
  'Whether lines of text have no control character, and none that nobody sees or that turns the direction of writing. Null is no line.';

-- A check is evaluated as who writes the row.
grant execute on function internal.shows_every_character(text[]) to anon, authenticated;

comment on domain internal.action_outcome is
  'What a customer''s action came to: done (what changed; unchanged says that it was so already) or refused (why), never both.';

comment on function internal.count_version() is
  'Counts the changes of a row: who saves it names the version that they saw, and finds no row when it is another by now.';

grant execute on function internal.count_version() to authenticated;

comment on function internal.refuse_rewriting() is
  'Refuses (TT055) every UPDATE, DELETE and TRUNCATE of an append-only table. Its arguments are what an exception allows there: '
  '''erasure UPDATE'', ''erasure DELETE'' or ''sample_week_removal DELETE''.';

comment on function internal.changed_columns(jsonb, jsonb) is
  'The columns of the first row that differ in the second, as they are in the first; null when none does.';

comment on function internal.begin_change(text, integer) is
  'Lets the admin change a list that is still the one they saw, while nobody places an appointment.';

comment on function internal.end_preview() is 'Takes back what was done in the block that catches TT050.';

comment on function internal.action_done(text) is 'The outcome of an action that was carried out, or had been before.';

comment on function internal.action_refused(text) is 'The outcome of an action that was refused.';

comment on function internal.current_instant() is 'The clock of every booking rule; tests replace it.';

grant execute on function internal.current_instant() to anon, authenticated, shop_server;

comment on function internal.shop_now() is 'Wall-clock time at the shop, whatever the zone of the session.';

grant execute on function internal.shop_now() to anon, authenticated, shop_server;

comment on function internal.duration_in_words(integer) is
  'A length as people say it, as domain/text/duration-text.ts does: 75 is ''1 hour and 15 minutes''.';

comment on function internal.minutes_of_day(date, tsmultirange) is
  'Spans of a day as domain/calendar/opening-hours.ts has them: minutes after midnight.';

comment on function internal.span_of(date, time, integer) is
  'When an appointment takes its bay: bookings.occupied of one that is not there yet. Refuses what is none.';

comment on function internal.is_night() is 'Whether people near the shop are not to be written to: from 9 PM to 8 AM, shop time.';

comment on table public.shop is 'Who the shop is, in one row: what every page, letter, invoice and calendar file says of it.';

comment on column public.shop.name is 'What customers call the shop.';

comment on column public.shop.legal_name is 'Under which it is registered: on invoices and in structured data.';

comment on column public.shop.kind is 'What it is, above its name: ''Auto Repair & Performance''.';

comment on column public.shop.tagline is 'The line under its name.';

comment on column public.shop.lead is 'What it does in one or two sentences.';

comment on column public.shop.street is 'Of the address as registered, like city, state, postal_code and country (ISO 3166-1 alpha-2).';

comment on column public.shop.latitude is
  'WGS 84 degrees, like longitude: where the map is centered. Null while the position of the address is not known.';

comment on column public.shop.time_zone is 'A name of the IANA database: the wall clock of every date and time of the product.';

comment on column public.shop.phone is 'The counter, E.164; how it is shown follows from it (domain/customers/phone-number.ts).';

comment on column public.shop.billing_phone is 'Accounts, E.164.';

comment on column public.shop.links is 'Pages about the shop elsewhere, for structured data.';

comment on column public.shop.appointment_minutes is 'How long the site says that an appointment takes; each is as long as its service.';

comment on column public.shop.quote_reply_hours is 'Within how many hours the site promises to answer a quote request.';

comment on column public.shop.version is 'Counts its changes: an update names the one it saw.';

alter table public.shop enable row level security;

grant select on public.shop to authenticated, service_role, shop_server;

grant select (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours
) on public.shop to anon;

grant update (
  name, legal_name, kind, tagline, lead, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours
) on public.shop to authenticated;

create policy "anyone reads the shop's facts" on public.shop
  for select to anon, authenticated, shop_server using (true);

create policy "the admin changes the shop's facts" on public.shop
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

comment on function internal.check_time_zone() is 'Refuses a time zone that PostgreSQL does not know by its full name.';

grant execute on function internal.check_time_zone() to authenticated;

comment on function internal.clear_old_position() is
  'Clears the position when the address changes and the position does not: it is the position of the old address.';

grant execute on function internal.clear_old_position() to authenticated;

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

comment on column public.booking_rules.tell_shop_of_changes is
  'Whether the shop gets a letter when a customer moves or cancels a visit; the dashboard hears of it anyway.';

alter table public.booking_rules enable row level security;

grant select on public.booking_rules to authenticated, service_role, shop_server;

grant select (
  notice_minutes, horizon_days, grid_minutes, change_cutoff_minutes, cancel_cutoff_minutes, online_booking_paused,
  pause_sentence, invoice_lookup_asks_email
) on public.booking_rules to anon;

grant update (
  notice_minutes, horizon_days, grid_minutes, change_cutoff_minutes, cancel_cutoff_minutes, reminder_time,
  online_booking_paused, pause_sentence, invoice_lookup_asks_email, tell_shop_of_changes
) on public.booking_rules to authenticated;

create policy "anyone reads what visitors keep to" on public.booking_rules for select to anon, shop_server using (true);

create policy "the admin reads the booking rules" on public.booking_rules
  for select to authenticated using ((select internal.is_admin()));

create policy "the admin changes the booking rules" on public.booking_rules
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

comment on table public.opening_hours is
  'Opening hours by weekday, 0 is Sunday; minutes from midnight, shop time. A weekday without a row is closed.';

alter table public.opening_hours enable row level security;

grant select on public.opening_hours to anon, authenticated, shop_server;

create policy "anyone reads the opening hours" on public.opening_hours
  for select to anon, authenticated, shop_server using (true);

comment on table public.closures is
  'When the week''s hours do not hold: closed although they say open, or open although they say closed. Where both are '
  'said, it is closed. Shop wall-clock time; several days are one row.';

comment on column public.closures.is_open is 'True for a special opening, false for a closure.';

comment on column public.closures.bay_id is 'The bay that it is about; null is the whole shop.';

comment on column public.closures.is_public is 'Whether visitors read it with its reason; its times are theirs to find out anyway.';

comment on column public.closures.span is 'Half-open, as appointments are.';

alter table public.closures enable row level security;

grant select on public.closures to authenticated, service_role, shop_server;

grant select (starts_at, ends_at, is_open, reason) on public.closures to anon;

create policy "visitors read public closures of the shop" on public.closures
  for select to anon using (is_public and bay_id is null);

create policy "the admin reads closures" on public.closures
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads closures" on public.closures for select to shop_server using (true);

comment on table public.bays is 'Where cars are worked on, one at a time in each.';

comment on column public.bays.position is 'Their order: an appointment gets the first one that is free.';

comment on column public.bays.is_active is 'Whether appointments are placed in it.';

comment on column public.bays.version is 'Counts its changes: who saves it names the one they saw.';

comment on column public.bays.technician is 'Who works there; null is nobody in particular. Staff alone read it.';

alter table public.bays enable row level security;

grant select on public.bays to authenticated, service_role, shop_server;

create policy "the admin reads bays" on public.bays for select to authenticated using ((select internal.is_admin()));

create policy "the server reads bays" on public.bays for select to shop_server using (true);

comment on table public.bay_services is 'The only services that a bay can do; a bay without a row can do all of them.';

alter table public.bay_services enable row level security;

grant select on public.bay_services to authenticated, service_role, shop_server;

create policy "the admin reads what bays can do" on public.bay_services
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads what bays can do" on public.bay_services for select to shop_server using (true);

comment on table public.settings_versions is
  'Counts the changes of a section: who saves a list names the version that they saw.';

alter table public.settings_versions enable row level security;

grant select on public.settings_versions to authenticated;

create policy "the admin reads the versions of settings" on public.settings_versions
  for select to authenticated using ((select internal.is_admin()));

comment on table public.settings_history is 'Who changed what of the settings, written in the transaction of the change. Nobody takes a line back. [append-only]';

comment on column public.settings_history.section is 'The section of the settings page.';

comment on column public.settings_history.subject is
  'Which of its rows: the name of a bay, service or employee, the reason of a closure, a weekday (0 is Sunday), '''' for a single row.';

comment on column public.settings_history.before is 'The columns that changed, as they were; null when it was added.';

comment on column public.settings_history.after is 'The columns that changed, as they are; null when it was removed.';

comment on column public.settings_history.changed_by_name is 'The admin''s username; ''system'' for a change past the data service.';

alter table public.settings_history enable row level security;

-- What the steps are ticked by.
grant select on public.settings_history to authenticated, shop_server;

create policy "the admin reads the history of settings" on public.settings_history
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads the history of settings" on public.settings_history for select to shop_server using (true);

comment on function internal.keep_history_but_words() is
  'What an erasure writes into the history of the settings is its words without the name, and nothing else.';

comment on table internal.shop_setup is 'How far the owner has made this shop their own, in one row.';

comment on column internal.shop_setup.has_first_password is
  'Whether an admin still signs in with the password that the first start made and printed.';

comment on column internal.shop_setup.confirmed_steps is
  'What the owner found right as a fresh shop has it, so that there was nothing to save.';

comment on column internal.shop_setup.hidden_at is 'When the owner hid the steps; null while they are shown.';

comment on column internal.shop_setup.done_at is 'When all steps were done for the first time: from then on nobody looks again.';

comment on column internal.shop_setup.sample_week_id is 'Names the sample week while any of it may be there; null without one.';

comment on column internal.shop_setup.sample_filled_at is 'When all of it was there; null while it is being filled in.';

alter table internal.shop_setup enable row level security;

grant select on internal.shop_setup to shop_server;

grant update (has_first_password, confirmed_steps, hidden_at, done_at) on internal.shop_setup to shop_server;

create policy "the server reads the set-up" on internal.shop_setup for select to shop_server using (true);

create policy "the server notes the set-up" on internal.shop_setup for update to shop_server using (true) with check (true);

comment on function internal.can_do(uuid, uuid) is 'Whether a bay can do a service; any bay can, when it is null.';

comment on function internal.first_bay() is
  'The bay of an appointment that was put in past the rules for visitors, by a tool that knows no bays.';

grant execute on function internal.first_bay() to anon, authenticated;

comment on function internal.record_setting() is
  'Writes the history of a setting, counts its section''s version and tells all processes which section changed (settings_changed). '
  'Its arguments: the section, and the column that names the row.';

comment on function public.save_opening_hours(jsonb, integer, boolean) is
  'Saves the week ([{weekday, opens_minute, closes_minute}], one that is left out is closed) when the section hours is of the '
  'expected version; returns the misfits afterwards. A preview returns them and changes nothing.';

grant execute on function public.save_opening_hours(jsonb, integer, boolean) to authenticated;

comment on function public.save_closure(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean) is
  'Adds a closure or special opening (closure_id null) or changes one, as save_opening_hours saves the week.';

grant execute on function public.save_closure(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean)
  to authenticated;

comment on function public.remove_closure(uuid, integer, boolean) is
  'Removes a closure or special opening, as save_opening_hours saves the week.';

grant execute on function public.remove_closure(uuid, integer, boolean) to authenticated;

comment on function internal.save_bay_services(uuid, uuid[]) is 'Makes these the only services of a bay; none is all.';

comment on function internal.write_bay(uuid, text, boolean, text) is
  'Adds or changes a bay; refuses to switch off the last one. No technician named leaves the one there is.';

comment on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) is
  'Adds a bay (bay_id null) or changes one, when the section bays is of the expected version; no service_ids is all services. '
  'When it is switched off, returns its appointments ahead with the bay that each is moved to, null where none fits. A '
  'preview returns them and changes nothing. An empty technician is nobody, null leaves who it was.';

grant execute on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) to authenticated;

comment on function public.order_bays(uuid[], integer) is 'Puts all bays in this order, when the section bays is of the expected version.';

grant execute on function public.order_bays(uuid[], integer) to authenticated;

comment on function public.list_special_days() is
  'The days that a closure or special opening touches: all that can be booked today and in the week to come, and the first '
  'month of the next public closure after them. Each with the shop''s hours ([{opensAtMinute, closesAtMinute}]) and what '
  'list_open_days says of it.';

grant execute on function public.list_special_days() to shop_server;

comment on table public.services is 'What customers can book; the admin changes it.';

comment on column public.services.position is
  'Their order once the admin gave one; those without come after, as docs/product.md 4.4 orders them.';

comment on column public.services.price_from_cents is 'What it costs at least, for its card; null says nothing.';

comment on column public.services.version is 'Counts its changes: an update names the one it saw.';

alter table public.services enable row level security;

grant select on public.services to anon, service_role, shop_server;

grant select, delete on public.services to authenticated;

grant insert (name, description, duration_minutes, is_active, price_from_cents), update (name, description, duration_minutes, is_active, price_from_cents) on public.services to authenticated;

create policy "visitors read active services" on public.services
  for select to anon using (is_active);

-- The dashboard also names the service of an old appointment that is no longer offered.
create policy "the admin reads all services, others active ones" on public.services
  for select to authenticated using (is_active or (select internal.is_admin()));

create policy "the server reads all services" on public.services for select to shop_server using (true);

create policy "the admin adds services" on public.services
  for insert to authenticated with check ((select internal.is_admin()));

create policy "the admin changes services" on public.services
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

-- One that was booked is kept by its appointments.
create policy "the admin deletes services" on public.services
  for delete to authenticated using ((select internal.is_admin()));

comment on function internal.keep_one_service() is 'Refuses to hide or delete the last service that can be booked.';

comment on function public.order_services(uuid[], integer) is
  'Puts all services in this order, when the section services is of the expected version; returns the version it is of '
  'then.';

grant execute on function public.order_services(uuid[], integer) to authenticated;

comment on function internal.tie_service(uuid, uuid[]) is
  'Lets only these bays do a service; none is any bay. Refuses to leave a bay without a service.';

comment on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) is
  'Adds a service (service_id null) or changes the one that is still of the expected version. bay_ids are the only bays that '
  'can do it; none is any bay, null leaves them as they are. Appointments keep what they were booked with.';

grant execute on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer)
  to authenticated;

comment on function internal.name_service(jsonb) is
  'The columns of a row with the name of its service in the place of the service''s id.';

comment on table public.employees is 'Whom a task can be assigned to.';

comment on column public.employees.version is 'Counts its changes: an update names the one it saw.';

alter table public.employees enable row level security;

grant select on public.employees to authenticated;

grant insert (name, email, is_active), update (name, email, is_active) on public.employees to authenticated;

create policy "the admin reads employees" on public.employees
  for select to authenticated using ((select internal.is_admin()));

create policy "the admin adds employees" on public.employees
  for insert to authenticated with check ((select internal.is_admin()));

create policy "the admin changes employees" on public.employees
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

comment on type internal.caller is
  'Who a record names: what it looks for in people. is_trusted: nothing looked automated, and it stands. typed_online: by a visitor, '
  'who can type any address.';

comment on table public.people is 'Whom the shop knows: one row a person, made when the first of their records is written.';

comment on column public.people.name is 'As the first record had it, until the counter wrote it otherwise.';

comment on column public.people.email is 'Where they are written to; the others they were known by are in person_contacts.';

comment on column public.people.phone is 'As it was typed; the others they were known by are in person_contacts.';

comment on column public.people.phone_key is 'The number in its one form (internal.canonical_phone); null when it is nobody''s.';

comment on column public.people.search_text is 'What the search looks through (internal.plain).';

comment on column public.people.merged_into is 'The person that this one turned out to be; its own id keeps leading there.';

comment on column public.people.is_sample is 'Whether it came with the sample week, and goes with it.';

comment on column public.people.version is 'Counts its changes: an update names the one it saw.';

comment on column public.people.created_at is 'Since when they are known: the moment of their earliest record.';

comment on column public.people.erased_at is 'When their data was erased: nobody is read by this row any more; null while they are known.';

comment on column public.people.gets_reminders is 'Whether they are reminded the day before a visit. Of who was merged into them nobody is asked: one no is enough.';

alter table public.people enable row level security;

grant select on public.people to authenticated;

create policy "the admin reads people" on public.people for select to authenticated using ((select internal.is_admin()));

comment on table public.person_contacts is
  'Every address and number that a person was known by, the first ones too: by these the next record finds its person.';

comment on column public.person_contacts.key is 'What is compared: an address in lower case, a number in its one form.';

comment on column public.person_contacts.value is 'As it was typed.';

comment on column public.person_contacts.confirmed_at is
  'Since when it is certain that they have it: staff wrote it, or pressed ''Use this address'', or the customer said so. Null for an '
  'address that was only typed online.';

comment on column public.person_contacts.confirmed_by_name is
  'Who pressed the button: a team member''s username, or ''customer''; null where staff wrote the address themselves.';

alter table public.person_contacts enable row level security;

grant select on public.person_contacts to authenticated;

create policy "the admin reads how people are reached" on public.person_contacts
  for select to authenticated using ((select internal.is_admin()));

comment on table public.person_notes is 'What staff tell each other about a person; in no letter and on no page of a customer.';

alter table public.person_notes enable row level security;

grant select on public.person_notes to authenticated;

create policy "the admin reads notes about people" on public.person_notes
  for select to authenticated using ((select internal.is_admin()));

comment on table public.different_people is 'Who was looked at and is not the same: nobody is asked again.';

alter table public.different_people enable row level security;

grant select on public.different_people to authenticated;

create policy "the admin reads who is not the same" on public.different_people
  for select to authenticated using ((select internal.is_admin()));

comment on table internal.address_answers is
  'Appointments about whose address the customer was asked, and said that it is theirs: the link in that email acts once.';

alter table internal.address_answers enable row level security;

comment on function internal.name_words(text) is 'The words of a name, as it is compared.';

comment on function internal.names_agree(text, text) is
  'Whether two names can be one person''s: all words of one are in the other (Maria, Maria Delgado).';

comment on function internal.lock_people(text[]) is
  'Lets nobody else make or find the person of these addresses (in lower case) and numbers (in their one form) until the '
  'transaction ends. Taken after every other lock.';

comment on function internal.person_by_email(text, text) is 'Whose address it is; null when nobody''s.';

comment on function internal.person_by_phone(text, text, boolean) is
  'Whose number it is: of those whose name can be this one, else, for a caller without an address, the only one who has it. Who '
  'brings an address that is new is one who has another only where nobody else can be meant.';

comment on function internal.add_contacts(uuid, text, text, boolean) is
  'Remembers that a customer is known by an address and a number; is_confirmed is false for an address that was typed online.';

comment on function internal.find_person(internal.caller) is 'The person that a record names; null when it is nobody known.';

comment on function internal.ensure_person(internal.caller) is 'The person that a record names, made when nobody is known.';

comment on function internal.link_old_bookings(integer) is
  'Links the oldest appointments that belong to nobody yet; returns how many.';

comment on function internal.link_old_quote_requests(integer) is 'Links the oldest quote requests that belong to nobody yet; returns how many.';

comment on function internal.link_old_records(integer) is
  'Links up to so many appointments and so many quote requests that belong to nobody yet, the oldest first; returns how many, 0 '
  'once all are linked. Whoever is interrupted begins where it stopped.';

grant execute on function internal.link_old_records(integer) to shop_server;

comment on function internal.analyze_people() is
  'Tells the planner how many people there are: in the minute until it would notice, each look for one reads all of them.';

grant execute on function internal.analyze_people() to shop_server;

comment on function internal.has_come(public.bookings, date) is 'Whether somebody was here: who was neither cancelled nor missed (docs/product.md 12.6).';

comment on function internal.describe_visit(public.bookings) is 'An appointment in a list of somebody''s; startsAt is the shop''s wall clock.';

comment on function internal.declined_of(uuid) is 'The jobs of an estimate that its customer declined last: [{title, cents, saidAt}].';

comment on function internal.describe_known_estimate(public.estimates) is
  'An estimate in a list of somebody''s: its first job and how many there are, what it comes to, what was declined.';

comment on function internal.paid_of(public.invoice_links) is 'What was paid of an invoice, by the ledger, else by the processor''s word.';

comment on function internal.describe_known_invoice(public.invoice_links) is 'An invoice in a list of somebody''s.';

comment on function internal.maybe_same_people(public.people) is
  'Who may be the same: up to five who share an address or a number (why: email, phone) and were not told apart.';

comment on function internal.read_known_person(uuid) is 'Who a person is now, for the admin.';

comment on function public.read_person(uuid) is
  'Everything of a person in one read (contracts/customers.ts), the latest 200 of each kind; an id that was merged leads to who it is.';

grant execute on function public.read_person(uuid) to authenticated;

comment on function internal.is_ahead(public.bookings) is 'Whether an appointment stands and is not over.';

comment on function internal.emails_of_person(uuid) is 'Every letter about a person''s records, and those to their address that are about none.';

comment on function internal.totals_of_person(uuid, date) is 'What a person''s records come to.';

comment on function public.read_facts(uuid, uuid) is
  'What matters where somebody is booked, or an appointment of theirs is open: how often they were missed, when they were last '
  'here (before it), what else stands ahead, what was declined last, which estimates are open.';

grant execute on function public.read_facts(uuid, uuid) to authenticated;

comment on function public.save_person(uuid, integer, text, text, text, boolean) is
  'Writes how a person is called and reached, over the version that was seen (TT093), and returns the new one. An address that '
  'somebody else is known by is asked about first (TT096, the detail says whose). What they were known by before stays known.';

grant execute on function public.save_person(uuid, integer, text, text, text, boolean) to authenticated;

comment on function public.forget_contact(bigint) is 'No record finds a person by this address or number any more.';

grant execute on function public.forget_contact(bigint) to authenticated;

comment on function public.add_person_note(uuid, text) is 'Writes down what staff tell each other about a person.';

grant execute on function public.add_person_note(uuid, text) to authenticated;

comment on function public.remove_person_note(uuid) is 'Takes a note about a person away.';

grant execute on function public.remove_person_note(uuid) to authenticated;

comment on function internal.contact_keys_of(uuid[]) is 'All addresses and numbers by which people are found.';

comment on function internal.gets_reminders(uuid) is
  'Whether somebody is reminded: unless they, or one who was merged into them, wanted none. Nobody known is.';

comment on function public.set_reminders(uuid, boolean) is
  'Notes whether a person, also as those who were merged into them, is reminded before a visit.';

grant execute on function public.set_reminders(uuid, boolean) to authenticated;

comment on function internal.is_known_customer(text, text) is
  'Whether an email address and a phone number both belong to one customer who has a completed appointment.';

comment on function internal.is_their_email(uuid, text) is
  'Whether an address is a customer''s own: confirmed, or the one that they became known by.';

comment on function internal.was_typed_online(uuid) is 'Whether a visitor made an appointment on the website, not staff.';

comment on function internal.typed_email(public.bookings) is
  'The address of an appointment that was only typed online: it is not known to be its customer''s. Null for every other.';

comment on function internal.own_email(public.bookings) is 'The address of an appointment where it is its customer''s; else null.';

comment on function internal.caller_of_booking(public.bookings, boolean) is 'Whom an appointment names.';

comment on function internal.caller_of_quote_request(public.quote_requests) is 'Whom a quote request names; only visitors write one.';

comment on function internal.main_email(uuid) is 'Where a customer is written to; null while that address was only typed online, or there is none.';

comment on function internal.typed_emails(uuid) is
  'The addresses that were typed online in a customer''s name and are not known to be theirs: [{email, bookingId, quoteRequestId, '
  'typedAt}], the latest three, each with the record that it came with. None of a held, cancelled, missed or unconfirmed appointment.';

comment on function internal.confirm_email(uuid, text, text) is
  'Makes an address one of a customer''s: their main one where they have none. The caller holds the locks of the address and the customer.';

comment on function public.use_typed_email(uuid, uuid) is
  'Makes the address that was typed online with an appointment or a quote request one of its customer''s, and returns it. Refused '
  '(TT100) where the record does not stand, or its address is none. The second of two clicks finds it done.';

grant execute on function public.use_typed_email(uuid, uuid) to authenticated;

comment on function internal.is_confirmed_email(uuid, text) is
  'Whether staff wrote or confirmed an address of a customer, or the customer said that it is theirs.';

comment on function internal.email_of_caller(uuid[]) is
  'The address of somebody by their appointments, latest first: one of their customer''s own, from an appointment that stands, '
  'else the customer''s main one; null for none.';

comment on function internal.addresses_to_ask(integer) is
  'Appointments whose address was typed online in the name of a customer who has another one, with the one at which they are asked.';

grant execute on function internal.addresses_to_ask(integer) to shop_server;

comment on function internal.address_token(uuid) is
  'What the address of the page ends in that asks whether an appointment''s address is its customer''s; null when there is none.';

grant execute on function internal.address_token(uuid) to shop_server;

comment on function internal.address_question_state(public.bookings) is
  'open can be answered, answered was, closed cannot: the appointment does not stand, its address is known, or 30 days are over.';

comment on function internal.read_address_question(uuid) is
  'What the page of an address question says: {state, email, date, time}; null when there is no such appointment.';

grant execute on function internal.read_address_question(uuid) to shop_server;

comment on function internal.answer_address_question(uuid) is
  'The customer says, at an address of theirs, that the address of an appointment is theirs too: confirmed, once; else the state of '
  'the question.';

grant execute on function internal.answer_address_question(uuid) to shop_server;

comment on type internal.described_car is 'A car as a record describes it.';

comment on table public.cars is 'The cars of people, as their records described them; plate and VIN are the counter''s to add.';

comment on column public.cars.person_id is 'Who drives it now.';

comment on column public.cars.vin is '17 characters with the right check digit, or null.';

comment on column public.cars.note is 'What is worth knowing of it, for staff.';

comment on column public.cars.car_key is 'By which the next record of the same person finds it (internal.car_key).';

comment on column public.cars.plate_key is 'The plate without spaces and signs, in upper case.';

comment on column public.cars.search_text is 'What the search looks through (internal.plain).';

comment on column public.cars.merged_into is 'The car that this one turned out to be; its own id keeps leading there.';

comment on column public.cars.is_sample is 'Whether it came with the sample week, and goes with it.';

comment on column public.cars.version is 'Counts its changes: an update names the one it saw.';

alter table public.cars enable row level security;

grant select on public.cars to authenticated;

create policy "the admin reads cars" on public.cars for select to authenticated using ((select internal.is_admin()));

comment on table public.odometer_readings is 'What a car''s odometer said, when, and who wrote it down.';

comment on column public.odometer_readings.read_on is 'The date at the shop on which it said so.';

alter table public.odometer_readings enable row level security;

grant select on public.odometer_readings to authenticated;

create policy "the admin reads odometers" on public.odometer_readings
  for select to authenticated using ((select internal.is_admin()));

comment on function internal.car_key(text, text, text) is
  'Year, make and model without case, spaces and signs; null when neither make nor model is known.';

comment on function internal.plate_key(text) is 'A license plate without spaces and signs, in upper case.';

comment on function internal.is_vin(text) is
  'Whether a text is a vehicle identification number: 17 characters without I, O and Q, and the check digit is right.';

comment on function internal.find_car(uuid, internal.described_car) is
  'Which of a person''s cars is described: by VIN, plate, or year, make and model; null when it is none of them.';

comment on function internal.ensure_car(uuid, internal.described_car, timestamptz, boolean) is
  'The car of a person that a record describes, made when it is new; null when it describes none.';

comment on function internal.complete_car(uuid, internal.described_car) is 'Writes plate and VIN where a car has none yet; returns the car.';

comment on function internal.vehicle_line(text, text, text) is 'A car in one line; empty when nothing of it is known.';

comment on function internal.describe_car(public.cars) is 'A car with what its odometer said last.';

comment on function public.read_car(uuid) is
  'Everything of a car in one read (contracts/customers.ts); an id that was merged leads to the car that it is.';

grant execute on function public.read_car(uuid) to authenticated;

comment on function internal.miles_a_month(uuid) is 'How far a car is driven in a month, by its last twelve readings; null within thirty days.';

comment on function public.save_car(uuid, integer, uuid, text, text, text, text, text, text, text) is
  'Adds a car to a person (car_id null) or changes the one that is still of the expected version (TT093); returns its id. A VIN '
  'whose check digit is wrong is refused (TT097).';

grant execute on function public.save_car(uuid, integer, uuid, text, text, text, text, text, text, text)
  to authenticated;

comment on function public.give_car(uuid, integer, uuid) is
  'Notes that somebody else drives a car now. What was done to it stays with who came with it, and in the story of the car.';

grant execute on function public.give_car(uuid, integer, uuid) to authenticated;

comment on function public.note_odometer(uuid, integer, date, uuid, boolean) is
  'Notes what an odometer said on a day (today), and in which visit. Less than before, or more than later, is asked about first '
  '(TT098, the detail says against which).';

grant execute on function public.note_odometer(uuid, integer, date, uuid, boolean) to authenticated;

comment on function public.remove_odometer_reading(uuid) is 'Takes back a reading that was a mistake.';

grant execute on function public.remove_odometer_reading(uuid) to authenticated;

comment on table public.record_merges is 'Which people and cars were put together, with what it takes to take them apart.';

comment on column public.record_merges.part_of is 'The merge of two people in which these two cars of theirs became one.';

comment on column public.record_merges.moved is 'Keys of the rows that moved, by table and column: {"public.bookings.person_id": […]}.';

comment on column public.record_merges.before is 'The columns of the kept one that it changed, {before, after}.';

alter table public.record_merges enable row level security;

grant select on public.record_merges to authenticated;

create policy "the admin reads merges" on public.record_merges for select to authenticated using ((select internal.is_admin()));

comment on table internal.merge_rules is
  'What a merge does with each foreign key to people and cars: its rows move to the one that is kept, or stay. One that is '
  'not decided here refuses every merge.';

comment on column internal.merge_rules.key_column is 'What names a row, for the way back.';

alter table internal.merge_rules enable row level security;

comment on function internal.undecided_references() is 'Foreign keys to people and cars, from the catalog, that no rule of a merge knows.';

comment on function internal.move_references(text, uuid, uuid) is
  'Moves every row that belongs to one person or car to another; returns which, by table and column.';

comment on function internal.move_references_back(public.record_merges) is
  'Gives back what a merge moved and nobody has moved on since.';

comment on function internal.person_now(uuid) is
  'Who a person turned out to be: the id itself, or where merges lead from it; null for none and for one who was erased.';

comment on function internal.car_now(uuid) is 'Which car one turned out to be: the id itself, or where merges lead from it; null for none.';

comment on function internal.take_person(uuid, integer) is
  'A person of the expected version, whom nobody else changes until the transaction ends.';

comment on function internal.take_car(uuid, integer) is 'A car of the expected version, which nobody else changes until the transaction ends.';

comment on function internal.refuse_self_merge(uuid, uuid) is 'Refuses to merge one with itself or with nothing.';

comment on function internal.put_cars_together(public.cars, public.cars, uuid) is
  'Makes one car of two; what only one of them says stays said. Returns the merge.';

comment on function internal.what_changed(jsonb, jsonb) is 'What a merge changed of the one that is kept: {column: {before, after}}.';

comment on function public.merge_people(uuid, uuid, integer, integer, text[]) is
  'Puts two people together and returns the merge: everything of the second becomes the first''s, cars that are the same become '
  'one, and the second''s id leads to the first. from_gone names what is taken from the second where both say something: '
  'name, email, phone; the other stays known too. Both are of the versions that were seen.';

grant execute on function public.merge_people(uuid, uuid, integer, integer, text[]) to authenticated;

comment on function internal.same_car(uuid, public.cars) is 'Another car of a person that is this one, as docs/product.md 16.2 says; null when none is.';

comment on function public.merge_cars(uuid, uuid, integer, integer) is
  'Makes one of two cars of a person and returns the merge: everything of the second becomes the first''s.';

grant execute on function public.merge_cars(uuid, uuid, integer, integer) to authenticated;

comment on function internal.restore_kept(public.record_merges) is 'Gives the one that was kept back what the merge had changed of it.';

comment on function internal.take_apart(public.record_merges) is 'Undoes a merge, the cars that were put together in it first.';

comment on function public.undo_merge(uuid) is
  'Takes apart what was merged in the last 30 days: what moved moves back, what came since stays with the one that was kept.';

grant execute on function public.undo_merge(uuid) to authenticated;

comment on function public.keep_people_apart(uuid, uuid) is 'Notes that two are not the same: nobody is asked again.';

grant execute on function public.keep_people_apart(uuid, uuid) to authenticated;

comment on function internal.make_person_of(public.bookings) is 'A new person as an appointment describes them, whoever has that address already.';

comment on function public.split_booking(uuid) is
  'Makes the person of an appointment somebody of their own, with its car and its invoice, and returns who it is. The way back '
  'is a merge.';

grant execute on function public.split_booking(uuid) to authenticated;

comment on function public.split_car(uuid, integer) is
  'Makes whoever came with a car somebody of their own, as its latest appointment names them, with everything about the car; '
  'returns who it is. The way back is a merge.';

grant execute on function public.split_car(uuid, integer) to authenticated;

comment on function internal.forget_what_left(uuid, uuid) is
  'Forgets of a person how only the one was reached who was split from them: none of their own records says so any more.';

comment on function internal.merged_email(public.people, public.people, boolean) is
  'The address of two customers who become one: of the one that is chosen. Where only the other one has an address it is taken, '
  'unless it was only typed online: then staff choose it or none.';

comment on type internal.said is 'By what a text may speak of somebody: a name, an address, a number (in its one form), a plate or a VIN.';

comment on table public.erasures is
  'Whose data was erased, by whom, and which records of transactions stayed until when (BPC 9884.11). It names nobody, and nobody '
  'takes a line back. [append-only]';

comment on column public.erasures.person_id is 'The row of people that says nothing of them any more.';

comment on column public.erasures.counts is
  'How many of each were erased: {visits, quotes, cars, emails, notes}; otherTexts of other records that changed, leftOut by staff.';

comment on column public.erasures.kept is 'What stays, with the name in it: [{kind, id, number, keptUntil}].';

comment on column public.erasures.kept_until is 'The last day on which any of it stays; null when nothing did.';

alter table public.erasures enable row level security;

grant select on public.erasures to authenticated;

create policy "the admin reads what was erased" on public.erasures for select to authenticated using ((select internal.is_admin()));

comment on function internal.note_erasure() is 'Asks for the files to be written anew after an erasure.';

comment on table internal.erasure_rules is
  'What the erasure of a customer does with each text and jsonb column. A column without a row fails a test.';

comment on column internal.erasure_rules.treatment is
  'replaced: the erasure empties, deletes or rewrites it; kept: it stays, for the reason; free: it holds no personal data of customers.';

comment on column internal.erasure_rules.reason is 'How it is replaced, why it is kept, or what it holds.';

comment on column internal.erasure_rules.label is 'How the erase dialog names the text; null for a column that is not searched.';

comment on column internal.erasure_rules.row_key is 'An SQL expression that names a row of the table ("one").';

comment on column internal.erasure_rules.owner is 'An SQL expression for the customer (people.id) whose record the row is, or null.';

comment on column internal.erasure_rules.subject is 'An SQL expression by which staff recognize the record, or null.';

comment on column internal.erasure_rules.longest is 'How many characters fit.';

comment on column internal.erasure_rules.only_where is 'An SQL condition for the rows that may change.';

alter table internal.erasure_rules enable row level security;

comment on table internal.file_cleanups is
  'The tables whose files can hold traces of what was erased, and how far the nightly job has come.';

comment on column internal.file_cleanups.requests is 'How often something was erased.';

comment on column internal.file_cleanups.cleaned is 'How many of these the file was written anew after.';

comment on column internal.file_cleanups.is_ours is 'Whether the login of the database owns the table, so that the job can do it.';

alter table internal.file_cleanups enable row level security;

comment on function internal.is_erased(uuid) is 'Whether the data of a person was erased.';

comment on function internal.spread(text, text) is 'The characters of a text with a pattern between each two.';

comment on function internal.pattern_of(text, text) is
  'Finds a name, an address, a number (in its one form) or a plate (letters and digits alone) in a text, however it is written. '
  'The text has to have its accents apart (nfd): then a letter has its case also where the database knows plain ones alone.';

comment on function internal.scrubbed(text, text, integer) is 'A text of at most so many characters with [erased] wherever the pattern is.';

comment on function internal.scrubbed(jsonb, text, integer) is
  'A JSON value with [erased] wherever the pattern is in one of its strings, however deep. A string within it grows to 60 characters at most.';

comment on function internal.needle_of(text, text) is
  'What any text that internal.pattern_of finds something in is like, as it is compared: much quicker to look for.';

comment on function internal.said_of_person(uuid[]) is
  'The names, addresses, numbers, plates and VINs by which the records of a customer speak of that customer.';

comment on function internal.may_say(text, text[]) is 'Whether it is worth looking closer at a text.';

comment on function internal.open_of_person(uuid) is 'What has to end before a person is erased: [{kind, id, title, at}].';

comment on function internal.handed_over_at(uuid) is 'When the last revision of an estimate was handed over; null for a draft.';

comment on function internal.kept_of_person(uuid) is
  'The records of transactions that stay with the name when a person is erased: [{kind, id, number, keptUntil}].';

comment on function public.read_erasure(uuid) is
  'What erasing a person would do (contracts/customers.ts): what stands in the way, what stays and until when, how much goes.';

grant execute on function public.read_erasure(uuid) to authenticated;

comment on function internal.counts_of_person(uuid) is 'How much is held about a person, by kind.';

comment on function internal.keep_events_but_reason() is 'What an erasure writes into the story of an appointment is its reason without the name, and nothing else.';

comment on function internal.erase_letters(uuid[]) is 'Deletes every letter about people, also those that wait; returns which.';

comment on function internal.erase_estimates(uuid[], date) is 'Deletes drafts, and estimates whose three years have passed.';

comment on function internal.erase_rows(uuid[]) is
  'Leaves of people''s records that something was, and when: nothing that says whose. Invoices of the last three years keep the name.';

comment on function internal.merged_into_person(uuid) is 'A person and all who turned out to be them.';

comment on function internal.erase_person(uuid, integer, text, text[]) is
  'Erases a person of the expected version for good, in the name of an admin, but for texts of other records that were left out (keys of '
  'internal.find_texts); refused (TT099, the detail says what) while a visit, an estimate or an invoice is open. Returns {letters, kept, '
  'counts}: letters are the ids of those that were deleted.';

grant execute on function internal.erase_person(uuid, integer, text, text[]) to shop_server;

comment on function internal.end_retention() is
  'Takes the name out of what was kept of erased people once its three years have passed; returns how many invoices lost it.';

grant execute on function internal.end_retention() to shop_server;

comment on function internal.read_person_export(uuid) is 'All that is held about a person, by kind: rows as they are, letters with their files.';

grant execute on function internal.read_person_export(uuid) to shop_server;

comment on function internal.rows_as_json(text, uuid[]) is 'The rows of a statement of ours about people ($1).';

comment on function internal.open_invoices_of(uuid) is 'The invoices of a person that were open when they were last heard of.';

grant execute on function internal.open_invoices_of(uuid) to shop_server;

comment on function internal.adopt_estimates(uuid) is 'Links the estimates that name a person and were written before they were known.';

comment on function internal.forget_merges(uuid[]) is 'Nothing of people is taken apart any more, and what it would take is forgotten.';

comment on function internal.notices_of_letters(uuid[]) is 'What the owner was told of letters that could not be delivered.';

comment on function internal.note_missing_invoice(text) is 'Notes that the processor knows an invoice no more: nobody can pay it.';

grant execute on function internal.note_missing_invoice(text) to shop_server;

comment on function internal.has_erased() is 'Whether anybody was erased.';

grant execute on function internal.has_erased() to shop_server;

comment on function internal.customer_of_task(public.tasks) is 'The customer (people.id) whose appointment or estimate a task is about.';

comment on function internal.customer_of_estimate(uuid) is 'The customer (people.id) of an estimate.';

comment on function internal.is_unsent(uuid, integer) is 'Whether a revision of an estimate was handed over to nobody.';

comment on function internal.words_of(jsonb) is 'All strings of a JSON value, one a line.';

comment on function internal.is_automated_only(uuid[], text) is
  'Whether an address or a number of a customer came with nothing but appointments and quote requests that are marked as automated.';

comment on function internal.is_of_others(uuid[], text, text) is
  'Whether an address, number, plate or VIN is also another customer''s, a team member''s or the shop''s.';

comment on function internal.sought_elsewhere(uuid[]) is
  'What an erasure searches for in the records of other customers: no names, nothing that is also somebody else''s, and nothing that '
  'only automated requests brought.';

comment on function internal.find_texts(uuid[], text) is
  'Every text that an erasure of customers changes, of one table or of all: in their own records (is_own) with their names, in other '
  'records without. text_key names it in the erase dialog.';

comment on function internal.pieces_of(text, text) is 'A text in pieces, of which every second one is what the pattern finds.';

comment on function internal.other_texts_of_person(uuid) is
  'The texts of other records that erasing a customer would change: {count, texts: [{key, label, about, pieces}]}, the first 20.';

comment on function internal.erase_texts(uuid[], text[], text) is
  'Replaces what names customers in every text that internal.find_texts finds, but for texts of other records that staff left out (their '
  'keys). Returns how many texts of other records changed.';

comment on function internal.request_file_cleanup() is 'Asks the nightly job to write the files of every table anew that an erasure changes.';

comment on function internal.is_quiet() is 'Whether it is night at the shop and nothing was booked or asked for in the last ten minutes.';

comment on function internal.list_file_cleanups() is
  'The tables whose files are to be written anew now, with what to note afterwards: none by day or while something is booked.';

grant execute on function internal.list_file_cleanups() to shop_server;

comment on function internal.note_file_cleanup(text, integer) is
  'Notes that a table''s file was written anew, after so many requests as were known before that.';

grant execute on function internal.note_file_cleanup(text, integer) to shop_server;

comment on function internal.note_file_owner(text) is 'Notes which tables the login of the database owns: a former login may have made them.';

grant execute on function internal.note_file_owner(text) to shop_server;

comment on function internal.are_files_ours() is 'Whether the nightly job can write the files of all these tables anew.';

comment on table public.bookings is 'Appointments. Dates and times are shop time (America/Los_Angeles).';

comment on column public.bookings.duration_minutes is
  'How long it holds its bay, in minutes of the wall clock: the service''s when it was booked, later what staff made of it, up to '
  'two weeks.';

comment on column public.bookings.occupied is 'Half-open span of shop wall-clock time, so that back-to-back appointments touch without overlapping.';

comment on column public.bookings.customer_email is 'Where letters about it go; null for a caller who left none: then nothing is sent.';

comment on column public.bookings.status is
  'confirmed, arrived (the car is here), in_work, no_show (nobody came; its time is free), cancelled, not_confirmed (a hold that '
  'ran out; both free too) or what staff write. Whether it is completed says completed_at.';

comment on column public.bookings.flagged_reasons is
  'What looked automated about the request; empty for an ordinary one. A flagged booking is held until it is confirmed.';

comment on column public.bookings.held_until is
  'Until when a flagged booking holds its slot without being confirmed by its e-mail; null for every other one.';

comment on column public.bookings.hold_confirmed_at is
  'When a held booking was confirmed, by the link in its e-mail or by the admin.';

comment on column public.bookings.bay_id is
  'Where its car is worked on; null is not placed: it stands, and takes no bay''s time.';

comment on column public.bookings.service_name is 'The service''s name when it was booked; later changes of the service leave it.';

comment on column public.bookings.service_price_cents is 'The price that its card named at least when it was booked, if any.';

comment on column public.bookings.kept_at is
  'When the admin decided that it stands although it lies outside the hours or in no bay; null while nobody did.';

comment on column public.bookings.kept_by is 'The admin who did.';

comment on column public.bookings.is_sample is 'Whether it belongs to the sample week, and goes with it.';

comment on column public.bookings.version is 'Counts its changes: who moves it or changes its state names the version that they saw.';

comment on column public.bookings.state_since is 'Since when it is in its state: how long a car that arrived has been waiting.';

comment on column public.bookings.search_text is 'What the dashboard''s search looks through (internal.plain).';

comment on column public.bookings.shop_note is 'What staff tell each other about it; in no letter and on no page of a customer.';

comment on column public.bookings.calendar_sequence is
  'SEQUENCE of its calendar file (RFC 5545, section 3.8.7.4): counts moves, changes of its length, cancellations and returns.';

comment on column public.bookings.link_version is 'Which link opens its private page: a higher one makes those of before worthless.';

comment on column public.bookings.answered_at is
  'When its customer said that they will come at the time that it has now; null after a move or a cancellation.';

comment on column public.bookings.thread_id is 'What belongs to one repair has the same.';

comment on column public.bookings.person_id is 'Whose it is; null until a record of before was linked.';

comment on column public.bookings.car_id is 'Which of their cars it is about; null when none was named.';

comment on column public.bookings.notified_starts_at is
  'The start, shop wall clock, that its customer last heard of: as they booked or changed it, or by a delivered notification.';

comment on column public.bookings.notified_cancelled is 'Whether what its customer last heard is that it was cancelled.';

comment on column public.bookings.is_notification_outdated is
  'Whether date, start time or the cancellation differ from what its customer last heard; bay and length do not count.';

alter table public.bookings enable row level security;

-- The server functions act as service_role on a hosted project: what they confirm, they read.
grant select, delete on public.bookings to authenticated;

grant select on public.bookings to service_role, shop_server;

grant insert (
  service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone, notes, vehicle_year,
  vehicle_make, vehicle_model, vehicle_color, status
) on public.bookings to anon;

grant insert (
  service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone, notes, vehicle_year,
  vehicle_make, vehicle_model, vehicle_color, status
), update (status, completed_at, completed_by, flagged_reasons, shop_note) on public.bookings to authenticated;

create policy "anyone books, the rules are in accept_booking" on public.bookings
  for insert to anon, authenticated with check (status = 'confirmed' and completed_at is null);

create policy "the admin reads bookings" on public.bookings
  for select to authenticated using ((select internal.is_admin()));

create policy "the admin changes bookings" on public.bookings
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create policy "the admin deletes bookings" on public.bookings
  for delete to authenticated using ((select internal.is_admin()));

create policy "the server reads bookings" on public.bookings for select to shop_server using (true);

comment on function internal.accept_booking() is
  'Decides about a booking that the website or the data service inserts: refuses what breaks a rule, gives it the first free '
  'bay, marks what looks automated (only of who is not signed in: the argument is visitor) and holds what is marked.';

grant execute on function internal.accept_booking() to anon, authenticated;

grant execute on function internal.keep_open_booking() to authenticated;

comment on function internal.record_booking() is
  'Writes the line of an appointment''s story and tells all processes: bookings_changed, with its id and the line''s, if there is one.';

comment on function internal.count_booking_change() is
  'Counts the changes of an appointment, but for its note and what its customer was notified of, and of its calendar file, and '
  'notes since when it is in its state. Runs before settle_hold: triggers go by name.';

comment on function internal.check_no_show() is 'The same rule, however the admin writes the status.';

comment on function internal.fill_search_text() is 'Writes what the search looks through, whatever its writer says.';

comment on function internal.link_booking() is 'Gives an appointment its person and its car.';

comment on function internal.settle_notification() is
  'Customers know what they book, on the page or by phone, and what they change by the appointment''s own link.';

comment on function internal.complete_booking() is
  'Keeps the service as it is called and priced now, what the customer knows of the time, and what the search looks through.';

comment on table public.booking_events is
  'The story of each appointment, written in the transaction of the change. Nobody takes a line back, and it outlives the '
  'appointment: so it says when, where and in which state, never whose. [append-only]';

comment on column public.booking_events.booking_id is 'No foreign key: a deleted appointment leaves its story.';

comment on column public.booking_events.kind is
  'booked; moved (day, time, or from one bay to another); placed (into a bay, from none); extended, shortened; a state that was '
  'reached (internal.booking_transitions); kept (a hold, or one that lies outside the hours); confirmed (by the link in its '
  'e-mail), not_confirmed (nobody did); answered (the customer will come), explained (the customer said why it was cancelled); '
  'relinked (its private page has a new link); changed (to a status that staff wrote); deleted.';

comment on column public.booking_events.source is
  'Who: a visitor of the site, the counter (the admin), the customer by the appointment''s own link, the admin by starting a task, '
  'or nobody.';

comment on column public.booking_events.changed_by_name is 'The admin''s username at the counter or at a task, else the source.';

comment on column public.booking_events.before is
  'Of internal.booking_facts what changed, as it was; null when it was booked, everything when it was deleted.';

comment on column public.booking_events.after is 'Of internal.booking_facts what changed, as it is; everything when it was booked.';

comment on column public.booking_events.reason is 'Why, in the words of whoever did it; null when they gave none.';

comment on column public.booking_events.warnings is
  'What the rules for visitors had against it (codes of internal.booking_warnings): staff may, and it is remembered.';

alter table public.booking_events enable row level security;

grant select on public.booking_events to authenticated;

create policy "the admin reads the story of bookings" on public.booking_events
  for select to authenticated using ((select internal.is_admin()));

comment on table internal.booking_transitions is
  'Which state of an appointment follows which, and what the step is called in its story. Decided here alone.';

comment on column internal.booking_transitions.from_state is 'A status of bookings, or completed.';

comment on column internal.booking_transitions.to_state is 'A status of bookings, or completed.';

comment on column internal.booking_transitions.kind is 'booking_events.kind of the step.';

comment on column internal.booking_transitions.is_for_staff is 'Whether somebody may take the step; false for what happens by itself.';

alter table internal.booking_transitions enable row level security;

comment on table internal.calendar_feed is 'The address of the owner''s calendar; no row while there is none.';

comment on column internal.calendar_feed.token is
  'What the address ends in: 256 random bits as base64url. Kept as it is, because the owner reads it again for the next device.';

comment on column internal.calendar_feed.renewed_at is 'Since when this one is good; those before open nothing.';

alter table internal.calendar_feed enable row level security;

grant select, insert, update, delete on internal.calendar_feed to shop_server;

create policy "the server keeps the address of the owner's calendar" on internal.calendar_feed
  to shop_server using (true) with check (true);

comment on function public.find_bookings(text) is
  'Appointments that hold every word of the search, for the admin; a phone number is looked for by its digits.';

grant execute on function public.find_bookings(text) to authenticated;

comment on function internal.lock_booking_day(date) is
  'One change of a day''s slots at a time, to the end of the transaction; several days are locked in order.';

grant execute on function internal.lock_booking_day(date) to anon, authenticated;

comment on function public.cancel_bookings(uuid[], text) is
  'Cancels open appointments at once, for one reason; returns which, with the status that an undo gives back. Completed ones, '
  'and those whose customer never came, are left alone.';

grant execute on function public.cancel_bookings(uuid[], text) to authenticated;

comment on function public.reopen_bookings(uuid[], text) is
  'Lets cancelled, not confirmed or held appointments stand again, each where its time is still free and its customer has not '
  'booked five others since; returns which do.';

grant execute on function public.reopen_bookings(uuid[], text) to authenticated;

comment on function internal.refuse_booking(text) is
  'Raises what booking_refusal found, each with its own SQLSTATE, hint and words; nothing for null.';

grant execute on function internal.refuse_booking(text) to anon, authenticated;

comment on function public.keep_bookings(uuid[]) is
  'Lets appointments stand although they lie outside the hours or in no bay; returns those that nobody had kept before.';

grant execute on function public.keep_bookings(uuid[]) to authenticated;

comment on function internal.booking_state(public.bookings) is 'The state of an appointment: completed, or its status.';

comment on function internal.booking_facts(public.bookings) is
  'What the story of an appointment tells of it: nothing that says whose it is.';

comment on function internal.booking_note() is
  'What a procedure knows of the change that it is making: {reason, warnings, may_leave_unplaced}.';

comment on function internal.set_booking_note(jsonb) is
  'Tells the triggers of bookings why, until the next call (null ends it) or the end of the transaction.';

comment on function internal.kind_of_change(public.bookings, public.bookings) is
  'What a change of an appointment is called in its story; null for one that its story does not tell.';

comment on function internal.source_of_change(text) is 'Who makes a change of this kind: booking_events.source.';

comment on function internal.lock_calendar() is
  'One change of appointments by staff at a time, while no visitor places one: taken first, so that nobody waits crosswise.';

comment on function internal.change_calendar_alone() is
  'A status that the admin writes without a procedure waits its turn like theirs: two of them never wait for each other.';

comment on function internal.refuse_early_no_show(public.bookings) is 'docs/product.md 12.4: a no-show is one from 15 minutes after the start.';

comment on function internal.refuse_outdated(public.bookings, integer) is
  'Refuses whoever saw another version of an appointment; the detail says which it is now and who changed it last.';

comment on function internal.take_booking(uuid) is 'An appointment that the admin alone changes until the transaction ends.';

comment on function internal.write_state(public.bookings, text) is
  'Writes a state where it is kept: completed in completed_at and completed_by (docs/product.md 4.2), every other in status.';

comment on function public.change_booking_state(uuid, text, integer, text, boolean) is
  'Takes an appointment of the expected version to another state (confirmed, pending, arrived, in_work, completed, cancelled, '
  'no_show; the undo of a step is the step back) and returns it; unchanged when it is in that state already. One that had '
  'given its time away gets its bay again or another one; when no bay has the time it is refused (23P01), or stands in no '
  'bay where may_leave_unplaced says so.';

grant execute on function public.change_booking_state(uuid, text, integer, text, boolean) to authenticated;

comment on function internal.booking_warnings(tsrange, uuid) is
  'What the rules for visitors have against a time that staff choose (in a bay, or null for none): in_the_past, notice_required, '
  'too_far_ahead, overnight, outside_hours.';

comment on function internal.refuse_taken_by(tsrange, uuid, uuid, uuid) is
  'Refuses a time as the constraint would; the detail names the appointments in the way and the next three free times.';

comment on function internal.require_reason(text) is 'Who books more cars than there are bays says why.';

comment on function internal.is_kept(uuid, text[]) is
  'Whether an appointment lies outside the hours because staff put it there: then it is no misfit that somebody has to decide about.';

comment on function public.book_by_phone(
  uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid
) is
  'Books a caller, for whom a name and a phone number are enough, and returns the appointment. Shop wall-clock time; minutes is '
  'the service''s length unless given; bay_id null is the first bay that can do it and has the time; leave_unplaced, with a '
  'reason, is no bay at all. The notice, the window, the hours and the grid for visitors do not hold: booking_events.warnings '
  'remembers them. With a booking_id of one''s own it may be repeated: the second call returns what the first one booked.';

grant execute on function public.book_by_phone(uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid)
  to authenticated;

comment on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) is
  'Moves an open appointment of the expected version to a day, time, length (its own for null) and bay (for null its own, or the '
  'first that has the time; with leave_unplaced none), all at once, and returns it. Its undo is a move back. Warnings as for book_by_phone.';

grant execute on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) to authenticated;

comment on function internal.find_by_words(text) is 'Up to 5000 appointments that hold every word of a search of two characters or more.';

comment on function public.find_customers(text) is
  'Up to eight people whose appointments hold every word of the search (two characters or more; a phone number by its digits), the '
  'latest first: one for each name and number, with their cars [{year, make, model, color}], when they were last here and come '
  'next, how often they came (visits) and did not (no_shows).';

grant execute on function public.find_customers(text) to authenticated;

comment on function internal.history_of(text, text, date) is
  'What is known of a person, by name and number, from their latest 200 appointments. Who was neither cancelled nor '
  'missed has come.';

comment on function public.read_past_visits(uuid) is
  'The other appointments, past and ahead, of the person of one, by number and name; the latest 50, latest first.';

grant execute on function public.read_past_visits(uuid) to authenticated;

comment on function public.note_booking(uuid, text, text) is
  'Writes what staff note of an appointment over the note that they saw; refuses to replace another one (TT068, which the '
  'detail says). An empty one takes it away.';

grant execute on function public.note_booking(uuid, text, text) to authenticated;

comment on function internal.last_change_of(public.bookings) is 'When an appointment was booked, or changed last.';

grant execute on function internal.last_change_of(public.bookings) to shop_server;

comment on function internal.is_open_state(text) is 'Whether a booking in this state (internal.booking_state) is still ahead or under way.';

comment on function internal.note_notified(uuid) is
  'Keeps with the appointment what a delivered email said of it: its start, or that it was cancelled.';

comment on function internal.needs_notification(public.bookings) is
  'Whether its customer still has to be notified: what they last heard is not so, and they may still act on it.';

comment on function public.dismiss_notification(uuid, integer, text) is
  'The customer of an appointment of the expected version needs no notification of how it is now, for a reason that its history '
  'keeps; the next change needs one again.';

grant execute on function public.dismiss_notification(uuid, integer, text) to authenticated;

comment on function internal.bookings_to_notify() is
  'Appointments whose customers still have to be notified of a change, the 50 that begin first.';

comment on function internal.is_standing(public.bookings) is 'Whether an appointment is neither held, cancelled, missed nor not confirmed.';

comment on function internal.known_start(uuid) is
  'The start, shop wall clock, that the customer of an appointment knew before its last change; the start itself where it did '
  'not change.';

grant execute on function internal.known_start(uuid) to shop_server;

comment on function internal.search_text_of(public.bookings) is 'What the search looks through in an appointment.';

comment on function internal.is_linked_later() is 'Whether a process of the shop links the appointment that this request inserts.';

-- The condition of a trigger is evaluated as who inserts.
grant execute on function internal.is_linked_later() to anon, authenticated;

comment on function internal.announce_booking(uuid, bigint) is
  'Tells the open dashboards that an appointment changed, with the event of its history if there is one.';

comment on function internal.link_booking_now(public.bookings) is
  'Gives an appointment its customer and its vehicle, and tells the open dashboards of it. The caller has locked the row.';

comment on function internal.link_waiting_booking(uuid) is
  'Links an appointment that belongs to nobody yet, for who acts on it before the shop''s process has linked it.';

comment on table internal.bay_hours is
  'When each active bay is open, as internal.open_spans computes it, from yesterday until 31 days after the last date that '
  'visitors can book. Shop wall-clock time. Triggers keep it; a date without a row is one that has to be computed.';

comment on column internal.bay_hours.span is 'One span of the date; empty when the bay is closed on the whole date.';

alter table internal.bay_hours enable row level security;

comment on view public.misfits is
  'Appointments ahead that lie outside the hours of their bay (outside_hours) or in none (not_placed), until they are '
  'moved, cancelled or kept.';

grant select on public.misfits to authenticated;

comment on function internal.booking_refusal(date, time, integer, uuid) is
  'Why an appointment may not start then (a code), or null when only another appointment could be in the way. '
  'The same rules as domain/bookings/booking-refusal.ts; a test holds them against each other.';

grant execute on function internal.booking_refusal(date, time, integer, uuid) to anon, authenticated;

comment on function public.is_time_slot_available(integer, date, time, uuid) is
  'Whether an appointment of service_duration minutes could be booked then, in a bay that can do the service when it is named.';

-- A booking's own page says whether a time that was not confirmed is still free.
grant execute on function public.is_time_slot_available(integer, date, time, uuid) to anon, authenticated, shop_server;

comment on function internal.open_spans(date, uuid) is
  'When a bay, or for null the shop, is open on a date: the week''s hours and special openings without what is closed. '
  'Everything that asks for hours asks here; domain/calendar/opening-spans.ts is the same rule.';

-- Reads what the admin may read; nobody else finds an appointment to ask for.
grant execute on function internal.open_spans(date, uuid) to authenticated;

comment on function internal.moment_refusal(date, time) is
  'Why no appointment may start at a moment, whatever the hours are (a code of booking_refusal), or null.';

comment on function internal.open_bays(date, time, integer, uuid) is
  'The bays that are open for a whole appointment and can do its service (any for null), and whether it starts on the grid of theirs.';

comment on function internal.hours_refusal(date, time, integer, uuid) is
  'What the hours have against an appointment: a code, or null.';

comment on function public.list_open_days(date, date, uuid) is
  'For each date of up to 62: the spans of its open bays in minutes after midnight ([[{opensAtMinute, closesAtMinute}]]; of '
  'those that can do a service, when it is named), and, when none is open, the reason of a public closure.';

grant execute on function public.list_open_days(date, date, uuid) to anon, authenticated, shop_server;

comment on function internal.is_taken(uuid, tsrange, uuid) is
  'Whether an appointment that stands takes a bay''s time, another one than the named.';

comment on function internal.free_bay(date, time, integer, uuid) is
  'The first bay by position that is open for an appointment, can do its service and has the time; null when none has.';

grant execute on function internal.free_bay(date, time, integer, uuid) to anon, authenticated;

comment on function internal.refuse_taken() is 'Refuses an appointment for which no bay is free, as the constraint would.';

grant execute on function internal.refuse_taken() to anon, authenticated;

comment on function internal.bay_to_return_to(public.bookings) is
  'Where an appointment that had given its time away can stand again; null when no bay has its time.';

comment on function internal.fitting_bay(public.bookings) is
  'The first bay that an appointment could be moved to at its time; null when there is none.';

comment on function internal.empty_bay(uuid) is
  'Moves the appointments ahead of a bay to other ones where they fit, and else places them in none; returns where each went.';

comment on function internal.staff_bay(uuid, tsrange, uuid) is
  'The first bay for what staff place: one that can do the service and has the time, open ones first; null when there is none.';

comment on function internal.free_spans(date, uuid, uuid) is
  'When a bay is open on a date and no appointment takes it, another one than the named.';

comment on function internal.starts_in(tsrange) is
  'When a job can begin in a free span, by phone: at its first quarter of an hour and each half hour after.';

comment on function internal.free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is 'As public.next_free_times, unchecked.';

comment on function internal.choose_bay(tsrange, uuid, uuid, uuid, uuid) is
  'The bay that staff ask for, or for null the appointment''s own, or the first that can do it and has the time. Refuses one that is '
  'switched off (TT065), cannot do the service (TT064), or is taken (23P01).';

comment on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'The next times (at most most, within so many days) at which a service, or so many minutes, is free and fits the hours of a bay, '
  'also overnight, with the bays by position: of one bay when it is named, as if the appointment for_booking were not there. '
  'Never in the past. What check_booking_time neither refuses nor calls outside_hours.';

grant execute on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer)
  to authenticated;

comment on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) is
  'What book_by_phone, or move_booking of for_booking, would say now: the bay, the warnings, and when it would be refused the '
  'hint (slot_taken, bay_cannot, bay_not_active), the appointments in the way and free_times [{date, time, bay_ids}].';

grant execute on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) to authenticated;

comment on function public.read_loads(date, integer) is
  'For each of up to 62 dates: cars that begin then, and how many minutes the active bays are open together.';

grant execute on function public.read_loads(date, integer) to authenticated;

comment on function internal.cars_of_week(date) is 'What read_loads says of seven dates, and how many of the cars are completed.';

comment on function internal.fits_hours(tsrange, tsmultirange, uuid) is
  'Whether a job keeps to the hours of a bay, of which open are those of its first date: it is done while the bay is open, or it '
  'begins then and is longer than any span of that date, so that the vehicle stays overnight.';

comment on function internal.list_taken_times(uuid, date, time[]) is
  'Which of the times that the page of an appointment showed somebody else has taken since.';

grant execute on function internal.list_taken_times(uuid, date, time[]) to shop_server;

comment on function internal.keep_bay_hours() is
  'Brings internal.bay_hours into agreement with hours, closures, bays and the calendar: after each change of them, and by '
  'a scheduled job, because every day one more date can be booked.';

grant execute on function internal.keep_bay_hours() to shop_server;

comment on function internal.keep_bay_hours_after_change() is 'Keeps internal.bay_hours in agreement with what it was computed from.';

comment on type internal.client_digests is
  'What names a client (an IPv4 address, an IPv6 /64) and the networks around it (IPv6 /56 and /48, IPv4 /24) without telling '
  'them; null where they do not say. is_limited is false in load tests of the shop''s own.';

comment on table internal.form_token_uses is 'Form tokens that came with a request; each is good for one. Kept for the day that a token is valid.';

alter table internal.form_token_uses enable row level security;

grant select, delete on internal.form_token_uses to shop_server;

create policy "the server reads used tokens" on internal.form_token_uses for select to shop_server using (true);

create policy "the server removes old tokens" on internal.form_token_uses for delete to shop_server using (true);

comment on table internal.form_origins is
  'Where a visitor''s form came from: digests of its form token, of the client''s address and of the networks around it, kept for a '
  'day.';

comment on column internal.form_origins.token_digest is 'Of the header x-form-token as it came, whatever the form guard thought of it; null without one.';

comment on column internal.form_origins.address_digest is 'Null when the data service does not say where a request comes from.';

comment on column internal.form_origins.network_56_digest is 'Of the client''s IPv6 /56.';

comment on column internal.form_origins.network_48_digest is 'Of the client''s IPv6 /48.';

comment on column internal.form_origins.network_24_digest is 'Of the client''s IPv4 /24.';

comment on column internal.form_origins.is_counted is
  'Whether the caps on bookings count it: an unmarked booking, and not of a load test.';

comment on column internal.form_origins.is_of_known_customer is
  'Whether it is a held booking that does not count among those that are held at a time.';

alter table internal.form_origins enable row level security;

grant select, delete on internal.form_origins to shop_server;

create policy "the server reads where forms came from" on internal.form_origins for select to shop_server using (true);

create policy "the server forgets where forms came from" on internal.form_origins for delete to shop_server using (true);

comment on table internal.booking_caps is
  'How many appointments visitors make in a span of time before the next is held. A shop of one bay sees some twenty a day.';

comment on column internal.booking_caps.name is
  'Counted: those from one client, from the networks around it (IPv6 /56 and /48, IPv4 /24), of the whole site.';

alter table internal.booking_caps enable row level security;

comment on function internal.why_token_is_suspicious(text) is
  'What is wrong with a form token, ''milliseconds.nonce.signature'' as server/features/form-guard signs it; null for an ordinary one.';

comment on function internal.flag_suspicious_form() is 'Marks a visitor''s form that looks automated, from two request headers. It never refuses.';

comment on function internal.token_digest(jsonb) is 'What names the form token in request headers; null without one.';

comment on function internal.address_digest(jsonb) is
  'What names the client''s address in request headers, without telling it; null when they do not say.';

comment on function internal.remember_form_origin() is 'Notes where a visitor''s form came from.';

comment on function public.forms_sent_by(jsonb) is
  'The forms of the last 15 minutes that came from the sender of a request, told by its headers: with the same form '
  'token, or both without one from the same address. The server functions ask; they confirm nothing else.';

grant execute on function public.forms_sent_by(jsonb) to service_role, shop_server;

comment on function internal.end_expired_holds(date) is
  'Gives the slots of unanswered holds back, of one day or of all; returns how many.';

grant execute on function internal.end_expired_holds(date) to shop_server;

comment on function internal.settle_hold() is
  'A booking that changes its state or loses its marks is held no more; one that takes its slot again finds expired holds '
  'out of the way; one that becomes open again is one of its customer''s five.';

comment on function internal.lock_booking_person(text, text) is
  'The open bookings of one mailbox (internal.mailbox_of) and phone number (internal.canonical_phone) do not change until the '
  'transaction ends. Taken after the lock of the day, always.';

comment on function internal.confirm_held_booking(uuid) is
  'The click in a held booking''s e-mail; may be repeated. confirmed, already_confirmed, or why not: cancelled, too_late, too_many, '
  'slot_taken (the hold had run out and somebody else has the time).';

grant execute on function internal.confirm_held_booking(uuid) to shop_server;

comment on function internal.release_answered_quote() is
  'Takes the mark of what looks automated off a quote request that a person has answered.';

comment on function internal.reached_booking_cap(internal.client_digests) is
  'Why an ordinary booking of this client is held, null when it is not. Held ones do not count: they have a ceiling of their own.';

comment on function internal.is_at_open_limit(text, text, uuid, bigint) is
  'Whether five other bookings of one mailbox or phone number are open and ahead; with since_event, whether the customer also '
  'opened one of them after that event of booking_events.';

comment on function internal.may_become_open(public.bookings) is
  'Guards every way in which a booking becomes open: insert, reopening by its customer, undo by staff, confirmation of a held one. '
  'False when five others of its customer are open; for an undo by staff, only when the customer opened one of them since.';

comment on function internal.digests_of_address(text) is
  'The digests of a client whose address came as it is: what is no address is one client, whatever it says.';

comment on function internal.client_digests(jsonb) is 'The client and its networks in request headers.';

comment on function internal.lock_booking_network(internal.client_digests) is
  'Counts of a client and of the networks around it do not change until the transaction ends. Taken after the locks of day and '
  'person, always.';

comment on function internal.is_hold_of_known_customer(public.bookings) is
  'Whether a marked booking is held however many are: one of a known customer who has fewer than five others open.';

comment on function internal.refuse_too_many_held(internal.client_digests) is
  'Refuses a marked booking while ten are held, or three of the client''s /48 or /24.';

comment on function internal.reasons_to_flag_form(jsonb) is
  'Why the form that sent a request with these headers looks automated; empty when it looks like a person''s. Uses its token up.';

comment on table internal.link_requests is
  'Who asked for the links of their appointments: one letter an hour to a mailbox. Forgotten after a day.';

comment on column internal.link_requests.mailbox_digest is 'SHA-256 of the mailbox, by which the next one is counted.';

comment on column internal.link_requests.mailbox is 'As internal.mailbox_of has it; null once it was answered.';

alter table internal.link_requests enable row level security;

comment on function public.visit_token(uuid) is
  'What the address of an appointment''s private page ends in now, as server/features/visit-page signs it; null when there is none.';

grant execute on function public.visit_token(uuid) to service_role, shop_server;

comment on function public.read_visit_link(uuid, boolean) is
  'The path of an appointment''s private page, for whoever at the counter asks for this one; with renew a new one, and those '
  'of before open nothing, those of its estimates neither.';

grant execute on function public.read_visit_link(uuid, boolean) to authenticated;

comment on function internal.forget_answer() is 'Who said that they come at one time has not said it of another.';

comment on function internal.visit_starts_at(public.bookings) is 'The instant at which an appointment begins.';

comment on function internal.visit_refusal(public.bookings, integer, integer) is
  'Why a customer may not change an appointment of which they saw this calendar_sequence: gone, cancelled, over, not_confirmed (a '
  'hold waits for its click), changed_meanwhile, too_close (the cut-off has passed); null when they may.';

comment on function internal.take_visit(uuid) is
  'An appointment that its customer alone changes until the transaction ends; all null when there is none.';

comment on function internal.visit_bay(public.bookings, date, time) is
  'Where an appointment can be at another time, as if it were not there: its own bay, or the first that is free; null for none.';

comment on function internal.move_visit(uuid, integer, date, time) is
  'Moves an appointment by its private page, by the rules for visitors, in one statement. Done: moved, or unchanged (it is there '
  'already). Refused: slot_taken, or a code of visit_refusal or booking_refusal.';

grant execute on function internal.move_visit(uuid, integer, date, time) to shop_server;

comment on function internal.cancel_visit(uuid, integer) is
  'Cancels an appointment by its private page. Done: cancelled, or unchanged (it is already). Refused: a code of visit_refusal.';

grant execute on function internal.cancel_visit(uuid, integer) to shop_server;

comment on function internal.last_cancellation(uuid) is 'Who cancelled an appointment last, and what it was before; null when nobody did.';

comment on function internal.take_back_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), changed_meanwhile, over, too_close, '
  'outside_hours, slot_taken, too_many (five others are open); null when they may.';

comment on function internal.take_visit_back(uuid, integer) is
  'Undoes a customer''s own cancellation while the time is free. Done: taken_back, or unchanged (it stands). Refused: over, or a '
  'code of take_back_refusal.';

grant execute on function internal.take_visit_back(uuid, integer) to shop_server;

comment on function internal.answer_visit(uuid, integer) is
  'The customer will come. Done: answered, or unchanged (they said so before). Refused: a code of visit_refusal. There is no cut-off.';

grant execute on function internal.answer_visit(uuid, integer) to shop_server;

comment on function internal.explain_visit(uuid, text) is
  'Why a customer cancelled, once for each cancellation. Done: explained, or unchanged. Refused: changed_meanwhile (the customer '
  'did not cancel it).';

grant execute on function internal.explain_visit(uuid, text) to shop_server;

comment on function internal.tell_story(uuid, text) is 'The latest lines of an appointment''s story, in shop time, without reasons and names.';

comment on function internal.read_visit(uuid) is
  'All that the private page of an appointment says, in shop time (server/features/visit-page/read-visit-page.ts); null when there is none.';

grant execute on function internal.read_visit(uuid) to shop_server;

comment on function internal.list_visit_times(uuid, date) is
  'The times of a date at which an appointment could be instead, as if it were not there.';

grant execute on function internal.list_visit_times(uuid, date) to shop_server;

comment on function internal.ask_for_links(text) is
  'Notes that somebody wants the links of this address; once an hour for a mailbox.';

grant execute on function internal.ask_for_links(text) to shop_server;

comment on function internal.take_link_request() is
  'Takes requests for links up to the first whose mailbox has appointments to come, and returns those: at most 20, soonest '
  'first. Nothing when no request is left.';

grant execute on function internal.take_link_request() to shop_server;

comment on function internal.read_visit_work(uuid) is
  'What the page of an appointment says of the work: the estimate that was handed over last, its path, tasks with what is meant for '
  'the customer, the invoice. Titles only where they are those of an estimate''s jobs, which the customer has read.';

grant execute on function internal.read_visit_work(uuid) to shop_server;

comment on table public.tasks is 'Work to do, often made from an appointment. Its status changes only through update_task_status.';

comment on column public.tasks.is_sample is 'Whether it belongs to the sample week, and goes with it.';

comment on column public.tasks.estimate_id is 'The estimate whose approved job this task does.';

comment on column public.tasks.archived_at is 'When the clean-up took it off the list, where the law asks to keep it; null is on the list.';

comment on column public.tasks.customer_note is
  'What the page of the visit says beside the status (''pads arrive Friday''). Notes of the history are the shop''s alone.';

alter table public.tasks enable row level security;

grant select, delete on public.tasks to authenticated;

grant insert (title, description, priority, assigned_to, due_date, booking_id) on public.tasks to authenticated;

create policy "the admin reads tasks" on public.tasks for select to authenticated using ((select internal.is_admin()));

create policy "the admin creates tasks" on public.tasks for insert to authenticated with check ((select internal.is_admin()));

create policy "the admin deletes tasks" on public.tasks for delete to authenticated using ((select internal.is_admin()));

comment on function internal.keep_booking_of_task() is
  'Whoever makes a task of a held appointment has confirmed it.';

comment on function internal.bring_task_back() is 'A task that is reopened is on the list again.';

comment on function internal.forget_customer_note() is 'What was said of one status is not said of the next.';

comment on function internal.follow_task() is
  'A booking follows its tasks: in work once one is started, back as it was when the start of the only one is taken back (to '
  'pending, or deleted while in progress). Open dashboards hear of each change, because the state of the vehicle depends on it.';

comment on table public.task_status_history is 'Every change of a task''s status, written in the same transaction as the change.';

alter table public.task_status_history enable row level security;

grant select on public.task_status_history to authenticated;

create policy "the admin reads status history" on public.task_status_history
  for select to authenticated using ((select internal.is_admin()));

comment on table public.task_notes is 'Notes on a task, newest first.';

alter table public.task_notes enable row level security;

grant select on public.task_notes to authenticated;

create policy "the admin reads task notes" on public.task_notes
  for select to authenticated using ((select internal.is_admin()));

comment on function public.add_task_note(uuid, text, text, text) is 'Adds a note to a task, signed by the admin.';

grant execute on function public.add_task_note(uuid, text, text, text) to authenticated;

comment on function public.update_task_status(uuid, text, text, text, text, text) is
  'Sets a task''s status and writes its history in one transaction; the same status with a note adds only the note. Refused when expected_status is given and is not the status any more.';

grant execute on function public.update_task_status(uuid, text, text, text, text, text) to authenticated;

comment on function public.mark_task_ready_for_pickup(uuid, text, text, text) is
  'Notes when a completed task''s vehicle became ready; asking again changes nothing.';

grant execute on function public.mark_task_ready_for_pickup(uuid, text, text, text) to authenticated;

comment on function public.clean_up_tasks(uuid[]) is
  'Takes completed tasks off the list: deletes them, or keeps out of sight those of an estimate and those of a vehicle that was '
  'not picked up. How many were taken.';

grant execute on function public.clean_up_tasks(uuid[]) to authenticated;

comment on function public.tell_customer_of_task(uuid, text) is
  'What the page of the visit says of a task while it has its status; empty says nothing but that.';

grant execute on function public.tell_customer_of_task(uuid, text) to authenticated;

comment on function internal.booking_invoice(uuid) is
  'The invoice of the estimate that was handed over last for a booking; paid_at is null until it is paid in full.';

comment on function internal.vehicle_facts(public.bookings) is
  'All that the state of a booking''s vehicle depends on (VehicleFacts of domain/bookings/vehicle-state.ts).';

comment on function public.vehicle_facts(public.bookings) is
  'A computed column of bookings: all that the state of the vehicle depends on.';

grant execute on function public.vehicle_facts(public.bookings) to authenticated;

comment on function internal.vehicle_state(jsonb) is
  'The state of a vehicle by its facts: vehicleState of domain/bookings/vehicle-state.ts, for queries that select by it.';

comment on function internal.set_state_by_task(uuid, text) is 'Changes the status of an open booking because of one of its tasks.';

comment on function internal.state_before_task(uuid) is
  'The state from which a task took a booking into work; null unless that was the last change of its state.';

comment on table public.quote_requests is 'Quote requests: pending until the reply e-mail was sent, then completed.';

comment on column public.quote_requests.flagged_reasons is
  'What looked automated about the request; empty for an ordinary one. The admin sees the reasons beside it; it is never dropped.';

comment on column public.quote_requests.looks_automated is
  'Whether anything looked automated about the request: the dashboard sorts such ones last.';

comment on column public.quote_requests.is_sample is 'Whether it belongs to the sample week, and goes with it.';

comment on column public.quote_requests.thread_id is 'What belongs to one repair has the same.';

comment on column public.quote_requests.person_id is 'Whose it is; null until a record of before was linked.';

comment on column public.quote_requests.car_id is 'Which of their cars it is about.';

alter table public.quote_requests enable row level security;

grant select, delete on public.quote_requests to authenticated;

grant select on public.quote_requests to service_role, shop_server;

grant insert (
  name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status
) on public.quote_requests to anon;

grant insert (
  name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status
), update (status, flagged_reasons) on public.quote_requests to authenticated;

create policy "anyone asks for a quote" on public.quote_requests
  for insert to anon, authenticated with check (status = 'pending');

create policy "the admin reads quote requests" on public.quote_requests
  for select to authenticated using ((select internal.is_admin()));

create policy "the admin changes quote requests" on public.quote_requests
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create policy "the admin deletes quote requests" on public.quote_requests
  for delete to authenticated using ((select internal.is_admin()));

create policy "the server reads quote requests" on public.quote_requests for select to shop_server using (true);

comment on function internal.link_quote_request() is 'Gives a quote request its person and its car.';

comment on table public.quote_email_logs is 'What was answered to a quote request: the draft as offered and the text as sent.';

alter table public.quote_email_logs enable row level security;

grant select on public.quote_email_logs to authenticated;

create policy "the admin reads quote replies" on public.quote_email_logs
  for select to authenticated using ((select internal.is_admin()));

comment on function public.queue_quote_reply(jsonb, jsonb) is
  'Writes the admin''s reply to a quote request into the outbox and its log, once for its dedupe_key; returns its id. '
  'One that had failed is queued again. `message` has the columns of emails, `log` those of quote_email_logs.';

grant execute on function public.queue_quote_reply(jsonb, jsonb) to service_role, shop_server;

comment on function internal.unanswered_quotes() is
  'Requests for a quote that nobody answered for 12 hours, the oldest 50; none that looks automated.';

comment on function public.read_quote_email(uuid) is
  'The address for an invoice of a quote request: its own where it is its customer''s, else the customer''s; null for neither.';

grant execute on function public.read_quote_email(uuid) to authenticated;

comment on table public.estimates is 'An estimate, whatever its revision: whose, which car, and what the shop alone knows of it.';

comment on column public.estimates.number is 'What people call it: ''E-0101''.';

comment on column public.estimates.thread_id is 'What belongs to one repair has the same.';

comment on column public.estimates.internal_note is 'For the shop alone: in no letter, PDF or private page.';

comment on column public.estimates.link_version is 'Which link opens its customer''s page: a higher one makes those of before worthless.';

comment on column public.estimates.version is 'Counts its changes: a save names the one that it saw.';

comment on column public.estimates.changed_by is 'The username of the admin who saved it last.';

comment on column public.estimates.person_id is 'Whose it is; null while a draft names nobody who is known.';

comment on column public.estimates.car_id is 'Which of their cars it is about.';

comment on column public.estimates.search_text is 'What the search looks through (internal.plain).';

comment on column public.estimates.is_sample is 'Whether it belongs to the sample week, and goes with it.';

alter table public.estimates enable row level security;

grant select on public.estimates to authenticated;

create policy "the admin reads estimates" on public.estimates for select to authenticated using ((select internal.is_admin()));

comment on function internal.link_estimate() is
  'Gives an estimate the person of its appointment or quote request, else whom it was begun for while it names them the same, '
  'else the one whom it names, if known. What was handed over keeps person and car through every correction, until it names '
  'another person or describes another vehicle.';

comment on function internal.keep_estimate() is 'Keeps an estimate that was handed over for three years, whoever asks.';

comment on function internal.delete_estimate_events() is 'Deletes the history of an estimate with the estimate.';

comment on function internal.note_other_record() is
  'When another record voids approvals: a line of history, and what was handed over last can be answered again.';

comment on function internal.end_link_of_old_address() is
  'Ends the link of a sent estimate when its email address changes, with a line of history: whoever has the old mailbox opens nothing.';

comment on table public.estimate_jobs is 'What a customer can say yes or no to.';

comment on column public.estimate_jobs.key is 'Names the job in every revision.';

comment on column public.estimate_jobs.plain_words is 'What the customer reads.';

comment on column public.estimate_jobs.is_needed is 'Needed now; else it can wait.';

comment on column public.estimate_jobs.measure is '{value, limit, whenNew, unit} of what was measured; null when nothing was.';

alter table public.estimate_jobs enable row level security;

grant select on public.estimate_jobs to authenticated;

create policy "the admin reads jobs of estimates" on public.estimate_jobs for select to authenticated using ((select internal.is_admin()));

comment on table public.estimate_lines is 'What the price of a job is made of.';

comment on column public.estimate_lines.detail is
  'Of a part its condition (16 CCR 3356): new, used, rebuilt, reconditioned, oem. Of a fee what it is for, of a discount whether it is '
  'an amount or percent of the job.';

comment on column public.estimate_lines.thousandths is 'Hours, pieces, or percent: 1.2 is 1200.';

comment on column public.estimate_lines.unit_cents is 'Of one hour or piece; what a discount takes off.';

alter table public.estimate_lines enable row level security;

grant select on public.estimate_lines to authenticated;

create policy "the admin reads lines of estimates" on public.estimate_lines for select to authenticated using ((select internal.is_admin()));

comment on table public.estimate_revisions is 'What was offered. One that is frozen stays as it is; the latest can be a draft.';

comment on column public.estimate_revisions.good_until is 'The last day at the shop on which it can be approved.';

comment on column public.estimate_revisions.tax_rate is 'In ten-thousandths of a percent, of the day on which the estimate was begun.';

comment on column public.estimate_revisions.frozen_at is 'When it was handed over or approved; null is a draft.';

comment on column public.estimate_revisions.sent_at is 'When it was last sent to its customer.';

comment on column public.estimate_revisions.seen_at is 'When its customer first touched the page that shows it.';

comment on column public.estimate_revisions.answered_at is 'When nothing of it was left to decide.';

comment on column public.estimate_revisions.document is 'All that its customer was shown, with every amount.';

comment on column public.estimate_revisions.hash is 'SHA-256 of document, hexadecimal: what an approval is bound to.';

comment on column public.estimate_revisions.sent_to is 'The address to which it was last sent.';

alter table public.estimate_revisions enable row level security;

grant select on public.estimate_revisions to authenticated;

create policy "the admin reads revisions" on public.estimate_revisions for select to authenticated using ((select internal.is_admin()));

comment on function internal.keep_frozen_revision() is 'Of a frozen revision only what became of it is written: sent, seen, answered.';

comment on function internal.know_from_estimate() is
  'What is handed over names a person and a car: they are known from then on, with plate, VIN and what the odometer said.';

comment on function internal.note_changed_details() is
  'A line of history with what a revision says of customer and vehicle otherwise than the one that was handed over before.';

comment on function internal.note_recipient() is 'Notes with each sending to which address a revision was sent.';

comment on table public.estimate_events is
  'The history of each estimate that was handed over: what changed of its customer, its vehicle and its link. Deleted with it. '
  '[append-only]';

comment on column public.estimate_events.estimate_id is 'No foreign key: a cascade would pass the trigger that keeps the lines.';

comment on column public.estimate_events.kind is
  'details_changed (of the same records); customer_changed, vehicle_changed (another record, which voids approvals); address_changed '
  '(the link to the former address ended); relinked (staff made a new link).';

comment on column public.estimate_events.before is 'The fields that changed, as they were; null where the kind says all.';

comment on column public.estimate_events.after is 'The fields that changed, as they are; null where the kind says all.';

comment on column public.estimate_events.changed_by_name is 'The admin''s username; ''system'' for a change past the data service.';

alter table public.estimate_events enable row level security;

grant select on public.estimate_events to authenticated;

create policy "the admin reads the history of estimates" on public.estimate_events
  for select to authenticated using ((select internal.is_admin()));

comment on table public.estimate_rules is 'How the shop writes estimates, in one row.';

comment on column public.estimate_rules.labor_rate_cents is 'Of one hour: what a new labor line begins with.';

comment on column public.estimate_rules.good_for_days is 'How many days after today a new estimate is good until.';

comment on column public.estimate_rules.registration_number is 'Of the Bureau of Automotive Repair, on every estimate and invoice (16 CCR 3356).';

comment on column public.estimate_rules.epa_number is 'Without it nothing is charged for hazardous waste (16 CCR 3356.1, 3357).';

comment on column public.estimate_rules.conditions is 'What is printed below every estimate and invoice.';

alter table public.estimate_rules enable row level security;

grant select on public.estimate_rules to authenticated, shop_server;

grant update (
  labor_rate_cents, good_for_days, registration_number, epa_number, conditions
) on public.estimate_rules to authenticated;

create policy "the admin reads how estimates are written" on public.estimate_rules
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads how estimates are written" on public.estimate_rules for select to shop_server using (true);

create policy "the admin changes how estimates are written" on public.estimate_rules
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

comment on table public.tax_rates is 'The sales tax, from a day at the shop on. Every document keeps the rate that it was begun with.';

comment on column public.tax_rates.rate is 'In ten-thousandths of a percent: 9.125 % is 91250.';

alter table public.tax_rates enable row level security;

grant select, insert, delete on public.tax_rates to authenticated;

grant update (rate) on public.tax_rates to authenticated;

create policy "the admin reads tax rates" on public.tax_rates for select to authenticated using ((select internal.is_admin()));

create policy "the admin adds tax rates" on public.tax_rates for insert to authenticated with check ((select internal.is_admin()));

create policy "the admin changes tax rates" on public.tax_rates
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create policy "the admin removes tax rates" on public.tax_rates for delete to authenticated using ((select internal.is_admin()));

comment on table public.kept_jobs is 'Jobs kept for reuse, as contracts/estimates/estimates.ts describes a job.';

comment on column public.kept_jobs.is_sample is 'Whether it belongs to the sample week, and goes with it.';

alter table public.kept_jobs enable row level security;

grant select on public.kept_jobs to authenticated;

create policy "the admin reads kept jobs" on public.kept_jobs for select to authenticated using ((select internal.is_admin()));

comment on view internal.priced_lines is 'Lines with what each comes to, and how much of it is taxed; a discount is below 0.';

comment on view internal.job_totals is 'What each job of each revision comes to, in cents.';

comment on function internal.tax_rate_on(date) is 'The sales tax on a day at the shop, in ten-thousandths of a percent; 0 before the first.';

comment on function internal.refuse_frozen() is 'Keeps jobs and lines of a frozen revision as they are, whoever asks.';

comment on function internal.name_conflict(public.estimates) is 'Refuses (TT070) with who changed it, when, and to which version.';

comment on function internal.take_estimate(uuid, integer) is
  'An estimate that nobody else changes until the transaction ends; refused (TT070) when it is not the version that was seen, where one is named.';

comment on function internal.latest_revision(uuid) is 'The draft of an estimate, or what was frozen last.';

comment on function internal.refuse_invoiced(public.estimates) is 'Refuses (TT075) what would change an estimate that has its invoice.';

comment on function internal.begin_revision(public.estimates) is 'The draft of an estimate that is written to: a new one after one that is frozen.';

comment on function internal.write_jobs(uuid, integer, jsonb) is 'Writes the jobs and lines of a draft anew, as contracts/estimates/estimates.ts has them.';

comment on function internal.is_generic_supplies(text) is 'Whether a line charges for supplies that it does not name (16 CCR 3356 (a)(2)).';

comment on function internal.estimate_problems(uuid, integer) is
  'Why a draft cannot be handed over: [{code, jobKey, line}], its lines counted from 1; empty when it can.';

comment on function internal.describe_save(uuid) is 'What whoever saved an estimate is told: version, revision, savedAt, totalCents, problems.';

comment on function public.save_estimate(uuid, integer, jsonb) is
  'Saves an estimate as contracts/estimates/estimates.ts describes its document; after a frozen revision it begins the next. Refused (TT070) '
  'when seen_version is not its version. What is not ready to be handed over is saved, and told in problems.';

grant execute on function public.save_estimate(uuid, integer, jsonb) to authenticated;

comment on function public.use_todays_tax_rate(uuid, integer) is 'Gives a draft the sales tax of today instead of the day on which it was begun.';

grant execute on function public.use_todays_tax_rate(uuid, integer) to authenticated;

comment on function internal.jobs_of(uuid, integer) is 'The jobs of a revision with their lines, as contracts/estimates/estimates.ts has them.';

comment on function public.delete_estimate(uuid) is 'Deletes an estimate that no customer was shown; any other is refused (TT076).';

grant execute on function public.delete_estimate(uuid) to authenticated;

comment on function public.keep_job(jsonb) is 'Keeps a job for reuse, by its title: the same title is kept once, as it is now.';

grant execute on function public.keep_job(jsonb) to authenticated;

comment on function public.forget_kept_job(uuid) is 'Forgets a job that was kept; estimates that use it stay as they are.';

grant execute on function public.forget_kept_job(uuid) to authenticated;

comment on function public.find_kept_jobs(text) is 'Kept jobs whose title has a term, those that begin with it first, at most 50: [{id, job}].';

grant execute on function public.find_kept_jobs(text) to authenticated;

comment on function internal.write_document(uuid, integer) is 'All that a customer is shown of a revision: no internal note.';

comment on function internal.freeze(public.estimates) is
  'The latest revision of an estimate, from now on as it is; refused (TT074, with its problems) when it is not ready.';

comment on function internal.freeze_estimate(uuid, integer, boolean, text) is
  'Hands the latest revision over, in the name of an admin, and notes that it was sent where it was: as save_estimate answers.';

grant execute on function internal.freeze_estimate(uuid, integer, boolean, text) to shop_server;

comment on function internal.sold_work(uuid, integer, uuid) is 'What a job of a revision sells: its title and its lines, without the words that explain it.';

comment on function internal.offered_revision(uuid) is 'What was handed over last; a later draft is not shown to anybody.';

comment on function internal.offer_state(public.estimate_revisions) is
  'closed (it has its invoice), answered, expired (its last day at the shop is over), or open.';

comment on function internal.read_offer(uuid) is 'What the customer of an estimate sees; null before anything was handed over.';

grant execute on function internal.read_offer(uuid) to shop_server;

comment on function internal.note_offer_seen(uuid, text) is 'Notes that its customer looked at a revision, once: whether this was the first time.';

grant execute on function internal.note_offer_seen(uuid, text) to shop_server;

comment on function internal.answer_offer(uuid, text, uuid[], text, text, boolean) is
  'The customer''s answer: the jobs that are approved, all others that wait for an answer are declined. approved, declined, or why '
  'not: unchanged (it was answered), changed_meanwhile (another revision than was shown), expired, closed (it has its invoice).';

grant execute on function internal.answer_offer(uuid, text, uuid[], text, text, boolean) to shop_server;

comment on function internal.estimate_token(uuid) is 'What the address of an estimate''s private page ends in now; null when there is none.';

grant execute on function internal.estimate_token(uuid) to shop_server;

comment on function internal.estimate_state(public.estimates) is
  'Where an estimate is on its way: draft, sent, seen, approved (any job), declined, expired, invoiced.';

comment on function public.read_estimate(uuid) is 'An estimate with its ledger and all that belongs to it, as contracts/estimates/estimates.ts describes it.';

grant execute on function public.read_estimate(uuid) to authenticated;

comment on function public.list_estimates(text, text) is
  'The estimates that were changed last, at most 50: all, or those with a term in number, name, plate or model, or in one state. '
  'invoicedCents is the total of the invoice, null without one.';

grant execute on function public.list_estimates(text, text) to authenticated;

comment on function public.create_estimate_tasks(uuid) is
  'Makes a task of each approved job that has none yet, for whoever works in the appointment''s bay: how many were made.';

grant execute on function public.create_estimate_tasks(uuid) to authenticated;

comment on function internal.outdated_offer_because(uuid, integer) is
  'Why a letter that offers a revision must not leave any more; null while it is what its customer can answer.';

grant execute on function internal.outdated_offer_because(uuid, integer) to service_role, shop_server;

comment on function internal.estimate_link_version(uuid) is
  'Which link opens the page of an estimate now; null when there is no such estimate.';

grant execute on function internal.estimate_link_version(uuid) to shop_server;

comment on function internal.tell_of_estimates() is
  'Tells all processes which estimate changed, was seen or answered: estimates_changed, with its id.';

comment on function public.rename_kept_job(uuid, text) is
  'Gives a kept job another name; estimates that use it stay as they are. Two of one name are refused (kept_jobs_title_key).';

grant execute on function public.rename_kept_job(uuid, text) to authenticated;

comment on function internal.read_estimate_paper(uuid, boolean) is
  'What is printed of an estimate: its latest revision, for the customer the one that was handed over last, with its date; what was '
  'decided about each job; the ledger. No internal note. Null when there is nothing to print.';

grant execute on function internal.read_estimate_paper(uuid, boolean) to shop_server;

comment on function internal.car_of_estimate(public.estimates) is 'The car as an estimate describes it; a VIN that is none is left out.';

comment on function internal.caller_of_estimate(public.estimates) is 'Whom an estimate names.';

comment on function public.create_estimate(jsonb) is
  'Begins an estimate from {bookingId}, {quoteRequestId}, {carId} or {personId}, or from nothing with {customer, vehicle}: '
  '{id, isNew}. What was begun for the same appointment or quote is found again; for the same car or person what nobody wrote in yet.';

grant execute on function public.create_estimate(jsonb) to authenticated;

comment on function internal.is_hazardous_waste_fee(text) is 'Whether the description of a fee names hazardous waste.';

comment on function internal.add_estimate_event(uuid, text, jsonb, jsonb) is 'Adds a line to the history of an estimate.';

comment on function internal.last_person_of(uuid) is 'The customer record to which merges lead from one, also of a customer who was erased.';

comment on function internal.describe_estimate_history(uuid) is 'The history of an estimate, oldest first.';

comment on function internal.names_another_customer(public.estimates) is
  'Whether an estimate names somebody else than when it was handed over: another name, and neither its address nor its number.';

comment on function internal.is_another_word(text, text) is 'Whether two words say different things; what is empty says nothing.';

comment on function internal.describes_another_vehicle(public.estimates) is
  'Whether an estimate describes another vehicle than when it was handed over: another year, make or model, and neither its plate nor its VIN.';

comment on function internal.details_of_document(jsonb) is 'Whose and of which vehicle a frozen revision is, in one object.';

comment on function internal.note_corrected_record() is
  'A line of history in each estimate with an approval whose customer or vehicle was corrected on its own page.';

comment on function internal.details_of_record(jsonb, text[]) is 'Of a row the columns that are named.';

comment on function internal.email_for_estimate(public.bookings, public.quote_requests, uuid) is
  'Where an estimate for an appointment, a quote request or a customer goes: to the address of the record where it is its '
  'customer''s, else to the customer''s own; null for neither.';

comment on function public.change_estimate_email(uuid, integer, text, text) is
  'Changes the email address of an estimate without a new revision. reason: new_address (answers stay), wrong_recipient (each answer '
  'by the old link is withdrawn). Refused (TT075) once it has its invoice. Answers as save_estimate.';

grant execute on function public.change_estimate_email(uuid, integer, text, text) to authenticated;

comment on function internal.renew_links(uuid, uuid) is
  'Ends all links of an appointment and of its estimates, or of an estimate that has no appointment.';

comment on function public.read_estimate_link(uuid, boolean) is
  'The path of the page of an estimate, for the admin; with renew a new one, and those of before open nothing, those of its '
  'appointment neither.';

grant execute on function public.read_estimate_link(uuid, boolean) to authenticated;

comment on function internal.misdirected_offer_because(uuid, text) is
  'Why an email that offers an estimate must not leave to an address; null while it is the address of its customer.';

grant execute on function internal.misdirected_offer_because(uuid, text) to service_role, shop_server;

comment on function internal.was_taken_from_visitor(public.estimates, uuid) is
  'Whether an estimate was sent to the address of its appointment and has another address since: the page of the appointment, '
  'whose link is in the old mailbox, does not lead to it.';

comment on table public.authorizations is 'The ledger of what customers allowed: one line a job and act. Nobody changes or takes a line back. [append-only]';

comment on column public.authorizations.revision_hash is 'Of the frozen revision that was decided on.';

comment on column public.authorizations.act_id is 'Of what was decided at once.';

comment on column public.authorizations.decision is
  'declined leaves what was approved before as it is, at its price of then; withdrawn takes it back.';

comment on column public.authorizations.amount_cents is 'Of the job in that revision, tax included; the database writes it.';

comment on column public.authorizations.running_total_cents is 'What is authorized in all after this line; the database writes it.';

comment on column public.authorizations.relation is 'To the customer, where somebody else decided: ''husband''.';

comment on column public.authorizations.contact is 'The number called, or the address written to.';

comment on column public.authorizations.words is 'What was said, or what the page said.';

comment on column public.authorizations.wants_parts_back is 'Asked for the replaced parts (16 CCR 3355).';

comment on column public.authorizations.said_at is 'When it was said; recorded_at is when it was written down.';

comment on column public.authorizations.recorded_by is 'The admin''s username, or ''customer'' for the private page.';

comment on column public.authorizations.person_id is
  'Whose estimate it was when the line was written; null where that is not known. No foreign key: the line outlives the record.';

comment on column public.authorizations.car_id is
  'Which vehicle the estimate was about when the line was written; null where none was described. No foreign key.';

comment on column public.authorizations.link_version is 'By which link of the estimate a customer answered on the page; else null.';

comment on column public.authorizations.withdraws_id is
  'The answer that the shop withdraws because the estimate was sent to the wrong recipient: neither line counts.';

alter table public.authorizations enable row level security;

grant select on public.authorizations to authenticated;

create policy "the admin reads the ledger" on public.authorizations for select to authenticated using ((select internal.is_admin()));

comment on function internal.fill_authorization() is 'Writes what a line of the ledger amounts to, whatever its writer says.';

comment on function internal.keep_authorization() is 'Keeps lines of the ledger for three years, whoever asks.';

comment on function internal.authorized_jobs(uuid) is
  'What each job of an estimate may cost by the ledger, in cents, and what was last decided of it, at which revision.';

comment on function internal.kept_until(timestamptz) is
  'The day at the shop until which a record of a repair stays: three years (BPC 9884.11).';

grant execute on function internal.kept_until(timestamptz) to authenticated, shop_server;

comment on function internal.refuse_losing_records(timestamptz) is
  'Refuses (TT076) that a record of this instant is deleted before its three years have passed; its detail is until when.';

grant execute on function internal.refuse_losing_records(timestamptz) to authenticated, shop_server;

comment on function internal.is_other_work(uuid, integer, uuid) is
  'Whether a job of a revision is called otherwise than what was approved of it last, or sells something that was not in it. Hours, '
  'counts and prices may differ, and lines may be gone.';

comment on function internal.close_if_decided(uuid, integer) is 'Notes that nothing of a revision is left to decide, once that is so.';

comment on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean) is
  'Records what a customer decided by other ways than the page, [{jobKey, decision, declinedId}], of the latest revision: a draft is '
  'frozen first. declinedId names the refusal that an approval replaces. Answers as save_estimate, with actId.';

grant execute on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean)
  to authenticated;

comment on function internal.describe_ledger(uuid) is 'The lines of the ledger that count, oldest first: what customers and papers show.';

comment on function internal.is_approved(uuid, uuid) is 'Whether a job was approved at some price, and that was not taken back.';

comment on function internal.untold_approvals(integer) is
  'Approvals of the last day of which their customers have no letter yet, oldest first.';

grant execute on function internal.untold_approvals(integer) to shop_server;

comment on function internal.decisions_on(uuid, integer) is
  'What was decided of the jobs of a revision, as they are in it: {key: decision}.';

comment on function internal.approves_unseen_refusal(uuid, jsonb) is
  'Whether one of the decisions approves a job whose latest answer is a refusal, without naming that line of the ledger as declinedId.';

comment on function internal.void_because(public.authorizations, public.estimates) is
  'Why a line of the ledger does not count: wrong_recipient (withdrawn, or the line that withdraws), customer (another customer '
  'record), vehicle (another vehicle record); null while it counts.';

comment on function internal.binding_lines(uuid) is 'The lines of the ledger of an estimate that count.';

comment on function internal.describe_whole_ledger(uuid) is 'The whole ledger of an estimate, oldest first, with why a line does not count: for the shop.';

comment on function internal.refuse_void_approvals(uuid, integer) is
  'Refuses (TT072) to bill an estimate while a job of it was approved by another customer or for another vehicle and nobody decided since.';

comment on function internal.withdraw_answers(public.estimates) is
  'Withdraws each answer that was given by the link of an estimate, or from its address, with a line of the ledger; what was sent '
  'last can be answered again.';

comment on sequence internal.invoice_count is 'Counts the invoices that the shop numbers, over all years; a number that was not used leaves a gap.';

grant usage on sequence internal.invoice_count to shop_server;

comment on table public.estimate_invoices is
  'The one invoice of an estimate: claimed before the processor is asked, so that no death on the way makes two; its id is the request''s. [append-only]';

comment on column public.estimate_invoices.state is
  'claimed (being made), made, failed (the processor refused it, nothing stands there), voided (another can be made).';

alter table public.estimate_invoices enable row level security;

grant select on public.estimate_invoices to authenticated, shop_server;

create policy "the admin reads invoices of estimates" on public.estimate_invoices
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads invoices of estimates" on public.estimate_invoices for select to shop_server using (true);

comment on function internal.check_billed_total() is 'At the end of the transaction an invoice is exactly the sum of its jobs.';

comment on function internal.keep_claim() is
  'Of a claim only the state is written: claimed becomes made or failed, made becomes voided, with the invoice that the payment '
  'processor made. Every other update is refused.';

comment on table public.estimate_invoice_jobs is 'What an invoice bills for each job, tax included: never above what the ledger allows. [append-only]';

alter table public.estimate_invoice_jobs enable row level security;

grant select on public.estimate_invoice_jobs to authenticated, shop_server;

create policy "the admin reads jobs of invoices" on public.estimate_invoice_jobs
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads jobs of invoices" on public.estimate_invoice_jobs for select to shop_server using (true);

comment on function internal.refuse_above_authorized() is 'Refuses (TT072) to bill a job, or all jobs, above what the ledger allows; no tolerance.';

comment on function internal.keep_billed_jobs() is 'The jobs of an invoice stay as long as its claim.';

comment on table public.invoice_links is
  'Whose an invoice is, with what a list shows of it. A record of a transaction: it stays three years, also without its person.';

comment on column public.invoice_links.customer_name is 'As the invoice has it.';

comment on column public.invoice_links.total_cents is 'Minor units of the currency.';

comment on column public.invoice_links.status is 'The processor''s word when it was last heard of: open, paid, void, uncollectible.';

alter table public.invoice_links enable row level security;

grant select on public.invoice_links to authenticated;

create policy "the admin reads whose invoices are" on public.invoice_links
  for select to authenticated using ((select internal.is_admin()));

comment on table internal.invoice_numbers is
  'Finds an invoice by its number at once: the processor''s own search lags by a minute. A hint only, the processor is asked for the truth.';

comment on column internal.invoice_numbers.number is 'Not unique: two invoices of one number are told apart by a person, never guessed.';

alter table internal.invoice_numbers enable row level security;

grant select, insert, update on internal.invoice_numbers to shop_server;

create policy "the server finds invoices" on internal.invoice_numbers for select to shop_server using (true);

create policy "the server notes invoice numbers" on internal.invoice_numbers for insert to shop_server with check (true);

create policy "the server corrects invoice numbers" on internal.invoice_numbers
  for update to shop_server using (true) with check (true);

comment on table internal.assigned_invoice_numbers is
  'Which number was given to which wish for an invoice: a wish that is repeated gets the same one, as the processor''s idempotency demands.';

alter table internal.assigned_invoice_numbers enable row level security;

grant select, insert on internal.assigned_invoice_numbers to shop_server;

create policy "the server finds assigned numbers" on internal.assigned_invoice_numbers
  for select to shop_server using (true);

create policy "the server assigns numbers" on internal.assigned_invoice_numbers
  for insert to shop_server with check (true);

comment on table internal.invoice_backfill is
  'How far the invoices of before people were known were asked of the processor, in one row.';

alter table internal.invoice_backfill enable row level security;

grant select on internal.invoice_backfill to shop_server;

grant update (after_invoice_id, done_at) on internal.invoice_backfill to shop_server;

create policy "the server reads how far invoices are linked" on internal.invoice_backfill for select to shop_server using (true);

create policy "the server notes how far invoices are linked" on internal.invoice_backfill
  for update to shop_server using (true) with check (true);

comment on function internal.describe_claim(public.estimate_invoices) is 'What an invoice is to say: the customer, and the billed jobs as they were frozen.';

comment on function internal.claim_estimate_invoice(uuid, integer, text) is
  'Claims the one invoice of an estimate, in the name of an admin: its approved jobs as the latest revision has them, refused (TT072) '
  'when one costs more than was approved. A claim that stands is answered again.';

grant execute on function internal.claim_estimate_invoice(uuid, integer, text) to shop_server;

comment on function internal.note_estimate_invoice(uuid, text, text, text) is
  'Notes what became of a claim: made (with the processor''s id and number), failed, or later voided; whether this was news.';

grant execute on function internal.note_estimate_invoice(uuid, text, text, text) to shop_server;

comment on function internal.list_unmade_estimate_invoices(integer) is 'Claims whose maker seems to have died: at most 20, oldest first.';

grant execute on function internal.list_unmade_estimate_invoices(integer) to shop_server;

comment on function internal.read_claim(uuid) is 'What an invoice of an estimate is to say, by its claim.';

grant execute on function internal.read_claim(uuid) to shop_server;

comment on function internal.read_thread(uuid) is 'All that belongs to one repair, oldest first: [{kind, id, label, state, at}].';

comment on function public.read_thread(text, text) is
  'What belongs to the same repair as a quote, booking, estimate, task or invoice, oldest first; empty when it is alone.';

grant execute on function public.read_thread(text, text) to authenticated;

comment on function internal.keep_records() is
  'Keeps what belongs to a repair whose estimate was handed over for three years (BPC 9884.11), whoever asks.';

comment on function internal.read_invoice_paper(text) is
  'What is printed of an invoice over approved jobs, by the processor''s id: its claim and the ledger; null for any other invoice.';

grant execute on function internal.read_invoice_paper(text) to shop_server;

comment on function internal.is_sample_invoice(text) is 'Whether an invoice of this number belongs to the sample week.';

comment on function internal.link_invoice(jsonb) is
  'Notes whose an invoice is, once, and how it stands, each time: {id, number, name, email, phone, total_cents, currency, status, '
  'made_at (seconds since 1970)}. That of an estimate is its person''s, else by address and number.';

grant execute on function internal.link_invoice(jsonb) to shop_server;

comment on function internal.has_invoice(uuid) is
  'Whether an invoice was made for an appointment: neither its page nor an email then says that there is no charge.';

grant execute on function internal.has_invoice(uuid) to shop_server;

comment on function internal.list_appointment_records(date, time, uuid, date, integer) is
  'A page of appointments until a date, that day too, after one that was read last: by day, time and id.';

grant execute on function internal.list_appointment_records(date, time, uuid, date, integer) to shop_server;

comment on function internal.describe_invoice_records(text[]) is
  'Of invoices by the processor''s ids, as far as they were noted: the name, and whether nothing else of its person is to be told '
  'any more; the estimate that they bill, and what its lines come to by kind (a discount is below 0), null without one.';

grant execute on function internal.describe_invoice_records(text[]) to shop_server;

comment on function internal.list_person_records(date, date, timestamptz, uuid, integer) is
  'A page of the people who booked, came, asked, were billed, paid or were written to from one date until another, both among them, '
  'after the one that was read last, longest known first: with their visits and invoices of those days, in cents.';

grant execute on function internal.list_person_records(date, date, timestamptz, uuid, integer) to shop_server;

comment on table public.payments is 'The ledger: each payment received online, once, and what became of it. Rows are never changed. [append-only]';

comment on column public.payments.outcome is
  'applied: it paid the invoice; overpaid: it did, and what was too much is the customer''s credit with the processor; '
  'refunded: the invoice had been paid already, all of it went back.';

alter table public.payments enable row level security;

grant select on public.payments to authenticated;

grant select, insert on public.payments to shop_server;

create policy "the admin reads the ledger" on public.payments
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads the ledger" on public.payments for select to shop_server using (true);

create policy "the server writes the ledger" on public.payments for insert to shop_server with check (true);

comment on function internal.keep_payment() is 'Lets the removal of the sample week delete payments of sample invoices only.';

comment on table internal.stripe_events is
  'Events of the payment processor that were handled to the end: a row is written in the transaction that handles it, so a replay finds it.';

comment on column internal.stripe_events.is_live is
  'Whether real money was meant; false for the processor''s test mode and the sandbox, and for what came before we noted it.';

alter table internal.stripe_events enable row level security;

grant select, insert, delete on internal.stripe_events to shop_server;

create policy "the server reads handled events" on internal.stripe_events for select to shop_server using (true);

create policy "the server notes handled events" on internal.stripe_events for insert to shop_server with check (true);

create policy "the server forgets old events" on internal.stripe_events for delete to shop_server using (true);

comment on table public.emails is 'The outbox: one row a message, with its delivery state.';

comment on column public.emails.dedupe_key is 'What the message is about, for example receipt:in_123: the same message is never written twice.';

comment on column public.emails.attachments is 'List of {filename, contentType, contentBase64}.';

comment on column public.emails.appointment_at is
  'The start of the appointment that the message states, shop time: once the booking says otherwise, it is not sent.';

comment on column public.emails.status is
  'queued: not tried yet; retrying: tried and failed, will be tried again; sent: accepted by the mail server; '
  'kept: no mail server is set, the message lies in the outbox folder; failed: given up, someone has to call.';

comment on column public.emails.next_attempt_at is
  'Not tried before; whoever tries pushes it ahead, so that no two processes send one message.';

comment on column public.emails.leased_until is
  'While an attempt is under way: until when it belongs to the process that makes it. A crash leaves it to run out.';

comment on column public.emails.resends is 'How often the admin asked to send it again; each is a message of its own to the mail server.';

comment on column public.emails.estimate_revision is 'Which revision the message offers; another one makes it outdated.';

alter table public.emails enable row level security;

-- The dashboard sees the state of delivery; bodies and attachments stay with the server.
grant select on public.emails to service_role;

grant select, insert, update on public.emails to shop_server;

grant select (
  id, kind, recipient_email, recipient_name, subject, booking_id, quote_request_id, invoice_id, status, attempts,
  next_attempt_at, last_error, created_at, sent_at
) on public.emails to authenticated;

create policy "the admin reads delivery states" on public.emails
  for select to authenticated using ((select internal.is_admin()));

create policy "the server reads e-mails" on public.emails for select to shop_server using (true);

create policy "the server writes e-mails" on public.emails for insert to shop_server with check (true);

create policy "the server notes delivery" on public.emails for update to shop_server using (true) with check (true);

comment on function internal.refuse_uncounted_notice() is 'No email to the owner leaves past the ten minutes because somebody forgot them.';

comment on table internal.email_kinds is 'The kinds of e-mail, and what holds for each.';

comment on column internal.email_kinds.is_retried is
  'Whether a message that was not taken is tried again later; else whoever sends it is told at once.';

comment on column internal.email_kinds.is_confirmation is
  'Whether a visitor may cause it, by a form, by the link of an appointment or by asking for links; such a letter is counted by '
  'the caps. No other kind is written for a visitor.';

comment on column internal.email_kinds.agrees_with is
  'What has to be as the message says when it leaves: its booking (also: held, cancelled), an estimate that can be answered, or nothing.';

comment on column internal.email_kinds.leaves_at_night is
  'Whether it may leave between nine in the evening and eight in the morning, shop time.';

alter table internal.email_kinds enable row level security;

grant select on internal.email_kinds to shop_server;

create policy "the server reads kinds of e-mail" on internal.email_kinds for select to shop_server using (true);

comment on table internal.letter_caps is
  'How many letters visitors may cause in a span of time. A person books a few times; one shop has a few dozen visitors a day.';

comment on column internal.letter_caps.name is
  'Counted: all to one mailbox, to one rare domain, from one client, for flagged forms, of the whole site.';

alter table internal.letter_caps enable row level security;

comment on table internal.visitor_letters is
  'The letters that visitors caused, and those that a cap kept back; for two days. No address is kept, only digests.';

comment on column internal.visitor_letters.dedupe_key is 'As in emails; a letter that was kept back has no row there.';

comment on column internal.visitor_letters.mailbox_digest is 'Of the mailbox, however its address is spelled.';

comment on column internal.visitor_letters.domain_digest is 'Of the recipient''s domain (internal.capped_domain_of).';

comment on column internal.visitor_letters.address_digest is 'Of the client that sent the form; see form_origins.';

comment on column internal.visitor_letters.refused_because is 'The cap that was reached; null for a letter that was written.';

alter table internal.visitor_letters enable row level security;

grant select, delete on internal.visitor_letters to shop_server;

create policy "the server counts letters to visitors" on internal.visitor_letters for select to shop_server using (true);

create policy "the server forgets letters to visitors" on internal.visitor_letters for delete to shop_server using (true);

comment on table internal.owner_notices is
  'What the owner is notified of: the first at once, what follows in one collected email each ten minutes. Kept for a month, so '
  'that each cause is told once.';

comment on column internal.owner_notices.dedupe_key is 'Names the cause by ids, as in emails.';

comment on column internal.owner_notices.line is 'What the collected email says of it; nothing about a person.';

comment on column internal.owner_notices.told_at is 'When the email that tells it was written; null while it waits.';

alter table internal.owner_notices enable row level security;

grant select, delete on internal.owner_notices to shop_server;

create policy "the server reads notices to the owner" on internal.owner_notices for select to shop_server using (true);

create policy "the server forgets notices to the owner" on internal.owner_notices for delete to shop_server using (true);

comment on function internal.reached_letter_cap(internal.visitor_letters, text) is
  'The cap that keeps a letter to a mailbox back, null for none.';

comment on function internal.count_letter(jsonb, text) is 'A letter to a mailbox as the caps see it.';

comment on function public.queue_visitor_email(jsonb, boolean) is
  'Writes a letter that a visitor caused into the outbox, once for its dedupe_key; null when a cap keeps it back. '
  '`message` has the columns of emails. Only load tests of one''s own write without caps.';

grant execute on function public.queue_visitor_email(jsonb, boolean) to service_role, shop_server;

comment on function internal.outdated_because(public.emails) is
  'Why a message is no longer true, for whoever reads the outbox; null while it may be sent.';

comment on function public.claim_email(uuid) is
  'Takes a message for one attempt and returns it, with the links of visits as they are now; no row when it is done, in other '
  'hands or waits for its next attempt, when it is no longer true and fails for that, or when it is of the sample week and is '
  'kept. Whoever asks for one by its id may be the first before it is due.';

grant execute on function public.claim_email(uuid) to service_role, shop_server;

comment on function public.note_email_left(uuid, text, text) is
  'Notes that a mail server took a claimed message (sent), or that it lies in the outbox folder (kept).';

grant execute on function public.note_email_left(uuid, text, text) to service_role, shop_server;

comment on function public.note_email_failed(uuid, text, boolean) is
  'Notes that a claimed message was not taken and returns its status: failed when is_final, when its kind is not retried, '
  'or after the last attempt; else it is retrying.';

grant execute on function public.note_email_failed(uuid, text, boolean) to service_role, shop_server;

comment on function internal.is_sample_email(public.emails) is
  'Whether a message is about the sample week, whoever wrote it: such a one is kept in the outbox.';

comment on function internal.undelivered_letters() is
  'Letters to customers that were given up and still matter, the oldest 50: true as they were written, not written again '
  'since, of an appointment that is not over (60 days at most), or of the last 14 days.';

comment on function internal.letters_that_wait() is 'Undelivered letters, with whom to call and what they are about.';

comment on function internal.bookings_to_remind(integer) is
  'The appointments of tomorrow whose customers are to be reminded now and have not been: from the hour of booking_rules on, '
  'until nine in the evening. Each time of an appointment is reminded of once.';

grant execute on function internal.bookings_to_remind(integer) to shop_server;

comment on function internal.has_letter_of_change(public.bookings) is
  'Whether a letter says what an appointment''s last move, cancellation or return came to.';

comment on function internal.with_live_links(text, text) is
  'The words of an email with the links of its recipient''s appointments and estimates as they are now.';

comment on function internal.capped_domain_of(text) is
  'The domain whose mailboxes are counted together, without hosts below it; null for Gmail and Proton, which give everybody one '
  'mailbox that we know by all its names.';

comment on function internal.has_ten_customers(text) is 'Whether ten mailboxes of a host have completed appointments.';

comment on function internal.was_owner_told() is
  'Whether an email to the owner was written in the last ten minutes; no other is until the transaction ends.';

comment on function internal.note_for_owner(text, text) is
  'Notes what the owner is to be notified of, once for its key. True when whoever asks writes the email in this transaction; '
  'false when it waits for the collected one.';

grant execute on function internal.note_for_owner(text, text) to shop_server;

comment on function internal.take_owner_notices() is
  'What waits to be told, oldest first, once ten minutes have passed since the last email to the owner; whoever takes it writes '
  'the collected email in the same transaction.';

grant execute on function internal.take_owner_notices() to shop_server;

comment on function internal.tell_person_changed() is
  'Tells all processes whose page changed: people_changed, with the person''s id; of two whom it concerns both.';

comment on function internal.announce_invoice() is
  'Announces to all processes which invoice was made, paid, voided or emailed about: invoices_changed, with its id.';

comment on function internal.announce_quote() is
  'Announces to all processes which quote request came, changed, was emailed about or was deleted: quotes_changed, with '
  'the id that the column in the argument holds.';

comment on table internal.admin_sessions is
  'One row for each browser that is signed in to the dashboard; deleting it signs the browser out.';

comment on column internal.admin_sessions.token_hash is 'SHA-256 of the token in the cookie.';

comment on column internal.admin_sessions.user_id is
  'The user of the auth service; no foreign key, because that schema belongs to the auth service.';

alter table internal.admin_sessions enable row level security;

grant select, insert, update, delete on internal.admin_sessions to shop_server;

create policy "the server keeps the sessions of the dashboard" on internal.admin_sessions
  to shop_server using (true) with check (true);

comment on table internal.admin_data_sessions is
  'The sessions of the data service that belong to a cookie. Deleting a row ends the session.';

comment on column internal.admin_data_sessions.token_hash is 'The cookie''s session in admin_sessions.';

alter table internal.admin_data_sessions enable row level security;

grant select, insert, delete on internal.admin_data_sessions to shop_server;

create policy "the server ties data sessions to cookies" on internal.admin_data_sessions
  to shop_server using (true) with check (true);

comment on function internal.end_data_session() is 'Ends the data session whose cookie is gone.';

comment on table internal.known_browsers is
  'Which admin has signed in from which browser. It opens nothing: it only lets a password be tried.';

comment on column internal.known_browsers.token_hash is 'SHA-256 of the token in the browser''s cookie.';

comment on column internal.known_browsers.username is 'In lower case. A shared tablet may know several.';

comment on column internal.known_browsers.tries_left is
  'Wrong passwords until the browser is a stranger again; a right one fills it up.';

alter table internal.known_browsers enable row level security;

grant select, insert, update, delete on internal.known_browsers to shop_server;

create policy "the server knows browsers again" on internal.known_browsers
  to shop_server using (true) with check (true);

comment on table internal.sign_in_codes is
  'Codes of "npm run admin -- code": each signs its admin in once, instead of the password.';

comment on column internal.sign_in_codes.code_hash is 'SHA-256 of 100 random bits.';

comment on column internal.sign_in_codes.user_id is
  'The user of the auth service; no foreign key, because that schema belongs to the auth service.';

alter table internal.sign_in_codes enable row level security;

grant select, insert, delete on internal.sign_in_codes to shop_server;

create policy "the server keeps codes for one sign-in" on internal.sign_in_codes
  to shop_server using (true) with check (true);

comment on table internal.rate_limits is
  'Counters of the strict limits. A key is a keyed hash of the limit''s name and of whom it limits: no address is kept.';

comment on column internal.rate_limits.resets_at is 'When the counter starts again from zero.';

alter table internal.rate_limits enable row level security;

grant select, insert, update, delete on internal.rate_limits to shop_server;

create policy "the server counts attempts" on internal.rate_limits
  to shop_server using (true) with check (true);

comment on function internal.is_active_admin(uuid, timestamptz) is
  'Whether that user of the auth service is an admin who may sign in. As owner: the server reads no users.';

grant execute on function internal.is_active_admin(uuid, timestamptz) to shop_server;

comment on function internal.bays_of_day(date) is
  'All bays by position, with the services they can do (null is all) and when they are open, in minutes after midnight.';

comment on function internal.closures_of_day(date) is 'Closures and special openings that touch a date.';

comment on function internal.describe_booking(public.bookings) is
  'An appointment as the day shows it; starts_at and ends_at are the shop''s wall clock.';

comment on function public.read_day(date) is
  'Everything about a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 appointments, '
  'also those that began on an earlier day and whatever state they are in (contracts/bookings/day.ts).';

grant execute on function public.read_day(date) to authenticated;

comment on function internal.cars_here(timestamp) is
  'Appointments whose customer arrived and whose vehicle nobody works on yet, whatever day they are of; none that was over 14 '
  'days ago.';

comment on function internal.misfits_ahead() is 'What the view misfits has, the soonest 500.';

comment on function internal.held_appointments() is
  'Appointments whose customers have not yet answered the question whether they come, the 50 whose time ends first.';

comment on function internal.tasks_with_customers() is
  'What waits for its customer, the 50 that do longest: tasks with a question to them, and vehicles that are ready for pickup '
  '(by the task that was marked last). What was picked up, cancelled or missed waits no more.';

comment on function internal.payments_of_day(date) is
  'What the ledger has of a shop day, from midnight to midnight by the shop''s clock: how many payments and how much of each '
  'outcome and currency.';

comment on function public.read_today() is
  'What read_day says of today, and {instant, also_here, quotes, letters, to_notify, misfits, held, tasks, payments, week}: the '
  'vehicles at the shop whose appointment is of another day, who waits, what was paid today, the cars of this week '
  '(contracts/today.ts).';

grant execute on function public.read_today() to authenticated;

comment on function public.somebody_waits() is
  'Whether a customer waits for the shop: one who arrived, a quote unanswered for 12 hours, a letter that failed, a change that '
  'its customer has not heard of, or an appointment that has no bay or lies outside the hours. What read_today names, without naming it.';

grant execute on function public.somebody_waits() to authenticated;

comment on function internal.all_words(text[]) is 'SQL that holds where search_text has every word; null without one.';

comment on function internal.people_words(text) is 'What to look for in people: internal.search_words, a number in its one form.';

comment on function internal.search_people(text, integer) is
  'People of whom every word is in name, address or number, or whose other address or number it is; whose name begins so first, '
  'then who was here last. Of more than a hundred, a hundred.';

comment on function internal.search_cars(text, integer) is
  'Cars of which every word is in year, make, model, plate or VIN, whatever signs stand in it; the very plate or VIN first.';

comment on function internal.search_visits(text, integer) is 'Whose visits have all of several words, some of a name and some of a car.';

comment on function internal.search_documents(text, uuid[], integer) is
  'Estimates and invoices of these people, and those with every word in number, name, plate or VIN; the very number first.';

comment on function internal.describe_found_person(public.people, date) is 'A person in the results of a search.';

comment on function internal.describe_found_document(text, text) is 'An estimate or an invoice in the results of a search.';

comment on function public.search_everything(text, integer) is
  'What the shop knows of a term of two characters or more, by kind and at most so many of each (5, up to 50): people, cars, '
  'visits, documents, and counts of the latter two up to 100 (contracts/customers.ts). A phone number is found by its digits, a plate '
  'and a VIN whatever signs stand in them, a visit by the first eight characters of its id.';

grant execute on function public.search_everything(text, integer) to authenticated;

comment on function internal.is_at_shop(text) is
  'Whether a vehicle in this state stands at the shop: isAtShop of domain/bookings/vehicle-state-table.ts, for queries that select by it.';

comment on function internal.vehicles_of_other_days(date) is
  'Appointments of later days, and of the last 14 days, whose vehicle stands at the shop, the 50 that begin first.';

comment on schema stripe_sandbox is 'State of the payment sandbox. No money, no card numbers.';

comment on sequence stripe_sandbox.invoice_number is 'Counts finalized invoices for numbers like TT-0001.';

grant usage on sequence stripe_sandbox.invoice_number to shop_server;

comment on table stripe_sandbox.objects is 'Every object of the processor''s API, as the API shows it.';

comment on column stripe_sandbox.objects.object is 'The API''s name of the kind, for example invoice or checkout.session.';

comment on column stripe_sandbox.objects.seq is 'Order of creation: what list cursors walk along.';

comment on column stripe_sandbox.objects.created is 'Seconds since 1970, as everywhere in the API.';

comment on column stripe_sandbox.objects.data is 'The answer of the API with ids unexpanded and our own addresses relative to the site.';

alter table stripe_sandbox.objects enable row level security;

grant select, insert, update, delete on stripe_sandbox.objects to shop_server;

create policy "the server keeps the sandbox's objects" on stripe_sandbox.objects
  to shop_server using (true) with check (true);

comment on table stripe_sandbox.idempotency_keys is 'What was answered to a key, so that the same request is answered the same again. Kept for a day.';

comment on column stripe_sandbox.idempotency_keys.fingerprint is 'Digest of the parameters the key was first used with.';

alter table stripe_sandbox.idempotency_keys enable row level security;

grant select, insert, update, delete on stripe_sandbox.idempotency_keys to shop_server;

create policy "the server keeps the sandbox's replies" on stripe_sandbox.idempotency_keys
  to shop_server using (true) with check (true);

comment on table stripe_sandbox.event_deliveries is 'The webhook outbox: one row an event, with its delivery state.';

comment on column stripe_sandbox.event_deliveries.next_attempt_at is 'Milliseconds since 1970; null once delivered or given up.';

alter table stripe_sandbox.event_deliveries enable row level security;

grant select, insert, update, delete on stripe_sandbox.event_deliveries to shop_server;

create policy "the server delivers the sandbox's events" on stripe_sandbox.event_deliveries
  to shop_server using (true) with check (true);

comment on function stripe_sandbox.forget_invoices(text[]) is
  'Takes invoices of these numbers out of the sandbox with all that was done about them, as if they had never been; returns '
  'the ids of the events that told of them.';

comment on function internal.sample_invoices() is
  'The invoices of the sample week; invoice_id is null for one that was begun and not yet finished.';

comment on function internal.has_real_records() is 'Whether anything is there that is not of the sample week.';

comment on function internal.can_fill_sample_week() is 'Whether the shop is so fresh that a sample week can be filled in.';

grant execute on function internal.can_fill_sample_week() to shop_server;

comment on function internal.begin_sample_week() is
  'Begins the sample week, or goes on with the one that was begun, and returns its id; null when the shop has real records.';

grant execute on function internal.begin_sample_week() to shop_server;

comment on function internal.sample_place(date, time, public.services) is
  'The free time nearest to a wish, with its bay; no row when the date has none.';

comment on function internal.add_sample_booking(jsonb) is
  'Adds an appointment to the sample week at the free time nearest to its wish, completed when that is over; of status here, '
  'it is arrived in the hour before its time and in work during it. No row when its date has no room.';

grant execute on function internal.add_sample_booking(jsonb) to shop_server;

comment on function internal.add_sample_quote(jsonb) is 'Adds a quote request to the sample week.';

grant execute on function internal.add_sample_quote(jsonb) to shop_server;

comment on function internal.add_sample_task(jsonb) is
  'Adds a task with its history and notes to the sample week; employee is a number in the list of the team, from 1.';

grant execute on function internal.add_sample_task(jsonb) to shop_server;

comment on function internal.end_sample_week() is 'Notes that the sample week is there, with every letter of it kept.';

grant execute on function internal.end_sample_week() to shop_server;

comment on function internal.remove_sample_week() is
  'Removes the sample week with all that was done to it, and nothing else; without one it changes nothing.';

grant execute on function internal.remove_sample_week() to shop_server;

comment on function internal.mark_sample_estimate() is 'What is about somebody who does not exist goes with the sample week.';

comment on function internal.is_sample_estimate(uuid) is 'Whether an estimate belongs to the sample week.';

comment on function internal.add_sample_estimate(jsonb) is
  'Adds an estimate that was sent to the sample week, answered where it says what was approved; its jobs are kept for reuse.';

grant execute on function internal.add_sample_estimate(jsonb) to shop_server;

comment on function internal.remove_sample_people() is
  'Removes whom only the sample week knew. Who was booked for real meanwhile stays.';

reset check_function_bodies;
