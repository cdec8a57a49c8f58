-- Names the roles in the refusal of a procedure of the counter.
set local search_path = pg_catalog;

create or replace function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only an owner or an advisor may do this.' using errcode = '42501';
  end if;
end
$$;
