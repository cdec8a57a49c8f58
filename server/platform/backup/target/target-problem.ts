import { TargetError, type TargetProblem } from './target.ts'

/** The reason why the target does not store the backup, and the time at which the problem began. */
export type LastingProblem = {
  readonly problem: TargetProblem
  readonly message: string
  readonly sinceMs: number
}

/**
 * Converts the error of a failed attempt to a problem. If the previous attempt had a problem (`before`), keeps the
 * start time of that problem.
 */
export function noteProblem(
  before: LastingProblem | undefined,
  error: unknown,
  nowMs: number,
): LastingProblem {
  const [problem, message] =
    error instanceof TargetError
      ? [error.problem, error.message]
      : (['unreachable', 'The backup failed; the log of the site names the error.'] as const)
  return { problem, message, sinceMs: before?.sinceMs ?? nowMs }
}
