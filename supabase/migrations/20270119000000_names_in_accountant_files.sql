-- Shows the name of a staff account instead of its username in the files for the accountant.
set local search_path = pg_catalog;

set local check_function_bodies = off;

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
    line.currency, internal.staff_name_at(line.recorded_by_name, line.recorded_at), payment.id, payment.business_date, payment.method, payment.reference
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
    internal.staff_name_at(line.recorded_by_name, line.recorded_at), deposit.id
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

create or replace function internal.list_write_off_records(from_date date, after_at timestamptz, after_id bigint, until date, max_rows integer)
  returns table (
    id bigint, happened_at timestamptz, written_off_on date, written_off_time time, invoice_number text, customer text, amount_cents bigint,
    balance_cents bigint, currency text, reason text, recorded_by text
  )
  -- Runs with its owner's rights, because the server has no right to read invoices and invoice_events.
  language sql stable security definer set search_path = '' as $$
  select event.id, event.happened_at, (event.happened_at at time zone shop.time_zone)::date,
    (event.happened_at at time zone shop.time_zone)::time, coalesce(invoice.number, event.invoice_id), invoice.customer_name,
    greatest(0, invoice.total_cents - (
      select coalesce(sum(note.amount_cents), 0) from public.credit_notes note
      where note.invoice_id = event.invoice_id and note.created_at <= event.happened_at) - (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.invoice_id = event.invoice_id and line.recorded_at <= event.happened_at) - (
      select coalesce(sum(known.amount_cents), 0) from public.replacement_invoices known
      where known.original_invoice_id = event.invoice_id and known.requested_at <= event.happened_at))::bigint,
    internal.invoice_balance_cents(invoice), invoice.currency, event.reason,
    internal.staff_name_at(event.changed_by_name, event.happened_at)
  from public.invoice_events event
  cross join public.shop
  join public.invoices invoice on invoice.invoice_id = event.invoice_id
  where event.kind = 'written_off' and (event.happened_at, event.id) > (after_at, after_id)
    and (event.happened_at at time zone shop.time_zone)::date between from_date and until
  order by event.happened_at, event.id
  limit max_rows
$$;

create or replace function internal.list_day_close_records(after_date date, until date, max_rows integer)
  returns table (
    business_date date, drawer text, start_cents integer, expected_cents integer, counted_cents integer, terminal_expected_cents integer,
    terminal_counted_cents integer, check_expected_cents integer, check_counted_cents integer, rounding_cents bigint, remains_cents integer,
    corrected_cents bigint, reason text, note text, closed_by text, closed_on date, closed_time time
  )
  -- Runs with its owner's rights, because the server has no right to read day_closes and others.
  language sql stable security definer set search_path = '' as $$
  select close.business_date, drawer.name, close.start_cents, close.expected_cents, close.counted_cents, close.terminal_expected_cents,
    close.terminal_counted_cents, close.check_expected_cents, close.check_counted_cents, (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.business_date = close.business_date and line.kind = 'cash_rounding' and line.currency = 'usd'),
    close.remains_cents, (
      select coalesce(sum(correction.amount_cents), 0) from public.day_close_corrections correction where correction.close_id = close.id),
    close.reason, close.note, internal.staff_name_at(close.closed_by_name, close.closed_at), (close.closed_at at time zone shop.time_zone)::date,
    (close.closed_at at time zone shop.time_zone)::time
  from public.day_closes close
  cross join public.shop
  join public.cash_drawers drawer on drawer.id = close.drawer_id
  where close.business_date > after_date and close.business_date <= until
  order by close.business_date
  limit max_rows
$$;
