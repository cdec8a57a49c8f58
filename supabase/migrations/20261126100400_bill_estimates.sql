-- What was approved becomes work, and what was approved is what can be billed: never more, by construction.

alter table public.tasks
  add column estimate_id uuid references public.estimates,
  add column estimate_job_key uuid,
  add constraint tasks_name_estimate_and_job check ((estimate_id is null) = (estimate_job_key is null)),
  add constraint tasks_one_a_job unique (estimate_id, estimate_job_key);
comment on column public.tasks.estimate_id is 'The estimate whose approved job this task does.';
alter table public.emails add column estimate_id uuid references public.estimates on delete cascade;
create index emails_of_estimate on public.emails (estimate_id) where estimate_id is not null;

create function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', revision.document ->> 'customerEmail',
        'phone', revision.document ->> 'customerPhone'),
      'vehicle', revision.document -> 'vehicle', 'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(revision.document -> 'jobs') with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );
comment on function internal.describe_claim(public.estimate_invoices) is 'What an invoice is to say: the customer, and the billed jobs as they were frozen.';

create function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, by_name text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.take_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or whoever heals a death: the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.name_conflict(estimate);
  end if;
  latest := internal.freeze(estimate);
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.key, estimate.id);
  return internal.describe_claim(claim);
end
$$;
comment on function internal.claim_estimate_invoice(uuid, integer, text) is
  'Claims the one invoice of an estimate, in the name of an admin: its approved jobs as the latest revision has them, refused (TT072) '
  'when one costs more than was approved. A claim that stands is answered again.';

create function internal.is_approved(wanted_key uuid, wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select line.decision = 'approved' from public.authorizations line
    where line.estimate_id = wanted_id and line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false);
comment on function internal.is_approved(uuid, uuid) is 'Whether a job was approved at some price, and that was not taken back.';

create function internal.note_estimate_invoice(request_id uuid, new_state text, new_invoice_id text default null, new_number text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
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
  update public.estimates set version = version + 1, changed_at = clock_timestamp() where id = claim.estimate_id;
  return true;
end
$$;
comment on function internal.note_estimate_invoice(uuid, text, text, text) is
  'Notes what became of a claim: made (with the processor''s id and number), failed, or later voided; whether this was news.';

create function internal.list_unmade_estimate_invoices(older_than_seconds integer) returns setof uuid
  language sql stable
  security definer
  set search_path = ''
as $$
  select id from public.estimate_invoices
  where state = 'claimed' and claimed_at < now() - older_than_seconds * interval '1 second' order by claimed_at limit 20
$$;
comment on function internal.list_unmade_estimate_invoices(integer) is 'Claims whose maker seems to have died: at most 20, oldest first.';

create function internal.read_claim(request_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim) from public.estimate_invoices claim where claim.id = request_id
$$;
comment on function internal.read_claim(uuid) is 'What an invoice of an estimate is to say, by its claim.';
grant execute on function internal.claim_estimate_invoice(uuid, integer, text), internal.note_estimate_invoice(uuid, text, text, text),
  internal.list_unmade_estimate_invoices(integer), internal.read_claim(uuid) to shop_server;

create function public.create_estimate_tasks(estimate_id uuid) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  made integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(create_estimate_tasks.estimate_id, null);
  insert into public.tasks (title, description, booking_id, assigned_to, estimate_id, estimate_job_key)
  select job.title,
    (select string_agg(line.description || case line.kind
        when 'labor' then ', ' || trim_scale(line.thousandths / 1000.0) || ' h'
        when 'part' then ', ' || trim_scale(line.thousandths / 1000.0) || ' pcs' else '' end, E'\n' order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key) and line.kind <> 'discount'),
    estimate.booking_id,
    (select employee.id from public.bookings booking
      join public.bays bay on bay.id = booking.bay_id
      join public.employees employee on employee.name = bay.technician and employee.is_active
      where booking.id = estimate.booking_id order by employee.id limit 1),
    estimate.id, job.key
  from public.estimate_jobs job
  where job.estimate_id = estimate.id
    and job.revision = (select (internal.offered_revision(estimate.id)).revision)
    and internal.is_approved(job.key, estimate.id)
  order by job.position
  on conflict (estimate_id, estimate_job_key) do nothing;
  get diagnostics made = row_count;
  update public.estimates set changed_at = clock_timestamp() where id = estimate.id and made > 0;
  return made;
end
$$;
comment on function public.create_estimate_tasks(uuid) is
  'Makes a task of each approved job that has none yet, for whoever works in the appointment''s bay: how many were made.';
grant execute on function public.create_estimate_tasks(uuid) to authenticated;

create function internal.read_thread(wanted uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'label', label, 'state', state, 'at', at) order by at), '[]')
    from (
      select 'quote' as kind, quote.id::text, quote.name as label, quote.status as state, quote.created_at as at
      from public.quote_requests quote where quote.thread_id = wanted
      union all
      select 'booking', booking.id::text, booking.appointment_date || ' ' || to_char(booking.appointment_time, 'HH24:MI'),
        internal.booking_state(booking), booking.created_at
      from public.bookings booking where booking.thread_id = wanted
      union all
      select 'estimate', estimate.id::text, estimate.number, internal.estimate_state(estimate), estimate.created_at
      from public.estimates estimate where estimate.thread_id = wanted
      union all
      select 'task', task.id::text, task.title, task.status, task.created_at
      from public.tasks task
      where task.estimate_id in (select id from public.estimates where thread_id = wanted)
        or task.booking_id in (select id from public.bookings where thread_id = wanted)
      union all
      select 'invoice', coalesce(claim.invoice_id, claim.id::text), coalesce(claim.number, ''), claim.state, claim.claimed_at
      from public.estimate_invoices claim where claim.estimate_id in (select id from public.estimates where thread_id = wanted)
      union all
      select 'payment', payment.id::text, (payment.amount_cents / 100.0)::numeric(12, 2)::text, payment.outcome, payment.paid_at
      from public.payments payment
      where payment.invoice_id in (
        select claim.invoice_id from public.estimate_invoices claim
        where claim.estimate_id in (select id from public.estimates where thread_id = wanted))
    ) linked
  );
comment on function internal.read_thread(uuid) is 'All that belongs to one repair, oldest first: [{kind, id, label, state, at}].';

create function public.read_thread(kind text, id text) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return internal.read_thread(case read_thread.kind
    when 'quote' then (select thread_id from public.quote_requests quote where quote.id = read_thread.id::uuid)
    when 'booking' then (select thread_id from public.bookings booking where booking.id = read_thread.id::uuid)
    when 'estimate' then (select thread_id from public.estimates estimate where estimate.id = read_thread.id::uuid)
    when 'task' then (
      select coalesce(estimate.thread_id, booking.thread_id) from public.tasks task
      left join public.estimates estimate on estimate.id = task.estimate_id
      left join public.bookings booking on booking.id = task.booking_id
      where task.id = read_thread.id::uuid)
    when 'invoice' then (
      select estimate.thread_id from public.estimate_invoices claim
      join public.estimates estimate on estimate.id = claim.estimate_id where claim.invoice_id = read_thread.id)
  end);
end
$$;
comment on function public.read_thread(text, text) is
  'What belongs to the same repair as a quote, booking, estimate, task or invoice, oldest first; empty when it is alone.';
grant execute on function public.read_thread(text, text) to authenticated;

create function internal.keep_records() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.refuse_losing_records(max(revision.frozen_at))
  from public.estimates estimate
  join public.estimate_revisions revision on revision.estimate_id = estimate.id
  where not estimate.is_sample and estimate.thread_id = case tg_table_name when 'tasks' then
      (select linked.thread_id from public.estimates linked where linked.id = (to_jsonb(old) ->> 'estimate_id')::uuid)
    else (to_jsonb(old) ->> 'thread_id')::uuid end;
  return old;
end
$$;
comment on function internal.keep_records() is
  'Keeps what belongs to a repair whose estimate was handed over for three years (BPC 9884.11), whoever asks.';
create trigger keep_records before delete on public.bookings for each row execute function internal.keep_records();
create trigger keep_records before delete on public.quote_requests for each row execute function internal.keep_records();
create trigger keep_records before delete on public.tasks for each row execute function internal.keep_records();
