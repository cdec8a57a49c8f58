-- A customer's open and billed sums count a replaced sum once, and follow credit notes (docs/product.md 17.5).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.customer_totals(wanted_customer_id uuid, today date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'bookings', count(*) filter (where internal.customer_came(booking, today)),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'ahead', count(*) filter (where internal.is_upcoming(booking)),
    'lastBookingDate', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'paidCents', (select coalesce(sum(internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice where invoice.customer_id = wanted_customer_id),
    'openCents', (select coalesce(sum(internal.invoice_balance_cents(invoice)), 0) from public.invoices invoice
                  where invoice.customer_id = wanted_customer_id and invoice.status = 'open'),
    'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                      and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
  from public.bookings booking where booking.customer_id = wanted_customer_id
$$;

create or replace function internal.list_customer_records(
  from_date date, until date, after_since timestamptz, after_id uuid, max_rows integer
)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, appointment_count integer,
    missed integer, invoices integer, invoiced_cents bigint, paid_cents bigint
  )
  -- Runs with its owner's rights, because the server has no right to read customers, invoices and others.
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The shop's midnights.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select customer.id, customer.created_at, (customer.created_at at time zone zone)::date, customer.name, customer.email, customer.phone,
      came.appointments, came.missed, billed.invoices, billed.cents, billed.paid
    from public.customers customer
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.customer_came(booking, today)))::integer as appointments,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.customer_id = customer.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      -- What a replacement invoice is over was billed by the invoice that it replaces.
      select count(*)::integer as invoices, coalesce(sum(invoice.total_cents) filter (where invoice.currency = 'usd' and not exists (
          select from public.replacement_invoices known where known.invoice_id = invoice.invoice_id)), 0)::bigint as cents,
        coalesce(sum(internal.invoice_paid_cents(invoice)) filter (where invoice.currency = 'usd'), 0)::bigint as paid
      from public.invoices invoice
      where invoice.customer_id = customer.id and invoice.created_at >= starts_at and invoice.created_at < ends_at and invoice.status <> 'void'
    ) billed
    where (customer.created_at, customer.id) > (after_since, after_id) and customer.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.customer_id = customer.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.customer_id = customer.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.customer_id = customer.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoices invoice
                   join public.payments payment on payment.invoice_id = invoice.invoice_id
                   where invoice.customer_id = customer.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.customer_contact_methods contact
                   join public.emails message on lower(message.recipient_email) = contact.match_key
                   where contact.customer_id = customer.id and contact.kind = 'email'
                     and message.created_at >= starts_at and message.created_at < ends_at))
    order by customer.created_at, customer.id
    limit max_rows;
end
$$;
