import { TargetError, type TargetProblem } from './target.ts'

/** Why the target stores nothing, and since when. */
export type LastingProblem = {
  readonly problem: TargetProblem
  readonly message: string
  readonly sinceMs: number
}

/** Describes the failure of an attempt; `before` is the problem of the attempt before it. */
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
