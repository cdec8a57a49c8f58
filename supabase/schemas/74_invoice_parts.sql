-- The invoice parts that a credit note can refer to individually: the jobs of an estimate, or the lines that staff
-- entered in the invoice form.

create table public.invoice_lines (
  invoice_id text not null references public.invoices on delete cascade,
  position integer not null constraint invoice_lines_position_in_range check (position between 1 and 1000),
  description text not null constraint invoice_lines_description_is_text check (internal.is_single_line_text(description, 1, 500)),
  cents bigint not null constraint invoice_lines_cents_not_negative check (cents >= 0),
  tax_cents bigint not null constraint invoice_lines_tax_in_range check (tax_cents between 0 and cents),
  primary key (invoice_id, position),
  constraint invoice_lines_have_no_card_number check (not internal.contains_card_number(description))
);
comment on table public.invoice_lines is
  'The lines of invoices without an estimate, as they were billed. An invoice whose lines are unknown has no rows. '
  '[append-only]';
comment on column public.invoice_lines.cents is 'The price of the line in cents with tax.';

alter table public.invoice_lines enable row level security;
grant select on public.invoice_lines to authenticated;
create policy "the admin reads lines of invoices" on public.invoice_lines for select to authenticated using ((select internal.is_admin()));
create trigger prevent_history_change before update or delete or truncate on public.invoice_lines
  for each statement execute function internal.prevent_history_change('sample_week_removal DELETE');

create function internal.keep_invoice_lines(wanted_invoice_id text, lines jsonb) returns void
  language sql set search_path = '' as $$
  insert into public.invoice_lines (invoice_id, position, description, cents, tax_cents)
  select wanted_invoice_id, line.position, line.description, line.cents, line.tax_cents
  from (
    select given.position, (given.value ->> 'cents')::bigint as cents, (given.value ->> 'tax_cents')::bigint as tax_cents,
      case when internal.is_single_line_text(given.value ->> 'description', 1, 500)
        and not internal.contains_card_number(given.value ->> 'description')
        then given.value ->> 'description' else 'Line ' || given.position end as description,
      sum((given.value ->> 'cents')::bigint) over () as total, min((given.value ->> 'cents')::bigint) over () as least, count(*) over () as lines
    from jsonb_array_elements(case when jsonb_typeof(lines) = 'array' then lines end) with ordinality given (value, position)
  ) line
  join public.invoices invoice on invoice.invoice_id = wanted_invoice_id and invoice.total_cents = line.total
  where line.least >= 0 and line.lines <= 1000
    and not exists (select from public.estimate_invoices claim where claim.invoice_id = wanted_invoice_id)
    -- Finds the claim of an estimate also by the invoice number, because the claim contains the id of the invoice only
    -- after the invoice was linked.
    and not exists (
      select from internal.assigned_invoice_numbers assigned join public.estimate_invoices claim on claim.id::text = assigned.request_id
      where assigned.number = invoice.number)
    and not exists (select from public.invoice_lines known where known.invoice_id = wanted_invoice_id)
  on conflict do nothing
$$;
comment on function internal.keep_invoice_lines(text, jsonb) is
  'Stores the lines of an invoice, in the format [{description, cents, tax_cents}], only once. Stores no lines if '
  'their sum is not the total of the invoice.';

create function internal.billed_parts(wanted_invoice_id text)
  returns table (part_key text, place integer, title text, cents bigint, tax_cents bigint)
  language sql stable set search_path = '' as $$
  select totals.job_key::text, totals.position, totals.title, billed.cents, totals.tax
  from public.estimate_invoices claim
  join public.estimate_invoice_jobs billed on billed.claim_id = claim.id
  join internal.job_totals totals
    on (totals.estimate_id, totals.revision, totals.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
  where claim.invoice_id = wanted_invoice_id
  union all
  select line.position::text, line.position, line.description, line.cents, line.tax_cents
  from public.invoice_lines line where line.invoice_id = wanted_invoice_id
$$;
comment on function internal.billed_parts(text) is
  'The parts of an invoice (the jobs of its estimate, or its lines), each with its tax.';

create function internal.invoice_parts(invoice public.invoices)
  returns table (part_key text, place integer, title text, left_cents bigint, left_tax_cents bigint)
  language sql stable set search_path = '' as $$
  select part.part_key, part.place, part.title, part.cents - credited.cents, part.tax_cents - credited.tax_cents
  from internal.billed_parts(invoice.invoice_id) part
  cross join lateral (
    select coalesce(sum(known.amount_cents), 0)::bigint as cents, coalesce(sum(known.tax_cents), 0)::bigint as tax_cents
    from public.credit_note_parts known join public.credit_notes note on note.id = known.credit_note_id
    where note.invoice_id = invoice.invoice_id and known.part_key = part.part_key
  ) credited
  where invoice.total_cents = (select sum(billed.cents) from internal.billed_parts(invoice.invoice_id) billed)
    and not exists (
      select from public.credit_notes note where note.invoice_id = invoice.invoice_id
        and not exists (select from public.credit_note_parts known where known.credit_note_id = note.id))
$$;
comment on function internal.invoice_parts(public.invoices) is
  'For each part of an invoice (a job or a line), the amount that can still be credited. Returns no rows if the parts '
  'are unknown, or if an earlier credit note was not divided between the parts.';

create function internal.share_credit(invoice public.invoices, amount bigint, part_keys text[])
  returns table (part_key text, place integer, title text, amount_cents bigint, tax_cents bigint)
  language sql stable set search_path = '' as $$
  with chosen as (
    select part.* from internal.invoice_parts(invoice) part
    where part.left_cents > 0 and (part_keys is null or part.part_key = any (part_keys))
    union all
    select null, 0, null, invoice.total_cents - internal.credited_cents(invoice), coalesce(invoice.tax_cents, 0) - (
      select coalesce(sum(note.tax_cents), 0)::bigint from public.credit_notes note where note.invoice_id = invoice.invoice_id)
    where part_keys is null and not exists (select from internal.invoice_parts(invoice))
  ), buckets as (
    select chosen.part_key, chosen.place, chosen.title, bucket.is_tax, bucket.cents, sum(bucket.cents) over ()::bigint as total
    from chosen
    cross join lateral (values (false, chosen.left_cents - chosen.left_tax_cents), (true, chosen.left_tax_cents)) bucket (is_tax, cents)
  ), floors as (
    select bucket.*, amount * bucket.cents / bucket.total as cents_down,
      row_number() over (order by amount * bucket.cents % bucket.total desc, bucket.place, bucket.is_tax) as rank
    from buckets bucket where bucket.total > 0
  ), shares as (
    select floors.*, cents_down + case when rank <= amount - sum(cents_down) over () then 1 else 0 end as share from floors
  )
  select shares.part_key, shares.place, shares.title, sum(share)::bigint, coalesce(sum(share) filter (where is_tax), 0)::bigint
  from shares group by shares.part_key, shares.place, shares.title having sum(share) > 0 order by shares.place
$$;
comment on function internal.share_credit(public.invoices, bigint, text[]) is
  'Divides an amount between the given parts of an invoice (all parts if part_keys is null) and their tax, in '
  'proportion to their prices, by the largest remainder method. The amount is limited to the rest that can still be '
  'credited. An invoice without known parts counts as one part without a key.';
