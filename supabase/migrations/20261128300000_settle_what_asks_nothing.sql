-- A revision in which everything is approved already asks its customer nothing: it is settled as soon as it is frozen, and not
-- sent.

create or replace function internal.freeze(estimate public.estimates) returns public.estimate_revisions
  language plpgsql
  set search_path = ''
as $$
declare
  latest public.estimate_revisions := internal.latest_revision(estimate.id);
  problems jsonb;
begin
  if latest.frozen_at is not null then
    return latest;
  end if;
  problems := internal.estimate_problems(estimate.id, latest.revision);
  if problems <> '[]' then
    raise exception 'This estimate is not ready to be handed over.'
      using errcode = 'TT074', hint = problems #>> '{0,code}', detail = problems::text;
  end if;
  latest.document := internal.write_document(estimate.id, latest.revision);
  update public.estimate_revisions revision
  set frozen_at = internal.current_instant(), document = latest.document,
    hash = encode(sha256(convert_to(latest.document::text, 'UTF8')), 'hex')
  where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  perform internal.close_if_decided(estimate.id, latest.revision);
  return internal.latest_revision(estimate.id);
end
$$;
