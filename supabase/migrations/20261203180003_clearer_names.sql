-- Clearer names of functions, parameters and attributes; no function behaves differently.

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP TRIGGER "log_other_record" ON "public"."estimates";

DROP FUNCTION "internal"."booking_customer_details"(public.bookings, boolean);

DROP FUNCTION "internal"."describe_other_texts"(uuid);

DROP FUNCTION "internal"."describe_whole_ledger"(uuid);

DROP FUNCTION "internal"."describe_authorization"(public.authorizations, text);

DROP FUNCTION "internal"."details_of_record"(jsonb, text[]);

DROP FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid);

DROP FUNCTION "internal"."is_another_word"(text, text);

DROP FUNCTION "internal"."known_start"(uuid);

DROP FUNCTION "internal"."list_file_cleanups"();

DROP FUNCTION "internal"."is_quiet"();

DROP FUNCTION "internal"."log_other_record"();

DROP FUNCTION "internal"."moment_refusal"(date, time without time zone);

DROP FUNCTION "internal"."own_email"(public.bookings);

DROP FUNCTION "internal"."pieces_of"(text, text);

DROP FUNCTION "internal"."read_address_question"(uuid);

DROP FUNCTION "internal"."address_question_state"(public.bookings);

DROP FUNCTION "internal"."read_visit_page_repair"(uuid);

DROP FUNCTION "internal"."refusal_of_moment"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean);

DROP FUNCTION "internal"."sought_elsewhere"(uuid[]);

DROP FUNCTION "internal"."is_of_others"(uuid[], text, text);

DROP FUNCTION "internal"."typed_email"(public.bookings);

DROP FUNCTION "internal"."typed_emails"(uuid);

DROP FUNCTION "internal"."is_standing"(public.bookings);

DROP FUNCTION "internal"."void_because"(public.authorizations, public.estimates);

DROP FUNCTION "internal"."was_typed_online"(uuid);

DROP FUNCTION "internal"."words_of"(jsonb);

DROP FUNCTION "public"."use_typed_email"(uuid, uuid);

ALTER TYPE "internal"."customer_details" RENAME ATTRIBUTE "typed_online" TO "entered_online" CASCADE;

ALTER TYPE "internal"."personal_identifier" RENAME ATTRIBUTE "words" TO "value" CASCADE;

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
  -- One statement reads everything that the rules compare. A paused shop and a closed day are therefore refused after the locks.
  select service.duration_minutes, service.name, service.price_from_cents, new.appointment_date + new.appointment_time,
         internal.start_time_refusal(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
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

CREATE OR REPLACE FUNCTION internal.addresses_to_ask(max_rows integer)
 RETURNS TABLE(booking_id uuid, recipient_email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select booking.id, customer.email
  from public.bookings booking join public.customers customer on customer.id = booking.customer_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_upcoming(booking) and internal.is_active_booking(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_quiet_hours()
    and internal.unconfirmed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(customer.id) is not null
    -- Once for each address, however often it is typed.
    and not exists (
      select from public.bookings earlier join public.emails email on email.booking_id = earlier.id
      where earlier.customer_id = booking.customer_id and lower(trim(earlier.customer_email)) = lower(trim(booking.customer_email))
        and email.kind = 'address_question')
  order by booking.created_at, booking.id
  limit max_rows
$function$;

create or replace function internal.belongs_to_others(customer_ids uuid[], kind text, input_text text) returns boolean
  language sql stable set search_path = ''
  return exists (
      select from public.customer_contact_methods contact join public.customers other on other.id = contact.customer_id
      where contact.kind = belongs_to_others.kind and contact.match_key = input_text and other.id <> all (customer_ids) and other.erased_at is null
        -- Unconfirmed addresses do not count: anybody can type them.
        and (contact.confirmed_at is not null or lower(trim(other.email)) = input_text))
    or exists (
      select from public.vehicles vehicle where input_text in (vehicle.plate_key, vehicle.vin) and vehicle.customer_id <> all (customer_ids) and vehicle.merged_into is null)
    or exists (
      select from public.shop
      where input_text in (lower(support_email), lower(billing_email), lower(booking_email), internal.normalize_phone(phone),
        internal.normalize_phone(billing_phone)))
    or exists (select from public.employees where lower(email) = input_text);

CREATE OR REPLACE FUNCTION internal.binding_lines(wanted_id uuid)
 RETURNS SETOF public.authorizations
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select line.* from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.estimate_id = wanted_id and internal.void_reason(line, estimate) is null
$function$;

CREATE OR REPLACE FUNCTION internal.booking_refusal(booking_date date, booking_time time without time zone, duration_minutes integer, service uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return coalesce(
    internal.start_time_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
end
$function$;

CREATE OR REPLACE FUNCTION internal.create_customer_from_booking(booking public.bookings)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  new_customer_id uuid;
begin
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  insert into public.customers (name, email, phone, created_at, is_sample)
  values (booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at, booking.is_sample)
  returning id into new_customer_id;
  perform internal.add_contact_methods(new_customer_id, booking.customer_email, booking.customer_phone,
    not internal.was_entered_online(booking.id) or internal.is_confirmed_email(booking.customer_id, booking.customer_email));
  return new_customer_id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.describe_authorization(line public.authorizations, void_reason text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (line).id, 'batchId', (line).batch_id, 'revision', (line).revision, 'revisionHash', (line).revision_hash, 'jobKey', (line).job_key, 'jobTitle', (line).job_title, 'decision', (line).decision, 'amountCents', (line).amount_cents, 'runningTotalCents', (line).running_total_cents, 'method', (line).method, 'decidedByName', (line).decided_by_name, 'relationship', (line).relationship, 'contact', (line).contact, 'statement', (line).statement, 'wantsPartsBack', (line).wants_parts_back, 'decidedAt', (line).decided_at, 'recordedBy', (line).recorded_by, 'voidBecause', void_reason);

CREATE OR REPLACE FUNCTION internal.describe_vehicle(vehicle public.vehicles)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('id', (describe_vehicle.vehicle).id, 'version', (describe_vehicle.vehicle).version, 'customerId', (describe_vehicle.vehicle).customer_id, 'year', (describe_vehicle.vehicle).year, 'make', (describe_vehicle.vehicle).make, 'model', (describe_vehicle.vehicle).model, 'color', (describe_vehicle.vehicle).color, 'plate', (describe_vehicle.vehicle).plate, 'vin', (describe_vehicle.vehicle).vin, 'note', (describe_vehicle.vehicle).internal_note, 'miles', latest.miles, 'milesOn', latest.read_on) AS jsonb_build_object FROM ((VALUES ((describe_vehicle.vehicle).id)) given(id) LEFT JOIN LATERAL (SELECT odometer_readings.miles, odometer_readings.read_on FROM public.odometer_readings WHERE (odometer_readings.vehicle_id = given.id) ORDER BY odometer_readings.read_on DESC, odometer_readings.recorded_at DESC LIMIT 1) latest ON (true)));

CREATE OR REPLACE FUNCTION internal.describes_another_vehicle(estimate public.estimates)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce((
    select (internal.texts_differ(shown.year, estimate.vehicle_year) or internal.texts_differ(shown.make, estimate.vehicle_make)
        or internal.texts_differ(shown.model, estimate.vehicle_model))
      and not coalesce(internal.plate_key(shown.plate) = internal.plate_key(estimate.vehicle_plate), false)
      and not coalesce(nullif(shown.vin, '') = upper(estimate.vehicle_vin), false)
    from (
      select document #>> '{vehicle,year}' as year, document #>> '{vehicle,make}' as make, document #>> '{vehicle,model}' as model,
        document #>> '{vehicle,plate}' as plate, upper(document #>> '{vehicle,vin}') as vin, document
      from internal.latest_sent_revision(estimate.id)
    ) shown
    where shown.document is not null
  ), false)
$function$;

CREATE OR REPLACE FUNCTION internal.details_of_record(row_values jsonb, details text[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_object_agg(jsonb_each.key, jsonb_each.value), '{}'::jsonb) AS "coalesce" FROM jsonb_each(details_of_record.row_values) jsonb_each(key, value) WHERE (jsonb_each.key = ANY (details_of_record.details)));

CREATE OR REPLACE FUNCTION internal.email_of_bookings(booking_ids uuid[])
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (
    select coalesce(
      (select latest.customer_email from (
         select distinct on (lower(trim(booking.customer_email))) booking.* from public.bookings booking
         where booking.id = any (booking_ids) and booking.customer_email is not null and internal.is_active_booking(booking)
         order by lower(trim(booking.customer_email)), booking.appointment_date desc
       ) latest
       where internal.is_their_email(latest.customer_id, latest.customer_email)
       order by latest.appointment_date desc limit 1),
      (select internal.main_email(booking.customer_id) from public.bookings booking
       where booking.id = any (booking_ids) order by booking.appointment_date desc limit 1)))
$function$;

CREATE OR REPLACE FUNCTION internal.find_or_create_customer(customer internal.customer_details)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  found_id uuid;
  -- An address typed by a visitor is saved for a new customer only, never for an existing one.
  own_email constant text := case when not customer.entered_online then nullif(trim(customer.email), '') end;
begin
  perform internal.lock_contact_keys(array[lower(trim(customer.email)), internal.normalize_phone(customer.phone)]);
  found_id := internal.find_customer(customer);
  if found_id is null then
    insert into public.customers (name, email, phone, created_at, is_sample)
    values (trim(customer.name), nullif(trim(customer.email), ''), nullif(trim(customer.phone), ''), customer.seen_at, customer.is_sample)
    returning id into found_id;
    perform internal.add_contact_methods(found_id, customer.email, customer.phone, not customer.entered_online);
    return found_id;
  end if;
  update public.customers set created_at = customer.seen_at where id = found_id and created_at > customer.seen_at;
  -- A record that looks automated adds no contact methods to an existing customer.
  if customer.is_trusted and internal.names_agree((select name from public.customers where id = found_id), customer.name) then
    perform internal.add_contact_methods(found_id, own_email, customer.phone, true);
    update public.customers
    set email = coalesce(email, own_email), phone = coalesce(phone, nullif(trim(customer.phone), ''))
    where id = found_id and (email is null and own_email is not null or phone is null and trim(customer.phone) <> '');
  end if;
  return found_id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_texts(customer_ids uuid[], only_table text DEFAULT NULL::text)
 RETURNS TABLE(rule internal.erasure_rules, text_key text, row_id text, is_own boolean, about text, content jsonb, pattern text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  own constant internal.personal_identifier[] := internal.list_personal_identifiers(customer_ids);
  elsewhere constant internal.personal_identifier[] := internal.list_searchable_identifiers(customer_ids);
  own_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.value), '|') from unnest(own) known);
  other_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.value), '|') from unnest(elsewhere) known);
  needles constant text[] := array(select distinct internal.identifier_needle(known.kind, known.value) from unnest(own) known);
  searched_rule internal.erasure_rules;
begin
  for searched_rule in
    select * from internal.erasure_rules known
    where known.label is not null and known.table_name = coalesce(only_table, known.table_name)
    order by known.table_name = 'public.settings_history', known.table_name, known.column_name
  loop
    return query execute format(
      'select $1, $2 || '' '' || (%1$s), %1$s, mine.is_own, (%2$s)::text, to_jsonb(one.%3$I), sought.pattern
       from %4$s one,
         lateral (select coalesce((%5$s) = any ($3), false) as is_own) mine,
         lateral (select case when mine.is_own then $4 else $5 end as pattern) sought
       where %6$s and case when internal.may_contain_identifier(one.%3$I::text, $6) and sought.pattern is not null
         then internal.redact(to_jsonb(one.%3$I), sought.pattern, 1000000) <> to_jsonb(one.%3$I) end
       order by 2',
      searched_rule.row_key, searched_rule.subject, searched_rule.column_name, searched_rule.table_name, searched_rule.owner, searched_rule.only_where)
    using searched_rule, searched_rule.table_name || '.' || searched_rule.column_name, customer_ids, own_pattern, other_pattern, needles;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_active_booking(booking public.bookings)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (((booking).held_until IS NULL) AND ((booking).status <> ALL (ARRAY['cancelled'::text, 'no_show'::text, 'not_confirmed'::text])));

CREATE OR REPLACE FUNCTION internal.booking_customer_details(booking public.bookings, entered_online boolean)
 RETURNS internal.customer_details
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ROW((booking).customer_name, (booking).customer_email, (booking).customer_phone, (booking).created_at, (((booking).flagged_reasons = '{}'::text[]) AND internal.is_active_booking(booking)), (booking).is_sample, entered_online)::internal.customer_details;

create or replace function internal.is_cleanup_time() returns boolean
  language sql stable set search_path = ''
  return internal.shop_now()::time between '02:00' and '05:00'
    and not exists (select from public.bookings where created_at > internal.current_instant() - interval '10 minutes')
    and not exists (select from public.quote_requests where created_at > internal.current_instant() - interval '10 minutes');

CREATE OR REPLACE FUNCTION internal.is_their_email(wanted_customer_id uuid, email text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  email_key constant text := lower(trim(email));
begin
  return exists (
    select from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = email_key
      and (contact.confirmed_at is not null
        -- The address of a new customer's first booking or quote request counts once that record is active.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.customer_id = wanted_customer_id
                  and lower(trim(booking.customer_email)) = email_key and internal.is_active_booking(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$function$;

CREATE OR REPLACE FUNCTION internal.join_strings(content jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT string_agg((part.part #>> '{}'::text[]), '
'::text) AS string_agg FROM jsonb_path_query(join_strings.content, 'strict $.**'::jsonpath) part(part) WHERE (jsonb_typeof(part.part) = 'string'::text));

CREATE OR REPLACE FUNCTION internal.last_merged_customer(customer_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recursive merge_chain as (
    select id, merged_into, 1 as step from public.customers where id = customer_id
    union all
    select next.id, next.merged_into, merge_chain.step + 1 from merge_chain join public.customers next on next.id = merge_chain.merged_into where merge_chain.step < 100
  )
  select id from merge_chain where merged_into is null
$function$;

CREATE OR REPLACE FUNCTION internal.link_booking_now(booking public.bookings)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  owner_id constant uuid := internal.find_or_create_customer(internal.booking_customer_details(booking, internal.was_entered_online(booking.id)));
  booked_event bigint;
begin
  update public.bookings
  set customer_id = owner_id, vehicle_id = internal.find_or_create_vehicle(owner_id, row(booking.vehicle_year, booking.vehicle_make,
        booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id;
  select id into booked_event from public.booking_events
  where booking_id = booking.id and kind = 'booked' order by id limit 1;
  if found then
    perform internal.announce_booking(booking.id, booked_event);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.list_approvals_without_email(max_rows integer)
 RETURNS TABLE(estimate_id uuid, batch_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select line.estimate_id, line.batch_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and internal.void_reason(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails email
      where email.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.batch_id)
  group by line.estimate_id, line.batch_id
  order by min(line.id)
  limit max_rows
$function$;

CREATE OR REPLACE FUNCTION internal.list_file_cleanups()
 RETURNS TABLE(table_name text, requests integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 SELECT known.table_name,
     known.requests
    FROM internal.file_cleanups known
   WHERE ((known.cleaned < known.requests) AND known.is_ours AND internal.is_cleanup_time())
   ORDER BY known.table_name;
END;

CREATE OR REPLACE FUNCTION internal.list_searchable_identifiers(customer_ids uuid[])
 RETURNS internal.personal_identifier[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ARRAY(SELECT ROW(known.kind, known.value)::internal.personal_identifier AS "row" FROM unnest(internal.list_personal_identifiers(list_searchable_identifiers.customer_ids)) WITH ORDINALITY known(kind, value, place) WHERE ((known.kind <> 'name'::text) AND ((known.kind <> 'plate'::text) OR ((length(known.value) >= 5) AND (known.value ~ '[0-9]'::text))) AND (NOT internal.belongs_to_others(list_searchable_identifiers.customer_ids, known.kind, known.value)) AND (NOT internal.is_automated_only(list_searchable_identifiers.customer_ids, known.value))) ORDER BY known.place);

CREATE OR REPLACE FUNCTION internal.log_void_approvals()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  void record;
begin
  for void in
    select distinct internal.void_reason(line, new) as reason from public.authorizations line
    where line.estimate_id = new.id and internal.void_reason(line, old) is null
  loop
    continue when void.reason is null;
    perform internal.add_estimate_event(new.id, void.reason || '_changed');
    -- The jobs have to be decided again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
end
$function$;

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
  local_part constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(local_part, '+', 1), ''), local_part);
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

CREATE OR REPLACE FUNCTION internal.previously_known_start(booking_id uuid)
 RETURNS timestamp without time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT COALESCE(NULLIF(booking.notified_starts_at, (booking.appointment_date + booking.appointment_time)), (SELECT (COALESCE(((latest.before ->> 'date'::text))::date, booking.appointment_date) + COALESCE(((latest.before ->> 'time'::text))::time without time zone, booking.appointment_time)) FROM (SELECT event.kind, event.source, event.before FROM public.booking_events event WHERE (event.booking_id = booking.id) ORDER BY event.id DESC LIMIT 1) latest WHERE ((latest.kind = 'moved'::text) AND (latest.source = 'customer'::text))), booking.notified_starts_at) AS "coalesce" FROM public.bookings booking WHERE (booking.id = previously_known_start.booking_id));

CREATE OR REPLACE FUNCTION internal.raise_version_conflict(booking public.bookings, seen_version integer)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if booking.version = seen_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', event.changed_by_name, 'happened_at', event.happened_at)
    from (values (booking.id)) as given (id)
    left join lateral (
      select * from public.booking_events where booking_id = given.id order by id desc limit 1
    ) event on true
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.read_customer_export(customer_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
  merged_ids uuid[];
begin
  select * into customer from public.customers where id = internal.resolve_merged_customer(read_customer_export.customer_id) and erased_at is null;
  if customer.id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  merged_ids := internal.list_merged_customers(customer.id);
  return jsonb_build_object(
    'customer', to_jsonb(customer) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.customer_contact_methods where customer_id = any ($1) order by id', merged_ids),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.customer_notes where customer_id = any ($1) order by created_at', merged_ids),
    'vehicles', internal.rows_as_json('select id, year, make, model, color, plate, vin, internal_note, created_at from public.vehicles where customer_id = any ($1) order by created_at', merged_ids),
    'odometer', internal.rows_as_json('select reading.vehicle_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.vehicles vehicle on vehicle.id = reading.vehicle_id where vehicle.customer_id = any ($1) order by read_on', merged_ids),
    'bookings', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      vehicle_id, created_at from public.bookings where customer_id = any ($1) order by appointment_date, appointment_time', merged_ids),
    'booking_history', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.customer_id = any ($1) order by event.id', merged_ids),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where customer_id = any ($1) order by created_at', merged_ids),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where customer_id = any ($1)) order by created_at', merged_ids),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at from public.estimates where customer_id = any ($1) order by created_at', merged_ids),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.customer_id = any ($1) order by estimate_id, revision', merged_ids),
    'authorizations', internal.rows_as_json('select line.* from public.authorizations line
      join public.estimates estimate on estimate.id = line.estimate_id where estimate.customer_id = any ($1) order by line.id', merged_ids),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.customer_id = any ($1) order by event.id', merged_ids),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by created_at', merged_ids),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where customer_id = any ($1))
         or task.estimate_id in (select id from public.estimates where customer_id = any ($1)) order by note.created_at', merged_ids),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, created_at from public.invoices
      where customer_id = any ($1) order by created_at', merged_ids),
    'payments', internal.rows_as_json('select invoice_id, invoice_number, amount_cents, overpaid_cents, currency, outcome, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1)) order by paid_at', merged_ids),
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) merged_id, internal.list_customer_emails(merged_id) order by created_at', merged_ids));
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_settings_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.with_service_name(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.with_service_name(to_jsonb(new) - counted) end;
  changed_row constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- The first rows of a new shop are not recorded as changes.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(changed_row ->> tg_argv[1], (select name from public.bays where id = (changed_row ->> 'bay_id')::uuid), ''),
    case
      -- The services of a bay are part of the bay: adding or removing one is recorded as a change.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_void_approvals(wanted_id uuid, wanted_revision integer)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  void record;
begin
  select job.title, internal.void_reason(line, estimate) as reason into void
  from public.estimate_jobs job
  join public.estimates estimate on estimate.id = job.estimate_id
  join public.authorizations line on line.estimate_id = job.estimate_id and line.job_key = job.job_key and line.decision = 'approved'
  where job.estimate_id = wanted_id and job.revision = wanted_revision and internal.void_reason(line, estimate) is not null
    and not exists (select from internal.authorized_jobs(wanted_id) decided where decided.job_key = job.job_key)
  order by job.position, line.id desc limit 1;
  if found then
    raise exception 'The approval was given by another customer or for another vehicle.' using errcode = 'TT072', hint = 'approval_void',
      detail = jsonb_build_object('jobTitle', void.title, 'because', void.reason)::text;
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
  freeing_states constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (freeing_states) and new.status <> all (freeing_states) then
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

CREATE OR REPLACE FUNCTION internal.resolve_merged_vehicle(vehicle_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recursive merge_chain as (
    select id, merged_into, 1 as step from public.vehicles where id = vehicle_id
    union all
    select next.id, next.merged_into, merge_chain.step + 1 from merge_chain join public.vehicles next on next.id = merge_chain.merged_into where merge_chain.step < 100
  )
  select id from merge_chain where merged_into is null
$function$;

CREATE OR REPLACE FUNCTION internal.restore_survivor(merge public.merges)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.survivor_changes) loop
    -- Only columns that nobody changed since the merge are restored.
    execute format(
      'update public.%1$I survivor set %2$I = (jsonb_populate_record(survivor, $2)).%2$I where id = $1 and to_jsonb(survivor) -> %2$L = $3',
      case merge.kind when 'customer' then 'customers' else 'vehicles' end, changed.key)
    using merge.survivor_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.split_at_matches(input_text text, pattern text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN to_jsonb(string_to_array(NORMALIZE(regexp_replace(translate(NORMALIZE(input_text, NFD), ''::text, ''::text), pattern, ((''::text || '\&'::text) || ''::text), 'gi'::text), NFC), ''::text));

CREATE OR REPLACE FUNCTION internal.describe_other_texts(customer_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('count', count(*), 'texts', COALESCE(jsonb_agg(jsonb_build_object('key', found.text_key, 'label', (found.rule).label, 'about', found.about, 'pieces', internal.split_at_matches(internal.join_strings(found.content), found.pattern)) ORDER BY found.place) FILTER (WHERE (found.place <= 20)), '[]'::jsonb)) AS jsonb_build_object FROM (SELECT text_found.rule, text_found.text_key, text_found.row_id, text_found.is_own, text_found.about, text_found.content, text_found.pattern, row_number() OVER () AS place FROM internal.find_texts(internal.list_merged_customers(describe_other_texts.customer_id)) text_found(rule, text_key, row_id, is_own, about, content, pattern) WHERE (NOT text_found.is_own)) found);

CREATE OR REPLACE FUNCTION internal.start_time_refusal(booking_date date, booking_time time without time zone)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (
    select internal.start_time_refusal(booking_date, booking_time, internal.current_instant(), shop.time_zone,
                                      rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused)
    from public.shop, public.booking_rules rules
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.start_time_refusal(booking_date date, booking_time time without time zone, instant timestamp with time zone, time_zone text, notice_minutes integer, booking_window_days integer, is_paused boolean)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN is_paused THEN 'booking_paused'::text WHEN ((booking_date < ((instant AT TIME ZONE time_zone))::date) OR (((booking_date + booking_time) AT TIME ZONE time_zone) < instant)) THEN 'in_the_past'::text WHEN (booking_date > (((instant AT TIME ZONE time_zone))::date + booking_window_days)) THEN 'too_far_ahead'::text WHEN (((booking_date + booking_time) AT TIME ZONE time_zone) < (instant + ((notice_minutes)::double precision * '00:01:00'::interval))) THEN 'notice_required'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION internal.texts_differ(one text, other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((TRIM(BOTH FROM one) <> ''::text) AND (TRIM(BOTH FROM other) <> ''::text) AND (internal.normalize_search_text(TRIM(BOTH FROM one)) <> internal.normalize_search_text(TRIM(BOTH FROM other))));

CREATE OR REPLACE FUNCTION internal.unconfirmed_email(booking public.bookings)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case when booking.customer_email is not null and internal.was_entered_online(booking.id)
    and not internal.is_their_email(booking.customer_id, booking.customer_email) then booking.customer_email end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.address_question_state(booking public.bookings)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (EXISTS (SELECT FROM internal.address_answers answer WHERE (answer.booking_id = (address_question_state.booking).id))) THEN 'answered'::text WHEN (internal.is_active_booking(booking) AND (internal.unconfirmed_email(booking) IS NOT NULL) AND ((booking).created_at > (now() - '30 days'::interval)) AND (EXISTS (SELECT FROM public.emails email WHERE ((email.booking_id = (address_question_state.booking).id) AND (email.kind = 'address_question'::text) AND internal.is_their_email((address_question_state.booking).customer_id, email.recipient_email))))) THEN 'open'::text ELSE 'closed'::text END;

CREATE OR REPLACE FUNCTION internal.own_email(booking public.bookings)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (internal.unconfirmed_email(booking) IS NULL) THEN (booking).customer_email ELSE NULL::text END;

CREATE OR REPLACE FUNCTION internal.email_for_estimate(booking public.bookings, quote public.quote_requests, customer_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN COALESCE(internal.own_email(booking), CASE WHEN internal.is_their_email((quote).customer_id, (quote).email) THEN (quote).email ELSE NULL::text END, internal.main_email(COALESCE((booking).customer_id, (quote).customer_id, customer_id)));

CREATE OR REPLACE FUNCTION internal.read_address_question(booking_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('state', internal.address_question_state(booking.*), 'email', booking.customer_email, 'date', booking.appointment_date, 'time', to_char((booking.appointment_time)::interval, 'HH24:MI:SS'::text)) AS jsonb_build_object FROM public.bookings booking WHERE ((booking.id = read_address_question.booking_id) AND (booking.customer_email IS NOT NULL) AND (NOT internal.is_erased(booking.customer_id))));

create or replace function internal.read_visit_page_repair(booking_id uuid) returns jsonb
  -- The server has no right to read estimates, estimate_revisions and others.
  language sql stable security definer set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    -- A visitor who typed their own address under a customer's name also gets a link to this page.
    booked as (
      select internal.unconfirmed_email(booking) is null as is_theirs from public.bookings booking where booking.id = read_visit_page_repair.booking_id
    ),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_page_repair.booking_id and (select is_theirs from booked)
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.id, task.status, task.created_at, task.ready_for_pickup_at,
        case when task.estimate_id is not null and booked.is_theirs then task.title else '' end as title,
        case when booked.is_theirs then task.customer_note else '' end as note
      from booked, public.tasks task
      where task.booking_id = read_visit_page_repair.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', title, 'status', status, 'note', note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, work.title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_page_repair.booking_id) invoice, zone
        where (select is_theirs from booked) and not exists (
          select from public.estimates taken
          where taken.booking_id = read_visit_page_repair.booking_id and internal.was_taken_from_visitor(taken, taken.booking_id))))
  );

CREATE OR REPLACE FUNCTION internal.void_reason(line public.authorizations, estimate public.estimates)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- An invoiced approval stays valid when records are corrected later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.customer_id is not null and line.customer_id is distinct from estimate.customer_id
      and internal.last_merged_customer(line.customer_id) is distinct from internal.last_merged_customer(estimate.customer_id) then 'customer'
    when line.vehicle_id is not null and line.vehicle_id is distinct from estimate.vehicle_id
      and internal.resolve_merged_vehicle(line.vehicle_id) is distinct from internal.resolve_merged_vehicle(estimate.vehicle_id) then 'vehicle'
  end
$function$;

CREATE OR REPLACE FUNCTION internal.describe_all_authorizations(wanted_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(internal.describe_authorization(line.*, internal.void_reason(line.*, estimate.*)) ORDER BY line.id), '[]'::jsonb) AS "coalesce" FROM (public.authorizations line JOIN public.estimates estimate ON ((estimate.id = line.estimate_id))) WHERE (line.estimate_id = describe_all_authorizations.wanted_id));

CREATE OR REPLACE FUNCTION internal.was_entered_online(booking_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM public.booking_events event WHERE ((event.booking_id = was_entered_online.booking_id) AND (event.kind = 'booked'::text) AND (event.source = 'visitor'::text))));

create or replace function internal.list_unconfirmed_emails(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'email', unconfirmed.email, 'bookingId', unconfirmed.booking_id, 'quoteRequestId', unconfirmed.quote_request_id, 'enteredAt', unconfirmed.entered_at)
      order by unconfirmed.entered_at desc), '[]')
    from (
      select * from (
        select distinct on (lower(trim(record.email))) record.*
        from (
          select customer_email as email, id as booking_id, null::uuid as quote_request_id, created_at as entered_at
          from public.bookings booking
          where booking.customer_id = wanted_customer_id and customer_email is not null and internal.is_active_booking(booking) and internal.was_entered_online(id)
          union all
          select email, null, id, created_at from public.quote_requests quote
          where quote.customer_id = wanted_customer_id and quote.flagged_reasons = '{}'
        ) record
        order by lower(trim(record.email)), record.entered_at desc
      ) latest
      where not internal.is_their_email(wanted_customer_id, latest.email)
      order by latest.entered_at desc limit 3
    ) unconfirmed
  );

CREATE OR REPLACE FUNCTION public.accept_unconfirmed_email(booking_id uuid DEFAULT NULL::uuid, quote_request_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  record record;
  owner_id uuid;
  offered_email text;
begin
  perform internal.require_admin();
  perform internal.link_waiting_booking(accept_unconfirmed_email.booking_id);
  select booking.customer_id, booking.customer_email as email into record
  from public.bookings booking where booking.id = accept_unconfirmed_email.booking_id for key share;
  if record.customer_id is null then
    select quote.customer_id, quote.email into record
    from public.quote_requests quote where quote.id = accept_unconfirmed_email.quote_request_id for key share;
  end if;
  perform internal.lock_contact_keys(array[lower(trim(record.email))]);
  owner_id := internal.lock_merged_customer(record.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if internal.is_their_email(owner_id, record.email) then
    return trim(record.email);
  end if;
  select unconfirmed ->> 'email' into offered_email from jsonb_array_elements(internal.list_unconfirmed_emails(owner_id)) unconfirmed
  where lower(trim(unconfirmed ->> 'email')) = lower(trim(record.email));
  if offered_email is null or not internal.is_email_address(trim(offered_email)) then
    raise exception 'This address is not offered.' using errcode = 'TT100', hint = 'email_not_offered';
  end if;
  perform internal.confirm_email(owner_id, offered_email, internal.author_name(null));
  return trim(offered_email);
end
$function$;

CREATE OR REPLACE FUNCTION public.is_time_slot_available(service_duration integer, booking_date date, booking_time time without time zone, service uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted tsrange;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.start_time_refusal(booking_date, booking_time) is not null then
    return false;
  end if;
  wanted := tsrange(starts_at, starts_at + service_duration * interval '1 minute');
  -- The same as open_bays and is_bay_taken in one statement: pages call this for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
      and (service is null or internal.bay_can_do_service(hours.bay_id, service))
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = hours.bay_id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
  ) then
    return true;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.find_free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$function$;

CREATE OR REPLACE FUNCTION public.read_customer(customer_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer constant public.customers := internal.require_customer(read_customer.customer_id);
  today constant date := internal.shop_now()::date;
  max_rows constant integer := 200;
begin
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'email', customer.email, 'phone', customer.phone,
    'since', customer.created_at, 'getsReminders', internal.gets_reminders(customer.id),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', contact.id, 'kind', contact.kind, 'value', contact.value,
        'isConfirmed', contact.confirmed_at is not null) order by contact.id), '[]')
      from public.customer_contact_methods contact where contact.customer_id = customer.id),
    'unconfirmedEmails', internal.list_unconfirmed_emails(customer.id),
    'vehicles', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) order by vehicle.created_at), '[]')
      from public.vehicles vehicle where vehicle.customer_id = customer.id and vehicle.merged_into is null),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.customer_id = customer.id
            order by appointment_date desc, appointment_time desc limit max_rows) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'vehicleId', quote.vehicle_id, 'service', quote.service_type, 'status', quote.status,
        'vehicle', internal.vehicle_line(quote.vehicle_year, quote.vehicle_make, quote.vehicle_model)) order by quote.created_at desc), '[]')
      from (select * from public.quote_requests known where known.customer_id = customer.id order by created_at desc limit max_rows) quote),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from (select * from public.estimates known where known.customer_id = customer.id order by created_at desc limit max_rows) estimate),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice) order by invoice.created_at desc), '[]')
      from (select * from public.invoices known where known.customer_id = customer.id order by created_at desc limit max_rows) invoice),
    'tasks', (
      select coalesce(jsonb_agg(internal.describe_customer_task(task) order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.customer_id = customer.id)
         or task.estimate_id in (select id from public.estimates known where known.customer_id = customer.id)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', note.id, 'note', note.note, 'writtenBy', note.written_by_name, 'createdAt', note.created_at)
        order by note.created_at desc), '[]')
      from public.customer_notes note where note.customer_id = customer.id),
    'totals', internal.customer_totals(customer.id, today),
    'maybeSame', internal.find_duplicate_candidates(customer),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', merge.id, 'name', duplicate.name, 'mergedAt', merge.merged_at, 'mergedBy', merge.merged_by_name,
        'undoUntil', merge.merged_at + interval '30 days') order by merge.merged_at desc), '[]')
      from public.merges merge join public.customers duplicate on duplicate.id = merge.duplicate_id
      where merge.survivor_id = customer.id and merge.kind = 'customer' and merge.undone_at is null
        and merge.merged_at >= internal.current_instant() - interval '30 days'));
end
$function$;

CREATE OR REPLACE FUNCTION public.read_customer_highlights(booking_id uuid DEFAULT NULL::uuid, customer_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  customer public.customers;
  today constant date := internal.shop_now()::date;
begin
  select * into booking from public.bookings known where known.id = read_customer_highlights.booking_id;
  customer := internal.require_customer(coalesce(booking.customer_id, read_customer_highlights.customer_id));
  return jsonb_build_object(
    'customerId', customer.id, 'vehicleId', booking.vehicle_id, 'unconfirmedEmails', internal.list_unconfirmed_emails(customer.id),
    'noShows', (select count(*) from public.bookings missed where missed.customer_id = customer.id and missed.status = 'no_show'),
    'lastHere', (
      select internal.describe_customer_booking(known) from public.bookings known
      where known.customer_id = customer.id and known.id is distinct from booking.id and internal.customer_came(known, today)
        and (booking.id is null or known.occupied < booking.occupied)
      order by known.appointment_date desc, known.appointment_time desc limit 1),
    'ahead', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(known) order by known.occupied), '[]')
      from public.bookings known
      where known.customer_id = customer.id and known.id is distinct from booking.id and known.appointment_date >= today - 14
        and internal.is_upcoming(known)),
    'declined', (
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'vehicleId', estimate.vehicle_id)), '[]')
      from (
        select distinct on (known.vehicle_id) known.* from public.estimates known
        where known.customer_id = customer.id and (booking.vehicle_id is null or known.vehicle_id = booking.vehicle_id)
          and known.repair_id is distinct from booking.repair_id
          and exists (select from public.authorizations line where line.estimate_id = known.id)
        order by known.vehicle_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.list_declined_jobs(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'vehicleId', estimate.vehicle_id)), '[]')
      from public.estimates estimate
      where estimate.customer_id = customer.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$function$;

CREATE OR REPLACE FUNCTION public.read_estimate(estimate_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  answer jsonb;
begin
  perform internal.require_admin();
  select * into estimate from public.estimates where id = read_estimate.estimate_id;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  latest := internal.latest_revision(estimate.id);
  select jsonb_build_object(
    'id', estimate.id, 'number', estimate.number, 'version', estimate.version, 'savedAt', estimate.changed_at,
    'savedBy', estimate.changed_by, 'revision', latest.revision, 'isFrozen', latest.frozen_at is not null,
    'revisionHash', latest.hash, 'state', internal.estimate_state(estimate),
    'sentAt', sent.sent_at, 'sentTo', sent.sent_to, 'seenAt', sent.seen_at, 'decidedAt', sent.decided_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.describe_revision_jobs(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_all_authorizations(estimate.id),
    'customerPath', case when sent.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.latest_sent_revision(estimate.id)).*) sent;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.job_key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, latest.revision, totals.job_key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.job_key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'repairRecords', internal.list_repair_records(estimate.repair_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'emails', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$function$;

CREATE TRIGGER log_void_approvals AFTER UPDATE ON public.estimates FOR EACH ROW WHEN (((old.customer_id IS DISTINCT FROM new.customer_id) OR (old.vehicle_id IS DISTINCT FROM new.vehicle_id))) EXECUTE FUNCTION internal.log_void_approvals();

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'open: can be answered; answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."belongs_to_others"(uuid[], text, text) IS 'Whether an email address, phone number, plate or VIN also belongs to another customer, a team member or the shop.';

COMMENT ON FUNCTION "internal"."describe_all_authorizations"(uuid) IS 'All authorizations of an estimate, oldest first, with the reason why one is void; for staff.';

COMMENT ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) IS 'One authorization as contracts/estimates/estimates.ts describes it, with the reason why it is void, if it is.';

COMMENT ON FUNCTION "internal"."describe_other_texts"(uuid) IS 'The texts of other records that erasing a customer would change: {count, texts: [{key, label, about, pieces}]}, the first 20.';

COMMENT ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) IS 'The email address for an estimate of a booking, a quote request or a customer: the address of the record if it is the customer''s, else the customer''s main one; null for neither.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking whose date may have no rows in bay_hours, or raises the rule that the booking breaks. The refusal is the result of start_time_refusal.';

COMMENT ON FUNCTION "internal"."is_active_booking"(public.bookings) IS 'Whether a booking is active: neither held, cancelled, missed nor not confirmed.';

COMMENT ON FUNCTION "internal"."is_cleanup_time"() IS 'Whether it is between 2 and 5 AM at the shop and no booking or quote request came in the last ten minutes.';

COMMENT ON FUNCTION "internal"."join_strings"(jsonb) IS 'All strings of a JSON value, one per line.';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose files have to be rewritten now, with the number of requests to record afterwards; none by day or while somebody books.';

COMMENT ON FUNCTION "internal"."list_searchable_identifiers"(uuid[]) IS 'The identifiers that an erasure searches for in records of other customers: no names, nothing that also belongs to somebody else, and nothing from automated requests only.';

COMMENT ON FUNCTION "internal"."list_unconfirmed_emails"(uuid) IS 'Email addresses that were typed online under a customer''s name and are not confirmed: [{email, bookingId, quoteRequestId, enteredAt}], the latest three. Held, cancelled, missed and unconfirmed bookings do not count.';

COMMENT ON FUNCTION "internal"."log_void_approvals"() IS 'Records in the history that approvals became void because customer or vehicle changed, and lets the customer decide again on the latest sent revision.';

COMMENT ON FUNCTION "internal"."own_email"(public.bookings) IS 'The email address of a booking where it is its customer''s own; null otherwise.';

COMMENT ON FUNCTION "internal"."previously_known_start"(uuid) IS 'The start that the customer knew before the latest change; the current start where it did not change.';

COMMENT ON FUNCTION "internal"."read_address_question"(uuid) IS 'The data of the page that asks about an email address: {state, email, date, time}; null without a booking.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate, its path, tasks with their notes for the customer, the invoice. Task titles are shown only where they are titles of estimate jobs that the customer has read.';

COMMENT ON FUNCTION "internal"."split_at_matches"(text, text) IS 'A text split at the matches of a pattern; every second piece is a match.';

COMMENT ON FUNCTION "internal"."start_time_refusal"(date, time without time zone) IS 'The code of the rule that a start time breaks regardless of the opening hours (a code of booking_refusal), or null.';

COMMENT ON FUNCTION "internal"."start_time_refusal"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean) IS 'As start_time_refusal(date, time), for a caller who has read the rules; PostgreSQL inlines it.';

COMMENT ON FUNCTION "internal"."texts_differ"(text, text) IS 'Whether two texts differ; an empty one differs from nothing.';

COMMENT ON FUNCTION "internal"."unconfirmed_email"(public.bookings) IS 'The email address of a booking that was only typed online and is not known to be its customer''s; null otherwise.';

COMMENT ON FUNCTION "internal"."void_reason"(public.authorizations, public.estimates) IS 'Why an authorization is void: wrong_recipient (withdrawn, or the withdrawal itself), customer or vehicle (the estimate has another one since); null while it is valid.';

COMMENT ON FUNCTION "internal"."was_entered_online"(uuid) IS 'Whether a visitor made the booking on the website, not staff.';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms the email address that was typed online in a booking or quote request as its customer''s, and returns it. Refused (TT100) where the record is not active or the address is invalid. Calling it again changes nothing.';

COMMENT ON TYPE "internal"."customer_details" IS 'Name and contacts as a record states them, by which a customer is found. is_trusted: the record does not look automated and is active. entered_online: a visitor typed it, possibly with somebody else''s address.';

REVOKE ALL ON FUNCTION "internal"."address_question_state"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."belongs_to_others"(uuid[], text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."booking_customer_details"(public.bookings, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_all_authorizations"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_other_texts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."details_of_record"(jsonb, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_active_booking"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_cleanup_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."join_strings"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_file_cleanups"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."list_file_cleanups"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_searchable_identifiers"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_unconfirmed_emails"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."log_void_approvals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."own_email"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."previously_known_start"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."previously_known_start"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."read_address_question"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."read_address_question"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."read_visit_page_repair"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."read_visit_page_repair"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."split_at_matches"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."start_time_refusal"(date, time without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."start_time_refusal"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."texts_differ"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."unconfirmed_email"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."void_reason"(public.authorizations, public.estimates) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."was_entered_online"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) TO "authenticated";
