-- The sample week has estimates too. Nobody's records are lost with them: they go with the week, whatever the law asks of real
-- ones.

alter table public.estimates add column is_sample boolean not null default false;
alter table public.kept_jobs add column is_sample boolean not null default false;
comment on column public.estimates.is_sample is 'Whether it belongs to the sample week, and goes with it.';
comment on column public.kept_jobs.is_sample is 'Whether it belongs to the sample week, and goes with it.';

-- What comes and goes with the sample week is no change of a setting.
drop trigger record_setting on public.kept_jobs;
create trigger record_kept_job after insert on public.kept_jobs
  for each row when (not new.is_sample) execute function internal.record_setting('estimates', 'title');
create trigger record_forgotten_job after delete on public.kept_jobs
  for each row when (not old.is_sample) execute function internal.record_setting('estimates', 'title');
create trigger record_renamed_job after update of title on public.kept_jobs
  for each row execute function internal.record_setting('estimates', 'title');

create function internal.mark_sample_estimate() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_sample := new.is_sample or exists (select from public.bookings where id = new.booking_id and is_sample)
    or exists (select from public.quote_requests where id = new.quote_request_id and is_sample);
  return new;
end
$$;
comment on function internal.mark_sample_estimate() is 'What is about somebody who does not exist goes with the sample week.';
create trigger mark_sample_estimate before insert on public.estimates
  for each row execute function internal.mark_sample_estimate();

create function internal.is_sample_estimate(wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.estimates where id = wanted_id and is_sample);
comment on function internal.is_sample_estimate(uuid) is 'Whether an estimate belongs to the sample week.';

create function internal.keep_estimate() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.refuse_losing_records(max(frozen_at)) from public.estimate_revisions where estimate_id = old.id;
  return old;
end
$$;
comment on function internal.keep_estimate() is 'Keeps an estimate that was handed over for three years, whoever asks.';
create trigger keep_estimate before delete on public.estimates
  for each row when (not old.is_sample) execute function internal.keep_estimate();

create or replace function internal.is_sample_email(email public.emails) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where id = email.booking_id and is_sample)
    or exists (select from public.quote_requests where id = email.quote_request_id and is_sample)
    or internal.is_sample_estimate(email.estimate_id)
    or (email.invoice_id is not null
        and exists (select from internal.sample_invoices() sample where sample.invoice_id = email.invoice_id));
end
$$;

create or replace function internal.has_real_records() returns boolean
  language plpgsql stable
  set search_path = ''
as $$
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

create function internal.add_sample_estimate(estimate jsonb) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  made public.estimates;
  frozen public.estimate_revisions;
begin
  insert into public.estimates (
    is_sample, thread_id, booking_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
    vehicle_plate, odometer_miles, created_by, changed_by)
  select true, booking.thread_id, booking.id, booking.customer_name, coalesce(booking.customer_email, ''), booking.customer_phone,
    coalesce(booking.vehicle_year, ''), coalesce(booking.vehicle_make, ''), coalesce(booking.vehicle_model, ''),
    estimate ->> 'plate', (estimate ->> 'odometerMiles')::integer, 'admin', 'admin'
  from public.bookings booking where booking.id = (estimate ->> 'bookingId')::uuid
  returning * into made;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  select made.id, 1, estimate ->> 'customerNote', internal.shop_now()::date + good_for_days,
    internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.write_jobs(made.id, 1, estimate -> 'jobs');
  insert into public.kept_jobs (title, job, is_sample)
  select job ->> 'title', job - 'key', true from jsonb_array_elements(estimate -> 'jobs') job
  on conflict (title) do nothing;
  frozen := internal.freeze(made);
  update public.estimate_revisions revision set sent_at = frozen.frozen_at where revision.estimate_id = made.id;
  if estimate ? 'approved' then
    perform internal.answer_offer(
      made.id, frozen.hash, array(select jsonb_array_elements_text(estimate -> 'approved'))::uuid[], made.customer_name, '', false);
  end if;
end
$$;
comment on function internal.add_sample_estimate(jsonb) is
  'Adds an estimate that was sent to the sample week, answered where it says what was approved; its jobs are kept for reuse.';
grant execute on function internal.add_sample_estimate(jsonb) to shop_server;

create function internal.remove_sample_people() returns void
  language sql
  set search_path = ''
as $$
  delete from public.invoice_links where internal.is_sample_invoice(number);
  delete from public.cars car
  where (is_sample or exists (select from public.people where id = car.person_id and is_sample))
    and not exists (select from public.bookings where car_id = car.id)
    and not exists (select from public.quote_requests where car_id = car.id)
    and not exists (select from public.estimates where car_id = car.id)
    and not exists (select from public.invoice_links where car_id = car.id)
    and not exists (select from public.cars where merged_into = car.id);
  delete from public.people person
  where is_sample and not exists (select from public.bookings where person_id = person.id)
    and not exists (select from public.quote_requests where person_id = person.id)
    and not exists (select from public.estimates where person_id = person.id)
    and not exists (select from public.invoice_links where person_id = person.id)
    and not exists (select from public.cars where person_id = person.id)
    and not exists (select from public.people where merged_into = person.id);
$$;
comment on function internal.remove_sample_people() is
  'Removes whom only the sample week knew. Who was booked for real meanwhile stays.';

create or replace function internal.remove_sample_week() returns void
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
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.kept_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform internal.remove_sample_people();
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.shop_setup set sample_week_id = null, sample_filled_at = null;
end
$$;
