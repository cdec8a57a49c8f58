set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.count_customer_records(wanted_customer_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'bookings', (select count(*) from public.bookings where customer_id = wanted_customer_id),
    'quotes', (select count(*) from public.quote_requests where customer_id = wanted_customer_id),
    'estimates', (select count(*) from public.estimates where customer_id = wanted_customer_id),
    'invoices', (select count(*) from public.invoices where customer_id = wanted_customer_id),
    'vehicles', (select count(*) from public.vehicles where customer_id = wanted_customer_id and merged_into is null),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'notes', (select count(*) from public.customer_notes where customer_id = wanted_customer_id))
$function$;

CREATE OR REPLACE FUNCTION internal.customer_totals(wanted_customer_id uuid, today date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'bookings', count(*) filter (where internal.customer_came(booking, today)),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'ahead', count(*) filter (where internal.is_upcoming(booking)),
    'lastBookingDate', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'paidCents', (select coalesce(sum(internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice where invoice.customer_id = wanted_customer_id),
    'openCents', (select coalesce(sum(invoice.total_cents - internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice
                  where invoice.customer_id = wanted_customer_id and invoice.status = 'open'),
    'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                      and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
  from public.bookings booking where booking.customer_id = wanted_customer_id
$function$;

CREATE OR REPLACE FUNCTION internal.describe_authorization(line public.authorizations, void_because text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (line).id, 'batchId', (line).batch_id, 'revision', (line).revision, 'revisionHash', (line).revision_hash, 'jobKey', (line).job_key, 'jobTitle', (line).job_title, 'decision', (line).decision, 'amountCents', (line).amount_cents, 'runningTotalCents', (line).running_total_cents, 'method', (line).method, 'decidedByName', (line).decided_by_name, 'relationship', (line).relationship, 'contact', (line).contact, 'statement', (line).statement, 'wantsPartsBack', (line).wants_parts_back, 'decidedAt', (line).decided_at, 'recordedBy', (line).recorded_by, 'voidBecause', void_because);

CREATE OR REPLACE FUNCTION internal.describe_booking(booking public.bookings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (booking).id, 'version', (booking).version, 'starts_at', lower((booking).occupied), 'ends_at', upper((booking).occupied), 'minutes', (booking).duration_minutes, 'bay_id', (booking).bay_id, 'state', internal.booking_state(booking), 'state_changed_at', (booking).state_changed_at, 'vehicle_facts', internal.vehicle_facts(booking), 'will_come', ((booking).attendance_confirmed_at IS NOT NULL), 'needs_notification', internal.needs_notification(booking), 'notified_starts_at', (booking).notified_starts_at, 'notified_cancelled', (booking).notified_cancelled, 'service_id', (booking).service_id, 'service_name', (booking).service_name, 'customer_id', (booking).customer_id, 'vehicle_id', (booking).vehicle_id, 'customer_name', (booking).customer_name, 'customer_phone', (booking).customer_phone, 'customer_email', (booking).customer_email, 'vehicle_year', (booking).vehicle_year, 'vehicle_make', (booking).vehicle_make, 'vehicle_model', (booking).vehicle_model, 'vehicle_color', (booking).vehicle_color, 'notes', (booking).notes, 'internal_note', (booking).internal_note, 'flagged_reasons', (booking).flagged_reasons, 'held_until', (booking).held_until, 'schedule_conflict', (SELECT schedule_conflicts.problem FROM public.schedule_conflicts WHERE (schedule_conflicts.booking_id = (describe_booking.booking).id)), 'has_task', (EXISTS (SELECT FROM public.tasks WHERE (tasks.booking_id = (describe_booking.booking).id))));

CREATE OR REPLACE FUNCTION internal.describe_customer_booking(booking public.bookings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (booking).id, 'startsAt', lower((booking).occupied), 'state', internal.booking_state(booking), 'service', (booking).service_name, 'vehicleFacts', internal.vehicle_facts(booking), 'vehicleId', (booking).vehicle_id, 'vehicle', internal.vehicle_line((booking).vehicle_year, (booking).vehicle_make, (booking).vehicle_model), 'bay', (SELECT bays.name FROM public.bays WHERE (bays.id = (describe_customer_booking.booking).bay_id)), 'willCome', ((booking).attendance_confirmed_at IS NOT NULL));

CREATE OR REPLACE FUNCTION internal.describe_customer_estimate(estimate public.estimates)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('id', (describe_customer_estimate.estimate).id, 'number', (describe_customer_estimate.estimate).number, 'vehicleId', (describe_customer_estimate.estimate).vehicle_id, 'vehicle', internal.vehicle_line((describe_customer_estimate.estimate).vehicle_year, (describe_customer_estimate.estimate).vehicle_make, (describe_customer_estimate.estimate).vehicle_model), 'title', totals.title, 'jobs', totals.jobs, 'totalCents', totals.total, 'authorizedCents', (SELECT COALESCE(sum(authorized_jobs.cents), (0)::numeric) AS "coalesce" FROM internal.authorized_jobs((describe_customer_estimate.estimate).id) authorized_jobs(job_key, cents, decision, revision)), 'state', internal.estimate_state(describe_customer_estimate.estimate), 'createdAt', (describe_customer_estimate.estimate).created_at, 'declined', internal.list_declined_jobs((describe_customer_estimate.estimate).id)) AS jsonb_build_object FROM (SELECT COALESCE((array_agg(job_totals.title ORDER BY job_totals."position"))[1], ''::text) AS title, count(*) AS jobs, COALESCE(sum(job_totals.total), (0)::numeric) AS total FROM internal.job_totals WHERE ((job_totals.estimate_id = (describe_customer_estimate.estimate).id) AND (job_totals.revision = (SELECT max(estimate_revisions.revision) AS max FROM public.estimate_revisions WHERE (estimate_revisions.estimate_id = (describe_customer_estimate.estimate).id))))) totals);

CREATE OR REPLACE FUNCTION internal.describe_customer_hit(customer public.customers, today date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', customer.id, 'name', customer.name, 'phone', customer.phone, 'email', customer.email,
    'vehicles', (select count(*) from public.vehicles where customer_id = customer.id and merged_into is null),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'lastBookingDate', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'nextBookingDate', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_upcoming(booking)),
    'quoteRequestedOn', (select max(created_at) from public.quote_requests where customer_id = customer.id),
    'maybeSame', internal.find_duplicate_candidates(customer) <> '[]')
  from (select * from public.bookings known where known.customer_id = customer.id order by appointment_date desc limit 200) booking
$function$;

CREATE OR REPLACE FUNCTION internal.describe_customer_invoice(invoice public.invoices)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (invoice).invoice_id, 'number', (invoice).number, 'madeAt', (invoice).created_at, 'totalCents', (invoice).total_cents, 'currency', (invoice).currency, 'status', (invoice).status, 'vehicleId', (invoice).vehicle_id, 'bookingId', (invoice).booking_id, 'paidCents', internal.invoice_paid_cents(invoice));

CREATE OR REPLACE FUNCTION internal.describe_vehicle(vehicle public.vehicles)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('id', (describe_vehicle.vehicle).id, 'version', (describe_vehicle.vehicle).version, 'customerId', (describe_vehicle.vehicle).customer_id, 'year', (describe_vehicle.vehicle).year, 'make', (describe_vehicle.vehicle).make, 'model', (describe_vehicle.vehicle).model, 'color', (describe_vehicle.vehicle).color, 'plate', (describe_vehicle.vehicle).plate, 'vin', (describe_vehicle.vehicle).vin, 'note', (describe_vehicle.vehicle).internal_note, 'miles', latest.miles, 'milesOn', latest.read_on) AS jsonb_build_object FROM ((VALUES ((describe_vehicle.vehicle).id)) asked(id) LEFT JOIN LATERAL (SELECT odometer_readings.miles, odometer_readings.read_on FROM public.odometer_readings WHERE (odometer_readings.vehicle_id = asked.id) ORDER BY odometer_readings.read_on DESC, odometer_readings.recorded_at DESC LIMIT 1) latest ON (true)));

create or replace function internal.describe_week_load(monday date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'booking_count', load.booking_count, 'done', coalesce(done.bookings, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_daily_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as bookings from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );

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
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$function$;

CREATE OR REPLACE FUNCTION internal.list_declined_jobs(estimate uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('title', latest.job_title, 'cents', latest.amount_cents, 'decidedAt', latest.decided_at) order by latest.id), '[]')
  from internal.authorized_jobs(estimate) job
  join lateral (
    select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
  ) latest on true
  where job.decision = 'declined' and job.cents = 0
$function$;

create or replace function internal.list_open_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(open_record) order by open_record.kind, open_record.at), '[]')
    from (
      select 'booking' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.customer_id = wanted_customer_id and internal.is_upcoming(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.customer_id = wanted_customer_id and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', invoice.invoice_id, invoice.number, invoice.created_at::text
      from public.invoices invoice where invoice.customer_id = wanted_customer_id and invoice.status in ('open', 'draft')
    ) open_record
  );

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
      join public.vehicles car on car.id = reading.vehicle_id where car.customer_id = any ($1) order by read_on', merged_ids),
    'bookings', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
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
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.list_customer_emails(person) order by created_at', merged_ids));
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
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'open', internal.list_open_records(customer.id), 'retained', retained,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(retained) record),
    'counts', internal.count_customer_records(customer.id), 'others', internal.describe_other_texts(customer.id),
    'areFilesCleaned', internal.are_files_ours());
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
    'customerId', customer.id, 'vehicleId', booking.vehicle_id, 'typedEmails', internal.typed_emails(customer.id),
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

CREATE OR REPLACE FUNCTION public.read_today()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return public.read_day(today) || jsonb_build_object(
    'instant', internal.current_instant(),
    'also_here', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from internal.vehicles_of_other_days(today) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'name', name, 'vehicle_year', vehicle_year, 'vehicle_make', vehicle_make, 'vehicle_model', vehicle_model,
        'service_type', service_type, 'created_at', created_at) order by created_at, id), '[]')
      from internal.unanswered_quotes()),
    'undelivered_emails', internal.describe_undelivered_emails(),
    'to_notify', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'customer_name', customer_name, 'customer_email', customer_email, 'customer_phone', customer_phone,
        'starts_at', lower(occupied), 'is_cancelled', status = 'cancelled') order by appointment_date, appointment_time, id), '[]')
      from internal.bookings_to_notify()),
    'schedule_conflicts', internal.describe_schedule_conflicts(),
    'held', internal.describe_held_bookings(),
    'tasks', internal.describe_tasks_waiting_on_customer(),
    'payments', internal.payments_of_day(today),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
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
    'customer', (
      select jsonb_build_object('id', customer.id, 'version', customer.version, 'name', customer.name, 'phone', customer.phone, 'email', customer.email)
      from public.customers customer where customer.id = vehicle.customer_id),
    'odometer', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', reading.id, 'miles', reading.miles, 'readOn', reading.read_on, 'bookingId', reading.booking_id,
        'recordedBy', reading.recorded_by_name) order by reading.read_on desc, reading.recorded_at desc), '[]')
      from public.odometer_readings reading where reading.vehicle_id = vehicle.id),
    'milesAMonth', internal.miles_per_month(vehicle.id),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
          'internalNote', booking.internal_note,
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
  return internal.describe_saved_estimate(estimate.id) || jsonb_build_object('batchId', new_batch_id);
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
    'customers', (
      select coalesce(jsonb_agg(internal.describe_customer_hit(customer, today) order by place), '[]')
      from unnest(customer_ids) with ordinality as ranked (id, place) join public.customers customer on customer.id = ranked.id),
    'vehicles', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) || jsonb_build_object('customerName', customer.name) order by place), '[]')
      from unnest(vehicle_ids) with ordinality as ranked (id, place)
      join public.vehicles vehicle on vehicle.id = ranked.id join public.customers customer on customer.id = vehicle.customer_id),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
        'customerId', booking.customer_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(booking_ids[1:limit_each]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_document_hit(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= limit_each),
    'counts', jsonb_build_object('bookings', cardinality(booking_ids), 'documents', jsonb_array_length(documents)));
end
$function$;
