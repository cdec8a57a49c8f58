-- The day before, whoever has an appointment hears of it once, by day, and only while it is as the letter says.

-- A reminder that may leave until nine in the evening is not begun at nine.
update public.booking_rules set reminder_time = '20:30' where reminder_time > '20:30';
alter table public.booking_rules
  drop constraint booking_rules_reminder_time_by_day,
  add constraint booking_rules_reminder_time_by_day check (reminder_time between '08:00' and '20:30');

alter table internal.email_kinds add column leaves_at_night boolean not null default true;
comment on column internal.email_kinds.leaves_at_night is
  'Whether it may leave between nine in the evening and eight in the morning, shop time.';
insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with, leaves_at_night) values
  ('booking_reminder', true, false, 'booking', false);

create function internal.is_night() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time not between '08:00' and '21:00';
comment on function internal.is_night() is 'Whether people near the shop are not to be written to: from 9 PM to 8 AM, shop time.';

create or replace function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when not rules.leaves_at_night and internal.is_night() then 'Not sent in time: it is night.'
    when rules.agrees_with = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when rules.agrees_with = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.agrees_with = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;

create function internal.bookings_to_remind(most integer) returns setof public.bookings
  language sql stable
  -- Reads the stories of appointments, which are nobody's but the admin's.
  security definer
  set search_path = ''
as $$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_night()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Whoever chose this time after the hour of reminders knows of it.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    and not exists (
      select from public.emails letter
      where letter.dedupe_key = 'booking:' || booking.id || ':reminder:' || booking.calendar_sequence)
  order by booking.appointment_time, booking.id
  limit most
$$;
comment on function internal.bookings_to_remind(integer) is
  'The appointments of tomorrow whose customers are to be reminded now and have not been: from the hour of booking_rules on, '
  'until nine in the evening. Each (appointment, calendar_sequence) is reminded once, by the dedupe_key of its letter.';
grant execute on function internal.bookings_to_remind(integer) to shop_server;
