-- Adds the name, the email address and the employee of a staff account. The name of each account so far is the username.
set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "public"."staff_accounts" ADD COLUMN "name" text;
update public.staff_accounts set name = username;
ALTER TABLE "public"."staff_accounts" ALTER COLUMN "name" SET NOT NULL;

ALTER TABLE "public"."staff_accounts" ADD COLUMN "email" text;

ALTER TABLE "public"."staff_accounts" ADD COLUMN "employee_id" uuid;

create or replace function internal.name_staff_account() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.name := coalesce(new.name, new.username);
  return new;
end
$$;

ALTER TABLE "public"."staff_accounts" ADD CONSTRAINT "staff_accounts_email_key" UNIQUE (email);

ALTER TABLE "public"."staff_accounts" ADD CONSTRAINT "staff_accounts_employee_id_fkey" FOREIGN KEY (employee_id) REFERENCES public.employees(id);

ALTER TABLE "public"."staff_accounts" ADD CONSTRAINT "staff_accounts_employee_id_key" UNIQUE (employee_id);

CREATE TRIGGER name_staff_account BEFORE INSERT ON public.staff_accounts FOR EACH ROW EXECUTE FUNCTION internal.name_staff_account();

COMMENT ON COLUMN "public"."staff_accounts"."email" IS 'The address of invitations and notices, in lower case; null for an account that a command of the server created.';

COMMENT ON COLUMN "public"."staff_accounts"."employee_id" IS 'The employee to whom tasks of this person are assigned; null for an account that the first start or a command created.';

COMMENT ON COLUMN "public"."staff_accounts"."name" IS 'The name that people read; the username when none is given.';

COMMENT ON COLUMN "public"."staff_accounts"."username" IS 'The name of the sign-in, which never changes.';

REVOKE ALL ON FUNCTION "internal"."is_email_address"(text) FROM "shop_server";

GRANT EXECUTE ON FUNCTION "internal"."is_email_address"(text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."is_single_line_text"(text, integer, integer) FROM "shop_server";

GRANT EXECUTE ON FUNCTION "internal"."is_single_line_text"(text, integer, integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."name_staff_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."name_staff_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."name_staff_account"() TO "postgres";

REVOKE ALL ("email") ON TABLE "public"."staff_accounts" FROM "shop_owner";

GRANT UPDATE ("email") ON TABLE "public"."staff_accounts" TO "shop_owner";

REVOKE ALL ("name") ON TABLE "public"."staff_accounts" FROM "shop_owner";

GRANT UPDATE ("name") ON TABLE "public"."staff_accounts" TO "shop_owner";

REVOKE ALL ("email") ON TABLE "public"."staff_accounts" FROM "shop_server";

GRANT UPDATE ("email") ON TABLE "public"."staff_accounts" TO "shop_server";

REVOKE ALL ("employee_id") ON TABLE "public"."staff_accounts" FROM "shop_server";

GRANT UPDATE ("employee_id") ON TABLE "public"."staff_accounts" TO "shop_server";

REVOKE ALL ("name") ON TABLE "public"."staff_accounts" FROM "shop_server";

GRANT UPDATE ("name") ON TABLE "public"."staff_accounts" TO "shop_server";

ALTER TABLE "public"."staff_accounts" ADD CONSTRAINT "staff_accounts_email_is_an_address" CHECK ((internal.is_email_address(email) AND (email = lower(email))));

ALTER TABLE "public"."staff_accounts" ADD CONSTRAINT "staff_accounts_name_is_text" CHECK (internal.is_single_line_text(name, 1, 80));

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('public.staff_accounts', 'email', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.staff_accounts', 'name', 'free', 'a team member, not a customer', NULL, NULL, NULL, NULL, NULL, 'true');
