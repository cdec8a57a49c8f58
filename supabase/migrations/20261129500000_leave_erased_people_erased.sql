-- The row of somebody who was erased was taken for a person by its id: others were merged into it and were not found any
-- more, it was named again, and what came while the erasure ran became its own.

create or replace function internal.person_now(person uuid) returns uuid
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
comment on function internal.person_now(uuid) is
  'Who a person turned out to be: the id itself, or where merges lead from it; null for none and for one who was erased.';

create or replace function internal.take_person(wanted uuid, expected_version integer) returns public.people
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

create function internal.is_erased(person uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.people where id = person and erased_at is not null);
comment on function internal.is_erased(uuid) is 'Whether the data of a person was erased.';

create or replace function internal.take_car(wanted uuid, expected_version integer) returns public.cars
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

create or replace function internal.find_person(caller internal.caller) returns uuid
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

create or replace function internal.link_estimate() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  source record;
begin
  select person_id, car_id into source from public.bookings where id = new.booking_id and not internal.is_erased(person_id);
  if source.person_id is null then
    select person_id, car_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(person_id);
  end if;
  new.person_id := coalesce(source.person_id, internal.find_person(internal.caller_of_estimate(new)), new.person_id);
  if new.person_id is not null then
    new.car_id := coalesce(internal.find_car(new.person_id, internal.car_of_estimate(new)), source.car_id);
  end if;
  return new;
end
$$;

-- Addresses and numbers are locked before their people everywhere: who writes a record does so, and would wait crosswise.
create or replace function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
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
  perform internal.forget_unused_contacts(former);
  return person;
end
$$;

create or replace function public.split_car(car_id uuid, expected_version integer) returns uuid
  language plpgsql
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
  perform internal.lock_people(array[lower(latest.customer_email), internal.canonical_phone(latest.customer_phone)]);
  perform from public.people where id = car.person_id for update;
  person := internal.make_person_of(latest);
  update public.cars set person_id = person where id = car.id;
  update public.bookings booking set person_id = person where booking.car_id = car.id and not internal.is_erased(booking.person_id);
  update public.quote_requests quote set person_id = person where quote.car_id = car.id and not internal.is_erased(quote.person_id);
  update public.estimates estimate set person_id = person where estimate.car_id = car.id and not internal.is_erased(estimate.person_id);
  update public.invoice_links links set person_id = person where links.car_id = car.id and not internal.is_erased(links.person_id);
  perform internal.forget_unused_contacts(car.person_id);
  return person;
end
$$;

create or replace function internal.search_cars(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(lower(left(term, 100)), '\s+'), '');
  compact constant text := lower(regexp_replace(left(term, 100), '[^[:alnum:]]+', '', 'g'));
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (
       select id, person_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.cars where merged_into is null and (%2$s or search_text like %3$L) limit 100
     ) found where not internal.is_erased(person_id) order by is_it desc nulls last, created_at desc, id limit %4$s',
    compact, internal.all_words(words), '%' || compact || '%', most);
end
$$;

create or replace function internal.search_visits(term text) returns table (person_id uuid, car_id uuid)
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
    'select person_id, car_id from (select * from public.bookings where %s limit 200) found
     where not internal.is_erased(person_id) order by appointment_date desc limit 20', internal.all_words(words));
end
$$;
