-- A booking on the website ran some fifty statements and as many functions with settings of their own, which cost five
-- times the insert itself. The same rules in the same order, with each row read once.

-- PostgreSQL writes a function of one expression into the statement that calls it, unless the function has a setting. The
-- names in these bodies were resolved when the functions were made, so no search path changes what they mean.
alter function internal.current_instant() reset search_path;
alter function internal.is_admin() reset search_path;
alter function internal.booking_note() reset search_path;
alter function internal.source_of_change(text) reset search_path;
alter function internal.is_standing(public.bookings) reset search_path;
alter function internal.booking_state(public.bookings) reset search_path;
alter function internal.is_open_state(text) reset search_path;
alter function internal.token_digest(jsonb) reset search_path;
alter function internal.lock_booking_network(internal.client_digests) reset search_path;

-- What indexes, checks and generated columns call is planned again for each insert. A compiled function is not.
create or replace function internal.canonical_phone(phone text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return substring(regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^1(?=[0-9]{10}$)', ''), '^.{7,}$');
end
$$;

create or replace function internal.mailbox_of(email text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  spelled constant text := lower(normalize(email, nfkc));
  whole constant text := regexp_replace(spelled, '@[^@]*$', '');
  domain constant text := rtrim(substring(spelled from '@([^@]*)$'), '.');
  name constant text := coalesce(nullif(split_part(whole, '+', 1), ''), whole);
begin
  return case
    when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- https://proton.me/support/addresses-and-aliases: one account has its name at all of them.
    when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || domain
  end;
end
$$;

create or replace function internal.plain(said text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return translate(lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]+', '', 'g')), 'ŁłØøĐđ', 'lloodd');
end
$$;

create or replace function internal.is_line(value text, fewest integer, most integer) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;

create or replace function internal.lock_booking_day(day date) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Whoever changes hours or bays waits for all who place an appointment, and they for him: first, always.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0)),
          pg_advisory_xact_lock(hashtextextended('booking ' || day, 0));
end
$$;

create or replace function internal.lock_booking_person(mailbox text, phone_key text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0)),
          pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0));
end
$$;

-- All appointments with a number are found by bookings_by_phone, and those ahead are first in it.
drop index public.bookings_open_by_phone;

create or replace function internal.is_at_open_limit(mailbox text, phone_key text, other_than uuid, since_event bigint default null)
  returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  of_mailbox uuid[];
  of_phone uuid[];
  open_ids uuid[];
begin
  select array(
    select id from public.bookings
    where internal.mailbox_of(customer_email) = mailbox
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than
  ), array(
    select id from public.bookings
    where internal.canonical_phone(customer_phone) = phone_key
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> other_than
  ) into of_mailbox, of_phone
  from (select internal.current_instant() at time zone time_zone as local_now from public.shop) clock;
  open_ids := case when cardinality(of_mailbox) < most_open then of_phone else of_mailbox end;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;

-- What every booking gets, whoever writes it: one trigger instead of three.
drop trigger snapshot_service on public.bookings;
drop trigger fill_search_text on public.bookings;
drop trigger settle_notification on public.bookings;
drop function internal.snapshot_service();

create function internal.search_text_of(booking public.bookings) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return internal.plain(
    booking.customer_name || ' ' || coalesce(booking.customer_email, '') || ' ' || booking.customer_phone || ' '
    || regexp_replace(booking.customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(booking.vehicle_year, '') || ' ' || coalesce(booking.vehicle_make, '') || ' ' || coalesce(booking.vehicle_model, ''));
end
$$;
comment on function internal.search_text_of(public.bookings) is 'What the search looks through in an appointment.';

create or replace function internal.fill_search_text() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;
create trigger fill_search_text before update on public.bookings
  for each row execute function internal.fill_search_text();

create or replace function internal.settle_notification() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if internal.source_of_change('moved') = 'customer' then
    new.notified_starts_at := new.appointment_date + new.appointment_time;
    new.notified_cancelled := new.status = 'cancelled';
  end if;
  return new;
end
$$;
create trigger settle_notification before update of appointment_date, appointment_time, status on public.bookings
  for each row execute function internal.settle_notification();

create function internal.complete_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.service_name is null then
    select name, price_from_cents into new.service_name, new.service_price_cents
    from public.services where id = new.service_id;
  end if;
  new.notified_starts_at := new.appointment_date + new.appointment_time;
  new.notified_cancelled := new.status = 'cancelled';
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;
comment on function internal.complete_booking() is
  'Keeps the service as it is called and priced now, what the customer knows of the time, and what the search looks through.';
create trigger complete_booking before insert on public.bookings
  for each row execute function internal.complete_booking();

-- What decides about a booking of the website or of the data service: one trigger instead of four.
drop trigger accept_booking on public.bookings;
drop trigger flag_suspicious_form on public.bookings;
drop trigger hold_flagged_booking on public.bookings;
drop trigger require_email on public.bookings;
drop function internal.hold_flagged_booking();
drop function internal.require_email();

create or replace function internal.accept_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  is_admin constant boolean := internal.is_admin();
  instant constant timestamptz := internal.current_instant();
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  mailbox constant text := internal.mailbox_of(new.customer_email);
  phone_key constant text := internal.canonical_phone(new.customer_phone);
  service record;
  refusal text;
  ignored text;
  client internal.client_digests;
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not is_admin then
    if current_setting('shop.has_booked', true) = 'yes' then
      raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_at_a_time';
    end if;
    ignored := set_config('shop.has_booked', 'yes', true);
  end if;
  select duration_minutes, name, price_from_cents,
         exists (select from public.bookings where held_until <= instant and appointment_date = new.appointment_date) as has_expired_holds
  into service from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  new.duration_minutes := service.duration_minutes;
  new.service_name := service.name;
  new.service_price_cents := service.price_from_cents;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if refusal is not null then
    perform internal.refuse_booking(refusal);
  end if;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  new.bay_id := internal.free_bay(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if new.bay_id is null then
    perform internal.refuse_taken();
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
  end if;
  if service.has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  if new.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  -- Staff decide what they book.
  if is_admin then
    return new;
  end if;
  perform internal.lock_booking_person(mailbox, phone_key);
  if internal.is_at_open_limit(mailbox, phone_key, new.id) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  client := internal.client_digests(headers);
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if new.flagged_reasons = '{}' then
      new.flagged_reasons := array_remove(array[internal.reached_booking_cap(client)], null);
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
comment on function internal.accept_booking() is
  'Decides about a booking that the website or the data service inserts: refuses what breaks a rule, gives it the first free '
  'bay, marks what looks automated (only of who is not signed in: the argument is visitor) and holds what is marked.';

create function internal.reasons_to_flag_form(headers jsonb) returns text[]
  language plpgsql
  set search_path = ''
as $$
begin
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  return array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.why_token_is_suspicious(headers ->> 'x-form-token')
    ],
    null
  );
end
$$;
comment on function internal.reasons_to_flag_form(jsonb) is
  'Why the form that sent a request with these headers looks automated; empty when it looks like a person''s. Uses its token up.';

create or replace function internal.flag_suspicious_form() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.flagged_reasons := internal.reasons_to_flag_form(
    coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb);
  return new;
end
$$;

create trigger accept_booking before insert on public.bookings
  for each row when (current_user = 'authenticated') execute function internal.accept_booking();
create trigger accept_booking_of_visitor before insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.accept_booking('visitor');

-- The history of a new booking, with what a note says only where there is one.
create or replace function internal.booking_facts(booking public.bookings) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  bay_name text;
begin
  if booking.bay_id is not null then
    select name into bay_name from public.bays where id = booking.bay_id;
  end if;
  return jsonb_build_object(
    'date', booking.appointment_date, 'time', to_char(booking.appointment_time::interval, 'HH24:MI'),
    'minutes', booking.duration_minutes, 'service', booking.service_name, 'bay_id', booking.bay_id, 'bay', bay_name,
    'state', internal.booking_state(booking), 'held_until', booking.held_until, 'kept_at', booking.kept_at);
end
$$;

create or replace function internal.record_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
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
  -- Ids only: whoever hears of them asks with rights of their own.
  perform pg_notify('bookings_changed', concat_ws(' ', coalesce(new.id, old.id), event_id));
  return null;
end
$$;

create or replace function internal.remember_form_origin() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  client constant internal.client_digests := internal.client_digests(headers);
  is_unmarked constant boolean := new.flagged_reasons = '{}';
  is_of_known_customer boolean := false;
begin
  if tg_table_name = 'quote_requests' then
    insert into internal.form_origins (quote_request_id, token_digest, address_digest)
    values (new.id, internal.token_digest(headers), client.address);
    return null;
  end if;
  if not is_unmarked then
    is_of_known_customer := internal.is_hold_of_known_customer(new);
  end if;
  insert into internal.form_origins (
    booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
    is_of_known_customer
  ) values (
    new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
    is_unmarked and client.is_limited, is_of_known_customer
  );
  return null;
end
$$;

-- Every statement in these finds its rows by a key, so that no value asks for a plan of its own. Without this setting
-- PostgreSQL plans each statement of each connection six times before it keeps a plan, also after each change of a table.
alter function internal.accept_booking() set plan_cache_mode = 'force_generic_plan';
alter function internal.complete_booking() set plan_cache_mode = 'force_generic_plan';
alter function internal.link_booking() set plan_cache_mode = 'force_generic_plan';
alter function internal.record_booking() set plan_cache_mode = 'force_generic_plan';
alter function internal.remember_form_origin() set plan_cache_mode = 'force_generic_plan';
