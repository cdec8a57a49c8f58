-- A returned check, a lost dispute and a corrected sum are due on a replacement invoice, and a failed refund can be given again (docs/product.md 17.5).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."stripe_reports" DROP CONSTRAINT "stripe_reports_kind_is_known";

ALTER TABLE "internal"."stripe_reports" DROP CONSTRAINT "stripe_reports_kind_matches_record";

ALTER TABLE "internal"."stripe_reports" DROP CONSTRAINT "stripe_reports_state_is_known";

DROP FUNCTION "internal"."record_lost_dispute"(text, text, bigint);

DROP FUNCTION "internal"."replace_report"(uuid, uuid, boolean);

DROP FUNCTION "internal"."reverse_line"(uuid, bigint, text);

CREATE TABLE "public"."replacement_invoices" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "original_invoice_id" text NOT NULL, "reversal_id" uuid NOT NULL, "amount_cents" bigint NOT NULL, "invoice_id" text, "requested_at" timestamp with time zone NOT NULL DEFAULT now(), "attempts" integer NOT NULL DEFAULT 0, "next_attempt_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "replacement_invoices_amount_is_positive" CHECK ((amount_cents > 0)), CONSTRAINT "replacement_invoices_invoice_id_key" UNIQUE (invoice_id), CONSTRAINT "replacement_invoices_pkey" PRIMARY KEY (id), CONSTRAINT "replacement_invoices_replaces_another" CHECK ((invoice_id <> original_invoice_id)), CONSTRAINT "replacement_invoices_reversal_id_key" UNIQUE (reversal_id));

ALTER TABLE "public"."replacement_invoices" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."payments" ADD COLUMN "cause" text;

create or replace function internal.add_credit_note(invoice public.invoices, kind text, amount bigint, reason text, part_keys text[] default null)
  returns uuid
  language plpgsql set search_path = '' as $$
declare
  before constant bigint := internal.credited_cents(invoice);
  replaced constant bigint := internal.replaced_cents(invoice.invoice_id) + internal.awaited_cents(invoice.invoice_id);
  shares jsonb;
  note_id uuid;
begin
  if amount is null or amount < 1 or before + replaced + amount > invoice.total_cents then
    raise exception 'A credit note is never above the invoice.' using errcode = 'TT103', hint = 'above_total',
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

create or replace function internal.announce_replacement() returns trigger
  -- Runs with its owner's rights, so that every role that writes the row can notify the other processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('invoices_changed', new.original_invoice_id);
  return null;
end
$$;

create or replace function internal.awaited_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select coalesce(sum(amount_cents), 0)::bigint from public.replacement_invoices
    where original_invoice_id = wanted_invoice_id and invoice_id is null);

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
    'cause', reversal.cause, 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
$$;

create or replace function internal.claimed_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (select coalesce(sum(amount_cents), 0) from internal.online_payment_claims where invoice_id = wanted_invoice_id)
    + internal.awaited_cents(wanted_invoice_id);

create or replace function internal.describe_invoice_lines(wanted_invoice_id text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', line.id, 'kind', line.kind, 'method', line.method, 'originalId', line.original_id, 'amountCents', line.amount_cents,
    'leftCents', internal.left_cents(line), 'reference', line.reference, 'note', line.note, 'recordedByName', line.recorded_by_name,
    'paidAt', line.paid_at, 'cause', line.cause, 'retryCents', internal.retriable_cents(line), 'reportState', (
      select report.state from internal.stripe_reports report
      where report.payment_id = line.id or (line.kind = 'refund' and report.credit_note_id = line.credit_note_id)
      order by report.payment_id is null limit 1)
  ) order by line.recorded_at, line.kind desc), '[]')
  from public.payments line where line.invoice_id = wanted_invoice_id
$$;

create or replace function internal.describe_replacements(wanted_invoice_id text) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'replacements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'invoiceId', known.invoice_id, 'number', made.number, 'amountCents', known.amount_cents) order by known.requested_at), '[]')
      from public.replacement_invoices known left join public.invoices made on made.invoice_id = known.invoice_id
      where known.original_invoice_id = wanted_invoice_id),
    'replaces', (
      select jsonb_build_object('invoiceId', original.invoice_id, 'number', original.number)
      from public.replacement_invoices known join public.invoices original on original.invoice_id = known.original_invoice_id
      where known.invoice_id = wanted_invoice_id));

create or replace function internal.exact_cents(payment public.payments) returns bigint
  language sql stable set search_path = ''
  return payment.amount_cents + (
    select coalesce(sum(rounding.amount_cents), 0) from public.payments rounding
    where rounding.original_id = payment.id and rounding.kind = 'cash_rounding');

create or replace function internal.is_known_to_stripe(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return payment.method = 'card_online' or coalesce((
    select report.state in ('reported', 'corrected') or (report.state = 'due' and report.attempts > 0)
    from internal.stripe_reports report where report.payment_id = payment.id), false);

create or replace function internal.link_invoice(invoice jsonb) returns void
  -- Runs with its owner's rights, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  -- The invoice that this one replaces.
  replaced public.invoices;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  tax constant bigint := (invoice ->> 'tax_cents')::bigint;
  due constant date := (select (to_timestamp((invoice ->> 'due_at')::bigint) at time zone time_zone)::date from public.shop);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  -- Total, tax and due date stay as the invoice was created.
  update public.invoices known
  set number = invoice ->> 'number', status = invoice ->> 'status', tax_cents = coalesce(known.tax_cents, tax),
    due_date = coalesce(known.due_date, due), remaining_at_stripe_cents = (invoice ->> 'remaining_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  select original.* into replaced
  from internal.assigned_invoice_numbers assigned
  join public.replacement_invoices known on known.id::text = assigned.request_id
  join public.invoices original on original.invoice_id = known.original_invoice_id
  where assigned.number = invoice ->> 'number';
  owner_id := coalesce(estimate.customer_id, replaced.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, tax_cents, due_date,
    remaining_at_stripe_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, coalesce(estimate.vehicle_id, replaced.vehicle_id),
    coalesce(estimate.booking_id, replaced.booking_id), name,
    (invoice ->> 'total_cents')::bigint, tax, due, (invoice ->> 'remaining_cents')::bigint, invoice ->> 'currency',
    invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
  perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
end
$$;

create or replace function internal.list_ledger_differences() returns setof public.invoices
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

create or replace function internal.open_payment_page(invoice_id text, lifetime_seconds integer) returns jsonb
  -- Runs with its owner's rights, because the server has no right to lock invoices.
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
  if balance = 0 then
    return jsonb_build_object('refused', 'paid');
  end if;
  insert into internal.payment_pages (invoice_id, amount_cents, expires_at)
  values (invoice.invoice_id, balance, clock_timestamp() + lifetime_seconds * interval '1 second')
  returning id into page_id;
  return jsonb_build_object('pageId', page_id, 'balanceCents', balance);
end
$$;

create or replace function internal.record_failed_refund(refund_id text, payment_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language sql security definer set search_path = '' as $$
  select coalesce(bool_or(
    internal.reverse_line(line.id, record_failed_refund.cents, 'failed_refund', 'Refund failed: ' || record_failed_refund.refund_id) is not null), false)
  from public.payments line
  where line.kind = 'refund' and (line.refund_id = record_failed_refund.refund_id or line.id::text = record_failed_refund.payment_id)
$$;

create or replace function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  lost bigint;
  reversal_id uuid;
begin
  select * into payment from public.payments line where line.payment_intent_id = record_lost_dispute.payment_intent_id;
  lost := least(record_lost_dispute.cents, internal.left_cents(payment));
  if payment.id is null or lost = 0 then
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

create or replace function internal.record_replacement_invoice(request_id uuid, invoice_id text) returns void
  -- Runs with its owner's rights, because the server has no right to write replacement_invoices.
  language sql security definer set search_path = '' as $$
  update public.replacement_invoices known set invoice_id = record_replacement_invoice.invoice_id
  where known.id = record_replacement_invoice.request_id and known.invoice_id is null
$$;

create or replace function internal.replace_invoice(invoice public.invoices, reversal_id uuid, cents bigint) returns void
  language plpgsql set search_path = '' as $$
declare
  replaced constant bigint := least(cents, internal.invoice_balance_cents(invoice) - internal.awaited_cents(invoice.invoice_id));
begin
  if replaced > 0 then
    insert into public.replacement_invoices (original_invoice_id, reversal_id, amount_cents)
    values (invoice.invoice_id, replace_invoice.reversal_id, replaced);
  end if;
end
$$;

create or replace function internal.replace_report(
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
  -- Stripe keeps the former line; only the ledger of the shop names the right one.
  update internal.stripe_reports set state = 'corrected' where payment_id = line.id;
  perform internal.replace_invoice(invoice, reversal_id, lower_cents);
end
$$;

create or replace function internal.replaced_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select coalesce(sum(amount_cents), 0)::bigint from public.replacement_invoices
    where original_invoice_id = wanted_invoice_id and invoice_id is not null);

create or replace function internal.invoice_actions(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'takePayment', not is_void and balance > 0 and not is_awaited, 'correctPrice', not is_void and balance > 0 and not is_awaited,
      'refund', not is_void and balance = 0 and was_paid and remaining > 0,
      'void', not is_void and not was_paid and invoice.status in ('open', 'uncollectible'),
      'cancel', not is_void and was_paid and remaining > 0 and not is_replaced,
      'writeOff', internal.is_outstanding(invoice) and not is_awaited)
    from (
      select internal.is_void(invoice) as is_void, internal.invoice_balance_cents(invoice) as balance,
        invoice.total_cents - internal.credited_cents(invoice) - internal.replaced_cents(invoice.invoice_id) as remaining,
        internal.awaited_cents(invoice.invoice_id) > 0 as is_awaited,
        exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) as is_replaced,
        exists (select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind = 'payment') as was_paid
    ) facts
  );

create or replace function internal.invoice_balance_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return case when internal.is_void(invoice) then 0
    else greatest(invoice.total_cents - internal.credited_cents(invoice) - internal.invoice_paid_cents(invoice)
      - internal.replaced_cents(invoice.invoice_id), 0) end;

create or replace function internal.invoice_state(invoice public.invoices) returns text
  language sql stable set search_path = ''
  return case
    when internal.is_void(invoice) then 'void'
    when exists (select from public.credit_notes note where note.invoice_id = invoice.invoice_id and note.kind = 'cancellation')
      then 'cancelled'
    when internal.invoice_balance_cents(invoice) = 0 and internal.replaced_cents(invoice.invoice_id) > 0 then 'replaced'
    when internal.invoice_balance_cents(invoice) = 0 then (
      select case when coalesce(sum(note.amount_cents) filter (where note.kind = 'refund'), 0) = 0 then 'paid'
        when internal.invoice_paid_cents(invoice) = 0 then 'refunded' else 'part_refunded' end
      from public.credit_notes note where note.invoice_id = invoice.invoice_id)
    when invoice.status = 'uncollectible' or invoice.written_off_at is not null then 'written_off'
    when internal.invoice_paid_cents(invoice) > 0 then 'part_paid'
    else 'open' end;

create or replace function internal.retriable_cents(refund public.payments) returns bigint
  language sql stable set search_path = ''
  return case when refund.kind <> 'refund' or refund.credit_note_id is null then 0 else greatest(0, least(
    (select coalesce(sum(reversal.amount_cents), 0) from public.payments reversal where reversal.original_id = refund.id),
    -- What the credit note grants and no refund has returned yet.
    (select note.amount_cents from public.credit_notes note where note.id = refund.credit_note_id) + (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.credit_note_id = refund.credit_note_id or line.original_id in (
        select given.id from public.payments given where given.credit_note_id = refund.credit_note_id and given.kind = 'refund')))) end;

create or replace function internal.reverse_line(original_id uuid, cents bigint, cause text, note text) returns uuid
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
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, note, cause, paid_at)
  values (line.invoice_id, 'reversal', line.method, line.id, -sign(line.amount_cents) * cents, line.currency, reverse_line.note,
    reverse_line.cause, internal.current_instant())
  returning id into reversal_id;
  return reversal_id;
end
$$;

create or replace function internal.reverse_payment(payment public.payments, cause text, reason text) returns uuid
  language plpgsql set search_path = '' as $$
declare
  reversal_id uuid;
begin
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, note, cause, recorded_by_name, paid_at)
  values (payment.invoice_id, 'reversal', payment.method, payment.id, -payment.amount_cents, payment.currency, reason,
    reverse_payment.cause, internal.author_name(null), internal.current_instant())
  returning id into reversal_id;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, recorded_by_name, paid_at)
  select payment.invoice_id, 'cash_rounding', payment.method, payment.id, -rounding.amount_cents, payment.currency,
    internal.author_name(null), internal.current_instant()
  from public.payments rounding where rounding.original_id = payment.id and rounding.kind = 'cash_rounding';
  return reversal_id;
end
$$;

create or replace function internal.withdraw_report(payment public.payments) returns boolean
  language plpgsql set search_path = '' as $$
begin
  if internal.is_known_to_stripe(payment) then
    return false;
  end if;
  update internal.stripe_reports set state = 'reversed', problem = null where payment_id = payment.id and state = 'due';
  return true;
end
$$;

create or replace function public.cancel_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
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
    select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind = 'payment')
     or exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) then
    raise exception 'Only an invoice with a payment is cancelled.' using errcode = 'TT103', hint = 'never_paid';
  end if;
  note_id := internal.add_credit_note(invoice, 'cancellation', remaining, reason);
  for payment in
    select * from public.payments line where line.invoice_id = invoice.invoice_id and line.kind = 'payment' order by line.recorded_at
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

create or replace function public.correct_payment(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  invoice public.invoices;
  line public.payments;
  told bigint;
  reversal_id uuid;
begin
  perform internal.require_admin();
  select * into wrong from public.payments known where known.id = correct_payment.payment_id;
  invoice := internal.lock_invoice(wrong.invoice_id);
  if wrong.method = 'card_online' or internal.left_cents(wrong) <> wrong.amount_cents or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  told := internal.exact_cents(wrong);
  reversal_id := internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  perform internal.refuse_payment(invoice, amount_cents);
  line := internal.record_counter_payment(invoice, method, amount_cents, reference, null);
  perform internal.replace_report(invoice, reversal_id, wrong, line, told - internal.exact_cents(line));
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

create or replace function public.list_invoices(filter text default 'open', max_rows integer default 50) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call list_invoices_in and others.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'today', today,
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.created_at desc, invoice.invoice_id), '[]')
      from (
        select * from public.invoices listed
        where case filter
            when 'open' then listed.status = 'open'
            when 'past_due' then listed.status = 'open' and listed.due_date < today
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is read only for rows that pass the conditions above.
          and case filter
            when 'open' then internal.is_outstanding(listed)
            when 'past_due' then internal.is_outstanding(listed)
            when 'paid' then not internal.is_void(listed) and internal.invoice_balance_cents(listed) = 0
              and internal.replaced_cents(listed.invoice_id) = 0
            when 'written_off' then internal.invoice_state(listed) = 'written_off'
            else true end
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance), 0),
        'pastDue', count(*) filter (where due_date < today), 'pastDueCents', coalesce(sum(balance) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid > 0), 'partPaidCents', coalesce(sum(paid) filter (where paid > 0), 0))
      from (
        select due_date, internal.invoice_balance_cents(invoice) as balance, internal.invoice_paid_cents(invoice) as paid
        from public.invoices invoice where invoice.status = 'open' and invoice.written_off_at is null and invoice.currency = 'usd'
      ) unpaid
      where balance > 0),
    'received', internal.payments_of_day(today));
end
$$;

create or replace function public.read_invoice(invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call describe_listed_invoice and others.
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

create or replace function public.retry_refund(refund_id uuid, method text, reference text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
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
    raise exception 'This refund did not fail, or was given again.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  select * into payment from public.payments known where known.id = failed.original_id;
  insert into public.payments (
    invoice_id, kind, method, original_id, credit_note_id, amount_cents, currency, reference, recorded_by_name, paid_at)
  values (payment.invoice_id, 'refund', coalesce(retry_refund.method, payment.method), payment.id, failed.credit_note_id, -cents,
    payment.currency, retry_refund.reference, internal.author_name(null), internal.current_instant())
  returning id into line_id;
  -- The credit note exists. Stripe learns only of money that it has to send to the card itself.
  if payment.method = 'card_online' and coalesce(retry_refund.method, payment.method) = payment.method then
    insert into internal.stripe_reports (invoice_id, kind, payment_id) values (payment.invoice_id, 'refund', line_id);
  end if;
  return jsonb_build_object('refundCents', cents);
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
  if payment.method <> 'check' or internal.left_cents(payment) <> payment.amount_cents or internal.is_void(invoice) then
    raise exception 'This line is no check that the bank can return.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  reversal_id := internal.reverse_payment(payment, 'returned_check', reason);
  if not internal.withdraw_report(payment) then
    perform internal.replace_invoice(invoice, reversal_id, payment.amount_cents);
  end if;
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_kind_is_known" CHECK ((kind = ANY (ARRAY['payment'::text, 'credit_note'::text, 'void'::text, 'write_off'::text, 'refund'::text])));

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_kind_matches_record" CHECK ((((kind = ANY (ARRAY['payment'::text, 'refund'::text])) = (payment_id IS NOT NULL)) AND ((kind = 'credit_note'::text) = (credit_note_id IS NOT NULL))));

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_state_is_known" CHECK ((state = ANY (ARRAY['due'::text, 'reported'::text, 'refused'::text, 'reversed'::text, 'corrected'::text])));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_cause_of_reversals" CHECK (((cause IS NULL) OR ((kind = 'reversal'::text) AND (cause = ANY (ARRAY['recorded_wrongly'::text, 'returned_check'::text, 'lost_dispute'::text, 'failed_refund'::text])))));

ALTER TABLE "public"."replacement_invoices" ADD CONSTRAINT "replacement_invoices_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

ALTER TABLE "public"."replacement_invoices" ADD CONSTRAINT "replacement_invoices_original_invoice_id_fkey" FOREIGN KEY (original_invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

ALTER TABLE "public"."replacement_invoices" ADD CONSTRAINT "replacement_invoices_reversal_id_fkey" FOREIGN KEY (reversal_id) REFERENCES public.payments(id) ON DELETE CASCADE;

CREATE INDEX replacement_invoices_due ON public.replacement_invoices USING btree (next_attempt_at) WHERE (invoice_id IS NULL);

CREATE INDEX replacement_invoices_of_original ON public.replacement_invoices USING btree (original_invoice_id);

CREATE TRIGGER announce_replacement AFTER INSERT OR UPDATE ON public.replacement_invoices FOR EACH ROW EXECUTE FUNCTION internal.announce_replacement();

CREATE POLICY "the admin reads replacement invoices" ON "public"."replacement_invoices" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'due: Stripe has to be notified. reported: Stripe knows. refused: Stripe does not accept it, for the reason in problem; the change counts nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: Stripe keeps the line that this one corrects.';

COMMENT ON COLUMN "public"."payments"."cause" IS 'Why a line was reversed; null for other lines and for reversals of before the cause was recorded.';

COMMENT ON COLUMN "public"."replacement_invoices"."invoice_id" IS 'Null until the invoice exists: until then the first invoice has the balance.';

COMMENT ON COLUMN "public"."replacement_invoices"."reversal_id" IS 'The line of the ledger that took the sum off the first invoice.';

COMMENT ON FUNCTION "internal"."announce_replacement"() IS 'Notifies all processes that an invoice was replaced.';

COMMENT ON FUNCTION "internal"."awaited_cents"(text) IS 'The part of an invoice for which a replacement invoice is about to be made: it cannot be paid meanwhile.';

COMMENT ON FUNCTION "internal"."cash_of_day"(date) IS 'The cash of a business date without the start, in cents: {inCents, refundedCents, paidInCents, paidOutCents, changeCents}. refundedCents is negative when more refunds failed than were given; changeCents is the sum with signs. A cash rounding moves no cash: the payment holds what was taken.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices to make now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. Each is returned again after a growing pause until it was made.';

COMMENT ON FUNCTION "internal"."claimed_cents"(text) IS 'The part of a balance that cannot be paid now: online payments that are about to enter the ledger, and replacement invoices to be made.';

COMMENT ON FUNCTION "internal"."describe_replacements"(text) IS 'The replacement invoices of an invoice (invoiceId is null until one was made), and the invoice that it replaces.';

COMMENT ON FUNCTION "internal"."exact_cents"(public.payments) IS 'What a payment paid of its invoice, with its cash rounding.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'What is still due: the total minus credit notes, the paid amount and what is due on replacement invoices; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_state"(public.invoices) IS 'The state that staff see (contracts/invoices/invoice-list.ts): open, part_paid, paid, part_refunded, refunded, cancelled, replaced, written_off or void.';

COMMENT ON FUNCTION "internal"."is_known_to_stripe"(public.payments) IS 'Whether Stripe counts a payment, or may count it.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice: {id, number, name, email, phone, total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970), lines (of internal.keep_invoice_lines; null when not all are known)}. The customer is the one of the estimate or of the replaced invoice, else found by email address and phone number.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Takes off a card payment that the bank of the customer took back, at most what it has left; the sum is due on a replacement invoice. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) IS 'Records that a replacement invoice was made: from now on it has the balance, and the first invoice has none.';

COMMENT ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) IS 'Requests the replacement invoice over a reversed sum, at most over the balance.';

COMMENT ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) IS 'Prevents that Stripe is notified of a reversed payment, or of a payment that it knows with another method or a higher amount; what Stripe counts too much (lower_cents) is due on a replacement invoice. Refuses (TT103) a higher amount than Stripe knows.';

COMMENT ON FUNCTION "internal"."replaced_cents"(text) IS 'The part of an invoice that is due on its replacement invoices.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'What a failed refund did not return and no later refund of its credit note returned; 0 for another line.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) IS 'Reverses a part or all of a payment or a refund, once for each note; returns the id of the reversal, or null when it is not new.';

COMMENT ON FUNCTION "internal"."reverse_payment"(public.payments, text, text) IS 'Reverses a whole payment with its cash rounding, and returns the id of the reversal.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Prevents that Stripe is notified of a reversed payment; false when Stripe knows it already.';

COMMENT ON FUNCTION "public"."retry_refund"(uuid, text, text) IS 'Gives a failed refund again, the way the payment came or by another method, without a further credit note: {refundCents}.';

COMMENT ON FUNCTION "public"."return_check"(uuid, text) IS 'Reverses a check that the bank did not pay: {balanceCents}. What Stripe counts as paid is due on a replacement invoice.';

COMMENT ON TABLE "public"."replacement_invoices" IS 'The invoices over a sum that Stripe counts as paid although the shop has no money for it. The id is the request id of the invoice.';

REVOKE ALL ON FUNCTION "internal"."announce_replacement"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."announce_replacement"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."announce_replacement"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."awaited_cents"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."awaited_cents"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."awaited_cents"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."claim_replacement_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."claim_replacement_invoices"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."claim_replacement_invoices"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."claim_replacement_invoices"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."describe_replacements"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_replacements"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_replacements"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."exact_cents"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."exact_cents"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."exact_cents"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_known_to_stripe"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_known_to_stripe"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_known_to_stripe"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."replaced_cents"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."replaced_cents"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."replaced_cents"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."retriable_cents"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."retriable_cents"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."retriable_cents"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."reverse_payment"(public.payments, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."reverse_payment"(public.payments, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."reverse_payment"(public.payments, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."withdraw_report"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."withdraw_report"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."withdraw_report"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "public"."retry_refund"(uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."retry_refund"(uuid, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."retry_refund"(uuid, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."retry_refund"(uuid, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."return_check"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."return_check"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."return_check"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."return_check"(uuid, text) TO "postgres";

GRANT SELECT ON TABLE "public"."replacement_invoices" TO "authenticated";

update internal.stripe_reports set state = 'reversed', problem = null where state = 'refused' and problem = 'reversed';
update internal.stripe_reports set state = 'corrected', problem = null where state = 'refused' and problem = 'method_corrected';
insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.payments', 'cause', 'free', 'words of the product'),
  ('public.replacement_invoices', 'original_invoice_id', 'free', 'ids of an invoice'),
  ('public.replacement_invoices', 'invoice_id', 'free', 'ids of an invoice');
