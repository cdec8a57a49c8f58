-- No payment page opens for a void invoice; an invoice whose payment was reversed is outstanding (docs/product.md 17.4, 17.8).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.describe_outstanding_invoices() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.due_date, invoice.created_at), '[]')
  from (
    select * from internal.unsettled_invoices() outstanding
    where internal.invoice_balance_cents(outstanding) > 0
    order by outstanding.due_date, outstanding.created_at limit 50
  ) invoice
$$;

create or replace function internal.open_payment_page(invoice_id text, lifetime_seconds integer) returns jsonb
  -- Runs with its owner's rights, because the server has no right to lock invoices.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice constant public.invoices := internal.lock_invoice(open_payment_page.invoice_id);
  balance constant bigint := greatest(internal.invoice_balance_cents(invoice) - internal.awaited_cents(invoice.invoice_id), 0);
  page_id uuid;
begin
  if exists (
    select from internal.payment_page_pauses pause
    where pause.invoice_id = invoice.invoice_id and pause.until > clock_timestamp()
  ) then
    return jsonb_build_object('refused', 'paused');
  end if;
  if internal.is_void(invoice) then
    return jsonb_build_object('refused', 'void');
  end if;
  if balance = 0 then
    return jsonb_build_object('refused', 'paid');
  end if;
  insert into internal.payment_pages (invoice_id, amount_cents, expires_at)
  values (invoice.invoice_id, balance, clock_timestamp() + lifetime_seconds * interval '1 second')
  returning id into page_id;
  return jsonb_build_object('pageId', page_id, 'balanceCents', balance);
end
$$;

create or replace function internal.read_invoice_ledger(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balanceCents', internal.invoice_balance_cents(invoice), 'paidCents', internal.invoice_paid_cents(invoice),
    'isVoid', internal.is_void(invoice),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', line.kind, 'method', line.method, 'reference', line.reference, 'amountCents', line.amount_cents,
        'paidAt', extract(epoch from line.paid_at)::bigint) order by line.recorded_at, line.kind desc), '[]')
      from public.payments line where line.invoice_id = invoice.invoice_id))
  from public.invoices invoice where invoice.invoice_id = wanted_invoice_id
$$;

create or replace function internal.unsettled_invoices() returns setof public.invoices
  language sql stable set search_path = '' as $$
  select * from public.invoices where status = 'open' and written_off_at is null
  union all
  -- Stripe keeps an invoice paid when a payment is reversed, for example by a lost dispute.
  select * from public.invoices
  where status = 'paid' and written_off_at is null
    and invoice_id in (select line.invoice_id from public.payments line where line.kind = 'reversal')
$$;

create or replace function internal.expected_payments(day date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('invoices', count(*), 'cents', coalesce(sum(internal.invoice_balance_cents(invoice)), 0))
  from internal.unsettled_invoices() invoice
  where invoice.currency = 'usd' and internal.invoice_balance_cents(invoice) > 0
    and exists (
      select from public.bookings booking
      where booking.customer_id = invoice.customer_id and booking.appointment_date = day
        and booking.status not in ('cancelled', 'no_show', 'not_confirmed'))
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
      or exists (select from internal.list_ledger_differences()),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from internal.unsettled_invoices() invoice where internal.invoice_balance_cents(invoice) > 0);
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
            when 'paid' then not internal.is_void(listed) and internal.invoice_balance_cents(listed) = 0
              and internal.replaced_cents(listed.invoice_id) = 0
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

COMMENT ON FUNCTION "internal"."is_outstanding"(public.invoices) IS 'Whether the invoice is open at Stripe and has a balance, so that it can be written off.';

COMMENT ON FUNCTION "internal"."open_payment_page"(text, integer) IS 'Records that a payment page of an invoice is about to open: {pageId, balanceCents}, or {refused: paused (staff are taking a payment), void or paid}.';

COMMENT ON FUNCTION "internal"."read_invoice_ledger"(text) IS 'The balance and the ledger of an invoice, as the customer reads them: {balanceCents, paidCents, isVoid, lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop does not know.';

COMMENT ON FUNCTION "internal"."unsettled_invoices"() IS 'The invoices that can be outstanding: those that are open at Stripe, and paid ones with a reversed payment. Their balance can be 0.';

REVOKE ALL ON FUNCTION "internal"."unsettled_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."unsettled_invoices"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."unsettled_invoices"() TO "postgres";

insert into internal.email_kinds (kind, is_retried, is_visitor_triggered, must_match, is_sent_at_night) values
  ('invoice_correction', 'true', 'false', 'nothing', 'true');
