-- Adds what technicians see and do: views of the shop's day without prices and contact details, and two procedures.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.booking_event_source(kind text) returns text
  language sql stable
  -- Sets no search_path: names are resolved at creation, and PostgreSQL inlines only functions without settings. The
  -- setting `role` is the role of the request, even inside a security definer function.
  return case
    when internal.booking_change_context() ->> 'source' = 'task' then 'task'
    when internal.staff_role() is not null then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated', 'shop_owner', 'shop_advisor') then 'visitor'
    when kind = 'confirmed' or internal.booking_change_context() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create or replace function internal.own_employee_id() returns uuid
  -- Runs with its owner's rights, because a technician has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (select employee_id from public.staff_accounts where user_id = auth.uid() and is_active);

create or replace function internal.names_technician(bay_technician text) returns boolean
  -- Runs with its owner's rights, because a technician has no right to read employees.
  language sql stable security definer set search_path = ''
  return exists (
    select from public.employees employee
    where employee.id = internal.own_employee_id() and lower(trim(employee.name)) = lower(trim(bay_technician)));

create or replace function internal.require_technician() returns void
  language plpgsql stable set search_path = '' as $$
begin
  if internal.staff_role() is distinct from 'technician' then
    raise exception 'Only a technician may do this.' using errcode = '42501';
  end if;
end
$$;

create or replace function internal.set_booking_state(
  booking public.bookings, new_state text, seen_version integer, reason text, allow_without_bay boolean
) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  old_state constant text := internal.booking_state(booking);
  changed public.bookings;
begin
  -- A second click finds the state that the first one set.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.raise_version_conflict(booking, seen_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment that is % does not become %.',
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

create or replace function internal.set_task_status(
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

create or replace function internal.technician_assignment(booking_id uuid, bay_technician text) returns text
  -- Runs with its owner's rights, because a technician has no right to read tasks.
  language sql stable security definer set search_path = ''
  return case
    when internal.names_technician(bay_technician) or exists (
      select from public.tasks task
      where task.booking_id = technician_assignment.booking_id and task.status <> 'cancelled'
        and task.assigned_to = internal.own_employee_id()) then 'own'
    when bay_technician is not null or exists (
      select from public.tasks task
      where task.booking_id = technician_assignment.booking_id and task.status <> 'cancelled' and task.assigned_to is not null) then 'other'
    else 'unassigned' end;

create or replace function internal.text_for_technicians(given text) returns text
  language sql immutable set search_path = ''
  return regexp_replace(
    regexp_replace(
      regexp_replace(given, '[^\s@]+@[^\s@]+', '(email hidden)', 'g'),
      '\$\s*\d[\d.,]*', '(amount hidden)', 'g'),
    '\+?\(?\d[\d\s()./-]{5,}\d', '(number hidden)', 'g');

create or replace function public.change_booking_state(
  booking_id uuid, new_state text, seen_version integer, reason text default null,
  allow_without_bay boolean default false
) returns public.bookings
  -- Runs with its owner's rights, because the admin has no right to read booking_transitions. lock_booking() checks that
  -- the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  return internal.set_booking_state(
    internal.lock_booking(change_booking_state.booking_id), new_state, seen_version, reason, allow_without_bay);
end
$$;

create or replace function public.complete_own_task(task_id uuid) returns void
  -- Runs with its owner's rights, because a technician has no right to write tasks. require_technician() and the view
  -- check what the caller may do.
  language plpgsql security definer set search_path = '' as $$
declare
  task public.tasks;
begin
  perform internal.require_technician();
  if not exists (select from public.technician_tasks shown where shown.id = complete_own_task.task_id and shown.is_own) then
    raise exception 'Technicians complete the tasks that are assigned to them.' using errcode = '42501';
  end if;
  task := internal.lock_task(complete_own_task.task_id);
  if task.status <> 'completed' then
    perform internal.set_task_status(task, 'completed', null, null, null);
  end if;
end
$$;

create or replace function public.record_technician_step(booking_id uuid, new_state text, seen_version integer) returns integer
  -- Runs with its owner's rights, because a technician has no right to write bookings. require_technician() and the
  -- view check what the caller may do.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
begin
  perform internal.require_technician();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- One text for a booking of another day, of another technician and of nobody, so that the refusal reveals nothing.
  if new_state is null or new_state not in ('arrived', 'in_work', 'completed') or not exists (
    select from public.technician_bookings shown
    where shown.id = record_technician_step.booking_id and shown.assignment <> 'other')
  then
    raise exception 'Technicians record the arrival, start and end of their own and of unassigned appointments of today.'
      using errcode = '42501';
  end if;
  select * into booking from public.bookings where id = record_technician_step.booking_id for update;
  booking := internal.set_booking_state(booking, new_state, seen_version, null, false);
  return booking.version;
end
$$;

create or replace function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null,
  changed_by_name text default null, seen_status text default null
) returns public.tasks
  -- Runs with its owner's rights, because the admin has no right to write task_status_history and tasks.
  -- require_admin() checks that the caller is the admin.
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

create view public.technician_bays with (security_barrier = true) as
  select bay.id, bay.name, bay.position, internal.names_technician(bay.technician) as is_own,
         (select coalesce(jsonb_agg(jsonb_build_object('starts_at', lower(hours.span), 'ends_at', upper(hours.span)) order by hours.span), '[]')
          from internal.bay_hours hours
          where hours.bay_id = bay.id and hours.day = internal.shop_now()::date and not isempty(hours.span)) as open
  from public.bays bay
  where (select internal.staff_role()) = 'technician' and bay.is_active;

create view public.technician_bookings with (security_barrier = true) as
  select booking.id, booking.version, lower(booking.occupied) as starts_at, upper(booking.occupied) as ends_at,
         booking.bay_id, bay.name as bay_name, booking.service_name,
         case when booking.completed_at is null then booking.status else 'completed' end as state,
         booking.held_until is not null as is_held,
         booking.vehicle_year, booking.vehicle_make, booking.vehicle_model, booking.vehicle_color,
         internal.text_for_technicians(split_part(trim(booking.customer_name), ' ', 1)) as first_name,
         whose.assignment,
         case when whose.assignment <> 'other' then vehicle.plate end as vehicle_plate,
         case when whose.assignment <> 'other' then internal.text_for_technicians(booking.notes) end as notes
  from (select internal.shop_now()::date as day) today
  join public.bookings booking
    -- The range of dates lets this use the index by date: a booking lasts at most 14 days.
    on booking.appointment_date between today.day - 14 and today.day and booking.occupied && tsrange(today.day, today.day + 1)
  left join public.bays bay on bay.id = booking.bay_id
  left join public.vehicles vehicle on vehicle.id = booking.vehicle_id
  cross join lateral (select internal.technician_assignment(booking.id, bay.technician) as assignment) whose
  where (select internal.staff_role()) = 'technician' and booking.status not in ('cancelled', 'not_confirmed');

create view public.technician_hours with (security_barrier = true) as
  select hours.weekday, hours.opens_minute, hours.closes_minute
  from public.opening_hours hours
  where (select internal.staff_role()) = 'technician';

create view public.technician_services with (security_barrier = true) as
  select service.id, service.name, service.duration_minutes, service.position
  from public.services service
  where (select internal.staff_role()) = 'technician' and service.is_active;

create view public.technician_tasks with (security_barrier = true) as
  select task.id, task.booking_id, internal.text_for_technicians(task.title) as title,
         internal.text_for_technicians(task.description) as description, task.priority, task.status, task.due_date, task.created_at,
         task.assigned_to is not null and task.assigned_to = (select internal.own_employee_id()) as is_own,
         booking.vehicle_year, booking.vehicle_make, booking.vehicle_model
  from public.tasks task left join public.bookings booking on booking.id = task.booking_id
  where (select internal.staff_role()) = 'technician' and task.status <> 'cancelled' and task.archived_at is null
    and ((task.assigned_to = (select internal.own_employee_id()) and task.completed_at is null)
      or task.booking_id in (select id from public.technician_bookings where assignment <> 'other'));

COMMENT ON FUNCTION "internal"."names_technician"(text) IS 'Whether the technician of a bay is the employee of the calling staff account.';

COMMENT ON FUNCTION "internal"."own_employee_id"() IS 'The employee of the active staff account whose access token the request has: the tasks of this employee are the account''s own.';

COMMENT ON FUNCTION "internal"."set_booking_state"(public.bookings, text, integer, text, boolean) IS 'Changes the state of a locked booking, for a caller who may do so, and returns the booking.';

COMMENT ON FUNCTION "internal"."set_task_status"(public.tasks, text, text, text, text) IS 'Sets the status of a locked task and records it in the history, for a caller who may do so.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'Whose a booking is, for the calling technician: own (a task is assigned to them, or the bay names them), unassigned (no task is assigned and the bay names nobody) or other.';

COMMENT ON FUNCTION "internal"."text_for_technicians"(text) IS 'A free text without email addresses, amounts in dollars and what looks like a phone number.';

COMMENT ON FUNCTION "public"."complete_own_task"(uuid) IS 'Completes a task that is assigned to the calling technician; again changes nothing.';

COMMENT ON FUNCTION "public"."record_technician_step"(uuid, text, integer) IS 'Records that an own or unassigned booking of the day arrived, is in work or is completed, and returns its new version. Refused (TT051) when the seen version is outdated.';

COMMENT ON VIEW "public"."technician_bays" IS 'The bays for technicians, with the open times of the shop''s day.';

COMMENT ON VIEW "public"."technician_bookings" IS 'The bookings of the shop''s day for technicians: time, bay, vehicle, service and first name of all; notes and plate of own and unassigned ones.';

COMMENT ON VIEW "public"."technician_hours" IS 'The weekly opening hours for technicians.';

COMMENT ON VIEW "public"."technician_services" IS 'The services for technicians, without prices.';

COMMENT ON VIEW "public"."technician_tasks" IS 'The tasks that technicians see: the open ones that are assigned to them, and those of the day''s own and unassigned bookings.';

REVOKE ALL ON FUNCTION "internal"."names_technician"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."names_technician"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."names_technician"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."names_technician"(text) TO "shop_technician";

REVOKE ALL ON FUNCTION "internal"."own_employee_id"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."own_employee_id"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."own_employee_id"() TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."own_employee_id"() TO "shop_technician";

REVOKE ALL ON FUNCTION "internal"."require_technician"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."require_technician"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."require_technician"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."set_booking_state"(public.bookings, text, integer, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."set_booking_state"(public.bookings, text, integer, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."set_booking_state"(public.bookings, text, integer, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."set_task_status"(public.tasks, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."set_task_status"(public.tasks, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."set_task_status"(public.tasks, text, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."shop_now"() FROM "shop_technician";

GRANT EXECUTE ON FUNCTION "internal"."shop_now"() TO "shop_technician";

REVOKE ALL ON FUNCTION "internal"."technician_assignment"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."technician_assignment"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."technician_assignment"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."technician_assignment"(uuid, text) TO "shop_technician";

REVOKE ALL ON FUNCTION "internal"."text_for_technicians"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."text_for_technicians"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."text_for_technicians"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."text_for_technicians"(text) TO "shop_technician";

REVOKE ALL ON FUNCTION "public"."complete_own_task"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."complete_own_task"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."complete_own_task"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."complete_own_task"(uuid) TO "shop_technician";

REVOKE ALL ON FUNCTION "public"."record_technician_step"(uuid, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."record_technician_step"(uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."record_technician_step"(uuid, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."record_technician_step"(uuid, text, integer) TO "shop_technician";

GRANT SELECT ON TABLE "public"."technician_bays" TO "shop_technician";

GRANT SELECT ON TABLE "public"."technician_bookings" TO "shop_technician";

GRANT SELECT ON TABLE "public"."technician_hours" TO "shop_technician";

GRANT SELECT ON TABLE "public"."technician_services" TO "shop_technician";

GRANT SELECT ON TABLE "public"."technician_tasks" TO "shop_technician";
