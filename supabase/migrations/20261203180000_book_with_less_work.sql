-- Each booking reads everything that the rules compare in one statement under the lock of its day. PostgreSQL parses trigger
-- conditions and checks again for each insert, so they are shorter now.

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP TRIGGER "t00_lock_calendar_before_status_change" ON "public"."bookings";

DROP TRIGGER "t10_accept_booking" ON "public"."bookings";

DROP TRIGGER "t10_record_new_booking" ON "public"."bookings";

DROP TRIGGER "t15_accept_booking_of_visitor" ON "public"."bookings";

DROP TRIGGER "t15_record_booking_of_visitor" ON "public"."bookings";

DROP TRIGGER "t20_complete_booking" ON "public"."bookings";

DROP TRIGGER "t50_link_to_customer" ON "public"."bookings";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_internal_note_is_plain";

ALTER TABLE "public"."bookings" DROP CONSTRAINT "bookings_notes_are_plain";

DROP FUNCTION "internal"."address_digest"(jsonb);

DROP FUNCTION "internal"."client_digests"(jsonb);

DROP FUNCTION "internal"."is_linked_later"();

DROP FUNCTION "internal"."lock_booking_contact"(text, text);

DROP FUNCTION "internal"."lock_booking_day"(date);

DROP FUNCTION "internal"."refuse_new_booking"(public.bookings, boolean, text);

CREATE OR REPLACE FUNCTION internal.accept_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin constant boolean := tg_nargs = 0 and internal.is_admin();
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  refusal text;
  open_bookings integer;
  has_expired_holds boolean;
begin
  -- Before the lock of the day: a transaction that locked several days in any order could deadlock with others.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if new.status <> 'confirmed' or new.customer_email is null
     or (trim(new.vehicle_year) <> '' and trim(new.vehicle_make) <> '' and trim(new.vehicle_model) <> '') is not true then
    perform internal.refuse_incomplete_booking(new);
  end if;
  -- Without the lock, concurrent inserts for overlapping times deadlock in the exclusion constraint instead of ending as conflicts.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- One statement reads everything that the rules compare: a second one before the locks costs more than refused bookings save.
  select service.duration_minutes, service.name, service.price_from_cents, new.appointment_date + new.appointment_time,
         internal.refusal_of_moment(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused),
         (select bay_id from internal.free_bays(new.appointment_date, new.appointment_time, service.duration_minutes, service.id,
                                                rules.slot_interval_minutes) order by bay_position limit 1),
         greatest((select count(*) from internal.open_bookings_of_mailbox(mailbox, clock.now)),
                  (select count(*) from internal.open_bookings_of_phone(phone_key, clock.now))),
         exists (
           select from public.bookings where held_until <= internal.current_instant() and appointment_date = new.appointment_date)
  into new.duration_minutes, new.service_name, new.service_price_cents, new.notified_starts_at,
       refusal, new.bay_id, open_bookings, has_expired_holds
  from public.shop cross join lateral (select internal.current_instant() at time zone shop.time_zone as now) clock
  cross join public.booking_rules rules left join public.services service on service.id = new.service_id and service.is_active;
  if refusal is not null or new.bay_id is null then
    new.bay_id := internal.find_bay_or_refuse(new, refusal);
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
    -- The job that links the booking writes its search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- Bookings by staff have no limits.
  if not is_admin then
    new.flagged_reasons := internal.flag_over_limits(new.flagged_reasons, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.begin_hold(booking public.bookings, headers jsonb)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not internal.is_hold_of_known_customer(booking) then
    perform internal.refuse_too_many_held(internal.client_digests(headers));
  end if;
  return internal.current_instant() + interval '30 minutes';
end
$function$;

CREATE OR REPLACE FUNCTION internal.client_digests(headers jsonb)
 RETURNS internal.client_digests
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (headers ? 'cf-connecting-ip'::text) THEN internal.digests_of_address((headers ->> 'cf-connecting-ip'::text)) ELSE ROW(sha256(convert_to((headers ->> 'x-client-address-hash'::text), 'UTF8'::name)), sha256(convert_to((headers ->> 'x-client-56-hash'::text), 'UTF8'::name)), sha256(convert_to((headers ->> 'x-client-48-hash'::text), 'UTF8'::name)), sha256(convert_to((headers ->> 'x-client-24-hash'::text), 'UTF8'::name)), ((headers ->> 'x-rate-limits'::text) IS DISTINCT FROM 'off'::text))::internal.client_digests END;

CREATE OR REPLACE FUNCTION internal.address_digest(headers jsonb)
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (internal.client_digests(headers)).address;

CREATE OR REPLACE FUNCTION internal.confirm_held_booking(booking_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  -- The transaction that writes the email of the booking holds the count of emails, for which this one waits later. This lock lets it
  -- refer to the row.
  select * into booking from public.bookings where id = booking_id for no key update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception
  when exclusion_violation then return 'slot_taken';
  when sqlstate 'TT042' then return 'too_many';
end
$function$;

CREATE OR REPLACE FUNCTION internal.end_expired_holds(day date DEFAULT NULL::date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  instant constant timestamptz := internal.current_instant();
  ended integer;
begin
  -- Usually no hold has expired, and reading the index takes a fraction of the time of an update.
  if not exists (select from public.bookings where held_until <= instant and (day is null or appointment_date = day)) then
    return 0;
  end if;
  -- Skips rows that another transaction has locked: this function never waits, so it cannot deadlock.
  update public.bookings set status = 'not_confirmed'
  where id in (
    select id from public.bookings
    where held_until <= instant and (day is null or appointment_date = day)
    for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_bay_or_refuse(booking public.bookings, refusal text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  bay uuid := booking.bay_id;
begin
  if booking.duration_minutes is null then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  perform internal.refuse_booking(refusal);
  if bay is null then
    bay := internal.find_free_bay(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
  end if;
  if bay is null then
    perform internal.refuse_booking(internal.booking_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id));
    perform internal.raise_slot_taken();
  end if;
  return bay;
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_free_bay(booking_date date, booking_time time without time zone, duration_minutes integer, service uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
  found_bay uuid;
begin
  select free.bay_id into found_bay
  from public.booking_rules rules,
       internal.free_bays(booking_date, booking_time, duration_minutes, service, rules.slot_interval_minutes) free
  order by free.bay_position limit 1;
  if found then
    return found_bay;
  end if;
  if exists (select from internal.bay_hours where day = booking_date) then
    return null;
  end if;
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_bay_taken(open.bay_id, wanted)
    order by open.bay_position limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.flag_over_limits(reasons text[], open_bookings integer, headers jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  client constant internal.client_digests := internal.client_digests(headers);
begin
  if open_bookings >= internal.most_open_bookings() then
    reasons := reasons || 'many_open_bookings'::text;
  end if;
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if reasons = '{}' then
      reasons := array_remove(array[internal.reached_booking_limit(client)], null);
    end if;
  end if;
  return reasons;
end
$function$;

CREATE OR REPLACE FUNCTION internal.form_token_problem(token text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  -- A separate statement: in one statement PostgreSQL may convert the text to a number before it evaluates the condition. The
  -- signature proves the format of the rest.
  if length(token) <> 95 or token !~ '^[0-9]{13}[.].{16}[.]' then
    return 'form_token_invalid';
  end if;
  age := clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000);
  insert into internal.form_token_uses (token_digest)
  select sha256(convert_to(token, 'UTF8')) from internal.secrets
  where name = 'form_key' and internal.is_form_token_signed(token, inner_key, outer_key)
    and age between interval '0' and interval '24 hours'
  on conflict do nothing;
  if found then
    return case when age < interval '3 seconds' then 'sent_too_fast' end;
  end if;
  perform from internal.secrets
  where name = 'form_key' and internal.is_form_token_signed(token, inner_key, outer_key)
    and age between interval '0' and interval '24 hours';
  return case when found then 'form_token_reused' else 'form_token_invalid' end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.free_bays(booking_date date, booking_time time without time zone, minutes integer, service uuid, slot_minutes integer)
 RETURNS TABLE(bay_id uuid, bay_position integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT hours.bay_id,
     bay."position"
    FROM (internal.bay_hours hours
      JOIN public.bays bay ON ((bay.id = hours.bay_id)))
   WHERE ((hours.day = free_bays.booking_date) AND (hours.span @> tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND ((EXTRACT(epoch FROM ((free_bays.booking_date + free_bays.booking_time) - lower(hours.span))) % ((free_bays.slot_minutes * 60))::numeric) = (0)::numeric) AND COALESCE(( SELECT bool_or((known.service_id = free_bays.service)) AS bool_or
            FROM public.bay_services known
           WHERE (known.bay_id = hours.bay_id)), true) AND (( SELECT true
            FROM public.bookings booking
           WHERE ((booking.bay_id = hours.bay_id) AND (booking.occupied && tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND (booking.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text, 'no_show'::text])) AND ((booking.held_until IS NULL) OR (booking.held_until > internal.current_instant())))
          LIMIT 1) IS NULL));
END;

CREATE OR REPLACE FUNCTION internal.is_at_open_limit(mailbox text, phone_key text, ignored_booking_id uuid, since_event bigint DEFAULT NULL::bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  local_now constant timestamp := internal.shop_now();
  open_ids uuid[] := array(
    select id from internal.open_bookings_of_mailbox(mailbox, local_now) id where id <> ignored_booking_id);
begin
  if cardinality(open_ids) < internal.most_open_bookings() then
    open_ids := array(select id from internal.open_bookings_of_phone(phone_key, local_now) id where id <> ignored_booking_id);
  end if;
  if cardinality(open_ids) < internal.most_open_bookings() then
    return false;
  end if;
  return since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed'));
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_form_token_signed(token text, inner_key bytea, outer_key bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (encode(sha256((outer_key || sha256((inner_key || convert_to("left"(token, 30), 'UTF8'::name))))), 'hex'::text) = "right"(token, 64));

CREATE OR REPLACE FUNCTION internal.is_hold_of_known_customer(booking public.bookings)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A stranger who knows the email address and phone number of a customer can book no more than that customer.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_plain_text(value text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
begin
  return value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]';
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_single_line_text(value text, fewest integer, most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
begin
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[])
 RETURNS TABLE(booking_id uuid, problem text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- An erasure takes this lock alone, and then searches all bookings for the texts that it removes.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- The next run links a booking that another transaction has locked.
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
$function$;

CREATE OR REPLACE FUNCTION internal.lock_booking_contact(mailbox text, phone_key text)
 RETURNS void
 LANGUAGE sql
RETURN CASE WHEN ((mailbox IS NULL) OR (pg_advisory_xact_lock(hashtextextended(('booking mailbox '::text || mailbox), (0)::bigint)) IS NOT NULL)) THEN pg_advisory_xact_lock(hashtextextended(('booking phone '::text || COALESCE(phone_key, ''::text)), (0)::bigint)) ELSE NULL::void END;

CREATE OR REPLACE FUNCTION internal.lock_booking_day(day date)
 RETURNS void
 LANGUAGE sql
RETURN CASE WHEN (pg_advisory_xact_lock_shared(hashtextextended('shop calendar'::text, (0)::bigint)) IS NOT NULL) THEN pg_advisory_xact_lock(hashtextextended(('booking '::text || day), (0)::bigint)) ELSE NULL::void END;

CREATE OR REPLACE FUNCTION internal.may_become_open(booking public.bookings)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mailbox constant text := internal.normalize_mailbox(booking.customer_email);
  phone_key constant text := internal.normalize_phone(booking.customer_phone);
  closing record;
begin
  if not internal.is_admin() then
    perform internal.lock_booking_contact(mailbox, phone_key);
    return not internal.is_at_open_limit(mailbox, phone_key, booking.id);
  end if;
  select id, kind into closing from public.booking_events
  where booking_id = booking.id and kind in ('cancelled', 'no_show', 'completed', 'not_confirmed') order by id desc limit 1;
  -- Staff may book, keep and confirm without a limit. An undo by staff restores at most the earlier state.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$function$;

CREATE OR REPLACE FUNCTION internal.most_open_bookings()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 5;

CREATE OR REPLACE FUNCTION internal.normalize_mailbox(email text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
declare
  -- NFKC leaves ASCII as it is, and takes longer than all other steps.
  spelled constant text := lower(case when octet_length(email) = length(email) then email else normalize(email, nfkc) end);
  host constant text := split_part(spelled, '@', -1);
  whole constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(whole, '+', 1), ''), whole);
begin
  return case
    when position('@' in spelled) = 0 then null
    when rtrim(host, '.') in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- https://proton.me/support/addresses-and-aliases: one account has its name at all of them.
    when rtrim(host, '.') in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || rtrim(host, '.')
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.normalize_phone(phone text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
declare
  -- Faster than a regular expression: the inner translate returns all other characters, the outer one removes them.
  digits constant text := translate(phone, translate(phone, '0123456789', ''), '');
begin
  return case
    when length(digits) = 11 and digits like '1%' then right(digits, 10)
    when length(digits) >= 7 then digits
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.open_bookings_of_mailbox(mailbox text, local_now timestamp without time zone)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT bookings.id
    FROM public.bookings
   WHERE ((internal.normalize_mailbox(bookings.customer_email) = open_bookings_of_mailbox.mailbox) AND (bookings.appointment_date >= (open_bookings_of_mailbox.local_now)::date) AND (upper(bookings.occupied) > open_bookings_of_mailbox.local_now) AND (bookings.completed_at IS NULL) AND (bookings.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text])) AND (bookings.status <> 'no_show'::text));
END;

CREATE OR REPLACE FUNCTION internal.open_bookings_of_phone(phone_key text, local_now timestamp without time zone)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT bookings.id
    FROM public.bookings
   WHERE ((internal.normalize_phone(bookings.customer_phone) = open_bookings_of_phone.phone_key) AND (bookings.appointment_date >= (open_bookings_of_phone.local_now)::date) AND (upper(bookings.occupied) > open_bookings_of_phone.local_now) AND (bookings.completed_at IS NULL) AND (bookings.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text])) AND (bookings.status <> 'no_show'::text));
END;

CREATE OR REPLACE FUNCTION internal.reached_booking_limit(client internal.client_digests)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- Copies: PostgreSQL would read a field of the argument again for each row that it compares.
  address constant bytea := client.address;
  network_56 constant bytea := client.network_56;
  network_48 constant bytea := client.network_48;
  network_24 constant bytea := client.network_24;
begin
  return (
    with caps as materialized (
      select name, max_count, now() - period as since from internal.visitor_booking_limits
    ), latest as materialized (
      select created_at, address_digest = address as is_client, network_56_digest = network_56 as is_56,
             network_48_digest = network_48 as is_48, network_24_digest = network_24 as is_24
      from internal.form_origins
      where is_counted and created_at > now() - interval '1 day'
      -- Reads no more rows than the cap of the site: with that many, the cap is reached.
      order by created_at desc limit (select min(max_count) from internal.visitor_booking_limits where name = 'site' and period = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.max_count having count(latest.created_at) >= caps.max_count
    -- The cap of the client comes first, the cap of the site last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_booking_of_visitor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  client constant internal.client_digests := internal.client_digests(headers);
  is_held constant boolean := new.flagged_reasons <> '{}';
  recorded_id bigint;
begin
  insert into internal.form_origins (
    booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
    is_of_known_customer
  ) values (
    new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
    client.is_limited and not is_held, case when is_held then internal.is_hold_of_known_customer(new) else false end);
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after)
  values (new.id, 'booked', 'visitor', 'visitor',
          internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)))
  returning id into recorded_id;
  -- PostgreSQL commits transactions that notify one after the other. The job that links the booking later notifies the dashboards.
  if new.customer_id is not null then
    perform internal.announce_booking(new.id, recorded_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_new_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after, reason, warnings)
  select new.id, 'booked', source, case when source in ('counter', 'task') then internal.author_name(null) else source end,
         internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)), nullif(trim(note ->> 'reason'), ''),
         array(select jsonb_array_elements_text(note -> 'warnings'))
  from (select internal.booking_event_source('booked') as source, internal.booking_change_context() as note) change
  returning id into recorded_id;
  perform internal.announce_booking(new.id, recorded_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_incomplete_booking(booking public.bookings)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if booking.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if booking.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_too_many_held(client internal.client_digests)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- Automated bookings cannot fill the calendar.
  most_held constant integer := 10;
  most_of_network constant integer := 3;
  instant constant timestamptz := internal.current_instant();
  held integer;
  of_network integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*),
         count(*) filter (where coalesce(origin.network_48_digest, origin.network_24_digest)
                                = coalesce(client.network_48, client.network_24))
  into held, of_network
  from public.bookings booking left join internal.form_origins origin on origin.booking_id = booking.id
  where booking.held_until > instant and origin.is_of_known_customer is not true;
  if held >= most_held or (client.is_limited and of_network >= most_of_network) then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.release_hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (gone) and new.status <> all (gone) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- A booking without a bay occupied no time, and needs no bay now.
    if old.bay_id is not null then
      new.bay_id := internal.find_bay_for_reopened_booking(old);
      if new.bay_id is null and not coalesce((internal.booking_change_context() ->> 'allow_without_bay')::boolean, false) then
        perform internal.raise_slot_taken();
      end if;
    end if;
  end if;
  if internal.is_open_state(internal.booking_state(new))
     and (not was_open or (old.held_until is not null and new.held_until is null))
     and not internal.may_become_open(new) then
    raise exception 'This customer has five appointments ahead.' using errcode = 'TT042', hint = 'too_many_open';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.token_digest(headers jsonb)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256(convert_to(NULLIF((headers ->> 'x-form-token'::text), ''::text), 'UTF8'::name));

CREATE TRIGGER t00_lock_calendar_before_status_change BEFORE UPDATE OF status ON public.bookings FOR EACH STATEMENT WHEN ((CURRENT_USER = 'authenticated'::text)) EXECUTE FUNCTION internal.lock_calendar_before_status_change();

CREATE TRIGGER t10_accept_booking BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER = 'authenticated'::text)) EXECUTE FUNCTION internal.accept_booking();

CREATE TRIGGER t10_record_new_booking AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER <> 'anon'::text)) EXECUTE FUNCTION internal.record_new_booking();

CREATE TRIGGER t15_accept_booking_of_visitor BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER = 'anon'::text)) EXECUTE FUNCTION internal.accept_booking('visitor');

CREATE TRIGGER t15_record_booking_of_visitor AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER = 'anon'::text)) EXECUTE FUNCTION internal.record_booking_of_visitor();

CREATE TRIGGER t20_complete_booking BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((CURRENT_USER <> 'anon'::text)) EXECUTE FUNCTION internal.complete_booking();

CREATE TRIGGER t50_link_to_customer BEFORE INSERT ON public.bookings FOR EACH ROW WHEN (((new.customer_id IS NULL) AND (new.search_text <> ''::text))) EXECUTE FUNCTION internal.link_booking();

COMMENT ON COLUMN "internal"."form_origins"."address_digest" IS 'Digest of the client''s address; null when the data service does not know it.';

COMMENT ON COLUMN "internal"."form_origins"."is_counted" IS 'Whether the caps on bookings count the form: its booking is not flagged and not of a load test.';

COMMENT ON COLUMN "internal"."form_origins"."is_of_known_customer" IS 'Whether the booking is held but does not count towards the most that are held at a time.';

COMMENT ON COLUMN "internal"."form_origins"."network_24_digest" IS 'Digest of the client''s IPv4 /24.';

COMMENT ON COLUMN "internal"."form_origins"."network_48_digest" IS 'Digest of the client''s IPv6 /48.';

COMMENT ON COLUMN "internal"."form_origins"."network_56_digest" IS 'Digest of the client''s IPv6 /56.';

COMMENT ON COLUMN "internal"."form_origins"."token_digest" IS 'Digest of the header x-form-token, valid or not; null without the header.';

COMMENT ON COLUMN "internal"."visitor_booking_limits"."name" IS 'What is counted: bookings of one client, of the networks around it (IPv6 /56 and /48, IPv4 /24), or of the whole site.';

COMMENT ON FUNCTION "internal"."accept_booking"() IS 'Decides about a booking that the website or the data service inserts: refuses one that breaks a rule, assigns the first free bay, flags a form of a visitor (the argument of the trigger) that looks automated, and holds a flagged booking.';

COMMENT ON FUNCTION "internal"."address_digest"(jsonb) IS 'The digest of the client''s address in request headers; null when the headers do not contain it.';

COMMENT ON FUNCTION "internal"."announce_booking"(uuid, bigint) IS 'Notifies the open dashboards that a booking changed, with the event of its history if there is one.';

COMMENT ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) IS 'Until when a flagged booking is held; refuses the booking when too many are held.';

COMMENT ON FUNCTION "internal"."client_digests"(jsonb) IS 'The digests of the client and its networks in request headers.';

COMMENT ON FUNCTION "internal"."confirm_held_booking"(uuid) IS 'Confirms a held booking by the link in its email; can be repeated. Returns confirmed, already_confirmed, or the problem: cancelled, too_late, too_many, slot_taken (the hold has expired and another booking has the time).';

COMMENT ON FUNCTION "internal"."digests_of_address"(text) IS 'The digests of the plain address of a client. A text that is not an address counts as one client.';

COMMENT ON FUNCTION "internal"."end_expired_holds"(date) IS 'Ends the expired holds of one day or of all days, which frees their times; returns how many.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking whose date may have no rows in bay_hours, or raises the rule that the booking breaks. The refusal is the result of refusal_of_moment.';

COMMENT ON FUNCTION "internal"."flag_over_limits"(text[], integer, jsonb) IS 'Adds many_open_bookings to the reasons of a booking whose customer has five others open, and the cap that its client has reached to a booking without a reason.';

COMMENT ON FUNCTION "internal"."flag_suspicious_form"() IS 'Flags a visitor''s form that looks automated, by two request headers. It refuses no form.';

COMMENT ON FUNCTION "internal"."form_token_problem"(text) IS 'The problem of a form token, ''milliseconds.nonce.signature'' as server/features/form-guard signs it; null for a valid one. Marks the token as used.';

COMMENT ON FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer) IS 'The open bays that can do a service and are free at a time; none for a date without rows in bay_hours.';

COMMENT ON FUNCTION "internal"."is_at_open_limit"(text, text, uuid, bigint) IS 'Whether five other upcoming bookings of one mailbox or phone number are open; with since_event, whether the customer also opened one of them after that event of booking_events.';

COMMENT ON FUNCTION "internal"."is_form_token_signed"(text, bytea, bytea) IS 'Whether the last 64 characters of a form token are the signature (HMAC) of its first 30; the keys are columns of internal.secrets.';

COMMENT ON FUNCTION "internal"."is_hold_of_known_customer"(public.bookings) IS 'Whether a flagged booking is held regardless of how many are held: its customer is known and has fewer than five others open.';

COMMENT ON FUNCTION "internal"."is_plain_text"(text) IS 'Whether a text of several lines has no control characters except line ends and tabs, and no characters that change the text direction.';

COMMENT ON FUNCTION "internal"."link_booking"() IS 'Links a new booking to its customer and its vehicle.';

COMMENT ON FUNCTION "internal"."link_booking_now"(public.bookings) IS 'Links a booking to its customer and vehicle, and notifies the open dashboards. The caller has locked the row.';

COMMENT ON FUNCTION "internal"."link_new_bookings"(integer, uuid[]) IS 'Links the oldest bookings without a customer, except the ignored ones; returns those that cannot be linked, and why.';

COMMENT ON FUNCTION "internal"."link_waiting_booking"(uuid) IS 'Links a booking that has no customer yet, for a caller that acts on it before the job has linked it.';

COMMENT ON FUNCTION "internal"."lock_booking_contact"(text, text) IS 'Locks the open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) until the transaction ends. Always taken after the lock of the day.';

COMMENT ON FUNCTION "internal"."lock_booking_day"(date) IS 'Locks a day of the calendar until the transaction ends: one change of its slots at a time. Several days are locked in order.';

COMMENT ON FUNCTION "internal"."lock_booking_network"(internal.client_digests) IS 'Locks the counts of a client and of the networks around it until the transaction ends. Always taken after the locks of day and contact.';

COMMENT ON FUNCTION "internal"."may_become_open"(public.bookings) IS 'Whether a booking may become open: by an insert, reopening by its customer, an undo by staff, or the confirmation of a hold. False when five others of its customer are open; for an undo by staff, only when the customer has opened one of them since.';

COMMENT ON FUNCTION "internal"."most_open_bookings"() IS 'How many upcoming bookings of one mailbox or phone number may be open.';

COMMENT ON FUNCTION "internal"."open_bookings_of_mailbox"(text, timestamp without time zone) IS 'The open bookings of a mailbox (internal.normalize_mailbox) that end after a shop wall-clock time.';

COMMENT ON FUNCTION "internal"."open_bookings_of_phone"(text, timestamp without time zone) IS 'The open bookings of a phone number (internal.normalize_phone) that end after a shop wall-clock time.';

COMMENT ON FUNCTION "internal"."reached_booking_limit"(internal.client_digests) IS 'The cap that the bookings of a client have reached, as a reason to hold its next one; null without one. Held bookings do not count: they have a limit of their own.';

COMMENT ON FUNCTION "internal"."reasons_to_flag_form"(jsonb) IS 'Why the form of a request with these headers looks automated; empty for an ordinary form. Marks the form token as used.';

COMMENT ON FUNCTION "internal"."record_booking_of_visitor"() IS 'Records the origin of the form of a visitor''s booking, writes the first event of the booking, and notifies the open dashboards unless the booking is linked later.';

COMMENT ON FUNCTION "internal"."record_form_origin"() IS 'Records the origin of the form of a quote request.';

COMMENT ON FUNCTION "internal"."record_new_booking"() IS 'Writes the first event of a booking that no visitor inserted, and notifies the open dashboards.';

COMMENT ON FUNCTION "internal"."refuse_incomplete_booking"(public.bookings) IS 'Refuses a new booking that has another status, no email address or an incomplete vehicle.';

COMMENT ON FUNCTION "internal"."refuse_too_many_held"(internal.client_digests) IS 'Refuses a flagged booking while ten are held, or three of the client''s /48 or /24.';

COMMENT ON FUNCTION "internal"."release_hold"() IS 'Ends the hold of a booking that changes its state or is no longer flagged. A booking that takes its time again first ends expired holds of its day. A booking that becomes open again counts as one of the five of its customer.';

COMMENT ON FUNCTION "internal"."search_text_of"(public.bookings) IS 'The text of a booking that the search reads, normalized.';

COMMENT ON FUNCTION "internal"."token_digest"(jsonb) IS 'The digest of the form token in request headers; null without one.';

COMMENT ON FUNCTION "internal"."unflag_answered_quote"() IS 'Removes the flags of a quote request that an employee has answered.';

COMMENT ON FUNCTION "public"."forms_sent_by"(jsonb) IS 'The forms of the last 15 minutes that the sender of a request sent: with the same form token, or both without a token from the same address. The server functions send confirmations for these only.';

COMMENT ON TABLE "internal"."form_origins" IS 'The origin of a visitor''s form: digests of its form token, of the client''s address and of the networks around it. Kept for a day.';

COMMENT ON TABLE "internal"."form_token_uses" IS 'Form tokens that came with a request: each is valid for one request. Kept for the day in which a token is valid.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'How many bookings visitors make in a period before the next one is held. A shop of one bay has about twenty a day.';

COMMENT ON TYPE "internal"."client_digests" IS 'Digests that identify a client (an IPv4 address, an IPv6 /64) and the networks around it (IPv6 /56 and /48, IPv4 /24) without disclosing them; null where unknown. is_limited is false in the shop''s own load tests.';

REVOKE ALL ON FUNCTION "internal"."address_digest"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."client_digests"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."flag_over_limits"(text[], integer, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_form_token_signed"(text, bytea, bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_plain_text"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."is_plain_text"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."lock_booking_contact"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lock_booking_day"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."lock_booking_day"(date) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "internal"."most_open_bookings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."open_bookings_of_mailbox"(text, timestamp without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."open_bookings_of_phone"(text, timestamp without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_booking_of_visitor"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."refuse_incomplete_booking"(public.bookings) FROM PUBLIC;

ALTER TABLE "public"."bookings" ALTER COLUMN "bay_id" SET DEFAULT 
CASE
    WHEN (CURRENT_USER <> 'anon'::text) THEN internal.default_bay()
    ELSE NULL::uuid
END;

ALTER TABLE "public"."bookings" ADD CONSTRAINT "bookings_internal_note_is_plain" CHECK (((length(internal_note) <= 500) AND internal.is_plain_text(internal_note)));

ALTER TABLE "public"."bookings" ADD CONSTRAINT "bookings_notes_are_plain" CHECK (internal.is_plain_text(notes));
