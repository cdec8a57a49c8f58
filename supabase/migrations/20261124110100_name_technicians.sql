-- Who works in a bay stands at its head: the counter sees whose hands are free.

alter table public.bays
  add column technician text constraint bays_technician_is_text check (internal.is_line(technician, 1, 40));
comment on column public.bays.technician is 'Who works there; null is nobody in particular. Staff alone read it.';

drop function internal.write_bay(uuid, text, boolean);
create function internal.write_bay(wanted_id uuid, wanted_name text, should_be_active boolean, wanted_technician text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  written uuid := wanted_id;
begin
  if written is null then
    insert into public.bays (name, position, is_active, technician)
    select trim(wanted_name), coalesce(max(position), 0) + 1, should_be_active, nullif(trim(wanted_technician), '')
    from public.bays returning id into written;
  else
    update public.bays
    set name = trim(wanted_name), is_active = should_be_active,
        technician = case when wanted_technician is null then technician else nullif(trim(wanted_technician), '') end
    where id = written;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return written;
end
$$;
comment on function internal.write_bay(uuid, text, boolean, text) is
  'Adds or changes a bay; refuses to switch off the last one. No technician named leaves the one there is.';

drop function public.save_bay(uuid, text, boolean, uuid[], integer, boolean);
create function public.save_bay(
  bay_id uuid, name text, is_active boolean, service_ids uuid[], expected_version integer, is_preview boolean default false,
  technician text default null
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
    saved := internal.write_bay(save_bay.bay_id, save_bay.name, save_bay.is_active, save_bay.technician);
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
comment on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) is
  'Adds a bay (bay_id null) or changes one, when the section bays is of the expected version; no service_ids is all services. '
  'When it is switched off, returns its appointments ahead with the bay that each is moved to, null where none fits. A '
  'preview returns them and changes nothing. An empty technician is nobody, null leaves who it was.';
grant execute on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) to authenticated;

create or replace function internal.bays_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', bay.id, 'name', bay.name, 'position', bay.position, 'is_active', bay.is_active, 'technician', bay.technician,
      'service_ids', (select jsonb_agg(service_id order by service_id) from public.bay_services where bay_id = bay.id),
      'open', internal.minutes_of_day(day, internal.open_spans(day, bay.id))
    ) order by bay.position), '[]')
    from public.bays bay
  );
