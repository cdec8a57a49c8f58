-- Who an appointment is of is not needed to accept it, and took half of the time of a booking on the website. A shop whose
-- process links new appointments (internal.link_old_records) says so with the booking, which is then linked within a second, from
-- the row itself: person_id is null until then. The dashboards hear of it when it is linked, so that they never read it half.

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
comment on function internal.is_linked_later() is 'Whether a process of the shop links the appointment that this request inserts.';
-- The condition of a trigger is evaluated as who inserts.
grant execute on function internal.is_linked_later() to anon, authenticated;

create or replace function internal.link_booking() returns trigger
  language plpgsql
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
drop trigger link_to_person on public.bookings;
create trigger link_to_person before insert on public.bookings
  for each row when (new.person_id is null and not internal.is_linked_later()) execute function internal.link_booking();

create function internal.announce_booking(booking_id uuid, event_id bigint) returns void
  language sql
  set search_path = ''
  -- Ids only: whoever hears of them asks with rights of their own.
  return pg_notify('bookings_changed', concat_ws(' ', booking_id, event_id));
comment on function internal.announce_booking(uuid, bigint) is
  'Tells the open dashboards that an appointment changed, with the event of its history if there is one.';

create or replace function internal.record_booking() returns trigger
  language plpgsql
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
comment on function internal.link_booking_now(public.bookings) is
  'Gives an appointment its customer and its vehicle, and tells the open dashboards of it. The caller has locked the row.';

create or replace function internal.link_old_bookings(most integer) returns integer
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
comment on function internal.link_old_bookings(integer) is
  'Links the oldest appointments that belong to nobody yet; returns how many.';

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
comment on function internal.link_waiting_booking(uuid) is
  'Links an appointment that belongs to nobody yet, for who acts on it before the shop''s process has linked it.';

create or replace function internal.erase_person(person_id uuid, expected_version integer, by_name text, left_out text[] default '{}') returns jsonb
  language plpgsql
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

create or replace function internal.bookings_to_remind(most integer) returns setof public.bookings
  language sql stable
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

create or replace function public.use_typed_email(booking_id uuid default null, quote_request_id uuid default null) returns text
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

create or replace function internal.link_estimate() returns trigger
  language plpgsql
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
