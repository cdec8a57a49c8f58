-- Every pending quote request stands on one list; what looks automated comes last on it, and an answer settles
-- that it was no robot's.

update public.quote_requests set flagged_reasons = '{}' where status = 'completed' and flagged_reasons <> '{}';

alter table public.quote_requests
  add column looks_automated boolean generated always as (flagged_reasons <> '{}') stored;
comment on column public.quote_requests.looks_automated is
  'Whether anything looked automated about the request: the dashboard sorts such ones last.';
comment on column public.quote_requests.flagged_reasons is
  'What looked automated about the request; empty for an ordinary one. The admin sees the reasons beside it; it is never dropped.';
create index quote_requests_as_listed on public.quote_requests (status, looks_automated, created_at desc);

create function internal.release_answered_quote() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.flagged_reasons := '{}';
  return new;
end
$$;
comment on function internal.release_answered_quote() is
  'Takes the mark of what looks automated off a quote request that a person has answered.';

create trigger release_answered_quote before update of status on public.quote_requests
  for each row when (new.status = 'completed') execute function internal.release_answered_quote();
