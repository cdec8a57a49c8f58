-- Staff record payments at the counter (docs/product.md 17.3).

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE TABLE "internal"."online_payment_claims" ("payment_intent_id" text NOT NULL, "invoice_id" text NOT NULL, "amount_cents" bigint NOT NULL, "claimed_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "online_payment_claims_amount_is_positive" CHECK ((amount_cents > 0)), CONSTRAINT "online_payment_claims_payment_intent_id_check" CHECK (((length(payment_intent_id) >= 4) AND (length(payment_intent_id) <= 100))), CONSTRAINT "online_payment_claims_pkey" PRIMARY KEY (payment_intent_id));

ALTER TABLE "internal"."online_payment_claims" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."payment_page_pauses" ("invoice_id" text NOT NULL, "until" timestamp with time zone NOT NULL, CONSTRAINT "payment_page_pauses_pkey" PRIMARY KEY (invoice_id));

ALTER TABLE "internal"."payment_page_pauses" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."payment_pages" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "invoice_id" text NOT NULL, "session_id" text, "amount_cents" bigint NOT NULL, "opened_at" timestamp with time zone NOT NULL DEFAULT now(), "expires_at" timestamp with time zone NOT NULL, "closed_at" timestamp with time zone, CONSTRAINT "payment_pages_amount_is_positive" CHECK ((amount_cents > 0)), CONSTRAINT "payment_pages_pkey" PRIMARY KEY (id), CONSTRAINT "payment_pages_session_id_check" CHECK ((length(session_id) <= 250)), CONSTRAINT "payment_pages_session_id_key" UNIQUE (session_id));

ALTER TABLE "internal"."payment_pages" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "internal"."payment_reports" ("payment_id" uuid NOT NULL, "state" text NOT NULL DEFAULT 'due'::text, "payment_record_id" text, "attempts" integer NOT NULL DEFAULT 0, "first_attempt_at" timestamp with time zone, "next_attempt_at" timestamp with time zone NOT NULL DEFAULT now(), "problem" text, "reported_at" timestamp with time zone, CONSTRAINT "payment_reports_payment_record_id_check" CHECK ((length(payment_record_id) <= 100)), CONSTRAINT "payment_reports_payment_record_id_key" UNIQUE (payment_record_id), CONSTRAINT "payment_reports_pkey" PRIMARY KEY (payment_id), CONSTRAINT "payment_reports_problem_check" CHECK ((length(problem) <= 200)), CONSTRAINT "payment_reports_reported_with_record" CHECK (((state <> 'reported'::text) OR ((payment_record_id IS NOT NULL) AND (reported_at IS NOT NULL)))), CONSTRAINT "payment_reports_state_is_known" CHECK ((state = ANY (ARRAY['due'::text, 'reported'::text, 'refused'::text]))));

ALTER TABLE "internal"."payment_reports" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."shop" ADD COLUMN "rounds_cash" boolean NOT NULL DEFAULT false;

create or replace function internal.claim_online_payment(invoice_id text, payment_intent_id text, amount_cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write online_payment_claims.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice public.invoices;
  is_paid_at_counter boolean;
begin
  select * into invoice from public.invoices known where known.invoice_id = claim_online_payment.invoice_id for update;
  if not found or exists (
    select from internal.online_payment_claims claim where claim.payment_intent_id = claim_online_payment.payment_intent_id
  ) then
    return true;
  end if;
  is_paid_at_counter := exists (
    select from public.payments payment
    where payment.invoice_id = invoice.invoice_id and payment.kind = 'payment' and payment.method <> 'card_online');
  if is_paid_at_counter
     and claim_online_payment.amount_cents > internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id) then
    return false;
  end if;
  insert into internal.online_payment_claims (payment_intent_id, invoice_id, amount_cents)
  values (claim_online_payment.payment_intent_id, invoice.invoice_id, claim_online_payment.amount_cents);
  return true;
end
$$;

create or replace function internal.claimed_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (select coalesce(sum(amount_cents), 0) from internal.online_payment_claims where invoice_id = wanted_invoice_id);

create or replace function internal.describe_listed_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'customerName', invoice.customer_name, 'customerId', invoice.customer_id,
    'customerEmail', (select email from public.customers where id = invoice.customer_id),
    'vehicle', (select nullif(internal.vehicle_line(vehicle.year, vehicle.make, vehicle.model), '') from public.vehicles vehicle where vehicle.id = invoice.vehicle_id),
    'bookingId', invoice.booking_id, 'totalCents', invoice.total_cents, 'taxCents', invoice.tax_cents,
    'paidCents', internal.invoice_paid_cents(invoice), 'balanceCents', internal.invoice_balance_cents(invoice),
    'currency', invoice.currency, 'state', internal.invoice_state(invoice), 'createdAt', invoice.created_at,
    'dueDate', invoice.due_date,
    'paymentPageOpenedAt', (
      select max(page.opened_at) from internal.payment_pages page
      where page.invoice_id = invoice.invoice_id and page.closed_at is null and page.expires_at > now()));

create or replace function internal.lock_invoice(wanted_id text) returns public.invoices
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

create or replace function internal.open_payment_page(invoice_id text, lifetime_seconds integer) returns jsonb
  -- Runs with its owner's rights, because the server has no right to lock invoices.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  invoice constant public.invoices := internal.lock_invoice(open_payment_page.invoice_id);
  balance constant bigint := internal.invoice_balance_cents(invoice);
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

create or replace function internal.pause_payment_pages(invoice_id text) returns boolean
  -- Runs with its owner's rights, because the server has no right to lock invoices.
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
  insert into internal.payment_reports (payment_id) values (line.id);
  return line;
end
$$;

create or replace function internal.refuse_payment(invoice public.invoices, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  balance constant bigint := internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id);
begin
  if invoice.status = 'void' then
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

create or replace function internal.release_claim() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to delete online_payment_claims.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.online_payment_claims where payment_intent_id = new.payment_intent_id;
  return null;
end
$$;

create or replace function internal.round_cash(cents bigint) returns integer
  language sql immutable set search_path = ''
  return ((cents + 2) / 5 * 5)::integer;

create or replace function public.take_payment(
  invoice_id text, method text, amount_cents integer, given_cents integer, reference text, note text
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
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

ALTER TABLE "internal"."online_payment_claims" ADD CONSTRAINT "online_payment_claims_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

ALTER TABLE "internal"."payment_page_pauses" ADD CONSTRAINT "payment_page_pauses_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

ALTER TABLE "internal"."payment_pages" ADD CONSTRAINT "payment_pages_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

ALTER TABLE "internal"."payment_reports" ADD CONSTRAINT "payment_reports_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.payments(id) ON DELETE CASCADE;

CREATE INDEX online_payment_claims_of_invoice ON internal.online_payment_claims USING btree (invoice_id);

CREATE INDEX payment_pages_of_invoice ON internal.payment_pages USING btree (invoice_id, opened_at DESC);

CREATE INDEX payment_reports_due ON internal.payment_reports USING btree (next_attempt_at) WHERE (state = 'due'::text);

CREATE TRIGGER release_claim AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.payment_intent_id IS NOT NULL)) EXECUTE FUNCTION internal.release_claim();

CREATE POLICY "the server ends pauses" ON "internal"."payment_page_pauses" FOR DELETE TO "shop_server" USING (true);

CREATE POLICY "the server finds pauses" ON "internal"."payment_page_pauses" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the server changes payment pages" ON "internal"."payment_pages" FOR UPDATE TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server deletes payment pages" ON "internal"."payment_pages" FOR DELETE TO "shop_server" USING (true);

CREATE POLICY "the server reads payment pages" ON "internal"."payment_pages" FOR SELECT TO "shop_server" USING (true);

CREATE POLICY "the server changes payment reports" ON "internal"."payment_reports" FOR UPDATE TO "shop_server" USING (true) WITH CHECK (true);

CREATE POLICY "the server reads payment reports" ON "internal"."payment_reports" FOR SELECT TO "shop_server" USING (true);

COMMENT ON COLUMN "internal"."payment_pages"."closed_at" IS 'When the session was found to be completed or expired.';

COMMENT ON COLUMN "internal"."payment_pages"."session_id" IS 'Null until Stripe has created the session.';

COMMENT ON COLUMN "internal"."payment_reports"."problem" IS 'The error code of Stripe, without data of the request.';

COMMENT ON COLUMN "internal"."payment_reports"."state" IS 'due: Stripe has to be notified. reported: attached to the invoice at Stripe. refused: Stripe does not accept it, for the reason in problem; the payment counts nevertheless.';

COMMENT ON COLUMN "public"."shop"."rounds_cash" IS 'Whether the sum due in cash is rounded to five cents, because cents are no longer minted (docs/product.md 17.3).';

COMMENT ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) IS 'Whether an online payment may be attached to its invoice. False when payments at the counter have left less than its amount: it is then refunded.';

COMMENT ON FUNCTION "internal"."claimed_cents"(text) IS 'The online payments of an invoice that are about to enter the ledger.';

COMMENT ON FUNCTION "internal"."lock_invoice"(text) IS 'Locks an invoice until the transaction ends; refuses (TT102) an unknown one.';

COMMENT ON FUNCTION "internal"."open_payment_page"(text, integer) IS 'Records that a payment page of an invoice is about to open: {pageId, balanceCents}, or {refused: paused (staff are taking a payment) or paid}.';

COMMENT ON FUNCTION "internal"."pause_payment_pages"(text) IS 'Lets no payment page of the invoice open for a minute; returns whether one is open.';

COMMENT ON FUNCTION "internal"."record_counter_payment"(public.invoices, text, integer, text, text) IS 'Adds a payment at the counter to the ledger, with its cash rounding, and the row from which it is reported to Stripe.';

COMMENT ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) IS 'Refuses (TT102) a payment of a voided invoice, of nothing, or above the balance.';

COMMENT ON FUNCTION "internal"."release_claim"() IS 'Ends the claim of an online payment when the payment is in the ledger.';

COMMENT ON FUNCTION "internal"."round_cash"(bigint) IS 'A cash amount rounded symmetrically to five cents: 1 and 2 down, 3 and 4 up.';

COMMENT ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) IS 'Records a payment at the counter, at most the balance, and what the customer gave in cash (docs/product.md 17.3): {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, receipt (what its email shows)}.';

COMMENT ON TABLE "internal"."online_payment_claims" IS 'Online payments that are about to be attached to their invoice. A claimed amount cannot be taken at the counter meanwhile. The row is deleted when the payment is in the ledger.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'Invoices for which staff are taking a payment: no payment page opens until then.';

COMMENT ON TABLE "internal"."payment_pages" IS 'The checkout sessions of an invoice. The row is written before Stripe is called, so that a session is never unknown to the shop.';

COMMENT ON TABLE "internal"."payment_reports" IS 'Which payments of the counter Stripe knows: written in the transaction of the payment, and handled by a job.';

REVOKE ALL ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."claimed_cents"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."claimed_cents"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."claimed_cents"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."lock_invoice"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."lock_invoice"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."lock_invoice"(text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."open_payment_page"(text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."open_payment_page"(text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."open_payment_page"(text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."open_payment_page"(text, integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."pause_payment_pages"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."pause_payment_pages"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."pause_payment_pages"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."pause_payment_pages"(text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."record_counter_payment"(public.invoices, text, integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_counter_payment"(public.invoices, text, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_counter_payment"(public.invoices, text, integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."release_claim"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."release_claim"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."release_claim"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."round_cash"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."round_cash"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."round_cash"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) TO "postgres";

GRANT SELECT ("invoice_id") ON TABLE "internal"."payment_page_pauses" TO "shop_server";

GRANT DELETE ON TABLE "internal"."payment_page_pauses" TO "shop_server";

GRANT UPDATE ("closed_at") ON TABLE "internal"."payment_pages" TO "shop_server";

GRANT UPDATE ("session_id") ON TABLE "internal"."payment_pages" TO "shop_server";

GRANT DELETE, SELECT ON TABLE "internal"."payment_pages" TO "shop_server";

GRANT UPDATE ("attempts") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("first_attempt_at") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("next_attempt_at") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("payment_record_id") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("problem") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("reported_at") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT UPDATE ("state") ON TABLE "internal"."payment_reports" TO "shop_server";

GRANT SELECT ON TABLE "internal"."payment_reports" TO "shop_server";

REVOKE ALL ("rounds_cash") ON TABLE "public"."shop" FROM "authenticated";

GRANT UPDATE ("rounds_cash") ON TABLE "public"."shop" TO "authenticated";

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('internal.payment_pages', 'invoice_id', 'free', 'ids of a checkout'),
  ('internal.payment_pages', 'session_id', 'free', 'ids of a checkout'),
  ('internal.payment_page_pauses', 'invoice_id', 'free', 'ids of an invoice'),
  ('internal.online_payment_claims', 'payment_intent_id', 'free', 'ids of a payment'),
  ('internal.online_payment_claims', 'invoice_id', 'free', 'ids of a payment'),
  ('internal.payment_reports', 'state', 'free', 'ids of a payment, and an error code'),
  ('internal.payment_reports', 'payment_record_id', 'free', 'ids of a payment, and an error code'),
  ('internal.payment_reports', 'problem', 'free', 'ids of a payment, and an error code');
