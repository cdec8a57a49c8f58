-- Bookings: appointments of vehicles, in shop time. Two bookings of one bay never overlap (`bookings_do_not_overlap`).
-- Every change adds an event to `booking_events`, which is append-only. `booking_transitions` lists the allowed changes
-- of state. A staff request that changes a booking contains the version that the team member saw, and fails if the
-- booking has changed since. 40_availability.sql contains the rules about the start of a booking. 45_holds.sql contains
-- the rules for holding a suspicious booking until it is confirmed (columns `flagged_reasons` and `held_until`).
-- 50_visit_page.sql contains the actions of customers on their own booking, such as cancelling it.

-- PostgreSQL parses and prepares each check of a table again for each statement. Two functions contain all checks of
-- bookings: with one check for each column, PostgreSQL executed a sixth more machine instructions for a visitor's
-- booking. The functions are written in plpgsql, because PostgreSQL would also plan an SQL function in a check again
-- for each statement.
create function internal.are_booking_texts_valid(
  customer_name text, customer_email text, customer_phone text, notes text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, internal_note text
) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return length(trim(customer_name)) between 1 and 200
    and length(customer_email) between 1 and 254 and position('@' in customer_email) > 0
    and length(trim(customer_phone)) between 1 and 40
    and length(notes) <= 2000 and internal.is_plain_text(notes)
    and length(vehicle_year) <= 20
    and length(vehicle_make) <= 60
    and length(vehicle_model) <= 60
    and length(vehicle_color) <= 40
    and length(internal_note) <= 500 and internal.is_plain_text(internal_note)
    and internal.shows_every_character(
      customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_color);
end
$$;
comment on function internal.are_booking_texts_valid(text, text, text, text, text, text, text, text, text) is
  'Whether the texts of a booking have permitted lengths and contain only permitted characters. Notes may contain '
  'line ends and tabs. If a text is null and all others are valid, the result is null, which a check constraint '
  'accepts.';
-- Every role that writes bookings needs this grant, because check constraints run with the privileges of the role that
-- writes the row.
grant execute on function internal.are_booking_texts_valid(text, text, text, text, text, text, text, text, text) to anon, authenticated;

create function internal.is_booking_state_valid(
  status text, duration_minutes integer, completed_at timestamptz, completed_by text, held_until timestamptz,
  conflict_accepted_at timestamptz, conflict_accepted_by text, calendar_sequence integer
) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return length(status) between 1 and 30
    and duration_minutes between 5 and 20160
    and (completed_at is null) = (completed_by is null) and length(completed_by) <= 100
    and (held_until is null or (status = 'confirmed' and completed_at is null))
    and (conflict_accepted_at is null) = (conflict_accepted_by is null) and length(conflict_accepted_by) <= 100
    and calendar_sequence >= 0;
end
$$;
comment on function internal.is_booking_state_valid(text, integer, timestamptz, text, timestamptz, timestamptz, text, integer) is
  'Whether the columns of a booking''s state are consistent. A completion has a person and a time or neither. The '
  'same applies to an accepted schedule conflict. Only a confirmed booking that is not completed can be held. If an '
  'argument is null and all others are valid, the result can be null, which a check constraint accepts.';
-- Every role that writes bookings needs this grant, because check constraints run with the privileges of the role that
-- writes the row.
grant execute on function internal.is_booking_state_valid(text, integer, timestamptz, text, timestamptz, timestamptz, text, integer)
  to anon, authenticated;

create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  service_id uuid not null references public.services,
  appointment_date date not null,
  appointment_time time(0) not null,
  duration_minutes integer not null,
  occupied tsrange not null generated always as (
    tsrange(
      appointment_date + appointment_time,
      appointment_date + appointment_time + duration_minutes * interval '1 minute',
      '[)'
    )
  ) stored,
  customer_name text not null,
  customer_email text,
  customer_phone text not null,
  notes text,
  vehicle_year text,
  vehicle_make text,
  vehicle_model text,
  vehicle_color text,
  status text not null default 'confirmed',
  completed_at timestamptz,
  completed_by text,
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now(),
  held_until timestamptz,
  hold_confirmed_at timestamptz,
  -- For a visitor's booking, the default is null, because the trigger accept_booking assigns the bay.
  bay_id uuid default case when current_user <> 'anon'::text then internal.default_bay() end references public.bays,
  service_name text not null,
  service_price_cents integer,
  conflict_accepted_at timestamptz,
  conflict_accepted_by text,
  is_sample boolean not null default false,
  version integer not null default 1,
  state_changed_at timestamptz not null default now(),
  search_text text not null default '',
  internal_note text,
  calendar_sequence integer not null default 0,
  link_version integer not null default 1,
  attendance_confirmed_at timestamptz,
  repair_id uuid not null default gen_random_uuid(),
  customer_id uuid references public.customers,
  vehicle_id uuid references public.vehicles,
  notified_starts_at timestamp not null,
  notified_cancelled boolean not null default false,
  is_notification_outdated boolean not null generated always as (
    (status = 'cancelled') <> notified_cancelled
    or (status <> 'cancelled' and notified_starts_at <> appointment_date + appointment_time)) stored,
  constraint bookings_texts_are_valid check (internal.are_booking_texts_valid(
    customer_name, customer_email, customer_phone, notes, vehicle_year, vehicle_make, vehicle_model, vehicle_color, internal_note)),
  constraint bookings_state_is_valid check (internal.is_booking_state_valid(
    status, duration_minutes, completed_at, completed_by, held_until, conflict_accepted_at, conflict_accepted_by, calendar_sequence)),
  constraint bookings_do_not_overlap exclude using gist (bay_id with =, occupied with &&)
    where (bay_id is not null and status not in ('cancelled', 'not_confirmed', 'no_show'))
);
comment on table public.bookings is 'Appointments of customers'' vehicles. Dates and times are shop wall-clock time (shop.time_zone).';
comment on column public.bookings.duration_minutes is
  'The wall-clock minutes for which the booking occupies its bay: the duration of the service at the time of booking, '
  'or the duration that staff chose, up to two weeks.';
comment on column public.bookings.occupied is
  'The time that the booking occupies, as a half-open range of shop wall-clock time, so that back-to-back bookings do '
  'not overlap.';
comment on column public.bookings.customer_email is
  'The email address to which emails about the booking are sent; null when a customer who booked by phone has none.';
comment on column public.bookings.status is
  'The status: confirmed, arrived, in_work, no_show, cancelled, not_confirmed (an expired hold) or another text of up '
  'to 30 characters that staff set as the status. Bookings with no_show, cancelled or not_confirmed do not occupy '
  'their time. The column completed_at records the completion.';
comment on column public.bookings.flagged_reasons is
  'The reasons why the booking is held until it is confirmed: signs that an automated program sent the form of the '
  'booking, many_open_bookings, or the limit that was reached (45_holds.sql). Empty for an ordinary booking.';
comment on column public.bookings.held_until is
  'When the hold of a flagged (suspicious) booking expires, unless the customer (by the link in an email) or staff '
  'confirm the booking before; null for a booking that is not held.';
comment on column public.bookings.hold_confirmed_at is 'When a held booking was confirmed, by the link in its email or by the admin.';
comment on column public.bookings.bay_id is
  'The bay of the booking; null for a booking without a bay, which occupies no bay''s time.';
comment on column public.bookings.service_name is
  'The name of the service at the time of booking; later changes of the service do not change this name.';
comment on column public.bookings.service_price_cents is
  'The lowest price on the service card at the time of booking; null when the card showed no price.';
comment on column public.bookings.conflict_accepted_at is
  'When the admin accepted that the booking is outside the hours or has no bay; null otherwise.';
comment on column public.bookings.conflict_accepted_by is
  'The admin who accepted the schedule conflict (the booking is outside the hours or has no bay).';
comment on column public.bookings.is_sample is
  'Whether the booking belongs to the sample week (sample data for a new shop) and is deleted with it.';
comment on column public.bookings.version is
  'The version of the row, which each change increments. A request that moves the booking or changes its state '
  'contains the version that the user saw.';
comment on column public.bookings.state_changed_at is
  'When the booking reached its current state; the dashboard shows how long an arrived vehicle has been waiting.';
comment on column public.bookings.search_text is
  'The searchable text of the booking, normalized; empty until the booking is linked to its customer.';
comment on column public.bookings.internal_note is 'An internal note of staff, which no email and no page shows to customers.';
comment on column public.bookings.calendar_sequence is
  'SEQUENCE of the calendar file (RFC 5545, section 3.8.7.4). Every move, change of the duration, cancellation and '
  'reopening increments it.';
comment on column public.bookings.link_version is
  'The version of the link to the visit page, the private page of the booking; incrementing it makes earlier links '
  'invalid.';
comment on column public.bookings.attendance_confirmed_at is
  'When the customer confirmed that they will come at the booked time; null again after a move or a cancellation.';
comment on column public.bookings.repair_id is
  'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';
comment on column public.bookings.customer_id is
  'The customer of the booking; null until the booking is linked to a customer.';
comment on column public.bookings.vehicle_id is 'The vehicle of the booking; null when the booking names no vehicle.';
comment on column public.bookings.notified_starts_at is
  'The start that the customer knows, in shop wall-clock time: the customer chose it, or the last delivered '
  'notification stated it.';
comment on column public.bookings.notified_cancelled is
  'Whether the customer knows that the booking is cancelled: the customer cancelled it, or a delivered email stated '
  'the cancellation.';
comment on column public.bookings.is_notification_outdated is
  'Whether the date, the start time or the cancellation differs from what the customer knows (notified_starts_at, '
  'notified_cancelled). Changes of the bay and the duration do not count.';

create index bookings_by_date on public.bookings (appointment_date, appointment_time);
create index bookings_by_service on public.bookings (service_id);
-- These indexes are for the dashboard's list of bookings, which reads open bookings by date, and completed bookings
-- newest first, one page at a time.
create index bookings_open_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null;
create index bookings_completed_by_date on public.bookings (appointment_date desc, appointment_time desc)
  where completed_at is not null;
-- This index is for confirmation emails, which are sent only for bookings of the last 15 minutes.
create index bookings_newest_first on public.bookings (created_at desc);
create index bookings_held on public.bookings (held_until) where held_until is not null;
-- This index is for two queries of the dashboard's list of bookings: the section of cancelled and unconfirmed bookings,
-- and the number of all other bookings, which is computed as all bookings minus the rows of this index.
create index bookings_inactive_by_date on public.bookings (appointment_date, appointment_time)
  where completed_at is null and status in ('cancelled', 'not_confirmed');
create index bookings_open_by_mailbox on public.bookings (internal.normalize_mailbox(customer_email), appointment_date)
  where completed_at is null and status not in ('cancelled', 'not_confirmed');
-- A visitor's new booking has no search text, so inserting it does not write to this index. Queries must repeat the
-- condition of the index, so that PostgreSQL can use it.
create index bookings_by_search_text on public.bookings
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256) where search_text <> '';
-- This index finds the earlier bookings of a phone number.
create index bookings_by_phone on public.bookings (internal.normalize_phone(customer_phone), appointment_date desc);
create index bookings_by_repair on public.bookings (repair_id);
-- This index contains only linked bookings: a visitor's new booking has no customer until the job link-new-records links it.
create index bookings_of_customer on public.bookings (customer_id, appointment_date desc) where customer_id is not null;
create index bookings_of_vehicle on public.bookings (vehicle_id, appointment_date desc) where vehicle_id is not null;
-- The job link-new-records reads the bookings that it must link from this index; a linked booking is no longer in it.
create index bookings_without_customer on public.bookings (created_at, id) where customer_id is null;
create index bookings_outdated_notification on public.bookings (appointment_date) where is_notification_outdated;
create index bookings_completed_by_mail_host
  on public.bookings (internal.mail_host_of(internal.normalize_mailbox(customer_email)), internal.normalize_mailbox(customer_email))
  where completed_at is not null and not is_sample;

alter table public.bookings enable row level security;
-- The server functions of a hosted project use the role service_role and read the bookings that they confirm by email.
grant select on public.bookings to authenticated;
grant delete on public.bookings to shop_owner;
grant select on public.bookings to service_role, shop_server;
grant insert (service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone, notes, vehicle_year,
  vehicle_make, vehicle_model, vehicle_color, status) on public.bookings to anon;
grant insert (service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone, notes, vehicle_year,
  vehicle_make, vehicle_model, vehicle_color, status), update (status, completed_at, completed_by, flagged_reasons, internal_note)
  on public.bookings to authenticated;
create policy "anyone books, the rules are in accept_booking" on public.bookings
  for insert to anon, authenticated with check (status = 'confirmed' and completed_at is null);
create policy "the admin reads bookings" on public.bookings for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes bookings" on public.bookings
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "owners delete bookings" on public.bookings for delete to shop_owner using ((select internal.is_owner()));
create policy "the server reads bookings" on public.bookings for select to shop_server using (true);

create function internal.refuse_incomplete_booking(booking public.bookings) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if booking.status <> 'confirmed' then
    raise exception 'A new appointment must have the status confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if booking.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
end
$$;
comment on function internal.refuse_incomplete_booking(public.bookings) is
  'Refuses a new booking whose status is not ''confirmed'', or that lacks an email address or a part of the '
  'vehicle''s description.';

create function internal.find_bay_or_refuse(booking public.bookings, refusal text) returns uuid
  language plpgsql stable set search_path = '' as $$
declare
  bay uuid := booking.bay_id;
begin
  if booking.duration_minutes is null then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  perform internal.refuse_booking(refusal);
  if bay is null then
    bay := internal.find_free_bay(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
  end if;
  if bay is null then
    perform internal.refuse_booking(internal.booking_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id));
    perform internal.raise_slot_taken();
  end if;
  return bay;
end
$$;
comment on function internal.find_bay_or_refuse(public.bookings, text) is
  'Returns the bay of a new booking: the bay in the booking or, if it has none, the first free bay. Raises the '
  'error of the code in refusal (the result of start_time_refusal), or of another rule that the booking breaks. '
  'Also finds a bay for a date without rows in bay_hours.';

create function internal.accept_booking() returns trigger
  -- Runs with the owner's rights, because the role that fires the trigger has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements of the function once instead of at every call. With
  -- `enable_seqscan = off`, a plan that was made while a table was small does not read the whole table after the table
  -- has grown.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin constant boolean := tg_nargs = 0 and internal.is_admin();
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  refusal text;
  open_bookings integer;
  has_expired_holds boolean;
begin
  -- A visitor must not lock several days in one transaction, because two such transactions could deadlock.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if new.status <> 'confirmed' or new.customer_email is null
     or (trim(new.vehicle_year) <> '' and trim(new.vehicle_make) <> '' and trim(new.vehicle_model) <> '') is not true then
    perform internal.refuse_incomplete_booking(new);
  end if;
  -- Without the lock of the day, concurrent inserts for overlapping times deadlock instead of failing with a conflict.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- For speed, one statement reads all data that the checks need; it runs after the locks, so the data are current.
  select service.duration_minutes, service.name, service.price_from_cents, new.appointment_date + new.appointment_time,
         internal.start_time_refusal(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused),
         (select bay_id from internal.free_bays(new.appointment_date, new.appointment_time, service.duration_minutes, service.id,
                                                rules.slot_interval_minutes) order by bay_rank limit 1),
         greatest((select count(*) from internal.open_bookings_of_mailbox(mailbox, clock.now)),
                  (select count(*) from internal.open_bookings_of_phone(phone_key, clock.now))),
         exists (
           select from public.bookings where held_until <= internal.current_instant() and appointment_date = new.appointment_date)
  into new.duration_minutes, new.service_name, new.service_price_cents, new.notified_starts_at,
       refusal, new.bay_id, open_bookings, has_expired_holds
  from public.shop cross join lateral (select internal.current_instant() at time zone shop.time_zone as now) clock
  cross join public.booking_rules rules left join public.services service on service.id = new.service_id and service.is_active;
  if refusal is not null or new.bay_id is null then
    new.bay_id := internal.find_bay_or_refuse(new, refusal);
  end if;
  if tg_argv[0] = 'visitor' then
    -- If the booking is linked to its customer later, the linking job also writes the booking's search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- The limits on automated bookings do not apply to bookings by staff.
  if not is_admin then
    new.flagged_reasons := internal.reasons_to_hold(case tg_argv[0] when 'visitor' then new.id end, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$$;
comment on function internal.accept_booking() is
  'Checks a booking that a visitor or staff insert through the data service (the REST API). Refuses a booking that '
  'breaks a rule, and assigns the first free bay. If the trigger has the argument ''visitor'', also flags a form '
  'that looks automated, and holds a flagged booking.';
grant execute on function internal.accept_booking() to anon, authenticated;
-- The conditions of the triggers compare current_user with a constant of the type `text`: PostgreSQL parses each
-- condition for each statement, and a constant of the type `name` takes longer to parse, because its value has 64
-- bytes.
create trigger t10_accept_booking before insert on public.bookings
  for each row when (current_user = any ('{authenticated,shop_owner,shop_advisor}'::text[])) execute function internal.accept_booking();
create trigger t15_accept_booking_of_visitor before insert on public.bookings
  for each row when (current_user = 'anon'::text) execute function internal.accept_booking('visitor');

create function internal.prevent_open_booking_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if old.completed_at is null then
    raise exception 'Only completed appointments can be deleted.' using errcode = 'TT021', hint = 'not_completed';
  end if;
  return old;
end
$$;
grant execute on function internal.prevent_open_booking_delete() to authenticated;
-- Open bookings cannot be deleted, except those of the sample week.
create trigger t10_prevent_open_booking_delete before delete on public.bookings
  for each row when (not old.is_sample) execute function internal.prevent_open_booking_delete();

create function internal.record_new_booking() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after, reason, warnings)
  select new.id, 'booked', source, case when source in ('counter', 'task') then internal.author_name(null) else source end,
         internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)), nullif(trim(note ->> 'reason'), ''),
         array(select jsonb_array_elements_text(note -> 'warnings'))
  from (select internal.booking_event_source('booked') as source, internal.booking_change_context() as note) change
  returning id into recorded_id;
  perform internal.announce_booking(new.id, recorded_id);
  return null;
end
$$;
comment on function internal.record_new_booking() is
  'Adds the first event to the history of a booking that staff or the server inserted, and notifies the open '
  'dashboards.';
create trigger t10_record_new_booking after insert on public.bookings
  for each row when (current_user <> 'anon'::text) execute function internal.record_new_booking();

create function internal.record_booking_of_visitor() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after)
  values (new.id, 'booked', 'visitor', 'visitor',
          internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)))
  returning id into recorded_id;
  -- PostgreSQL commits transactions with notifications one after the other, which would slow down visitors. Therefore
  -- the job that links the booking to its customer sends the notification.
  if new.customer_id is not null then
    perform internal.announce_booking(new.id, recorded_id);
  end if;
  return null;
end
$$;
comment on function internal.record_booking_of_visitor() is
  'Adds the first event to the history of a visitor''s booking. If the booking already has its customer, also '
  'notifies the open dashboards; otherwise the job that links the booking to its customer notifies them.';
create trigger t15_record_booking_of_visitor after insert on public.bookings
  for each row when (current_user = 'anon'::text) execute function internal.record_booking_of_visitor();

create function internal.record_booking_event() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  event_kind constant text := case tg_op when 'DELETE' then 'deleted' else internal.booking_event_kind(old, new) end;
  source constant text := internal.booking_event_source(event_kind);
  note constant jsonb := internal.booking_change_context();
  warnings text[] := '{}';
  snapshot_before constant jsonb := internal.booking_snapshot(old);
  snapshot_after constant jsonb := case tg_op when 'UPDATE' then internal.booking_snapshot(new) end;
  event_id bigint;
begin
  if event_kind is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      old.id, event_kind, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(snapshot_before, snapshot_after) else snapshot_before end,
      case
        when event_kind = 'edited' then coalesce(internal.changed_columns(snapshot_after, snapshot_before), '{}')
          || jsonb_build_object('edited', internal.edited_fields(old, new))
        when tg_op = 'UPDATE' then internal.changed_columns(snapshot_after, snapshot_before)
      end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  perform internal.announce_booking(old.id, event_id);
  return null;
end
$$;
comment on function internal.record_booking_event() is
  'Records a change of a booking in booking_events. Notifies all server processes of the change (channel '
  'bookings_changed): the notification contains the id of the booking and, if the change has an event, the id of '
  'the event.';
create trigger t10_record_booking_event after delete on public.bookings for each row execute function internal.record_booking_event();
create trigger t10_record_booking_change after update on public.bookings
  for each row when ((new.customer_id, new.vehicle_id) is not distinct from (old.customer_id, old.vehicle_id))
  execute function internal.record_booking_event();

create function internal.increment_booking_version() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- booking_state.
  language plpgsql security definer set search_path = '' as $$
declare
  -- An update that changes only internal_note, notified_starts_at or notified_cancelled does not increment the version.
  -- The list also contains the columns whose values are computed after this trigger: search_text, generated columns.
  apart constant text[] := array[
    'internal_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.internal_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.internal_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_changed_at := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;
comment on function internal.increment_booking_version() is
  'Increments the version of a booking, unless only internal_note, notified_starts_at or notified_cancelled change. '
  'Also maintains calendar_sequence and state_changed_at. Runs before the trigger release_hold, because triggers run '
  'in the order of their names.';
-- This trigger ignores updates that link a booking to its customer, because such updates change neither the version of
-- the booking nor its history.
create trigger t15_increment_booking_version before update on public.bookings
  for each row when ((new.customer_id, new.vehicle_id) is not distinct from (old.customer_id, old.vehicle_id))
  execute function internal.increment_booking_version();

create function internal.check_no_show() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- refuse_early_no_show.
  language plpgsql security definer set search_path = '' as $$
begin
  if old.status is distinct from new.status and internal.is_admin() then
    perform internal.refuse_early_no_show(old);
  end if;
  return new;
end
$$;
comment on function internal.check_no_show() is
  'Refuses to mark a booking as a no-show too early (refuse_early_no_show), also if the admin writes the column '
  'status directly.';
create trigger t10_check_no_show before update of status on public.bookings
  for each row when (new.status = 'no_show') execute function internal.check_no_show();

create function internal.fill_search_text() returns trigger
  language plpgsql
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- search_text_of.
  security definer
  set search_path = ''
as $$
begin
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;
comment on function internal.fill_search_text() is
  'Computes the column search_text; a value for this column in the insert or update statement is ignored.';
create trigger t20_fill_search_text before update on public.bookings for each row execute function internal.fill_search_text();

create function internal.link_booking() returns trigger
  language plpgsql
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- find_or_create_customer, booking_customer_details and other functions.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
begin
  new.customer_id := internal.find_or_create_customer(
    internal.booking_customer_details(new, internal.booking_event_source('booked') = 'visitor'));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The trigger does not refuse an invalid booking, but leaves it without a customer. The check constraints of the
  -- table then report the violation.
  new.customer_id := null;
  return new;
end
$$;
comment on function internal.link_booking() is 'Links a new booking to its customer and its vehicle.';
-- The job link-new-records links a visitor's booking and writes its search text later. A booking by staff is linked
-- immediately.
create trigger t50_link_to_customer before insert on public.bookings
  for each row when (new.customer_id is null and new.search_text <> '') execute function internal.link_booking();

create function internal.reset_notification() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- booking_event_source.
  language plpgsql security definer set search_path = '' as $$
begin
  if internal.booking_event_source('moved') = 'customer' then
    new.notified_starts_at := new.appointment_date + new.appointment_time;
    new.notified_cancelled := new.status = 'cancelled';
  end if;
  return new;
end
$$;
comment on function internal.reset_notification() is
  'Marks the customer as notified of a move or cancellation that the customer made on the visit page.';
create trigger t65_reset_notification before update of appointment_date, appointment_time, status on public.bookings
  for each row execute function internal.reset_notification();

create function internal.complete_booking() returns trigger
  language plpgsql
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- search_text_of.
  security definer
  set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements of the function once instead of at every call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  if new.service_name is null then
    select name, price_from_cents into new.service_name, new.service_price_cents
    from public.services where id = new.service_id;
  end if;
  new.notified_starts_at := new.appointment_date + new.appointment_time;
  new.notified_cancelled := new.status = 'cancelled';
  new.search_text := internal.search_text_of(new);
  return new;
end
$$;
comment on function internal.complete_booking() is
  'Fills columns of a new booking: the current name and price of the service, the start of which the customer was '
  'notified, and the search text.';
-- This trigger fills columns of bookings by staff only. For a visitor's booking, the trigger accept_booking fills the
-- same columns.
create trigger t20_complete_booking before insert on public.bookings
  for each row when (current_user <> 'anon'::text) execute function internal.complete_booking();

create trigger t50_release_hold before update of status, completed_at, flagged_reasons on public.bookings
  for each row execute function internal.release_hold();
create trigger t00_lock_calendar_before_status_change before update of status on public.bookings
  for each statement when (current_user = any ('{authenticated,shop_owner,shop_advisor}'::text[]))
  execute function internal.lock_calendar_before_status_change();
create trigger t40_clear_attendance_confirmation before update on public.bookings
  for each row when (old.attendance_confirmed_at is not null) execute function internal.clear_attendance_confirmation();
create trigger t20_prevent_retained_record_delete before delete on public.bookings
  for each row execute function internal.prevent_retained_record_delete();
create trigger t40_forget_form_origin after delete on public.bookings
  for each row execute function internal.forget_form_origin();
create trigger t30_publish_customer_change after update of customer_id on public.bookings
  for each row when (old.customer_id is not null and old.customer_id is distinct from new.customer_id)
  execute function internal.publish_customer_change();

-- Contains all checks of booking_events and is written in plpgsql for speed; the comment on are_booking_texts_valid
-- explains why.
create function internal.is_booking_event_valid(kind text, source text, changed_by_name text, reason text) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return kind in (
      'booked', 'moved', 'placed', 'extended', 'shortened', 'edited', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
      'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted', 'answered', 'explained', 'relinked',
      'notification_dismissed')
    and source in ('visitor', 'counter', 'customer', 'system', 'task')
    and length(changed_by_name) <= 100
    and internal.is_single_line_text(reason, 1, 300);
end
$$;
comment on function internal.is_booking_event_valid(text, text, text, text) is
  'Whether the given kind, source, name and reason of a booking event are valid. Without a reason, the result for a '
  'valid event is null, which a check constraint accepts.';

create table public.booking_events (
  id bigint generated always as identity primary key,
  booking_id uuid not null,
  kind text not null,
  source text not null,
  changed_by_name text not null,
  before jsonb,
  after jsonb,
  reason text,
  warnings text[] not null default '{}',
  happened_at timestamptz not null default internal.current_instant(),
  constraint booking_events_are_valid check (internal.is_booking_event_valid(kind, source, changed_by_name, reason))
);
comment on table public.booking_events is
  'The history of each booking, written in the transaction of the change. The history outlives the booking, so it '
  'contains the time, bay and state of the booking, but no data of the customer. [append-only]';
comment on column public.booking_events.booking_id is
  'The id of the booking. The column has no foreign key, because the history remains when the booking is deleted.';
comment on column public.booking_events.kind is
  'The kind of change: booked; moved (to another date, time or bay); placed (into a bay, after the booking had no '
  'bay); extended, shortened; the kind of a change of state in internal.booking_transitions; edited (service, vehicle '
  'or contact: edited_fields); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link '
  'in the email), not_confirmed (the hold expired); answered (the customer confirmed that they will come), explained '
  '(the customer stated why they cancelled); relinked (new link to the visit page); changed (a change of the status '
  'that internal.booking_transitions does not list); notification_dismissed; deleted.';
comment on column public.booking_events.source is
  'The origin of the change: visitor (website), counter (staff), customer (on the visit page), task (staff, by '
  'starting a task) or system (a job).';
comment on column public.booking_events.changed_by_name is
  'The author of the change: the staff username if the source is counter or task, otherwise the source itself.';
comment on column public.booking_events.before is
  'The changed fields of internal.booking_snapshot before the change; null for the kind booked; all fields for the '
  'kind deleted.';
comment on column public.booking_events.after is
  'The changed fields of internal.booking_snapshot after the change. For the kind edited, also the names of the edited '
  'fields; for the kind booked, all fields.';
comment on column public.booking_events.reason is 'The reason that staff or the customer gave; null without a reason.';
comment on column public.booking_events.warnings is
  'The rules for visitors that the staff''s change breaks (codes of internal.booking_warnings).';

create index booking_events_of_booking on public.booking_events (booking_id, id);

alter table public.booking_events enable row level security;
grant select on public.booking_events to authenticated;
create policy "the admin reads booking events" on public.booking_events for select to authenticated using ((select internal.is_admin()));

create trigger allow_only_reason_redaction before update on public.booking_events
  for each row execute function internal.allow_only_reason_redaction();
create trigger prevent_history_change before update or delete or truncate on public.booking_events
  for each statement execute function internal.prevent_history_change('erasure UPDATE');

create table internal.booking_transitions (
  from_state text not null,
  to_state text not null,
  kind text not null,
  is_for_staff boolean not null default true,
  primary key (from_state, to_state)
);
comment on table internal.booking_transitions is
  'The allowed changes of a booking''s state, each with the kind of event that records it. No other table or code '
  'defines these changes.';
comment on column internal.booking_transitions.from_state is
  'The state before the change: a status of bookings, or ''completed''.';
comment on column internal.booking_transitions.to_state is
  'The state after the change: a status of bookings, or ''completed''.';
comment on column internal.booking_transitions.kind is 'The kind of the event (booking_events.kind) that records the change.';
comment on column internal.booking_transitions.is_for_staff is
  'Whether staff can make the change; false if only the system makes the change.';

insert into internal.booking_transitions (from_state, to_state, kind)
select from_state, to_state, kind from (values
  ('arrived', array['confirmed', 'pending', 'no_show'], 'arrived'),
  ('in_work', array['confirmed', 'pending', 'arrived'], 'started'),
  ('completed', array['confirmed', 'pending', 'arrived', 'in_work'], 'completed'),
  ('cancelled', array['confirmed', 'pending', 'arrived', 'in_work', 'not_confirmed'], 'cancelled'),
  ('no_show', array['confirmed', 'pending'], 'no_show'),
  ('confirmed', array['arrived', 'in_work', 'no_show'], 'undone'),
  ('pending', array['arrived', 'in_work', 'no_show'], 'undone'),
  ('arrived', array['in_work', 'cancelled'], 'undone'),
  ('in_work', array['cancelled'], 'undone'),
  ('not_confirmed', array['cancelled'], 'undone'),
  ('confirmed', array['cancelled', 'completed'], 'reopened'),
  ('pending', array['cancelled', 'completed'], 'reopened'),
  ('arrived', array['completed'], 'reopened'),
  ('in_work', array['completed'], 'reopened'),
  ('confirmed', array['not_confirmed'], 'kept')
) as steps (to_state, from_states, kind), unnest(from_states) from_state
on conflict do nothing;

insert into internal.booking_transitions values ('confirmed', 'not_confirmed', 'not_confirmed', false)
on conflict do nothing;

alter table internal.booking_transitions enable row level security;

create table internal.calendar_feed (
  id boolean primary key default true constraint calendar_feed_is_one_row check (id),
  token text not null check (length(token) >= 43),
  renewed_at timestamptz not null default now()
);
comment on table internal.calendar_feed is
  'The secret URL of the owner''s calendar feed; no row while the feed is off.';
comment on column internal.calendar_feed.token is
  'The secret at the end of the URL: 256 random bits as base64url. It is stored in plain text, because the dashboard '
  'shows the owner the URL again, for example for another device.';
comment on column internal.calendar_feed.renewed_at is
  'When the current URL of the feed was created; earlier URLs no longer work.';

alter table internal.calendar_feed enable row level security;
grant select, insert, update, delete on internal.calendar_feed to shop_server;
create policy "the server reads and writes the calendar feed" on internal.calendar_feed to shop_server using (true) with check (true);

create function public.find_bookings(search text) returns setof public.bookings
  -- Runs with the rights of the function's owner, because under row-level security an operator that is not leakproof,
  -- such as `like`, cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := (
    select string_agg(internal.search_condition(word), ' and ') from unnest(internal.search_words(search)) as word
  );
begin
  if not internal.is_admin() then
    return;
  end if;
  return query execute 'select * from public.bookings where ' || coalesce('search_text <> '''' and ' || conditions, 'true');
end
$$;
comment on function public.find_bookings(text) is
  'Returns to the admin the bookings that contain every word of the search. A phone number is found by its digits.';
grant execute on function public.find_bookings(text) to authenticated;

create function internal.lock_booking_day(day date) returns void
  language sql
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created. The shared lock of the calendar lets transactions
  -- book different days at the same time. A change of hours or bays locks the calendar exclusively, so it waits for the
  -- bookings in progress.
  return case when pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0)) is not null
    then pg_advisory_xact_lock(hashtextextended('booking ' || day, 0)) end;
comment on function internal.lock_booking_day(date) is
  'Locks a day of the calendar until the transaction ends, so that transactions change its slots one at a time. A '
  'transaction that locks several days locks them in ascending order.';
grant execute on function internal.lock_booking_day(date) to anon, authenticated;

create function public.cancel_bookings(booking_ids uuid[], reason text default null)
  returns table (id uuid, previous_status text)
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_calendar and
  -- set_booking_change_context. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.set_booking_change_context(jsonb_build_object('reason', cancel_bookings.reason));
  return query
    with chosen as (
      select booking.id, case when booking.held_until is null then booking.status else 'not_confirmed' end as previous
      from public.bookings booking
      where booking.id = any (booking_ids) and booking.completed_at is null and booking.status not in ('cancelled', 'no_show')
      order by booking.id for update
    ), changed as (
      update public.bookings booking set status = 'cancelled' from chosen where booking.id = chosen.id
      returning booking.id, chosen.previous
    )
    select changed.id, changed.previous from changed;
  perform internal.set_booking_change_context(null);
end
$$;
comment on function public.cancel_bookings(uuid[], text) is
  'Cancels several open bookings with one reason; returns their ids and former statuses, with which an undo can '
  'restore them. Completed bookings and no-shows are skipped.';
grant execute on function public.cancel_bookings(uuid[], text) to authenticated;

create function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_calendar. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- A request from a tab with outdated data must not reset the state of a vehicle that has arrived.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- If the time is no longer free, or the customer has five other open bookings, this booking stays as it is, and
    -- the loop continues with the next booking.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;
comment on function public.reopen_bookings(uuid[], text) is
  'Reopens bookings whose status is cancelled, no_show or not_confirmed, confirms held bookings, and returns their '
  'ids. Skips a booking whose time is no longer free, or whose customer already has five other open bookings, the '
  'maximum.';
grant execute on function public.reopen_bookings(uuid[], text) to authenticated;

create function internal.refuse_booking(refusal text) returns void
  -- Runs with the rights of the function's owner, because the error message states numbers from booking_rules, which
  -- visitors may not read directly.
  language plpgsql stable security definer set search_path = '' as $$
declare
  rules public.booking_rules;
begin
  select * into rules from public.booking_rules;
  case refusal
    when 'booking_paused' then
      raise exception '%', rules.pause_message using errcode = 'TT016', hint = refusal;
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least % in advance.', internal.format_duration(rules.notice_minutes)
        using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to % ahead.',
        rules.booking_window_days || case when rules.booking_window_days = 1 then ' day' else ' days' end
        using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every % from opening time.', internal.format_duration(rules.slot_interval_minutes)
        using errcode = 'TT015', hint = refusal;
    else null;
  end case;
end
$$;
comment on function internal.refuse_booking(text) is
  'Raises the error of a refusal code (see booking_refusal): each code has its own SQLSTATE, hint and text. Does '
  'nothing if the code is null.';
grant execute on function internal.refuse_booking(text) to anon, authenticated;

create function public.accept_schedule_conflicts(booking_ids uuid[]) returns setof uuid
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_calendar. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  return query
    update public.bookings set conflict_accepted_at = internal.current_instant(), conflict_accepted_by = internal.author_name(null)
    where id = any (booking_ids) and conflict_accepted_at is null returning id;
end
$$;
comment on function public.accept_schedule_conflicts(uuid[]) is
  'Records that staff accept the schedule conflicts of bookings (outside the hours or without a bay); returns the '
  'bookings whose conflict was not accepted before.';
grant execute on function public.accept_schedule_conflicts(uuid[]) to authenticated;

create function internal.booking_state(booking public.bookings) returns text
  language sql immutable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return case when booking.completed_at is null then booking.status else 'completed' end;
comment on function internal.booking_state(public.bookings) is
  'The state of a booking: ''completed'' if it is completed, otherwise its status.';

create function internal.booking_snapshot(booking public.bookings, bay_name text) returns jsonb
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return jsonb_build_object(
    'date', booking.appointment_date, 'time', to_char(booking.appointment_time::interval, 'HH24:MI'),
    'minutes', booking.duration_minutes, 'service', booking.service_name, 'bay_id', booking.bay_id, 'bay', bay_name,
    'state', internal.booking_state(booking), 'held_until', booking.held_until, 'kept_at', booking.conflict_accepted_at);
comment on function internal.booking_snapshot(public.bookings, text) is
  'The fields of a booking that its history stores. The caller passes the name of the bay, so that the function '
  'need not read the table bays.';

create function internal.booking_snapshot(booking public.bookings) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return internal.booking_snapshot(booking, (select name from public.bays where id = booking.bay_id));
end
$$;
comment on function internal.booking_snapshot(public.bookings) is
  'The fields of a booking that its history stores. None of them identifies the customer.';

create function internal.booking_change_context() returns jsonb
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return coalesce(nullif(current_setting('shop.booking_change_context', true), ''), '{}')::jsonb;
comment on function internal.booking_change_context() is
  'The values that a procedure passed to the triggers of bookings in the same transaction: {source, reason, warnings, '
  'allow_without_bay, edited}.';

create function internal.set_booking_change_context(note jsonb) returns void
  language sql set search_path = ''
  return set_config('shop.booking_change_context', coalesce(note::text, ''), true);
comment on function internal.set_booking_change_context(jsonb) is
  'Passes the source, the reason and the warnings of a change to the triggers of bookings. The values apply until the '
  'next call or the end of the transaction; null clears them.';

create function internal.booking_event_kind(before public.bookings, after public.bookings) returns text
  language plpgsql stable set search_path = '' as $$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when internal.booking_change_context() ? 'edited' then 'edited'
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.conflict_accepted_at is null and after.conflict_accepted_at is not null)
      then 'kept'
    when before.attendance_confirmed_at is null and after.attendance_confirmed_at is not null then 'answered'
    when before.link_version <> after.link_version then 'relinked'
  end;
end
$$;
comment on function internal.booking_event_kind(public.bookings, public.bookings) is
  'The kind of event that records a change of a booking; null for a change without an event.';

create function internal.booking_event_source(kind text) returns text
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created. The setting `role` is the role of the request, even
  -- inside a security definer function.
  return case
    when internal.booking_change_context() ->> 'source' = 'task' then 'task'
    when internal.staff_role() is not null then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated', 'shop_owner', 'shop_advisor') then 'visitor'
    when kind = 'confirmed' or internal.booking_change_context() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;
comment on function internal.booking_event_source(text) is
  'The source of a change of the given kind, as in booking_events.source.';

create function internal.lock_calendar() returns void
  language sql set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
comment on function internal.lock_calendar() is
  'Locks the calendar exclusively until the transaction ends, so that staff change one booking at a time and no '
  'visitor books in the meantime. A transaction always takes this lock first, so that no two transactions deadlock.';

create function internal.lock_calendar_before_status_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- lock_calendar.
  language plpgsql security definer set search_path = '' as $$
begin
  -- The calendar lock is taken before any row is locked. A database function that changes the status has taken this
  -- lock already; it is still missing if the admin writes the status directly.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;
comment on function internal.lock_calendar_before_status_change() is
  'Locks the calendar if the admin writes the column status of a booking directly. The lock is taken before any row '
  'is locked, so that two such changes never deadlock.';

create function internal.refuse_early_no_show(booking public.bookings) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'A no-show can be recorded from 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$$;
comment on function internal.refuse_early_no_show(public.bookings) is
  'Refuses (TT063) to mark a booking as a no-show earlier than 15 minutes after the start (docs/product.md 12.4).';

create function internal.raise_version_conflict(booking public.bookings, seen_version integer) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if booking.version = seen_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', internal.staff_name_at(event.changed_by_name, event.happened_at),
                              'happened_at', event.happened_at)
    from (values (booking.id)) as given (id)
    left join lateral (
      select * from public.booking_events where booking_id = given.id order by id desc limit 1
    ) event on true
  );
end
$$;
comment on function internal.raise_version_conflict(public.bookings, integer) is
  'Refuses (TT051) an outdated version of a booking; the detail of the error contains the current version and the '
  'latest change.';

create function internal.lock_booking(wanted_id uuid) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  booking public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  select * into booking from public.bookings where id = wanted_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  return booking;
end
$$;

create function internal.save_booking_state(booking public.bookings, new_state text) returns void
  language sql set search_path = '' as $$
  update public.bookings
  set status = case when new_state = 'completed' then status else new_state end,
      completed_at = case when new_state = 'completed' then internal.current_instant() end,
      completed_by = case when new_state = 'completed' then 'admin' end,
      hold_confirmed_at = case
        when new_state = 'confirmed' and flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
        else hold_confirmed_at end
  where id = booking.id;
$$;
comment on function internal.save_booking_state(public.bookings, text) is
  'Saves the state of a booking: completed in the columns completed_at and completed_by (docs/product.md 4.2), every '
  'other state in the column status.';

create function internal.set_booking_state(
  booking public.bookings, new_state text, seen_version integer, reason text, allow_without_bay boolean
) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  old_state constant text := internal.booking_state(booking);
  changed public.bookings;
begin
  -- If the booking already has the new state, for example after a second click, the function changes nothing.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.raise_version_conflict(booking, seen_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment cannot change from % to %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'allow_without_bay', allow_without_bay));
  perform internal.save_booking_state(booking, new_state);
  perform internal.set_booking_change_context(null);
  select * into changed from public.bookings where id = booking.id;
  return changed;
end
$$;
comment on function internal.set_booking_state(public.bookings, text, integer, text, boolean) is
  'Changes the state of a booking and returns the booking. The caller must have locked the booking and checked the '
  'permission.';

create function public.change_booking_state(
  booking_id uuid, new_state text, seen_version integer, reason text default null,
  allow_without_bay boolean default false
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to read booking_transitions.
  -- lock_booking() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  return internal.set_booking_state(
    internal.lock_booking(change_booking_state.booking_id), new_state, seen_version, reason, allow_without_bay);
end
$$;
comment on function public.change_booking_state(uuid, text, integer, text, boolean) is
  'Changes the state of a booking to confirmed, pending, arrived, in_work, completed, cancelled or no_show, and '
  'returns the booking; refuses an outdated version (TT051). An undo is a change to the former state. A booking '
  'that becomes active again gets its former bay if that bay is free, otherwise another free bay. Without a free '
  'bay the change is refused (23P01), unless allow_without_bay is true.';
grant execute on function public.change_booking_state(uuid, text, integer, text, boolean) to authenticated;

create function internal.booking_warnings(wanted tsrange, bay uuid) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  rules record;
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  first_day constant date := lower(wanted)::date;
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  select shop.time_zone, rule.notice_minutes, rule.booking_window_days into rules from public.shop, public.booking_rules rule;
  starts_at := lower(wanted) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  return array_remove(array[
    case when starts_at < instant then 'in_the_past'
         when starts_at < instant + rules.notice_minutes * interval '1 minute' then 'notice_required' end,
    case when first_day > shop_today + rules.booking_window_days then 'too_far_ahead' end,
    case when last_day > first_day then 'overnight' end,
    case when not internal.fits_hours(wanted, internal.open_spans(first_day, bay), bay) then 'outside_hours' end
  ], null);
end
$$;
comment on function internal.booking_warnings(tsrange, uuid) is
  'The codes of the rules for visitors that a time chosen by staff breaks, in a bay or (if the bay is null) without a '
  'bay: in_the_past, notice_required, too_far_ahead, overnight, outside_hours.';

create function internal.raise_slot_taken_by(wanted tsrange, service uuid, bay uuid, ignored_booking_id uuid)
  returns void
  language plpgsql stable set search_path = '' as $$
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
            and (bay is null or booking.bay_id = bay) and booking.id is distinct from ignored_booking_id
          order by lower(booking.occupied), booking.id limit 10
        ) as others),
      'free_times', (
        select coalesce(jsonb_agg(jsonb_build_object('date', free_date, 'time', to_char(free_time, 'HH24:MI'), 'bay_ids', bay_ids)), '[]')
        from internal.free_times(service, lower(wanted), minutes, bay, ignored_booking_id, 3, 31)));
end
$$;
comment on function internal.raise_slot_taken_by(tsrange, uuid, uuid, uuid) is
  'Refuses an occupied time with the error code of the exclusion constraint (23P01). The detail of the error contains '
  'the conflicting bookings and the next three free times.';

create function internal.require_reason(reason text) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if length(trim(coalesce(reason, ''))) = 0 then
    raise exception 'Please say why.' using errcode = 'TT066', hint = 'reason_required';
  end if;
end
$$;

create function internal.is_placed_outside_hours(bay uuid, warnings text[]) returns boolean
  language sql immutable set search_path = ''
  return bay is not null and warnings && array['outside_hours', 'overnight'];
comment on function internal.is_placed_outside_hours(uuid, text[]) is
  'Whether staff placed a booking outside the hours on purpose, so that the booking is not listed as a schedule '
  'conflict.';

create function public.book_by_phone(
  service_id uuid, appointment_date date, appointment_time time, customer_name text, customer_phone text,
  customer_email text default null, notes text default null, vehicle_year text default null,
  vehicle_make text default null, vehicle_model text default null, vehicle_color text default null,
  minutes integer default null, bay_id uuid default null, without_bay boolean default false, reason text default null,
  booking_id uuid default gen_random_uuid(), vehicle_plate text default null
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_calendar,
  -- end_expired_holds and other functions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
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
  wanted := internal.booking_range(appointment_date, appointment_time, coalesce(minutes, service.duration_minutes));
  if without_bay then
    perform internal.require_reason(reason);
  else
    bay := internal.choose_bay(wanted, service.id, book_by_phone.bay_id, null, null);
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  insert into public.bookings (
    id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone, customer_email, notes,
    vehicle_year, vehicle_make, vehicle_model, vehicle_color, bay_id, conflict_accepted_at, conflict_accepted_by
  ) values (
    book_by_phone.booking_id, service.id, book_by_phone.appointment_date, book_by_phone.appointment_time,
    coalesce(minutes, service.duration_minutes), trim(book_by_phone.customer_name), trim(book_by_phone.customer_phone),
    nullif(trim(book_by_phone.customer_email), ''), nullif(trim(book_by_phone.notes), ''),
    nullif(trim(book_by_phone.vehicle_year), ''), nullif(trim(book_by_phone.vehicle_make), ''),
    nullif(trim(book_by_phone.vehicle_model), ''), nullif(trim(book_by_phone.vehicle_color), ''), bay,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  ) returning * into booked;
  perform internal.set_booking_change_context(null);
  if vehicle_plate is not null then
    perform internal.link_described_vehicle(booked, nullif(trim(vehicle_plate), ''));
  end if;
  return booked;
end
$$;
comment on function public.book_by_phone(
  uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) is
  'Books for a customer on the phone and returns the booking. minutes defaults to the duration of the service. With a '
  'null bay_id, the booking gets the first free bay that can do the service; with without_bay and a reason, it gets '
  'no bay. The rules for visitors are not enforced; booking_events.warnings records the rules that the booking '
  'breaks. A repeated call with the same booking_id returns the first booking. vehicle_plate is used only to find the '
  'vehicle.';
grant execute on function public.book_by_phone(uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean,
  text, uuid, text) to authenticated;

create function public.move_booking(
  booking_id uuid, seen_version integer, appointment_date date, appointment_time time, minutes integer default null,
  bay_id uuid default null, without_bay boolean default false, reason text default null
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_booking, booking_range
  -- and other functions.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(move_booking.booking_id);
  new_minutes constant integer := coalesce(minutes, booking.duration_minutes);
  wanted constant tsrange := internal.booking_range(appointment_date, appointment_time, new_minutes);
  bay uuid;
  warnings text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment can be moved.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  if not without_bay then
    bay := internal.choose_bay(wanted, booking.service_id, move_booking.bay_id, booking.bay_id, booking.id);
  end if;
  if booking.occupied = wanted and booking.bay_id is not distinct from bay then
    return booking;
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  update public.bookings
  set appointment_date = move_booking.appointment_date, appointment_time = move_booking.appointment_time,
      duration_minutes = new_minutes, bay_id = bay,
      conflict_accepted_at = case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
      conflict_accepted_by = case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  where id = booking.id returning * into booking;
  perform internal.set_booking_change_context(null);
  return booking;
end
$$;
comment on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) is
  'Moves an open booking to a date, time, duration (null: unchanged) and bay (null: its own bay if free, otherwise '
  'the first free bay; without_bay: no bay), and returns the booking. Refuses an outdated version (TT051). An undo is '
  'a move to the former time. booking_events.warnings records the rules for visitors that the new time breaks.';
grant execute on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) to authenticated;

create function internal.find_bookings_by_words(search text) returns setof public.bookings
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  max_rows constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index can find a term of one or two letters, so the search reads the latest bookings instead.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      max_rows, conditions)
    else format('select * from public.bookings where search_text <> '''' and %s limit %s', conditions, max_rows)
  end;
end
$$;
comment on function internal.find_bookings_by_words(text) is
  'Up to 5000 bookings that contain every word of a search of two or more characters.';

create function public.find_customers(search text)
  returns table (
    customer_name text, customer_phone text, customer_email text, vehicles jsonb, last_appointment date,
    last_service_id uuid, last_service_name text, next_appointment date, appointment_count integer, no_shows integer
  )
  -- Runs with the rights of the function's owner, because under row-level security the operator `like`, which is not
  -- leakproof, cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
  max_rows constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_bookings_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Reads only the latest 300 bookings, because grouping by customer is slow. The function returns at most eight
      -- customers, and 300 bookings usually have that many.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    matches as (
      select distinct on (coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from matches order by appointment_date desc, created_at desc, id limit max_rows)
    select customer.customer_name, customer.customer_phone, history.email, coalesce(history.vehicles, '[]'), history.last_appointment,
           customer.service_id, customer.service_name, history.next_appointment, history.appointment_count, history.no_shows
    from latest customer, internal.summarize_customer_bookings(customer.customer_name, customer.customer_phone, today) history
    order by customer.appointment_date desc, customer.created_at desc, customer.id;
end
$$;
comment on function public.find_customers(text) is
  'Finds up to eight customers whose bookings contain the words of a search, latest booking first. Bookings with the '
  'same name and phone number count as one customer. Each row has the customer''s vehicles [{id, year, make, model, '
  'color}], last and next appointment, and numbers of appointments and no-shows.';
grant execute on function public.find_customers(text) to authenticated;

create function internal.summarize_customer_bookings(name text, phone text, today date)
  returns table (
    email text, vehicles jsonb, last_appointment date, next_appointment date, appointment_count integer,
    no_shows integer
  )
  language sql stable set search_path = '' as $$
  with known as (
    select * from public.bookings booking
    where internal.normalize_phone(booking.customer_phone) = internal.normalize_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select internal.email_of_bookings(array(select id from known)),
         (select jsonb_agg(jsonb_build_object('id', vehicle_id, 'year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model,
                                              'color', vehicle_color) order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen,
                       (array_agg(vehicle_id order by appointment_date desc) filter (where vehicle_id is not null))[1] as vehicle_id
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) vehicle),
         max(appointment_date) filter (where customer_came),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where customer_came))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as customer_came from known) as known
$$;
comment on function internal.summarize_customer_bookings(text, text, date) is
  'Summarizes the latest 200 bookings of one name and phone number in one row.';

create function public.list_other_bookings(booking_id uuid) returns setof public.bookings
  -- Runs with the rights of the function's owner, because only this owner may call require_admin(), which checks that
  -- the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return query
    select other.* from public.bookings booking
    join public.bookings other
      on internal.normalize_phone(other.customer_phone) = internal.normalize_phone(booking.customer_phone)
      and lower(other.customer_name) = lower(booking.customer_name) and other.id <> booking.id
    where booking.id = list_other_bookings.booking_id and other.status <> 'not_confirmed'
    order by other.appointment_date desc, other.appointment_time desc limit 50;
end
$$;
comment on function public.list_other_bookings(uuid) is
  'The other bookings with the same name and phone number as the given booking, past and upcoming: the latest 50, '
  'latest first.';
grant execute on function public.list_other_bookings(uuid) to authenticated;

create function public.save_booking_note(booking_id uuid, note text, seen_note text default null) returns void
  -- Runs with the rights of the function's owner, because only this owner may call require_admin(), which checks that
  -- the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  wanted constant text := coalesce(trim(note), '');
  current_note text;
begin
  perform internal.require_admin();
  select coalesce(internal_note, '') into current_note from public.bookings where id = save_booking_note.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- If the note already has the wanted text, for example after a second click, there is no conflict.
  if current_note not in (wanted, coalesce(seen_note, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = current_note;
  end if;
  update public.bookings set internal_note = nullif(wanted, '')
  where id = save_booking_note.booking_id and current_note <> wanted;
end
$$;
comment on function public.save_booking_note(uuid, text, text) is
  'Replaces the internal note of a booking if the stored note is seen_note, the note that the user saw; refuses to '
  'overwrite any other note (TT051; the detail of the error contains the stored note). An empty note deletes the '
  'stored note.';
grant execute on function public.save_booking_note(uuid, text, text) to authenticated;

create function internal.booking_last_changed_at(booking public.bookings) returns timestamptz
  -- Runs with the rights of the function's owner, because the server has no right to read booking_events.
  language sql stable security definer set search_path = ''
  return coalesce((select max(happened_at) from public.booking_events where booking_id = booking.id), booking.created_at);
grant execute on function internal.booking_last_changed_at(public.bookings) to shop_server;

create function internal.is_open_state(state text) returns boolean
  language sql immutable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return state not in ('completed', 'cancelled', 'not_confirmed', 'no_show');
comment on function internal.is_open_state(text) is
  'Whether a state (internal.booking_state) means that the booking is upcoming or in progress.';

create function internal.record_notified_state(email_id uuid) returns void
  language sql set search_path = '' as $$
  update public.bookings booking
  set notified_starts_at = email.appointment_at, notified_cancelled = rules.must_match = 'cancelled_booking'
  from public.emails email join internal.email_kinds rules using (kind)
  where email.id = record_notified_state.email_id and booking.id = email.booking_id and email.appointment_at is not null
    and rules.must_match in ('booking', 'held_booking', 'cancelled_booking')
    and (booking.notified_starts_at, booking.notified_cancelled)
      is distinct from (email.appointment_at, rules.must_match = 'cancelled_booking');
$$;
comment on function internal.record_notified_state(uuid) is
  'Records in the booking that a delivered email informed the customer of the start time or the cancellation.';

create function internal.needs_notification(booking public.bookings) returns boolean
  language sql stable set search_path = ''
  return booking.is_notification_outdated and booking.completed_at is null
    and booking.status not in ('arrived', 'in_work', 'no_show', 'not_confirmed')
    -- The customer of a booking that looks automated need not be notified. A booking that only exceeds a limit may be a
    -- real customer's, so that customer must be notified (docs/product.md 10.3).
    and (booking.hold_confirmed_at is not null
         or booking.flagged_reasons <@ array['many_open_bookings', 'many_from_one_client', 'many_at_once'])
    and greatest(upper(booking.occupied), booking.notified_starts_at) > internal.shop_now();
comment on function internal.needs_notification(public.bookings) is
  'Whether the customer of a booking still has to be notified of a changed date or start time, or of a cancellation '
  'or reopening (is_notification_outdated); false when the appointment is over.';

create function public.dismiss_notification(booking_id uuid, seen_version integer, reason text) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write booking_events.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(dismiss_notification.booking_id);
  event_id bigint;
begin
  perform internal.raise_version_conflict(booking, seen_version);
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
  'Records, with a reason, that the customer of a booking needs no notification of its current state; refuses an outdated version (TT051). '
  'After the next change, the customer needs a notification again.';
grant execute on function public.dismiss_notification(uuid, integer, text) to authenticated;

create function internal.bookings_to_notify() returns setof public.bookings
  language sql stable set search_path = '' as $$
  select booking.* from public.bookings booking
  where booking.is_notification_outdated and internal.needs_notification(booking)
  order by booking.appointment_date, booking.appointment_time, booking.id limit 50
$$;
comment on function internal.bookings_to_notify() is
  'The bookings whose customers have to be notified of a change, at most the 50 with the earliest start.';

create function internal.is_active_booking(booking public.bookings) returns boolean
  language sql immutable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return booking.held_until is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed');
comment on function internal.is_active_booking(public.bookings) is
  'Whether a booking is active: it is not held, and its status is not cancelled, no_show or not_confirmed.';

create function internal.previously_known_start(booking_id uuid) returns timestamp
  -- Runs with the rights of the function's owner, because the server has no right to read booking_events.
  language sql stable security definer set search_path = ''
  -- When a customer moves an appointment on the visit page, the trigger reset_notification overwrites
  -- notified_starts_at with the new time. The earlier time, which the customer knew before, is then only in the
  -- history.
  return (
    select coalesce(
      nullif(booking.notified_starts_at, booking.appointment_date + booking.appointment_time),
      (select coalesce((latest.before ->> 'date')::date, booking.appointment_date)
              + coalesce((latest.before ->> 'time')::time, booking.appointment_time)
       from (select event.kind, event.source, event.before from public.booking_events event
             where event.booking_id = booking.id order by event.id desc limit 1) latest
       where latest.kind = 'moved' and latest.source = 'customer'),
      booking.notified_starts_at)
    from public.bookings booking where booking.id = previously_known_start.booking_id);
comment on function internal.previously_known_start(uuid) is
  'The start that the customer knew before the latest change; the current start if that change did not move the '
  'booking.';
grant execute on function internal.previously_known_start(uuid) to shop_server;

create function internal.search_text_of(booking public.bookings) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  return internal.normalize_search_text(
    booking.customer_name || ' ' || coalesce(booking.customer_email, '') || ' ' || booking.customer_phone || ' '
    || regexp_replace(booking.customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(booking.vehicle_year, '') || ' ' || coalesce(booking.vehicle_make, '') || ' ' || coalesce(booking.vehicle_model, ''));
end
$$;
comment on function internal.search_text_of(public.bookings) is 'The searchable text of a booking, normalized.';

create function internal.announce_booking(booking_id uuid, event_id bigint) returns void
  language sql set search_path = ''
  -- The notification contains ids only; each listener reads the records with its own privileges.
  return pg_notify('bookings_changed', concat_ws(' ', booking_id, event_id));
comment on function internal.announce_booking(uuid, bigint) is
  'Notifies the open dashboards that a booking changed. The notification contains the id of the event in the '
  'booking''s history, if the change has one.';

-- Links a stored booking to its customer. The trigger function link_booking links a booking that is being inserted.
create function internal.link_booking_now(booking public.bookings) returns void
  language plpgsql set search_path = '' as $$
declare
  owner_id constant uuid := internal.find_or_create_customer(internal.booking_customer_details(booking, internal.was_entered_online(booking.id)));
  booked_event bigint;
begin
  update public.bookings
  set customer_id = owner_id, vehicle_id = internal.find_or_create_vehicle(owner_id, row(booking.vehicle_year, booking.vehicle_make,
        booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id;
  select id into booked_event from public.booking_events
  where booking_id = booking.id and kind = 'booked' order by id limit 1;
  if found then
    perform internal.announce_booking(booking.id, booked_event);
  end if;
end
$$;
comment on function internal.link_booking_now(public.bookings) is
  'Links a booking to its customer and vehicle, and notifies the open dashboards. The caller must have locked the '
  'booking.';

create function internal.list_contact_keys_to_link() returns text[]
  language sql stable set search_path = ''
  return array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from public.bookings where customer_id is null);
comment on function internal.list_contact_keys_to_link() is
  'The email addresses and phone numbers of all bookings without a customer, in the format of lock_contact_keys.';

-- Links each booking to its customer in a subtransaction of its own, so that a booking that cannot be linked does not
-- prevent the others from being linked.
create function internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[]) returns table (booking_id uuid, problem text)
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- This lock waits for an erasure, which locks the calendar exclusively while it searches all bookings.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- Skips a booking that another transaction has locked; the next run of the job links it.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    booking_id := booking.id;
    problem := null;
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      problem := sqlerrm;
    end;
    return next;
  end loop;
end
$$;
comment on function internal.link_new_bookings(integer, uuid[]) is
  'Links the oldest bookings without a customer, except the bookings in the second argument, to their customers. '
  'Returns each booking; problem is null if the booking was linked, otherwise it states why the booking cannot be '
  'linked.';
grant execute on function internal.link_new_bookings(integer, uuid[]) to shop_server;

create function internal.link_waiting_booking(booking_id uuid) returns void
  language plpgsql set search_path = '' as $$
declare
  waiting public.bookings;
begin
  select * into waiting from public.bookings where id = link_waiting_booking.booking_id and customer_id is null for update;
  if found then
    perform internal.link_booking_now(waiting);
  end if;
end
$$;
comment on function internal.link_waiting_booking(uuid) is
  'Links a booking that has no customer yet to its customer. Functions that need the customer call this function '
  'before the job link-new-records has linked the booking.';
