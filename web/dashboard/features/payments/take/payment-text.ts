import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatShopTime, formatStamp, shopToday } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { timeAgo } from '#domain/text/time-ago.ts'
import { type NameOf } from '#web/dashboard/kit/staff/staff-name.tsx'

/** A payment method of the panel: a method at the counter, or the link to pay online. */
export type Way = CounterMethod | 'link'

/** A sum with its method: '$498.57 in cash', 'check of $498.57', '$498.57'. */
export function sumText(method: CounterMethod, cents: number): string {
  const sum = formatCents(cents)
  switch (method) {
    case 'cash':
      return `${sum} in cash`
    case 'card_terminal':
      return `${sum} by terminal`
    case 'check':
      return `check of ${sum}`
    case 'other':
      return sum
  }
}

/** Formats an amount in cents as the value of an input field: '1498.57'. */
export const amountText = (cents: number) => (cents / 100).toFixed(2)

/** The time of a ledger line and the person who recorded it: 'Today, 5:12 PM, sam'. */
export function recordedText(line: LedgerLine, nameOf: NameOf): string {
  const { paid_at: paidAt, recorded_at: recordedAt, recorded_by_name: by } = line
  const at = new Date(paidAt)
  const isToday = shopToday(at) === shopToday(new Date())
  const when = isToday ? `Today, ${formatShopTime(at)}` : formatStamp(paidAt)
  return by === null ? when : `${when}, ${nameOf(by, recordedAt)}`
}

/**
 * Describes a payment that another window or the customer made while the panel was open: 'lena took $200.00 in cash 10
 * seconds ago'.
 */
export function laterPaymentText(
  line: LedgerLine,
  { customer, nameOf, now }: { customer: string; nameOf: NameOf; now: Date },
): string {
  const ago = timeAgo(new Date(line.paid_at), now)
  if (line.method === 'card_online') {
    return `${customer} paid ${formatCents(line.amount_cents)} online ${ago}`
  }
  const sum = sumText(line.method, line.amount_cents)
  const taken = line.method === 'check' ? `a ${sum}` : sum
  const by = line.recorded_by_name
  return `${by === null ? 'Someone' : nameOf(by, line.recorded_at)} took ${taken} ${ago}`
}
