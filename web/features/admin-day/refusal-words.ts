import { changedMeanwhile } from '#contracts/booking-conflict.ts'
import { timeAgo } from '#domain/time-ago.ts'
import { DataRefusal } from '#web/lib/ask-data.ts'
import type { ToastMessage } from '#web/ui/toast.ts'

const takenCode = '23P01'

const words: Readonly<Record<string, string>> = {
  booking_not_found: 'This appointment no longer exists.',
  state_not_allowed: 'It is in another state by now. What you see is how it is.',
  not_open: 'It is not open any more. What you see is how it is.',
  bay_cannot: 'This bay does not do this service any more. Please choose another.',
  bay_not_active: 'This bay was switched off meanwhile. Please choose another.',
  too_many_open: 'This customer has booked five others since. The appointment stays as it was.',
  too_early: 'Nobody is missed until 15 minutes after the start.',
}

/** Why a step was not taken, under a title that says so; without an answer nobody knows whether it was. */
export function refusalWords(error: unknown, title = 'Not saved') {
  return {
    title: isUnanswered(error) ? 'No answer' : title,
    description: reasonOf(error),
    variant: 'destructive',
  } satisfies ToastMessage
}

const isUnanswered = (error: unknown) => error instanceof DataRefusal && error.status === 0

function reasonOf(error: unknown): string {
  if (!(error instanceof DataRefusal)) return 'It did not work. Please try again.'
  if (error.status === 0) {
    return 'The connection is gone. When it is back, look here before you try again.'
  }
  if (error.code === takenCode) {
    return 'Somebody else has this time now. The appointment stays as it was.'
  }
  if (error.hint === 'changed_meanwhile') return whoWasFaster(error.detail)
  return words[error.hint ?? ''] ?? 'It did not work. Please try again.'
}

function whoWasFaster(detail: string | undefined): string {
  const parsed = changedMeanwhile.safeParse(JSON.parse(detail ?? 'null'))
  const { changed_by_name: name, happened_at: at } = parsed.data ?? {}
  const who = name && at ? `${name} changed this ${timeAgo(new Date(at), new Date())}.` : ''
  return `${who || 'This was changed meanwhile.'} What you see is how it is now.`
}
