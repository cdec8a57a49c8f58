-- What the shop knows of the processor's invoices, for the table of the owner's accountant.

create function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint)
  language sql stable
  security definer
  set search_path = ''
as $$
  select links.invoice_id, links.customer_name, person.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount
  from public.invoice_links links
  left join public.people person on person.id = links.person_id
  left join public.estimate_invoices claim on claim.invoice_id = links.invoice_id
  left join public.estimates estimate on estimate.id = claim.estimate_id
  left join lateral (
    select coalesce(sum(line.cents) filter (where line.kind = 'part'), 0)::bigint as parts,
      coalesce(sum(line.cents) filter (where line.kind = 'labor'), 0)::bigint as labor,
      coalesce(sum(line.cents) filter (where line.kind = 'fee'), 0)::bigint as fees,
      coalesce(sum(line.cents) filter (where line.kind = 'sublet'), 0)::bigint as sublet,
      coalesce(sum(line.cents) filter (where line.kind = 'discount'), 0)::bigint as discount
    from public.estimate_invoice_jobs billed
    join internal.priced_lines line
      on (line.estimate_id, line.revision, line.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
    where billed.claim_id = claim.id
    having count(*) > 0
  ) sums on true
  where links.invoice_id = any (invoice_ids)
$$;
comment on function internal.describe_invoice_records(text[]) is
  'Of invoices by the processor''s ids, as far as they were noted: the name, and whether nothing else of its person is to be told '
  'any more; the estimate that they bill, and what its lines come to by kind (a discount is below 0), null without one.';
grant execute on function internal.describe_invoice_records(text[]) to shop_server;
