-- Adds that lists and sums of outstanding invoices read all balances in one statement.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.describe_outstanding_invoices() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.due_date, invoice.created_at), '[]')
  from (
    select * from internal.unpaid_invoices() outstanding
    order by outstanding.due_date, outstanding.created_at limit 50
  ) unpaid
  join public.invoices invoice on invoice.invoice_id = unpaid.invoice_id
$$;

create or replace function internal.expected_payments(day date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('invoices', count(*), 'cents', coalesce(sum(unpaid.balance_cents), 0))
  from internal.unpaid_invoices() unpaid
  join public.invoices invoice on invoice.invoice_id = unpaid.invoice_id
  where unpaid.currency = 'usd'
    and exists (
      select from public.bookings booking
      where booking.customer_id = invoice.customer_id and booking.appointment_date = day
        and booking.status not in ('cancelled', 'no_show', 'not_confirmed'))
$$;

create or replace function internal.unpaid_invoices()
  returns table (invoice_id text, due_date date, created_at timestamptz, currency text, paid_cents bigint, balance_cents bigint)
  -- One statement for all invoices: a call of invoice_balance_cents for each took a second for some thousands of them.
  language sql stable set search_path = '' as $$
  select unsettled.invoice_id, unsettled.due_date, unsettled.created_at, unsettled.currency, paid.cents, balance.cents
  from internal.unsettled_invoices() unsettled
  cross join lateral (
    select coalesce(sum(note.amount_cents), 0)::bigint as cents from public.credit_notes note where note.invoice_id = unsettled.invoice_id
  ) credited
  cross join lateral (
    select coalesce(
      case when bool_or(line.method <> 'card_online' or line.credit_note_id is not null or line.kind in ('reversal', 'applied_deposit'))
        then sum(line.amount_cents) else nullif(sum(line.amount_cents), 0) end,
      case when unsettled.status = 'paid' then unsettled.total_cents - credited.cents else 0 end)::bigint as cents
    from public.payments line where line.invoice_id = unsettled.invoice_id
  ) paid
  cross join lateral (
    select unsettled.total_cents - credited.cents - paid.cents - coalesce(sum(known.amount_cents), 0)::bigint as cents
    from public.replacement_invoices known
    where known.original_invoice_id = unsettled.invoice_id and known.invoice_id is not null
  ) balance
  where unsettled.voided_at is null and balance.cents > 0
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
    (select count(*) from internal.unpaid_invoices());
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
            when 'open' then listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'past_due' then listed.due_date < today
              and listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is read only for rows that pass the conditions above.
          and case filter
            when 'paid' then internal.is_paid_off(listed)
            when 'written_off' then internal.invoice_state(listed) = 'written_off'
            else true end
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance_cents), 0),
        'pastDue', count(*) filter (where due_date < today),
        'pastDueCents', coalesce(sum(balance_cents) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid_cents > 0), 'partPaidCents', coalesce(sum(paid_cents) filter (where paid_cents > 0), 0))
      from internal.unpaid_invoices() where currency = 'usd'),
    'received', internal.payments_of_day(today));
end
$$;

COMMENT ON FUNCTION "internal"."unpaid_invoices"() IS 'The outstanding invoices with the amounts of invoice_paid_cents and invoice_balance_cents, for lists and sums of many.';

REVOKE ALL ON FUNCTION "internal"."unpaid_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."unpaid_invoices"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."unpaid_invoices"() TO "postgres";
