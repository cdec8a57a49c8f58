-- What a repair will cost, before it starts: an estimate has revisions, a revision has jobs, a job has lines. What was handed
-- to a customer stays as it was; editing it begins the next revision (docs/product.md 15).

create table public.estimate_rules (
  id boolean primary key default true constraint estimate_rules_are_one_row check (id),
  labor_rate_cents integer not null default 14500
    constraint estimate_rules_labor_rate_in_range check (labor_rate_cents between 0 and 1000000),
  good_for_days integer not null default 14 constraint estimate_rules_good_for_days_in_range check (good_for_days between 1 and 365),
  registration_number text not null default ''
    constraint estimate_rules_registration_number_is_text check (internal.is_line(registration_number, 0, 30)),
  epa_number text not null default '' constraint estimate_rules_epa_number_is_text check (internal.is_line(epa_number, 0, 30)),
  conditions text not null default '' constraint estimate_rules_conditions_are_short check (length(conditions) <= 2000),
  version integer not null default 1
);
comment on table public.estimate_rules is 'How the shop writes estimates, in one row.';
comment on column public.estimate_rules.labor_rate_cents is 'Of one hour: what a new labor line begins with.';
comment on column public.estimate_rules.good_for_days is 'How many days after today a new estimate is good until.';
comment on column public.estimate_rules.registration_number is 'Of the Bureau of Automotive Repair, on every estimate and invoice (16 CCR 3356).';
comment on column public.estimate_rules.epa_number is 'Without it nothing is charged for hazardous waste (16 CCR 3356.1, 3357).';
comment on column public.estimate_rules.conditions is 'What is printed below every estimate and invoice.';
insert into public.estimate_rules default values;

create table public.tax_rates (
  effective_from date primary key,
  rate integer not null constraint tax_rates_rate_in_range check (rate between 0 and 300000)
);
comment on table public.tax_rates is 'The sales tax, from a day at the shop on. Every document keeps the rate that it was begun with.';
comment on column public.tax_rates.rate is 'In ten-thousandths of a percent: 9.125 % is 91250.';
insert into public.tax_rates values ('2026-01-01', 91250);

create function internal.tax_rate_on(day date) returns integer
  language sql stable
  set search_path = ''
  return coalesce((select rate from public.tax_rates where effective_from <= day order by effective_from desc limit 1), 0);
comment on function internal.tax_rate_on(date) is 'The sales tax on a day at the shop, in ten-thousandths of a percent; 0 before the first.';

-- What belongs to one repair has one id: quote, appointment, estimate, tasks, invoices.
alter table public.quote_requests add column thread_id uuid not null default gen_random_uuid();
alter table public.bookings add column thread_id uuid not null default gen_random_uuid();
comment on column public.quote_requests.thread_id is 'What belongs to one repair has the same.';
comment on column public.bookings.thread_id is 'What belongs to one repair has the same.';
create index quote_requests_by_thread on public.quote_requests (thread_id);
create index bookings_by_thread on public.bookings (thread_id);

create sequence internal.estimate_count start 101;

create table public.estimates (
  id uuid primary key default gen_random_uuid(),
  number text not null unique default 'E-' || lpad(nextval('internal.estimate_count')::text, 4, '0'),
  thread_id uuid not null default gen_random_uuid(),
  booking_id uuid references public.bookings on delete set null,
  quote_request_id uuid references public.quote_requests on delete set null,
  customer_name text not null default '' constraint estimates_customer_name_is_text check (internal.is_line(customer_name, 0, 100)),
  customer_email text not null default ''
    constraint estimates_customer_email_is_an_address check (customer_email = '' or internal.is_email_address(customer_email)),
  customer_phone text not null default '' constraint estimates_customer_phone_is_text check (internal.is_line(customer_phone, 0, 40)),
  vehicle_year text not null default '' constraint estimates_vehicle_year_is_text check (internal.is_line(vehicle_year, 0, 40)),
  vehicle_make text not null default '' constraint estimates_vehicle_make_is_text check (internal.is_line(vehicle_make, 0, 100)),
  vehicle_model text not null default '' constraint estimates_vehicle_model_is_text check (internal.is_line(vehicle_model, 0, 100)),
  vehicle_plate text not null default '' constraint estimates_vehicle_plate_is_text check (internal.is_line(vehicle_plate, 0, 12)),
  vehicle_vin text not null default '' constraint estimates_vehicle_vin_is_text check (internal.is_line(vehicle_vin, 0, 17)),
  odometer_miles integer constraint estimates_odometer_in_range check (odometer_miles between 0 and 2000000),
  internal_note text not null default '' constraint estimates_internal_note_is_short check (length(internal_note) <= 2000),
  link_version integer not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by text not null default '',
  changed_at timestamptz not null default now(),
  changed_by text not null default ''
);
comment on table public.estimates is 'An estimate, whatever its revision: whose, which car, and what the shop alone knows of it.';
comment on column public.estimates.number is 'What people call it: ''E-0101''.';
comment on column public.estimates.thread_id is 'What belongs to one repair has the same.';
comment on column public.estimates.internal_note is 'For the shop alone: in no letter, PDF or private page.';
comment on column public.estimates.link_version is 'Which link opens its customer''s page: a higher one makes those of before worthless.';
comment on column public.estimates.version is 'Counts its changes: a save names the one that it saw.';
comment on column public.estimates.changed_by is 'The username of the admin who saved it last.';
create index estimates_by_booking on public.estimates (booking_id);
create index estimates_by_quote on public.estimates (quote_request_id);
create index estimates_by_thread on public.estimates (thread_id);
create index estimates_latest_first on public.estimates (changed_at desc);

create table public.estimate_revisions (
  estimate_id uuid not null references public.estimates on delete cascade,
  revision integer not null constraint estimate_revisions_count_from_one check (revision >= 1),
  customer_note text not null default '' constraint estimate_revisions_customer_note_is_short check (length(customer_note) <= 2000),
  -- A day that no page can write would break the customer's for good.
  good_until date not null constraint estimate_revisions_good_until_is_near check (good_until between '2000-01-01' and '2199-12-31'),
  tax_rate integer not null constraint estimate_revisions_tax_rate_in_range check (tax_rate between 0 and 300000),
  frozen_at timestamptz,
  sent_at timestamptz,
  seen_at timestamptz,
  answered_at timestamptz,
  document jsonb,
  hash text,
  primary key (estimate_id, revision),
  constraint estimate_revisions_hash_names_one unique (estimate_id, revision, hash),
  constraint estimate_revisions_frozen_with_document check ((frozen_at is null) = (document is null)),
  constraint estimate_revisions_hash_is_of_document
    check (hash is not distinct from encode(sha256(convert_to(document::text, 'UTF8')), 'hex')),
  constraint estimate_revisions_frozen_before_sent check (frozen_at is not null or (sent_at, seen_at, answered_at) is not distinct from (null, null, null))
);
comment on table public.estimate_revisions is 'What was offered. One that is frozen stays as it is; the latest can be a draft.';
comment on column public.estimate_revisions.good_until is 'The last day at the shop on which it can be approved.';
comment on column public.estimate_revisions.tax_rate is 'In ten-thousandths of a percent, of the day on which the estimate was begun.';
comment on column public.estimate_revisions.frozen_at is 'When it was handed over or approved; null is a draft.';
comment on column public.estimate_revisions.sent_at is 'When it was last sent to its customer.';
comment on column public.estimate_revisions.seen_at is 'When its customer first touched the page that shows it.';
comment on column public.estimate_revisions.answered_at is 'When nothing of it was left to decide.';
comment on column public.estimate_revisions.document is 'All that its customer was shown, with every amount.';
comment on column public.estimate_revisions.hash is 'SHA-256 of document, hexadecimal: what an approval is bound to.';
create unique index estimate_revisions_one_draft on public.estimate_revisions (estimate_id) where frozen_at is null;

create table public.estimate_jobs (
  estimate_id uuid not null,
  revision integer not null,
  key uuid not null,
  position integer not null constraint estimate_jobs_at_most_forty check (position between 1 and 40),
  title text not null constraint estimate_jobs_title_is_text check (internal.is_line(title, 0, 120)),
  plain_words text not null constraint estimate_jobs_plain_words_are_short check (length(plain_words) <= 1000),
  is_needed boolean not null,
  measure jsonb constraint estimate_jobs_measure_is_one check (measure is null or coalesce(
    jsonb_typeof(measure -> 'value') = 'number' and jsonb_typeof(measure -> 'limit') = 'number'
    and jsonb_typeof(measure -> 'whenNew') = 'number' and jsonb_typeof(measure -> 'unit') = 'string'
    and internal.is_line(measure ->> 'unit', 0, 12)
    and (measure ->> 'value')::numeric between 0 and 1000000 and (measure ->> 'limit')::numeric between 0 and 1000000
    -- What is missing compares to null, which would pass.
    and (measure ->> 'whenNew')::numeric between 0 and 1000000, false)),
  primary key (estimate_id, revision, key),
  constraint estimate_jobs_one_a_position unique (estimate_id, revision, position),
  foreign key (estimate_id, revision) references public.estimate_revisions on delete cascade
);
comment on table public.estimate_jobs is 'What a customer can say yes or no to.';
comment on column public.estimate_jobs.key is 'Names the job in every revision.';
comment on column public.estimate_jobs.plain_words is 'What the customer reads.';
comment on column public.estimate_jobs.is_needed is 'Needed now; else it can wait.';
comment on column public.estimate_jobs.measure is '{value, limit, whenNew, unit} of what was measured; null when nothing was.';

create table public.estimate_lines (
  estimate_id uuid not null,
  revision integer not null,
  job_key uuid not null,
  position integer not null constraint estimate_lines_at_most_three_hundred check (position between 1 and 300),
  kind text not null,
  detail text not null default '',
  description text not null constraint estimate_lines_description_is_text check (internal.is_line(description, 0, 200)),
  thousandths integer not null constraint estimate_lines_thousandths_in_range check (thousandths between 0 and 9999999),
  unit_cents integer not null constraint estimate_lines_unit_cents_in_range check (unit_cents between 0 and 99999999),
  is_taxable boolean not null,
  primary key (estimate_id, revision, job_key, position),
  foreign key (estimate_id, revision, job_key) references public.estimate_jobs on delete cascade,
  constraint estimate_lines_detail_fits_kind check (detail in ('', 'new', 'used', 'rebuilt', 'reconditioned', 'oem')
      and (kind = 'part') = (detail <> '') and kind in ('labor', 'part', 'sublet')
    or kind = 'fee' and detail in ('other', 'hazardous_waste', 'battery', 'tire')
    or kind = 'discount' and detail in ('amount', 'percent')),
  constraint estimate_lines_percent_is_a_share check (detail <> 'percent' or (thousandths <= 100000 and unit_cents = 0 and not is_taxable)),
  constraint estimate_lines_states_fees_untaxed check (detail not in ('battery', 'tire') or not is_taxable)
);
comment on table public.estimate_lines is 'What the price of a job is made of.';
comment on column public.estimate_lines.detail is
  'Of a part its condition (16 CCR 3356): new, used, rebuilt, reconditioned, oem. Of a fee what it is for, of a discount whether it is '
  'an amount or percent of the job.';
comment on column public.estimate_lines.thousandths is 'Hours, pieces, or percent: 1.2 is 1200.';
comment on column public.estimate_lines.unit_cents is 'Of one hour or piece; what a discount takes off.';

-- The same arithmetic as domain/estimate-totals.ts: exact, half away from zero, discount before tax, tax rounded once a job.
create view internal.priced_lines as
  with priced as (
    select line.*,
      case when detail = 'percent' then 0 else round(thousandths * unit_cents::numeric / 1000) end as price
    from public.estimate_lines line
  ), summed as (
    select priced.*,
      sum(price) filter (where kind <> 'discount') over of_job as whole,
      sum(price) filter (where kind <> 'discount' and is_taxable) over of_job as taxed
    from priced
    window of_job as (partition by estimate_id, revision, job_key)
  )
  select estimate_id, revision, job_key, position, kind, detail, description, thousandths, unit_cents, is_taxable,
    (case
      when kind <> 'discount' then price
      when detail = 'amount' then - price
      else - round(thousandths * coalesce(whole, 0) / 100000) end)::bigint as cents,
    (case
      when detail = 'percent' then - round(thousandths * coalesce(taxed, 0) / 100000)
      when not is_taxable then 0
      when kind = 'discount' then - price
      else price end)::bigint as taxable_cents
  from summed;
comment on view internal.priced_lines is 'Lines with what each comes to, and how much of it is taxed; a discount is below 0.';

create view internal.job_totals as
  select job.estimate_id, job.revision, job.key, job.position, job.title, sums.before_tax, sums.taxable,
    round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as tax,
    sums.before_tax + round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as total
  from public.estimate_jobs job
  join public.estimate_revisions revision using (estimate_id, revision)
  cross join lateral (
    select coalesce(sum(line.cents), 0)::bigint as before_tax,
      greatest(0, least(coalesce(sum(line.taxable_cents), 0), coalesce(sum(line.cents), 0)))::bigint as taxable
    from internal.priced_lines line
    where line.estimate_id = job.estimate_id and line.revision = job.revision and line.job_key = job.key
  ) sums;
comment on view internal.job_totals is 'What each job of each revision comes to, in cents.';

create table public.kept_jobs (
  id uuid primary key default gen_random_uuid(),
  title text not null unique constraint kept_jobs_title_is_text check (internal.is_line(title, 1, 120)),
  job jsonb not null constraint kept_jobs_job_is_an_object check (jsonb_typeof(job) = 'object' and length(job::text) <= 20000),
  kept_at timestamptz not null default now()
);
comment on table public.kept_jobs is 'Jobs kept for reuse, as contracts/estimates.ts describes a job.';

create function internal.refuse_frozen() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then changed := new; else changed := old; end if;
  if exists (select from public.estimate_revisions revision
             where revision.estimate_id = changed.estimate_id and revision.revision = changed.revision
               and revision.frozen_at is not null) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;
comment on function internal.refuse_frozen() is 'Keeps jobs and lines of a frozen revision as they are, whoever asks.';
create trigger refuse_frozen before insert or update or delete on public.estimate_jobs
  for each row execute function internal.refuse_frozen();
create trigger refuse_frozen before insert or update or delete on public.estimate_lines
  for each row execute function internal.refuse_frozen();

create function internal.keep_frozen_revision() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- Once its estimate is gone, which keep_estimate allowed, it goes with it.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.refuse_losing_records(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;
comment on function internal.keep_frozen_revision() is 'Of a frozen revision only what became of it is written: sent, seen, answered.';
create trigger keep_frozen_revision before update or delete on public.estimate_revisions
  for each row when (old.frozen_at is not null) execute function internal.keep_frozen_revision();

alter table public.estimate_rules enable row level security;
alter table public.tax_rates enable row level security;
alter table public.estimates enable row level security;
alter table public.estimate_revisions enable row level security;
alter table public.estimate_jobs enable row level security;
alter table public.estimate_lines enable row level security;
alter table public.kept_jobs enable row level security;
grant select on public.estimate_rules, public.tax_rates, public.estimates, public.estimate_revisions, public.estimate_jobs,
  public.estimate_lines, public.kept_jobs to authenticated;
grant select on public.estimate_rules to shop_server;
grant update (labor_rate_cents, good_for_days, registration_number, epa_number, conditions) on public.estimate_rules to authenticated;
grant insert, update (rate), delete on public.tax_rates to authenticated;
create policy "the admin reads how estimates are written" on public.estimate_rules
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads how estimates are written" on public.estimate_rules for select to shop_server using (true);
create policy "the admin changes how estimates are written" on public.estimate_rules
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "the admin reads tax rates" on public.tax_rates for select to authenticated using ((select internal.is_admin()));
create policy "the admin adds tax rates" on public.tax_rates for insert to authenticated with check ((select internal.is_admin()));
create policy "the admin changes tax rates" on public.tax_rates
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "the admin removes tax rates" on public.tax_rates for delete to authenticated using ((select internal.is_admin()));
create policy "the admin reads estimates" on public.estimates for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads revisions" on public.estimate_revisions for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads jobs of estimates" on public.estimate_jobs for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads lines of estimates" on public.estimate_lines for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads kept jobs" on public.kept_jobs for select to authenticated using ((select internal.is_admin()));
create trigger count_version before update on public.estimate_rules
  for each row execute function internal.count_version();
