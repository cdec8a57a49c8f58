-- The data and actions of technicians. A technician has no right on any table. The views of this file show them the
-- bookings, tasks, bays, services and hours of the shop's day without prices, sums, email addresses and phone numbers.
-- Each view runs with the rights of the view's owner, shows rows only to an active technician, and is granted to no
-- other role.

create function internal.own_employee_id() returns uuid
  -- Runs with the rights of the function's owner, because a technician has no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (select employee_id from public.staff_accounts where user_id = auth.uid() and is_active);
comment on function internal.own_employee_id() is
  'The employee of the active staff account whose access token the request contains. The tasks of this employee are '
  'the account''s own tasks.';
grant execute on function internal.own_employee_id() to shop_technician;

create function internal.text_for_technicians(given text) returns text
  language sql immutable set search_path = ''
  return regexp_replace(
    regexp_replace(
      regexp_replace(given, '[^\s@]+@[^\s@]+', '(email hidden)', 'g'),
      '\$\s*\d[\d.,]*', '(amount hidden)', 'g'),
    '\+?\(?\d[\d\s()./-]{5,}\d', '(number hidden)', 'g');
comment on function internal.text_for_technicians(text) is
  'Removes email addresses, dollar amounts and numbers that look like phone numbers from a free text.';
grant execute on function internal.text_for_technicians(text) to shop_technician;

create function internal.names_technician(bay_technician text) returns boolean
  -- Runs with the rights of the function's owner, because a technician has no right to read employees.
  language sql stable security definer set search_path = ''
  return exists (
    select from public.employees employee
    where employee.id = internal.own_employee_id() and lower(trim(employee.name)) = lower(trim(bay_technician)));
comment on function internal.names_technician(text) is
  'Whether the name of a bay''s technician is the name of the employee who sent the request.';
grant execute on function internal.names_technician(text) to shop_technician;

create function internal.technician_assignment(booking_id uuid, bay_technician text) returns text
  -- Runs with the rights of the function's owner, because a technician has no right to read tasks.
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
comment on function internal.technician_assignment(uuid, text) is
  'The assignment of a booking as the calling technician sees it. own: one of its tasks is assigned to this '
  'technician, or this technician works in its bay. unassigned: none of its tasks is assigned to anybody, and its bay '
  'has no technician. other: every other booking.';
grant execute on function internal.technician_assignment(uuid, text) to shop_technician;
grant execute on function internal.shop_now() to shop_technician;

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
    -- A booking lasts at most 14 days, so the condition on the date omits no booking of today. It lets the query use
    -- the index by date.
    on booking.appointment_date between today.day - 14 and today.day and booking.occupied && tsrange(today.day, today.day + 1)
  left join public.bays bay on bay.id = booking.bay_id
  left join public.vehicles vehicle on vehicle.id = booking.vehicle_id
  cross join lateral (select internal.technician_assignment(booking.id, bay.technician) as assignment) whose
  where (select internal.staff_role()) = 'technician' and booking.status not in ('cancelled', 'not_confirmed');
comment on view public.technician_bookings is
  'Today''s bookings (shop time) for technicians: the time, bay, vehicle, service and first name of the customer; for '
  'own and unassigned bookings also the notes and the plate.';
grant select on public.technician_bookings to shop_technician;

create view public.technician_tasks with (security_barrier = true) as
  select task.id, task.booking_id, internal.text_for_technicians(task.title) as title,
         internal.text_for_technicians(task.description) as description, task.priority, task.status, task.due_date, task.created_at,
         task.assigned_to is not null and task.assigned_to = (select internal.own_employee_id()) as is_own,
         booking.vehicle_year, booking.vehicle_make, booking.vehicle_model
  from public.tasks task left join public.bookings booking on booking.id = task.booking_id
  where (select internal.staff_role()) = 'technician' and task.status <> 'cancelled' and task.archived_at is null
    and ((task.assigned_to = (select internal.own_employee_id()) and task.completed_at is null)
      or task.booking_id in (select id from public.technician_bookings where assignment <> 'other'));
comment on view public.technician_tasks is
  'The tasks that a technician sees: the open tasks that are assigned to the technician, and the tasks of today''s '
  'bookings whose technician_assignment is own or unassigned.';
grant select on public.technician_tasks to shop_technician;

create view public.technician_bays with (security_barrier = true) as
  select bay.id, bay.name, bay.position, internal.names_technician(bay.technician) as is_own,
         (select coalesce(jsonb_agg(jsonb_build_object('starts_at', lower(hours.span), 'ends_at', upper(hours.span)) order by hours.span), '[]')
          from internal.bay_hours hours
          where hours.bay_id = bay.id and hours.day = internal.shop_now()::date and not isempty(hours.span)) as open
  from public.bays bay
  where (select internal.staff_role()) = 'technician' and bay.is_active;
comment on view public.technician_bays is 'The bays for technicians, with their open times of today (shop time).';
grant select on public.technician_bays to shop_technician;

create view public.technician_services with (security_barrier = true) as
  select service.id, service.name, service.duration_minutes, service.position
  from public.services service
  where (select internal.staff_role()) = 'technician' and service.is_active;
comment on view public.technician_services is 'The services, without prices, for technicians.';
grant select on public.technician_services to shop_technician;

create view public.technician_hours with (security_barrier = true) as
  select hours.weekday, hours.opens_minute, hours.closes_minute
  from public.opening_hours hours
  where (select internal.staff_role()) = 'technician';
comment on view public.technician_hours is 'The weekly opening hours for technicians.';
grant select on public.technician_hours to shop_technician;

create function internal.require_technician() returns void
  language plpgsql stable set search_path = '' as $$
begin
  if internal.staff_role() is distinct from 'technician' then
    raise exception 'Only a technician may do this.' using errcode = '42501';
  end if;
end
$$;

create function public.record_technician_step(booking_id uuid, new_state text, seen_version integer) returns integer
  -- Runs with the rights of the function's owner, because a technician has no right to write bookings.
  -- require_technician() and the view that the function reads check the permissions of the caller.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
begin
  perform internal.require_technician();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- The error text is the same for a booking of another day, a booking of another technician and an unknown booking, so
  -- that it reveals nothing about them.
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
comment on function public.record_technician_step(uuid, text, integer) is
  'Records that the vehicle of a booking of today has arrived, is in work or is completed, and returns the new version '
  'of the booking. The booking''s technician_assignment must be own or unassigned. Refused (TT051) when seen_version, '
  'the version that the user was looking at, is outdated.';
grant execute on function public.record_technician_step(uuid, text, integer) to shop_technician;

create function public.complete_own_task(task_id uuid) returns void
  -- Runs with the rights of the function's owner, because a technician has no right to write tasks.
  -- require_technician() and the view check what the caller may do.
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
comment on function public.complete_own_task(uuid) is 'Completes a task that is assigned to the calling technician; a repeated call changes nothing.';
grant execute on function public.complete_own_task(uuid) to shop_technician;
