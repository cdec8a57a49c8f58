-- A week of invented customers, with which an owner tries everything before opening. Each row says that it is one; none
-- of them leaves the shop, and all of them go at once.

alter table public.bookings add column is_sample boolean not null default false;
alter table public.quote_requests add column is_sample boolean not null default false;
alter table public.tasks add column is_sample boolean not null default false;
comment on column public.bookings.is_sample is 'Whether it belongs to the sample week, and goes with it.';
comment on column public.quote_requests.is_sample is 'Whether it belongs to the sample week, and goes with it.';
comment on column public.tasks.is_sample is 'Whether it belongs to the sample week, and goes with it.';

-- An invented appointment may go while it is open.
drop trigger keep_open_booking on public.bookings;
create trigger keep_open_booking before delete on public.bookings
  for each row when (not old.is_sample) execute function internal.keep_open_booking();

create table internal.shop_setup (
  id boolean primary key default true constraint shop_setup_is_one_row check (id),
  has_first_password boolean not null default false,
  confirmed_steps text[] not null default '{}'
    constraint shop_setup_confirmed_steps_are_known check (confirmed_steps <@ array['hours', 'services']),
  hidden_at timestamptz,
  done_at timestamptz,
  sample_week_id uuid,
  sample_filled_at timestamptz,
  constraint shop_setup_fills_a_week_it_began check (sample_filled_at is null or sample_week_id is not null)
);
comment on table internal.shop_setup is 'How far the owner has made this shop their own, in one row.';
comment on column internal.shop_setup.has_first_password is
  'Whether an admin still signs in with the password that the first start made and printed.';
comment on column internal.shop_setup.confirmed_steps is
  'What the owner found right as a fresh shop has it, so that there was nothing to save.';
comment on column internal.shop_setup.hidden_at is 'When the owner hid the steps; null while they are shown.';
comment on column internal.shop_setup.done_at is 'When all steps were done for the first time: from then on nobody looks again.';
comment on column internal.shop_setup.sample_week_id is 'Names the sample week while any of it may be there; null without one.';
comment on column internal.shop_setup.sample_filled_at is 'When all of it was there; null while it is being filled in.';
insert into internal.shop_setup default values;

alter table internal.shop_setup enable row level security;
grant select on internal.shop_setup to shop_server;
grant update (has_first_password, confirmed_steps, hidden_at, done_at) on internal.shop_setup to shop_server;
create policy "the server reads the set-up" on internal.shop_setup for select to shop_server using (true);
create policy "the server notes the set-up" on internal.shop_setup for update to shop_server using (true) with check (true);
-- What the steps are ticked by.
grant select on public.settings_history to shop_server;
create policy "the server reads the history of settings" on public.settings_history for select to shop_server using (true);

create function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- The mark is older than the invoice: no header that names a wish can begin like this.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%';
end
$$;
comment on function internal.sample_invoices() is
  'The invoices of the sample week; invoice_id is null for one that was begun and not yet finished.';

create function internal.is_sample_email(email public.emails) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where id = email.booking_id and is_sample)
    or exists (select from public.quote_requests where id = email.quote_request_id and is_sample)
    or (email.invoice_id is not null
        and exists (select from internal.sample_invoices() sample where sample.invoice_id = email.invoice_id));
end
$$;
comment on function internal.is_sample_email(public.emails) is
  'Whether a message is about the sample week, whoever wrote it: such a one is kept in the outbox.';

create or replace function public.claim_email(email_id uuid) returns setof public.emails
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  update public.emails
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- Also with a mail server set: its addressee does not exist.
    perform public.note_email_left(email_id, 'kept', null);
    return;
  end if;
  outdated := internal.outdated_because(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
end
$$;
comment on function public.claim_email(uuid) is
  'Takes a message for one attempt and returns it; no row when it is done, in other hands or waits for its next attempt, '
  'when it is no longer true and fails for that, or when it is of the sample week and is kept. Whoever asks for one by its '
  'id may be the first before it is due.';

create function internal.has_real_records() returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where not is_sample)
    or exists (select from public.quote_requests where not is_sample)
    or exists (select from public.tasks where not is_sample)
    or exists (select from internal.assigned_invoice_numbers where request_id not like 'sample-week:%')
    or exists (select from public.payments payment
               where not exists (select from internal.sample_invoices() sample where sample.invoice_id = payment.invoice_id));
end
$$;
comment on function internal.has_real_records() is 'Whether anything is there that is not of the sample week.';

create function internal.can_fill_sample_week() returns boolean
  language sql stable
  security definer
  set search_path = ''
  return not internal.has_real_records() and (select sample_week_id is null from internal.shop_setup);
comment on function internal.can_fill_sample_week() is 'Whether the shop is so fresh that a sample week can be filled in.';

create function internal.begin_sample_week() returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  week uuid;
begin
  -- Nobody books while it is decided.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if internal.has_real_records() then
    return null;
  end if;
  update internal.shop_setup set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$$;
comment on function internal.begin_sample_week() is
  'Begins the sample week, or goes on with the one that was begun, and returns its id; null when the shop has real records.';

create function internal.sample_place(day date, wished_time time, service public.services)
  returns table (starts_at timestamp, bay_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  takes constant interval := service.duration_minutes * interval '1 minute';
begin
  return query
    select start, bay.id
    from public.bays bay, unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - takes, interval '30 minutes') start
    where bay.is_active and internal.can_do(bay.id, service.id) and not internal.is_taken(bay.id, tsrange(start, start + takes))
    order by abs(extract(epoch from start - (day + wished_time))), bay.position
    limit 1;
end
$$;
comment on function internal.sample_place(date, time, public.services) is
  'The free time nearest to a wish, with its bay; no row when the date has none.';

create function internal.add_sample_booking(visit jsonb) returns setof public.bookings
  language sql
  security definer
  set search_path = ''
as $$
  insert into public.bookings (
    is_sample, id, service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name, customer_email,
    customer_phone, notes, vehicle_year, vehicle_make, vehicle_model, vehicle_color, status, created_at, completed_at, completed_by)
  select true, (visit ->> 'id')::uuid, service.id, place.starts_at::date, place.starts_at::time, service.duration_minutes,
         place.bay_id, visit ->> 'name', visit ->> 'email', visit ->> 'phone', visit ->> 'notes', visit ->> 'year',
         visit ->> 'make', visit ->> 'model', visit ->> 'color', visit ->> 'status', (visit ->> 'createdAt')::timestamptz,
         case when ended.is_done then ended.at at time zone shop.time_zone end, case when ended.is_done then 'admin' end
  from public.shop, public.services service,
       internal.sample_place((visit ->> 'date')::date, (visit ->> 'time')::time, service) place,
       lateral (select place.starts_at + service.duration_minutes * interval '1 minute' as at) as ends,
       lateral (select ends.at, ends.at <= internal.shop_now() and visit ->> 'status' = 'confirmed' as is_done) as ended
  where service.id = (visit ->> 'serviceId')::uuid
  returning *
$$;
comment on function internal.add_sample_booking(jsonb) is
  'Adds an appointment to the sample week at the free time nearest to its wish, completed when that is over; no row when its '
  'date has no room.';

create function internal.add_sample_quote(quote jsonb) returns void
  language sql
  security definer
  set search_path = ''
as $$
  insert into public.quote_requests (
    is_sample, id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, created_at)
  values (
    true, (quote ->> 'id')::uuid, quote ->> 'name', quote ->> 'email', quote ->> 'phone', quote ->> 'year', quote ->> 'make',
    quote ->> 'model', quote ->> 'serviceType', quote ->> 'description', (quote ->> 'createdAt')::timestamptz)
$$;
comment on function internal.add_sample_quote(jsonb) is 'Adds a quote request to the sample week.';

create function internal.add_sample_task(task jsonb) returns void
  language sql
  security definer
  set search_path = ''
as $$
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
  'Adds a task with its history and notes to the sample week; employee is a number in the list of the team, from 1.';

create function internal.end_sample_week() returns void
  language sql
  security definer
  set search_path = ''
as $$
  update public.emails email set status = 'kept', sent_at = coalesce(sent_at, now()), leased_until = null
  where status in ('queued', 'retrying') and internal.is_sample_email(email);
  update internal.shop_setup set sample_filled_at = now()
$$;
comment on function internal.end_sample_week() is 'Notes that the sample week is there, with every letter of it kept.';

create function stripe_sandbox.forget_invoices(numbers text[]) returns text[]
  language plpgsql
  set search_path = ''
as $$
declare
  gone text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  gone_customers constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (gone));
  forgotten_events text[];
begin
  gone := gone || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (gone)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (gone));
  gone := gone || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (gone)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (gone));
  gone := gone || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (gone));
  -- A customer whom the shop has made an invoice of its own for stays.
  gone := gone || array(
    select wanted from unnest(gone_customers) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (gone)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (gone);
  forgotten_events := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (gone));
  -- In the order in which whoever delivers one takes them: delivery, event.
  delete from stripe_sandbox.event_deliveries where event_id = any (forgotten_events);
  delete from stripe_sandbox.objects where id = any (gone || forgotten_events);
  return forgotten_events;
end
$$;
comment on function stripe_sandbox.forget_invoices(text[]) is
  'Takes invoices of these numbers out of the sandbox with all that was done about them, as if they had never been; returns '
  'the ids of the events that told of them.';

create function internal.remove_sample_week() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  forgotten_events text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- What was made of a sample appointment is about somebody who does not exist.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample);
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where request_id like 'sample-week:%';
  update internal.shop_setup set sample_week_id = null, sample_filled_at = null;
end
$$;
comment on function internal.remove_sample_week() is
  'Removes the sample week with all that was done to it, and nothing else; without one it changes nothing.';

grant execute on function internal.can_fill_sample_week(), internal.begin_sample_week(), internal.add_sample_booking(jsonb),
  internal.add_sample_quote(jsonb), internal.add_sample_task(jsonb), internal.end_sample_week(), internal.remove_sample_week()
to shop_server;
