-- A customer hears of a move or a cancellation by a letter whose calendar file changes the one they have: its sequence
-- counts up for as long as the appointment lives, and only the shop counts it.

alter table public.bookings
  add column calendar_sequence integer not null default 0
    constraint bookings_calendar_sequence_counts_up check (calendar_sequence >= 0);
comment on column public.bookings.calendar_sequence is
  'SEQUENCE of its calendar file (RFC 5545, section 3.8.7.4): counts moves, changes of its length, cancellations and returns.';

create or replace function internal.count_booking_change() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.version := old.version + 1;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_since := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;
comment on function internal.count_booking_change() is
  'Counts the changes of an appointment and of its calendar file, and notes since when it is in its state. Runs before '
  'settle_hold: triggers go by name.';

alter table internal.email_kinds
  drop constraint email_kinds_agrees_with_check,
  add constraint email_kinds_agrees_with_check
    check (agrees_with in ('booking', 'held_booking', 'cancelled_booking', 'nothing'));
comment on column internal.email_kinds.agrees_with is
  'What has to be as the message says when it leaves: its booking, a booking that still waits to be confirmed, one that is '
  'cancelled, or nothing.';
insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with) values
  ('booking_moved', true, false, 'booking'),
  ('booking_cancelled', true, false, 'cancelled_booking');

create or replace function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
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
