-- Payments as Stripe reported them, each recorded once, in an append-only table. Stripe can send the same event
-- twice: `stripe_events` contains each event that was handled, inserted in the transaction that handles it.

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  invoice_id text not null check (length(invoice_id) between 4 and 100),
  invoice_number text check (length(invoice_number) <= 100),
  payment_intent_id text not null unique check (length(payment_intent_id) between 4 and 100),
  checkout_session_id text unique check (length(checkout_session_id) <= 250),
  amount_cents integer not null check (amount_cents >= 0),
  overpaid_cents integer not null default 0 constraint payments_overpaid_within_amount check (overpaid_cents between 0 and amount_cents),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  outcome text not null check (outcome in ('applied', 'overpaid', 'refunded')),
  refund_id text unique check (length(refund_id) <= 100),
  paid_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint payments_refund_id_matches_outcome check ((outcome = 'refunded') = (refund_id is not null)),
  constraint payments_overpaid_matches_outcome check ((outcome = 'overpaid') = (overpaid_cents > 0))
);
comment on table public.payments is 'Each payment received online, once, with its outcome. Rows are never changed. [append-only]';
comment on column public.payments.outcome is
  'applied: it paid the invoice; overpaid: it paid the invoice and the rest is the customer''s credit at Stripe; refunded: the invoice was '
  'already paid, so all of it was returned.';

create index payments_of_invoice on public.payments (invoice_id);
create index payments_by_time on public.payments (paid_at desc);

alter table public.payments enable row level security;
grant select on public.payments to authenticated;
grant select, insert on public.payments to shop_server;
create policy "the admin reads the ledger" on public.payments for select to authenticated using ((select internal.is_admin()));
create policy "the server reads the ledger" on public.payments for select to shop_server using (true);
create policy "the server writes the ledger" on public.payments for insert to shop_server with check (true);

create function internal.prevent_payment_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;
comment on function internal.prevent_payment_delete() is 'Lets the removal of the sample week delete payments of sample invoices only.';
create trigger prevent_payment_delete before delete on public.payments for each row execute function internal.prevent_payment_delete();

create trigger prevent_history_change before update or delete or truncate on public.payments
  for each statement execute function internal.prevent_history_change('sample_week_removal DELETE');
create trigger announce_invoice after insert on public.payments for each row execute function internal.announce_invoice();

create table internal.stripe_events (
  id text primary key check (length(id) between 4 and 100),
  type text not null check (length(type) between 1 and 100),
  handled_at timestamptz not null default now(),
  is_live boolean not null default false
);
comment on table internal.stripe_events is
  'Stripe events that were handled completely. The row is written in the transaction that handles the event, so an event that Stripe sends '
  'again is recognized.';
comment on column internal.stripe_events.is_live is
  'Whether real money was involved; false for Stripe''s test mode, the sandbox, and events from before this column existed.';

create index stripe_events_by_age on internal.stripe_events (handled_at);

alter table internal.stripe_events enable row level security;
grant select, insert, delete on internal.stripe_events to shop_server;
create policy "the server reads Stripe events" on internal.stripe_events for select to shop_server using (true);
create policy "the server adds Stripe events" on internal.stripe_events for insert to shop_server with check (true);
create policy "the server deletes Stripe events" on internal.stripe_events for delete to shop_server using (true);
