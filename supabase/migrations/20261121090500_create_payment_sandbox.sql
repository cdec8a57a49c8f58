-- What stands in for the payment processor while the shop has no account with it: its objects, the
-- replies it promised to repeat, and the events it still has to deliver. The product's own tables
-- never refer to any of this; with a processor's key configured the schema simply stays empty.

create schema stripe_sandbox;
comment on schema stripe_sandbox is 'State of the payment sandbox. No money, no card numbers.';
grant usage on schema stripe_sandbox to shop_server;

create table stripe_sandbox.objects (
  id text primary key check (length(id) between 4 and 100),
  object text not null,
  seq bigint generated always as identity unique,
  created bigint not null,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);
comment on table stripe_sandbox.objects is 'Every object of the processor''s API, as the API shows it.';
comment on column stripe_sandbox.objects.object is 'The API''s name of the kind, for example invoice or checkout.session.';
comment on column stripe_sandbox.objects.seq is 'Order of creation: what list cursors walk along.';
comment on column stripe_sandbox.objects.created is 'Seconds since 1970, as everywhere in the API.';
comment on column stripe_sandbox.objects.data is 'The answer of the API with ids unexpanded and our own addresses relative to the site.';
create index objects_newest_first on stripe_sandbox.objects (object, seq desc);
create index objects_by_content on stripe_sandbox.objects using gin (data jsonb_path_ops);
create index open_sessions_by_expiry on stripe_sandbox.objects (((data ->> 'expires_at')::bigint))
  where object = 'checkout.session' and data ->> 'status' = 'open';

create sequence stripe_sandbox.invoice_number;
comment on sequence stripe_sandbox.invoice_number is 'Counts finalized invoices for numbers like TT-0001.';

create table stripe_sandbox.idempotency_keys (
  key text primary key check (length(key) between 1 and 255),
  fingerprint text not null,
  endpoint text not null,
  status integer,
  body jsonb,
  created bigint not null
);
comment on table stripe_sandbox.idempotency_keys is 'What was answered to a key, so that the same request is answered the same again. Kept for a day.';
comment on column stripe_sandbox.idempotency_keys.fingerprint is 'Digest of the parameters the key was first used with.';
create index idempotency_keys_by_age on stripe_sandbox.idempotency_keys (created);

create table stripe_sandbox.event_deliveries (
  event_id text primary key references stripe_sandbox.objects (id) on delete cascade,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at bigint,
  delivered_at bigint,
  last_answer text check (length(last_answer) <= 200)
);
comment on table stripe_sandbox.event_deliveries is 'The webhook outbox: one row an event, with its delivery state.';
comment on column stripe_sandbox.event_deliveries.next_attempt_at is 'Milliseconds since 1970; null once delivered or given up.';
create index event_deliveries_due on stripe_sandbox.event_deliveries (next_attempt_at)
  where next_attempt_at is not null;

alter table stripe_sandbox.objects enable row level security;
alter table stripe_sandbox.idempotency_keys enable row level security;
alter table stripe_sandbox.event_deliveries enable row level security;

grant select, insert, update, delete on stripe_sandbox.objects, stripe_sandbox.idempotency_keys,
  stripe_sandbox.event_deliveries to shop_server;
grant usage on sequence stripe_sandbox.invoice_number to shop_server;

create policy "the server keeps the sandbox's objects" on stripe_sandbox.objects
  to shop_server using (true) with check (true);
create policy "the server keeps the sandbox's replies" on stripe_sandbox.idempotency_keys
  to shop_server using (true) with check (true);
create policy "the server delivers the sandbox's events" on stripe_sandbox.event_deliveries
  to shop_server using (true) with check (true);
