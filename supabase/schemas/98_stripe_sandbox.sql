-- The Stripe sandbox, which replaces Stripe while the shop has no Stripe account: its objects, the stored responses
-- for repeated idempotency keys, and the events that it has to deliver. No other table refers to these tables, which
-- remain empty if the shop uses Stripe from the start.

create schema stripe_sandbox;
comment on schema stripe_sandbox is 'The state of the payment sandbox, in which no money moves and which stores no card numbers.';
grant usage on schema stripe_sandbox to shop_server;

create sequence stripe_sandbox.invoice_number;
comment on sequence stripe_sandbox.invoice_number is
  'The sequence for the numbers of finalized invoices, such as TT-0001.';
grant usage on sequence stripe_sandbox.invoice_number to shop_server;

create table stripe_sandbox.objects (
  id text primary key check (length(id) between 4 and 100),
  object text not null,
  seq bigint generated always as identity unique,
  created bigint not null,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);
comment on table stripe_sandbox.objects is 'Every object of the Stripe sandbox, such as an invoice.';
comment on column stripe_sandbox.objects.object is
  'The type of the object as Stripe''s API names it, for example invoice or checkout.session.';
comment on column stripe_sandbox.objects.seq is
  'The number of the object in the order of creation, by which lists are paged.';
comment on column stripe_sandbox.objects.created is 'The time of creation in seconds since 1970, as in Stripe''s API.';
comment on column stripe_sandbox.objects.data is
  'The object in the form of Stripe''s API, with related objects as ids and with URLs relative to the site.';

create index objects_newest_first on stripe_sandbox.objects (object, seq desc);
create index objects_by_content on stripe_sandbox.objects using gin (data jsonb_path_ops);
create index open_sessions_by_expiry on stripe_sandbox.objects (((data ->> 'expires_at')::bigint))
  where object = 'checkout.session' and data ->> 'status' = 'open';
create index objects_by_number on stripe_sandbox.objects (lower(data ->> 'number')) where object = 'invoice';

alter table stripe_sandbox.objects enable row level security;
grant select, insert, update, delete on stripe_sandbox.objects to shop_server;
create policy "the server keeps the sandbox's objects" on stripe_sandbox.objects to shop_server using (true) with check (true);

create table stripe_sandbox.idempotency_keys (
  key text primary key check (length(key) between 1 and 255),
  fingerprint text not null,
  endpoint text not null,
  status integer,
  body jsonb,
  created bigint not null
);
comment on table stripe_sandbox.idempotency_keys is
  'The response to the first request with an idempotency key; a repeated request gets the same response. A row is '
  'deleted after a day.';
comment on column stripe_sandbox.idempotency_keys.fingerprint is 'The digest of the parameters with which the key was first used.';

create index idempotency_keys_by_age on stripe_sandbox.idempotency_keys (created);

alter table stripe_sandbox.idempotency_keys enable row level security;
grant select, insert, update, delete on stripe_sandbox.idempotency_keys to shop_server;
create policy "the server keeps the sandbox's replies" on stripe_sandbox.idempotency_keys to shop_server using (true) with check (true);

create table stripe_sandbox.event_deliveries (
  event_id text primary key references stripe_sandbox.objects (id) on delete cascade,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at bigint,
  delivered_at bigint,
  last_answer text check (length(last_answer) <= 200)
);
comment on table stripe_sandbox.event_deliveries is 'The webhook outbox: one row per event, with its delivery status.';
comment on column stripe_sandbox.event_deliveries.next_attempt_at is
  'The time of the next attempt in milliseconds since 1970; null after the delivery or the last attempt.';

create index event_deliveries_due on stripe_sandbox.event_deliveries (next_attempt_at) where next_attempt_at is not null;

alter table stripe_sandbox.event_deliveries enable row level security;
grant select, insert, update, delete on stripe_sandbox.event_deliveries to shop_server;
create policy "the server delivers the sandbox's events" on stripe_sandbox.event_deliveries to shop_server using (true) with check (true);

create function stripe_sandbox.forget_invoices(numbers text[]) returns text[]
  language plpgsql set search_path = '' as $$
declare
  deleted_ids text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  customer_ids constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (deleted_ids));
  deleted_event_ids text[];
begin
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (deleted_ids)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (deleted_ids)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (deleted_ids));
  -- Keeps customers that also have other invoices.
  deleted_ids := deleted_ids || array(
    select wanted from unnest(customer_ids) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (deleted_ids)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (deleted_ids);
  deleted_event_ids := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (deleted_ids));
  -- Locks the rows in the same order as the delivery of an event to the webhook: first the delivery, then its event.
  delete from stripe_sandbox.event_deliveries where event_id = any (deleted_event_ids);
  delete from stripe_sandbox.objects where id = any (deleted_ids || deleted_event_ids);
  return deleted_event_ids;
end
$$;
comment on function stripe_sandbox.forget_invoices(text[]) is
  'Deletes the invoices with the given numbers from the sandbox, with their items, payments, Checkout Sessions, '
  'refunds and events. Also deletes customers who have no other invoice. Returns the ids of the deleted events.';
