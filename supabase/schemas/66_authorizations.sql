-- The decisions of customers on the jobs of estimates, in an append-only table. An approval by another customer, for
-- another vehicle, or of a revision that was sent to a wrong recipient is void.

create table public.authorizations (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  revision integer not null,
  revision_hash text not null,
  job_key uuid not null,
  batch_id uuid not null,
  job_title text not null,
  decision text not null constraint authorizations_decision_is_known check (decision in ('approved', 'declined', 'withdrawn')),
  amount_cents bigint not null constraint authorizations_amount_not_negative check (amount_cents >= 0),
  running_total_cents bigint not null constraint authorizations_total_not_negative check (running_total_cents >= 0),
  method text not null,
  decided_by_name text not null constraint authorizations_decided_by_name_is_text check (internal.is_single_line_text(decided_by_name, 1, 100)),
  relationship text not null default '' constraint authorizations_relationship_is_text check (internal.is_single_line_text(relationship, 0, 60)),
  contact text not null default '' constraint authorizations_contact_is_text check (internal.is_single_line_text(contact, 0, 254)),
  statement text not null default '' constraint authorizations_statement_is_short check (length(statement) <= 2000),
  wants_parts_back boolean not null default false,
  decided_at timestamptz not null constraint authorizations_not_long_ago check (decided_at >= '2000-01-01T00:00:00Z'),
  recorded_at timestamptz not null default internal.current_instant(),
  recorded_by text not null,
  customer_id uuid,
  vehicle_id uuid,
  link_version integer,
  withdraws_id bigint references public.authorizations,
  constraint authorizations_one_per_job_and_batch unique (batch_id, job_key),
  constraint authorizations_bound_to_revision foreign key (estimate_id, revision, revision_hash)
    references public.estimate_revisions (estimate_id, revision, hash),
  constraint authorizations_of_a_job foreign key (estimate_id, revision, job_key) references public.estimate_jobs,
  constraint authorizations_contact_is_required check (method not in ('phone', 'text', 'email') or length(trim(contact)) > 0),
  constraint authorizations_not_ahead check (decided_at <= recorded_at + interval '5 minutes'),
  constraint authorizations_method_is_known check (method in ('web', 'in_person', 'phone', 'text', 'email', 'signature', 'shop')),
  constraint authorizations_withdraw_for_the_shop check ((method = 'shop') = (withdraws_id is not null)),
  constraint authorizations_withdraw_by_name check (withdraws_id is null or decision = 'withdrawn')
);
comment on table public.authorizations is
  'The approvals and refusals of estimate jobs by customers: one row per job and decision. Rows are never changed, '
  'and never deleted within three years. [append-only]';
comment on column public.authorizations.revision_hash is
  'The hash of the frozen revision about which the customer decided.';
comment on column public.authorizations.batch_id is
  'The id that rows have in common if the customer made the decisions together.';
comment on column public.authorizations.decision is
  'The decision on the job: approved, declined (an earlier approval stays valid at its price), or withdrawn (the '
  'row revokes the earlier decision whose id is withdraws_id).';
comment on column public.authorizations.amount_cents is
  'The price in cents, with tax, of the job in the revision about which the customer decided. A trigger computes the '
  'price.';
comment on column public.authorizations.running_total_cents is
  'The total in cents that is authorized for the estimate after this row. A trigger computes the total.';
comment on column public.authorizations.relationship is
  'The relationship to the customer, such as ''husband'', if another person decided for the customer.';
comment on column public.authorizations.contact is 'The phone number or email address from which the customer decided.';
comment on column public.authorizations.statement is
  'The customer''s words, or the text of the page on which the customer decided.';
comment on column public.authorizations.wants_parts_back is 'Whether the customer asked for the replaced parts (16 CCR 3355).';
comment on column public.authorizations.decided_at is
  'When the customer decided; recorded_at is the time at which staff or the web page of the estimate recorded the '
  'decision.';
comment on column public.authorizations.recorded_by is
  'The staff username, or ''customer'' for a decision on the web page of the estimate.';
comment on column public.authorizations.customer_id is
  'The customer of the estimate at the time of the decision; null if unknown. The column has no foreign key, because '
  'the row remains when the customer is deleted.';
comment on column public.authorizations.vehicle_id is
  'The vehicle of the estimate at the time of the decision; null without a vehicle. The column has no foreign key, '
  'because the row remains when the vehicle is deleted.';
comment on column public.authorizations.link_version is
  'The version of the link that the customer used; null if the customer decided in another way.';
comment on column public.authorizations.withdraws_id is
  'The decision that this row withdraws, because the estimate was sent to the wrong recipient. Neither of the two '
  'rows counts.';

create index authorizations_of_estimate on public.authorizations (estimate_id, job_key, id desc);
create index authorizations_latest on public.authorizations (recorded_at desc);
create unique index authorizations_withdrawn_once on public.authorizations (withdraws_id);

alter table public.authorizations enable row level security;
grant select on public.authorizations to authenticated;
create policy "the admin reads authorizations" on public.authorizations for select to authenticated using ((select internal.is_admin()));

create function internal.set_authorization_amounts() returns trigger
  language plpgsql set search_path = '' as $$
declare
  authorized_before bigint;
begin
  -- Locks the estimate, so that the running totals of concurrent decisions are correct.
  select customer_id, vehicle_id, case new.method when 'web' then link_version end into new.customer_id, new.vehicle_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and job_key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- Computes the authorized amount of the job without the withdrawn decision.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;
comment on function internal.set_authorization_amounts() is
  'Computes the amounts of an authorization and ignores amounts in the insert statement.';
create trigger set_authorization_amounts before insert on public.authorizations
  for each row execute function internal.set_authorization_amounts();

create function internal.prevent_authorization_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not internal.is_sample_estimate(old.estimate_id) then
    perform internal.raise_record_retained(old.recorded_at);
  end if;
  return old;
end
$$;
comment on function internal.prevent_authorization_delete() is
  'Prevents every role from deleting authorizations for three years.';
create trigger prevent_authorization_delete before delete on public.authorizations
  for each row execute function internal.prevent_authorization_delete();

create trigger prevent_history_change before update or delete or truncate on public.authorizations
  for each statement execute function internal.prevent_history_change('erasure DELETE', 'sample_week_removal DELETE');

create function internal.authorized_jobs(wanted_id uuid)
  returns table (job_key uuid, cents bigint, decision text, revision integer)
  language sql stable set search_path = '' as $$
  with line as materialized (select * from internal.binding_lines(wanted_id))
  select latest.job_key, case when binding.decision = 'approved' then binding.amount_cents else 0 end, latest.decision, latest.revision
  from (
    select distinct on (line.job_key) line.job_key, line.decision, line.revision from line order by line.job_key, line.id desc
  ) latest
  left join lateral (
    select line.decision, line.amount_cents from line
    where line.job_key = latest.job_key and line.decision <> 'declined'
    order by line.id desc limit 1
  ) binding on true
$$;
comment on function internal.authorized_jobs(uuid) is
  'For each job of an estimate: the authorized amount in cents, the latest decision, and the revision about which it '
  'was made.';

create function internal.retained_until(happened_at timestamptz) returns date
  language sql stable set search_path = ''
  return (happened_at at time zone (select time_zone from public.shop) + interval '3 years')::date;
comment on function internal.retained_until(timestamptz) is
  'The last day of the retention of a record from the given instant: three years later (BPC 9884.11).';
grant execute on function internal.retained_until(timestamptz) to authenticated, shop_server;

create function internal.raise_record_retained(retained_from timestamptz) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if retained_from is not null and internal.retained_until(retained_from) >= internal.shop_now()::date then
    raise exception 'This belongs to a repair whose records stay until %, as the law asks.', to_char(internal.retained_until(retained_from), 'FMMonth FMDD, YYYY')
      using errcode = 'TT076', hint = 'record_retained', detail = internal.retained_until(retained_from)::text;
  end if;
end
$$;
comment on function internal.raise_record_retained(timestamptz) is
  'Refuses (TT076) to delete a record whose retention of three years began at the given instant and has not ended. The '
  'detail of the error contains the last day of the retention.';
grant execute on function internal.raise_record_retained(timestamptz) to authenticated, shop_server;

create function internal.is_scope_changed(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  approved_revision constant integer := (
    select line.revision from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision = 'approved' order by line.id desc limit 1);
begin
  return (select title from public.estimate_jobs where (estimate_id, revision, job_key) = (wanted_id, wanted_revision, wanted_key))
      is distinct from
      (select title from public.estimate_jobs where (estimate_id, revision, job_key) = (wanted_id, approved_revision, wanted_key))
    or exists (
      select from public.estimate_lines sold
      where (sold.estimate_id, sold.revision, sold.job_key) = (wanted_id, wanted_revision, wanted_key) and sold.kind <> 'discount'
        and not exists (
          select from public.estimate_lines approved
          where (approved.estimate_id, approved.revision, approved.job_key) = (wanted_id, approved_revision, wanted_key)
            and (approved.kind, approved.subtype, approved.description) = (sold.kind, sold.subtype, sold.description)));
end
$$;
comment on function internal.is_scope_changed(uuid, integer, uuid) is
  'Whether the scope of a job has changed since its approval: the job has another title, or contains a line that the '
  'approved job did not contain. Hours, quantities and prices may differ, and lines may be missing.';

create function internal.mark_revision_decided(wanted_id uuid, wanted_revision integer) returns void
  language sql set search_path = '' as $$
  update public.estimate_revisions revision
  set decided_at = internal.current_instant()
  where revision.estimate_id = wanted_id and revision.revision = wanted_revision and revision.decided_at is null
    and not exists (
      select from internal.job_totals totals
      left join internal.authorized_jobs(wanted_id) authorized on authorized.job_key = totals.job_key
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
        and not coalesce(authorized.revision = wanted_revision
          or authorized.decision = 'approved' and authorized.cents >= totals.total
            and internal.describe_job_scope(wanted_id, authorized.revision, totals.job_key)
              = internal.describe_job_scope(wanted_id, wanted_revision, totals.job_key), false))
$$;
comment on function internal.mark_revision_decided(uuid, integer) is 'Sets decided_at of a revision once every job has a decision.';

create function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, decided_by_name text, relationship text,
  contact text, statement text, decided_at timestamptz, wants_parts_back boolean default false
) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write authorizations and estimates.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  new_batch_id constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer can approve on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'no_decision';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze_revision(estimate);
  if (decided_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, relationship, contact, statement, wants_parts_back,
    decided_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, new_batch_id, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.decided_by_name), trim(record_authorization.relationship),
    trim(record_authorization.contact), trim(record_authorization.statement), record_authorization.wants_parts_back,
    record_authorization.decided_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id) || jsonb_build_object('batchId', new_batch_id);
end
$$;
comment on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean) is
  'Records decisions that a customer made in another way than on the web page of the estimate, for example by '
  'phone. The decisions have the format [{jobKey, decision, declinedId}]. They apply to the latest revision; a '
  'draft is frozen first. declinedId is the id of the refusal that an approval replaces. Returns the same as '
  'save_estimate, with batchId (authorizations.batch_id).';
grant execute on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean) to
  authenticated;

create function internal.describe_authorization(line public.authorizations, void_reason text) returns jsonb
  language sql immutable set search_path = ''
  return jsonb_build_object(
    'id', line.id, 'batchId', line.batch_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
    'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
    'runningTotalCents', line.running_total_cents, 'method', line.method, 'decidedByName', line.decided_by_name, 'relationship', line.relationship,
    'contact', line.contact, 'statement', line.statement, 'wantsPartsBack', line.wants_parts_back, 'decidedAt', line.decided_at,
    'recordedBy', line.recorded_by, 'voidBecause', void_reason);
comment on function internal.describe_authorization(public.authorizations, text) is
  'One authorization in the format of contracts/estimates/estimates.ts. If the authorization is void, the result '
  'contains the reason.';

create function internal.describe_authorizations(wanted_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_authorization(line, null)
    || jsonb_build_object('recordedBy', internal.staff_name_at(line.recorded_by, line.decided_at)) order by line.id), '[]')
  from internal.binding_lines(wanted_id) line
$$;
comment on function internal.describe_authorizations(uuid) is
  'The valid authorizations of an estimate, oldest first, for customers and printed documents, each with the name of the person who recorded '
  'it.';

create function internal.is_approved(wanted_key uuid, wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce((
    select line.decision = 'approved' from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false)
$$;
comment on function internal.is_approved(uuid, uuid) is
  'Whether the customer has approved a job and the approval is valid; a later refusal does not revoke it.';

create function public.wants_parts_back(task public.tasks) returns boolean
  -- Runs with the rights of the function's owner, because the admin has no right to call binding_lines.
  language sql stable security definer set search_path = '' as $$
  select (select internal.is_admin()) and exists (
    select from (
      select distinct on (line.job_key) line.decision, line.wants_parts_back
      from public.estimates estimate, internal.binding_lines(estimate.id) line
      where (estimate.id = task.estimate_id or task.estimate_id is null and estimate.booking_id = task.booking_id)
        and (task.estimate_job_key is null or line.job_key = task.estimate_job_key) and line.decision <> 'declined'
      order by line.job_key, line.id desc
    ) latest
    where latest.decision = 'approved' and latest.wants_parts_back
  )
$$;
comment on function public.wants_parts_back(public.tasks) is
  'A computed column of tasks for the data service (the REST API): whether the customer asked for the replaced '
  'parts (16 CCR 3355) of the task''s job. For a task without a job, whether the customer asked for the replaced '
  'parts of any approved job of its booking.';
grant execute on function public.wants_parts_back(public.tasks) to authenticated;

create function internal.list_approvals_without_email(max_rows integer) returns table (estimate_id uuid, batch_id uuid)
  -- Runs with the rights of the function's owner, because the server has no right to read authorizations and estimates.
  language sql stable security definer set search_path = '' as $$
  select line.estimate_id, line.batch_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and internal.void_reason(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails email
      where email.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.batch_id)
  group by line.estimate_id, line.batch_id
  order by min(line.id)
  limit max_rows
$$;
comment on function internal.list_approvals_without_email(integer) is
  'The approvals of the last 24 hours about which no email to the customer was queued yet, oldest first.';
grant execute on function internal.list_approvals_without_email(integer) to shop_server;

-- Beside a job, a printed estimate shows only a decision that covers the work and the price of the job. An approval at
-- a lower price or of other work appears only in the list of authorizations.
create function internal.list_job_decisions(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(decided.job_key, decided.decision), '{}')
  from internal.authorized_jobs(wanted_id) decided
  join internal.job_totals totals
    on totals.estimate_id = wanted_id and totals.revision = wanted_revision and totals.job_key = decided.job_key
  where decided.revision = wanted_revision
    or decided.decision = 'approved' and decided.cents >= totals.total
      and not internal.is_scope_changed(wanted_id, wanted_revision, decided.job_key)
$$;
comment on function internal.list_job_decisions(uuid, integer) is
  'The decisions on the jobs of a revision: {job_key: decision}. A decision on another revision counts only if it '
  'approved the same work at the same or a higher price.';

create function internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from internal.binding_lines(wanted_id) line
      where line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  )
$$;
comment on function internal.approves_unseen_refusal(uuid, jsonb) is
  'Whether one of the given decisions approves a job whose latest decision is a refusal, while the declinedId of '
  'the decision is not the id of this refusal. In this case the user''s page did not show the refusal.';

create function internal.void_reason(line public.authorizations, estimate public.estimates) returns text
  language sql stable set search_path = '' as $$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- An approval that was invoiced stays valid if the customer or vehicle is corrected later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.customer_id is not null and line.customer_id is distinct from estimate.customer_id
      and internal.last_merged_customer(line.customer_id) is distinct from internal.last_merged_customer(estimate.customer_id) then 'customer'
    when line.vehicle_id is not null and line.vehicle_id is distinct from estimate.vehicle_id
      and internal.resolve_merged_vehicle(line.vehicle_id) is distinct from internal.resolve_merged_vehicle(estimate.vehicle_id) then 'vehicle'
  end
$$;
comment on function internal.void_reason(public.authorizations, public.estimates) is
  'The reason why an authorization is void: wrong_recipient (it was withdrawn, or is the withdrawal itself), customer '
  'or vehicle (the customer or vehicle of the estimate changed after the decision). Null if the authorization is '
  'valid.';

create function internal.binding_lines(wanted_id uuid) returns setof public.authorizations
  language sql stable set search_path = '' as $$
  select line.* from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.estimate_id = wanted_id and internal.void_reason(line, estimate) is null
$$;
comment on function internal.binding_lines(uuid) is 'The valid authorizations of an estimate.';

create function internal.describe_all_authorizations(wanted_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(internal.describe_authorization(line, internal.void_reason(line, estimate)) order by line.id), '[]')
    from public.authorizations line join public.estimates estimate on estimate.id = line.estimate_id
    where line.estimate_id = wanted_id
  );
comment on function internal.describe_all_authorizations(uuid) is
  'All authorizations of an estimate, oldest first, for staff. A void authorization has the reason why it is void.';

create function internal.refuse_void_approvals(wanted_id uuid, wanted_revision integer) returns void
  language plpgsql stable set search_path = '' as $$
declare
  void record;
begin
  select job.title, internal.void_reason(line, estimate) as reason into void
  from public.estimate_jobs job
  join public.estimates estimate on estimate.id = job.estimate_id
  join public.authorizations line on line.estimate_id = job.estimate_id and line.job_key = job.job_key and line.decision = 'approved'
  where job.estimate_id = wanted_id and job.revision = wanted_revision and internal.void_reason(line, estimate) is not null
    and not exists (select from internal.authorized_jobs(wanted_id) decided where decided.job_key = job.job_key)
  order by job.position, line.id desc limit 1;
  if found then
    raise exception 'The approval was given by another customer or for another vehicle.' using errcode = 'TT072', hint = 'approval_void',
      detail = jsonb_build_object('jobTitle', void.title, 'because', void.reason)::text;
  end if;
end
$$;
comment on function internal.refuse_void_approvals(uuid, integer) is
  'Refuses (TT072) to invoice an estimate while a job has only a void approval.';

create function internal.withdraw_answers(estimate public.estimates) returns void
  language plpgsql set search_path = '' as $$
declare
  answered record;
  new_batch_id uuid;
begin
  for answered in
    select line.batch_id, min(line.id) from public.authorizations line
    where line.estimate_id = estimate.id and line.method = 'web'
      and (line.link_version = estimate.link_version or lower(line.contact) = lower(estimate.customer_email))
      and not exists (select from public.authorizations later where later.withdraws_id = line.id)
    group by line.batch_id order by min(line.id)
  loop
    new_batch_id := gen_random_uuid();
    insert into public.authorizations (
      estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, decided_at, recorded_by, withdraws_id)
    select line.estimate_id, line.revision, line.revision_hash, line.job_key, new_batch_id, 'withdrawn', 'shop', internal.author_name(null),
      line.contact, 'withdrawn: wrong recipient', internal.current_instant(), internal.author_name(null), line.id
    from public.authorizations line where line.batch_id = answered.batch_id order by line.id;
  end loop;
  update public.estimate_revisions revision set decided_at = null, seen_at = null
  where revision.estimate_id = estimate.id and revision.revision = (internal.latest_sent_revision(estimate.id)).revision;
  perform internal.mark_revision_decided(estimate.id, (internal.latest_sent_revision(estimate.id)).revision);
end
$$;
comment on function internal.withdraw_answers(public.estimates) is
  'Withdraws each decision that was made with the link to an estimate or from the email address of the estimate. The '
  'customer can then decide again on the latest sent revision.';
