-- Comments that are clear at the first reading; no function behaves differently.

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.bay_can_do_service(bay uuid, service uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- The subquery returns null for a bay without rows, and when no service is given.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$function$;

CREATE OR REPLACE FUNCTION internal.begin_sample_week()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  week uuid;
begin
  -- The lock prevents bookings during the check.
  perform internal.lock_calendar();
  if internal.has_real_records() then
    return null;
  end if;
  update internal.onboarding set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$function$;

CREATE OR REPLACE FUNCTION internal.bookings_to_remind(max_rows integer)
 RETURNS SETOF public.bookings
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_quiet_hours()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Whether the customer wants reminders is only known once the booking is linked.
    and booking.customer_id is not null and internal.gets_reminders(booking.customer_id)
    -- A customer who chose this time after reminder_time needs no reminder.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- A changed duration needs no second reminder.
    and not exists (
      select from public.emails email
      where email.booking_id = booking.id and email.kind = 'booking_reminder'
        and email.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
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
  -- Not `for update`: the transaction that queues the email of the booking needs a key share lock on this row, and it has locked
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

CREATE OR REPLACE FUNCTION internal.delete_merges(customer_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  with deleted as (
    select id from public.merges where survivor_id = any (customer_ids) or duplicate_id = any (customer_ids)
  )
  delete from public.merges merge using deleted where deleted.id in (merge.id, merge.parent_merge_id);
  delete from public.merges merge using public.vehicles survivor, public.vehicles duplicate
  where merge.kind = 'vehicle' and merge.parent_merge_id is null and survivor.id = merge.survivor_id and duplicate.id = merge.duplicate_id
    and (survivor.customer_id = any (customer_ids) or duplicate.customer_id = any (customer_ids));
  -- Vehicles that the customer got from another owner can still be unmerged, but the unmerge restores no values.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  new.customer_id := internal.find_or_create_customer(
    internal.booking_customer_details(new, internal.booking_event_source('booked') = 'visitor'));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The insert continues, and the checks of the row then report the violation.
  new.customer_id := null;
  return new;
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
  -- An erasure holds this lock exclusively while it searches all bookings for the texts that it removes.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- The next run links a booking that another transaction has locked.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    booking_id := booking.id;
    problem := null;
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      problem := sqlerrm;
    end;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.merge_vehicle_rows(survivor public.vehicles, duplicate public.vehicles, in_merge uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  merge uuid;
begin
  -- First marks the duplicate as merged, so that two vehicles that are not merged never have the same plate or VIN.
  update public.vehicles set merged_into = survivor.id where id = duplicate.id;
  update public.vehicles
  set color = coalesce(color, duplicate.color), plate = coalesce(plate, duplicate.plate), vin = coalesce(vin, duplicate.vin),
      internal_note = coalesce(internal_note, duplicate.internal_note), created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, parent_merge_id, moved_rows, survivor_changes, merged_by_name)
  select 'vehicle', survivor.id, duplicate.id, in_merge, internal.move_references('vehicle', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(vehicle)), internal.author_name(null)
  from public.vehicles vehicle where id = survivor.id
  returning id into merge;
  return merge;
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
  -- The booking already has this time: a second click, or an outdated tab.
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
    -- A booking without a bay occupied no time, so it needs no bay when it becomes active again.
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

CREATE OR REPLACE FUNCTION internal.undo_cancellation_refusal(booking public.bookings, seen_sequence integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- The shop may have added a closure after the cancellation. An accepted conflict stays accepted.
    when booking.bay_id is not null and booking.conflict_accepted_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.find_bay_for_reopened_booking(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.normalize_mailbox(booking.customer_email), internal.normalize_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION public.clean_up_tasks(task_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Skips tasks that were reopened after the list was read.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$function$;

CREATE OR REPLACE FUNCTION public.create_estimate(source jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- Locks the source, so that a second call finds the estimate of the first.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- Prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
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
    -- An invalid address is left out.
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
  return jsonb_build_object('id', estimate.id, 'isNew', true);
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
    -- The caller sends the email itself; the delay prevents that the delivery job claims it first.
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

CREATE OR REPLACE FUNCTION public.record_email_sent(email_id uuid, outcome text, provider_message_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(record_email_sent.provider_message_id, 300)
  where email.id = record_email_sent.email_id;
  if outcome = 'sent' then
    perform internal.record_notified_state(record_email_sent.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = record_email_sent.email_id;
  -- A quote request is completed once its reply was sent, also by a second attempt (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = record_email_sent.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.reopen_bookings(booking_ids uuid[], new_status text DEFAULT 'confirmed'::text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- An outdated tab must not reset a vehicle that has arrived.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- The time is taken or the customer has five other bookings: this booking does not change, and the loop continues.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_customer_reminders(customer_id uuid, gets_reminders boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  survivor_id uuid;
begin
  perform internal.require_admin();
  survivor_id := internal.lock_merged_customer(set_customer_reminders.customer_id);
  if survivor_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.customers known
  set gets_reminders = set_customer_reminders.gets_reminders
  where known.id = any (internal.list_merged_customers(survivor_id)) and known.gets_reminders <> set_customer_reminders.gets_reminders
    -- 'No' changes the survivor only, so that an unmerge restores the duplicate's own setting. 'Yes' changes all records.
    and (known.id = survivor_id or set_customer_reminders.gets_reminders);
end
$function$;

COMMENT ON COLUMN "internal"."email_kinds"."is_sent_at_night" IS 'Whether emails of this kind are also sent between 9 PM and 8 AM, shop time.';

COMMENT ON COLUMN "internal"."email_kinds"."must_match" IS 'The condition for sending the message: its booking (also held or cancelled) is as stated, the estimate can be decided, or nothing.';

COMMENT ON COLUMN "internal"."erasure_rules"."reason" IS 'How the erasure replaces the column, why it is retained, or what data the column has.';

COMMENT ON COLUMN "internal"."file_cleanups"."requests" IS 'How many erasures have requested that the files are rewritten.';

COMMENT ON COLUMN "internal"."known_browsers"."attempts_left" IS 'How many more wrong passwords make the browser unknown; a correct one resets the number.';

COMMENT ON COLUMN "internal"."owner_notices"."notified_at" IS 'When the email with the notice was queued; null until then.';

COMMENT ON COLUMN "internal"."visitor_booking_limits"."name" IS 'The group whose bookings are counted: one client, the networks around it (IPv6 /56 and /48, IPv4 /24), or the whole site.';

COMMENT ON COLUMN "internal"."visitor_email_limits"."name" IS 'The group whose emails are counted: those to one mailbox, to one rare domain, from one client, for flagged forms, or of the whole site.';

COMMENT ON COLUMN "public"."authorizations"."decided_at" IS 'When the customer decided; recorded_at is when staff or the page entered the decision.';

COMMENT ON COLUMN "public"."authorizations"."relationship" IS 'The relationship to the customer of another person who decided, such as ''husband''.';

COMMENT ON COLUMN "public"."authorizations"."statement" IS 'The words of the customer, or the text on the page.';

COMMENT ON COLUMN "public"."bays"."technician" IS 'The technician who works in the bay, or null. Only staff read it.';

COMMENT ON COLUMN "public"."bookings"."is_notification_outdated" IS 'Whether date, start time or the cancellation differ from what the customer last knew; bay and duration do not count.';

COMMENT ON COLUMN "public"."bookings"."notified_cancelled" IS 'Whether the customer knows that the booking is cancelled.';

COMMENT ON COLUMN "public"."bookings"."notified_starts_at" IS 'The start, shop wall-clock time, that the customer last knew: the one they chose themselves, or the one in the last delivered notification.';

COMMENT ON COLUMN "public"."bookings"."state_changed_at" IS 'When the booking reached its current state; the dashboard shows how long an arrived vehicle has been waiting.';

COMMENT ON COLUMN "public"."emails"."resend_count" IS 'How often the admin sent the email again; each time is a new message for the mail server.';

COMMENT ON COLUMN "public"."estimate_revisions"."frozen_at" IS 'When the revision was first sent, printed or approved; null for a draft.';

COMMENT ON COLUMN "public"."estimate_revisions"."seen_at" IS 'When the customer first used the page that shows the revision.';

COMMENT ON COLUMN "public"."estimate_revisions"."sent_at" IS 'When the revision was last emailed to the customer.';

COMMENT ON COLUMN "public"."estimates"."changed_by" IS 'The username of the admin who last saved the estimate.';

COMMENT ON COLUMN "public"."quote_requests"."flagged_reasons" IS 'The reasons why the request looks automated; empty for an ordinary one. A flagged request is not deleted.';

COMMENT ON DOMAIN "internal"."action_outcome" IS 'The result of a customer''s action: done (the change, or unchanged) or refused (the reason), never both.';

COMMENT ON FUNCTION "internal"."begin_settings_change"(text, integer) IS 'Starts a change of a settings list by the admin: refuses an outdated version (TT051) and locks the calendar, so that no visitor books at the same time.';

COMMENT ON FUNCTION "internal"."booking_change_context"() IS 'The values that a procedure passes to the triggers of bookings: {source, reason, warnings, allow_without_bay}.';

COMMENT ON FUNCTION "internal"."complete_booking"() IS 'Stores the current name and price of the service, the time that the customer was notified of, and the text for the search.';

COMMENT ON FUNCTION "internal"."describe_held_bookings"() IS 'Held bookings that are not confirmed yet, the 50 that expire first.';

COMMENT ON FUNCTION "internal"."describe_job_scope"(uuid, integer, uuid) IS 'The scope of a job of a revision: its title and lines, without the explanation.';

COMMENT ON FUNCTION "internal"."fill_search_text"() IS 'Computes search_text and ignores the value that was written.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. Without an email address the only holder of the number matches under any name. With a new email address, a customer who has another one matches only where the name fits no other customer.';

COMMENT ON FUNCTION "internal"."increment_booking_version"() IS 'Increments the version of a booking, except for changes of the internal note and of what the customer was notified of; increments calendar_sequence and sets state_changed_at where they change. Runs before release_hold: triggers run in the order of their names.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'The paid amount of an invoice: the sum of its payments, or its total where Stripe reports another payment.';

COMMENT ON FUNCTION "internal"."list_arrived_bookings"(timestamp without time zone) IS 'Bookings whose customer has arrived and whose vehicle is not in work yet, of any date; none that ended over 14 days ago.';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose files have to be rewritten now, with the number of requests to record afterwards; none by day or within ten minutes of a booking.';

COMMENT ON FUNCTION "internal"."list_searchable_identifiers"(uuid[]) IS 'The identifiers that an erasure searches for in records of other customers: no names, nothing that also belongs to another person, and nothing from automated requests only.';

COMMENT ON FUNCTION "internal"."lock_calendar"() IS 'Locks the calendar until the transaction ends: one change of bookings by staff at a time, and no booking by a visitor. Always the first lock that is taken, so that no two transactions deadlock.';

COMMENT ON FUNCTION "internal"."needs_notification"(public.bookings) IS 'Whether the customer of a booking has to be notified of a change: what they last knew is outdated, and the appointment is not over.';

COMMENT ON FUNCTION "internal"."prevent_authorization_delete"() IS 'Prevents that any role deletes authorizations within three years.';

COMMENT ON FUNCTION "internal"."prevent_retained_record_delete"() IS 'Prevents that any role deletes records of a repair with a sent estimate within three years (BPC 9884.11).';

COMMENT ON FUNCTION "internal"."prevent_sent_estimate_delete"() IS 'Prevents that any role deletes a sent estimate within three years.';

COMMENT ON FUNCTION "internal"."read_sent_revision"(uuid) IS 'The latest frozen revision of an estimate as its customer sees it; null before a revision was frozen.';

COMMENT ON FUNCTION "internal"."record_notified_state"(uuid) IS 'Records in the booking that a delivered email informed the customer of the start time or the cancellation.';

COMMENT ON FUNCTION "internal"."roll_back_preview"() IS 'Raises TT050. The block that catches it is rolled back, so a preview computes the result of a change without changing anything.';

COMMENT ON FUNCTION "internal"."search_vehicles"(text, integer) IS 'Vehicles with every word in year, make, model, plate or VIN, regardless of punctuation; exact plate or VIN first.';

COMMENT ON FUNCTION "internal"."set_authorization_amounts"() IS 'Computes the amounts of an authorization and ignores the amounts that were passed.';

COMMENT ON FUNCTION "internal"."survivor_changes"(jsonb, jsonb) IS 'The columns of the surviving record that a merge changed: {column: {before, after}}.';

COMMENT ON FUNCTION "public"."check_booking_time"(uuid, date, time without time zone, integer, uuid, uuid) IS 'The result that book_by_phone, or move_booking of ignored_booking_id, would have now: the bay, the warnings, the hint of the error (slot_taken, bay_cannot_do_service, bay_not_active), the conflicting bookings, and free_times [{date, time, bay_ids}].';

COMMENT ON FUNCTION "public"."preview_erasure"(uuid) IS 'The effect of erasing a customer (contracts/customers.ts): open records that prevent it, retained records, and counts.';

COMMENT ON FUNCTION "public"."read_customer_highlights"(uuid, uuid) IS 'Hints for staff beside a booking or during a phone booking: missed appointments, the last one before this, other upcoming ones, jobs declined last, open estimates (docs/product.md 16.25).';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

COMMENT ON SCHEMA "internal" IS 'Objects for the server only; the data API does not expose them.';

COMMENT ON TABLE "internal"."erasure_rules" IS 'The treatment of each text and jsonb column when a customer is erased. A test fails for a column without a row.';

COMMENT ON TABLE "internal"."known_browsers" IS 'Browsers from which an admin has signed in. They have their own number of attempts; the row alone signs no one in.';

COMMENT ON TABLE "internal"."merge_rules" IS 'The rule of a merge for each foreign key to customers and vehicles: its rows move to the surviving record, or stay. A merge is refused while a foreign key has no rule.';

COMMENT ON TABLE "public"."authorizations" IS 'The approvals and refusals of customers: one row per job and decision. Rows are never changed or deleted. [append-only]';

COMMENT ON TABLE "public"."services" IS 'The services that customers can book. Only the admin changes them.';

COMMENT ON TYPE "internal"."customer_details" IS 'Name and contacts as a record states them, by which a customer is found. is_trusted: the record does not look automated and is active. entered_online: a visitor entered the details, possibly with the address of another person.';

COMMENT ON TYPE "internal"."personal_identifier" IS 'A part of a text that identifies a customer: a name, an email address, a normalized phone number, a plate or a VIN.';
