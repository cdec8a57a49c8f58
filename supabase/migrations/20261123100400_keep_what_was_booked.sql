-- Services and employees are the admin's to change. What was booked keeps the words and the price it was booked with.

update public.services set name = trim(regexp_replace(name, '[[:cntrl:]]+', ' ', 'g')) where name ~ '[[:cntrl:]]';
alter table public.services
  drop constraint services_name_check,
  add column position integer constraint services_position_in_range check (position between 1 and 1000),
  add column price_from_cents integer
    constraint services_price_from_cents_in_range check (price_from_cents between 1 and 10000000),
  add column version integer not null default 1,
  add constraint services_name_is_text check (internal.is_line(name, 1, 100)),
  add constraint services_description_is_plain
    check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');
alter table public.services rename constraint services_duration_minutes_check to services_duration_minutes_in_range;
comment on table public.services is 'What customers can book; the admin changes it.';
comment on column public.services.position is
  'Their order once the admin gave one; those without come after, as docs/product.md 4.4 orders them.';
comment on column public.services.price_from_cents is 'What it costs at least, for its card; null says nothing.';
comment on column public.services.version is 'Counts its changes: an update names the one it saw.';

grant insert (name, description, duration_minutes, price_from_cents, is_active),
  update (name, description, duration_minutes, price_from_cents, is_active), delete on public.services to authenticated;
create policy "the admin adds services" on public.services
  for insert to authenticated with check ((select internal.is_admin()));
create policy "the admin changes services" on public.services
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
-- One that was booked is kept by its appointments.
create policy "the admin deletes services" on public.services
  for delete to authenticated using ((select internal.is_admin()));
create trigger count_version before update on public.services
  for each row execute function internal.count_version();

create function internal.keep_one_service() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- After the rows' own triggers, which let one change of services pass at a time.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;
comment on function internal.keep_one_service() is 'Refuses to hide or delete the last service that can be booked.';
create trigger keep_one_service after update or delete on public.services
  for each statement execute function internal.keep_one_service();

alter table public.bookings
  add column service_name text,
  add column service_price_cents integer;
update public.bookings booking set service_name = service.name
from public.services service where service.id = booking.service_id;
alter table public.bookings alter column service_name set not null;
comment on column public.bookings.service_name is 'The service''s name when it was booked; later changes of the service leave it.';
comment on column public.bookings.service_price_cents is 'The price that its card named at least when it was booked, if any.';

create function internal.snapshot_service() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.service_name is null then
    select name, price_from_cents into new.service_name, new.service_price_cents
    from public.services where id = new.service_id;
  end if;
  return new;
end
$$;
comment on function internal.snapshot_service() is 'An appointment remembers what was booked as it was called then.';
create trigger snapshot_service before insert on public.bookings
  for each row execute function internal.snapshot_service();

update public.employees set name = trim(regexp_replace(name, '[[:cntrl:]]+', ' ', 'g')) where name ~ '[[:cntrl:]]';
alter table public.employees
  drop constraint employees_name_check,
  drop constraint employees_email_check,
  add column version integer not null default 1,
  add constraint employees_name_is_text check (internal.is_line(name, 1, 100)),
  -- What an earlier version of the site took stays as it is.
  add constraint employees_email_is_an_address check (internal.is_email_address(email)) not valid;
comment on column public.employees.version is 'Counts its changes: an update names the one it saw.';
grant insert (name, email, is_active), update (name, email, is_active) on public.employees to authenticated;
create policy "the admin adds employees" on public.employees
  for insert to authenticated with check ((select internal.is_admin()));
create policy "the admin changes employees" on public.employees
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create trigger count_version before update on public.employees
  for each row execute function internal.count_version();
