-- Staff correct invoices and give money back; one queue reports every change to Stripe (docs/product.md 17.5).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."payment_reports" DROP CONSTRAINT "payment_reports_payment_id_fkey";

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_amount_has_the_sign_of_its_kind";

create temporary table former_reports on commit drop as
  select payment.invoice_id, report.* from internal.payment_reports report join public.payments payment on payment.id = report.payment_id;

DROP TABLE "internal"."payment_reports";

CREATE TABLE "internal"."stripe_reports" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "invoice_id" text NOT NULL, "kind" text NOT NULL, "payment_id" uuid, "credit_note_id" uuid, "state" text NOT NULL DEFAULT 'due'::text, "stripe_id" text, "attempts" integer NOT NULL DEFAULT 0, "first_attempt_at" timestamp with time zone, "next_attempt_at" timestamp with time zone NOT NULL DEFAULT now(), "problem" text, "reported_at" timestamp with time zone, CONSTRAINT "stripe_reports_credit_note_id_key" UNIQUE (credit_note_id), CONSTRAINT "stripe_reports_invoice_id_check" CHECK (((length(invoice_id) >= 4) AND (length(invoice_id) <= 100))), CONSTRAINT "stripe_reports_kind_is_known" CHECK ((kind = ANY (ARRAY['payment'::text, 'credit_note'::text, 'void'::text, 'write_off'::text]))), CONSTRAINT "stripe_reports_kind_matches_record" CHECK ((((kind = 'payment'::text) = (payment_id IS NOT NULL)) AND ((kind = 'credit_note'::text) = (credit_note_id IS NOT NULL)))), CONSTRAINT "stripe_reports_payment_id_key" UNIQUE (payment_id), CONSTRAINT "stripe_reports_pkey" PRIMARY KEY (id), CONSTRAINT "stripe_reports_problem_check" CHECK ((length(problem) <= 200)), CONSTRAINT "stripe_reports_reported_at_time" CHECK (((state = 'reported'::text) = (reported_at IS NOT NULL))), CONSTRAINT "stripe_reports_state_is_known" CHECK ((state = ANY (ARRAY['due'::text, 'reported'::text, 'refused'::text]))), CONSTRAINT "stripe_reports_stripe_id_check" CHECK ((length(stripe_id) <= 100)), CONSTRAINT "stripe_reports_stripe_id_key" UNIQUE (stripe_id));

ALTER TABLE "internal"."stripe_reports" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."credit_notes" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "invoice_id" text NOT NULL, "kind" text NOT NULL, "amount_cents" bigint NOT NULL, "tax_cents" bigint NOT NULL, "reason" text NOT NULL, "created_by_name" text NOT NULL, "business_date" date NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "credit_notes_amount_is_positive" CHECK ((amount_cents > 0)), CONSTRAINT "credit_notes_created_by_name_check" CHECK ((length(created_by_name) <= 100)), CONSTRAINT "credit_notes_invoice_id_check" CHECK (((length(invoice_id) >= 4) AND (length(invoice_id) <= 100))), CONSTRAINT "credit_notes_kind_is_known" CHECK ((kind = ANY (ARRAY['price_correction'::text, 'refund'::text, 'cancellation'::text]))), CONSTRAINT "credit_notes_pkey" PRIMARY KEY (id), CONSTRAINT "credit_notes_tax_in_range" CHECK (((tax_cents >= 0) AND (tax_cents <= amount_cents))), CONSTRAINT "credit_notes_have_no_card_number" CHECK ((NOT internal.contains_card_number(reason))), CONSTRAINT "credit_notes_reason_is_text" CHECK (internal.is_single_line_text(reason, 1, 200)));

ALTER TABLE "public"."credit_notes" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."invoice_events" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "invoice_id" text NOT NULL, "kind" text NOT NULL, "reason" text NOT NULL, "changed_by_name" text NOT NULL, "happened_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "invoice_events_changed_by_name_check" CHECK ((length(changed_by_name) <= 100)), CONSTRAINT "invoice_events_invoice_id_check" CHECK (((length(invoice_id) >= 4) AND (length(invoice_id) <= 100))), CONSTRAINT "invoice_events_kind_is_known" CHECK ((kind = ANY (ARRAY['voided'::text, 'written_off'::text]))), CONSTRAINT "invoice_events_pkey" PRIMARY KEY (id), CONSTRAINT "invoice_events_have_no_card_number" CHECK ((NOT internal.contains_card_number(reason))), CONSTRAINT "invoice_events_reason_is_text" CHECK (internal.is_single_line_text(reason, 1, 200)));

ALTER TABLE "public"."invoice_events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."invoices" ADD COLUMN "voided_at" timestamp with time zone;

ALTER TABLE "public"."invoices" ADD COLUMN "written_off_at" timestamp with time zone;

ALTER TABLE "public"."payments" ADD COLUMN "credit_note_id" uuid;

create or replace function internal.add_credit_note(invoice public.invoices, kind text, amount bigint, reason text) returns uuid
  language plpgsql set search_path = '' as $$
declare
  before constant bigint := internal.credited_cents(invoice);
  tax_before constant bigint := (select coalesce(sum(tax_cents), 0) from public.credit_notes note where note.invoice_id = invoice.invoice_id);
  note_id uuid;
begin
  if amount is null or amount < 1 or before + amount > invoice.total_cents then
    raise exception 'A credit note is never above the invoice.' using errcode = 'TT103', hint = 'above_total',
      detail = jsonb_build_object('leftCents', invoice.total_cents - before)::text;
  end if;
  -- The tax of all credit notes together is proportional to their sum, so that no cent of tax is lost or credited twice.
  insert into public.credit_notes (invoice_id, kind, amount_cents, tax_cents, reason, created_by_name, business_date)
  values (invoice.invoice_id, add_credit_note.kind, amount,
    round(coalesce(invoice.tax_cents, 0)::numeric * (before + amount) / invoice.total_cents) - tax_before,
    add_credit_note.reason, internal.author_name(null), internal.business_date(internal.current_instant()))
  returning id into note_id;
  insert into internal.stripe_reports (invoice_id, kind, credit_note_id) values (invoice.invoice_id, 'credit_note', note_id);
  return note_id;
end
$$;

create or replace function internal.credited_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return (select coalesce(sum(amount_cents), 0) from public.credit_notes where invoice_id = invoice.invoice_id);

create or replace function internal.describe_invoice_lines(wanted_invoice_id text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', line.id, 'kind', line.kind, 'method', line.method, 'originalId', line.original_id, 'amountCents', line.amount_cents,
    'leftCents', internal.left_cents(line), 'reference', line.reference, 'note', line.note, 'recordedByName', line.recorded_by_name,
    'paidAt', line.paid_at, 'reportState', (
      select report.state from internal.stripe_reports report
      where report.payment_id = line.id or (line.kind = 'refund' and report.credit_note_id = line.credit_note_id))
  ) order by line.recorded_at, line.kind desc), '[]')
  from public.payments line where line.invoice_id = wanted_invoice_id
$$;

create or replace function internal.describe_recipient(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object('invoiceId', invoice.invoice_id, 'invoiceNumber', coalesce(invoice.number, invoice.invoice_id),
    'customerName', invoice.customer_name, 'currency', invoice.currency,
    'email', (select email from public.customers where id = invoice.customer_id));

create or replace function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return coalesce(
    (select case when bool_or(method <> 'card_online' or credit_note_id is not null) then sum(amount_cents) else nullif(sum(amount_cents), 0) end
     from public.payments where invoice_id = invoice.invoice_id),
    -- A payment that was recorded at Stripe only is not in public.payments, so an invoice that Stripe reports as paid, and
    -- of which the shop knows at most returned duplicates, counts with its total.
    case when invoice.status = 'paid' then invoice.total_cents - internal.credited_cents(invoice) else 0 end);

create or replace function internal.is_outstanding(invoice public.invoices) returns boolean
  language sql stable set search_path = ''
  return invoice.status = 'open' and invoice.written_off_at is null and internal.invoice_balance_cents(invoice) > 0;

create or replace function internal.is_void(invoice public.invoices) returns boolean
  language sql immutable set search_path = ''
  return invoice.status = 'void' or invoice.voided_at is not null;

create or replace function internal.invoice_balance_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return case when internal.is_void(invoice) then 0
    else greatest(invoice.total_cents - internal.credited_cents(invoice) - internal.invoice_paid_cents(invoice), 0) end;

create or replace function internal.invoice_actions(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'takePayment', not is_void and balance > 0, 'correctPrice', not is_void and balance > 0,
      'refund', not is_void and balance = 0 and was_paid and remaining > 0,
      'void', not is_void and not was_paid and invoice.status in ('open', 'uncollectible'),
      'cancel', not is_void and was_paid and remaining > 0,
      'writeOff', internal.is_outstanding(invoice))
    from (
      select internal.is_void(invoice) as is_void, internal.invoice_balance_cents(invoice) as balance,
        invoice.total_cents - internal.credited_cents(invoice) as remaining,
        exists (select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind = 'payment') as was_paid
    ) facts
  );

create or replace function internal.invoice_state(invoice public.invoices) returns text
  language sql stable set search_path = ''
  return case
    when internal.is_void(invoice) then 'void'
    when exists (select from public.credit_notes note where note.invoice_id = invoice.invoice_id and note.kind = 'cancellation')
      then 'cancelled'
    when internal.invoice_balance_cents(invoice) = 0 then (
      select case when coalesce(sum(note.amount_cents) filter (where note.kind = 'refund'), 0) = 0 then 'paid'
        when internal.invoice_paid_cents(invoice) = 0 then 'refunded' else 'part_refunded' end
      from public.credit_notes note where note.invoice_id = invoice.invoice_id)
    when invoice.status = 'uncollectible' or invoice.written_off_at is not null then 'written_off'
    when internal.invoice_paid_cents(invoice) > 0 then 'part_paid'
    else 'open' end;

create or replace function internal.left_cents(payment public.payments) returns bigint
  language sql stable set search_path = ''
  return case when payment.kind <> 'payment' then 0 else payment.amount_cents + (
    select coalesce(sum(line.amount_cents), 0) from public.payments line
    where line.kind <> 'cash_rounding' and (line.original_id = payment.id
      or line.original_id in (select refund.id from public.payments refund where refund.original_id = payment.id))) end;

create or replace function internal.list_invoices_in(filter text, today date) returns setof public.invoices
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select * from public.invoices invoice
    where case filter
      when 'open' then internal.is_outstanding(invoice)
      when 'past_due' then internal.is_outstanding(invoice) and invoice.due_date < today
      when 'paid' then not internal.is_void(invoice) and internal.invoice_balance_cents(invoice) = 0
      when 'written_off' then internal.invoice_state(invoice) = 'written_off'
      when 'void' then internal.is_void(invoice)
      else true end;
end
$$;

create or replace function internal.prevent_excess_return() returns trigger
  language plpgsql set search_path = '' as $$
declare
  original public.payments;
  others bigint;
begin
  select * into original from public.payments where id = new.original_id for update;
  if original.kind not in ('payment', 'refund') or (original.kind = 'refund' and new.kind <> 'reversal')
     or (original.invoice_id, original.currency) <> (new.invoice_id, new.currency) then
    raise exception 'A line refers to a payment of its invoice.' using errcode = 'TT101', hint = 'other_invoice';
  end if;
  select coalesce(sum(line.amount_cents), 0) into others from public.payments line
  where line.kind <> 'cash_rounding' and (line.original_id = original.id
    or line.original_id in (select refund.id from public.payments refund where refund.original_id = original.id));
  if new.kind <> 'cash_rounding'
     and sign(original.amount_cents) * (original.amount_cents + others + new.amount_cents) not between 0 and abs(original.amount_cents) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', abs(original.amount_cents + others))::text;
  end if;
  return new;
end
$$;

create or replace function internal.record_counter_payment(invoice public.invoices, method text, amount integer, reference text, note text)
  returns public.payments
  language plpgsql set search_path = '' as $$
declare
  settles_in_cash constant boolean := method = 'cash' and amount = internal.invoice_balance_cents(invoice)
    and (select rounds_cash from public.shop) and internal.round_cash(amount) > 0;
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

create or replace function internal.refuse_payment(invoice public.invoices, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  balance constant bigint := internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id);
begin
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  if amount is null or amount < 1 then
    raise exception 'A payment is more than nothing.' using errcode = 'TT102', hint = 'invalid_amount';
  end if;
  if amount > balance then
    raise exception 'A payment is never above the balance.' using errcode = 'TT102', hint = 'above_balance',
      detail = jsonb_build_object('balanceCents', greatest(balance, 0), 'excessCents', amount - greatest(balance, 0))::text;
  end if;
end
$$;

create or replace function internal.release_estimate(wanted_invoice_id text) returns void
  language sql set search_path = '' as $$
  select internal.record_estimate_invoice_state(claim.id, 'voided')
  from public.estimate_invoices claim where claim.invoice_id = wanted_invoice_id and claim.state = 'made'
$$;

create or replace function internal.remove_sample_week() returns void
  -- Runs with its owner's rights, because the server has no right to write emails, payments and others.
  language plpgsql security definer set search_path = '' as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from internal.stripe_reports where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  delete from public.credit_notes where invoice_id = any (ids);
  delete from public.invoice_events where invoice_id = any (ids);
  delete from public.invoices where number = any (numbers);
  -- Also tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$$;

create or replace function internal.replace_report(old_payment_id uuid, new_payment_id uuid, is_same_amount boolean) returns void
  language plpgsql set search_path = '' as $$
declare
  report internal.stripe_reports;
begin
  select * into report from internal.stripe_reports where payment_id = old_payment_id for update;
  if report.state = 'due' and report.attempts = 0 then
    update internal.stripe_reports set state = 'refused', problem = 'reversed' where id = report.id;
  elsif is_same_amount then
    -- Stripe keeps the former method; only the ledger of the shop names the right one.
    update internal.stripe_reports set state = 'refused', problem = 'method_corrected' where payment_id = new_payment_id;
  else
    raise exception 'Stripe knows the former amount.' using errcode = 'TT103', hint = 'already_reported';
  end if;
end
$$;

create or replace function internal.return_payment(payment public.payments, cents bigint, method text, reference text, note_id uuid) returns bigint
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
    select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind = 'payment') then
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

create or replace function public.correct_invoice_price(invoice_id text, amount_cents integer, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write credit_notes.
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

create or replace function public.correct_payment(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  invoice public.invoices;
  line public.payments;
begin
  perform internal.require_admin();
  select * into wrong from public.payments known where known.id = correct_payment.payment_id;
  invoice := internal.lock_invoice(wrong.invoice_id);
  if wrong.method = 'card_online' or internal.left_cents(wrong) <> wrong.amount_cents or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, note, recorded_by_name, paid_at)
  select invoice.invoice_id, back.kind, wrong.method, wrong.id, back.cents, wrong.currency, back.why, internal.author_name(null),
    internal.current_instant()
  from (
    select 'reversal' as kind, -wrong.amount_cents as cents, reason as why
    union all
    select 'cash_rounding', -rounding.amount_cents, null from public.payments rounding
    where rounding.original_id = wrong.id and rounding.kind = 'cash_rounding'
  ) back;
  perform internal.refuse_payment(invoice, amount_cents);
  line := internal.record_counter_payment(invoice, method, amount_cents, reference, null);
  perform internal.replace_report(wrong.id, line.id, line.amount_cents = wrong.amount_cents);
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
        select * from internal.list_invoices_in(filter, today) listed
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
    select internal.describe_listed_invoice(invoice) || jsonb_build_object(
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
      'can', internal.invoice_actions(invoice))
    from public.invoices invoice
    left join lateral (
      select made.estimate_id, estimate.number as estimate_number from public.estimate_invoices made
      join public.estimates estimate on estimate.id = made.estimate_id where made.invoice_id = invoice.invoice_id
    ) claim on true
    where invoice.invoice_id = read_invoice.invoice_id);
end
$$;

create or replace function public.refund_payment(payment_id uuid, amount_cents integer, method text, reference text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  note_id uuid;
  credit bigint;
begin
  perform internal.require_admin();
  select * into payment from public.payments line where line.id = refund_payment.payment_id;
  invoice := internal.lock_invoice(payment.invoice_id);
  if internal.is_void(invoice) or internal.invoice_balance_cents(invoice) > 0 then
    raise exception 'Money goes back on a paid invoice only.' using errcode = 'TT103', hint = 'has_balance';
  end if;
  if amount_cents is null or amount_cents < 1 or amount_cents > internal.left_cents(payment) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', internal.left_cents(payment))::text;
  end if;
  credit := amount_cents + case when amount_cents = internal.left_cents(payment) then (
    select coalesce(sum(line.amount_cents), 0) from public.payments line
    where line.original_id = payment.id and line.kind = 'cash_rounding') else 0 end;
  note_id := internal.add_credit_note(invoice, 'refund', credit, reason);
  perform internal.return_payment(payment, amount_cents, method, reference, note_id);
  return jsonb_build_object('refundCents', amount_cents,
    'taxCents', (select tax_cents from public.credit_notes where id = note_id),
    'creditNoteId', note_id, 'customer', internal.describe_recipient(invoice));
end
$$;

create or replace function public.void_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(void_invoice.invoice_id);
  if exists (select from public.payments payment where payment.invoice_id = invoice.invoice_id)
     or internal.claimed_cents(invoice.invoice_id) > 0 or invoice.status not in ('open', 'uncollectible') then
    raise exception 'An invoice with a payment is not made void.' using errcode = 'TT103', hint = 'was_paid';
  end if;
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  update public.invoices known set voided_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'voided', void_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'void');
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('balanceCents', 0, 'customer', internal.describe_recipient(invoice));
end
$$;

create or replace function public.write_off_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(write_off_invoice.invoice_id);
  if not internal.is_outstanding(invoice) then
    raise exception 'Only an outstanding invoice is written off.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set written_off_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'written_off', write_off_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'write_off');
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.payments(id) ON DELETE CASCADE;

ALTER TABLE "internal"."stripe_reports" ADD CONSTRAINT "stripe_reports_credit_note_id_fkey" FOREIGN KEY (credit_note_id) REFERENCES public.credit_notes(id) ON DELETE CASCADE;

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_amount_has_the_sign_of_its_kind" CHECK (
CASE kind
    WHEN 'payment'::text THEN (amount_cents > 0)
    WHEN 'cash_rounding'::text THEN ((amount_cents = ANY (ARRAY['-2'::integer, '-1'::integer, 1, 2])) AND (method = 'cash'::text))
    WHEN 'reversal'::text THEN (amount_cents <> 0)
    ELSE (amount_cents < 0)
END);

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_credit_note_id_fkey" FOREIGN KEY (credit_note_id) REFERENCES public.credit_notes(id);

CREATE INDEX stripe_reports_due ON internal.stripe_reports USING btree (next_attempt_at) WHERE (state = 'due'::text);

CREATE INDEX stripe_reports_of_invoice ON internal.stripe_reports USING btree (invoice_id, "position");

CREATE INDEX credit_notes_of_invoice ON public.credit_notes USING btree (invoice_id);

CREATE INDEX invoice_events_of_invoice ON public.invoice_events USING btree (invoice_id);

CREATE TRIGGER announce_invoice AFTER INSERT ON public.credit_notes FOR EACH ROW EXECUTE FUNCTION internal.announce_invoice();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_notes FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change('sample_week_removal DELETE');

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.invoice_events FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change('sample_week_removal DELETE');

CREATE POLICY "the server changes reports" ON "internal"."stripe_reports" FOR UPDATE TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads reports" ON "internal"."stripe_reports" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the admin reads credit notes" ON "public"."credit_notes" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the server reads credit notes" ON "public"."credit_notes" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the admin reads invoice events" ON "public"."invoice_events" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

COMMENT ON COLUMN "internal"."stripe_reports"."problem" IS 'The error code of Stripe, without data of the request.';

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'due: Stripe has to be notified. reported: Stripe knows. refused: Stripe does not accept it, for the reason in problem; the change counts nevertheless.';

COMMENT ON COLUMN "internal"."stripe_reports"."stripe_id" IS 'The payment record or credit note at Stripe, as soon as it exists.';

COMMENT ON COLUMN "public"."credit_notes"."business_date" IS 'The shop''s day to which the credit note counts.';

COMMENT ON COLUMN "public"."credit_notes"."kind" IS 'price_correction: of an open invoice, no money moves. refund: of a paid invoice, with a refund of the same sum. cancellation: of all that was left of an invoice with payments.';

COMMENT ON COLUMN "public"."credit_notes"."tax_cents" IS 'The part of amount_cents that is sales tax.';

COMMENT ON COLUMN "public"."invoices"."voided_at" IS 'When staff made the invoice void. Stripe''s status follows when Stripe was notified.';

COMMENT ON COLUMN "public"."invoices"."written_off_at" IS 'When staff wrote the invoice off. Stripe''s status follows when Stripe was notified.';

COMMENT ON COLUMN "public"."payments"."credit_note_id" IS 'The credit note of a refund of staff; null for a refund that Stripe reported.';

COMMENT ON COLUMN "public"."payments"."original_id" IS 'The line that a refund, reversal, credit or rounding belongs to.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text) IS 'Adds a credit note with its share of the sales tax, and the row from which it is reported to Stripe; refuses (TT103) one above the invoice.';

COMMENT ON FUNCTION "internal"."credited_cents"(public.invoices) IS 'The sum of the credit notes of an invoice.';

COMMENT ON FUNCTION "internal"."describe_invoice_lines"(text) IS 'The ledger of an invoice for its page in the dashboard, oldest first.';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'What an email about an invoice needs of its customer.';

COMMENT ON FUNCTION "internal"."invoice_actions"(public.invoices) IS 'Which corrections of an invoice are possible now.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'What is still due: the total minus credit notes and the paid amount; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_state"(public.invoices) IS 'The state that staff see (contracts/invoices/invoice-list.ts): open, part_paid, paid, part_refunded, refunded, cancelled, written_off or void.';

COMMENT ON FUNCTION "internal"."is_void"(public.invoices) IS 'Whether the invoice is void, at Stripe or because staff made it void.';

COMMENT ON FUNCTION "internal"."left_cents"(public.payments) IS 'What a payment has left to return; 0 for a line of another kind.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal or credit above what its line has left, or for another invoice.';

COMMENT ON FUNCTION "internal"."release_estimate"(text) IS 'Lets the estimate of a voided or cancelled invoice be invoiced again.';

COMMENT ON FUNCTION "internal"."replace_report"(uuid, uuid, boolean) IS 'Prevents that Stripe is notified of a reversed payment, or of a payment that it knows with another method. Refuses (TT103) another amount when Stripe knows the former one: then the invoice is cancelled and made anew.';

COMMENT ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) IS 'Returns a part or all of a payment, the way it came or by another method, and returns what the invoice loses: after the last part, cash rounding is taken back too.';

COMMENT ON FUNCTION "public"."cancel_invoice"(text, text) IS 'Credits all that is left of an invoice and returns each payment the way it came: {refundCents, creditNoteId, customer}. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "public"."correct_invoice_price"(text, integer, text) IS 'Lowers the balance of an open invoice by a credit note, at most to nothing: {balanceCents}.';

COMMENT ON FUNCTION "public"."correct_payment"(uuid, text, integer, text, text) IS 'Reverses a payment of the counter that was recorded wrongly, and records it with the right method and amount: {balanceCents}.';

COMMENT ON FUNCTION "public"."read_invoice"(text) IS 'An invoice with its ledger, credit notes, history and possible actions (contracts/invoices/invoice-detail.ts); null when it is unknown.';

COMMENT ON FUNCTION "public"."refund_payment"(uuid, integer, text, text, text) IS 'Returns a part or all of a payment of a paid invoice, with a credit note of the same sum: {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Makes an invoice void to which no payment was ever attached; refuses (TT103) every other. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "public"."write_off_invoice"(text, text) IS 'Takes an invoice out of the outstanding ones; it can still be paid: {balanceCents}.';

COMMENT ON TABLE "internal"."stripe_reports" IS 'What Stripe has to know of payments and corrections of the shop: written in the transaction of the change, and handled by a job, for each invoice in this order.';

COMMENT ON TABLE "public"."credit_notes" IS 'What was credited on an invoice, with the reason that the customer reads. [append-only]';

COMMENT ON TABLE "public"."invoice_events" IS 'Who made an invoice void or wrote it off, when and why. [append-only]';

REVOKE ALL ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."credited_cents"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."credited_cents"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."credited_cents"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_invoice_lines"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_invoice_lines"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_invoice_lines"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_recipient"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_recipient"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_recipient"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."invoice_actions"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."invoice_actions"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."invoice_actions"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_void"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_void"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_void"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."left_cents"(public.payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."left_cents"(public.payments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."left_cents"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."release_estimate"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."release_estimate"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."release_estimate"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."replace_report"(uuid, uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."replace_report"(uuid, uuid, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."replace_report"(uuid, uuid, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "public"."cancel_invoice"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."cancel_invoice"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."cancel_invoice"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."cancel_invoice"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."correct_invoice_price"(text, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."correct_invoice_price"(text, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."correct_invoice_price"(text, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."correct_invoice_price"(text, integer, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."correct_payment"(uuid, text, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."correct_payment"(uuid, text, integer, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."correct_payment"(uuid, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."correct_payment"(uuid, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."read_invoice"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."read_invoice"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_invoice"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_invoice"(text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."refund_payment"(uuid, integer, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."refund_payment"(uuid, integer, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."refund_payment"(uuid, integer, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."refund_payment"(uuid, integer, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."void_invoice"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."void_invoice"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."void_invoice"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."void_invoice"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."write_off_invoice"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."write_off_invoice"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."write_off_invoice"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."write_off_invoice"(text, text) TO "postgres";

GRANT UPDATE ("attempts") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("first_attempt_at") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("next_attempt_at") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("problem") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("reported_at") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("state") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT UPDATE ("stripe_id") ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT SELECT ON TABLE "internal"."stripe_reports" TO "shop_server";

GRANT SELECT ON TABLE "public"."credit_notes" TO "authenticated", "shop_server";

GRANT SELECT ON TABLE "public"."invoice_events" TO "authenticated";

insert into internal.stripe_reports (
  invoice_id, kind, payment_id, state, stripe_id, attempts, first_attempt_at, next_attempt_at, problem, reported_at)
select invoice_id, 'payment', payment_id, state, payment_record_id, attempts, first_attempt_at, next_attempt_at, problem, reported_at
from former_reports;

delete from internal.erasure_rules where table_name = 'internal.payment_reports';
insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('internal.stripe_reports', 'invoice_id', 'free', 'ids of a payment, and an error code'),
  ('internal.stripe_reports', 'kind', 'free', 'ids of a payment, and an error code'),
  ('internal.stripe_reports', 'state', 'free', 'ids of a payment, and an error code'),
  ('internal.stripe_reports', 'stripe_id', 'free', 'ids of a payment, and an error code'),
  ('internal.stripe_reports', 'problem', 'free', 'ids of a payment, and an error code'),
  ('public.credit_notes', 'invoice_id', 'free', 'ids of an invoice, and a staff account'),
  ('public.credit_notes', 'kind', 'free', 'ids of an invoice, and a staff account'),
  ('public.credit_notes', 'created_by_name', 'free', 'ids of an invoice, and a staff account'),
  ('public.credit_notes', 'reason', 'kept', 'why an invoice was credited, as part of the ledger'),
  ('public.invoice_events', 'invoice_id', 'free', 'ids of an invoice, and a staff account'),
  ('public.invoice_events', 'kind', 'free', 'ids of an invoice, and a staff account'),
  ('public.invoice_events', 'changed_by_name', 'free', 'ids of an invoice, and a staff account'),
  ('public.invoice_events', 'reason', 'kept', 'why an invoice was voided or written off, as part of the ledger');
