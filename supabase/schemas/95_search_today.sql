-- The data of dashboard pages that one request reads: Today, the day view, and the search over all records.

create function internal.bays_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', bay.id, 'name', bay.name, 'position', bay.position, 'is_active', bay.is_active, 'technician', bay.technician,
      'service_ids', (select jsonb_agg(service_id order by service_id) from public.bay_services where bay_id = bay.id),
      'open', internal.minutes_of_day(day, internal.open_spans(day, bay.id))
    ) order by bay.position), '[]')
    from public.bays bay
  );
comment on function internal.bays_of_day(date) is
  'All bays in the order of their positions, each with its services (null means all services) and its open times on '
  'a date, in minutes after midnight.';

create function internal.special_hours_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'bay_id', bay_id, 'starts_at', starts_at, 'ends_at', ends_at, 'is_open', is_open, 'reason', reason
    ) order by starts_at, id), '[]')
    from public.special_hours where span && tsrange(day, day + 1)
  );

create function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_changed_at', booking.state_changed_at,
    'vehicle_facts', internal.vehicle_facts(booking),
    'will_come', booking.attendance_confirmed_at is not null,
    'needs_notification', internal.needs_notification(booking),
    'notified_starts_at', booking.notified_starts_at, 'notified_cancelled', booking.notified_cancelled,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'customer_id', booking.customer_id, 'vehicle_id', booking.vehicle_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'internal_note', booking.internal_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'schedule_conflict', (select problem from public.schedule_conflicts where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );
comment on function internal.describe_booking(public.bookings) is
  'A booking as JSON for the day view; starts_at and ends_at are shop wall-clock time.';

create function public.read_day(day date) returns jsonb
  -- Runs with the rights of the function's owner, because otherwise row-level security would check in each query of the
  -- function again that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  longest_days constant integer := 14;
  max_rows constant integer := 1000;
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
    'closures', internal.special_hours_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- A booking lasts at most 14 days, so this condition omits no booking; it makes the index by date usable.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit max_rows
      ) booking
    )
  );
end
$$;
comment on function public.read_day(date) is
  'All data of a date in one call: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 bookings '
  'of any state, also bookings that began on an earlier date (contracts/bookings/day.ts).';
grant execute on function public.read_day(date) to authenticated;

create function internal.list_arrived_bookings(moment timestamp) returns setof public.bookings
  language sql stable set search_path = '' as $$
  select booking.* from public.bookings booking
  where appointment_date >= moment::date - 28 and upper(occupied) > moment::date - 14
    and status = 'arrived' and completed_at is null
    and internal.vehicle_state(internal.vehicle_facts(booking)) = 'here'
$$;
comment on function internal.list_arrived_bookings(timestamp) is
  'The bookings whose customer has arrived and whose vehicle is not in work yet. Omits bookings that ended more than '
  '14 days ago.';

create function internal.describe_schedule_conflicts() returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(schedule_conflict) order by appointment_date, appointment_time, booking_id), '[]')
    from (
      select booking_id, appointment_date, appointment_time, duration_minutes, customer_name, service_name, problem
      from public.schedule_conflicts order by appointment_date, appointment_time, booking_id limit 500
    ) schedule_conflict
  );
comment on function internal.describe_schedule_conflicts() is
  'The bookings with a schedule conflict (outside the hours or without a bay), at most the earliest 500.';

create function internal.describe_held_bookings() returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'customer_name', customer_name, 'service_name', service_name, 'starts_at', lower(occupied),
      'held_until', held_until
    ) order by held_until, id), '[]')
    from (
      select id, customer_name, service_name, occupied, held_until from public.bookings
      where held_until > internal.current_instant() and status not in ('cancelled', 'not_confirmed') and completed_at is null
      order by held_until, id limit 50
    ) held
  );
comment on function internal.describe_held_bookings() is
  'The held bookings that are not confirmed yet, at most the 50 whose hold expires first.';

create function internal.describe_tasks_waiting_on_customer() returns jsonb
  language sql stable set search_path = ''
  return (
    with waiting as (
      select task.id, task.title, task.booking_id, booking.customer_name, task.ready_for_pickup_at is not null as is_ready,
             case when booking.id is not null then internal.vehicle_facts(booking)
                  -- A task without a booking counts as work on a vehicle that is at the shop.
                  else jsonb_build_object('bookingState', 'in_work', 'hold', 'none', 'isPaid', false, 'tasks', jsonb_build_array(
                    jsonb_build_object('status', task.status, 'isReady', task.ready_for_pickup_at is not null))) end as facts,
             coalesce(task.ready_for_pickup_at,
                      (select max(created_at) from public.task_status_history
                       where task_id = task.id and new_status = 'waiting_on_customer' and old_status <> new_status),
                      task.created_at) as since
      from public.tasks task left join public.bookings booking on booking.id = task.booking_id
      where task.status = 'waiting_on_customer' or task.ready_for_pickup_at is not null
    ),
    shown as (
      select distinct on (coalesce(booking_id, id), is_ready) *
      from waiting
      where internal.vehicle_state(facts) = any (case when is_ready then array['ready', 'ready_and_paid']
        else array['held', 'expected', 'here', 'in_work', 'waiting_on_parts', 'waiting_on_customer'] end)
      order by coalesce(booking_id, id), is_ready, since desc, id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'customer_name', customer_name, 'vehicle_facts', facts, 'since', since
    ) order by since, id), '[]')
    from (select * from shown order by since, id limit 50) oldest
  );
comment on function internal.describe_tasks_waiting_on_customer() is
  'The tasks that wait for the customer, at most the 50 that have waited longest: tasks with a question to the '
  'customer, and vehicles that are ready for pickup (represented by the task that was marked as ready last). '
  'Vehicles that were picked up are omitted, and so are cancelled and missed bookings.';

create function internal.payments_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'receivedCents', coalesce(sum(cents), 0),
      'payments', coalesce(sum(payments), 0),
      'refunds', coalesce(sum(refunds), 0),
      'methods', coalesce(jsonb_agg(jsonb_build_object('method', method, 'cents', cents) order by method) filter (where cents <> 0), '[]'))
    from (
      select method, sum(amount_cents) as cents, count(*) filter (where kind = 'payment') as payments,
        count(*) filter (where kind = 'refund') as refunds
      from public.payments
      where business_date = day and currency = 'usd' and kind in ('payment', 'refund', 'reversal')
      group by method
    ) received
  );
comment on function internal.payments_of_day(date) is
  'The payments in the currency USD on a business date: {receivedCents (payments minus returned amounts), payments '
  'and refunds (their numbers), methods [{method, cents}]}.';

create function internal.expected_payments(day date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('invoices', count(*), 'cents', coalesce(sum(unpaid.balance_cents), 0))
  from internal.unpaid_invoices() unpaid
  join public.invoices invoice on invoice.invoice_id = unpaid.invoice_id
  where unpaid.currency = 'usd'
    and exists (
      select from public.bookings booking
      where booking.customer_id = invoice.customer_id and booking.appointment_date = day
        and booking.status not in ('cancelled', 'no_show', 'not_confirmed'))
$$;
comment on function internal.expected_payments(date) is
  'The outstanding invoices of the customers with an appointment on a date: {invoices, cents}.';

create function internal.describe_outstanding_invoices() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.due_date, invoice.created_at), '[]')
  from (
    select * from internal.unpaid_invoices() outstanding
    order by outstanding.due_date, outstanding.created_at limit 50
  ) unpaid
  join public.invoices invoice on invoice.invoice_id = unpaid.invoice_id
$$;
comment on function internal.describe_outstanding_invoices() is
  'The outstanding invoices, at most the 50 that are due first.';

create function public.read_today() returns jsonb
  -- Runs with the rights of the function's owner, because otherwise row-level security would check in each query of the
  -- function again that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
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
    'undelivered_emails', internal.describe_undelivered_emails(),
    'to_notify', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'customer_name', customer_name, 'customer_email', customer_email, 'customer_phone', customer_phone,
        'starts_at', lower(occupied), 'is_cancelled', status = 'cancelled') order by appointment_date, appointment_time, id), '[]')
      from internal.bookings_to_notify()),
    'schedule_conflicts', internal.describe_schedule_conflicts(),
    'held', internal.describe_held_bookings(),
    'tasks', internal.describe_tasks_waiting_on_customer(),
    'payments', internal.payments_of_day(today),
    'payments_after_close', internal.payments_after_close(today),
    'drawer_expects_cents', internal.drawer_expects_cents(today),
    'unclosed_days', internal.describe_unclosed_days(today),
    'ledger_differences', internal.describe_ledger_differences(),
    'undecided_deposits', internal.describe_undecided_deposits(),
    'expected_payments', internal.expected_payments(today),
    'invoices', internal.describe_outstanding_invoices(),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;
comment on function public.read_today() is
  'All data of the page Today (contracts/today.ts): the result of read_day for today, the vehicles of other days that '
  'are at the shop (also_here), everything that needs attention, today''s payments, and this week''s load (week).';
grant execute on function public.read_today() to authenticated;

create function public.count_open_work()
  returns table (needs_attention boolean, appointments bigint, tasks bigint, quotes bigint, invoices bigint)
  -- Runs with the rights of the function's owner, because the admin has no right to call list_arrived_bookings,
  -- unanswered_quotes and other functions. require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant timestamp := internal.shop_now();
begin
  perform internal.require_admin();
  return query select
    exists (select from internal.list_arrived_bookings(moment))
      or exists (select from internal.unanswered_quotes())
      or exists (select from internal.list_undelivered_emails())
      or exists (select from internal.bookings_to_notify())
      or exists (select from public.schedule_conflicts)
      or exists (select from internal.list_unclosed_days(moment::date))
      or exists (select from internal.list_ledger_differences())
      or exists (select from internal.list_undecided_deposits()),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from internal.unpaid_invoices());
end
$$;
comment on function public.count_open_work() is
  'The numbers in the navigation of the dashboard: today''s active appointments that are not completed, open tasks, '
  'pending quote requests that do not look automated, and unpaid invoices. needs_attention is true if any of these '
  'exists: an arrived customer, a quote request without a reply for 12 hours, a failed email, a customer to notify '
  'of a change, a schedule conflict, a day that was not closed, a difference between the ledger and Stripe, or a '
  'deposit about which staff must decide.';
grant execute on function public.count_open_work() to authenticated;

create function internal.search_conditions(words text[]) returns text
  language sql immutable set search_path = ''
  return (select string_agg(internal.search_condition(word), ' and ') from unnest(words) word);
comment on function internal.search_conditions(text[]) is
  'An SQL condition that is true if the column search_text contains every word; null if there are no words.';

create function internal.customer_search_words(term text) returns text[]
  language sql immutable set search_path = ''
  -- The stored phone numbers have no country code 1, so the country code is removed from the search text.
  return array(select regexp_replace(word, '^1(?=[0-9]{10}$)', '') from unnest(internal.search_words(term)) word);
comment on function internal.customer_search_words(text) is
  'The words of a search for customers, in which a phone number is normalized.';

create function internal.search_customers(term text, max_rows integer) returns setof uuid
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.customer_search_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- A LIKE pattern for names that begin with the first word.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, search_text, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where customer_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.customers where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index can find a term of one or two letters within a name, so the search reads the latest customers instead.
    case when longest < 3 then format('(select * from public.customers order by created_at desc limit %s)', latest) else 'public.customers' end,
    internal.search_conditions(words),
    case when is_one_word and longest >= 3 then format(
      'union all select customers.* from (select distinct customer_id from public.customer_contact_methods where %s limit %s) contact
       join public.customers on customers.id = contact.customer_id and merged_into is null and erased_at is null',
      replace(internal.search_conditions(words), 'search_text', 'match_key'), candidates) || case when words[1] like '%@%' then format(
        -- Also finds customers by an email address that was typed online under their name, even if the address is not
        -- confirmed.
        ' union all select customers.* from (
           (select customer_id from public.bookings where search_text <> '''' and %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$$;
comment on function internal.search_customers(text, integer) is
  'Finds customers whose name, email address or phone number contains every word of the search, or who have another '
  'matching contact method. Customers whose name begins with the search term come first, then those with the latest '
  'appointment. For speed, sorts at most a hundred matches.';

create function internal.search_vehicles(term text, max_rows integer) returns setof uuid
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.normalize_search_text(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- If the term is a number with punctuation, such as a phone number, only its digits are compared.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, customer_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.vehicles where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(customer_id) limit %4$s',
    compact, case when is_number then 'false' else internal.search_conditions(words) end, '%' || compact || '%', max_rows, candidates);
end
$$;
comment on function internal.search_vehicles(text, integer) is
  'Finds vehicles whose year, make, model, plate and VIN contain every word of the search, regardless of punctuation. '
  'A vehicle whose plate or VIN is the whole search term comes first.';

create function internal.search_bookings(term text, max_rows integer) returns table (customer_id uuid, vehicle_id uuid)
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.customer_search_words(term);
begin
  if cardinality(words) < 2 or (select max(length(word)) from unnest(words) word) < 3 then
    return;
  end if;
  return query execute format(
    'select customer_id, vehicle_id from (
       select * from (select customer_id, vehicle_id, appointment_date from public.bookings where %1$s limit %3$s) found
       order by appointment_date desc limit %3$s
     ) newest where not internal.is_erased(customer_id) limit %2$s', internal.search_conditions(words), max_rows, 200);
end
$$;
comment on function internal.search_bookings(text, integer) is
  'Finds bookings that contain every word of a search of two or more words, such as the name of a customer and the '
  'make of a vehicle. Returns the customers and vehicles of these bookings.';

create function internal.search_documents(term text, customer_ids uuid[], max_rows integer)
  returns table (kind text, id text, number text, created_at timestamptz)
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  has_text constant boolean := coalesce((select max(length(word)) from unnest(words) word), 0) >= 3;
begin
  return query execute format(
    'select kind, id, number, created_at from (
       (select ''estimate'' as kind, id::text, number, created_at from public.estimates
        where customer_id = any ($1) order by created_at desc limit %1$s)
       union (select ''estimate'', id::text, number, created_at from public.estimates where %2$s limit %1$s)
       union (select ''invoice'', invoice_id, number, created_at from public.invoices
              where customer_id = any ($1) order by created_at desc limit %1$s)
       union (select ''invoice'', invoice_id, number, created_at from public.invoices where %2$s limit %1$s)
     ) found order by internal.normalize_search_text(number) = %3$L desc, created_at desc, id limit %1$s',
    max_rows, case when has_text then internal.search_conditions(words) else 'false' end, internal.normalize_search_text(trim(term)))
  using customer_ids;
end
$$;
comment on function internal.search_documents(text, uuid[], integer) is
  'Finds the estimates and invoices of the given customers, and those whose number, name, plate and VIN contain every '
  'word of the search. The document whose number is the whole search term comes first.';

create function internal.describe_customer_hit(customer public.customers, today date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', customer.id, 'name', customer.name, 'phone', customer.phone, 'email', customer.email,
    'vehicles', (select count(*) from public.vehicles where customer_id = customer.id and merged_into is null),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'lastBookingDate', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'nextBookingDate', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_upcoming(booking)),
    'quoteRequestedOn', (select max(created_at) from public.quote_requests where customer_id = customer.id),
    'maybeSame', internal.find_duplicate_candidates(customer) <> '[]')
  from (select * from public.bookings known where known.customer_id = customer.id order by appointment_date desc limit 200) booking
$$;

create function internal.describe_document_hit(kind text, id text) returns jsonb
  language sql stable set search_path = ''
  return case kind
    when 'estimate' then (
      select internal.describe_customer_estimate(estimate) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)
      from public.estimates estimate where estimate.id = describe_document_hit.id::uuid)
    else (
      select internal.describe_customer_invoice(invoice) || jsonb_build_object('kind', 'invoice', 'name', invoice.customer_name)
      from public.invoices invoice where invoice.invoice_id = describe_document_hit.id)
  end;

create function public.search_everything(term text, max_rows integer default 5) returns jsonb
  -- Runs with the rights of the function's owner, because under row-level security `like` cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  limit_each constant integer := least(greatest(coalesce(max_rows, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- The term is the beginning of a booking's id; the history and the emails of the booking show its first eight
  -- characters.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  customer_ids uuid[];
  vehicle_ids uuid[];
  booking_ids uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  customer_ids := array(select internal.search_customers(term, limit_each));
  vehicle_ids := array(select internal.search_vehicles(term, limit_each));
  if customer_ids = '{}' and vehicle_ids = '{}' then
    select coalesce(array_agg(distinct customer_id) filter (where customer_id is not null), '{}'),
           coalesce(array_agg(distinct vehicle_id) filter (where vehicle_id is not null), '{}')
    into customer_ids, vehicle_ids from internal.search_bookings(term, limit_each);
  else
    vehicle_ids := vehicle_ids || array(
      select vehicle.id from public.vehicles vehicle where vehicle.customer_id = any (customer_ids) and vehicle.merged_into is null and vehicle.id <> all (vehicle_ids)
      order by vehicle.created_at desc limit greatest(limit_each - cardinality(vehicle_ids), 0));
  end if;
  booking_ids := array(
    select id from (
      (select id, occupied from public.bookings where customer_id = any (customer_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where vehicle_id = any (vehicle_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, customer_ids, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'customers', (
      select coalesce(jsonb_agg(internal.describe_customer_hit(customer, today) order by place), '[]')
      from unnest(customer_ids) with ordinality as ranked (id, place) join public.customers customer on customer.id = ranked.id),
    'vehicles', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) || jsonb_build_object('customerName', customer.name) order by place), '[]')
      from unnest(vehicle_ids) with ordinality as ranked (id, place)
      join public.vehicles vehicle on vehicle.id = ranked.id join public.customers customer on customer.id = vehicle.customer_id),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
        'customerId', booking.customer_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(booking_ids[1:limit_each]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_document_hit(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= limit_each),
    'counts', jsonb_build_object('bookings', cardinality(booking_ids), 'documents', jsonb_array_length(documents)));
end
$$;
comment on function public.search_everything(text, integer) is
  'Searches all records for a term of two or more characters. Returns people (customers), cars (vehicles), visits '
  '(bookings) and documents, each with max_rows rows (at most 50), and the numbers of visits and documents, up to 100 '
  '(contracts/customers.ts). Finds phone numbers by digits, plates and VINs without punctuation, bookings by the '
  'first eight characters of their id.';
grant execute on function public.search_everything(text, integer) to authenticated;

create function internal.is_at_shop(state text) returns boolean
  language sql immutable set search_path = ''
  return state in ('here', 'in_work', 'waiting_on_parts', 'waiting_on_customer', 'ready', 'ready_and_paid');
comment on function internal.is_at_shop(text) is
  'Whether a vehicle in the given state is at the shop, for queries that filter by this condition. isAtShop in '
  'domain/bookings/vehicle-state-table.ts implements the same rule.';

create function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable set search_path = '' as $$
  select booking.* from public.bookings booking
  -- A booking lasts at most 14 days, so this condition omits no booking; it makes the index by date usable.
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
  'The bookings of later days and of the last 14 days whose vehicle is at the shop, at most the earliest 50.';
