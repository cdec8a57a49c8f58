-- The services that customers can book. At least one service is always active, and a booking stores the name and the
-- price of its service.

create table public.services (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  description text not null default '' check (length(description) <= 1000),
  duration_minutes integer not null constraint services_duration_minutes_in_range check (duration_minutes between 5 and 720),
  is_active boolean not null default true,
  position integer constraint services_position_in_range check (position between 1 and 1000),
  price_from_cents integer
    constraint services_price_from_cents_in_range check (price_from_cents between 1 and 10000000),
  version integer not null default 1,
  constraint services_name_is_text check (internal.is_single_line_text(name, 1, 100)),
  constraint services_description_is_plain check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]')
);
comment on table public.services is
  'The services that customers can book. Only owners and advisors can change services.';
comment on column public.services.position is
  'The position of the service in the order that the admin saved. Services without a position come last, sorted as in '
  'docs/product.md 4.4.';
comment on column public.services.price_from_cents is
  'The price in cents that the service card shows as ''from''; null if the card shows no price.';

alter table public.services enable row level security;
grant select on public.services to anon, service_role, shop_server;
grant select on public.services to authenticated;
grant delete on public.services to shop_owner;
grant insert (name, description, duration_minutes, is_active, price_from_cents), update (name, description, duration_minutes, is_active,
  price_from_cents) on public.services to authenticated;
create policy "visitors read active services" on public.services for select to anon using (is_active);
-- The admin also reads inactive services, because the dashboard shows the services of old bookings.
create policy "the admin reads all services, others active ones" on public.services
  for select to authenticated using (is_active or (select internal.is_admin()));
create policy "the server reads all services" on public.services for select to shop_server using (true);
create policy "the admin adds services" on public.services for insert to authenticated with check ((select internal.is_admin()));
create policy "the admin changes services" on public.services
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
-- The foreign key of bookings prevents the deletion of a service that has bookings.
create policy "owners delete services" on public.services for delete to shop_owner using ((select internal.is_owner()));

create function internal.require_active_service() returns trigger
  -- Runs with the rights of the function's owner, because the function must also see active services that the row-level
  -- security policies hide from the role that writes the row.
  language plpgsql security definer set search_path = '' as $$
begin
  -- This statement trigger runs after the row trigger record_settings_change, which updates a row of
  -- settings_versions. The lock of that row makes concurrent changes of services wait for each other, so that each
  -- check sees all earlier changes.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;
comment on function internal.require_active_service() is
  'Refuses to deactivate or delete the last active service (TT053).';
create trigger require_active_service after update or delete on public.services
  for each statement execute function internal.require_active_service();

create trigger increment_version before update on public.services for each row execute function internal.increment_version();
create trigger record_settings_change after insert or update or delete on public.services
  for each row execute function internal.record_settings_change('services', 'name');

create function public.order_services(service_ids uuid[], seen_version integer) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to call begin_settings_change.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.begin_settings_change('services', seen_version);
  if array(select id from public.services order by id) <> array(select unnest(service_ids) order by 1) then
    raise exception 'service_ids must contain every service once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.services set position = array_position(service_ids, id)
  where position is distinct from array_position(service_ids, id);
  return (select version from public.settings_versions where section = 'services');
end
$$;
comment on function public.order_services(uuid[], integer) is
  'Saves the order of all services and returns the new version of the settings section ''services''; refuses an '
  'outdated version (TT051).';
grant execute on function public.order_services(uuid[], integer) to authenticated;

create function internal.save_service_bays(service uuid, bay_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'bay_not_found';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.bay_can_do_service(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- If the bay now has a row for every service, its rows are deleted. A bay without rows can do every service,
      -- also a service that is added later.
      delete from public.bay_services
      where bay_id = bay.id
        and not exists (select id from public.services except
                        select service_id from public.bay_services known where known.bay_id = bay.id);
    else
      if not exists (select from public.bay_services where bay_id = bay.id) then
        insert into public.bay_services (bay_id, service_id) select bay.id, id from public.services;
      end if;
      delete from public.bay_services where bay_id = bay.id and service_id = service;
      if not exists (select from public.bay_services where bay_id = bay.id) then
        raise exception '% can do nothing else.', bay.name using errcode = 'TT056', hint = 'bay_without_service';
      end if;
    end if;
  end loop;
end
$$;
comment on function internal.save_service_bays(uuid, uuid[]) is
  'Sets the bays that can do a service. With an empty list, every bay can do the service. Refuses a change that would '
  'leave a bay without any service (TT056).';

create function public.save_service(
  service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean,
  bay_ids uuid[], seen_version integer
) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to call save_service_bays.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  if save_service.service_id is null then
    -- If the admin saved an order of the services, the new service comes last. Otherwise no service has a position,
    -- max(position) is null, and the new service has no position either.
    insert into public.services (name, description, duration_minutes, price_from_cents, is_active, position)
    select trim(save_service.name), trim(save_service.description), save_service.duration_minutes,
           save_service.price_from_cents, save_service.is_active, max(position) + 1
    from public.services
    returning id into saved;
  else
    update public.services
    set name = trim(save_service.name), description = trim(save_service.description),
        duration_minutes = save_service.duration_minutes, price_from_cents = save_service.price_from_cents,
        is_active = save_service.is_active
    where id = save_service.service_id and version = seen_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.save_service_bays(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$$;
comment on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) is
  'Adds (service_id null) or changes a service; refuses an outdated version of the settings section ''services'' '
  '(TT051). bay_ids lists the bays that can do the service: an empty list means every bay, null means that the stored '
  'bays remain. Existing bookings keep the service''s former name, price and duration.';
grant execute on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) to authenticated;

create function internal.with_service_name(fields jsonb) returns jsonb
  language sql stable set search_path = ''
  return case
    when fields ? 'service_id' then
      fields - 'service_id' || jsonb_build_object(
        'service', (select name from public.services where id = (fields ->> 'service_id')::uuid)
      )
    else fields
  end;
comment on function internal.with_service_name(jsonb) is
  'Returns a row as JSON in which the name of the service replaces service_id.';
