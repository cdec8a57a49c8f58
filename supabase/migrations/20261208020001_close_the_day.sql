-- Staff close each day: they count the cash drawer, and the database compares it with the ledger (docs/product.md 17.7).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."business_date"(timestamp with time zone);

CREATE TABLE "public"."cash_drawers" ("id" integer NOT NULL, "name" text NOT NULL, CONSTRAINT "cash_drawers_name_key" UNIQUE (name), CONSTRAINT "cash_drawers_pkey" PRIMARY KEY (id), CONSTRAINT "cash_drawers_name_is_text" CHECK (internal.is_single_line_text(name, 1, 40)));

ALTER TABLE "public"."cash_drawers" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."cash_movements" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "drawer_id" integer NOT NULL DEFAULT 1, "kind" text NOT NULL, "amount_cents" integer NOT NULL, "reason" text NOT NULL, "business_date" date NOT NULL, "recorded_by_name" text NOT NULL, "recorded_at" timestamp with time zone NOT NULL, CONSTRAINT "cash_movements_amount_in_range" CHECK (((amount_cents >= 1) AND (amount_cents <= 10000000))), CONSTRAINT "cash_movements_kind_is_known" CHECK ((kind = ANY (ARRAY['paid_in'::text, 'paid_out'::text]))), CONSTRAINT "cash_movements_pkey" PRIMARY KEY (id), CONSTRAINT "cash_movements_recorded_by_name_check" CHECK ((length(recorded_by_name) <= 100)), CONSTRAINT "cash_movements_have_no_card_number" CHECK ((NOT internal.contains_card_number(reason))), CONSTRAINT "cash_movements_reason_is_text" CHECK (internal.is_single_line_text(reason, 1, 200)));

ALTER TABLE "public"."cash_movements" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."day_close_corrections" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "close_id" uuid NOT NULL, "amount_cents" integer NOT NULL, "reason" text NOT NULL, "recorded_by_name" text NOT NULL, "recorded_at" timestamp with time zone NOT NULL, CONSTRAINT "day_close_corrections_amount_in_range" CHECK (((amount_cents <> 0) AND ((amount_cents >= '-10000000'::integer) AND (amount_cents <= 10000000)))), CONSTRAINT "day_close_corrections_pkey" PRIMARY KEY (id), CONSTRAINT "day_close_corrections_recorded_by_name_check" CHECK ((length(recorded_by_name) <= 100)), CONSTRAINT "day_close_corrections_have_no_card_number" CHECK ((NOT internal.contains_card_number(reason))), CONSTRAINT "day_close_corrections_reason_is_text" CHECK (internal.is_single_line_text(reason, 1, 200)));

ALTER TABLE "public"."day_close_corrections" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."day_closes" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "drawer_id" integer NOT NULL DEFAULT 1, "business_date" date NOT NULL, "start_cents" integer NOT NULL, "counted" jsonb NOT NULL, "expected_cents" integer NOT NULL, "terminal_expected_cents" integer NOT NULL, "terminal_counted_cents" integer, "check_expected_cents" integer NOT NULL, "check_counted_cents" integer, "reason" text, "note" text, "remains_cents" integer NOT NULL, "closed_by_name" text NOT NULL, "closed_at" timestamp with time zone NOT NULL, CONSTRAINT "day_closes_are_one_a_day" UNIQUE (drawer_id, business_date), CONSTRAINT "day_closes_closed_by_name_check" CHECK ((length(closed_by_name) <= 100)), CONSTRAINT "day_closes_other_reason_has_note" CHECK (((reason <> 'other'::text) OR (note IS NOT NULL))), CONSTRAINT "day_closes_pkey" PRIMARY KEY (id), CONSTRAINT "day_closes_reason_is_known" CHECK ((reason = ANY (ARRAY['wrong_change'::text, 'not_known'::text, 'other_method'::text, 'paid_out_without_slip'::text, 'other'::text]))), CONSTRAINT "day_closes_start_in_range" CHECK (((start_cents >= 0) AND (start_cents <= 10000000))), CONSTRAINT "day_closes_have_no_card_number" CHECK ((NOT internal.contains_card_number(COALESCE(note, ''::text)))), CONSTRAINT "day_closes_note_is_text" CHECK (internal.is_single_line_text(note, 1, 300)));

ALTER TABLE "public"."day_closes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."booking_rules" ADD COLUMN "counts_cash_before_expected" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."booking_rules" ADD COLUMN "close_print_format" text NOT NULL DEFAULT 'receipt'::text;

create or replace function internal.announce_cash() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform pg_notify('cash_changed', new.id::text);
  return null;
end
$$;

create or replace function internal.business_date(moment timestamptz) returns date
  language plpgsql set search_path = '' as $$
begin
  -- Keeps every day from closing until the transaction ends (close_day), so that no line counts to a day whose close did
  -- not count it. The next statement sees the closes that were committed before.
  perform pg_advisory_xact_lock_shared(hashtextextended('business days', 0));
  return (
    select greatest((moment at time zone time_zone)::date, (select max(business_date) + 1 from public.day_closes))
    from public.shop);
end
$$;

create or replace function internal.cash_of_day(day date) returns jsonb
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

create or replace function internal.has_lines(day date) returns boolean
  language sql stable set search_path = ''
  return exists (select from public.payments where business_date = day and currency = 'usd')
    or exists (select from public.cash_movements where business_date = day);

create or replace function internal.is_cash_count(counted jsonb) returns boolean
  language sql immutable strict set search_path = ''
  return case when jsonb_typeof(counted) = 'object' then not exists (
    select from jsonb_each(counted)
    where key <> all ('{10000,5000,2000,1000,500,200,100,50,25,10,5,1}') or value::text !~ '^[0-9]{1,5}$') else false end;

create or replace function internal.latest_cash(close_day date) returns jsonb
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

create or replace function internal.list_unclosed_days(before_day date) returns table (day date, payments bigint, cash_cents bigint)
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

create or replace function internal.describe_unclosed_days(before_day date) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('day', day, 'payments', payments, 'cashCents', cash_cents) order by day), '[]')
    from (select * from internal.list_unclosed_days(before_day) limit 50) unclosed
  );

create or replace function internal.drawer_expects_cents(today date) returns bigint
  language sql stable set search_path = ''
  return (
    select last_close.remains_cents + (internal.cash_of_day(today) ->> 'changeCents')::bigint
    from (select business_date, remains_cents from public.day_closes order by business_date desc limit 1) last_close
    where last_close.business_date < today
      and not exists (select from internal.list_unclosed_days(today))
      and not (select counts_cash_before_expected from public.booking_rules)
  );

create or replace function internal.methods_of_day(day date) returns jsonb
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

create or replace function internal.payments_after_close(today date) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object('day', next_day, 'receivedCents', internal.payments_of_day(next_day) -> 'receivedCents')
    from (select max(business_date) + 1 as next_day from public.day_closes) closed
    where next_day > today
  );

create or replace function internal.refuse_close(day date) returns void
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

create or replace function internal.sum_cash_count(counted jsonb) returns integer
  language sql immutable strict set search_path = ''
  return (select coalesce(sum(key::integer * value::text::integer), 0)::integer from jsonb_each(counted));

create or replace function public.close_day(close jsonb) returns uuid
  -- Runs with its owner's rights, because the admin has no right to write closes.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (close ->> 'date')::date;
  start_cents integer;
  expected integer;
  methods jsonb;
  new_id uuid;
begin
  perform internal.require_admin();
  -- Waits for every transaction that writes a line, and makes later ones wait (internal.business_date).
  perform pg_advisory_xact_lock(hashtextextended('business days', 0));
  perform internal.refuse_close(day);
  start_cents := coalesce(
    (select remains_cents from public.day_closes order by business_date desc limit 1), (close ->> 'startCents')::integer);
  if start_cents is null then
    raise exception 'The first close names what was in the drawer.' using errcode = 'TT110', hint = 'start_required';
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

create or replace function public.correct_close(close_id uuid, amount_cents integer, reason text) returns uuid
  -- Runs with its owner's rights, because the admin has no right to write corrections.
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

create or replace function public.count_open_work()
  returns table (needs_attention boolean, appointments bigint, tasks bigint, quotes bigint, invoices bigint)
  -- Runs with its owner's rights, because the admin has no right to call list_arrived_bookings, unanswered_quotes and
  -- others. require_admin() checks that the caller is the admin.
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
      or exists (select from internal.list_unclosed_days(moment::date)),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from public.invoices invoice where invoice.status = 'open' and internal.is_outstanding(invoice));
end
$$;

create or replace function public.read_day_close(close_day date) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to call cash_of_day and others.
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
      select coalesce(jsonb_agg(jsonb_build_object('number', line.reference, 'customerName', invoice.customer_name) order by line.recorded_at), '[]')
      from public.payments line left join public.invoices invoice on invoice.invoice_id = line.invoice_id
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

create or replace function public.read_today() returns jsonb
  -- Runs with its owner's rights, because otherwise the policies would check in each of its many reads that the role
  -- is the admin.
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
    'expected_payments', internal.expected_payments(today),
    'invoices', internal.describe_outstanding_invoices(),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;

create or replace function public.record_cash_movement(kind text, amount_cents integer, reason text) returns uuid
  -- Runs with its owner's rights, because the admin has no right to write movements.
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

ALTER TABLE "public"."booking_rules" ADD CONSTRAINT "booking_rules_close_print_format_is_known" CHECK ((close_print_format = ANY (ARRAY['receipt'::text, 'letter'::text])));

ALTER TABLE "public"."cash_movements" ADD CONSTRAINT "cash_movements_drawer_id_fkey" FOREIGN KEY (drawer_id) REFERENCES public.cash_drawers(id);

ALTER TABLE "public"."day_closes" ADD CONSTRAINT "day_closes_drawer_id_fkey" FOREIGN KEY (drawer_id) REFERENCES public.cash_drawers(id);

ALTER TABLE "public"."day_close_corrections" ADD CONSTRAINT "day_close_corrections_close_id_fkey" FOREIGN KEY (close_id) REFERENCES public.day_closes(id);

CREATE INDEX cash_movements_by_business_date ON public.cash_movements USING btree (business_date);

CREATE INDEX day_close_corrections_of_close ON public.day_close_corrections USING btree (close_id);

CREATE INDEX payments_at_counter_by_business_date ON public.payments USING btree (business_date) WHERE (method <> 'card_online'::text);

CREATE TRIGGER announce_cash AFTER INSERT ON public.cash_movements FOR EACH ROW EXECUTE FUNCTION internal.announce_cash();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.cash_movements FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE TRIGGER announce_cash AFTER INSERT ON public.day_close_corrections FOR EACH ROW EXECUTE FUNCTION internal.announce_cash();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.day_close_corrections FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE TRIGGER announce_cash AFTER INSERT ON public.day_closes FOR EACH ROW EXECUTE FUNCTION internal.announce_cash();

CREATE TRIGGER prevent_history_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.day_closes FOR EACH STATEMENT EXECUTE FUNCTION internal.prevent_history_change();

CREATE POLICY "the admin reads the cash drawers" ON "public"."cash_drawers" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the admin reads cash movements" ON "public"."cash_movements" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the admin reads corrections of closes" ON "public"."day_close_corrections" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

CREATE POLICY "the admin reads day closes" ON "public"."day_closes" FOR SELECT TO "authenticated" USING (( SELECT internal.is_admin() AS is_admin));

COMMENT ON COLUMN "public"."booking_rules"."close_print_format" IS 'The paper on which a close is printed: receipt (80 mm) or letter.';

COMMENT ON COLUMN "public"."booking_rules"."counts_cash_before_expected" IS 'Whether the close of a day shows the expected cash only after the cash was counted.';

COMMENT ON COLUMN "public"."cash_movements"."amount_cents" IS 'Always positive; the kind is the direction. US cents.';

COMMENT ON COLUMN "public"."cash_movements"."business_date" IS 'The day whose close counts the movement.';

COMMENT ON COLUMN "public"."day_close_corrections"."amount_cents" IS 'What the counted cash should have been above (or, negative, below) what was counted. US cents.';

COMMENT ON COLUMN "public"."day_closes"."counted" IS 'The bills and coins by denomination in cents, without those of which there are none.';

COMMENT ON COLUMN "public"."day_closes"."expected_cents" IS 'What the drawer should have held at the close: the start, and the day''s cash payments, refunds and movements.';

COMMENT ON COLUMN "public"."day_closes"."reason" IS 'Why a counted amount differs from the expected one; null when nothing differs.';

COMMENT ON COLUMN "public"."day_closes"."remains_cents" IS 'What stays in the drawer, which is the next start. The rest of the counted cash goes to the bank.';

COMMENT ON COLUMN "public"."day_closes"."start_cents" IS 'What was in the drawer when the day began: what the close before left in it.';

COMMENT ON COLUMN "public"."day_closes"."terminal_counted_cents" IS 'The total that the card terminal reported for the day; null when nobody typed it. check_counted_cents likewise.';

COMMENT ON COLUMN "public"."payments"."business_date" IS 'The shop''s day to which the line counts: on Today, in its close and in the files for the accountant (docs/product.md 17.7).';

COMMENT ON FUNCTION "internal"."announce_cash"() IS 'Notifies all processes that a movement of cash, a close or a correction was recorded (cash_changed, with its id).';

COMMENT ON FUNCTION "internal"."business_date"(timestamp with time zone) IS 'The shop''s day to which a payment at this time counts: its date, or the first later one that is not closed. Days close in order, so every day up to the last close is closed.';

COMMENT ON FUNCTION "internal"."cash_of_day"(date) IS 'The cash of a business date without the start, in cents: {inCents, refundedCents, paidInCents, paidOutCents (none negative), changeCents}. A cash rounding moves no cash: the payment holds what was taken.';

COMMENT ON FUNCTION "internal"."describe_unclosed_days"(date) IS 'The first 50 of list_unclosed_days: [{day, payments, cashCents}].';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'What the drawer should hold now. Null before the first close, while an earlier day is open, after the close of today, and when cash is counted before the expected sum is shown.';

COMMENT ON FUNCTION "internal"."has_lines"(date) IS 'Whether a business date has anything to close.';

COMMENT ON FUNCTION "internal"."is_cash_count"(jsonb) IS 'Whether a value counts bills and coins: {"2000": 9} are nine of $20. The names are those of domain/money/cash-count.ts.';

COMMENT ON FUNCTION "internal"."latest_cash"(date) IS 'The last line of a day that moved cash, which the page names when the expected cash changes during a count; null without any.';

COMMENT ON FUNCTION "internal"."list_unclosed_days"(date) IS 'The days before a date that must be closed first: days with a line or a movement since the last close. Before the first close, days without any line from the counter need none, so a shop that is paid only online closes nothing.';

COMMENT ON FUNCTION "internal"."methods_of_day"(date) IS 'What each method received on a business date: {cash: {cents (minus what went back), payments, refunds}, card_terminal, …}.';

COMMENT ON FUNCTION "internal"."payments_after_close"(date) IS 'After the close of today: the day to which later payments count, and what they received: {day, receivedCents}. Null while today is not closed.';

COMMENT ON FUNCTION "internal"."refuse_close"(date) IS 'Refuses (TT110) to close a day that is to come, is closed, comes before a closed day, comes after a day that must be closed first, or has nothing to close.';

COMMENT ON FUNCTION "internal"."sum_cash_count"(jsonb) IS 'The cents of a count of bills and coins.';

COMMENT ON FUNCTION "public"."close_day"(jsonb) IS 'Closes a day finally and returns the id of the close: {date, startCents (of the first close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) when the expected cash is not the seen one any more.';

COMMENT ON FUNCTION "public"."correct_close"(uuid, integer, text) IS 'Adds a correction to a close, which itself never changes. Returns the id of the correction.';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'In one read, for the bar of the dashboard: whether anything needs attention, as read_today lists it (an arrived customer, a quote request without a reply for 12 hours, a failed email, a change to notify a customer of, a schedule conflict, a day that was not closed); today''s appointments that are not over, open tasks, pending quote requests that do not look automated, unpaid invoices.';

COMMENT ON FUNCTION "public"."read_day_close"(date) IS 'Everything about the close of one day, closed or not, in one read (contracts/payments/day-close.ts).';

COMMENT ON FUNCTION "public"."read_today"() IS 'read_day of today, with {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, payments_after_close, drawer_expects_cents, unclosed_days, expected_payments, invoices, week}: vehicles at the shop from other days, everything that needs attention, today''s payments, this week''s load (contracts/today.ts).';

COMMENT ON FUNCTION "public"."record_cash_movement"(text, integer, text) IS 'Records cash that was paid into the drawer or out of it without a payment of a customer. It counts to today, or to the next day when today is closed. Returns its id.';

COMMENT ON TABLE "public"."cash_drawers" IS 'The drawers that hold cash. The shop has one, the counter''s.';

COMMENT ON TABLE "public"."cash_movements" IS 'Cash that went into a drawer (change from the bank) or out of it (parts) without a payment of a customer. [append-only]';

COMMENT ON TABLE "public"."day_close_corrections" IS 'What was found out about the cash of a closed day later. [append-only]';

COMMENT ON TABLE "public"."day_closes" IS 'The closes of the days of each drawer, in US cents. [append-only]';

REVOKE ALL ON FUNCTION "internal"."announce_cash"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."announce_cash"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."announce_cash"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."business_date"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."business_date"(timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."business_date"(timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."cash_of_day"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."cash_of_day"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."cash_of_day"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."describe_unclosed_days"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_unclosed_days"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_unclosed_days"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."drawer_expects_cents"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."drawer_expects_cents"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."drawer_expects_cents"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."has_lines"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."has_lines"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."has_lines"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."is_cash_count"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."is_cash_count"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."is_cash_count"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."latest_cash"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."latest_cash"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."latest_cash"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."list_unclosed_days"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."list_unclosed_days"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."list_unclosed_days"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."methods_of_day"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."methods_of_day"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."methods_of_day"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."payments_after_close"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."payments_after_close"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."payments_after_close"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."refuse_close"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."refuse_close"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."refuse_close"(date) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."sum_cash_count"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."sum_cash_count"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."sum_cash_count"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "public"."close_day"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."close_day"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."close_day"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."close_day"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "public"."correct_close"(uuid, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."correct_close"(uuid, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."correct_close"(uuid, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."correct_close"(uuid, integer, text) TO "postgres";

REVOKE ALL ON FUNCTION "public"."read_day_close"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."read_day_close"(date) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_day_close"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_day_close"(date) TO "postgres";

REVOKE ALL ON FUNCTION "public"."record_cash_movement"(text, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."record_cash_movement"(text, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_cash_movement"(text, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."record_cash_movement"(text, integer, text) TO "postgres";

REVOKE ALL ("close_print_format") ON TABLE "public"."booking_rules" FROM "authenticated";

GRANT UPDATE ("close_print_format") ON TABLE "public"."booking_rules" TO "authenticated";

REVOKE ALL ("counts_cash_before_expected") ON TABLE "public"."booking_rules" FROM "authenticated";

GRANT UPDATE ("counts_cash_before_expected") ON TABLE "public"."booking_rules" TO "authenticated";

GRANT SELECT ON TABLE "public"."cash_drawers" TO "authenticated";

GRANT SELECT ON TABLE "public"."cash_movements" TO "authenticated";

GRANT SELECT ON TABLE "public"."day_close_corrections" TO "authenticated";

GRANT SELECT ON TABLE "public"."day_closes" TO "authenticated";

ALTER TABLE "public"."day_closes" ADD COLUMN "counted_cents" integer GENERATED ALWAYS AS (internal.sum_cash_count(counted)) STORED NOT NULL;

create or replace function internal.describe_close(close public.day_closes) returns jsonb
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

COMMENT ON FUNCTION "internal"."describe_close"(public.day_closes) IS 'A close with its corrections (contracts/payments/day-close.ts).';

REVOKE ALL ON FUNCTION "internal"."describe_close"(public.day_closes) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."describe_close"(public.day_closes) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."describe_close"(public.day_closes) TO "postgres";

ALTER TABLE "public"."day_closes" ADD CONSTRAINT "day_closes_counted_has_denominations" CHECK (internal.is_cash_count(counted));

ALTER TABLE "public"."day_closes" ADD CONSTRAINT "day_closes_difference_has_reason" CHECK (((reason IS NOT NULL) OR ((internal.sum_cash_count(counted) = expected_cents) AND (COALESCE(terminal_counted_cents, terminal_expected_cents) = terminal_expected_cents) AND (COALESCE(check_counted_cents, check_expected_cents) = check_expected_cents))));

ALTER TABLE "public"."day_closes" ADD CONSTRAINT "day_closes_remains_is_counted" CHECK (((remains_cents >= 0) AND (remains_cents <= internal.sum_cash_count(counted))));

insert into public.cash_drawers (id, name) values (1, 'Counter');

insert into internal.erasure_rules (table_name, column_name, treatment, reason) values
  ('public.cash_drawers', 'name', 'free', 'the name of a drawer'),
  ('public.cash_movements', 'kind', 'free', 'words of the product, and a staff account'),
  ('public.cash_movements', 'recorded_by_name', 'free', 'words of the product, and a staff account'),
  ('public.cash_movements', 'reason', 'kept', 'why cash was paid in or out, as part of the ledger'),
  ('public.day_closes', 'counted', 'free', 'words of the product, and a staff account'),
  ('public.day_closes', 'reason', 'free', 'words of the product, and a staff account'),
  ('public.day_closes', 'closed_by_name', 'free', 'words of the product, and a staff account'),
  ('public.day_closes', 'note', 'kept', 'why the cash of a day differed, as part of the ledger'),
  ('public.day_close_corrections', 'recorded_by_name', 'free', 'a staff account'),
  ('public.day_close_corrections', 'reason', 'kept', 'why the close of a day was corrected, as part of the ledger'),
  ('public.booking_rules', 'close_print_format', 'free', 'words of the product');
