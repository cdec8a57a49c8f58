-- An estimate on paper says its date: the day on which it was handed over, for a draft the day on which it is printed.

create or replace function internal.read_estimate_paper(estimate_id uuid, for_customer boolean) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(printed.document, internal.write_document(estimate.id, printed.revision)) || jsonb_build_object(
    'date', (coalesce(printed.frozen_at, internal.current_instant()) at time zone (select time_zone from public.shop))::date,
    'isFrozen', printed.frozen_at is not null,
    'decisions', internal.decisions_on(estimate.id, printed.revision),
    'authorizations', internal.describe_ledger(estimate.id))
  from public.estimates estimate
  cross join lateral (
    select revision.* from public.estimate_revisions revision
    where revision.estimate_id = estimate.id and (revision.frozen_at is not null or not for_customer)
    order by revision.revision desc limit 1
  ) printed
  where estimate.id = read_estimate_paper.estimate_id
$$;
comment on function internal.read_estimate_paper(uuid, boolean) is
  'What is printed of an estimate: its latest revision, for the customer the one that was handed over last, with its date; what was '
  'decided about each job; the ledger. No internal note. Null when there is nothing to print.';
