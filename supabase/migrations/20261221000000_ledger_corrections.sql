-- Lets staff correct a payment of another invoice and a held deposit, and take off a deposit's returned check.

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "public"."correct_payment"(uuid, text, integer, text, text);

create or replace function internal.deposit_state(wanted_id uuid) returns text
  language sql stable set search_path = '' as $$
  select case
    when internal.applied_deposit_cents(wanted_id) > 0 then 'applied'
    when internal.held_deposit_cents(wanted_id) > 0 then 'paid'
    when internal.has_lasting_deposit(wanted_id) then 'refunded'
    when exists (select from public.estimate_invoices claim where claim.estimate_id = wanted_id and claim.state in ('claimed', 'made'))
      or not exists (select from public.deposits where estimate_id = wanted_id) then 'none'
    when internal.asked_deposit_cents(wanted_id) > 0 then 'open'
    else 'asked' end
$$;

create or replace function internal.describe_deposit(wanted_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'state', internal.deposit_state(wanted_id), 'askedCents', internal.asked_deposit_cents(wanted_id),
    'amountCents', (select amount_cents from public.deposits where estimate_id = wanted_id),
    'sharePercent', (select share_percent from public.deposits where estimate_id = wanted_id),
    'approvedCents', internal.approved_cents(wanted_id), 'limitCents', internal.deposit_limit_cents(wanted_id),
    'heldCents', internal.held_deposit_cents(wanted_id), 'appliedCents', internal.applied_deposit_cents(wanted_id),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', line.id, 'kind', line.kind, 'method', line.method, 'amountCents', line.amount_cents, 'reference', line.reference,
        'note', line.note, 'recordedByName', line.recorded_by_name, 'paidAt', line.paid_at, 'originalId', line.original_id,
        'cause', line.cause) order by line.recorded_at, line.kind <> 'reversal', line.kind), '[]')
      from public.payments line where line.estimate_id = wanted_id))
$$;

create or replace function internal.has_lasting_deposit(wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.payments line
    where line.estimate_id = wanted_id and line.kind = 'payment' and not exists (
      select from public.payments reversal
      where reversal.original_id = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;

create or replace function internal.lock_correctable(payment_id uuid, target_id text) returns public.payments
  language plpgsql set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
begin
  select * into payment from public.payments known where known.id = payment_id;
  -- In one order, so that two corrections between the same invoices never wait for each other.
  perform internal.lock_invoice(known.id)
  from (select distinct wanted.id from unnest(array[payment.invoice_id, target_id]) wanted (id) order by wanted.id) known;
  invoice := internal.lock_invoice(payment.invoice_id);
  if payment.kind <> 'payment' or payment.method = 'card_online' or internal.left_cents(payment) <> payment.amount_cents
     or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  return payment;
end
$$;

create or replace function internal.lock_correctable_deposit(payment_id uuid) returns public.payments
  language plpgsql set search_path = '' as $$
declare
  line public.payments;
begin
  select * into line from public.payments known where known.id = payment_id;
  perform internal.refuse_invoiced(internal.lock_estimate(line.estimate_id, null));
  if line.kind <> 'payment' or line.method = 'card_online' or internal.left_cents(line) <> line.amount_cents then
    perform internal.raise_deposit_refusal('not_correctable');
  end if;
  return line;
end
$$;

create or replace function internal.move_payment(
  wrong public.payments, invoice public.invoices, target public.invoices, method text, amount integer, reference text, reason text
) returns void
  language plpgsql set search_path = '' as $$
declare
  former_cents constant bigint := internal.exact_cents(wrong);
  reversal_id constant uuid := internal.reverse_payment(wrong, 'recorded_wrongly',
    'Belongs to invoice ' || coalesce(target.number, target.invoice_id) || ': ' || reason);
begin
  -- What Stripe counts as paid on the first invoice is due on its replacement invoice.
  if not internal.withdraw_report(wrong) then
    perform internal.replace_invoice(invoice, reversal_id, former_cents);
  end if;
  perform internal.refuse_payment(target, amount);
  perform internal.record_counter_payment(target, move_payment.method, amount, move_payment.reference,
    'First recorded on invoice ' || coalesce(invoice.number, invoice.invoice_id));
end
$$;

create or replace function internal.record_counter_deposit(wanted_id uuid, method text, amount integer, reference text, note text)
  returns public.payments
  language plpgsql set search_path = '' as $$
declare
  line public.payments;
begin
  insert into public.payments (estimate_id, kind, method, amount_cents, currency, reference, note, recorded_by_name, paid_at)
  values (wanted_id, 'payment', record_counter_deposit.method, amount, 'usd', record_counter_deposit.reference, record_counter_deposit.note,
    internal.author_name(null), internal.current_instant())
  returning * into line;
  return line;
end
$$;

create or replace function internal.reverse_payment(payment public.payments, cause text, reason text) returns uuid
  language plpgsql set search_path = '' as $$
declare
  reversal_id uuid;
begin
  insert into public.payments (
    invoice_id, estimate_id, kind, method, original_id, amount_cents, currency, note, cause, recorded_by_name, paid_at)
  values (payment.invoice_id, payment.estimate_id, 'reversal', payment.method, payment.id, -payment.amount_cents, payment.currency, reason,
    reverse_payment.cause, internal.author_name(null), internal.current_instant())
  returning id into reversal_id;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, recorded_by_name, paid_at)
  select payment.invoice_id, 'cash_rounding', payment.method, payment.id, -rounding.amount_cents, payment.currency,
    internal.author_name(null), internal.current_instant()
  from public.payments rounding where rounding.original_id = payment.id and rounding.kind = 'cash_rounding';
  return reversal_id;
end
$$;

create or replace function public.correct_deposit(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  most bigint;
begin
  perform internal.require_admin();
  wrong := internal.lock_correctable_deposit(correct_deposit.payment_id);
  -- The recorded sum stays possible when less is approved by now.
  most := greatest(wrong.amount_cents, internal.asked_deposit_cents(wrong.estimate_id));
  if correct_deposit.amount_cents > most then
    perform internal.raise_deposit_refusal(
      'above_asked', jsonb_build_object('askedCents', most, 'excessCents', correct_deposit.amount_cents - most));
  end if;
  perform internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  perform internal.record_counter_deposit(
    wrong.estimate_id, correct_deposit.method, correct_deposit.amount_cents, correct_deposit.reference, null);
  return jsonb_build_object('heldCents', internal.held_deposit_cents(wrong.estimate_id));
end
$$;

create or replace function public.correct_payment(
  payment_id uuid, invoice_id text, method text, amount_cents integer, reference text, reason text
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  invoice public.invoices;
  line public.payments;
  former_cents bigint;
  reversal_id uuid;
begin
  perform internal.require_admin();
  wrong := internal.lock_correctable(correct_payment.payment_id, correct_payment.invoice_id);
  invoice := internal.lock_invoice(wrong.invoice_id);
  if correct_payment.invoice_id <> wrong.invoice_id then
    perform internal.move_payment(
      wrong, invoice, internal.lock_invoice(correct_payment.invoice_id), method, amount_cents, reference, reason);
    return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
  end if;
  former_cents := internal.exact_cents(wrong);
  reversal_id := internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  perform internal.refuse_payment(invoice, amount_cents);
  line := internal.record_counter_payment(invoice, method, amount_cents, reference, null);
  perform internal.replace_report(invoice, reversal_id, wrong, line, former_cents - internal.exact_cents(line));
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

create or replace function public.return_deposit_check(payment_id uuid, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  line public.payments;
begin
  perform internal.require_admin();
  line := internal.lock_correctable_deposit(return_deposit_check.payment_id);
  if line.method <> 'check' then
    perform internal.raise_deposit_refusal('not_correctable');
  end if;
  perform internal.reverse_payment(line, 'returned_check', reason);
  return jsonb_build_object('heldCents', internal.held_deposit_cents(line.estimate_id));
end
$$;

create or replace function public.take_deposit(
  estimate_id uuid, method text, amount_cents integer, given_cents integer, reference text, note text
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  line public.payments;
begin
  perform internal.require_admin();
  if method is null or method not in ('card_terminal', 'cash', 'check', 'other') then
    perform internal.raise_deposit_refusal('invalid_method');
  end if;
  estimate := internal.lock_estimate(take_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  perform internal.refuse_deposit(estimate, take_deposit.amount_cents);
  if given_cents < take_deposit.amount_cents then
    perform internal.raise_deposit_refusal('given_too_little');
  end if;
  line := internal.record_counter_deposit(
    estimate.id, take_deposit.method, take_deposit.amount_cents, take_deposit.reference, take_deposit.note);
  return jsonb_build_object(
    'paymentId', line.id, 'amountCents', line.amount_cents, 'changeCents', coalesce(given_cents - line.amount_cents, 0),
    'approvedCents', internal.approved_cents(estimate.id), 'paidAt', line.paid_at,
    'receipt', internal.describe_deposit_recipient(estimate));
end
$$;

COMMENT ON FUNCTION "internal"."has_lasting_deposit"(uuid) IS 'Whether a deposit of an estimate was paid that was neither recorded wrongly nor returned by the bank: it is not asked for again.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'A payment of the counter of which nothing went back, with its invoice and another one locked; refuses (TT103) every other line.';

COMMENT ON FUNCTION "internal"."lock_correctable_deposit"(uuid) IS 'A deposit of the counter that is held whole, with its estimate locked; refuses (TT104) every other line.';

COMMENT ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) IS 'Reverses a payment that was recorded on the wrong invoice, and records it on the right one.';

COMMENT ON FUNCTION "internal"."record_counter_deposit"(uuid, text, integer, text, text) IS 'Adds a deposit at the counter to the ledger.';

COMMENT ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) IS 'Reverses a held deposit of the counter that was recorded wrongly, and records it with the right method and amount: {heldCents}.';

COMMENT ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) IS 'Reverses a payment of the counter that was recorded wrongly, and records it with the right invoice, method and amount: {balanceCents of the first invoice}.';

COMMENT ON FUNCTION "public"."return_deposit_check"(uuid, text) IS 'Reverses a held deposit whose check the bank did not pay: {heldCents}. The deposit is asked for again.';

REVOKE ALL ON FUNCTION "internal"."has_lasting_deposit"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_lasting_deposit"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_lasting_deposit"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."lock_correctable"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lock_correctable"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."lock_correctable"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."lock_correctable_deposit"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lock_correctable_deposit"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."lock_correctable_deposit"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."record_counter_deposit"(uuid, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_counter_deposit"(uuid, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_counter_deposit"(uuid, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."return_deposit_check"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."return_deposit_check"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."return_deposit_check"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."return_deposit_check"(uuid, text) TO "postgres";
