-- An address that was only typed online is shown as such where staff choose an address, and is never chosen for them.

create function internal.main_email(person uuid) returns text
  language sql stable
  set search_path = ''
  return (select email from public.people where id = person and internal.is_their_email(id, email));
comment on function internal.main_email(uuid) is 'Where a customer is written to; null while that address was only typed online, or there is none.';

create function internal.email_for_estimate(booking public.bookings, quote public.quote_requests, person uuid) returns text
  language sql stable
  set search_path = ''
  return coalesce(
    internal.own_email(booking),
    case when internal.is_their_email(quote.person_id, quote.email) then quote.email end,
    internal.main_email(coalesce(booking.person_id, quote.person_id, person)));
comment on function internal.email_for_estimate(public.bookings, public.quote_requests, uuid) is
  'Where an estimate for an appointment, a quote request or a customer goes: to the address of the record where it is its '
  'customer''s, else to the customer''s own; null for neither.';

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
comment on function internal.typed_emails(uuid) is
  'The addresses that were typed online in a customer''s name and are not known to be theirs: [{email, bookingId, quoteRequestId, '
  'typedAt}], the latest three, each with the record that it came with. None of a held, cancelled, missed or unconfirmed appointment.';

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
comment on function internal.confirm_email(uuid, text, text) is
  'Makes an address one of a customer''s: their main one where they have none. The caller holds the locks of the address and the customer.';

create function public.use_typed_email(booking_id uuid default null, quote_request_id uuid default null) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  record record;
  person uuid;
  offered text;
begin
  perform internal.require_admin();
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
comment on function public.use_typed_email(uuid, uuid) is
  'Makes the address that was typed online with an appointment or a quote request one of its customer''s, and returns it. Refused '
  '(TT100) where the record does not stand, or its address is none. The second of two clicks finds it done.';
grant execute on function public.use_typed_email(uuid, uuid) to authenticated;

create function public.read_quote_email(quote_request_id uuid) returns text
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select internal.email_for_estimate(null, quote, null) from public.quote_requests quote where quote.id = read_quote_email.quote_request_id);
end
$$;
comment on function public.read_quote_email(uuid) is
  'The address for an invoice of a quote request: its own where it is its customer''s, else the customer''s; null for neither.';
grant execute on function public.read_quote_email(uuid) to authenticated;

create function internal.is_confirmed_email(person uuid, email text) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.person_contacts contact
    where contact.person_id = person and contact.kind = 'email' and contact.key = lower(trim(is_confirmed_email.email))
      and contact.confirmed_at is not null);
comment on function internal.is_confirmed_email(uuid, text) is
  'Whether staff wrote or confirmed an address of a customer, or the customer said that it is theirs.';

create function internal.merged_email(kept public.people, gone public.people, takes_gone boolean) returns text
  language sql stable
  set search_path = ''
  return case when takes_gone
    then coalesce(gone.email, case when internal.is_confirmed_email(kept.id, kept.email) then kept.email end)
    else coalesce(kept.email, case when internal.is_confirmed_email(gone.id, gone.email) then gone.email end) end;
comment on function internal.merged_email(public.people, public.people, boolean) is
  'The address of two customers who become one: of the one that is chosen. Where only the other one has an address it is taken, '
  'unless it was only typed online: then staff choose it or none.';

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
comment on function internal.email_of_caller(uuid[]) is
  'The address of somebody by their appointments, latest first: one of their customer''s own, from an appointment that stands, '
  'else the customer''s main one; null for none.';

create or replace function internal.history_of(name text, phone text, today date)
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

create or replace function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
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

create or replace function public.merge_people(
  kept_id uuid, gone_id uuid, kept_version integer, gone_version integer, from_gone text[] default '{}'
)
  returns uuid
  language plpgsql
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

create or replace function internal.make_person_of(booking public.bookings) returns uuid
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

create or replace function public.read_facts(booking_id uuid default null, person_id uuid default null) returns jsonb
  language plpgsql stable
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

create or replace function public.read_person(person_id uuid) returns jsonb
  language plpgsql stable
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

create or replace function internal.search_people(term text, most integer) returns setof uuid
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

create index quote_requests_by_email on public.quote_requests (lower(trim(email)));
