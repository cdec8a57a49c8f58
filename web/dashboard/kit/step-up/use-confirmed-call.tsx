import { useState } from 'react'
import type { ApiError } from '#web/lib/data/call-api.ts'
import type { Result } from '#domain/result.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

/** A function call that waits until the user completes or cancels step-up authentication. */
type Waiting = {
  readonly action: string
  readonly resolve: (isConfirmed: boolean) => void
}

/**
 * Runs calls that may require step-up authentication: `await run('add a passkey', () => callAsAdmin(…))`. Returns the
 * result of the last call; undefined when the user cancelled the step-up. The component must render `dialog`.
 */
export function useConfirmedCall() {
  const [waiting, setWaiting] = useState<Waiting>()

  async function run<Value>(
    action: string,
    call: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError> | undefined> {
    const first = await call()
    if (first.ok || first.refusal.code !== 'STEP_UP_REQUIRED') return first
    const isConfirmed = await new Promise<boolean>((resolve) => setWaiting({ action, resolve }))
    setWaiting(undefined)
    return isConfirmed ? call() : undefined
  }

  const dialog = waiting && (
    <StepUpDialog
      action={waiting.action}
      onConfirmed={() => waiting.resolve(true)}
      onCancel={() => waiting.resolve(false)}
    />
  )
  return { run, dialog }
}
