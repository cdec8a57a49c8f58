-- The lists of records for the files that an accountant downloads.

create function internal.list_appointment_records(
  after_date date, after_time time, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, appointment_date date, appointment_time time, service text, minutes integer, price_cents integer,
    state text, is_held boolean, customer text, email text, phone text, vehicle text, plate text, bay text,
    booked_on date, source text
  )
  -- Runs with the rights of the function's owner, because the server has no right to read vehicles and booking_events.
  language sql stable security definer set search_path = '' as $$
  select booking.id, booking.appointment_date, booking.appointment_time, booking.service_name, booking.duration_minutes,
    booking.service_price_cents, internal.booking_state(booking), booking.held_until is not null, booking.customer_name,
    booking.customer_email, booking.customer_phone,
    internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model), vehicle.plate, bay.name,
    (booking.created_at at time zone (select time_zone from public.shop))::date, made.source
  from public.bookings booking
  left join public.vehicles vehicle on vehicle.id = booking.vehicle_id
  left join public.bays bay on bay.id = booking.bay_id
  left join lateral (
    select event.source from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked' order by event.id limit 1
  ) made on true
  where (booking.appointment_date, booking.appointment_time, booking.id) > (after_date, after_time, after_id)
    and booking.appointment_date <= until
  order by booking.appointment_date, booking.appointment_time, booking.id
  limit max_rows
$$;
comment on function internal.list_appointment_records(date, time, uuid, date, integer) is
  'A page of bookings up to and including a date, in the order of date, time and id. The page begins after the last '
  'booking of the previous page.';
grant execute on function internal.list_appointment_records(date, time, uuid, date, integer) to shop_server;

create function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint, credited_cents bigint, paid_cents bigint, balance_cents bigint,
    last_paid_on date, replaces text
  )
  -- Runs with the rights of the function's owner, because the server has no right to read invoices, customers and other
  -- tables.
  language sql stable security definer set search_path = '' as $$
  select invoice.invoice_id, invoice.customer_name, customer.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount,
    internal.credited_cents(invoice), internal.invoice_paid_cents(invoice), internal.invoice_balance_cents(invoice), (
      select max(payment.business_date) from public.payments payment
      where payment.invoice_id = invoice.invoice_id and internal.left_cents(payment) > 0), (
      select coalesce(original.number, original.invoice_id) from public.replacement_invoices known
      join public.invoices original on original.invoice_id = known.original_invoice_id where known.invoice_id = invoice.invoice_id)
  from public.invoices invoice
  left join public.customers customer on customer.id = invoice.customer_id
  left join public.estimate_invoices claim on claim.invoice_id = invoice.invoice_id
  left join public.estimates estimate on estimate.id = claim.estimate_id
  left join lateral (
    select coalesce(sum(line.cents) filter (where line.kind = 'part'), 0)::bigint as parts,
      coalesce(sum(line.cents) filter (where line.kind = 'labor'), 0)::bigint as labor,
      coalesce(sum(line.cents) filter (where line.kind = 'fee'), 0)::bigint as fees,
      coalesce(sum(line.cents) filter (where line.kind = 'sublet'), 0)::bigint as sublet,
      coalesce(sum(line.cents) filter (where line.kind = 'discount'), 0)::bigint as discount
    from public.estimate_invoice_jobs billed
    join internal.priced_lines line
      on (line.estimate_id, line.revision, line.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
    where billed.claim_id = claim.id
    having count(*) > 0
  ) sums on true
  where invoice.invoice_id = any (invoice_ids)
$$;
comment on function internal.describe_invoice_records(text[]) is
  'The data of invoices for the accountant''s files, by their Stripe ids: the name of the customer on the invoice, '
  'whether the customer was erased, the estimate, and the amounts of its lines by kind (discounts are negative; null '
  'without an estimate). Also the credit notes, the paid amount, the balance, and the business date of the last '
  'payment that was not returned. For a replacement invoice also the number of the replaced invoice.';
grant execute on function internal.describe_invoice_records(text[]) to shop_server;

create function internal.list_ledger_records(
  wants_payments boolean, after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, invoice_number text, customer text,
    method text, reference text, amount_cents integer, rounding_cents integer, currency text, recorded_by text,
    payment_id uuid, payment_date date, payment_method text, payment_reference text
  )
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    line.kind, coalesce(invoice.number, line.invoice_id, estimate.number, line.estimate_id::text),
    coalesce(invoice.customer_name, estimate.customer_name), line.method, line.reference, line.amount_cents,
    (select coalesce(sum(rounding.amount_cents), 0)::integer from public.payments rounding
     where rounding.original_id = line.id and rounding.kind = 'cash_rounding' and rounding.paid_at = line.paid_at),
    line.currency, internal.staff_name_at(line.recorded_by_name, line.recorded_at), payment.id, payment.business_date, payment.method, payment.reference
  from public.payments line
  cross join public.shop
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  left join public.estimates estimate on estimate.id = line.estimate_id
  left join public.payments original on original.id = line.original_id
  -- The reversal of a refund refers to the refund, and the refund refers to the payment.
  left join public.payments payment on payment.id = coalesce(original.original_id, original.id)
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.kind = 'payment') = wants_payments and line.kind <> 'applied_deposit'
    and (line.kind <> 'cash_rounding' or line.paid_at <> payment.paid_at)
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;
comment on function internal.list_ledger_records(boolean, date, timestamptz, uuid, date, integer) is
  'A page of ledger lines up to and including a business date: the payments if wants_payments is true, otherwise the '
  'other lines except applied deposits. The page begins after the last line of the previous page. The cash rounding '
  'of a payment is stated in the row of the payment; a later rounding, for example of its refund, is a separate row.';
grant execute on function internal.list_ledger_records(boolean, date, timestamptz, uuid, date, integer) to shop_server;

create function internal.list_deposit_records(
  after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, estimate_number text,
    invoice_number text, customer text, method text, reference text, amount_cents integer, recorded_by text, payment_id uuid
  )
  -- Runs with the rights of the function's owner, because the server has no right to read estimates and invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    case when line.kind = 'applied_deposit' and line.amount_cents < 0 then 'unapplied_deposit' else line.kind end,
    coalesce(estimate.number, deposit.estimate_id::text), coalesce(invoice.number, line.invoice_id), estimate.customer_name,
    line.method, line.reference, case line.kind when 'applied_deposit' then -line.amount_cents else line.amount_cents end,
    internal.staff_name_at(line.recorded_by_name, line.recorded_at), deposit.id
  from public.payments line
  cross join public.shop
  left join public.payments original on original.id = line.original_id
  -- Some lines refer to the deposit through another ledger line: the reversal of a refund, and the removal of a
  -- deposit from its invoice.
  join public.payments deposit on deposit.id = coalesce(original.original_id, original.id, line.id)
  left join public.estimates estimate on estimate.id = deposit.estimate_id
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.estimate_id is not null or line.kind = 'applied_deposit') and line.currency = 'usd'
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;
comment on function internal.list_deposit_records(date, timestamptz, uuid, date, integer) is
  'A page of the ledger lines that changed the deposits held by the shop, up to and including a business date. The '
  'page begins after the last line of the previous page. The sum of all amounts up to a date is the sum of the '
  'deposits that the shop holds at the end of that date.';
grant execute on function internal.list_deposit_records(date, timestamptz, uuid, date, integer) to shop_server;

create function internal.list_customer_records(
  from_date date, until date, after_since timestamptz, after_id uuid, max_rows integer
)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, appointment_count integer,
    missed integer, invoices integer, invoiced_cents bigint, paid_cents bigint
  )
  -- Runs with the rights of the function's owner, because the server has no right to read customers, invoices and other
  -- tables.
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The instants at which the range begins and ends: midnight, in shop time, of the first date and of the day after the
  -- last date.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select customer.id, customer.created_at, (customer.created_at at time zone zone)::date, customer.name, customer.email, customer.phone,
      came.appointments, came.missed, billed.invoices, billed.cents, billed.paid
    from public.customers customer
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.customer_came(booking, today)))::integer as appointments,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.customer_id = customer.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      -- Omits the amount of a replacement invoice, because it was billed before on the invoice that was replaced.
      select count(*)::integer as invoices, coalesce(sum(invoice.total_cents) filter (where invoice.currency = 'usd' and not exists (
          select from public.replacement_invoices known where known.invoice_id = invoice.invoice_id)), 0)::bigint as cents,
        coalesce(sum(internal.invoice_paid_cents(invoice)) filter (where invoice.currency = 'usd'), 0)::bigint as paid
      from public.invoices invoice
      where invoice.customer_id = customer.id and invoice.created_at >= starts_at and invoice.created_at < ends_at and invoice.status <> 'void'
    ) billed
    where (customer.created_at, customer.id) > (after_since, after_id) and customer.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.customer_id = customer.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.customer_id = customer.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.customer_id = customer.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoices invoice
                   join public.payments payment on payment.invoice_id = invoice.invoice_id
                   where invoice.customer_id = customer.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.customer_contact_methods contact
                   join public.emails message on lower(message.recipient_email) = contact.match_key
                   where contact.customer_id = customer.id and contact.kind = 'email'
                     and message.created_at >= starts_at and message.created_at < ends_at))
    order by customer.created_at, customer.id
    limit max_rows;
end
$$;
comment on function internal.list_customer_records(date, date, timestamptz, uuid, integer) is
  'A page of the customers with a booking, quote request, invoice, payment or email from one date to another '
  '(inclusive), in the order of their creation. The page begins after the last customer of the previous page. Each row '
  'contains the number of appointments and the invoiced cents of that period.';
grant execute on function internal.list_customer_records(date, date, timestamptz, uuid, integer) to shop_server;

create function internal.list_write_off_records(from_date date, after_at timestamptz, after_id bigint, until date, max_rows integer)
  returns table (
    id bigint, happened_at timestamptz, written_off_on date, written_off_time time, invoice_number text, customer text, amount_cents bigint,
    balance_cents bigint, currency text, reason text, recorded_by text
  )
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and invoice_events.
  language sql stable security definer set search_path = '' as $$
  select event.id, event.happened_at, (event.happened_at at time zone shop.time_zone)::date,
    (event.happened_at at time zone shop.time_zone)::time, coalesce(invoice.number, event.invoice_id), invoice.customer_name,
    greatest(0, invoice.total_cents - (
      select coalesce(sum(note.amount_cents), 0) from public.credit_notes note
      where note.invoice_id = event.invoice_id and note.created_at <= event.happened_at) - (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.invoice_id = event.invoice_id and line.recorded_at <= event.happened_at) - (
      select coalesce(sum(known.amount_cents), 0) from public.replacement_invoices known
      where known.original_invoice_id = event.invoice_id and known.requested_at <= event.happened_at))::bigint,
    internal.invoice_balance_cents(invoice), invoice.currency, event.reason,
    internal.staff_name_at(event.changed_by_name, event.happened_at)
  from public.invoice_events event
  cross join public.shop
  join public.invoices invoice on invoice.invoice_id = event.invoice_id
  where event.kind = 'written_off' and (event.happened_at, event.id) > (after_at, after_id)
    and (event.happened_at at time zone shop.time_zone)::date between from_date and until
  order by event.happened_at, event.id
  limit max_rows
$$;
comment on function internal.list_write_off_records(date, timestamptz, bigint, date, integer) is
  'A page of the write-offs in a range of dates, in shop time: the balance when the invoice was written off, and the '
  'balance now. The page begins after the last row of the previous page.';
grant execute on function internal.list_write_off_records(date, timestamptz, bigint, date, integer) to shop_server;

create function internal.list_day_close_records(after_date date, until date, max_rows integer)
  returns table (
    business_date date, drawer text, start_cents integer, expected_cents integer, counted_cents integer, terminal_expected_cents integer,
    terminal_counted_cents integer, check_expected_cents integer, check_counted_cents integer, rounding_cents bigint, remains_cents integer,
    corrected_cents bigint, reason text, note text, closed_by text, closed_on date, closed_time time
  )
  -- Runs with the rights of the function's owner, because the server has no right to read day_closes and other tables.
  language sql stable security definer set search_path = '' as $$
  select close.business_date, drawer.name, close.start_cents, close.expected_cents, close.counted_cents, close.terminal_expected_cents,
    close.terminal_counted_cents, close.check_expected_cents, close.check_counted_cents, (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.business_date = close.business_date and line.kind = 'cash_rounding' and line.currency = 'usd'),
    close.remains_cents, (
      select coalesce(sum(correction.amount_cents), 0) from public.day_close_corrections correction where correction.close_id = close.id),
    close.reason, close.note, internal.staff_name_at(close.closed_by_name, close.closed_at), (close.closed_at at time zone shop.time_zone)::date,
    (close.closed_at at time zone shop.time_zone)::time
  from public.day_closes close
  cross join public.shop
  join public.cash_drawers drawer on drawer.id = close.drawer_id
  where close.business_date > after_date and close.business_date <= until
  order by close.business_date
  limit max_rows
$$;
comment on function internal.list_day_close_records(date, date, integer) is
  'A page of the day closes after one business date up to and including another: the expected and the counted '
  'amounts, the cash rounding of the day, and the sum of later corrections.';
grant execute on function internal.list_day_close_records(date, date, integer) to shop_server;
