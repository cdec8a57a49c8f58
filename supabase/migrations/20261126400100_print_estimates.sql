-- What is printed: an estimate as it stands or as its customer has it, and the invoice of its approved jobs, each with the
-- authorizations behind it (16 CCR 3356).

-- On paper a job says what was decided of it as it is printed: an approval at a lower price, or of other work, is in the
-- ledger below and nowhere else.

create function internal.decisions_on(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(decided.job_key, decided.decision), '{}')
  from internal.authorized_jobs(wanted_id) decided
  join internal.job_totals totals
    on totals.estimate_id = wanted_id and totals.revision = wanted_revision and totals.key = decided.job_key
  where decided.revision = wanted_revision
    or decided.decision = 'approved' and decided.cents >= totals.total
      and not internal.is_other_work(wanted_id, wanted_revision, decided.job_key)
$$;
comment on function internal.decisions_on(uuid, integer) is
  'What was decided of the jobs of a revision, as they are in it: {key: decision}.';

create function internal.read_estimate_paper(estimate_id uuid, for_customer boolean) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(printed.document, internal.write_document(estimate.id, printed.revision)) || jsonb_build_object(
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
  'What is printed of an estimate: its latest revision, for the customer the one that was handed over last; what was decided of each '
  'job; the ledger. No internal note. Null when there is nothing to print.';

create function internal.read_invoice_paper(invoice_id text) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim)
    || jsonb_build_object('authorizations', internal.describe_ledger(claim.estimate_id))
  from public.estimate_invoices claim
  where claim.invoice_id = read_invoice_paper.invoice_id
$$;
comment on function internal.read_invoice_paper(text) is
  'What is printed of an invoice over approved jobs, by the processor''s id: its claim and the ledger; null for any other invoice.';
grant execute on function internal.read_estimate_paper(uuid, boolean), internal.read_invoice_paper(text) to shop_server;
