-- The list of invoices and the comparison with Stripe stay quick with many invoices (docs/product.md 17.8).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."list_invoices_in"(text, date);

create or replace function internal.claim_online_payment(invoice_id text, payment_intent_id text, amount_cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write online_payment_claims.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice public.invoices;
  is_changed_by_staff boolean;
begin
  select * into invoice from public.invoices known where known.invoice_id = claim_online_payment.invoice_id for update;
  if not found or exists (
    select from internal.online_payment_claims claim where claim.payment_intent_id = claim_online_payment.payment_intent_id
  ) then
    return true;
  end if;
  is_changed_by_staff := exists (
      select from public.payments payment
      where payment.invoice_id = invoice.invoice_id and payment.kind = 'payment' and payment.method <> 'card_online')
    or exists (select from public.credit_notes note where note.invoice_id = invoice.invoice_id) or internal.is_void(invoice);
  if is_changed_by_staff
     and claim_online_payment.amount_cents > internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id) then
    return false;
  end if;
  insert into internal.online_payment_claims (payment_intent_id, invoice_id, amount_cents)
  values (claim_online_payment.payment_intent_id, invoice.invoice_id, claim_online_payment.amount_cents);
  return true;
end
$$;

create or replace function internal.list_ledger_differences() returns setof public.invoices
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select invoice.* from public.invoices invoice
    where invoice.invoice_id in (
        select report.invoice_id from internal.stripe_reports report
        where report.state = 'refused' and report.problem not in ('reversed', 'method_corrected')
          or report.reported_at > now() - interval '7 days'
        union
        select line.invoice_id from public.payments line where line.kind = 'reversal' and line.recorded_at > now() - interval '90 days')
      and not internal.is_void(invoice) and invoice.status in ('open', 'paid', 'uncollectible')
      and not exists (select from internal.stripe_reports due where due.invoice_id = invoice.invoice_id and due.state = 'due')
      and (invoice.remaining_at_stripe_cents <> internal.invoice_balance_cents(invoice)
        or exists (
          select from internal.stripe_reports refused
          where refused.invoice_id = invoice.invoice_id and refused.state = 'refused'
            and refused.problem not in ('reversed', 'method_corrected')));
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
            when 'open' then listed.status = 'open'
            when 'past_due' then listed.status = 'open' and listed.due_date < today
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is read only for rows that pass the conditions above.
          and case filter
            when 'open' then internal.is_outstanding(listed)
            when 'past_due' then internal.is_outstanding(listed)
            when 'paid' then not internal.is_void(listed) and internal.invoice_balance_cents(listed) = 0
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
        from public.invoices invoice where invoice.status = 'open' and invoice.written_off_at is null and invoice.currency = 'usd'
      ) unpaid
      where balance > 0),
    'received', internal.payments_of_day(today));
end
$$;

CREATE INDEX stripe_reports_lately ON internal.stripe_reports USING btree (reported_at);

CREATE INDEX stripe_reports_refused ON internal.stripe_reports USING btree (invoice_id) WHERE (state = 'refused'::text);

CREATE INDEX invoices_by_time ON public.invoices USING btree (created_at DESC, invoice_id);

CREATE INDEX payments_reversals ON public.payments USING btree (recorded_at) WHERE (kind = 'reversal'::text);

COMMENT ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) IS 'Whether an online payment may be attached to its invoice. False when payments at the counter or corrections have left less than its amount: it is then refunded.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although Stripe was notified of everything, or of which Stripe refused a report. Only invoices that staff or a reversal changed lately are compared, because the start page counts them every minute.';
