-- A visitor finds an invoice by its number alone, so the number must not be guessable: beside the count
-- that people read it ends in letters drawn by lot (server/features/invoices/assign-invoice-number.ts).

create sequence internal.invoice_count;
comment on sequence internal.invoice_count is 'Counts the invoices that the shop numbers, over all years; a number that was not used leaves a gap.';

create table internal.assigned_invoice_numbers (
  request_id text primary key check (length(request_id) between 8 and 64),
  number text not null unique check (number ~ '^INV-\d{4}-\d{4,10}-[2-9B-DF-HJKMNP-TV-Z]{6}$'),
  assigned_at timestamptz not null default now()
);
comment on table internal.assigned_invoice_numbers is
  'Which number was given to which wish for an invoice: a wish that is repeated gets the same one, as the processor''s idempotency demands.';

alter table internal.assigned_invoice_numbers enable row level security;
grant select, insert on internal.assigned_invoice_numbers to shop_server;
grant usage on sequence internal.invoice_count to shop_server;

create policy "the server finds assigned numbers" on internal.assigned_invoice_numbers
  for select to shop_server using (true);
create policy "the server assigns numbers" on internal.assigned_invoice_numbers
  for insert to shop_server with check (true);
