-- Replacement invoices. A payment that was reported to Stripe cannot be revoked at Stripe. The amount of a returned
-- check, a lost dispute or an overstated payment is therefore charged on a second invoice, which refers to the first.

create table public.replacement_invoices (
  id uuid primary key default gen_random_uuid(),
  original_invoice_id text not null references public.invoices on delete cascade,
  reversal_id uuid not null unique references public.payments on delete cascade,
  amount_cents bigint not null constraint replacement_invoices_amount_is_positive check (amount_cents > 0),
  invoice_id text unique references public.invoices on delete cascade,
  requested_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  constraint replacement_invoices_replaces_another check (invoice_id <> original_invoice_id)
);
comment on table public.replacement_invoices is
  'The replacement invoices. Each bills an amount that Stripe counts as paid although the shop did not receive it. '
  'The column id is also the request id with which the invoice is created at Stripe.';
comment on column public.replacement_invoices.reversal_id is
  'The ledger line that reduced the paid amount of the replaced invoice.';
comment on column public.replacement_invoices.invoice_id is
  'The replacement invoice; null until Stripe has created it. Until then the amount is due on the replaced invoice.';

create index replacement_invoices_of_original on public.replacement_invoices (original_invoice_id);
create index replacement_invoices_due on public.replacement_invoices (next_attempt_at) where invoice_id is null;

alter table public.replacement_invoices enable row level security;
grant select on public.replacement_invoices to authenticated;
create policy "the admin reads replacement invoices" on public.replacement_invoices
  for select to authenticated using ((select internal.is_admin()));

create function internal.replaced_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select coalesce(sum(amount_cents), 0)::bigint from public.replacement_invoices
    where original_invoice_id = wanted_invoice_id and invoice_id is not null);
comment on function internal.replaced_cents(text) is
  'The part of an invoice, in cents, that is due on its replacement invoices.';

create function internal.awaited_cents(wanted_invoice_id text) returns bigint
  language sql stable set search_path = ''
  return (
    select coalesce(sum(amount_cents), 0)::bigint from public.replacement_invoices
    where original_invoice_id = wanted_invoice_id and invoice_id is null);
comment on function internal.awaited_cents(text) is
  'The part of an invoice for which the shop is about to create a replacement invoice. The customer cannot pay this '
  'part until the replacement invoice exists.';

create function internal.is_known_to_stripe(payment public.payments) returns boolean
  language sql stable set search_path = ''
  return payment.method = 'card_online' or coalesce((
    select report.state in ('reported', 'corrected') or (report.state = 'due' and report.attempts > 0)
    from internal.stripe_reports report where report.payment_id = payment.id), false);
comment on function internal.is_known_to_stripe(public.payments) is
  'Whether Stripe counts a payment as received, or may count it because a report to Stripe was attempted but not '
  'confirmed.';

create function internal.replace_invoice(invoice public.invoices, reversal_id uuid, cents bigint) returns void
  language plpgsql set search_path = '' as $$
declare
  replaced constant bigint := least(cents, internal.invoice_balance_cents(invoice) - internal.awaited_cents(invoice.invoice_id));
begin
  if replaced > 0 then
    insert into public.replacement_invoices (original_invoice_id, reversal_id, amount_cents)
    values (invoice.invoice_id, replace_invoice.reversal_id, replaced);
  end if;
end
$$;
comment on function internal.replace_invoice(public.invoices, uuid, bigint) is
  'Adds a row from which the server creates a replacement invoice for the amount of a reversed payment, but at most '
  'for the balance of the original invoice.';

create function internal.claim_replacement_invoices() returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and customers.
  language sql security definer set search_path = '' as $$
  with due as (
    update public.replacement_invoices known
    set attempts = known.attempts + 1, next_attempt_at = now() + least(10 * 2 ^ least(known.attempts, 12), 3600) * interval '1 second'
    where known.id in (
      select waiting.id from public.replacement_invoices waiting
      where waiting.invoice_id is null and waiting.next_attempt_at <= now()
      order by waiting.requested_at limit 20 for update skip locked)
    returning known.*
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'requestId', due.id, 'originalNumber', coalesce(invoice.number, invoice.invoice_id), 'amountCents', due.amount_cents,
    -- The line that removes a wrongly recorded deposit from the invoice has no cause, so its cause is returned as
    -- 'recorded_wrongly'.
    'cause', coalesce(reversal.cause, 'recorded_wrongly'), 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
$$;
comment on function internal.claim_replacement_invoices() is
  'The replacement invoices that the server must create now, at most 20: [{requestId, originalNumber, amountCents, '
  'cause, name, email, phone}]. The function returns a request again, after pauses of increasing length, until its '
  'invoice exists.';
grant execute on function internal.claim_replacement_invoices() to shop_server;

create function internal.record_replacement_invoice(request_id uuid, invoice_id text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write replacement_invoices.
  language sql security definer set search_path = '' as $$
  update public.replacement_invoices known set invoice_id = record_replacement_invoice.invoice_id
  where known.id = record_replacement_invoice.request_id and known.invoice_id is null
$$;
comment on function internal.record_replacement_invoice(uuid, text) is
  'Records that a replacement invoice exists: the replaced amount is then due on the replacement invoice instead of '
  'the replaced one.';
grant execute on function internal.record_replacement_invoice(uuid, text) to shop_server;

create function internal.announce_replacement() returns trigger
  -- Runs with the rights of the function's owner, so that every role that fires the trigger can notify the other
  -- processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('invoices_changed', new.original_invoice_id);
  return null;
end
$$;
comment on function internal.announce_replacement() is 'Notifies all server processes that an invoice was replaced.';
create trigger announce_replacement after insert or update on public.replacement_invoices
  for each row execute function internal.announce_replacement();

create function internal.describe_replacements(wanted_invoice_id text) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'replacements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'invoiceId', known.invoice_id, 'number', made.number, 'amountCents', known.amount_cents) order by known.requested_at), '[]')
      from public.replacement_invoices known left join public.invoices made on made.invoice_id = known.invoice_id
      where known.original_invoice_id = wanted_invoice_id),
    'replaces', (
      select jsonb_build_object('invoiceId', original.invoice_id, 'number', original.number)
      from public.replacement_invoices known join public.invoices original on original.invoice_id = known.original_invoice_id
      where known.invoice_id = wanted_invoice_id));
comment on function internal.describe_replacements(text) is
  'The replacement invoices of an invoice (invoiceId is null until the invoice was created), and the invoice that the '
  'given invoice itself replaces.';
