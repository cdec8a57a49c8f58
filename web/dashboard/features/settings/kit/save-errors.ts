import { DataError } from '#web/lib/data/request-data.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import { toast } from '#web/ui/toast/toast.ts'

/** The constraint or the hint that the database's refusal names; '' when the error names neither. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DataError)) return ''
  return /violates \w+ constraint "([^"]+)"/.exec(error.message)?.[1] ?? error.hint ?? ''
}

/** Shows a toast that names the refused fields. Each field also shows its own message. */
export function toastRefusal(errors: Readonly<Partial<Record<string, string>>>): void {
  const [first = '', ...others] = Object.values(errors)
  const description = others.length === 0 ? first : `Check ${others.length + 1} fields.`
  toast({ title: 'Could not save', description, variant: 'destructive' })
}

/** Shows a toast about a failed save that concerns no single field. */
export function toastFailure(error: unknown): void {
  toast({ title: 'Could not save', description: saveFailure(error), variant: 'destructive' })
}

/**
 * Shows a toast when a change fails that the user made by pressing a button or switch. `record` names the data that
 * someone else may have changed: 'the bays'.
 */
export function toastRefusedChange(error: unknown, record: string): void {
  if (isVersionConflict(error)) toastConflict(record)
  else toastFailure(error)
}

/**
 * Shows a toast about a version conflict. The toast asks the user to press the control again; no input is lost, because
 * the user typed nothing.
 */
export function toastConflict(record: string): void {
  const description = `Someone else changed ${record}. You now see the current version. Please try again.`
  toast({ title: 'Could not save', description, variant: 'destructive' })
}

/** The reason why a change was not saved, with the note that the form still has the typed values. */
function saveFailure(error: unknown): string {
  if (!(error instanceof DataError) || error.status === 0)
    return 'The server did not respond. Your changes are still here. Try again.'
  if (error.status >= 500)
    return 'Something went wrong on the server. Your changes are still here. Try again.'
  return `${error.message} Your changes are still here.`
}
