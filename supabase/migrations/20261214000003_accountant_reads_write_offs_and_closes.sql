-- The accountant downloads write-offs and day closes, and invoices name the one that they replace (docs/product.md 16.26).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."describe_invoice_records"(text[]);

create or replace function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint, credited_cents bigint, paid_cents bigint, balance_cents bigint,
    last_paid_on date, replaces text
  )
  -- Runs with its owner's rights, because the server has no right to read invoices, customers and others.
  language sql stable security definer set search_path = '' as $$
  select invoice.invoice_id, invoice.customer_name, customer.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount,
    internal.credited_cents(invoice), internal.invoice_paid_cents(invoice), internal.invoice_balance_cents(invoice), (
      select max(payment.business_date) from public.payments payment
      where payment.invoice_id = invoice.invoice_id and internal.left_cents(payment) > 0), (
      select coalesce(original.number, original.invoice_id) from public.replacement_invoices known
      join public.invoices original on original.invoice_id = known.original_invoice_id where known.invoice_id = invoice.invoice_id)
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
    close.reason, close.note, close.closed_by_name, (close.closed_at at time zone shop.time_zone)::date,
    (close.closed_at at time zone shop.time_zone)::time
  from public.day_closes close
  cross join public.shop
  join public.cash_drawers drawer on drawer.id = close.drawer_id
  where close.business_date > after_date and close.business_date <= until
  order by close.business_date
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
    internal.invoice_balance_cents(invoice), invoice.currency, event.reason, event.changed_by_name
  from public.invoice_events event
  cross join public.shop
  join public.invoices invoice on invoice.invoice_id = event.invoice_id
  where event.kind = 'written_off' and (event.happened_at, event.id) > (after_at, after_id)
    and (event.happened_at at time zone shop.time_zone)::date between from_date and until
  order by event.happened_at, event.id
  limit max_rows
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
  if wrong.method = 'card_online' or internal.left_cents(wrong) <> wrong.amount_cents or internal.is_void(invoice) then
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

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'For Stripe invoice ids: the recorded name, whether the customer was erased, the estimate, the amounts of its lines by kind (discounts are negative; null without an estimate), and from the ledger the credit notes, the paid amount, the balance and the business date of the last payment that was not returned; the number of the invoice that it replaces over a reversed sum.';

COMMENT ON FUNCTION "internal"."list_day_close_records"(date, date, integer) IS 'A page of the closes after one business date up to and including another: what was expected and counted, the cash rounding of the day, and the sum of later corrections.';

COMMENT ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) IS 'A page of the write-offs of a range of the shop''s dates, after the last one read: what was open when the invoice was written off, and what is open now.';

REVOKE ALL ON FUNCTION "internal"."describe_invoice_records"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_invoice_records"(text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_invoice_records"(text[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_invoice_records"(text[]) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_day_close_records"(date, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_day_close_records"(date, date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_day_close_records"(date, date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_day_close_records"(date, date, integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) TO "shop_server";
