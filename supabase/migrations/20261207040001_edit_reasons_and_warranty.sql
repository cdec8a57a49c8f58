-- The owner edits the texts of 'Why Choose Us' and the words of the warranty (docs/product.md 11.1).

set local search_path = pg_catalog;

ALTER TABLE "public"."shop" ADD COLUMN "experts_text" text NOT NULL
  DEFAULT 'One technician looks after your car from start to finish, and can tell you exactly what was done.';

ALTER TABLE "public"."shop" ADD COLUMN "turnaround_text" text NOT NULL
  DEFAULT 'Most repairs are same-day or next-day. If something will take longer, you hear it first.';

ALTER TABLE "public"."shop" ADD COLUMN "warranty_text" text NOT NULL
  DEFAULT 'Every repair carries a warranty. Checked, marked, and written on your invoice.';

COMMENT ON COLUMN "public"."shop"."experts_text" IS 'The text about the technicians on the home page.';

COMMENT ON COLUMN "public"."shop"."turnaround_text" IS 'The text about how long repairs take, on the home page.';

COMMENT ON COLUMN "public"."shop"."warranty_text" IS 'The words of the warranty on the home page.';

REVOKE ALL ("experts_text") ON TABLE "public"."shop" FROM "anon";

GRANT SELECT ("experts_text") ON TABLE "public"."shop" TO "anon";

REVOKE ALL ("turnaround_text") ON TABLE "public"."shop" FROM "anon";

GRANT SELECT ("turnaround_text") ON TABLE "public"."shop" TO "anon";

REVOKE ALL ("warranty_text") ON TABLE "public"."shop" FROM "anon";

GRANT SELECT ("warranty_text") ON TABLE "public"."shop" TO "anon";

REVOKE ALL ("experts_text") ON TABLE "public"."shop" FROM "authenticated";

GRANT UPDATE ("experts_text") ON TABLE "public"."shop" TO "authenticated";

REVOKE ALL ("turnaround_text") ON TABLE "public"."shop" FROM "authenticated";

GRANT UPDATE ("turnaround_text") ON TABLE "public"."shop" TO "authenticated";

REVOKE ALL ("warranty_text") ON TABLE "public"."shop" FROM "authenticated";

GRANT UPDATE ("warranty_text") ON TABLE "public"."shop" TO "authenticated";

ALTER TABLE "public"."shop" ADD CONSTRAINT "shop_experts_text_is_text" CHECK (internal.is_single_line_text(experts_text, 1, 200));

ALTER TABLE "public"."shop" ADD CONSTRAINT "shop_turnaround_text_is_text" CHECK (internal.is_single_line_text(turnaround_text, 1, 200));

ALTER TABLE "public"."shop" ADD CONSTRAINT "shop_warranty_text_is_text" CHECK (internal.is_single_line_text(warranty_text, 1, 200));

-- The defaults were for the existing row.
ALTER TABLE "public"."shop" ALTER COLUMN "experts_text" DROP DEFAULT;

ALTER TABLE "public"."shop" ALTER COLUMN "turnaround_text" DROP DEFAULT;

ALTER TABLE "public"."shop" ALTER COLUMN "warranty_text" DROP DEFAULT;

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
select 'public.shop', column_name, 'free', 'public facts of the shop'
from unnest('{experts_text,turnaround_text,warranty_text}'::text[]) column_name
on conflict do nothing;
