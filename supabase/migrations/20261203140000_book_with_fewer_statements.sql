-- A function asks PostgreSQL for each of its expressions anew in every transaction, which a request is. So the rules of a booking
-- are read by few statements, in the same order, and what only names a reason is asked when a booking is refused.

create function internal.refusal_of_moment(
  booking_date date, booking_time time, instant timestamptz, time_zone text, notice_minutes integer, booking_window_days integer,
  is_paused boolean
)
  returns text
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return case
    when is_paused then 'booking_paused'
    when booking_date < (instant at time zone time_zone)::date
      or (booking_date + booking_time) at time zone time_zone < instant then 'in_the_past'
    when booking_date > (instant at time zone time_zone)::date + booking_window_days then 'too_far_ahead'
    when (booking_date + booking_time) at time zone time_zone < instant + notice_minutes * interval '1 minute' then 'notice_required'
  end;
comment on function internal.refusal_of_moment(date, time, timestamptz, text, integer, integer, boolean) is
  'What moment_refusal says, for who has read the rules; PostgreSQL writes it into the statement that calls it.';

create or replace function internal.moment_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select internal.refusal_of_moment(booking_date, booking_time, internal.current_instant(), shop.time_zone,
                                      rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused)
    from public.shop, public.booking_rules rules
  );
end
$$;

create or replace function internal.find_free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns uuid
  language plpgsql stable
  -- A visitor has no right to read bookings and to call open_bays and is_bay_taken.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  -- A plan is kept: a table that was small when it was made is not to be read as a whole once it has grown.
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
  found_bay uuid;
begin
  -- What open_bays, bay_can_do_service and is_bay_taken find, in one statement.
  select hours.bay_id into found_bay
  from internal.bay_hours hours join public.bays bay on bay.id = hours.bay_id, public.booking_rules rules
  where hours.day = booking_date
    and hours.span @> wanted
    and extract(epoch from starts_at - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
    and coalesce((select bool_or(known.service_id = service) from public.bay_services known where known.bay_id = hours.bay_id), true)
    -- Not as `not exists`: that is planned as a join with every appointment.
    and (
      select true from public.bookings booking
      where booking.bay_id = hours.bay_id and booking.occupied && wanted
        and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        -- A hold that ran out gives its time back before anybody noted it.
        and (booking.held_until is null or booking.held_until > internal.current_instant())
      limit 1
    ) is null
  order by bay.position limit 1;
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return found_bay;
  end if;
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_bay_taken(open.bay_id, wanted)
    order by open.bay_position limit 1
  );
end
$$;

-- The form's token is signed by HMAC (RFC 2104), whose two pads depend on the key alone.
create function internal.hmac_pad(secret text, pad integer) returns bytea
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  key bytea := convert_to(secret, 'UTF8');
  padded bytea := decode(repeat(to_hex(pad), 64), 'hex');
begin
  if length(key) > 64 then
    key := sha256(key);
  end if;
  for place in 0 .. length(key) - 1 loop
    padded := set_byte(padded, place, get_byte(padded, place) # get_byte(key, place));
  end loop;
  return padded;
end
$$;
comment on function internal.hmac_pad(text, integer) is 'The inner (pad 54) or the outer (pad 92) key of HMAC with SHA-256.';
-- A generated column is computed as who writes the row.
grant execute on function internal.hmac_pad(text, integer) to shop_server;

alter table internal.secrets
  add column inner_key bytea generated always as (internal.hmac_pad(value, 54)) stored,
  add column outer_key bytea generated always as (internal.hmac_pad(value, 92)) stored;
comment on column internal.secrets.inner_key is 'The secret as HMAC uses it first, computed once.';
comment on column internal.secrets.outer_key is 'The secret as HMAC uses it last, computed once.';

create or replace function internal.hmac_sha256(message text, secret text) returns bytea
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return sha256(internal.hmac_pad(secret, 92) || sha256(internal.hmac_pad(secret, 54) || convert_to(message, 'UTF8')));
end
$$;

create or replace function internal.form_token_problem(token text) returns text
  language plpgsql
  -- Reads the key, which no visitor may.
  security definer
  set search_path = ''
as $$
declare
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  -- On its own: PostgreSQL may compute with a known text before any condition of the statement.
  if token !~ '^\d{13}\.[0-9a-f]{16}\.[0-9a-f]{64}$' then
    return 'form_token_invalid';
  end if;
  select clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000) into age
  from internal.secrets
  where name = 'form_key'
    and encode(sha256(outer_key || sha256(inner_key || convert_to(left(token, 30), 'UTF8'))), 'hex') = right(token, 64);
  if age is null or age not between interval '0' and interval '24 hours' then
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

create or replace function internal.reasons_to_flag_form(headers jsonb) returns text[]
  language sql
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  return array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.form_token_problem(headers ->> 'x-form-token')
    ],
    null
  );

create or replace function internal.is_at_open_limit(mailbox text, phone_key text, ignored_booking_id uuid, since_event bigint default null)
  returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  open_ids uuid[];
begin
  select case when cardinality(of_mailbox) < most_open then of_phone else of_mailbox end into open_ids
  from (select internal.current_instant() at time zone time_zone as local_now from public.shop) clock,
  lateral (select array(
    select id from public.bookings
    where internal.normalize_mailbox(customer_email) = mailbox
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ) as of_mailbox, array(
    select id from public.bookings
    where internal.normalize_phone(customer_phone) = phone_key
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ) as of_phone
  offset 0) known;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;

create function internal.refuse_new_booking(booking public.bookings, is_admin boolean, refusal text) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if booking.duration_minutes is null then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  if booking.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if refusal is null or length(trim(coalesce(booking.vehicle_year, ''))) = 0 or length(trim(coalesce(booking.vehicle_make, ''))) = 0
     or length(trim(coalesce(booking.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  perform internal.refuse_booking(refusal);
end
$$;
comment on function internal.refuse_new_booking(public.bookings, boolean, text) is
  'Says which condition of accept_booking a new appointment does not meet; the refusal is what moment_refusal found.';

create or replace function internal.accept_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read bookings.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin boolean;
  instant timestamptz;
  mailbox text;
  phone_key text;
  refusal text;
  has_expired_holds boolean;
  client internal.client_digests;
begin
  -- All that is known before the day's lock, in one statement.
  select internal.is_admin(), internal.current_instant(),
         internal.normalize_mailbox(new.customer_email), internal.normalize_phone(new.customer_phone),
         service.duration_minutes, service.name, service.price_from_cents,
         new.appointment_date + new.appointment_time, false,
         -- The search finds an appointment once it is linked, when this is written.
         case when tg_argv[0] = 'visitor' and headers ->> 'x-links-later' is distinct from 'yes'
              then internal.search_text_of(new) else '' end,
         internal.refusal_of_moment(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused),
         exists (
           select from public.bookings
           where held_until <= internal.current_instant() and appointment_date = new.appointment_date)
  into is_admin, instant, mailbox, phone_key,
       new.duration_minutes, new.service_name, new.service_price_cents,
       new.notified_starts_at, new.notified_cancelled, new.search_text, refusal, has_expired_holds
  from public.shop cross join public.booking_rules rules
  left join public.services service on service.id = new.service_id and service.is_active;
  -- One condition for nearly all bookings; what follows it says which of them is not met.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes'
     or new.duration_minutes is null or new.status <> 'confirmed' or refusal is not null
     or length(trim(coalesce(new.vehicle_year, ''))) = 0 or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    perform internal.refuse_new_booking(new, is_admin, refusal);
  end if;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  new.bay_id := internal.find_free_bay(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if new.bay_id is null then
    refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
    if refusal is not null then
      perform internal.refuse_booking(refusal);
    end if;
    perform internal.raise_slot_taken();
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  if new.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  -- Staff decide what they book.
  if is_admin then
    return new;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  if internal.is_at_open_limit(mailbox, phone_key, new.id) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  client := internal.client_digests(headers);
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if new.flagged_reasons = '{}' then
      new.flagged_reasons := array_remove(array[internal.reached_booking_limit(client)], null);
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

-- accept_booking has done it for a visitor.
drop trigger t20_complete_booking on public.bookings;
create trigger t20_complete_booking before insert on public.bookings
  for each row when (current_user <> 'anon') execute function internal.complete_booking();

-- What a function of one expression without a query of its own says, PostgreSQL writes into the statement that calls it.
create function internal.booking_snapshot(booking public.bookings, bay_name text) returns jsonb
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return jsonb_build_object(
    'date', booking.appointment_date, 'time', to_char(booking.appointment_time::interval, 'HH24:MI'),
    'minutes', booking.duration_minutes, 'service', booking.service_name, 'bay_id', booking.bay_id, 'bay', bay_name,
    'state', internal.booking_state(booking), 'held_until', booking.held_until, 'kept_at', booking.conflict_accepted_at);
comment on function internal.booking_snapshot(public.bookings, text) is
  'What the history keeps of an appointment, for who knows the name of its bay.';

create or replace function internal.booking_snapshot(booking public.bookings) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
begin
  return internal.booking_snapshot(booking, (select name from public.bays where id = booking.bay_id));
end
$$;

create function internal.record_new_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write booking_events and form_origins.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after, reason, warnings)
  select new.id, 'booked', source, case when source in ('counter', 'task') then internal.author_name(null) else source end,
         internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)), nullif(trim(note ->> 'reason'), ''),
         array(select jsonb_array_elements_text(note -> 'warnings'))
  from (select internal.booking_event_source('booked') as source, internal.booking_change_context() as note) change
  returning id into recorded_id;
  if tg_argv[0] = 'visitor' then
    insert into internal.form_origins (
      booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
      is_of_known_customer
    )
    select new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
           new.flagged_reasons = '{}' and client.is_limited,
           case when new.flagged_reasons = '{}' then false else internal.is_hold_of_known_customer(new) end
    from internal.client_digests(headers) client;
    if new.customer_id is null and headers ->> 'x-links-later' = 'yes' then
      -- A transaction that notifies waits for the commit of every other one that does: a booking that is linked later leaves this
      -- to who links it.
      return null;
    end if;
  end if;
  perform internal.announce_booking(new.id, recorded_id);
  return null;
end
$$;
comment on function internal.record_new_booking() is
  'Writes the first event of an appointment and tells the open dashboards; of a visitor''s (the argument is visitor) it keeps whose '
  'form it was.';
drop trigger t10_record_booking_event on public.bookings;
create trigger t10_record_booking_event after delete on public.bookings
  for each row execute function internal.record_booking_event();
drop trigger t20_record_form_origin on public.bookings;
create trigger t10_record_new_booking after insert on public.bookings
  for each row when (current_user <> 'anon') execute function internal.record_new_booking();
create trigger t15_record_booking_of_visitor after insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.record_new_booking('visitor');

create or replace function internal.record_booking_event() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write booking_events.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  told constant text := case tg_op when 'DELETE' then 'deleted' else internal.booking_event_kind(old, new) end;
  source constant text := internal.booking_event_source(told);
  note constant jsonb := internal.booking_change_context();
  warnings text[] := '{}';
  facts_before constant jsonb := internal.booking_snapshot(old);
  facts_after constant jsonb := case tg_op when 'UPDATE' then internal.booking_snapshot(new) end;
  event_id bigint;
begin
  if told is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      old.id, told, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_before, facts_after) else facts_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_after, facts_before) end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  perform internal.announce_booking(old.id, event_id);
  return null;
end
$$;

create or replace function internal.record_form_origin() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write form_origins.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  insert into internal.form_origins (quote_request_id, token_digest, address_digest)
  values (new.id, internal.token_digest(headers), (internal.client_digests(headers)).address);
  return null;
end
$$;
comment on function internal.record_form_origin() is 'Keeps whose form a quote request came from.';

comment on column public.bookings.search_text is
  'What the dashboard''s search looks through (internal.normalize_search_text); empty until an appointment that is linked later is linked.';

-- A new appointment of a visitor has no customer yet, and most forms are no quote requests.
drop index public.bookings_of_customer;
drop index public.bookings_of_vehicle;
create index bookings_of_customer on public.bookings (customer_id, appointment_date desc) where customer_id is not null;
create index bookings_of_vehicle on public.bookings (vehicle_id, appointment_date desc) where vehicle_id is not null;
alter table internal.form_origins drop constraint form_origins_quote_request_id_key;
create unique index form_origins_of_quote_request on internal.form_origins (quote_request_id) where quote_request_id is not null;
-- No query asks for it: what is not placed is found among the appointments ahead.
drop index public.bookings_without_bay;

-- The two lists were read from text for each event.
create function internal.is_booking_event(kind text, source text) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return kind in (
      'booked', 'moved', 'placed', 'extended', 'shortened', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
      'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
      'notification_dismissed')
    and source in ('visitor', 'counter', 'customer', 'system', 'task');
end
$$;
comment on function internal.is_booking_event(text, text) is
  'Whether the history of appointments knows such an event, and who may have caused it.';

alter table public.booking_events
  drop constraint booking_events_kind_is_known,
  drop constraint booking_events_source_is_known,
  add constraint booking_events_kind_is_known check (internal.is_booking_event(kind, source));

-- One appointment that cannot be linked would otherwise keep its whole batch, and all later ones, from being linked.
create function internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[]) returns table (booking_id uuid, problem text)
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- An erasure holds this lock alone, and then looks for its texts in all appointments.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- One that somebody has in hand is left for the next time.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      booking_id := booking.id;
      problem := sqlerrm;
      return next;
    end;
  end loop;
end
$$;
comment on function internal.link_new_bookings(integer, uuid[]) is
  'Links the oldest appointments that belong to nobody yet, except the ignored ones; returns those that cannot be linked, and why.';
grant execute on function internal.link_new_bookings(integer, uuid[]) to shop_server;

create or replace function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
  -- The admin has no right to write estimates, odometer_readings and invoices.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former constant uuid := booking.customer_id;
  person uuid;
begin
  if internal.is_erased(former) then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former for update;
  person := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = person,
      vehicle_id = internal.find_or_create_vehicle(person, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = person, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices links set customer_id = person, vehicle_id = booking.vehicle_id where links.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former, person);
  if former is null then
    -- Who links an appointment tells the open dashboards of it.
    perform internal.announce_booking(booking.id, (
      select min(event.id) from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked'));
  end if;
  return person;
end
$$;
