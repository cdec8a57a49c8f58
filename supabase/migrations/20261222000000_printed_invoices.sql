-- A printed invoice shows the due date of the shop and the third-party payer (docs/product.md 17.11).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.read_printable_invoice(invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices and to call describe_claim and
  -- describe_authorizations.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'dueAt', (select extract(epoch from known.due_date::timestamp at time zone shop.time_zone)::bigint
      from public.invoices known, public.shop where known.invoice_id = read_printable_invoice.invoice_id),
    'work', (select internal.describe_claim(claim)
        || jsonb_build_object('payer', revision.document -> 'payer', 'authorizations', internal.describe_authorizations(claim.estimate_id),
          'tearDownDeclines', internal.list_tear_down_declines(claim.estimate_id))
      from public.estimate_invoices claim
      join public.estimate_revisions revision
        on (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
      where claim.invoice_id = read_printable_invoice.invoice_id))
$$;
comment on function internal.read_printable_invoice(text) is
  'The data of a printed invoice, by the Stripe id: {dueAt (seconds since 1970), work}. The work of an invoice of an estimate is its claim, '
  'its third-party payer and the authorizations; null for any other invoice.';
