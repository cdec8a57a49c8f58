import { formatTime } from '#domain/calendar/clock-time.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { formatShortDateTime } from '#domain/calendar/date-time-text.ts'
import type { ReschedulePage } from '#contracts/api/customer-pages.ts'
import {
  isAhead,
  type VisitPageData,
  type VisitRefusal,
  type VisitResult,
} from '#contracts/bookings/visit-page.ts'
import { cancellationOf, weekdayName } from './visit-page-text.ts'

/**
 * Returns the message about the customer's last action. Returns undefined if another part of the page shows the result
 * of the action, if the appointment has started, or if the vehicle is no longer expected.
 */
export function doneMessage(
  done: VisitResult | undefined,
  booking: VisitPageData,
): string | undefined {
  const emailSentence = booking.wasEmailed ? ' We sent you an email to confirm this.' : ''
  if (!isAhead(booking)) return undefined
  if (done === 'moved') return `Your appointment has a new time.${emailSentence}`
  if (done === 'restored') return `Your appointment is restored.${emailSentence}`
  return done === 'confirmed' ? 'Your appointment is confirmed.' : undefined
}

/**
 * Returns the message that thanks the customer for confirming the appointment or for giving the reason of a
 * cancellation; undefined after every other action.
 */
export function thanksFor(
  done: VisitResult | undefined,
  booking: VisitPageData,
): string | undefined {
  if (done === 'attendance_confirmed' && isAhead(booking) && booking.hasConfirmedAttendance)
    return attendanceThanks(booking)
  return done === 'reason_saved' && isExplained(booking) ? thanksForReason : undefined
}

export const attendanceThanks = ({ date }: VisitPageData): string =>
  `Thank you for letting us know that you will come. See you ${weekdayName(date)}.`

export const thanksForReason = 'Thank you for telling us the reason.'

/** Whether the customer cancelled the appointment and then gave a reason. */
export function isExplained(booking: VisitPageData): boolean {
  const cancelled = cancellationOf(booking)
  if (booking.state !== 'cancelled' || cancelled?.source !== 'customer') return false
  return booking.history
    .slice(booking.history.indexOf(cancelled))
    .some(({ kind }) => kind === 'explained')
}

/** Returns the message that explains why the server refused the customer's action. */
export function actionErrorMessage(refusal: VisitRefusal, { phone }: ShopFacts): string {
  switch (refusal) {
    case 'too_close':
      return `It's too late to change this appointment online. Please call ${phone.display}.`
    case 'too_many':
      return `You have five other upcoming appointments, the limit for online bookings. Please call ${phone.display}.`
    case 'slot_taken':
      return 'This time is no longer available. Please book another one.'
    case 'outside_hours':
      return 'The shop is closed at the time that you chose. Please choose another time.'
    case 'version_conflict':
      return 'This appointment has changed. Your request was not carried out. Here is the current status of your appointment.'
    default:
      return 'Your request was not carried out. Here is the current status of your appointment.'
  }
}

/**
 * Returns the message that explains why the server refused the chosen time; undefined if the refusal has another cause.
 */
function timeErrorMessage(
  refusal: VisitRefusal,
  time: string,
  booking: VisitPageData,
  shop: ShopFacts,
): string | undefined {
  const still = stillHas(booking)
  switch (refusal) {
    case 'slot_taken':
      return `${formatTime(time)} is no longer available. ${still}`
    case 'in_the_past':
    case 'notice_required':
      return `${formatTime(time)} is now too soon. ${still}`
    case 'outside_hours':
    case 'off_the_grid':
    case 'too_far_ahead':
      return `This time cannot be booked. ${still}`
    case 'booking_paused':
      return pausedMessage(booking, shop)
    default:
      return undefined
  }
}

/**
 * Returns a message about the offered times that other customers have booked in the meantime; undefined when all
 * offered times are free.
 */
function takenTimesText(
  taken: readonly string[],
  chosen: string | undefined,
  booking: VisitPageData,
): string | undefined {
  if (taken.length === 0) return undefined
  const times = new Intl.ListFormat('en-US').format(taken.map((time) => formatTime(time)))
  const text = `${times} ${taken.length === 1 ? 'is' : 'are'} no longer available.`
  const isLost = taken.some((time) => time.slice(0, 5) === chosen)
  return isLost ? `${text} ${stillHas(booking)}` : text
}

/**
 * Returns the message of the page on which the customer moves an appointment: why the server refused the chosen time,
 * that online booking is paused, or which offered times are no longer free.
 */
export function rescheduleNotice(
  { booking, chosen, taken, refused }: ReschedulePage,
  shop: ShopFacts,
): string | undefined {
  if (!refused) return pausedMessage(booking, shop) ?? takenTimesText(taken, chosen.time, booking)
  const others = taken.filter((time) => time.slice(0, 5) !== chosen.time)
  const why = timeErrorMessage(refused.refusal, refused.time, booking, shop)
  return [why, takenTimesText(others, undefined, booking)].filter(Boolean).join(' ')
}

/**
 * Returns the message that the shop has paused online booking and that the appointment is unchanged; undefined when
 * online booking is not paused.
 */
function pausedMessage(booking: VisitPageData, { rules }: ShopFacts): string | undefined {
  return rules.isPaused ? `${rules.pauseSentence} ${stillHas(booking)}` : undefined
}

const stillHas = ({ date, time }: VisitPageData) =>
  `Your appointment is still ${formatShortDateTime(date, time)}.`
