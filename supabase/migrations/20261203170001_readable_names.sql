-- New names of local variables, and comments in the words of the glossary. The last four functions differ from the former
-- ones in aliases alone.
set local search_path = pg_catalog;

set local check_function_bodies = off;

COMMENT ON COLUMN "public"."bays"."version" IS NULL;

COMMENT ON COLUMN "public"."booking_rules"."version" IS NULL;

COMMENT ON COLUMN "public"."canned_jobs"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."customers"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."customers"."version" IS NULL;

COMMENT ON COLUMN "public"."employees"."version" IS NULL;

COMMENT ON COLUMN "public"."estimates"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."estimates"."version" IS NULL;

COMMENT ON COLUMN "public"."quote_requests"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."services"."version" IS NULL;

COMMENT ON COLUMN "public"."shop"."version" IS NULL;

COMMENT ON COLUMN "public"."tasks"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."vehicles"."is_sample" IS NULL;

COMMENT ON COLUMN "public"."vehicles"."version" IS NULL;

COMMENT ON FUNCTION "internal"."action_refused"(text) IS NULL;

COMMENT ON FUNCTION "internal"."add_estimate_event"(uuid, text, jsonb, jsonb) IS NULL;

COMMENT ON FUNCTION "internal"."add_sample_quote"(jsonb) IS NULL;

COMMENT ON FUNCTION "internal"."booking_customer_details"(public.bookings, boolean) IS NULL;

COMMENT ON FUNCTION "internal"."booking_last_changed_at"(public.bookings) IS NULL;

COMMENT ON FUNCTION "internal"."booking_starts_at"(public.bookings) IS NULL;

COMMENT ON FUNCTION "internal"."customer_of_estimate"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."delete_estimate_events"() IS NULL;

COMMENT ON FUNCTION "internal"."describe_customer_hit"(public.customers, date) IS NULL;

COMMENT ON FUNCTION "internal"."describe_customer_invoice"(public.invoices) IS NULL;

COMMENT ON FUNCTION "internal"."describe_document_hit"(text, text) IS NULL;

COMMENT ON FUNCTION "internal"."describe_estimate_history"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."details_of_record"(jsonb, text[]) IS NULL;

COMMENT ON FUNCTION "internal"."estimate_customer_details"(public.estimates) IS NULL;

COMMENT ON FUNCTION "internal"."find_customer"(internal.customer_details) IS NULL;

COMMENT ON FUNCTION "internal"."has_erasures"() IS NULL;

COMMENT ON FUNCTION "internal"."is_erased"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."is_hazardous_waste_fee"(text) IS NULL;

COMMENT ON FUNCTION "internal"."is_sample_estimate"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."is_sample_invoice"(text) IS NULL;

COMMENT ON FUNCTION "internal"."link_quote_request"() IS NULL;

COMMENT ON FUNCTION "internal"."list_contact_keys"(uuid[]) IS NULL;

COMMENT ON FUNCTION "internal"."lock_booking"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."lock_customer"(uuid, integer) IS NULL;

COMMENT ON FUNCTION "internal"."lock_vehicle"(uuid, integer) IS NULL;

COMMENT ON FUNCTION "internal"."name_words"(text) IS NULL;

COMMENT ON FUNCTION "internal"."quote_request_customer_details"(public.quote_requests) IS NULL;

COMMENT ON FUNCTION "internal"."read_estimate_invoice"(uuid) IS NULL;

COMMENT ON FUNCTION "internal"."request_cleanup_after_erasure"() IS NULL;

COMMENT ON FUNCTION "internal"."require_reason"(text) IS NULL;

COMMENT ON FUNCTION "internal"."special_hours_of_day"(date) IS NULL;

COMMENT ON FUNCTION "internal"."unarchive_reopened_task"() IS NULL;

COMMENT ON FUNCTION "public"."add_customer_note"(uuid, text) IS NULL;

COMMENT ON FUNCTION "public"."add_task_note"(uuid, text, text, text) IS NULL;

COMMENT ON FUNCTION "public"."delete_customer_note"(uuid) IS NULL;

COMMENT ON FUNCTION "public"."remove_odometer_reading"(uuid) IS NULL;

CREATE OR REPLACE FUNCTION internal.address_question_state(booking public.bookings)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (EXISTS (SELECT FROM internal.address_answers answer WHERE (answer.booking_id = (address_question_state.booking).id))) THEN 'answered'::text WHEN (internal.is_standing(booking) AND (internal.typed_email(booking) IS NOT NULL) AND ((booking).created_at > (now() - '30 days'::interval)) AND (EXISTS (SELECT FROM public.emails email WHERE ((email.booking_id = (address_question_state.booking).id) AND (email.kind = 'address_question'::text) AND internal.is_their_email((address_question_state.booking).customer_id, email.recipient_email))))) THEN 'open'::text ELSE 'closed'::text END;

CREATE OR REPLACE FUNCTION internal.addresses_to_ask(max_rows integer)
 RETURNS TABLE(booking_id uuid, recipient_email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select booking.id, customer.email
  from public.bookings booking join public.customers customer on customer.id = booking.customer_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_upcoming(booking) and internal.is_standing(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_quiet_hours()
    and internal.typed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(customer.id) is not null
    -- Once for each address, however often it is typed.
    and not exists (
      select from public.bookings earlier join public.emails email on email.booking_id = earlier.id
      where earlier.customer_id = booking.customer_id and lower(trim(earlier.customer_email)) = lower(trim(booking.customer_email))
        and email.kind = 'address_question')
  order by booking.created_at, booking.id
  limit max_rows
$function$;

CREATE OR REPLACE FUNCTION internal.answer_address_question(booking_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  owner_id uuid;
begin
  -- A merge locks its customers and then updates bookings; a key share lock does not wait for these updates.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_contact_keys(array[lower(trim(booking.customer_email))]);
  owner_id := internal.lock_merged_customer(booking.customer_id);
  if owner_id is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(owner_id, booking.customer_email, 'customer');
  return 'confirmed';
end
$function$;

CREATE OR REPLACE FUNCTION internal.backfill_booking_customers(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return 0;
  end if;
  -- An erasure holds this lock exclusively while it searches all bookings.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- A locked row is left for the next call.
    select waiting from public.bookings waiting where customer_id is null order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    perform internal.link_booking_now(booking);
  end loop;
  return cardinality(batch);
end
$function$;

CREATE OR REPLACE FUNCTION internal.backfill_quote_request_customers(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  batch constant public.quote_requests[] := array(
    select quote from public.quote_requests quote where customer_id is null order by created_at, id limit max_rows for update skip locked);
  quote public.quote_requests;
  found_id uuid;
begin
  perform internal.lock_contact_keys(array(select unnest(array[lower(trim(email)), internal.normalize_phone(phone)]) from unnest(batch)));
  foreach quote in array batch loop
    found_id := internal.find_or_create_customer(internal.quote_request_customer_details(quote));
    update public.quote_requests
    set customer_id = found_id, vehicle_id = internal.find_or_create_vehicle(found_id, row(
          quote.vehicle_year, quote.vehicle_make, quote.vehicle_model, null, null, null), quote.created_at, quote.is_sample)
    where id = quote.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$function$;

CREATE OR REPLACE FUNCTION internal.bay_can_do_service(bay uuid, service uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- Null for a bay without rows, or when no service is given.
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
  -- Nobody books during the check.
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
    -- A customer who chose this time after reminder_time knows it.
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

CREATE OR REPLACE FUNCTION internal.check_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Abbreviations and offsets, which `at time zone` accepts, have no daylight saving time, and browsers reject them.
  if new.time_zone !~ '^[A-Z][A-Za-z]+/[A-Za-z/_+0-9-]+$' and new.time_zone <> 'UTC'
     or not exists (select from pg_timezone_names where name = new.time_zone) then
    raise exception 'There is no time zone of this name.' using errcode = 'TT052', hint = 'time_zone_unknown';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.choose_bay(wanted tsrange, service uuid, bay uuid, own_bay uuid, ignored_booking_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  chosen uuid := bay;
begin
  if bay is not null and not exists (select from public.bays where id = bay and is_active) then
    raise exception 'This bay is not active.' using errcode = 'TT065', hint = 'bay_not_active';
  end if;
  if bay is not null and not internal.bay_can_do_service(bay, service) then
    raise exception 'This bay does not do this service.' using errcode = 'TT064', hint = 'bay_cannot_do_service';
  end if;
  if bay is null then
    select id into chosen from public.bays
    where id = own_bay and is_active and internal.bay_can_do_service(own_bay, service)
      and not internal.is_bay_taken(own_bay, wanted, ignored_booking_id);
    chosen := coalesce(chosen, internal.find_bay_for_staff(service, wanted, ignored_booking_id));
  end if;
  if chosen is null or internal.is_bay_taken(chosen, wanted, ignored_booking_id) then
    perform internal.raise_slot_taken_by(wanted, service, bay, ignored_booking_id);
  end if;
  return chosen;
end
$function$;

CREATE OR REPLACE FUNCTION internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or a retry after a crash, gets the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  latest := internal.freeze_revision(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), changed_by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.job_key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.job_key, estimate.id);
  return internal.describe_claim(claim);
end
$function$;

CREATE OR REPLACE FUNCTION internal.claim_link_request()
 RETURNS SETOF public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  request record;
begin
  delete from internal.visit_link_requests where requested_at < now() - interval '1 day';
  for request in
    select mailbox_digest, mailbox from internal.visit_link_requests
    where mailbox is not null order by requested_at for update skip locked
  loop
    update internal.visit_link_requests set mailbox = null where mailbox_digest = request.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.normalize_mailbox(booking.customer_email) = request.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Sample customers get no email.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- One email per transaction; a mailbox without upcoming bookings gets none.
    exit when found;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.confirm_email(wanted_customer_id uuid, email text, changed_by_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform internal.add_contact_methods(wanted_customer_id, confirm_email.email, null, true);
  update public.customer_contact_methods contact set confirmed_by_name = left(changed_by_name, 100)
  where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(confirm_email.email));
  -- Updates the row even if nothing changes, so that its trigger notifies open dashboards.
  update public.customers known set email = coalesce(known.email, trim(confirm_email.email)) where known.id = wanted_customer_id;
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
    not internal.was_typed_online(booking.id) or internal.is_confirmed_email(booking.customer_id, booking.customer_email));
  return new_customer_id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.customer_totals(wanted_customer_id uuid, today date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'visits', count(*) filter (where internal.customer_came(booking, today)),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'ahead', count(*) filter (where internal.is_upcoming(booking)),
    'lastVisit', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'paidCents', (select coalesce(sum(internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice where invoice.customer_id = wanted_customer_id),
    'openCents', (select coalesce(sum(invoice.total_cents - internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice
                  where invoice.customer_id = wanted_customer_id and invoice.status = 'open'),
    'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                      and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
  from public.bookings booking where booking.customer_id = wanted_customer_id
$function$;

CREATE OR REPLACE FUNCTION internal.decide_estimate(estimate_id uuid, revision_hash text, approved uuid[], decided_by_name text, statement text, wants_parts_back boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(decide_estimate.estimate_id, null);
  sent constant public.estimate_revisions := internal.latest_sent_revision(estimate.id);
  new_batch_id constant uuid := gen_random_uuid();
begin
  if sent.hash is distinct from decide_estimate.revision_hash then
    return 'version_conflict';
  end if;
  case internal.sent_revision_state(sent)
    when 'closed' then return 'closed';
    when 'decided' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- A later draft does not matter: the customer decides on the revision that the page shows.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, wants_parts_back, decided_at, recorded_by)
  select estimate.id, sent.revision, sent.hash, totals.job_key, new_batch_id,
    case when totals.job_key = any (approved) then 'approved' else 'declined' end,
    'web', trim(decide_estimate.decided_by_name), estimate.customer_email, decide_estimate.statement, decide_estimate.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = sent.revision
    and not coalesce(authorized.revision = sent.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, sent.revision, totals.job_key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set decided_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = sent.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.batch_id = new_batch_id and line.decision = 'approved') then 'approved' else 'declined' end;
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
  -- An unmerge of vehicles that the customer got from another owner stays possible, but restores no values.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$function$;

CREATE OR REPLACE FUNCTION internal.describe_customer_task(task public.tasks)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (task).id, 'title', (task).title, 'status', (task).status, 'createdAt', (task).created_at, 'bookingId', (task).booking_id);

CREATE OR REPLACE FUNCTION internal.describe_document_hit(kind text, id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE kind WHEN 'estimate'::text THEN (SELECT (internal.describe_customer_estimate(estimate.*) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)) FROM public.estimates estimate WHERE (estimate.id = (describe_document_hit.id)::uuid)) ELSE (SELECT (internal.describe_customer_invoice(invoice.*) || jsonb_build_object('kind', 'invoice', 'name', invoice.customer_name)) FROM public.invoices invoice WHERE (invoice.invoice_id = describe_document_hit.id)) END;

CREATE OR REPLACE FUNCTION internal.describe_invoice_records(invoice_ids text[])
 RETURNS TABLE(invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint, fees_cents bigint, sublet_cents bigint, discount_cents bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select invoice.invoice_id, invoice.customer_name, customer.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount
  from public.invoices invoice
  left join public.customers customer on customer.id = invoice.customer_id
  left join public.estimate_invoices claim on claim.invoice_id = invoice.invoice_id
  left join public.estimates estimate on estimate.id = claim.estimate_id
  left join lateral (
    select coalesce(sum(line.cents) filter (where line.kind = 'part'), 0)::bigint as parts,
      coalesce(sum(line.cents) filter (where line.kind = 'labor'), 0)::bigint as labor,
      coalesce(sum(line.cents) filter (where line.kind = 'fee'), 0)::bigint as fees,
      coalesce(sum(line.cents) filter (where line.kind = 'sublet'), 0)::bigint as sublet,
      coalesce(sum(line.cents) filter (where line.kind = 'discount'), 0)::bigint as discount
    from public.estimate_invoice_jobs billed
    join internal.priced_lines line
      on (line.estimate_id, line.revision, line.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
    where billed.claim_id = claim.id
    having count(*) > 0
  ) sums on true
  where invoice.invoice_id = any (invoice_ids)
$function$;

CREATE OR REPLACE FUNCTION internal.describe_schedule_conflicts()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(to_jsonb(schedule_conflict.*) ORDER BY schedule_conflict.appointment_date, schedule_conflict.appointment_time, schedule_conflict.booking_id), '[]'::jsonb) AS "coalesce" FROM (SELECT schedule_conflicts.booking_id, schedule_conflicts.appointment_date, schedule_conflicts.appointment_time, schedule_conflicts.duration_minutes, schedule_conflicts.customer_name, schedule_conflicts.service_name, schedule_conflicts.problem FROM public.schedule_conflicts ORDER BY schedule_conflicts.appointment_date, schedule_conflicts.appointment_time, schedule_conflicts.booking_id LIMIT 500) schedule_conflict);

CREATE OR REPLACE FUNCTION internal.describe_undelivered_emails()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', email.id, 'kind', email.kind, 'recipient_name', email.recipient_name, 'recipient_email', email.recipient_email,
    'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', email.booking_id,
    'appointment_date', booking.appointment_date, 'quote_request_id', email.quote_request_id, 'created_at', email.created_at
  ) order by email.created_at, email.id), '[]')
  from internal.list_undelivered_emails() email
  left join public.bookings booking on booking.id = email.booking_id
  left join public.quote_requests quote on quote.id = email.quote_request_id
$function$;

CREATE OR REPLACE FUNCTION internal.describe_week_load(monday date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_agg(jsonb_build_object('day', load.day, 'cars', load.booking_count, 'done', COALESCE(done.bookings, 0), 'open_minutes', load.open_minutes) ORDER BY load.day) AS jsonb_agg FROM (public.read_daily_loads(describe_week_load.monday, 7) load(day, booking_count, open_minutes) LEFT JOIN (SELECT bookings.appointment_date, (count(*))::integer AS bookings FROM public.bookings WHERE (((bookings.appointment_date >= describe_week_load.monday) AND (bookings.appointment_date <= (describe_week_load.monday + 6))) AND (bookings.completed_at IS NOT NULL) AND (bookings.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text, 'no_show'::text]))) GROUP BY bookings.appointment_date) done ON ((done.appointment_date = load.day))));

CREATE OR REPLACE FUNCTION internal.end_data_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- On a hosted project without the right to delete sessions, its own API ends them.
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.end_link_of_old_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.estimate_revisions where estimate_id = new.id and sent_at is not null) then
    new.link_version := old.link_version + 1;
    -- An erasure also empties the address, but is not a change by the admin.
    if internal.is_admin() then
      perform internal.add_estimate_event(new.id, 'address_changed',
        jsonb_build_object('email', old.customer_email), jsonb_build_object('email', new.customer_email));
    end if;
  end if;
  return new;
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
  -- The calendar is locked, so every booking is linked to its customer after this.
  perform internal.backfill_booking_customers(1000);
  merged_ids := internal.list_merged_customers(erase_customer.customer_id);
  -- The order of locks in every change of records: estimates, contact keys, customers.
  perform from public.estimates estimate where estimate.customer_id = any (merged_ids) or estimate.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(merged_ids));
  customer := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(customer.id);
  if internal.list_open_records(customer.id) <> '[]' then
    raise exception 'This customer has open records.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(customer.id)::text;
  end if;
  retained_records := internal.list_retained_records(customer.id);
  counts := internal.count_customer_records(customer.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- Before the rows are changed, while each record still has its customer.
  changed_texts := internal.erase_texts(merged_ids, left_out);
  -- Again, because redacting settings has added rows to their history.
  perform internal.erase_texts(merged_ids, left_out, 'public.settings_history');
  perform internal.delete_merges(merged_ids);
  email_ids := internal.erase_customer_emails(merged_ids);
  perform internal.erase_customer_estimates(merged_ids, internal.shop_now()::date);
  perform internal.erase_customer_rows(merged_ids);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    customer.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), retained_records,
    (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('letters', to_jsonb(email_ids), 'kept', retained_records, 'counts', counts);
end
$function$;

CREATE OR REPLACE FUNCTION internal.erase_customer_emails(customer_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  erased_id uuid;
  deleted_ids uuid[] := '{}';
begin
  foreach erased_id in array customer_ids loop
    deleted_ids := deleted_ids || array(select id from internal.list_customer_emails(erased_id));
  end loop;
  deleted_ids := deleted_ids || array(select internal.list_undelivered_notices(deleted_ids));
  delete from public.quote_email_logs
  where email_id = any (deleted_ids) or quote_request_id in (select id from public.quote_requests where customer_id = any (customer_ids));
  delete from internal.visitor_emails where dedupe_key in (select dedupe_key from public.emails where id = any (deleted_ids));
  delete from internal.visit_link_requests request
  using public.customer_contact_methods contact
  where contact.customer_id = any (customer_ids) and contact.kind = 'email' and request.mailbox = internal.normalize_mailbox(contact.value);
  -- Queued emails are deleted too and not sent.
  delete from public.emails where id = any (deleted_ids);
  return deleted_ids;
end
$function$;

CREATE OR REPLACE FUNCTION internal.erase_customer_estimates(customer_ids uuid[], until date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  deleted_ids constant uuid[] := array(
    select id from public.estimates
    where customer_id = any (customer_ids) and coalesce(internal.retained_until(internal.last_frozen_at(id)), '-infinity') < until);
begin
  update public.tasks set estimate_id = null, estimate_job_key = null where estimate_id = any (deleted_ids);
  delete from public.authorizations where estimate_id = any (deleted_ids);
  delete from public.estimate_invoices where estimate_id = any (deleted_ids);
  delete from public.estimates where id = any (deleted_ids);
end
$function$;

CREATE OR REPLACE FUNCTION internal.erase_customer_rows(customer_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from internal.form_origins
  where booking_id in (select id from public.bookings where customer_id = any (customer_ids))
     or quote_request_id in (select id from public.quote_requests where customer_id = any (customer_ids));
  -- The new link_version makes links to the visit page invalid.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, internal_note = null, vehicle_color = null,
      link_version = link_version + 1
  where customer_id = any (customer_ids);
  update public.estimates set link_version = link_version + 1 where customer_id = any (customer_ids);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where customer_id = any (customer_ids);
  update public.vehicles set plate = null, vin = null, color = null, internal_note = null where customer_id = any (customer_ids);
  delete from public.customer_notes where customer_id = any (customer_ids);
  delete from public.customer_contact_methods where customer_id = any (customer_ids);
  update public.customers set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (customer_ids);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$function$;

CREATE OR REPLACE FUNCTION internal.erase_texts(customer_ids uuid[], left_out text[], only_table text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  found record;
  statement text;
  erased jsonb;
  changed integer := 0;
begin
  for found in
    select * from internal.find_texts(customer_ids, only_table) text_found where text_found.is_own or text_found.text_key <> all (left_out)
  loop
    statement := format('update %s one set %I = %s where (%s) = $2', (found.rule).table_name, (found.rule).column_name,
      case when (select atttypid from pg_catalog.pg_attribute
                 where attrelid = (found.rule).table_name::regclass and attname = (found.rule).column_name) = 'jsonb'::regtype
        then '$1' else '$1 #>> ''{}''' end,
      (found.rule).row_key);
    erased := internal.redact(found.content, found.pattern, (found.rule).longest);
    begin
      execute statement using erased, found.row_id;
    exception when unique_violation then
      -- Two texts that differed in the name only are equal now; a suffix keeps the unique column valid.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$function$;

CREATE OR REPLACE FUNCTION internal.estimate_customer_details(estimate public.estimates)
 RETURNS internal.customer_details
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- A migration calls this before the column exists.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false), false)::internal.customer_details;
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_bay_for_reopened_booking(booking public.bookings)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- Its own bay, even if the hours have changed since.
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

CREATE OR REPLACE FUNCTION internal.find_bookings_by_words(search text)
 RETURNS SETOF public.bookings
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  max_rows constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index finds one or two letters; they are looked for among the latest bookings.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      max_rows, conditions)
    else format('select * from public.bookings where %s limit %s', conditions, max_rows)
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_customer(customer internal.customer_details)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  email_key constant text := nullif(lower(trim(customer.email)), '');
  phone_key constant text := internal.normalize_phone(customer.phone);
  found_id uuid;
  locked_id uuid;
begin
  loop
    found_id := coalesce(
      case when email_key is not null then internal.find_customer_by_email(email_key, customer.name) end,
      case when phone_key is not null then internal.find_customer_by_phone(phone_key, customer.name, email_key is not null) end);
    exit when found_id is null;
    -- Waits for a concurrent merge or erasure; the next pass then finds the surviving customer, or none.
    select id into locked_id from public.customers where id = found_id and merged_into is null and erased_at is null for key share;
    exit when locked_id is not null;
  end loop;
  return found_id;
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
    -- After a split several customers have the address; then the name decides.
    order by lower(customer.name) = lower(find_customer_by_email.name) desc, internal.names_agree(customer.name, find_customer_by_email.name) desc,
             customer.created_at, customer.id
    limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_customer_by_phone(phone_key text, name text, has_email boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    with latest as materialized (
      -- A number that hundreds of customers typed belongs to none of them; reading 50 rows limits the cost.
      select customer_id from public.customer_contact_methods where kind = 'phone' and match_key = phone_key order by id desc limit 50
    ),
    known as (
      select distinct customer.id, customer.created_at,
             lower(customer.name) = lower(find_customer_by_phone.name) as is_name,
             internal.names_agree(customer.name, find_customer_by_phone.name) as agrees,
             has_email and exists (
               select from public.customer_contact_methods address where address.customer_id = customer.id and address.kind = 'email') as has_another
      from latest join public.customers customer on customer.id = latest.customer_id
      where customer.merged_into is null
    )
    select id from known
    where case
      -- The email address differs, so this may be a relative with the same number, unless the name fits only one customer.
      when has_another then
        is_name and (select count(*) from known where is_name) = 1 or agrees and (select count(*) from known where agrees) = 1
      else agrees or (not has_email and (select count(*) from known) = 1)
    end
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_or_create_customer(customer internal.customer_details)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  found_id uuid;
  -- An address typed by a visitor is saved for a new customer only, never for an existing one.
  own_email constant text := case when not customer.typed_online then nullif(trim(customer.email), '') end;
begin
  perform internal.lock_contact_keys(array[lower(trim(customer.email)), internal.normalize_phone(customer.phone)]);
  found_id := internal.find_customer(customer);
  if found_id is null then
    insert into public.customers (name, email, phone, created_at, is_sample)
    values (trim(customer.name), nullif(trim(customer.email), ''), nullif(trim(customer.phone), ''), customer.seen_at, customer.is_sample)
    returning id into found_id;
    perform internal.add_contact_methods(found_id, customer.email, customer.phone, not customer.typed_online);
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
  elsewhere constant internal.personal_identifier[] := internal.sought_elsewhere(customer_ids);
  own_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.words), '|') from unnest(own) known);
  other_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.words), '|') from unnest(elsewhere) known);
  needles constant text[] := array(select distinct internal.identifier_needle(known.kind, known.words) from unnest(own) known);
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

CREATE OR REPLACE FUNCTION internal.find_vehicle(wanted_customer_id uuid, vehicle internal.vehicle_details)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select known.id from public.vehicles known
    where known.customer_id = wanted_customer_id and known.merged_into is null
      and (known.vin = vehicle.vin or known.plate_key = internal.plate_key(vehicle.plate)
           or known.vehicle_key = internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model)
              -- Two vehicles of the same model differ by VIN or plate.
              and coalesce(known.vin = vehicle.vin, true) and coalesce(known.plate_key = internal.plate_key(vehicle.plate), true))
    order by known.vin = vehicle.vin desc nulls last, known.plate_key = internal.plate_key(vehicle.plate) desc nulls last,
             known.created_at desc, known.id
    limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.has_change_email(booking public.bookings)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM public.emails email WHERE ((email.booking_id = (has_change_email.booking).id) AND (email.dedupe_key = ANY (ARRAY[((('booking:'::text || (has_change_email.booking).id) || ':moved:'::text) || (has_change_email.booking).calendar_sequence), ((('booking:'::text || (has_change_email.booking).id) || ':cancelled:'::text) || (has_change_email.booking).calendar_sequence), ((('booking:'::text || (has_change_email.booking).id) || ':restored:'::text) || (has_change_email.booking).calendar_sequence)])))));

CREATE OR REPLACE FUNCTION internal.has_ten_customers(host text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Steps from one mailbox to the next in the index: ten reads, however many bookings each has.
  with recursive found (mailbox, nth) as (
    (
      select internal.normalize_mailbox(customer_email), 1 from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
      order by internal.normalize_mailbox(customer_email) limit 1
    )
    union all
    select (
      select internal.normalize_mailbox(customer_email) from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
        and internal.normalize_mailbox(customer_email) > found.mailbox
      order by internal.normalize_mailbox(customer_email) limit 1
    ), nth + 1
    from found where mailbox is not null and nth < 10
  )
  select count(mailbox) = 10 from found
$function$;

CREATE OR REPLACE FUNCTION internal.increment_booking_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Changes of these columns do not increment the version; generated columns are not computed yet in a before trigger.
  apart constant text[] := array[
    'internal_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.internal_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.internal_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_changed_at := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_bay_taken(bay uuid, wanted tsrange, ignored_booking_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- An expired hold frees its time before a job ends it.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_known_customer(email text, phone text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.customer_contact_methods address
    join public.customer_contact_methods number
      on number.customer_id = address.customer_id and number.kind = 'phone' and number.match_key = internal.normalize_phone(is_known_customer.phone)
    join public.customers customer on customer.id = address.customer_id and customer.merged_into is null and customer.erased_at is null
    where address.kind = 'email' and address.match_key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- The data of the sample week is public.
        where done.customer_id = customer.id and done.completed_at is not null and not done.is_sample)
  );
end
$function$;

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
                  and lower(trim(booking.customer_email)) = email_key and internal.is_standing(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$function$;

CREATE OR REPLACE FUNCTION internal.is_vin(value text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- 49 CFR 565.15: each character has a value and a weight; the ninth character is the weighted sum modulo 11.
  select value ~ '^[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}$' and (
    select sum(translate(substr(value, place, 1), 'ABCDEFGHJKLMNPRSTUVWXYZ', '12345678123457923456789')::integer
               * (array[8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2])[place]) % 11
    from generate_series(1, 17) place where place <> 9
  ) = case substr(value, 9, 1) when 'X' then 10 else nullif(substr(value, 9, 1), '')::integer end
$function$;

CREATE OR REPLACE FUNCTION internal.latest_sent_revision(wanted_id uuid)
 RETURNS public.estimate_revisions
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT sent.*::public.estimate_revisions AS sent FROM public.estimate_revisions sent WHERE ((sent.estimate_id = latest_sent_revision.wanted_id) AND (sent.frozen_at IS NOT NULL)) ORDER BY sent.revision DESC LIMIT 1);

CREATE OR REPLACE FUNCTION internal.link_estimate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_same_customer constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_same_vehicle constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_vehicle constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former_customer_id constant uuid := new.customer_id;
  former_vehicle_id constant uuid := new.vehicle_id;
  source record;
begin
  perform internal.link_waiting_booking(new.booking_id);
  select customer_id, vehicle_id into source from public.bookings where id = new.booking_id and not internal.is_erased(customer_id);
  if source.customer_id is null then
    select customer_id, vehicle_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(customer_id);
  end if;
  if tg_op = 'UPDATE' and not is_same_customer and internal.names_another_customer(new) then
    new.customer_id := internal.find_customer(internal.estimate_customer_details(new));
  elsif tg_op = 'UPDATE' and internal.last_frozen_at(new.id) is not null and former_customer_id is not null and not internal.is_erased(former_customer_id)
      and (is_same_customer or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- A corrected email address or phone number is still the same customer's, even if another customer has it too.
    new.customer_id := former_customer_id;
  else
    new.customer_id := coalesce(
      source.customer_id, case when is_same_customer and not internal.is_erased(former_customer_id) then former_customer_id end,
      internal.find_customer(internal.estimate_customer_details(new)), former_customer_id);
  end if;
  if new.customer_id is null then
    new.vehicle_id := null;
  elsif not coalesce(is_same_vehicle and new.customer_id = former_customer_id and new.vehicle_id is not null, false) then
    new.vehicle_id := coalesce(
      internal.find_vehicle(new.customer_id, internal.estimate_vehicle_details(new)),
      -- A corrected plate or VIN is still the same vehicle's.
      case when not is_another_vehicle and internal.last_frozen_at(new.id) is not null and new.customer_id = former_customer_id then former_vehicle_id end,
      case when not is_another_vehicle then source.vehicle_id end);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_invoice(invoice jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  estimate public.estimates;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  update public.invoices
  set number = invoice ->> 'number', status = invoice ->> 'status', total_cents = (invoice ->> 'total_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  owner_id := coalesce(estimate.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, estimate.vehicle_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, invoice ->> 'currency', invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_sent_estimate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.customer_id := coalesce(estimate.customer_id, internal.find_or_create_customer(internal.estimate_customer_details(estimate)));
  -- Plate and VIN belong to the vehicle of the booking, if there is one.
  estimate.vehicle_id := coalesce(
    internal.fill_missing_plate_and_vin(estimate.vehicle_id, internal.estimate_vehicle_details(estimate)),
    internal.find_or_create_vehicle(estimate.customer_id, internal.estimate_vehicle_details(estimate), estimate.created_at, false));
  update public.estimates set customer_id = estimate.customer_id, vehicle_id = estimate.vehicle_id where id = estimate.id;
  if estimate.vehicle_id is not null and estimate.odometer_miles is not null then
    insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
    select estimate.vehicle_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
    where not exists (
      select from public.odometer_readings known
      where known.vehicle_id = estimate.vehicle_id and known.miles = estimate.odometer_miles);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.list_appointment_records(after_date date, after_time time without time zone, after_id uuid, until date, max_rows integer)
 RETURNS TABLE(id uuid, appointment_date date, appointment_time time without time zone, service text, minutes integer, price_cents integer, state text, is_held boolean, customer text, email text, phone text, vehicle text, plate text, bay text, booked_on date, source text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select booking.id, booking.appointment_date, booking.appointment_time, booking.service_name, booking.duration_minutes,
    booking.service_price_cents, internal.booking_state(booking), booking.held_until is not null, booking.customer_name,
    booking.customer_email, booking.customer_phone,
    internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model), vehicle.plate, bay.name,
    (booking.created_at at time zone (select time_zone from public.shop))::date, made.source
  from public.bookings booking
  left join public.vehicles vehicle on vehicle.id = booking.vehicle_id
  left join public.bays bay on bay.id = booking.bay_id
  left join lateral (
    select event.source from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked' order by event.id limit 1
  ) made on true
  where (booking.appointment_date, booking.appointment_time, booking.id) > (after_date, after_time, after_id)
    and booking.appointment_date <= until
  order by booking.appointment_date, booking.appointment_time, booking.id
  limit max_rows
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
  where line.decision = 'approved' and internal.void_because(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails email
      where email.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.batch_id)
  group by line.estimate_id, line.batch_id
  order by min(line.id)
  limit max_rows
$function$;

CREATE OR REPLACE FUNCTION internal.list_customer_emails(wanted_customer_id uuid)
 RETURNS SETOF public.emails
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select * from public.emails where booking_id in (select id from public.bookings where customer_id = wanted_customer_id)
    union
    select * from public.emails where quote_request_id in (select id from public.quote_requests where customer_id = wanted_customer_id)
    union
    select * from public.emails where estimate_id in (select id from public.estimates where customer_id = wanted_customer_id)
    union
    select * from public.emails where invoice_id in (select invoice_id from public.invoices where customer_id = wanted_customer_id)
    union
    select email.* from public.emails email
    join public.customer_contact_methods contact on contact.kind = 'email' and contact.match_key = lower(email.recipient_email)
    where contact.customer_id = wanted_customer_id
      -- Emails about the records of a relative with the same address are left out.
      and email.booking_id is null and email.quote_request_id is null and email.estimate_id is null and email.invoice_id is null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.list_customer_records(from_date date, until date, after_since timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, since timestamp with time zone, first_seen date, name text, email text, phone text, appointment_count integer, missed integer, invoices integer, invoiced_cents bigint, paid_cents bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The shop's midnights.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select customer.id, customer.created_at, (customer.created_at at time zone zone)::date, customer.name, customer.email, customer.phone,
      came.appointments, came.missed, billed.invoices, billed.cents, billed.paid
    from public.customers customer
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.customer_came(booking, today)))::integer as appointments,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.customer_id = customer.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      select count(*)::integer as invoices, coalesce(sum(invoice.total_cents) filter (where invoice.currency = 'usd'), 0)::bigint as cents,
        coalesce(sum(internal.invoice_paid_cents(invoice)) filter (where invoice.currency = 'usd'), 0)::bigint as paid
      from public.invoices invoice
      where invoice.customer_id = customer.id and invoice.created_at >= starts_at and invoice.created_at < ends_at and invoice.status <> 'void'
    ) billed
    where (customer.created_at, customer.id) > (after_since, after_id) and customer.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.customer_id = customer.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.customer_id = customer.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.customer_id = customer.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoices invoice
                   join public.payments payment on payment.invoice_id = invoice.invoice_id
                   where invoice.customer_id = customer.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.customer_contact_methods contact
                   join public.emails message on lower(message.recipient_email) = contact.match_key
                   where contact.customer_id = customer.id and contact.kind = 'email'
                     and message.created_at >= starts_at and message.created_at < ends_at))
    order by customer.created_at, customer.id
    limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION internal.list_declined_jobs(estimate uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('title', latest.job_title, 'cents', latest.amount_cents, 'saidAt', latest.decided_at) order by latest.id), '[]')
  from internal.authorized_jobs(estimate) job
  join lateral (
    select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
  ) latest on true
  where job.decision = 'declined' and job.cents = 0
$function$;

CREATE OR REPLACE FUNCTION internal.list_open_customer_invoices(customer_id uuid)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select invoice_id from public.invoices invoice where invoice.customer_id = list_open_customer_invoices.customer_id and status in ('open', 'draft')
$function$;

CREATE OR REPLACE FUNCTION internal.list_open_records(wanted_customer_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(to_jsonb(open_record.*) ORDER BY open_record.kind, open_record.at), '[]'::jsonb) AS "coalesce" FROM (SELECT 'visit'::text AS kind, (booking.id)::text AS id, booking.service_name AS title, (lower(booking.occupied))::text AS at FROM public.bookings booking WHERE ((booking.customer_id = list_open_records.wanted_customer_id) AND internal.is_upcoming(booking.*)) UNION ALL SELECT 'estimate'::text, (estimate.id)::text AS id, estimate.number, (estimate.created_at)::text AS created_at FROM public.estimates estimate WHERE ((estimate.customer_id = list_open_records.wanted_customer_id) AND (internal.estimate_state(estimate.*) = ANY (ARRAY['sent'::text, 'seen'::text, 'approved'::text]))) UNION ALL SELECT 'invoice'::text, invoice.invoice_id, invoice.number, (invoice.created_at)::text AS created_at FROM public.invoices invoice WHERE ((invoice.customer_id = list_open_records.wanted_customer_id) AND (invoice.status = ANY (ARRAY['open'::text, 'draft'::text])))) open_record);

CREATE OR REPLACE FUNCTION internal.list_reschedule_times(booking_id uuid, day date)
 RETURNS SETOF time without time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with possible as materialized (
    select bay.id as bay_id, start, booking.id as booking_id, booking.duration_minutes, booking.service_id
    from public.bookings booking, public.booking_rules rules, public.bays bay,
         unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                         rules.slot_interval_minutes * interval '1 minute') start
    where booking.id = list_reschedule_times.booking_id and bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
  ), candidates as materialized (
    -- Materialized, so that duplicates are removed before the rules are checked for each start.
    select distinct start, duration_minutes, service_id from possible
  ), allowed as materialized (
    select start from candidates
    where internal.booking_refusal(day, start::time, duration_minutes, service_id) is null
  )
  select distinct start::time from possible join allowed using (start)
  where not internal.is_bay_taken(bay_id, internal.booking_range(day, start::time, duration_minutes), possible.booking_id)
  order by 1
$function$;

CREATE OR REPLACE FUNCTION internal.list_taken_times(booking_id uuid, day date, shown time without time zone[])
 RETURNS SETOF time without time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_reschedule_times(list_taken_times.booking_id, day))
    -- Times that the rules refuse now are not occupied by another booking.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$function$;

CREATE OR REPLACE FUNCTION internal.list_undelivered_emails()
 RETURNS SETOF public.emails
 LANGUAGE sql
 STABLE ROWS 10
 SET search_path TO ''
AS $function$
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
    -- One condition for each index: a combined one would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$function$;

CREATE OR REPLACE FUNCTION internal.list_undelivered_notices(email_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
BEGIN ATOMIC
 SELECT notice.id
    FROM (unnest(list_undelivered_notices.email_ids) email_id(email_id)
      JOIN public.emails notice ON (((notice.dedupe_key >= (('undelivered:<'::text || email_id.email_id) || '.'::text)) AND (notice.dedupe_key < (('undelivered:<'::text || email_id.email_id) || '/'::text)))));
END;

CREATE OR REPLACE FUNCTION internal.lock_booking_for_customer(wanted_id uuid)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
begin
  -- The calendar lock comes first, as in changes by staff, so that no two transactions deadlock.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- A `for update` would deadlock with a process that queues this booking's email: its foreign key needs a key share lock.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_calendar_before_status_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Before any row is locked; procedures have locked the calendar already.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_contact_keys(keys text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Locks are taken in ascending order, so that no two transactions deadlock. With 512 of them two bookings at the same time
  -- seldom share one, and a transaction with a hundred thousand rows does not exhaust the lock table.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_customer(wanted uuid, seen_version integer)
 RETURNS public.customers
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
begin
  select * into customer from public.customers where id = wanted for update;
  if customer.id is null or customer.erased_at is not null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if customer.merged_into is not null then
    raise exception 'This customer was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = coalesce(internal.resolve_merged_customer(wanted)::text, '');
  end if;
  if customer.version is distinct from seen_version then
    raise exception 'This customer was changed by someone else.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return customer;
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_task(wanted_id uuid)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task public.tasks;
begin
  -- The order of locks in every change of a booking: the calendar, the booking, its tasks.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$function$;

CREATE OR REPLACE FUNCTION internal.lock_vehicle(wanted uuid, seen_version integer)
 RETURNS public.vehicles
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  vehicle public.vehicles;
begin
  select * into vehicle from public.vehicles where id = wanted for update;
  if vehicle.id is null or internal.is_erased(vehicle.customer_id) then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if vehicle.merged_into is not null then
    raise exception 'This vehicle was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = internal.resolve_merged_vehicle(wanted);
  end if;
  if vehicle.version is distinct from seen_version then
    raise exception 'This vehicle was changed by someone else.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return vehicle;
end
$function$;

CREATE OR REPLACE FUNCTION internal.log_changed_details()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  former_document constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A changed email address of a sent estimate has its own event, address_changed.
  ignored_fields constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former_document ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former_document) - ignored_fields;
  details_now constant jsonb := internal.details_of_document(new.document) - ignored_fields;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.log_other_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  void record;
begin
  for void in
    select distinct internal.void_because(line, new) as because from public.authorizations line
    where line.estimate_id = new.id and internal.void_because(line, old) is null
  loop
    continue when void.because is null;
    perform internal.add_estimate_event(new.id, void.because || '_changed');
    -- The jobs have to be decided again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
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
  -- Before the survivor takes over the duplicate's plate and VIN.
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
  -- A second click, or an outdated tab that asks for the current time.
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

CREATE OR REPLACE FUNCTION internal.open_spans(day date, bay uuid DEFAULT NULL::uuid)
 RETURNS tsmultirange
 LANGUAGE plpgsql
 STABLE COST 1000
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (
    select coalesce(range_agg(span) filter (where is_open), '{}') - coalesce(range_agg(span) filter (where not is_open), '{}')
    from (
      select tsrange(day + opens_minute * interval '1 minute', day + closes_minute * interval '1 minute') as span, true as is_open
      from public.opening_hours where weekday = extract(dow from day)
      union all
      select span * tsrange(day, day + 1), is_open
      from public.special_hours where span && tsrange(day, day + 1) and (bay_id is null or bay_id = bay)
    ) as given
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.prevent_frozen_revision_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    -- Deleted together with its estimate, which prevent_sent_estimate_delete has allowed.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.raise_record_retained(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.prevent_history_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The row triggers of the table check each row.
    return null;
  end if;
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$function$;

CREATE OR REPLACE FUNCTION internal.publish_customer_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  new_row constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  old_row constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  changed_id uuid;
begin
  foreach changed_id in array array[
    coalesce(new_row ->> 'customer_id', (select vehicle.customer_id::text from public.vehicles vehicle where vehicle.id::text = new_row ->> 'vehicle_id'),
             new_row ->> 'id')::uuid,
    (old_row ->> 'customer_id')::uuid, (new_row ->> 'merged_into')::uuid
  ] loop
    if changed_id is not null then
      perform pg_notify('customers_changed', changed_id::text);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.reached_email_limit(visitor_email internal.visitor_emails, mailbox text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    with limits as materialized (
      select name, max_count, now() - period as since from internal.visitor_email_limits
    ), latest as materialized (
      select created_at, mailbox_digest = visitor_email.mailbox_digest as is_mailbox, domain_digest = visitor_email.domain_digest as is_domain,
             address_digest = visitor_email.address_digest as is_address, is_flagged and visitor_email.is_flagged as is_flagged
      from internal.visitor_emails
      where exceeded_limit is null and created_at > now() - interval '1 day'
      -- Reads no more rows than the daily limit of the site: with more, that limit is exceeded anyway.
      order by created_at desc limit (select min(max_count) from internal.visitor_email_limits where name = 'site' and period = '1 day')
    ), reached as materialized (
      select limits.name
      from limits left join latest on latest.created_at > limits.since and case limits.name
        when 'mailbox' then is_mailbox when 'domain' then is_domain when 'address' then is_address when 'flagged' then is_flagged
        else true end
      group by limits.name, limits.since, limits.max_count having count(latest.created_at) >= limits.max_count
    )
    select name from reached
    -- A domain with many customers is a mail provider, not one person's domain.
    where case when name = 'domain' then not internal.has_ten_customers(internal.mail_host_of(mailbox)) else true end
    -- The limit of the site comes last: it concerns the owner, the others concern the sender.
    order by name = 'site' limit 1
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
    'person', to_jsonb(customer) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.customer_contact_methods where customer_id = any ($1) order by id', merged_ids),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.customer_notes where customer_id = any ($1) order by created_at', merged_ids),
    'cars', internal.rows_as_json('select id, year, make, model, color, plate, vin, internal_note, created_at from public.vehicles where customer_id = any ($1) order by created_at', merged_ids),
    'odometer', internal.rows_as_json('select reading.vehicle_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.vehicles car on car.id = reading.vehicle_id where car.customer_id = any ($1) order by read_on', merged_ids),
    'visits', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      vehicle_id, created_at from public.bookings where customer_id = any ($1) order by appointment_date, appointment_time', merged_ids),
    'visit_story', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
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
    'authorizations', internal.rows_as_json('select said.* from public.authorizations said
      join public.estimates estimate on estimate.id = said.estimate_id where estimate.customer_id = any ($1) order by said.id', merged_ids),
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
    'letters', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.list_customer_emails(person) order by created_at', merged_ids));
end
$function$;

CREATE OR REPLACE FUNCTION internal.read_sent_revision(estimate_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (sent.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', sent.hash,
    'state', internal.sent_revision_state(sent), 'sentAt', sent.sent_at,
    'vehicle', (sent.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.describe_job_scope(estimate.id, sent.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(sent.document -> 'jobs') with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.latest_sent_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) sent
  where estimate.id = read_sent_revision.estimate_id and sent.frozen_at is not null
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
  -- A flagged form may have typed a stranger's address: its recipient is shown none of the typed texts.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Only the page of a held or expired booking shows it.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasLetter', internal.has_change_email(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasAnswered', booking.attendance_confirmed_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.undo_cancellation_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.read_visit_page_history(booking.id, zone)
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_booking_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  event_kind constant text := case tg_op when 'DELETE' then 'deleted' else internal.booking_event_kind(old, new) end;
  source constant text := internal.booking_event_source(event_kind);
  note constant jsonb := internal.booking_change_context();
  warnings text[] := '{}';
  snapshot_before constant jsonb := internal.booking_snapshot(old);
  snapshot_after constant jsonb := case tg_op when 'UPDATE' then internal.booking_snapshot(new) end;
  event_id bigint;
begin
  if event_kind is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      old.id, event_kind, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(snapshot_before, snapshot_after) else snapshot_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(snapshot_after, snapshot_before) end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  perform internal.announce_booking(old.id, event_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.record_missing_invoice(invoice_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 UPDATE public.invoices invoice SET status = 'void'::text
   WHERE (invoice.invoice_id = record_missing_invoice.invoice_id);
END;

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
  whole constant jsonb := coalesce(row_after, row_before);
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
    coalesce(whole ->> tg_argv[1], (select name from public.bays where id = (whole ->> 'bay_id')::uuid), ''),
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

CREATE OR REPLACE FUNCTION internal.redact(content jsonb, pattern text, longest integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  as_text constant text := content #>> '{}';
begin
  case jsonb_typeof(content)
    when 'string' then
      -- A string without a match stays byte for byte the same, including its Unicode normal form.
      if normalize(as_text, nfd) !~* pattern then
        return content;
      end if;
      return to_jsonb(internal.redact(as_text, pattern, longest));
    when 'array' then
      return (select coalesce(jsonb_agg(internal.redact(item, pattern, greatest(length(item #>> '{}'), 60)) order by place), '[]')
              from jsonb_array_elements(content) with ordinality each (item, place));
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, internal.redact(value, pattern, greatest(length(value #>> '{}'), 60))), '{}')
              from jsonb_each(content));
    else
      return content;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION internal.redact_expired_records()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := internal.shop_now()::date;
  erased_ids constant uuid[] := array(
    select distinct erasure.customer_id from public.erasures erasure
    where erasure.retained_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.retained) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where customer_id = any (erased_ids));
  renamed integer;
  deleted_emails integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_customer_estimates(erased_ids, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (erased_ids) and customer_name <> 'Erased' and internal.retained_until(created_at) < today;
  get diagnostics renamed = row_count;
  -- Receipts of later payments were sent to the customer and are deleted now; queued ones are sent first.
  delete from public.emails
  where id in (
    select email.id from (select distinct customer_id from public.erasures) erased
    cross join lateral internal.list_customer_emails(erased.customer_id) email
    where email.status not in ('queued', 'retrying'));
  get diagnostics deleted_emails = row_count;
  if renamed + deleted_emails > 0 or estimates_before > (select count(*) from public.estimates where customer_id = any (erased_ids)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_above_authorized()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- Locks the estimate, so that no approval is withdrawn during the check.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice is never above what was approved.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_scope_changed(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice is of nothing but what was approved.' using errcode = 'TT072', hint = 'scope_changed',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_early_no_show(booking public.bookings)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'A no-show is recorded from 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.refuse_self_merge(survivor_id uuid, duplicate_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if survivor_id is null or duplicate_id is null or survivor_id = duplicate_id then
    raise exception 'A record is merged with another record.' using errcode = 'TT091', hint = 'self_merge';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_customers()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from public.invoices where internal.is_sample_invoice(number);
  delete from public.vehicles vehicle
  where (is_sample or exists (select from public.customers where id = vehicle.customer_id and is_sample))
    and not exists (select from public.bookings where vehicle_id = vehicle.id)
    and not exists (select from public.quote_requests where vehicle_id = vehicle.id)
    and not exists (select from public.estimates where vehicle_id = vehicle.id)
    and not exists (select from public.invoices where vehicle_id = vehicle.id)
    and not exists (select from public.vehicles where merged_into = vehicle.id);
  delete from public.customers customer
  where is_sample and not exists (select from public.bookings where customer_id = customer.id)
    and not exists (select from public.quote_requests where customer_id = customer.id)
    and not exists (select from public.estimates where customer_id = customer.id)
    and not exists (select from public.invoices where customer_id = customer.id)
    and not exists (select from public.vehicles where customer_id = customer.id)
    and not exists (select from public.customers where merged_into = customer.id);
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_week()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- Also tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.require_active_service()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Runs after the row triggers, whose update of settings_versions serializes changes of services.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.require_customer(wanted uuid)
 RETURNS public.customers
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
begin
  perform internal.require_admin();
  select * into customer from public.customers where id = internal.resolve_merged_customer(wanted) and erased_at is null;
  if customer.id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  return customer;
end
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
      'update public.%1$I kept set %2$I = (jsonb_populate_record(kept, $2)).%2$I where id = $1 and to_jsonb(kept) -> %2$L = $3',
      case merge.kind when 'customer' then 'customers' else 'vehicles' end, changed.key)
    using merge.survivor_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.sample_invoices()
 RETURNS TABLE(invoice_id text, number text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- No request id of a client can begin with 'sample-week:'.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$function$;

CREATE OR REPLACE FUNCTION internal.save_bay_row(wanted_id uuid, wanted_name text, wanted_is_active boolean, wanted_technician text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  saved_id uuid := wanted_id;
begin
  if saved_id is null then
    insert into public.bays (name, position, is_active, technician)
    select trim(wanted_name), coalesce(max(position), 0) + 1, wanted_is_active, nullif(trim(wanted_technician), '')
    from public.bays returning id into saved_id;
  else
    update public.bays
    set name = trim(wanted_name), is_active = wanted_is_active,
        technician = case when wanted_technician is null then technician else nullif(trim(wanted_technician), '') end
    where id = saved_id;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return saved_id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.save_service_bays(service uuid, bay_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'bay_not_found';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.bay_can_do_service(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- A bay that can do all services has no rows, so that it can do new services too.
      delete from public.bay_services
      where bay_id = bay.id
        and not exists (select id from public.services except
                        select service_id from public.bay_services known where known.bay_id = bay.id);
    else
      if not exists (select from public.bay_services where bay_id = bay.id) then
        insert into public.bay_services (bay_id, service_id) select bay.id, id from public.services;
      end if;
      delete from public.bay_services where bay_id = bay.id and service_id = service;
      if not exists (select from public.bay_services where bay_id = bay.id) then
        raise exception '% can do nothing else.', bay.name using errcode = 'TT056', hint = 'bay_without_service';
      end if;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.search_customers(term text, max_rows integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words constant text[] := internal.customer_search_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- The pattern for names that begin with the word.
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
       select appointment_date from public.bookings where customer_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.customers where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index finds one or two letters within a name; they are looked for among the latest customers.
    case when longest < 3 then format('(select * from public.customers order by created_at desc limit %s)', latest) else 'public.customers' end,
    internal.search_conditions(words),
    case when is_one_word and longest >= 3 then format(
      'union all select customers.* from (select distinct customer_id from public.customer_contact_methods where %s limit %s) contact
       join public.customers on customers.id = contact.customer_id and merged_into is null and erased_at is null',
      replace(internal.search_conditions(words), 'search_text', 'match_key'), candidates) || case when words[1] like '%@%' then format(
        -- Customers under whose name the address was typed online, although it is not confirmed.
        ' union all select customers.* from (
           (select customer_id from public.bookings where %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$function$;

CREATE OR REPLACE FUNCTION internal.search_vehicles(term text, max_rows integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.normalize_search_text(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- A phone number with punctuation is compared without it.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, customer_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.vehicles where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(customer_id) limit %4$s',
    compact, case when is_number then 'false' else internal.search_conditions(words) end, '%' || compact || '%', max_rows, candidates);
end
$function$;

CREATE OR REPLACE FUNCTION internal.sent_revision_outdated_reason(wanted_id uuid, wanted_revision integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when sent.revision is distinct from wanted_revision then 'Not sent: the estimate was changed.'
    when internal.sent_revision_state(sent) = 'decided' then 'Not sent: the estimate was answered.'
    when internal.sent_revision_state(sent) = 'closed' then 'Not sent: the estimate has its invoice.'
    when internal.sent_revision_state(sent) = 'expired' then 'Not sent in time: the estimate has expired.'
  end
  from internal.latest_sent_revision(wanted_id) sent
$function$;

CREATE OR REPLACE FUNCTION internal.set_authorization_amounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  authorized_before bigint;
begin
  -- Locks the estimate, so that the running totals of concurrent decisions are right.
  select customer_id, vehicle_id, case new.method when 'web' then link_version end into new.customer_id, new.vehicle_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and job_key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- Adds the authorized amount of the job without the withdrawn decision.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.summarize_customer_bookings(name text, phone text, today date)
 RETURNS TABLE(email text, vehicles jsonb, last_appointment date, next_appointment date, appointment_count integer, no_shows integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with known as (
    select * from public.bookings booking
    where internal.normalize_phone(booking.customer_phone) = internal.normalize_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select internal.email_of_bookings(array(select id from known)),
         (select jsonb_agg(jsonb_build_object('year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model, 'color', vehicle_color)
                           order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) vehicle),
         max(appointment_date) filter (where customer_came),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where customer_came))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as customer_came from known) as known
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
    -- A closure that was added since did not list this cancelled booking as a conflict; an accepted conflict stays accepted.
    when booking.bay_id is not null and booking.conflict_accepted_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.find_bay_for_reopened_booking(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.normalize_mailbox(booking.customer_email), internal.normalize_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION internal.vehicles_of_other_days(today date)
 RETURNS SETOF public.bookings
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select booking.* from public.bookings booking
  -- The range of dates lets this use the index by date: a booking lasts at most 14 days.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$function$;

CREATE OR REPLACE FUNCTION internal.void_because(line public.authorizations, estimate public.estimates)
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

CREATE OR REPLACE FUNCTION internal.was_owner_notified()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Locks the notices, so that a concurrent call sees the row of this one.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where notified_at > now() - interval '10 minutes');
end
$function$;

CREATE OR REPLACE FUNCTION internal.with_current_links(body text, recipient_email text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  result text := body;
  link record;
  current_token text;
begin
  for link in
    select distinct parts[1] as page, parts[2] as token,
           encode(substring(decode(translate(parts[2], '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid as record_id
    from regexp_matches(body, '/(visit|estimate)/([A-Za-z0-9_-]{43})', 'g') parts
  loop
    -- A visitor can type an outdated link into a note or name. It is only replaced in emails to the address of the
    -- booking or estimate.
    current_token := case link.page
      when 'visit' then (select public.visit_page_token(id) from public.bookings
                         where id = link.record_id and lower(customer_email) = lower(with_current_links.recipient_email))
      else (select internal.estimate_token(id) from public.estimates
            where id = link.record_id and lower(customer_email) = lower(with_current_links.recipient_email)) end;
    if current_token is not null then
      result := replace(result, '/' || link.page || '/' || link.token, '/' || link.page || '/' || current_token);
    end if;
  end loop;
  return result;
end
$function$;

CREATE OR REPLACE FUNCTION internal.withdraw_answers(estimate public.estimates)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answered record;
  new_batch_id uuid;
begin
  for answered in
    select line.batch_id, min(line.id) from public.authorizations line
    where line.estimate_id = estimate.id and line.method = 'web'
      and (line.link_version = estimate.link_version or lower(line.contact) = lower(estimate.customer_email))
      and not exists (select from public.authorizations later where later.withdraws_id = line.id)
    group by line.batch_id order by min(line.id)
  loop
    new_batch_id := gen_random_uuid();
    insert into public.authorizations (
      estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, decided_at, recorded_by, withdraws_id)
    select line.estimate_id, line.revision, line.revision_hash, line.job_key, new_batch_id, 'withdrawn', 'shop', internal.author_name(null),
      line.contact, 'withdrawn: wrong recipient', internal.current_instant(), internal.author_name(null), line.id
    from public.authorizations line where line.batch_id = answered.batch_id order by line.id;
  end loop;
  update public.estimate_revisions revision set decided_at = null, seen_at = null
  where revision.estimate_id = estimate.id and revision.revision = (internal.latest_sent_revision(estimate.id)).revision;
  perform internal.mark_revision_decided(estimate.id, (internal.latest_sent_revision(estimate.id)).revision);
end
$function$;

CREATE OR REPLACE FUNCTION internal.words_of(content jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT string_agg((part.part #>> '{}'::text[]), '
'::text) AS string_agg FROM jsonb_path_query(words_of.content, 'strict $.**'::jsonpath) part(part) WHERE (jsonb_typeof(part.part) = 'string'::text));

CREATE OR REPLACE FUNCTION public.add_customer_note(customer_id uuid, note text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer constant public.customers := internal.require_customer(add_customer_note.customer_id);
  note_id uuid;
begin
  insert into public.customer_notes (customer_id, note, written_by_name)
  values (customer.id, trim(add_customer_note.note), internal.author_name(null)) returning id into note_id;
  return note_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.change_booking_state(booking_id uuid, new_state text, seen_version integer, reason text DEFAULT NULL::text, allow_without_bay boolean DEFAULT false)
 RETURNS public.bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings := internal.lock_booking(change_booking_state.booking_id);
  old_state constant text := internal.booking_state(booking);
begin
  -- A second click finds the state that the first one set.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.raise_version_conflict(booking, seen_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment that is % does not become %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'allow_without_bay', allow_without_bay));
  perform internal.save_booking_state(booking, new_state);
  perform internal.set_booking_change_context(null);
  select * into booking from public.bookings where id = booking.id;
  return booking;
end
$function$;

CREATE OR REPLACE FUNCTION public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id constant uuid := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  vehicle public.vehicles;
begin
  perform internal.require_admin();
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
    -- Not even with a mail server: sample customers do not exist.
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
  -- A task that was reopened since is skipped.
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
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'carId'), (source ->> 'personId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'carId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'personId')::uuid)) and merged_into is null and erased_at is null
  -- Prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'carId' and vehicle.id is null) or ((source ? 'personId' or source ? 'carId') and customer.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- An unconfirmed address is not used: staff confirm it first.
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

CREATE OR REPLACE FUNCTION public.find_customers(search text)
 RETURNS TABLE(customer_name text, customer_phone text, customer_email text, vehicles jsonb, last_appointment date, last_service_id uuid, last_service_name text, next_appointment date, appointment_count integer, no_shows integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := internal.shop_now()::date;
  max_rows constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_bookings_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Grouping is the expensive part, and 300 bookings contain eight customers.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    matches as (
      select distinct on (coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from matches order by appointment_date desc, created_at desc, id limit max_rows)
    select customer.customer_name, customer.customer_phone, history.email, coalesce(history.vehicles, '[]'), history.last_appointment,
           customer.service_id, customer.service_name, history.next_appointment, history.appointment_count, history.no_shows
    from latest customer, internal.summarize_customer_bookings(customer.customer_name, customer.customer_phone, today) history
    order by customer.appointment_date desc, customer.created_at desc, customer.id;
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
  if internal.moment_refusal(booking_date, booking_time) is not null then
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

CREATE OR REPLACE FUNCTION public.list_open_days(first_date date, last_date date, service uuid DEFAULT NULL::uuid)
 RETURNS TABLE(day date, bays jsonb, closed_because text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- Bays with the same hours are returned once.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.bay_can_do_service(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.special_hours closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$function$;

CREATE OR REPLACE FUNCTION public.list_special_days()
 RETURNS TABLE(day date, hours jsonb, bays jsonb, closed_because text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  first_date constant date := internal.shop_now()::date;
  -- A page can stay open for a week and must know every day that can be booked by then.
  last_date constant date := first_date + 7 + (select booking_window_days from public.booking_rules);
begin
  return query
    with changed as (
      select span * tsrange(first_date, last_date + 1) as span from public.special_hours
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.special_hours
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from changed, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
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
  -- The order of locks when an estimate is saved: the estimate, then its customer.
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

CREATE OR REPLACE FUNCTION public.preview_erasure(customer_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer constant public.customers := internal.require_customer(preview_erasure.customer_id);
  retained constant jsonb := internal.list_retained_records(customer.id);
begin
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'open', internal.list_open_records(customer.id), 'kept', retained,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(retained) record),
    'counts', internal.count_customer_records(customer.id), 'others', internal.describe_other_texts(customer.id),
    'areFilesCleaned', internal.are_files_ours());
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
    -- The delay keeps the delivery job from claiming it before the caller does.
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

CREATE OR REPLACE FUNCTION public.queue_visitor_email(message jsonb, is_capped boolean DEFAULT true)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mailbox constant text := internal.normalize_mailbox(message ->> 'recipient_email');
  counted internal.visitor_emails;
  queued_id uuid;
begin
  if not exists (select from internal.email_kinds known where known.kind = message ->> 'kind' and is_visitor_triggered) then
    raise exception 'No visitor causes an e-mail of kind %.', message ->> 'kind' using errcode = '22023';
  end if;
  -- Locks the limits, so that concurrent emails are counted.
  perform pg_advisory_xact_lock(hashtextextended('letters to visitors', 0));
  select id into queued_id from public.emails where dedupe_key = message ->> 'dedupe_key';
  if found then
    return queued_id;
  end if;
  counted := internal.build_visitor_email(message, mailbox);
  counted.exceeded_limit := case when is_capped then internal.reached_email_limit(counted, mailbox) end;
  insert into internal.visitor_emails select counted.*
    on conflict (dedupe_key) do update
    set exceeded_limit = excluded.exceeded_limit, created_at = excluded.created_at;
  if counted.exceeded_limit is not null then
    return null;
  end if;
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
    booking_id, appointment_at, quote_request_id, next_attempt_at
  ) values (
    message ->> 'kind', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'booking_id')::uuid, (message ->> 'appointment_at')::timestamp, (message ->> 'quote_request_id')::uuid,
    coalesce((message ->> 'next_attempt_at')::timestamptz, now())
  ) returning id into queued_id;
  return queued_id;
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
    'typedEmails', internal.typed_emails(customer.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) order by vehicle.created_at), '[]')
      from public.vehicles vehicle where vehicle.customer_id = customer.id and vehicle.merged_into is null),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.customer_id = customer.id
            order by appointment_date desc, appointment_time desc limit max_rows) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'carId', quote.vehicle_id, 'service', quote.service_type, 'status', quote.status,
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
    'personId', customer.id, 'carId', booking.vehicle_id, 'typedEmails', internal.typed_emails(customer.id),
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
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'carId', estimate.vehicle_id)), '[]')
      from (
        select distinct on (known.vehicle_id) known.* from public.estimates known
        where known.customer_id = customer.id and (booking.vehicle_id is null or known.vehicle_id = booking.vehicle_id)
          and known.repair_id is distinct from booking.repair_id
          and exists (select from public.authorizations line where line.estimate_id = known.id)
        order by known.vehicle_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.list_declined_jobs(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'carId', estimate.vehicle_id)), '[]')
      from public.estimates estimate
      where estimate.customer_id = customer.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$function$;

CREATE OR REPLACE FUNCTION public.read_daily_loads(first_date date, days integer DEFAULT 7)
 RETURNS TABLE(day date, booking_count integer, open_minutes integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.bookings, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as bookings
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$function$;

CREATE OR REPLACE FUNCTION public.read_day(day date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  longest_days constant integer := 14;
  max_rows constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.special_hours_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- The range of dates lets this use the index by date: a booking lasts at most 14 days.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit max_rows
      ) booking
    )
  );
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
    'sentAt', sent.sent_at, 'sentTo', sent.sent_to, 'seenAt', sent.seen_at, 'answeredAt', sent.decided_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.describe_revision_jobs(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_whole_ledger(estimate.id),
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
    'thread', internal.list_repair_records(estimate.repair_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'letters', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$function$;

CREATE OR REPLACE FUNCTION public.read_vehicle(vehicle_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  select * into vehicle from public.vehicles known where known.id = internal.resolve_merged_vehicle(read_vehicle.vehicle_id);
  if vehicle.id is null then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  return internal.describe_vehicle(vehicle) || jsonb_build_object(
    'person', (
      select jsonb_build_object('id', customer.id, 'version', customer.version, 'name', customer.name, 'phone', customer.phone, 'email', customer.email)
      from public.customers customer where customer.id = vehicle.customer_id),
    'odometer', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', reading.id, 'miles', reading.miles, 'readOn', reading.read_on, 'bookingId', reading.booking_id,
        'recordedBy', reading.recorded_by_name) order by reading.read_on desc, reading.recorded_at desc), '[]')
      from public.odometer_readings reading where reading.vehicle_id = vehicle.id),
    'milesAMonth', internal.miles_per_month(vehicle.id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
          'shopNote', booking.internal_note,
          'miles', (select max(reading.miles) from public.odometer_readings reading where reading.booking_id = booking.id),
          'invoices', (select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice)), '[]')
                       from public.invoices invoice where invoice.booking_id = booking.id))
        order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.vehicle_id = vehicle.id
            order by appointment_date desc, appointment_time desc limit 200) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'service', quote.service_type, 'status', quote.status)
        order by quote.created_at desc), '[]')
      from public.quote_requests quote where quote.vehicle_id = vehicle.id),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from public.estimates estimate where estimate.vehicle_id = vehicle.id),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice) order by invoice.created_at desc), '[]')
      from public.invoices invoice where invoice.vehicle_id = vehicle.id and invoice.booking_id is null),
    'tasks', (
      select coalesce(jsonb_agg(internal.describe_customer_task(task) order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.vehicle_id = vehicle.id)
         or task.estimate_id in (select id from public.estimates known where known.vehicle_id = vehicle.id)));
end
$function$;

CREATE OR REPLACE FUNCTION public.record_authorization(estimate_id uuid, seen_version integer, decisions jsonb, method text, decided_by_name text, relationship text, contact text, statement text, decided_at timestamp with time zone, wants_parts_back boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  new_batch_id constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer approves on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'no_decision';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze_revision(estimate);
  if (decided_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, relationship, contact, statement, wants_parts_back,
    decided_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, new_batch_id, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.decided_by_name), trim(record_authorization.relationship),
    trim(record_authorization.contact), trim(record_authorization.statement), record_authorization.wants_parts_back,
    record_authorization.decided_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id) || jsonb_build_object('actId', new_batch_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.record_odometer(vehicle_id uuid, miles integer, read_on date DEFAULT NULL::date, booking_id uuid DEFAULT NULL::uuid, is_certain boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known_vehicle_id uuid := internal.resolve_merged_vehicle(record_odometer.vehicle_id);
  day constant date := coalesce(record_odometer.read_on, internal.shop_now()::date);
  contradicting public.odometer_readings;
  reading_id uuid;
begin
  perform internal.require_admin();
  select vehicle.id into known_vehicle_id from public.vehicles vehicle where vehicle.id = known_vehicle_id and not internal.is_erased(vehicle.customer_id);
  if known_vehicle_id is null then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if day > internal.shop_now()::date then
    raise exception 'The date of a reading is not in the future.' using errcode = '22023', hint = 'date_in_future';
  end if;
  if day < '1950-01-01' then
    raise exception 'The date of a reading is not before 1950.' using errcode = '22023', hint = 'date_too_old';
  end if;
  select reading.* into contradicting from public.odometer_readings reading
  where reading.vehicle_id = known_vehicle_id
    and (reading.read_on < day and reading.miles > record_odometer.miles or reading.read_on > day and reading.miles < record_odometer.miles)
  order by reading.read_on desc limit 1;
  if contradicting.id is not null and not is_certain then
    raise exception 'The odometer showed % on %.', contradicting.miles, contradicting.read_on
      using errcode = 'TT098', hint = 'odometer_decreased', detail = jsonb_build_object('miles', contradicting.miles, 'readOn', contradicting.read_on);
  end if;
  insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
  values (known_vehicle_id, record_odometer.booking_id, record_odometer.miles, day, internal.author_name(null))
  returning id into reading_id;
  return reading_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.remove_special_hours(special_hours_id uuid, seen_version integer, is_preview boolean DEFAULT false)
 RETURNS SETOF public.schedule_conflicts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    delete from public.special_hours where id = special_hours_id;
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$function$;

CREATE OR REPLACE FUNCTION public.rename_canned_job(canned_job_id uuid, new_title text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.require_admin();
  update public.canned_jobs
  set title = trim(new_title), job = jsonb_set(job, '{title}', to_jsonb(trim(new_title)))
  where id = canned_job_id;
  if not found then
    raise exception 'This canned job no longer exists.' using errcode = 'TT071', hint = 'canned_job_not_found';
  end if;
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
    -- The time is taken or the customer has five other bookings: this booking stays as it was, the others continue.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.save_booking_note(booking_id uuid, note text, seen_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted constant text := coalesce(trim(note), '');
  current_note text;
begin
  perform internal.require_admin();
  select coalesce(internal_note, '') into current_note from public.bookings where id = save_booking_note.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- A second click finds the note that the first one saved.
  if current_note not in (wanted, coalesce(seen_note, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = current_note;
  end if;
  update public.bookings set internal_note = nullif(wanted, '')
  where id = save_booking_note.booking_id and current_note <> wanted;
end
$function$;

CREATE OR REPLACE FUNCTION public.save_canned_job(job jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  saved_id uuid;
begin
  perform internal.require_admin();
  insert into public.canned_jobs (title, job) values (trim(save_canned_job.job ->> 'title'), save_canned_job.job - 'key')
  on conflict (title) do update set job = excluded.job, saved_at = now()
  returning id into saved_id;
  return saved_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.save_customer(customer_id uuid, seen_version integer, name text, email text, phone text, may_share_email boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
  other public.customers;
  new_email constant text := nullif(trim(save_customer.email), '');
  saved integer;
begin
  perform internal.require_admin();
  perform internal.lock_contact_keys(array[lower(new_email), internal.normalize_phone(save_customer.phone)]);
  customer := internal.lock_customer(save_customer.customer_id, seen_version);
  if new_email is not null and not internal.is_email_address(new_email) then
    raise exception 'This is not an email address.' using errcode = '22023', hint = 'invalid_email';
  end if;
  if not (internal.is_single_line_text(save_customer.name, 1, 200) and internal.is_single_line_text(coalesce(save_customer.phone, ''), 0, 40)) then
    raise exception 'Name and phone number are lines of visible text.' using errcode = '23514', hint = 'invalid_contact';
  end if;
  select known.* into other
  from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
  where contact.kind = 'email' and contact.match_key = lower(new_email) and known.id <> customer.id limit 1;
  if other.id is not null and lower(new_email) is distinct from lower(customer.email) and not may_share_email then
    -- The name is in the detail only: messages are written to the database's log.
    raise exception 'This address is another customer''s.'
      using errcode = 'TT096', hint = 'email_in_use', detail = jsonb_build_object('id', other.id, 'name', other.name);
  end if;
  update public.customers known
  set name = trim(save_customer.name), email = new_email, phone = nullif(trim(save_customer.phone), '')
  where known.id = customer.id returning version into saved;
  perform internal.add_contact_methods(customer.id, new_email, save_customer.phone);
  return saved;
end
$function$;

CREATE OR REPLACE FUNCTION public.save_opening_hours(hours jsonb, seen_version integer, is_preview boolean DEFAULT false)
 RETURNS SETOF public.schedule_conflicts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('hours', seen_version);
  begin
    delete from public.opening_hours
    where weekday not in (select given.weekday from jsonb_to_recordset(hours) as given(weekday smallint));
    insert into public.opening_hours as known (weekday, opens_minute, closes_minute)
    select weekday, opens_minute, closes_minute
    from jsonb_to_recordset(hours) as given(weekday smallint, opens_minute smallint, closes_minute smallint)
    on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute
    where (known.opens_minute, known.closes_minute) <> (excluded.opens_minute, excluded.closes_minute);
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$function$;

CREATE OR REPLACE FUNCTION public.save_service(service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean, bay_ids uuid[], seen_version integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  if save_service.service_id is null then
    -- A new service comes last once services have an order.
    insert into public.services (name, description, duration_minutes, price_from_cents, is_active, position)
    select trim(save_service.name), trim(save_service.description), save_service.duration_minutes,
           save_service.price_from_cents, save_service.is_active, max(position) + 1
    from public.services
    returning id into saved;
  else
    update public.services
    set name = trim(save_service.name), description = trim(save_service.description),
        duration_minutes = save_service.duration_minutes, price_from_cents = save_service.price_from_cents,
        is_active = save_service.is_active
    where id = save_service.service_id and version = seen_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.save_service_bays(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$function$;

CREATE OR REPLACE FUNCTION public.save_special_hours(special_hours_id uuid, starts_at timestamp without time zone, ends_at timestamp without time zone, is_open boolean, bay_id uuid, reason text, is_public boolean, seen_version integer, is_preview boolean DEFAULT false)
 RETURNS SETOF public.schedule_conflicts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    if special_hours_id is null then
      insert into public.special_hours (starts_at, ends_at, is_open, bay_id, reason, is_public)
      values (save_special_hours.starts_at, save_special_hours.ends_at, save_special_hours.is_open, save_special_hours.bay_id,
              trim(save_special_hours.reason), save_special_hours.is_public);
    else
      update public.special_hours
      set starts_at = save_special_hours.starts_at, ends_at = save_special_hours.ends_at, is_open = save_special_hours.is_open,
          bay_id = save_special_hours.bay_id, reason = trim(save_special_hours.reason), is_public = save_special_hours.is_public
      where id = special_hours_id;
    end if;
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$function$;

CREATE OR REPLACE FUNCTION public.save_vehicle(vehicle_id uuid, seen_version integer, customer_id uuid, year text, make text, model text, color text, plate text, vin text, note text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  plain_vin constant text := nullif(upper(regexp_replace(save_vehicle.vin, '[^[:alnum:]]+', '', 'g')), '');
  saved uuid;
begin
  perform internal.require_admin();
  if plain_vin is not null and not internal.is_vin(plain_vin) then
    raise exception 'This VIN is not right: 17 characters, and the ninth must fit the others.' using errcode = 'TT097', hint = 'invalid_vin';
  end if;
  if internal.vehicle_key('', save_vehicle.make, save_vehicle.model) is null and plain_vin is null and internal.plate_key(save_vehicle.plate) is null then
    raise exception 'A vehicle has a make, a model, a plate or a VIN.' using errcode = '22023', hint = 'vehicle_incomplete';
  end if;
  if save_vehicle.vehicle_id is null then
    insert into public.vehicles (customer_id) select id from public.customers where id = internal.resolve_merged_customer(save_vehicle.customer_id) returning id into saved;
  else
    saved := (internal.lock_vehicle(save_vehicle.vehicle_id, seen_version)).id;
  end if;
  if saved is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.vehicles vehicle
  set year = nullif(trim(save_vehicle.year), ''), make = nullif(trim(save_vehicle.make), ''), model = nullif(trim(save_vehicle.model), ''),
      color = nullif(trim(save_vehicle.color), ''), plate = nullif(upper(trim(save_vehicle.plate)), ''), vin = plain_vin,
      internal_note = nullif(trim(save_vehicle.note), '')
  where id = saved;
  return saved;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_everything(term text, max_rows integer DEFAULT 5)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  limit_each constant integer := least(greatest(coalesce(max_rows, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- The first eight characters of a booking's id, which its history and emails show.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  customer_ids uuid[];
  vehicle_ids uuid[];
  booking_ids uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  customer_ids := array(select internal.search_customers(term, limit_each));
  vehicle_ids := array(select internal.search_vehicles(term, limit_each));
  if customer_ids = '{}' and vehicle_ids = '{}' then
    select coalesce(array_agg(distinct customer_id) filter (where customer_id is not null), '{}'),
           coalesce(array_agg(distinct vehicle_id) filter (where vehicle_id is not null), '{}')
    into customer_ids, vehicle_ids from internal.search_bookings(term, limit_each);
  else
    vehicle_ids := vehicle_ids || array(
      select vehicle.id from public.vehicles vehicle where vehicle.customer_id = any (customer_ids) and vehicle.merged_into is null and vehicle.id <> all (vehicle_ids)
      order by vehicle.created_at desc limit greatest(limit_each - cardinality(vehicle_ids), 0));
  end if;
  booking_ids := array(
    select id from (
      (select id, occupied from public.bookings where customer_id = any (customer_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where vehicle_id = any (vehicle_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, customer_ids, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(internal.describe_customer_hit(customer, today) order by place), '[]')
      from unnest(customer_ids) with ordinality as ranked (id, place) join public.customers customer on customer.id = ranked.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) || jsonb_build_object('personName', customer.name) order by place), '[]')
      from unnest(vehicle_ids) with ordinality as ranked (id, place)
      join public.vehicles vehicle on vehicle.id = ranked.id join public.customers customer on customer.id = vehicle.customer_id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
        'personId', booking.customer_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(booking_ids[1:limit_each]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_document_hit(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= limit_each),
    'counts', jsonb_build_object('visits', cardinality(booking_ids), 'documents', jsonb_array_length(documents)));
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
    -- A duplicate keeps its own 'no' in case it is unmerged; a 'yes' has to hold for every record.
    and (known.id = survivor_id or set_customer_reminders.gets_reminders);
end
$function$;

CREATE OR REPLACE FUNCTION public.split_booking(booking_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former_customer_id constant uuid := booking.customer_id;
  new_customer_id uuid;
begin
  if internal.is_erased(former_customer_id) then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former_customer_id for update;
  new_customer_id := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = new_customer_id,
      vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices invoice set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where invoice.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former_customer_id, new_customer_id);
  if former_customer_id is null then
    -- The function that links a booking notifies the dashboards of it.
    perform internal.announce_booking(booking.id, (
      select min(event.id) from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked'));
  end if;
  return new_customer_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.split_vehicle(vehicle_id uuid, seen_version integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  vehicle public.vehicles;
  latest public.bookings;
  new_customer_id uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  vehicle := internal.lock_vehicle(split_vehicle.vehicle_id, seen_version);
  select * into latest from public.bookings booking
  where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment names the customer of this vehicle.' using errcode = 'TT090', hint = 'vehicle_without_booking';
  end if;
  -- All records of the vehicle move to the new customer, so an unconfirmed address is not taken over.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_contact_keys(array[lower(latest.customer_email), internal.normalize_phone(latest.customer_phone)]);
  perform from public.customers where id = vehicle.customer_id for update;
  new_customer_id := internal.create_customer_from_booking(latest);
  update public.vehicles set customer_id = new_customer_id where id = vehicle.id;
  update public.bookings booking set customer_id = new_customer_id where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id);
  update public.quote_requests quote set customer_id = new_customer_id where quote.vehicle_id = vehicle.id and not internal.is_erased(quote.customer_id);
  update public.estimates estimate set customer_id = new_customer_id where estimate.vehicle_id = vehicle.id and not internal.is_erased(estimate.customer_id);
  update public.invoices invoice set customer_id = new_customer_id where invoice.vehicle_id = vehicle.id and not internal.is_erased(invoice.customer_id);
  perform internal.delete_split_contact_methods(vehicle.customer_id, new_customer_id);
  return new_customer_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.unmerge(merge_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  merge public.merges;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into merge from public.merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- A second click finds the state that the first one set.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge can be undone for 30 days.' using errcode = 'TT094', hint = 'unmerge_expired';
  end if;
  if merge.parent_merge_id is not null or exists (
    select from public.merges later where later.duplicate_id = merge.survivor_id and later.undone_at is null) then
    raise exception 'Undo the later merge first.' using errcode = 'TT095', hint = 'later_merge_exists';
  end if;
  perform from public.customers where id in (merge.survivor_id, merge.duplicate_id) order by id for update;
  perform internal.unmerge_records(merge);
end
$function$;

CREATE OR REPLACE FUNCTION public.use_typed_email(booking_id uuid DEFAULT NULL::uuid, quote_request_id uuid DEFAULT NULL::uuid)
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
  perform internal.link_waiting_booking(use_typed_email.booking_id);
  select booking.customer_id, booking.customer_email as email into record
  from public.bookings booking where booking.id = use_typed_email.booking_id for key share;
  if record.customer_id is null then
    select quote.customer_id, quote.email into record
    from public.quote_requests quote where quote.id = use_typed_email.quote_request_id for key share;
  end if;
  perform internal.lock_contact_keys(array[lower(trim(record.email))]);
  owner_id := internal.lock_merged_customer(record.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if internal.is_their_email(owner_id, record.email) then
    return trim(record.email);
  end if;
  select typed ->> 'email' into offered_email from jsonb_array_elements(internal.typed_emails(owner_id)) typed
  where lower(trim(typed ->> 'email')) = lower(trim(record.email));
  if offered_email is null or not internal.is_email_address(trim(offered_email)) then
    raise exception 'This address is not offered.' using errcode = 'TT100', hint = 'email_not_offered';
  end if;
  perform internal.confirm_email(owner_id, offered_email, internal.author_name(null));
  return trim(offered_email);
end
$function$;

CREATE OR REPLACE FUNCTION stripe_sandbox.forget_invoices(numbers text[])
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  deleted_ids text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  customer_ids constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (deleted_ids));
  deleted_event_ids text[];
begin
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (deleted_ids)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (deleted_ids)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (deleted_ids));
  -- Customers with other invoices are kept.
  deleted_ids := deleted_ids || array(
    select wanted from unnest(customer_ids) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (deleted_ids)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (deleted_ids);
  deleted_event_ids := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (deleted_ids));
  -- The order of locks during a delivery: the delivery, then its event.
  delete from stripe_sandbox.event_deliveries where event_id = any (deleted_event_ids);
  delete from stripe_sandbox.objects where id = any (deleted_ids || deleted_event_ids);
  return deleted_event_ids;
end
$function$;

COMMENT ON COLUMN "internal"."bay_hours"."span" IS 'One open range of the date; empty when the bay is closed all day.';

COMMENT ON COLUMN "internal"."booking_transitions"."is_for_staff" IS 'Whether staff can make the change; false where only the system does.';

COMMENT ON COLUMN "internal"."booking_transitions"."kind" IS 'The kind of the event (booking_events.kind) that records the change.';

COMMENT ON COLUMN "internal"."calendar_feed"."renewed_at" IS 'When this address was created; earlier addresses are invalid.';

COMMENT ON COLUMN "internal"."calendar_feed"."token" IS 'The end of the address: 256 random bits as base64url. Stored in clear, because the owner reads it again for another device.';

COMMENT ON COLUMN "internal"."email_kinds"."is_retried" IS 'Whether a failed message is sent again later; otherwise the sender gets the error at once.';

COMMENT ON COLUMN "internal"."email_kinds"."is_sent_at_night" IS 'Whether it is sent between 9 PM and 8 AM, shop time.';

COMMENT ON COLUMN "internal"."email_kinds"."is_visitor_triggered" IS 'Whether a visitor can cause it by a form, a booking link or a request for links; such emails are counted against limits. A visitor can cause no other kind.';

COMMENT ON COLUMN "internal"."email_kinds"."must_match" IS 'What has to be true when the message is sent: its booking (also held or cancelled) is as stated, the estimate can be decided, or nothing.';

COMMENT ON COLUMN "internal"."erasure_rules"."label" IS 'The name of the text in the erase dialog; null for a column that is not searched.';

COMMENT ON COLUMN "internal"."erasure_rules"."longest" IS 'The maximum number of characters.';

COMMENT ON COLUMN "internal"."erasure_rules"."owner" IS 'An SQL expression for the customer (customers.id) to whom the record belongs, or null.';

COMMENT ON COLUMN "internal"."erasure_rules"."reason" IS 'How it is replaced, why it is retained, or what it holds.';

COMMENT ON COLUMN "internal"."erasure_rules"."row_key" IS 'An SQL expression that identifies a row of the table, which is called one.';

COMMENT ON COLUMN "internal"."erasure_rules"."treatment" IS 'replaced: the erasure empties, deletes or rewrites it; kept: it is retained for the reason; free: it holds no personal data of customers.';

COMMENT ON COLUMN "internal"."file_cleanups"."cleaned" IS 'How many of these requests the last rewrite covers.';

COMMENT ON COLUMN "internal"."file_cleanups"."is_ours" IS 'Whether the database login owns the table, so that the job can rewrite it.';

COMMENT ON COLUMN "internal"."file_cleanups"."requests" IS 'How many erasures have requested it.';

COMMENT ON COLUMN "internal"."invoice_numbers"."number" IS 'Not unique: staff decide between two invoices with one number.';

COMMENT ON COLUMN "internal"."known_browsers"."attempts_left" IS 'Wrong passwords until the browser is no longer known; a right one resets it.';

COMMENT ON COLUMN "internal"."known_browsers"."username" IS 'In lower case. A shared tablet can have several.';

COMMENT ON COLUMN "internal"."merge_rules"."key_column" IS 'The column that identifies a row for the unmerge.';

COMMENT ON COLUMN "internal"."onboarding"."confirmed_steps" IS 'The steps whose default settings the owner confirmed without changing them.';

COMMENT ON COLUMN "internal"."onboarding"."done_at" IS 'When all steps were done for the first time; the checklist is not computed again after that.';

COMMENT ON COLUMN "internal"."onboarding"."has_first_password" IS 'Whether an admin still uses the password that the first start generated and printed.';

COMMENT ON COLUMN "internal"."onboarding"."hidden_at" IS 'When the owner hid the checklist; null while it is shown.';

COMMENT ON COLUMN "internal"."onboarding"."sample_filled_at" IS 'When the sample week was complete; null while it is being filled.';

COMMENT ON COLUMN "internal"."onboarding"."sample_week_id" IS 'Identifies the sample week while any of its rows may exist; null without a sample week.';

COMMENT ON COLUMN "internal"."owner_notices"."dedupe_key" IS 'The cause, by ids, as in emails.';

COMMENT ON COLUMN "internal"."owner_notices"."line" IS 'The line in the collected email; it names no person.';

COMMENT ON COLUMN "internal"."owner_notices"."notified_at" IS 'When its email was written; null while it waits.';

COMMENT ON COLUMN "internal"."secrets"."inner_key" IS 'The inner key of HMAC, computed once.';

COMMENT ON COLUMN "internal"."secrets"."outer_key" IS 'The outer key of HMAC, computed once.';

COMMENT ON COLUMN "internal"."stripe_events"."is_live" IS 'Whether real money was involved; false for Stripe''s test mode, the sandbox, and events from before this column existed.';

COMMENT ON COLUMN "internal"."visit_link_requests"."mailbox" IS 'As normalized by internal.normalize_mailbox; null after the request was handled.';

COMMENT ON COLUMN "internal"."visit_link_requests"."mailbox_digest" IS 'SHA-256 of the mailbox, by which later requests are recognized.';

COMMENT ON COLUMN "internal"."visitor_email_limits"."name" IS 'What is counted: emails to one mailbox, to one rare domain, from one client, for flagged forms, of the whole site.';

COMMENT ON COLUMN "internal"."visitor_emails"."address_digest" IS 'Of the client that sent the form (form_origins).';

COMMENT ON COLUMN "internal"."visitor_emails"."dedupe_key" IS 'As in emails; a stopped email has no row there.';

COMMENT ON COLUMN "internal"."visitor_emails"."exceeded_limit" IS 'The limit that was exceeded; null for an email that was written.';

COMMENT ON COLUMN "internal"."visitor_emails"."mailbox_digest" IS 'Of the normalized mailbox.';

COMMENT ON COLUMN "public"."authorizations"."amount_cents" IS 'The price of the job in that revision with tax; set by the database.';

COMMENT ON COLUMN "public"."authorizations"."batch_id" IS 'Groups the rows that were decided together.';

COMMENT ON COLUMN "public"."authorizations"."contact" IS 'The phone number or address that was used.';

COMMENT ON COLUMN "public"."authorizations"."customer_id" IS 'The customer of the estimate at that time; null where unknown. No foreign key: the row outlives the customer.';

COMMENT ON COLUMN "public"."authorizations"."decided_at" IS 'When it was decided; recorded_at is when it was entered.';

COMMENT ON COLUMN "public"."authorizations"."decision" IS 'approved; declined: an earlier approval stays valid at its price; withdrawn: revokes it.';

COMMENT ON COLUMN "public"."authorizations"."link_version" IS 'The version of the link that the customer used; null for other methods.';

COMMENT ON COLUMN "public"."authorizations"."recorded_by" IS 'The staff username, or ''customer'' for a decision on the page.';

COMMENT ON COLUMN "public"."authorizations"."relationship" IS 'Relationship to the customer where somebody else decided, such as ''husband''.';

COMMENT ON COLUMN "public"."authorizations"."revision_hash" IS 'The hash of the frozen revision that was decided on.';

COMMENT ON COLUMN "public"."authorizations"."running_total_cents" IS 'The total that is authorized after this row; set by the database.';

COMMENT ON COLUMN "public"."authorizations"."statement" IS 'What was said, or the text on the page.';

COMMENT ON COLUMN "public"."authorizations"."vehicle_id" IS 'The vehicle of the estimate at that time; null for none. No foreign key.';

COMMENT ON COLUMN "public"."authorizations"."wants_parts_back" IS 'Whether the customer asked for the replaced parts (16 CCR 3355).';

COMMENT ON COLUMN "public"."authorizations"."withdraws_id" IS 'The row that is withdrawn because the estimate was sent to the wrong recipient; neither row counts.';

COMMENT ON COLUMN "public"."bays"."is_active" IS 'Whether bookings are placed in the bay.';

COMMENT ON COLUMN "public"."bays"."position" IS 'The order: a booking gets the first free bay.';

COMMENT ON COLUMN "public"."bays"."technician" IS 'Who works in the bay; null is nobody in particular. Only staff read it.';

COMMENT ON COLUMN "public"."booking_events"."after" IS 'The changed fields of internal.booking_snapshot after the change; all fields for booked.';

COMMENT ON COLUMN "public"."booking_events"."before" IS 'The changed fields of internal.booking_snapshot before the change; null for booked, all fields for deleted.';

COMMENT ON COLUMN "public"."booking_events"."booking_id" IS 'No foreign key: the history stays when the booking is deleted.';

COMMENT ON COLUMN "public"."booking_events"."changed_by_name" IS 'The staff username for counter and task, otherwise the source.';

COMMENT ON COLUMN "public"."booking_events"."kind" IS 'booked; moved (date, time or bay); placed (into a bay, from none); extended, shortened; a state that was reached (internal.booking_transitions); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link in the email), not_confirmed (the hold expired); answered (the customer will come), explained (why the customer cancelled); relinked (new link to the visit page); changed (to a status that staff wrote); notification_dismissed; deleted.';

COMMENT ON COLUMN "public"."booking_events"."reason" IS 'The reason that was given; null for none.';

COMMENT ON COLUMN "public"."booking_events"."source" IS 'Who made the change: visitor (website), counter (staff), customer (visit page), task (staff, by starting a task) or system.';

COMMENT ON COLUMN "public"."booking_events"."warnings" IS 'Rules for visitors that staff overrode (codes of internal.booking_warnings).';

COMMENT ON COLUMN "public"."booking_rules"."booking_window_days" IS 'How many days ahead visitors can book.';

COMMENT ON COLUMN "public"."booking_rules"."cancel_cutoff_minutes" IS 'Customers can cancel a booking until so long before its start.';

COMMENT ON COLUMN "public"."booking_rules"."change_cutoff_minutes" IS 'Customers can move a booking until so long before its start.';

COMMENT ON COLUMN "public"."booking_rules"."invoice_lookup_requires_email" IS 'Whether finding an invoice needs its email address besides its number.';

COMMENT ON COLUMN "public"."booking_rules"."notice_minutes" IS 'How long before the start a visitor must book.';

COMMENT ON COLUMN "public"."booking_rules"."notify_shop_of_changes" IS 'Whether the shop gets an email when a customer moves or cancels a booking; the dashboard shows the change anyway.';

COMMENT ON COLUMN "public"."booking_rules"."pause_message" IS 'Shown to visitors while online booking is paused.';

COMMENT ON COLUMN "public"."booking_rules"."reminder_time" IS 'When reminders are sent on the day before, shop time.';

COMMENT ON COLUMN "public"."booking_rules"."slot_interval_minutes" IS 'Online bookings start at opening time and every so many minutes after it.';

COMMENT ON COLUMN "public"."bookings"."attendance_confirmed_at" IS 'When the customer confirmed that they will come at the current time; null after a move or a cancellation.';

COMMENT ON COLUMN "public"."bookings"."bay_id" IS 'The bay of the booking; null when it has none and occupies no bay''s time.';

COMMENT ON COLUMN "public"."bookings"."calendar_sequence" IS 'SEQUENCE of the calendar file (RFC 5545, section 3.8.7.4): incremented by moves, changes of the duration, cancellations and reopening.';

COMMENT ON COLUMN "public"."bookings"."conflict_accepted_at" IS 'When the admin accepted that the booking is outside the hours or has no bay; null otherwise.';

COMMENT ON COLUMN "public"."bookings"."conflict_accepted_by" IS 'The admin who accepted the schedule conflict.';

COMMENT ON COLUMN "public"."bookings"."customer_email" IS 'Where emails about the booking are sent; null when a customer on the phone gave none.';

COMMENT ON COLUMN "public"."bookings"."customer_id" IS 'The customer; null until the booking is linked.';

COMMENT ON COLUMN "public"."bookings"."duration_minutes" IS 'How long the booking occupies its bay, in wall-clock minutes: the duration of the service when it was booked, or what staff changed it to, up to two weeks.';

COMMENT ON COLUMN "public"."bookings"."hold_confirmed_at" IS 'When a held booking was confirmed, by the link in its email or by the admin.';

COMMENT ON COLUMN "public"."bookings"."internal_note" IS 'An internal note of staff; in no email and on no page for customers.';

COMMENT ON COLUMN "public"."bookings"."is_notification_outdated" IS 'Whether date, start time or the cancellation differ from what the customer was last told; bay and duration do not count.';

COMMENT ON COLUMN "public"."bookings"."is_sample" IS 'Whether the booking belongs to the sample week and is deleted with it.';

COMMENT ON COLUMN "public"."bookings"."link_version" IS 'The version of the link to the visit page; increasing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."bookings"."notified_cancelled" IS 'Whether the customer was last told that the booking is cancelled.';

COMMENT ON COLUMN "public"."bookings"."notified_starts_at" IS 'The start, shop wall-clock time, that the customer was last told: what they booked or changed themselves, or by a delivered notification.';

COMMENT ON COLUMN "public"."bookings"."occupied" IS 'Half-open range of shop wall-clock time, so that back-to-back bookings do not overlap.';

COMMENT ON COLUMN "public"."bookings"."repair_id" IS 'Groups the quote request, booking, estimate, tasks and invoice of one repair.';

COMMENT ON COLUMN "public"."bookings"."search_text" IS 'The text that the search reads, normalized; empty until a booking that is linked later is linked.';

COMMENT ON COLUMN "public"."bookings"."service_name" IS 'The name of the service when it was booked; later changes of the service do not change it.';

COMMENT ON COLUMN "public"."bookings"."service_price_cents" IS 'The lowest price on the service card when it was booked, if any.';

COMMENT ON COLUMN "public"."bookings"."state_changed_at" IS 'When the booking reached its current state, such as how long an arrived vehicle has been waiting.';

COMMENT ON COLUMN "public"."bookings"."status" IS 'confirmed, arrived, in_work, no_show, cancelled, not_confirmed (an expired hold) or a status that staff wrote. The last three of these known states free the time. Completion is in completed_at.';

COMMENT ON COLUMN "public"."bookings"."vehicle_id" IS 'The customer''s vehicle; null when the booking names none.';

COMMENT ON COLUMN "public"."bookings"."version" IS 'Incremented by each change; a move or change of state names the version it has seen.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_at" IS 'When it was confirmed that the address is the customer''s: staff entered it or pressed ''Use this address'', or the customer confirmed it. Null for an address that was only typed online.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_by_name" IS 'Who confirmed it: a staff username, or ''customer''; null where staff entered the address themselves.';

COMMENT ON COLUMN "public"."customer_contact_methods"."match_key" IS 'The value that is compared: an email address in lower case, or a normalized phone number.';

COMMENT ON COLUMN "public"."customer_contact_methods"."value" IS 'The value as typed.';

COMMENT ON COLUMN "public"."customers"."created_at" IS 'The time of the customer''s earliest record.';

COMMENT ON COLUMN "public"."customers"."email" IS 'The main address for emails; earlier addresses are in customer_contact_methods.';

COMMENT ON COLUMN "public"."customers"."erased_at" IS 'When the customer''s data was erased; null otherwise.';

COMMENT ON COLUMN "public"."customers"."gets_reminders" IS 'Whether the customer gets reminders the day before an appointment. A ''no'' of a merged duplicate counts as well.';

COMMENT ON COLUMN "public"."customers"."merged_into" IS 'The customer into whom this duplicate was merged. Its id still leads there.';

COMMENT ON COLUMN "public"."customers"."name" IS 'The name in the first record, until staff change it.';

COMMENT ON COLUMN "public"."customers"."phone" IS 'The main number as typed; earlier numbers are in customer_contact_methods.';

COMMENT ON COLUMN "public"."customers"."phone_key" IS 'The normalized number (internal.normalize_phone); null for an invalid one.';

COMMENT ON COLUMN "public"."customers"."search_text" IS 'The text that the search reads, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."emails"."appointment_at" IS 'The start of the appointment that the message states, shop time. The message is not sent once the booking differs.';

COMMENT ON COLUMN "public"."emails"."dedupe_key" IS 'The cause of the message, such as receipt:in_123: a second message with the same key is not created.';

COMMENT ON COLUMN "public"."emails"."estimate_revision" IS 'The revision that the message contains; a later one makes it outdated.';

COMMENT ON COLUMN "public"."emails"."leased_until" IS 'During an attempt: until when the message belongs to its process. After a crash the lease expires.';

COMMENT ON COLUMN "public"."emails"."next_attempt_at" IS 'Not attempted before this time. An attempt moves it ahead, so that no two processes send one message.';

COMMENT ON COLUMN "public"."emails"."resend_count" IS 'How often the admin sent it again; each is a new message for the mail server.';

COMMENT ON COLUMN "public"."emails"."status" IS 'queued: not attempted yet; retrying: failed and attempted again later; sent: accepted by the mail server; in_outbox: written to the outbox folder because no mail server is set; failed: given up.';

COMMENT ON COLUMN "public"."erasures"."counts" IS 'How many records were erased: {visits, quotes, cars, emails, notes}; otherTexts counts changed texts of other records, leftOut the texts that staff excluded.';

COMMENT ON COLUMN "public"."erasures"."customer_id" IS 'The row of customers, which has no personal data any more.';

COMMENT ON COLUMN "public"."erasures"."retained" IS 'The records that are retained with the name: [{kind, id, number, keptUntil}].';

COMMENT ON COLUMN "public"."erasures"."retained_until" IS 'The last day of retention; null when nothing is retained.';

COMMENT ON COLUMN "public"."estimate_events"."after" IS 'The changed fields after the change; null where the kind is enough.';

COMMENT ON COLUMN "public"."estimate_events"."before" IS 'The changed fields before the change; null where the kind is enough.';

COMMENT ON COLUMN "public"."estimate_events"."estimate_id" IS 'No foreign key: its cascade would be refused by the trigger that protects the history.';

COMMENT ON COLUMN "public"."estimate_events"."kind" IS 'details_changed (of the same customer and vehicle); customer_changed, vehicle_changed (approvals become void); address_changed (the link to the former address became invalid); relinked (staff created a new link).';

COMMENT ON COLUMN "public"."estimate_invoices"."state" IS 'claimed (being created), made, failed (refused by Stripe, no invoice exists), voided (another one can be created).';

COMMENT ON COLUMN "public"."estimate_jobs"."customer_description" IS 'The explanation that the customer reads.';

COMMENT ON COLUMN "public"."estimate_jobs"."is_needed_now" IS 'True: needed now; false: can wait.';

COMMENT ON COLUMN "public"."estimate_jobs"."job_key" IS 'Identifies the job across revisions.';

COMMENT ON COLUMN "public"."estimate_jobs"."measurement" IS 'A measured value: {value, limit, whenNew, unit}; null for none.';

COMMENT ON COLUMN "public"."estimate_lines"."quantity_thousandths" IS 'Hours, pieces or percent times 1,000: 1.2 is 1200.';

COMMENT ON COLUMN "public"."estimate_lines"."subtype" IS 'For a part its condition (16 CCR 3356): new, used, rebuilt, reconditioned, oem. For a fee its purpose. For a discount: amount, or percent of the job.';

COMMENT ON COLUMN "public"."estimate_lines"."unit_price_cents" IS 'The price of one hour or piece; for a discount the amount.';

COMMENT ON COLUMN "public"."estimate_revisions"."decided_at" IS 'When every job had a decision.';

COMMENT ON COLUMN "public"."estimate_revisions"."document" IS 'Everything the customer was shown, with all amounts.';

COMMENT ON COLUMN "public"."estimate_revisions"."frozen_at" IS 'When it was sent, printed or approved for the first time; null for a draft.';

COMMENT ON COLUMN "public"."estimate_revisions"."good_until" IS 'The last day at the shop on which the customer can approve it.';

COMMENT ON COLUMN "public"."estimate_revisions"."hash" IS 'SHA-256 of document, hexadecimal. Authorizations refer to it.';

COMMENT ON COLUMN "public"."estimate_revisions"."seen_at" IS 'When the customer first used the page that shows it.';

COMMENT ON COLUMN "public"."estimate_revisions"."sent_at" IS 'When it was last emailed to the customer.';

COMMENT ON COLUMN "public"."estimate_revisions"."tax_rate" IS 'In ten-thousandths of a percent: the rate on the day the estimate was created.';

COMMENT ON COLUMN "public"."estimate_rules"."conditions" IS 'Printed at the end of every estimate and invoice.';

COMMENT ON COLUMN "public"."estimate_rules"."epa_number" IS 'Required for fees for hazardous waste (16 CCR 3356.1, 3357).';

COMMENT ON COLUMN "public"."estimate_rules"."good_for_days" IS 'How many days a new estimate is valid.';

COMMENT ON COLUMN "public"."estimate_rules"."labor_rate_cents" IS 'The price of one hour in a new labor line.';

COMMENT ON COLUMN "public"."estimate_rules"."registration_number" IS 'The registration with the Bureau of Automotive Repair, printed on every estimate and invoice (16 CCR 3356).';

COMMENT ON COLUMN "public"."estimates"."customer_id" IS 'The customer; null while a draft names none.';

COMMENT ON COLUMN "public"."estimates"."internal_note" IS 'Internal: in no email or PDF and on no page for customers.';

COMMENT ON COLUMN "public"."estimates"."link_version" IS 'The version of the link to the customer''s page; increasing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."estimates"."number" IS 'The number that staff and customers use: ''E-0101''.';

COMMENT ON COLUMN "public"."estimates"."repair_id" IS 'Groups the quote request, booking, estimate, tasks and invoice of one repair.';

COMMENT ON COLUMN "public"."estimates"."search_text" IS 'The text that the search reads, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."estimates"."vehicle_id" IS 'The customer''s vehicle.';

COMMENT ON COLUMN "public"."invoices"."customer_name" IS 'The name on the invoice.';

COMMENT ON COLUMN "public"."invoices"."status" IS 'The status at Stripe when it was last read: open, paid, void, uncollectible.';

COMMENT ON COLUMN "public"."merges"."moved_rows" IS 'Keys of the moved rows by table and column: {"public.bookings.customer_id": […]}.';

COMMENT ON COLUMN "public"."merges"."parent_merge_id" IS 'The merge of two customers that merged these two vehicles of theirs.';

COMMENT ON COLUMN "public"."merges"."survivor_changes" IS 'The columns of the surviving record that the merge changed: {column: {before, after}}.';

COMMENT ON COLUMN "public"."odometer_readings"."read_on" IS 'The date of the reading at the shop.';

COMMENT ON COLUMN "public"."payments"."outcome" IS 'applied: it paid the invoice; overpaid: it paid the invoice and the rest is the customer''s credit at Stripe; refunded: the invoice was already paid, so all of it was returned.';

COMMENT ON COLUMN "public"."quote_requests"."customer_id" IS 'The customer; null until the request is linked.';

COMMENT ON COLUMN "public"."quote_requests"."flagged_reasons" IS 'What looks automated about the request; empty for an ordinary one. It is never deleted for that.';

COMMENT ON COLUMN "public"."quote_requests"."looks_automated" IS 'Whether anything looks automated; the dashboard lists such requests last.';

COMMENT ON COLUMN "public"."quote_requests"."repair_id" IS 'Groups the quote request, booking, estimate, tasks and invoice of one repair.';

COMMENT ON COLUMN "public"."quote_requests"."vehicle_id" IS 'The customer''s vehicle.';

COMMENT ON COLUMN "public"."services"."position" IS 'The order that the admin saved; services without one follow, sorted as in docs/product.md 4.4.';

COMMENT ON COLUMN "public"."services"."price_from_cents" IS 'The lowest price, shown on the service card; null shows none.';

COMMENT ON COLUMN "public"."settings_history"."after" IS 'The changed columns after the change; null for a removed row.';

COMMENT ON COLUMN "public"."settings_history"."before" IS 'The changed columns before the change; null for an added row.';

COMMENT ON COLUMN "public"."settings_history"."changed_by_name" IS 'The admin''s username; ''system'' for a change that did not come through the data service.';

COMMENT ON COLUMN "public"."settings_history"."subject" IS 'The changed row: name of a bay, service or employee, reason of special hours, weekday (0 is Sunday), or '''' for a single row.';

COMMENT ON COLUMN "public"."shop"."appointment_minutes" IS 'The usual length of an appointment that the website states; each booking is as long as its service.';

COMMENT ON COLUMN "public"."shop"."billing_phone" IS 'The number for questions about invoices, E.164.';

COMMENT ON COLUMN "public"."shop"."business_type" IS 'The line above the name, such as ''Auto Repair & Performance''.';

COMMENT ON COLUMN "public"."shop"."description" IS 'One or two sentences about what the shop does.';

COMMENT ON COLUMN "public"."shop"."latitude" IS 'WGS 84 degrees, like longitude: the center of the map. Null while the position of the address is unknown.';

COMMENT ON COLUMN "public"."shop"."legal_name" IS 'The registered name, on invoices and in structured data.';

COMMENT ON COLUMN "public"."shop"."links" IS 'Web pages about the shop on other sites, for structured data.';

COMMENT ON COLUMN "public"."shop"."name" IS 'The name that customers use.';

COMMENT ON COLUMN "public"."shop"."phone" IS 'The shop''s main number in E.164 format; domain/customers/phone-number.ts formats it for display.';

COMMENT ON COLUMN "public"."shop"."quote_reply_hours" IS 'Within how many hours the website promises to answer a quote request.';

COMMENT ON COLUMN "public"."shop"."street" IS 'Part of the registered address, like city, state, postal_code and country (ISO 3166-1 alpha-2).';

COMMENT ON COLUMN "public"."shop"."tagline" IS 'The line below the name.';

COMMENT ON COLUMN "public"."shop"."time_zone" IS 'IANA name. Every date and time of a booking is wall-clock time in this zone.';

COMMENT ON COLUMN "public"."special_hours"."bay_id" IS 'The bay it applies to; null is the whole shop.';

COMMENT ON COLUMN "public"."special_hours"."is_public" IS 'Whether visitors read the reason. They can find out the times anyway, because nothing can be booked then.';

COMMENT ON COLUMN "public"."special_hours"."span" IS 'Half-open range, like bookings.occupied.';

COMMENT ON COLUMN "public"."tasks"."archived_at" IS 'When a clean-up removed the task from the list although the law requires it to be retained; null while it is listed.';

COMMENT ON COLUMN "public"."tasks"."customer_note" IS 'Shown beside the status on the visit page (''pads arrive Friday''). Notes in the history are internal.';

COMMENT ON COLUMN "public"."tasks"."estimate_id" IS 'The estimate whose approved job the task carries out.';

COMMENT ON COLUMN "public"."vehicles"."customer_id" IS 'The current owner.';

COMMENT ON COLUMN "public"."vehicles"."internal_note" IS 'A note of staff.';

COMMENT ON COLUMN "public"."vehicles"."merged_into" IS 'The vehicle into which this duplicate was merged. Its id still leads there.';

COMMENT ON COLUMN "public"."vehicles"."plate_key" IS 'The plate in upper case without spaces and punctuation.';

COMMENT ON COLUMN "public"."vehicles"."search_text" IS 'The text that the search reads, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."vehicles"."vehicle_key" IS 'Normalized year, make and model, by which the next record finds the vehicle (internal.vehicle_key).';

COMMENT ON COLUMN "public"."vehicles"."vin" IS '17 characters with a valid check digit, or null.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."seq" IS 'The order of creation, used by list cursors.';

COMMENT ON FUNCTION "internal"."action_done"(text) IS 'The outcome of an action that was carried out now or earlier.';

COMMENT ON FUNCTION "internal"."add_contact_methods"(uuid, text, text, boolean) IS 'Adds an email address and a phone number to a customer''s contact methods. is_confirmed is false for an address that was only typed online.';

COMMENT ON FUNCTION "internal"."add_owner_notice"(text, text) IS 'Adds a notice to the owner, once for its key. True when the caller has to write the email in this transaction; false when it is in the next collected one.';

COMMENT ON FUNCTION "internal"."add_sample_booking"(jsonb) IS 'Adds a booking to the sample week at the free time nearest to the requested one. Past ones are completed; with status here a booking is arrived in the hour before its time and in work during it. No row when the date is full.';

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds a sent estimate to the sample week, decided where approved jobs are given; its jobs become canned jobs.';

COMMENT ON FUNCTION "internal"."add_sample_task"(jsonb) IS 'Adds a task with history and notes to the sample week; employee is a position in the team list, from 1.';

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'open: can be answered; answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."address_token"(uuid) IS 'The token in the link by which a customer confirms the email address of a booking; null without a booking.';

COMMENT ON FUNCTION "internal"."addresses_to_ask"(integer) IS 'Bookings with an unconfirmed email address under the name of a customer who has another one, with the address to which the question is sent.';

COMMENT ON FUNCTION "internal"."allow_only_reason_redaction"() IS 'Lets an erasure redact the reason of a booking event and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."allow_only_value_redaction"() IS 'Lets an erasure redact a customer''s name in the history of settings and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."analyze_customers"() IS 'Updates the planner''s statistics of customers and vehicles. Until then each search after a large import would read the whole tables.';

COMMENT ON FUNCTION "internal"."announce_invoice"() IS 'Notifies all processes that an invoice was created, paid, voided or emailed about (invoices_changed, with its id).';

COMMENT ON FUNCTION "internal"."announce_quote"() IS 'Notifies all processes that a quote request was added, changed, emailed about or deleted (quotes_changed, with the id in the column named by the argument).';

COMMENT ON FUNCTION "internal"."answer_address_question"(uuid) IS 'Records that the customer confirmed the email address of a booking, once; returns confirmed, else the state of the question.';

COMMENT ON FUNCTION "internal"."approves_unseen_refusal"(uuid, jsonb) IS 'Whether a decision approves a job whose latest decision is declined, without naming that row as declinedId.';

COMMENT ON FUNCTION "internal"."are_files_ours"() IS 'Whether the nightly job can rewrite the files of all these tables.';

COMMENT ON FUNCTION "internal"."are_https_urls"(text[]) IS 'Whether these are at most ten https URLs.';

COMMENT ON FUNCTION "internal"."authorized_jobs"(uuid) IS 'For each job of an estimate: the authorized amount in cents, the latest decision and its revision.';

COMMENT ON FUNCTION "internal"."backfill_booking_customers"(integer) IS 'Links the oldest bookings without a customer; returns how many.';

COMMENT ON FUNCTION "internal"."backfill_customers"(integer) IS 'Links up to max_rows bookings and as many quote requests without a customer, oldest first; returns how many, 0 when all are linked. Can be interrupted and called again.';

COMMENT ON FUNCTION "internal"."backfill_quote_request_customers"(integer) IS 'Links the oldest quote requests without a customer; returns how many.';

COMMENT ON FUNCTION "internal"."bay_can_do_service"(uuid, uuid) IS 'Whether a bay can do a service; true when service is null.';

COMMENT ON FUNCTION "internal"."bays_of_day"(date) IS 'All bays in order, with their services (null is all) and open times in minutes after midnight.';

COMMENT ON FUNCTION "internal"."begin_revision"(public.estimates) IS 'The number of the draft of an estimate; creates one after a frozen revision.';

COMMENT ON FUNCTION "internal"."begin_sample_week"() IS 'Starts the sample week, or continues the one that was started, and returns its id; null when the shop has real records.';

COMMENT ON FUNCTION "internal"."begin_settings_change"(text, integer) IS 'Starts a change of a settings list by the admin: refuses an outdated version (TT051) and locks the calendar, so that nobody books at the same time.';

COMMENT ON FUNCTION "internal"."binding_lines"(uuid) IS 'The valid authorizations of an estimate.';

COMMENT ON FUNCTION "internal"."booking_change_context"() IS 'What a procedure passes to the triggers of bookings: {source, reason, warnings, allow_without_bay}.';

COMMENT ON FUNCTION "internal"."booking_event_kind"(public.bookings, public.bookings) IS 'The kind of event that records a change of a booking; null for a change without an event.';

COMMENT ON FUNCTION "internal"."booking_event_source"(text) IS 'Who makes a change of this kind (booking_events.source).';

COMMENT ON FUNCTION "internal"."booking_invoice"(uuid) IS 'The invoice of the latest sent estimate of a booking; paid_at is null until it is paid in full.';

COMMENT ON FUNCTION "internal"."booking_range"(date, time without time zone, integer) IS 'The time range that a booking would occupy (bookings.occupied). Refuses an invalid date, time or duration (22023).';

COMMENT ON FUNCTION "internal"."booking_refusal"(date, time without time zone, integer, uuid) IS 'The code of the rule that a booking by a visitor would break, or null; other bookings are not considered. The same rules as domain/bookings/booking-refusal.ts; a test compares them.';

COMMENT ON FUNCTION "internal"."booking_snapshot"(public.bookings) IS 'The fields of a booking that its history stores; none identifies the customer.';

COMMENT ON FUNCTION "internal"."booking_snapshot"(public.bookings, text) IS 'The fields of a booking that its history stores, for a caller who has the name of the bay.';

COMMENT ON FUNCTION "internal"."booking_state"(public.bookings) IS 'The state of a booking: completed, or its status.';

COMMENT ON FUNCTION "internal"."booking_warnings"(tsrange, uuid) IS 'The rules for visitors that a time chosen by staff breaks, for a bay or null for none: in_the_past, notice_required, too_far_ahead, overnight, outside_hours.';

COMMENT ON FUNCTION "internal"."bookings_to_notify"() IS 'Bookings whose customers have to be notified of a change, the earliest 50.';

COMMENT ON FUNCTION "internal"."bookings_to_remind"(integer) IS 'Bookings of tomorrow whose customers have to be reminded now: from reminder_time until 9 PM. Each start time is reminded of once.';

COMMENT ON FUNCTION "internal"."build_revision_document"(uuid, integer) IS 'Everything a customer is shown of a revision; without the internal note.';

COMMENT ON FUNCTION "internal"."build_visitor_email"(jsonb, text) IS 'The row of visitor_emails by which the limits count an email.';

COMMENT ON FUNCTION "internal"."can_fill_sample_week"() IS 'Whether the shop has no real records and no sample week yet.';

COMMENT ON FUNCTION "internal"."cancel_booking_by_customer"(uuid, integer) IS 'Cancels a booking from its visit page: its time is free for others, booking_events names the customer, and the customer counts as notified (reset_notification). Done: cancelled, or unchanged (already cancelled). Refused: a code of customer_change_refusal, such as past the cut-off of booking_rules.';

COMMENT ON FUNCTION "internal"."changed_columns"(jsonb, jsonb) IS 'The columns of the first row that differ in the second, with the values of the first; null when none differs.';

COMMENT ON FUNCTION "internal"."check_billed_total"() IS 'Refuses (TT072), at the end of the transaction, an invoice whose total is not the sum of its jobs.';

COMMENT ON FUNCTION "internal"."check_no_show"() IS 'Refuses an early no-show (refuse_early_no_show) also when the admin writes the status directly.';

COMMENT ON FUNCTION "internal"."choose_bay"(tsrange, uuid, uuid, uuid, uuid) IS 'The bay for a booking by staff: the given one, or for null its own or the first that can do the service and is free. Refuses an inactive bay (TT065), one that cannot do the service (TT064), and an occupied one (23P01).';

COMMENT ON FUNCTION "internal"."claim_estimate_invoice"(uuid, integer, text) IS 'Claims the invoice of an estimate in the name of an admin, with its approved jobs in the latest revision. Refused (TT072) when a job costs more than was approved. An existing claim is returned again.';

COMMENT ON FUNCTION "internal"."claim_link_request"() IS 'Takes requests for links up to the first whose mailbox has upcoming bookings, and returns those: at most 20, earliest first. No row when no request is left.';

COMMENT ON FUNCTION "internal"."claim_owner_notices"() IS 'The waiting notices, oldest first, once ten minutes have passed since the last email to the owner. The caller writes the collected email in the same transaction.';

COMMENT ON FUNCTION "internal"."clear_attendance_confirmation"() IS 'Clears the customer''s confirmation that they will come when the booking is moved or ends: it was given for the earlier time.';

COMMENT ON FUNCTION "internal"."clear_old_position"() IS 'Clears latitude and longitude when the address changes without them: they belong to the old address.';

COMMENT ON FUNCTION "internal"."clear_task_customer_note"() IS 'Clears the note for the customer when the status changes: it was about the former status.';

COMMENT ON FUNCTION "internal"."confirm_attendance"(uuid, integer) IS 'Records that the customer will come. Done: attendance_confirmed, or unchanged (confirmed before). Refused: a code of customer_change_refusal; there is no cut-off.';

COMMENT ON FUNCTION "internal"."confirm_email"(uuid, text, text) IS 'Confirms an email address of a customer, and makes it the main one if there is none. The caller has locked the address and the customer.';

COMMENT ON FUNCTION "internal"."confirm_hold_for_task"() IS 'Confirms a held booking when staff create a task for it.';

COMMENT ON FUNCTION "internal"."count_customer_records"(uuid) IS 'How many records a customer has, by kind.';

COMMENT ON FUNCTION "internal"."create_customer_from_booking"(public.bookings) IS 'Creates a customer from a booking, even when another one has its email address or number.';

COMMENT ON FUNCTION "internal"."customer_came"(public.bookings, date) IS 'Whether the customer came to the shop: the booking is neither upcoming, cancelled nor missed (docs/product.md 12.6).';

COMMENT ON FUNCTION "internal"."customer_change_refusal"(public.bookings, integer, integer) IS 'Why a customer who has seen this calendar_sequence may not change a booking: gone, cancelled, over, not_confirmed (held), version_conflict, too_close (past the cut-off); null when allowed.';

COMMENT ON FUNCTION "internal"."customer_of_task"(public.tasks) IS 'The customer of the booking or estimate that a task is about.';

COMMENT ON FUNCTION "internal"."customer_search_words"(text) IS 'The words by which customers are searched; a phone number is normalized.';

COMMENT ON FUNCTION "internal"."customer_totals"(uuid, date) IS 'Counts and sums over a customer''s records.';

COMMENT ON FUNCTION "internal"."decide_estimate"(uuid, text, uuid[], text, text, boolean) IS 'Records the customer''s decision on the page: the given jobs are approved, all other open ones declined. Returns approved or declined, or why not: unchanged (decided before), version_conflict (another revision than was shown), expired, closed (invoiced).';

COMMENT ON FUNCTION "internal"."default_bay"() IS 'The bay of a booking that a tool inserts without naming one: the first active bay.';

COMMENT ON FUNCTION "internal"."delete_merges"(uuid[]) IS 'Deletes the merges of customers, and what their unmerge would restore.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'Deletes contact methods of a customer that belong to the customer who was split off and that no own record of the first contains.';

COMMENT ON FUNCTION "internal"."describe_authorizations"(uuid) IS 'The valid authorizations of an estimate, oldest first, for customers and printed documents.';

COMMENT ON FUNCTION "internal"."describe_booking"(public.bookings) IS 'A booking in the day view; starts_at and ends_at are shop wall-clock time.';

COMMENT ON FUNCTION "internal"."describe_claim"(public.estimate_invoices) IS 'The content of an invoice: the customer, and the billed jobs as they were frozen.';

COMMENT ON FUNCTION "internal"."describe_customer_booking"(public.bookings) IS 'A booking in the list of a customer; startsAt is shop wall-clock time.';

COMMENT ON FUNCTION "internal"."describe_customer_estimate"(public.estimates) IS 'An estimate in the list of a customer: its first job, how many jobs, the total, the declined jobs.';

COMMENT ON FUNCTION "internal"."describe_held_bookings"() IS 'Held bookings that nobody confirmed yet, the 50 that expire first.';

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'For Stripe invoice ids: the recorded name, whether the customer was erased, the estimate, and the amounts of its lines by kind (discounts are negative); null without an estimate.';

COMMENT ON FUNCTION "internal"."describe_job_scope"(uuid, integer, uuid) IS 'What a job of a revision sells: its title and lines, without the explanation.';

COMMENT ON FUNCTION "internal"."describe_revision_jobs"(uuid, integer) IS 'The jobs of a revision with their lines, as in contracts/estimates/estimates.ts.';

COMMENT ON FUNCTION "internal"."describe_saved_estimate"(uuid) IS 'The result of saving an estimate: version, revision, savedAt, totalCents, problems.';

COMMENT ON FUNCTION "internal"."describe_schedule_conflicts"() IS 'The schedule conflicts, the earliest 500.';

COMMENT ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() IS 'The 50 longest waiting: tasks with a question to the customer, and vehicles ready for pickup (by the task that was marked last). Vehicles that were picked up and cancelled or missed bookings are left out.';

COMMENT ON FUNCTION "internal"."describe_undelivered_emails"() IS 'Undelivered emails, with the customer to call and the record they are about.';

COMMENT ON FUNCTION "internal"."describe_vehicle"(public.vehicles) IS 'A vehicle with its latest odometer reading.';

COMMENT ON FUNCTION "internal"."describe_week_load"(date) IS 'read_daily_loads of seven dates, with the number of completed bookings.';

COMMENT ON FUNCTION "internal"."describe_whole_ledger"(uuid) IS 'All authorizations of an estimate, oldest first, with the reason why one is void; for staff.';

COMMENT ON FUNCTION "internal"."describes_another_vehicle"(public.estimates) IS 'Whether an estimate describes another vehicle than the latest sent revision: year, make or model differ, and neither plate nor VIN is the same.';

COMMENT ON FUNCTION "internal"."details_of_document"(jsonb) IS 'Customer and vehicle of a frozen revision in one object.';

COMMENT ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) IS 'The email address for an estimate of a booking, a quote request or a customer: the address of the record if it is the customer''s, else the customer''s main one; null for neither.';

COMMENT ON FUNCTION "internal"."email_of_bookings"(uuid[]) IS 'The email address for a group of bookings: the customer''s own one in the latest active booking, else the customer''s main one; null for none.';

COMMENT ON FUNCTION "internal"."email_outdated_reason"(public.emails) IS 'Why an email must not be sent any more, as text for the outbox; null while it can be sent.';

COMMENT ON FUNCTION "internal"."end_data_session"() IS 'Ends the data session when its dashboard session is gone.';

COMMENT ON FUNCTION "internal"."end_link_of_old_address"() IS 'Makes the link of a sent estimate invalid when its email address changes, so that the former mailbox cannot open it, and records that in the history.';

COMMENT ON FUNCTION "internal"."erase_customer"(uuid, integer, text, text[]) IS 'Erases the data of a customer of the seen version (TT051), except the texts of other records in left_out (keys of internal.find_texts). Refused (TT099, the detail lists them) while a booking, estimate or invoice is open. Returns {letters: ids of the deleted emails, kept, counts}.';

COMMENT ON FUNCTION "internal"."erase_customer_emails"(uuid[]) IS 'Deletes all emails about customers, also unsent ones; returns their ids.';

COMMENT ON FUNCTION "internal"."erase_customer_estimates"(uuid[], date) IS 'Deletes drafts, and estimates whose three years of retention have passed.';

COMMENT ON FUNCTION "internal"."erase_customer_rows"(uuid[]) IS 'Removes personal data from the records of customers. Invoices of the last three years keep the name.';

COMMENT ON FUNCTION "internal"."erase_texts"(uuid[], text[], text) IS 'Redacts every text that internal.find_texts finds, except texts of other records in left_out. Returns how many texts of other records changed.';

COMMENT ON FUNCTION "internal"."estimate_link_version"(uuid) IS 'The current version of the link of an estimate; null without an estimate.';

COMMENT ON FUNCTION "internal"."estimate_problems"(uuid, integer) IS 'Why a draft cannot be sent: [{code, jobKey, line}], lines counted from 1; empty when it can.';

COMMENT ON FUNCTION "internal"."estimate_state"(public.estimates) IS 'The state of an estimate: draft, sent, seen, approved (any job), declined, expired, invoiced.';

COMMENT ON FUNCTION "internal"."estimate_token"(uuid) IS 'The token in the address of the customer''s page of an estimate; null without an estimate.';

COMMENT ON FUNCTION "internal"."estimate_vehicle_details"(public.estimates) IS 'The vehicle in an estimate; an invalid VIN is left out.';

COMMENT ON FUNCTION "internal"."fill_missing_plate_and_vin"(uuid, internal.vehicle_details) IS 'Saves plate and VIN where a vehicle has none; returns its id.';

COMMENT ON FUNCTION "internal"."find_bay_at_same_time"(public.bookings) IS 'The first other bay that is open and free at the time of a booking; null for none.';

COMMENT ON FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone) IS 'The bay for moving a booking to another time: its own bay if free, else the first free one; null for none.';

COMMENT ON FUNCTION "internal"."find_bay_for_reopened_booking"(public.bookings) IS 'The bay for a booking that is reopened: its own if free, else another one; null for none.';

COMMENT ON FUNCTION "internal"."find_bay_for_staff"(uuid, tsrange, uuid) IS 'The first free bay that can do a service, open ones first; null for none.';

COMMENT ON FUNCTION "internal"."find_begun_estimate"(uuid, uuid, uuid, uuid) IS 'The existing estimate that a second click or another window opens instead of creating another one. For a customer without a booking or quote request only one that was never saved.';

COMMENT ON FUNCTION "internal"."find_bookings_by_words"(text) IS 'Up to 5000 bookings that contain every word of a search of two or more characters.';

COMMENT ON FUNCTION "internal"."find_customer_by_email"(text, text) IS 'The customer who has an email address, the best-matching name first; null for none.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. Without an email address the only holder of the number matches under any name. With a new email address, a customer who has another one matches only where the name fits nobody else.';

COMMENT ON FUNCTION "internal"."find_duplicate_candidates"(public.customers) IS 'Up to five customers who share an email address or phone number (why: email, phone) and are not marked as different.';

COMMENT ON FUNCTION "internal"."find_or_create_customer"(internal.customer_details) IS 'The customer that a record belongs to, created if new.';

COMMENT ON FUNCTION "internal"."find_or_create_vehicle"(uuid, internal.vehicle_details, timestamp with time zone, boolean) IS 'The customer''s vehicle that a record describes, created if new; null when the record describes none.';

COMMENT ON FUNCTION "internal"."find_same_vehicle"(uuid, public.vehicles) IS 'Another vehicle of a customer that is the same as this one (docs/product.md 16.2); null for none.';

COMMENT ON FUNCTION "internal"."find_sample_slot"(date, time without time zone, public.services) IS 'The free time nearest to a requested time, with its bay; no row when the date has none.';

COMMENT ON FUNCTION "internal"."find_texts"(uuid[], text) IS 'Every text that an erasure of customers changes, in one table or in all: in their own records (is_own) including names, in other records without names. text_key identifies it in the erase dialog.';

COMMENT ON FUNCTION "internal"."find_vehicle"(uuid, internal.vehicle_details) IS 'The customer''s vehicle that a record describes, by VIN, plate, or year, make and model; null for a new one.';

COMMENT ON FUNCTION "internal"."finish_sample_week"() IS 'Marks the sample week as complete and keeps its emails in the outbox.';

COMMENT ON FUNCTION "internal"."fits_hours"(tsrange, tsmultirange, uuid) IS 'Whether a job fits the hours of a bay (open: the ranges of its first date): it ends while the bay is open, or it starts then and is longer than any range of that date, so that the vehicle stays overnight.';

COMMENT ON FUNCTION "internal"."follow_task"() IS 'Changes the state of a booking with its tasks: in_work when a task is started, back when the only start is undone (task set to pending, or deleted while in progress). Notifies open dashboards, because the state of the vehicle depends on tasks.';

COMMENT ON FUNCTION "internal"."format_duration"(integer) IS 'A duration as text, as in domain/text/duration-text.ts: 75 is ''1 hour and 15 minutes''.';

COMMENT ON FUNCTION "internal"."free_spans"(date, uuid, uuid) IS 'When a bay is open on a date and no other booking occupies it; ignored_booking_id is left out.';

COMMENT ON FUNCTION "internal"."free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'As public.next_free_times, without checks.';

COMMENT ON FUNCTION "internal"."freeze_estimate"(uuid, integer, boolean, text) IS 'Freezes the latest revision in the name of an admin, and records that it is sent if is_sent. Returns the same as save_estimate.';

COMMENT ON FUNCTION "internal"."freeze_revision"(public.estimates) IS 'Freezes the latest revision of an estimate; refused (TT074, with its problems) when it is not ready.';

COMMENT ON FUNCTION "internal"."gets_reminders"(uuid) IS 'Whether a customer gets reminders: unless the customer, or a duplicate merged into them, opted out. True for an unknown one.';

COMMENT ON FUNCTION "internal"."has_change_email"(public.bookings) IS 'Whether an email about the latest move, cancellation or restoration of a booking was queued.';

COMMENT ON FUNCTION "internal"."has_invoice"(uuid) IS 'Whether a booking has an invoice; then neither its visit page nor an email says that there is no charge.';

COMMENT ON FUNCTION "internal"."has_real_records"() IS 'Whether any record exists that is not of the sample week.';

COMMENT ON FUNCTION "internal"."has_ten_customers"(text) IS 'Whether ten mailboxes of a host have completed bookings.';

COMMENT ON FUNCTION "internal"."hours_refusal"(date, time without time zone, integer, uuid) IS 'The code of the rule about opening hours that a booking breaks, or null.';

COMMENT ON FUNCTION "internal"."identifier_needle"(text, text) IS 'A LIKE pattern for every text in which internal.identifier_pattern can match: a fast first filter.';

COMMENT ON FUNCTION "internal"."identifier_pattern"(text, text) IS 'A regular expression that finds a name, email address, normalized phone number or plate in a text, in any spelling. The text must be in normal form D, so that letters with accents match in any case.';

COMMENT ON FUNCTION "internal"."increment_booking_version"() IS 'Increments the version of a booking, except for changes of the internal note and of what the customer was told; increments calendar_sequence and sets state_changed_at where they change. Runs before release_hold: triggers run in the order of their names.';

COMMENT ON FUNCTION "internal"."increment_version"() IS 'Increments the version of a row. A save names the version it has seen and updates no row when it differs.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'What was paid of an invoice: the sum of its payments, or all of it where Stripe says it was paid otherwise.';

COMMENT ON FUNCTION "internal"."is_active_admin"(uuid, timestamp with time zone) IS 'Whether a user of the auth service is an admin who can sign in.';

COMMENT ON FUNCTION "internal"."is_another_word"(text, text) IS 'Whether two texts differ; an empty one differs from nothing.';

COMMENT ON FUNCTION "internal"."is_approved"(uuid, uuid) IS 'Whether the latest valid decision on a job, declined ones apart, is an approval.';

COMMENT ON FUNCTION "internal"."is_at_shop"(text) IS 'Whether a vehicle in this state is at the shop: isAtShop of domain/bookings/vehicle-state-table.ts, for queries that filter by it.';

COMMENT ON FUNCTION "internal"."is_automated_only"(uuid[], text) IS 'Whether an email address or phone number of a customer occurs only in records that look automated.';

COMMENT ON FUNCTION "internal"."is_bay_taken"(uuid, tsrange, uuid) IS 'Whether another active booking occupies a bay at a time; ignored_booking_id is left out.';

COMMENT ON FUNCTION "internal"."is_booking_event"(text, text) IS 'Whether this kind and source of an event are valid.';

COMMENT ON FUNCTION "internal"."is_confirmed_email"(uuid, text) IS 'Whether staff or the customer confirmed an email address of a customer.';

COMMENT ON FUNCTION "internal"."is_email_address"(text) IS 'Whether an email can be sent to this text.';

COMMENT ON FUNCTION "internal"."is_generic_supplies"(text) IS 'Whether a line charges for supplies without naming them (16 CCR 3356 (a)(2)).';

COMMENT ON FUNCTION "internal"."is_known_customer"(text, text) IS 'Whether an email address and a phone number both belong to one customer who has a completed booking.';

COMMENT ON FUNCTION "internal"."is_of_others"(uuid[], text, text) IS 'Whether an email address, phone number, plate or VIN also belongs to another customer, a team member or the shop.';

COMMENT ON FUNCTION "internal"."is_open_state"(text) IS 'Whether a booking in this state (internal.booking_state) is upcoming or in progress.';

COMMENT ON FUNCTION "internal"."is_placed_outside_hours"(uuid, text[]) IS 'Whether staff placed a booking outside the hours on purpose, so that it is no schedule conflict.';

COMMENT ON FUNCTION "internal"."is_quiet"() IS 'Whether it is between 2 and 5 AM at the shop and no booking or quote request came in the last ten minutes.';

COMMENT ON FUNCTION "internal"."is_quiet_hours"() IS 'Whether it is between 9 PM and 8 AM at the shop, when no email is sent to customers except as a direct answer.';

COMMENT ON FUNCTION "internal"."is_sample_email"(public.emails) IS 'Whether an email is about the sample week; such emails stay in the outbox.';

COMMENT ON FUNCTION "internal"."is_scope_changed"(uuid, integer, uuid) IS 'Whether a job of a revision has another title than the approved one, or sells something that was not in it. Hours, quantities and prices may differ, and lines may be missing.';

COMMENT ON FUNCTION "internal"."is_single_line_text"(text, integer, integer) IS 'Whether a text is one line of so many characters and has no invisible ones; the same rule as domain/text/text-input.ts.';

COMMENT ON FUNCTION "internal"."is_standing"(public.bookings) IS 'Whether a booking is active: neither held, cancelled, missed nor not confirmed.';

COMMENT ON FUNCTION "internal"."is_their_email"(uuid, text) IS 'Whether an email address belongs to a customer: it is confirmed, or it is the one of their first record.';

COMMENT ON FUNCTION "internal"."is_unsent"(uuid, integer) IS 'Whether a revision of an estimate was never sent.';

COMMENT ON FUNCTION "internal"."is_upcoming"(public.bookings) IS 'Whether a booking is active and not over.';

COMMENT ON FUNCTION "internal"."is_vin"(text) IS 'Whether a text is a valid vehicle identification number: 17 characters without I, O and Q, with the right check digit.';

COMMENT ON FUNCTION "internal"."keep_bay_hours"() IS 'Recomputes internal.bay_hours after each change of hours, bays or booking rules, and by a daily job, because every day one more date can be booked.';

COMMENT ON FUNCTION "internal"."keep_bay_hours_after_change"() IS 'Recomputes internal.bay_hours after a change of the tables from which it is computed.';

COMMENT ON FUNCTION "internal"."known_start"(uuid) IS 'The start that the customer knew before the latest change; the current start where it did not change.';

COMMENT ON FUNCTION "internal"."last_cancellation"(uuid) IS 'The latest cancellation of a booking; null when it was never cancelled.';

COMMENT ON FUNCTION "internal"."last_frozen_at"(uuid) IS 'When the latest sent revision of an estimate was frozen; null for a draft.';

COMMENT ON FUNCTION "internal"."last_merged_customer"(uuid) IS 'The customer to whom merges lead from an id, also an erased one.';

COMMENT ON FUNCTION "internal"."latest_revision"(uuid) IS 'The latest revision of an estimate, draft or frozen.';

COMMENT ON FUNCTION "internal"."latest_sent_revision"(uuid) IS 'The latest frozen revision of an estimate; a later draft is not shown to customers.';

COMMENT ON FUNCTION "internal"."link_customer_estimates"(uuid) IS 'Links estimates that name a customer and were written before the customer existed.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to a customer: the one of its booking or quote request, else the one it was created for while name and contacts are unchanged, else the customer whom it names. After it was sent, corrections do not change customer and vehicle, unless it names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice: {id, number, name, email, phone, total_cents, currency, status, created_at (seconds since 1970)}. The customer is the one of the estimate, else found by email address and phone number.';

COMMENT ON FUNCTION "internal"."link_sent_estimate"() IS 'Links a sent estimate to its customer and vehicle, creating them if new, with plate, VIN and odometer reading.';

COMMENT ON FUNCTION "internal"."list_appointment_records"(date, time without time zone, uuid, date, integer) IS 'A page of bookings up to and including a date, in the order of date, time and id, after the last one read.';

COMMENT ON FUNCTION "internal"."list_approvals_without_email"(integer) IS 'Approvals of the last day without an email to the customer, oldest first.';

COMMENT ON FUNCTION "internal"."list_arrived_bookings"(timestamp without time zone) IS 'Bookings whose customer arrived and on whose vehicle nobody works yet, of any date; none that ended over 14 days ago.';

COMMENT ON FUNCTION "internal"."list_customer_emails"(uuid) IS 'All emails about a customer''s records, and emails to the customer''s addresses that are about no record.';

COMMENT ON FUNCTION "internal"."list_customer_records"(date, date, timestamp with time zone, uuid, integer) IS 'A page of the customers with a booking, request, invoice, payment or email from one date to another (inclusive), in the order of their creation, after the last one read: with their appointments and invoices of that time, in cents.';

COMMENT ON FUNCTION "internal"."list_declined_jobs"(uuid) IS 'The jobs of an estimate whose latest decision is declined: [{title, cents, saidAt}].';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose files have to be rewritten now, with the number of requests to record afterwards; none by day or while somebody books.';

COMMENT ON FUNCTION "internal"."list_job_decisions"(uuid, integer) IS 'The decisions on the jobs of a revision as they are in it: {key: decision}.';

COMMENT ON FUNCTION "internal"."list_merged_customers"(uuid) IS 'The ids of a customer and of all duplicates merged into them.';

COMMENT ON FUNCTION "internal"."list_open_customer_invoices"(uuid) IS 'The invoices of a customer that were open when their status was last read.';

COMMENT ON FUNCTION "internal"."list_open_records"(uuid) IS 'Open bookings, estimates and invoices that prevent an erasure: [{kind, id, title, at}].';

COMMENT ON FUNCTION "internal"."list_personal_identifiers"(uuid[]) IS 'Names, email addresses, phone numbers, plates and VINs in the records of customers.';

COMMENT ON FUNCTION "internal"."list_references_without_merge_rule"() IS 'Foreign keys to customers and vehicles without a merge rule.';

COMMENT ON FUNCTION "internal"."list_repair_records"(uuid) IS 'All records of one repair, oldest first: [{kind, id, label, state, at}].';

COMMENT ON FUNCTION "internal"."list_reschedule_times"(uuid, date) IS 'The times of a day to which a booking can be moved; the booking itself is not in the way.';

COMMENT ON FUNCTION "internal"."list_retained_records"(uuid) IS 'The records of transactions that an erasure retains with the name: [{kind, id, number, keptUntil}].';

COMMENT ON FUNCTION "internal"."list_stale_invoice_claims"(integer) IS 'Claims whose process seems to have crashed: at most 20, oldest first.';

COMMENT ON FUNCTION "internal"."list_starts_in_range"(tsrange) IS 'Start times by phone within a free range: its first quarter hour, and each full and half hour.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'Which of the times shown on a visit page are occupied by another booking now.';

COMMENT ON FUNCTION "internal"."list_undelivered_emails"() IS 'Failed emails to customers that still matter, the oldest 50: not outdated, not sent again since, and of an upcoming booking (60 days at most) or the last 14 days.';

COMMENT ON FUNCTION "internal"."list_undelivered_notices"(uuid[]) IS 'The notices to the owner about undelivered emails.';

COMMENT ON FUNCTION "internal"."lock_booking_day"(date) IS 'Locks a day of the calendar until the transaction ends: one change of its slots at a time. Several days are locked in order.';

COMMENT ON FUNCTION "internal"."lock_booking_for_customer"(uuid) IS 'Locks a booking for a change by its customer until the transaction ends; all fields are null when it does not exist.';

COMMENT ON FUNCTION "internal"."lock_calendar"() IS 'Locks the calendar until the transaction ends: one change of bookings by staff at a time, and no visitor books meanwhile. Always the first lock that is taken, so that no two transactions deadlock.';

COMMENT ON FUNCTION "internal"."lock_calendar_before_status_change"() IS 'Locks the calendar when the admin writes a status without a procedure, before rows are locked, so that two such changes never deadlock.';

COMMENT ON FUNCTION "internal"."lock_contact_keys"(text[]) IS 'Locks email addresses (lower case) and phone numbers (normalized) until the transaction ends, so that no other transaction creates or finds their customer. Always the last lock that is taken.';

COMMENT ON FUNCTION "internal"."lock_estimate"(uuid, integer) IS 'Locks an estimate until the transaction ends; refuses (TT051) an outdated seen_version, if given.';

COMMENT ON FUNCTION "internal"."log_changed_details"() IS 'Records in the history which details of customer and vehicle differ from the revision that was sent before.';

COMMENT ON FUNCTION "internal"."log_corrected_record"() IS 'Records a correction of a customer or vehicle in the history of each of their estimates that has an approval and is not invoiced.';

COMMENT ON FUNCTION "internal"."log_other_record"() IS 'Records in the history that approvals became void because customer or vehicle changed, and lets the customer decide again on the latest sent revision.';

COMMENT ON FUNCTION "internal"."mail_host_of"(text) IS 'The host of a mailbox: the part after the @.';

COMMENT ON FUNCTION "internal"."mailbox_owner_domain"(text) IS 'The domain whose mailboxes are counted together, without subdomains; null for Gmail and Proton, where each mailbox has one owner.';

COMMENT ON FUNCTION "internal"."main_email"(uuid) IS 'A customer''s main email address; null for none or one that was only typed online.';

COMMENT ON FUNCTION "internal"."mark_revision_decided"(uuid, integer) IS 'Sets decided_at of a revision once every job has a decision.';

COMMENT ON FUNCTION "internal"."mark_sample_estimate"() IS 'Marks an estimate of a sample booking or sample quote request as sample.';

COMMENT ON FUNCTION "internal"."may_contain_identifier"(text, text[]) IS 'Whether a text passes the fast filter and has to be matched by the regular expressions.';

COMMENT ON FUNCTION "internal"."merge_vehicle_rows"(public.vehicles, public.vehicles, uuid) IS 'Merges two vehicles; the survivor takes plate, VIN, color and note where it has none. Returns the id of the merge.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: the one of the chosen record. Where only the other record has one it is taken, unless it was only typed online.';

COMMENT ON FUNCTION "internal"."miles_per_month"(uuid) IS 'Miles per month by the last twelve readings; null when they are within thirty days.';

COMMENT ON FUNCTION "internal"."minutes_of_day"(date, tsmultirange) IS 'Time ranges of a day in minutes after midnight, as in domain/calendar/opening-hours.ts.';

COMMENT ON FUNCTION "internal"."moment_refusal"(date, time without time zone) IS 'The code of the rule that a start time breaks regardless of the opening hours (a code of booking_refusal), or null.';

COMMENT ON FUNCTION "internal"."move_booking_by_customer"(uuid, integer, date, time without time zone) IS 'Moves a booking from its visit page, by the rules for visitors. Done: moved, or unchanged (already at that time). Refused: slot_taken, or a code of customer_change_refusal or booking_refusal.';

COMMENT ON FUNCTION "internal"."move_references"(text, uuid, uuid) IS 'Moves all rows of one customer or vehicle to another; returns their keys by table and column.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Moves the rows of a merge back, except rows that were moved again since.';

COMMENT ON FUNCTION "internal"."names_agree"(text, text) IS 'Whether two names can belong to one person: all words of one are in the other (Maria, Maria Delgado).';

COMMENT ON FUNCTION "internal"."names_another_customer"(public.estimates) IS 'Whether an estimate names another customer than the latest sent revision: the name differs, and neither email address nor phone number is the same.';

COMMENT ON FUNCTION "internal"."needs_notification"(public.bookings) IS 'Whether the customer of a booking has to be notified of a change: what they were last told is outdated, and the appointment is not over.';

COMMENT ON FUNCTION "internal"."normalize_mailbox"(text) IS 'One text for all spellings of an email address that reach the same mailbox: upper case, full-width characters, +tags, dots at Gmail, and the domains of Proton.';

COMMENT ON FUNCTION "internal"."normalize_phone"(text) IS 'The digits of a phone number without the country code 1; null for fewer than seven digits.';

COMMENT ON FUNCTION "internal"."normalize_search_text"(text) IS 'Lower case without accents, so that ''nunez'' finds ''Núñez''.';

COMMENT ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) IS 'The bays that are open for the whole booking and can do its service (any for null), and whether the start is on their grid of start times.';

COMMENT ON FUNCTION "internal"."open_spans"(date, uuid) IS 'When a bay, or the shop for null, is open on a date: weekly hours and special openings minus closures. The only place where hours are computed; domain/calendar/opening-spans.ts is the same rule.';

COMMENT ON FUNCTION "internal"."own_email"(public.bookings) IS 'The email address of a booking where it is its customer''s own; null otherwise.';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'Payments of a shop day, from midnight to midnight shop time: number and sum for each outcome and currency.';

COMMENT ON FUNCTION "internal"."pieces_of"(text, text) IS 'A text split at the matches of a pattern; every second piece is a match.';

COMMENT ON FUNCTION "internal"."plate_key"(text) IS 'A license plate in upper case without spaces and punctuation.';

COMMENT ON FUNCTION "internal"."prevent_authorization_delete"() IS 'Prevents that authorizations are deleted within three years, by anybody.';

COMMENT ON FUNCTION "internal"."prevent_billed_job_change"() IS 'Prevents that the jobs of an invoice change or are deleted while its claim exists.';

COMMENT ON FUNCTION "internal"."prevent_claim_change"() IS 'Allows only changes of a claim from claimed to made or failed, and from made to voided, with the invoice that Stripe created. Every other update is refused.';

COMMENT ON FUNCTION "internal"."prevent_frozen_revision_change"() IS 'Allows only sent_at, seen_at, decided_at and sent_to of a frozen revision to change (TT076).';

COMMENT ON FUNCTION "internal"."prevent_frozen_row_change"() IS 'Refuses (TT076) every change of jobs and lines of a frozen revision.';

COMMENT ON FUNCTION "internal"."prevent_history_change"() IS 'Refuses (TT055) every UPDATE, DELETE and TRUNCATE of an append-only table. The arguments name the exceptions: ''erasure UPDATE'', ''erasure DELETE'' or ''sample_week_removal DELETE''.';

COMMENT ON FUNCTION "internal"."prevent_retained_record_delete"() IS 'Prevents that records of a repair with a sent estimate are deleted within three years (BPC 9884.11), by anybody.';

COMMENT ON FUNCTION "internal"."prevent_sent_estimate_delete"() IS 'Prevents that a sent estimate is deleted within three years, by anybody.';

COMMENT ON FUNCTION "internal"."publish_customer_change"() IS 'Notifies all processes that the page of a customer changed (customers_changed, with the id); a change that concerns two customers notifies of both.';

COMMENT ON FUNCTION "internal"."publish_estimate_change"() IS 'Notifies all processes that an estimate was changed, seen or decided (estimates_changed, with its id).';

COMMENT ON FUNCTION "internal"."raise_estimate_version_conflict"(public.estimates) IS 'Refuses (TT051) an outdated version of an estimate; the detail has who changed it, when, and the current version.';

COMMENT ON FUNCTION "internal"."raise_record_retained"(timestamp with time zone) IS 'Refuses (TT076) to delete a record from this instant within three years; the detail has the last day.';

COMMENT ON FUNCTION "internal"."raise_slot_taken"() IS 'Refuses a booking without a free bay with the error of the exclusion constraint (23P01).';

COMMENT ON FUNCTION "internal"."raise_slot_taken_by"(tsrange, uuid, uuid, uuid) IS 'Refuses a time with the error of the exclusion constraint (23P01); the detail has the conflicting bookings and the next three free times.';

COMMENT ON FUNCTION "internal"."raise_version_conflict"(public.bookings, integer) IS 'Refuses (TT051) an outdated version of a booking; the detail has the current version and the latest change.';

COMMENT ON FUNCTION "internal"."reached_email_limit"(internal.visitor_emails, text) IS 'The limit that stops an email to a mailbox; null for none.';

COMMENT ON FUNCTION "internal"."read_address_question"(uuid) IS 'The data of the page that asks about an email address: {state, email, date, time}; null without a booking.';

COMMENT ON FUNCTION "internal"."read_customer_export"(uuid) IS 'Everything stored about a customer, by kind: rows as stored, emails with their attachments.';

COMMENT ON FUNCTION "internal"."read_printable_estimate"(uuid, boolean) IS 'The data of a printed estimate: the latest revision (for the customer the latest frozen one), its date, the decision on each job, the authorizations. Without the internal note. Null when there is nothing to print.';

COMMENT ON FUNCTION "internal"."read_printable_invoice"(text) IS 'The data of a printed invoice of an estimate, by the Stripe id: its claim and the authorizations; null for any other invoice.';

COMMENT ON FUNCTION "internal"."read_sent_revision"(uuid) IS 'What the customer of an estimate is shown; null before a revision was frozen.';

COMMENT ON FUNCTION "internal"."read_visit_page"(uuid) IS 'The data of a booking''s visit page, in shop time (server/features/visit-page/read-visit-page.ts); null without a booking.';

COMMENT ON FUNCTION "internal"."read_visit_page_history"(uuid, text) IS 'The latest 100 events of a booking in shop time, without reasons and names.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate, its path, tasks with their notes for the customer, the invoice. Task titles are shown only where they are titles of estimate jobs that the customer has read.';

COMMENT ON FUNCTION "internal"."reassign_bay_bookings"(uuid) IS 'Moves the upcoming bookings of a bay to other bays at the same time, or to no bay; returns the new bays.';

COMMENT ON FUNCTION "internal"."record_booking_event"() IS 'Records a change of a booking in booking_events and notifies all processes (bookings_changed, with the ids of the booking and of the event, if there is one).';

COMMENT ON FUNCTION "internal"."record_estimate_invoice_state"(uuid, text, text, text) IS 'Records the result of a claim: made (with id and number of the invoice), failed, or later voided; returns whether it changed.';

COMMENT ON FUNCTION "internal"."record_file_cleanup"(text, integer) IS 'Records that the files of a table were rewritten, for so many requests.';

COMMENT ON FUNCTION "internal"."record_file_owner"(text) IS 'Records which tables the database login owns; an earlier login may have created others.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice as void that Stripe does not know any more.';

COMMENT ON FUNCTION "internal"."record_notified_state"(uuid) IS 'Records in the booking what a delivered email told the customer: the start time, or the cancellation.';

COMMENT ON FUNCTION "internal"."record_sent_revision_viewed"(uuid, text) IS 'Records when the customer first used the page of a revision; returns whether this was the first time.';

COMMENT ON FUNCTION "internal"."record_settings_change"() IS 'Records a change of a setting in settings_history, increments the version of its section and notifies all processes (settings_changed). Arguments: the section, and the column that identifies the row.';

COMMENT ON FUNCTION "internal"."redact"(jsonb, text, integer) IS 'A JSON value with [erased] in place of each match in any of its strings. A nested string grows to 60 characters at most.';

COMMENT ON FUNCTION "internal"."redact"(text, text, integer) IS 'A text with [erased] in place of each match, at most max_length characters.';

COMMENT ON FUNCTION "internal"."redact_expired_records"() IS 'Removes the names of erased customers from records whose three years of retention have passed; returns how many invoices changed.';

COMMENT ON FUNCTION "internal"."refusal_of_moment"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean) IS 'As moment_refusal, for a caller who has read the rules; PostgreSQL inlines it.';

COMMENT ON FUNCTION "internal"."refuse_above_authorized"() IS 'Refuses (TT072) to bill a job, or all jobs, above the authorized amount; there is no tolerance.';

COMMENT ON FUNCTION "internal"."refuse_booking"(text) IS 'Raises the error for a code of booking_refusal, each with its own SQLSTATE, hint and text; does nothing for null.';

COMMENT ON FUNCTION "internal"."refuse_early_no_show"(public.bookings) IS 'Refuses (TT063) a no-show earlier than 15 minutes after the start (docs/product.md 12.4).';

COMMENT ON FUNCTION "internal"."refuse_invoiced"(public.estimates) IS 'Refuses (TT075) to change an estimate that was invoiced.';

COMMENT ON FUNCTION "internal"."refuse_self_merge"(uuid, uuid) IS 'Refuses (TT091) to merge a record with itself or with nothing.';

COMMENT ON FUNCTION "internal"."refuse_uncounted_notice"() IS 'Refuses an email to the owner that was not counted by add_owner_notice or claim_owner_notices.';

COMMENT ON FUNCTION "internal"."refuse_void_approvals"(uuid, integer) IS 'Refuses (TT072) to invoice an estimate while a job has only a void approval.';

COMMENT ON FUNCTION "internal"."remove_sample_customers"() IS 'Deletes customers and vehicles of the sample week that no real record refers to.';

COMMENT ON FUNCTION "internal"."remove_sample_week"() IS 'Deletes the sample week and everything done to it, and nothing else.';

COMMENT ON FUNCTION "internal"."renew_links"(uuid, uuid) IS 'Makes all links of a booking and of its estimates invalid, or those of an estimate without a booking.';

COMMENT ON FUNCTION "internal"."request_file_cleanup"() IS 'Requests that the nightly job rewrites the files of all tables that an erasure changes.';

COMMENT ON FUNCTION "internal"."request_visit_links"(text) IS 'Records a request for the links of the bookings of an email address, at most once an hour for a mailbox.';

COMMENT ON FUNCTION "internal"."require_active_service"() IS 'Refuses (TT053) to deactivate or delete the last active service.';

COMMENT ON FUNCTION "internal"."require_customer"(uuid) IS 'The customer with this id, also after a merge; refuses an unknown or erased one (TT090). Only for the admin.';

COMMENT ON FUNCTION "internal"."reset_notification"() IS 'A customer who moves or cancels a booking on its visit page already knows about the change and needs no notification.';

COMMENT ON FUNCTION "internal"."resolve_merged_customer"(uuid) IS 'The customer to whom merges lead from an id, or the id itself; null for an unknown or erased customer.';

COMMENT ON FUNCTION "internal"."resolve_merged_vehicle"(uuid) IS 'The vehicle to which merges lead from an id, or the id itself; null for an unknown one.';

COMMENT ON FUNCTION "internal"."restore_survivor"(public.merges) IS 'Restores the values that a merge changed in the surviving record.';

COMMENT ON FUNCTION "internal"."retained_until"(timestamp with time zone) IS 'The last day of the retention of a record: three years (BPC 9884.11).';

COMMENT ON FUNCTION "internal"."roll_back_preview"() IS 'Raises TT050, which rolls the block that catches it back: a preview computes the result of a change and keeps nothing.';

COMMENT ON FUNCTION "internal"."rows_as_json"(text, uuid[]) IS 'The rows of a statement about customers ($1) as JSON.';

COMMENT ON FUNCTION "internal"."sample_invoices"() IS 'The invoices of the sample week; invoice_id is null for one that was started and not finished.';

COMMENT ON FUNCTION "internal"."save_bay_row"(uuid, text, boolean, text) IS 'Adds or changes a bay; refuses to deactivate the last active one (TT054). A null technician leaves the stored one.';

COMMENT ON FUNCTION "internal"."save_bay_services"(uuid, uuid[]) IS 'Sets the services that a bay can do; an empty list is all services.';

COMMENT ON FUNCTION "internal"."save_booking_state"(public.bookings, text) IS 'Saves a state: completed in completed_at and completed_by (docs/product.md 4.2), every other one in status.';

COMMENT ON FUNCTION "internal"."save_cancellation_reason"(uuid, text) IS 'Records why a customer cancelled, once for each cancellation. Done: reason_saved, or unchanged. Refused: version_conflict (not cancelled by the customer).';

COMMENT ON FUNCTION "internal"."save_revision_jobs"(uuid, integer, jsonb) IS 'Replaces the jobs and lines of a draft by those of contracts/estimates/estimates.ts.';

COMMENT ON FUNCTION "internal"."save_service_bays"(uuid, uuid[]) IS 'Lets only these bays do a service; an empty list is any bay. Refuses to leave a bay without any service (TT056).';

COMMENT ON FUNCTION "internal"."search_bookings"(text, integer) IS 'Customers and vehicles of bookings that contain all of several words, such as a name and a make.';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'An SQL condition: search_text contains the word. One or two letters are looked for at the beginning of a word only.';

COMMENT ON FUNCTION "internal"."search_conditions"(text[]) IS 'An SQL condition: search_text contains every word; null without words.';

COMMENT ON FUNCTION "internal"."search_customers"(text, integer) IS 'Customers with every word in name, email address or phone number, or with another contact method that matches; names that begin with the term first, then the latest appointment. At most a hundred are ranked.';

COMMENT ON FUNCTION "internal"."search_documents"(text, uuid[], integer) IS 'Estimates and invoices of customers, and those with every word in number, name, plate or VIN; the exact number first.';

COMMENT ON FUNCTION "internal"."search_vehicles"(text, integer) IS 'Vehicles with every word in year, make, model, plate or VIN, whatever the punctuation; exact plate or VIN first.';

COMMENT ON FUNCTION "internal"."search_words"(text) IS 'The words of a search, normalized like search_text; a phone number is one word of digits.';

COMMENT ON FUNCTION "internal"."sent_revision_misdirected_reason"(uuid, text) IS 'Why an email with an estimate must not be sent to an address; null while it is the address in the estimate.';

COMMENT ON FUNCTION "internal"."sent_revision_outdated_reason"(uuid, integer) IS 'Why an email with a revision must not be sent any more; null while the customer can decide on the revision.';

COMMENT ON FUNCTION "internal"."sent_revision_state"(public.estimate_revisions) IS 'closed (invoiced), decided, expired, or open.';

COMMENT ON FUNCTION "internal"."set_authorization_amounts"() IS 'Computes the amounts of an authorization, whatever the writer passed.';

COMMENT ON FUNCTION "internal"."set_booking_change_context"(jsonb) IS 'Passes source, reason and warnings to the triggers of bookings until the next call (null clears it) or the end of the transaction.';

COMMENT ON FUNCTION "internal"."set_recipient"() IS 'Records the email address to which a revision is sent.';

COMMENT ON FUNCTION "internal"."shows_every_character"(text[]) IS 'Whether texts have no control characters, no invisible characters and none that change the writing direction. Null counts as valid.';

COMMENT ON FUNCTION "internal"."sought_elsewhere"(uuid[]) IS 'The identifiers that an erasure searches for in records of other customers: no names, nothing that also belongs to somebody else, and nothing from automated requests only.';

COMMENT ON FUNCTION "internal"."state_before_task"(uuid) IS 'The state before a task set the booking to in_work; null unless that was its latest change of state.';

COMMENT ON FUNCTION "internal"."summarize_customer_bookings"(text, text, date) IS 'The latest 200 bookings of a name and phone number in one row.';

COMMENT ON FUNCTION "internal"."survivor_changes"(jsonb, jsonb) IS 'What a merge changed in the surviving record: {column: {before, after}}.';

COMMENT ON FUNCTION "internal"."tax_rate_on"(date) IS 'The sales tax on a day, in ten-thousandths of a percent; 0 before the first rate.';

COMMENT ON FUNCTION "internal"."typed_email"(public.bookings) IS 'The email address of a booking that was only typed online and is not known to be its customer''s; null otherwise.';

COMMENT ON FUNCTION "internal"."typed_emails"(uuid) IS 'Email addresses that were typed online under a customer''s name and are not confirmed: [{email, bookingId, quoteRequestId, typedAt}], the latest three. Held, cancelled, missed and unconfirmed bookings do not count.';

COMMENT ON FUNCTION "internal"."unanswered_quotes"() IS 'Quote requests without a reply for 12 hours, the oldest 50; none that look automated.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a customer''s own cancellation while the time is free. Done: restored, or unchanged (not cancelled). Refused: over, or a code of undo_cancellation_refusal.';

COMMENT ON FUNCTION "internal"."undo_cancellation_refusal"(public.bookings, integer) IS 'Why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict, over, too_close, outside_hours, slot_taken, too_many (five other open bookings); null when allowed.';

COMMENT ON FUNCTION "internal"."unmerge_records"(public.merges) IS 'Undoes a merge, and first the merges of vehicles that it caused.';

COMMENT ON FUNCTION "internal"."vehicle_facts"(public.bookings) IS 'Everything on which the state of a booking''s vehicle depends (VehicleFacts of domain/bookings/vehicle-state.ts).';

COMMENT ON FUNCTION "internal"."vehicle_key"(text, text, text) IS 'Year, make and model normalized; null when neither make nor model is known.';

COMMENT ON FUNCTION "internal"."vehicle_line"(text, text, text) IS 'A vehicle in one line; empty when nothing is known.';

COMMENT ON FUNCTION "internal"."vehicle_state"(jsonb) IS 'The state of a vehicle by its facts, as vehicleState of domain/bookings/vehicle-state.ts, for queries that filter by it.';

COMMENT ON FUNCTION "internal"."vehicles_of_other_days"(date) IS 'Bookings of later days and of the last 14 days whose vehicle is at the shop, the earliest 50.';

COMMENT ON FUNCTION "internal"."void_because"(public.authorizations, public.estimates) IS 'Why an authorization is void: wrong_recipient (withdrawn, or the withdrawal itself), customer or vehicle (the estimate has another one since); null while it is valid.';

COMMENT ON FUNCTION "internal"."was_owner_notified"() IS 'Whether an email to the owner was written in the last ten minutes; locks the notices until the transaction ends.';

COMMENT ON FUNCTION "internal"."was_taken_from_visitor"(public.estimates, uuid) IS 'Whether an estimate was sent to the address of its booking and has another address since. The visit page, whose link is in the former mailbox, then does not link to it.';

COMMENT ON FUNCTION "internal"."was_typed_online"(uuid) IS 'Whether a visitor made the booking on the website, not staff.';

COMMENT ON FUNCTION "internal"."with_current_links"(text, text) IS 'The text of an email with the current links of the recipient''s bookings and estimates.';

COMMENT ON FUNCTION "internal"."with_service_name"(jsonb) IS 'A row as JSON with the name of its service instead of service_id.';

COMMENT ON FUNCTION "internal"."withdraw_answers"(public.estimates) IS 'Withdraws each decision that was given by the link of an estimate or from its address; the customer can decide again on the latest sent revision.';

COMMENT ON FUNCTION "internal"."words_of"(jsonb) IS 'All strings of a JSON value, one per line.';

COMMENT ON FUNCTION "public"."accept_schedule_conflicts"(uuid[]) IS 'Records that staff accept the schedule conflicts of bookings; returns those that were not accepted before.';

COMMENT ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid) IS 'Books for a customer on the phone and returns the booking. minutes defaults to the duration of the service. A null bay_id is the first bay that can do the service and is free; without_bay, with a reason, is none. The rules for visitors are not enforced, booking_events.warnings records those that were broken. Calling it again with the same booking_id returns the first booking.';

COMMENT ON FUNCTION "public"."cancel_bookings"(uuid[], text) IS 'Cancels several open bookings with one reason; returns their ids and former status, which an undo restores. Completed bookings and no-shows are skipped.';

COMMENT ON FUNCTION "public"."change_booking_state"(uuid, text, integer, text, boolean) IS 'Changes the state of a booking of the seen version (TT051) and returns it: confirmed, pending, arrived, in_work, completed, cancelled or no_show. An undo is the change back. A booking that freed its time gets its own bay again or another one; without a free bay it is refused (23P01), unless allow_without_bay.';

COMMENT ON FUNCTION "public"."change_estimate_email"(uuid, integer, text, text) IS 'Changes the email address of an estimate without a new revision. reason: new_address (decisions stay) or wrong_recipient (decisions by the former link are withdrawn). Refused (TT075) once invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."change_vehicle_owner"(uuid, integer, uuid) IS 'Changes the owner of a vehicle. Earlier records stay with the customer who brought it, and in the history of the vehicle.';

COMMENT ON FUNCTION "public"."check_booking_time"(uuid, date, time without time zone, integer, uuid, uuid) IS 'What book_by_phone, or move_booking of ignored_booking_id, would do now: the bay, the warnings, the hint of the error (slot_taken, bay_cannot_do_service, bay_not_active), the conflicting bookings, and free_times [{date, time, bay_ids}].';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Claims an email for one attempt and returns it with current links. No row when it is done, claimed by another process, not due, outdated (it then fails) or of the sample week. The first attempt can be made before it is due.';

COMMENT ON FUNCTION "public"."clean_up_tasks"(uuid[]) IS 'Removes completed tasks from the list: deletes them, or archives those of an estimate and those whose vehicle was not picked up. Returns how many.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate from {bookingId}, {quoteRequestId}, {carId} or {personId}, or from {customer, vehicle} alone; returns {id, isNew}. An existing one of the same booking or quote request is returned instead; of the same vehicle or customer only while it was never saved.';

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid) IS 'Creates a task for each approved job without one, assigned to the technician of the booking''s bay; returns how many.';

COMMENT ON FUNCTION "public"."delete_canned_job"(uuid) IS 'Deletes a canned job; estimates that use it do not change.';

COMMENT ON FUNCTION "public"."delete_estimate"(uuid) IS 'Deletes an estimate that was never sent; any other is refused (TT076).';

COMMENT ON FUNCTION "public"."dismiss_notification"(uuid, integer, text) IS 'Records that the customer of a booking of the seen version (TT051) needs no notification of its current state, with a reason. The next change needs one again.';

COMMENT ON FUNCTION "public"."find_bookings"(text) IS 'Bookings that contain every word of the search, for the admin; a phone number is found by its digits.';

COMMENT ON FUNCTION "public"."find_canned_jobs"(text) IS 'Canned jobs whose title contains a term, at the beginning first, at most 50: [{id, job}].';

COMMENT ON FUNCTION "public"."find_customers"(text) IS 'Up to eight customers by the words of a search in their bookings, latest first: one for each name and phone number, with vehicles [{year, make, model, color}], last and next appointment, number of appointments and no-shows.';

COMMENT ON FUNCTION "public"."is_time_slot_available"(integer, date, time without time zone, uuid) IS 'Whether a visitor could book service_duration minutes at this time, in a bay that can do the service if one is given.';

COMMENT ON FUNCTION "public"."list_estimates"(text, text) IS 'The latest changed estimates, at most 50, optionally with a term in number, name, plate or model, or in one state. invoicedCents is the total of the invoice; null without one.';

COMMENT ON FUNCTION "public"."list_open_days"(date, date, uuid) IS 'For each of up to 62 dates: the open ranges of its bays in minutes after midnight ([[{opensAtMinute, closesAtMinute}]]; only bays that can do the service, if given), and when all are closed, the reason of a public closure.';

COMMENT ON FUNCTION "public"."list_other_bookings"(uuid) IS 'The other bookings of the same name and phone number, past and upcoming: the latest 50, latest first.';

COMMENT ON FUNCTION "public"."list_repair_records"(text, text) IS 'All records of the same repair as a quote request, booking, estimate, task or invoice, oldest first.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours: all bookable ones plus a week, and the first month of the next public closure after them. Each with the shop''s hours ([{opensAtMinute, closesAtMinute}]) and what list_open_days returns.';

COMMENT ON FUNCTION "public"."mark_not_duplicates"(uuid, uuid) IS 'Records that two customers are different, so that they are not offered as duplicates again.';

COMMENT ON FUNCTION "public"."mark_task_ready_for_pickup"(uuid, text, text, text) IS 'Records when the vehicle of a completed task became ready for pickup; calling it again changes nothing.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers of the seen versions (TT051) and returns the id of the merge: all records of the duplicate move to the survivor, equal vehicles are merged, and the duplicate''s id leads to the survivor. fields_from_duplicate (name, email, phone) names the values that are taken from the duplicate; the other value stays a contact method.';

COMMENT ON FUNCTION "public"."move_booking"(uuid, integer, date, time without time zone, integer, uuid, boolean, text) IS 'Moves an open booking of the seen version (TT051) to a date, time, duration (null: its own) and bay (null: its own if free, else the first free one; without_bay: none), and returns it. An undo is a move back. Warnings as in book_by_phone.';

COMMENT ON FUNCTION "public"."needs_attention"() IS 'Whether anything needs attention: an arrived customer, a quote request without a reply for 12 hours, a failed email, a change to notify a customer of, or a schedule conflict. The same as read_today lists.';

COMMENT ON FUNCTION "public"."next_free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'The next free times (max_rows) within so many days for a service or a number of minutes, also overnight, with the free bays in order; only of one bay if given. ignored_booking_id is left out. Never in the past.';

COMMENT ON FUNCTION "public"."order_bays"(uuid[], integer) IS 'Saves the order of all bays if the version of section bays was seen (TT051).';

COMMENT ON FUNCTION "public"."order_services"(uuid[], integer) IS 'Saves the order of all services if the version of section services was seen (TT051); returns the new version.';

COMMENT ON FUNCTION "public"."preview_erasure"(uuid) IS 'What erasing a customer would do (contracts/customers.ts): open records that prevent it, retained records, and counts.';

COMMENT ON FUNCTION "public"."queue_quote_reply"(jsonb, jsonb) IS 'Adds the admin''s reply to a quote request to the outbox and to its log, once for its dedupe_key; returns its id. A failed reply is queued again. message has the columns of emails, log those of quote_email_logs.';

COMMENT ON FUNCTION "public"."queue_visitor_email"(jsonb, boolean) IS 'Adds an email that a visitor caused to the outbox, once for its dedupe_key; returns null when a limit stops it. message has the columns of emails. is_capped is false in load tests only.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'Everything about a customer in one read (contracts/customers.ts), the latest 200 rows of each kind. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_customer_highlights"(uuid, uuid) IS 'What staff should know beside a booking or while booking: missed appointments, the last one before this, other upcoming ones, jobs declined last, open estimates (docs/product.md 16.25).';

COMMENT ON FUNCTION "public"."read_daily_loads"(date, integer) IS 'For each of up to 62 dates: how many bookings start, and how many minutes the active bays are open in total.';

COMMENT ON FUNCTION "public"."read_day"(date) IS 'Everything about a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 bookings of any state, also those that began earlier (contracts/bookings/day.ts).';

COMMENT ON FUNCTION "public"."read_estimate"(uuid) IS 'An estimate with its authorizations and related records (contracts/estimates/estimates.ts).';

COMMENT ON FUNCTION "public"."read_estimate_link"(uuid, boolean) IS 'The path of the customer''s page of an estimate, for the admin. With renew a new one: earlier links of the estimate and of its booking stop working.';

COMMENT ON FUNCTION "public"."read_quote_email"(uuid) IS 'The email address for an invoice of a quote request: its own if it is the customer''s, else the customer''s main one; null for neither.';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, letters, to_notify, misfits, held, tasks, payments, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

COMMENT ON FUNCTION "public"."read_vehicle"(uuid) IS 'Everything about a vehicle in one read (contracts/customers.ts). The id of a merged duplicate returns the surviving vehicle.';

COMMENT ON FUNCTION "public"."read_visit_page_link"(uuid, boolean) IS 'The path of a booking''s visit page, for the admin. With renew a new one: earlier links of the booking and of its estimates stop working.';

COMMENT ON FUNCTION "public"."record_authorization"(uuid, integer, jsonb, text, text, text, text, text, timestamp with time zone, boolean) IS 'Records decisions that a customer gave in another way than on the page, [{jobKey, decision, declinedId}], for the latest revision; a draft is frozen first. declinedId names the refusal that an approval replaces. Returns the same as save_estimate, with actId.';

COMMENT ON FUNCTION "public"."record_email_failure"(uuid, text, boolean) IS 'Records that a claimed email was not accepted and returns its status: failed when is_final, when its kind is not retried, or after the last attempt; otherwise retrying.';

COMMENT ON FUNCTION "public"."record_email_sent"(uuid, text, text) IS 'Records that the mail server accepted a claimed email (sent), or that it is in the outbox folder (in_outbox).';

COMMENT ON FUNCTION "public"."record_odometer"(uuid, integer, date, uuid, boolean) IS 'Records an odometer reading of a day (default today), optionally for a booking. A reading below an earlier or above a later one is refused (TT098, the detail names it) unless is_certain.';

COMMENT ON FUNCTION "public"."remove_special_hours"(uuid, integer, boolean) IS 'Deletes a closure or special opening, like save_opening_hours.';

COMMENT ON FUNCTION "public"."rename_canned_job"(uuid, text) IS 'Renames a canned job; estimates that use it do not change. An existing title is refused (canned_jobs_title_key).';

COMMENT ON FUNCTION "public"."reopen_bookings"(uuid[], text) IS 'Reopens cancelled, not confirmed or held bookings. Skips one whose time is taken, or whose customer has five other open bookings by now. Returns the reopened ids.';

COMMENT ON FUNCTION "public"."save_bay"(uuid, text, boolean, uuid[], integer, boolean, text) IS 'Adds (bay_id null) or changes a bay if the version of section bays was seen (TT051). Empty service_ids are all services. Deactivating a bay moves its upcoming bookings; they are returned with the new bay, or null where none is free. A preview only returns them. An empty technician removes the stored one, null leaves it.';

COMMENT ON FUNCTION "public"."save_booking_note"(uuid, text, text) IS 'Saves the internal note of a booking over seen_note; refuses to overwrite another one (TT051, the detail has it). An empty note deletes it.';

COMMENT ON FUNCTION "public"."save_canned_job"(jsonb) IS 'Saves a job for reuse; an existing one with the same title is replaced.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, boolean) IS 'Saves name and contacts of a customer of the seen version (TT051) and returns the new version. An email address of another customer is refused (TT096, the detail names the customer) unless may_share_email. Earlier contact methods stay.';

COMMENT ON FUNCTION "public"."save_estimate"(uuid, integer, jsonb) IS 'Saves an estimate as in contracts/estimates/estimates.ts; after a frozen revision it creates the next. Refused (TT051) when seen_version is outdated. An estimate with problems is saved too and the problems are returned.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed) if the version of section hours was seen (TT051), and returns the schedule conflicts afterwards. A preview only returns them.';

COMMENT ON FUNCTION "public"."save_service"(uuid, text, text, integer, integer, boolean, uuid[], integer) IS 'Adds (service_id null) or changes a service of the seen version (TT051). bay_ids are the only bays that can do it; an empty list is any bay, null leaves them. Existing bookings keep name, price and duration.';

COMMENT ON FUNCTION "public"."save_special_hours"(uuid, timestamp without time zone, timestamp without time zone, boolean, uuid, text, boolean, integer, boolean) IS 'Adds (special_hours_id null) or changes a closure or special opening, like save_opening_hours.';

COMMENT ON FUNCTION "public"."save_vehicle"(uuid, integer, uuid, text, text, text, text, text, text, text) IS 'Adds a vehicle to a customer (vehicle_id null) or changes one of the seen version (TT051); returns its id. An invalid VIN is refused (TT097).';

COMMENT ON FUNCTION "public"."search_everything"(text, integer) IS 'Search over all records by a term of two or more characters: people, cars, visits, documents (max_rows of each, up to 50), and counts of the last two up to 100 (contracts/customers.ts). Finds phone numbers by digits, plates and VINs without punctuation, bookings by the first eight characters of their id.';

COMMENT ON FUNCTION "public"."set_customer_reminders"(uuid, boolean) IS 'Saves whether a customer gets reminders, for merged duplicates too.';

COMMENT ON FUNCTION "public"."set_task_customer_note"(uuid, text) IS 'Sets the note for the customer on the visit page, until the status changes; empty shows the status only.';

COMMENT ON FUNCTION "public"."split_booking"(uuid) IS 'Creates a separate customer for a booking, with its vehicle and invoice; returns the customer''s id. A merge undoes it.';

COMMENT ON FUNCTION "public"."split_vehicle"(uuid, integer) IS 'Creates a separate customer from the latest booking of a vehicle, with all records of the vehicle; returns the customer''s id. A merge undoes it.';

COMMENT ON FUNCTION "public"."unmerge"(uuid) IS 'Undoes a merge of the last 30 days: moved rows move back, newer rows stay with the survivor.';

COMMENT ON FUNCTION "public"."update_task_status"(uuid, text, text, text, text, text) IS 'Sets the status of a task and records it in the history; with the same status only the note is added. Refused (TT051) when seen_status is given and outdated.';

COMMENT ON FUNCTION "public"."use_todays_tax_rate"(uuid, integer) IS 'Sets the sales tax of a draft to today''s rate.';

COMMENT ON FUNCTION "public"."use_typed_email"(uuid, uuid) IS 'Confirms the email address that was typed online in a booking or quote request as its customer''s, and returns it. Refused (TT100) where the record is not active or the address is invalid. Calling it again changes nothing.';

COMMENT ON FUNCTION "public"."vehicle_facts"(public.bookings) IS 'Computed column of bookings: everything on which the state of the vehicle depends.';

COMMENT ON FUNCTION "public"."visit_page_token"(uuid) IS 'The token in the address of a booking''s visit page, signed as in server/features/visit-page; null without a booking.';

COMMENT ON FUNCTION "stripe_sandbox"."forget_invoices"(text[]) IS 'Deletes invoices with these numbers from the sandbox, with everything that belongs to them; returns the ids of their events.';

COMMENT ON SEQUENCE "internal"."invoice_count" IS 'Counts the invoices that the shop numbers, over all years; an unused number leaves a gap.';

COMMENT ON TABLE "internal"."address_answers" IS 'Bookings whose customer confirmed that the typed email address is theirs. The confirmation link works once.';

COMMENT ON TABLE "internal"."admin_data_sessions" IS 'The sessions of the data service that belong to a dashboard session. Deleting a row ends the session.';

COMMENT ON TABLE "internal"."assigned_invoice_numbers" IS 'The invoice number of each request. A repeated request gets the same number, as Stripe''s idempotency requires.';

COMMENT ON TABLE "internal"."bay_hours" IS 'When each active bay is open, precomputed by internal.open_spans from yesterday until 31 days after the last bookable date. Shop wall-clock time. Triggers keep it current; a date without a row has to be computed.';

COMMENT ON TABLE "internal"."booking_transitions" IS 'Which state of a booking can follow which, and the kind of event that records it. The only place where this is decided.';

COMMENT ON TABLE "internal"."calendar_feed" IS 'The secret address of the owner''s calendar feed; no row while the feed is off.';

COMMENT ON TABLE "internal"."email_kinds" IS 'The kinds of email and their rules.';

COMMENT ON TABLE "internal"."file_cleanups" IS 'Tables whose files can still contain erased data, and the progress of the nightly job that rewrites them.';

COMMENT ON TABLE "internal"."invoice_backfill" IS 'How far the backfill of older invoices from Stripe has come, in one row.';

COMMENT ON TABLE "internal"."invoice_numbers" IS 'Finds an invoice by its number at once, because Stripe''s search lags by a minute. A hint only: the invoice itself is read from Stripe.';

COMMENT ON TABLE "internal"."known_browsers" IS 'Browsers from which an admin has signed in. They have their own number of attempts; the row does not sign anybody in.';

COMMENT ON TABLE "internal"."merge_rules" IS 'What a merge does with each foreign key to customers and vehicles: its rows move to the surviving record, or stay. A merge is refused while a foreign key has no rule.';

COMMENT ON TABLE "internal"."onboarding" IS 'Progress of the setup checklist and of the sample week, in one row.';

COMMENT ON TABLE "internal"."owner_notices" IS 'Notices to the owner: the first is emailed at once, later ones in one email every ten minutes. Deleted after a month; until then each cause is reported once.';

COMMENT ON TABLE "internal"."rate_limits" IS 'Counters of the strict limits. A key is a keyed hash of the limit''s name and of the client: no address is stored.';

COMMENT ON TABLE "internal"."sign_in_codes" IS 'Codes of "npm run admin -- code": each signs its admin in once, without the password.';

COMMENT ON TABLE "internal"."stripe_events" IS 'Stripe events that were handled completely. The row is written in the transaction that handles the event, so an event that Stripe sends again is recognized.';

COMMENT ON TABLE "internal"."visit_link_requests" IS 'Requests for the links of one''s own bookings: one email an hour to a mailbox. Deleted after a day.';

COMMENT ON TABLE "internal"."visitor_email_limits" IS 'How many emails visitors can cause in a period. A customer books a few times; a shop has a few dozen visitors a day.';

COMMENT ON TABLE "internal"."visitor_emails" IS 'Emails that visitors caused, also those that a limit stopped; for two days. Only digests of addresses are stored.';

COMMENT ON TABLE "public"."authorizations" IS 'What customers approved and declined: one row per job and decision. Rows are never changed or deleted. [append-only]';

COMMENT ON TABLE "public"."bay_services" IS 'The services that a bay can do. A bay without a row can do all services.';

COMMENT ON TABLE "public"."bays" IS 'Places where one vehicle at a time is worked on.';

COMMENT ON TABLE "public"."booking_events" IS 'The history of each booking, written in the transaction of the change. It outlives the booking, so it contains time, bay and state, never the customer. [append-only]';

COMMENT ON TABLE "public"."booking_rules" IS 'The rules of online booking, in one row. docs/product.md 9.3 lists the defaults.';

COMMENT ON TABLE "public"."bookings" IS 'Appointments of customers'' vehicles. Dates and times are shop wall-clock time (shop.time_zone).';

COMMENT ON TABLE "public"."canned_jobs" IS 'Jobs saved for reuse, as contracts/estimates/estimates.ts describes a job.';

COMMENT ON TABLE "public"."customer_contact_methods" IS 'Every email address and phone number of a customer, past and present. The next record finds its customer by these.';

COMMENT ON TABLE "public"."customer_notes" IS 'Internal notes of staff about a customer; in no email and on no page for customers.';

COMMENT ON TABLE "public"."customers" IS 'Customers: one row per person, created with their first record (docs/product.md 16.1).';

COMMENT ON TABLE "public"."emails" IS 'The outbox: one row per message, with its delivery status.';

COMMENT ON TABLE "public"."employees" IS 'Team members to whom tasks can be assigned.';

COMMENT ON TABLE "public"."erasures" IS 'Whose data was erased, by whom, and which records of transactions are retained until when (BPC 9884.11). It names no customer. [append-only]';

COMMENT ON TABLE "public"."estimate_events" IS 'The history of each sent estimate: changes of its customer, vehicle and link. Deleted with the estimate. [append-only]';

COMMENT ON TABLE "public"."estimate_invoice_jobs" IS 'The amount that an invoice bills for each job, with tax; never above the authorized amount. [append-only]';

COMMENT ON TABLE "public"."estimate_invoices" IS 'The invoice of an estimate. It is claimed before Stripe is called, with the claim''s id as the request id, so that a crash never causes a second invoice. [append-only]';

COMMENT ON TABLE "public"."estimate_jobs" IS 'Jobs of an estimate. The customer approves or declines each one.';

COMMENT ON TABLE "public"."estimate_lines" IS 'The lines that make up the price of a job.';

COMMENT ON TABLE "public"."estimate_revisions" IS 'Revisions of estimates. A frozen one never changes; the latest can be a draft.';

COMMENT ON TABLE "public"."estimate_rules" IS 'Settings for estimates, in one row.';

COMMENT ON TABLE "public"."estimates" IS 'An estimate, independent of its revisions: the customer, the vehicle and internal data.';

COMMENT ON TABLE "public"."invoices" IS 'The local record of each Stripe invoice: its customer, number, total and status. Retained for three years, even after the customer is erased.';

COMMENT ON TABLE "public"."merges" IS 'Merges of duplicate customers and vehicles, with what an unmerge needs.';

COMMENT ON TABLE "public"."non_duplicates" IS 'Pairs of customers that staff marked as different. They are not offered as duplicates again.';

COMMENT ON TABLE "public"."odometer_readings" IS 'Odometer readings of vehicles: when, and who recorded them.';

COMMENT ON TABLE "public"."payments" IS 'Each payment received online, once, with its outcome. Rows are never changed. [append-only]';

COMMENT ON TABLE "public"."quote_email_logs" IS 'Replies to quote requests: the draft as generated and the text as sent.';

COMMENT ON TABLE "public"."quote_requests" IS 'Quote requests: pending until the reply was sent, then completed.';

COMMENT ON TABLE "public"."services" IS 'What customers can book. The admin changes it.';

COMMENT ON TABLE "public"."settings_history" IS 'Who changed which setting, written in the transaction of the change. [append-only]';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings list. It is incremented by each change; a save names the version it has seen.';

COMMENT ON TABLE "public"."shop" IS 'Name, address, contacts and texts of the shop, in one row; used on every page, email, invoice and calendar file.';

COMMENT ON TABLE "public"."special_hours" IS 'Exceptions from the weekly hours: closures and special openings. Where both apply, the shop is closed. Shop wall-clock time; a range of several days is one row.';

COMMENT ON TABLE "public"."task_status_history" IS 'Every change of a task''s status, written in the transaction of the change.';

COMMENT ON TABLE "public"."tasks" IS 'Work to do, often for a booking. The status changes only through update_task_status.';

COMMENT ON TABLE "public"."tax_rates" IS 'The sales tax from a day on. Every document keeps the rate of the day it was created.';

COMMENT ON TABLE "public"."vehicles" IS 'Vehicles of customers, as their records describe them. Staff add plate and VIN.';

COMMENT ON TABLE "stripe_sandbox"."event_deliveries" IS 'The webhook outbox: one row per event, with its delivery status.';

COMMENT ON TABLE "stripe_sandbox"."idempotency_keys" IS 'The response to each idempotency key, which is returned again for the same request. Deleted after a day.';

COMMENT ON TABLE "stripe_sandbox"."objects" IS 'Every object of Stripe''s API, as the API returns it.';

COMMENT ON TYPE "internal"."customer_details" IS 'Name and contacts as a record states them, by which a customer is found. is_trusted: the record does not look automated and is active. typed_online: a visitor typed it, possibly with somebody else''s address.';

COMMENT ON TYPE "internal"."personal_identifier" IS 'What identifies a customer in a text: a name, an email address, a normalized phone number, a plate or a VIN.';

COMMENT ON TYPE "internal"."vehicle_details" IS 'A vehicle as a record describes it.';

COMMENT ON VIEW "internal"."job_totals" IS 'The totals of each job of each revision, in cents.';

COMMENT ON VIEW "internal"."priced_lines" IS 'Lines with their amount and the taxable part of it; a discount is negative.';

COMMENT ON VIEW "public"."schedule_conflicts" IS 'Upcoming bookings outside the hours of their bay (outside_hours) or without a bay (no_bay), until they are moved, cancelled or accepted.';

REVOKE ALL ON FUNCTION "internal"."describe_customer_task"(public.tasks) FROM PUBLIC;

CREATE OR REPLACE FUNCTION internal.is_of_others(customer_ids uuid[], kind text, input_text text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ((EXISTS (SELECT FROM (public.customer_contact_methods contact JOIN public.customers other ON ((other.id = contact.customer_id))) WHERE ((contact.kind = is_of_others.kind) AND (contact.match_key = is_of_others.input_text) AND (other.id <> ALL (is_of_others.customer_ids)) AND (other.erased_at IS NULL) AND ((contact.confirmed_at IS NOT NULL) OR (lower(TRIM(BOTH FROM other.email)) = is_of_others.input_text))))) OR (EXISTS (SELECT FROM public.vehicles vehicle WHERE (((is_of_others.input_text = vehicle.plate_key) OR (is_of_others.input_text = vehicle.vin)) AND (vehicle.customer_id <> ALL (is_of_others.customer_ids)) AND (vehicle.merged_into IS NULL)))) OR (EXISTS (SELECT FROM public.shop WHERE (((((is_of_others.input_text = lower(shop.support_email)) OR (is_of_others.input_text = lower(shop.billing_email))) OR (is_of_others.input_text = lower(shop.booking_email))) OR (is_of_others.input_text = internal.normalize_phone(shop.phone))) OR (is_of_others.input_text = internal.normalize_phone(shop.billing_phone))))) OR (EXISTS (SELECT FROM public.employees WHERE (lower(employees.email) = is_of_others.input_text))));

CREATE OR REPLACE FUNCTION internal.list_personal_identifiers(customer_ids uuid[])
 RETURNS internal.personal_identifier[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ARRAY(SELECT ROW(known.kind, known.identifier)::internal.personal_identifier AS "row" FROM (SELECT 'name'::text AS kind, TRIM(BOTH FROM customers.name) AS identifier FROM public.customers WHERE (customers.id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'name'::text, TRIM(BOTH FROM bookings.customer_name) AS btrim FROM public.bookings WHERE (bookings.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'name'::text, TRIM(BOTH FROM quote_requests.name) AS btrim FROM public.quote_requests WHERE (quote_requests.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'name'::text, TRIM(BOTH FROM estimates.customer_name) AS btrim FROM public.estimates WHERE (estimates.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'name'::text, TRIM(BOTH FROM invoices.customer_name) AS btrim FROM public.invoices WHERE (invoices.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT customer_contact_methods.kind, customer_contact_methods.match_key FROM public.customer_contact_methods WHERE (customer_contact_methods.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'email'::text, lower(TRIM(BOTH FROM bookings.customer_email)) AS lower FROM public.bookings WHERE (bookings.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'email'::text, lower(TRIM(BOTH FROM quote_requests.email)) AS lower FROM public.quote_requests WHERE (quote_requests.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'email'::text, lower(estimates.customer_email) AS lower FROM public.estimates WHERE (estimates.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'phone'::text, internal.normalize_phone(bookings.customer_phone) AS normalize_phone FROM public.bookings WHERE (bookings.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'phone'::text, internal.normalize_phone(quote_requests.phone) AS normalize_phone FROM public.quote_requests WHERE (quote_requests.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'phone'::text, internal.normalize_phone(estimates.customer_phone) AS normalize_phone FROM public.estimates WHERE (estimates.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'plate'::text, vehicles.plate_key FROM public.vehicles WHERE (vehicles.customer_id = ANY (list_personal_identifiers.customer_ids)) UNION SELECT 'plate'::text, vehicles.vin FROM public.vehicles WHERE (vehicles.customer_id = ANY (list_personal_identifiers.customer_ids))) known WHERE CASE known.kind WHEN 'name'::text THEN (known.identifier ~ '[[:alnum:]].*[[:alnum:]]'::text) WHEN 'plate'::text THEN (length(known.identifier) >= 3) ELSE (known.identifier <> ''::text) END ORDER BY (length(known.identifier)) DESC);

create or replace function internal.list_personal_identifiers(customer_ids uuid[]) returns internal.personal_identifier[]
  language sql stable set search_path = ''
  return array(
    select row(kind, identifier)::internal.personal_identifier
    from (
      select 'name' as kind, trim(name) as identifier from public.customers where id = any (customer_ids)
      union select 'name', trim(customer_name) from public.bookings where customer_id = any (customer_ids)
      union select 'name', trim(name) from public.quote_requests where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.estimates where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.invoices where customer_id = any (customer_ids)
      union select kind, match_key from public.customer_contact_methods where customer_id = any (customer_ids)
      union select 'email', lower(trim(customer_email)) from public.bookings where customer_id = any (customer_ids)
      union select 'email', lower(trim(email)) from public.quote_requests where customer_id = any (customer_ids)
      union select 'email', lower(customer_email) from public.estimates where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.bookings where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(phone) from public.quote_requests where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.estimates where customer_id = any (customer_ids)
      union select 'plate', plate_key from public.vehicles where customer_id = any (customer_ids)
      union select 'plate', vin from public.vehicles where customer_id = any (customer_ids)
    ) known
    where case kind
      when 'name' then identifier ~ '[[:alnum:]].*[[:alnum:]]'
      when 'plate' then length(identifier) >= 3
      else identifier <> '' end
    -- The longest first, so that no part of a longer identifier is left over.
    order by length(identifier) desc
  );

create or replace function internal.list_open_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(open_record) order by open_record.kind, open_record.at), '[]')
    from (
      select 'visit' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.customer_id = wanted_customer_id and internal.is_upcoming(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.customer_id = wanted_customer_id and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', invoice.invoice_id, invoice.number, invoice.created_at::text
      from public.invoices invoice where invoice.customer_id = wanted_customer_id and invoice.status in ('open', 'draft')
    ) open_record
  );

create or replace function internal.is_of_others(customer_ids uuid[], kind text, input_text text) returns boolean
  language sql stable set search_path = ''
  return exists (
      select from public.customer_contact_methods contact join public.customers other on other.id = contact.customer_id
      where contact.kind = is_of_others.kind and contact.match_key = input_text and other.id <> all (customer_ids) and other.erased_at is null
        -- Unconfirmed addresses do not count: anybody can type them.
        and (contact.confirmed_at is not null or lower(trim(other.email)) = input_text))
    or exists (
      select from public.vehicles vehicle where input_text in (vehicle.plate_key, vehicle.vin) and vehicle.customer_id <> all (customer_ids) and vehicle.merged_into is null)
    or exists (
      select from public.shop
      where input_text in (lower(support_email), lower(billing_email), lower(booking_email), internal.normalize_phone(phone),
        internal.normalize_phone(billing_phone)))
    or exists (select from public.employees where lower(email) = input_text);

create or replace function internal.describe_week_load(monday date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'cars', load.booking_count, 'done', coalesce(done.bookings, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_daily_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as bookings from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );
