import type {
  CloseReason,
  DayClose,
  FinishedClose,
  MethodSum,
} from '#contracts/payments/day-close.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { type NameOf } from '#web/dashboard/kit/staff/staff-name.tsx'

/** The names of the payment methods, in the order in which the page lists them. */
export const wayNames = {
  cash: 'Cash',
  card_terminal: 'Terminal',
  card_online: 'Card online',
  check: 'Check',
  other: 'Other',
} as const satisfies Record<keyof DayClose['methods'], string>
export type Way = keyof typeof wayNames
export const ways = Object.keys(wayNames) as Way[]

export const reasonTexts: Readonly<Record<CloseReason, string>> = {
  wrong_change: 'Wrong change given',
  not_known: 'Cause unknown after two counts',
  other_method: 'Payment recorded under another method',
  paid_out_without_slip: 'Paid out without a slip',
  other: 'Other, say why below',
}

/** A number with its noun in the singular or plural: '3 payments', '1 payment'. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The number of all payments and refunds of a day: '9 payments, 1 refund'. */
export function paymentCount({ methods }: DayClose): string {
  const sums: readonly MethodSum[] = Object.values(methods)
  const payments = sums.reduce((sum, method) => sum + method.payments, 0)
  const refunds = sums.reduce((sum, method) => sum + method.refunds, 0)
  const back = refunds > 0 ? `, ${counted(refunds, 'refund')}` : ''
  return `${counted(payments, 'payment')}${back}`
}

/** The parts of the expected cash: '$339.95 in, −$20.00 refunded, $200.00 start'. */
function cashDetail({ cash }: DayClose, startCents: number | undefined): string {
  const parts = [
    `${formatCents(cash.inCents)} in`,
    cash.refundedCents > 0 && `−${formatCents(cash.refundedCents)} refunded`,
    cash.refundedCents < 0 && `${formatCents(-cash.refundedCents)} of refunds reversed`,
    cash.paidInCents > 0 && `${formatCents(cash.paidInCents)} paid in`,
    cash.paidOutCents > 0 && `−${formatCents(cash.paidOutCents)} paid out`,
    startCents !== undefined && `${formatCents(startCents)} start`,
  ]
  return parts.filter(Boolean).join(', ')
}

/**
 * Returns the text below the name of a payment method: the number of payments, and a remark on their total. Staff have
 * to type the total of the card terminal; the payment provider has already confirmed online payments.
 */
export function wayDetail(day: DayClose, way: Way, startCents: number | undefined): string {
  if (way === 'cash') return cashDetail(day, startCents)
  const { payments, refunds } = day.methods[way]
  if (payments + refunds === 0) return 'Nothing today'
  if (way === 'check') return `${counted(payments, 'check')}: ${checkNames(day)}`
  const number = `${counted(payments, 'payment')}${refunds > 0 ? `, ${counted(refunds, 'refund')}` : ''}.`
  if (way === 'card_online') return `${number} Checked with the payment provider.`
  if (way === 'card_terminal' && day.close === null)
    return `${number} Type the total of the terminal.`
  return number
}

/** The check numbers, each with the name of the customer who paid: '1042, Grace Liu'. */
const checkNames = ({ checks }: DayClose) =>
  checks
    .map(({ number, customerName }) => [number, customerName].filter(Boolean).join(', '))
    .join('; ')

const moves = {
  payment: 'took',
  refund: 'gave back',
  reversal: 'reversed',
  paid_in: 'paid in',
  paid_out: 'paid out',
} as const

/**
 * Describes the last payment, refund or cash movement that changed the expected cash during the count: 'Lena took
 * $60.00 in cash at 6:58 PM'.
 */
export function changeTitle(
  { latestCash, cash }: DayClose,
  seenChangeCents: number,
  nameOf: NameOf,
): string {
  const changed = Math.abs(cash.changeCents - seenChangeCents)
  if (!latestCash || Math.abs(latestCash.amountCents) !== changed)
    return `The cash of this day changed by ${formatCents(changed)} while you counted`
  const { kind, recordedByName, recordedAt } = latestCash
  const at = formatShopTime(new Date(recordedAt))
  const who = recordedByName === null ? 'Somebody' : nameOf(recordedByName, recordedAt)
  return `${who} ${moves[kind]} ${formatCents(changed)} in cash at ${at}`
}

const refusals: Readonly<Record<string, string>> = {
  day_in_future: 'This day has not begun at the shop.',
  later_day_closed: 'A later day is closed, so this one can no longer be closed.',
  earlier_day_open: 'An earlier day must be closed first.',
  nothing_to_close: 'This day has no payment and no movement of cash.',
  start_required: 'Enter the cash that was in the drawer when the day began.',
  expected_changed:
    'The expected cash has just changed. Check the new amount, then close the day again.',
  already_closed: 'Somebody has just closed this day. Your count was not saved.',
}

/**
 * Returns the message for a failed command of the page that closes a day: the reason of the refusal, or that nothing
 * was recorded.
 */
export function refusalText(error: unknown): string {
  if (error instanceof DataError) {
    const known = refusals[error.hint ?? '']
    if (known) return known
    if (error.message.includes('card_number'))
      return 'The text contains a card number. Remove the number.'
    if (/^2[23]/.test(error.code)) return 'Check your entries and try again.'
    if (error.status === 0)
      return 'The server did not respond. Your entries are kept; try again, nothing is recorded twice.'
  }
  return 'Nothing was recorded. Your entries are kept; try again.'
}

/** Formats a date for the page that closes a day: 'Friday, November 27'. */
export const dayName = formatDayOfYear

/**
 * Returns the reason for a difference and the note, as staff entered them: 'Wrong change given. Gave a five instead of
 * a one.'; empty if staff entered neither.
 */
export function closeReasonText({ reason, note }: FinishedClose): string {
  const text = reason === null || reason === 'other' ? '' : reasonTexts[reason]
  return [text, note]
    .filter(Boolean)
    .map((sentence) => String(sentence).replace(/\.?$/, '.'))
    .join(' ')
}

/**
 * Returns the corrections of a day close, each with the cash difference, in cents, that remains after the correction.
 */
export function listCorrections(close: FinishedClose) {
  let leftCents = close.countedCents - close.expectedCents
  return close.corrections.map((correction) => {
    leftCents += correction.amountCents
    return { correction, leftCents }
  })
}
