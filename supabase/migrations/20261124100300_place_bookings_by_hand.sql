-- Staff book callers and move cars. What visitors keep to is a warning to them, told before and remembered after; what
-- is never so is two cars in one bay at one time, or a bay that cannot do the work.

create function internal.span_of(booking_date date, booking_time time, minutes integer) returns tsrange
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if booking_date is null or booking_time is null or minutes is null
     or booking_date not between '2000-01-01' and '2100-01-01' or minutes not between 5 and 20160
     or extract(second from booking_time) <> 0 then
    raise exception 'An appointment has a date, a time in whole minutes, and 5 to 20160 minutes.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  return tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute');
end
$$;
comment on function internal.span_of(date, time, integer) is
  'When an appointment takes its bay: bookings.occupied of one that is not there yet. Refuses what is none.';

create function internal.booking_warnings(wanted tsrange, bay uuid) returns text[]
  language plpgsql stable
  set search_path = ''
as $$
declare
  rules record;
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  first_day constant date := lower(wanted)::date;
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
  -- Of one that stays overnight the part of the first day is held to the hours.
  asked constant tsrange := wanted * tsrange(first_day, case when last_day = first_day then first_day + 1 end);
begin
  select shop.time_zone, rule.notice_minutes, rule.horizon_days into rules from public.shop, public.booking_rules rule;
  starts_at := lower(wanted) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  return array_remove(array[
    case when starts_at < instant then 'in_the_past'
         when starts_at < instant + rules.notice_minutes * interval '1 minute' then 'notice_required' end,
    case when first_day > shop_today + rules.horizon_days then 'too_far_ahead' end,
    case when last_day > first_day then 'overnight' end,
    case when last_day = first_day and not asked <@ internal.open_spans(first_day, bay)
           or last_day > first_day and not internal.open_spans(first_day, bay) @> lower(wanted) then 'outside_hours' end
  ], null);
end
$$;
comment on function internal.booking_warnings(tsrange, uuid) is
  'What the rules for visitors have against a time that staff choose (in a bay, or null for none): in_the_past, notice_required, '
  'too_far_ahead, overnight, outside_hours.';

create function internal.free_spans(day date, bay uuid, for_booking uuid) returns tsmultirange
  language plpgsql stable
  set search_path = ''
as $$
begin
  return internal.open_spans(day, bay) - (
    select coalesce(range_agg(booking.occupied), '{}') from public.bookings booking
    where booking.bay_id = bay and booking.occupied && tsrange(day, day + 1)
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from for_booking
  );
end
$$;
comment on function internal.free_spans(date, uuid, uuid) is
  'When a bay is open on a date and no appointment takes it, another one than the named.';

create function internal.starts_in(free tsrange, minutes integer) returns setof timestamp
  language sql immutable
  set search_path = ''
as $$
  select start from (
    select date_bin('15 minutes', lower(free) + interval '15 minutes' - interval '1 microsecond', '2000-01-01')
    union
    select generate_series(date_bin('30 minutes', lower(free) + interval '30 minutes' - interval '1 microsecond', '2000-01-01'),
                           upper(free), interval '30 minutes')
  ) as starts (start)
  where start + minutes * interval '1 minute' <= upper(free);
$$;
comment on function internal.starts_in(tsrange, integer) is
  'When so many minutes can begin in a free span, by phone: at its first quarter of an hour and each half hour after.';

create function internal.free_times(
  service uuid, from_moment timestamp, minutes integer, bay uuid, for_booking uuid, most integer, days integer
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  set search_path = ''
as $$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.position)
      from public.bays candidate,
           unnest(internal.free_spans(day, candidate.id, for_booking) * tsmultirange(tsrange(first_moment, null))) span,
           internal.starts_in(span, minutes) start
      where candidate.is_active and internal.can_do(candidate.id, service) and (bay is null or candidate.id = bay)
      group by start order by start limit most - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= most;
  end loop;
end
$$;
comment on function internal.free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is 'As public.next_free_times, unchecked.';

create function internal.refuse_taken_by(wanted tsrange, service uuid, bay uuid, for_booking uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  minutes constant integer := extract(epoch from upper(wanted) - lower(wanted)) / 60;
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken', detail = jsonb_build_object(
      'in_the_way', (
        select coalesce(jsonb_agg(id), '[]') from (
          select booking.id from public.bookings booking
          where booking.bay_id is not null and booking.occupied && wanted
            and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
            and (bay is null or booking.bay_id = bay) and booking.id is distinct from for_booking
          order by lower(booking.occupied), booking.id limit 10
        ) as others),
      'free_times', (
        select coalesce(jsonb_agg(jsonb_build_object('date', free_date, 'time', to_char(free_time, 'HH24:MI'), 'bay_ids', bay_ids)), '[]')
        from internal.free_times(service, lower(wanted), minutes, bay, for_booking, 3, 31)));
end
$$;
comment on function internal.refuse_taken_by(tsrange, uuid, uuid, uuid) is
  'Refuses a time as the constraint would; the detail names the appointments in the way and the next three free times.';

create function internal.choose_bay(wanted tsrange, service uuid, bay uuid, own_bay uuid, for_booking uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  chosen uuid := bay;
begin
  if bay is not null and not exists (select from public.bays where id = bay and is_active) then
    raise exception 'No cars are placed in this bay.' using errcode = 'TT065', hint = 'bay_not_active';
  end if;
  if bay is not null and not internal.can_do(bay, service) then
    raise exception 'This bay does not do this service.' using errcode = 'TT064', hint = 'bay_cannot';
  end if;
  if bay is null then
    select id into chosen from public.bays
    where id = own_bay and is_active and internal.can_do(own_bay, service)
      and not internal.is_taken(own_bay, wanted, for_booking);
    chosen := coalesce(chosen, internal.staff_bay(service, wanted, for_booking));
  end if;
  if chosen is null or internal.is_taken(chosen, wanted, for_booking) then
    perform internal.refuse_taken_by(wanted, service, bay, for_booking);
  end if;
  return chosen;
end
$$;
comment on function internal.choose_bay(tsrange, uuid, uuid, uuid, uuid) is
  'The bay that staff ask for, or for null the appointment''s own, or the first that can do it and has the time. Refuses one that is '
  'switched off (TT065), cannot do the service (TT064), or is taken (23P01).';

create function internal.require_reason(reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if length(trim(coalesce(reason, ''))) = 0 then
    raise exception 'Please say why.' using errcode = 'TT066', hint = 'reason_required';
  end if;
end
$$;
comment on function internal.require_reason(text) is 'Who books more cars than there are bays says why.';

create function internal.is_kept(bay uuid, warnings text[]) returns boolean
  language sql immutable
  set search_path = ''
  return bay is not null and warnings && array['outside_hours', 'overnight'];
comment on function internal.is_kept(uuid, text[]) is
  'Whether an appointment lies outside the hours because staff put it there: then it is no misfit that somebody has to decide about.';

create function public.book_by_phone(
  service_id uuid, appointment_date date, appointment_time time, customer_name text, customer_phone text,
  customer_email text default null, notes text default null,
  vehicle_year text default null, vehicle_make text default null, vehicle_model text default null, vehicle_color text default null,
  minutes integer default null, bay_id uuid default null, leave_unplaced boolean default false, reason text default null,
  booking_id uuid default gen_random_uuid()
)
  returns public.bookings
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  service public.services;
  wanted tsrange;
  bay uuid;
  warnings text[];
  booked public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into booked from public.bookings where id = book_by_phone.booking_id;
  if found then
    return booked;
  end if;
  perform internal.end_expired_holds();
  select * into service from public.services where id = book_by_phone.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  wanted := internal.span_of(appointment_date, appointment_time, coalesce(minutes, service.duration_minutes));
  if leave_unplaced then
    perform internal.require_reason(reason);
  else
    bay := internal.choose_bay(wanted, service.id, book_by_phone.bay_id, null, null);
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'warnings', warnings));
  insert into public.bookings (
    id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone, customer_email, notes,
    vehicle_year, vehicle_make, vehicle_model, vehicle_color, bay_id, kept_at, kept_by
  ) values (
    book_by_phone.booking_id, service.id, book_by_phone.appointment_date, book_by_phone.appointment_time,
    coalesce(minutes, service.duration_minutes), trim(book_by_phone.customer_name), trim(book_by_phone.customer_phone),
    nullif(trim(book_by_phone.customer_email), ''), nullif(trim(book_by_phone.notes), ''),
    nullif(trim(book_by_phone.vehicle_year), ''), nullif(trim(book_by_phone.vehicle_make), ''),
    nullif(trim(book_by_phone.vehicle_model), ''), nullif(trim(book_by_phone.vehicle_color), ''), bay,
    case when internal.is_kept(bay, warnings) then internal.current_instant() end,
    case when internal.is_kept(bay, warnings) then internal.author_name(null) end
  ) returning * into booked;
  perform internal.set_booking_note(null);
  return booked;
end
$$;
comment on function public.book_by_phone(
  uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid
) is
  'Books a caller, for whom a name and a phone number are enough, and returns the appointment. Shop wall-clock time; minutes is '
  'the service''s length unless given; bay_id null is the first bay that can do it and has the time; leave_unplaced, with a '
  'reason, is no bay at all. The notice, the window, the hours and the grid for visitors do not hold: booking_events.warnings '
  'remembers them. With a booking_id of one''s own it may be repeated: the second call returns what the first one booked.';

create function public.move_booking(
  booking_id uuid, expected_version integer, appointment_date date, appointment_time time, minutes integer default null,
  bay_id uuid default null, leave_unplaced boolean default false, reason text default null
)
  returns public.bookings
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(move_booking.booking_id);
  new_minutes constant integer := coalesce(minutes, booking.duration_minutes);
  wanted constant tsrange := internal.span_of(appointment_date, appointment_time, new_minutes);
  bay uuid;
  warnings text[];
begin
  perform internal.refuse_outdated(booking, expected_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment is moved.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  if not leave_unplaced then
    bay := internal.choose_bay(wanted, booking.service_id, move_booking.bay_id, booking.bay_id, booking.id);
  end if;
  if booking.occupied = wanted and booking.bay_id is not distinct from bay then
    return booking;
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_note(jsonb_build_object('reason', reason, 'warnings', warnings));
  update public.bookings
  set appointment_date = move_booking.appointment_date, appointment_time = move_booking.appointment_time,
      duration_minutes = new_minutes, bay_id = bay,
      kept_at = case when internal.is_kept(bay, warnings) then internal.current_instant() end,
      kept_by = case when internal.is_kept(bay, warnings) then internal.author_name(null) end
  where id = booking.id returning * into booking;
  perform internal.set_booking_note(null);
  return booking;
end
$$;
comment on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) is
  'Moves an open appointment of the expected version to a day, time, length (its own for null) and bay (for null its own, or the '
  'first that has the time; with leave_unplaced none), all at once, and returns it. Its undo is a move back. Warnings as for book_by_phone.';

create function public.next_free_times(
  service_id uuid, from_moment timestamp default null, minutes integer default null, bay_id uuid default null,
  for_booking uuid default null, most integer default 3, days integer default 31
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  wanted_minutes constant integer := coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = next_free_times.service_id));
begin
  perform internal.require_admin();
  if wanted_minutes is null or wanted_minutes not between 5 and 20160 or most is null or most not between 1 and 500
     or days is null or days not between 1 and 62
     or coalesce(from_moment, '2026-01-01') not between '2000-01-01' and '2100-01-01' then
    raise exception 'A known service, 5 to 20160 minutes, 1 to 500 times, 1 to 62 days.' using errcode = '22023', hint = 'invalid_slot';
  end if;
  return query select * from internal.free_times(
    service_id, coalesce(from_moment, internal.shop_now()), wanted_minutes, bay_id, for_booking, most, days);
end
$$;
comment on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'The next times (at most most, within so many days) at which a service, or so many minutes, fits into the hours of a bay, with '
  'the bays by position: of one bay when it is named, as if the appointment for_booking were not there. Never in the past.';

create function public.check_booking_time(
  service_id uuid, appointment_date date, appointment_time time, minutes integer default null, bay_id uuid default null,
  for_booking uuid default null
)
  returns table (placed_in uuid, warnings text[], refusal text, in_the_way uuid[], free_times jsonb)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := internal.span_of(appointment_date, appointment_time, coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = check_booking_time.service_id)));
  own_bay constant uuid := (select booking.bay_id from public.bookings booking where booking.id = for_booking);
  details text;
begin
  perform internal.require_admin();
  begin
    placed_in := internal.choose_bay(wanted, service_id, bay_id, own_bay, for_booking);
  exception when exclusion_violation or sqlstate 'TT064' or sqlstate 'TT065' then
    get stacked diagnostics refusal = pg_exception_hint, details = pg_exception_detail;
  end;
  warnings := internal.booking_warnings(wanted, coalesce(placed_in, bay_id));
  in_the_way := array(select jsonb_array_elements_text(nullif(details, '')::jsonb -> 'in_the_way')::uuid);
  free_times := coalesce(nullif(details, '')::jsonb -> 'free_times', '[]');
  return next;
end
$$;
comment on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) is
  'What book_by_phone, or move_booking of for_booking, would say now: the bay, the warnings, and when it would be refused the '
  'hint (slot_taken, bay_cannot, bay_not_active), the appointments in the way and free_times [{date, time, bay_ids}].';

grant execute on function
  public.book_by_phone(uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid),
  public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text),
  public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer),
  public.check_booking_time(uuid, date, time, integer, uuid, uuid)
to authenticated;
