import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logQuietly } from '#web/lib/log-quietly.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { TaskCard, type TaskHandlers } from './task-card.tsx'
import { findTask, listTaskLogs, listTasks, TASK_PAGE_SIZE, type TaskLog } from './tasks-api.ts'
import type { TaskActions } from './use-task-actions.ts'

type Props = {
  title: string
  kind: 'active' | 'completed'
  empty: string
  today: string
  linkedId: string | null
  actions: TaskActions
  handlers: TaskHandlers
}

/** One of the two lists, a page at a time. */
export function TaskSection({ title, kind, empty, linkedId, ...rest }: Props) {
  const [limit, setLimit] = useState(TASK_PAGE_SIZE)
  const page = useQuery({
    queryKey: ['tasks', 'list', kind, limit],
    queryFn: () => listTasks(kind, limit),
    placeholderData: keepPreviousData,
  })
  const linked = useLinkedTask(linkedId, kind, page.data?.tasks)
  const tasks = linked ? [linked, ...(page.data?.tasks ?? [])] : (page.data?.tasks ?? [])
  const log = useTaskLogs(tasks.map(({ id }) => id))
  useFailureToast(page.isError)
  const total = page.data?.total ?? 0
  return (
    <section className="task-list" aria-busy={page.isFetching}>
      <h3 className="sec-t">
        {title} <span className="n">({page.data ? total : '…'})</span>
      </h3>
      {page.isError && (
        <Notice tone="bad" title="Failed to load tasks.">
          <button type="button" className="ab" onClick={() => void page.refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {page.isPending && <Skeleton className="task-skeleton" />}
      {page.data && total === 0 && <EmptyState dashed title={empty} />}
      <div className="tasks">
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} log={log} isLinked={task.id === linkedId} {...rest} />
        ))}
      </div>
      {page.data && total > page.data.tasks.length && (
        <p className="more-row">
          <span className="n">
            {page.data.tasks.length} of {total}
          </span>
          <button type="button" className="ab" onClick={() => setLimit(limit + TASK_PAGE_SIZE)}>
            Show more
          </button>
        </p>
      )}
    </section>
  )
}

const noLog: TaskLog = { changes: [], notes: [] }

/** History and notes are an addition: a card without them is still a card (specification, section 8). */
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

/** The task a link names, when the page that was read does not hold it. */
function useLinkedTask(
  id: string | null,
  kind: Props['kind'],
  listed: readonly { id: string }[] | undefined,
) {
  const isListed = listed?.some((task) => task.id === id) ?? true
  const { data } = useQuery({
    queryKey: ['tasks', 'one', id],
    queryFn: async () => (id ? ((await findTask(id)) ?? null) : null),
    enabled: id !== null && !isListed,
  })
  if (!data || isListed) return undefined
  return (data.status === 'completed') === (kind === 'completed') ? data : undefined
}

function useFailureToast(isFailed: boolean): void {
  useEffect(() => {
    if (isFailed) {
      toast({ title: 'Error', description: 'Failed to load tasks.', variant: 'destructive' })
    }
  }, [isFailed])
}
