-- Work that nobody had approved could be billed under the name of a job that was: it only had to cost no more.

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

create or replace function internal.refuse_above_authorized() returns trigger
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
