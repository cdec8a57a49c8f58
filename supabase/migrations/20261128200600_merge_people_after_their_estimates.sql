-- A merge held its people and waited for an estimate, whoever saved that estimate held it and waited for its person: one of
-- the two was ended (40P01), mostly the save.

create or replace function public.merge_people(
  kept_id uuid, gone_id uuid, kept_version integer, gone_version integer, from_gone text[] default '{}'
)
  returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  kept public.people;
  gone public.people;
  pair record;
  merge uuid;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(kept_id, gone_id);
  perform internal.lock_calendar();
  -- Who saves an estimate holds it before its person.
  perform from public.estimates where person_id in (kept_id, gone_id) order by id for update;
  perform from public.people where id in (kept_id, gone_id) order by id for update;
  kept := internal.take_person(kept_id, kept_version);
  gone := internal.take_person(gone_id, gone_version);
  update public.people set merged_into = kept.id where id = gone.id;
  update public.people
  set name = case when 'name' = any (from_gone) then gone.name else name end,
      email = case when 'email' = any (from_gone) then coalesce(gone.email, email) else coalesce(email, gone.email) end,
      phone = case when 'phone' = any (from_gone) then coalesce(gone.phone, phone) else coalesce(phone, gone.phone) end,
      created_at = least(created_at, gone.created_at)
  where id = kept.id;
  insert into public.record_merges (kind, kept_id, gone_id, moved, before, merged_by_name)
  select 'person', kept.id, gone.id, internal.move_references('person', gone.id, kept.id),
         internal.what_changed(to_jsonb(kept), to_jsonb(person)), internal.author_name(null)
  from public.people person where id = kept.id
  returning id into merge;
  for pair in
    select own as kept, other as gone from public.cars other
    join public.cars own on own.id = internal.same_car(kept.id, other)
    join public.record_merges done on done.id = merge
    where done.moved -> 'public.cars.person_id' ? other.id::text and other.merged_into is null
      and not done.moved -> 'public.cars.person_id' ? own.id::text
    for update of own, other
  loop
    perform internal.put_cars_together(pair.kept, pair.gone, merge);
  end loop;
  return merge;
end
$$;
