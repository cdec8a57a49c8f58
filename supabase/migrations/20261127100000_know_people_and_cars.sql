-- Who came, and with which car: each appointment and each quote request belongs to a person from the moment it is
-- written, so that the counter sees at once whether it knows them.

create function internal.name_words(name text) returns text[]
  language sql immutable
  set search_path = ''
  return array_remove(regexp_split_to_array(internal.plain(name), '[[:space:].,]+'), '');
comment on function internal.name_words(text) is 'The words of a name, as it is compared.';

create function internal.names_agree(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.name_words(one) <> '{}' and internal.name_words(other) <> '{}'
    and (internal.name_words(one) <@ internal.name_words(other) or internal.name_words(other) <@ internal.name_words(one));
comment on function internal.names_agree(text, text) is
  'Whether two names can be one person''s: all words of one are in the other (Maria, Maria Delgado).';

create function internal.car_key(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return case when regexp_replace(concat(make, model), '[[:space:][:punct:]]+', '', 'g') <> ''
    then regexp_replace(internal.plain(concat_ws(' ', year, make, model)), '[[:space:][:punct:]]+', '', 'g') end;
comment on function internal.car_key(text, text, text) is
  'Year, make and model without case, spaces and signs; null when neither make nor model is known.';

create function internal.plate_key(plate text) returns text
  language sql immutable strict
  set search_path = ''
  return nullif(regexp_replace(upper(plate), '[^[:alnum:]]+', '', 'g'), '');
comment on function internal.plate_key(text) is 'A license plate without spaces and signs, in upper case.';

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
comment on function internal.is_vin(text) is
  'Whether a text is a vehicle identification number: 17 characters without I, O and Q, and the check digit is right.';

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
  foreign key (merged_into) references public.people
);
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
create index people_by_search_text on public.people
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index people_by_name on public.people (search_text text_pattern_ops) where merged_into is null;
create index people_newest_first on public.people (created_at desc);
create index people_merged on public.people (merged_into) where merged_into is not null;
create trigger count_version before update on public.people
  for each row execute function internal.count_version();

create table public.person_contacts (
  id bigint generated always as identity primary key,
  person_id uuid not null references public.people on delete cascade,
  kind text not null constraint person_contacts_kind_is_known check (kind in ('email', 'phone')),
  key text not null constraint person_contacts_key_is_text check (length(key) between 1 and 254),
  value text not null constraint person_contacts_value_is_text check (length(value) between 1 and 254),
  created_at timestamptz not null default now()
);
comment on table public.person_contacts is
  'Every address and number that a person was known by, the first ones too: by these the next record finds its person.';
comment on column public.person_contacts.key is 'What is compared: an address in lower case, a number in its one form.';
comment on column public.person_contacts.value is 'As it was typed.';
create index person_contacts_by_key on public.person_contacts (kind, key, id);
create index person_contacts_of_person on public.person_contacts (person_id);
create index person_contacts_by_part on public.person_contacts
  using gin (key extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

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
create index cars_of_person on public.cars (person_id, car_key);
create index cars_by_search_text on public.cars
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index cars_merged on public.cars (merged_into) where merged_into is not null;
create trigger count_version before update on public.cars
  for each row execute function internal.count_version();

create table public.odometer_readings (
  id uuid primary key default gen_random_uuid(),
  car_id uuid not null references public.cars on delete cascade,
  booking_id uuid references public.bookings on delete set null,
  miles integer not null constraint odometer_readings_miles_in_range check (miles between 0 and 2000000),
  read_on date not null constraint odometer_readings_on_a_day_of_cars check (read_on between '1950-01-01' and '2100-01-01'),
  recorded_by_name text not null check (length(recorded_by_name) <= 100),
  recorded_at timestamptz not null default now()
);
comment on table public.odometer_readings is 'What a car''s odometer said, when, and who wrote it down.';
comment on column public.odometer_readings.read_on is 'The date at the shop on which it said so.';
create index odometer_readings_of_car on public.odometer_readings (car_id, read_on desc);
create index odometer_readings_of_booking on public.odometer_readings (booking_id) where booking_id is not null;

alter table public.bookings add column person_id uuid references public.people, add column car_id uuid references public.cars;
alter table public.quote_requests add column person_id uuid references public.people, add column car_id uuid references public.cars;
comment on column public.bookings.person_id is 'Whose it is; null until a record of before was linked.';
comment on column public.bookings.car_id is 'Which of their cars it is about; null when none was named.';
comment on column public.quote_requests.person_id is 'Whose it is; null until a record of before was linked.';
comment on column public.quote_requests.car_id is 'Which of their cars it is about.';
create index bookings_of_person on public.bookings (person_id, appointment_date desc);
create index bookings_of_car on public.bookings (car_id, appointment_date desc);
create index quote_requests_of_person on public.quote_requests (person_id, created_at desc);
create index quote_requests_of_car on public.quote_requests (car_id);
-- What is left of the time before people were known: empty from when it is linked.
create index bookings_without_person on public.bookings (created_at, id) where person_id is null;
create index quote_requests_without_person on public.quote_requests (created_at, id) where person_id is null;

alter table public.people enable row level security;
alter table public.person_contacts enable row level security;
alter table public.cars enable row level security;
alter table public.odometer_readings enable row level security;
grant select on public.people, public.person_contacts, public.cars, public.odometer_readings to authenticated;
create policy "the admin reads people" on public.people for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads how people are reached" on public.person_contacts
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads cars" on public.cars for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads odometers" on public.odometer_readings
  for select to authenticated using ((select internal.is_admin()));

create function internal.is_erased(person uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.people where id = person and erased_at is not null);
comment on function internal.is_erased(uuid) is 'Whether the data of a person was erased.';
