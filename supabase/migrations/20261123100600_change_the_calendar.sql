-- What opens and closes the shop is saved as a whole, by whoever saw its latest version, and can be tried first: the
-- preview is the change itself, taken back.

alter table public.opening_hours rename constraint opening_hours_check to opening_hours_close_after_opening;
alter table public.opening_hours rename constraint opening_hours_opens_minute_check to opening_hours_opens_minute_in_range;
alter table public.opening_hours rename constraint opening_hours_closes_minute_check to opening_hours_closes_minute_in_range;

alter table public.bookings
  add column kept_at timestamptz,
  add column kept_by text check (length(kept_by) <= 100),
  add constraint bookings_are_kept_by_somebody check ((kept_at is null) = (kept_by is null));
comment on column public.bookings.kept_at is
  'When the admin decided that it stands although it lies outside the hours or in no bay; null while nobody did.';
comment on column public.bookings.kept_by is 'The admin who did.';

create view public.misfits with (security_invoker = true) as
  select booking.id as booking_id, booking.appointment_date, booking.appointment_time, booking.duration_minutes,
         booking.customer_name, booking.customer_phone, booking.service_name, booking.bay_id,
         case when booking.occupied <@ internal.open_spans(booking.appointment_date, booking.bay_id) then 'not_placed'
              else 'outside_hours' end as problem
  from public.bookings booking
  where booking.appointment_date >= internal.shop_now()::date and upper(booking.occupied) > internal.shop_now()
    and booking.completed_at is null and booking.kept_at is null
    and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
    and (booking.held_until is null or booking.held_until > internal.current_instant())
    and (booking.bay_id is null
         or not booking.occupied <@ internal.open_spans(booking.appointment_date, booking.bay_id));
comment on view public.misfits is
  'Appointments ahead that lie outside the hours of their bay (outside_hours) or in none (not_placed), until they are '
  'moved, cancelled or kept.';
grant select on public.misfits to authenticated;
-- Reads what the admin may read; nobody else finds an appointment to ask for.
grant execute on function internal.open_spans(date, uuid) to authenticated;

create function internal.begin_change(changed_section text, expected_version integer) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if (select version from public.settings_versions where section = changed_section) is distinct from expected_version then
    raise exception 'These settings were changed meanwhile.' using errcode = 'TT051', hint = 'changed_meanwhile';
  end if;
end
$$;
comment on function internal.begin_change(text, integer) is
  'Lets the admin change a list that is still the one they saw, while nobody places an appointment.';

create function internal.end_preview() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'A preview changes nothing.' using errcode = 'TT050', hint = 'preview';
end
$$;
comment on function internal.end_preview() is 'Takes back what was done in the block that catches TT050.';

create function public.save_opening_hours(hours jsonb, expected_version integer, is_preview boolean default false)
  returns setof public.misfits
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('hours', expected_version);
  begin
    delete from public.opening_hours
    where weekday not in (select said.weekday from jsonb_to_recordset(hours) as said(weekday smallint));
    insert into public.opening_hours as known (weekday, opens_minute, closes_minute)
    select weekday, opens_minute, closes_minute
    from jsonb_to_recordset(hours) as said(weekday smallint, opens_minute smallint, closes_minute smallint)
    on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute
    where (known.opens_minute, known.closes_minute) <> (excluded.opens_minute, excluded.closes_minute);
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;
comment on function public.save_opening_hours(jsonb, integer, boolean) is
  'Saves the week ([{weekday, opens_minute, closes_minute}], one that is left out is closed) when the section hours is of the '
  'expected version; returns the misfits afterwards. A preview returns them and changes nothing.';

create function public.save_closure(
  closure_id uuid, starts_at timestamp, ends_at timestamp, is_open boolean, bay_id uuid, reason text, is_public boolean,
  expected_version integer, is_preview boolean default false
)
  returns setof public.misfits
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('closures', expected_version);
  begin
    if closure_id is null then
      insert into public.closures (starts_at, ends_at, is_open, bay_id, reason, is_public)
      values (save_closure.starts_at, save_closure.ends_at, save_closure.is_open, save_closure.bay_id,
              trim(save_closure.reason), save_closure.is_public);
    else
      update public.closures
      set starts_at = save_closure.starts_at, ends_at = save_closure.ends_at, is_open = save_closure.is_open,
          bay_id = save_closure.bay_id, reason = trim(save_closure.reason), is_public = save_closure.is_public
      where id = closure_id;
    end if;
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;
comment on function public.save_closure(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean) is
  'Adds a closure or special opening (closure_id null) or changes one, as save_opening_hours saves the week.';

create function public.remove_closure(closure_id uuid, expected_version integer, is_preview boolean default false)
  returns setof public.misfits
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.misfits[];
begin
  perform internal.begin_change('closures', expected_version);
  begin
    delete from public.closures where id = closure_id;
    found_misfits := array(select misfits from public.misfits);
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;
comment on function public.remove_closure(uuid, integer, boolean) is
  'Removes a closure or special opening, as save_opening_hours saves the week.';

create function internal.fitting_bay(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.can_do(bay.id, booking.service_id)
      and booking.occupied <@ internal.open_spans(booking.appointment_date, bay.id)
      and not internal.is_taken(bay.id, booking.occupied)
    order by bay.position limit 1
  );
end
$$;
comment on function internal.fitting_bay(public.bookings) is
  'The first bay that an appointment could be moved to at its time; null when there is none.';

create function internal.empty_bay(bay uuid)
  returns table (booking_id uuid, new_bay_id uuid)
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.end_expired_holds();
  for booking in
    select * from public.bookings
    where bay_id = bay and upper(occupied) > internal.shop_now() and completed_at is null
      and status not in ('cancelled', 'not_confirmed', 'no_show')
    order by occupied for update
  loop
    update public.bookings set bay_id = internal.fitting_bay(booking) where id = booking.id returning id, bay_id
    into booking_id, new_bay_id;
    return next;
  end loop;
end
$$;
comment on function internal.empty_bay(uuid) is
  'Moves the appointments ahead of a bay to other ones where they fit, and else places them in none; returns where each went.';

create function internal.save_bay_services(bay uuid, service_ids uuid[]) returns void
  language sql
  set search_path = ''
as $$
  delete from public.bay_services where bay_id = bay and service_id <> all (service_ids);
  insert into public.bay_services (bay_id, service_id) select bay, wanted from unnest(service_ids) wanted
  on conflict do nothing;
$$;
comment on function internal.save_bay_services(uuid, uuid[]) is 'Makes these the only services of a bay; none is all.';

create function internal.write_bay(wanted_id uuid, wanted_name text, should_be_active boolean) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  written uuid := wanted_id;
begin
  if written is null then
    insert into public.bays (name, position, is_active)
    select trim(wanted_name), coalesce(max(position), 0) + 1, should_be_active from public.bays returning id into written;
  else
    update public.bays set name = trim(wanted_name), is_active = should_be_active where id = written;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return written;
end
$$;
comment on function internal.write_bay(uuid, text, boolean) is 'Adds or changes a bay; refuses to switch off the last one.';

create function public.save_bay(
  bay_id uuid, name text, is_active boolean, service_ids uuid[], expected_version integer, is_preview boolean default false
)
  returns table (
    booking_id uuid, appointment_date date, appointment_time time, customer_name text, service_name text, new_bay_name text
  )
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
  moved jsonb := '[]';
begin
  perform internal.begin_change('bays', expected_version);
  begin
    saved := internal.write_bay(save_bay.bay_id, save_bay.name, save_bay.is_active);
    perform internal.save_bay_services(saved, coalesce(service_ids, '{}'));
    if not save_bay.is_active then
      select coalesce(jsonb_object_agg(moves.booking_id, moves.new_bay_id), '{}') into moved
      from internal.empty_bay(saved) moves;
    end if;
    if is_preview then
      perform internal.end_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query
    select booking.id, booking.appointment_date, booking.appointment_time, booking.customer_name, booking.service_name, bay.name
    from jsonb_each_text(case when save_bay.is_active then '{}' else moved end) as moves(booking, bay)
    join public.bookings booking on booking.id = moves.booking::uuid
    left join public.bays bay on bay.id = moves.bay::uuid
    order by booking.occupied;
end
$$;
comment on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean) is
  'Adds a bay (bay_id null) or changes one, when the section bays is of the expected version; no service_ids is all services. '
  'When it is switched off, returns its appointments ahead with the bay that each is moved to, null where none fits. A '
  'preview returns them and changes nothing.';

create function public.order_bays(bay_ids uuid[], expected_version integer) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_change('bays', expected_version);
  if array(select id from public.bays order by id) <> array(select unnest(bay_ids) order by 1) then
    raise exception 'bay_ids is every bay once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.bays set position = array_position(bay_ids, id) where position <> array_position(bay_ids, id);
end
$$;
comment on function public.order_bays(uuid[], integer) is 'Puts all bays in this order, when the section bays is of the expected version.';

create function public.order_services(service_ids uuid[], expected_version integer) returns void
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
end
$$;
comment on function public.order_services(uuid[], integer) is
  'Puts all services in this order, when the section services is of the expected version.';

create function public.keep_bookings(booking_ids uuid[]) returns setof uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return query
    update public.bookings set kept_at = internal.current_instant(), kept_by = internal.author_name(null)
    where id = any (booking_ids) and kept_at is null returning id;
end
$$;
comment on function public.keep_bookings(uuid[]) is
  'Lets appointments stand although they lie outside the hours or in no bay; returns those that nobody had kept before.';

grant execute on function
  public.save_opening_hours(jsonb, integer, boolean),
  public.save_closure(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean),
  public.remove_closure(uuid, integer, boolean),
  public.save_bay(uuid, text, boolean, uuid[], integer, boolean),
  public.order_bays(uuid[], integer),
  public.order_services(uuid[], integer),
  public.keep_bookings(uuid[])
to authenticated;
