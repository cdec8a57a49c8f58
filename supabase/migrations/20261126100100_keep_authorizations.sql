-- Who allowed which job, at what price, how and when (16 CCR 3354, BPC 9884.9): lines that are only added. And what was billed of
-- it: never more.

create table public.authorizations (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  revision integer not null,
  revision_hash text not null,
  job_key uuid not null,
  act_id uuid not null,
  job_title text not null,
  decision text not null constraint authorizations_decision_is_known check (decision in ('approved', 'declined', 'withdrawn')),
  amount_cents bigint not null constraint authorizations_amount_not_negative check (amount_cents >= 0),
  running_total_cents bigint not null constraint authorizations_total_not_negative check (running_total_cents >= 0),
  method text not null constraint authorizations_method_is_known
    check (method in ('web', 'in_person', 'phone', 'text', 'email', 'signature')),
  person text not null constraint authorizations_person_is_named check (internal.is_line(person, 1, 100)),
  relation text not null default '' constraint authorizations_relation_is_text check (internal.is_line(relation, 0, 60)),
  contact text not null default '' constraint authorizations_contact_is_text check (internal.is_line(contact, 0, 254)),
  words text not null default '' constraint authorizations_words_are_short check (length(words) <= 2000),
  wants_parts_back boolean not null default false,
  said_at timestamptz not null constraint authorizations_not_long_ago check (said_at >= '2000-01-01T00:00:00Z'),
  recorded_at timestamptz not null default internal.current_instant(),
  recorded_by text not null,
  constraint authorizations_once_an_act unique (act_id, job_key),
  constraint authorizations_bound_to_revision foreign key (estimate_id, revision, revision_hash)
    references public.estimate_revisions (estimate_id, revision, hash),
  constraint authorizations_of_a_job foreign key (estimate_id, revision, job_key) references public.estimate_jobs,
  constraint authorizations_say_the_number check (method not in ('phone', 'text', 'email') or length(trim(contact)) > 0),
  constraint authorizations_not_ahead check (said_at <= recorded_at + interval '5 minutes')
);
comment on table public.authorizations is 'The ledger of what customers allowed: one line a job and act. Nobody changes or takes a line back.';
comment on column public.authorizations.revision_hash is 'Of the frozen revision that was decided on.';
comment on column public.authorizations.act_id is 'Of what was decided at once.';
comment on column public.authorizations.decision is
  'declined leaves what was approved before as it is, at its price of then; withdrawn takes it back.';
comment on column public.authorizations.amount_cents is 'Of the job in that revision, tax included; the database writes it.';
comment on column public.authorizations.running_total_cents is 'What is authorized in all after this line; the database writes it.';
comment on column public.authorizations.relation is 'To the customer, where somebody else decided: ''husband''.';
comment on column public.authorizations.contact is 'The number called, or the address written to.';
comment on column public.authorizations.words is 'What was said, or what the page said.';
comment on column public.authorizations.wants_parts_back is 'Asked for the replaced parts (16 CCR 3355).';
comment on column public.authorizations.said_at is 'When it was said; recorded_at is when it was written down.';
comment on column public.authorizations.recorded_by is 'The admin''s username, or ''customer'' for the private page.';
create index authorizations_of_estimate on public.authorizations (estimate_id, job_key, id desc);
alter table public.authorizations enable row level security;
grant select on public.authorizations to authenticated;
create policy "the admin reads the ledger" on public.authorizations for select to authenticated using ((select internal.is_admin()));

create function internal.authorized_jobs(wanted_id uuid)
  returns table (job_key uuid, cents bigint, decision text, revision integer)
  language sql stable
  set search_path = ''
as $$
  select latest.job_key, case when binding.decision = 'approved' then binding.amount_cents else 0 end, latest.decision, latest.revision
  from (
    select distinct on (line.job_key) line.job_key, line.decision, line.revision from public.authorizations line
    where line.estimate_id = wanted_id order by line.job_key, line.id desc
  ) latest
  left join lateral (
    select line.decision, line.amount_cents from public.authorizations line
    where line.estimate_id = wanted_id and line.job_key = latest.job_key and line.decision <> 'declined'
    order by line.id desc limit 1
  ) binding on true
$$;
comment on function internal.authorized_jobs(uuid) is
  'What each job of an estimate may cost by the ledger, in cents, and what was last decided of it, at which revision.';

create function internal.fill_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  authorized_before bigint;
begin
  -- One after the other, or two running totals would miss each other.
  perform from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;
comment on function internal.fill_authorization() is 'Writes what a line of the ledger amounts to, whatever its writer says.';
create trigger fill_authorization before insert on public.authorizations
  for each row execute function internal.fill_authorization();
create trigger refuse_rewriting before update on public.authorizations
  for each statement execute function internal.refuse_rewriting();

create function internal.kept_until(happened_at timestamptz) returns date
  language sql stable
  set search_path = ''
  return (happened_at at time zone (select time_zone from public.shop) + interval '3 years')::date;
comment on function internal.kept_until(timestamptz) is
  'The day at the shop until which a record of a repair stays: three years (BPC 9884.11).';

create function internal.refuse_losing_records(kept_from timestamptz) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if kept_from is not null and internal.kept_until(kept_from) >= internal.shop_now()::date then
    raise exception 'This belongs to a repair whose records stay until %, as the law asks.', to_char(internal.kept_until(kept_from), 'FMMonth FMDD, YYYY')
      using errcode = 'TT076', hint = 'record_kept', detail = internal.kept_until(kept_from)::text;
  end if;
end
$$;
comment on function internal.refuse_losing_records(timestamptz) is
  'Refuses (TT076) that a record of this instant is deleted before its three years have passed; its detail is until when.';
grant execute on function internal.kept_until(timestamptz), internal.refuse_losing_records(timestamptz) to authenticated, shop_server;

create function internal.keep_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    perform internal.refuse_losing_records(max(recorded_at)) from public.authorizations
    where not internal.is_sample_estimate(estimate_id);
    return null;
  end if;
  if not internal.is_sample_estimate(old.estimate_id) then
    perform internal.refuse_losing_records(old.recorded_at);
  end if;
  return old;
end
$$;
comment on function internal.keep_authorization() is 'Keeps lines of the ledger for three years, whoever asks.';
create trigger keep_authorization before delete on public.authorizations
  for each row execute function internal.keep_authorization();
create trigger keep_authorizations before truncate on public.authorizations
  for each statement execute function internal.keep_authorization();

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
  'The one invoice of an estimate: claimed before the processor is asked, so that no death on the way makes two; its id is the request''s.';
comment on column public.estimate_invoices.state is
  'claimed (being made), made, failed (the processor refused it, nothing stands there), voided (another can be made).';
create unique index estimate_invoices_one_an_estimate on public.estimate_invoices (estimate_id) where state in ('claimed', 'made');
create unique index estimate_invoices_of_invoice on public.estimate_invoices (invoice_id);
create index estimate_invoices_claimed on public.estimate_invoices (claimed_at) where state = 'claimed';

create table public.estimate_invoice_jobs (
  claim_id uuid not null references public.estimate_invoices on delete cascade,
  job_key uuid not null,
  cents bigint not null constraint estimate_invoice_jobs_not_negative check (cents >= 0),
  primary key (claim_id, job_key)
);
comment on table public.estimate_invoice_jobs is 'What an invoice bills for each job, tax included: never above what the ledger allows.';

create function internal.is_other_work(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  approved_revision constant integer := (
    select line.revision from public.authorizations line
    where line.estimate_id = wanted_id and line.job_key = wanted_key and line.decision = 'approved' order by line.id desc limit 1);
begin
  return (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, wanted_revision, wanted_key))
      is distinct from
      (select title from public.estimate_jobs where (estimate_id, revision, key) = (wanted_id, approved_revision, wanted_key))
    or exists (
      select from public.estimate_lines sold
      where (sold.estimate_id, sold.revision, sold.job_key) = (wanted_id, wanted_revision, wanted_key) and sold.kind <> 'discount'
        and not exists (
          select from public.estimate_lines approved
          where (approved.estimate_id, approved.revision, approved.job_key) = (wanted_id, approved_revision, wanted_key)
            and (approved.kind, approved.detail, approved.description) = (sold.kind, sold.detail, sold.description)));
end
$$;
comment on function internal.is_other_work(uuid, integer, uuid) is
  'Whether a job of a revision is called otherwise than what was approved of it last, or sells something that was not in it. Hours, '
  'counts and prices may differ, and lines may be gone.';

create function internal.refuse_above_authorized() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- No approval is taken back while it is counted.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice is never above what was approved.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_other_work(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice is of nothing but what was approved.' using errcode = 'TT072', hint = 'other_work',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$$;
comment on function internal.refuse_above_authorized() is 'Refuses (TT072) to bill a job, or all jobs, above what the ledger allows; no tolerance.';
create trigger refuse_above_authorized before insert or update on public.estimate_invoice_jobs
  for each row execute function internal.refuse_above_authorized();

create function internal.check_billed_total() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if new.total_cents <> (select coalesce(sum(cents), 0) from public.estimate_invoice_jobs where claim_id = new.id) then
    raise exception 'An invoice is the sum of its jobs.' using errcode = 'TT072', hint = 'total_differs';
  end if;
  return null;
end
$$;
comment on function internal.check_billed_total() is 'At the end of the transaction an invoice is exactly the sum of its jobs.';
create constraint trigger check_billed_total after insert or update on public.estimate_invoices
  deferrable initially deferred for each row execute function internal.check_billed_total();

create function internal.keep_claim() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.refuse_losing_records(old.claimed_at);
    end if;
    return old;
  end if;
  if (new.id, new.estimate_id, new.revision, new.total_cents, new.tax_cents) is distinct from
     (old.id, old.estimate_id, old.revision, old.total_cents, old.tax_cents) then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;
comment on function internal.keep_claim() is 'Of an invoice''s claim only its state, and what the processor called it, is written.';
create trigger keep_claim before update or delete on public.estimate_invoices
  for each row execute function internal.keep_claim();

create function internal.keep_billed_jobs() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices where id = old.claim_id) then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return old;
end
$$;
comment on function internal.keep_billed_jobs() is 'The jobs of an invoice stay as long as its claim.';
create trigger keep_billed_jobs before update or delete on public.estimate_invoice_jobs
  for each row execute function internal.keep_billed_jobs();

alter table public.estimate_invoices enable row level security;
alter table public.estimate_invoice_jobs enable row level security;
grant select on public.estimate_invoices, public.estimate_invoice_jobs to authenticated, shop_server;
create policy "the admin reads invoices of estimates" on public.estimate_invoices
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads jobs of invoices" on public.estimate_invoice_jobs
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads invoices of estimates" on public.estimate_invoices for select to shop_server using (true);
create policy "the server reads jobs of invoices" on public.estimate_invoice_jobs for select to shop_server using (true);
