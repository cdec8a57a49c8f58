-- A record that was found by an address adds its number only to somebody who can have its name: whoever types another's
-- address makes their own telephone nobody else's. And who came with a sample estimate goes with it.

create or replace function internal.ensure_person(caller internal.caller) returns uuid
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

create or replace function internal.caller_of_estimate(estimate public.estimates) returns internal.caller
  language plpgsql stable
  set search_path = ''
as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Of an older database there is no such column yet.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false))::internal.caller;
end
$$;

create or replace function internal.remove_sample_people() returns void
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

create or replace function internal.lock_people(keys text[]) returns void
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
