-- What was erased can still be read in the files of the database until these are written anew. Each erasure asks for that; a nightly
-- job does it as the owner of the tables (server/features/people/clean-files.ts).

create table internal.file_cleanups (
  table_name text primary key,
  requests integer not null default 1,
  cleaned integer not null default 0,
  is_ours boolean not null default true
);
comment on table internal.file_cleanups is
  'The tables whose files can hold traces of what was erased, and how far the nightly job has come.';
comment on column internal.file_cleanups.requests is 'How often something was erased.';
comment on column internal.file_cleanups.cleaned is 'How many of these the file was written anew after.';
comment on column internal.file_cleanups.is_ours is 'Whether the login of the database owns the table, so that the job can do it.';
alter table internal.file_cleanups enable row level security;
insert into internal.erasure_rules (table_name, column_name, treatment, reason)
values
  ('internal.file_cleanups', 'table_name', 'free', 'words of the product'),
  ('public.estimate_revisions', 'sent_to', 'kept', 'to whom it was handed over, for three years (BPC 9884.11), then the row is deleted');

create function internal.request_file_cleanup() returns void
  language sql
  set search_path = ''
begin atomic
  insert into internal.file_cleanups as known (table_name)
  select distinct table_name from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  order by table_name
  on conflict (table_name) do update set requests = known.requests + 1;
end;
comment on function internal.request_file_cleanup() is 'Asks the nightly job to write the files of every table anew that an erasure changes.';

create function internal.note_erasure() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.request_file_cleanup();
  return null;
end
$$;
comment on function internal.note_erasure() is 'Asks for the files to be written anew after an erasure.';
create trigger note_erasure after insert on public.erasures for each statement execute function internal.note_erasure();
-- Who was erased before can be read there as well.
select internal.request_file_cleanup() where internal.has_erased();

create or replace function internal.end_retention() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  whom constant uuid[] := array(
    select distinct erasure.person_id from public.erasures erasure
    where erasure.kept_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.kept) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where person_id = any (whom));
  renamed integer;
  forgotten integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_estimates(whom, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and customer_name <> 'Erased' and internal.kept_until(made_at) < today;
  get diagnostics renamed = row_count;
  -- A receipt of what was paid meanwhile is still sent, and is then nobody's either.
  delete from public.emails
  where id in (
    select letter.id from (select distinct person_id from public.erasures) erased
    cross join lateral internal.emails_of_person(erased.person_id) letter
    where letter.status not in ('queued', 'retrying'));
  get diagnostics forgotten = row_count;
  if renamed + forgotten > 0 or estimates_before > (select count(*) from public.estimates where person_id = any (whom)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$$;

create function internal.is_quiet() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time between '02:00' and '05:00'
    and not exists (select from public.bookings where created_at > internal.current_instant() - interval '10 minutes')
    and not exists (select from public.quote_requests where created_at > internal.current_instant() - interval '10 minutes');
comment on function internal.is_quiet() is 'Whether it is night at the shop and nothing was booked or asked for in the last ten minutes.';

create function internal.list_file_cleanups() returns table (table_name text, requests integer)
  language sql stable
  security definer
  set search_path = ''
begin atomic
  select known.table_name, known.requests from internal.file_cleanups known
  where known.cleaned < known.requests and known.is_ours and internal.is_quiet() order by known.table_name;
end;
comment on function internal.list_file_cleanups() is
  'The tables whose files are to be written anew now, with what to note afterwards: none by day or while something is booked.';

create function internal.note_file_cleanup(name text, requests integer) returns void
  language sql
  security definer
  set search_path = ''
begin atomic
  update internal.file_cleanups known set cleaned = note_file_cleanup.requests where known.table_name = note_file_cleanup.name;
end;
comment on function internal.note_file_cleanup(text, integer) is
  'Notes that a table''s file was written anew, after so many requests as were known before that.';

create function internal.note_file_owner(login text) returns void
  language sql
  security definer
  set search_path = ''
begin atomic
  insert into internal.file_cleanups (table_name, requests)
  select distinct table_name, 0 from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  on conflict (table_name) do nothing;
  update internal.file_cleanups known
  set is_ours = pg_has_role(login, relation.relowner, 'USAGE')
  from pg_catalog.pg_class relation
  where relation.oid = known.table_name::regclass and known.is_ours <> pg_has_role(login, relation.relowner, 'USAGE');
end;
comment on function internal.note_file_owner(text) is 'Notes which tables the login of the database owns: a former login may have made them.';

create function internal.are_files_ours() returns boolean
  language sql stable
  set search_path = ''
  return not exists (select from internal.file_cleanups where not is_ours);
comment on function internal.are_files_ours() is 'Whether the nightly job can write the files of all these tables anew.';

grant execute on function internal.list_file_cleanups(), internal.note_file_cleanup(text, integer), internal.note_file_owner(text)
to shop_server;

create or replace function public.read_erasure(person_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  person constant public.people := internal.read_known_person(read_erasure.person_id);
  kept constant jsonb := internal.kept_of_person(person.id);
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'open', internal.open_of_person(person.id), 'kept', kept,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(kept) record),
    'counts', internal.counts_of_person(person.id), 'others', internal.other_texts_of_person(person.id),
    'areFilesCleaned', internal.are_files_ours());
end
$$;
