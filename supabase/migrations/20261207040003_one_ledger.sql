-- The table of payments becomes the ledger of every payment, whatever its method (docs/product.md 17.1).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP POLICY "the server writes the ledger" ON "public"."payments";

DROP TRIGGER "prevent_history_change" ON "public"."payments";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_amount_cents_check";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_invoice_number_check";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_outcome_check";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_overpaid_matches_outcome";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_overpaid_within_amount";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_refund_id_matches_outcome";

DROP FUNCTION "internal"."describe_document_hit"(text, text);

DROP FUNCTION "internal"."describe_customer_invoice"(public.invoices);

DROP FUNCTION "internal"."invoice_paid_cents"(public.invoices);

DROP FUNCTION "internal"."list_repair_records"(uuid);

DROP FUNCTION "internal"."payments_of_day"(date);

-- The lines that follow from the outcome of each payment are inserted at the end.
create temporary table former_outcomes on commit drop as
  select id, outcome, overpaid_cents, refund_id from public.payments where outcome <> 'applied';

ALTER TABLE "public"."payments" DROP COLUMN "invoice_number";

ALTER TABLE "public"."payments" DROP COLUMN "outcome";

ALTER TABLE "public"."payments" DROP COLUMN "overpaid_cents";

ALTER TABLE "public"."invoices" ADD COLUMN "tax_cents" bigint;

ALTER TABLE "public"."invoices" ADD COLUMN "due_date" date;

ALTER TABLE "public"."invoices" ADD COLUMN "remaining_at_stripe_cents" bigint;

ALTER TABLE "public"."payments" ADD COLUMN "kind" text NOT NULL DEFAULT 'payment';

ALTER TABLE "public"."payments" ALTER COLUMN "kind" DROP DEFAULT;

ALTER TABLE "public"."payments" ADD COLUMN "method" text NOT NULL DEFAULT 'card_online';

ALTER TABLE "public"."payments" ALTER COLUMN "method" DROP DEFAULT;

ALTER TABLE "public"."payments" ADD COLUMN "original_id" uuid;

ALTER TABLE "public"."payments" ADD COLUMN "reference" text;

ALTER TABLE "public"."payments" ADD COLUMN "note" text;

ALTER TABLE "public"."payments" ADD COLUMN "recorded_by_name" text;

ALTER TABLE "public"."payments" ADD COLUMN "business_date" date NOT NULL DEFAULT '2000-01-01';

ALTER TABLE "public"."payments" ALTER COLUMN "business_date" DROP DEFAULT;

-- Constraints are checked at the end of each statement, so the refund leaves its payment before its own line is inserted.
update public.payments
set refund_id = null, business_date = (select (paid_at at time zone time_zone)::date from public.shop);

ALTER TABLE "public"."payments" ALTER COLUMN "payment_intent_id" DROP NOT NULL;

create or replace function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, paid_at timestamptz)
  language sql stable set search_path = '' as $$
  select claim.number, claim.total_cents, paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) filter (where payment.kind = 'payment') as at from public.payments payment
    where payment.invoice_id = claim.invoice_id
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;

create or replace function internal.business_date(moment timestamptz) returns date
  language sql stable set search_path = ''
  return (select (moment at time zone time_zone)::date from public.shop);

create or replace function internal.describe_outstanding_invoices() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.due_date, invoice.created_at), '[]')
  from (
    select * from public.invoices outstanding
    where outstanding.status = 'open' and internal.is_outstanding(outstanding)
    order by outstanding.due_date, outstanding.created_at limit 50
  ) invoice
$$;

create or replace function internal.erase_customer_rows(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
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
  update public.payments set note = null
  where note is not null and invoice_id in (select invoice_id from public.invoices where customer_id = any (customer_ids));
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$$;

create or replace function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return coalesce(
    (select nullif(sum(amount_cents), 0) from public.payments where invoice_id = invoice.invoice_id),
    -- A payment that was recorded at Stripe only is not in public.payments, so an invoice that Stripe reports as paid
    -- counts with its total.
    case when invoice.status = 'paid' then invoice.total_cents else 0 end);

create or replace function internal.describe_customer_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'madeAt', invoice.created_at, 'totalCents', invoice.total_cents,
    'currency', invoice.currency, 'status', invoice.status, 'vehicleId', invoice.vehicle_id, 'bookingId', invoice.booking_id,
    'paidCents', internal.invoice_paid_cents(invoice));

create or replace function internal.describe_document_hit(kind text, id text) returns jsonb
  language sql stable set search_path = ''
  return case kind
    when 'estimate' then (
      select internal.describe_customer_estimate(estimate) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)
      from public.estimates estimate where estimate.id = describe_document_hit.id::uuid)
    else (
      select internal.describe_customer_invoice(invoice) || jsonb_build_object('kind', 'invoice', 'name', invoice.customer_name)
      from public.invoices invoice where invoice.invoice_id = describe_document_hit.id)
  end;

create or replace function internal.invoice_balance_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return case when invoice.status = 'void' then 0
    else greatest(invoice.total_cents - internal.invoice_paid_cents(invoice), 0) end;

create or replace function internal.invoice_state(invoice public.invoices) returns text
  language sql stable set search_path = ''
  return case
    when invoice.status = 'void' then 'void'
    when internal.invoice_balance_cents(invoice) = 0 then 'paid'
    when invoice.status = 'uncollectible' then 'written_off'
    when internal.invoice_paid_cents(invoice) > 0 then 'part_paid'
    else 'open' end;

create or replace function internal.describe_listed_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'customerName', invoice.customer_name, 'customerId', invoice.customer_id,
    'customerEmail', (select email from public.customers where id = invoice.customer_id),
    'vehicle', (select nullif(internal.vehicle_line(vehicle.year, vehicle.make, vehicle.model), '') from public.vehicles vehicle where vehicle.id = invoice.vehicle_id),
    'bookingId', invoice.booking_id, 'totalCents', invoice.total_cents, 'taxCents', invoice.tax_cents,
    'paidCents', internal.invoice_paid_cents(invoice), 'balanceCents', internal.invoice_balance_cents(invoice),
    'currency', invoice.currency, 'state', internal.invoice_state(invoice), 'createdAt', invoice.created_at,
    'dueDate', invoice.due_date);

create or replace function internal.is_outstanding(invoice public.invoices) returns boolean
  language sql stable set search_path = ''
  return invoice.status = 'open' and internal.invoice_balance_cents(invoice) > 0;

create or replace function internal.expected_payments(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object('invoices', count(*), 'cents', coalesce(sum(internal.invoice_balance_cents(invoice)), 0))
    from public.invoices invoice
    where invoice.status = 'open' and invoice.currency = 'usd' and internal.is_outstanding(invoice)
      and exists (
        select from public.bookings booking
        where booking.customer_id = invoice.customer_id and booking.appointment_date = day
          and booking.status not in ('cancelled', 'no_show', 'not_confirmed'))
  );

create or replace function internal.link_invoice(invoice jsonb) returns void
  -- Runs with its owner's rights, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  tax constant bigint := (invoice ->> 'tax_cents')::bigint;
  due constant date := (select (to_timestamp((invoice ->> 'due_at')::bigint) at time zone time_zone)::date from public.shop);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  -- Total, tax and due date stay as the invoice was created.
  update public.invoices known
  set number = invoice ->> 'number', status = invoice ->> 'status', tax_cents = coalesce(known.tax_cents, tax),
    due_date = coalesce(known.due_date, due), remaining_at_stripe_cents = (invoice ->> 'remaining_cents')::bigint
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
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, tax_cents, due_date,
    remaining_at_stripe_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, estimate.vehicle_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, tax, due, (invoice ->> 'remaining_cents')::bigint, invoice ->> 'currency',
    invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
end
$$;

create or replace function internal.list_invoices_in(filter text, today date) returns setof public.invoices
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select * from public.invoices invoice
    where case filter
      when 'open' then internal.is_outstanding(invoice)
      when 'past_due' then internal.is_outstanding(invoice) and invoice.due_date < today
      when 'paid' then invoice.status not in ('void', 'draft') and internal.invoice_balance_cents(invoice) = 0
      when 'written_off' then internal.invoice_state(invoice) = 'written_off'
      when 'void' then invoice.status = 'void'
      else true end;
end
$$;

create or replace function internal.list_repair_records(wanted uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'label', label, 'state', state, 'at', at) order by at), '[]')
    from (
      select 'quote' as kind, quote.id::text, quote.name as label, quote.status as state, quote.created_at as at
      from public.quote_requests quote where quote.repair_id = wanted
      union all
      select 'booking', booking.id::text, booking.appointment_date || ' ' || to_char(booking.appointment_time, 'HH24:MI'),
        internal.booking_state(booking), booking.created_at
      from public.bookings booking where booking.repair_id = wanted
      union all
      select 'estimate', estimate.id::text, estimate.number, internal.estimate_state(estimate), estimate.created_at
      from public.estimates estimate where estimate.repair_id = wanted
      union all
      select 'task', task.id::text, task.title, task.status, task.created_at
      from public.tasks task
      where task.estimate_id in (select id from public.estimates where repair_id = wanted)
        or task.booking_id in (select id from public.bookings where repair_id = wanted)
      union all
      select 'invoice', coalesce(claim.invoice_id, claim.id::text), coalesce(claim.number, ''), claim.state, claim.claimed_at
      from public.estimate_invoices claim where claim.estimate_id in (select id from public.estimates where repair_id = wanted)
      union all
      select 'payment', payment.id::text, (abs(payment.amount_cents) / 100.0)::numeric(12, 2)::text, payment.kind, payment.paid_at
      from public.payments payment
      where payment.kind <> 'cash_rounding' and payment.invoice_id in (
        select claim.invoice_id from public.estimate_invoices claim
        where claim.estimate_id in (select id from public.estimates where repair_id = wanted))
    ) linked
  );

create or replace function internal.passes_luhn(digits text) returns boolean
  language sql immutable strict set search_path = ''
  return (
    select sum(case when place % 2 = 1 then digit when digit > 4 then digit * 2 - 9 else digit * 2 end) % 10 = 0
    from (
      select digit::integer, row_number() over (order by position desc) as place
      from regexp_split_to_table(digits, '') with ordinality split (digit, position)
    ) placed
  );

create or replace function internal.contains_card_number(value text) returns boolean
  language sql immutable strict set search_path = ''
  return exists (
    select from regexp_matches(value, '(?:^|[^0-9])((?:[0-9][ .-]?){13,19})(?![0-9])', 'g') found,
      lateral (select regexp_replace(found[1], '[^0-9]', '', 'g') as digits) number
    where digits ~ '^[2-6][0-9]{12,18}$' and internal.passes_luhn(digits));

create or replace function internal.payment_outcome(payment public.payments) returns text
  language sql stable set search_path = ''
  return coalesce(
    (select max(case kind when 'refund' then 'refunded' else 'overpaid' end) from public.payments
     where original_id = payment.id and (kind = 'customer_credit' or (kind = 'refund' and -amount_cents = payment.amount_cents))),
    'applied');

create or replace function internal.payments_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'receivedCents', coalesce(sum(cents), 0),
      'payments', coalesce(sum(payments), 0),
      'refunds', coalesce(sum(refunds), 0),
      'methods', coalesce(jsonb_agg(jsonb_build_object('method', method, 'cents', cents) order by method) filter (where cents <> 0), '[]'))
    from (
      select method, sum(amount_cents) as cents, count(*) filter (where kind = 'payment') as payments,
        count(*) filter (where kind = 'refund') as refunds
      from public.payments
      where business_date = day and currency = 'usd' and kind in ('payment', 'refund', 'reversal')
      group by method
    ) received
  );

create or replace function internal.prevent_excess_return() returns trigger
  language plpgsql set search_path = '' as $$
declare
  original public.payments;
  others bigint;
begin
  select * into original from public.payments where id = new.original_id for update;
  if original.kind <> 'payment' or (original.invoice_id, original.method, original.currency) is distinct from
     (new.invoice_id, case when new.kind = 'refund' then original.method else new.method end, new.currency) then
    raise exception 'A line refers to a payment of its invoice.' using errcode = 'TT101', hint = 'other_invoice';
  end if;
  select coalesce(sum(amount_cents), 0) into others from public.payments
  where original_id = original.id and kind <> 'cash_rounding';
  if new.kind <> 'cash_rounding' and original.amount_cents + others + new.amount_cents < 0 then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', original.amount_cents + others)::text;
  end if;
  return new;
end
$$;

create or replace function internal.prevent_payment_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'note' <> to_jsonb(old) - 'note' or new.note is not null then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.read_customer_export(customer_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read customers, customer_contact_methods and
  -- others.
  language plpgsql stable security definer set search_path = '' as $$
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
    'payments', internal.rows_as_json('select invoice_id, kind, method, amount_cents, currency, reference, note, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1)) order by paid_at', merged_ids),
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) merged_id, internal.list_customer_emails(merged_id) order by created_at', merged_ids));
end
$$;

create or replace function internal.record_online_payment(payment jsonb) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  line public.payments;
begin
  insert into public.payments (
    invoice_id, kind, method, amount_cents, currency, payment_intent_id, checkout_session_id, paid_at)
  values (
    payment ->> 'invoiceId', 'payment', 'card_online', (payment ->> 'amountCents')::integer, payment ->> 'currency',
    payment ->> 'paymentIntentId', payment ->> 'checkoutSessionId', to_timestamp((payment ->> 'paidAt')::bigint))
  on conflict (payment_intent_id) do nothing
  returning * into line;
  if not found then
    return false;
  end if;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, refund_id, paid_at)
  select line.invoice_id, follows.kind, line.method, line.id, -follows.cents, line.currency, follows.refund_id, line.paid_at
  from (values
    ('refund', case when payment ->> 'refundId' is not null then line.amount_cents end, payment ->> 'refundId'),
    ('customer_credit', nullif((payment ->> 'overpaidCents')::integer, 0), null)
  ) follows (kind, cents, refund_id)
  where follows.cents is not null;
  return true;
end
$$;

create or replace function internal.set_business_date() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.business_date := internal.business_date(new.paid_at);
  return new;
end
$$;

create or replace function public.count_open_work()
  returns table (needs_attention boolean, appointments bigint, tasks bigint, quotes bigint, invoices bigint)
  -- Runs with its owner's rights, because the admin has no right to call list_arrived_bookings, unanswered_quotes and
  -- others. require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant timestamp := internal.shop_now();
begin
  perform internal.require_admin();
  return query select
    exists (select from internal.list_arrived_bookings(moment))
      or exists (select from internal.unanswered_quotes())
      or exists (select from internal.list_undelivered_emails())
      or exists (select from internal.bookings_to_notify())
      or exists (select from public.schedule_conflicts),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from public.invoices invoice where invoice.status = 'open' and internal.is_outstanding(invoice));
end
$$;

create or replace function public.list_invoices(filter text default 'open', max_rows integer default 50) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call list_invoices_in and others.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'today', today,
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.created_at desc, invoice.invoice_id), '[]')
      from (
        select * from internal.list_invoices_in(filter, today) listed
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance), 0),
        'pastDue', count(*) filter (where due_date < today), 'pastDueCents', coalesce(sum(balance) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid > 0), 'partPaidCents', coalesce(sum(paid) filter (where paid > 0), 0))
      from (
        select due_date, internal.invoice_balance_cents(invoice) as balance, internal.invoice_paid_cents(invoice) as paid
        from public.invoices invoice where invoice.status = 'open' and invoice.currency = 'usd'
      ) unpaid
      where balance > 0),
    'received', internal.payments_of_day(today));
end
$$;

create or replace function public.read_listed_invoice(invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call describe_listed_invoice.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.describe_listed_invoice(invoice) from public.invoices invoice
    where invoice.invoice_id = read_listed_invoice.invoice_id);
end
$$;

create or replace function public.read_today() returns jsonb
  -- Runs with its owner's rights, because otherwise the policies would check in each of its many reads that the role
  -- is the admin.
  language plpgsql stable security definer set search_path = '' as $$
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
    'expected_payments', internal.expected_payments(today),
    'invoices', internal.describe_outstanding_invoices(),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;

ALTER TABLE "public"."invoices" ADD CONSTRAINT "invoices_tax_in_range" CHECK ((tax_cents >= 0));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_amount_has_the_sign_of_its_kind" CHECK (
CASE kind
    WHEN 'payment'::text THEN (amount_cents > 0)
    WHEN 'cash_rounding'::text THEN ((amount_cents IN (-2, -1, 1, 2)) AND (method = 'cash'::text))
    ELSE (amount_cents < 0)
END);

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_check_has_number" CHECK (((kind <> 'payment'::text) OR (method <> ALL (ARRAY['check'::text, 'other'::text])) OR (reference IS NOT NULL)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_intent_of_online_cards" CHECK (((payment_intent_id IS NOT NULL) = ((kind = 'payment'::text) AND (method = 'card_online'::text))));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_kind_is_known" CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'reversal'::text, 'customer_credit'::text, 'cash_rounding'::text])));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_method_is_known" CHECK ((method = ANY (ARRAY['card_online'::text, 'card_terminal'::text, 'cash'::text, 'check'::text, 'other'::text])));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_note_is_text" CHECK (((length(note) >= 1) AND (length(note) <= 500)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_original_id_fkey" FOREIGN KEY (original_id) REFERENCES public.payments(id);

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_original_matches_kind" CHECK (((kind = 'payment'::text) = (original_id IS NULL)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_recorded_by_name_check" CHECK ((length(recorded_by_name) <= 100));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_reference_is_text" CHECK (((length(reference) >= 1) AND (length(reference) <= 60)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_refund_id_of_refunds" CHECK (((refund_id IS NULL) OR (kind = 'refund'::text)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_session_of_intent" CHECK (((checkout_session_id IS NULL) OR (payment_intent_id IS NOT NULL)));

CREATE INDEX payments_by_business_date ON public.payments USING btree (business_date);

CREATE INDEX payments_of_original ON public.payments USING btree (original_id) WHERE (original_id IS NOT NULL);

CREATE TRIGGER prevent_excess_return BEFORE INSERT ON public.payments FOR EACH ROW WHEN ((new.original_id IS NOT NULL)) EXECUTE FUNCTION internal.prevent_excess_return();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change('erasure UPDATE', 'sample_week_removal DELETE');

CREATE TRIGGER prevent_payment_change BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION internal.prevent_payment_change();

CREATE TRIGGER set_business_date BEFORE INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION internal.set_business_date();

COMMENT ON COLUMN "public"."invoices"."due_date" IS 'The last day to pay without being late, in shop time; null when the invoice has none.';

COMMENT ON COLUMN "public"."invoices"."remaining_at_stripe_cents" IS 'The unpaid amount at Stripe when the invoice was last read. The balance of the shop is internal.invoice_balance_cents; a difference is shown, and never corrects either.';

COMMENT ON COLUMN "public"."invoices"."tax_cents" IS 'The sales tax in total_cents; null until the invoice was read again.';

COMMENT ON COLUMN "public"."payments"."amount_cents" IS 'What the line adds to the paid amount of the invoice; negative for money that went back. Minor units of the currency.';

COMMENT ON COLUMN "public"."payments"."business_date" IS 'The shop''s day to which the line counts, on Today and in the files for the accountant (docs/product.md 17.1).';

COMMENT ON COLUMN "public"."payments"."kind" IS 'payment: received. refund: returned to the customer. reversal: a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment that the customer has as credit at Stripe. cash_rounding: the difference to the rounded cash amount.';

COMMENT ON COLUMN "public"."payments"."original_id" IS 'The payment that a line of another kind belongs to.';

COMMENT ON COLUMN "public"."payments"."paid_at" IS 'The time of the payment itself, as Stripe or the counter reports it.';

COMMENT ON COLUMN "public"."payments"."recorded_by_name" IS 'The staff account that recorded the line; null for a payment that Stripe reported.';

COMMENT ON COLUMN "public"."payments"."reference" IS 'The number of a check, the last four digits at a card terminal, or the name of another method; never a card number.';

COMMENT ON FUNCTION "internal"."business_date"(timestamp with time zone) IS 'The shop''s day to which a payment at this time counts.';

COMMENT ON FUNCTION "internal"."contains_card_number"(text) IS 'Whether a text has 13 to 19 digits that begin with 2 to 6 and pass the Luhn check of ISO/IEC 7812-1, also with spaces or dashes between them.';

COMMENT ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) IS 'An invoice with its balance, as lists and panels show it (contracts/invoices/invoice-list.ts). The email address is the customer''s of today; null after an erasure.';

COMMENT ON FUNCTION "internal"."describe_outstanding_invoices"() IS 'The 50 outstanding invoices that are due first.';

COMMENT ON FUNCTION "internal"."expected_payments"(date) IS 'The outstanding invoices of the customers with an appointment on a date: {invoices, cents}.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'What is still due: the total minus the paid amount; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'The paid amount of an invoice: the sum of its lines in the ledger, or its total where Stripe alone reports a payment.';

COMMENT ON FUNCTION "internal"."invoice_state"(public.invoices) IS 'The state that staff see (contracts/invoices/invoice-list.ts): open, part_paid, paid, written_off or void.';

COMMENT ON FUNCTION "internal"."is_outstanding"(public.invoices) IS 'Whether the customer still has to pay the invoice, in full or in part. A written-off invoice is not outstanding.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice: {id, number, name, email, phone, total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970)}. The customer is the one of the estimate, else found by email address and phone number.';

COMMENT ON FUNCTION "internal"."list_invoices_in"(text, date) IS 'The invoices of one filter of the list; an unknown filter selects all.';

COMMENT ON FUNCTION "internal"."list_repair_records"(uuid) IS 'All records of one repair, oldest first: [{kind, id, label, state, at}].';

COMMENT ON FUNCTION "internal"."passes_luhn"(text) IS 'The check digit of a card number: ISO/IEC 7812-1, annex B.';

COMMENT ON FUNCTION "internal"."payment_outcome"(public.payments) IS 'applied: it paid the invoice. overpaid: the rest is the customer''s credit. refunded: all of it was returned.';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'The payments of a business date in US dollars: {receivedCents (payments minus what went back), payments, refunds, methods [{method, cents}]}.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal or credit above what its payment has left, or for another invoice.';

COMMENT ON FUNCTION "internal"."prevent_payment_change"() IS 'Lets an erasure empty the note of a payment, and nothing else.';

COMMENT ON FUNCTION "internal"."record_online_payment"(jsonb) IS 'Records a payment that Stripe reported: {invoiceId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970), overpaidCents, refundId}, with a line for its overpaid part or its refund. Returns false when it is recorded already.';

COMMENT ON FUNCTION "internal"."set_business_date"() IS 'Sets the day to which a new line of the ledger counts.';

COMMENT ON FUNCTION "public"."list_invoices"(text, integer) IS 'The newest invoices of a filter (open, past_due, paid, written_off, void, all), at most 500, with the counts and sums above the list and today''s payments (contracts/invoices/invoice-list.ts).';

COMMENT ON FUNCTION "public"."read_listed_invoice"(text) IS 'One invoice as in list_invoices; null when it is unknown.';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, expected_payments, invoices, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

COMMENT ON TABLE "public"."payments" IS 'The ledger: one line for each amount that was received or returned for an invoice, by whatever method. Lines are never changed; a mistake is corrected by a further line. [append-only]';

REVOKE ALL ON FUNCTION "internal"."business_date"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."business_date"(timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."business_date"(timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."contains_card_number"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."contains_card_number"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."contains_card_number"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_customer_invoice"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_customer_invoice"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_customer_invoice"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_document_hit"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_document_hit"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_document_hit"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_outstanding_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_outstanding_invoices"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_outstanding_invoices"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."expected_payments"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."expected_payments"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."expected_payments"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."invoice_state"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."invoice_state"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."invoice_state"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_outstanding"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_outstanding"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_outstanding"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_invoices_in"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_invoices_in"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_invoices_in"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_repair_records"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_repair_records"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_repair_records"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."passes_luhn"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."passes_luhn"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."passes_luhn"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."payment_outcome"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."payment_outcome"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."payment_outcome"(public.payments) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."payment_outcome"(public.payments) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."payments_of_day"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."payments_of_day"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."payments_of_day"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."prevent_excess_return"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."prevent_excess_return"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."prevent_excess_return"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."prevent_payment_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."prevent_payment_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."prevent_payment_change"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."record_online_payment"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_online_payment"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_online_payment"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_online_payment"(jsonb) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."set_business_date"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."set_business_date"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."set_business_date"() TO "postgres";

REVOKE ALL ON FUNCTION "public"."list_invoices"(text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_invoices"(text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_invoices"(text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_invoices"(text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "public"."read_listed_invoice"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."read_listed_invoice"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_listed_invoice"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_listed_invoice"(text) TO "postgres";

REVOKE ALL ON TABLE "public"."payments" FROM "shop_server";

GRANT SELECT ON TABLE "public"."payments" TO "shop_server";

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_have_no_card_number" CHECK ((NOT internal.contains_card_number(((COALESCE(reference, ''::text) || '
'::text) || COALESCE(note, ''::text)))));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_have_no_invisible_characters" CHECK (internal.shows_every_character(VARIADIC ARRAY[reference, note]));

insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, refund_id, business_date, paid_at, recorded_at)
select payment.invoice_id, case former.outcome when 'refunded' then 'refund' else 'customer_credit' end, payment.method, payment.id,
  -case former.outcome when 'refunded' then payment.amount_cents else former.overpaid_cents end, payment.currency, former.refund_id,
  payment.business_date, payment.paid_at, payment.recorded_at
from former_outcomes former join public.payments payment on payment.id = former.id;

-- The job that records older invoices reads all of them once more, with their tax and due date.
update internal.invoice_backfill set after_invoice_id = null, done_at = null;

delete from internal.erasure_rules where table_name = 'public.payments' and column_name in ('invoice_number', 'outcome');
insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.payments', 'kind', 'free', 'ids of a payment'),
  ('public.payments', 'method', 'free', 'ids of a payment'),
  ('public.payments', 'recorded_by_name', 'free', 'the staff account'),
  ('public.payments', 'note', 'replaced', 'emptied'),
  ('public.payments', 'reference', 'kept', 'the number of a check, as part of the ledger');
