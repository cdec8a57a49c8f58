import { DataError } from '#web/lib/data/request-data.ts'
import { toast } from '#web/ui/toast/toast.ts'

/** The name of the constraint, or the hint, by which the database says what it refuses; '' when it says neither. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DataError)) return ''
  return /violates \w+ constraint "([^"]+)"/.exec(error.message)?.[1] ?? error.hint ?? ''
}

/** Says that nothing was saved for the sake of these fields, each of which shows its own words. */
export function toastRefusal(errors: Readonly<Partial<Record<string, string>>>): void {
  const [first = '', ...others] = Object.values(errors)
  const description = others.length === 0 ? first : `Check ${others.length + 1} fields.`
  toast({ title: 'Could not save', description, variant: 'destructive' })
}

/** Says that something was not saved for a reason that is no field's. */
export function toastFailure(error: unknown): void {
  toast({ title: 'Could not save', description: saveFailure(error), variant: 'destructive' })
}

/** What to say of a change that was not saved: why, as far as it is known, and that nothing is lost. */
export function saveFailure(error: unknown): string {
  if (!(error instanceof DataError) || error.status === 0)
    return 'The server did not respond. Your changes are still here. Try again.'
  if (error.status >= 500)
    return 'Something went wrong on the server. Your changes are still here. Try again.'
  return `${error.message} Your changes are still here.`
}
