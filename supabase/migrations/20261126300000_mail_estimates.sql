-- An estimate reaches its customer by letter, and what becomes of it reaches the dashboards that are open.

alter table internal.email_kinds
  drop constraint email_kinds_agrees_with_check,
  add constraint email_kinds_agrees_with_check
    check (agrees_with in ('booking', 'held_booking', 'cancelled_booking', 'offer', 'nothing'));
comment on column internal.email_kinds.agrees_with is
  'What has to be as the message says when it leaves: its booking (also: held, cancelled), an estimate that can be answered, or nothing.';
insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with) values
  ('estimate', true, false, 'offer'),
  ('estimate_approved', true, false, 'nothing');

alter table public.emails
  add column estimate_revision integer,
  add constraint emails_name_estimate_of_revision check (estimate_revision is null or estimate_id is not null);
comment on column public.emails.estimate_revision is 'Which revision the message offers; another one makes it outdated.';

create function internal.outdated_offer_because(wanted_id uuid, wanted_revision integer) returns text
  language sql stable
  -- Reads estimates, which are nobody's but the admin's.
  security definer
  set search_path = ''
as $$
  select case
    when offered.revision is distinct from wanted_revision then 'Not sent: the estimate was changed.'
    when internal.offer_state(offered) = 'answered' then 'Not sent: the estimate was answered.'
    when internal.offer_state(offered) = 'closed' then 'Not sent: the estimate has its invoice.'
    when internal.offer_state(offered) = 'expired' then 'Not sent in time: the estimate has expired.'
  end
  from internal.offered_revision(wanted_id) offered
$$;
comment on function internal.outdated_offer_because(uuid, integer) is
  'Why a letter that offers a revision must not leave any more; null while it is what its customer can answer.';
grant execute on function internal.outdated_offer_because(uuid, integer) to shop_server, service_role;

create function internal.estimate_link_version(estimate_id uuid) returns integer
  language sql stable
  security definer
  set search_path = ''
  return (select link_version from public.estimates where id = estimate_id);
comment on function internal.estimate_link_version(uuid) is
  'Which link opens the page of an estimate now; null when there is no such estimate.';
grant execute on function internal.estimate_link_version(uuid) to shop_server;

create function internal.untold_approvals(most integer) returns table (estimate_id uuid, act_id uuid)
  language sql stable
  security definer
  set search_path = ''
as $$
  select line.estimate_id, line.act_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails letter
      where letter.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.act_id)
  group by line.estimate_id, line.act_id
  order by min(line.id)
  limit most
$$;
comment on function internal.untold_approvals(integer) is
  'Approvals of the last day of which their customers have no letter yet, oldest first.';
grant execute on function internal.untold_approvals(integer) to shop_server;
create index authorizations_latest on public.authorizations (recorded_at desc);

create function internal.tell_of_estimates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  row_now constant jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('estimates_changed', coalesce(row_now ->> 'estimate_id', row_now ->> 'id'));
  return null;
end
$$;
comment on function internal.tell_of_estimates() is
  'Tells all processes which estimate changed, was seen or answered: estimates_changed, with its id.';
create trigger tell_of_estimates after insert or update or delete on public.estimates
  for each row execute function internal.tell_of_estimates();
create trigger tell_of_estimates after update on public.estimate_revisions
  for each row execute function internal.tell_of_estimates();
