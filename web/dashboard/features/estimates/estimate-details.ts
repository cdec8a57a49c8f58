import type { Estimate } from '#contracts/estimates/estimates.ts'
import { repairRecordLabel, repairRecordLink } from '#web/dashboard/kit/records/repair-records.ts'

/** How many of its jobs may be done. */
export function approvedJobs({ jobs }: Pick<Estimate, 'jobs'>): number {
  return jobs.filter(({ authorizedCents }) => authorizedCents > 0).length
}

/** When the latest revision was decided about, wholly or in part; null while nobody decided (ISO 8601). */
export function lastDecidedAt({ decidedAt, authorizations, revision }: Estimate): string | null {
  const last = authorizations.findLast(
    (line) => line.revision === revision && line.voidBecause === null,
  )
  return decidedAt ?? last?.decidedAt ?? null
}

/** When the draft was last saved: a change of the email address saves the estimate after it was sent (ISO 8601). */
export function draftSavedAt({ savedAt, sentAt }: Pick<Estimate, 'savedAt' | 'sentAt'>): string {
  return sentAt !== null && new Date(sentAt) < new Date(savedAt) ? sentAt : savedAt
}

/** Whether it was sent or answered before, and is another one now. */
export function isChangedAfterSending({ isFrozen, sentAt, authorizations }: Estimate): boolean {
  return !isFrozen && (sentAt !== null || authorizations.length > 0)
}

/** Where it came from: its appointment, its quote request, else the list of estimates. */
export function sourceOf({ bookingId, quoteRequestId, repairRecords }: Estimate): {
  readonly search: string
  readonly label: string
} {
  const find = (wanted: string, key: string | null) =>
    repairRecords.find(({ kind, id }) => kind === wanted && id === key)
  const [booking, quote] = [find('booking', bookingId), find('quote', quoteRequestId)]
  if (booking) return { search: repairRecordLink(booking) ?? '', label: repairRecordLabel(booking) }
  if (quote)
    return { search: repairRecordLink(quote) ?? '', label: `Quote request of ${quote.label}` }
  return { search: '?tab=invoices', label: 'Estimates' }
}
