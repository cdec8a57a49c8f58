-- What the pages never send and the data service took: a day or an instant that no page can write, which left the customer's
-- page broken for good; jobs that were not named, and so were lost; decisions about nothing, which froze the draft. And what
-- was said after the last day is no approval of it.

alter table public.estimate_revisions add constraint estimate_revisions_good_until_is_near
  check (good_until between '2000-01-01' and '2199-12-31');
alter table public.authorizations add constraint authorizations_not_long_ago check (said_at >= '2000-01-01T00:00:00Z');
alter table public.estimate_jobs
  drop constraint estimate_jobs_measure_is_one,
  -- Also of what is missing, which compares to null and would pass.
  add constraint estimate_jobs_measure_is_one check (measure is null or coalesce(
    jsonb_typeof(measure -> 'value') = 'number' and jsonb_typeof(measure -> 'limit') = 'number'
    and jsonb_typeof(measure -> 'whenNew') = 'number' and jsonb_typeof(measure -> 'unit') = 'string'
    and internal.is_line(measure ->> 'unit', 0, 12)
    and (measure ->> 'value')::numeric between 0 and 1000000 and (measure ->> 'limit')::numeric between 0 and 1000000
    and (measure ->> 'whenNew')::numeric between 0 and 1000000, false));

create or replace function internal.write_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
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

create or replace function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, person text, relation text, contact text, words text,
  said_at timestamptz, wants_parts_back boolean default false
)
  returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  act constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.take_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer approves on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'nothing_decided';
  end if;
  perform internal.refuse_invoiced(estimate);
  latest := internal.freeze(estimate);
  if (said_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, act_id, decision, method, person, relation, contact, words, wants_parts_back,
    said_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, act, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.person), trim(record_authorization.relation),
    trim(record_authorization.contact), trim(record_authorization.words), record_authorization.wants_parts_back,
    record_authorization.said_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.close_if_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_save(estimate.id) || jsonb_build_object('actId', act);
end
$$;
