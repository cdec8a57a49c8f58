import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { useSearchParams } from '#web/lib/use-search-params.ts'
import { useShopToday } from '#web/lib/use-shop-today.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { CreateTaskDialog } from './create-task-dialog.tsx'
import { NotePanel } from './note-panel.tsx'
import { StatusPanel } from './status-panel.tsx'
import type { TaskHandlers } from './task-card.tsx'
import { TaskSection } from './task-section.tsx'
import { listTasks, TASK_PAGE_SIZE } from './tasks-api.ts'
import { cleanUpQuietly, type TaskActions, useTaskActions } from './use-task-actions.ts'
import './tasks.css'

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'status' | 'note' | 'delete'; readonly task: Task }

/** The shop's work: active and completed tasks, with panels that leave the list readable. */
export function TasksTab() {
  const [params] = useSearchParams()
  const today = useShopToday()
  const actions = useTaskActions()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  useCleanup()
  const handlers: TaskHandlers = {
    onUpdateStatus: (task) => setOpen({ kind: 'status', task }),
    onAddNote: (task) => setOpen({ kind: 'note', task }),
    onDelete: (task) => setOpen({ kind: 'delete', task }),
  }
  const shared = { today, linkedId: params.get('task'), actions, handlers }
  const isBeside = open?.kind === 'status' || open?.kind === 'note'
  return (
    <div className={isBeside ? 'beside-panel' : undefined}>
      <div className="tools task-tools">
        <h2>
          Tasks <TaskCount />
        </h2>
        <button type="button" className="ab go" onClick={() => setOpen({ kind: 'create' })}>
          <Icon name="plus" />
          Create Task
        </button>
      </div>
      <TaskSection {...shared} title="Active Tasks" kind="active" empty="No active tasks" />
      <TaskSection
        {...shared}
        title="Completed Tasks"
        kind="completed"
        empty="No completed tasks"
      />
      {open && <OpenTaskDialog open={open} actions={actions} onClose={close} />}
    </div>
  )
}

function TaskCount() {
  const pages = [
    useQuery({
      queryKey: ['tasks', 'list', 'active', TASK_PAGE_SIZE],
      queryFn: () => listTasks('active', TASK_PAGE_SIZE),
    }),
    useQuery({
      queryKey: ['tasks', 'list', 'completed', TASK_PAGE_SIZE],
      queryFn: () => listTasks('completed', TASK_PAGE_SIZE),
    }),
  ]
  const isKnown = pages.every(({ data }) => data !== undefined)
  const total = pages.reduce((sum, { data }) => sum + (data?.total ?? 0), 0)
  return <span>({isKnown ? total : '…'})</span>
}

function OpenTaskDialog(props: { open: Open; actions: TaskActions; onClose: () => void }) {
  const { open, actions, onClose } = props
  switch (open.kind) {
    case 'create':
      return <CreateTaskDialog onClose={onClose} />
    case 'status':
      return <StatusPanel key={open.task.id} task={open.task} actions={actions} onClose={onClose} />
    case 'note':
      return <NotePanel key={open.task.id} task={open.task} actions={actions} onClose={onClose} />
    case 'delete':
      return (
        <ConfirmDialog
          open
          title="Delete Task"
          confirmLabel="Delete"
          busyLabel="Deleting..."
          busy={actions.isBusy}
          onClose={onClose}
          onConfirm={() => void actions.remove(open.task).then(onClose)}
        >
          <p>
            <b>{open.task.title}</b> will be deleted with its history and notes. This cannot be
            undone.
          </p>
        </ConfirmDialog>
      )
  }
}

/** Old completed tasks go when the tab is opened (specification, section 9). */
function useCleanup(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const tidyUp = async () => {
      const deleted = await cleanUpQuietly()
      if (deleted > 0) await queries.invalidateQueries({ queryKey: ['tasks'] })
    }
    void tidyUp()
  }, [queries])
}
