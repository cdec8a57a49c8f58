-- Whether a customer still has to be notified of a change is asked of the appointment: it keeps what the last delivered
-- notification said.

alter table public.bookings
  add column notified_starts_at timestamp,
  add column notified_cancelled boolean not null default false;
-- What was changed before is taken as said.
alter table public.bookings disable trigger user;
update public.bookings
set notified_starts_at = appointment_date + appointment_time, notified_cancelled = status = 'cancelled';
alter table public.bookings enable trigger user;
alter table public.bookings
  alter column notified_starts_at set not null,
  add column is_notification_outdated boolean not null generated always as (
    (status = 'cancelled') <> notified_cancelled
    or (status <> 'cancelled' and notified_starts_at <> appointment_date + appointment_time)) stored;
comment on column public.bookings.notified_starts_at is
  'The start, shop wall clock, that its customer last heard of: as they booked or changed it, or by a delivered notification.';
comment on column public.bookings.notified_cancelled is 'Whether what its customer last heard is that it was cancelled.';
comment on column public.bookings.is_notification_outdated is
  'Whether date, start time or the cancellation differ from what its customer last heard; bay and length do not count.';
create index bookings_outdated_notification on public.bookings (appointment_date) where is_notification_outdated;

create function internal.settle_notification() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or internal.source_of_change('moved') = 'customer' then
    new.notified_starts_at := new.appointment_date + new.appointment_time;
    new.notified_cancelled := new.status = 'cancelled';
  end if;
  return new;
end
$$;
comment on function internal.settle_notification() is
  'Customers know what they book, on the page or by phone, and what they change by the appointment''s own link.';
create trigger settle_notification before insert or update of appointment_date, appointment_time, status on public.bookings
  for each row execute function internal.settle_notification();

create or replace function internal.count_booking_change() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- What changes without staff losing the version that they saw; generated columns are not computed yet.
  apart constant text[] := array[
    'shop_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.shop_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.shop_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
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
  'Counts the changes of an appointment, but for its note and what its customer was notified of, and of its calendar file, and '
  'notes since when it is in its state. Runs before settle_hold: triggers go by name.';

create function internal.note_notified(email_id uuid) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings booking
  set notified_starts_at = email.appointment_at, notified_cancelled = rules.agrees_with = 'cancelled_booking'
  from public.emails email join internal.email_kinds rules using (kind)
  where email.id = note_notified.email_id and booking.id = email.booking_id and email.appointment_at is not null
    and rules.agrees_with in ('booking', 'held_booking', 'cancelled_booking')
    and (booking.notified_starts_at, booking.notified_cancelled)
      is distinct from (email.appointment_at, rules.agrees_with = 'cancelled_booking');
$$;
comment on function internal.note_notified(uuid) is
  'Keeps with the appointment what a delivered email said of it: its start, or that it was cancelled.';

create or replace function public.note_email_left(email_id uuid, outcome text, provider_message_id text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(note_email_left.provider_message_id, 300)
  where email.id = note_email_left.email_id;
  if outcome = 'sent' then
    perform internal.note_notified(note_email_left.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = note_email_left.email_id;
  -- A quote request is completed once its reply went out, also when it was sent again (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = note_email_left.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$$;

create function internal.needs_notification(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.is_notification_outdated and booking.completed_at is null
    and booking.status not in ('arrived', 'in_work', 'no_show', 'not_confirmed')
    -- Nobody is notified of a booking that looks automated: one of a crowd may well be a person (docs/product.md 10.3).
    and (booking.hold_confirmed_at is not null
         or booking.flagged_reasons <@ array['many_open_bookings', 'many_from_one_client', 'many_at_once'])
    and greatest(upper(booking.occupied), booking.notified_starts_at) > internal.shop_now();
comment on function internal.needs_notification(public.bookings) is
  'Whether its customer still has to be notified: what they last heard is not so, and they may still act on it.';

alter table public.booking_events
  drop constraint booking_events_kind_is_known,
  add constraint booking_events_kind_is_known check (kind in (
    'booked', 'moved', 'placed', 'extended', 'shortened', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
    'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
    'notification_dismissed'));

create function public.dismiss_notification(booking_id uuid, expected_version integer, reason text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(dismiss_notification.booking_id);
  event_id bigint;
begin
  perform internal.refuse_outdated(booking, expected_version);
  perform internal.require_reason(reason);
  if not booking.is_notification_outdated then
    return;
  end if;
  update public.bookings
  set notified_starts_at = appointment_date + appointment_time, notified_cancelled = status = 'cancelled'
  where id = booking.id;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'notification_dismissed', 'counter', internal.author_name(null), trim(dismiss_notification.reason))
  returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
end
$$;
comment on function public.dismiss_notification(uuid, integer, text) is
  'The customer of an appointment of the expected version needs no notification of how it is now, for a reason that its history '
  'keeps; the next change needs one again.';
grant execute on function public.dismiss_notification(uuid, integer, text) to authenticated;

create or replace function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'will_come', booking.answered_at is not null,
    'needs_notification', internal.needs_notification(booking),
    'notified_starts_at', booking.notified_starts_at, 'notified_cancelled', booking.notified_cancelled,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'person_id', booking.person_id, 'car_id', booking.car_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );

create function internal.bookings_to_notify() returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where booking.is_notification_outdated and internal.needs_notification(booking)
  order by booking.appointment_date, booking.appointment_time, booking.id limit 50
$$;
comment on function internal.bookings_to_notify() is
  'Appointments whose customers still have to be notified of a change, the 50 that begin first.';

create or replace function public.read_today() returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return public.read_day(today) || jsonb_build_object(
    'instant', internal.current_instant(),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'name', name, 'vehicle_year', vehicle_year, 'vehicle_make', vehicle_make, 'vehicle_model', vehicle_model,
        'service_type', service_type, 'created_at', created_at) order by created_at, id), '[]')
      from internal.unanswered_quotes()),
    'letters', internal.letters_that_wait(),
    'to_notify', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'customer_name', customer_name, 'customer_email', customer_email, 'customer_phone', customer_phone,
        'starts_at', lower(occupied), 'is_cancelled', status = 'cancelled') order by appointment_date, appointment_time, id), '[]')
      from internal.bookings_to_notify()),
    'misfits', internal.misfits_ahead(),
    'held', internal.held_appointments(),
    'tasks', internal.tasks_with_customers(),
    'payments', internal.payments_of_day(today),
    'week', internal.cars_of_week(date_trunc('week', today)::date)
  );
end
$$;
comment on function public.read_today() is
  'What read_day says of today, and {instant, quotes, letters, to_notify, misfits, held, tasks, payments, week}: who waits, what '
  'was paid today, the cars of this week (contracts/today.ts).';

create or replace function public.somebody_waits() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return exists (select from internal.cars_here(internal.shop_now()))
    or exists (select from internal.unanswered_quotes())
    or exists (select from internal.undelivered_letters())
    or exists (select from internal.bookings_to_notify())
    or exists (select from public.misfits);
end
$$;
comment on function public.somebody_waits() is
  'Whether a customer waits for the shop: one who arrived, a quote unanswered for 12 hours, a letter that failed, a change that '
  'its customer has not heard of, or an appointment that has no bay or lies outside the hours. What read_today names, without naming it.';
