import { capitalized } from '#domain/text/capitalized.ts'
import type { ShopDay } from '#contracts/bookings/day.ts'
import type { TimeCheck } from '#contracts/bookings/phone-bookings.ts'
import {
  formatMinute,
  formatTime,
  minuteOfTime,
  timeOfMinute,
} from '#domain/calendar/clock-time.ts'
import type { BookableService, ProposedSlot } from '../phone-booking/phone-bookings-api.ts'

/** The reason, in words for the employee, why a slot cannot be booked as chosen. */
export type SlotProblem = {
  readonly title: string
  readonly why: string
  /**
   * True if the database would reject the slot. False for a slot outside the opening hours, which staff may book after
   * confirming.
   */
  readonly isRefused: boolean
  /** The field whose value the employee has to change or accept. */
  readonly field: 'time' | 'bay'
}

/**
 * The short error text below the time field or the bay field, if the selected value does not fit. The notice below the
 * form states the whole reason.
 */
export const doesNotFit = 'Does not fit'

type Proposal = {
  readonly slot: ProposedSlot
  readonly service: BookableService
  readonly check: TimeCheck
  /**
   * The bookings, bays and hours of the slot's date. If undefined, the text about the problem names neither the bay nor
   * the conflicting booking.
   */
  readonly day: ShopDay | undefined
}

/** The problem that the employee has to resolve or accept before booking; undefined for a free slot. */
export function findSlotProblem(proposal: Proposal): SlotProblem | undefined {
  const { refusal, warnings } = proposal.check
  if (refusal === 'bay_cannot_do_service') return cannot(proposal, 'does not do this service')
  if (refusal === 'bay_not_active') return cannot(proposal, 'is deactivated')
  if (refusal !== null) return { ...taken(proposal), isRefused: true, field: 'time' }
  if (warnings.includes('outside_hours'))
    return { ...closed(proposal), isRefused: false, field: 'time' }
  return undefined
}

/**
 * Returns remarks about a free slot, for example that the time has passed. No remark mentions the minimum notice for
 * online bookings, because this limit does not apply to staff.
 */
export function slotWarnings({ warnings }: TimeCheck): string[] {
  const remarks: Readonly<Record<string, string>> = {
    in_the_past: 'This time has passed.',
    too_far_ahead: 'This time is beyond the online booking window.',
    overnight: 'The vehicle stays overnight.',
  }
  return warnings.flatMap((warning) => remarks[warning] ?? [])
}

type ProblemText = Pick<SlotProblem, 'title' | 'why'>

function bayName({ slot, day }: Proposal): string {
  return day?.bays.find(({ id }) => id === slot.bayId)?.name ?? 'this bay'
}

const cannot = (proposal: Proposal, why: string): SlotProblem => ({
  title: capitalized(`${bayName(proposal)} ${why}`),
  why: 'Choose another bay or one of these times.',
  isRefused: true,
  field: 'bay',
})

function taken(proposal: Proposal): ProblemText {
  const { slot, service, check, day } = proposal
  const time = formatTime(slot.time)
  if (slot.bayId === '') {
    return {
      title: `${time} is taken`,
      why: `No bay that does ${service.name} is free at this time.`,
    }
  }
  const first = day?.bookings.find(({ id }) => check.in_the_way.includes(id))
  const comesLater = first && first.starts_at > `${slot.date}T${slot.time}:00`
  if (comesLater) {
    const comes = `${first.customer_name} is booked at ${timeOf(first.starts_at)}.`
    return { title: tooShort(proposal), why: `${needs(proposal)} ${comes}` }
  }
  const bookedText = first ? `${first.customer_name} is booked until ${timeOf(first.ends_at)}.` : ''
  return { title: `${time} is taken in ${bayName(proposal)}`, why: bookedText }
}

function closed(proposal: Proposal): ProblemText {
  const { slot, day } = proposal
  const open = day?.bays.find(({ id }) => id === slot.bayId)?.open ?? day?.open ?? []
  const start = minuteOfTime(slot.time)
  const span = open.find((each) => each.opensAtMinute <= start && start < each.closesAtMinute)
  if (span) {
    const end = formatMinute(span.closesAtMinute)
    const reason = reasonAt(proposal, span.closesAtMinute)
    return {
      title: tooShort(proposal),
      why: `${needs(proposal)} The shop is closed from ${end}${reason}.`,
    }
  }
  const title = `The shop is closed at ${formatTime(slot.time)}`
  if (open.length === 0)
    return { title, why: `The shop is closed all day${reasonAt(proposal, start)}.` }
  return { title, why: `The shop is open ${open.map(formatSpanHours).join(' and ')}.` }
}

const formatSpanHours = (span: ShopDay['open'][number]) =>
  `${formatMinute(span.opensAtMinute)} – ${formatMinute(span.closesAtMinute)}`

/**
 * The reason of the closure at a minute of the day, in parentheses: ' (staff meeting)'; '' if there is no closure or no
 * reason.
 */
function reasonAt({ slot, day }: Proposal, minute: number): string {
  const at = `${slot.date}T${timeOfMinute(minute)}:00`
  const closure = day?.closures.find(
    ({ is_open, bay_id, starts_at, ends_at }) =>
      !is_open && (bay_id ?? slot.bayId) === slot.bayId && starts_at <= at && at < ends_at,
  )
  return closure?.reason ? ` (${closure.reason})` : ''
}

const timeOf = (dateTime: string) => formatTime(dateTime.slice(11))

const tooShort = (proposal: Proposal) =>
  `${formatTime(proposal.slot.time)} is too short${proposal.slot.bayId && ` in ${bayName(proposal)}`}`

function needs({ slot, service }: Proposal): string {
  const end = minuteOfTime(slot.time) + service.duration_minutes
  return `${service.name} takes until ${formatMinute(end % 1440)}.`
}
