-- The day close: staff count the cash drawer, and the database compares the count with the ledger. Days are closed in
-- order, each only once, and a close is final. A transaction that adds a ledger line takes a shared lock on the
-- business days, and a day close takes the exclusive lock. The close of a day therefore includes every ledger line of
-- that day.

create table public.cash_drawers (
  id integer primary key,
  name text not null unique constraint cash_drawers_name_is_text check (internal.is_single_line_text(name, 1, 40))
);
comment on table public.cash_drawers is 'The cash drawers of the shop. There is one, at the counter.';

insert into public.cash_drawers (id, name) values (1, 'Counter') on conflict do nothing;

alter table public.cash_drawers enable row level security;
grant select on public.cash_drawers to authenticated;
create policy "the admin reads the cash drawers" on public.cash_drawers for select to authenticated using ((select internal.is_admin()));

create table public.cash_movements (
  id uuid primary key default gen_random_uuid(),
  drawer_id integer not null default 1 references public.cash_drawers,
  kind text not null constraint cash_movements_kind_is_known check (kind in ('paid_in', 'paid_out')),
  amount_cents integer not null constraint cash_movements_amount_in_range check (amount_cents between 1 and 10000000),
  reason text not null constraint cash_movements_reason_is_text check (internal.is_single_line_text(reason, 1, 200)),
  business_date date not null,
  recorded_by_name text not null check (length(recorded_by_name) <= 100),
  recorded_at timestamptz not null,
  constraint cash_movements_have_no_card_number check (not internal.contains_card_number(reason))
);
comment on table public.cash_movements is
  'The cash that staff put into a drawer, for example change from the bank, or took out of it, for example to buy '
  'parts. Payments and refunds of customers are not cash movements. [append-only]';
comment on column public.cash_movements.amount_cents is
  'The amount in US cents, always positive; the column kind states the direction.';
comment on column public.cash_movements.business_date is
  'The business date to which the movement belongs; its day close includes the movement.';

create index cash_movements_by_business_date on public.cash_movements (business_date);

alter table public.cash_movements enable row level security;
grant select on public.cash_movements to authenticated;
create policy "the admin reads cash movements" on public.cash_movements for select to authenticated using ((select internal.is_admin()));

create function internal.is_cash_count(counted jsonb) returns boolean
  language sql immutable strict set search_path = ''
  return case when jsonb_typeof(counted) = 'object' then not exists (
    select from jsonb_each(counted)
    where key <> all ('{10000,5000,2000,1000,500,200,100,50,25,10,5,1}') or value::text !~ '^[0-9]{1,5}$') else false end;
comment on function internal.is_cash_count(jsonb) is
  'Whether a JSON value is a valid count of bills and coins by denomination in cents: {"2000": 9} means nine $20 '
  'bills. domain/money/cash-count.ts lists the denominations.';

create function internal.sum_cash_count(counted jsonb) returns integer
  language sql immutable strict set search_path = ''
  return (select coalesce(sum(key::integer * value::text::integer), 0)::integer from jsonb_each(counted));
comment on function internal.sum_cash_count(jsonb) is 'The sum in cents of a count of bills and coins.';

create table public.day_closes (
  id uuid primary key default gen_random_uuid(),
  drawer_id integer not null default 1 references public.cash_drawers,
  business_date date not null,
  start_cents integer not null constraint day_closes_start_in_range check (start_cents between 0 and 10000000),
  counted jsonb not null constraint day_closes_counted_has_denominations check (internal.is_cash_count(counted)),
  counted_cents integer not null generated always as (internal.sum_cash_count(counted)) stored,
  expected_cents integer not null,
  terminal_expected_cents integer not null,
  terminal_counted_cents integer,
  check_expected_cents integer not null,
  check_counted_cents integer,
  reason text constraint day_closes_reason_is_known
    check (reason in ('wrong_change', 'not_known', 'other_method', 'paid_out_without_slip', 'other')),
  note text constraint day_closes_note_is_text check (internal.is_single_line_text(note, 1, 300)),
  remains_cents integer not null,
  closed_by_name text not null check (length(closed_by_name) <= 100),
  closed_at timestamptz not null,
  constraint day_closes_are_one_a_day unique (drawer_id, business_date),
  constraint day_closes_remains_is_counted check (remains_cents between 0 and internal.sum_cash_count(counted)),
  constraint day_closes_difference_has_reason check (
    reason is not null or (
      internal.sum_cash_count(counted) = expected_cents
      and coalesce(terminal_counted_cents, terminal_expected_cents) = terminal_expected_cents
      and coalesce(check_counted_cents, check_expected_cents) = check_expected_cents)),
  constraint day_closes_other_reason_has_note check (reason <> 'other' or note is not null),
  constraint day_closes_have_no_card_number check (not internal.contains_card_number(coalesce(note, '')))
);
comment on table public.day_closes is 'The day closes of each cash drawer. All amounts are in US cents. [append-only]';
comment on column public.day_closes.start_cents is 'The cash in the drawer at the start of the day: the amount that the previous close left in it.';
comment on column public.day_closes.counted is
  'The number of bills and coins by denomination in cents. Denominations with the number zero are omitted.';
comment on column public.day_closes.expected_cents is
  'The cash that should have been in the drawer at the close: start_cents plus the day''s cash payments and movements '
  'into the drawer, minus refunds and movements out of it.';
comment on column public.day_closes.terminal_counted_cents is
  'The total that the card terminal reported for the day; null if staff entered no total. check_counted_cents is the '
  'total of the checks that staff counted, or null.';
comment on column public.day_closes.reason is 'The reason why a counted amount differs from the expected one; null when no amount differs.';
comment on column public.day_closes.remains_cents is
  'The cash that stays in the drawer; it is start_cents of the next day. The shop brings the rest of the counted cash '
  'to the bank.';

alter table public.day_closes enable row level security;
grant select on public.day_closes to authenticated;
create policy "the admin reads day closes" on public.day_closes for select to authenticated using ((select internal.is_admin()));

create table public.day_close_corrections (
  id uuid primary key default gen_random_uuid(),
  close_id uuid not null references public.day_closes,
  amount_cents integer not null
    constraint day_close_corrections_amount_in_range check (amount_cents <> 0 and amount_cents between -10000000 and 10000000),
  reason text not null constraint day_close_corrections_reason_is_text check (internal.is_single_line_text(reason, 1, 200)),
  recorded_by_name text not null check (length(recorded_by_name) <= 100),
  recorded_at timestamptz not null,
  constraint day_close_corrections_have_no_card_number check (not internal.contains_card_number(reason))
);
comment on table public.day_close_corrections is
  'The later corrections of the counted cash of closed days. [append-only]';
comment on column public.day_close_corrections.amount_cents is
  'The amount in US cents by which the counted cash should have been higher; negative if the counted cash should have '
  'been lower.';

create index day_close_corrections_of_close on public.day_close_corrections (close_id);

alter table public.day_close_corrections enable row level security;
grant select on public.day_close_corrections to authenticated;
create policy "the admin reads corrections of closes" on public.day_close_corrections
  for select to authenticated using ((select internal.is_admin()));

create trigger prevent_history_change before update or delete or truncate on public.cash_movements
  for each statement execute function internal.prevent_history_change();
create trigger prevent_history_change before update or delete or truncate on public.day_closes
  for each statement execute function internal.prevent_history_change();
create trigger prevent_history_change before update or delete or truncate on public.day_close_corrections
  for each statement execute function internal.prevent_history_change();

create function internal.announce_cash() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform pg_notify('cash_changed', new.id::text);
  return null;
end
$$;
comment on function internal.announce_cash() is
  'Notifies all server processes that a cash movement, a day close or a correction was recorded (channel '
  'cash_changed, with its id).';
create trigger announce_cash after insert on public.cash_movements for each row execute function internal.announce_cash();
create trigger announce_cash after insert on public.day_closes for each row execute function internal.announce_cash();
create trigger announce_cash after insert on public.day_close_corrections for each row execute function internal.announce_cash();

create function internal.cash_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'inCents', payments, 'refundedCents', refunded, 'paidInCents', paid_in, 'paidOutCents', paid_out,
      'changeCents', payments - refunded + paid_in - paid_out)
    from (
      select coalesce(sum(amount_cents) filter (where kind = 'payment'), 0) as payments,
        coalesce(-sum(amount_cents) filter (where kind in ('refund', 'reversal')), 0) as refunded
      from public.payments where business_date = day and currency = 'usd' and method = 'cash'
    ) ledger, (
      select coalesce(sum(amount_cents) filter (where kind = 'paid_in'), 0) as paid_in,
        coalesce(sum(amount_cents) filter (where kind = 'paid_out'), 0) as paid_out
      from public.cash_movements where business_date = day
    ) movements
  );
comment on function internal.cash_of_day(date) is
  'The sums of the cash of a business date in cents, without the cash at the start of the day: {inCents, '
  'refundedCents, paidInCents, paidOutCents, changeCents}. refundedCents is negative if the failed refunds exceed the '
  'refunds of the day; changeCents is the change of the cash in the drawer. A cash rounding does not count, because '
  'the payment already states the received cash.';

create function internal.methods_of_day(day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_object_agg(method, jsonb_build_object('cents', cents, 'payments', payments, 'refunds', refunds))
    from (
      select way.method, coalesce(sum(amount_cents), 0) as cents, count(*) filter (where kind = 'payment') as payments,
        count(*) filter (where kind = 'refund') as refunds
      from (values ('cash'), ('card_terminal'), ('card_online'), ('check'), ('other')) way (method)
      left join public.payments line on line.method = way.method and business_date = day and currency = 'usd'
        and kind in ('payment', 'refund', 'reversal')
      group by way.method
    ) sums
  );
comment on function internal.methods_of_day(date) is
  'The amounts that each payment method received on a business date, with the numbers of payments and refunds: '
  '{cash: {cents (less refunds), payments, refunds}, card_terminal, …}.';

create function internal.has_lines(day date) returns boolean
  language sql stable set search_path = ''
  return exists (select from public.payments where business_date = day and currency = 'usd')
    or exists (select from public.cash_movements where business_date = day);
comment on function internal.has_lines(date) is
  'Whether a business date has ledger lines or cash movements, so that the day must be closed.';

create function internal.list_unclosed_days(before_day date) returns table (day date, payments bigint, cash_cents bigint)
  language sql stable set search_path = '' as $$
  select line.business_date, count(*) filter (where line.kind = 'payment'), coalesce(sum(line.cash_cents), 0)::bigint
  from (
    select business_date, kind,
      case when method = 'cash' and kind in ('payment', 'refund', 'reversal') then amount_cents end as cash_cents
    from public.payments where currency = 'usd'
    union all
    select business_date, kind, case kind when 'paid_in' then amount_cents else -amount_cents end from public.cash_movements
  ) line
  where line.business_date < before_day and line.business_date >= coalesce(
    (select max(business_date) + 1 from public.day_closes),
    least(
      (select min(business_date) from public.payments where method <> 'card_online'),
      (select min(business_date) from public.cash_movements)))
  group by line.business_date order by line.business_date
$$;
comment on function internal.list_unclosed_days(date) is
  'The earlier days that must be closed before a date: days after the last day close that have a ledger line or a '
  'cash movement. Before the first day close, days without payments at the counter need no close, so a shop that is '
  'paid only online closes no day.';

create function internal.refuse_close(day date) returns void
  language plpgsql stable set search_path = '' as $$
declare
  done public.day_closes;
  refusal text;
begin
  select * into done from public.day_closes where business_date = day;
  refusal := case
    when day is null or day > internal.shop_now()::date then 'day_in_future'
    when done.id is not null then 'already_closed'
    when day < (select max(business_date) from public.day_closes) then 'later_day_closed'
    when exists (select from internal.list_unclosed_days(day)) then 'earlier_day_open'
    when not internal.has_lines(day) then 'nothing_to_close' end;
  if refusal is not null then
    raise exception 'This day cannot be closed: %', refusal using errcode = 'TT110', hint = refusal,
      detail = case refusal
        when 'already_closed' then jsonb_build_object('closedBy', done.closed_by_name, 'closedAt', done.closed_at)::text
        when 'earlier_day_open' then jsonb_build_object('day', (select min(earlier.day) from internal.list_unclosed_days(day) earlier))::text
        else '' end;
  end if;
end
$$;
comment on function internal.refuse_close(date) is
  'Refuses (TT110) to close a day in the future, a closed day, a day before a closed day, a day after another day '
  'that must be closed first, or a day without ledger lines and cash movements.';

create function public.close_day(close jsonb) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write day_closes.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (close ->> 'date')::date;
  start_cents integer;
  expected integer;
  methods jsonb;
  new_id uuid;
begin
  perform internal.require_admin();
  -- This lock waits for every transaction that is adding a ledger line, and later transactions wait for this lock
  -- (internal.business_date).
  perform pg_advisory_xact_lock(hashtextextended('business days', 0));
  perform internal.refuse_close(day);
  start_cents := coalesce(
    (select remains_cents from public.day_closes order by business_date desc limit 1), (close ->> 'startCents')::integer);
  if start_cents is null then
    raise exception 'The first close must state the cash in the drawer.' using errcode = 'TT110', hint = 'start_required';
  end if;
  expected := start_cents + (internal.cash_of_day(day) ->> 'changeCents')::integer;
  if expected is distinct from (close ->> 'seenExpectedCents')::integer then
    raise exception 'The expected cash changed meanwhile.' using errcode = 'TT110', hint = 'expected_changed',
      detail = jsonb_build_object('expectedCents', expected)::text;
  end if;
  methods := internal.methods_of_day(day);
  insert into public.day_closes (
    business_date, start_cents, counted, expected_cents, terminal_expected_cents, terminal_counted_cents, check_expected_cents,
    check_counted_cents, reason, note, remains_cents, closed_by_name, closed_at)
  values (
    day, start_cents, close -> 'counted', expected, (methods #>> '{card_terminal,cents}')::integer, (close ->> 'terminalCents')::integer,
    (methods #>> '{check,cents}')::integer, (close ->> 'checkCents')::integer, close ->> 'reason', close ->> 'note',
    (close ->> 'remainsCents')::integer, internal.author_name(null), internal.current_instant())
  returning id into new_id;
  return new_id;
end
$$;
comment on function public.close_day(jsonb) is
  'Closes a day permanently and returns the id of the close. The argument is {date, startCents (for the first day '
  'close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) '
  'when the expected cash differs from seenExpectedCents, the expected cash that staff saw.';
grant execute on function public.close_day(jsonb) to authenticated;

create function public.correct_close(close_id uuid, amount_cents integer, reason text) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write day_close_corrections.
  language plpgsql security definer set search_path = '' as $$
declare
  new_id uuid;
begin
  perform internal.require_admin();
  insert into public.day_close_corrections (close_id, amount_cents, reason, recorded_by_name, recorded_at)
  values (
    correct_close.close_id, correct_close.amount_cents, trim(correct_close.reason), internal.author_name(null), internal.current_instant())
  returning id into new_id;
  return new_id;
end
$$;
comment on function public.correct_close(uuid, integer, text) is
  'Adds a correction to a day close, whose own row never changes. Returns the id of the correction.';
grant execute on function public.correct_close(uuid, integer, text) to authenticated;

create function public.record_cash_movement(kind text, amount_cents integer, reason text) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write cash_movements.
  language plpgsql security definer set search_path = '' as $$
declare
  new_id uuid;
begin
  perform internal.require_admin();
  insert into public.cash_movements (kind, amount_cents, reason, business_date, recorded_by_name, recorded_at)
  values (
    record_cash_movement.kind, record_cash_movement.amount_cents, trim(record_cash_movement.reason),
    internal.business_date(internal.current_instant()), internal.author_name(null), internal.current_instant())
  returning id into new_id;
  return new_id;
end
$$;
comment on function public.record_cash_movement(text, integer, text) is
  'Records cash that staff put into the drawer or took out of it without a payment of a customer. The movement '
  'belongs to today or, if today is already closed, to the next day. Returns the id of the movement.';
grant execute on function public.record_cash_movement(text, integer, text) to authenticated;

create function internal.describe_close(close public.day_closes) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', close.id, 'startCents', close.start_cents, 'counted', close.counted, 'countedCents', close.counted_cents,
    'expectedCents', close.expected_cents, 'terminalCents', close.terminal_counted_cents, 'checkCents', close.check_counted_cents,
    'reason', close.reason, 'note', close.note, 'remainsCents', close.remains_cents,
    'closedByName', close.closed_by_name, 'closedAt', close.closed_at,
    'corrections', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'amountCents', amount_cents, 'reason', reason, 'recordedByName', recorded_by_name, 'recordedAt', recorded_at
      ) order by recorded_at, id), '[]')
      from public.day_close_corrections where close_id = close.id));
comment on function internal.describe_close(public.day_closes) is
  'A day close with its corrections (contracts/payments/day-close.ts).';

create function internal.describe_unclosed_days(before_day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('day', day, 'payments', payments, 'cashCents', cash_cents) order by day), '[]')
    from (select * from internal.list_unclosed_days(before_day) limit 50) unclosed
  );
comment on function internal.describe_unclosed_days(date) is
  'The first 50 days of list_unclosed_days: [{day, payments, cashCents}].';

create function internal.latest_cash(close_day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object('kind', kind, 'amountCents', amount_cents, 'recordedByName', recorded_by_name, 'recordedAt', recorded_at)
    from (
      (select kind, amount_cents, recorded_by_name, recorded_at from public.payments
       where business_date = close_day and method = 'cash' and currency = 'usd' and kind in ('payment', 'refund', 'reversal')
       order by recorded_at desc limit 1)
      union all
      (select kind, amount_cents, recorded_by_name, recorded_at from public.cash_movements
       where business_date = close_day order by recorded_at desc limit 1)
    ) line
    order by recorded_at desc limit 1
  );
comment on function internal.latest_cash(date) is
  'The latest payment, refund, reversal or movement of cash on a day; null if there is none. The page of the day '
  'close shows this record if the expected cash changes while staff count.';

create function public.read_day_close(close_day date) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call cash_of_day and other
  -- functions.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'day', close_day, 'today', internal.shop_now()::date,
    'drawer', (select name from public.cash_drawers where id = 1),
    'hasLines', internal.has_lines(close_day),
    'isBeforeClosedDay', coalesce(close_day < (select max(business_date) from public.day_closes), false),
    'startCents', (
      select remains_cents from public.day_closes where business_date < close_day order by business_date desc limit 1),
    'cash', internal.cash_of_day(close_day),
    'methods', internal.methods_of_day(close_day),
    'checks', (
      select coalesce(jsonb_agg(jsonb_build_object('number', line.reference,
        'customerName', coalesce(invoice.customer_name, estimate.customer_name)) order by line.recorded_at), '[]')
      from public.payments line
      left join public.invoices invoice on invoice.invoice_id = line.invoice_id
      left join public.estimates estimate on estimate.id = line.estimate_id
      where line.business_date = close_day and line.method = 'check' and line.kind = 'payment' and line.currency = 'usd'),
    'movements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'amountCents', amount_cents, 'reason', reason, 'recordedByName', recorded_by_name,
        'recordedAt', recorded_at) order by recorded_at, id), '[]')
      from public.cash_movements where business_date = close_day),
    'latestCash', internal.latest_cash(close_day),
    'unclosedDays', internal.describe_unclosed_days(close_day),
    'close', (select internal.describe_close(close) from public.day_closes close where close.business_date = close_day),
    'countsFirst', (select counts_cash_before_expected from public.booking_rules),
    'printFormat', (select close_print_format from public.booking_rules));
end
$$;
comment on function public.read_day_close(date) is
  'All data about the close of one day, closed or not, in one call (contracts/payments/day-close.ts).';
grant execute on function public.read_day_close(date) to authenticated;

create function internal.payments_after_close(today date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object('day', next_day, 'receivedCents', internal.payments_of_day(next_day) -> 'receivedCents')
    from (select max(business_date) + 1 as next_day from public.day_closes) closed
    where next_day > today
  );
comment on function internal.payments_after_close(date) is
  'If today is closed: the day to which later payments of today belong, and their sum, {day, receivedCents}. Null if '
  'today is not closed yet.';

create function internal.drawer_expects_cents(today date) returns bigint
  language sql stable set search_path = ''
  return (
    select last_close.remains_cents + (internal.cash_of_day(today) ->> 'changeCents')::bigint
    from (select business_date, remains_cents from public.day_closes order by business_date desc limit 1) last_close
    where last_close.business_date < today
      and not exists (select from internal.list_unclosed_days(today))
      and not (select counts_cash_before_expected from public.booking_rules)
  );
comment on function internal.drawer_expects_cents(date) is
  'The cash that should be in the drawer now. Null in four cases: no day was closed yet, an earlier day is not '
  'closed, today is closed, or the settings of the shop show the expected cash only after the count.';
