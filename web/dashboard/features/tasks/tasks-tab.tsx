import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { CreateTaskDialog } from './form/create-task-dialog.tsx'
import { NotePanel } from './card/note-panel.tsx'
import { StatusPanel } from './card/status-panel.tsx'
import type { TaskHandlers } from './card/task-card.tsx'
import { TaskSection } from './task-section.tsx'
import { useLinkedTask } from './use-task.ts'
import { useTaskPanel } from './use-task-panel.ts'
import { useTaskLists } from './use-task-lists.ts'
import { cleanUpQuietly, type TaskActions, useTaskActions } from './card/use-task-actions.ts'
import './tasks.css'

/**
 * Active and completed tasks. Side panels open beside the list, which remains visible. The server records changes under
 * the username `author`.
 */
export function TasksTab({ author }: { author: string }) {
  const { task: linkedId = null } = useSearch({ from: '/tasks' })
  const today = useShopToday()
  const actions = useTaskActions(author)
  const lists = useTaskLists()
  const panel = useTaskPanel(actions.isBusy)
  const creation = usePanel()
  const [deleting, setDeleting] = useState<Task>()
  useCleanup()
  const handlers: TaskHandlers = {
    onUpdateStatus: (task) => panel.open('status', task),
    onAddNote: (task) => panel.open('note', task),
    onDelete: setDeleting,
  }
  const linked = useLinkedTask(linkedId, [lists.active.page, lists.completed.page])
  const shared = { today, linkedId, linkedTask: linked.task, actions, handlers }
  return (
    <div className={panel.shown ? 'beside-panel' : undefined}>
      <div className="toolbar task-tools">
        <h2>
          Tasks <span>({lists.total ?? '…'})</span>
        </h2>
        <Button compact level="primary" onClick={() => creation.open({ create: 'task' })}>
          <Icon name="plus" />
          Create Task
        </Button>
      </div>
      {lists.isFailed && <LoadFailure title="Failed to load tasks." onRetry={lists.retry} />}
      {linked.isNotFound && (
        <Notice title="The task of this link no longer exists.">
          The task was deleted, or removed automatically after it was completed.
        </Notice>
      )}
      <TaskSection
        {...shared}
        {...lists.active}
        title="Active Tasks"
        kind="active"
        empty="No active tasks"
      />
      <TaskSection
        {...shared}
        {...lists.completed}
        title="Completed Tasks"
        kind="completed"
        empty="No completed tasks"
      />
      {panel.shown && (
        <TaskPanel key={panel.key} {...panel.shown} actions={actions} onClose={panel.close} />
      )}
      {creation.shown.create && <CreateTaskDialog onClose={() => creation.close('create')} />}
      {deleting && (
        <DeleteTaskDialog
          task={deleting}
          actions={actions}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  )
}

function TaskPanel({
  kind,
  ...panel
}: {
  kind: 'status' | 'note'
  task: Task
  actions: TaskActions
  onClose: () => void
}) {
  return kind === 'status' ? <StatusPanel {...panel} /> : <NotePanel {...panel} />
}

function DeleteTaskDialog(props: { task: Task; actions: TaskActions; onClose: () => void }) {
  const { task, actions, onClose } = props
  return (
    <ConfirmDialog
      open
      title="Delete Task"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={actions.isBusy}
      onClose={onClose}
      onConfirm={() => void actions.remove(task).then(onClose)}
    >
      <p>
        <b>{task.title}</b> will be deleted with its history and notes. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

/** Opening the tab deletes old completed tasks (docs/product.md 9.7). */
function useCleanup(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const tidyUp = async () => {
      const deleted = await cleanUpQuietly()
      if (deleted > 0) await refetchQueries(queries, 'tasks')
    }
    void tidyUp()
  }, [queries])
}
