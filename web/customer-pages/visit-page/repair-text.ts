import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import type { RepairStatus } from '#contracts/bookings/visit-page.ts'
import type { TimedText } from './visit-page-text.ts'

/** Returns the events of the repair and the approvals of estimates as texts for the history on the visit page. */
export function repairHistoryTexts({ events, sentRevision }: RepairStatus): TimedText[] {
  const worked = events.map(({ kind, title, at }) => ({ stamp: at, text: eventOf(kind, title) }))
  return [...(sentRevision ? approvalTexts(sentRevision) : []), ...worked]
}

const eventOf = (kind: RepairStatus['events'][number]['kind'], title: string) =>
  kind === 'ready' ? 'Ready for pickup' : ['Waiting on parts', title].filter(Boolean).join(': ')

function approvalTexts({ authorizations }: SentRevision): TimedText[] {
  const batches = Map.groupBy(authorizations, ({ batchId }) => batchId)
  return [...batches.values()].flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    const approved = lines.filter(({ decision }) => decision === 'approved')
    const cents = approved.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const how = first.method === 'phone' ? ' by phone' : ''
    const { date, time } = shopClock(new Date(first.decidedAt))
    const jobs = `${approved.length} of ${lines.length} ${lines.length === 1 ? 'job' : 'jobs'}`
    const text =
      approved.length > 0
        ? `You approved ${jobs}${how}: ${formatCents(cents)}`
        : `You approved none of the jobs${how}`
    return [{ stamp: `${date}T${time}`, text }]
  })
}
