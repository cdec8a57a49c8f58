set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."build_visitor_email"(jsonb, text);

CREATE OR REPLACE FUNCTION internal.answer_address_question(booking_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  booking public.bookings;
  person uuid;
begin
  -- A merge holds its customers and then moves appointments: this waits for none of its updates.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_contact_keys(array[lower(trim(booking.customer_email))]);
  person := internal.lock_merged_customer(booking.customer_id);
  if person is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(person, booking.customer_email, 'customer');
  return 'confirmed';
end
$function$;

CREATE OR REPLACE FUNCTION internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from internal.binding_lines(wanted_id) line
      where line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  )
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
  -- Nobody books while it is decided.
  perform internal.lock_calendar();
  if internal.has_real_records() then
    return null;
  end if;
  update internal.onboarding set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$function$;

CREATE OR REPLACE FUNCTION internal.begin_settings_change(changed_section text, seen_version integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  if (select version from public.settings_versions where section = changed_section) is distinct from seen_version then
    raise exception 'These settings were changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION internal.build_visitor_email(message jsonb, mailbox text)
 RETURNS internal.visitor_emails
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  built internal.visitor_emails;
begin
  built.dedupe_key := message ->> 'dedupe_key';
  built.mailbox_digest := sha256(convert_to(mailbox, 'UTF8'));
  built.domain_digest := sha256(convert_to(internal.mailbox_owner_domain(mailbox), 'UTF8'));
  built.created_at := now();
  select origin.address_digest, coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}'
  into built.address_digest, built.is_flagged
  from (values (message)) as asked
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id;
  return built;
end
$function$;

CREATE OR REPLACE FUNCTION internal.count_customer_records(wanted_customer_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'visits', (select count(*) from public.bookings where customer_id = wanted_customer_id),
    'quotes', (select count(*) from public.quote_requests where customer_id = wanted_customer_id),
    'estimates', (select count(*) from public.estimates where customer_id = wanted_customer_id),
    'invoices', (select count(*) from public.invoices where customer_id = wanted_customer_id),
    'cars', (select count(*) from public.vehicles where customer_id = wanted_customer_id and merged_into is null),
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
    'visits', count(*) filter (where internal.customer_came(booking, today)),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'ahead', count(*) filter (where internal.is_upcoming(booking)),
    'lastVisit', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'paidCents', (select coalesce(sum(internal.invoice_paid_cents(links)), 0) from public.invoices links where links.customer_id = wanted_customer_id),
    'openCents', (select coalesce(sum(links.total_cents - internal.invoice_paid_cents(links)), 0) from public.invoices links
                  where links.customer_id = wanted_customer_id and links.status = 'open'),
    'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                      and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
  from public.bookings booking where booking.customer_id = wanted_customer_id
$function$;

CREATE OR REPLACE FUNCTION internal.describe_authorization(line public.authorizations, void_because text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN jsonb_build_object('id', (line).id, 'actId', (line).batch_id, 'revision', (line).revision, 'revisionHash', (line).revision_hash, 'jobKey', (line).job_key, 'jobTitle', (line).job_title, 'decision', (line).decision, 'amountCents', (line).amount_cents, 'runningTotalCents', (line).running_total_cents, 'method', (line).method, 'person', (line).decided_by_name, 'relation', (line).relationship, 'contact', (line).contact, 'words', (line).statement, 'wantsPartsBack', (line).wants_parts_back, 'saidAt', (line).decided_at, 'recordedBy', (line).recorded_by, 'voidBecause', void_because);

CREATE OR REPLACE FUNCTION internal.describe_authorizations(wanted_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(internal.describe_authorization(line, null) order by line.id), '[]')
  from internal.binding_lines(wanted_id) line
$function$;

CREATE OR REPLACE FUNCTION internal.describe_customer_hit(customer public.customers, today date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', customer.id, 'name', customer.name, 'phone', customer.phone, 'email', customer.email,
    'cars', (select count(*) from public.vehicles where customer_id = customer.id and merged_into is null),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'lastVisit', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'nextVisit', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_upcoming(booking)),
    'askedOn', (select max(created_at) from public.quote_requests where customer_id = customer.id),
    'maybeSame', internal.find_duplicate_candidates(customer) <> '[]')
  from (select * from public.bookings known where known.customer_id = customer.id order by appointment_date desc limit 200) booking
$function$;

CREATE OR REPLACE FUNCTION internal.describe_held_bookings()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', held.id, 'customer_name', held.customer_name, 'service_name', held.service_name, 'starts_at', lower(held.occupied), 'held_until', held.held_until) ORDER BY held.held_until, held.id), '[]'::jsonb) AS "coalesce" FROM (SELECT bookings.id, bookings.customer_name, bookings.service_name, bookings.occupied, bookings.held_until FROM public.bookings WHERE ((bookings.held_until > internal.current_instant()) AND (bookings.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text])) AND (bookings.completed_at IS NULL)) ORDER BY bookings.held_until, bookings.id LIMIT 50) held);

CREATE OR REPLACE FUNCTION internal.describe_saved_estimate(wanted_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
    'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
      where totals.estimate_id = wanted_id and totals.revision = revision.revision),
    'problems', case when revision.frozen_at is null
      then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
  from public.estimates estimate
  cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
  where estimate.id = wanted_id
$function$;

CREATE OR REPLACE FUNCTION internal.describe_undelivered_emails()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', letter.id, 'kind', letter.kind, 'recipient_name', letter.recipient_name, 'recipient_email', letter.recipient_email,
    'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', letter.booking_id,
    'appointment_date', booking.appointment_date, 'quote_request_id', letter.quote_request_id, 'created_at', letter.created_at
  ) order by letter.created_at, letter.id), '[]')
  from internal.list_undelivered_emails() letter
  left join public.bookings booking on booking.id = letter.booking_id
  left join public.quote_requests quote on quote.id = letter.quote_request_id
$function$;

CREATE OR REPLACE FUNCTION internal.describe_whole_ledger(wanted_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(internal.describe_authorization(line.*, internal.void_because(line.*, estimate.*)) ORDER BY line.id), '[]'::jsonb) AS "coalesce" FROM (public.authorizations line JOIN public.estimates estimate ON ((estimate.id = line.estimate_id))) WHERE (line.estimate_id = describe_whole_ledger.wanted_id));

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
         where booking.id = any (booking_ids) and booking.customer_email is not null and internal.is_standing(booking)
         order by lower(trim(booking.customer_email)), booking.appointment_date desc
       ) latest
       where internal.is_their_email(latest.customer_id, latest.customer_email)
       order by latest.appointment_date desc limit 1),
      (select internal.main_email(booking.customer_id) from public.bookings booking
       where booking.id = any (booking_ids) order by booking.appointment_date desc limit 1)))
$function$;

CREATE OR REPLACE FUNCTION internal.gets_reminders(customer_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (NOT (EXISTS (SELECT FROM public.customers known WHERE ((known.id = ANY (internal.list_merged_customers(gets_reminders.customer_id))) AND (NOT known.gets_reminders)))));

CREATE OR REPLACE FUNCTION internal.is_approved(wanted_key uuid, wanted_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce((
    select line.decision = 'approved' from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false)
$function$;

CREATE OR REPLACE FUNCTION internal.keep_bay_hours()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today date;
  last_day date;
begin
  -- Two transactions that change the hours would otherwise each compute without the change of the other. The lock comes
  -- first, so that the statements below see what the other one committed.
  perform internal.lock_calendar();
  today := internal.shop_now()::date;
  last_day := today + 31 + (select booking_window_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span
    from public.bays bay
    cross join (select today + nth as day from generate_series(-1, last_day - today) nth) dates
    left join lateral unnest(internal.open_spans(dates.day, bay.id)) open (span) on true
    where bay.is_active
  ), outdated as (
    delete from internal.bay_hours known
    where not exists (
      select from wanted
      where wanted.day = known.day and wanted.bay_id = known.bay_id and wanted.span = known.span)
  )
  insert into internal.bay_hours select day, bay_id, span from wanted on conflict do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_token(record_id uuid, message text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT rtrim(translate(encode((decode(replace((link_token.record_id)::text, '-'::text, ''::text), 'hex'::text) || SUBSTRING(internal.hmac_sha256(link_token.message, secrets.value) FROM 1 FOR 16)), 'base64'::text), '+/'::text, '-_'::text), '='::text) AS rtrim FROM internal.secrets WHERE (secrets.name = 'visit_key'::text));

CREATE OR REPLACE FUNCTION internal.address_token(booking_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT internal.link_token(booking.id, ((('address '::text || booking.id) || ' '::text) || booking.link_version)) AS link_token FROM public.bookings booking WHERE (booking.id = address_token.booking_id));

CREATE OR REPLACE FUNCTION internal.estimate_token(estimate_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT internal.link_token(estimate.id, ((('estimate '::text || estimate.id) || ' '::text) || estimate.link_version)) AS link_token FROM public.estimates estimate WHERE (estimate.id = estimate_token.estimate_id));

CREATE OR REPLACE FUNCTION internal.list_declined_jobs(estimate uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('title', said.job_title, 'cents', said.amount_cents, 'saidAt', said.decided_at) order by said.id), '[]')
  from internal.authorized_jobs(estimate) job
  join lateral (
    select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
  ) said on true
  where job.decision = 'declined' and job.cents = 0
$function$;

CREATE OR REPLACE FUNCTION internal.lock_merged_customer(customer_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  survivor_id uuid;
begin
  select known.id into survivor_id from public.customers known
  where known.id = internal.resolve_merged_customer(lock_merged_customer.customer_id) and known.merged_into is null and known.erased_at is null
  for update;
  return survivor_id;
end
$function$;

CREATE OR REPLACE FUNCTION internal.miles_per_month(wanted_vehicle_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT (round((((span.last_miles - span.first_miles))::numeric / (((span.last_on - span.first_on))::numeric / 30.4))))::integer AS round FROM (SELECT min(lately.read_on) AS first_on, max(lately.read_on) AS last_on, min(lately.miles) AS first_miles, max(lately.miles) AS last_miles FROM (SELECT odometer_readings.read_on, odometer_readings.miles FROM public.odometer_readings WHERE (odometer_readings.vehicle_id = miles_per_month.wanted_vehicle_id) ORDER BY odometer_readings.read_on DESC LIMIT 12) lately) span WHERE ((span.last_on - span.first_on) >= 30));

CREATE OR REPLACE FUNCTION internal.read_visit_page_history(booking_id uuid, time_zone text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', event.kind, 'source', event.source, 'before', event.before, 'after', event.after, 'at', to_char((event.happened_at AT TIME ZONE read_visit_page_history.time_zone), 'YYYY-MM-DD"T"HH24:MI:SS'::text)) ORDER BY event.id), '[]'::jsonb) AS "coalesce" FROM (SELECT known.id, known.kind, known.source, known.before, known.after, known.happened_at FROM public.booking_events known WHERE (known.booking_id = read_visit_page_history.booking_id) ORDER BY known.id DESC LIMIT 100) event);

CREATE OR REPLACE FUNCTION internal.remove_sample_week()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  forgotten_events text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- What was made of a sample appointment is about somebody who does not exist.
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
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.resolve_merged_customer(customer_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT customers.id FROM public.customers WHERE ((customers.id = internal.last_merged_customer(resolve_merged_customer.customer_id)) AND (customers.erased_at IS NULL)));

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
    -- Behind the others, once they have an order.
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
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.customers known
  set gets_reminders = set_customer_reminders.gets_reminders
  where known.id = any (internal.list_merged_customers(survivor_id)) and known.gets_reminders <> set_customer_reminders.gets_reminders
    -- A duplicate keeps its own 'no' in case it is unmerged; a 'yes' has to hold for every record.
    and (known.id = survivor_id or set_customer_reminders.gets_reminders);
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
  person uuid;
  offered text;
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
  person := internal.lock_merged_customer(record.customer_id);
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
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
$function$;

CREATE OR REPLACE FUNCTION public.visit_page_token(booking_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT internal.link_token(booking.id, (('visit '::text || booking.id) || CASE WHEN (booking.link_version > 1) THEN (' '::text || booking.link_version) ELSE ''::text END)) AS link_token FROM public.bookings booking WHERE (booking.id = visit_page_token.booking_id));

COMMENT ON FUNCTION "internal"."build_visitor_email"(jsonb, text) IS 'A letter to a mailbox as the caps see it.';

COMMENT ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) IS 'One authorization as contracts/estimates/estimates.ts describes it, with the reason why it is void, if it is.';

COMMENT ON FUNCTION "internal"."link_token"(uuid, text) IS 'The last part of a link that is sent to a customer: the id of the record and half of an HMAC of the message, as base64url. server/features/visit-page signs in the same way.';

COMMENT ON FUNCTION "internal"."lock_merged_customer"(uuid) IS 'Locks the customer to which merges lead from an id, until the transaction ends, and returns its id; null for none or an erased one.';

REVOKE ALL ON FUNCTION "internal"."build_visitor_email"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."link_token"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lock_merged_customer"(uuid) FROM PUBLIC;

