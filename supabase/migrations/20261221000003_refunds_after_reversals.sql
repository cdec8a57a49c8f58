-- Reports a reversed payment to Stripe when a later refund needs it, and gives no failed refund again above what is overpaid.

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.is_refund_waiting(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from internal.stripe_reports own
    join internal.stripe_reports later on later.invoice_id = own.invoice_id and later.position > own.position and later.state = 'due'
    join public.credit_notes note on note.id = later.credit_note_id and note.kind = 'refund'
    where own.payment_id = payment.id);

create or replace function internal.overpaid_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select internal.invoice_paid_cents(invoice) + internal.credited_cents(invoice) + internal.replaced_cents(invoice.invoice_id)
      - invoice.total_cents
    from public.invoices invoice where invoice.invoice_id = wanted_invoice_id);

create or replace function internal.retriable_cents(refund public.payments) returns bigint
  language sql stable set search_path = ''
  return case when refund.kind <> 'refund' or refund.credit_note_id is null then 0 else greatest(0, least(
    internal.overpaid_cents(refund.invoice_id),
    (select coalesce(sum(reversal.amount_cents), 0) from public.payments reversal where reversal.original_id = refund.id),
    -- What the credit note grants and no refund has returned yet.
    (select note.amount_cents from public.credit_notes note where note.id = refund.credit_note_id) + (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.credit_note_id = refund.credit_note_id or line.original_id in (
        select given.id from public.payments given where given.credit_note_id = refund.credit_note_id and given.kind = 'refund')))) end;

create or replace function internal.withdraw_report(payment public.payments) returns boolean
  language plpgsql set search_path = '' as $$
begin
  if internal.is_known_to_stripe(payment) or internal.is_refund_waiting(payment) then
    return false;
  end if;
  update internal.stripe_reports set state = 'reversed', problem = null where payment_id = payment.id and state = 'due';
  return true;
end
$$;

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether Stripe has to learn of a refund after this payment. It accepts the refund only of an invoice that was paid.';

COMMENT ON FUNCTION "internal"."overpaid_cents"(text) IS 'What the shop has of an invoice above what it is over, because a refund failed; negative while something is due.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'What a failed refund did not return and no later refund of its credit note returned, at most what the invoice is overpaid: a check that the bank returned meanwhile lowers it. 0 for another line.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Prevents that Stripe is notified of a reversed payment; false when Stripe knows it already, or must for a later refund.';

REVOKE ALL ON FUNCTION "internal"."is_refund_waiting"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_refund_waiting"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_refund_waiting"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."overpaid_cents"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."overpaid_cents"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."overpaid_cents"(text) TO "postgres";
