import { databaseErrors } from '#contracts/database-errors.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { toastFailure } from '../kit/save-errors.ts'

/** Whether the database refused a change because the shop would have no owner left who can sign in. */
export const isLastOwner = (error: Error | null): boolean =>
  error instanceof DataError && error.code === 'TT120'

/**
 * Whether the server refused a command only because it requires step-up authentication. The dashboard then sends the
 * command again after the step-up.
 */
export const isStepUpRequired = (error: Error): boolean =>
  error instanceof DataError && error.code === 'STEP_UP_REQUIRED'

/** Shows a toast with the reason why a change of the team was refused. */
export function toastTeamRefusal(error: Error): void {
  if (!(error instanceof DataError) || error.status === 0 || error.status >= 500) {
    return toastFailure(error)
  }
  const known: Readonly<Record<string, { message: string }>> = databaseErrors
  toast({
    title: 'Not changed',
    description: known[error.code]?.message ?? error.message,
    variant: 'destructive',
  })
}
