-- The invoice list of the dashboard. The state and the balance of an invoice come from the ledger of the shop, so that
-- a payment at the counter is visible before it is reported to Stripe.

create function internal.invoice_state(invoice public.invoices) returns text
  language sql stable set search_path = ''
  return case
    when internal.is_void(invoice) then 'void'
    when exists (select from public.credit_notes note where note.invoice_id = invoice.invoice_id and note.kind = 'cancellation')
      then 'cancelled'
    when internal.invoice_balance_cents(invoice) = 0 and internal.replaced_cents(invoice.invoice_id) > 0 then 'replaced'
    when internal.invoice_balance_cents(invoice) = 0 then (
      select case when coalesce(sum(note.amount_cents) filter (where note.kind = 'refund'), 0) = 0 then 'paid'
        when internal.invoice_paid_cents(invoice) = 0 then 'refunded' else 'part_refunded' end
      from public.credit_notes note where note.invoice_id = invoice.invoice_id)
    when invoice.status = 'uncollectible' or invoice.written_off_at is not null then 'written_off'
    when internal.invoice_paid_cents(invoice) > 0 then 'part_paid'
    else 'open' end;
comment on function internal.invoice_state(public.invoices) is
  'The state of an invoice that staff see (contracts/invoices/invoice-list.ts): open, part_paid, paid, part_refunded, '
  'refunded, cancelled, replaced, written_off or void.';

create function internal.is_outstanding(invoice public.invoices) returns boolean
  language sql stable set search_path = ''
  return invoice.status = 'open' and invoice.written_off_at is null and internal.invoice_balance_cents(invoice) > 0;
comment on function internal.is_outstanding(public.invoices) is
  'Whether the invoice is outstanding: it is open at Stripe, has a balance and was not written off.';

create function internal.unsettled_invoices() returns setof public.invoices
  language sql stable set search_path = '' as $$
  select * from public.invoices where status = 'open' and written_off_at is null
  union all
  -- At Stripe, an invoice remains paid after one of its payments was reversed, for example by a lost dispute.
  select * from public.invoices
  where status = 'paid' and written_off_at is null
    and invoice_id in (select line.invoice_id from public.payments line where line.kind = 'reversal')
$$;
comment on function internal.unsettled_invoices() is
  'The invoices that may have a balance: invoices that are open at Stripe, and paid invoices with a reversed payment. '
  'Their balance can also be 0.';

create function internal.unpaid_invoices()
  returns table (invoice_id text, due_date date, created_at timestamptz, currency text, paid_cents bigint, balance_cents bigint)
  -- One statement computes the balances of all invoices. Calling invoice_balance_cents for each invoice took a second
  -- for a few thousand invoices.
  language sql stable set search_path = '' as $$
  select unsettled.invoice_id, unsettled.due_date, unsettled.created_at, unsettled.currency, paid.cents, balance.cents
  from internal.unsettled_invoices() unsettled
  cross join lateral (
    select coalesce(sum(note.amount_cents), 0)::bigint as cents from public.credit_notes note where note.invoice_id = unsettled.invoice_id
  ) credited
  cross join lateral (
    select coalesce(
      case when bool_or(line.method <> 'card_online' or line.credit_note_id is not null or line.kind in ('reversal', 'applied_deposit'))
        then sum(line.amount_cents) else nullif(sum(line.amount_cents), 0) end,
      case when unsettled.status = 'paid' then unsettled.total_cents - credited.cents else 0 end)::bigint as cents
    from public.payments line where line.invoice_id = unsettled.invoice_id
  ) paid
  cross join lateral (
    select unsettled.total_cents - credited.cents - paid.cents - coalesce(sum(known.amount_cents), 0)::bigint as cents
    from public.replacement_invoices known
    where known.original_invoice_id = unsettled.invoice_id and known.invoice_id is not null
  ) balance
  where unsettled.voided_at is null and balance.cents > 0
$$;
comment on function internal.unpaid_invoices() is
  'The outstanding invoices with the amounts of invoice_paid_cents and invoice_balance_cents, computed in one '
  'statement for lists and sums of many invoices.';

create function internal.charges_real_cards() returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (select from internal.sealed_settings where name = 'payments' and sealed is not null)
    or exists (select from public.invoices where not is_test);
end
$$;
comment on function internal.charges_real_cards() is
  'Whether the shop connected a Stripe account or has an invoice at Stripe, so that the dashboard has to distinguish test invoices from real '
  'ones.';

create function internal.count_open_test_invoices() returns integer
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- For a shop that never used the sandbox, this condition avoids reading the invoices.
  if not exists (select from stripe_sandbox.objects where object = 'invoice') then
    return 0;
  end if;
  return (
    select count(*) from public.invoices invoice
    where invoice.is_test and invoice.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid));
end
$$;
comment on function internal.count_open_test_invoices() is 'The number of invoices of the payment sandbox that have a balance.';
grant execute on function internal.count_open_test_invoices() to shop_server;

create function internal.describe_listed_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'customerName', invoice.customer_name, 'customerId', invoice.customer_id,
    'customerEmail', (select email from public.customers where id = invoice.customer_id),
    'vehicle', (select nullif(internal.vehicle_line(vehicle.year, vehicle.make, vehicle.model), '') from public.vehicles vehicle where vehicle.id = invoice.vehicle_id),
    'bookingId', invoice.booking_id, 'totalCents', invoice.total_cents, 'taxCents', invoice.tax_cents,
    'paidCents', internal.invoice_paid_cents(invoice), 'balanceCents', internal.invoice_balance_cents(invoice),
    'currency', invoice.currency, 'state', internal.invoice_state(invoice), 'createdAt', invoice.created_at,
    'dueDate', invoice.due_date, 'isTest', invoice.is_test and internal.charges_real_cards(),
    'paymentPageOpenedAt', (
      select max(page.opened_at) from internal.payment_pages page
      where page.invoice_id = invoice.invoice_id and page.closed_at is null and page.expires_at > now()));
comment on function internal.describe_listed_invoice(public.invoices) is
  'An invoice with its balance, as the lists and panels of the dashboard show it '
  '(contracts/invoices/invoice-list.ts). The email address is the customer''s current one; null after an erasure.';

create function internal.is_paid_off(invoice public.invoices) returns boolean
  -- The conditions are in a function, because the planner assumes that a third of all rows satisfy a function. It
  -- therefore reads the newest invoices until the list is full. With the bare conditions, the planner would expect
  -- hardly any matching row and would read every invoice of the shop.
  language sql stable set search_path = ''
  return not internal.is_void(invoice) and internal.invoice_balance_cents(invoice) = 0 and internal.replaced_cents(invoice.invoice_id) = 0;
comment on function internal.is_paid_off(public.invoices) is
  'Whether an invoice is not void and fully paid: neither the invoice nor a replacement invoice of it has a balance.';

create function public.list_invoices(filter text default 'open', max_rows integer default 50) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call describe_listed_invoice,
  -- unpaid_invoices and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'today', today,
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.created_at desc, invoice.invoice_id), '[]')
      from (
        select * from public.invoices listed
        where case filter
            when 'open' then listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'past_due' then listed.due_date < today
              and listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is computed only for the rows that satisfy the previous condition.
          and case filter
            when 'paid' then internal.is_paid_off(listed)
            when 'written_off' then internal.invoice_state(listed) = 'written_off'
            else true end
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance_cents), 0),
        'pastDue', count(*) filter (where due_date < today),
        'pastDueCents', coalesce(sum(balance_cents) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid_cents > 0), 'partPaidCents', coalesce(sum(paid_cents) filter (where paid_cents > 0), 0))
      from internal.unpaid_invoices() where currency = 'usd'),
    'received', internal.payments_of_day(today));
end
$$;
comment on function public.list_invoices(text, integer) is
  'The newest invoices of a filter (open, past_due, paid, written_off, void, all), at most 500, with the counts and sums above the list and '
  'today''s payments (contracts/invoices/invoice-list.ts).';
grant execute on function public.list_invoices(text, integer) to authenticated;

create function public.read_listed_invoice(invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call describe_listed_invoice.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.describe_listed_invoice(invoice) from public.invoices invoice
    where invoice.invoice_id = read_listed_invoice.invoice_id);
end
$$;
comment on function public.read_listed_invoice(text) is 'One invoice in the format of list_invoices; null for an unknown invoice.';
grant execute on function public.read_listed_invoice(text) to authenticated;

create function internal.read_invoice_ledger(wanted_invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balanceCents', internal.invoice_balance_cents(invoice), 'paidCents', internal.invoice_paid_cents(invoice),
    'isVoid', internal.is_void(invoice), 'isTest', invoice.is_test and internal.charges_real_cards(),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', line.kind, 'method', line.method, 'reference', line.reference, 'amountCents', line.amount_cents,
        'paidAt', extract(epoch from line.paid_at)::bigint) order by line.recorded_at, line.kind desc), '[]')
      from public.payments line where line.invoice_id = invoice.invoice_id))
  from public.invoices invoice where invoice.invoice_id = wanted_invoice_id
$$;
comment on function internal.read_invoice_ledger(text) is
  'The balance and the ledger of an invoice, as the customer sees them: {balanceCents, paidCents, isVoid, isTest, '
  'lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop '
  'does not know.';
grant execute on function internal.read_invoice_ledger(text) to shop_server;
