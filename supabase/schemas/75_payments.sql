-- The append-only ledger of all payments, with every payment method. Stripe can send the same event twice:
-- `stripe_events` contains each event that was handled, inserted in the transaction that handles it.

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  invoice_id text check (length(invoice_id) between 4 and 100),
  kind text not null constraint payments_kind_is_known
    check (kind in ('payment', 'refund', 'reversal', 'customer_credit', 'cash_rounding', 'applied_deposit')),
  method text not null constraint payments_method_is_known
    check (method in ('card_online', 'card_terminal', 'cash', 'check', 'other')),
  original_id uuid references public.payments,
  credit_note_id uuid references public.credit_notes,
  amount_cents integer not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  reference text,
  note text,
  recorded_by_name text check (length(recorded_by_name) <= 100),
  payment_intent_id text unique check (length(payment_intent_id) between 4 and 100),
  checkout_session_id text unique check (length(checkout_session_id) <= 250),
  refund_id text unique check (length(refund_id) <= 100),
  business_date date not null,
  paid_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  cause text,
  estimate_id uuid,
  constraint payments_belong_to_invoice_or_estimate check (num_nonnulls(invoice_id, estimate_id) = 1),
  constraint payments_of_estimates_are_deposits check (estimate_id is null or kind in ('payment', 'refund', 'reversal')),
  constraint payments_amount_has_the_sign_of_its_kind check (
    case kind
      when 'payment' then amount_cents > 0
      when 'cash_rounding' then amount_cents in (-2, -1, 1, 2) and method = 'cash'
      -- The reversal of a failed refund is positive, because the shop has the money again.
      when 'reversal' then amount_cents <> 0
      -- When a deposit is removed from its invoice, the ledger line of the removal is negative.
      when 'applied_deposit' then amount_cents <> 0
      else amount_cents < 0 end),
  constraint payments_original_matches_kind check ((kind = 'payment') = (original_id is null)),
  constraint payments_intent_of_online_cards check (
    (payment_intent_id is not null) = (kind = 'payment' and method = 'card_online')),
  constraint payments_session_of_intent check (checkout_session_id is null or payment_intent_id is not null),
  constraint payments_refund_id_of_refunds check (refund_id is null or kind = 'refund'),
  constraint payments_cause_of_reversals check (
    cause is null or (kind = 'reversal' and cause in ('recorded_wrongly', 'returned_check', 'lost_dispute', 'failed_refund'))),
  constraint payments_reference_is_text check (length(reference) between 1 and 60),
  constraint payments_note_is_text check (length(note) between 1 and 500),
  constraint payments_check_has_number check (kind <> 'payment' or method not in ('check', 'other') or reference is not null),
  constraint payments_have_no_invisible_characters check (internal.shows_every_character(reference, note)),
  constraint payments_have_no_card_number check (not internal.contains_card_number(coalesce(reference, '') || E'\n' || coalesce(note, '')))
);
comment on table public.payments is
  'The ledger: one line for each amount that was received or returned for an invoice, or as the deposit of an '
  'estimate, by any method. A line is never changed; a further line corrects a mistake. [append-only]';
comment on column public.payments.kind is
  'The kind of the line. payment: received. refund: returned to the customer. reversal: cancels a line that was wrong '
  'or whose money never arrived. customer_credit: the part of an overpayment that is credited to the customer at '
  'Stripe. cash_rounding: the difference between the exact and the rounded cash amount. applied_deposit: the part of '
  'the invoice that the deposit of the estimate pays; no money moves.';
comment on column public.payments.original_id is
  'The ledger line to which a refund, reversal, credit or rounding refers; for applied_deposit, the payment of the '
  'deposit.';
comment on column public.payments.credit_note_id is
  'The credit note that belongs to a refund by staff; null for a refund that Stripe reported.';
comment on column public.payments.amount_cents is
  'The amount that the line adds to the paid amount of the invoice, in cents; negative for returned money.';
comment on column public.payments.reference is
  'The number of the check, the last four digits of the card at the card terminal, or the name of another payment '
  'method; never a complete card number.';
comment on column public.payments.recorded_by_name is 'The staff account that recorded the line; null for a payment that Stripe reported.';
comment on column public.payments.cause is 'The reason why a line was reversed; null for other lines and for older reversals without a recorded cause.';
comment on column public.payments.business_date is
  'The shop''s day to which the line counts on the page Today, in the day close and in the files for the accountant (docs/product.md 17.7).';
comment on column public.payments.paid_at is 'The time of the payment itself, as Stripe or the counter reports it.';

comment on column public.payments.estimate_id is
  'The estimate of a deposit; null for a line of an invoice. The column has no foreign key, because the ledger is '
  'kept when the estimate is deleted.';

create index payments_of_invoice on public.payments (invoice_id);
create index payments_of_estimate on public.payments (estimate_id) where estimate_id is not null;
create index payments_by_time on public.payments (paid_at desc);
create index payments_reversals on public.payments (recorded_at) where kind = 'reversal';
create index payments_by_business_date on public.payments (business_date);
create index payments_at_counter_by_business_date on public.payments (business_date) where method <> 'card_online';
create index payments_of_original on public.payments (original_id) where original_id is not null;

alter table public.payments enable row level security;
grant select on public.payments to authenticated, shop_server;
create policy "the admin reads the ledger" on public.payments for select to authenticated using ((select internal.is_admin()));
create policy "the server reads the ledger" on public.payments for select to shop_server using (true);

create function internal.contains_card_number(value text) returns boolean
  language sql immutable strict set search_path = ''
  return exists (
    select from regexp_matches(value, '(?:^|[^0-9])((?:[0-9][ .-]?){13,19})(?![0-9])', 'g') found,
      lateral (select regexp_replace(found[1], '[^0-9]', '', 'g') as digits) number
    where digits ~ '^[2-6][0-9]{12,18}$' and internal.passes_luhn(digits));
comment on function internal.contains_card_number(text) is
  'Whether a text has 13 to 19 digits that begin with 2 to 6 and pass the Luhn check of ISO/IEC 7812-1, also with spaces or dashes between them.';

create function internal.passes_luhn(digits text) returns boolean
  language sql immutable strict set search_path = ''
  return (
    select sum(case when place % 2 = 1 then digit when digit > 4 then digit * 2 - 9 else digit * 2 end) % 10 = 0
    from (
      select digit::integer, row_number() over (order by position desc) as place
      from regexp_split_to_table(digits, '') with ordinality split (digit, position)
    ) placed
  );
comment on function internal.passes_luhn(text) is
  'Whether the digits of a number pass the Luhn check of card numbers (ISO/IEC 7812-1, annex B).';

create function internal.prevent_excess_return() returns trigger
  language plpgsql set search_path = '' as $$
declare
  original public.payments;
  left_before bigint;
  change bigint;
begin
  select * into original from public.payments where id = new.original_id for update;
  if not internal.may_follow(new, original) then
    raise exception 'A line refers to a payment of its invoice.' using errcode = 'TT101', hint = 'other_invoice';
  end if;
  left_before := case original.kind
    when 'refund' then -original.amount_cents - (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.original_id = original.id and line.kind <> 'cash_rounding')
    else internal.left_cents(original) end;
  -- A line that applies a deposit to an invoice, or reverses a refund, reduces the remaining amount although its own
  -- amount is positive.
  change := case when original.kind = 'refund' or (new.kind = 'applied_deposit' and original.kind = 'payment')
    then -new.amount_cents else new.amount_cents end;
  if new.kind <> 'cash_rounding' and left_before + change not between 0 and abs(original.amount_cents) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', abs(left_before))::text;
  end if;
  return new;
end
$$;
comment on function internal.prevent_excess_return() is
  'Refuses (TT101) a refund, reversal, credit or applied deposit in two cases: its amount exceeds the remaining '
  'amount of the ledger line to which it refers, or that ledger line belongs to another invoice.';

create function internal.may_follow(line public.payments, original public.payments) returns boolean
  language sql immutable set search_path = ''
  return case
    -- A line of the kind applied_deposit applies a deposit to an invoice, or removes the deposit from the invoice
    -- again.
    when line.kind = 'applied_deposit' and original.kind = 'payment' then original.estimate_id is not null and line.amount_cents > 0
    when line.kind = 'applied_deposit' then
      original.kind = 'applied_deposit' and original.invoice_id = line.invoice_id and line.amount_cents < 0
    else (original.kind in ('payment', 'applied_deposit') or (original.kind = 'refund' and line.kind = 'reversal'))
      and (original.invoice_id, original.estimate_id) is not distinct from (line.invoice_id, line.estimate_id)
    end and original.currency = line.currency;
comment on function internal.may_follow(public.payments, public.payments) is
  'Whether the first ledger line may refer to the second: their kinds permit it (a refund can refer to a payment), and '
  'both belong to the same invoice or estimate. A line that applies a deposit to an invoice may refer to the payment '
  'of the deposit.';
create trigger prevent_excess_return before insert on public.payments
  for each row when (new.original_id is not null) execute function internal.prevent_excess_return();

create function internal.set_business_date() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.business_date := internal.business_date(new.paid_at);
  return new;
end
$$;
comment on function internal.set_business_date() is 'Sets the business date of a new ledger line.';
create trigger set_business_date before insert on public.payments for each row execute function internal.set_business_date();

create function internal.business_date(moment timestamptz) returns date
  language plpgsql set search_path = '' as $$
begin
  -- This lock prevents close_day from closing a day until the transaction ends, so that no line is added to a day that
  -- is closed already. The next statement sees the day closes that were committed before.
  perform pg_advisory_xact_lock_shared(hashtextextended('business days', 0));
  return (
    select greatest((moment at time zone time_zone)::date, (select max(business_date) + 1 from public.day_closes))
    from public.shop);
end
$$;
comment on function internal.business_date(timestamptz) is
  'The shop''s day to which a payment at this time counts: the date of the payment, or the first later date that is '
  'not closed. Days are closed in order, so every day up to the last day close is closed.';

create function internal.record_online_payment(payment jsonb) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  line public.payments;
begin
  insert into public.payments (
    invoice_id, kind, method, amount_cents, currency, payment_intent_id, checkout_session_id, paid_at)
  values (
    payment ->> 'invoiceId', 'payment', 'card_online', (payment ->> 'amountCents')::integer, payment ->> 'currency',
    payment ->> 'paymentIntentId', payment ->> 'checkoutSessionId', to_timestamp((payment ->> 'paidAt')::bigint))
  on conflict (payment_intent_id) do nothing
  returning * into line;
  if not found then
    return false;
  end if;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, refund_id, paid_at)
  select line.invoice_id, follows.kind, line.method, line.id, -follows.cents, line.currency, follows.refund_id, line.paid_at
  from (values
    ('refund', case when payment ->> 'refundId' is not null then line.amount_cents end, payment ->> 'refundId'),
    ('customer_credit', nullif((payment ->> 'overpaidCents')::integer, 0), null)
  ) follows (kind, cents, refund_id)
  where follows.cents is not null;
  return true;
end
$$;
comment on function internal.record_online_payment(jsonb) is
  'Records a payment that Stripe reported, with a further ledger line for its overpaid part or its refund. The '
  'argument is {invoiceId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970), '
  'overpaidCents, refundId}. Returns false if the payment is already recorded.';
grant execute on function internal.record_online_payment(jsonb) to shop_server;

create function internal.payment_outcome(payment public.payments) returns text
  language sql stable set search_path = ''
  return coalesce(
    (select max(case kind when 'refund' then 'refunded' else 'overpaid' end) from public.payments
     where original_id = payment.id and (kind = 'customer_credit' or (kind = 'refund' and -amount_cents = payment.amount_cents))),
    'applied');
comment on function internal.payment_outcome(public.payments) is
  'The outcome of a payment. applied: the payment paid the invoice. overpaid: the payment exceeded the balance, and '
  'the excess is the customer''s credit. refunded: the whole payment was returned.';
grant execute on function internal.payment_outcome(public.payments) to shop_server;

create function internal.prevent_payment_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'note' <> to_jsonb(old) - 'note' or new.note is not null then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.prevent_payment_change() is 'Lets an erasure empty the note of a payment, and refuses every other change (TT055).';
create trigger prevent_payment_change before update on public.payments for each row execute function internal.prevent_payment_change();

create function internal.prevent_payment_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;
comment on function internal.prevent_payment_delete() is
  'Refuses (TT055) to delete a payment, unless it belongs to an invoice of the sample week (sample data for a new '
  'shop).';
create trigger prevent_payment_delete before delete on public.payments for each row execute function internal.prevent_payment_delete();

create trigger prevent_history_change before update or delete or truncate on public.payments
  for each statement execute function internal.prevent_history_change('erasure UPDATE', 'sample_week_removal DELETE');
create trigger announce_invoice after insert on public.payments for each row execute function internal.announce_invoice();

create table internal.stripe_events (
  id text primary key check (length(id) between 4 and 100),
  type text not null check (length(type) between 1 and 100),
  handled_at timestamptz not null default now(),
  is_live boolean not null default false
);
comment on table internal.stripe_events is
  'The Stripe events that the server has processed completely. The transaction that processes an event inserts the '
  'row of the event, so that the server recognizes an event that Stripe sends again.';
comment on column internal.stripe_events.is_live is
  'Whether real money was involved; false for Stripe''s test mode, the sandbox, and events that were processed before '
  'this column existed.';

create index stripe_events_by_age on internal.stripe_events (handled_at);

alter table internal.stripe_events enable row level security;
grant select, insert, delete on internal.stripe_events to shop_server;
create policy "the server reads Stripe events" on internal.stripe_events for select to shop_server using (true);
create policy "the server adds Stripe events" on internal.stripe_events for insert to shop_server with check (true);
create policy "the server deletes Stripe events" on internal.stripe_events for delete to shop_server using (true);
