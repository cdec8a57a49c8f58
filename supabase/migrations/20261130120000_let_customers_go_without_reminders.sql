-- Some want no reminder before a visit; their confirmations come all the same.

alter table public.people add column gets_reminders boolean not null default true;
comment on column public.people.gets_reminders is 'Whether they are reminded the day before a visit. Of who was merged into them nobody is asked: one no is enough.';

create function internal.gets_reminders(person uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  with recursive known as (
    select id, gets_reminders from public.people where id = person
    union
    select gone.id, gone.gets_reminders from known join public.people gone on gone.merged_into = known.id
  )
  select not exists (select from known where not gets_reminders)
$$;
comment on function internal.gets_reminders(uuid) is
  'Whether somebody is reminded: unless they, or one who was merged into them, wanted none. Nobody known is.';

create function public.set_reminders(person_id uuid, gets_reminders boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.require_admin();
  select id into person from public.people
  where id = internal.person_now(set_reminders.person_id) and merged_into is null and erased_at is null for update;
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  with recursive known as (
    select id from public.people where id = person
    union
    select gone.id from known join public.people gone on gone.merged_into = known.id
  )
  update public.people
  set gets_reminders = set_reminders.gets_reminders
  where id in (select id from known) and people.gets_reminders <> set_reminders.gets_reminders
    -- What is taken apart again keeps its no; only a yes has to be said of all.
    and (id = person or set_reminders.gets_reminders);
end
$$;
comment on function public.set_reminders(uuid, boolean) is
  'Notes whether a person, also as those who were merged into them, is reminded before a visit.';
grant execute on function public.set_reminders(uuid, boolean) to authenticated;

create or replace function internal.bookings_to_remind(most integer) returns setof public.bookings
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
    and internal.gets_reminders(booking.person_id)
    -- Whoever chose this time after the hour of reminders knows of it.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- Nor does another length make it another time.
    and not exists (
      select from public.emails letter
      where letter.booking_id = booking.id and letter.kind = 'booking_reminder'
        and letter.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
  limit most
$$;

create or replace function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when not rules.leaves_at_night and internal.is_night() then 'Not sent in time: it is night.'
    when rules.agrees_with = 'offer' then internal.outdated_offer_because(email.estimate_id, email.estimate_revision)
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
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.person_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;
