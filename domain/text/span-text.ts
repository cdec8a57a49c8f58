import { formatMinute } from '#domain/calendar/clock-time.ts'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'

/** A minute after midnight in short form: 660 → '11 AM', 735 → '12:15 PM'. */
export function shortTime(minute: number): string {
  return formatMinute(minute).replace(':00', '')
}

/** The start and end of a span in short form: '2–3 PM', '11 AM – 12:15 PM'. */
export function shortTimes({ startsAtMinute, endsAtMinute }: MinuteSpan): string {
  const [from, to] = [shortTime(startsAtMinute), shortTime(endsAtMinute)]
  return from.slice(-2) === to.slice(-2) ? `${from.slice(0, -3)}–${to}` : `${from} – ${to}`
}

/** A duration in minutes as text: 30 → '30 min', 105 → '1 h 45 min'. */
export function formatLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 min'
}
