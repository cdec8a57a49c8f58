-- Among related records, a deposit is called a deposit.
create or replace function internal.list_repair_records(wanted uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'label', label, 'state', state, 'at', at) order by at), '[]')
    from (
      select 'quote' as kind, quote.id::text, quote.name as label, quote.status as state, quote.created_at as at
      from public.quote_requests quote where quote.repair_id = wanted
      union all
      select 'booking', booking.id::text, booking.appointment_date || ' ' || to_char(booking.appointment_time, 'HH24:MI'),
        internal.booking_state(booking), booking.created_at
      from public.bookings booking where booking.repair_id = wanted
      union all
      select 'estimate', estimate.id::text, estimate.number, internal.estimate_state(estimate), estimate.created_at
      from public.estimates estimate where estimate.repair_id = wanted
      union all
      select 'task', task.id::text, task.title, task.status, task.created_at
      from public.tasks task
      where task.estimate_id in (select id from public.estimates where repair_id = wanted)
        or task.booking_id in (select id from public.bookings where repair_id = wanted)
      union all
      select 'invoice', coalesce(claim.invoice_id, claim.id::text), coalesce(claim.number, ''), claim.state, claim.claimed_at
      from public.estimate_invoices claim where claim.estimate_id in (select id from public.estimates where repair_id = wanted)
      union all
      select 'payment', payment.id::text, (abs(payment.amount_cents) / 100.0)::numeric(12, 2)::text,
        case when payment.kind = 'payment' and payment.estimate_id is not null then 'deposit' else payment.kind end, payment.paid_at
      from public.payments payment
      where payment.kind not in ('cash_rounding', 'applied_deposit') and (
        payment.estimate_id in (select id from public.estimates where repair_id = wanted)
        or payment.invoice_id in (
          select claim.invoice_id from public.estimate_invoices claim
          where claim.estimate_id in (select id from public.estimates where repair_id = wanted)))
    ) linked
  );
comment on function internal.list_repair_records(uuid) is 'All records of one repair, oldest first: [{kind, id, label, state, at}].';

create or replace function public.list_repair_records(kind text, id text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call list_repair_records. require_admin() checks
  -- that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return internal.list_repair_records(case list_repair_records.kind
    when 'quote' then (select repair_id from public.quote_requests quote where quote.id = list_repair_records.id::uuid)
    when 'booking' then (select repair_id from public.bookings booking where booking.id = list_repair_records.id::uuid)
    when 'estimate' then (select repair_id from public.estimates estimate where estimate.id = list_repair_records.id::uuid)
    when 'task' then (
      select coalesce(estimate.repair_id, booking.repair_id) from public.tasks task
      left join public.estimates estimate on estimate.id = task.estimate_id
      left join public.bookings booking on booking.id = task.booking_id
      where task.id = list_repair_records.id::uuid)
    when 'invoice' then (
      select estimate.repair_id from public.estimate_invoices claim
      join public.estimates estimate on estimate.id = claim.estimate_id where claim.invoice_id = list_repair_records.id)
  end);
end
$$;
