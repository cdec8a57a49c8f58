import { shortTimes } from '#domain/text/span-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { ClosedBlock } from './day-layout.ts'

/** The label of a time during which the shop or a bay is closed: 'Closed 2–3 PM: staff meeting'. */
export function ClosedLabel({ closed }: { closed: ClosedBlock }) {
  const when = closed.isAllDay ? 'all day' : shortTimes(closed)
  return (
    <span>
      <Icon name="lock" />
      {closed.reason ? `Closed ${when}: ${closed.reason}` : `Closed ${when}`}
    </span>
  )
}
