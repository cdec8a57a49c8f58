-- Adds the way in which a deposit goes back, for the email to the customer.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.describe_refund_way(line public.payments, method text, reference text) returns jsonb
  language sql immutable set search_path = ''
  return (
    select jsonb_build_object('method', coalesce(describe_refund_way.method, line.method), 'isSameWay', is_same,
      'reference', case when is_same then line.reference else describe_refund_way.reference end)
    from (select coalesce(describe_refund_way.method = line.method, true) as is_same) compared);

create or replace function public.refund_deposit(estimate_id uuid, method text, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  held bigint;
  way jsonb;
begin
  perform internal.require_admin();
  if method = 'card_online' then
    perform internal.raise_deposit_refusal('invalid_method');
  end if;
  estimate := internal.lock_estimate(refund_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  held := internal.held_deposit_cents(estimate.id);
  if held = 0 then
    perform internal.raise_deposit_refusal('nothing_held');
  end if;
  select case when count(*) = 1 then jsonb_agg(internal.describe_refund_way(line, refund_deposit.method, refund_deposit.reference)) -> 0 end
  into way from public.payments line
  where line.estimate_id = estimate.id and line.kind = 'payment' and internal.left_cents(line) > 0;
  perform internal.return_deposit(line, internal.left_cents(line), refund_deposit.method, refund_deposit.reference, refund_deposit.reason)
  from public.payments line
  where line.estimate_id = estimate.id and line.kind = 'payment' and internal.left_cents(line) > 0;
  return jsonb_build_object('refundCents', held, 'way', way, 'customer', internal.describe_deposit_recipient(estimate));
end
$$;

COMMENT ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) IS 'How a payment goes back, for the sentence to the customer (domain/payments/correction-text.ts): {method, isSameWay, reference}.';

COMMENT ON FUNCTION "public"."refund_deposit"(uuid, text, text, text) IS 'Returns all that is held of a deposit before an invoice exists: {refundCents, way (null for several ways), customer}.';

REVOKE ALL ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) TO "postgres";
