-- Estimates as the dashboard reads and saves them: one document at a time, by whoever saw its latest version.

create function internal.name_conflict(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'This estimate was changed meanwhile.' using errcode = 'TT070', hint = 'changed_meanwhile',
    detail = jsonb_build_object('by', estimate.changed_by, 'at', estimate.changed_at, 'version', estimate.version)::text;
end
$$;
comment on function internal.name_conflict(public.estimates) is 'Refuses (TT070) with who changed it, when, and to which version.';

create function internal.take_estimate(wanted_id uuid, seen_version integer) returns public.estimates
  language plpgsql
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = wanted_id for update;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  if seen_version is not null and estimate.version <> seen_version then
    perform internal.name_conflict(estimate);
  end if;
  return estimate;
end
$$;
comment on function internal.take_estimate(uuid, integer) is
  'An estimate that nobody else changes until the transaction ends; refused (TT070) when it is not the version that was seen, where one is named.';

create function internal.latest_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select latest from public.estimate_revisions latest where latest.estimate_id = wanted_id order by latest.revision desc limit 1);
comment on function internal.latest_revision(uuid) is 'The draft of an estimate, or what was frozen last.';

create function internal.refuse_invoiced(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then
    raise exception 'This estimate has its invoice.' using errcode = 'TT075', hint = 'already_invoiced';
  end if;
end
$$;
comment on function internal.refuse_invoiced(public.estimates) is 'Refuses (TT075) what would change an estimate that has its invoice.';

create function internal.begin_revision(estimate public.estimates) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  if latest.frozen_at is null then
    return latest.revision;
  end if;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  values (estimate.id, latest.revision + 1, latest.customer_note, latest.good_until, latest.tax_rate);
  return latest.revision + 1;
end
$$;
comment on function internal.begin_revision(public.estimates) is 'The draft of an estimate that is written to: a new one after one that is frozen.';

create function internal.write_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'not_a_document';
  end if;
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (estimate_id, revision, key, position, title, plain_words, is_needed, measure)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'plainWords',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measure', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, detail, description, thousandths, unit_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'detail', line ->> 'description',
    (line ->> 'thousandths')::integer, (line ->> 'unitCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;
comment on function internal.write_jobs(uuid, integer, jsonb) is 'Writes the jobs and lines of a draft anew, as contracts/estimates.ts has them.';

create function internal.is_generic_supplies(description text) returns boolean
  language sql immutable
  set search_path = ''
  return lower(trim(description)) ~
    '^((shop|misc\.?|miscellaneous|general|generic|sundry|workshop)( |-)*)*(suppl(y|ies)|materials?|sundries|shop|misc\.?|miscellaneous)( *(fees?|charges?|costs?))?$';
comment on function internal.is_generic_supplies(text) is 'Whether a line charges for supplies that it does not name (16 CCR 3356 (a)(2)).';

create function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select 'name_missing' as code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates where id = wanted_id and trim(customer_name) = ''
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('hazardous_waste_needs_epa', line.detail = 'hazardous_waste' and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );
comment on function internal.estimate_problems(uuid, integer) is
  'Why a draft cannot be handed over: [{code, jobKey, line}], its lines counted from 1; empty when it can.';

create function internal.describe_save(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
      'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
        where totals.estimate_id = wanted_id and totals.revision = revision.revision),
      'problems', case when revision.frozen_at is null
        then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
    from public.estimates estimate
    cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
    where estimate.id = wanted_id
  );
comment on function internal.describe_save(uuid) is 'What whoever saved an estimate is told: version, revision, savedAt, totalCents, problems.';

create function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.write_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_save(estimate.id);
end
$$;
comment on function public.save_estimate(uuid, integer, jsonb) is
  'Saves an estimate as contracts/estimates.ts describes its document; after a frozen revision it begins the next. Refused (TT070) '
  'when seen_version is not its version. What is not ready to be handed over is saved, and told in problems.';
grant execute on function public.save_estimate(uuid, integer, jsonb) to authenticated;

create function public.use_todays_tax_rate(estimate_id uuid, seen_version integer) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(use_todays_tax_rate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  if draft > 1 and not exists (select from public.estimate_jobs job where job.estimate_id = estimate.id and job.revision = draft) then
    perform internal.write_jobs(estimate.id, draft, internal.jobs_of(estimate.id, draft - 1));
  end if;
  update public.estimate_revisions revision set tax_rate = internal.tax_rate_on(internal.shop_now()::date)
  where revision.estimate_id = estimate.id and revision.revision = draft;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_save(estimate.id);
end
$$;
comment on function public.use_todays_tax_rate(uuid, integer) is 'Gives a draft the sales tax of today instead of the day on which it was begun.';

create function internal.jobs_of(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', job.key, 'title', job.title, 'plainWords', job.plain_words, 'isNeeded', job.is_needed, 'measure', job.measure,
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', line.kind, 'detail', line.detail, 'description', line.description, 'thousandths', line.thousandths,
          'unitCents', line.unit_cents, 'isTaxable', line.is_taxable) order by line.position), '[]')
        from public.estimate_lines line
        where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.key))
      ) order by job.position), '[]')
    from public.estimate_jobs job where job.estimate_id = wanted_id and job.revision = wanted_revision
  );
comment on function internal.jobs_of(uuid, integer) is 'The jobs of a revision with their lines, as contracts/estimates.ts has them.';
grant execute on function public.use_todays_tax_rate(uuid, integer) to authenticated;

create function public.delete_estimate(estimate_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.take_estimate(delete_estimate.estimate_id, null);
  delete from public.estimates where id = delete_estimate.estimate_id;
end
$$;
comment on function public.delete_estimate(uuid) is 'Deletes an estimate that no customer was shown; any other is refused (TT076).';
grant execute on function public.delete_estimate(uuid) to authenticated;

create function public.keep_job(job jsonb) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  kept uuid;
begin
  perform internal.require_admin();
  insert into public.kept_jobs (title, job) values (trim(keep_job.job ->> 'title'), keep_job.job - 'key')
  on conflict (title) do update set job = excluded.job, kept_at = now()
  returning id into kept;
  return kept;
end
$$;
comment on function public.keep_job(jsonb) is 'Keeps a job for reuse, by its title: the same title is kept once, as it is now.';

create function public.forget_kept_job(kept_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.kept_jobs where id = kept_id;
end
$$;
comment on function public.forget_kept_job(uuid) is 'Forgets a job that was kept; estimates that use it stay as they are.';

create function public.find_kept_jobs(term text default '') returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'job', job || jsonb_build_object('key', id)) order by place, title), '[]')
    from (
      select id, title, job, position(internal.plain(trim(term)) in internal.plain(title)) as place from public.kept_jobs
      where position(internal.plain(trim(term)) in internal.plain(title)) > 0 or trim(term) = ''
      order by place, title limit 50
    ) found
  );
end
$$;
comment on function public.find_kept_jobs(text) is 'Kept jobs whose title has a term, those that begin with it first, at most 50: [{id, job}].';
grant execute on function public.keep_job(jsonb), public.forget_kept_job(uuid), public.find_kept_jobs(text) to authenticated;
