-- Completed tasks leave the list when they are cleaned up (docs/product.md 9.7); those of a repair whose records stay are kept
-- out of sight instead.

alter table public.tasks add column archived_at timestamptz constraint tasks_archived_when_completed
  check (archived_at is null or completed_at is not null);
comment on column public.tasks.archived_at is 'When the clean-up took it off the list, where the law asks to keep it; null is on the list.';

create function public.clean_up_tasks(task_ids uuid[]) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and estimate_id is not null and archived_at is null;
  get diagnostics archived = row_count;
  -- Only what is still completed: a task that was reopened meanwhile is work again.
  delete from public.tasks where id = any (task_ids) and status = 'completed' and estimate_id is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;
comment on function public.clean_up_tasks(uuid[]) is
  'Takes completed tasks off the list: deletes them, or keeps those of an estimate out of sight. How many were taken.';
grant execute on function public.clean_up_tasks(uuid[]) to authenticated;

create function internal.bring_task_back() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.archived_at := null;
  return new;
end
$$;
comment on function internal.bring_task_back() is 'A task that is reopened is on the list again.';
create trigger bring_task_back before update on public.tasks
  for each row when (old.archived_at is not null and new.completed_at is null) execute function internal.bring_task_back();
