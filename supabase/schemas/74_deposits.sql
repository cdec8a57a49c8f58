-- Deposits of estimates. Staff request a fixed amount or a share of the approved total. The customer pays the deposit
-- once. The deposit is the first payment of the invoice of the estimate. Until the invoice exists, the deposit belongs
-- to the customer and is a liability of the shop.

create table public.deposits (
  estimate_id uuid primary key references public.estimates on delete cascade,
  amount_cents integer constraint deposits_amount_in_range check (amount_cents between 1 and 99999999),
  share_percent integer constraint deposits_share_in_range check (share_percent between 1 and 100),
  asked_by_name text not null check (length(asked_by_name) <= 100),
  asked_at timestamptz not null,
  constraint deposits_are_sum_or_share check (num_nonnulls(amount_cents, share_percent) = 1)
);
comment on table public.deposits is
  'The deposits that the shop requests for approved estimates. An estimate has at most one deposit.';
comment on column public.deposits.amount_cents is 'The requested amount in US cents. The customer pays at most the approved amount.';
comment on column public.deposits.share_percent is
  'The share of the approved amount that the shop requests, in percent; null for a fixed amount.';

alter table public.deposits enable row level security;
grant select on public.deposits to authenticated;
create policy "the admin reads deposits" on public.deposits for select to authenticated using ((select internal.is_admin()));
create trigger publish_estimate_change after insert or update or delete on public.deposits
  for each row execute function internal.publish_estimate_change();
create trigger publish_estimate_change after insert on public.payments
  for each row when (new.estimate_id is not null) execute function internal.publish_estimate_change();

create function internal.approved_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(cents), 0) from internal.authorized_jobs(wanted_id)
$$;
comment on function internal.approved_cents(uuid) is 'The approved amount of an estimate in cents.';

create function internal.deposit_limit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(nullif(internal.approved_cents(wanted_id), 0), (
    select sum(totals.total) from internal.job_totals totals
    where totals.estimate_id = wanted_id and totals.revision = (internal.latest_revision(wanted_id)).revision), 0)
$$;
comment on function internal.deposit_limit_cents(uuid) is
  'The maximum deposit of an estimate in cents: the approved amount or, before an approval, the total of all jobs.';

create function internal.asked_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce((
    select least(coalesce(deposit.amount_cents, round(approved.cents * deposit.share_percent / 100.0)), approved.cents)
    from public.deposits deposit, lateral (select internal.approved_cents(wanted_id) as cents) approved
    where deposit.estimate_id = wanted_id), 0)::bigint
$$;
comment on function internal.asked_deposit_cents(uuid) is
  'The deposit in cents that the customer must pay now, at most the approved amount; 0 before an approval and if no '
  'deposit is requested.';

create function internal.held_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(internal.left_cents(line)), 0)::bigint
  from public.payments line where line.estimate_id = wanted_id and line.kind = 'payment'
$$;
comment on function internal.held_deposit_cents(uuid) is
  'The part of an estimate''s deposit, in cents, that the shop holds because it was neither applied to an invoice nor '
  'returned.';

create function internal.applied_deposit_cents(wanted_id uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce(sum(internal.left_cents(applied)), 0)::bigint
  from public.payments deposit
  join public.payments applied on applied.original_id = deposit.id and applied.kind = 'applied_deposit'
  where deposit.estimate_id = wanted_id
$$;
comment on function internal.applied_deposit_cents(uuid) is
  'The part of an invoice, in cents, that is paid by the deposit of its estimate.';

create function internal.has_lasting_deposit(wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.payments line
    where line.estimate_id = wanted_id and line.kind = 'payment' and not exists (
      select from public.payments reversal
      -- If the bank returns the check of a deposit that was applied to an invoice, the reversal refers to the ledger
      -- line that applied the deposit, not to the payment.
      left join public.payments applied on applied.id = reversal.original_id and applied.kind = 'applied_deposit'
      where coalesce(applied.original_id, reversal.original_id) = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;
comment on function internal.has_lasting_deposit(uuid) is
  'Whether the deposit of an estimate was paid, and the payment was neither recorded by mistake nor a check that the '
  'bank returned. If so, no other deposit can be requested.';

create function internal.deposit_state(wanted_id uuid) returns text
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
comment on function internal.deposit_state(uuid) is
  'The state of a deposit: none (not requested, or the estimate was invoiced without it); asked (no job is approved '
  'yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

create function internal.raise_deposit_refusal(reason text, detail jsonb default '{}') returns void
  language plpgsql set search_path = '' as $$
begin
  raise exception 'This deposit was not changed: %', reason using errcode = 'TT104', hint = reason, detail = detail::text;
end
$$;
comment on function internal.raise_deposit_refusal(text, jsonb) is
  'Raises an error (TT104) that refuses a change of a deposit.';

create function public.ask_deposit(estimate_id uuid, amount_cents integer, share_percent integer) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write deposits.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  highest bigint;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(ask_deposit.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  if internal.deposit_state(estimate.id) not in ('none', 'asked', 'open') then
    perform internal.raise_deposit_refusal('already_taken');
  end if;
  delete from public.deposits known where known.estimate_id = estimate.id;
  if num_nonnulls(ask_deposit.amount_cents, ask_deposit.share_percent) > 0 then
    highest := internal.deposit_limit_cents(estimate.id);
    if ask_deposit.amount_cents > highest then
      perform internal.raise_deposit_refusal('above_approved', jsonb_build_object('limitCents', highest));
    end if;
    insert into public.deposits (estimate_id, amount_cents, share_percent, asked_by_name, asked_at)
    values (estimate.id, ask_deposit.amount_cents, ask_deposit.share_percent, internal.author_name(null), internal.current_instant());
  end if;
  return internal.describe_deposit(estimate.id);
end
$$;
comment on function public.ask_deposit(uuid, integer, integer) is
  'Requests a deposit of an estimate: an amount, a share of the approved amount, or none (both null). Refused (TT104) when a deposit was '
  'already paid, and for more than the approved amount. Returns the deposit (contracts/payments/deposits.ts).';
grant execute on function public.ask_deposit(uuid, integer, integer) to authenticated;

create function internal.refuse_deposit(estimate public.estimates, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  state constant text := internal.deposit_state(estimate.id);
  asked constant bigint := internal.asked_deposit_cents(estimate.id);
begin
  if state <> 'open' then
    perform internal.raise_deposit_refusal(
      case state when 'none' then 'not_asked' when 'asked' then 'nothing_approved' else 'already_taken' end);
  end if;
  if amount is null or amount < 1 then
    perform internal.raise_deposit_refusal('invalid_amount');
  end if;
  if amount > asked then
    perform internal.raise_deposit_refusal('above_asked', jsonb_build_object('askedCents', asked, 'excessCents', amount - asked));
  end if;
end
$$;
comment on function internal.refuse_deposit(public.estimates, bigint) is
  'Refuses (TT104) a deposit that the shop did not request, that was already paid, whose amount is zero, or whose '
  'amount exceeds the requested amount.';

create function internal.record_counter_deposit(wanted_id uuid, method text, amount integer, reference text, note text)
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
comment on function internal.record_counter_deposit(uuid, text, integer, text, text) is
  'Adds a deposit that the customer paid at the counter to the ledger.';

create function public.take_deposit(
  estimate_id uuid, method text, amount_cents integer, given_cents integer, reference text, note text
) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
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
comment on function public.take_deposit(uuid, text, integer, integer, text, text) is
  'Records that the customer paid the deposit of an estimate at the counter, only once and at most the requested '
  'amount. Returns {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (the data of the email with '
  'the receipt)}.';
grant execute on function public.take_deposit(uuid, text, integer, integer, text, text) to authenticated;

create function internal.describe_deposit_recipient(estimate public.estimates) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object('estimateId', estimate.id, 'estimateNumber', estimate.number, 'customerName', estimate.customer_name,
    'currency', 'usd', 'email', nullif(estimate.customer_email, ''));
comment on function internal.describe_deposit_recipient(public.estimates) is
  'The data for an email about a deposit: the id and number of the estimate, the currency, and the name and email '
  'address of the customer.';

create function internal.return_deposit(line public.payments, cents bigint, method text, reference text, note text) returns void
  language plpgsql set search_path = '' as $$
declare
  way constant text := coalesce(return_deposit.method, line.method);
  refund_id uuid;
begin
  insert into public.payments (
    estimate_id, kind, method, original_id, amount_cents, currency, reference, note, recorded_by_name, paid_at)
  values (line.estimate_id, 'refund', way, line.id, -cents, line.currency, return_deposit.reference, return_deposit.note,
    case when internal.is_admin() then internal.author_name(null) end, internal.current_instant())
  returning id into refund_id;
  if way = 'card_online' then
    insert into internal.stripe_reports (kind, payment_id) values ('deposit_refund', refund_id);
  end if;
end
$$;
comment on function internal.return_deposit(public.payments, bigint, text, text, text) is
  'Returns a part or all of a held deposit to the customer, by the payment method of the deposit or by another one. If '
  'the deposit was paid online by card, a job refunds it at Stripe later.';

create function internal.describe_refund_way(line public.payments, method text, reference text) returns jsonb
  language sql immutable set search_path = ''
  return (
    select jsonb_build_object('method', coalesce(describe_refund_way.method, line.method), 'isSameWay', is_same,
      'reference', case when is_same then line.reference else describe_refund_way.reference end)
    from (select coalesce(describe_refund_way.method = line.method, true) as is_same) compared);
comment on function internal.describe_refund_way(public.payments, text, text) is
  'The method by which the shop returns a payment, for the sentence in the customer''s email '
  '(domain/payments/correction-text.ts): {method, isSameWay, reference}.';

create function internal.refund_deposit(estimate_id uuid, method text, reference text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
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
comment on function internal.refund_deposit(uuid, text, text, text) is
  'Refunds the whole deposit that the shop holds to the customer, before an invoice exists. Returns {refundCents, '
  'way (the method; null if there are several), customer}.';
grant execute on function internal.refund_deposit(uuid, text, text, text) to authenticated;

create function internal.lock_correctable_deposit(payment_id uuid) returns public.payments
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
comment on function internal.lock_correctable_deposit(uuid) is
  'Locks the estimate of a deposit that was paid at the counter and that the shop still holds completely, and returns '
  'the ledger line of the deposit. Refuses (TT104) every other ledger line.';

create function public.correct_deposit(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  most bigint;
begin
  perform internal.require_admin();
  wrong := internal.lock_correctable_deposit(correct_deposit.payment_id);
  -- The correction can always repeat the recorded amount, even if the approved amount is lower now.
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
comment on function public.correct_deposit(uuid, text, integer, text, text) is
  'Reverses a deposit that was paid at the counter and recorded with a wrong method or amount, and records it '
  'correctly. Returns {heldCents}, the deposit that the shop then holds. Only a deposit that was neither applied to '
  'an invoice nor returned can be corrected.';
grant execute on function public.correct_deposit(uuid, text, integer, text, text) to authenticated;

create function public.return_deposit_check(payment_id uuid, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
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
comment on function public.return_deposit_check(uuid, text) is
  'Reverses a deposit that was paid by a check which the bank returned unpaid. Returns {heldCents}, the deposit '
  'that the shop then holds. The customer has to pay the deposit again.';
grant execute on function public.return_deposit_check(uuid, text) to authenticated;

create function internal.record_online_deposit(payment jsonb) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate constant public.estimates := internal.lock_estimate((payment ->> 'estimateId')::uuid, null);
  amount constant integer := (payment ->> 'amountCents')::integer;
  is_wanted constant boolean := internal.deposit_state(estimate.id) = 'open' and amount <= internal.approved_cents(estimate.id);
  line public.payments;
begin
  insert into public.payments (
    estimate_id, kind, method, amount_cents, currency, payment_intent_id, checkout_session_id, paid_at)
  values (
    estimate.id, 'payment', 'card_online', amount, payment ->> 'currency', payment ->> 'paymentIntentId',
    payment ->> 'checkoutSessionId', to_timestamp((payment ->> 'paidAt')::bigint))
  on conflict (payment_intent_id) do nothing
  returning * into line;
  if not found then
    return 'known';
  end if;
  if not is_wanted then
    perform internal.return_deposit(line, amount, null, null, null);
  end if;
  return case when is_wanted then 'held' else 'returned' end;
end
$$;
comment on function internal.record_online_deposit(jsonb) is
  'Records a deposit that Stripe reported. The argument is {estimateId, amountCents, currency, paymentIntentId, '
  'checkoutSessionId, paidAt (seconds since 1970)}. Returns held; returned (the payment goes back to the customer, '
  'because the deposit was paid before, is no longer requested, or exceeds the approved amount); known (this '
  'payment was recorded before).';
grant execute on function internal.record_online_deposit(jsonb) to shop_server;

create function internal.open_deposit_page(estimate_id uuid, lifetime_seconds integer) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read estimates and to write
  -- payment_pages.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(open_deposit_page.estimate_id, null);
  asked constant bigint := internal.asked_deposit_cents(estimate.id);
  known constant jsonb := (
    select coalesce(jsonb_agg(page.session_id), '[]') from internal.payment_pages page
    where page.estimate_id = estimate.id and page.closed_at is null and page.session_id is not null);
  page_id uuid;
begin
  if internal.deposit_state(estimate.id) <> 'open' then
    return null;
  end if;
  insert into internal.payment_pages (estimate_id, amount_cents, expires_at)
  values (estimate.id, asked, clock_timestamp() + lifetime_seconds * interval '1 second')
  returning id into page_id;
  return jsonb_build_object('pageId', page_id, 'amountCents', asked, 'number', estimate.number, 'openSessions', known,
    'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone));
end
$$;
comment on function internal.open_deposit_page(uuid, integer) is
  'Records that a payment page for a deposit is about to open. Returns {pageId, amountCents, number (of the '
  'estimate), openSessions (the ids of its open Stripe Checkout Sessions), customer}, or null when no deposit has '
  'to be paid.';
grant execute on function internal.open_deposit_page(uuid, integer) to shop_server;

create function internal.apply_deposit(claim public.estimate_invoices) returns void
  language plpgsql set search_path = '' as $$
declare
  invoice public.invoices;
  deposit public.payments;
  applied_id uuid;
  cents bigint;
begin
  select * into invoice from public.invoices known where known.invoice_id = claim.invoice_id for update;
  if not found or internal.is_void(invoice) then
    return;
  end if;
  for deposit in
    select * from public.payments line
    where line.estimate_id = claim.estimate_id and line.kind = 'payment' and line.currency = invoice.currency and internal.left_cents(line) > 0
  loop
    cents := least(internal.left_cents(deposit), internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id));
    if cents > 0 then
      insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, reference, recorded_by_name, paid_at)
      values (invoice.invoice_id, 'applied_deposit', deposit.method, deposit.id, cents, deposit.currency, deposit.reference,
        claim.claimed_by, internal.current_instant())
      returning id into applied_id;
      insert into internal.stripe_reports (invoice_id, kind, payment_id) values (invoice.invoice_id, 'payment', applied_id);
    end if;
    if internal.left_cents(deposit) > 0 then
      perform internal.return_deposit(deposit, internal.left_cents(deposit), null, deposit.reference, null);
    end if;
  end loop;
end
$$;
comment on function internal.apply_deposit(public.estimate_invoices) is
  'Pays the new invoice of an estimate with the deposit of the same estimate; the part that exceeds the invoice is '
  'returned by the method of the payment.';

create function internal.release_deposit(claim public.estimate_invoices) returns void
  language plpgsql set search_path = '' as $$
declare
  applied public.payments;
begin
  for applied in
    select * from public.payments line
    where line.invoice_id = claim.invoice_id and line.kind = 'applied_deposit' and line.amount_cents > 0 and internal.left_cents(line) > 0
  loop
    insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, paid_at)
    values (applied.invoice_id, 'applied_deposit', applied.method, applied.id, -internal.left_cents(applied), applied.currency,
      internal.current_instant());
    update internal.stripe_reports set state = 'reversed', problem = null where payment_id = applied.id and state = 'due';
  end loop;
end
$$;
comment on function internal.release_deposit(public.estimate_invoices) is
  'Removes the deposit from an invoice that became void, so that the deposit can pay the next invoice of the '
  'estimate.';

create function internal.describe_deposit(wanted_id uuid) returns jsonb
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
comment on function internal.describe_deposit(uuid) is
  'The deposit of an estimate with its ledger lines (contracts/payments/deposits.ts).';

create function internal.read_sent_deposit(estimate_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read deposits.
  language sql stable security definer set search_path = '' as $$
  select internal.describe_deposit(read_sent_deposit.estimate_id)
$$;
comment on function internal.read_sent_deposit(uuid) is
  'The deposit of an estimate, as shown to the customer on the page of the estimate.';
grant execute on function internal.read_sent_deposit(uuid) to shop_server;

create function public.read_deposit(estimate_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call describe_deposit.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return internal.describe_deposit(read_deposit.estimate_id);
end
$$;
comment on function public.read_deposit(uuid) is 'The deposit of an estimate, for staff (contracts/payments/deposits.ts).';
grant execute on function public.read_deposit(uuid) to authenticated;

create function internal.list_undecided_deposits()
  returns table (estimate_id uuid, number text, customer_name text, held_cents bigint, because text)
  language sql stable set search_path = '' as $$
  select held.id, held.number, held.customer_name, held.cents,
    case when booking.status in ('cancelled', 'no_show') then booking.status else 'declined' end
  from (
    select estimate.id, estimate.number, estimate.customer_name, estimate.booking_id, internal.held_deposit_cents(estimate.id) as cents
    from public.estimates estimate
    where estimate.id in (select line.estimate_id from public.payments line where line.estimate_id is not null)
      and not exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made'))
  ) held
  left join public.bookings booking on booking.id = held.booking_id
  where held.cents > 0 and (booking.status in ('cancelled', 'no_show') or internal.approved_cents(held.id) = 0)
$$;
comment on function internal.list_undecided_deposits() is
  'The deposits that the shop holds although no job is approved any more, or although the appointment was cancelled '
  'or missed. Staff must decide whether to return these deposits.';

create function internal.describe_undecided_deposits() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'estimateId', estimate_id, 'number', number, 'customerName', customer_name, 'heldCents', held_cents, 'because', because)
    order by number), '[]')
  from (select * from internal.list_undecided_deposits() listed order by listed.number limit 50) undecided
$$;
comment on function internal.describe_undecided_deposits() is 'The first 50 deposits about which staff must decide, for the page Today.';
