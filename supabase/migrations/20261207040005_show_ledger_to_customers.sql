-- The customer's pages and the printed invoice show the balance and the payments of the ledger (docs/product.md 17.2).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."describe_booking"(public.bookings);

DROP FUNCTION "internal"."describe_customer_booking"(public.bookings);

DROP FUNCTION "internal"."describe_tasks_waiting_on_customer"();

DROP FUNCTION "internal"."has_invoice"(uuid);

DROP FUNCTION "internal"."read_visit_page_repair"(uuid);

DROP FUNCTION "public"."vehicle_facts"(public.bookings);

DROP FUNCTION "internal"."vehicle_facts"(public.bookings);

DROP FUNCTION "internal"."booking_invoice"(uuid);

create or replace function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, balance_cents bigint, paid_at timestamptz)
  language sql stable set search_path = '' as $$
  select claim.number, claim.total_cents,
    claim.total_cents - least(claim.total_cents, (
      select coalesce(sum(line.amount_cents), 0) from public.payments line where line.invoice_id = claim.invoice_id)),
    paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) filter (where payment.kind = 'payment') as at from public.payments payment
    where payment.invoice_id = claim.invoice_id
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;

create or replace function internal.has_invoice(booking_id uuid) returns boolean
  -- Runs with its owner's rights, because the server has no right to call booking_invoice.
  language sql stable security definer set search_path = ''
  return exists (select from internal.booking_invoice(has_invoice.booking_id));

create or replace function internal.read_invoice_ledger(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balanceCents', internal.invoice_balance_cents(invoice), 'paidCents', internal.invoice_paid_cents(invoice),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', line.kind, 'method', line.method, 'reference', line.reference, 'amountCents', line.amount_cents,
        'paidAt', extract(epoch from line.paid_at)::bigint) order by line.recorded_at, line.kind desc), '[]')
      from public.payments line where line.invoice_id = invoice.invoice_id))
  from public.invoices invoice where invoice.invoice_id = wanted_invoice_id
$$;

create or replace function internal.read_visit_page_repair(booking_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates, estimate_revisions and others.
  language sql stable security definer set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    -- The reader of the page may not be the customer: a visitor who books under a customer's name with another email
    -- address also gets a link to this page. The function then returns no estimate and no texts of tasks.
    booked as (
      select internal.unconfirmed_email(booking) is null as is_theirs from public.bookings booking where booking.id = read_visit_page_repair.booking_id
    ),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_page_repair.booking_id and (select is_theirs from booked)
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.id, task.status, task.created_at, task.ready_for_pickup_at,
        case when task.estimate_id is not null and booked.is_theirs then task.title else '' end as title,
        case when booked.is_theirs then task.customer_note else '' end as note
      from booked, public.tasks task
      where task.booking_id = read_visit_page_repair.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', title, 'status', status, 'note', note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, work.title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents, 'balanceCents', invoice.balance_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_page_repair.booking_id) invoice, zone
        where (select is_theirs from booked) and not exists (
          select from public.estimates taken
          where taken.booking_id = read_visit_page_repair.booking_id and internal.was_taken_from_visitor(taken, taken.booking_id))))
  );

create or replace function internal.vehicle_facts(booking public.bookings) returns jsonb
  -- Runs with its owner's rights, because the roles that call it have no right to read bookings and tasks.
  language sql stable security definer set search_path = ''
  return jsonb_build_object(
    'bookingState', internal.booking_state(booking),
    'hold', case when booking.held_until is null then 'none'
                 when booking.held_until > internal.current_instant() then 'running' else 'ended' end,
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('status', status, 'isReady', ready_for_pickup_at is not null)
                                order by created_at, id), '[]')
      from public.tasks where booking_id = booking.id),
    'isPaid', exists (select from internal.booking_invoice(booking.id) where paid_at is not null)
  );

create or replace function internal.describe_booking(booking public.bookings) returns jsonb
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

create or replace function internal.describe_customer_booking(booking public.bookings) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'vehicleFacts', internal.vehicle_facts(booking),
    'vehicleId', booking.vehicle_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.attendance_confirmed_at is not null);

create or replace function internal.describe_tasks_waiting_on_customer() returns jsonb
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

create or replace function public.vehicle_facts(booking public.bookings) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call vehicle_facts.
  language sql stable security definer set search_path = ''
  return case when (select internal.is_admin()) then internal.vehicle_facts(booking) end;

COMMENT ON FUNCTION "internal"."booking_invoice"(uuid) IS 'The invoice of the latest sent estimate of a booking, with what is still due; paid_at is null until it is paid in full.';

COMMENT ON FUNCTION "internal"."describe_booking"(public.bookings) IS 'A booking in the day view; starts_at and ends_at are shop wall-clock time.';

COMMENT ON FUNCTION "internal"."describe_customer_booking"(public.bookings) IS 'A booking in the list of a customer; startsAt is shop wall-clock time.';

COMMENT ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() IS 'The 50 longest waiting: tasks with a question to the customer, and vehicles ready for pickup (by the task that was marked last). Vehicles that were picked up and cancelled or missed bookings are left out.';

COMMENT ON FUNCTION "internal"."has_invoice"(uuid) IS 'Whether a booking has an invoice. Its visit page and its emails then do not state that a cancellation is free.';

COMMENT ON FUNCTION "internal"."read_invoice_ledger"(text) IS 'The balance and the ledger of an invoice, as the customer reads them: {balanceCents, paidCents, lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop does not know.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate, its path, tasks with their notes for the customer, the invoice. Task titles are shown only where they are titles of estimate jobs that the customer has read.';

COMMENT ON FUNCTION "internal"."vehicle_facts"(public.bookings) IS 'Everything on which the state of a booking''s vehicle depends (VehicleFacts of domain/bookings/vehicle-state.ts).';

COMMENT ON FUNCTION "public"."vehicle_facts"(public.bookings) IS 'Computed column of bookings: everything on which the state of the vehicle depends.';

REVOKE ALL ON FUNCTION "internal"."booking_invoice"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."booking_invoice"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."booking_invoice"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_booking"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_booking"(public.bookings) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_booking"(public.bookings) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_customer_booking"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_customer_booking"(public.bookings) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_customer_booking"(public.bookings) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."has_invoice"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_invoice"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_invoice"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_invoice"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."read_invoice_ledger"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."read_invoice_ledger"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_invoice_ledger"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_invoice_ledger"(text) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."read_visit_page_repair"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."read_visit_page_repair"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_visit_page_repair"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."read_visit_page_repair"(uuid) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."vehicle_facts"(public.bookings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."vehicle_facts"(public.bookings) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."vehicle_facts"(public.bookings) TO "postgres";

REVOKE ALL ON FUNCTION "public"."vehicle_facts"(public.bookings) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."vehicle_facts"(public.bookings) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."vehicle_facts"(public.bookings) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."vehicle_facts"(public.bookings) TO "postgres";
