-- An owner connects a Stripe account in the dashboard, and invoices of the sandbox are marked as tests.
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."sealed_settings" DROP CONSTRAINT "sealed_settings_name_is_known";

ALTER TABLE "public"."audit_events" DROP CONSTRAINT "audit_events_kind_is_known";

ALTER TABLE "public"."invoices" ADD COLUMN "is_test" boolean NOT NULL DEFAULT false;

create or replace function internal.charges_real_cards() returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (select from internal.sealed_settings where name = 'payments' and sealed is not null)
    or exists (select from public.invoices where not is_test);
end
$$;

create or replace function internal.count_open_test_invoices() returns integer
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- A shop that never used the sandbox reads no invoice.
  if not exists (select from stripe_sandbox.objects where object = 'invoice') then
    return 0;
  end if;
  return (
    select count(*) from public.invoices invoice
    where invoice.is_test and invoice.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid));
end
$$;

create or replace function internal.describe_listed_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'customerName', invoice.customer_name, 'customerId', invoice.customer_id,
    'customerEmail', (select email from public.customers where id = invoice.customer_id),
    'vehicle', (select nullif(internal.vehicle_line(vehicle.year, vehicle.make, vehicle.model), '') from public.vehicles vehicle where vehicle.id = invoice.vehicle_id),
    'bookingId', invoice.booking_id, 'totalCents', invoice.total_cents, 'taxCents', invoice.tax_cents,
    'paidCents', internal.invoice_paid_cents(invoice), 'balanceCents', internal.invoice_balance_cents(invoice),
    'currency', invoice.currency, 'state', internal.invoice_state(invoice), 'createdAt', invoice.created_at,
    'dueDate', invoice.due_date, 'isTest', invoice.is_test and internal.charges_real_cards(),
    'paymentPageOpenedAt', (
      select max(page.opened_at) from internal.payment_pages page
      where page.invoice_id = invoice.invoice_id and page.closed_at is null and page.expires_at > now()));

create or replace function internal.read_invoice_ledger(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balanceCents', internal.invoice_balance_cents(invoice), 'paidCents', internal.invoice_paid_cents(invoice),
    'isVoid', internal.is_void(invoice), 'isTest', invoice.is_test and internal.charges_real_cards(),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', line.kind, 'method', line.method, 'reference', line.reference, 'amountCents', line.amount_cents,
        'paidAt', extract(epoch from line.paid_at)::bigint) order by line.recorded_at, line.kind desc), '[]')
      from public.payments line where line.invoice_id = invoice.invoice_id))
  from public.invoices invoice where invoice.invoice_id = wanted_invoice_id
$$;

create or replace function internal.recognize_test_invoice() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.is_test := exists (select from stripe_sandbox.objects where id = new.invoice_id);
  return new;
end
$$;

create or replace function internal.record_sealed_setting_change() returns trigger
  -- Runs with its owner's rights, because the server may not write the history itself.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.sealed_setting_changes (name, action, changed_by, changed_at)
  values (new.name, case when new.sealed is null then 'removed' else 'saved' end, new.changed_by, new.changed_at);
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case when new.sealed is null then 'setting_removed' else 'setting_saved' end, 'user_id', new.changed_by, 'detail', new.name)));
  perform pg_notify('settings_changed', new.name);
  return null;
end
$$;

create or replace function internal.refuse_stripe_beside_open_tests() returns trigger
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language plpgsql security definer set search_path = '' as $$
begin
  if new.name = 'payments' and new.sealed is not null
    and not exists (select from internal.sealed_settings stored where stored.name = 'payments' and stored.sealed is not null)
    and internal.count_open_test_invoices() > 0 then
    raise exception 'Test invoices are open.' using errcode = 'TT123', hint = 'test_invoices_open';
  end if;
  return new;
end
$$;

ALTER TABLE "internal"."sealed_settings" ADD CONSTRAINT "sealed_settings_name_is_known" CHECK ((name = ANY (ARRAY['email'::text, 'payments'::text])));

ALTER TABLE "public"."audit_events" ADD CONSTRAINT "audit_events_kind_is_known" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'wrong_password'::text, 'sign_in_blocked'::text, 'not_allowed'::text, 'account_added'::text, 'role_changed'::text, 'switched_off'::text, 'switched_on'::text, 'invited'::text, 'invitation_renewed'::text, 'invitation_taken_back'::text, 'invitation_used'::text, 'refunded'::text, 'invoice_cancelled'::text, 'invoice_voided'::text, 'invoice_written_off'::text, 'customer_exported'::text, 'files_exported'::text, 'erased'::text, 'tablet_enrolled'::text, 'tablet_revoked'::text, 'tablet_locked'::text, 'pin_set'::text, 'pin_cleared'::text, 'wrong_pin'::text, 'lines_removed'::text, 'wrong_code'::text, 'code_app_set_up'::text, 'code_app_ended'::text, 'recovery_code_used'::text, 'passkey_added'::text, 'passkey_removed'::text, 'passkey_doubted'::text, 'passkey_switched_off'::text, 'password_changed'::text, 'session_ended'::text, 'setting_saved'::text, 'setting_removed'::text])));

CREATE INDEX invoices_of_stripe ON public.invoices USING btree (invoice_id) WHERE (NOT is_test);

CREATE TRIGGER refuse_stripe_beside_open_tests BEFORE INSERT OR UPDATE ON internal.sealed_settings FOR EACH ROW EXECUTE FUNCTION internal.refuse_stripe_beside_open_tests();

CREATE TRIGGER recognize_test_invoice BEFORE INSERT ON public.invoices FOR EACH ROW EXECUTE FUNCTION internal.recognize_test_invoice();

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'The roles of a change, who was invited as what, the path that was refused, the days of a file, the name of a setting.';

COMMENT ON COLUMN "public"."invoices"."is_test" IS 'Whether the invoice was made in the payment sandbox, in which no money moves.';

COMMENT ON FUNCTION "internal"."charges_real_cards"() IS 'Whether the shop connected a Stripe account or has an invoice at Stripe, so that a test invoice has to be told from a real one.';

COMMENT ON FUNCTION "internal"."count_open_test_invoices"() IS 'How many invoices of the payment sandbox have a balance.';

COMMENT ON FUNCTION "internal"."read_invoice_ledger"(text) IS 'The balance and the ledger of an invoice, as the customer reads them: {balanceCents, paidCents, isVoid, isTest, lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop does not know.';

COMMENT ON FUNCTION "internal"."recognize_test_invoice"() IS 'Marks an invoice of the payment sandbox as a test.';

COMMENT ON FUNCTION "internal"."record_sealed_setting_change"() IS 'Adds a line to the history of a sealed setting and to the audit, and notifies all processes (settings_changed).';

COMMENT ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() IS 'Refuses to connect a Stripe account while invoices of the sandbox are open (TT123), because customers could no longer pay them.';

REVOKE ALL ON FUNCTION "internal"."charges_real_cards"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."charges_real_cards"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."charges_real_cards"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."count_open_test_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."count_open_test_invoices"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."count_open_test_invoices"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."count_open_test_invoices"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."recognize_test_invoice"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."recognize_test_invoice"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."recognize_test_invoice"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() TO "postgres";

-- The invoices that were made in the sandbox so far.
update public.invoices set is_test = true where invoice_id in (select id from stripe_sandbox.objects where object = 'invoice');
