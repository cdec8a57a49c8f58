-- Deposits of estimates: asked for, taken once, applied to the invoice first (docs/product.md 17.12).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."stripe_reports" DROP CONSTRAINT "stripe_reports_kind_is_known";

ALTER TABLE "internal"."stripe_reports" DROP CONSTRAINT "stripe_reports_kind_matches_record";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_amount_has_the_sign_of_its_kind";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_kind_is_known";

CREATE TABLE "public"."deposits" ("estimate_id" uuid NOT NULL, "amount_cents" integer, "share_percent" integer, "asked_by_name" text NOT NULL, "asked_at" timestamp with time zone NOT NULL, CONSTRAINT "deposits_amount_in_range" CHECK (((amount_cents >= 1) AND (amount_cents <= 99999999))), CONSTRAINT "deposits_are_sum_or_share" CHECK ((num_nonnulls(amount_cents, share_percent) = 1)), CONSTRAINT "deposits_asked_by_name_check" CHECK ((length(asked_by_name) <= 100)), CONSTRAINT "deposits_pkey" PRIMARY KEY (estimate_id), CONSTRAINT "deposits_share_in_range" CHECK (((share_percent >= 1) AND (share_percent <= 100))));

ALTER TABLE "public"."deposits" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "internal"."payment_pages" ADD COLUMN "estimate_id" uuid;

ALTER TABLE "public"."payments" ADD COLUMN "estimate_id" uuid;

ALTER TABLE "internal"."payment_pages" ALTER COLUMN "invoice_id" DROP NOT NULL;

ALTER TABLE "internal"."stripe_reports" ALTER COLUMN "invoice_id" DROP NOT NULL;

ALTER TABLE "public"."payments" ALTER COLUMN "invoice_id" DROP NOT NULL;

create or replace function internal.announce_invoice() returns trigger
  -- Runs with its owner's rights, so that every role that writes the row can notify the other processes.
  language plpgsql security definer set search_path = '' as $$
begin
  -- A deposit has an estimate instead of an invoice.
  perform pg_notify('invoices_changed', coalesce(new.invoice_id, to_jsonb(new) ->> 'estimate_id'));
  return null;
end
$$;

create or replace function internal.applied_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(internal.left_cents(applied)), 0)::bigint
  from public.payments deposit
  join public.payments applied on applied.original_id = deposit.id and applied.kind = 'applied_deposit'
  where deposit.estimate_id = wanted_id
$$;

create or replace function internal.apply_deposit(claim public.estimate_invoices) returns void
  language plpgsql set search_path = '' as $$
declare
  invoice public.invoices;
  deposit public.payments;
  applied_id uuid;
  cents bigint;
begin
  select * into invoice from public.invoices known where known.invoice_id = claim.invoice_id for update;
  if not found or internal.is_void(invoice) then
    return;
  end if;
  for deposit in
    select * from public.payments line
    where line.estimate_id = claim.estimate_id and line.kind = 'payment' and line.currency = invoice.currency and internal.left_cents(line) > 0
  loop
    cents := least(internal.left_cents(deposit), internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id));
    if cents > 0 then
      insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, reference, recorded_by_name, paid_at)
      values (invoice.invoice_id, 'applied_deposit', deposit.method, deposit.id, cents, deposit.currency, deposit.reference,
        claim.claimed_by, internal.current_instant())
      returning id into applied_id;
      insert into internal.stripe_reports (invoice_id, kind, payment_id) values (invoice.invoice_id, 'payment', applied_id);
    end if;
    if internal.left_cents(deposit) > 0 then
      perform internal.return_deposit(deposit, internal.left_cents(deposit), null, deposit.reference, null);
    end if;
  end loop;
end
$$;

create or replace function internal.approved_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(cents), 0) from internal.authorized_jobs(wanted_id)
$$;

create or replace function internal.asked_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce((
    select least(coalesce(deposit.amount_cents, round(approved.cents * deposit.share_percent / 100.0)), approved.cents)
    from public.deposits deposit, lateral (select internal.approved_cents(wanted_id) as cents) approved
    where deposit.estimate_id = wanted_id), 0)::bigint
$$;

create or replace function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, balance_cents bigint, paid_at timestamptz)
  language sql stable set search_path = '' as $$
  select claim.number, claim.total_cents,
    claim.total_cents - least(claim.total_cents, (
      select coalesce(sum(line.amount_cents), 0) from public.payments line where line.invoice_id = claim.invoice_id)),
    paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) filter (where payment.kind in ('payment', 'applied_deposit')) as at from public.payments payment
    where payment.invoice_id = claim.invoice_id
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;

create or replace function internal.claim_online_payment(invoice_id text, payment_intent_id text, amount_cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write online_payment_claims.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice public.invoices;
  is_changed_by_staff boolean;
begin
  select * into invoice from public.invoices known where known.invoice_id = claim_online_payment.invoice_id for update;
  if not found or exists (
    select from internal.online_payment_claims claim where claim.payment_intent_id = claim_online_payment.payment_intent_id
  ) then
    return true;
  end if;
  is_changed_by_staff := exists (
      select from public.payments payment
      where payment.invoice_id = invoice.invoice_id
        and (payment.kind = 'payment' and payment.method <> 'card_online' or payment.kind = 'applied_deposit'))
    or exists (select from public.credit_notes note where note.invoice_id = invoice.invoice_id) or internal.is_void(invoice);
  if is_changed_by_staff
     and claim_online_payment.amount_cents > internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id) then
    return false;
  end if;
  insert into internal.online_payment_claims (payment_intent_id, invoice_id, amount_cents)
  values (claim_online_payment.payment_intent_id, invoice.invoice_id, claim_online_payment.amount_cents);
  return true;
end
$$;

create or replace function internal.deposit_limit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(nullif(internal.approved_cents(wanted_id), 0), (
    select sum(totals.total) from internal.job_totals totals
    where totals.estimate_id = wanted_id and totals.revision = (internal.latest_revision(wanted_id)).revision), 0)
$$;

create or replace function internal.deposit_state(wanted_id uuid) returns text
  language sql stable set search_path = '' as $$
  select case
    when internal.applied_deposit_cents(wanted_id) > 0 then 'applied'
    when internal.held_deposit_cents(wanted_id) > 0 then 'paid'
    when exists (select from public.payments where estimate_id = wanted_id) then 'refunded'
    when exists (select from public.estimate_invoices claim where claim.estimate_id = wanted_id and claim.state in ('claimed', 'made'))
      or not exists (select from public.deposits where estimate_id = wanted_id) then 'none'
    when internal.asked_deposit_cents(wanted_id) > 0 then 'open'
    else 'asked' end
$$;

create or replace function internal.describe_deposit(wanted_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'state', internal.deposit_state(wanted_id), 'askedCents', internal.asked_deposit_cents(wanted_id),
    'amountCents', (select amount_cents from public.deposits where estimate_id = wanted_id),
    'sharePercent', (select share_percent from public.deposits where estimate_id = wanted_id),
    'approvedCents', internal.approved_cents(wanted_id), 'limitCents', internal.deposit_limit_cents(wanted_id),
    'heldCents', internal.held_deposit_cents(wanted_id), 'appliedCents', internal.applied_deposit_cents(wanted_id),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', line.id, 'kind', line.kind, 'method', line.method, 'amountCents', line.amount_cents, 'reference', line.reference,
        'note', line.note, 'recordedByName', line.recorded_by_name, 'paidAt', line.paid_at) order by line.recorded_at, line.kind), '[]')
      from public.payments line where line.estimate_id = wanted_id))
$$;

create or replace function internal.describe_deposit_recipient(estimate public.estimates) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object('estimateId', estimate.id, 'estimateNumber', estimate.number, 'customerName', estimate.customer_name,
    'currency', 'usd', 'email', nullif(estimate.customer_email, ''));

create or replace function internal.describe_undecided_deposits() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'estimateId', estimate_id, 'number', number, 'customerName', customer_name, 'heldCents', held_cents, 'because', because)
    order by number), '[]')
  from (select * from internal.list_undecided_deposits() listed order by listed.number limit 50) undecided
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
  where note is not null and (invoice_id in (select invoice_id from public.invoices where customer_id = any (customer_ids))
    or estimate_id in (select id from public.estimates where customer_id = any (customer_ids)));
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$$;

create or replace function internal.held_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(internal.left_cents(line)), 0)::bigint
  from public.payments line where line.estimate_id = wanted_id and line.kind = 'payment'
$$;

create or replace function internal.invoice_actions(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'takePayment', not is_void and balance > 0 and not is_awaited, 'correctPrice', not is_void and balance > 0 and not is_awaited,
      'refund', not is_void and balance = 0 and was_paid and remaining > 0,
      'void', not is_void and not was_paid and invoice.status in ('open', 'uncollectible'),
      'cancel', not is_void and was_paid and remaining > 0 and not is_replaced,
      'writeOff', internal.is_outstanding(invoice) and not is_awaited)
    from (
      select internal.is_void(invoice) as is_void, internal.invoice_balance_cents(invoice) as balance,
        invoice.total_cents - internal.credited_cents(invoice) - internal.replaced_cents(invoice.invoice_id) as remaining,
        internal.awaited_cents(invoice.invoice_id) > 0 as is_awaited,
        exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) as is_replaced,
        exists (select from public.payments line
          where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit')) as was_paid
    ) facts
  );

create or replace function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return coalesce(
    (select case when bool_or(method <> 'card_online' or credit_note_id is not null or kind in ('reversal', 'applied_deposit')) then sum(amount_cents) else nullif(sum(amount_cents), 0) end
     from public.payments where invoice_id = invoice.invoice_id),
    -- A payment that was recorded at Stripe only is not in public.payments, so an invoice that Stripe reports as paid, and
    -- of which the shop knows at most returned duplicates, counts with its total.
    case when invoice.status = 'paid' then invoice.total_cents - internal.credited_cents(invoice) else 0 end);

create or replace function internal.left_cents(payment public.payments) returns bigint
  language sql stable set search_path = ''
  return case when payment.kind not in ('payment', 'applied_deposit') then 0 else payment.amount_cents + (
    select coalesce(sum(case
      -- What was applied to an invoice is not left of the deposit.
      when line.kind = 'applied_deposit' and payment.kind = 'payment' then -line.amount_cents
      when line.original_id = payment.id or follows.kind = 'refund' then line.amount_cents
      else 0 end), 0)
    from public.payments line
    left join public.payments follows on follows.id = line.original_id and follows.original_id = payment.id
    where line.kind <> 'cash_rounding' and (line.original_id = payment.id
      or line.original_id in (select known.id from public.payments known where known.original_id = payment.id))) end;

create or replace function internal.list_deposit_records(
  after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, estimate_number text,
    invoice_number text, customer text, method text, reference text, amount_cents integer, recorded_by text, payment_id uuid
  )
  -- Runs with its owner's rights, because the server has no right to read estimates and invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    case when line.kind = 'applied_deposit' and line.amount_cents < 0 then 'unapplied_deposit' else line.kind end,
    coalesce(estimate.number, deposit.estimate_id::text), coalesce(invoice.number, line.invoice_id), estimate.customer_name,
    line.method, line.reference, case line.kind when 'applied_deposit' then -line.amount_cents else line.amount_cents end,
    line.recorded_by_name, deposit.id
  from public.payments line
  cross join public.shop
  left join public.payments original on original.id = line.original_id
  -- A reversal of a refund, and a deposit that is taken off its invoice, belong to another line of the deposit.
  join public.payments deposit on deposit.id = coalesce(original.original_id, original.id, line.id)
  left join public.estimates estimate on estimate.id = deposit.estimate_id
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.estimate_id is not null or line.kind = 'applied_deposit') and line.currency = 'usd'
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

create or replace function internal.list_ledger_records(
  wants_payments boolean, after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, invoice_number text, customer text,
    method text, reference text, amount_cents integer, rounding_cents integer, currency text, recorded_by text,
    payment_id uuid, payment_date date, payment_method text, payment_reference text
  )
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    line.kind, coalesce(invoice.number, line.invoice_id, estimate.number, line.estimate_id::text),
    coalesce(invoice.customer_name, estimate.customer_name), line.method, line.reference, line.amount_cents,
    (select coalesce(sum(rounding.amount_cents), 0)::integer from public.payments rounding
     where rounding.original_id = line.id and rounding.kind = 'cash_rounding' and rounding.paid_at = line.paid_at),
    line.currency, line.recorded_by_name, payment.id, payment.business_date, payment.method, payment.reference
  from public.payments line
  cross join public.shop
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  left join public.estimates estimate on estimate.id = line.estimate_id
  left join public.payments original on original.id = line.original_id
  -- The reversal of a refund belongs to the refund, and through it to a payment.
  left join public.payments payment on payment.id = coalesce(original.original_id, original.id)
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.kind = 'payment') = wants_payments and line.kind <> 'applied_deposit'
    and (line.kind <> 'cash_rounding' or line.paid_at <> payment.paid_at)
  order by line.business_date, line.paid_at, line.id
  limit max_rows
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
      where payment.kind not in ('cash_rounding', 'applied_deposit') and (
        payment.estimate_id in (select id from public.estimates where repair_id = wanted)
        or payment.invoice_id in (
          select claim.invoice_id from public.estimate_invoices claim
          where claim.estimate_id in (select id from public.estimates where repair_id = wanted)))
    ) linked
  );

create or replace function internal.list_undecided_deposits()
  returns table (estimate_id uuid, number text, customer_name text, held_cents bigint, because text)
  language sql stable set search_path = '' as $$
  select held.id, held.number, held.customer_name, held.cents,
    case when booking.status in ('cancelled', 'no_show') then booking.status else 'declined' end
  from (
    select estimate.id, estimate.number, estimate.customer_name, estimate.booking_id, internal.held_deposit_cents(estimate.id) as cents
    from public.estimates estimate
    where estimate.id in (select line.estimate_id from public.payments line where line.estimate_id is not null)
      and not exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made'))
  ) held
  left join public.bookings booking on booking.id = held.booking_id
  where held.cents > 0 and (booking.status in ('cancelled', 'no_show') or internal.approved_cents(held.id) = 0)
$$;

create or replace function internal.may_follow(line public.payments, original public.payments) returns boolean
  language sql immutable set search_path = ''
  return case
    -- A deposit is applied to an invoice, and taken off it again.
    when line.kind = 'applied_deposit' and original.kind = 'payment' then original.estimate_id is not null and line.amount_cents > 0
    when line.kind = 'applied_deposit' then
      original.kind = 'applied_deposit' and original.invoice_id = line.invoice_id and line.amount_cents < 0
    else (original.kind in ('payment', 'applied_deposit') or (original.kind = 'refund' and line.kind = 'reversal'))
      and (original.invoice_id, original.estimate_id) is not distinct from (line.invoice_id, line.estimate_id)
    end and original.currency = line.currency;

create or replace function internal.open_deposit_page(estimate_id uuid, lifetime_seconds integer) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates and to add payment pages.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(open_deposit_page.estimate_id, null);
  asked constant bigint := internal.asked_deposit_cents(estimate.id);
  known constant jsonb := (
    select coalesce(jsonb_agg(page.session_id), '[]') from internal.payment_pages page
    where page.estimate_id = estimate.id and page.closed_at is null and page.session_id is not null);
  page_id uuid;
begin
  if internal.deposit_state(estimate.id) <> 'open' then
    return null;
  end if;
  insert into internal.payment_pages (estimate_id, amount_cents, expires_at)
  values (estimate.id, asked, clock_timestamp() + lifetime_seconds * interval '1 second')
  returning id into page_id;
  return jsonb_build_object('pageId', page_id, 'amountCents', asked, 'number', estimate.number, 'openSessions', known,
    'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone));
end
$$;

create or replace function internal.prevent_excess_return() returns trigger
  language plpgsql set search_path = '' as $$
declare
  original public.payments;
  left_before bigint;
  change bigint;
begin
  select * into original from public.payments where id = new.original_id for update;
  if not internal.may_follow(new, original) then
    raise exception 'A line refers to a payment of its invoice.' using errcode = 'TT101', hint = 'other_invoice';
  end if;
  left_before := case original.kind
    when 'refund' then -original.amount_cents - (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.original_id = original.id and line.kind <> 'cash_rounding')
    else internal.left_cents(original) end;
  -- Applying a deposit, and the reversal of a refund, use up what is left.
  change := case when original.kind = 'refund' or (new.kind = 'applied_deposit' and original.kind = 'payment')
    then -new.amount_cents else new.amount_cents end;
  if new.kind <> 'cash_rounding' and left_before + change not between 0 and abs(original.amount_cents) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', abs(left_before))::text;
  end if;
  return new;
end
$$;

create or replace function internal.raise_deposit_refusal(reason text, detail jsonb default '{}') returns void
  language plpgsql set search_path = '' as $$
begin
  raise exception 'This deposit was not changed: %', reason using errcode = 'TT104', hint = reason, detail = detail::text;
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
      vehicle_vin, odometer_miles, internal_note, created_at, payer_name, payer_reference, payer_approved_cents from public.estimates where customer_id = any ($1) order by created_at', merged_ids),
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
    'payments', internal.rows_as_json('select invoice_id, estimate_id, kind, method, amount_cents, currency, reference, note, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by paid_at', merged_ids),
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) merged_id, internal.list_customer_emails(merged_id) order by created_at', merged_ids));
end
$$;

create or replace function internal.read_sent_deposit(estimate_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read deposits.
  language sql stable security definer set search_path = '' as $$
  select internal.describe_deposit(read_sent_deposit.estimate_id)
$$;

create or replace function internal.record_estimate_invoice_state(
  request_id uuid, new_state text, new_invoice_id text default null, new_number text default null
) returns boolean
  -- Runs with its owner's rights, because the server has no right to write estimate_invoices and estimates.
  language plpgsql security definer set search_path = '' as $$
declare
  claim public.estimate_invoices;
begin
  update public.estimate_invoices
  set state = new_state, invoice_id = coalesce(new_invoice_id, invoice_id), number = coalesce(new_number, number), settled_at = now()
  where id = request_id and state <> new_state
    and (state, new_state) in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
  returning * into claim;
  if not found then
    return false;
  end if;
  case new_state
    when 'made' then perform internal.apply_deposit(claim);
    when 'voided' then perform internal.release_deposit(claim);
    else null;
  end case;
  update public.estimates set version = version + 1, changed_at = clock_timestamp() where id = claim.estimate_id;
  return true;
end
$$;

create or replace function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  lost bigint;
  reversal_id uuid;
begin
  select * into payment from public.payments line where line.payment_intent_id = record_lost_dispute.payment_intent_id;
  -- A deposit that pays an invoice is lost there.
  if payment.estimate_id is not null and internal.left_cents(payment) = 0 then
    select * into payment from public.payments applied
    where applied.original_id = payment.id and applied.kind = 'applied_deposit' and internal.left_cents(applied) > 0;
  end if;
  lost := least(record_lost_dispute.cents, internal.left_cents(payment));
  if payment.id is null or coalesce(lost, 0) = 0 then
    return false;
  end if;
  select * into invoice from public.invoices known where known.invoice_id = payment.invoice_id for update;
  reversal_id := internal.reverse_line(payment.id, lost, 'lost_dispute', 'Dispute lost: ' || record_lost_dispute.dispute_id);
  if reversal_id is not null and invoice.invoice_id is not null then
    perform internal.replace_invoice(invoice, reversal_id, lost);
  end if;
  return reversal_id is not null;
end
$$;

create or replace function internal.record_online_deposit(payment jsonb) returns text
  -- Runs with its owner's rights, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate constant public.estimates := internal.lock_estimate((payment ->> 'estimateId')::uuid, null);
  amount constant integer := (payment ->> 'amountCents')::integer;
  is_wanted constant boolean := internal.deposit_state(estimate.id) = 'open' and amount <= internal.approved_cents(estimate.id);
  line public.payments;
begin
  insert into public.payments (
    estimate_id, kind, method, amount_cents, currency, payment_intent_id, checkout_session_id, paid_at)
  values (
    estimate.id, 'payment', 'card_online', amount, payment ->> 'currency', payment ->> 'paymentIntentId',
    payment ->> 'checkoutSessionId', to_timestamp((payment ->> 'paidAt')::bigint))
  on conflict (payment_intent_id) do nothing
  returning * into line;
  if not found then
    return 'known';
  end if;
  if not is_wanted then
    perform internal.return_deposit(line, amount, null, null, null);
  end if;
  return case when is_wanted then 'held' else 'returned' end;
end
$$;

create or replace function internal.refuse_deposit(estimate public.estimates, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  state constant text := internal.deposit_state(estimate.id);
  asked constant bigint := internal.asked_deposit_cents(estimate.id);
begin
  if state <> 'open' then
    perform internal.raise_deposit_refusal(
      case state when 'none' then 'not_asked' when 'asked' then 'nothing_approved' else 'already_taken' end);
  end if;
  if amount is null or amount < 1 then
    perform internal.raise_deposit_refusal('invalid_amount');
  end if;
  if amount > asked then
    perform internal.raise_deposit_refusal('above_asked', jsonb_build_object('askedCents', asked, 'excessCents', amount - asked));
  end if;
end
$$;

create or replace function internal.release_deposit(claim public.estimate_invoices) returns void
  language plpgsql set search_path = '' as $$
declare
  applied public.payments;
begin
  for applied in
    select * from public.payments line
    where line.invoice_id = claim.invoice_id and line.kind = 'applied_deposit' and line.amount_cents > 0 and internal.left_cents(line) > 0
  loop
    insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at)
    values (applied.invoice_id, 'applied_deposit', applied.method, applied.id, -internal.left_cents(applied), applied.currency,
      internal.current_instant());
    update internal.stripe_reports set state = 'reversed', problem = null where payment_id = applied.id and state = 'due';
  end loop;
end
$$;

create or replace function internal.return_deposit(line public.payments, cents bigint, method text, reference text, note text) returns void
  language plpgsql set search_path = '' as $$
declare
  way constant text := coalesce(return_deposit.method, line.method);
  refund_id uuid;
begin
  insert into public.payments (
    estimate_id, kind, method, original_id, amount_cents, currency, reference, note, recorded_by_name, paid_at)
  values (line.estimate_id, 'refund', way, line.id, -cents, line.currency, return_deposit.reference, return_deposit.note,
    case when internal.is_admin() then internal.author_name(null) end, internal.current_instant())
  returning id into refund_id;
  if way = 'card_online' then
    insert into internal.stripe_reports (kind, payment_id) values ('deposit_refund', refund_id);
  end if;
end
$$;

create or replace function internal.reverse_line(original_id uuid, cents bigint, cause text, note text) returns uuid
  language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  line public.payments;
  reversal_id uuid;
begin
  select * into line from public.payments known where known.id = reverse_line.original_id for update;
  if line.id is null or exists (
    select from public.payments known where known.original_id = line.id and known.kind = 'reversal' and known.note = reverse_line.note
  ) then
    return null;
  end if;
  insert into public.payments (invoice_id, estimate_id, kind, method, original_id, amount_cents, currency, note, cause, paid_at)
  values (line.invoice_id, line.estimate_id, 'reversal', line.method, line.id, -sign(line.amount_cents) * cents, line.currency,
    reverse_line.note, reverse_line.cause, internal.current_instant())
  returning id into reversal_id;
  return reversal_id;
end
$$;

create or replace function public.ask_deposit(estimate_id uuid, amount_cents integer, share_percent integer) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write deposits.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  highest bigint;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(ask_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  if internal.deposit_state(estimate.id) not in ('none', 'asked', 'open') then
    perform internal.raise_deposit_refusal('already_taken');
  end if;
  delete from public.deposits known where known.estimate_id = estimate.id;
  if num_nonnulls(ask_deposit.amount_cents, ask_deposit.share_percent) > 0 then
    highest := internal.deposit_limit_cents(estimate.id);
    if ask_deposit.amount_cents > highest then
      perform internal.raise_deposit_refusal('above_approved', jsonb_build_object('limitCents', highest));
    end if;
    insert into public.deposits (estimate_id, amount_cents, share_percent, asked_by_name, asked_at)
    values (estimate.id, ask_deposit.amount_cents, ask_deposit.share_percent, internal.author_name(null), internal.current_instant());
  end if;
  return internal.describe_deposit(estimate.id);
end
$$;

create or replace function public.cancel_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  payment public.payments;
  note_id uuid;
  refunded bigint := 0;
  remaining bigint;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(cancel_invoice.invoice_id);
  remaining := invoice.total_cents - internal.credited_cents(invoice);
  if internal.is_void(invoice) or remaining = 0 or not exists (
    select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit'))
     or exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) then
    raise exception 'Only an invoice with a payment is cancelled.' using errcode = 'TT103', hint = 'never_paid';
  end if;
  note_id := internal.add_credit_note(invoice, 'cancellation', remaining, reason);
  for payment in
    select * from public.payments line
    where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit') order by line.recorded_at
  loop
    if internal.left_cents(payment) > 0 then
      refunded := refunded + internal.left_cents(payment);
      perform internal.return_payment(payment, internal.left_cents(payment), null, payment.reference, note_id);
    end if;
  end loop;
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('refundCents', refunded, 'creditNoteId', note_id, 'customer', internal.describe_recipient(invoice));
end
$$;

create or replace function public.correct_payment(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  invoice public.invoices;
  line public.payments;
  former_cents bigint;
  reversal_id uuid;
begin
  perform internal.require_admin();
  select * into wrong from public.payments known where known.id = correct_payment.payment_id;
  invoice := internal.lock_invoice(wrong.invoice_id);
  if wrong.kind <> 'payment' or wrong.method = 'card_online' or internal.left_cents(wrong) <> wrong.amount_cents or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  former_cents := internal.exact_cents(wrong);
  reversal_id := internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  perform internal.refuse_payment(invoice, amount_cents);
  line := internal.record_counter_payment(invoice, method, amount_cents, reference, null);
  perform internal.replace_report(invoice, reversal_id, wrong, line, former_cents - internal.exact_cents(line));
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
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
      or exists (select from public.schedule_conflicts)
      or exists (select from internal.list_unclosed_days(moment::date))
      or exists (select from internal.list_ledger_differences())
      or exists (select from internal.list_undecided_deposits()),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from internal.unsettled_invoices() invoice where internal.invoice_balance_cents(invoice) > 0);
end
$$;

create or replace function public.read_day_close(close_day date) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call cash_of_day and others.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'day', close_day, 'today', internal.shop_now()::date,
    'drawer', (select name from public.cash_drawers where id = 1),
    'hasLines', internal.has_lines(close_day),
    'isBeforeClosedDay', coalesce(close_day < (select max(business_date) from public.day_closes), false),
    'startCents', (
      select remains_cents from public.day_closes where business_date < close_day order by business_date desc limit 1),
    'cash', internal.cash_of_day(close_day),
    'methods', internal.methods_of_day(close_day),
    'checks', (
      select coalesce(jsonb_agg(jsonb_build_object('number', line.reference,
        'customerName', coalesce(invoice.customer_name, estimate.customer_name)) order by line.recorded_at), '[]')
      from public.payments line
      left join public.invoices invoice on invoice.invoice_id = line.invoice_id
      left join public.estimates estimate on estimate.id = line.estimate_id
      where line.business_date = close_day and line.method = 'check' and line.kind = 'payment' and line.currency = 'usd'),
    'movements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'amountCents', amount_cents, 'reason', reason, 'recordedByName', recorded_by_name,
        'recordedAt', recorded_at) order by recorded_at, id), '[]')
      from public.cash_movements where business_date = close_day),
    'latestCash', internal.latest_cash(close_day),
    'unclosedDays', internal.describe_unclosed_days(close_day),
    'close', (select internal.describe_close(close) from public.day_closes close where close.business_date = close_day),
    'countsFirst', (select counts_cash_before_expected from public.booking_rules),
    'printFormat', (select close_print_format from public.booking_rules));
end
$$;

create or replace function public.read_deposit(estimate_id uuid) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call describe_deposit.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return internal.describe_deposit(read_deposit.estimate_id);
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
    'payments_after_close', internal.payments_after_close(today),
    'drawer_expects_cents', internal.drawer_expects_cents(today),
    'unclosed_days', internal.describe_unclosed_days(today),
    'ledger_differences', internal.describe_ledger_differences(),
    'undecided_deposits', internal.describe_undecided_deposits(),
    'expected_payments', internal.expected_payments(today),
    'invoices', internal.describe_outstanding_invoices(),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;

create or replace function public.refund_deposit(estimate_id uuid, method text, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  held bigint;
begin
  perform internal.require_admin();
  if method = 'card_online' then
    perform internal.raise_deposit_refusal('invalid_method');
  end if;
  estimate := internal.lock_estimate(refund_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  held := internal.held_deposit_cents(estimate.id);
  if held = 0 then
    perform internal.raise_deposit_refusal('nothing_held');
  end if;
  perform internal.return_deposit(line, internal.left_cents(line), refund_deposit.method, refund_deposit.reference, refund_deposit.reason)
  from public.payments line
  where line.estimate_id = estimate.id and line.kind = 'payment' and internal.left_cents(line) > 0;
  return jsonb_build_object('refundCents', held, 'customer', internal.describe_deposit_recipient(estimate));
end
$$;

create or replace function public.take_deposit(
  estimate_id uuid, method text, amount_cents integer, given_cents integer, reference text, note text
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  line public.payments;
begin
  perform internal.require_admin();
  if method is null or method not in ('card_terminal', 'cash', 'check', 'other') then
    perform internal.raise_deposit_refusal('invalid_method');
  end if;
  estimate := internal.lock_estimate(take_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  perform internal.refuse_deposit(estimate, take_deposit.amount_cents);
  if given_cents < take_deposit.amount_cents then
    perform internal.raise_deposit_refusal('given_too_little');
  end if;
  insert into public.payments (estimate_id, kind, method, amount_cents, currency, reference, note, recorded_by_name, paid_at)
  values (estimate.id, 'payment', take_deposit.method, take_deposit.amount_cents, 'usd', take_deposit.reference, take_deposit.note,
    internal.author_name(null), internal.current_instant())
  returning * into line;
  return jsonb_build_object(
    'paymentId', line.id, 'amountCents', line.amount_cents, 'changeCents', coalesce(given_cents - line.amount_cents, 0),
    'approvedCents', internal.approved_cents(estimate.id), 'paidAt', line.paid_at,
    'receipt', internal.describe_deposit_recipient(estimate));
end
$$;

ALTER TABLE "internal"."payment_pages" ADD CONSTRAINT "payment_pages_estimate_id_fkey" FOREIGN KEY (estimate_id) REFERENCES public.estimates(id) ON DELETE CASCADE;

ALTER TABLE "internal"."payment_pages" ADD CONSTRAINT "payment_pages_of_invoice_or_estimate" CHECK ((num_nonnulls(invoice_id, estimate_id) = 1));

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_kind_is_known" CHECK ((kind = ANY (ARRAY['payment'::text, 'credit_note'::text, 'void'::text, 'write_off'::text, 'refund'::text, 'deposit_refund'::text])));

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_kind_matches_record" CHECK ((((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'deposit_refund'::text])) = (payment_id IS NOT NULL)) AND ((kind = 'credit_note'::text) = (credit_note_id IS NOT NULL))));

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_of_an_invoice" CHECK (((kind = 'deposit_refund'::text) = (invoice_id IS NULL)));

ALTER TABLE "public"."deposits" ADD CONSTRAINT "deposits_estimate_id_fkey" FOREIGN KEY (estimate_id) REFERENCES public.estimates(id) ON DELETE CASCADE;

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_amount_has_the_sign_of_its_kind" CHECK (
CASE kind
    WHEN 'payment'::text THEN (amount_cents > 0)
    WHEN 'cash_rounding'::text THEN ((amount_cents = ANY (ARRAY['-2'::integer, '-1'::integer, 1, 2])) AND (method = 'cash'::text))
    WHEN 'reversal'::text THEN (amount_cents <> 0)
    WHEN 'applied_deposit'::text THEN (amount_cents <> 0)
    ELSE (amount_cents < 0)
END);

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_belong_to_invoice_or_estimate" CHECK ((num_nonnulls(invoice_id, estimate_id) = 1));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_kind_is_known" CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'reversal'::text, 'customer_credit'::text, 'cash_rounding'::text, 'applied_deposit'::text])));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_of_estimates_are_deposits" CHECK (((estimate_id IS NULL) OR (kind = ANY (ARRAY['payment'::text, 'refund'::text, 'reversal'::text]))));

CREATE INDEX payment_pages_of_estimate ON internal.payment_pages USING btree (estimate_id) WHERE (estimate_id IS NOT NULL);

CREATE INDEX payments_of_estimate ON public.payments USING btree (estimate_id) WHERE (estimate_id IS NOT NULL);

CREATE TRIGGER publish_estimate_change AFTER INSERT OR DELETE OR UPDATE ON public.deposits FOR EACH ROW EXECUTE FUNCTION internal.publish_estimate_change();

CREATE TRIGGER publish_estimate_change AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.estimate_id IS NOT NULL)) EXECUTE FUNCTION internal.publish_estimate_change();

CREATE POLICY "the admin reads deposits" ON "public"."deposits" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

COMMENT ON COLUMN "internal"."payment_pages"."estimate_id" IS 'The estimate whose deposit is paid on the page; null for an invoice.';

COMMENT ON COLUMN "internal"."stripe_reports"."invoice_id" IS 'Null for the refund of a deposit, which belongs to an estimate.';

COMMENT ON COLUMN "internal"."stripe_reports"."stripe_id" IS 'The payment record, payment intent (of a deposit), credit note or refund (of a deposit) at Stripe, as soon as it exists.';

COMMENT ON COLUMN "public"."deposits"."amount_cents" IS 'The sum; never more than what is approved is asked for. US cents.';

COMMENT ON COLUMN "public"."deposits"."share_percent" IS 'The share of what is approved.';

COMMENT ON COLUMN "public"."payments"."estimate_id" IS 'The estimate of a deposit; null for a line of an invoice. No foreign key: the ledger outlives the estimate.';

COMMENT ON COLUMN "public"."payments"."kind" IS 'payment: received. refund: returned to the customer. reversal: a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment that the customer has as credit at Stripe. cash_rounding: the difference to the rounded cash amount. applied_deposit: what the deposit of the estimate pays of the invoice; no money moves.';

COMMENT ON COLUMN "public"."payments"."original_id" IS 'The line that a refund, reversal, credit or rounding belongs to; for applied_deposit, the payment of the deposit.';

COMMENT ON FUNCTION "internal"."applied_deposit_cents"(uuid) IS 'What the deposit of an estimate pays of its invoice.';

COMMENT ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) IS 'Pays the new invoice of an estimate with its deposit; what exceeds the invoice is returned the way it came.';

COMMENT ON FUNCTION "internal"."approved_cents"(uuid) IS 'What is approved of an estimate.';

COMMENT ON FUNCTION "internal"."asked_deposit_cents"(uuid) IS 'The deposit that the customer is asked for now: never more than what is approved; 0 before an approval and without a deposit.';

COMMENT ON FUNCTION "internal"."deposit_limit_cents"(uuid) IS 'The largest deposit of an estimate: what is approved or, before an approval, all its jobs.';

COMMENT ON FUNCTION "internal"."deposit_state"(uuid) IS 'none; asked (nothing is approved yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

COMMENT ON FUNCTION "internal"."describe_deposit"(uuid) IS 'The deposit of an estimate with its lines (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) IS 'What an email about a deposit needs of its customer.';

COMMENT ON FUNCTION "internal"."describe_undecided_deposits"() IS 'The first 50 deposits to decide about, for Today.';

COMMENT ON FUNCTION "internal"."held_deposit_cents"(uuid) IS 'What the shop holds of the deposit of an estimate: neither applied to an invoice nor returned.';

COMMENT ON FUNCTION "internal"."left_cents"(public.payments) IS 'What a payment has left to return, or a deposit to apply; 0 for a line of another kind.';

COMMENT ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) IS 'A page of what changed the deposits that the shop holds, up to and including a business date, after the last one read. All amounts up to a date add up to what was held at its end.';

COMMENT ON FUNCTION "internal"."list_undecided_deposits"() IS 'Deposits that the shop holds although nothing is approved any more, or the appointment was cancelled or missed: staff decide whether they go back.';

COMMENT ON FUNCTION "internal"."may_follow"(public.payments, public.payments) IS 'Whether a line can belong to the other one: of the same invoice or estimate, and of a kind that follows its kind.';

COMMENT ON FUNCTION "internal"."open_deposit_page"(uuid, integer) IS 'Records that a payment page of a deposit is about to open: {pageId, amountCents, number, openSessions, customer}; null when no deposit has to be paid.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit above what its line has left, or for another invoice.';

COMMENT ON FUNCTION "internal"."raise_deposit_refusal"(text, jsonb) IS 'Refuses (TT104) a change of a deposit.';

COMMENT ON FUNCTION "internal"."read_sent_deposit"(uuid) IS 'The deposit of an estimate, for the customer''s page.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported: {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. held; returned (it was taken already, is not asked for any more, or is above what is approved now); known (recorded before).';

COMMENT ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) IS 'Refuses (TT104) a deposit that is not asked for, was taken, is nothing, or is more than what is asked for.';

COMMENT ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) IS 'After an invoice became void: its deposit is taken off it, so that the shop holds it for the next invoice of the estimate.';

COMMENT ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) IS 'Returns a part or all of a held deposit, the way it came or by another method. A job refunds a card online.';

COMMENT ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) IS 'Asks for a deposit of an estimate: a sum, a share of what is approved, or none (both null). Refused (TT104) when it was paid, and above what is approved. Returns the deposit (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'In one read, for the bar of the dashboard: whether anything needs attention, as read_today lists it (an arrived customer, a quote request without a reply for 12 hours, a failed email, a change to notify a customer of, a schedule conflict, a day that was not closed, a deposit to decide about); today''s appointments that are not over, open tasks, pending quote requests that do not look automated, unpaid invoices.';

COMMENT ON FUNCTION "public"."read_deposit"(uuid) IS 'The deposit of an estimate, for staff (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, payments_after_close, drawer_expects_cents, unclosed_days, ledger_differences, undecided_deposits, expected_payments, invoices, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

COMMENT ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) IS 'Returns all that is held of a deposit before an invoice exists: {refundCents, customer}.';

COMMENT ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) IS 'Records the deposit of an estimate at the counter, once and at most what is asked for: {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (what its email shows)}.';

COMMENT ON TABLE "internal"."payment_pages" IS 'The checkout sessions of an invoice, or of the deposit of an estimate. The row is written before Stripe is called, so that a session is never unknown to the shop.';

COMMENT ON TABLE "public"."deposits" IS 'The deposit that the shop asks for with the approval of an estimate, at most one for each.';

COMMENT ON TABLE "public"."payments" IS 'The ledger: one line for each amount that was received or returned for an invoice, or as the deposit of an estimate, by whatever method. Lines are never changed; a mistake is corrected by a further line. [append-only]';

REVOKE ALL ON FUNCTION "internal"."applied_deposit_cents"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."applied_deposit_cents"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."applied_deposit_cents"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."approved_cents"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."approved_cents"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."approved_cents"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."asked_deposit_cents"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."asked_deposit_cents"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."asked_deposit_cents"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."deposit_limit_cents"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."deposit_limit_cents"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."deposit_limit_cents"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."deposit_state"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."deposit_state"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."deposit_state"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_deposit"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_deposit"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_deposit"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_undecided_deposits"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_undecided_deposits"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_undecided_deposits"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."held_deposit_cents"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."held_deposit_cents"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."held_deposit_cents"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_undecided_deposits"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_undecided_deposits"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_undecided_deposits"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."may_follow"(public.payments, public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."may_follow"(public.payments, public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."may_follow"(public.payments, public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."open_deposit_page"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."open_deposit_page"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."open_deposit_page"(uuid, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."open_deposit_page"(uuid, integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."raise_deposit_refusal"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."raise_deposit_refusal"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."raise_deposit_refusal"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."read_sent_deposit"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."read_sent_deposit"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_sent_deposit"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_sent_deposit"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."record_online_deposit"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_online_deposit"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_online_deposit"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_online_deposit"(jsonb) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "public"."read_deposit"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."read_deposit"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_deposit"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_deposit"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) TO "postgres";

GRANT SELECT ON TABLE "public"."deposits" TO "authenticated";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('public.deposits', 'asked_by_name', 'free', 'the staff account', NULL, NULL, NULL, NULL, NULL, 'true');
