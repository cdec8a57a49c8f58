-- Adds whether the invoice numbers of a restored shop were compared with those of the payment provider.
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."restored_shop" ADD COLUMN "numbers_checked_at" timestamp with time zone;

create or replace function internal.raise_invoice_count(known_count integer) returns void
  -- Runs with its owner's rights, because the server has no right to set a sequence.
  language plpgsql security definer set search_path = '' as $$
begin
  update internal.restored_shop set numbers_checked_at = now() where numbers_checked_at is null;
  if found and known_count > coalesce(pg_sequence_last_value('internal.invoice_count'), 0) then
    perform setval('internal.invoice_count', known_count);
  end if;
end
$$;

COMMENT ON COLUMN "internal"."restored_shop"."numbers_checked_at" IS 'When the payment provider named its newest invoices, so that the numbers continue above them; null before.';

COMMENT ON FUNCTION "internal"."raise_invoice_count"(integer) IS 'Lets the numbers of invoices in a restored shop continue above the highest count that the payment provider knows, once after each restore; never lowers the count.';

REVOKE ALL ON FUNCTION "internal"."raise_invoice_count"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."raise_invoice_count"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."raise_invoice_count"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."raise_invoice_count"(integer) TO "shop_server";
