-- Links to a single invoice, for a customer without an email address: the printed invoice shows a QR code to scan and a
-- short code to type. Both codes are derived from the key that signs the links to visit pages, so that every print
-- shows the same codes. Only digests of the codes are stored, so that the table alone, for example in a stolen backup,
-- grants no access.

create table internal.invoice_links (
  invoice_id text primary key references public.invoices on delete cascade,
  token_digest bytea not null unique constraint invoice_links_token_digest_is_sha256 check (octet_length(token_digest) = 32),
  code_digest bytea not null unique constraint invoice_links_code_digest_is_sha256 check (octet_length(code_digest) = 32),
  created_at timestamptz not null default now()
);
comment on table internal.invoice_links is
  'The links to invoices. Each row contains the SHA-256 hashes of the token and of the short code of a link, but not '
  'the token and the code themselves.';

alter table internal.invoice_links enable row level security;
grant select on internal.invoice_links to shop_server;
create policy "the server finds invoices by their links" on internal.invoice_links for select to shop_server using (true);

create function internal.make_invoice_link(wanted_invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and to write
  -- invoice_links.
  language plpgsql security definer set search_path = '' as $$
declare
  link_key constant text := (select value from internal.secrets where name = 'visit_key');
  token constant text := rtrim(translate(encode(
    substring(internal.hmac_sha256('invoice link ' || wanted_invoice_id, link_key) from 1 for 16), 'base64'), '+/', '-_'), '=');
  code_bytes constant bytea := internal.hmac_sha256('invoice code ' || wanted_invoice_id, link_key);
  -- Each byte of the digest selects one of 32 characters; every character is equally likely, because 256 is a multiple
  -- of 32.
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
  -- If the key that signs the links has changed, the new link replaces the old link.
  insert into internal.invoice_links (invoice_id, token_digest, code_digest)
  values (wanted_invoice_id, sha256(convert_to(token, 'UTF8')), sha256(convert_to(code, 'UTF8')))
  on conflict (invoice_id) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest
    where invoice_links.token_digest <> excluded.token_digest;
  return jsonb_build_object('token', token, 'code', code);
end
$$;
comment on function internal.make_invoice_link(text) is
  'Creates the link of an invoice and returns its secrets: {token (128 bits as base64url), code (twelve characters '
  'without 0, O, 1 and I)}. Null for an unknown, void or cancelled invoice.';
grant execute on function internal.make_invoice_link(text) to shop_server;

create function internal.read_linked_invoice(wanted_invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
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
comment on function internal.read_linked_invoice(text) is
  'The data of an invoice that everybody who has its link can see, without a name, phone number, email address, plate '
  'or VIN: {number, state, currency, dueDate, totalCents, paidCents, balanceCents, work [{position, description, '
  'cents with tax}]}.';
grant execute on function internal.read_linked_invoice(text) to shop_server;
