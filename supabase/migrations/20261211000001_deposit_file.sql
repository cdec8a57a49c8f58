-- The file of deposits for the accountant (docs/product.md 16.26).

set local search_path = pg_catalog;

set local check_function_bodies = off;

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

COMMENT ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) IS 'A page of what changed the deposits that the shop holds, up to and including a business date, after the last one read. All amounts up to a date add up to what was held at its end.';

REVOKE ALL ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) TO "shop_server";
