-- What becomes of held bookings: their e-mail's link confirms them, the admin confirms, cancels and reopens.

create function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- Whoever reads the mailbox may have more than a stranger may book for it, but not the calendar.
  most_open constant integer := 10;
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  select * into booking from public.bookings where id = booking_id for update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  perform internal.lock_booking_person(booking.customer_email, booking.customer_phone);
  if internal.count_open_bookings(booking.customer_email, booking.customer_phone)
     - (booking.status = 'confirmed')::integer >= most_open then
    return 'too_many';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception when exclusion_violation then
  return 'slot_taken';
end
$$;
comment on function internal.confirm_held_booking(uuid) is
  'The click in a held booking''s e-mail; may be repeated. confirmed, already_confirmed, or why not: cancelled, too_late, too_many, '
  'slot_taken (the hold had run out and somebody else has the time).';
grant execute on function internal.confirm_held_booking(uuid) to shop_server;

create function public.cancel_bookings(booking_ids uuid[]) returns table (id uuid, previous_status text)
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return query
    with chosen as (
      select booking.id, case when booking.held_until is null then booking.status else 'not_confirmed' end as previous
      from public.bookings booking
      where booking.id = any (booking_ids) and booking.completed_at is null and booking.status <> 'cancelled'
      -- In one order, so that two windows do not wait for each other crosswise.
      order by booking.id for update
    ), changed as (
      update public.bookings booking set status = 'cancelled' from chosen where booking.id = chosen.id
      returning booking.id, chosen.previous
    )
    select changed.id, changed.previous from changed;
end
$$;
comment on function public.cancel_bookings(uuid[]) is
  'Cancels open appointments at once; returns which, with the status that an undo gives back. Completed ones are left alone.';

create function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking record;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed') then
    raise exception 'new_status is confirmed, pending or not_confirmed.' using errcode = '22023', hint = 'invalid_status';
  end if;
  for booking in
    select distinct appointment_date as day from public.bookings where id = any (booking_ids) order by 1
  loop
    perform internal.lock_booking_day(booking.day);
  end loop;
  for booking in select id from public.bookings where id = any (booking_ids) and completed_at is null order by id loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = booking.id;
      return next booking.id;
    exception when exclusion_violation then
      -- Its time was given away: this one stays exactly as it was, the others are not held up by it.
      null;
    end;
  end loop;
end
$$;
comment on function public.reopen_bookings(uuid[], text) is
  'Lets cancelled, not confirmed or held appointments stand again, each where its time is still free; returns which do.';
grant execute on function public.cancel_bookings(uuid[]), public.reopen_bookings(uuid[], text) to authenticated;

create function public.visit_token(booking_id uuid) returns text
  language sql stable
  -- Reads the key, which the functions of a hosted project may not.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking_id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('visit ' || booking_id, value) from 1 for 16), 'base64'), '+/', '-_'), '=')
    from internal.secrets where name = 'visit_key'
  );
comment on function public.visit_token(uuid) is
  'What the address of a booking''s page ends in, as server/features/visit signs it; for the functions of a hosted project.';
grant execute on function public.visit_token(uuid) to service_role;

-- A booking's own page says whether a time that was not confirmed is still free.
grant execute on function public.is_time_slot_available(integer, date, time) to shop_server;
