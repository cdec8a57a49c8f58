-- The three changes of a task. They act with the owner's rights, so that a status never changes
-- without its history, and each first makes sure that the admin is asking.

create function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only the admin may do this.' using errcode = '42501';
  end if;
end
$$;

-- The author is who the token says; the argument only names someone when the token does not.
create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');

create function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql
  set search_path = ''
as $$
declare
  task public.tasks;
begin
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

create function public.add_task_note(task_id uuid, note text, changed_by text default null, changed_by_name text default null)
  returns public.task_notes
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  added public.task_notes;
begin
  perform internal.require_admin();
  perform internal.lock_task(add_task_note.task_id);
  insert into public.task_notes (task_id, note, created_by, created_by_name)
  values (add_task_note.task_id, trim(add_task_note.note), add_task_note.changed_by,
          internal.author_name(add_task_note.changed_by_name))
  returning * into added;
  return added;
end
$$;
comment on function public.add_task_note(uuid, text, text, text) is 'Adds a note to a task, signed by the admin.';

create function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null, changed_by_name text default null
)
  returns public.tasks
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(update_task_status.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(update_task_status.task_id);
  if task.status = update_task_status.new_status then
    if written_note is not null then
      perform public.add_task_note(task.id, written_note, update_task_status.changed_by, update_task_status.changed_by_name);
    end if;
    return task;
  end if;
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by, changed_by_name)
  values (task.id, task.status, update_task_status.new_status, written_note, update_task_status.changed_by,
          internal.author_name(update_task_status.changed_by_name));
  update public.tasks
  set status = update_task_status.new_status,
      completed_at = case when update_task_status.new_status = 'completed' then now() end,
      ready_for_pickup_at = null
  where id = task.id
  returning * into task;
  return task;
end
$$;
comment on function public.update_task_status(uuid, text, text, text, text) is
  'Sets a task''s status and writes its history in one transaction; the same status with a note adds only the note.';

create function public.mark_task_ready_for_pickup(
  task_id uuid, note text default null, changed_by text default null, changed_by_name text default null
)
  returns public.tasks
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(mark_task_ready_for_pickup.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(mark_task_ready_for_pickup.task_id);
  if task.status <> 'completed' then
    raise exception 'Only a completed task can be marked ready for pickup.' using errcode = 'TT032', hint = 'not_completed';
  end if;
  if task.ready_for_pickup_at is null then
    update public.tasks set ready_for_pickup_at = now() where id = task.id returning * into task;
  end if;
  if written_note is not null then
    perform public.add_task_note(
      task.id, written_note, mark_task_ready_for_pickup.changed_by, mark_task_ready_for_pickup.changed_by_name
    );
  end if;
  return task;
end
$$;
comment on function public.mark_task_ready_for_pickup(uuid, text, text, text) is
  'Notes when a completed task''s vehicle became ready; asking again changes nothing.';

grant execute on function
  public.update_task_status(uuid, text, text, text, text),
  public.add_task_note(uuid, text, text, text),
  public.mark_task_ready_for_pickup(uuid, text, text, text)
to authenticated;
