-- Commands of staff: a change and everything that belongs to it in one transaction (docs/decisions/0032).

create table internal.commands (
  id uuid primary key,
  name text not null check (name ~ '^[a-z-]{1,60}$'),
  user_id uuid not null,
  input_hash bytea not null check (length(input_hash) = 32),
  result jsonb,
  created_at timestamptz not null default now()
);
comment on table internal.commands is 'Commands that were committed during the last day, with their results. A refused command leaves no row.';
comment on column internal.commands.id is 'Made by the page, once for each press of a button.';
comment on column internal.commands.user_id is
  'The staff account; no foreign key, because that schema belongs to the auth service.';
comment on column internal.commands.input_hash is 'SHA-256 of the input.';
comment on column internal.commands.result is
  'The first response, with ids, versions and times but no data of customers; null while the command runs, in its own transaction only.';

create index commands_created_at_idx on internal.commands (created_at);

alter table internal.commands enable row level security;
grant select, insert, delete, update (result) on internal.commands to shop_server;
create policy "the server keeps the results of commands" on internal.commands to shop_server using (true) with check (true);

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
values
  ('internal.commands', 'name', 'free', 'ids, versions and times'),
  ('internal.commands', 'result', 'free', 'ids, versions and times');

create or replace function public.record_email_failure(email_id uuid, reason text, is_final boolean) returns text
  -- The server has no right to write emails and quote_requests.
  language plpgsql security definer set search_path = '' as $$
declare
  failed public.emails;
begin
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- How long to wait after the first, second … failure; after the last wait comes the last attempt.
      '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '24 hours'
    ]::interval[])[email.attempts] end as wait
    from public.emails email join internal.email_kinds rules using (kind)
    where email.id = email_id and email.status in ('queued', 'retrying')
  )
  update public.emails email
  set status = case when outcome.wait is null then 'failed' else 'retrying' end,
      last_error = left(reason, 500), leased_until = null, next_attempt_at = now() + coalesce(outcome.wait, '0')
  from outcome where outcome.id = email.id
  returning email.* into failed;
  -- The command that replied has completed the request (docs/decisions/0032).
  if failed.kind = 'quote_reply' and failed.status = 'failed' then
    update public.quote_requests request set status = 'pending'
    where request.id = failed.quote_request_id and request.status = 'completed' and not exists (
      select from public.emails reply
      where reply.quote_request_id = request.id and reply.kind = 'quote_reply' and reply.status <> 'failed');
  end if;
  return failed.status;
end
$$;
comment on function public.record_email_failure(uuid, text, boolean) is
  'Records that a claimed email was not accepted and returns its status: failed when is_final, when its kind is not retried, or after the '
  'last attempt; otherwise retrying. A quote request without another reply is pending again.';
