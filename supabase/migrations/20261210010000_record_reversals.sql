-- Refunds that fail and disputes that are lost become reversals in the ledger (docs/product.md 17.5).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return coalesce(
    (select case when bool_or(method <> 'card_online' or credit_note_id is not null or kind = 'reversal') then sum(amount_cents) else nullif(sum(amount_cents), 0) end
     from public.payments where invoice_id = invoice.invoice_id),
    -- A payment that was recorded at Stripe only is not in public.payments, so an invoice that Stripe reports as paid, and
    -- of which the shop knows at most returned duplicates, counts with its total.
    case when invoice.status = 'paid' then invoice.total_cents - internal.credited_cents(invoice) else 0 end);

create or replace function internal.record_failed_refund(refund_id text, payment_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language sql security definer set search_path = '' as $$
  select coalesce(bool_or(internal.reverse_line(line.id, record_failed_refund.cents, 'Refund failed: ' || record_failed_refund.refund_id)), false)
  from public.payments line
  where line.kind = 'refund' and (line.refund_id = record_failed_refund.refund_id or line.id::text = record_failed_refund.payment_id)
$$;

create or replace function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language sql security definer set search_path = '' as $$
  select coalesce(bool_or(internal.reverse_line(line.id, least(record_lost_dispute.cents, internal.left_cents(line)),
    'Dispute lost: ' || record_lost_dispute.dispute_id)), false)
  from public.payments line
  where line.payment_intent_id = record_lost_dispute.payment_intent_id and internal.left_cents(line) > 0
$$;

create or replace function internal.reverse_line(original_id uuid, cents bigint, cause text) returns boolean
  language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  line public.payments;
begin
  select * into line from public.payments known where known.id = reverse_line.original_id for update;
  if line.id is null or exists (
    select from public.payments known where known.original_id = line.id and known.kind = 'reversal' and known.note = cause
  ) then
    return false;
  end if;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, note, paid_at)
  values (line.invoice_id, 'reversal', line.method, line.id, -sign(line.amount_cents) * cents, line.currency, cause, internal.current_instant());
  return true;
end
$$;

COMMENT ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) IS 'Adds the money of a refund that failed at Stripe, because the shop has it again. payment_id is the line in the metadata of the refund. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Takes off a card payment that the bank of the customer took back, at most what it has left. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text) IS 'Reverses a part or all of a payment or a refund, once for each cause; returns whether the reversal is new.';

REVOKE ALL ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."reverse_line"(uuid, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."reverse_line"(uuid, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."reverse_line"(uuid, bigint, text) TO "postgres";
