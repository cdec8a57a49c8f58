-- Lets PostgreSQL inline the invoice of a booking, which each row of the week view and of the task list asks for.
set local search_path = pg_catalog;

create or replace function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, balance_cents bigint, paid_at timestamptz)
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings.
begin atomic
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
  ) paid on true;
end;
