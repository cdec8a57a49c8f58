-- Comments that a first reader understands; no function behaves differently.

set local search_path = pg_catalog;

set local check_function_bodies = off;

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
    -- The customer is asked once about each address, even if several bookings have it.
    and not exists (
      select from public.bookings earlier join public.emails email on email.booking_id = earlier.id
      where earlier.customer_id = booking.customer_id and lower(trim(earlier.customer_email)) = lower(trim(booking.customer_email))
        and email.kind = 'address_question')
  order by booking.created_at, booking.id
  limit max_rows
$function$;

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
  -- The row is not locked `for update`: the transaction that queues the email of the booking needs a key share lock on this row, and it has locked
  -- the count of emails, which this transaction locks later.
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

CREATE OR REPLACE FUNCTION internal.erase_customer(customer_id uuid, seen_version integer, changed_by_name text, left_out text[] DEFAULT '{}'::text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
  merged_ids uuid[];
  retained_records jsonb;
  counts jsonb;
  changed_texts integer;
  email_ids uuid[];
begin
  perform internal.lock_calendar();
  merged_ids := internal.list_merged_customers(erase_customer.customer_id);
  -- Every change of these records locks in the same order: estimates, bookings without a customer, contact keys,
  -- customers.
  perform from public.estimates estimate where estimate.customer_id = any (merged_ids) or estimate.customer_id is null order by id for update;
  perform from public.bookings where bookings.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(merged_ids) || internal.list_contact_keys_to_link());
  -- The calendar is locked, so every booking is linked to its customer after this.
  if exists (select from internal.link_new_bookings(1000, '{}') where problem is not null) then
    raise exception 'A booking cannot be linked to its customer, so the erasure could miss its data.';
  end if;
  customer := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(customer.id);
  if internal.list_open_records(customer.id) <> '[]' then
    raise exception 'This customer has open records.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(customer.id)::text;
  end if;
  retained_records := internal.list_retained_records(customer.id);
  counts := internal.count_customer_records(customer.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- The texts are redacted before the rows are changed, because later a record no longer names its customer.
  changed_texts := internal.erase_texts(merged_ids, left_out);
  -- Redacting a setting adds a row to the history of settings, so the history is redacted afterwards.
  perform internal.erase_texts(merged_ids, left_out, 'public.settings_history');
  perform internal.delete_merges(merged_ids);
  email_ids := internal.erase_customer_emails(merged_ids);
  perform internal.erase_customer_estimates(merged_ids, internal.shop_now()::date);
  perform internal.erase_customer_rows(merged_ids);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    customer.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), retained_records,
    (select max((record ->> 'retainedUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_bay_for_reopened_booking(booking public.bookings)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- The booking gets its own bay again, even if the bay''s hours have changed.
  if not internal.is_bay_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.find_bay_for_staff(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.find_free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_customer_by_email(email_key text, name text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select customer.id
    from public.customer_contact_methods contact join public.customers customer on customer.id = contact.customer_id
    where contact.kind = 'email' and contact.match_key = email_key and customer.merged_into is null
    -- After a split, several customers can have the same address. The best-matching name is then chosen.
    order by lower(customer.name) = lower(find_customer_by_email.name) desc, internal.names_agree(customer.name, find_customer_by_email.name) desc,
             customer.created_at, customer.id
    limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_calendar_before_status_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The calendar is locked before any row. A procedure that changes the status has already locked it.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.move_booking_by_customer(booking_id uuid, seen_sequence integer, new_date date, new_time time without time zone)
 RETURNS internal.action_outcome
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- After a second click, or from an outdated tab, the booking already has this time.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.customer_change_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.find_bay_for_customer(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, conflict_accepted_at = null, conflict_accepted_by = null
  where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('moved');
end
$function$;

CREATE OR REPLACE FUNCTION internal.normalize_mailbox(email text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
declare
  -- Only a text with other characters than ASCII is normalized: NFKC does not change ASCII and is the slowest step.
  spelled constant text := lower(case when octet_length(email) = length(email) then email else normalize(email, nfkc) end);
  host constant text := split_part(spelled, '@', -1);
  local_part constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(local_part, '+', 1), ''), local_part);
begin
  return case
    when position('@' in spelled) = 0 then null
    when rtrim(host, '.') in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- A Proton account receives email at all of these domains (https://proton.me/support/addresses-and-aliases).
    when rtrim(host, '.') in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || rtrim(host, '.')
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.reached_booking_limit(client internal.client_digests)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- The fields are copied, because PostgreSQL would otherwise read them from the argument for each compared row.
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

CREATE OR REPLACE FUNCTION internal.read_visit_page(booking_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit_page.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.booking_starts_at(booking);
  -- An automated program may have entered someone else's address in a flagged form, so the page of a flagged booking
  -- repeats none of the form's texts.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Only the page of a held or expired booking shows whether the time is free.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'wasEmailed', internal.has_change_email(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasConfirmedAttendance', booking.attendance_confirmed_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'canRestore', booking.status = 'cancelled' and internal.undo_cancellation_refusal(booking, booking.calendar_sequence) is null,
    'history', internal.read_visit_page_history(booking.id, zone)
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_too_many_held(client internal.client_digests)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- These limits prevent automated bookings from filling the calendar.
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

CREATE OR REPLACE FUNCTION public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid;
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  -- A merge locks customers before vehicles; this change locks the vehicle before its new owner. Both lock the calendar
  -- first, so they cannot deadlock.
  perform internal.lock_calendar();
  owner_id := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  vehicle := internal.lock_vehicle(change_vehicle_owner.vehicle_id, seen_version);
  update public.vehicles set customer_id = owner_id where id = vehicle.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.claim_email(email_id uuid)
 RETURNS SETOF public.emails
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_current_links(email.html_body, email.recipient_email),
      text_body = internal.with_current_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- The email stays in the outbox even with a mail server, because sample customers do not exist.
    perform public.record_email_sent(email_id, 'in_outbox', null);
    return;
  end if;
  outdated := internal.email_outdated_reason(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
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
  -- One statement combines open_bays and is_bay_taken, because pages call this function for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
      and (service is null or internal.bay_can_do_service(hours.bay_id, service))
      -- The condition is not written as `not exists`, because PostgreSQL would plan it as a join with every booking.
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

CREATE OR REPLACE FUNCTION public.merge_customers(survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer, fields_from_duplicate text[] DEFAULT '{}'::text[])
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  survivor public.customers;
  duplicate public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Saving an estimate locks in the same order: first the estimate, then its customer.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  survivor := internal.lock_customer(survivor_id, seen_survivor_version);
  duplicate := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = survivor.id where id = duplicate.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then duplicate.name else name end,
      email = internal.merged_email(survivor, duplicate, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(duplicate.phone, phone) else coalesce(phone, duplicate.phone) end,
      created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', survivor.id, duplicate.id, internal.move_references('customer', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(customer)), internal.author_name(null)
  from public.customers customer where id = survivor.id
  returning id into merge;
  for pair in
    select own as survivor, other as duplicate from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(survivor.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.survivor, pair.duplicate, merge);
  end loop;
  return merge;
end
$function$;

CREATE OR REPLACE FUNCTION public.queue_quote_reply(message jsonb, log jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued_id uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- The admin pressed Send again after a failure: the message is queued again with the same Message-ID.
  on conflict (dedupe_key) do update
    -- The caller sends the email itself; the delay prevents the delivery job from claiming it first.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into queued_id;
  if not found then
    select id into queued_id from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, queued_id, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return queued_id;
end
$function$;

COMMENT ON COLUMN "internal"."email_kinds"."is_visitor_triggered" IS 'Whether a visitor can cause an email of this kind by a form, a booking link or a request for links. Such emails are counted against limits. A visitor can cause no other kind.';

COMMENT ON COLUMN "internal"."email_kinds"."must_match" IS 'The record that must agree with the message when it is sent: the booking (also a held or cancelled one), the estimate, which must still be open for a decision, or nothing.';

COMMENT ON COLUMN "internal"."erasure_rules"."treatment" IS 'replaced: the erasure empties, deletes or rewrites the column; kept: the column is retained for the reason; free: the column holds no personal data of customers.';

COMMENT ON COLUMN "internal"."form_origins"."is_of_known_customer" IS 'Whether the booking is held but does not count toward the maximum number of held bookings.';

COMMENT ON COLUMN "internal"."visitor_emails"."address_digest" IS 'The digest of the client that sent the form (form_origins).';

COMMENT ON COLUMN "internal"."visitor_emails"."dedupe_key" IS 'The same key as in emails; an email that a limit stopped has no row there.';

COMMENT ON COLUMN "internal"."visitor_emails"."domain_digest" IS 'The digest of the recipient''s domain (internal.mailbox_owner_domain).';

COMMENT ON COLUMN "internal"."visitor_emails"."mailbox_digest" IS 'The digest of the recipient''s normalized mailbox.';

COMMENT ON COLUMN "public"."booking_events"."kind" IS 'The kind of change: booked; moved (to another date, time or bay); placed (into a bay, having had none); extended, shortened; a new state (internal.booking_transitions); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link in the email), not_confirmed (the hold expired); answered (the customer will come), explained (why the customer cancelled); relinked (new link to the visit page); changed (to a status that staff wrote); notification_dismissed; deleted.';

COMMENT ON COLUMN "public"."booking_rules"."booking_window_days" IS 'The last date that visitors can book is this many days after today.';

COMMENT ON COLUMN "public"."booking_rules"."cancel_cutoff_minutes" IS 'Customers can cancel a booking until this many minutes before its start.';

COMMENT ON COLUMN "public"."booking_rules"."change_cutoff_minutes" IS 'Customers can move a booking until this many minutes before its start.';

COMMENT ON COLUMN "public"."booking_rules"."invoice_lookup_requires_email" IS 'Whether a customer who looks up an invoice must enter its email address in addition to its number.';

COMMENT ON COLUMN "public"."booking_rules"."notice_minutes" IS 'The minimum number of minutes between a visitor''s booking and its start.';

COMMENT ON COLUMN "public"."booking_rules"."pause_message" IS 'The text that visitors read while online booking is paused.';

COMMENT ON COLUMN "public"."booking_rules"."reminder_time" IS 'The time at which reminders are sent on the day before an appointment, shop time.';

COMMENT ON COLUMN "public"."booking_rules"."slot_interval_minutes" IS 'The number of minutes between possible start times of online bookings, counted from the opening time.';

COMMENT ON COLUMN "public"."bookings"."flagged_reasons" IS 'The reasons why the booking is held until it is confirmed: signs that an automated program sent its form, many_open_bookings, or the cap that was reached (45_holds.sql). Empty for an ordinary booking.';

COMMENT ON COLUMN "public"."bookings"."held_until" IS 'When the hold of a flagged booking expires, unless the customer (by email) or staff confirm the booking; null for a booking without a hold.';

COMMENT ON COLUMN "public"."bookings"."notified_starts_at" IS 'The start, in shop wall-clock time, that the customer last learned: by choosing it or from the last delivered notification.';

COMMENT ON COLUMN "public"."customers"."merged_into" IS 'The customer into whom this duplicate was merged. A read with the duplicate''s id returns that customer.';

COMMENT ON COLUMN "public"."emails"."leased_until" IS 'During an attempt: the time at which the lease of the sending process expires. After a crash, another process then sends the message.';

COMMENT ON COLUMN "public"."emails"."next_attempt_at" IS 'The time of the next attempt. Each attempt moves it ahead, so that no two processes send the same message.';

COMMENT ON COLUMN "public"."shop"."quote_reply_hours" IS 'The number of hours within which the website promises a reply to a quote request.';

COMMENT ON COLUMN "public"."special_hours"."is_public" IS 'Whether visitors read the reason. The times are public in any case, because visitors see that nothing can be booked then.';

COMMENT ON COLUMN "public"."vehicles"."merged_into" IS 'The vehicle into which this duplicate was merged. A read with the duplicate''s id returns that vehicle.';

COMMENT ON FUNCTION "internal"."analyze_customers"() IS 'Updates the planner''s statistics of customers and vehicles. Without current statistics, each search after a large import would read the whole tables.';

COMMENT ON FUNCTION "internal"."are_https_urls"(text[]) IS 'Whether the list contains at most ten URLs, each of which begins with https.';

COMMENT ON FUNCTION "internal"."booking_event_source"(text) IS 'The source of a change of this kind, as in booking_events.source.';

COMMENT ON FUNCTION "internal"."booking_refusal"(date, time without time zone, integer, uuid) IS 'The code of the rule that a booking by a visitor would break, or null; other bookings are not considered. domain/bookings/booking-refusal.ts implements the same rules, and a test compares both.';

COMMENT ON FUNCTION "internal"."bookings_to_remind"(integer) IS 'Bookings of tomorrow whose customers have to be reminded now: from reminder_time until 9 PM. One reminder is sent for each start time.';

COMMENT ON FUNCTION "internal"."claim_owner_notices"() IS 'The waiting notices, oldest first, once ten minutes have passed since the last email to the owner. The caller writes one email with all of them in the same transaction.';

COMMENT ON FUNCTION "internal"."clear_attendance_confirmation"() IS 'Clears the customer''s confirmation that they will come when the booking is moved or ends, because the confirmation was given for the earlier time.';

COMMENT ON FUNCTION "internal"."clear_task_customer_note"() IS 'Clears the note for the customer when the status changes, because the note was about the former status.';

COMMENT ON FUNCTION "internal"."customer_came"(public.bookings, date) IS 'Whether the customer came to the shop: the booking is past and was neither cancelled nor missed (docs/product.md 12.6).';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. Without an email address, the only holder of the number matches under any name. With a new email address, a customer who has another one matches only if the name fits no other customer.';

COMMENT ON FUNCTION "internal"."find_same_vehicle"(uuid, public.vehicles) IS 'The customer''s other record of the same vehicle (docs/product.md 16.2); null for none.';

COMMENT ON FUNCTION "internal"."flag_over_limits"(text[], integer, jsonb) IS 'Adds many_open_bookings to the reasons of a booking whose customer has five other open bookings. Adds the cap that the client has reached to a booking without a reason.';

COMMENT ON FUNCTION "internal"."form_token_problem"(text) IS 'The problem of a form token, which has the format ''milliseconds.nonce.signature'' and is signed by server/features/form-guard; null for a valid one. Marks the token as used.';

COMMENT ON FUNCTION "internal"."free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'Does the work of public.next_free_times without checking the caller and the arguments.';

COMMENT ON FUNCTION "internal"."has_invoice"(uuid) IS 'Whether a booking has an invoice. Its visit page and its emails then do not state that a cancellation is free.';

COMMENT ON FUNCTION "internal"."interleave_pattern"(text, text) IS 'Inserts a pattern between all characters of a text.';

COMMENT ON FUNCTION "internal"."is_email_address"(text) IS 'Whether the text has the form of an email address.';

COMMENT ON FUNCTION "internal"."is_quiet_hours"() IS 'Whether the time at the shop is between 9 PM and 8 AM. At these hours, customers receive only emails that they requested.';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose files have to be rewritten now, with the number of requests to record afterwards; none by day, and none within ten minutes after a booking.';

COMMENT ON FUNCTION "internal"."list_reschedule_times"(uuid, date) IS 'The times of a day to which a booking can be moved; the booking itself occupies none of them.';

COMMENT ON FUNCTION "internal"."lock_calendar"() IS 'Locks the calendar until the transaction ends: staff change one booking at a time, and no visitor books in the meantime. A transaction always takes this lock first, so that no two transactions deadlock.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: that of the chosen record. If only the other record has an address, its address is used, unless it was only typed online.';

COMMENT ON FUNCTION "internal"."normalize_mailbox"(text) IS 'Normalizes an email address, so that all spellings that reach the same mailbox become one text: upper case, full-width characters, +tags, dots at Gmail, and the domains of Proton.';

COMMENT ON FUNCTION "internal"."open_spans"(date, uuid) IS 'When a bay, or with null the shop, is open on a date: weekly hours and special openings minus closures. No other SQL computes hours; domain/calendar/opening-spans.ts implements the same rule.';

COMMENT ON FUNCTION "internal"."own_email"(public.bookings) IS 'The email address of a booking if the address is known to be the customer''s; null otherwise.';

COMMENT ON FUNCTION "internal"."prevent_authorization_delete"() IS 'Prevents every role from deleting authorizations within three years.';

COMMENT ON FUNCTION "internal"."prevent_billed_job_change"() IS 'Prevents changes and deletions of the jobs of an invoice while its claim exists.';

COMMENT ON FUNCTION "internal"."prevent_retained_record_delete"() IS 'Prevents every role from deleting records of a repair with a sent estimate within three years (BPC 9884.11).';

COMMENT ON FUNCTION "internal"."prevent_sent_estimate_delete"() IS 'Prevents every role from deleting a sent estimate within three years.';

COMMENT ON FUNCTION "internal"."publish_customer_change"() IS 'Notifies all processes that the page of a customer changed (customers_changed, with the id). A change that concerns two customers publishes both ids.';

COMMENT ON FUNCTION "internal"."reasons_to_flag_form"(jsonb) IS 'The reasons why the form of a request with these headers looks automated; empty for an ordinary form. Marks the form token as used.';

COMMENT ON FUNCTION "internal"."record_file_cleanup"(text, integer) IS 'Records that the files of a table were rewritten, and how many requests this covers.';

COMMENT ON FUNCTION "internal"."save_bay_row"(uuid, text, boolean, text) IS 'Adds or changes a bay; refuses to deactivate the last active one (TT054). With a null technician, the stored one remains.';

COMMENT ON FUNCTION "internal"."save_service_bays"(uuid, uuid[]) IS 'Sets the only bays that can do a service; with an empty list, every bay can do it. Refuses to leave a bay without any service (TT056).';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'An SQL condition: search_text contains the word. A word of one or two letters matches only the beginning of a word.';

COMMENT ON FUNCTION "public"."check_booking_time"(uuid, date, time without time zone, integer, uuid, uuid) IS 'Previews book_by_phone, or move_booking of ignored_booking_id: the bay, the warnings, the hint of the error (slot_taken, bay_cannot_do_service, bay_not_active), the conflicting bookings, and free_times [{date, time, bay_ids}].';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours: all bookable days plus a week, and the first month of the next public closure after them. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers of the seen versions (TT051) and returns the id of the merge: all records of the duplicate move to the survivor, and equal vehicles are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) names the values that are taken from the duplicate; the other value stays a contact method.';

COMMENT ON FUNCTION "public"."read_estimate_link"(uuid, boolean) IS 'The path of the customer''s page of an estimate, for the admin. With renew, the path is new, and earlier links of the estimate and of its booking stop working.';

COMMENT ON FUNCTION "public"."read_visit_page_link"(uuid, boolean) IS 'The path of a booking''s visit page, for the admin. With renew, the path is new, and earlier links of the booking and of its estimates stop working.';

COMMENT ON FUNCTION "public"."reopen_bookings"(uuid[], text) IS 'Reopens cancelled, not confirmed or held bookings and returns the reopened ids. Skips a booking whose time is taken, or whose customer now has five other open bookings.';

COMMENT ON FUNCTION "public"."save_bay"(uuid, text, boolean, uuid[], integer, boolean, text) IS 'Adds (bay_id null) or changes a bay if the version of section bays was seen (TT051). A bay with empty service_ids can do all services. Deactivating a bay moves its upcoming bookings; they are returned with the new bay, or null where none is free. A preview only returns them. An empty technician removes the stored one; with null it remains.';

COMMENT ON FUNCTION "public"."save_service"(uuid, text, text, integer, integer, boolean, uuid[], integer) IS 'Adds (service_id null) or changes a service of the seen version (TT051). bay_ids are the only bays that can do the service; with an empty list every bay can, with null the stored bays remain. Existing bookings keep name, price and duration.';

COMMENT ON TABLE "internal"."booking_transitions" IS 'The allowed changes of a booking''s state, each with the kind of event that records it. No other table or code defines them.';

COMMENT ON TABLE "internal"."invoice_numbers" IS 'Finds an invoice by its number immediately, because Stripe''s search lags by a minute. The row is only a hint: the invoice itself is read from Stripe.';

COMMENT ON TABLE "internal"."secrets" IS 'The keys with which the database itself signs: the key of mailed links and the key of form tokens. Where several machines may work on this database, the table also holds the site''s other keys while one machine passes them to the next, sealed with the password of the tables'' owner. No backup contains a row of this table.';

COMMENT ON TABLE "internal"."visit_link_requests" IS 'Requests of customers for the links to their bookings: at most one email an hour to a mailbox. Rows are deleted after a day.';

COMMENT ON TABLE "public"."erasures" IS 'One row per erasure: the erased customer''s id, the employee, and which records of transactions are retained until when (BPC 9884.11). A row contains no name of a customer. [append-only]';
