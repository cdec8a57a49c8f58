-- Requests for a free quote, answered by e-mail.

create table public.quote_requests (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  email text not null check (length(email) between 1 and 254 and position('@' in email) > 0 and email !~ '[[:cntrl:]]'),
  phone text check (length(phone) <= 40 and phone !~ '[[:cntrl:]]'),
  vehicle_year text not null check (length(trim(vehicle_year)) between 1 and 20 and vehicle_year !~ '[[:cntrl:]]'),
  vehicle_make text not null check (length(trim(vehicle_make)) between 1 and 60 and vehicle_make !~ '[[:cntrl:]]'),
  vehicle_model text not null check (length(trim(vehicle_model)) between 1 and 60 and vehicle_model !~ '[[:cntrl:]]'),
  service_type text check (service_type in (
    'oil-change', 'brake-service', 'engine-repair', 'transmission', 'electrical',
    'ac-heating', 'performance', 'diagnostic', 'other'
  )),
  description text not null check (length(trim(description)) between 1 and 5000),
  status text not null default 'pending' check (status in ('pending', 'completed')),
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now()
);
comment on table public.quote_requests is 'Quote requests: pending until the reply e-mail was sent, then completed.';
comment on column public.quote_requests.flagged_reasons is
  'What looked automated about the request; empty for an ordinary one. Flagged requests are kept apart for the admin, never dropped.';
create index quote_requests_newest_first on public.quote_requests (created_at desc);

alter table public.quote_requests enable row level security;
grant insert (name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status)
  on public.quote_requests to anon, authenticated;
grant select, delete on public.quote_requests to authenticated;
grant update (status, flagged_reasons) on public.quote_requests to authenticated;
grant select, update (status) on public.quote_requests to shop_server;

create policy "anyone asks for a quote" on public.quote_requests
  for insert to anon, authenticated with check (status = 'pending');
create policy "the admin reads quote requests" on public.quote_requests
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes quote requests" on public.quote_requests
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "the admin deletes quote requests" on public.quote_requests
  for delete to authenticated using ((select internal.is_admin()));
create policy "the server reads quote requests" on public.quote_requests for select to shop_server using (true);
create policy "the server completes quote requests" on public.quote_requests
  for update to shop_server using (true) with check (true);
