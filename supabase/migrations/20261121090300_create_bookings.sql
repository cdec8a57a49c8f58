-- Appointments. Two of them never overlap, and a visitor can only make one that keeps every rule.

create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  service_id uuid not null references public.services,
  appointment_date date not null,
  appointment_time time(0) not null,
  duration_minutes integer not null check (duration_minutes between 5 and 720),
  occupied tsrange not null generated always as (
    tsrange(
      appointment_date + appointment_time,
      appointment_date + appointment_time + duration_minutes * interval '1 minute',
      '[)'
    )
  ) stored,
  customer_name text not null check (length(trim(customer_name)) between 1 and 200 and customer_name !~ '[[:cntrl:]]'),
  customer_email text not null check (
    length(customer_email) between 1 and 254 and position('@' in customer_email) > 0 and customer_email !~ '[[:cntrl:]]'
  ),
  customer_phone text not null check (length(trim(customer_phone)) between 1 and 40 and customer_phone !~ '[[:cntrl:]]'),
  notes text check (length(notes) <= 2000),
  vehicle_year text check (length(vehicle_year) <= 20 and vehicle_year !~ '[[:cntrl:]]'),
  vehicle_make text check (length(vehicle_make) <= 60 and vehicle_make !~ '[[:cntrl:]]'),
  vehicle_model text check (length(vehicle_model) <= 60 and vehicle_model !~ '[[:cntrl:]]'),
  vehicle_color text check (length(vehicle_color) <= 40 and vehicle_color !~ '[[:cntrl:]]'),
  status text not null default 'confirmed' check (length(status) between 1 and 30),
  completed_at timestamptz,
  completed_by text check (length(completed_by) <= 100),
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now(),
  check ((completed_at is null) = (completed_by is null)),
  constraint bookings_do_not_overlap exclude using gist (occupied with &&) where (status <> 'cancelled')
);
comment on table public.bookings is 'Appointments. Dates and times are shop time (America/Los_Angeles).';
comment on column public.bookings.duration_minutes is 'The service''s duration when it was booked; later changes of the service leave it.';
comment on column public.bookings.occupied is 'Half-open span of shop wall-clock time, so that back-to-back appointments touch without overlapping.';
comment on column public.bookings.flagged_reasons is 'What looked automated about the request; empty for an ordinary one. A flagged booking stands.';

create index bookings_by_date on public.bookings (appointment_date, appointment_time);
create index bookings_by_service on public.bookings (service_id);

create function internal.accept_booking() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  refusal text;
begin
  select duration_minutes into new.duration_minutes from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes);
  case refusal
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least 2 hours in advance.' using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to 30 days ahead.' using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every 30 minutes from opening time.' using errcode = 'TT015', hint = refusal;
    else null;
  end case;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform pg_advisory_xact_lock(hashtextextended('booking ' || new.appointment_date, 0));
  return new;
end
$$;
comment on function internal.accept_booking() is 'The rules for an appointment made through the website, each with its own SQLSTATE and hint.';
grant execute on function internal.accept_booking() to anon, authenticated;

create trigger accept_booking before insert on public.bookings
  for each row when (current_user in ('anon', 'authenticated'))
  execute function internal.accept_booking();

create function internal.keep_open_booking() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.completed_at is null then
    raise exception 'Only completed appointments can be deleted.' using errcode = 'TT021', hint = 'not_completed';
  end if;
  return old;
end
$$;
grant execute on function internal.keep_open_booking() to authenticated;
create trigger keep_open_booking before delete on public.bookings
  for each row execute function internal.keep_open_booking();

alter table public.bookings enable row level security;
grant insert (
  service_id, appointment_date, appointment_time, customer_name, customer_email, customer_phone, notes,
  vehicle_year, vehicle_make, vehicle_model, vehicle_color, status
) on public.bookings to anon, authenticated;
grant select, delete on public.bookings to authenticated;
grant update (status, completed_at, completed_by, flagged_reasons) on public.bookings to authenticated;
grant select on public.bookings to shop_server;

create policy "anyone books, the rules are in accept_booking" on public.bookings
  for insert to anon, authenticated with check (status = 'confirmed' and completed_at is null);
create policy "the admin reads bookings" on public.bookings
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes bookings" on public.bookings
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "the admin deletes bookings" on public.bookings
  for delete to authenticated using ((select internal.is_admin()));
create policy "the server reads bookings" on public.bookings for select to shop_server using (true);

create function public.is_time_slot_available(service_duration integer, booking_date date, booking_time time)
  returns boolean
  language plpgsql stable
  -- A visitor may learn that a time is free, never who has it: so this reads bookings on their behalf.
  security definer
  set search_path = ''
as $$
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.booking_refusal(booking_date, booking_time, service_duration) is not null then
    return false;
  end if;
  return not exists (
    select from public.bookings
    where status <> 'cancelled'
      and occupied && tsrange(
        booking_date + booking_time,
        booking_date + booking_time + service_duration * interval '1 minute',
        '[)'
      )
  );
end
$$;
comment on function public.is_time_slot_available(integer, date, time) is
  'Whether an appointment of service_duration minutes could be booked then.';
grant execute on function public.is_time_slot_available(integer, date, time) to anon, authenticated;
