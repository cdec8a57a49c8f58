-- The position on the map belongs to the address that it was entered with.

alter table public.shop
  alter column latitude drop not null,
  alter column longitude drop not null,
  add constraint shop_position_is_whole check ((latitude is null) = (longitude is null));
comment on column public.shop.latitude is
  'WGS 84 degrees, like longitude: where the map is centered. Null while the position of the address is not known.';

create function internal.clear_old_position() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.latitude := null;
  new.longitude := null;
  return new;
end
$$;
comment on function internal.clear_old_position() is
  'Clears the position when the address changes and the position does not: it is the position of the old address.';
grant execute on function internal.clear_old_position() to authenticated;
create trigger clear_old_position before update on public.shop
  for each row when (
    (new.street, new.city, new.state, new.postal_code, new.country)
      is distinct from (old.street, old.city, old.state, old.postal_code, old.country)
    and (new.latitude, new.longitude) is not distinct from (old.latitude, old.longitude))
  execute function internal.clear_old_position();
