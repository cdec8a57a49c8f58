-- What customers can book, and who works in the shop.

create table public.services (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(trim(name)) between 1 and 100),
  description text not null default '' check (length(description) <= 1000),
  duration_minutes integer not null check (duration_minutes between 5 and 720),
  is_active boolean not null default true
);
comment on table public.services is 'Services that can be booked online; read only for everyone but the owner.';
alter table public.services enable row level security;
grant select on public.services to anon, authenticated, shop_server;
create policy "visitors read active services" on public.services
  for select to anon using (is_active);
-- The dashboard also names the service of an old appointment that is no longer offered.
create policy "the admin reads all services, others active ones" on public.services
  for select to authenticated using (is_active or (select internal.is_admin()));
create policy "the server reads all services" on public.services for select to shop_server using (true);

create table public.employees (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 100),
  email text not null unique check (length(email) between 3 and 254 and position('@' in email) > 0),
  is_active boolean not null default true
);
comment on table public.employees is 'Whom a task can be assigned to.';
alter table public.employees enable row level security;
grant select on public.employees to authenticated;
create policy "the admin reads employees" on public.employees
  for select to authenticated using ((select internal.is_admin()));
