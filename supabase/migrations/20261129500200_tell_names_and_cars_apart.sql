-- A name of signs alone agreed with every name: whoever typed '.' and somebody's number made their own address that person's.
-- Cars whose names are in other letters were one car. A day before there were odometers ended the page of its car for good.

create or replace function internal.name_words(name text) returns text[]
  language sql immutable
  set search_path = ''
  -- Of every alphabet, not only of the database's own letters.
  return array_remove(regexp_split_to_array(lower(name collate pg_catalog.pg_c_utf8), '[[:space:].,]+'), '');

create or replace function internal.names_agree(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.name_words(one) <> '{}' and internal.name_words(other) <> '{}'
    and (internal.name_words(one) <@ internal.name_words(other) or internal.name_words(other) <@ internal.name_words(one));

create or replace function internal.car_key(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return case when regexp_replace(concat(make, model), '[[:space:][:punct:]]+', '', 'g') <> ''
    then regexp_replace(lower(concat_ws(' ', year, make, model) collate pg_catalog.pg_c_utf8), '[[:space:][:punct:]]+', '', 'g') end;
update public.cars set make = make where car_key is distinct from internal.car_key(year, make, model);

delete from public.odometer_readings where read_on not between '1950-01-01' and '2100-01-01';
alter table public.odometer_readings
  add constraint odometer_readings_on_a_day_of_cars check (read_on between '1950-01-01' and '2100-01-01');

create or replace function public.note_odometer(
  car_id uuid, miles integer, read_on date default null, booking_id uuid default null, is_certain boolean default false
)
  returns uuid
  language plpgsql
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

create or replace function public.save_person(
  person_id uuid, expected_version integer, name text, email text, phone text, may_share_email boolean default false
)
  returns integer
  language plpgsql
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
