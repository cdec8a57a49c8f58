-- Tasks: the work on a vehicle. Procedures change the status of a task and write its history. A trigger changes the
-- state of a booking when one of its tasks is started, set to pending again or deleted.

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200),
  description text not null default '' check (length(description) <= 5000),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null default 'pending' check (status in (
    'pending', 'in_progress', 'waiting_on_parts', 'waiting_on_customer', 'on_hold', 'completed', 'cancelled'
  )),
  assigned_to uuid references public.employees on delete set null,
  due_date date,
  booking_id uuid references public.bookings on delete set null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  ready_for_pickup_at timestamptz,
  is_sample boolean not null default false,
  estimate_id uuid references public.estimates,
  estimate_job_key uuid,
  archived_at timestamptz constraint tasks_archived_when_completed
    check (archived_at is null or completed_at is not null),
  customer_note text not null default ''
    constraint tasks_customer_note_is_text check (internal.is_single_line_text(customer_note, 0, 80)),
  constraint tasks_completed_at_matches_status check ((status = 'completed') = (completed_at is not null)),
  constraint tasks_ready_for_pickup_when_completed check (ready_for_pickup_at is null or completed_at is not null),
  constraint tasks_estimate_and_job_are_both_set check ((estimate_id is null) = (estimate_job_key is null)),
  constraint tasks_one_per_job unique (estimate_id, estimate_job_key)
);
comment on table public.tasks is
  'The tasks of team members, often for a booking. Only update_task_status changes the status of a task.';
comment on column public.tasks.estimate_id is
  'The estimate that contains the approved job for which the task was created.';
comment on column public.tasks.archived_at is
  'When staff removed the completed task from the list of tasks. The row is not deleted, because the law requires '
  'the shop to keep the task, or because the state of the vehicle depends on the task. Null while the task is '
  'listed.';
comment on column public.tasks.customer_note is
  'The note for the customer, which the visit page shows beside the status (''pads arrive Friday''). The notes in '
  'task_status_history and task_notes are internal.';

create index tasks_newest_first on public.tasks (created_at desc);
create index tasks_by_completion on public.tasks (completed_at desc) where completed_at is not null;
create index tasks_open on public.tasks (created_at) where completed_at is null and status <> 'cancelled';
create index tasks_by_booking on public.tasks (booking_id);
create index tasks_by_assignee on public.tasks (assigned_to);
create index tasks_waiting_on_customer on public.tasks (created_at) where status = 'waiting_on_customer' or ready_for_pickup_at is not null;

alter table public.tasks enable row level security;
grant select on public.tasks to authenticated;
grant delete on public.tasks to shop_owner;
grant insert (title, description, priority, assigned_to, due_date, booking_id) on public.tasks to authenticated;
create policy "the admin reads tasks" on public.tasks for select to authenticated using ((select internal.is_admin()));
create policy "the admin creates tasks" on public.tasks for insert to authenticated with check ((select internal.is_admin()));
create policy "owners delete tasks" on public.tasks for delete to shop_owner using ((select internal.is_owner()));

create function internal.confirm_hold_for_task() returns trigger
  -- Runs with the rights of the function's owner, because the admin has no right to write the column held_until of
  -- bookings.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.bookings set held_until = null, hold_confirmed_at = internal.current_instant()
  where id = new.booking_id and held_until is not null;
  return new;
end
$$;
comment on function internal.confirm_hold_for_task() is 'Confirms a held booking when staff create a task for it.';
create trigger confirm_hold_for_task after insert on public.tasks
  for each row when (new.booking_id is not null) execute function internal.confirm_hold_for_task();

create function internal.unarchive_reopened_task() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.archived_at := null;
  return new;
end
$$;
create trigger unarchive_reopened_task before update on public.tasks
  for each row when (old.archived_at is not null and new.completed_at is null) execute function internal.unarchive_reopened_task();

create function internal.clear_task_customer_note() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.customer_note := '';
  return new;
end
$$;
comment on function internal.clear_task_customer_note() is
  'Clears the note for the customer when the status changes, because the note was about the former status.';
create trigger clear_task_customer_note before update on public.tasks
  for each row when (new.status <> old.status and new.customer_note = old.customer_note)
  execute function internal.clear_task_customer_note();

create function internal.follow_task() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to read
  -- booking_transitions.
  language plpgsql security definer set search_path = '' as $$
declare
  is_started constant boolean := tg_op = 'UPDATE' and new.status = 'in_progress' and old.status <> 'in_progress';
  is_taken_back constant boolean := case tg_op when 'UPDATE' then new.status = 'pending' and old.status <> 'pending'
                                               else old.status = 'in_progress' end;
  state_before text;
begin
  if is_started and exists (
    select from public.bookings booking
    join internal.booking_transitions step on step.from_state = internal.booking_state(booking)
    where booking.id = new.booking_id and step.to_state = 'in_work' and step.kind = 'started'
  ) then
    perform internal.set_state_by_task(new.booking_id, 'in_work');
  elsif is_taken_back
    and exists (select from public.bookings where id = old.booking_id and status = 'in_work' and completed_at is null)
    and not exists (select from public.tasks other
                    where other.booking_id = old.booking_id and other.id <> old.id and other.status not in ('pending', 'cancelled'))
  then
    state_before := internal.state_before_task(old.booking_id);
    if state_before is not null then
      perform internal.set_state_by_task(old.booking_id, state_before);
    end if;
  end if;
  if old.booking_id is not null then
    perform pg_notify('bookings_changed', old.booking_id::text);
  end if;
  return null;
end
$$;
comment on function internal.follow_task() is
  'Changes the state of a booking when its tasks change: to in_work when a task is started, and back to the former '
  'state when the only started task is set to pending again or is deleted while in progress. Notifies open dashboards, '
  'because the state of the vehicle depends on tasks.';
create trigger follow_task_status after update of status, ready_for_pickup_at on public.tasks
  for each row when (old.status <> new.status or old.ready_for_pickup_at is distinct from new.ready_for_pickup_at)
  execute function internal.follow_task();
create trigger follow_task_deletion after delete on public.tasks
  for each row when (old.booking_id is not null) execute function internal.follow_task();

create trigger announce_task after insert or delete on public.tasks
  for each row execute function internal.announce_task('id');
create trigger announce_changed_task after update on public.tasks
  for each row when (old.* is distinct from new.*) execute function internal.announce_task('id');

create trigger prevent_retained_record_delete before delete on public.tasks
  for each row execute function internal.prevent_retained_record_delete();
create trigger lock_calendar_before_status_change before delete on public.tasks
  for each statement when (current_user = any ('{authenticated,shop_owner,shop_advisor}'::text[]))
  execute function internal.lock_calendar_before_status_change();

create table public.task_status_history (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  old_status text not null,
  new_status text not null,
  note text check (length(note) <= 2000),
  changed_by text check (length(changed_by) <= 100),
  changed_by_name text not null check (length(changed_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.task_status_history is 'Every change of a task''s status, written in the transaction of the change.';

create index task_status_history_of_task on public.task_status_history (task_id, created_at desc);

alter table public.task_status_history enable row level security;
grant select on public.task_status_history to authenticated;
create policy "the admin reads status history" on public.task_status_history
  for select to authenticated using ((select internal.is_admin()));

create table public.task_notes (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  note text not null check (length(trim(note)) between 1 and 2000),
  created_by text check (length(created_by) <= 100),
  created_by_name text not null check (length(created_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.task_notes is 'The internal notes of staff on tasks.';

create index task_notes_of_task on public.task_notes (task_id, created_at desc);

create trigger announce_task after insert on public.task_notes
  for each row execute function internal.announce_task('task_id');

alter table public.task_notes enable row level security;
grant select on public.task_notes to authenticated;
create policy "the admin reads task notes" on public.task_notes for select to authenticated using ((select internal.is_admin()));

create function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql set search_path = '' as $$
declare
  task public.tasks;
begin
  -- Every function that changes a booking takes the locks in this order: the calendar, the booking, its tasks.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

create function public.add_task_note(
  task_id uuid, note text, changed_by text default null, changed_by_name text default null
) returns public.task_notes
  -- Runs with the rights of the function's owner, because the admin has no right to write task_notes. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  added public.task_notes;
begin
  perform internal.require_admin();
  perform internal.lock_task(add_task_note.task_id);
  insert into public.task_notes (task_id, note, created_by, created_by_name)
  values (add_task_note.task_id, trim(add_task_note.note), add_task_note.changed_by,
          internal.author_name(add_task_note.changed_by_name))
  returning * into added;
  return added;
end
$$;
grant execute on function public.add_task_note(uuid, text, text, text) to authenticated;

create function internal.set_task_status(
  task public.tasks, new_status text, note text, changed_by text, changed_by_name text
) returns public.tasks
  language plpgsql set search_path = '' as $$
declare
  changed public.tasks;
begin
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by, changed_by_name)
  values (task.id, task.status, set_task_status.new_status, set_task_status.note, set_task_status.changed_by,
          internal.author_name(set_task_status.changed_by_name));
  update public.tasks
  set status = set_task_status.new_status,
      completed_at = case when set_task_status.new_status = 'completed' then now() end,
      ready_for_pickup_at = null
  where id = task.id
  returning * into changed;
  return changed;
end
$$;
comment on function internal.set_task_status(public.tasks, text, text, text, text) is
  'Sets the status of a task and records the change in its history. The caller must have locked the task and checked '
  'the permission.';

create function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null,
  changed_by_name text default null, seen_status text default null
) returns public.tasks
  -- Runs with the rights of the function's owner, because the admin has no right to write task_status_history and
  -- tasks. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(update_task_status.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(update_task_status.task_id);
  if task.status = update_task_status.new_status then
    if written_note is not null then
      perform public.add_task_note(task.id, written_note, update_task_status.changed_by, update_task_status.changed_by_name);
    end if;
    return task;
  end if;
  if task.status <> update_task_status.seen_status then
    raise exception 'This task was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = task.status;
  end if;
  return internal.set_task_status(
    task, update_task_status.new_status, written_note, update_task_status.changed_by, update_task_status.changed_by_name);
end
$$;
comment on function public.update_task_status(uuid, text, text, text, text, text) is
  'Sets the status of a task and records the change in its history. If the status does not change, only the note is '
  'added. Refused (TT051) if seen_status is given and the task has another status.';
grant execute on function public.update_task_status(uuid, text, text, text, text, text) to authenticated;

create function public.mark_task_ready_for_pickup(
  task_id uuid, note text default null, changed_by text default null, changed_by_name text default null
) returns public.tasks
  -- Runs with the rights of the function's owner, because the admin has no right to write tasks. require_admin() checks
  -- that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(mark_task_ready_for_pickup.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(mark_task_ready_for_pickup.task_id);
  if task.status <> 'completed' then
    raise exception 'Only a completed task can be marked ready for pickup.' using errcode = 'TT032', hint = 'not_completed';
  end if;
  if task.ready_for_pickup_at is null then
    update public.tasks set ready_for_pickup_at = now() where id = task.id returning * into task;
  end if;
  if written_note is not null then
    perform public.add_task_note(
      task.id, written_note, mark_task_ready_for_pickup.changed_by, mark_task_ready_for_pickup.changed_by_name
    );
  end if;
  return task;
end
$$;
comment on function public.mark_task_ready_for_pickup(uuid, text, text, text) is
  'Records when the vehicle of a completed task became ready for pickup; a repeated call changes nothing.';
grant execute on function public.mark_task_ready_for_pickup(uuid, text, text, text) to authenticated;

-- A completed task of a vehicle that waits for pickup is archived instead of deleted, because the vehicle's state
-- 'ready' depends on the task.
create function public.clean_up_tasks(task_ids uuid[]) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to write tasks. require_admin() checks
  -- that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Skips tasks that were reopened after the user's page read the list.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;
comment on function public.clean_up_tasks(uuid[]) is
  'Removes completed tasks from the list of tasks: archives a task that belongs to an estimate or whose vehicle was '
  'not picked up yet, and deletes every other task. Returns the number of removed tasks.';
grant execute on function public.clean_up_tasks(uuid[]) to authenticated;

create function public.set_task_customer_note(task_id uuid, note text) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write tasks. require_admin() checks
  -- that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.lock_task(task_id);
  update public.tasks set customer_note = trim(coalesce(note, '')) where id = task_id;
end
$$;
comment on function public.set_task_customer_note(uuid, text) is
  'Sets the note that the visit page shows the customer until the status of the task changes. If the note is empty, '
  'the page shows only the status.';
grant execute on function public.set_task_customer_note(uuid, text) to authenticated;

create function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, balance_cents bigint, paid_at timestamptz)
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
begin atomic
  select claim.number, claim.total_cents,
    claim.total_cents - least(claim.total_cents, (
      select coalesce(sum(line.amount_cents), 0) from public.payments line where line.invoice_id = claim.invoice_id)),
    paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) filter (where payment.kind in ('payment', 'applied_deposit')) as at from public.payments payment
    where payment.invoice_id = claim.invoice_id
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true;
end;
comment on function internal.booking_invoice(uuid) is
  'The invoice of the latest sent estimate of a booking, with the amount that is still due; paid_at is null until the '
  'invoice is paid in full.';

create function internal.vehicle_facts(booking public.bookings) returns jsonb
  -- Runs with the rights of the function's owner, because the roles that call it have no right to read bookings and
  -- tasks.
  language sql stable security definer set search_path = ''
  return jsonb_build_object(
    'bookingState', internal.booking_state(booking),
    'hold', case when booking.held_until is null then 'none'
                 when booking.held_until > internal.current_instant() then 'running' else 'ended' end,
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('status', status, 'isReady', ready_for_pickup_at is not null)
                                order by created_at, id), '[]')
      from public.tasks where booking_id = booking.id),
    'isPaid', exists (select from internal.booking_invoice(booking.id) where paid_at is not null)
  );
comment on function internal.vehicle_facts(public.bookings) is
  'The data from which the state of a booking''s vehicle is computed (VehicleFacts of '
  'domain/bookings/vehicle-state.ts).';

create function public.vehicle_facts(booking public.bookings) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call vehicle_facts.
  language sql stable security definer set search_path = ''
  return case when (select internal.is_admin()) then internal.vehicle_facts(booking) end;
comment on function public.vehicle_facts(public.bookings) is
  'A computed column of bookings for the data service (the REST API): the data from which the state of the vehicle '
  'is computed.';
grant execute on function public.vehicle_facts(public.bookings) to authenticated;

create function internal.vehicle_state(facts jsonb) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  booking_state constant text := facts ->> 'bookingState';
  tasks constant jsonb := jsonb_path_query_array(facts, '$.tasks[*] ? (@.status != "cancelled")');
  statuses constant text[] := array(select task ->> 'status' from jsonb_array_elements(tasks) task);
begin
  return case
    when booking_state = 'completed' then 'picked_up'
    when booking_state in ('cancelled', 'no_show', 'not_confirmed') then booking_state
    when statuses <> '{}' and 'completed' = all (statuses) and tasks @> '[{"isReady": true}]' then
      case when (facts ->> 'isPaid')::boolean then 'ready_and_paid' else 'ready' end
    when booking_state in ('arrived', 'in_work') or 'in_progress' = any (statuses) then
      case when 'waiting_on_parts' = any (statuses) then 'waiting_on_parts'
           when 'waiting_on_customer' = any (statuses) then 'waiting_on_customer'
           when booking_state = 'in_work' or statuses && array['in_progress', 'completed'] then 'in_work'
           else 'here' end
    when facts ->> 'hold' = 'running' then 'held'
    when facts ->> 'hold' = 'ended' then 'not_confirmed'
    else 'expected'
  end;
end
$$;
comment on function internal.vehicle_state(jsonb) is
  'The state of a vehicle, computed from the result of vehicle_facts by the rules of vehicleState in domain/bookings/vehicle-state.ts, for '
  'queries that filter by the state.';

create function internal.set_state_by_task(booking_id uuid, new_state text) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.set_booking_change_context('{"source": "task", "allow_without_bay": true}');
  update public.bookings set status = new_state
  where id = set_state_by_task.booking_id and completed_at is null and status <> new_state;
  perform internal.set_booking_change_context(null);
end
$$;
comment on function internal.set_state_by_task(uuid, text) is
  'Sets the status of an open booking after one of its tasks has changed.';

create function internal.state_before_task(booking_id uuid) returns text
  language sql stable set search_path = ''
  return (
    select case when event.kind = 'started' and event.source = 'task' then event.before ->> 'state' end
    from public.booking_events event
    where event.booking_id = state_before_task.booking_id and event.before ? 'state'
    order by event.id desc limit 1
  );
comment on function internal.state_before_task(uuid) is
  'The state that a booking had before a task set it to in_work; null if its state has changed since.';
