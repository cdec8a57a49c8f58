
create table public.employees (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  is_active boolean not null default true,
  version integer not null default 1,
  constraint employees_name_is_text check (internal.is_single_line_text(name, 1, 100))
);
-- The constraint is `not valid`: PostgreSQL does not check existing rows, because an earlier version of the software
-- accepted other email addresses.
alter table public.employees add constraint employees_email_is_an_address check (internal.is_email_address(email)) not valid;
comment on table public.employees is 'The team members to whom tasks can be assigned.';

alter table public.employees enable row level security;
grant select on public.employees to authenticated;
grant insert (name, email, is_active), update (name, email, is_active) on public.employees to shop_owner;
create policy "the admin reads employees" on public.employees for select to authenticated using ((select internal.is_admin()));
create policy "owners add employees" on public.employees for insert to shop_owner with check ((select internal.is_owner()));
create policy "owners change employees" on public.employees
  for update to shop_owner using ((select internal.is_owner())) with check ((select internal.is_owner()));

create trigger increment_version before update on public.employees for each row execute function internal.increment_version();
create trigger record_settings_change after insert or update or delete on public.employees
  for each row execute function internal.record_settings_change('team', 'name');
