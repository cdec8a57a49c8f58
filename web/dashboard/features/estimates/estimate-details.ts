import type { Estimate } from '#contracts/estimates/estimates.ts'
import { type DashboardLink, invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { repairRecordLabel, repairRecordLink } from '#web/dashboard/kit/records/repair-records.ts'

/** The number of jobs that the customer approved. */
export function approvedJobs({ jobs }: Pick<Estimate, 'jobs'>): number {
  return jobs.filter(({ authorizedCents }) => authorizedCents > 0).length
}

/**
 * The time of the customer's last decision about the latest revision, even if the decision covers only some jobs; null
 * without a decision (ISO 8601).
 */
export function lastDecidedAt({ decidedAt, authorizations, revision }: Estimate): string | null {
  const last = authorizations.findLast(
    (line) => line.revision === revision && line.voidBecause === null,
  )
  return decidedAt ?? last?.decidedAt ?? null
}

/**
 * Returns the time at which the draft was last saved (ISO 8601). After the estimate was sent, a change of the email
 * address also updates `savedAt`; the function then returns the time of the sending.
 */
export function draftSavedAt({ savedAt, sentAt }: Pick<Estimate, 'savedAt' | 'sentAt'>): string {
  return sentAt !== null && new Date(sentAt) < new Date(savedAt) ? sentAt : savedAt
}

/** Whether the estimate is a draft that was changed after it was sent, or after the customer decided about it. */
export function isChangedAfterSending({ isFrozen, sentAt, authorizations }: Estimate): boolean {
  return !isFrozen && (sentAt !== null || authorizations.length > 0)
}

/**
 * A link, with its label, to the appointment or quote request from which the estimate was created. For an estimate
 * without such a record, a link to the list of estimates.
 */
export function sourceOf({ bookingId, quoteRequestId, repairRecords }: Estimate): {
  readonly link: DashboardLink
  readonly label: string
} {
  const find = (wanted: string, key: string | null) =>
    repairRecords.find(({ kind, id }) => kind === wanted && id === key)
  const [booking, quote] = [find('booking', bookingId), find('quote', quoteRequestId)]
  if (booking)
    return { link: repairRecordLink(booking) ?? invoicesLink, label: repairRecordLabel(booking) }
  if (quote)
    return {
      link: repairRecordLink(quote) ?? invoicesLink,
      label: `Quote request of ${quote.label}`,
    }
  return { link: invoicesLink, label: 'Estimates' }
}
