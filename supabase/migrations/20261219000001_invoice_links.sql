-- Adds the links by which customers without an email address open one invoice (docs/product.md 17.11).

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE TABLE "internal"."invoice_links" ("invoice_id" text NOT NULL, "token_digest" bytea NOT NULL, "code_digest" bytea NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "invoice_links_code_digest_is_sha256" CHECK ((octet_length(code_digest) = 32)), CONSTRAINT "invoice_links_code_digest_key" UNIQUE (code_digest), CONSTRAINT "invoice_links_pkey" PRIMARY KEY (invoice_id), CONSTRAINT "invoice_links_token_digest_is_sha256" CHECK ((octet_length(token_digest) = 32)), CONSTRAINT "invoice_links_token_digest_key" UNIQUE (token_digest));

ALTER TABLE "internal"."invoice_links" ENABLE ROW LEVEL SECURITY;

create or replace function internal.make_invoice_link(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices and to write their links.
  language plpgsql security definer set search_path = '' as $$
declare
  link_key constant text := (select value from internal.secrets where name = 'visit_key');
  token constant text := rtrim(translate(encode(
    substring(internal.hmac_sha256('invoice link ' || wanted_invoice_id, link_key) from 1 for 16), 'base64'), '+/', '-_'), '=');
  code_bytes constant bytea := internal.hmac_sha256('invoice code ' || wanted_invoice_id, link_key);
  -- 256 is a multiple of 32, so every sign is equally likely.
  code constant text := (
    select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', get_byte(code_bytes, place) % 32 + 1, 1), '' order by place)
    from generate_series(0, 11) place);
begin
  if not exists (
    select from public.invoices invoice
    where invoice.invoice_id = wanted_invoice_id and internal.invoice_state(invoice) not in ('void', 'cancelled')
  ) then
    return null;
  end if;
  -- After a change of the key, the new link replaces the old one.
  insert into internal.invoice_links (invoice_id, token_digest, code_digest)
  values (wanted_invoice_id, sha256(convert_to(token, 'UTF8')), sha256(convert_to(code, 'UTF8')))
  on conflict (invoice_id) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest
    where invoice_links.token_digest <> excluded.token_digest;
  return jsonb_build_object('token', token, 'code', code);
end
$$;

create or replace function internal.read_linked_invoice(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'number', invoice.number, 'state', internal.invoice_state(invoice), 'currency', invoice.currency, 'dueDate', invoice.due_date,
    'totalCents', invoice.total_cents, 'paidCents', internal.invoice_paid_cents(invoice),
    'balanceCents', internal.invoice_balance_cents(invoice),
    'work', coalesce(
      (select jsonb_agg(jsonb_build_object('position', line.position, 'description', line.description, 'cents', line.cents) order by line.position)
        from public.invoice_lines line where line.invoice_id = invoice.invoice_id),
      (select jsonb_agg(jsonb_build_object('position', job.position, 'description', job.title, 'cents', billed.cents)
          order by job.position)
        from public.estimate_invoices claim
        join public.estimate_invoice_jobs billed on billed.claim_id = claim.id
        join public.estimate_jobs job
          on (job.estimate_id, job.revision, job.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
        where claim.invoice_id = invoice.invoice_id),
      '[]'))
  from public.invoices invoice where invoice.invoice_id = wanted_invoice_id
$$;

ALTER TABLE "internal"."invoice_links" ADD CONSTRAINT "invoice_links_invoice_id_fkey" FOREIGN KEY (invoice_id) REFERENCES public.invoices(invoice_id) ON DELETE CASCADE;

CREATE POLICY "the server finds invoices by their links" ON "internal"."invoice_links" FOR SELECT TO "shop_server" USING (true);

COMMENT ON FUNCTION "internal"."make_invoice_link"(text) IS 'The link of an invoice: {token (128 bits as base64url), code (twelve signs without 0, O, 1 and I)}. Null for an unknown, void or cancelled invoice.';

COMMENT ON FUNCTION "internal"."read_linked_invoice"(text) IS 'An invoice as whoever has its link reads it, without a name, phone number, email address, plate or VIN: {number, state, currency, dueDate, totalCents, paidCents, balanceCents, work [{position, description, cents with tax}]}.';

COMMENT ON TABLE "internal"."invoice_links" IS 'The link of each invoice that was handed over, by the SHA-256 of its token and of its code.';

REVOKE ALL ON FUNCTION "internal"."make_invoice_link"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."make_invoice_link"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."make_invoice_link"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."make_invoice_link"(text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."read_linked_invoice"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."read_linked_invoice"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_linked_invoice"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_linked_invoice"(text) TO "shop_server";

GRANT SELECT ON TABLE "internal"."invoice_links" TO "shop_server";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.invoice_links', 'invoice_id', 'free', 'ids of an invoice', NULL, NULL, NULL, NULL, NULL, 'true');
