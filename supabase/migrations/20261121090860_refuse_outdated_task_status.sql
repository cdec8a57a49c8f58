-- Two windows on one task: whoever changes its status says which status they saw, and is refused when it is
-- another one by now. A call that does not say it means any, as before.
drop function public.update_task_status(uuid, text, text, text, text);

create function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null,
  changed_by_name text default null, expected_status text default null
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
  if task.status <> update_task_status.expected_status then
    raise exception 'This task was changed meanwhile.' using errcode = 'TT033', hint = task.status;
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
comment on function public.update_task_status(uuid, text, text, text, text, text) is
  'Sets a task''s status and writes its history in one transaction; the same status with a note adds only the note. Refused when expected_status is given and is not the status any more.';
grant execute on function public.update_task_status(uuid, text, text, text, text, text) to authenticated;
