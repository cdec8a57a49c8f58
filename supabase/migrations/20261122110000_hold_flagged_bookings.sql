-- A booking that looks automated holds its slot for half an hour only, until somebody who reads its e-mail
-- confirms it. Whoever fills the calendar by machine holds a few slots for a short while, not all of them.

alter table public.bookings
  add column held_until timestamptz,
  add column hold_confirmed_at timestamptz,
  add constraint bookings_hold_is_open check (held_until is null or (status = 'confirmed' and completed_at is null));
comment on column public.bookings.held_until is
  'Until when a flagged booking holds its slot without being confirmed by its e-mail; null for every other one.';
comment on column public.bookings.hold_confirmed_at is
  'When a held booking was confirmed, by the link in its e-mail or by the admin.';
comment on column public.bookings.flagged_reasons is
  'What looked automated about the request; empty for an ordinary one. A flagged booking is held until it is confirmed.';
comment on column public.bookings.status is
  'confirmed, cancelled, not_confirmed (a hold that ran out, its slot is free) or what staff write.';

alter table public.bookings
  drop constraint bookings_do_not_overlap,
  add constraint bookings_do_not_overlap exclude using gist (occupied with &&)
    where (status not in ('cancelled', 'not_confirmed'));

create index bookings_held on public.bookings (held_until) where held_until is not null;
-- What the dashboard folds away, and leaves out when it counts.
create index bookings_gone_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null and status in ('cancelled', 'not_confirmed');

create function internal.lock_booking_day(day date) returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('booking ' || day, 0));
comment on function internal.lock_booking_day(date) is
  'One change of a day''s slots at a time, to the end of the transaction; several days are locked in order.';
grant execute on function internal.lock_booking_day(date) to anon, authenticated;
-- Reads nothing but the request's own token.
grant execute on function internal.is_admin() to anon;

create function internal.end_expired_holds(day date default null) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  ended integer;
begin
  -- Rows that another transaction has in hand are left to it: nobody waits, so nobody deadlocks.
  update public.bookings set status = 'not_confirmed'
  where id in (
    select id from public.bookings
    where held_until <= internal.current_instant() and (day is null or appointment_date = day)
    for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;
comment on function internal.end_expired_holds(date) is
  'Gives the slots of unanswered holds back, of one day or of all; returns how many.';
grant execute on function internal.end_expired_holds(date) to shop_server;

create function internal.settle_hold() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.status <> 'confirmed' or new.completed_at is not null then
    new.held_until := null;
  end if;
  if old.status in ('cancelled', 'not_confirmed') and new.status not in ('cancelled', 'not_confirmed') then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  return new;
end
$$;
comment on function internal.settle_hold() is
  'A booking that changes its state is held no more; one that takes its slot again finds expired holds out of the way.';
create trigger settle_hold before update of status, completed_at on public.bookings
  for each row execute function internal.settle_hold();

create or replace function internal.accept_booking() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  refusal text;
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not internal.is_admin() then
    if current_setting('shop.has_booked', true) = 'yes' then
      raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_at_a_time';
    end if;
    perform set_config('shop.has_booked', 'yes', true);
  end if;
  select duration_minutes into new.duration_minutes from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes);
  case refusal
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least 2 hours in advance.' using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to 30 days ahead.' using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every 30 minutes from opening time.' using errcode = 'TT015', hint = refusal;
    else null;
  end case;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  return new;
end
$$;

create function internal.canonical_phone(phone text) returns text
  language sql immutable strict
  set search_path = ''
  return substring(regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^1(?=[0-9]{10}$)', '') from '^.{7,}$');
comment on function internal.canonical_phone(text) is
  'A phone number''s digits without the country code 1; null when there are too few to be anybody''s.';
-- The indexes below are written with the rights of whoever inserts.
grant execute on function internal.mailbox_of(text), internal.canonical_phone(text) to anon, authenticated;

create index bookings_open_by_mailbox on public.bookings (internal.mailbox_of(customer_email), appointment_date)
  where completed_at is null and status not in ('cancelled', 'not_confirmed');
create index bookings_open_by_phone on public.bookings (internal.canonical_phone(customer_phone), appointment_date)
  where completed_at is null and status not in ('cancelled', 'not_confirmed');

create function internal.count_open_bookings(email text, phone text) returns integer
  language sql stable
  security definer
  set search_path = ''
  return greatest(
    (select count(*) from public.bookings
     where internal.mailbox_of(customer_email) = internal.mailbox_of(email)
       and appointment_date >= internal.shop_now()::date and upper(occupied) > internal.shop_now()
       and completed_at is null and status not in ('cancelled', 'not_confirmed')),
    (select count(*) from public.bookings
     where internal.canonical_phone(customer_phone) = internal.canonical_phone(phone)
       and appointment_date >= internal.shop_now()::date and upper(occupied) > internal.shop_now()
       and completed_at is null and status not in ('cancelled', 'not_confirmed'))
  )::integer;
comment on function internal.count_open_bookings(text, text) is
  'How many appointments lie ahead of one mailbox or one phone number, whichever has more.';

create function internal.lock_booking_person(email text, phone text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || internal.mailbox_of(email), 0));
  perform pg_advisory_xact_lock(
    hashtextextended('booking phone ' || coalesce(internal.canonical_phone(phone), ''), 0));
end
$$;
comment on function internal.lock_booking_person(text, text) is
  'Counts of one person do not change until the transaction ends. Taken after the day''s lock, always.';

create function internal.hold_flagged_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- A family or a small fleet has fewer cars; who brings more confirms each by e-mail.
  most_open constant integer := 5;
  hold constant interval := interval '30 minutes';
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
  most_held_a_day constant integer := 3;
  held integer;
  held_that_day integer;
begin
  perform internal.end_expired_holds(new.appointment_date);
  if internal.is_admin() then
    return new;
  end if;
  perform internal.lock_booking_person(new.customer_email, new.customer_phone);
  if internal.count_open_bookings(new.customer_email, new.customer_phone) >= most_open then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  if new.flagged_reasons = '{}' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*), count(*) filter (where appointment_date = new.appointment_date) into held, held_that_day
  from public.bookings where held_until > internal.current_instant();
  if held >= most_held or held_that_day >= most_held_a_day then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
  new.held_until := internal.current_instant() + hold;
  return new;
end
$$;
comment on function internal.hold_flagged_booking() is
  'Flags a booking beyond a person''s fifth, and makes every flagged one a hold of half an hour, of which there are few at a time. '
  'Runs after accept_booking and flag_suspicious_form: triggers go by name.';
create trigger hold_flagged_booking before insert on public.bookings
  for each row when (current_user in ('anon', 'authenticated')) execute function internal.hold_flagged_booking();

create or replace function public.is_time_slot_available(service_duration integer, booking_date date, booking_time time)
  returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.booking_refusal(booking_date, booking_time, service_duration) is not null then
    return false;
  end if;
  return not exists (
    select from public.bookings
    where status not in ('cancelled', 'not_confirmed')
      and occupied && tsrange(
        booking_date + booking_time,
        booking_date + booking_time + service_duration * interval '1 minute',
        '[)'
      )
      and (held_until is null or held_until > internal.current_instant())
  );
end
$$;
