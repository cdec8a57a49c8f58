-- Refuses to make an invoice void whose price was corrected to nothing: Stripe counts it as paid.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.invoice_actions(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'takePayment', not is_void and balance > 0 and not is_awaited, 'correctPrice', not is_void and balance > 0 and not is_awaited,
      'refund', not is_void and balance = 0 and was_paid and remaining > 0,
      'void', not is_void and not was_paid and balance > 0 and invoice.status in ('open', 'uncollectible'),
      'cancel', not is_void and was_paid and remaining > 0 and not is_replaced,
      'writeOff', internal.is_outstanding(invoice) and not is_awaited)
    from (
      select internal.is_void(invoice) as is_void, internal.invoice_balance_cents(invoice) as balance,
        invoice.total_cents - internal.credited_cents(invoice) - internal.replaced_cents(invoice.invoice_id) as remaining,
        internal.awaited_cents(invoice.invoice_id) > 0 as is_awaited,
        exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) as is_replaced,
        exists (select from public.payments line
          where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit')) as was_paid
    ) facts
  );

create or replace function public.void_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(void_invoice.invoice_id);
  if exists (select from public.payments payment where payment.invoice_id = invoice.invoice_id)
     or internal.claimed_cents(invoice.invoice_id) > 0 then
    raise exception 'An invoice with a payment is not made void.' using errcode = 'TT103', hint = 'was_paid';
  end if;
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  -- Stripe counts an invoice as paid whose price was corrected to nothing, and never makes a paid one void.
  if internal.invoice_balance_cents(invoice) = 0 or invoice.status not in ('open', 'uncollectible') then
    raise exception 'An invoice without a balance is not made void.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set voided_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'voided', void_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'void');
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('balanceCents', 0, 'customer', internal.describe_recipient(invoice));
end
$$;

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Makes an invoice void that has a balance and never had a payment; refuses (TT103) every other. Its estimate can be invoiced again.';
