-- The tables of the sandbox. The host application creates them with its own migrations, and grants its role usage of
-- the schema and of the sequence, and select, insert, update and delete on the tables.

create schema stripe_sandbox;

-- Counts the invoices to which the sandbox assigned a number.
create sequence stripe_sandbox.invoice_number;

-- Every object of the account in the form of the API. References are ids, and URLs are relative to the public URL.
create table stripe_sandbox.objects (
  id text primary key check (length(id) between 4 and 100),
  -- The name of the kind of object in the API, for example invoice or checkout.session.
  object text not null,
  -- The position in the order of creation, which list cursors use.
  seq bigint generated always as identity unique,
  -- The time of creation in seconds since 1970.
  created bigint not null,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);
create index objects_newest_first on stripe_sandbox.objects (object, seq desc);
create index objects_by_content on stripe_sandbox.objects using gin (data jsonb_path_ops);
create index open_sessions_by_expiry on stripe_sandbox.objects (((data ->> 'expires_at')::bigint))
  where object = 'checkout.session' and data ->> 'status' = 'open';
create index objects_by_number on stripe_sandbox.objects (lower(data ->> 'number')) where object = 'invoice';

-- The response for each idempotency key, which the sandbox returns again for a repeated request. Deleted after a day.
create table stripe_sandbox.idempotency_keys (
  key text primary key check (length(key) between 1 and 255),
  -- A digest of the parameters of the first request with the key.
  fingerprint text not null,
  endpoint text not null,
  status integer,
  body jsonb,
  -- The time of the first request in seconds since 1970.
  created bigint not null
);
create index idempotency_keys_by_age on stripe_sandbox.idempotency_keys (created);

-- The delivery status of each event.
create table stripe_sandbox.event_deliveries (
  event_id text primary key references stripe_sandbox.objects (id) on delete cascade,
  attempts integer not null default 0 check (attempts >= 0),
  -- The time of the next delivery attempt in milliseconds since 1970; null after the delivery or the last attempt.
  next_attempt_at bigint,
  -- The time at which the endpoint accepted the event, in milliseconds since 1970; null before.
  delivered_at bigint,
  -- The status of the last response, or the name of the error.
  last_answer text check (length(last_answer) <= 200)
);
create index event_deliveries_due on stripe_sandbox.event_deliveries (next_attempt_at) where next_attempt_at is not null;
