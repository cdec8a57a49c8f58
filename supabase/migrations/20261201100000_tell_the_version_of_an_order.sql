-- Presses in a row are each saved over what the one before left: only the database can say which version that is, for
-- whatever is read meanwhile may be somebody else's.
drop function public.order_services(uuid[], integer);
create function public.order_services(service_ids uuid[], expected_version integer) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_change('services', expected_version);
  if array(select id from public.services order by id) <> array(select unnest(service_ids) order by 1) then
    raise exception 'service_ids is every service once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.services set position = array_position(service_ids, id)
  where position is distinct from array_position(service_ids, id);
  return (select version from public.settings_versions where section = 'services');
end
$$;
comment on function public.order_services(uuid[], integer) is
  'Puts all services in this order, when the section services is of the expected version; returns the version it is of '
  'then.';
grant execute on function public.order_services(uuid[], integer) to authenticated;
