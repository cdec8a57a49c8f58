-- Cash rounding is a rule of the shop beside the close of the day (docs/product.md 17.3).

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."shop" DROP COLUMN "rounds_cash";

ALTER TABLE "public"."booking_rules" ADD COLUMN "rounds_cash" boolean NOT NULL DEFAULT false;

create or replace function internal.record_counter_payment(invoice public.invoices, method text, amount integer, reference text, note text)
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

COMMENT ON COLUMN "public"."booking_rules"."rounds_cash" IS 'Whether the sum due in cash is rounded to five cents, because cents are no longer minted (docs/product.md 17.3).';

REVOKE ALL ("rounds_cash") ON TABLE "public"."booking_rules" FROM "authenticated";

GRANT UPDATE ("rounds_cash") ON TABLE "public"."booking_rules" TO "authenticated";
