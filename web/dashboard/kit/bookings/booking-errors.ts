import * as z from 'zod/mini'
import { timeAgo } from '#domain/text/time-ago.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import type { ToastMessage } from '#web/ui/toast/toast.ts'

const slotTakenCode = '23P01'

const messages: Readonly<Record<string, string>> = {
  booking_not_found: 'This appointment no longer exists.',
  state_not_allowed: 'The status of this appointment has changed. You now see the current status.',
  not_open: 'This appointment is no longer open. This is its current status.',
  bay_cannot_do_service: 'This bay can no longer do this service. Please choose another bay.',
  bay_not_active: 'This bay was deactivated. Please choose another.',
  too_many_open:
    'This customer has five other upcoming appointments, the maximum. Nothing was changed.',
  estimate_sent:
    'The estimate of this appointment was sent to its customer, so the customer cannot be changed. Book an appointment for the other customer.',
  email_in_use:
    'This email address belongs to another customer. Choose “This is another customer”, or merge the two customers first.',
  service_unavailable: 'This service is no longer offered. Please choose another.',
  too_early: 'You can mark a no-show from 15 minutes after the start time.',
}

/** The toast for a failed change of an appointment. Without a response, the server may still have saved the change. */
export function bookingErrorToast(error: unknown, title = 'Could not save') {
  return {
    title: isUnanswered(error) ? 'No response' : title,
    description: bookingErrorMessage(error),
    variant: 'destructive',
  } satisfies ToastMessage
}

const isUnanswered = (error: unknown) => error instanceof DataError && error.status === 0

/** The reason, as a sentence, why a change of an appointment failed. */
export function bookingErrorMessage(error: unknown): string {
  if (!(error instanceof DataError)) return 'Nothing was saved. Please try again.'
  if (error.status === 0) {
    return 'You’re offline. When you’re back online, check this page before trying again.'
  }
  if (error.code === slotTakenCode) {
    return 'Another appointment has this time now. Nothing was changed.'
  }
  if (isVersionConflict(error)) return changedByText(error.detail)
  return messages[error.hint ?? ''] ?? 'Nothing was saved. Please try again.'
}

/**
 * The detail of the database error TT051: who changed the appointment in the meantime, and when. The database refuses a
 * change of an outdated version with this error.
 */
const versionConflictDetail = z.object({
  /** The name of the person who changed the appointment; null if the history contains no entry of the change. */
  changed_by_name: z.nullable(z.string()),
  /** The time at which the appointment was changed (ISO 8601). */
  happened_at: z.nullable(z.string()),
})

function changedByText(detail: string | undefined): string {
  const parsed = versionConflictDetail.safeParse(JSON.parse(detail ?? 'null'))
  const { changed_by_name: name, happened_at: at } = parsed.data ?? {}
  const changedBy = name && at ? `${name} changed this ${timeAgo(new Date(at), new Date())}.` : ''
  return `${changedBy || 'Someone else changed this appointment.'} This is the current status.`
}
