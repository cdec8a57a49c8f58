-- Today names invoices whose balance differs from the unpaid amount at Stripe (docs/product.md 13.2).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.describe_ledger_differences() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'invoiceId', difference.invoice_id, 'number', difference.number, 'customerName', difference.customer_name,
    'balanceCents', internal.invoice_balance_cents(difference), 'remainingCents', difference.remaining_at_stripe_cents,
    'currency', difference.currency) order by difference.created_at), '[]')
  from (select * from internal.list_ledger_differences() listed order by listed.created_at limit 20) difference
$$;

create or replace function internal.list_ledger_differences() returns setof public.invoices
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select * from public.invoices invoice
    where not internal.is_void(invoice) and invoice.status in ('open', 'paid', 'uncollectible')
      and not exists (select from internal.stripe_reports due where due.invoice_id = invoice.invoice_id and due.state = 'due')
      and (invoice.remaining_at_stripe_cents <> internal.invoice_balance_cents(invoice)
        or exists (
          select from internal.stripe_reports refused
          where refused.invoice_id = invoice.invoice_id and refused.state = 'refused'
            and refused.problem not in ('reversed', 'method_corrected')));
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
      or exists (select from internal.list_ledger_differences()),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from public.invoices invoice where invoice.status = 'open' and internal.is_outstanding(invoice));
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
    'expected_payments', internal.expected_payments(today),
    'invoices', internal.describe_outstanding_invoices(),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;

COMMENT ON FUNCTION "internal"."describe_ledger_differences"() IS 'The 20 oldest invoices that differ from Stripe, for Today.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although Stripe was notified of everything, or of which Stripe refused a report.';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, payments_after_close, drawer_expects_cents, unclosed_days, ledger_differences, expected_payments, invoices, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

REVOKE ALL ON FUNCTION "internal"."describe_ledger_differences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_ledger_differences"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_ledger_differences"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_ledger_differences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_ledger_differences"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_ledger_differences"() TO "postgres";
