-- Every change of an appointment is a line that stays, and every process of the shop hears of it.

alter table public.bookings
  add column version integer not null default 1,
  add column state_since timestamptz not null default now();
update public.bookings set state_since = coalesce(completed_at, created_at);
comment on column public.bookings.version is 'Counts its changes: who moves it or changes its state names the version that they saw.';
comment on column public.bookings.state_since is 'Since when it is in its state: how long a car that arrived has been waiting.';
comment on column public.bookings.status is
  'confirmed, arrived (the car is here), in_work, no_show (nobody came; its time is free), cancelled, not_confirmed (a hold that '
  'ran out; both free too) or what staff write. Whether it is completed says completed_at.';

create table internal.booking_transitions (
  from_state text not null,
  to_state text not null,
  kind text not null,
  is_for_staff boolean not null default true,
  primary key (from_state, to_state)
);
comment on table internal.booking_transitions is
  'Which state of an appointment follows which, and what the step is called in its story. Decided here alone.';
comment on column internal.booking_transitions.from_state is 'A status of bookings, or completed.';
comment on column internal.booking_transitions.to_state is 'A status of bookings, or completed.';
comment on column internal.booking_transitions.kind is 'booking_events.kind of the step.';
comment on column internal.booking_transitions.is_for_staff is 'Whether somebody may take the step; false for what happens by itself.';
alter table internal.booking_transitions enable row level security;
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
) as steps (to_state, from_states, kind), unnest(from_states) from_state;
insert into internal.booking_transitions values ('confirmed', 'not_confirmed', 'not_confirmed', false);

create table public.booking_events (
  id bigint generated always as identity primary key,
  booking_id uuid not null,
  kind text not null constraint booking_events_kind_is_known check (kind in (
    'booked', 'moved', 'placed', 'extended', 'shortened', 'arrived', 'started', 'completed', 'cancelled', 'no_show', 'undone',
    'reopened', 'kept', 'confirmed', 'not_confirmed', 'changed', 'deleted')),
  source text not null constraint booking_events_source_is_known check (source in ('visitor', 'counter', 'customer', 'system')),
  changed_by_name text not null check (length(changed_by_name) <= 100),
  before jsonb,
  after jsonb,
  reason text constraint booking_events_reason_is_text check (internal.is_line(reason, 1, 300)),
  warnings text[] not null default '{}',
  happened_at timestamptz not null default internal.current_instant()
);
comment on table public.booking_events is
  'The story of each appointment, written in the transaction of the change. Nobody takes a line back, and it outlives the '
  'appointment: so it says when, where and in which state, never whose.';
comment on column public.booking_events.booking_id is 'No foreign key: a deleted appointment leaves its story.';
comment on column public.booking_events.kind is
  'booked; moved (day, time, or from one bay to another); placed (into a bay, from none); extended, shortened; a state that was '
  'reached (internal.booking_transitions); kept (a hold, or one that lies outside the hours); confirmed (by the link in its '
  'e-mail), not_confirmed (nobody did); changed (to a status that staff wrote); deleted.';
comment on column public.booking_events.source is
  'Who: a visitor of the site, the counter (the admin), the customer by the appointment''s own link, or nobody.';
comment on column public.booking_events.changed_by_name is 'The admin''s username at the counter, else the source.';
comment on column public.booking_events.before is
  'Of internal.booking_facts what changed, as it was; null when it was booked, everything when it was deleted.';
comment on column public.booking_events.after is 'Of internal.booking_facts what changed, as it is; everything when it was booked.';
comment on column public.booking_events.reason is 'Why, in the words of whoever did it; null when they gave none.';
comment on column public.booking_events.warnings is
  'What the rules for visitors had against it (codes of internal.booking_warnings): staff may, and it is remembered.';
create index booking_events_of_booking on public.booking_events (booking_id, id);
create trigger refuse_rewriting before update or delete or truncate on public.booking_events
  for each statement execute function internal.refuse_rewriting();

alter table public.booking_events enable row level security;
grant select on public.booking_events to authenticated;
create policy "the admin reads the story of bookings" on public.booking_events
  for select to authenticated using ((select internal.is_admin()));

create function internal.booking_state(booking public.bookings) returns text
  language sql immutable
  set search_path = ''
  return case when booking.completed_at is null then booking.status else 'completed' end;
comment on function internal.booking_state(public.bookings) is 'The state of an appointment: completed, or its status.';

create function internal.booking_facts(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI'),
    'minutes', booking.duration_minutes,
    'service', booking.service_name,
    'bay_id', booking.bay_id,
    'bay', (select name from public.bays where id = booking.bay_id),
    'state', internal.booking_state(booking),
    'held_until', booking.held_until,
    'kept_at', booking.kept_at
  );
comment on function internal.booking_facts(public.bookings) is
  'What the story of an appointment tells of it: nothing that says whose it is.';

create function internal.booking_note() returns jsonb
  language sql stable
  set search_path = ''
  return coalesce(nullif(current_setting('shop.booking_note', true), ''), '{}')::jsonb;
comment on function internal.booking_note() is
  'What a procedure knows of the change that it is making: {reason, warnings, may_leave_unplaced}.';

create function internal.set_booking_note(note jsonb) returns void
  language sql
  set search_path = ''
  return set_config('shop.booking_note', coalesce(note::text, ''), true);
comment on function internal.set_booking_note(jsonb) is
  'Tells the triggers of bookings why, until the next call (null ends it) or the end of the transaction.';

create function internal.kind_of_change(before public.bookings, after public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.kept_at is null and after.kept_at is not null)
      then 'kept'
  end;
end
$$;
comment on function internal.kind_of_change(public.bookings, public.bookings) is
  'What a change of an appointment is called in its story; null for one that its story does not tell.';

create function internal.source_of_change(kind text) returns text
  language sql stable
  set search_path = ''
  -- The role of the request, also where a procedure acts with its owner's rights.
  return case
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated') then 'visitor'
    when kind = 'confirmed' then 'customer'
    else 'system'
  end;
comment on function internal.source_of_change(text) is 'Who makes a change of this kind: booking_events.source.';

create function internal.record_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  told constant text := case tg_op when 'INSERT' then 'booked' when 'DELETE' then 'deleted' else internal.kind_of_change(old, new) end;
  source constant text := internal.source_of_change(told);
  note constant jsonb := internal.booking_note();
  facts_before constant jsonb := case when tg_op <> 'INSERT' then internal.booking_facts(old) end;
  facts_after constant jsonb := case when tg_op <> 'DELETE' then internal.booking_facts(new) end;
  event_id bigint;
begin
  if told is not null then
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      coalesce(new.id, old.id), told, source,
      case source when 'counter' then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_before, facts_after) else facts_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_after, facts_before) else facts_after end,
      nullif(trim(note ->> 'reason'), ''),
      array(select jsonb_array_elements_text(coalesce(note -> 'warnings', '[]')))
    ) returning id into event_id;
  end if;
  -- Ids only: whoever hears of them asks with rights of their own.
  perform pg_notify('bookings_changed', concat_ws(' ', coalesce(new.id, old.id), event_id));
  return null;
end
$$;
comment on function internal.record_booking() is
  'Writes the line of an appointment''s story and tells all processes: bookings_changed, with its id and the line''s, if there is one.';

insert into public.booking_events (booking_id, kind, source, changed_by_name, after, happened_at)
select booking.id, 'booked', 'visitor', 'visitor',
       jsonb_build_object('date', appointment_date, 'time', to_char(appointment_time, 'HH24:MI'), 'minutes', duration_minutes,
         'service', service_name, 'bay_id', bay_id, 'bay', bay.name),
       booking.created_at
from public.bookings booking left join public.bays bay on bay.id = bay_id
order by booking.created_at, booking.id;

create trigger record_booking after insert or update or delete on public.bookings
  for each row execute function internal.record_booking();

create function internal.count_booking_change() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.version := old.version + 1;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_since := internal.current_instant();
  end if;
  return new;
end
$$;
comment on function internal.count_booking_change() is
  'Counts the changes of an appointment and notes since when it is in its state. Runs before settle_hold: triggers go by name.';
create trigger count_booking_change before update on public.bookings
  for each row execute function internal.count_booking_change();
