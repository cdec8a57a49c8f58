const retainedDays = 7
const retainedTasks = 10

/**
 * `completed_at` is a timestamp with its time zone, as the REST API returns it; null for a task that was never
 * completed.
 */
type CompletedTask = { readonly id: string; readonly completed_at: string | null }

/**
 * The ids of the completed tasks to delete: every task completed more than 7 days ago, and every other completed task
 * except the latest 10 (docs/product.md 9.7).
 */
export function tasksToCleanUp(completed: readonly CompletedTask[], now: Date): string[] {
  const oldest = now.getTime() - retainedDays * 86_400_000
  return completed
    .flatMap(({ id, completed_at: at }) =>
      at === null ? [] : [{ id, completedAt: Date.parse(at) }],
    )
    .sort((a, b) => b.completedAt - a.completedAt)
    .filter(({ completedAt }, index) => index >= retainedTasks || completedAt < oldest)
    .map(({ id }) => id)
}
