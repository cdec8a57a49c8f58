-- The history of a bay named the services that it is kept to by their ids, which nobody can read.

create function internal.name_service(fields jsonb) returns jsonb
  language sql stable
  set search_path = ''
  return case
    when fields ? 'service_id' then
      fields - 'service_id' || jsonb_build_object(
        'service', (select name from public.services where id = (fields ->> 'service_id')::uuid)
      )
    else fields
  end;
comment on function internal.name_service(jsonb) is
  'The columns of a row with the name of its service in the place of the service''s id.';

create or replace function internal.record_setting() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.name_service(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.name_service(to_jsonb(new) - counted) end;
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
    case
      -- A service that a bay is kept to is a change of the bay.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;
