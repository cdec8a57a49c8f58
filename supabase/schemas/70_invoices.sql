-- Stripe stores the invoices; these tables link them to the shop's records. The invoice of an estimate contains
-- approved jobs only and never exceeds the authorized amount. Before the server creates this invoice at Stripe, it
-- inserts a row into estimate_invoices, called the claim. Each invoice number is assigned only once.

create sequence internal.invoice_count;
comment on sequence internal.invoice_count is
  'The sequence of invoice numbers, which continues over the years. A number that is assigned but not used leaves a '
  'gap.';
grant usage on sequence internal.invoice_count to shop_server;

create table public.estimate_invoices (
  id uuid primary key default gen_random_uuid(),
  estimate_id uuid not null,
  revision integer not null,
  state text not null default 'claimed' constraint estimate_invoices_state_is_known
    check (state in ('claimed', 'made', 'failed', 'voided')),
  total_cents bigint not null constraint estimate_invoices_total_in_range check (total_cents between 1 and 99999999),
  tax_cents bigint not null constraint estimate_invoices_tax_in_range check (tax_cents between 0 and total_cents),
  invoice_id text constraint estimate_invoices_invoice_id_is_short check (length(invoice_id) <= 100),
  number text constraint estimate_invoices_number_is_short check (length(number) <= 40),
  claimed_at timestamptz not null default now(),
  claimed_by text not null,
  settled_at timestamptz,
  foreign key (estimate_id, revision) references public.estimate_revisions,
  constraint estimate_invoices_made_with_invoice check (state not in ('made', 'voided') or (invoice_id is not null and number is not null))
);
comment on table public.estimate_invoices is
  'The invoices of estimates. Before the server creates an invoice at Stripe, it inserts a row, called the claim. The '
  'id of the row is the id of the request to Stripe, so that a retry after a crash never creates a second invoice. '
  '[append-only]';
comment on column public.estimate_invoices.state is
  'The state of the invoice: claimed (the invoice is being created), made, failed (Stripe refused it, and no invoice '
  'exists), voided (another invoice can be created).';

create unique index estimate_invoices_one_per_estimate on public.estimate_invoices (estimate_id) where state in ('claimed', 'made');
create unique index estimate_invoices_of_invoice on public.estimate_invoices (invoice_id);
create index estimate_invoices_claimed on public.estimate_invoices (claimed_at) where state = 'claimed';

alter table public.estimate_invoices enable row level security;
grant select on public.estimate_invoices to authenticated, shop_server;
create policy "the admin reads invoices of estimates" on public.estimate_invoices
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads invoices of estimates" on public.estimate_invoices for select to shop_server using (true);

create function internal.check_billed_total() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if new.total_cents <> (select coalesce(sum(cents), 0) from public.estimate_invoice_jobs where claim_id = new.id) then
    raise exception 'An invoice is the sum of its jobs.' using errcode = 'TT072', hint = 'total_differs';
  end if;
  return null;
end
$$;
comment on function internal.check_billed_total() is
  'Refuses (TT072) an invoice whose total is not the sum of its jobs. The check runs at the end of the transaction.';
create constraint trigger check_billed_total after insert or update on public.estimate_invoices deferrable initially deferred
  for each row execute function internal.check_billed_total();

create function internal.prevent_claim_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.raise_record_retained(old.claimed_at);
    end if;
    return old;
  end if;
  if to_jsonb(new) - '{state,invoice_id,number,settled_at}'::text[] <> to_jsonb(old) - '{state,invoice_id,number,settled_at}'::text[] then
    raise exception 'A billed job cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if (old.state, new.state) not in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
     or new.invoice_id is distinct from coalesce(old.invoice_id, new.invoice_id)
     or new.number is distinct from coalesce(old.number, new.number) then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.prevent_claim_change() is
  'Allows only two changes of a claim (a row of estimate_invoices): from claimed to made (with the invoice that Stripe '
  'created) or failed, and from made to voided. Refuses every other update.';
create trigger prevent_claim_change before update or delete on public.estimate_invoices
  for each row execute function internal.prevent_claim_change();

-- This trigger prevents deletion and truncation. The trigger prevent_claim_change checks updates: the state of a claim
-- never changes back.
create trigger prevent_history_change before delete or truncate on public.estimate_invoices
  for each statement execute function internal.prevent_history_change('erasure DELETE', 'sample_week_removal DELETE');

create table public.estimate_invoice_jobs (
  claim_id uuid not null references public.estimate_invoices on delete cascade,
  job_key uuid not null,
  cents bigint not null constraint estimate_invoice_jobs_not_negative check (cents >= 0),
  primary key (claim_id, job_key)
);
comment on table public.estimate_invoice_jobs is
  'The jobs of an invoice, each with the billed amount in cents including tax, which never exceeds the authorized '
  'amount. [append-only]';

alter table public.estimate_invoice_jobs enable row level security;
grant select on public.estimate_invoice_jobs to authenticated, shop_server;
create policy "the admin reads jobs of invoices" on public.estimate_invoice_jobs
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads jobs of invoices" on public.estimate_invoice_jobs for select to shop_server using (true);

create function internal.refuse_above_authorized() returns trigger
  language plpgsql set search_path = '' as $$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- Locks the estimate, so that no approval is withdrawn during the check.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice cannot exceed the approved amount.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_scope_changed(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice can bill approved work only.' using errcode = 'TT072', hint = 'scope_changed',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$$;
comment on function internal.refuse_above_authorized() is
  'Refuses (TT072) to bill a job, or all jobs together, above the authorized amount, even by one cent.';
create trigger refuse_above_authorized before insert or update on public.estimate_invoice_jobs
  for each row execute function internal.refuse_above_authorized();

create function internal.prevent_billed_job_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from public.estimate_invoices where id = old.claim_id) then
    raise exception 'A billed job cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return old;
end
$$;
comment on function internal.prevent_billed_job_change() is
  'Prevents changes and deletions of the jobs of an invoice while the invoice has a row in estimate_invoices.';
create trigger prevent_billed_job_change before update or delete on public.estimate_invoice_jobs
  for each row execute function internal.prevent_billed_job_change();

create trigger prevent_history_change before update or delete or truncate on public.estimate_invoice_jobs
  for each statement execute function internal.prevent_history_change('erasure DELETE', 'sample_week_removal DELETE');

create table public.invoices (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text check (length(number) between 1 and 100),
  customer_id uuid references public.customers,
  vehicle_id uuid references public.vehicles,
  booking_id uuid references public.bookings on delete set null,
  customer_name text not null check (length(customer_name) <= 200),
  total_cents bigint not null,
  tax_cents bigint constraint invoices_tax_in_range check (tax_cents >= 0),
  due_date date,
  remaining_at_stripe_cents bigint,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null check (length(status) between 1 and 30),
  voided_at timestamptz,
  written_off_at timestamptz,
  created_at timestamptz not null,
  search_text text not null generated always as (internal.normalize_search_text(coalesce(number, '') || ' ' || customer_name)) stored,
  is_test boolean not null default false
);
comment on table public.invoices is
  'The local records of Stripe invoices: customer, number, total and status. A row is retained for three years, even '
  'if the customer is erased.';
comment on column public.invoices.customer_name is 'The name on the invoice.';
comment on column public.invoices.total_cents is 'The total, in minor units of the currency.';
comment on column public.invoices.tax_cents is
  'The sales tax in total_cents; null for an older row until the server reads the invoice from Stripe again.';
comment on column public.invoices.due_date is
  'The last day on which a payment is not late, in shop time; null if the invoice has no due date.';
comment on column public.invoices.remaining_at_stripe_cents is
  'The unpaid amount at Stripe when the invoice was last read. The shop''s own balance is '
  'internal.invoice_balance_cents. The dashboard shows a difference between the two amounts, but the difference '
  'changes neither of them.';
comment on column public.invoices.voided_at is
  'When staff voided the invoice. The column status changes later, when a job has reported the change to Stripe.';
comment on column public.invoices.written_off_at is
  'When staff wrote the invoice off. The column status changes later, when a job has reported the change to Stripe.';
comment on column public.invoices.is_test is
  'Whether the invoice was created in the payment sandbox, in which no money moves.';
comment on column public.invoices.status is
  'The status at Stripe when the server last read the invoice: open, paid, void, uncollectible.';

create index invoices_of_customer on public.invoices (customer_id, created_at desc);
create index invoices_by_time on public.invoices (created_at desc, invoice_id);
create index invoices_unpaid on public.invoices (created_at) where status = 'open';
create index invoices_of_vehicle on public.invoices (vehicle_id) where vehicle_id is not null;
create index invoices_of_booking on public.invoices (booking_id) where booking_id is not null;
create index invoices_of_stripe on public.invoices (invoice_id) where not is_test;
create index invoices_by_search_text on public.invoices using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

alter table public.invoices enable row level security;
grant select on public.invoices to authenticated;
create policy "the admin reads invoices" on public.invoices for select to authenticated using ((select internal.is_admin()));

create function internal.recognize_test_invoice() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.is_test := exists (select from stripe_sandbox.objects where id = new.invoice_id);
  return new;
end
$$;
comment on function internal.recognize_test_invoice() is 'Marks an invoice of the payment sandbox as a test.';
create trigger recognize_test_invoice before insert on public.invoices for each row execute function internal.recognize_test_invoice();

create trigger publish_customer_change after insert or update on public.invoices
  for each row execute function internal.publish_customer_change();
create trigger announce_invoice after insert on public.invoices for each row execute function internal.announce_invoice();
create trigger announce_changed_invoice after update on public.invoices
  for each row when (old.* is distinct from new.*) execute function internal.announce_invoice();

create table internal.invoice_numbers (
  invoice_id text primary key check (length(invoice_id) between 4 and 100),
  number text not null check (length(number) between 1 and 100),
  created_at timestamptz not null default now()
);
comment on table internal.invoice_numbers is
  'An index of invoice numbers, with which the server finds a new invoice immediately; Stripe''s own search finds it '
  'only a minute later. The server reads the content of the invoice from Stripe.';
comment on column internal.invoice_numbers.number is
  'The number of the invoice. The column is not unique; if two invoices have the same number, staff choose between '
  'them.';

-- Customers type invoice numbers in upper or lower case. Stripe's search ignores case, and so do this index and the
-- search of the sandbox.
create index invoice_numbers_in_any_case on internal.invoice_numbers (lower(number));

alter table internal.invoice_numbers enable row level security;
grant select, insert, update on internal.invoice_numbers to shop_server;
create policy "the server finds invoices" on internal.invoice_numbers for select to shop_server using (true);
create policy "the server adds invoice numbers" on internal.invoice_numbers for insert to shop_server with check (true);
create policy "the server corrects invoice numbers" on internal.invoice_numbers for update to shop_server using (true) with check (true);

create table internal.assigned_invoice_numbers (
  request_id text primary key check (length(request_id) between 8 and 64),
  number text not null unique check (number ~ '^INV-\d{4}-\d{4,10}-[2-9B-DF-HJKMNP-TV-Z]{6}$'),
  assigned_at timestamptz not null default now()
);
comment on table internal.assigned_invoice_numbers is
  'The invoice number that each request to create an invoice got. A repeated request must send the same number, as '
  'Stripe''s idempotency keys require.';

alter table internal.assigned_invoice_numbers enable row level security;
grant select, insert on internal.assigned_invoice_numbers to shop_server;
create policy "the server finds assigned numbers" on internal.assigned_invoice_numbers for select to shop_server using (true);
create policy "the server assigns numbers" on internal.assigned_invoice_numbers for insert to shop_server with check (true);

create table internal.invoice_backfill (
  id boolean primary key default true constraint invoice_backfill_is_one_row check (id),
  after_invoice_id text,
  done_at timestamptz
);
comment on table internal.invoice_backfill is 'The progress of the backfill of older invoices from Stripe, in one row.';

insert into internal.invoice_backfill default values on conflict do nothing;

alter table internal.invoice_backfill enable row level security;
grant select on internal.invoice_backfill to shop_server;
grant update (after_invoice_id, done_at) on internal.invoice_backfill to shop_server;
create policy "the server reads the invoice backfill" on internal.invoice_backfill for select to shop_server using (true);
create policy "the server changes the invoice backfill" on internal.invoice_backfill
  for update to shop_server using (true) with check (true);

create function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'kind', estimate.kind, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', estimate.customer_email,
        'phone', revision.document ->> 'customerPhone'),
      -- Reads the odometer from the estimate, because staff may have recorded it after the revision was sent.
      'vehicle', (revision.document -> 'vehicle') || jsonb_build_object('odometerMiles',
        coalesce((revision.document #>> '{vehicle,odometerMiles}')::integer, estimate.odometer_miles)),
      'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(internal.read_document_jobs(revision.document)) with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    join public.estimates estimate on estimate.id = revision.estimate_id
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );
comment on function internal.describe_claim(public.estimate_invoices) is
  'The content of the invoice that a claim (a row of estimate_invoices) is for: the customer, and the billed jobs as '
  'they were frozen.';

create function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text)
  returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to write estimate_invoices and
  -- estimate_invoice_jobs.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or a retry after a crash, gets the existing claim.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  latest := internal.freeze_revision(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  if estimate.kind = 'repair' and estimate.odometer_miles is null then
    raise exception 'An invoice states the odometer reading.' using errcode = 'TT074', hint = 'odometer_missing';
  end if;
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), changed_by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'No job of this estimate is approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.job_key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.job_key, estimate.id);
  return internal.describe_claim(claim);
end
$$;
comment on function internal.claim_estimate_invoice(uuid, integer, text) is
  'Creates the claim (the row of estimate_invoices) for the invoice of an estimate in the name of an admin. The '
  'invoice contains the approved jobs of the latest revision. Refused (TT072) when a job costs more than was approved, '
  'or (TT074) without an odometer reading. If a claim exists already, the function returns that claim.';
grant execute on function internal.claim_estimate_invoice(uuid, integer, text) to shop_server;

create function internal.record_estimate_invoice_state(
  request_id uuid, new_state text, new_invoice_id text default null, new_number text default null
) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write estimate_invoices and
  -- estimates.
  language plpgsql security definer set search_path = '' as $$
declare
  claim public.estimate_invoices;
begin
  update public.estimate_invoices
  set state = new_state, invoice_id = coalesce(new_invoice_id, invoice_id), number = coalesce(new_number, number), settled_at = now()
  where id = request_id and state <> new_state
    and (state, new_state) in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
  returning * into claim;
  if not found then
    return false;
  end if;
  case new_state
    when 'made' then perform internal.apply_deposit(claim);
    when 'voided' then perform internal.release_deposit(claim);
    else null;
  end case;
  update public.estimates set version = version + 1, changed_at = clock_timestamp() where id = claim.estimate_id;
  return true;
end
$$;
comment on function internal.record_estimate_invoice_state(uuid, text, text, text) is
  'Records the result of a claim (a row of estimate_invoices): made (with the id and number of the invoice), '
  'failed, or later voided. Returns whether the claim changed.';
grant execute on function internal.record_estimate_invoice_state(uuid, text, text, text) to shop_server;

create function internal.list_stale_invoice_claims(older_than_seconds integer) returns setof uuid
  -- Runs with the rights of the function's owner, because the server has no right to update estimate_invoices.
  language sql stable security definer set search_path = '' as $$
  select id from public.estimate_invoices
  where state = 'claimed' and claimed_at < now() - older_than_seconds * interval '1 second' order by claimed_at limit 20
$$;
comment on function internal.list_stale_invoice_claims(integer) is
  'The claims (rows of estimate_invoices) that are unfinished for longer than the given time, probably because the '
  'process crashed before Stripe created the invoice: at most 20, oldest first.';
grant execute on function internal.list_stale_invoice_claims(integer) to shop_server;

create function internal.read_estimate_invoice(request_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to call describe_claim.
  language sql stable security definer set search_path = '' as $$
  select internal.describe_claim(claim) from public.estimate_invoices claim where claim.id = request_id
$$;
grant execute on function internal.read_estimate_invoice(uuid) to shop_server;

create function internal.list_repair_records(wanted uuid) returns jsonb
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

create function public.list_repair_records(kind text, id text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call list_repair_records.
  -- require_admin() checks that the caller is the admin.
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
comment on function public.list_repair_records(text, text) is
  'All records of one repair (quote requests, bookings, estimates, tasks and invoices), oldest first. The arguments are '
  'the kind and the id of any of these records.';
grant execute on function public.list_repair_records(text, text) to authenticated;

create function internal.prevent_retained_record_delete() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to read
  -- estimates and estimate_revisions.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.raise_record_retained(max(revision.frozen_at))
  from public.estimates estimate
  join public.estimate_revisions revision on revision.estimate_id = estimate.id
  where not estimate.is_sample and estimate.repair_id = case tg_table_name when 'tasks' then
      (select linked.repair_id from public.estimates linked where linked.id = (to_jsonb(old) ->> 'estimate_id')::uuid)
    else (to_jsonb(old) ->> 'repair_id')::uuid end;
  return old;
end
$$;
comment on function internal.prevent_retained_record_delete() is
  'Prevents every role from deleting the records of a repair with a sent estimate for three years (BPC 9884.11).';

create function internal.read_printable_invoice(invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and to call
  -- describe_claim and describe_authorizations.
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'dueAt', (select extract(epoch from known.due_date::timestamp at time zone shop.time_zone)::bigint
      from public.invoices known, public.shop where known.invoice_id = read_printable_invoice.invoice_id),
    'work', (select internal.describe_claim(claim)
        || jsonb_build_object('payer', revision.document -> 'payer', 'authorizations', internal.describe_authorizations(claim.estimate_id),
          'tearDownDeclines', internal.list_tear_down_declines(claim.estimate_id))
      from public.estimate_invoices claim
      join public.estimate_revisions revision
        on (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
      where claim.invoice_id = read_printable_invoice.invoice_id))
$$;
comment on function internal.read_printable_invoice(text) is
  'The data of a printed invoice, found by its Stripe id: {dueAt (seconds since 1970), work}. For an invoice of an '
  'estimate, work contains its claim, its third-party payer and the authorizations; for any other invoice, work is '
  'null.';
grant execute on function internal.read_printable_invoice(text) to shop_server;

create function internal.is_sample_invoice(number text) returns boolean
  language sql stable set search_path = ''
  return exists (select from internal.sample_invoices() sample where sample.number = is_sample_invoice.number);

create function internal.link_invoice(invoice jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  -- The original invoice, if the given invoice replaces another one.
  replaced public.invoices;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  tax constant bigint := (invoice ->> 'tax_cents')::bigint;
  due constant date := (select (to_timestamp((invoice ->> 'due_at')::bigint) at time zone time_zone)::date from public.shop);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  -- An update does not change a stored tax amount or due date, because these values of an invoice do not change at
  -- Stripe.
  update public.invoices known
  set number = invoice ->> 'number', status = invoice ->> 'status', tax_cents = coalesce(known.tax_cents, tax),
    due_date = coalesce(known.due_date, due), remaining_at_stripe_cents = (invoice ->> 'remaining_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  select original.* into replaced
  from internal.assigned_invoice_numbers assigned
  join public.replacement_invoices known on known.id::text = assigned.request_id
  join public.invoices original on original.invoice_id = known.original_invoice_id
  where assigned.number = invoice ->> 'number';
  owner_id := coalesce(estimate.customer_id, replaced.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, tax_cents, due_date,
    remaining_at_stripe_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, coalesce(estimate.vehicle_id, replaced.vehicle_id),
    coalesce(estimate.booking_id, replaced.booking_id), name,
    (invoice ->> 'total_cents')::bigint, tax, due, (invoice ->> 'remaining_cents')::bigint, invoice ->> 'currency',
    invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
  perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
end
$$;
comment on function internal.link_invoice(jsonb) is
  'Creates or updates the local record of a Stripe invoice. The argument is {id, number, name, email, phone, '
  'total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970), lines (in '
  'the format of internal.keep_invoice_lines; null if not all lines are known)}. The customer is that of the '
  'estimate or of the replaced invoice; otherwise the customer with this email address or phone number.';
grant execute on function internal.link_invoice(jsonb) to shop_server;

create function internal.has_invoice(booking_id uuid) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to call booking_invoice.
  language sql stable security definer set search_path = ''
  return exists (select from internal.booking_invoice(has_invoice.booking_id));
comment on function internal.has_invoice(uuid) is
  'Whether a booking has an invoice. The visit page and the emails of a booking with an invoice do not state that a '
  'cancellation is free.';
grant execute on function internal.has_invoice(uuid) to shop_server;
