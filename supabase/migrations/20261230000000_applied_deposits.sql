-- Adds that an applied deposit that was recorded wrongly is corrected on its invoice.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.claim_replacement_invoices() returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices and customers.
  language sql security definer set search_path = '' as $$
  with due as (
    update public.replacement_invoices known
    set attempts = known.attempts + 1, next_attempt_at = now() + least(10 * 2 ^ least(known.attempts, 12), 3600) * interval '1 second'
    where known.id in (
      select waiting.id from public.replacement_invoices waiting
      where waiting.invoice_id is null and waiting.next_attempt_at <= now()
      order by waiting.requested_at limit 20 for update skip locked)
    returning known.*
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'requestId', due.id, 'originalNumber', coalesce(invoice.number, invoice.invoice_id), 'amountCents', due.amount_cents,
    -- Without a cause, a deposit that was recorded wrongly was taken off its invoice.
    'cause', coalesce(reversal.cause, 'recorded_wrongly'), 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
$$;

create or replace function internal.correct_applied_deposit(
  applied public.payments, invoice public.invoices, method text, amount integer, reference text, reason text
) returns void
  language plpgsql set search_path = '' as $$
declare
  wrong public.payments;
  deposit public.payments;
  line public.payments;
  released_id uuid;
begin
  select * into wrong from public.payments known where known.id = applied.original_id;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, recorded_by_name, paid_at)
  values (applied.invoice_id, 'applied_deposit', applied.method, applied.id, -applied.amount_cents, applied.currency,
    internal.author_name(null), internal.current_instant())
  returning id into released_id;
  perform internal.refuse_payment(invoice, amount);
  perform internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  deposit := internal.record_counter_deposit(
    wrong.estimate_id, correct_applied_deposit.method, amount, correct_applied_deposit.reference, null);
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, reference, recorded_by_name, paid_at)
  values (applied.invoice_id, 'applied_deposit', deposit.method, deposit.id, amount, deposit.currency, deposit.reference,
    deposit.recorded_by_name, deposit.paid_at)
  returning * into line;
  insert into internal.stripe_reports (invoice_id, kind, payment_id) values (line.invoice_id, 'payment', line.id);
  perform internal.replace_report(invoice, released_id, applied, line, applied.amount_cents - amount);
end
$$;

create or replace function internal.describe_invoice_lines(wanted_invoice_id text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', line.id, 'kind', line.kind, 'method', line.method, 'originalId', line.original_id, 'amountCents', line.amount_cents,
    'leftCents', internal.left_cents(line), 'reference', line.reference, 'note', line.note, 'recordedByName', line.recorded_by_name,
    'paidAt', line.paid_at, 'cause', line.cause, 'retryCents', internal.retriable_cents(line), 'reportState', (
      select report.state from internal.stripe_reports report
      where report.payment_id = line.id or (line.kind = 'refund' and report.credit_note_id = line.credit_note_id)
      order by report.payment_id is null limit 1)
  ) order by line.recorded_at, line.kind desc, line.amount_cents), '[]')
  from public.payments line where line.invoice_id = wanted_invoice_id
$$;

create or replace function internal.has_lasting_deposit(wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.payments line
    where line.estimate_id = wanted_id and line.kind = 'payment' and not exists (
      select from public.payments reversal
      -- The check of an applied deposit is returned on the invoice.
      left join public.payments applied on applied.id = reversal.original_id and applied.kind = 'applied_deposit'
      where coalesce(applied.original_id, reversal.original_id) = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;

create or replace function internal.is_whole_payment(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return payment.kind in ('payment', 'applied_deposit') and internal.left_cents(payment) = payment.amount_cents
    -- What a deposit paid above its invoice went back to the customer already.
    and (payment.kind = 'payment' or payment.amount_cents = (
      select deposit.amount_cents from public.payments deposit where deposit.id = payment.original_id));

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
  if not internal.is_whole_payment(payment) or payment.method = 'card_online' or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  if payment.kind = 'applied_deposit' and target_id <> payment.invoice_id then
    raise exception 'A deposit pays the invoice of its estimate.' using errcode = 'TT103', hint = 'deposit_stays';
  end if;
  return payment;
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
  if wrong.kind = 'applied_deposit' then
    perform internal.correct_applied_deposit(wrong, invoice, method, amount_cents, reference, reason);
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

create or replace function public.return_check(payment_id uuid, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  reversal_id uuid;
begin
  perform internal.require_admin();
  select * into payment from public.payments known where known.id = return_check.payment_id;
  invoice := internal.lock_invoice(payment.invoice_id);
  if not internal.is_whole_payment(payment) or payment.method <> 'check' or internal.is_void(invoice) then
    raise exception 'This line is no check that the bank can return.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  reversal_id := internal.reverse_payment(payment, 'returned_check', reason);
  if not internal.withdraw_report(payment) then
    perform internal.replace_invoice(invoice, reversal_id, payment.amount_cents);
  end if;
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

COMMENT ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) IS 'Takes a deposit off its invoice, reverses it, and records and applies it with the right method and amount.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a line is a payment, or an applied deposit, of which nothing went back.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'A payment of the counter, or an applied deposit, of which nothing went back, with its invoice and another one locked; refuses (TT103) every other line.';

COMMENT ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) IS 'Reverses a payment of the counter, or an applied deposit, that was recorded wrongly, and records it with the right invoice, method and amount: {balanceCents of the first invoice}. A deposit stays on its invoice.';

REVOKE ALL ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_whole_payment"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_whole_payment"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_whole_payment"(public.payments) TO "postgres";
