import type { Task } from '#contracts/tasks.ts'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'
import { findTask, type TaskPage } from './tasks-api.ts'

/** A task by its id; null if it does not exist, undefined while it loads. */
export function useOneTask(id: string | null, isWanted: boolean): Task | null | undefined {
  return useRecord('tasks', id, findTask, { isWanted }).data
}

/** Reads the current version of a task while its panel is open, because another window may change the task. */
export function useTask(task: Task): Task {
  return useOneTask(task.id, true) ?? task
}

type LinkedTask = {
  /** The task whose id is in the URL, if no loaded page contains the task. */
  readonly task: Task | undefined
  readonly isNotFound: boolean
}

export function useLinkedTask(
  id: string | null,
  pages: readonly (TaskPage | undefined)[],
): LinkedTask {
  const areRead = pages.every((page) => page !== undefined)
  const isListed = pages.some((page) => page?.tasks.some((task) => task.id === id))
  const task = useOneTask(id, areRead && !isListed)
  if (id === null || isListed) return { task: undefined, isNotFound: false }
  return { task: task ?? undefined, isNotFound: task === null }
}
