-- Lets only owners change whether visitors need the email address of an invoice, as the other settings of 'Payments'.
set local search_path = pg_catalog;

REVOKE ALL ("invoice_lookup_requires_email") ON TABLE "public"."booking_rules" FROM "authenticated";

DROP TRIGGER "refuse_change_by_others" ON "public"."booking_rules";

CREATE TRIGGER refuse_change_by_others BEFORE UPDATE OF counts_cash_before_expected, rounds_cash, close_print_format, invoice_lookup_requires_email ON public.booking_rules FOR EACH ROW WHEN ((CURRENT_USER = 'shop_owner'::text)) EXECUTE FUNCTION internal.refuse_change_by_others();

REVOKE ALL ("invoice_lookup_requires_email") ON TABLE "public"."booking_rules" FROM "shop_owner";

GRANT UPDATE ("invoice_lookup_requires_email") ON TABLE "public"."booking_rules" TO "shop_owner";
