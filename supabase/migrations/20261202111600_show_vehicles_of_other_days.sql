-- A vehicle can be at the shop on another day than its appointment's: brought early, or still there when its time is over.

create function internal.is_at_shop(state text) returns boolean
  language sql immutable
  set search_path = ''
  return state in ('here', 'in_work', 'waiting_on_parts', 'waiting_on_customer', 'ready', 'ready_and_paid');
comment on function internal.is_at_shop(text) is
  'Whether a vehicle in this state stands at the shop: isAtShop of domain/vehicle-state-table.ts, for queries that select by it.';

create function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  -- By the index of dates: an appointment is at most 14 days long.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$$;
comment on function internal.vehicles_of_other_days(date) is
  'Appointments of later days, and of the last 14 days, whose vehicle stands at the shop, the 50 that begin first.';

create or replace function internal.cars_here(moment timestamp) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where appointment_date >= moment::date - 28 and upper(occupied) > moment::date - 14
    and status = 'arrived' and completed_at is null
    and internal.vehicle_state(internal.vehicle_facts(booking)) = 'here'
$$;
comment on function internal.cars_here(timestamp) is
  'Appointments whose customer arrived and whose vehicle nobody works on yet, whatever day they are of; none that was over 14 '
  'days ago.';

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
    'also_here', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from internal.vehicles_of_other_days(today) booking),
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
  'What read_day says of today, and {instant, also_here, quotes, letters, to_notify, misfits, held, tasks, payments, week}: the '
  'vehicles at the shop whose appointment is of another day, who waits, what was paid today, the cars of this week '
  '(contracts/today.ts).';
