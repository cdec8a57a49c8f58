-- Payments at the counter. The database records a payment in one transaction with a queue row, from which a job later
-- reports the payment to Stripe. While staff record a payment for an invoice, the customer cannot open the payment page
-- of the same invoice.

create table internal.payment_pages (
  id uuid primary key default gen_random_uuid(),
  invoice_id text references public.invoices on delete cascade,
  session_id text unique check (length(session_id) <= 250),
  amount_cents bigint not null constraint payment_pages_amount_is_positive check (amount_cents > 0),
  opened_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  estimate_id uuid references public.estimates on delete cascade,
  constraint payment_pages_of_invoice_or_estimate check (num_nonnulls(invoice_id, estimate_id) = 1)
);
comment on table internal.payment_pages is
  'The Stripe Checkout Sessions (payment pages) for an invoice or for the deposit of an estimate. The server writes '
  'the row before it calls Stripe, so that the shop knows every Checkout Session.';
comment on column internal.payment_pages.session_id is
  'The id of the Checkout Session at Stripe; null until Stripe has created the Checkout Session.';
comment on column internal.payment_pages.closed_at is
  'When the server found that the Checkout Session is completed or expired.';

comment on column internal.payment_pages.estimate_id is 'The estimate whose deposit is paid on the page; null for an invoice.';

create index payment_pages_of_invoice on internal.payment_pages (invoice_id, opened_at desc);
create index payment_pages_of_estimate on internal.payment_pages (estimate_id) where estimate_id is not null;

alter table internal.payment_pages enable row level security;
grant select, delete on internal.payment_pages to shop_server;
grant update (session_id, closed_at) on internal.payment_pages to shop_server;
create policy "the server reads payment pages" on internal.payment_pages for select to shop_server using (true);
create policy "the server changes payment pages" on internal.payment_pages for update to shop_server using (true) with check (true);
create policy "the server deletes payment pages" on internal.payment_pages for delete to shop_server using (true);

create table internal.payment_page_pauses (
  invoice_id text primary key references public.invoices on delete cascade,
  until timestamptz not null
);
comment on table internal.payment_page_pauses is
  'The invoices for which staff are recording a payment at the counter. The payment page of such an invoice cannot be '
  'opened until the time in the column until.';

alter table internal.payment_page_pauses enable row level security;
grant delete on internal.payment_page_pauses to shop_server;
grant select (invoice_id) on internal.payment_page_pauses to shop_server;
create policy "the server ends pauses" on internal.payment_page_pauses for delete to shop_server using (true);
create policy "the server finds pauses" on internal.payment_page_pauses for select to shop_server using (true);

create table internal.online_payment_claims (
  payment_intent_id text primary key check (length(payment_intent_id) between 4 and 100),
  invoice_id text not null references public.invoices on delete cascade,
  amount_cents bigint not null constraint online_payment_claims_amount_is_positive check (amount_cents > 0),
  claimed_at timestamptz not null default now()
);
comment on table internal.online_payment_claims is
  'The online payments that the server is about to assign to their invoices. While the row exists, staff cannot '
  'record a payment of the claimed amount at the counter. The row is deleted when the payment is in the ledger.';

create index online_payment_claims_of_invoice on internal.online_payment_claims (invoice_id);

alter table internal.online_payment_claims enable row level security;

create table internal.stripe_reports (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity,
  invoice_id text check (length(invoice_id) between 4 and 100),
  kind text not null constraint stripe_reports_kind_is_known
    check (kind in ('payment', 'credit_note', 'void', 'write_off', 'refund', 'deposit_refund')),
  payment_id uuid unique references public.payments on delete cascade,
  credit_note_id uuid unique references public.credit_notes on delete cascade,
  state text not null default 'due' constraint stripe_reports_state_is_known check (
    state in ('due', 'reported', 'refused', 'reversed', 'corrected')),
  stripe_id text unique check (length(stripe_id) <= 100),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  problem text check (length(problem) <= 200),
  reported_at timestamptz,
  constraint stripe_reports_kind_matches_record check (
    (kind in ('payment', 'refund', 'deposit_refund')) = (payment_id is not null) and (kind = 'credit_note') = (credit_note_id is not null)),
  constraint stripe_reports_of_an_invoice check ((kind = 'deposit_refund') = (invoice_id is null)),
  constraint stripe_reports_reported_at_time check ((state = 'reported') = (reported_at is not null))
);
comment on table internal.stripe_reports is
  'The payments and corrections that the shop has to report to Stripe. The transaction that makes the change inserts '
  'the row. A job later reports the rows of each invoice to Stripe in the order of their insertion.';
comment on column internal.stripe_reports.state is
  'The state of the report. due: a job has to report the change. reported: Stripe has accepted the report. refused: '
  'Stripe does not accept the report, for the reason in the column problem; the change is valid in the shop''s '
  'ledger nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: the report is not '
  'sent, because Stripe still counts the wrong payment that the corrected ledger line replaces.';
comment on column internal.stripe_reports.invoice_id is
  'The invoice to which the reported payment or correction belongs; null for the refund of a deposit, which belongs to '
  'an estimate.';
comment on column internal.stripe_reports.stripe_id is
  'The id at Stripe of the payment record, payment intent (of a deposit), credit note or refund (of a deposit); null '
  'until Stripe has created it.';
comment on column internal.stripe_reports.problem is 'The error code of Stripe, without data of the request.';

create index stripe_reports_due on internal.stripe_reports (next_attempt_at) where state = 'due';
create index stripe_reports_lately on internal.stripe_reports (reported_at);
create index stripe_reports_refused on internal.stripe_reports (invoice_id) where state = 'refused';
create index stripe_reports_of_invoice on internal.stripe_reports (invoice_id, position);

alter table internal.stripe_reports enable row level security;
grant select on internal.stripe_reports to shop_server;
grant update (state, stripe_id, attempts, first_attempt_at, next_attempt_at, problem, reported_at)
  on internal.stripe_reports to shop_server;
create policy "the server reads reports" on internal.stripe_reports for select to shop_server using (true);
create policy "the server changes reports" on internal.stripe_reports for update to shop_server using (true) with check (true);

create function internal.lock_invoice(wanted_id text) returns public.invoices
  language plpgsql set search_path = '' as $$
declare
  invoice public.invoices;
begin
  select * into invoice from public.invoices known where known.invoice_id = wanted_id for update;
  if not found then
    raise exception 'This invoice does not exist.' using errcode = 'TT102', hint = 'invoice_not_found';
  end if;
  return invoice;
end
$$;
comment on function internal.lock_invoice(text) is
  'Locks an invoice until the transaction ends; refuses (TT102) an unknown invoice.';

create function internal.open_payment_page(invoice_id text, lifetime_seconds integer) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to lock invoices.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice constant public.invoices := internal.lock_invoice(open_payment_page.invoice_id);
  balance constant bigint := greatest(internal.invoice_balance_cents(invoice) - internal.awaited_cents(invoice.invoice_id), 0);
  page_id uuid;
begin
  if exists (
    select from internal.payment_page_pauses pause
    where pause.invoice_id = invoice.invoice_id and pause.until > clock_timestamp()
  ) then
    return jsonb_build_object('refused', 'paused');
  end if;
  if internal.is_void(invoice) then
    return jsonb_build_object('refused', 'void');
  end if;
  if balance = 0 then
    return jsonb_build_object('refused', 'paid');
  end if;
  insert into internal.payment_pages (invoice_id, amount_cents, expires_at)
  values (invoice.invoice_id, balance, clock_timestamp() + lifetime_seconds * interval '1 second')
  returning id into page_id;
  return jsonb_build_object('pageId', page_id, 'balanceCents', balance);
end
$$;
comment on function internal.open_payment_page(text, integer) is
  'Records that a payment page for an invoice is about to open. Returns {pageId, balanceCents}, or {refused: '
  'paused, void or paid}. paused means that staff are recording a payment for the invoice.';
grant execute on function internal.open_payment_page(text, integer) to shop_server;

create function internal.pause_payment_pages(invoice_id text) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to lock invoices.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice constant public.invoices := internal.lock_invoice(pause_payment_pages.invoice_id);
begin
  insert into internal.payment_page_pauses (invoice_id, until) values (invoice.invoice_id, clock_timestamp() + interval '1 minute')
  on conflict (invoice_id) do update set until = excluded.until;
  return exists (
    select from internal.payment_pages page
    where page.invoice_id = invoice.invoice_id and page.closed_at is null and page.expires_at > clock_timestamp());
end
$$;
comment on function internal.pause_payment_pages(text) is
  'Prevents payment pages of the invoice from opening for a minute; returns whether a customer has a payment page '
  'open now.';
grant execute on function internal.pause_payment_pages(text) to shop_server;

create function internal.claimed_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (select coalesce(sum(amount_cents), 0) from internal.online_payment_claims where invoice_id = wanted_invoice_id)
    + internal.awaited_cents(wanted_invoice_id);
comment on function internal.claimed_cents(text) is
  'The part of an invoice''s balance that cannot be paid now: the amount of online payments that are not in the '
  'ledger yet, and of replacement invoices that do not exist yet.';

create function internal.claim_online_payment(invoice_id text, payment_intent_id text, amount_cents bigint) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write online_payment_claims.
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
      where payment.invoice_id = invoice.invoice_id
        and (payment.kind = 'payment' and payment.method <> 'card_online' or payment.kind = 'applied_deposit'))
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
comment on function internal.claim_online_payment(text, text, bigint) is
  'Reserves the amount of an online payment in the balance of its invoice, and returns whether the payment may be '
  'assigned to the invoice. False if payments at the counter or corrections have reduced the balance below the amount; '
  'the server then refunds the payment.';
grant execute on function internal.claim_online_payment(text, text, bigint) to shop_server;

create function internal.release_claim() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to delete
  -- online_payment_claims.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.online_payment_claims where payment_intent_id = new.payment_intent_id;
  return null;
end
$$;
comment on function internal.release_claim() is
  'Deletes the row of online_payment_claims when the online payment is added to the ledger.';
create trigger release_claim after insert on public.payments
  for each row when (new.payment_intent_id is not null) execute function internal.release_claim();

create function internal.round_cash(cents bigint) returns integer
  language sql immutable set search_path = ''
  return ((cents + 2) / 5 * 5)::integer;
comment on function internal.round_cash(bigint) is
  'Rounds a cash amount to five cents: 1 and 2 cents down, 3 and 4 cents up. Negative amounts are rounded '
  'symmetrically.';

create function internal.refuse_payment(invoice public.invoices, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  balance constant bigint := internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id);
begin
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  if amount is null or amount < 1 then
    raise exception 'A payment must be above zero.' using errcode = 'TT102', hint = 'invalid_amount';
  end if;
  if amount > balance then
    raise exception 'A payment is never above the balance.' using errcode = 'TT102', hint = 'above_balance',
      detail = jsonb_build_object('balanceCents', greatest(balance, 0), 'excessCents', amount - greatest(balance, 0))::text;
  end if;
end
$$;
comment on function internal.refuse_payment(public.invoices, bigint) is
  'Refuses (TT102) a payment for a voided invoice, of zero, or above the balance.';

create function internal.record_counter_payment(invoice public.invoices, method text, amount integer, reference text, note text)
  returns public.payments
  language plpgsql set search_path = '' as $$
declare
  settles_in_cash constant boolean := method = 'cash' and amount = internal.invoice_balance_cents(invoice)
    and (select rounds_cash from public.booking_rules) and internal.round_cash(amount) > 0;
  taken constant integer := case when settles_in_cash then internal.round_cash(amount) else amount end;
  line public.payments;
begin
  insert into public.payments (invoice_id, kind, method, amount_cents, currency, reference, note, recorded_by_name, paid_at)
  values (invoice.invoice_id, 'payment', record_counter_payment.method, taken, invoice.currency, record_counter_payment.reference,
    record_counter_payment.note, internal.author_name(null), internal.current_instant())
  returning * into line;
  if taken <> amount then
    insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, recorded_by_name, paid_at)
    values (invoice.invoice_id, 'cash_rounding', 'cash', line.id, amount - taken, invoice.currency, line.recorded_by_name, line.paid_at);
  end if;
  insert into internal.stripe_reports (invoice_id, kind, payment_id) values (invoice.invoice_id, 'payment', line.id);
  return line;
end
$$;
comment on function internal.record_counter_payment(public.invoices, text, integer, text, text) is
  'Adds a payment at the counter with its cash rounding to the ledger, and adds the row from which a job reports the '
  'payment to Stripe.';

create function public.take_payment(
  invoice_id text, method text, amount_cents integer, given_cents integer, reference text, note text
) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  line public.payments;
  given constant integer := coalesce(given_cents, amount_cents);
begin
  perform internal.require_admin();
  if method is null or method not in ('card_terminal', 'cash', 'check', 'other') then
    raise exception 'Staff cannot record this method.' using errcode = 'TT102', hint = 'invalid_method';
  end if;
  invoice := internal.lock_invoice(take_payment.invoice_id);
  perform internal.refuse_payment(invoice, amount_cents);
  line := internal.record_counter_payment(invoice, method, amount_cents, reference, note);
  if given < line.amount_cents and given_cents is not null then
    raise exception 'Less was given than is taken.' using errcode = 'TT102', hint = 'given_too_little';
  end if;
  return jsonb_build_object(
    'paymentId', line.id, 'amountCents', line.amount_cents, 'roundingCents', amount_cents - line.amount_cents,
    'changeCents', case when given_cents is null then 0 else given - line.amount_cents end,
    'balanceCents', internal.invoice_balance_cents(invoice), 'paidAt', line.paid_at,
    'receipt', jsonb_build_object(
      'invoiceNumber', coalesce(invoice.number, invoice.invoice_id), 'customerName', invoice.customer_name, 'currency', line.currency,
      'email', (select email from public.customers where id = invoice.customer_id)));
end
$$;
comment on function public.take_payment(text, text, integer, integer, text, text) is
  'Records a payment at the counter, at most the balance of the invoice, and the cash that the customer handed over '
  '(docs/product.md 17.3). Returns {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, '
  'receipt (the data of the email with the receipt)}.';
grant execute on function public.take_payment(text, text, integer, integer, text, text) to authenticated;

create function internal.list_ledger_differences() returns setof public.invoices
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select invoice.* from public.invoices invoice
    where invoice.invoice_id in (
        select report.invoice_id from internal.stripe_reports report
        where report.state = 'refused' or report.reported_at > now() - interval '7 days'
        union
        select line.invoice_id from public.payments line where line.kind = 'reversal' and line.recorded_at > now() - interval '90 days')
      and not internal.is_void(invoice) and invoice.status in ('open', 'paid', 'uncollectible')
      and not exists (select from internal.stripe_reports due where due.invoice_id = invoice.invoice_id and due.state = 'due')
      and (invoice.remaining_at_stripe_cents <> internal.invoice_balance_cents(invoice)
        or exists (
          select from internal.stripe_reports refused
          where refused.invoice_id = invoice.invoice_id and refused.state = 'refused'));
end
$$;
comment on function internal.list_ledger_differences() is
  'The invoices whose balance differs from the unpaid amount at Stripe although every change was reported to '
  'Stripe, and the invoices with a report that Stripe refused. The dashboard asks every minute whether there is a '
  'difference. For speed, the function therefore compares only invoices with a refused report, a report of the last '
  '7 days or a reversal of the last 90 days.';

create function internal.describe_ledger_differences() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'invoiceId', difference.invoice_id, 'number', difference.number, 'customerName', difference.customer_name,
    'balanceCents', internal.invoice_balance_cents(difference), 'remainingCents', difference.remaining_at_stripe_cents,
    'currency', difference.currency) order by difference.created_at), '[]')
  from (select * from internal.list_ledger_differences() listed order by listed.created_at limit 20) difference
$$;
comment on function internal.describe_ledger_differences() is
  'The 20 oldest invoices of list_ledger_differences, for the page Today.';
