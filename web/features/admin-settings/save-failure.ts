import { DataRefusal } from '#web/lib/ask-data.ts'

/** What to say of a change that was not saved: why, as far as it is known, and that nothing is lost. */
export function saveFailure(error: unknown): string {
  if (!(error instanceof DataRefusal) || error.status === 0)
    return 'The server did not answer. What you typed is still here: please try again.'
  if (error.status >= 500)
    return 'Something went wrong on the server. What you typed is still here: please try again.'
  return `${error.message} What you typed is still here.`
}
