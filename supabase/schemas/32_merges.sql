-- Staff can merge two records of the same customer or vehicle, and unmerge them within thirty days: `merges` records
-- which rows moved. `merge_rules` has a rule for every foreign key to a customer or vehicle; a merge is refused while
-- the rule of a foreign key is missing.

create table public.merges (
  id uuid primary key default gen_random_uuid(),
  kind text not null constraint merges_kind_is_known check (kind in ('customer', 'vehicle')),
  survivor_id uuid not null,
  duplicate_id uuid not null,
  parent_merge_id uuid references public.merges,
  moved_rows jsonb not null default '{}',
  survivor_changes jsonb not null default '{}',
  merged_by_name text not null check (length(merged_by_name) <= 100),
  merged_at timestamptz not null default internal.current_instant(),
  undone_at timestamptz,
  constraint merges_are_of_two_records check (survivor_id <> duplicate_id)
);
comment on table public.merges is 'Merges of duplicate customers and vehicles, with the data that an unmerge needs.';
comment on column public.merges.parent_merge_id is
  'The merge of two customers that also caused this merge of their vehicles; null for every other merge.';
comment on column public.merges.moved_rows is
  'The keys of the rows that moved to the surviving record, by table and column: {"public.bookings.customer_id": '
  '[…]}.';
comment on column public.merges.survivor_changes is
  'The columns of the surviving record that the merge changed: {column: {before, after}}.';

create index merges_of_survivor on public.merges (survivor_id);
create index merges_of_duplicate on public.merges (duplicate_id);
create index merges_of_parent on public.merges (parent_merge_id) where parent_merge_id is not null;

alter table public.merges enable row level security;
grant select on public.merges to authenticated;
create policy "the admin reads merges" on public.merges for select to authenticated using ((select internal.is_admin()));

create table internal.merge_rules (
  kind text not null check (kind in ('customer', 'vehicle')),
  table_name text not null,
  column_name text not null,
  key_column text not null default 'id',
  rule text not null check (rule in ('moves', 'stays')),
  primary key (table_name, column_name)
);
comment on table internal.merge_rules is
  'The merge rule for each foreign key to customers and vehicles: the referencing rows move to the surviving record, '
  'or stay with the duplicate. A merge is refused while a foreign key has no rule.';
comment on column internal.merge_rules.key_column is
  'The key column of the referencing table, by which an unmerge finds the moved rows.';

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('customer', 'public.bookings', 'customer_id', 'id', 'moves'),
  ('customer', 'public.quote_requests', 'customer_id', 'id', 'moves'),
  ('customer', 'public.invoices', 'customer_id', 'invoice_id', 'moves'),
  ('customer', 'public.vehicles', 'customer_id', 'id', 'moves'),
  ('customer', 'public.customer_contact_methods', 'customer_id', 'id', 'moves'),
  ('customer', 'public.customer_notes', 'customer_id', 'id', 'moves'),
  -- Customers that were merged into the duplicate before still refer to the duplicate in `merged_into`, which refers to
  -- the survivor. Pairs of customers that staff marked as different (`non_duplicates`) do not change.
  ('customer', 'public.customers', 'merged_into', 'id', 'stays'),
  ('customer', 'public.non_duplicates', 'customer_id', 'customer_id', 'stays'),
  ('customer', 'public.non_duplicates', 'other_customer_id', 'other_customer_id', 'stays'),
  ('vehicle', 'public.bookings', 'vehicle_id', 'id', 'moves'),
  ('vehicle', 'public.quote_requests', 'vehicle_id', 'id', 'moves'),
  ('vehicle', 'public.invoices', 'vehicle_id', 'invoice_id', 'moves'),
  ('vehicle', 'public.odometer_readings', 'vehicle_id', 'id', 'moves'),
  ('vehicle', 'public.vehicles', 'merged_into', 'id', 'stays')
on conflict do nothing;

insert into internal.merge_rules (kind, table_name, column_name, key_column, rule) values
  ('customer', 'public.estimates', 'customer_id', 'id', 'moves'),
  ('vehicle', 'public.estimates', 'vehicle_id', 'id', 'moves')
on conflict do nothing;

alter table internal.merge_rules enable row level security;

create function internal.list_references_without_merge_rule() returns setof text
  language sql stable set search_path = '' as $$
  select conrelid::regclass::text || '.' || attname
  from pg_catalog.pg_constraint
  join pg_catalog.pg_attribute on attrelid = conrelid and attnum = any (conkey)
  where contype = 'f' and confrelid in ('public.customers'::regclass, 'public.vehicles'::regclass)
    and not exists (
      select from internal.merge_rules
      where table_name::regclass = conrelid and column_name = attname
        and kind = case confrelid when 'public.customers'::regclass then 'customer' else 'vehicle' end)
$$;
comment on function internal.list_references_without_merge_rule() is
  'The foreign keys to customers and vehicles that have no merge rule.';

create function internal.move_references(kind text, from_id uuid, to_id uuid) returns jsonb
  language plpgsql set search_path = '' as $$
declare
  rule internal.merge_rules;
  keys jsonb;
  moved jsonb := '{}';
begin
  if exists (select from internal.list_references_without_merge_rule()) then
    raise exception 'No merge rule exists for %.', (select string_agg(name, ', ') from internal.list_references_without_merge_rule() name);
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
  'Makes all rows that refer to one customer or vehicle refer to another customer or vehicle. Returns the keys of the '
  'moved rows by table and column.';

create function internal.move_references_back(merge public.merges) returns void
  language plpgsql set search_path = '' as $$
declare
  rule internal.merge_rules;
begin
  for rule in select * from internal.merge_rules known where known.kind = merge.kind and known.rule = 'moves' loop
    execute format(
      'update %1$s set %2$I = $2 where %2$I = $1 and %3$I::text in (select jsonb_array_elements_text($3))',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    using merge.survivor_id, merge.duplicate_id, coalesce(merge.moved_rows -> (rule.table_name || '.' || rule.column_name), '[]');
  end loop;
end
$$;
comment on function internal.move_references_back(public.merges) is
  'Makes the rows that a merge moved refer to the duplicate again, except rows that no longer refer to the survivor.';

create function internal.resolve_merged_customer(customer_id uuid) returns uuid
  language sql stable set search_path = ''
  return (select id from public.customers where id = internal.last_merged_customer(customer_id) and erased_at is null);
comment on function internal.resolve_merged_customer(uuid) is
  'The id of the customer into whom the customer with this id was merged, or the same id if the customer was not merged; null for an unknown '
  'or erased customer.';

create function internal.lock_merged_customer(customer_id uuid) returns uuid
  language plpgsql set search_path = '' as $$
declare
  survivor_id uuid;
begin
  select known.id into survivor_id from public.customers known
  where known.id = internal.resolve_merged_customer(lock_merged_customer.customer_id) and known.merged_into is null and known.erased_at is null
  for update;
  return survivor_id;
end
$$;
comment on function internal.lock_merged_customer(uuid) is
  'Locks the customer that resolve_merged_customer returns, until the transaction ends, and returns its id; null for an unknown or erased '
  'customer.';

create function internal.resolve_merged_vehicle(vehicle_id uuid) returns uuid
  language sql stable set search_path = '' as $$
  with recursive merge_chain as (
    select id, merged_into, 1 as step from public.vehicles where id = vehicle_id
    union all
    select next.id, next.merged_into, merge_chain.step + 1 from merge_chain join public.vehicles next on next.id = merge_chain.merged_into where merge_chain.step < 100
  )
  select id from merge_chain where merged_into is null
$$;
comment on function internal.resolve_merged_vehicle(uuid) is
  'The id of the vehicle into which the vehicle with this id was merged, or the same id if the vehicle was not merged; null for an unknown '
  'vehicle.';

create function internal.lock_customer(wanted uuid, seen_version integer) returns public.customers
  language plpgsql set search_path = '' as $$
declare
  customer public.customers;
begin
  select * into customer from public.customers where id = wanted for update;
  if customer.id is null or customer.erased_at is not null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if customer.merged_into is not null then
    raise exception 'This customer was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = coalesce(internal.resolve_merged_customer(wanted)::text, '');
  end if;
  if customer.version is distinct from seen_version then
    raise exception 'This customer was changed by someone else.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return customer;
end
$$;

create function internal.lock_vehicle(wanted uuid, seen_version integer) returns public.vehicles
  language plpgsql set search_path = '' as $$
declare
  vehicle public.vehicles;
begin
  select * into vehicle from public.vehicles where id = wanted for update;
  if vehicle.id is null or internal.is_erased(vehicle.customer_id) then
    raise exception 'There is no such vehicle.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if vehicle.merged_into is not null then
    raise exception 'This vehicle was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = internal.resolve_merged_vehicle(wanted);
  end if;
  if vehicle.version is distinct from seen_version then
    raise exception 'This vehicle was changed by someone else.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return vehicle;
end
$$;

create function internal.refuse_self_merge(survivor_id uuid, duplicate_id uuid) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if survivor_id is null or duplicate_id is null or survivor_id = duplicate_id then
    raise exception 'A record cannot be merged with itself.' using errcode = 'TT091', hint = 'self_merge';
  end if;
end
$$;
comment on function internal.refuse_self_merge(uuid, uuid) is
  'Refuses (TT091) to merge a customer or vehicle with itself or with one that does not exist.';

create function internal.merge_vehicle_rows(
  survivor public.vehicles, duplicate public.vehicles, in_merge uuid default null
) returns uuid
  language plpgsql set search_path = '' as $$
declare
  merge uuid;
begin
  -- Marks the duplicate as merged before the values are copied, because two vehicles that are not merged must not have
  -- the same plate or VIN.
  update public.vehicles set merged_into = survivor.id where id = duplicate.id;
  update public.vehicles
  set color = coalesce(color, duplicate.color), plate = coalesce(plate, duplicate.plate), vin = coalesce(vin, duplicate.vin),
      internal_note = coalesce(internal_note, duplicate.internal_note), created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, parent_merge_id, moved_rows, survivor_changes, merged_by_name)
  select 'vehicle', survivor.id, duplicate.id, in_merge, internal.move_references('vehicle', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(vehicle)), internal.author_name(null)
  from public.vehicles vehicle where id = survivor.id
  returning id into merge;
  return merge;
end
$$;
comment on function internal.merge_vehicle_rows(public.vehicles, public.vehicles, uuid) is
  'Merges two vehicles; copies plate, VIN, color and note of the duplicate where the survivor has none. Returns the id of the merge.';

create function internal.survivor_changes(old_row jsonb, new_row jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (
    select coalesce(jsonb_object_agg(key, jsonb_build_object('before', value, 'after', new_row -> key)), '{}')
    from jsonb_each(old_row)
    where new_row -> key is distinct from value
      and key in ('name', 'email', 'phone', 'color', 'plate', 'vin', 'internal_note', 'created_at')
  );
comment on function internal.survivor_changes(jsonb, jsonb) is 'The columns of the surviving record that a merge changed: {column: {before, after}}.';

create function public.merge_customers(
  survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer,
  fields_from_duplicate text[] default '{}'
) returns uuid
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to write customers and
  -- merges. require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor public.customers;
  duplicate public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_owner();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Locks the estimates before their customers, in the same order as the function that saves an estimate.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  survivor := internal.lock_customer(survivor_id, seen_survivor_version);
  duplicate := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = survivor.id where id = duplicate.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then duplicate.name else name end,
      email = internal.merged_email(survivor, duplicate, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(duplicate.phone, phone) else coalesce(phone, duplicate.phone) end,
      created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', survivor.id, duplicate.id, internal.move_references('customer', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(customer)), internal.author_name(null)
  from public.customers customer where id = survivor.id
  returning id into merge;
  for pair in
    select own as survivor, other as duplicate from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(survivor.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.survivor, pair.duplicate, merge);
  end loop;
  return merge;
end
$$;
comment on function public.merge_customers(uuid, uuid, integer, integer, text[]) is
  'Merges two customers and returns the id of the merge; refuses outdated versions of the customers (TT051). All '
  'records of the duplicate move to the survivor, and vehicles with the same description are merged. A read with '
  'the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) lists the fields that '
  'the survivor takes from the duplicate. The email addresses and phone numbers of both customers remain contact '
  'methods.';
grant execute on function public.merge_customers(uuid, uuid, integer, integer, text[]) to shop_owner;

create function internal.find_same_vehicle(wanted_customer_id uuid, vehicle public.vehicles) returns uuid
  language sql stable set search_path = ''
  return (
    select own.id from public.vehicles own
    where own.customer_id = wanted_customer_id and own.id <> vehicle.id and own.merged_into is null
      and (own.vin = vehicle.vin or own.plate_key = vehicle.plate_key
           or own.vehicle_key = vehicle.vehicle_key and coalesce(own.vin = vehicle.vin, true) and coalesce(own.plate_key = vehicle.plate_key, true))
    order by own.vin = vehicle.vin desc nulls last, own.plate_key = vehicle.plate_key desc nulls last, own.created_at, own.id limit 1
  );
comment on function internal.find_same_vehicle(uuid, public.vehicles) is
  'Finds another row of a customer''s vehicles that describes the same vehicle as the given row (docs/product.md '
  '16.2); null if there is none.';

create function internal.restore_survivor(merge public.merges) returns void
  language plpgsql set search_path = '' as $$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.survivor_changes) loop
    -- An unmerge restores a column only if nobody has changed it since the merge.
    execute format(
      'update public.%1$I survivor set %2$I = (jsonb_populate_record(survivor, $2)).%2$I where id = $1 and to_jsonb(survivor) -> %2$L = $3',
      case merge.kind when 'customer' then 'customers' else 'vehicles' end, changed.key)
    using merge.survivor_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$$;
comment on function internal.restore_survivor(public.merges) is
  'Restores the values that a merge changed in the surviving record, except values that were changed again after the '
  'merge.';

create function internal.unmerge_records(merge public.merges) returns void
  language plpgsql set search_path = '' as $$
declare
  part public.merges;
begin
  for part in select * from public.merges where parent_merge_id = merge.id and undone_at is null loop
    perform internal.unmerge_records(part);
  end loop;
  perform internal.restore_survivor(merge);
  perform internal.move_references_back(merge);
  if merge.kind = 'customer' then
    update public.customers set merged_into = null where id = merge.duplicate_id;
  else
    update public.vehicles set merged_into = null where id = merge.duplicate_id;
  end if;
  update public.merges set undone_at = internal.current_instant() where id = merge.id;
end
$$;
comment on function internal.unmerge_records(public.merges) is
  'Undoes a merge. If the merge also merged vehicles, those merges are undone first.';

create function public.unmerge(merge_id uuid) returns void
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to call lock_calendar and
  -- unmerge_records. require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  merge public.merges;
begin
  perform internal.require_owner();
  perform internal.lock_calendar();
  select * into merge from public.merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- If the merge was already undone, for example by an earlier click, the function changes nothing.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge can be undone for 30 days.' using errcode = 'TT094', hint = 'unmerge_expired';
  end if;
  if merge.parent_merge_id is not null or exists (
    select from public.merges later where later.duplicate_id = merge.survivor_id and later.undone_at is null) then
    raise exception 'Undo the later merge first.' using errcode = 'TT095', hint = 'later_merge_exists';
  end if;
  perform from public.customers where id in (merge.survivor_id, merge.duplicate_id) order by id for update;
  perform internal.unmerge_records(merge);
end
$$;
comment on function public.unmerge(uuid) is
  'Undoes a merge of the last 30 days: the moved rows return to the duplicate, and rows that were created later stay '
  'with the survivor.';
grant execute on function public.unmerge(uuid) to shop_owner;

create function public.mark_not_duplicates(customer_id uuid, other_customer_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write non_duplicates.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(customer_id, other_customer_id);
  insert into public.non_duplicates (customer_id, other_customer_id)
  select least(mark_not_duplicates.customer_id, mark_not_duplicates.other_customer_id), greatest(mark_not_duplicates.customer_id, mark_not_duplicates.other_customer_id)
  on conflict do nothing;
end
$$;
comment on function public.mark_not_duplicates(uuid, uuid) is
  'Records that two customers are different, so that the dashboard never offers them as duplicates again.';
grant execute on function public.mark_not_duplicates(uuid, uuid) to authenticated;

create function internal.create_customer_from_booking(booking public.bookings) returns uuid
  language plpgsql set search_path = '' as $$
declare
  new_customer_id uuid;
begin
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  insert into public.customers (name, email, phone, created_at, is_sample)
  values (booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at, booking.is_sample)
  returning id into new_customer_id;
  perform internal.add_contact_methods(new_customer_id, booking.customer_email, booking.customer_phone,
    not internal.was_entered_online(booking.id) or internal.is_confirmed_email(booking.customer_id, booking.customer_email));
  return new_customer_id;
end
$$;
comment on function internal.create_customer_from_booking(public.bookings) is
  'Creates a customer from a booking, even when another customer has the booking''s email address or phone number.';

create function public.split_booking(booking_id uuid) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates, odometer_readings
  -- and invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former_customer_id constant uuid := booking.customer_id;
  new_customer_id uuid;
begin
  if internal.is_erased(former_customer_id) then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former_customer_id for update;
  new_customer_id := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = new_customer_id,
      vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices invoice set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where invoice.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former_customer_id, new_customer_id);
  if former_customer_id is null then
    -- Notifies the dashboards of the booking, because link_booking_now, which usually does so, does not run for a
    -- booking that already has a customer.
    perform internal.announce_booking(booking.id, (
      select min(event.id) from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked'));
  end if;
  return new_customer_id;
end
$$;
comment on function public.split_booking(uuid) is
  'Creates a separate customer, with a vehicle, from the data of a booking. Moves the booking and its estimates and '
  'invoices to this customer; returns the customer''s id. Merging the two customers undoes the split.';
grant execute on function public.split_booking(uuid) to authenticated;

create function public.split_vehicle(vehicle_id uuid, seen_version integer) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles, estimates and
  -- invoices. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  vehicle public.vehicles;
  latest public.bookings;
  new_customer_id uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  vehicle := internal.lock_vehicle(split_vehicle.vehicle_id, seen_version);
  select * into latest from public.bookings booking
  where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment names the customer of this vehicle.' using errcode = 'TT090', hint = 'vehicle_without_booking';
  end if;
  -- The new customer gets all records of the vehicle. An unconfirmed email address of the booking is not copied,
  -- because it may belong to somebody else.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_contact_keys(array[lower(latest.customer_email), internal.normalize_phone(latest.customer_phone)]);
  perform from public.customers where id = vehicle.customer_id for update;
  new_customer_id := internal.create_customer_from_booking(latest);
  update public.vehicles set customer_id = new_customer_id where id = vehicle.id;
  update public.bookings booking set customer_id = new_customer_id where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id);
  update public.quote_requests quote set customer_id = new_customer_id where quote.vehicle_id = vehicle.id and not internal.is_erased(quote.customer_id);
  update public.estimates estimate set customer_id = new_customer_id where estimate.vehicle_id = vehicle.id and not internal.is_erased(estimate.customer_id);
  update public.invoices invoice set customer_id = new_customer_id where invoice.vehicle_id = vehicle.id and not internal.is_erased(invoice.customer_id);
  perform internal.delete_split_contact_methods(vehicle.customer_id, new_customer_id);
  return new_customer_id;
end
$$;
comment on function public.split_vehicle(uuid, integer) is
  'Creates a customer with the contact in the latest booking of a vehicle, moves the vehicle and all its records to '
  'this customer, and returns the customer''s id. Merging the two customers undoes the split.';
grant execute on function public.split_vehicle(uuid, integer) to authenticated;

create function internal.delete_split_contact_methods(former uuid, wanted_customer_id uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  delete from public.customer_contact_methods contact
  using public.customers known
  where known.id = former and contact.customer_id = former
    and exists (
      select from public.customer_contact_methods theirs
      where theirs.customer_id = wanted_customer_id and theirs.kind = contact.kind and theirs.match_key = contact.match_key)
    and contact.match_key is distinct from lower(known.email) and contact.match_key is distinct from known.phone_key
    and not exists (select from public.bookings where customer_id = former
                    and contact.match_key in (lower(customer_email), internal.normalize_phone(customer_phone)))
    and not exists (select from public.quote_requests where customer_id = former
                    and contact.match_key in (lower(email), internal.normalize_phone(phone)))
    and not exists (select from public.estimates where customer_id = former
                    and contact.match_key in (lower(customer_email), internal.normalize_phone(customer_phone)));
end
$$;
comment on function internal.delete_split_contact_methods(uuid, uuid) is
  'After a booking or vehicle was split off from a customer into a new customer, deletes the contact methods of the '
  'original customer that the new customer also has. Keeps a contact method that appears in the row of the original '
  'customer, or in a booking, quote request or estimate that remains with this customer.';

create function internal.merged_email(survivor public.customers, duplicate public.customers, from_duplicate boolean)
  returns text
  language sql stable set search_path = ''
  return case when from_duplicate
    then coalesce(duplicate.email, case when internal.is_confirmed_email(survivor.id, survivor.email) then survivor.email end)
    else coalesce(survivor.email, case when internal.is_confirmed_email(duplicate.id, duplicate.email) then duplicate.email end) end;
comment on function internal.merged_email(public.customers, public.customers, boolean) is
  'The main email address after a merge: the address of the duplicate if staff chose its email address, otherwise '
  'that of the survivor. If the chosen customer has none, the confirmed address of the other customer, or null.';
