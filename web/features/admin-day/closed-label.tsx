import { shortTimes } from '#domain/span-text.ts'
import { Icon } from '#web/ui/icon.tsx'
import type { ClosedBlock } from './plan-day.ts'

/** 'Closed 2–3 PM: staff meeting' */
export function ClosedLabel({ closed }: { closed: ClosedBlock }) {
  const when = closed.isAllDay ? 'all day' : shortTimes(closed)
  return (
    <span>
      <Icon name="lock" />
      {closed.reason ? `Closed ${when}: ${closed.reason}` : `Closed ${when}`}
    </span>
  )
}
