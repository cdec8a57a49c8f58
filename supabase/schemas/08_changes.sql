-- The rules for changes of rows. A row that can be edited in two windows has a version, which the trigger
-- `increment_version` increments. A request that saves the row contains the version that the user saw, and is refused
-- if the row has a newer version. Rows of an append-only table never change: every table whose comment ends with
-- [append-only] has the trigger `prevent_history_change`. A preview of a calendar change makes the change and then
-- rolls it back.

create type internal.action_outcome_fields as (done text, refused text);

create domain internal.action_outcome as internal.action_outcome_fields
  constraint action_outcome_is_done_or_refused check (num_nonnulls((value).done, (value).refused) = 1)
  constraint action_outcome_done_is_known check (
    (value).done is null or (value).done in (
      'moved', 'cancelled', 'restored', 'attendance_confirmed', 'reason_saved', 'unchanged'))
  constraint action_outcome_refused_is_no_change check (
    (value).refused is null or (value).refused not in (
      'moved', 'restored', 'attendance_confirmed', 'reason_saved', 'unchanged'));
comment on domain internal.action_outcome is
  'The result of a customer''s action. The field done contains the name of the change, or ''unchanged''; the field '
  'refused contains the reason of a refusal. One of the two fields is null.';

create function internal.increment_version() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
comment on function internal.increment_version() is
  'Increments the version of a changed row. A request to save the row contains the version that the user saw. The '
  'request changes nothing if the stored version differs.';
grant execute on function internal.increment_version() to authenticated;

create function internal.prevent_history_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The setting shop.ledger_exception permits this statement. The row triggers of the table then check each changed
    -- row.
    return null;
  end if;
  raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
end
$$;
comment on function internal.prevent_history_change() is
  'Refuses (TT055) every UPDATE, DELETE and TRUNCATE of an append-only table. The arguments of the trigger name the '
  'permitted exceptions: ''erasure UPDATE'', ''erasure DELETE'' or ''sample_week_removal DELETE''.';

create function internal.changed_columns(old_row jsonb, new_row jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (select jsonb_object_agg(key, value) from jsonb_each(old_row) where new_row -> key is distinct from value);
comment on function internal.changed_columns(jsonb, jsonb) is
  'The columns whose values differ between two rows, with the values of the first row; null if no column differs.';

create function internal.begin_settings_change(changed_section text, seen_version integer) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  if (select version from public.settings_versions where section = changed_section) is distinct from seen_version then
    raise exception 'These settings were changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
end
$$;
comment on function internal.begin_settings_change(text, integer) is
  'Starts a change of a settings section by the admin: refuses an outdated version of the section (TT051) and locks '
  'the calendar, so that no visitor can book until the change is saved.';

create function internal.roll_back_preview() returns void
  language plpgsql set search_path = '' as $$
begin
  raise exception 'A preview changes nothing.' using errcode = 'TT050', hint = 'preview';
end
$$;
comment on function internal.roll_back_preview() is
  'Raises TT050 at the end of a preview. The block that catches this error is rolled back, so that the preview '
  'returns the result of a change without changing anything.';

create function internal.action_done(change text) returns internal.action_outcome
  language sql immutable set search_path = ''
  return row(change, null)::internal.action_outcome_fields::internal.action_outcome;
comment on function internal.action_done(text) is 'The outcome of an action that succeeded, now or in an earlier call.';

create function internal.action_refused(reason text) returns internal.action_outcome
  language sql immutable set search_path = ''
  return row(null, reason)::internal.action_outcome_fields::internal.action_outcome;
