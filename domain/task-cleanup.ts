const keptDays = 7
const keptTasks = 10

/** `completed_at` is a timestamp with its zone, as the data service writes it. */
type CompletedTask = { readonly id: string; readonly completed_at: string }

/**
 * The ids of completed tasks to delete: those completed more than 7 days ago, and of the others all but
 * the 10 most recent (specification, section 9).
 */
export function tasksToCleanUp(completed: readonly CompletedTask[], now: Date): string[] {
  const oldest = now.getTime() - keptDays * 86_400_000
  return completed
    .map(({ id, completed_at }) => ({ id, completedAt: Date.parse(completed_at) }))
    .sort((a, b) => b.completedAt - a.completedAt)
    .filter(({ completedAt }, index) => index >= keptTasks || completedAt < oldest)
    .map(({ id }) => id)
}
