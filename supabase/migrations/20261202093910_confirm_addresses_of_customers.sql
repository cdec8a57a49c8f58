-- Anybody can type any address into a booking or a quote request. It is used for the emails of that booking alone: a customer
-- who is known already gets it as an address of theirs when staff, or the customer at an address of theirs, say so.

alter table public.person_contacts
  add column confirmed_at timestamptz,
  add column confirmed_by_name text constraint person_contacts_confirmed_by_is_text check (length(confirmed_by_name) <= 100);
comment on column public.person_contacts.confirmed_at is
  'Since when it is certain that they have it: staff wrote it, or pressed ''Use this address'', or the customer said so. Null for an '
  'address that was only typed online.';
comment on column public.person_contacts.confirmed_by_name is
  'Who pressed the button: a team member''s username, or ''customer''; null where staff wrote the address themselves.';
update public.person_contacts contact set confirmed_at = created_at
where kind = 'phone'
  or not exists (
    select from public.bookings booking
    join public.booking_events event on event.booking_id = booking.id and event.kind = 'booked' and event.source = 'visitor'
    where booking.person_id = contact.person_id and lower(trim(booking.customer_email)) = contact.key)
  and not exists (
    select from public.quote_requests quote
    where quote.person_id = contact.person_id and lower(trim(quote.email)) = contact.key);
alter table public.person_contacts
  add constraint person_contacts_phones_are_confirmed check (kind = 'email' or confirmed_at is not null);

create function internal.is_standing(booking public.bookings) returns boolean
  language sql immutable
  set search_path = ''
  return booking.held_until is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed');
comment on function internal.is_standing(public.bookings) is 'Whether an appointment is neither held, cancelled, missed nor not confirmed.';

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
comment on function internal.is_their_email(uuid, text) is
  'Whether an address is a customer''s own: confirmed, or the one that they became known by.';

create function internal.was_typed_online(booking_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.booking_events event
    where event.booking_id = was_typed_online.booking_id and event.kind = 'booked' and event.source = 'visitor');
comment on function internal.was_typed_online(uuid) is 'Whether a visitor made an appointment on the website, not staff.';

create function internal.typed_email(booking public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return case when booking.customer_email is not null and internal.was_typed_online(booking.id)
    and not internal.is_their_email(booking.person_id, booking.customer_email) then booking.customer_email end;
end
$$;
comment on function internal.typed_email(public.bookings) is
  'The address of an appointment that was only typed online: it is not known to be its customer''s. Null for every other.';

create function internal.own_email(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case when internal.typed_email(booking) is null then booking.customer_email end;
comment on function internal.own_email(public.bookings) is 'The address of an appointment where it is its customer''s; else null.';

create or replace function internal.person_by_phone(phone_key text, name text, has_email boolean) returns uuid
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
comment on function internal.person_by_phone(text, text, boolean) is
  'Whose number it is: of those whose name can be this one, else, for a caller without an address, the only one who has it. Who '
  'brings an address that is new is one who has another only where nobody else can be meant.';

drop function internal.add_contacts(uuid, text, text);
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
comment on function internal.add_contacts(uuid, text, text, boolean) is
  'Remembers that a customer is known by an address and a number; is_confirmed is false for an address that was typed online.';
alter type internal.caller add attribute typed_online boolean;
comment on type internal.caller is
  'Who a record names: what it looks for in people. is_trusted: nothing looked automated, and it stands. typed_online: by a visitor, '
  'who can type any address.';

create or replace function internal.ensure_person(caller internal.caller) returns uuid
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

create function internal.caller_of_booking(booking public.bookings, typed_online boolean) returns internal.caller
  language sql immutable
  set search_path = ''
  return row(booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at,
    booking.flagged_reasons = '{}' and internal.is_standing(booking), booking.is_sample, typed_online)::internal.caller;
comment on function internal.caller_of_booking(public.bookings, boolean) is 'Whom an appointment names.';

create function internal.caller_of_quote_request(quote public.quote_requests) returns internal.caller
  language sql immutable
  set search_path = ''
  return row(quote.name, quote.email, quote.phone, quote.created_at, quote.flagged_reasons = '{}', quote.is_sample, true)::internal.caller;
comment on function internal.caller_of_quote_request(public.quote_requests) is 'Whom a quote request names; only visitors write one.';

create or replace function internal.caller_of_estimate(estimate public.estimates) returns internal.caller
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

create or replace function internal.link_booking() returns trigger
  language plpgsql
  -- A visitor has no right to people.
  security definer
  set search_path = ''
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

create or replace function internal.link_quote_request() returns trigger
  language plpgsql
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

create or replace function internal.link_old_bookings(most integer) returns integer
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
    person := internal.ensure_person(internal.caller_of_booking(booking, internal.was_typed_online(booking.id)));
    update public.bookings
    set person_id = person, car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make,
          booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
    where id = booking.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;

create or replace function internal.link_old_quote_requests(most integer) returns integer
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

create or replace function internal.link_invoice(invoice jsonb) returns void
  language plpgsql
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
