-- Corrections of invoices. A credit note reduces the amount of an invoice: without a refund while the invoice is
-- unpaid, and together with a refund after it was paid. Every correction is recorded in these tables first; a job then
-- reports it to Stripe.

create table public.credit_notes (
  id uuid primary key default gen_random_uuid(),
  invoice_id text not null check (length(invoice_id) between 4 and 100),
  kind text not null constraint credit_notes_kind_is_known check (kind in ('price_correction', 'refund', 'cancellation')),
  amount_cents bigint not null constraint credit_notes_amount_is_positive check (amount_cents > 0),
  tax_cents bigint not null constraint credit_notes_tax_in_range check (tax_cents between 0 and amount_cents),
  reason text not null constraint credit_notes_reason_is_text check (internal.is_single_line_text(reason, 1, 200)),
  created_by_name text not null check (length(created_by_name) <= 100),
  business_date date not null,
  created_at timestamptz not null default now(),
  constraint credit_notes_have_no_card_number check (not internal.contains_card_number(reason))
);
comment on table public.credit_notes is
  'The credit notes of invoices, each with the reason that the customer reads. [append-only]';
comment on column public.credit_notes.kind is
  'The kind of credit note. price_correction: lowers the price of an open invoice, and no money moves. refund: '
  'belongs to a refund of the same amount for a paid invoice. cancellation: credits the whole rest of an invoice with '
  'payments.';
comment on column public.credit_notes.tax_cents is 'The part of amount_cents that is sales tax.';
comment on column public.credit_notes.business_date is
  'The shop''s day to which the credit note belongs in the files for the accountant.';

create index credit_notes_of_invoice on public.credit_notes (invoice_id);

alter table public.credit_notes enable row level security;
grant select on public.credit_notes to authenticated, shop_server;
create policy "the admin reads credit notes" on public.credit_notes for select to authenticated using ((select internal.is_admin()));
create policy "the server reads credit notes" on public.credit_notes for select to shop_server using (true);
create trigger prevent_history_change before update or delete or truncate on public.credit_notes
  for each statement execute function internal.prevent_history_change('sample_week_removal DELETE');
create trigger announce_invoice after insert on public.credit_notes for each row execute function internal.announce_invoice();

create table public.credit_note_parts (
  credit_note_id uuid not null references public.credit_notes on delete cascade,
  part_key text not null constraint credit_note_parts_key_is_short check (length(part_key) between 1 and 40),
  amount_cents bigint not null constraint credit_note_parts_amount_is_positive check (amount_cents > 0),
  tax_cents bigint not null constraint credit_note_parts_tax_in_range check (tax_cents between 0 and amount_cents),
  primary key (credit_note_id, part_key)
);
comment on table public.credit_note_parts is
  'The division of a credit note between the jobs or lines of its invoice, so that no job or line is credited above its price. [append-only]';
comment on column public.credit_note_parts.part_key is
  'The part of the invoice: the key of a job, or the position of a line.';

alter table public.credit_note_parts enable row level security;
grant select on public.credit_note_parts to authenticated;
create policy "the admin reads parts of credit notes" on public.credit_note_parts
  for select to authenticated using ((select internal.is_admin()));
create trigger prevent_history_change before update or delete or truncate on public.credit_note_parts
  for each statement execute function internal.prevent_history_change('sample_week_removal DELETE');

create table public.invoice_events (
  id bigint generated always as identity primary key,
  invoice_id text not null check (length(invoice_id) between 4 and 100),
  kind text not null constraint invoice_events_kind_is_known check (kind in ('voided', 'written_off')),
  reason text not null constraint invoice_events_reason_is_text check (internal.is_single_line_text(reason, 1, 200)),
  changed_by_name text not null check (length(changed_by_name) <= 100),
  happened_at timestamptz not null default now(),
  constraint invoice_events_have_no_card_number check (not internal.contains_card_number(reason))
);
comment on table public.invoice_events is
  'The events in which a person voided or wrote off an invoice, each with the person, the time and the reason. '
  '[append-only]';

create index invoice_events_of_invoice on public.invoice_events (invoice_id);

alter table public.invoice_events enable row level security;
grant select on public.invoice_events to authenticated;
create policy "the admin reads invoice events" on public.invoice_events for select to authenticated using ((select internal.is_admin()));
create trigger prevent_history_change before update or delete or truncate on public.invoice_events
  for each statement execute function internal.prevent_history_change('sample_week_removal DELETE');

create function internal.left_cents(payment public.payments) returns bigint
  language sql stable set search_path = ''
  return case when payment.kind not in ('payment', 'applied_deposit') then 0 else payment.amount_cents + (
    select coalesce(sum(case
      -- If the payment is a deposit, subtracts the part of it that was applied to an invoice.
      when line.kind = 'applied_deposit' and payment.kind = 'payment' then -line.amount_cents
      when line.original_id = payment.id or follows.kind = 'refund' then line.amount_cents
      else 0 end), 0)
    from public.payments line
    left join public.payments follows on follows.id = line.original_id and follows.original_id = payment.id
    where line.kind <> 'cash_rounding' and (line.original_id = payment.id
      or line.original_id in (select known.id from public.payments known where known.original_id = payment.id))) end;
comment on function internal.left_cents(public.payments) is
  'The amount of a payment that can still be returned, or of a deposit that can still be applied; 0 for a ledger line '
  'of another kind.';

create function internal.credited_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return (select coalesce(sum(amount_cents), 0) from public.credit_notes where invoice_id = invoice.invoice_id);
comment on function internal.credited_cents(public.invoices) is 'The sum in cents of the credit notes of an invoice.';

create function internal.add_credit_note(invoice public.invoices, kind text, amount bigint, reason text, part_keys text[] default null)
  returns uuid
  language plpgsql set search_path = '' as $$
declare
  before constant bigint := internal.credited_cents(invoice);
  replaced constant bigint := internal.replaced_cents(invoice.invoice_id) + internal.awaited_cents(invoice.invoice_id);
  shares jsonb;
  note_id uuid;
begin
  if amount is null or amount < 1 or before + replaced + amount > invoice.total_cents then
    raise exception 'A credit note cannot exceed the invoice.' using errcode = 'TT103', hint = 'above_total',
      detail = jsonb_build_object('leftCents', invoice.total_cents - before - replaced)::text;
  end if;
  select jsonb_agg(share) into shares from internal.share_credit(invoice, amount, part_keys) share;
  insert into public.credit_notes (invoice_id, kind, amount_cents, tax_cents, reason, created_by_name, business_date)
  select invoice.invoice_id, add_credit_note.kind, sum(share.amount_cents), sum(share.tax_cents), add_credit_note.reason,
    internal.author_name(null), internal.business_date(internal.current_instant())
  from jsonb_to_recordset(shares) share (amount_cents bigint, tax_cents bigint)
  returning id into note_id;
  insert into public.credit_note_parts (credit_note_id, part_key, amount_cents, tax_cents)
  select note_id, share.part_key, share.amount_cents, share.tax_cents
  from jsonb_to_recordset(shares) share (part_key text, amount_cents bigint, tax_cents bigint) where share.part_key is not null;
  insert into internal.stripe_reports (invoice_id, kind, credit_note_id) values (invoice.invoice_id, 'credit_note', note_id);
  return note_id;
end
$$;
comment on function internal.add_credit_note(public.invoices, text, bigint, text, text[]) is
  'Adds a credit note and divides its amount between the parts of the invoice and their sales tax. Also adds the row '
  'from which a job reports the credit note to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

create function internal.return_payment(payment public.payments, cents bigint, method text, reference text, note_id uuid) returns bigint
  language plpgsql set search_path = '' as $$
declare
  rounding constant integer := (
    select coalesce(sum(line.amount_cents), 0) from public.payments line where line.original_id = payment.id and line.kind = 'cash_rounding');
  refund_id uuid;
begin
  insert into public.payments (
    invoice_id, kind, method, original_id, credit_note_id, amount_cents, currency, reference, recorded_by_name, paid_at)
  values (payment.invoice_id, 'refund', coalesce(return_payment.method, payment.method), payment.id, note_id, -cents, payment.currency,
    return_payment.reference, internal.author_name(null), internal.current_instant())
  returning id into refund_id;
  if rounding = 0 or internal.left_cents(payment) > 0 then
    return cents;
  end if;
  insert into public.payments (
    invoice_id, kind, method, original_id, credit_note_id, amount_cents, currency, recorded_by_name, paid_at)
  values (payment.invoice_id, 'cash_rounding', 'cash', payment.id, note_id, -rounding, payment.currency, internal.author_name(null),
    internal.current_instant());
  return cents + rounding;
end
$$;
comment on function internal.return_payment(public.payments, bigint, text, text, uuid) is
  'Returns a part or all of a payment to the customer, by the method of the payment or by another method. The result '
  'is the amount by which the paid amount of the invoice decreases. It differs from the returned amount if the last '
  'part is returned, because the cash rounding is then reversed too.';

create function internal.plan_refund(payment public.payments, invoice public.invoices, amount integer, part_keys text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  available constant bigint := internal.left_cents(payment);
  rounding constant bigint := (
    select coalesce(sum(line.amount_cents), 0) from public.payments line where line.original_id = payment.id and line.kind = 'cash_rounding');
  -- The sum of the parts of the invoice that staff chose; null if staff chose no parts.
  chosen bigint;
  refund bigint;
  credit bigint;
begin
  if part_keys is not null then
    select sum(part.left_cents) into chosen from internal.invoice_parts(invoice) part
    where part.part_key = any (part_keys) having bool_and(part.left_cents > 0) and count(*) = cardinality(part_keys);
  end if;
  refund := case when part_keys is null then amount when chosen = available + rounding then available else chosen end;
  credit := refund + case when refund = available then rounding else 0 end;
  if part_keys is not null and (chosen is null or credit <> chosen or amount <> refund) then
    raise exception 'A part of the invoice has another amount left.' using errcode = 'TT103', hint = 'parts_changed';
  end if;
  if refund is null or refund < 1 or refund > available then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', available)::text;
  end if;
  return (
    select jsonb_build_object('refundCents', refund, 'creditCents', credit, 'taxCents', coalesce(sum(share.tax_cents), 0),
      'parts', coalesce(jsonb_agg(jsonb_build_object('title', share.title, 'amountCents', share.amount_cents, 'taxCents', share.tax_cents)
        order by share.place) filter (where share.part_key is not null), '[]'))
    from internal.share_credit(invoice, credit, part_keys) share);
end
$$;
comment on function internal.plan_refund(public.payments, public.invoices, integer, text[]) is
  'The amounts that a refund of a payment returns and credits: {refundCents, creditCents, taxCents, parts [{title, '
  'amountCents, taxCents}]}. If parts of the invoice are given, their remaining price is returned, and the amount '
  'argument must be null or that price, as staff saw it. Refuses (TT101, TT103) an amount that exceeds the rest of the '
  'payment or of the invoice.';

create function public.preview_refund(payment_id uuid, amount_cents integer, part_keys text[]) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call plan_refund.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.plan_refund(payment, invoice, preview_refund.amount_cents, preview_refund.part_keys)
    from public.payments payment join public.invoices invoice on invoice.invoice_id = payment.invoice_id
    where payment.id = preview_refund.payment_id);
end
$$;
comment on function public.preview_refund(uuid, integer, text[]) is
  'The amounts that refund_payment would return and credit, with the tax (contracts/invoices/invoice-detail.ts); null for an unknown payment.';
grant execute on function public.preview_refund(uuid, integer, text[]) to authenticated;

create function internal.refund_payment(
  payment_id uuid, amount_cents integer, part_keys text[], method text, reference text, reason text
) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  plan jsonb;
  note_id uuid;
begin
  perform internal.require_admin();
  select * into payment from public.payments line where line.id = refund_payment.payment_id;
  invoice := internal.lock_invoice(payment.invoice_id);
  if internal.is_void(invoice) or internal.invoice_balance_cents(invoice) > 0 then
    raise exception 'Money goes back on a paid invoice only.' using errcode = 'TT103', hint = 'has_balance';
  end if;
  plan := internal.plan_refund(payment, invoice, amount_cents, part_keys);
  note_id := internal.add_credit_note(invoice, 'refund', (plan ->> 'creditCents')::bigint, reason, part_keys);
  perform internal.return_payment(payment, (plan ->> 'refundCents')::bigint, method, reference, note_id);
  return jsonb_build_object('refundCents', plan -> 'refundCents', 'taxCents', plan -> 'taxCents', 'creditNoteId', note_id,
    'customer', internal.describe_recipient(invoice));
end
$$;
comment on function internal.refund_payment(uuid, integer, text[], text, text, text) is
  'Returns a part or all of a payment of a paid invoice, or the price of the given jobs or lines, with a credit '
  'note of the same sum. Returns {refundCents, taxCents, creditNoteId, customer}.';
grant execute on function internal.refund_payment(uuid, integer, text[], text, text, text) to authenticated;

create function internal.describe_recipient(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object('invoiceId', invoice.invoice_id, 'invoiceNumber', coalesce(invoice.number, invoice.invoice_id),
    'customerName', invoice.customer_name, 'currency', invoice.currency,
    'email', (select email from public.customers where id = invoice.customer_id));
comment on function internal.describe_recipient(public.invoices) is
  'The data for an email about an invoice: the id, number and currency of the invoice, and the name and email address '
  'of the customer.';

create function public.correct_invoice_price(invoice_id text, amount_cents integer, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write credit_notes.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(correct_invoice_price.invoice_id);
  perform internal.refuse_payment(invoice, amount_cents);
  perform internal.add_credit_note(invoice, 'price_correction', amount_cents, reason);
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;
comment on function public.correct_invoice_price(text, integer, text) is
  'Lowers the balance of an open invoice with a credit note, at most to zero. Returns {balanceCents}, the new '
  'balance.';
grant execute on function public.correct_invoice_price(text, integer, text) to authenticated;

create function internal.release_estimate(wanted_invoice_id text) returns void
  language sql set search_path = '' as $$
  select internal.record_estimate_invoice_state(claim.id, 'voided')
  from public.estimate_invoices claim where claim.invoice_id = wanted_invoice_id and claim.state = 'made'
$$;
comment on function internal.release_estimate(text) is 'Lets the estimate of a voided or cancelled invoice be invoiced again.';

create function public.void_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(void_invoice.invoice_id);
  if exists (select from public.payments payment where payment.invoice_id = invoice.invoice_id)
     or internal.claimed_cents(invoice.invoice_id) > 0 then
    raise exception 'An invoice with a payment cannot be voided.' using errcode = 'TT103', hint = 'was_paid';
  end if;
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  -- At Stripe, an invoice whose price was corrected to zero counts as paid, and a paid invoice cannot be voided.
  if internal.invoice_balance_cents(invoice) = 0 or invoice.status not in ('open', 'uncollectible') then
    raise exception 'An invoice without a balance cannot be voided.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set voided_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'voided', void_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'void');
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('balanceCents', 0, 'customer', internal.describe_recipient(invoice));
end
$$;
comment on function public.void_invoice(text, text) is
  'Voids an invoice that has a balance and never had a payment; refuses (TT103) every other invoice. The estimate of '
  'the voided invoice can be invoiced again.';
grant execute on function public.void_invoice(text, text) to authenticated;

create function internal.cancel_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  payment public.payments;
  note_id uuid;
  refunded bigint := 0;
  remaining bigint;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(cancel_invoice.invoice_id);
  remaining := invoice.total_cents - internal.credited_cents(invoice);
  if internal.is_void(invoice) or remaining = 0 or not exists (
    select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit'))
     or exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) then
    raise exception 'Only an invoice with a payment can be cancelled.' using errcode = 'TT103', hint = 'never_paid';
  end if;
  note_id := internal.add_credit_note(invoice, 'cancellation', remaining, reason);
  for payment in
    select * from public.payments line
    where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit') order by line.recorded_at
  loop
    if internal.left_cents(payment) > 0 then
      refunded := refunded + internal.left_cents(payment);
      perform internal.return_payment(payment, internal.left_cents(payment), null, payment.reference, note_id);
    end if;
  end loop;
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('refundCents', refunded, 'creditNoteId', note_id, 'customer', internal.describe_recipient(invoice));
end
$$;
comment on function internal.cancel_invoice(text, text) is
  'Credits the whole rest of an invoice and returns each payment by the method of that payment. Returns '
  '{refundCents, creditNoteId, customer}. The estimate of the invoice can be invoiced again.';
grant execute on function internal.cancel_invoice(text, text) to authenticated;

create function internal.is_refund_waiting(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from internal.stripe_reports own
    join internal.stripe_reports later on later.invoice_id = own.invoice_id and later.position > own.position and later.state = 'due'
    join public.credit_notes note on note.id = later.credit_note_id and note.kind = 'refund'
    where own.payment_id = payment.id);
comment on function internal.is_refund_waiting(public.payments) is
  'Whether a refund on the invoice of the given payment, made after this payment, still has to be reported to Stripe. '
  'Stripe accepts the refund only after it counts the invoice as paid.';

create function internal.withdraw_report(payment public.payments) returns boolean
  language plpgsql set search_path = '' as $$
begin
  if internal.is_known_to_stripe(payment) or internal.is_refund_waiting(payment) then
    return false;
  end if;
  update internal.stripe_reports set state = 'reversed', problem = null where payment_id = payment.id and state = 'due';
  return true;
end
$$;
comment on function internal.withdraw_report(public.payments) is
  'Withdraws the report to Stripe of a reversed payment, and returns true. Returns false if Stripe knows the payment '
  'already, or must know it for a later refund.';

create function internal.exact_cents(payment public.payments) returns bigint
  language sql stable set search_path = ''
  return payment.amount_cents + (
    select coalesce(sum(rounding.amount_cents), 0) from public.payments rounding
    where rounding.original_id = payment.id and rounding.kind = 'cash_rounding');
comment on function internal.exact_cents(public.payments) is
  'The part of the invoice that a payment paid: the payment together with its cash rounding.';

create function internal.replace_report(
  invoice public.invoices, reversal_id uuid, wrong public.payments, line public.payments, lower_cents bigint
) returns void
  language plpgsql set search_path = '' as $$
begin
  if internal.withdraw_report(wrong) then
    return;
  end if;
  if lower_cents < 0 then
    raise exception 'Stripe knows a lower amount.' using errcode = 'TT103', hint = 'already_reported';
  end if;
  -- At Stripe, the former payment remains; only the shop's ledger contains the corrected payment.
  update internal.stripe_reports set state = 'corrected' where payment_id = line.id;
  perform internal.replace_invoice(invoice, reversal_id, lower_cents);
end
$$;
comment on function internal.replace_report(public.invoices, uuid, public.payments, public.payments, bigint) is
  'Withdraws the report to Stripe of a payment that was recorded wrongly. If Stripe already knows the payment, the '
  'excess that Stripe counts as paid (lower_cents) is due on a replacement invoice. Refuses (TT103) a correction to a '
  'higher amount than Stripe knows.';

create function internal.reverse_payment(payment public.payments, cause text, reason text) returns uuid
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
comment on function internal.reverse_payment(public.payments, text, text) is
  'Reverses a payment completely, together with its cash rounding, and returns the id of the reversal.';

create function internal.is_whole_payment(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return payment.kind in ('payment', 'applied_deposit') and internal.left_cents(payment) = payment.amount_cents
    -- Excludes an applied deposit of which a part was refunded to the customer, because the deposit exceeded the
    -- invoice.
    and (payment.kind = 'payment' or payment.amount_cents = (
      select deposit.amount_cents from public.payments deposit where deposit.id = payment.original_id));
comment on function internal.is_whole_payment(public.payments) is
  'Whether a ledger line is a payment, or an applied deposit, of which no part was returned to the customer.';

create function public.return_check(payment_id uuid, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
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
comment on function public.return_check(uuid, text) is
  'Reverses a payment by a check that the bank returned unpaid. Returns {balanceCents}, the new balance of the '
  'invoice. The amount that Stripe counts as paid is due on a replacement invoice.';
grant execute on function public.return_check(uuid, text) to authenticated;

create function internal.overpaid_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select internal.invoice_paid_cents(invoice) + internal.credited_cents(invoice) + internal.replaced_cents(invoice.invoice_id)
      - invoice.total_cents
    from public.invoices invoice where invoice.invoice_id = wanted_invoice_id);
comment on function internal.overpaid_cents(text) is
  'The money that the shop received above the invoice amount, because a refund failed; negative while a balance is due.';

create function internal.retriable_cents(refund public.payments) returns bigint
  language sql stable set search_path = ''
  return case when refund.kind <> 'refund' or refund.credit_note_id is null then 0 else greatest(0, least(
    internal.overpaid_cents(refund.invoice_id),
    (select coalesce(sum(reversal.amount_cents), 0) from public.payments reversal where reversal.original_id = refund.id),
    -- The amount of the credit note that was not refunded to the customer yet.
    (select note.amount_cents from public.credit_notes note where note.id = refund.credit_note_id) + (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.credit_note_id = refund.credit_note_id or line.original_id in (
        select given.id from public.payments given where given.credit_note_id = refund.credit_note_id and given.kind = 'refund')))) end;
comment on function internal.retriable_cents(public.payments) is
  'The amount of a failed refund that can be refunded again; 0 for a ledger line of another kind. The amount is the '
  'smallest of three: the failed amount, the part of the credit note that the customer has not received yet, and '
  'the overpayment of the invoice (a returned check lowers the overpayment).';

create function internal.retry_refund(refund_id uuid, method text, reference text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  failed public.payments;
  payment public.payments;
  invoice public.invoices;
  cents bigint;
  line_id uuid;
begin
  perform internal.require_admin();
  select * into failed from public.payments known where known.id = retry_refund.refund_id;
  invoice := internal.lock_invoice(failed.invoice_id);
  cents := internal.retriable_cents(failed);
  if cents = 0 then
    raise exception 'This refund did not fail, or was repeated already.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  select * into payment from public.payments known where known.id = failed.original_id;
  insert into public.payments (
    invoice_id, kind, method, original_id, credit_note_id, amount_cents, currency, reference, recorded_by_name, paid_at)
  values (payment.invoice_id, 'refund', coalesce(retry_refund.method, payment.method), payment.id, failed.credit_note_id, -cents,
    payment.currency, retry_refund.reference, internal.author_name(null), internal.current_instant())
  returning id into line_id;
  -- The credit note was already reported to Stripe with the first refund. The shop reports this refund only if Stripe
  -- itself has to send the money to the card.
  if payment.method = 'card_online' and coalesce(retry_refund.method, payment.method) = payment.method then
    insert into internal.stripe_reports (invoice_id, kind, payment_id) values (payment.invoice_id, 'refund', line_id);
  end if;
  return jsonb_build_object('refundCents', cents);
end
$$;
comment on function internal.retry_refund(uuid, text, text) is
  'Repeats a failed refund by the method of the payment or by another method, without another credit note. Returns '
  '{refundCents}, the refunded amount.';
grant execute on function internal.retry_refund(uuid, text, text) to authenticated;

create function internal.lock_correctable(payment_id uuid, target_id text) returns public.payments
  language plpgsql set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
begin
  select * into payment from public.payments known where known.id = payment_id;
  -- Locks the invoices in the order of their ids, so that two corrections between the same invoices cannot deadlock.
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
comment on function internal.lock_correctable(uuid, text) is
  'Returns the payment at the counter or the applied deposit that staff want to correct. Locks the invoice of the '
  'payment, and the invoice to which the correction moves the payment. Refuses (TT103) an online payment, a payment '
  'of which a part was refunded, a payment of a void invoice, and every other kind of ledger line.';

create function internal.move_payment(
  wrong public.payments, invoice public.invoices, target public.invoices, method text, amount integer, reference text, reason text
) returns void
  language plpgsql set search_path = '' as $$
declare
  former_cents constant bigint := internal.exact_cents(wrong);
  reversal_id constant uuid := internal.reverse_payment(wrong, 'recorded_wrongly',
    'Belongs to invoice ' || coalesce(target.number, target.invoice_id) || ': ' || reason);
begin
  -- Stripe still counts the amount as paid on the wrong invoice, so the amount is due on a replacement invoice.
  if not internal.withdraw_report(wrong) then
    perform internal.replace_invoice(invoice, reversal_id, former_cents);
  end if;
  perform internal.refuse_payment(target, amount);
  perform internal.record_counter_payment(target, move_payment.method, amount, move_payment.reference,
    'First recorded on invoice ' || coalesce(invoice.number, invoice.invoice_id));
end
$$;
comment on function internal.move_payment(public.payments, public.invoices, public.invoices, text, integer, text, text) is
  'Reverses a payment that was recorded on the wrong invoice, and records it on the right invoice.';

create function internal.correct_applied_deposit(
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
comment on function internal.correct_applied_deposit(public.payments, public.invoices, text, integer, text, text) is
  'Removes a deposit from its invoice, reverses the deposit, and then records and applies it with the right method and '
  'amount.';

create function public.correct_payment(
  payment_id uuid, invoice_id text, method text, amount_cents integer, reference text, reason text
) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
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
comment on function public.correct_payment(uuid, text, text, integer, text, text) is
  'Reverses a payment at the counter, or an applied deposit, that was recorded wrongly, and records it with the right '
  'invoice, method and amount. Returns {balanceCents}, the balance of the invoice on which the payment was recorded '
  'before. A corrected deposit remains applied to its invoice.';
grant execute on function public.correct_payment(uuid, text, text, integer, text, text) to authenticated;

create function public.write_off_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(write_off_invoice.invoice_id);
  if not internal.is_outstanding(invoice) then
    raise exception 'Only an outstanding invoice can be written off.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set written_off_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'written_off', write_off_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'write_off');
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;
comment on function public.write_off_invoice(text, text) is
  'Writes an invoice off, so that it is no longer outstanding; the customer can still pay it. Returns '
  '{balanceCents}, the unpaid balance.';
grant execute on function public.write_off_invoice(text, text) to authenticated;

create function internal.describe_invoice_lines(wanted_invoice_id text) returns jsonb
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
comment on function internal.describe_invoice_lines(text) is
  'The ledger lines of an invoice, oldest first, for the dashboard page of the invoice.';

create function internal.invoice_actions(invoice public.invoices) returns jsonb
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
comment on function internal.invoice_actions(public.invoices) is
  'The corrections that staff can make to an invoice now.';

create function public.read_invoice(invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call describe_listed_invoice and
  -- other functions.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.describe_listed_invoice(invoice) || internal.describe_replacements(invoice.invoice_id) || jsonb_build_object(
      'estimateId', claim.estimate_id, 'estimateNumber', claim.estimate_number,
      'ledger', internal.describe_invoice_lines(invoice.invoice_id),
      'creditNotes', (
        select coalesce(jsonb_agg(jsonb_build_object('id', note.id, 'kind', note.kind, 'amountCents', note.amount_cents,
          'taxCents', note.tax_cents, 'reason', note.reason, 'createdByName', note.created_by_name, 'createdAt', note.created_at)
          order by note.created_at), '[]')
        from public.credit_notes note where note.invoice_id = invoice.invoice_id),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', event.kind, 'reason', event.reason,
          'changedByName', event.changed_by_name, 'happenedAt', event.happened_at) order by event.id), '[]')
        from public.invoice_events event where event.invoice_id = invoice.invoice_id),
      'parts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'key', part.part_key, 'title', part.title, 'leftCents', part.left_cents, 'leftTaxCents', part.left_tax_cents) order by part.place), '[]')
        from internal.invoice_parts(invoice) part),
      'can', internal.invoice_actions(invoice))
    from public.invoices invoice
    left join lateral (
      select made.estimate_id, estimate.number as estimate_number from public.estimate_invoices made
      join public.estimates estimate on estimate.id = made.estimate_id where made.invoice_id = invoice.invoice_id
    ) claim on true
    where invoice.invoice_id = read_invoice.invoice_id);
end
$$;
comment on function public.read_invoice(text) is
  'An invoice with its ledger, credit notes, history and possible actions (contracts/invoices/invoice-detail.ts); null '
  'if the shop does not know the invoice.';
grant execute on function public.read_invoice(text) to authenticated;

create function internal.reverse_line(original_id uuid, cents bigint, cause text, note text) returns uuid
  language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  line public.payments;
  reversal_id uuid;
begin
  select * into line from public.payments known where known.id = reverse_line.original_id for update;
  if line.id is null or exists (
    select from public.payments known where known.original_id = line.id and known.kind = 'reversal' and known.note = reverse_line.note
  ) then
    return null;
  end if;
  insert into public.payments (invoice_id, estimate_id, kind, method, original_id, amount_cents, currency, note, cause, paid_at)
  values (line.invoice_id, line.estimate_id, 'reversal', line.method, line.id, -sign(line.amount_cents) * cents, line.currency,
    reverse_line.note, reverse_line.cause, internal.current_instant())
  returning id into reversal_id;
  return reversal_id;
end
$$;
comment on function internal.reverse_line(uuid, bigint, text, text) is
  'Reverses a part or all of a payment or a refund, and returns the id of the reversal. The note identifies the event '
  'that causes the reversal, such as a dispute. A repeated call with the same note changes nothing and returns null.';

create function internal.record_failed_refund(refund_id text, payment_id text, cents bigint) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write payments.
  language sql security definer set search_path = '' as $$
  select coalesce(bool_or(
    internal.reverse_line(line.id, record_failed_refund.cents, 'failed_refund', 'Refund failed: ' || record_failed_refund.refund_id) is not null), false)
  from public.payments line
  where line.kind = 'refund' and (line.refund_id = record_failed_refund.refund_id or line.id::text = record_failed_refund.payment_id)
$$;
comment on function internal.record_failed_refund(text, text, bigint) is
  'Adds the amount of a refund that failed at Stripe to the ledger, because the shop has the money again. payment_id '
  'is the id of the refund''s ledger line, which the metadata of the refund at Stripe contains. Returns whether the '
  'reversal is new.';
grant execute on function internal.record_failed_refund(text, text, bigint) to shop_server;

create function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  lost bigint;
  reversal_id uuid;
begin
  select * into payment from public.payments line where line.payment_intent_id = record_lost_dispute.payment_intent_id;
  -- If the deposit was applied to an invoice, the lost dispute reduces the paid amount of that invoice.
  if payment.estimate_id is not null and internal.left_cents(payment) = 0 then
    select * into payment from public.payments applied
    where applied.original_id = payment.id and applied.kind = 'applied_deposit' and internal.left_cents(applied) > 0;
  end if;
  lost := least(record_lost_dispute.cents, internal.left_cents(payment));
  if payment.id is null or coalesce(lost, 0) = 0 then
    return false;
  end if;
  select * into invoice from public.invoices known where known.invoice_id = payment.invoice_id for update;
  reversal_id := internal.reverse_line(payment.id, lost, 'lost_dispute', 'Dispute lost: ' || record_lost_dispute.dispute_id);
  if reversal_id is not null and invoice.invoice_id is not null then
    perform internal.replace_invoice(invoice, reversal_id, lost);
  end if;
  return reversal_id is not null;
end
$$;
comment on function internal.record_lost_dispute(text, text, bigint) is
  'Reverses a card payment that the customer''s bank took back, at most the remaining amount of the payment; the '
  'reversed amount is then due on a replacement invoice. Returns whether the reversal is new.';
grant execute on function internal.record_lost_dispute(text, text, bigint) to shop_server;
