-- A record finds its person while it is written: by the address, else by the number, else as somebody new. A person is
-- never guessed between two, and a family that shares a number but not an address stays apart.

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
comment on function internal.lock_people(text[]) is
  'Lets nobody else make or find the person of these addresses (in lower case) and numbers (in their one form) until the '
  'transaction ends. Taken after every other lock.';

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
comment on function internal.person_by_email(text, text) is 'Whose address it is; null when nobody''s.';

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
             internal.names_agree(person.name, person_by_phone.name) as agrees
      from latest join public.people person on person.id = latest.person_id
      where person.merged_into is null
        -- Another address than theirs is another member of the family.
        and not (has_email and exists (
          select from public.person_contacts address where address.person_id = person.id and address.kind = 'email'))
    )
    select id from known
    where agrees or (not has_email and (select count(*) from known) = 1)
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$$;
comment on function internal.person_by_phone(text, text, boolean) is
  'Whose number it is: of those whose name can be this one, else, for a caller without an address, the only one who has it. '
  'Who brings an address that is new is nobody who has another.';

create function internal.add_contacts(person uuid, email text, phone text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into public.person_contacts (person_id, kind, key, value)
  select person, given.kind, given.key, given.value
  from (values ('email', lower(trim(email)), trim(email)), ('phone', internal.canonical_phone(phone), trim(phone))) as given (kind, key, value)
  where given.key <> '' and not exists (
    select from public.person_contacts known
    where known.person_id = person and known.kind = given.kind and known.key = given.key);
end
$$;
comment on function internal.add_contacts(uuid, text, text) is 'Remembers that a person is known by an address and a number.';

create type internal.caller as (name text, email text, phone text, seen_at timestamptz, is_trusted boolean, is_sample boolean);
comment on type internal.caller is 'Who a record names: what it looks for in people. is_trusted: nothing looked automated.';

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
comment on function internal.find_person(internal.caller) is 'The person that a record names; null when it is nobody known.';

create function internal.ensure_person(caller internal.caller) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.lock_people(array[lower(trim(caller.email)), internal.canonical_phone(caller.phone)]);
  person := internal.find_person(caller);
  if person is null then
    insert into public.people (name, email, phone, created_at, is_sample)
    values (trim(caller.name), nullif(trim(caller.email), ''), nullif(trim(caller.phone), ''), caller.seen_at, caller.is_sample)
    returning id into person;
    perform internal.add_contacts(person, caller.email, caller.phone);
    return person;
  end if;
  update public.people set created_at = caller.seen_at where id = person and created_at > caller.seen_at;
  -- What looks automated adds nothing to whom it names.
  if caller.is_trusted and internal.names_agree((select name from public.people where id = person), caller.name) then
    perform internal.add_contacts(person, caller.email, caller.phone);
    update public.people
    set email = coalesce(email, nullif(trim(caller.email), '')), phone = coalesce(phone, nullif(trim(caller.phone), ''))
    where id = person and (email is null and trim(caller.email) <> '' or phone is null and trim(caller.phone) <> '');
  end if;
  return person;
end
$$;
comment on function internal.ensure_person(internal.caller) is 'The person that a record names, made when nobody is known.';

create type internal.described_car as (year text, make text, model text, color text, plate text, vin text);
comment on type internal.described_car is 'A car as a record describes it.';

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
comment on function internal.find_car(uuid, internal.described_car) is
  'Which of a person''s cars is described: by VIN, plate, or year, make and model; null when it is none of them.';

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
comment on function internal.ensure_car(uuid, internal.described_car, timestamptz, boolean) is
  'The car of a person that a record describes, made when it is new; null when it describes none.';

create function internal.link_booking() returns trigger
  language plpgsql
  -- A visitor has no right to people.
  security definer
  set search_path = ''
as $$
begin
  new.person_id := internal.ensure_person(row(
    new.customer_name, new.customer_email, new.customer_phone, new.created_at, new.flagged_reasons = '{}', new.is_sample));
  new.car_id := internal.ensure_car(new.person_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The row's own checks say what is wrong with it.
  new.person_id := null;
  return new;
end
$$;
comment on function internal.link_booking() is 'Gives an appointment its person and its car.';
-- After those that refuse it: triggers go by name.
create trigger link_to_person before insert on public.bookings
  for each row when (new.person_id is null) execute function internal.link_booking();

create function internal.link_quote_request() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.person_id := internal.ensure_person(row(
    new.name, new.email, new.phone, new.created_at, new.flagged_reasons = '{}', new.is_sample));
  new.car_id := internal.ensure_car(new.person_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, null, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  new.person_id := null;
  return new;
end
$$;
comment on function internal.link_quote_request() is 'Gives a quote request its person and its car.';
create trigger link_to_person before insert on public.quote_requests
  for each row when (new.person_id is null) execute function internal.link_quote_request();

-- Whose an appointment is changes nothing of the appointment: no version that staff saw, no line of its story.
drop trigger count_booking_change on public.bookings;
create trigger count_booking_change before update on public.bookings
  for each row when ((new.person_id, new.car_id) is not distinct from (old.person_id, old.car_id))
  execute function internal.count_booking_change();
drop trigger record_booking on public.bookings;
create trigger record_booking after insert or delete on public.bookings
  for each row execute function internal.record_booking();
create trigger record_booking_change after update on public.bookings
  for each row when ((new.person_id, new.car_id) is not distinct from (old.person_id, old.car_id))
  execute function internal.record_booking();

-- What was there before people were known is linked while the shop works, a hundred records a transaction.
create function internal.link_old_bookings(most integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  batch constant public.bookings[] := array(
    -- One that somebody has in hand is left for the next time.
    select booking from public.bookings booking where person_id is null order by created_at, id limit most for update skip locked);
  booking public.bookings;
  person uuid;
begin
  perform internal.lock_people(array(
    select unnest(array[lower(trim(customer_email)), internal.canonical_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    person := internal.ensure_person(row(booking.customer_name, booking.customer_email, booking.customer_phone,
      booking.created_at, booking.flagged_reasons = '{}', booking.is_sample));
    update public.bookings
    set person_id = person, car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make,
          booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
    where id = booking.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;
comment on function internal.link_old_bookings(integer) is 'Links the oldest appointments that belong to nobody yet; returns how many.';

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
    person := internal.ensure_person(row(
      quote.name, quote.email, quote.phone, quote.created_at, quote.flagged_reasons = '{}', quote.is_sample));
    update public.quote_requests
    set person_id = person, car_id = internal.ensure_car(person, row(
          quote.vehicle_year, quote.vehicle_make, quote.vehicle_model, null, null, null), quote.created_at, quote.is_sample)
    where id = quote.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;
comment on function internal.link_old_quote_requests(integer) is 'Links the oldest quote requests that belong to nobody yet; returns how many.';

create function internal.link_old_records(most integer default 100) returns integer
  language sql
  security definer
  set search_path = ''
  return internal.link_old_bookings(most) + internal.link_old_quote_requests(most);
comment on function internal.link_old_records(integer) is
  'Links up to so many appointments and so many quote requests that belong to nobody yet, the oldest first; returns how many, 0 '
  'once all are linked. Whoever is interrupted begins where it stopped.';

create function internal.analyze_people() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  analyze public.people, public.person_contacts, public.cars;
end
$$;
comment on function internal.analyze_people() is
  'Tells the planner how many people there are: in the minute until it would notice, each look for one reads all of them.';
grant execute on function internal.link_old_records(integer), internal.analyze_people() to shop_server;
