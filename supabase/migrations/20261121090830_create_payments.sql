-- What the shop keeps of invoices and payments beside the processor's books: which invoice has which
-- number, which events were handled, and what was received for which invoice.

create table internal.invoice_numbers (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text not null check (length(number) between 1 and 100),
  created_at timestamptz not null default now()
);
comment on table internal.invoice_numbers is
  'Finds an invoice by its number at once: the processor''s own search lags by a minute. A hint only, the processor is asked for the truth.';
comment on column internal.invoice_numbers.number is 'Not unique: two invoices of one number are told apart by a person, never guessed.';
create index invoice_numbers_by_number on internal.invoice_numbers (number);

create table internal.stripe_events (
  id text primary key check (length(id) between 4 and 100),
  type text not null check (length(type) between 1 and 100),
  handled_at timestamptz not null default now()
);
comment on table internal.stripe_events is
  'Events of the payment processor that were handled to the end: a row is written in the transaction that handles it, so a replay finds it.';
create index stripe_events_by_age on internal.stripe_events (handled_at);

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  invoice_id text not null check (length(invoice_id) between 4 and 100),
  invoice_number text check (length(invoice_number) <= 100),
  payment_intent_id text not null unique check (length(payment_intent_id) between 4 and 100),
  checkout_session_id text unique check (length(checkout_session_id) <= 250),
  amount_cents integer not null check (amount_cents >= 0),
  overpaid_cents integer not null default 0 check (overpaid_cents between 0 and amount_cents),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  outcome text not null check (outcome in ('applied', 'overpaid', 'refunded')),
  refund_id text unique check (length(refund_id) <= 100),
  paid_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  check ((outcome = 'refunded') = (refund_id is not null)),
  check ((outcome = 'overpaid') = (overpaid_cents > 0))
);
comment on table public.payments is 'The ledger: each payment received online, once, and what became of it. Rows are never changed.';
comment on column public.payments.outcome is
  'applied: it paid the invoice; overpaid: it did, and what was too much is the customer''s credit with the processor; '
  'refunded: the invoice had been paid already, all of it went back.';
create index payments_of_invoice on public.payments (invoice_id);
create index payments_by_time on public.payments (paid_at desc);

alter table internal.invoice_numbers enable row level security;
alter table internal.stripe_events enable row level security;
alter table public.payments enable row level security;

grant select, insert, update on internal.invoice_numbers to shop_server;
grant select, insert, delete on internal.stripe_events to shop_server;
grant select, insert on public.payments to shop_server;
grant select on public.payments to authenticated;

create policy "the server finds invoices" on internal.invoice_numbers for select to shop_server using (true);
create policy "the server notes invoice numbers" on internal.invoice_numbers for insert to shop_server with check (true);
create policy "the server corrects invoice numbers" on internal.invoice_numbers
  for update to shop_server using (true) with check (true);
create policy "the server reads handled events" on internal.stripe_events for select to shop_server using (true);
create policy "the server notes handled events" on internal.stripe_events for insert to shop_server with check (true);
create policy "the server forgets old events" on internal.stripe_events for delete to shop_server using (true);
create policy "the admin reads the ledger" on public.payments
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads the ledger" on public.payments for select to shop_server using (true);
create policy "the server writes the ledger" on public.payments for insert to shop_server with check (true);
