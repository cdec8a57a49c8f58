-- Every e-mail of the shop: written here in the transaction that causes it, sent afterwards, retried until it is gone.

create table public.emails (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in (
    'booking_confirmation', 'quote_confirmation', 'quote_reply', 'invoice', 'payment_receipt', 'owner_notice'
  )),
  dedupe_key text not null unique check (length(dedupe_key) between 1 and 200),
  recipient_email text not null check (length(recipient_email) between 1 and 254),
  recipient_name text not null default '' check (length(recipient_name) <= 200),
  subject text not null check (length(subject) between 1 and 300),
  html_body text not null,
  text_body text not null,
  attachments jsonb not null default '[]',
  booking_id uuid references public.bookings on delete cascade,
  quote_request_id uuid references public.quote_requests on delete cascade,
  invoice_id text check (length(invoice_id) <= 100),
  appointment_at timestamp,
  status text not null default 'queued' check (status in ('queued', 'retrying', 'sent', 'kept', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  resends integer not null default 0,
  last_error text check (length(last_error) <= 500),
  provider_message_id text check (length(provider_message_id) <= 300),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((status in ('sent', 'kept')) = (sent_at is not null))
);
comment on table public.emails is 'The outbox: one row a message, with its delivery state.';
comment on column public.emails.dedupe_key is 'What the message is about, for example receipt:in_123: the same message is never written twice.';
comment on column public.emails.attachments is 'List of {filename, contentType, contentBase64}.';
comment on column public.emails.appointment_at is
  'The start of the appointment that the message states, shop time: once the booking says otherwise, it is not sent.';
comment on column public.emails.next_attempt_at is
  'Not tried before; whoever tries pushes it ahead, so that no two processes send one message.';
comment on column public.emails.leased_until is
  'While an attempt is under way: until when it belongs to the process that makes it. A crash leaves it to run out.';
comment on column public.emails.resends is 'How often the admin asked to send it again; each is a message of its own to the mail server.';
comment on column public.emails.status is
  'queued: not tried yet; retrying: tried and failed, will be tried again; sent: accepted by the mail server; '
  'kept: no mail server is set, the message lies in the outbox folder; failed: given up, someone has to call.';
create index emails_to_send on public.emails (next_attempt_at) where status in ('queued', 'retrying');
create index emails_of_booking on public.emails (booking_id) where booking_id is not null;
create index emails_of_quote_request on public.emails (quote_request_id) where quote_request_id is not null;
create index emails_of_invoice on public.emails (invoice_id) where invoice_id is not null;
create index emails_of_recipient on public.emails (lower(recipient_email), created_at desc);
create index emails_newest_first on public.emails (created_at desc);
-- A confirmation is sent for what was booked in the last minutes only.
create index bookings_newest_first on public.bookings (created_at desc);

create table public.quote_email_logs (
  id uuid primary key default gen_random_uuid(),
  quote_request_id uuid not null references public.quote_requests on delete cascade,
  email_id uuid references public.emails on delete cascade,
  recipient_email text not null,
  recipient_name text not null default '',
  subject text not null,
  original_draft text not null default '',
  polished_draft text,
  final_body text not null,
  vehicle_info text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table public.quote_email_logs is 'What was answered to a quote request: the draft as offered and the text as sent.';
create index quote_email_logs_of_request on public.quote_email_logs (quote_request_id, created_at desc);
create unique index quote_email_logs_of_email on public.quote_email_logs (email_id);

alter table public.emails enable row level security;
alter table public.quote_email_logs enable row level security;
grant select, insert, update on public.emails, public.quote_email_logs to service_role;
-- The server functions act as service_role on a hosted project: what they confirm, they read.
grant select on public.bookings, public.services, public.quote_requests to service_role;
grant update (status) on public.quote_requests to service_role;
-- The dashboard sees the state of delivery; bodies and attachments stay with the server.
grant select (
  id, kind, recipient_email, recipient_name, subject, booking_id, quote_request_id, invoice_id,
  status, attempts, next_attempt_at, last_error, created_at, sent_at
) on public.emails to authenticated;
grant select on public.quote_email_logs to authenticated;
grant select, insert, update on public.emails, public.quote_email_logs to shop_server;

create policy "the admin reads delivery states" on public.emails
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads quote replies" on public.quote_email_logs
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads e-mails" on public.emails for select to shop_server using (true);
create policy "the server writes e-mails" on public.emails for insert to shop_server with check (true);
create policy "the server notes delivery" on public.emails for update to shop_server using (true) with check (true);
create policy "the server reads quote replies" on public.quote_email_logs for select to shop_server using (true);
create policy "the server logs quote replies" on public.quote_email_logs for insert to shop_server with check (true);
create policy "the server completes quote replies" on public.quote_email_logs
  for update to shop_server using (true) with check (true);
