-- A credit note names the jobs or lines that it credits, and a refund can be of chosen ones (docs/product.md 17.5).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text);

DROP FUNCTION "public"."refund_payment"(uuid, integer, text, text, text);

CREATE TABLE "public"."credit_note_parts" ("credit_note_id" uuid NOT NULL, "part_key" text NOT NULL, "amount_cents" bigint NOT NULL, "tax_cents" bigint NOT NULL, CONSTRAINT "credit_note_parts_amount_is_positive" CHECK ((amount_cents > 0)), CONSTRAINT "credit_note_parts_key_is_short" CHECK (((length(part_key) >= 1) AND (length(part_key) <= 40))), CONSTRAINT "credit_note_parts_pkey" PRIMARY KEY (credit_note_id, part_key), CONSTRAINT "credit_note_parts_tax_in_range" CHECK (((tax_cents >= 0) AND (tax_cents <= amount_cents))));

ALTER TABLE "public"."credit_note_parts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."invoice_lines" ("invoice_id" text NOT NULL, "position" integer NOT NULL, "description" text NOT NULL, "cents" bigint NOT NULL, "tax_cents" bigint NOT NULL, CONSTRAINT "invoice_lines_cents_not_negative" CHECK ((cents >= 0)), CONSTRAINT "invoice_lines_pkey" PRIMARY KEY (invoice_id, "position"), CONSTRAINT "invoice_lines_position_in_range" CHECK ((("position" >= 1) AND ("position" <= 1000))), CONSTRAINT "invoice_lines_tax_in_range" CHECK (((tax_cents >= 0) AND (tax_cents <= cents))), CONSTRAINT "invoice_lines_description_is_text" CHECK (internal.is_single_line_text(description, 1, 500)), CONSTRAINT "invoice_lines_have_no_card_number" CHECK ((NOT internal.contains_card_number(description))));

ALTER TABLE "public"."invoice_lines" ENABLE ROW LEVEL SECURITY;

create or replace function internal.add_credit_note(invoice public.invoices, kind text, amount bigint, reason text, part_keys text[] default null)
  returns uuid
  language plpgsql set search_path = '' as $$
declare
  before constant bigint := internal.credited_cents(invoice);
  shares jsonb;
  note_id uuid;
begin
  if amount is null or amount < 1 or before + amount > invoice.total_cents then
    raise exception 'A credit note is never above the invoice.' using errcode = 'TT103', hint = 'above_total',
      detail = jsonb_build_object('leftCents', invoice.total_cents - before)::text;
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

create or replace function internal.billed_parts(wanted_invoice_id text)
  returns table (part_key text, place integer, title text, cents bigint, tax_cents bigint)
  language sql stable set search_path = '' as $$
  select totals.job_key::text, totals.position, totals.title, billed.cents, totals.tax
  from public.estimate_invoices claim
  join public.estimate_invoice_jobs billed on billed.claim_id = claim.id
  join internal.job_totals totals
    on (totals.estimate_id, totals.revision, totals.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
  where claim.invoice_id = wanted_invoice_id
  union all
  select line.position::text, line.position, line.description, line.cents, line.tax_cents
  from public.invoice_lines line where line.invoice_id = wanted_invoice_id
$$;

create or replace function internal.invoice_parts(invoice public.invoices)
  returns table (part_key text, place integer, title text, left_cents bigint, left_tax_cents bigint)
  language sql stable set search_path = '' as $$
  select part.part_key, part.place, part.title, part.cents - credited.cents, part.tax_cents - credited.tax_cents
  from internal.billed_parts(invoice.invoice_id) part
  cross join lateral (
    select coalesce(sum(known.amount_cents), 0)::bigint as cents, coalesce(sum(known.tax_cents), 0)::bigint as tax_cents
    from public.credit_note_parts known join public.credit_notes note on note.id = known.credit_note_id
    where note.invoice_id = invoice.invoice_id and known.part_key = part.part_key
  ) credited
  where invoice.total_cents = (select sum(billed.cents) from internal.billed_parts(invoice.invoice_id) billed)
    and not exists (
      select from public.credit_notes note where note.invoice_id = invoice.invoice_id
        and not exists (select from public.credit_note_parts known where known.credit_note_id = note.id))
$$;

create or replace function internal.keep_invoice_lines(wanted_invoice_id text, lines jsonb) returns void
  language sql set search_path = '' as $$
  insert into public.invoice_lines (invoice_id, position, description, cents, tax_cents)
  select wanted_invoice_id, line.position, line.description, line.cents, line.tax_cents
  from (
    select given.position, (given.value ->> 'cents')::bigint as cents, (given.value ->> 'tax_cents')::bigint as tax_cents,
      case when internal.is_single_line_text(given.value ->> 'description', 1, 500)
        and not internal.contains_card_number(given.value ->> 'description')
        then given.value ->> 'description' else 'Line ' || given.position end as description,
      sum((given.value ->> 'cents')::bigint) over () as total, min((given.value ->> 'cents')::bigint) over () as least, count(*) over () as lines
    from jsonb_array_elements(case when jsonb_typeof(lines) = 'array' then lines end) with ordinality given (value, position)
  ) line
  join public.invoices invoice on invoice.invoice_id = wanted_invoice_id and invoice.total_cents = line.total
  where line.least >= 0 and line.lines <= 1000
    and not exists (select from public.estimate_invoices claim where claim.invoice_id = wanted_invoice_id)
    -- The claim of an estimate names its invoice only after the invoice was linked.
    and not exists (
      select from internal.assigned_invoice_numbers assigned join public.estimate_invoices claim on claim.id::text = assigned.request_id
      where assigned.number = invoice.number)
    and not exists (select from public.invoice_lines known where known.invoice_id = wanted_invoice_id)
  on conflict do nothing
$$;

create or replace function internal.link_invoice(invoice jsonb) returns void
  -- Runs with its owner's rights, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
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
  owner_id := coalesce(estimate.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, tax_cents, due_date,
    remaining_at_stripe_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, estimate.vehicle_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, tax, due, (invoice ->> 'remaining_cents')::bigint, invoice ->> 'currency',
    invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
  perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
end
$$;

create or replace function internal.plan_refund(payment public.payments, invoice public.invoices, amount integer, part_keys text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  available constant bigint := internal.left_cents(payment);
  rounding constant bigint := (
    select coalesce(sum(line.amount_cents), 0) from public.payments line where line.original_id = payment.id and line.kind = 'cash_rounding');
  -- The sum of the chosen parts; null without a choice.
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

create or replace function internal.share_credit(invoice public.invoices, amount bigint, part_keys text[])
  returns table (part_key text, place integer, title text, amount_cents bigint, tax_cents bigint)
  language sql stable set search_path = '' as $$
  with chosen as (
    select part.* from internal.invoice_parts(invoice) part
    where part.left_cents > 0 and (part_keys is null or part.part_key = any (part_keys))
    union all
    select null, 0, null, invoice.total_cents - internal.credited_cents(invoice), coalesce(invoice.tax_cents, 0) - (
      select coalesce(sum(note.tax_cents), 0)::bigint from public.credit_notes note where note.invoice_id = invoice.invoice_id)
    where part_keys is null and not exists (select from internal.invoice_parts(invoice))
  ), buckets as (
    select chosen.part_key, chosen.place, chosen.title, bucket.is_tax, bucket.cents, sum(bucket.cents) over ()::bigint as total
    from chosen
    cross join lateral (values (false, chosen.left_cents - chosen.left_tax_cents), (true, chosen.left_tax_cents)) bucket (is_tax, cents)
  ), floors as (
    select bucket.*, amount * bucket.cents / bucket.total as cents_down,
      row_number() over (order by amount * bucket.cents % bucket.total desc, bucket.place, bucket.is_tax) as rank
    from buckets bucket where bucket.total > 0
  ), shares as (
    select floors.*, cents_down + case when rank <= amount - sum(cents_down) over () then 1 else 0 end as share from floors
  )
  select shares.part_key, shares.place, shares.title, sum(share)::bigint, coalesce(sum(share) filter (where is_tax), 0)::bigint
  from shares group by shares.part_key, shares.place, shares.title having sum(share) > 0 order by shares.place
$$;

create or replace function public.preview_refund(payment_id uuid, amount_cents integer, part_keys text[]) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call plan_refund.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.plan_refund(payment, invoice, preview_refund.amount_cents, preview_refund.part_keys)
    from public.payments payment join public.invoices invoice on invoice.invoice_id = payment.invoice_id
    where payment.id = preview_refund.payment_id);
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

create or replace function public.refund_payment(
  payment_id uuid, amount_cents integer, part_keys text[], method text, reference text, reason text
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
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

ALTER TABLE "public"."credit_note_parts" ADD CONSTRAINT "credit_note_parts_credit_note_id_fkey" FOREIGN KEY (credit_note_id) REFERENCES public.credit_notes(id) ON DELETE CASCADE;

ALTER TABLE "public"."invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_note_parts FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change('sample_week_removal DELETE');

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.invoice_lines FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change('sample_week_removal DELETE');

CREATE POLICY "the admin reads parts of credit notes" ON "public"."credit_note_parts" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the admin reads lines of invoices" ON "public"."invoice_lines" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

COMMENT ON COLUMN "public"."credit_note_parts"."part_key" IS 'The key of a job, or the position of a line.';

COMMENT ON COLUMN "public"."invoice_lines"."cents" IS 'With tax.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note with its share of the sales tax and of the parts of the invoice, and the row from which it is reported to Stripe; refuses (TT103) one above the invoice.';

COMMENT ON FUNCTION "internal"."billed_parts"(text) IS 'The jobs or the lines that an invoice bills, with their tax.';

COMMENT ON FUNCTION "internal"."invoice_parts"(public.invoices) IS 'What each job or line of an invoice has left to credit. None when the parts are not known, or when an earlier credit note does not name the parts that it credits.';

COMMENT ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) IS 'Keeps the lines of an invoice once: [{description, cents, tax_cents}]. Lines that do not add up to the total are not kept.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice: {id, number, name, email, phone, total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970), lines (of internal.keep_invoice_lines; null when not all are known)}. The customer is the one of the estimate, else found by email address and phone number.';

COMMENT ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) IS 'What a refund of a payment returns and credits: {refundCents, creditCents, taxCents, parts [{title, amountCents, taxCents}]}. With parts, the amount is what they have left, and is null or the sum that staff saw. Refuses (TT101, TT103) more than is left.';

COMMENT ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) IS 'Divides a sum, at most what is left, between the chosen parts of an invoice (all parts without a choice) and their tax, in proportion by largest remainder. An invoice without known parts counts as one part without a key.';

COMMENT ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) IS 'What refund_payment would return and credit, with its tax (contracts/invoices/invoice-detail.ts); null for an unknown payment.';

COMMENT ON FUNCTION "public"."refund_payment"(uuid, integer, text[], text, text, text) IS 'Returns a part or all of a payment of a paid invoice, or what chosen jobs or lines cost, with a credit note of the same sum: {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON TABLE "public"."credit_note_parts" IS 'How a credit note is divided between the jobs or lines of its invoice, so that none is credited above what it cost. [append-only]';

COMMENT ON TABLE "public"."invoice_lines" IS 'The lines of an invoice without an estimate, as they were billed. An invoice whose lines are not known has none. [append-only]';

REVOKE ALL ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."billed_parts"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."billed_parts"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."billed_parts"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."invoice_parts"(public.invoices) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."invoice_parts"(public.invoices) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."invoice_parts"(public.invoices) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "public"."refund_payment"(uuid, integer, text[], text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."refund_payment"(uuid, integer, text[], text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."refund_payment"(uuid, integer, text[], text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."refund_payment"(uuid, integer, text[], text, text, text) TO "postgres";

GRANT SELECT ON TABLE "public"."credit_note_parts" TO "authenticated";

GRANT SELECT ON TABLE "public"."invoice_lines" TO "authenticated";

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.credit_note_parts', 'part_key', 'free', 'the key of a job or the position of a line'),
  ('public.invoice_lines', 'invoice_id', 'free', 'ids of an invoice'),
  ('public.invoice_lines', 'description', 'kept', 'what an invoice billed, for three years (BPC 9884.11)');
