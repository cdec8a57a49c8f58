-- The sample week: a week of invented customers for a new shop. Every row of the sample week has `is_sample`, its
-- emails are not sent, and one procedure deletes all of it.

create function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable set search_path = '' as $$
begin
  -- A client cannot choose a request id that begins with 'sample-week:', so the id is reserved for the sample week.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$$;
comment on function internal.sample_invoices() is
  'The invoices of the sample week; invoice_id is null for an invoice whose creation was started but not finished.';

create function internal.has_real_records() returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (select from public.bookings where not is_sample)
    or exists (select from public.quote_requests where not is_sample)
    or exists (select from public.tasks where not is_sample)
    or exists (select from public.estimates where not is_sample)
    or exists (select from internal.assigned_invoice_numbers assigned
               where not exists (select from internal.sample_invoices() sample where sample.number = assigned.number))
    or exists (select from public.payments payment
               where not exists (select from internal.sample_invoices() sample where sample.invoice_id = payment.invoice_id));
end
$$;
comment on function internal.has_real_records() is 'Whether any record exists that does not belong to the sample week.';

create function internal.can_fill_sample_week() returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to call has_real_records.
  language sql stable security definer set search_path = ''
  return not internal.has_real_records() and (select sample_week_id is null from internal.onboarding);
comment on function internal.can_fill_sample_week() is 'Whether the shop has no real records and no sample week yet.';
grant execute on function internal.can_fill_sample_week() to shop_server;

create function internal.begin_sample_week() returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to call has_real_records.
  language plpgsql security definer set search_path = '' as $$
declare
  week uuid;
begin
  -- The calendar lock prevents a visitor from booking after the check for real records, until the transaction ends.
  perform internal.lock_calendar();
  if internal.has_real_records() then
    return null;
  end if;
  update internal.onboarding set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$$;
comment on function internal.begin_sample_week() is
  'Starts the sample week, or continues the sample week that was started before, and returns its id; null when the '
  'shop has real records.';
grant execute on function internal.begin_sample_week() to shop_server;

create function internal.add_sample_bays() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write bays.
  language sql security definer set search_path = '' as $$
  insert into public.bays (name, position, is_sample)
  select 'Sample bay ' || number, known.last_position + number - known.active_count, true
  from (select count(*) filter (where is_active) as active_count, max(position) as last_position from public.bays) known,
       generate_series(known.active_count + 1, 3) number;
  select pg_notify('settings_changed', 'bays')
$$;
comment on function internal.add_sample_bays() is
  'Adds bays for the sample week if the shop has fewer than three active bays.';
grant execute on function internal.add_sample_bays() to shop_server;

create function internal.remove_sample_bays() returns void
  language plpgsql set search_path = '' as $$
begin
  update public.bays set is_active = false where is_sample;
  perform internal.reassign_bay_bookings(id) from public.bays where is_sample order by position;
  update public.bookings set bay_id = null where bay_id in (select id from public.bays where is_sample);
  delete from public.bays where is_sample;
  perform pg_notify('settings_changed', 'bays');
end
$$;
comment on function internal.remove_sample_bays() is
  'Deletes the bays of the sample week. Real upcoming bookings in these bays are moved to other bays at the same time '
  'or, if none is free, have no bay. All other bookings in these bays then have no bay.';

create function internal.find_sample_slot(day date, wished_time time, service public.services)
  returns table (starts_at timestamp, bay_id uuid)
  language plpgsql stable set search_path = '' as $$
declare
  takes constant interval := service.duration_minutes * interval '1 minute';
begin
  return query
    select start, bay.id
    from public.bays bay, unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - takes, interval '30 minutes') start
    where bay.is_active and internal.bay_can_do_service(bay.id, service.id) and not internal.is_bay_taken(bay.id, tsrange(start, start + takes))
    order by abs(extract(epoch from start - (day + wished_time))), bay.position
    limit 1;
end
$$;
comment on function internal.find_sample_slot(date, time, public.services) is
  'The free time nearest to a requested time, with its bay; no row if the date has no free time.';

create function internal.add_sample_booking(booking jsonb) returns setof public.bookings
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language sql security definer set search_path = '' as $$
  insert into public.bookings (
    is_sample, id, service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name, customer_email,
    customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, status, created_at,
    completed_at, completed_by)
  select true, (booking ->> 'id')::uuid, service.id, place.starts_at::date, place.starts_at::time, service.duration_minutes,
         place.bay_id, booking ->> 'name', booking ->> 'email', booking ->> 'phone', booking ->> 'notes', booking ->> 'shopNote',
         booking ->> 'year', booking ->> 'make', booking ->> 'model', booking ->> 'color',
         case
           when booking ->> 'status' <> 'here' then booking ->> 'status'
           when ended.is_done then 'confirmed'
           when place.starts_at <= internal.shop_now() then 'in_work'
           when place.starts_at <= internal.shop_now() + interval '1 hour' then 'arrived'
           else 'confirmed'
         end,
         (booking ->> 'createdAt')::timestamptz,
         case when ended.is_done then ended.at at time zone shop.time_zone end, case when ended.is_done then 'admin' end
  from public.shop, public.services service,
       internal.find_sample_slot((booking ->> 'date')::date, (booking ->> 'time')::time, service) place,
       lateral (select place.starts_at + service.duration_minutes * interval '1 minute' as at) as ends,
       lateral (
         select ends.at, ends.at <= internal.shop_now() and booking ->> 'status' in ('confirmed', 'here') as is_done
       ) as ended
  where service.id = (booking ->> 'serviceId')::uuid
  returning *
$$;
comment on function internal.add_sample_booking(jsonb) is
  'Adds a booking to the sample week at the free time nearest to the requested time. A past booking is completed. '
  'The requested status ''here'' becomes ''arrived'' in the hour before the start of the booking, and ''in_work'' '
  'between its start and its end. Returns no row when the date has no free time.';
grant execute on function internal.add_sample_booking(jsonb) to shop_server;

create function internal.add_sample_quote(quote jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write quote_requests.
  language sql security definer set search_path = '' as $$
  insert into public.quote_requests (
    is_sample, id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, created_at)
  values (
    true, (quote ->> 'id')::uuid, quote ->> 'name', quote ->> 'email', quote ->> 'phone', quote ->> 'year', quote ->> 'make',
    quote ->> 'model', quote ->> 'serviceType', quote ->> 'description', (quote ->> 'createdAt')::timestamptz)
$$;
grant execute on function internal.add_sample_quote(jsonb) to shop_server;

create function internal.add_sample_task(task jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write tasks, task_status_history
  -- and task_notes.
  language sql security definer set search_path = '' as $$
  insert into public.tasks (
    is_sample, id, title, description, priority, status, assigned_to, due_date, booking_id, created_at, completed_at,
    ready_for_pickup_at)
  values (
    true, (task ->> 'id')::uuid, task ->> 'title', task ->> 'description', task ->> 'priority', task ->> 'status',
    (
      select employee.id
      from (select id, row_number() over (order by name) as number from public.employees where is_active) employee
      where employee.number = (task ->> 'employee')::integer),
    (task ->> 'dueDate')::date, (task ->> 'bookingId')::uuid, (task ->> 'createdAt')::timestamptz,
    (task ->> 'completedAt')::timestamptz, (task ->> 'readyAt')::timestamptz);
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by_name, created_at)
  select (task ->> 'id')::uuid, "from", "to", note, "by", "at"
  from jsonb_to_recordset(task -> 'changes') as change("from" text, "to" text, note text, "by" text, "at" timestamptz);
  insert into public.task_notes (task_id, note, created_by_name, created_at)
  select (task ->> 'id')::uuid, note, "by", "at"
  from jsonb_to_recordset(task -> 'notes') as written(note text, "by" text, "at" timestamptz)
$$;
comment on function internal.add_sample_task(jsonb) is
  'Adds a task with history and notes to the sample week; employee is the position of the assigned employee in the '
  'team list, counted from 1.';
grant execute on function internal.add_sample_task(jsonb) to shop_server;

create function internal.finish_sample_week() returns void
  -- Runs with the rights of the function's owner, because the server has no right to call is_sample_email.
  language sql security definer set search_path = '' as $$
  update public.emails email set status = 'in_outbox', sent_at = coalesce(sent_at, now()), leased_until = null
  where status in ('queued', 'retrying') and internal.is_sample_email(email);
  update internal.onboarding set sample_filled_at = now()
$$;
comment on function internal.finish_sample_week() is
  'Marks the sample week as complete and prevents the emails of the sample week from being sent.';
grant execute on function internal.finish_sample_week() to shop_server;

create function internal.remove_sample_week() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write emails, payments and other
  -- tables.
  language plpgsql security definer set search_path = '' as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from internal.stripe_reports where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  delete from public.credit_notes where invoice_id = any (ids);
  delete from public.invoice_events where invoice_id = any (ids);
  delete from public.invoices where number = any (numbers);
  -- The deletion includes tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$$;
comment on function internal.remove_sample_week() is
  'Deletes the sample week and all records that were added to it, and no other records. Real bookings in the bays of '
  'the sample week are moved to other bays.';
grant execute on function internal.remove_sample_week() to shop_server;

create function internal.mark_sample_estimate() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.is_sample := new.is_sample or exists (select from public.bookings where id = new.booking_id and is_sample)
    or exists (select from public.quote_requests where id = new.quote_request_id and is_sample);
  return new;
end
$$;
comment on function internal.mark_sample_estimate() is 'Marks an estimate of a sample booking or sample quote request as sample.';

create function internal.is_sample_estimate(wanted_id uuid) returns boolean
  language sql stable set search_path = ''
  return exists (select from public.estimates where id = wanted_id and is_sample);

create function internal.add_sample_estimate(estimate jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write estimates,
  -- estimate_revisions and canned_jobs.
  language plpgsql security definer set search_path = '' as $$
declare
  made public.estimates;
  frozen public.estimate_revisions;
begin
  insert into public.estimates (
    is_sample, repair_id, booking_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
    vehicle_plate, odometer_miles, created_by, changed_by)
  select true, booking.repair_id, booking.id, booking.customer_name, coalesce(booking.customer_email, ''), booking.customer_phone,
    coalesce(booking.vehicle_year, ''), coalesce(booking.vehicle_make, ''), coalesce(booking.vehicle_model, ''),
    estimate ->> 'plate', (estimate ->> 'odometerMiles')::integer, 'admin', 'admin'
  from public.bookings booking where booking.id = (estimate ->> 'bookingId')::uuid
  returning * into made;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  select made.id, 1, estimate ->> 'customerNote',
    internal.shop_now()::date + case estimate ->> 'state' when 'expired' then -1 else good_for_days end,
    internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.save_revision_jobs(made.id, 1, estimate -> 'jobs');
  insert into public.canned_jobs (title, job, is_sample)
  select job ->> 'title', job - 'key', true from jsonb_array_elements(estimate -> 'jobs') job
  on conflict (title) do nothing;
  if estimate ->> 'state' = 'draft' then
    return;
  end if;
  frozen := internal.freeze_revision(made);
  update public.estimate_revisions revision
  set sent_at = frozen.frozen_at, seen_at = case estimate ->> 'state' when 'seen' then frozen.frozen_at end
  where revision.estimate_id = made.id;
  if estimate ? 'approved' then
    perform internal.decide_estimate(
      made.id, frozen.hash, array(select jsonb_array_elements_text(estimate -> 'approved'))::uuid[], made.customer_name, '', false);
  end if;
  if estimate ->> 'state' = 'invoiced' then
    perform internal.claim_estimate_invoice(made.id, (select version from public.estimates where id = made.id), 'admin');
  end if;
end
$$;
comment on function internal.add_sample_estimate(jsonb) is
  'Adds an estimate to the sample week and saves its jobs as canned jobs. The estimate is sent, or has the given '
  'state: draft, seen, expired or invoiced. If the argument lists approved jobs, the customer''s decision is recorded.';
grant execute on function internal.add_sample_estimate(jsonb) to shop_server;

create function internal.remove_sample_customers() returns void
  language sql set search_path = '' as $$
  delete from public.vehicles vehicle
  where (is_sample or exists (select from public.customers where id = vehicle.customer_id and is_sample))
    and not exists (select from public.bookings where vehicle_id = vehicle.id)
    and not exists (select from public.quote_requests where vehicle_id = vehicle.id)
    and not exists (select from public.estimates where vehicle_id = vehicle.id)
    and not exists (select from public.invoices where vehicle_id = vehicle.id)
    and not exists (select from public.vehicles where merged_into = vehicle.id);
  delete from public.customers customer
  where is_sample and not exists (select from public.bookings where customer_id = customer.id)
    and not exists (select from public.quote_requests where customer_id = customer.id)
    and not exists (select from public.estimates where customer_id = customer.id)
    and not exists (select from public.invoices where customer_id = customer.id)
    and not exists (select from public.vehicles where customer_id = customer.id)
    and not exists (select from public.customers where merged_into = customer.id);
$$;
comment on function internal.remove_sample_customers() is
  'Deletes the customers and vehicles of the sample week that no real record refers to.';
