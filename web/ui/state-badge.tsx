import type { DayBooking } from '#contracts/day.ts'
import { wordOfState } from '#domain/state-words.ts'
import { Badge, type BadgeTone } from './badge.tsx'

type Word = { readonly tone: BadgeTone; readonly label: string }
type Stated = Pick<DayBooking, 'state' | 'held_until' | 'will_come'>

const tones: Readonly<Record<string, BadgeTone>> = {
  pending: 'warn',
  arrived: 'warn',
  in_work: 'info',
  completed: 'ok',
  cancelled: 'ring',
  no_show: 'danger',
  not_confirmed: 'ring',
}

/** What a state looks like; one that staff wrote like nothing in particular. */
export const toneOfState = (state: string): BadgeTone => tones[state] ?? 'neutral'

/** The state of a car in the day; one that staff wrote as it is, one that waits for its e-mail as held. */
export function stateWord({ state, held_until, will_come }: Stated): Word {
  if (held_until !== null) return { tone: 'warn', label: 'Held' }
  if (will_come && state === 'confirmed') return { tone: 'ok', label: 'Will come' }
  return { tone: toneOfState(state), label: wordOfState(state) }
}

/** The state of a car, in its word. */
export function StateBadge({ booking }: { booking: Stated }) {
  const { tone, label } = stateWord(booking)
  return <Badge tone={tone}>{label}</Badge>
}
