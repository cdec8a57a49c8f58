-- Every change of a setting is a line that stays, and every process of the shop hears of it.

create table public.settings_history (
  id bigint generated always as identity primary key,
  section text not null check (section in ('shop', 'rules', 'hours', 'closures', 'bays', 'services', 'team')),
  subject text not null,
  action text not null check (action in ('added', 'changed', 'removed')),
  before jsonb,
  after jsonb,
  changed_by_name text not null check (length(changed_by_name) <= 100),
  changed_at timestamptz not null default clock_timestamp()
);
comment on table public.settings_history is 'Who changed what of the settings, written in the transaction of the change. Nobody takes a line back.';
comment on column public.settings_history.section is 'The section of the settings page.';
comment on column public.settings_history.subject is
  'Which of its rows: the name of a bay, service or employee, the reason of a closure, a weekday (0 is Sunday), '''' for a single row.';
comment on column public.settings_history.before is 'The columns that changed, as they were; null when it was added.';
comment on column public.settings_history.after is 'The columns that changed, as they are; null when it was removed.';
comment on column public.settings_history.changed_by_name is 'The admin''s username; ''system'' for a change past the data service.';
create index settings_history_of_section on public.settings_history (section, id desc);

create table public.settings_versions (
  section text primary key,
  version integer not null default 1
);
comment on table public.settings_versions is
  'Counts the changes of a section: who saves a list names the version that they saw.';
insert into public.settings_versions (section)
values ('shop'), ('rules'), ('hours'), ('closures'), ('bays'), ('services'), ('team');

alter table public.settings_history enable row level security;
alter table public.settings_versions enable row level security;
grant select on public.settings_history, public.settings_versions to authenticated;
create policy "the admin reads the history of settings" on public.settings_history
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads the versions of settings" on public.settings_versions
  for select to authenticated using ((select internal.is_admin()));

create function internal.refuse_rewriting() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$$;
comment on function internal.refuse_rewriting() is 'Keeps the lines of a history as they were written, whoever asks.';
create trigger refuse_rewriting before update or delete or truncate on public.settings_history
  for each statement execute function internal.refuse_rewriting();

create function internal.changed_columns(row_then jsonb, row_now jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (select jsonb_object_agg(key, value) from jsonb_each(row_then) where row_now -> key is distinct from value);
comment on function internal.changed_columns(jsonb, jsonb) is
  'The columns of the first row that differ in the second, as they are in the first; null when none does.';

create function internal.record_setting() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - counted end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - counted end;
  whole constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- What a shop starts with is no change of anybody's.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(whole ->> tg_argv[1], (select name from public.bays where id = (whole ->> 'bay_id')::uuid), ''),
    case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'changed' end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;
comment on function internal.record_setting() is
  'Writes the history of a setting, counts its section''s version and tells all processes which section changed (settings_changed). '
  'Its arguments: the section, and the column that names the row.';

create trigger record_setting after insert or update or delete on public.shop
  for each row execute function internal.record_setting('shop');
create trigger record_setting after insert or update or delete on public.booking_rules
  for each row execute function internal.record_setting('rules');
create trigger record_setting after insert or update or delete on public.opening_hours
  for each row execute function internal.record_setting('hours', 'weekday');
create trigger record_setting after insert or update or delete on public.closures
  for each row execute function internal.record_setting('closures', 'reason');
create trigger record_setting after insert or update or delete on public.bays
  for each row execute function internal.record_setting('bays', 'name');
create trigger record_setting after insert or update or delete on public.bay_services
  for each row execute function internal.record_setting('bays');
create trigger record_setting after insert or update or delete on public.services
  for each row execute function internal.record_setting('services', 'name');
create trigger record_setting after insert or update or delete on public.employees
  for each row execute function internal.record_setting('team', 'name');

create trigger count_version before update on public.bays
  for each row execute function internal.count_version();
create trigger count_version before update on public.closures
  for each row execute function internal.count_version();
