-- What the counter looks at, in one read each: a day with its bays, hours and cars, who is calling, and what the bays hold.

alter table public.bookings
  add column shop_note text
    constraint bookings_shop_note_is_plain check (
      length(shop_note) <= 500
      and shop_note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');
comment on column public.bookings.shop_note is 'What staff tell each other about it; in no letter and on no page of a customer.';
grant update (shop_note) on public.bookings to authenticated;

create function internal.bays_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', bay.id, 'name', bay.name, 'position', bay.position, 'is_active', bay.is_active,
      'service_ids', (select jsonb_agg(service_id order by service_id) from public.bay_services where bay_id = bay.id),
      'open', internal.minutes_of_day(day, internal.open_spans(day, bay.id))
    ) order by bay.position), '[]')
    from public.bays bay
  );
comment on function internal.bays_of_day(date) is
  'All bays by position, with the services they can do (null is all) and when they are open, in minutes after midnight.';

create function internal.closures_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'bay_id', bay_id, 'starts_at', starts_at, 'ends_at', ends_at, 'is_open', is_open, 'reason', reason
    ) order by starts_at, id), '[]')
    from public.closures where span && tsrange(day, day + 1)
  );
comment on function internal.closures_of_day(date) is 'Closures and special openings that touch a date.';

create function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_since', booking.state_since,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'shop_note', booking.shop_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.misfits where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );
comment on function internal.describe_booking(public.bookings) is
  'An appointment as the day shows it; starts_at and ends_at are the shop''s wall clock.';

create function public.read_day(day date) returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  longest_days constant integer := 14;
  most constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.closures_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- By the index of dates: one that began earlier is at most as long as any may be.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit most
      ) booking
    )
  );
end
$$;
comment on function public.read_day(date) is
  'Everything about a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 appointments, '
  'also those that began on an earlier day and whatever state they are in (contracts/day.ts).';

create function internal.find_by_words(search text) returns setof public.bookings
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  most constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index knows one or two letters: they are looked for among the latest appointments.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      most, conditions)
    else format('select * from public.bookings where %s limit %s', conditions, most)
  end;
end
$$;
comment on function internal.find_by_words(text) is 'Up to 5000 appointments that hold every word of a search of two characters or more.';

create function public.find_customers(search text)
  returns table (
    customer_name text, customer_phone text, customer_email text, cars jsonb, last_visit date, last_service_id uuid,
    last_service_name text, next_visit date, visits integer, no_shows integer
  )
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  most constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Eight people are among so many, and telling them apart is what costs.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    people as (
      select distinct on (coalesce(internal.canonical_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.canonical_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from people order by appointment_date desc, created_at desc, id limit most)
    select person.customer_name, person.customer_phone, history.email, coalesce(history.cars, '[]'), history.last_visit,
           person.service_id, person.service_name, history.next_visit, history.visits, history.no_shows
    from latest person, internal.history_of(person.customer_name, person.customer_phone, today) history
    order by person.appointment_date desc, person.created_at desc, person.id;
end
$$;
comment on function public.find_customers(text) is
  'Up to eight people whose appointments hold every word of the search (two characters or more; a phone number by its digits), the '
  'latest first: one for each name and number, with their cars [{year, make, model, color}], when they were last here and come '
  'next, how often they came (visits) and did not (no_shows).';

create function internal.history_of(name text, phone text, today date)
  returns table (email text, cars jsonb, last_visit date, next_visit date, visits integer, no_shows integer)
  language sql stable
  set search_path = ''
as $$
  with known as (
    select * from public.bookings booking
    where internal.canonical_phone(booking.customer_phone) = internal.canonical_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select (array_agg(customer_email order by appointment_date desc) filter (where customer_email is not null))[1],
         (select jsonb_agg(jsonb_build_object('year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model, 'color', vehicle_color)
                           order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) car),
         max(appointment_date) filter (where has_come),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where has_come))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as has_come from known) as known
$$;
comment on function internal.history_of(text, text, date) is
  'What is known of a person, by name and number, from their latest 200 appointments. Who was neither cancelled nor '
  'missed has come.';

create function public.read_past_visits(booking_id uuid) returns setof public.bookings
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return query
    select other.* from public.bookings booking
    join public.bookings other
      on internal.canonical_phone(other.customer_phone) = internal.canonical_phone(booking.customer_phone)
      and lower(other.customer_name) = lower(booking.customer_name) and other.id <> booking.id
    where booking.id = read_past_visits.booking_id and other.status <> 'not_confirmed'
    order by other.appointment_date desc, other.appointment_time desc limit 50;
end
$$;
comment on function public.read_past_visits(uuid) is
  'The other appointments, past and ahead, of the person of one, by number and name; the latest 50, latest first.';

create function public.read_loads(first_date date, days integer default 7)
  returns table (day date, cars integer, booked_minutes integer, open_minutes integer)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.cars, 0), coalesce(taken.minutes, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as cars, sum(duration_minutes)::integer as minutes
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$$;
comment on function public.read_loads(date, integer) is
  'For each of up to 62 dates: cars that begin then, their minutes, and how many minutes the active bays are open together.';

grant execute on function public.read_day(date), public.find_customers(text), public.read_past_visits(uuid),
  public.read_loads(date, integer) to authenticated;
