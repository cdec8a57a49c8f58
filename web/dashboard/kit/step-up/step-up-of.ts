import type { UseMutationResult } from '@tanstack/react-query'
import type { ErrorCode } from '#contracts/api/errors.ts'

/**
 * The callbacks for a request that the server refuses until the user has completed step-up authentication
 * (docs/product.md 6.8).
 */
export type Confirmation = {
  /** Called after the user confirmed their identity: sends the same request again. */
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

/**
 * Returns the step-up authentication that the request requires: `const { error, confirmation } = stepUpOf(mutation)`.
 * While `confirmation` is set, show the `StepUpDialog`. `error` is the error of the last attempt; null if the server
 * refused the attempt only because it requires step-up authentication.
 */
export function stepUpOf<Output, Input>(mutation: UseMutationResult<Output, Error, Input>) {
  const confirmation: Confirmation | undefined =
    mutation.isError && isStepUpRequired(mutation.error)
      ? { onConfirmed: () => mutation.mutate(mutation.variables), onCancel: mutation.reset }
      : undefined
  return { confirmation, error: confirmation ? null : mutation.error }
}

export function isStepUpRequired(error: Error | null): boolean {
  const required: ErrorCode = 'STEP_UP_REQUIRED'
  return error !== null && 'code' in error && error.code === required
}
