-- Two records of one customer or of one vehicle become one, and can be taken apart again for thirty days:
-- `record_merges` keeps what was moved. `merge_rules` says for every column that refers to a customer or a vehicle what a
-- merge does with it, and a merge refuses to run while a reference is undecided.

create table public.record_merges (
  id uuid primary key default gen_random_uuid(),
  kind text not null constraint record_merges_kind_is_known check (kind in ('person', 'car')),
  kept_id uuid not null,
  gone_id uuid not null,
  part_of uuid references public.record_merges,
  moved jsonb not null default '{}',
  before jsonb not null default '{}',
  merged_by_name text not null check (length(merged_by_name) <= 100),
  merged_at timestamptz not null default internal.current_instant(),
  undone_at timestamptz,
  constraint record_merges_are_of_two check (kept_id <> gone_id)
);
comment on table public.record_merges is 'Which people and cars were put together, with what it takes to take them apart.';
comment on column public.record_merges.part_of is 'The merge of two people in which these two cars of theirs became one.';
comment on column public.record_merges.moved is 'Keys of the rows that moved, by table and column: {"public.bookings.person_id": […]}.';
comment on column public.record_merges.before is 'The columns of the kept one that it changed, {before, after}.';

create index record_merges_of_kept on public.record_merges (kept_id);
create index record_merges_of_gone on public.record_merges (gone_id);
create index record_merges_of_part on public.record_merges (part_of) where part_of is not null;

alter table public.record_merges enable row level security;
grant select on public.record_merges to authenticated;
create policy "the admin reads merges" on public.record_merges for select to authenticated using ((select internal.is_admin()));

create table internal.merge_rules (
  kind text not null check (kind in ('person', 'car')),
  table_name text not null,
  column_name text not null,
  key_column text not null default 'id',
  rule text not null check (rule in ('moves', 'stays')),
  primary key (table_name, column_name)
);
comment on table internal.merge_rules is
  'What a merge does with each foreign key to people and cars: its rows move to the one that is kept, or stay. One that is '
  'not decided here refuses every merge.';
comment on column internal.merge_rules.key_column is 'What names a row, for the way back.';

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('person', 'public.bookings', 'person_id', 'id', 'moves'),
  ('person', 'public.quote_requests', 'person_id', 'id', 'moves'),
  ('person', 'public.invoice_links', 'person_id', 'invoice_id', 'moves'),
  ('person', 'public.cars', 'person_id', 'id', 'moves'),
  ('person', 'public.person_contacts', 'person_id', 'id', 'moves'),
  ('person', 'public.person_notes', 'person_id', 'id', 'moves'),
  -- An old id leads on, step by step; who is another than one was another than that one.
  ('person', 'public.people', 'merged_into', 'id', 'stays'),
  ('person', 'public.different_people', 'person_id', 'person_id', 'stays'),
  ('person', 'public.different_people', 'other_id', 'other_id', 'stays'),
  ('car', 'public.bookings', 'car_id', 'id', 'moves'),
  ('car', 'public.quote_requests', 'car_id', 'id', 'moves'),
  ('car', 'public.invoice_links', 'car_id', 'invoice_id', 'moves'),
  ('car', 'public.odometer_readings', 'car_id', 'id', 'moves'),
  ('car', 'public.cars', 'merged_into', 'id', 'stays')
on conflict do nothing;

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('person', 'public.estimates', 'person_id', 'id', 'moves'),
  ('car', 'public.estimates', 'car_id', 'id', 'moves')
on conflict do nothing;

alter table internal.merge_rules enable row level security;

create function internal.undecided_references() returns setof text
  language sql stable
  set search_path = ''
as $$
  select conrelid::regclass::text || '.' || attname
  from pg_catalog.pg_constraint
  join pg_catalog.pg_attribute on attrelid = conrelid and attnum = any (conkey)
  where contype = 'f' and confrelid in ('public.people'::regclass, 'public.cars'::regclass)
    and not exists (
      select from internal.merge_rules
      where table_name::regclass = conrelid and column_name = attname
        and kind = case confrelid when 'public.people'::regclass then 'person' else 'car' end)
$$;
comment on function internal.undecided_references() is 'Foreign keys to people and cars, from the catalog, that no rule of a merge knows.';

create function internal.move_references(kind text, from_id uuid, to_id uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
  keys jsonb;
  moved jsonb := '{}';
begin
  if exists (select from internal.undecided_references()) then
    raise exception 'No rule says what a merge does with %.', (select string_agg(name, ', ') from internal.undecided_references() name);
  end if;
  for rule in select * from internal.merge_rules known where known.kind = move_references.kind and known.rule = 'moves' loop
    execute format(
      'with moved as (update %1$s set %2$I = $2 where %2$I = $1 returning %3$I as key) select coalesce(jsonb_agg(key), ''[]'') from moved',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    into keys using from_id, to_id;
    moved := moved || jsonb_build_object(rule.table_name || '.' || rule.column_name, keys);
  end loop;
  return moved;
end
$$;
comment on function internal.move_references(text, uuid, uuid) is
  'Moves every row that belongs to one person or car to another; returns which, by table and column.';

create function internal.move_references_back(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
begin
  for rule in select * from internal.merge_rules known where known.kind = merge.kind and known.rule = 'moves' loop
    execute format(
      'update %1$s set %2$I = $2 where %2$I = $1 and %3$I::text in (select jsonb_array_elements_text($3))',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    using merge.kept_id, merge.gone_id, coalesce(merge.moved -> (rule.table_name || '.' || rule.column_name), '[]');
  end loop;
end
$$;
comment on function internal.move_references_back(public.record_merges) is
  'Gives back what a merge moved and nobody has moved on since.';

create function internal.person_now(person uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, erased_at, 1 as step from public.people where id = person
    union all
    select next.id, next.merged_into, next.erased_at, led.step + 1
    from led join public.people next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null and erased_at is null
$$;
comment on function internal.person_now(uuid) is
  'Who a person turned out to be: the id itself, or where merges lead from it; null for none and for one who was erased.';

create function internal.car_now(car uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.cars where id = car
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.cars next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;
comment on function internal.car_now(uuid) is 'Which car one turned out to be: the id itself, or where merges lead from it; null for none.';

create function internal.take_person(wanted uuid, expected_version integer) returns public.people
  language plpgsql
  set search_path = ''
as $$
declare
  person public.people;
begin
  select * into person from public.people where id = wanted for update;
  if person.id is null or person.erased_at is not null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  if person.merged_into is not null then
    raise exception 'This person was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = coalesce(internal.person_now(wanted)::text, '');
  end if;
  if person.version is distinct from expected_version then
    raise exception 'This person was changed meanwhile.' using errcode = 'TT093', hint = 'changed_meanwhile';
  end if;
  return person;
end
$$;
comment on function internal.take_person(uuid, integer) is
  'A person of the expected version, whom nobody else changes until the transaction ends.';

create function internal.take_car(wanted uuid, expected_version integer) returns public.cars
  language plpgsql
  set search_path = ''
as $$
declare
  car public.cars;
begin
  select * into car from public.cars where id = wanted for update;
  if car.id is null or internal.is_erased(car.person_id) then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'car_not_found';
  end if;
  if car.merged_into is not null then
    raise exception 'This car was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = internal.car_now(wanted);
  end if;
  if car.version is distinct from expected_version then
    raise exception 'This car was changed meanwhile.' using errcode = 'TT093', hint = 'changed_meanwhile';
  end if;
  return car;
end
$$;
comment on function internal.take_car(uuid, integer) is 'A car of the expected version, which nobody else changes until the transaction ends.';

create function internal.refuse_self_merge(kept_id uuid, gone_id uuid) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if kept_id is null or gone_id is null or kept_id = gone_id then
    raise exception 'Two different ones are merged.' using errcode = 'TT091', hint = 'same_record';
  end if;
end
$$;
comment on function internal.refuse_self_merge(uuid, uuid) is 'Refuses to merge one with itself or with nothing.';

create function internal.put_cars_together(kept public.cars, gone public.cars, in_merge uuid default null) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  merge uuid;
begin
  -- First: what is written on the one that goes must not stand in the way.
  update public.cars set merged_into = kept.id where id = gone.id;
  update public.cars
  set color = coalesce(color, gone.color), plate = coalesce(plate, gone.plate), vin = coalesce(vin, gone.vin),
      note = coalesce(note, gone.note), created_at = least(created_at, gone.created_at)
  where id = kept.id;
  insert into public.record_merges (kind, kept_id, gone_id, part_of, moved, before, merged_by_name)
  select 'car', kept.id, gone.id, in_merge, internal.move_references('car', gone.id, kept.id),
         internal.what_changed(to_jsonb(kept), to_jsonb(car)), internal.author_name(null)
  from public.cars car where id = kept.id
  returning id into merge;
  return merge;
end
$$;
comment on function internal.put_cars_together(public.cars, public.cars, uuid) is
  'Makes one car of two; what only one of them says stays said. Returns the merge.';

create function internal.what_changed(row_then jsonb, row_now jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_object_agg(key, jsonb_build_object('before', value, 'after', row_now -> key)), '{}')
    from jsonb_each(row_then)
    where row_now -> key is distinct from value
      and key in ('name', 'email', 'phone', 'color', 'plate', 'vin', 'note', 'created_at')
  );
comment on function internal.what_changed(jsonb, jsonb) is 'What a merge changed of the one that is kept: {column: {before, after}}.';

create function public.merge_people(
  kept_id uuid, gone_id uuid, kept_version integer, gone_version integer, from_gone text[] default '{}'
)
  returns uuid
  language plpgsql
  -- The admin has no right to write people and record_merges. require_admin() checks the caller.
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
      email = internal.merged_email(kept, gone, 'email' = any (from_gone)),
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
comment on function public.merge_people(uuid, uuid, integer, integer, text[]) is
  'Puts two people together and returns the merge: everything of the second becomes the first''s, cars that are the same become '
  'one, and the second''s id leads to the first. from_gone names what is taken from the second where both say something: '
  'name, email, phone; the other stays known too. Both are of the versions that were seen.';
grant execute on function public.merge_people(uuid, uuid, integer, integer, text[]) to authenticated;

create function internal.same_car(person uuid, car public.cars) returns uuid
  language sql stable
  set search_path = ''
  return (
    select own.id from public.cars own
    where own.person_id = person and own.id <> car.id and own.merged_into is null
      and (own.vin = car.vin or own.plate_key = car.plate_key
           or own.car_key = car.car_key and coalesce(own.vin = car.vin, true) and coalesce(own.plate_key = car.plate_key, true))
    order by own.vin = car.vin desc nulls last, own.plate_key = car.plate_key desc nulls last, own.created_at, own.id limit 1
  );
comment on function internal.same_car(uuid, public.cars) is 'Another car of a person that is this one, as docs/product.md 16.2 says; null when none is.';

create function public.merge_cars(kept_id uuid, gone_id uuid, kept_version integer, gone_version integer) returns uuid
  language plpgsql
  -- The admin has no right to call refuse_self_merge, lock_calendar and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept public.cars;
  gone public.cars;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(kept_id, gone_id);
  perform internal.lock_calendar();
  perform from public.cars where id in (kept_id, gone_id) order by id for update;
  kept := internal.take_car(kept_id, kept_version);
  gone := internal.take_car(gone_id, gone_version);
  if kept.person_id <> gone.person_id then
    raise exception 'These are cars of two people.' using errcode = 'TT091', hint = 'cars_of_two_people';
  end if;
  return internal.put_cars_together(kept, gone);
end
$$;
comment on function public.merge_cars(uuid, uuid, integer, integer) is
  'Makes one of two cars of a person and returns the merge: everything of the second becomes the first''s.';
grant execute on function public.merge_cars(uuid, uuid, integer, integer) to authenticated;

create function internal.restore_kept(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.before) loop
    -- What somebody wrote since stays.
    execute format(
      'update public.%1$I kept set %2$I = (jsonb_populate_record(kept, $2)).%2$I where id = $1 and to_jsonb(kept) -> %2$L = $3',
      case merge.kind when 'person' then 'people' else 'cars' end, changed.key)
    using merge.kept_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$$;
comment on function internal.restore_kept(public.record_merges) is 'Gives the one that was kept back what the merge had changed of it.';

create function internal.take_apart(merge public.record_merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  part public.record_merges;
begin
  for part in select * from public.record_merges where part_of = merge.id and undone_at is null loop
    perform internal.take_apart(part);
  end loop;
  perform internal.restore_kept(merge);
  perform internal.move_references_back(merge);
  if merge.kind = 'person' then
    update public.people set merged_into = null where id = merge.gone_id;
  else
    update public.cars set merged_into = null where id = merge.gone_id;
  end if;
  update public.record_merges set undone_at = internal.current_instant() where id = merge.id;
end
$$;
comment on function internal.take_apart(public.record_merges) is 'Undoes a merge, the cars that were put together in it first.';

create function public.undo_merge(merge_id uuid) returns void
  language plpgsql
  -- The admin has no right to call lock_calendar and take_apart. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  merge public.record_merges;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into merge from public.record_merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- The second of two clicks finds what the first one wanted.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge is taken apart within 30 days.' using errcode = 'TT094', hint = 'undo_too_late';
  end if;
  if merge.part_of is not null or exists (
    select from public.record_merges later where later.gone_id = merge.kept_id and later.undone_at is null) then
    raise exception 'Take the merge of both apart first.' using errcode = 'TT095', hint = 'later_merge_first';
  end if;
  perform from public.people where id in (merge.kept_id, merge.gone_id) order by id for update;
  perform internal.take_apart(merge);
end
$$;
comment on function public.undo_merge(uuid) is
  'Takes apart what was merged in the last 30 days: what moved moves back, what came since stays with the one that was kept.';
grant execute on function public.undo_merge(uuid) to authenticated;

create function public.keep_people_apart(person_id uuid, other_id uuid) returns void
  language plpgsql
  -- The admin has no right to write different_people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(person_id, other_id);
  insert into public.different_people (person_id, other_id)
  select least(keep_people_apart.person_id, keep_people_apart.other_id), greatest(keep_people_apart.person_id, keep_people_apart.other_id)
  on conflict do nothing;
end
$$;
comment on function public.keep_people_apart(uuid, uuid) is 'Notes that two are not the same: nobody is asked again.';
grant execute on function public.keep_people_apart(uuid, uuid) to authenticated;

create function internal.make_person_of(booking public.bookings) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.lock_people(array[lower(booking.customer_email), internal.canonical_phone(booking.customer_phone)]);
  insert into public.people (name, email, phone, created_at, is_sample)
  values (booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at, booking.is_sample)
  returning id into person;
  perform internal.add_contacts(person, booking.customer_email, booking.customer_phone,
    not internal.was_typed_online(booking.id) or internal.is_confirmed_email(booking.person_id, booking.customer_email));
  return person;
end
$$;
comment on function internal.make_person_of(public.bookings) is 'A new person as an appointment describes them, whoever has that address already.';

create function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
  -- The admin has no right to write estimates, odometer_readings and invoice_links.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(split_booking.booking_id);
  former constant uuid := booking.person_id;
  person uuid;
begin
  if internal.is_erased(former) then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  perform internal.lock_people(array[lower(booking.customer_email), internal.canonical_phone(booking.customer_phone)]);
  perform from public.people where id = former for update;
  person := internal.make_person_of(booking);
  update public.bookings
  set person_id = person,
      car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set person_id = person, car_id = booking.car_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set car_id = booking.car_id where reading.booking_id = booking.id and booking.car_id is not null;
  update public.invoice_links links set person_id = person, car_id = booking.car_id where links.booking_id = booking.id;
  perform internal.forget_what_left(former, person);
  return person;
end
$$;
comment on function public.split_booking(uuid) is
  'Makes the person of an appointment somebody of their own, with its car and its invoice, and returns who it is. The way back '
  'is a merge.';
grant execute on function public.split_booking(uuid) to authenticated;

create function public.split_car(car_id uuid, expected_version integer) returns uuid
  language plpgsql
  -- The admin has no right to write cars, estimates and invoice_links. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  car public.cars;
  latest public.bookings;
  person uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  car := internal.take_car(split_car.car_id, expected_version);
  select * into latest from public.bookings booking
  where booking.car_id = car.id and not internal.is_erased(booking.person_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment says whose this car is.' using errcode = 'TT090', hint = 'car_without_visit';
  end if;
  -- Everything about the car goes along: not to an address that was only typed online.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_people(array[lower(latest.customer_email), internal.canonical_phone(latest.customer_phone)]);
  perform from public.people where id = car.person_id for update;
  person := internal.make_person_of(latest);
  update public.cars set person_id = person where id = car.id;
  update public.bookings booking set person_id = person where booking.car_id = car.id and not internal.is_erased(booking.person_id);
  update public.quote_requests quote set person_id = person where quote.car_id = car.id and not internal.is_erased(quote.person_id);
  update public.estimates estimate set person_id = person where estimate.car_id = car.id and not internal.is_erased(estimate.person_id);
  update public.invoice_links links set person_id = person where links.car_id = car.id and not internal.is_erased(links.person_id);
  perform internal.forget_what_left(car.person_id, person);
  return person;
end
$$;
comment on function public.split_car(uuid, integer) is
  'Makes whoever came with a car somebody of their own, as its latest appointment names them, with everything about the car; '
  'returns who it is. The way back is a merge.';
grant execute on function public.split_car(uuid, integer) to authenticated;

create function internal.forget_what_left(former uuid, person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.person_contacts contact
  using public.people known
  where known.id = former and contact.person_id = former
    and exists (
      select from public.person_contacts theirs
      where theirs.person_id = person and theirs.kind = contact.kind and theirs.key = contact.key)
    and contact.key is distinct from lower(known.email) and contact.key is distinct from known.phone_key
    and not exists (select from public.bookings where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)))
    and not exists (select from public.quote_requests where person_id = former
                    and contact.key in (lower(email), internal.canonical_phone(phone)))
    and not exists (select from public.estimates where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)));
end
$$;
comment on function internal.forget_what_left(uuid, uuid) is
  'Forgets of a person how only the one was reached who was split from them: none of their own records says so any more.';

create function internal.merged_email(kept public.people, gone public.people, takes_gone boolean) returns text
  language sql stable
  set search_path = ''
  return case when takes_gone
    then coalesce(gone.email, case when internal.is_confirmed_email(kept.id, kept.email) then kept.email end)
    else coalesce(kept.email, case when internal.is_confirmed_email(gone.id, gone.email) then gone.email end) end;
comment on function internal.merged_email(public.people, public.people, boolean) is
  'The address of two customers who become one: of the one that is chosen. Where only the other one has an address it is taken, '
  'unless it was only typed online: then staff choose it or none.';
