-- Work in the shop: tasks, the history of their status, and notes.

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200),
  description text not null default '' check (length(description) <= 5000),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null default 'pending' check (status in (
    'pending', 'in_progress', 'waiting_on_parts', 'waiting_on_customer', 'on_hold', 'completed', 'cancelled'
  )),
  assigned_to uuid references public.employees on delete set null,
  due_date date,
  booking_id uuid references public.bookings on delete set null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  ready_for_pickup_at timestamptz,
  check ((status = 'completed') = (completed_at is not null)),
  check (ready_for_pickup_at is null or completed_at is not null)
);
comment on table public.tasks is 'Work to do, often made from an appointment. Its status changes only through update_task_status.';
create index tasks_newest_first on public.tasks (created_at desc);
create index tasks_by_completion on public.tasks (completed_at desc) where completed_at is not null;
create index tasks_by_booking on public.tasks (booking_id);
create index tasks_by_assignee on public.tasks (assigned_to);

create table public.task_status_history (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  old_status text not null,
  new_status text not null,
  note text check (length(note) <= 2000),
  changed_by text check (length(changed_by) <= 100),
  changed_by_name text not null check (length(changed_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.task_status_history is 'Every change of a task''s status, written in the same transaction as the change.';
create index task_status_history_of_task on public.task_status_history (task_id, created_at desc);

create table public.task_notes (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks on delete cascade,
  note text not null check (length(trim(note)) between 1 and 2000),
  created_by text check (length(created_by) <= 100),
  created_by_name text not null check (length(created_by_name) <= 100),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.task_notes is 'Notes on a task, newest first.';
create index task_notes_of_task on public.task_notes (task_id, created_at desc);

alter table public.tasks enable row level security;
alter table public.task_status_history enable row level security;
alter table public.task_notes enable row level security;
grant select, delete on public.tasks to authenticated;
grant insert (title, description, priority, assigned_to, due_date, booking_id) on public.tasks to authenticated;
grant select on public.task_status_history, public.task_notes to authenticated;

create policy "the admin reads tasks" on public.tasks for select to authenticated using ((select internal.is_admin()));
create policy "the admin creates tasks" on public.tasks for insert to authenticated with check ((select internal.is_admin()));
create policy "the admin deletes tasks" on public.tasks for delete to authenticated using ((select internal.is_admin()));
create policy "the admin reads status history" on public.task_status_history
  for select to authenticated using ((select internal.is_admin()));
create policy "the admin reads task notes" on public.task_notes
  for select to authenticated using ((select internal.is_admin()));
