import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { ShowMore } from '#web/dashboard/kit/controls/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { TaskCard, type TaskHandlers } from './card/task-card.tsx'
import { listTaskLogs, type TaskLog, type TaskPage } from './tasks-api.ts'
import type { TaskActions } from './card/use-task-actions.ts'

type Props = {
  title: string
  kind: 'active' | 'completed'
  empty: string
  /** The tasks loaded so far; undefined while the first page loads. */
  page: TaskPage | undefined
  isFetching: boolean
  onShowMore: () => void
  today: string
  linkedId: string | null
  /** The task whose id is in the URL, if the loaded pages do not contain this task. */
  linkedTask: Task | undefined
  actions: TaskActions
  handlers: TaskHandlers
}

/** The list of active or of completed tasks, page by page. */
export function TaskSection(props: Props) {
  const { title, kind, empty, page, isFetching, onShowMore, linkedId, linkedTask, ...rest } = props
  const isHere = linkedTask && (linkedTask.status === 'completed') === (kind === 'completed')
  const tasks = isHere ? [linkedTask, ...(page?.tasks ?? [])] : (page?.tasks ?? [])
  const log = useTaskLogs(tasks.map(({ id }) => id))
  return (
    <section className="task-list" aria-busy={isFetching}>
      <h3 className="list-heading">
        {title} <span className="count">({page?.total ?? '…'})</span>
      </h3>
      {!page && <Skeleton className="task-skeleton" />}
      {page?.total === 0 && <EmptyState dashed title={empty} />}
      <div className="task-cards">
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} log={log} isLinked={task.id === linkedId} {...rest} />
        ))}
      </div>
      {page && (
        <ShowMore
          shown={page.tasks.length}
          total={page.total}
          isFetching={isFetching}
          onShowMore={onShowMore}
        />
      )}
    </section>
  )
}

const noLog: TaskLog = { changes: [], notes: [] }

/**
 * Reads the history and notes of the listed tasks. If the request fails, the cards show neither (docs/product.md 8.7).
 */
function useTaskLogs(ids: readonly string[]): TaskLog {
  const log = useQuery({
    queryKey: ['tasks', 'log', ids],
    queryFn: () => listTaskLogs(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const { error } = log
  useEffect(() => {
    if (error) logQuietly('The history and notes of tasks could not be read', error)
  }, [error])
  return log.data ?? noLog
}
