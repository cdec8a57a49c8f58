-- Lists paid invoices without reading every invoice of the shop.

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.is_paid_off(invoice public.invoices) returns boolean
  -- One function, because the planner expects a third of the rows to pass it. It expects hardly any to pass the
  -- conditions themselves, and would read every invoice of the shop.
  language sql stable set search_path = ''
  return not internal.is_void(invoice) and internal.invoice_balance_cents(invoice) = 0 and internal.replaced_cents(invoice.invoice_id) = 0;

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
        select * from public.invoices listed
        where case filter
            when 'open' then listed.invoice_id in (select unsettled.invoice_id from internal.unsettled_invoices() unsettled)
            when 'past_due' then listed.due_date < today
              and listed.invoice_id in (select unsettled.invoice_id from internal.unsettled_invoices() unsettled)
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is read only for rows that pass the conditions above.
          and case filter
            when 'open' then internal.invoice_balance_cents(listed) > 0
            when 'past_due' then internal.invoice_balance_cents(listed) > 0
            when 'paid' then internal.is_paid_off(listed)
            when 'written_off' then internal.invoice_state(listed) = 'written_off'
            else true end
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance), 0),
        'pastDue', count(*) filter (where due_date < today), 'pastDueCents', coalesce(sum(balance) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid > 0), 'partPaidCents', coalesce(sum(paid) filter (where paid > 0), 0))
      from (
        select due_date, internal.invoice_balance_cents(invoice) as balance, internal.invoice_paid_cents(invoice) as paid
        from internal.unsettled_invoices() invoice where invoice.currency = 'usd'
      ) unpaid
      where balance > 0),
    'received', internal.payments_of_day(today));
end
$$;

COMMENT ON FUNCTION "internal"."is_paid_off"(public.invoices) IS 'Whether nothing is due of an invoice, here or on a replacement invoice, and it is not void.';

REVOKE ALL ON FUNCTION "internal"."is_paid_off"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_paid_off"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_paid_off"(public.invoices) TO "postgres";
