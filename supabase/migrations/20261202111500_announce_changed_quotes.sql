-- Open dashboards show a quote request as soon as it comes, and its emails as they are sent.

create function internal.announce_quote() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_quote() is
  'Announces to all processes which quote request came, changed, was emailed about or was deleted: quotes_changed, with '
  'the id that the column in the argument holds.';

create trigger announce_quote after insert or delete on public.quote_requests
  for each row execute function internal.announce_quote('id');
create trigger announce_changed_quote after update on public.quote_requests
  for each row when (old.* is distinct from new.*) execute function internal.announce_quote('id');
create trigger announce_quote after insert on public.emails
  for each row when (new.quote_request_id is not null)
  execute function internal.announce_quote('quote_request_id');
create trigger announce_changed_quote after update of status on public.emails
  for each row when (new.quote_request_id is not null and new.status is distinct from old.status)
  execute function internal.announce_quote('quote_request_id');
