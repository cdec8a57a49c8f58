-- Clarifies comments of tables, columns and functions.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.accept_booking() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With these settings, each connection plans the statements once instead of for every call, and a plan made while a
  -- table is small does not read the whole table after the table has grown.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin constant boolean := tg_nargs = 0 and internal.is_admin();
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  refusal text;
  open_bookings integer;
  has_expired_holds boolean;
begin
  -- This check precedes the lock of the day, because transactions that lock several days in any order could deadlock.
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
                                                rules.slot_interval_minutes) order by bay_rank limit 1),
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
    -- The job that links the booking writes its search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- Bookings by staff have no limits.
  if not is_admin then
    new.flagged_reasons := internal.reasons_to_hold(case tg_argv[0] when 'visitor' then new.id end, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$$;

create or replace function internal.business_date(moment timestamptz) returns date
  language plpgsql set search_path = '' as $$
begin
  -- This lock prevents close_day from closing a day until the transaction ends, so that no line counts to a day whose
  -- close did not include the line. The next statement sees the closes that were committed before.
  perform pg_advisory_xact_lock_shared(hashtextextended('business days', 0));
  return (
    select greatest((moment at time zone time_zone)::date, (select max(business_date) + 1 from public.day_closes))
    from public.shop);
end
$$;

create or replace function internal.claim_replacement_invoices() returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices and customers.
  language sql security definer set search_path = '' as $$
  with due as (
    update public.replacement_invoices known
    set attempts = known.attempts + 1, next_attempt_at = now() + least(10 * 2 ^ least(known.attempts, 12), 3600) * interval '1 second'
    where known.id in (
      select waiting.id from public.replacement_invoices waiting
      where waiting.invoice_id is null and waiting.next_attempt_at <= now()
      order by waiting.requested_at limit 20 for update skip locked)
    returning known.*
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'requestId', due.id, 'originalNumber', coalesce(invoice.number, invoice.invoice_id), 'amountCents', due.amount_cents,
    -- A reversal without a cause removed a wrongly recorded deposit from its invoice.
    'cause', coalesce(reversal.cause, 'recorded_wrongly'), 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
$$;

create or replace function internal.find_bay_for_reopened_booking(booking public.bookings) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  -- The booking gets its own bay again, even if the bay's hours have changed.
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
$$;

create or replace function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  -- Runs with its owner's rights, because the callers have no right to read bookings.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- A visitor who knows the email address and phone number of a customer can book no more than that customer.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$$;

create or replace function internal.list_undelivered_emails() returns setof public.emails
  -- The expected number of rows (`rows 10`) lets the planner use indexes for joins.
  language sql stable rows 10 set search_path = '' as $$
  select failed.*
  from public.emails failed
  left join public.bookings booking on booking.id = failed.booking_id
  left join public.quote_requests quote on quote.id = failed.quote_request_id
  where failed.status = 'failed' and failed.kind not in ('owner_notice', 'test_message')
    and failed.created_at > internal.current_instant() - interval '60 days'
    and (failed.booking_id is not null or failed.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.email_outdated_reason(failed) is null
    and not (failed.kind = 'quote_confirmation' and quote.status = 'completed')
    -- Each condition uses its own index; one combined condition would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$$;

create or replace function internal.log_void_approvals() returns trigger
  language plpgsql set search_path = '' as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_reason(line, new) as reason from public.authorizations line
    where line.estimate_id = new.id and internal.void_reason(line, old) is null
  loop
    continue when void.reason is null;
    perform internal.add_estimate_event(new.id, void.reason || '_changed');
    -- The customer has to decide on the jobs again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
end
$$;

create or replace function internal.normalize_mailbox(email text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Only a text with characters other than ASCII is normalized: NFKC does not change ASCII and is the slowest step.
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
$$;

create or replace function internal.prevent_frozen_revision_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    -- A revision without an estimate is being deleted together with it, which prevent_sent_estimate_delete has allowed.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.raise_record_retained(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'A sent revision cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_history_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- An exception is allowed here; the row triggers of the table then check each changed row.
    return null;
  end if;
  raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create or replace function internal.remove_sample_week() returns void
  -- Runs with its owner's rights, because the server has no right to write emails, payments and others.
  language plpgsql security definer set search_path = '' as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from internal.stripe_reports where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  delete from public.credit_notes where invoice_id = any (ids);
  delete from public.invoice_events where invoice_id = any (ids);
  delete from public.invoices where number = any (numbers);
  -- The deletion includes tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$$;

create or replace function public.claim_email(email_id uuid) returns setof public.emails
  -- Runs with its owner's rights, because the server has no right to write emails.
  language plpgsql security definer set search_path = '' as $$
declare
  -- The lease is longer than any attempt may take. After a crash, the message is due again when the lease ends.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  if internal.are_emails_paused() then
    return;
  end if;
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
$$;

create or replace function public.close_day(close jsonb) returns uuid
  -- Runs with its owner's rights, because the admin has no right to write closes.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (close ->> 'date')::date;
  start_cents integer;
  expected integer;
  methods jsonb;
  new_id uuid;
begin
  perform internal.require_admin();
  -- This lock waits for every transaction that writes a line, and later transactions wait for the lock
  -- (internal.business_date).
  perform pg_advisory_xact_lock(hashtextextended('business days', 0));
  perform internal.refuse_close(day);
  start_cents := coalesce(
    (select remains_cents from public.day_closes order by business_date desc limit 1), (close ->> 'startCents')::integer);
  if start_cents is null then
    raise exception 'The first close must state the cash in the drawer.' using errcode = 'TT110', hint = 'start_required';
  end if;
  expected := start_cents + (internal.cash_of_day(day) ->> 'changeCents')::integer;
  if expected is distinct from (close ->> 'seenExpectedCents')::integer then
    raise exception 'The expected cash changed meanwhile.' using errcode = 'TT110', hint = 'expected_changed',
      detail = jsonb_build_object('expectedCents', expected)::text;
  end if;
  methods := internal.methods_of_day(day);
  insert into public.day_closes (
    business_date, start_cents, counted, expected_cents, terminal_expected_cents, terminal_counted_cents, check_expected_cents,
    check_counted_cents, reason, note, remains_cents, closed_by_name, closed_at)
  values (
    day, start_cents, close -> 'counted', expected, (methods #>> '{card_terminal,cents}')::integer, (close ->> 'terminalCents')::integer,
    (methods #>> '{check,cents}')::integer, (close ->> 'checkCents')::integer, close ->> 'reason', close ->> 'note',
    (close ->> 'remainsCents')::integer, internal.author_name(null), internal.current_instant())
  returning id into new_id;
  return new_id;
end
$$;

create or replace function public.create_estimate(source jsonb) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write estimates and estimate_revisions.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  if source ->> 'kind' = 'towing' then
    return internal.create_towing_estimate();
  end if;
  -- Locks the booking, quote request, vehicle or customer of the estimate, so that a second call finds the estimate of
  -- the first.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- The key share lock prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'The record for which this estimate was written no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- An unconfirmed address is not used until staff confirm it.
  email := coalesce(internal.email_for_estimate(booking, quote, customer.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, customer.id, vehicle.id,
    left(trim(coalesce(booking.customer_name, quote.name, customer.name, source #>> '{customer,name}', '')), 100),
    -- An estimate does not store an invalid email address.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, customer.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, vehicle.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, vehicle.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, vehicle.model, source #>> '{vehicle,model}', ''),
    coalesce(left(vehicle.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(vehicle.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.add_booked_job(estimate.id, booking.id);
  perform internal.save_revision_jobs(estimate.id, 1, source -> 'jobs') where source ? 'jobs';
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;

COMMENT ON COLUMN "internal"."admin_data_sessions"."token_hash" IS 'The dashboard session (admin_sessions.token_hash) to which the data session belongs.';

COMMENT ON COLUMN "internal"."backup_drills"."next_file_number" IS 'The lowest number of a copied file that no drill of the incarnation has checked.';

COMMENT ON COLUMN "internal"."backup_drills"."object" IS 'The first object at the backup target that was missing or damaged.';

COMMENT ON COLUMN "internal"."calendar_feed"."token" IS 'The last part of the address: 256 random bits as base64url. The token is stored unencrypted, because the owner reads the address again for another device.';

COMMENT ON COLUMN "internal"."erasure_rules"."row_key" IS 'An SQL expression that identifies a row of the table. The alias of the row in the expression is "one".';

COMMENT ON COLUMN "internal"."form_origins"."booking_id" IS 'The booking that the form created. The column has no foreign key, because the row is inserted before the booking, in the same transaction; forget_form_origin runs when the booking is deleted.';

COMMENT ON COLUMN "internal"."form_origins"."quote_request_id" IS 'The quote request that the form created; no foreign key, for the same reason as booking_id.';

COMMENT ON COLUMN "internal"."invoice_numbers"."number" IS 'The number of the invoice. The column is not unique: staff decide between two invoices with one number.';

COMMENT ON COLUMN "internal"."owner_notices"."dedupe_key" IS 'The cause of the notice as a key with ids, like emails.dedupe_key.';

COMMENT ON COLUMN "internal"."passkey_challenges"."invitation_id" IS 'The invitation that the answer accepts; null for every other purpose.';

COMMENT ON COLUMN "internal"."passkey_challenges"."session_id" IS 'The dashboard session whose step-up the answer confirms; null for every other purpose.';

COMMENT ON COLUMN "internal"."passkeys"."anomaly_count" IS 'The number of answers with an old counter, which indicates that the passkey was copied; the second one switches the passkey off.';

COMMENT ON COLUMN "internal"."restored_shop"."recovered_until" IS 'The time of the last change that the restore recovered.';

COMMENT ON COLUMN "internal"."tablet_data_sessions"."ends_at" IS 'The time until which the session''s access tokens have the rights of a technician. Later these tokens have no rights.';

COMMENT ON COLUMN "internal"."tablet_pins"."wrong_count" IS 'The attempts since the last right PIN. An attempt is counted before its PIN is checked. After 10 attempts, the PIN opens no tablet until it is set again.';

COMMENT ON COLUMN "public"."audit_events"."amount_cents" IS 'The refunded amount, or the credited amount of a cancelled invoice, in cents; above zero.';

COMMENT ON COLUMN "public"."audit_events"."confirmed_with" IS 'The means by which the step-up before the action was confirmed: password or passkey. Null for an action without a step-up, and when the sessions of the account differ.';

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'Details of the event: the roles of a change, the invited person with the role, the refused path, the days of a file, or the name of a setting.';

COMMENT ON COLUMN "public"."audit_events"."network_address" IS 'The network address of the sign-in; after 30 days only its network (IPv4 /24 or IPv6 /48).';

COMMENT ON COLUMN "public"."audit_events"."user_id" IS 'The staff account that caused the event; null for a command of the server and for a person who is not signed in.';

COMMENT ON COLUMN "public"."authorizations"."contact" IS 'The phone number or email address from which the customer decided.';

COMMENT ON COLUMN "public"."authorizations"."vehicle_id" IS 'The vehicle of the estimate at that time; null without a vehicle. No foreign key, for the same reason as customer_id.';

COMMENT ON COLUMN "public"."bays"."position" IS 'The position in the order that the owner chose. A booking gets the free bay with the lowest rank (internal.bay_rank).';

COMMENT ON COLUMN "public"."bays"."technician" IS 'The technician who works in the bay, or null. Only staff can read the name.';

COMMENT ON COLUMN "public"."booking_events"."booking_id" IS 'The booking. The column has no foreign key, because the history remains when the booking is deleted.';

COMMENT ON COLUMN "public"."bookings"."internal_note" IS 'An internal note of staff, which no email and no page shows to customers.';

COMMENT ON COLUMN "public"."bookings"."search_text" IS 'The text that the search reads, normalized; empty until the booking is linked to its customer.';

COMMENT ON COLUMN "public"."bookings"."service_name" IS 'The name of the service at the time of booking; later changes of the service do not change this name.';

COMMENT ON COLUMN "public"."bookings"."service_price_cents" IS 'The lowest price on the service card at the time of booking; null when the card showed no price.';

COMMENT ON COLUMN "public"."bookings"."vehicle_id" IS 'The customer''s vehicle; null when the booking names no vehicle.';

COMMENT ON COLUMN "public"."bookings"."version" IS 'The version, which each change increments. A request that moves the booking or changes its state sends the version that the user saw.';

COMMENT ON COLUMN "public"."cash_movements"."amount_cents" IS 'The amount in US cents, always positive; kind states the direction.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_at" IS 'When the address was confirmed as the customer''s: staff entered it or pressed ''Use this address'', or the customer confirmed it. Null for an address that was only typed online.';

COMMENT ON COLUMN "public"."customers"."gets_reminders" IS 'Whether the customer gets reminders the day before an appointment. If a merged duplicate opted out, the customer gets no reminders either.';

COMMENT ON COLUMN "public"."day_closes"."terminal_counted_cents" IS 'The total that the card terminal reported for the day; null when nobody entered it. check_counted_cents is the counted total of checks, or null.';

COMMENT ON COLUMN "public"."deposits"."share_percent" IS 'The share of the approved amount that the shop requests, in percent; null for a fixed amount.';

COMMENT ON COLUMN "public"."emails"."appointment_at" IS 'The start of the appointment that the message states, shop time. The message is not sent once the booking has another start.';

COMMENT ON COLUMN "public"."emails"."attachments" IS 'The attachments as a list of {filename, contentType, contentBase64}.';

COMMENT ON COLUMN "public"."emails"."next_attempt_at" IS 'The time of the next attempt. Each attempt sets a later time, so that no two processes send the same message.';

COMMENT ON COLUMN "public"."emails"."status" IS 'The delivery status. queued: not attempted yet; retrying: failed and attempted again later; sent: accepted by the mail server; in_outbox: written to the outbox folder because no mail server is set; failed: no further attempt follows.';

COMMENT ON COLUMN "public"."estimate_events"."estimate_id" IS 'The estimate. The column has no foreign key, because the trigger that protects the history would refuse a cascading deletion.';

COMMENT ON COLUMN "public"."estimate_jobs"."tear_down" IS 'The details that a customer must read before a tear-down (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, mayPreventReassembly}; null for a job of another kind.';

COMMENT ON COLUMN "public"."estimate_lines"."quantity_thousandths" IS 'The number of hours, pieces or percent, times 1,000: 1.2 is 1200.';

COMMENT ON COLUMN "public"."estimate_revisions"."good_until" IS 'The last day, in shop time, on which the customer can approve the revision.';

COMMENT ON COLUMN "public"."estimate_revisions"."tax_rate" IS 'The sales tax rate on the day on which the estimate was created, in ten-thousandths of a percent.';

COMMENT ON COLUMN "public"."estimates"."customer_id" IS 'The customer; null while a draft names no customer.';

COMMENT ON COLUMN "public"."estimates"."payer_name" IS 'The person or company that pays in place of the customer, such as an insurer; '''' when the customer pays (16 CCR 3353).';

COMMENT ON COLUMN "public"."invoices"."due_date" IS 'The last day to pay without being late, in shop time; null when the invoice has no due date.';

COMMENT ON COLUMN "public"."invoices"."remaining_at_stripe_cents" IS 'The unpaid amount at Stripe when the invoice was last read. The balance of the shop is internal.invoice_balance_cents; a difference between the two amounts is shown, but changes neither of them.';

COMMENT ON COLUMN "public"."invoices"."tax_cents" IS 'The sales tax in total_cents; null until the invoice is read from Stripe again.';

COMMENT ON COLUMN "public"."merges"."parent_merge_id" IS 'The merge of two customers that also merged these two vehicles; null for any other merge.';

COMMENT ON COLUMN "public"."payments"."business_date" IS 'The shop''s day to which the line counts on the page Today, in the day close and in the files for the accountant (docs/product.md 17.7).';

COMMENT ON COLUMN "public"."quote_requests"."flagged_reasons" IS 'The reasons why the request looks automated; empty for an ordinary request. A flagged request is not deleted.';

COMMENT ON COLUMN "public"."quote_requests"."looks_automated" IS 'Whether anything about the request looks automated; the dashboard lists such requests last.';

COMMENT ON COLUMN "public"."services"."position" IS 'The position in the order that the admin saved; services without a position follow, sorted as in docs/product.md 4.4.';

COMMENT ON COLUMN "public"."services"."price_from_cents" IS 'The lowest price, shown on the service card; with null the card shows no price.';

COMMENT ON COLUMN "public"."staff_accounts"."employee_id" IS 'The employee to whom this person''s tasks are assigned; null for an account that the first start or a command created.';

COMMENT ON COLUMN "public"."staff_invitations"."sent_at" IS 'When the current link was sent; the link works until expires_at.';

COMMENT ON COLUMN "public"."tasks"."archived_at" IS 'When a clean-up removed the task from the list without deleting it, because the law requires the record or the state of the vehicle depends on it; null while the task is listed.';

COMMENT ON COLUMN "public"."tax_rates"."rate" IS 'The rate in ten-thousandths of a percent: 9.125 % is 91250.';

COMMENT ON COLUMN "public"."vehicles"."internal_note" IS 'An internal note of staff about the vehicle.';

COMMENT ON COLUMN "stripe_sandbox"."idempotency_keys"."fingerprint" IS 'The digest of the parameters with which the key was first used.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."created" IS 'The time of creation in seconds since 1970, as everywhere in the API.';

COMMENT ON FUNCTION "internal"."add_booked_job"(uuid, uuid) IS 'Adds the first job of an estimate: the service of its booking with one labor line, the service''s hours at the labor rate. Without a booking, the function adds no job.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note with its share of the sales tax and of the parts of the invoice, and the row from which it is reported to Stripe; refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."add_sample_booking"(jsonb) IS 'Adds a booking to the sample week at the free time nearest to the requested one. A past booking is completed. With status here, a booking is arrived in the hour before its start and in work during its time. Returns no row when the date is full.';

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'The state of the question to the customer whether a booking''s email address is theirs. open: the customer can answer; answered: the customer has answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."addresses_to_ask"(integer) IS 'Bookings whose unconfirmed email address was typed under the name of a customer with another address, each with that other address, to which the site sends the question whether the unconfirmed one is theirs.';

COMMENT ON FUNCTION "internal"."answer_address_question"(uuid) IS 'Records once that the customer confirmed the email address of a booking; returns confirmed, otherwise the state of the question.';

COMMENT ON FUNCTION "internal"."are_files_ours"() IS 'Whether the nightly job can rewrite the files of all tables in file_cleanups.';

COMMENT ON FUNCTION "internal"."backfill_customers"(integer) IS 'Links up to max_rows bookings and as many quote requests without a customer to their customers, oldest first; returns the number of linked records, 0 at the end. The function can be interrupted and called again.';

COMMENT ON FUNCTION "internal"."backfill_quote_request_customers"(integer) IS 'Links the oldest quote requests without a customer to their customers; returns the number of linked requests.';

COMMENT ON FUNCTION "internal"."bay_rank"(uuid, integer) IS 'The rank of a bay among the free ones: bays limited to few services come first, so that bays that can do every service stay free; among equal bays, the owner''s order decides.';

COMMENT ON FUNCTION "internal"."booking_invoice"(uuid) IS 'The invoice of the latest sent estimate of a booking, with the amount that is still due; paid_at is null until it is paid in full.';

COMMENT ON FUNCTION "internal"."booking_warnings"(tsrange, uuid) IS 'The rules for visitors that a time chosen by staff breaks, in a bay or (with null) without a bay: in_the_past, notice_required, too_far_ahead, overnight, outside_hours.';

COMMENT ON FUNCTION "internal"."change_staff_invitation"() IS 'Refuses (TT122) changes of ended invitations, and sets the expiry of a new link to 72 hours later.';

COMMENT ON FUNCTION "internal"."charges_real_cards"() IS 'Whether the shop connected a Stripe account or has an invoice at Stripe, so that the dashboard has to distinguish test invoices from real ones.';

COMMENT ON FUNCTION "internal"."choose_bay"(tsrange, uuid, uuid, uuid, uuid) IS 'The bay for a booking by staff: the given bay, or with null the booking''s own bay or the first free bay that can do the service. Refuses an inactive bay (TT065), a bay that cannot do the service (TT064), and an occupied bay (23P01).';

COMMENT ON FUNCTION "internal"."claim_link_request"() IS 'Takes requests for links from the queue, up to the first whose mailbox has upcoming bookings, and returns these bookings: at most 20, earliest first. Returns no row when no request is left.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices that the job must create now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. Each request is returned again after increasing pauses until the invoice exists.';

COMMENT ON FUNCTION "internal"."clean_audit"() IS 'Shortens network addresses older than 30 days to their network, deletes lines older than three years, records the number of deleted lines, and returns it.';

COMMENT ON FUNCTION "internal"."confirm_email"(uuid, text, text) IS 'Confirms an email address of a customer, and makes it the main address if there is none. The caller has locked the address and the customer.';

COMMENT ON FUNCTION "internal"."confirmation_of"(uuid) IS 'The means by which a staff account confirmed its step-ups: password or passkey. Null when its sessions differ, because the session of an action is not known here.';

COMMENT ON FUNCTION "internal"."correct_vehicle"(public.bookings, public.bookings, text) IS 'Saves the corrected year, make and model of a booking in the record of its vehicle and in the vehicle''s other open bookings that have the former text.';

COMMENT ON FUNCTION "internal"."corrects_vehicle"(public.bookings, public.bookings) IS 'Whether an edit describes the same vehicle: the edit changes only the year, or it only corrects the spelling of make and model and adds missing values. Another year together with another model can mean another vehicle.';

COMMENT ON FUNCTION "internal"."count_open_test_invoices"() IS 'The number of invoices of the payment sandbox that have a balance.';

COMMENT ON FUNCTION "internal"."create_customer_from_booking"(public.bookings) IS 'Creates a customer from a booking, even when another customer has the booking''s email address or phone number.';

COMMENT ON FUNCTION "internal"."decide_estimate"(uuid, text, uuid[], text, text, boolean) IS 'Records the customer''s decision on the page: the given jobs are approved, all other open jobs declined. Returns approved or declined, or the reason why nothing was recorded: unchanged (decided before), version_conflict (the page showed another revision), expired, closed (invoiced).';

COMMENT ON FUNCTION "internal"."delete_merges"(uuid[]) IS 'Deletes the merges of customers, with the values that an unmerge would restore.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'Deletes contact methods of a customer that belong to the customer who was split off and that no remaining record of the first customer contains.';

COMMENT ON FUNCTION "internal"."describe_all_authorizations"(uuid) IS 'All authorizations of an estimate, oldest first, for staff. A void authorization has the reason why it is void.';

COMMENT ON FUNCTION "internal"."describe_authorizations"(uuid) IS 'The valid authorizations of an estimate, oldest first, for customers and printed documents, each with the name of the person who recorded it.';

COMMENT ON FUNCTION "internal"."describe_customer_estimate"(public.estimates) IS 'An estimate in the list of a customer: its first job, the number of jobs, the total, and the declined jobs.';

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'For Stripe invoice ids: the recorded name, whether the customer was erased, the estimate, the amounts of its lines by kind (discounts are negative; null without an estimate), and from the ledger the credit notes, the paid amount, the balance and the business date of the last payment that was not returned; for a replacement invoice also the number of the invoice that it replaces.';

COMMENT ON FUNCTION "internal"."describe_ledger_differences"() IS 'The 20 oldest invoices whose balance differs from Stripe, for the page Today.';

COMMENT ON FUNCTION "internal"."describe_undecided_deposits"() IS 'The first 50 deposits about which staff must decide, for the page Today.';

COMMENT ON FUNCTION "internal"."describe_week_load"(date) IS 'The result of read_daily_loads for seven dates, with the number of completed bookings.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null before the first close, while an earlier day is open, after the close of today, and when the shop shows the expected sum only after the count.';

COMMENT ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) IS 'The email address for an estimate of a booking, a quote request or a customer: the address of the record if it is the customer''s, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "internal"."email_of_bookings"(uuid[]) IS 'The email address for a group of bookings: the customer''s own address in the latest active booking, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "internal"."end_expired_holds"(date) IS 'Ends the expired holds of one day or of all days, which frees their times; returns the number of ended holds.';

COMMENT ON FUNCTION "internal"."erase_customer"(uuid, integer, text, text[]) IS 'Erases the data of a customer, except the texts of other records in left_out (keys of internal.find_texts). Refuses an outdated version (TT051), and a customer with an open booking, estimate or invoice (TT099, the detail lists these records). Returns {emails: ids of the deleted emails, retained, counts}.';

COMMENT ON FUNCTION "internal"."erase_customer_estimates"(uuid[], date) IS 'Deletes the customers'' draft estimates, and estimates whose three years of retention have passed.';

COMMENT ON FUNCTION "internal"."estimate_state"(public.estimates) IS 'The state of an estimate: draft, sent, seen, approved (at least one job), declined, expired, invoiced.';

COMMENT ON FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone) IS 'The bay for moving a booking to another time: its own bay if free, otherwise the first free bay; null when no bay is free.';

COMMENT ON FUNCTION "internal"."find_bay_for_reopened_booking"(public.bookings) IS 'The bay for a booking that is reopened: its own bay if free, otherwise another free bay; null when no bay is free.';

COMMENT ON FUNCTION "internal"."find_bay_for_staff"(uuid, tsrange, uuid) IS 'The first free bay that can do a service; bays that are open at the time come first. Null when no bay is free.';

COMMENT ON FUNCTION "internal"."find_begun_estimate"(uuid, uuid, uuid, uuid) IS 'The existing estimate that a second click or another window opens instead of creating another one. For a customer without a booking or quote request, only an estimate that was never saved is opened again.';

COMMENT ON FUNCTION "internal"."find_customer_by_email"(text, text) IS 'The customer who has an email address; among several, the one with the best-matching name. Null when there is none.';

COMMENT ON FUNCTION "internal"."find_free_bay"(date, time without time zone, integer, uuid) IS 'The first bay by rank that is open for an appointment, can do its service and is free at that time; null when there is no such bay.';

COMMENT ON FUNCTION "internal"."find_or_create_vehicle"(uuid, internal.vehicle_details, timestamp with time zone, boolean) IS 'The customer''s vehicle that a record describes, created if it is new; null when the record describes no vehicle.';

COMMENT ON FUNCTION "internal"."find_texts"(uuid[], text) IS 'Every text that an erasure of customers changes, in one table or in all tables. The search in the customers'' own records (is_own) includes their names, the search in other records does not. text_key identifies the text in the erase dialog.';

COMMENT ON FUNCTION "internal"."find_vehicle"(uuid, internal.vehicle_details) IS 'The customer''s vehicle that a record describes, by VIN, plate, or year, make and model; null when the customer has no such vehicle.';

COMMENT ON FUNCTION "internal"."fits_hours"(tsrange, tsmultirange, uuid) IS 'Whether a job fits the hours of a bay (open: the ranges of its first date): the job ends while the bay is open, or it starts while the bay is open and is longer than any range of that date, so that the vehicle stays overnight.';

COMMENT ON FUNCTION "internal"."follow_task"() IS 'Changes the state of a booking with its tasks: in_work when a task is started, back to the former state when the only start is undone (task set to pending, or deleted while in progress). Notifies open dashboards, because the state of the vehicle depends on tasks.';

COMMENT ON FUNCTION "internal"."forget_form_origins"(uuid[]) IS 'Removes the origins of the forms of bookings and quote requests. For a form with a valid token, only the fact that the token was used is kept.';

COMMENT ON FUNCTION "internal"."free_spans"(date, uuid, uuid) IS 'When a bay is open on a date and no booking other than ignored_booking_id occupies it.';

COMMENT ON FUNCTION "internal"."free_staff_username"(text) IS 'The first name in lower case, followed by a number if an account or an open invitation has that username.';

COMMENT ON FUNCTION "internal"."gets_reminders"(uuid) IS 'Whether a customer gets reminders: true unless the customer, or a duplicate merged into them, opted out; also true for an unknown customer.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking, whose contact was edited, and its draft estimates to the customer with that contact, and makes the links of the former customer invalid. Refused (TT076) once an estimate of the booking was sent or decided.';

COMMENT ON FUNCTION "internal"."hand_over_drafts"(public.bookings) IS 'Writes the contact of a booking that was transferred to another customer into its estimates, so that none is sent to the former customer. All these estimates are drafts: a booking with a sent estimate cannot be transferred.';

COMMENT ON FUNCTION "internal"."increment_version"() IS 'Increments the version of a row. A request that saves the row sends the version that the user saw, and updates no row when the stored version differs.';

COMMENT ON FUNCTION "internal"."invoice_actions"(public.invoices) IS 'The corrections of an invoice that are possible now.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'The amount that is still due: the total minus credit notes, the paid amount and the amounts due on replacement invoices; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."is_admin"() IS 'Whether an owner or an advisor sent the request.';

COMMENT ON FUNCTION "internal"."is_approved"(uuid, uuid) IS 'Whether the latest valid decision on a job is an approval; decisions to decline do not count.';

COMMENT ON FUNCTION "internal"."is_bay_taken"(uuid, tsrange, uuid) IS 'Whether an active booking other than ignored_booking_id occupies a bay at a time.';

COMMENT ON FUNCTION "internal"."is_cash_count"(jsonb) IS 'Whether a value counts bills and coins: {"2000": 9} is nine $20 bills. The names are those of domain/money/cash-count.ts.';

COMMENT ON FUNCTION "internal"."is_hold_of_known_customer"(public.bookings) IS 'Whether a flagged booking is held regardless of how many are held: its customer is known and has fewer than five other open bookings.';

COMMENT ON FUNCTION "internal"."is_respelled"(text, text) IS 'Whether the former and the corrected text are spellings of the same make or model. Words that only one text has are not compared. The correction of an empty text can be any text.';

COMMENT ON FUNCTION "internal"."is_scope_changed"(uuid, integer, uuid) IS 'Whether a job of a revision has another title than the approved one, or contains a line that the approved job did not contain. Hours, quantities and prices may differ, and lines may be missing.';

COMMENT ON FUNCTION "internal"."is_single_line_text"(text, integer, integer) IS 'Whether a text is one line with a permitted number of characters and no invisible characters; the same rule as domain/text/text-input.ts.';

COMMENT ON FUNCTION "internal"."is_their_email"(uuid, text) IS 'Whether an email address belongs to a customer: the address is confirmed, or the customer''s first record has it.';

COMMENT ON FUNCTION "internal"."last_merged_customer"(uuid) IS 'The customer into whom the customer with this id was merged, or that customer itself; also an erased customer.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to a customer: the customer of its booking or quote request; otherwise, while name and contacts are unchanged, the customer for whom it was created; otherwise the customer whom it names. After the estimate was sent, a correction changes neither customer nor vehicle, unless the estimate then names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."link_new_bookings"(integer, uuid[]) IS 'Links the oldest bookings without a customer, except the ignored ones. Returns each booking with the reason why it cannot be linked; the reason is null for a linked booking.';

COMMENT ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) IS 'A page of the ledger lines that changed the deposits held by the shop, up to and including a business date, after the last one read. All amounts up to a date add up to the deposits held at its end.';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose files have to be rewritten now, with the number of requests to record afterwards; no tables between 5 AM and 2 AM, and none within ten minutes after a booking or quote request.';

COMMENT ON FUNCTION "internal"."list_job_decisions"(uuid, integer) IS 'The decisions that cover the work and the price of the jobs of a revision: {key: decision}.';

COMMENT ON FUNCTION "internal"."list_starts_in_range"(tsrange) IS 'Start times of bookings by phone within a free range: its first quarter hour, and each full and half hour.';

COMMENT ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) IS 'A page of the write-offs of a range of the shop''s dates, after the last one read: the balance when the invoice was written off, and the balance now.';

COMMENT ON FUNCTION "internal"."lock_booking_contact"(text, text) IS 'Locks the open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) until the transaction ends. A transaction that also locks the day locks the day first.';

COMMENT ON FUNCTION "internal"."lock_booking_network"(internal.client_digests) IS 'Locks the counts of a client and of the networks around it until the transaction ends. A transaction that also locks the day or the contact locks these first.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'A payment of the counter, or an applied deposit, of which no part was returned; the function locks its invoice and the other invoice. Refuses (TT103) every other line.';

COMMENT ON FUNCTION "internal"."lock_correctable_deposit"(uuid) IS 'Locks the estimate of a counter deposit that the shop holds completely, and returns the deposit; refuses (TT104) every other ledger line.';

COMMENT ON FUNCTION "internal"."lock_merged_customer"(uuid) IS 'Locks the customer that resolve_merged_customer returns, until the transaction ends, and returns its id; null for an unknown or erased customer.';

COMMENT ON FUNCTION "internal"."main_email"(uuid) IS 'A customer''s main email address; null when the customer has none, or when the address was only typed online.';

COMMENT ON FUNCTION "internal"."make_invoice_link"(text) IS 'The link of an invoice: {token (128 bits as base64url), code (twelve characters without 0, O, 1 and I)}. Null for an unknown, void or cancelled invoice.';

COMMENT ON FUNCTION "internal"."may_become_open"(public.bookings) IS 'Whether a booking may become open: by an insert, reopening by its customer, an undo by staff, or the confirmation of a hold. False when five other bookings of its customer are open; for an undo by staff, false only when the customer has opened one of the five since this booking was closed.';

COMMENT ON FUNCTION "internal"."merge_vehicle_rows"(public.vehicles, public.vehicles, uuid) IS 'Merges two vehicles; copies plate, VIN, color and note of the duplicate where the survivor has none. Returns the id of the merge.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Moves the rows of a merge back, except rows that were moved again after the merge.';

COMMENT ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) IS 'The bays that are open for the whole booking and can do its service (any service with null), each with whether the start is one of the regular start times of the bay.';

COMMENT ON FUNCTION "internal"."pause_payment_pages"(text) IS 'Prevents payment pages of the invoice from opening for a minute; returns whether a payment page is open now.';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'The payments of a business date in US dollars: {receivedCents (payments minus returned amounts), payments, refunds, methods [{method, cents}]}.';

COMMENT ON FUNCTION "internal"."prepare_staff_invitation"() IS 'Sets the inviting owner and the username of an invitation, and refuses the address of an account (TT121).';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit above the remaining amount of the line to which it refers, or for another invoice.';

COMMENT ON FUNCTION "internal"."reached_booking_limit"(internal.client_digests) IS 'The cap that the bookings of a client have reached, as a reason to hold its next booking; null when no cap is reached. Held bookings do not count, because they have a limit of their own.';

COMMENT ON FUNCTION "internal"."reached_email_limit"(internal.visitor_emails, text) IS 'The limit that stops an email to a mailbox; null when no limit stops it.';

COMMENT ON FUNCTION "internal"."read_document_jobs"(jsonb) IS 'The jobs of a document with the current JSON keys. Documents that an earlier release froze have other keys, which cannot be renamed in the table because the hash covers them.';

COMMENT ON FUNCTION "internal"."read_printable_estimate"(uuid, boolean) IS 'The data of a printed estimate: the latest revision (for the customer the latest frozen one), its date, the decision on each job, the authorizations. The data contains no internal note. Null when there is nothing to print.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate with its path, the tasks with their notes for the customer, and the invoice. Task titles are shown only where they are titles of estimate jobs that the customer has read.';

COMMENT ON FUNCTION "internal"."record_audit_event"(public.audit_events) IS 'Adds a line to the audit, with the current role of its account and, if the action needs a step-up, with the means of the step-up.';

COMMENT ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) IS 'Adds the amount of a refund that failed at Stripe to the ledger, because the shop has the money again. payment_id is the line in the metadata of the refund. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_file_cleanup"(text, integer) IS 'Records that the files of a table were rewritten, and the number of requests that the rewrite covers.';

COMMENT ON FUNCTION "internal"."record_file_owner"(text) IS 'Records which tables the database login owns; an earlier login may have created other tables.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice that Stripe no longer has as void.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported: {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. Returns held; returned (the deposit was paid before, is no longer requested, or exceeds the approved amount); known (recorded before).';

COMMENT ON FUNCTION "internal"."record_own_change"(text, uuid, text) IS 'Records that a person changed their own password (password_changed) or signed out other browsers (session_ended, detail: how many).';

COMMENT ON FUNCTION "internal"."refuse_change_by_others"() IS 'Refuses a change of columns that only owners may change, in a table whose other columns advisors may change too. A row-level security policy cannot restrict single columns.';

COMMENT ON FUNCTION "internal"."refuse_too_many_held"(internal.client_digests) IS 'Refuses a flagged booking while ten bookings are held, or three from the client''s network (IPv6 /48 or IPv4 /24).';

COMMENT ON FUNCTION "internal"."release_hold"() IS 'Ends the hold of a booking that changes its state or is no longer flagged. Before a booking occupies its time again, the expired holds of its day are ended. A booking that becomes open again counts toward the five open bookings of its customer.';

COMMENT ON FUNCTION "internal"."remove_sample_bays"() IS 'Deletes the bays of the sample week. Real upcoming bookings in them move to other bays at the same time, or to no bay; other bookings then have no bay.';

COMMENT ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) IS 'Withdraws the report of a wrong payment to Stripe. If Stripe already knows the payment, the excess that Stripe counts as paid (lower_cents) is due on a replacement invoice. Refuses (TT103) a higher amount than Stripe knows.';

COMMENT ON FUNCTION "internal"."require_command"() IS 'Refuses a change by a signed-in person outside a command of the server, because only a command can ask for a step-up (docs/product.md 6.8). A request to the data service cannot set shop.command.';

COMMENT ON FUNCTION "internal"."resolve_merged_customer"(uuid) IS 'The id of the customer into whom the customer with this id was merged, or the same id if the customer was not merged; null for an unknown or erased customer.';

COMMENT ON FUNCTION "internal"."resolve_merged_vehicle"(uuid) IS 'The id of the vehicle into which the vehicle with this id was merged, or the same id if the vehicle was not merged; null for an unknown vehicle.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that no later refund of its credit note returned, at most the overpayment of the invoice: a check that the bank returned in the meantime lowers the overpayment. 0 for a line of another kind.';

COMMENT ON FUNCTION "internal"."sample_invoices"() IS 'The invoices of the sample week; invoice_id is null for an invoice whose creation was started and not finished.';

COMMENT ON FUNCTION "internal"."save_revision_jobs"(uuid, integer, jsonb) IS 'Replaces the jobs and lines of a draft by the given ones, in the format of contracts/estimates/estimates.ts.';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'An SQL condition by which search_text contains the word. A word of one or two letters must be at the beginning of a word of search_text.';

COMMENT ON FUNCTION "internal"."sent_revision_misdirected_reason"(uuid, text) IS 'The reason why an email with an estimate must not be sent to an address; null when the address is the one in the estimate.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person who used a username at an instant; the username itself for an instant before the account existed, when several people shared the username.';

COMMENT ON FUNCTION "internal"."start_time_refusal"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean) IS 'The result of start_time_refusal(date, time), for a caller that has already read the rules; PostgreSQL inlines this function.';

COMMENT ON FUNCTION "internal"."state_before_task"(uuid) IS 'The state before a task set the booking to in_work; null unless this change was the latest change of its state.';

COMMENT ON FUNCTION "internal"."take_service"(public.bookings, uuid) IS 'Returns a booking with the current name, price and duration of another service; the booking is unchanged when the service is the same.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'The assignment of a booking as the calling technician sees it: own (a task is assigned to this technician, or the bay names them), unassigned (no task is assigned and the bay names nobody) or other.';

COMMENT ON FUNCTION "internal"."text_for_technicians"(text) IS 'A free text without its email addresses, dollar amounts and numbers that look like phone numbers.';

COMMENT ON FUNCTION "internal"."texts_differ"(text, text) IS 'Whether two texts differ; an empty text does not differ from any text.';

COMMENT ON FUNCTION "internal"."unmerge_records"(public.merges) IS 'First undoes the merges of vehicles that a merge caused, then the merge itself.';

COMMENT ON FUNCTION "internal"."vehicle_state"(jsonb) IS 'The state of a vehicle, computed from the result of vehicle_facts by the rules of vehicleState in domain/bookings/vehicle-state.ts, for queries that filter by the state.';

COMMENT ON FUNCTION "internal"."was_taken_from_visitor"(public.estimates, uuid) IS 'Whether an estimate was sent to the address of its booking and was given another address later. The visit page, whose link is in the former mailbox, then shows no link to the estimate.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Withdraws the report of a reversed payment to Stripe; false when Stripe knows the payment already, or must know it for a later refund.';

COMMENT ON FUNCTION "public"."accept_schedule_conflicts"(uuid[]) IS 'Records that staff accept the schedule conflicts of bookings; returns the bookings whose conflict was not accepted before.';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the address. Refused (TT100) when the record is not active or the address is invalid. Calling it again changes nothing.';

COMMENT ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) IS 'Requests a deposit of an estimate: an amount, a share of the approved amount, or none (both null). Refused (TT104) when a deposit was already paid, and for more than the approved amount. Returns the deposit (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) IS 'Books for a customer on the phone and returns the booking. minutes defaults to the duration of the service. With a null bay_id, the booking gets the first free bay that can do the service; with without_bay and a reason, it gets no bay. The rules for visitors are not enforced; booking_events.warnings records the rules that the booking breaks. A repeated call with the same booking_id returns the first booking. vehicle_plate identifies the vehicle.';

COMMENT ON FUNCTION "public"."change_booking_state"(uuid, text, integer, text, boolean) IS 'Changes the state of a booking to confirmed, pending, arrived, in_work, completed, cancelled or no_show, and returns the booking; refuses an outdated version (TT051). An undo is a change to the former state. A booking that freed its time gets its former bay again, or another free bay; without a free bay the change is refused (23P01), unless allow_without_bay.';

COMMENT ON FUNCTION "public"."change_estimate_email"(uuid, integer, text, text) IS 'Changes the email address of an estimate without a new revision. reason: new_address (decisions remain valid) or wrong_recipient (decisions by the former link are withdrawn). Refused (TT075) once the estimate is invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."change_vehicle_owner"(uuid, integer, uuid) IS 'Changes the owner of a vehicle. Earlier records remain with the customer who brought the vehicle, and in the history of the vehicle.';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Claims an email for one attempt and returns it with current links. Returns no row when the email is done, claimed by another process, not due, outdated (it then fails) or of the sample week, and while the emails of a restored shop are paused. The first attempt can be made before it is due.';

COMMENT ON FUNCTION "public"."clean_up_tasks"(uuid[]) IS 'Removes completed tasks from the list: deletes them, or archives those of an estimate and those whose vehicle was not picked up. Returns the number of removed tasks.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate of a repair from {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or from {customer, vehicle} alone; returns {id, isNew}. The estimate of a booking begins with a job for its service. An existing estimate of the same booking or quote request is returned instead; an existing estimate of the same vehicle or customer is returned only if it was never saved. {kind: towing} creates an empty estimate of towing. With {jobs}, the estimate begins with these jobs.';

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) IS 'Creates a task for each approved job without one, assigned to an employee, or with null to nobody; returns the number of new tasks.';

COMMENT ON FUNCTION "public"."dismiss_notification"(uuid, integer, text) IS 'Records, with a reason, that the customer of a booking needs no notification of its current state; refuses an outdated version (TT051). After the next change, the customer needs a notification again.';

COMMENT ON FUNCTION "public"."find_canned_jobs"(text) IS 'At most 50 canned jobs whose title contains a term; titles that begin with the term come first: [{id, job}].';

COMMENT ON FUNCTION "public"."forms_sent_by"(jsonb) IS 'The forms that the sender of a request sent in the last 15 minutes: forms with the same form token, and forms without a token from the same address. The server functions send confirmations for these forms only.';

COMMENT ON FUNCTION "public"."list_estimates"(text, text) IS 'At most 50 estimates, latest change first, optionally only those with a search term in number, name, plate or model, or in one state. invoicedCents is the total of the invoice; null without one.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours among the bookable days and the week after them, and in the first month of the next public closure after that week. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers and returns the id of the merge; refuses outdated versions (TT051). All records of the duplicate move to the survivor, and equal vehicles are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) names the values that are taken from the duplicate; an email address or phone number that is not chosen remains a contact method.';

COMMENT ON FUNCTION "public"."move_booking"(uuid, integer, date, time without time zone, integer, uuid, boolean, text) IS 'Moves an open booking to a date, time, duration (null: unchanged) and bay (null: its own bay if free, otherwise the first free bay; without_bay: no bay), and returns the booking. Refuses an outdated version (TT051). An undo is a move to the former time. Warnings are recorded as in book_by_phone.';

COMMENT ON FUNCTION "public"."next_free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'The next free times, at most max_rows within a number of days, for a service or a number of minutes, also overnight, each with its free bays in order; if bay_id is given, only the free times of this bay. The time of ignored_booking_id counts as free. No time is in the past.';

COMMENT ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) IS 'Records once that the customer declined the ''repair'' or the ''reassembly'' after an approved tear-down. The note is printed on the estimate and on its invoice. Refused (TT075) once the estimate is invoiced.';

COMMENT ON FUNCTION "public"."order_bays"(uuid[], integer) IS 'Saves the order of all bays; refuses an outdated version of the section bays (TT051).';

COMMENT ON FUNCTION "public"."order_services"(uuid[], integer) IS 'Saves the order of all services and returns the new version; refuses an outdated version of the section services (TT051).';

COMMENT ON FUNCTION "public"."read_customer_highlights"(uuid, uuid) IS 'Hints for staff beside a booking or during a phone booking: the number of missed appointments, the previous appointment, other upcoming appointments, the jobs that were declined last, and open estimates (docs/product.md 16.25).';

COMMENT ON FUNCTION "public"."read_daily_loads"(date, integer) IS 'For each of up to 62 dates: the number of bookings that start, and the total minutes for which the active bays are open.';

COMMENT ON FUNCTION "public"."read_estimate_link"(uuid, boolean) IS 'The path of the customer''s page of an estimate, for the admin. With renew, the function creates a new path, and earlier links of the estimate and of its booking stop working.';

COMMENT ON FUNCTION "public"."read_quote_email"(uuid) IS 'The email address for an invoice of a quote request: the address in the request if it is the customer''s, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "public"."read_visit_page_link"(uuid, boolean) IS 'The path of a booking''s visit page, for the admin. With renew, the function creates a new path, and earlier links of the booking and of its estimates stop working.';

COMMENT ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) IS 'Records the odometer reading of an estimate without a new revision; approvals remain valid. Refused (TT075) once the estimate is invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."save_bay"(uuid, text, boolean, uuid[], integer, boolean, text) IS 'Adds (bay_id null) or changes a bay; refuses an outdated version of the section bays (TT051). A bay with empty service_ids can do all services. Deactivating a bay moves its upcoming bookings; the function returns each with its new bay, or with null where no bay is free. A preview returns these bookings without saving. An empty technician removes the stored technician; null keeps the stored technician.';

COMMENT ON FUNCTION "public"."save_booking_note"(uuid, text, text) IS 'Replaces the internal note of a booking if the stored note is seen_note; refuses to overwrite any other note (TT051, the detail contains the stored note). An empty note deletes the stored note.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, boolean) IS 'Saves name and contacts of a customer and returns the new version; refuses an outdated version (TT051). An email address of another customer is refused (TT096, the detail names the customer) unless may_share_email. Earlier contact methods remain.';

COMMENT ON FUNCTION "public"."save_estimate"(uuid, integer, jsonb) IS 'Saves an estimate as in contracts/estimates/estimates.ts; after a frozen revision, the function creates the next revision. Refused (TT051) when seen_version is outdated. An estimate with problems is saved too, and its problems are returned.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed) and returns the schedule conflicts after the change; refuses an outdated version of the section hours (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."save_service"(uuid, text, text, integer, integer, boolean, uuid[], integer) IS 'Adds (service_id null) or changes a service; refuses an outdated version (TT051). bay_ids are the only bays that can do the service; with an empty list every bay can do it, with null the stored bays remain. Existing bookings keep the service''s former name, price and duration.';

COMMENT ON FUNCTION "public"."save_vehicle"(uuid, integer, uuid, text, text, text, text, text, text, text) IS 'Adds a vehicle to a customer (vehicle_id null) or changes a vehicle; returns its id. Refuses an outdated version (TT051) and an invalid VIN (TT097).';

COMMENT ON FUNCTION "public"."set_task_customer_note"(uuid, text) IS 'Sets the note for the customer on the visit page, until the status changes; with an empty note, the page shows the status only.';

COMMENT ON FUNCTION "public"."split_booking"(uuid) IS 'Creates a separate customer for a booking, with its vehicle and invoice; returns the customer''s id. A merge undoes the split.';

COMMENT ON FUNCTION "public"."split_vehicle"(uuid, integer) IS 'Creates a separate customer from the latest booking of a vehicle, with all records of the vehicle; returns the customer''s id. A merge undoes the split.';

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Voids an invoice that has a balance and never had a payment; refuses (TT103) every other invoice. Its estimate can be invoiced again.';

COMMENT ON SCHEMA "stripe_sandbox" IS 'The state of the payment sandbox, in which no money moves and which stores no card numbers.';

COMMENT ON TABLE "internal"."address_answers" IS 'Bookings whose customer confirmed the email address that was typed in the booking form as their own. The confirmation link works once.';

COMMENT ON TABLE "internal"."form_origins" IS 'The origin of a visitor''s form: digests of its form token, of the client''s address and of the networks around it. A row is kept for 25 hours, because a form token is valid for 24 hours and for one form. A token counts as used even after its booking or quote request is deleted.';

COMMENT ON TABLE "internal"."invoice_links" IS 'The links to invoices. Each row contains the SHA-256 of the token and of the short code of a link, but neither of them itself.';

COMMENT ON TABLE "internal"."invoice_numbers" IS 'The numbers of invoices, by which the server finds a new invoice immediately; Stripe''s own search lags by a minute. A row is only a hint: the server reads the invoice itself from Stripe.';

COMMENT ON TABLE "internal"."known_browsers" IS 'Browsers from which an admin has signed in. Each browser has its own number of attempts; the row alone signs nobody in.';

COMMENT ON TABLE "internal"."online_payment_claims" IS 'Online payments that the server is about to attach to their invoice. While the row exists, staff cannot take the claimed amount at the counter. The row is deleted when the payment is in the ledger.';

COMMENT ON TABLE "internal"."owner_notices" IS 'Notices to the owner: the first is emailed immediately, later ones in one email every ten minutes. A notice is deleted after a month; until then each cause is reported only once.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'Invoices for which staff are taking a payment. No payment page of such an invoice opens until the time in its row.';

COMMENT ON TABLE "internal"."rate_limits" IS 'The counters of the strict rate limits. A key is a keyed hash of the limit''s name and of the client: no address is stored.';

COMMENT ON TABLE "internal"."restored_shop" IS 'The last restore from a backup; no row for a shop that was never restored. The restore writes the row. A restored copy sends no email by itself, because the shop that it copies may still run, and later cancellations may be missing in it.';

COMMENT ON TABLE "internal"."sealed_setting_changes" IS 'The changes of settings with passwords, each with the person who made the change, without the value of the setting. [append-only]';

COMMENT ON TABLE "internal"."stripe_reports" IS 'The payments and corrections that the shop has to report to Stripe. The transaction of the change writes the row, and a job reports the rows of each invoice in their order.';

COMMENT ON TABLE "internal"."tablet_data_sessions" IS 'The sessions at the data service of people who use a shared tablet. A row is kept for a day after its session, so that an old access token that an owner received at a tablet never has the rights of an owner.';

COMMENT ON TABLE "internal"."tablets" IS 'The browsers that an owner enrolled as shared tablets; a revoked row is never used again.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'The number of bookings that visitors can make in a period before the next one is held. A shop with one bay has about twenty bookings a day.';

COMMENT ON TABLE "internal"."visitor_emails" IS 'Emails that visitors caused, also those that a limit stopped. Rows are deleted after two days. Only digests of addresses are stored.';

COMMENT ON TABLE "public"."credit_note_parts" IS 'The division of a credit note between the jobs or lines of its invoice, so that no job or line is credited above its price. [append-only]';

COMMENT ON TABLE "public"."customer_contact_methods" IS 'Every email address and phone number of a customer, past and present. A new booking, quote request or estimate is linked to its customer by these values.';

COMMENT ON TABLE "public"."deposits" IS 'The deposit that the shop asks for with the approval of an estimate; an estimate has at most one deposit.';

COMMENT ON TABLE "public"."estimate_events" IS 'The history of each sent estimate: changes of its customer, vehicle and link. The history is deleted with the estimate. [append-only]';

COMMENT ON TABLE "public"."invoice_events" IS 'The events of invoices that a person voided or wrote off, each with the person, the time and the reason. [append-only]';

COMMENT ON TABLE "public"."odometer_readings" IS 'Odometer readings of vehicles, each with its date and the person who recorded it.';

COMMENT ON TABLE "public"."special_hours" IS 'Exceptions from the weekly hours: closures and special openings. Where both apply, the shop is closed. Times are wall-clock times at the shop; a range of several days is one row.';

COMMENT ON TABLE "public"."tax_rates" IS 'The sales tax rates, each with its first day. Every document keeps the rate of the day on which it was created.';

COMMENT ON TYPE "internal"."customer_details" IS 'The name and contacts that a booking, quote request or estimate states, by which its customer is found. is_trusted: the record does not look automated and is active. entered_online: a visitor entered the details, possibly with the address of another person.';

COMMENT ON VIEW "internal"."priced_lines" IS 'The lines of jobs with their amounts and the taxable parts of the amounts; a discount is negative.';

COMMENT ON VIEW "public"."technician_bookings" IS 'The bookings of the shop''s day for technicians: the time, bay, vehicle, service and first name of the customer; for own and unassigned bookings also the notes and the plate.';

COMMENT ON VIEW "public"."technician_tasks" IS 'The tasks that a technician sees: the open tasks that are assigned to the technician, and the tasks of the day''s own and unassigned bookings.';
