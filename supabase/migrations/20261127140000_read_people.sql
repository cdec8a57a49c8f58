-- Everything about a person, and about a car, in one read each; what the counter writes of them.

create function internal.has_come(booking public.bookings, today date) returns boolean
  language sql immutable
  set search_path = ''
  return booking.completed_at is not null or booking.status in ('arrived', 'in_work')
    or booking.appointment_date < today and booking.status not in ('cancelled', 'no_show', 'not_confirmed');
comment on function internal.has_come(public.bookings, date) is 'Whether somebody was here: who was neither cancelled nor missed (docs/product.md 12.6).';

create function internal.vehicle_line(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return trim(concat_ws(' ', nullif(trim(year), ''), nullif(trim(make), ''), nullif(trim(model), '')));
comment on function internal.vehicle_line(text, text, text) is 'A car in one line; empty when nothing of it is known.';

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
comment on function internal.describe_car(public.cars) is 'A car with what its odometer said last.';

create function internal.describe_visit(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'carId', booking.car_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.answered_at is not null,
    'isHeld', booking.held_until is not null);
comment on function internal.describe_visit(public.bookings) is 'An appointment in a list of somebody''s; startsAt is the shop''s wall clock.';

create function internal.declined_of(estimate uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('title', said.job_title, 'cents', said.amount_cents, 'saidAt', said.said_at) order by said.id), '[]')
    from internal.authorized_jobs(estimate) job
    join lateral (
      select * from public.authorizations line
      where line.estimate_id = estimate and line.job_key = job.job_key order by line.id desc limit 1
    ) said on true
    where job.decision = 'declined' and job.cents = 0
  );
comment on function internal.declined_of(uuid) is 'The jobs of an estimate that its customer declined last: [{title, cents, saidAt}].';

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
comment on function internal.describe_known_estimate(public.estimates) is
  'An estimate in a list of somebody''s: its first job and how many there are, what it comes to, what was declined.';

create function internal.paid_of(links public.invoice_links) returns bigint
  language sql stable
  set search_path = ''
  return coalesce(
    (select sum(amount_cents - overpaid_cents) from public.payments where invoice_id = links.invoice_id and outcome <> 'refunded'),
    -- What was paid past the site is in no ledger of ours.
    case when links.status = 'paid' then links.total_cents else 0 end);
comment on function internal.paid_of(public.invoice_links) is 'What was paid of an invoice, by the ledger, else by the processor''s word.';

create function internal.describe_known_invoice(links public.invoice_links) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', links.invoice_id, 'number', links.number, 'madeAt', links.made_at, 'totalCents', links.total_cents,
    'currency', links.currency, 'status', links.status, 'carId', links.car_id, 'bookingId', links.booking_id,
    'paidCents', internal.paid_of(links));
comment on function internal.describe_known_invoice(public.invoice_links) is 'An invoice in a list of somebody''s.';

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
comment on function internal.maybe_same_people(public.people) is
  'Who may be the same: up to five who share an address or a number (why: email, phone) and were not told apart.';

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
comment on function internal.read_known_person(uuid) is 'Who a person is now, for the admin.';

create function public.read_person(person_id uuid) returns jsonb
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
      select coalesce(jsonb_agg(jsonb_build_object('id', contact.id, 'kind', contact.kind, 'value', contact.value) order by contact.id), '[]')
      from public.person_contacts contact where contact.person_id = person.id),
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
comment on function public.read_person(uuid) is
  'Everything of a person in one read (contracts/people.ts), the latest 200 of each kind; an id that was merged leads to who it is.';

create function internal.is_ahead(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.completed_at is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed')
    and (upper(booking.occupied) > internal.shop_now() or booking.status in ('arrived', 'in_work'));
comment on function internal.is_ahead(public.bookings) is 'Whether an appointment stands and is not over.';

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
comment on function internal.emails_of_person(uuid) is 'Every letter about a person''s records, and those to their address that are about none.';

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
comment on function internal.totals_of_person(uuid, date) is 'What a person''s records come to.';

create function public.read_car(car_id uuid) returns jsonb
  language plpgsql stable
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
comment on function public.read_car(uuid) is
  'Everything of a car in one read (contracts/people.ts); an id that was merged leads to the car that it is.';

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
comment on function internal.miles_a_month(uuid) is 'How far a car is driven in a month, by its last twelve readings; null within thirty days.';

create function public.read_facts(booking_id uuid default null, person_id uuid default null) returns jsonb
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
    'personId', person.id, 'carId', booking.car_id,
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
comment on function public.read_facts(uuid, uuid) is
  'What matters where somebody is booked, or an appointment of theirs is open: how often they were missed, when they were last '
  'here (before it), what else stands ahead, what was declined last, which estimates are open.';

create function public.save_person(
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
comment on function public.save_person(uuid, integer, text, text, text, boolean) is
  'Writes how a person is called and reached, over the version that was seen (TT093), and returns the new one. An address that '
  'somebody else is known by is asked about first (TT096, the detail says whose). What they were known by before stays known.';

create function public.forget_contact(contact_id bigint) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.person_contacts where id = contact_id;
end
$$;
comment on function public.forget_contact(bigint) is 'No record finds a person by this address or number any more.';

create function public.save_car(
  car_id uuid, expected_version integer, person_id uuid, year text, make text, model text, color text, plate text, vin text, note text
)
  returns uuid
  language plpgsql
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
comment on function public.save_car(uuid, integer, uuid, text, text, text, text, text, text, text) is
  'Adds a car to a person (car_id null) or changes the one that is still of the expected version (TT093); returns its id. A VIN '
  'whose check digit is wrong is refused (TT097).';

create function public.give_car(car_id uuid, expected_version integer, person_id uuid) returns void
  language plpgsql
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
comment on function public.give_car(uuid, integer, uuid) is
  'Notes that somebody else drives a car now. What was done to it stays with who came with it, and in the story of the car.';

create function public.note_odometer(
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
comment on function public.note_odometer(uuid, integer, date, uuid, boolean) is
  'Notes what an odometer said on a day (today), and in which visit. Less than before, or more than later, is asked about first '
  '(TT098, the detail says against which).';

create function public.remove_odometer_reading(reading_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.odometer_readings where id = reading_id;
end
$$;
comment on function public.remove_odometer_reading(uuid) is 'Takes back a reading that was a mistake.';

create function public.add_person_note(person_id uuid, note text) returns uuid
  language plpgsql
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
comment on function public.add_person_note(uuid, text) is 'Writes down what staff tell each other about a person.';

create function public.remove_person_note(note_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.person_notes where id = note_id;
end
$$;
comment on function public.remove_person_note(uuid) is 'Takes a note about a person away.';

create or replace function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'will_come', booking.answered_at is not null,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'person_id', booking.person_id, 'car_id', booking.car_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );

grant execute on function public.read_person(uuid), public.read_car(uuid), public.read_facts(uuid, uuid),
  public.save_person(uuid, integer, text, text, text, boolean), public.forget_contact(bigint),
  public.save_car(uuid, integer, uuid, text, text, text, text, text, text, text), public.give_car(uuid, integer, uuid),
  public.note_odometer(uuid, integer, date, uuid, boolean), public.remove_odometer_reading(uuid),
  public.add_person_note(uuid, text), public.remove_person_note(uuid)
to authenticated;
