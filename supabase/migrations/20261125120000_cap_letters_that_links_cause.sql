-- Whoever books in somebody else's name gets the link at once: what they do with it would write to that mailbox each time.
-- So these letters count with those that forms cause, and the page says that one was sent where one was.

update internal.email_kinds set is_confirmation = true where kind in ('booking_moved', 'booking_cancelled');
comment on column internal.email_kinds.is_confirmation is
  'Whether a visitor may cause it, by a form or by the link of an appointment; such a letter is counted by the caps. No other '
  'kind is written for a visitor.';

create function internal.has_letter_of_change(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.emails letter
    where letter.booking_id = booking.id and letter.dedupe_key in (
      'booking:' || booking.id || ':moved:' || booking.calendar_sequence,
      'booking:' || booking.id || ':cancelled:' || booking.calendar_sequence,
      'booking:' || booking.id || ':restored:' || booking.calendar_sequence)
  );
comment on function internal.has_letter_of_change(public.bookings) is
  'Whether a letter says what an appointment''s last move, cancellation or return came to.';

create or replace function internal.read_visit(booking_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.visit_starts_at(booking);
  -- A machine may have typed the address of somebody who knows nothing of it: they read none of its words.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'state', internal.visit_state(booking),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasLetter', internal.has_letter_of_change(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'bookedAt', booking.created_at, 'heldUntil', booking.held_until, 'hasAnswered', booking.answered_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.visit_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.visit_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.take_back_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.tell_story(booking.id, zone)
  );
end
$$;

create or replace function internal.take_visit(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  -- As staff do: first, so that nobody waits crosswise.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- Whoever writes its confirmation holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$$;
