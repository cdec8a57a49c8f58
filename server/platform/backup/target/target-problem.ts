import { TargetError, type TargetProblem } from './target.ts'

/** The reason why the target does not store the backup, and the time at which the problem began. */
export type LastingProblem = {
  readonly problem: TargetProblem
  readonly message: string
  readonly sinceMs: number
}

/** Converts a failed attempt to a problem; `before` is the problem of the previous attempt. */
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
