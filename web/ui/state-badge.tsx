import type { DayBooking } from '#contracts/day.ts'
import { Badge, type BadgeTone } from './badge.tsx'

type Word = { readonly tone: BadgeTone; readonly label: string }
type Stated = Pick<DayBooking, 'state' | 'held_until' | 'will_come'>

const states: Readonly<Record<string, Word>> = {
  confirmed: { tone: 'neutral', label: 'Booked' },
  pending: { tone: 'warn', label: 'Pending' },
  arrived: { tone: 'warn', label: 'Arrived' },
  in_work: { tone: 'info', label: 'In work' },
  completed: { tone: 'ok', label: 'Done' },
  cancelled: { tone: 'ring', label: 'Cancelled' },
  no_show: { tone: 'danger', label: 'No-show' },
  not_confirmed: { tone: 'ring', label: 'Not confirmed' },
}

/** The state of a car in the day; one that staff wrote as it is, one that waits for its e-mail as held. */
export function stateWord({ state, held_until, will_come }: Stated): Word {
  if (held_until !== null) return { tone: 'warn', label: 'Held' }
  if (will_come && state === 'confirmed') return { tone: 'ok', label: 'Will come' }
  return states[state] ?? { tone: 'neutral', label: state }
}

/** The state of a car, in its word. */
export function StateBadge({ booking }: { booking: Stated }) {
  const { tone, label } = stateWord(booking)
  return <Badge tone={tone}>{label}</Badge>
}
