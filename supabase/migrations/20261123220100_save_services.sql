-- A service is saved with the bays that can do it, in one step and by whoever saw its latest version.

create function internal.tie_service(service uuid, bay_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'unknown_bay';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.can_do(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- A bay that can do all of them names none, so that it can do the next one too.
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
comment on function internal.tie_service(uuid, uuid[]) is
  'Lets only these bays do a service; none is any bay. Refuses to leave a bay without a service.';

create function public.save_service(
  service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean,
  bay_ids uuid[], expected_version integer
)
  returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if save_service.service_id is null then
    -- Behind the others, once they have an order.
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
    where id = save_service.service_id and version = expected_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'changed_meanwhile';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.tie_service(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$$;
comment on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) is
  'Adds a service (service_id null) or changes the one that is still of the expected version. bay_ids are the only bays that '
  'can do it; none is any bay, null leaves them as they are. Appointments keep what they were booked with.';
grant execute on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) to authenticated;
