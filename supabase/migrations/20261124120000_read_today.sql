-- The start page of the dashboard: who waits for whom, what was paid today, how full the week is; and whether anybody waits.

create index emails_failed on public.emails (created_at) where status = 'failed';
create index tasks_with_the_customer on public.tasks (created_at)
  where status = 'waiting_on_customer' or ready_for_pickup_at is not null;

create function internal.unanswered_quotes() returns setof public.quote_requests
  language sql stable
  set search_path = ''
as $$
  select * from public.quote_requests
  where status = 'pending' and not looks_automated and created_at <= internal.current_instant() - interval '12 hours'
  order by created_at, id limit 50
$$;
comment on function internal.unanswered_quotes() is
  'Requests for a quote that nobody answered for 12 hours, the oldest 50; none that looks automated.';

create function internal.undelivered_letters() returns setof public.emails
  language sql stable
  set search_path = ''
as $$
  select letter.*
  from public.emails letter
  left join public.bookings booking on booking.id = letter.booking_id
  left join public.quote_requests quote on quote.id = letter.quote_request_id
  where letter.status = 'failed' and letter.kind not in ('owner_notice', 'test_message')
    and letter.created_at > internal.current_instant() - case when letter.booking_id is null then 14 else 60 end * interval '1 day'
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.outdated_because(letter) is null
    and not (letter.kind = 'quote_confirmation' and quote.status = 'completed')
    and not exists (
      select from public.emails later
      where later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed'
        and (later.booking_id = letter.booking_id or later.quote_request_id = letter.quote_request_id
             or later.invoice_id = letter.invoice_id))
  order by letter.created_at, letter.id limit 50
$$;
comment on function internal.undelivered_letters() is
  'Letters to customers that were given up and still matter, the oldest 50: true as they were written, not written again '
  'since, of an appointment that is not over, or of the last 14 days.';

create function internal.cars_here(moment timestamp) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select * from public.bookings
  -- By the index of dates: one that began earlier is at most as long as any may be (14 days).
  where appointment_date between moment::date - 14 and moment::date
    and occupied && tsrange(moment::date, moment::date + 1)
    and status = 'arrived' and completed_at is null
$$;
comment on function internal.cars_here(timestamp) is
  'Appointments of a shop day whose customer arrived and whose car nobody works on yet.';

create function internal.letters_that_wait() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', letter.id, 'kind', letter.kind, 'recipient_name', letter.recipient_name, 'recipient_email', letter.recipient_email,
      'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', letter.booking_id,
      'appointment_date', booking.appointment_date, 'quote_request_id', letter.quote_request_id, 'created_at', letter.created_at
    ) order by letter.created_at, letter.id), '[]')
    from internal.undelivered_letters() letter
    left join public.bookings booking on booking.id = letter.booking_id
    left join public.quote_requests quote on quote.id = letter.quote_request_id
  );
comment on function internal.letters_that_wait() is 'Undelivered letters, with whom to call and what they are about.';

create function internal.misfits_ahead() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(misfit) order by appointment_date, appointment_time, booking_id), '[]')
    from (
      select booking_id, appointment_date, appointment_time, duration_minutes, customer_name, service_name, problem
      from public.misfits order by appointment_date, appointment_time, booking_id limit 500
    ) misfit
  );
comment on function internal.misfits_ahead() is 'What the view misfits has, the soonest 500.';

create function internal.held_appointments() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'customer_name', customer_name, 'service_name', service_name, 'starts_at', lower(occupied),
      'held_until', held_until
    ) order by held_until, id), '[]')
    from (
      select * from public.bookings
      where held_until > internal.current_instant() and status not in ('cancelled', 'not_confirmed') and completed_at is null
      order by held_until, id limit 50
    ) held
  );
comment on function internal.held_appointments() is
  'Appointments whose customers have not yet answered the question whether they come, the 50 whose time ends first.';

create function internal.tasks_with_customers() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'customer_name', customer_name, 'is_ready', is_ready, 'since', since
    ) order by since, id), '[]')
    from (
      select task.id, task.title, booking.customer_name, task.ready_for_pickup_at is not null as is_ready,
             coalesce(task.ready_for_pickup_at,
                      (select max(created_at) from public.task_status_history
                       where task_id = task.id and new_status = 'waiting_on_customer' and old_status <> new_status),
                      task.created_at) as since
      from public.tasks task left join public.bookings booking on booking.id = task.booking_id
      where task.status = 'waiting_on_customer' or task.ready_for_pickup_at is not null
      order by since, task.id limit 50
    ) waiting
  );
comment on function internal.tasks_with_customers() is
  'Tasks that wait for their customer, or whose car was marked ready for pickup, and since when; the 50 that do longest.';

create function internal.payments_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(kind)), '[]')
    from (
      select outcome, currency, count(*)::integer as payments, sum(amount_cents)::bigint as cents
      from public.payments, (select time_zone from public.shop) shop
      where paid_at >= day::timestamp at time zone shop.time_zone
        and paid_at < (day + 1)::timestamp at time zone shop.time_zone
      group by outcome, currency order by outcome, currency
    ) kind
  );
comment on function internal.payments_of_day(date) is
  'What the ledger has of a shop day, from midnight to midnight by the shop''s clock: how many payments and how much of each '
  'outcome and currency.';

create function internal.cars_of_week(monday date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'cars', load.cars, 'done', coalesce(done.cars, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as cars from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );
comment on function internal.cars_of_week(date) is 'What read_loads says of seven dates, and how many of the cars are completed.';

create function public.read_today() returns jsonb
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
    'misfits', internal.misfits_ahead(),
    'held', internal.held_appointments(),
    'tasks', internal.tasks_with_customers(),
    'payments', internal.payments_of_day(today),
    'week', internal.cars_of_week(date_trunc('week', today)::date)
  );
end
$$;
comment on function public.read_today() is
  'What read_day says of today, and {instant, quotes, letters, misfits, held, tasks, payments, week}: who waits, what was paid '
  'today, the cars of this week (contracts/today.ts).';

create function public.somebody_waits() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return exists (select from internal.cars_here(internal.shop_now()))
    or exists (select from internal.unanswered_quotes())
    or exists (select from internal.undelivered_letters())
    or exists (select from public.misfits);
end
$$;
comment on function public.somebody_waits() is
  'Whether a customer waits for the shop: one who arrived, a quote unanswered for 12 hours, a letter that failed, or an '
  'appointment that has no bay or lies outside the hours. What read_today names, without naming it.';

grant execute on function public.read_today(), public.somebody_waits() to authenticated;
