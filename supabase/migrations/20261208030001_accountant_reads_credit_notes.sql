-- The accountant's invoices show credit notes, and the reversal of a refund names its payment (docs/product.md 16.26).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."describe_invoice_records"(text[]);

DROP FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer);

create function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint, credited_cents bigint, paid_cents bigint, balance_cents bigint,
    last_paid_on date
  )
  -- Runs with its owner's rights, because the server has no right to read invoices, customers and others.
  language sql stable security definer set search_path = '' as $$
  select invoice.invoice_id, invoice.customer_name, customer.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount,
    internal.credited_cents(invoice), internal.invoice_paid_cents(invoice), internal.invoice_balance_cents(invoice), (
      select max(payment.business_date) from public.payments payment
      where payment.invoice_id = invoice.invoice_id and internal.left_cents(payment) > 0)
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

create function internal.list_ledger_records(
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
    line.kind, coalesce(invoice.number, line.invoice_id), invoice.customer_name, line.method, line.reference, line.amount_cents,
    (select coalesce(sum(rounding.amount_cents), 0)::integer from public.payments rounding
     where rounding.original_id = line.id and rounding.kind = 'cash_rounding' and rounding.paid_at = line.paid_at),
    line.currency, line.recorded_by_name, payment.id, payment.business_date, payment.method, payment.reference
  from public.payments line
  cross join public.shop
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  left join public.payments original on original.id = line.original_id
  -- The reversal of a refund belongs to the refund, and through it to a payment.
  left join public.payments payment on payment.id = coalesce(original.original_id, original.id)
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.kind = 'payment') = wants_payments
    and (line.kind <> 'cash_rounding' or line.paid_at <> payment.paid_at)
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'For Stripe invoice ids: the recorded name, whether the customer was erased, the estimate, the amounts of its lines by kind (discounts are negative; null without an estimate), and from the ledger the credit notes, the paid amount, the balance and the business date of the last payment that was not returned.';

COMMENT ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) IS 'A page of the payments of the ledger, or of its other lines, up to and including a business date, after the last one read. The cash rounding of a payment is in the row of the payment; a later rounding, for example of its refund, is a row of its own.';

REVOKE ALL ON FUNCTION "internal"."describe_invoice_records"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_invoice_records"(text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_invoice_records"(text[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_invoice_records"(text[]) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) TO "shop_server";
