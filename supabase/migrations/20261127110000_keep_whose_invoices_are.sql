-- The processor keeps the invoices; here stands whose each is, so that a person is asked for once.

create table public.invoice_links (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text check (length(number) between 1 and 100),
  person_id uuid references public.people,
  car_id uuid references public.cars,
  booking_id uuid references public.bookings on delete set null,
  customer_name text not null check (length(customer_name) <= 200),
  total_cents bigint not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null check (length(status) between 1 and 30),
  made_at timestamptz not null,
  search_text text not null generated always as (internal.plain(coalesce(number, '') || ' ' || customer_name)) stored
);
comment on table public.invoice_links is
  'Whose an invoice is, with what a list shows of it. A record of a transaction: it stays three years, also without its person.';
comment on column public.invoice_links.customer_name is 'As the invoice has it.';
comment on column public.invoice_links.status is 'The processor''s word when it was last heard of: open, paid, void, uncollectible.';
comment on column public.invoice_links.total_cents is 'Minor units of the currency.';
create index invoice_links_of_person on public.invoice_links (person_id, made_at desc);
create index invoice_links_of_car on public.invoice_links (car_id) where car_id is not null;
create index invoice_links_of_booking on public.invoice_links (booking_id) where booking_id is not null;
create index invoice_links_by_search_text on public.invoice_links
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
alter table public.invoice_links enable row level security;
grant select on public.invoice_links to authenticated;
create policy "the admin reads whose invoices are" on public.invoice_links
  for select to authenticated using ((select internal.is_admin()));

create or replace function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- The mark is older than the invoice: no header that names a wish can begin like this.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$$;

create function internal.is_sample_invoice(number text) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from internal.sample_invoices() sample where sample.number = is_sample_invoice.number);
comment on function internal.is_sample_invoice(text) is 'Whether an invoice of this number belongs to the sample week.';

create function internal.link_invoice(invoice jsonb) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  made_at constant timestamptz := to_timestamp((invoice ->> 'made_at')::bigint);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  person uuid;
begin
  update public.invoice_links
  set number = invoice ->> 'number', status = invoice ->> 'status', total_cents = (invoice ->> 'total_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  person := coalesce(estimate.person_id, internal.ensure_person(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'))));
  insert into public.invoice_links (
    invoice_id, number, person_id, car_id, booking_id, customer_name, total_cents, currency, status, made_at)
  values (
    invoice ->> 'id', invoice ->> 'number', person, estimate.car_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, invoice ->> 'currency', invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
end
$$;
comment on function internal.link_invoice(jsonb) is
  'Notes whose an invoice is, once, and how it stands, each time: {id, number, name, email, phone, total_cents, currency, status, '
  'made_at (seconds since 1970)}. That of an estimate is its person''s, else by address and number.';
grant execute on function internal.link_invoice(jsonb) to shop_server;

create table internal.invoice_backfill (
  id boolean primary key default true constraint invoice_backfill_is_one_row check (id),
  after_invoice_id text,
  done_at timestamptz
);
comment on table internal.invoice_backfill is
  'How far the invoices of before people were known were asked of the processor, in one row.';
insert into internal.invoice_backfill default values;
alter table internal.invoice_backfill enable row level security;
grant select, update (after_invoice_id, done_at) on internal.invoice_backfill to shop_server;
create policy "the server reads how far invoices are linked" on internal.invoice_backfill for select to shop_server using (true);
create policy "the server notes how far invoices are linked" on internal.invoice_backfill
  for update to shop_server using (true) with check (true);
