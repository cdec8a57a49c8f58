import type { Deposit, DepositState } from '#contracts/payments/deposits.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { parseAmount } from '#domain/payments/payment-form.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'
import { type NameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import type { DepositChoice } from './deposit-api.ts'

/**
 * The badge of each state of a deposit. A state has no badge if the controls for requesting the deposit already show
 * this state.
 */
export const depositBadges: Readonly<
  Partial<Record<DepositState, { readonly tone: BadgeTone; readonly text: string }>>
> = {
  open: { tone: 'info', text: 'open' },
  paid: { tone: 'ok', text: 'paid' },
  applied: { tone: 'ok', text: 'on the invoice' },
  refunded: { tone: 'neutral', text: 'refunded' },
}

const causeNames: Readonly<
  Record<NonNullable<Deposit['lines'][number]['cause']> | 'other', string>
> = {
  recorded_wrongly: 'Reversed',
  returned_check: 'Returned by the bank',
  lost_dispute: 'Lost dispute',
  failed_refund: 'Refund failed',
  other: 'Reversed',
}

/** One ledger line of a deposit in words: 'Paid Nov 24, 3:40 PM, Card, online'. */
export function depositLineText(line: Deposit['lines'][number], nameOf: NameOf): string {
  const what = { payment: 'Paid', refund: 'Refunded', reversal: causeNames[line.cause ?? 'other'] }[
    line.kind
  ]
  const way =
    line.method === 'other' && line.reference !== null ? line.reference : methodNames[line.method]
  const by = line.recordedByName && nameOf(line.recordedByName, line.paidAt)
  return [`${what} ${formatStamp(line.paidAt)}`, way, by].filter((part) => part !== null).join(', ')
}

export type AskKind = 'none' | 'sum' | 'share'

/** Returns whether the deposit is requested as a sum, as a share or not at all, and the sum or share as text. */
export function askOf({ amountCents, sharePercent }: Deposit): { kind: AskKind; text: string } {
  if (amountCents !== null) return { kind: 'sum', text: (amountCents / 100).toFixed(2) }
  if (sharePercent !== null) return { kind: 'share', text: String(sharePercent) }
  return { kind: 'none', text: '' }
}

/** Returns the requested deposit that staff typed, or the reason why the input is invalid. */
export function readAsk(
  kind: AskKind,
  text: string,
  limitCents: number,
): { readonly choice: DepositChoice } | { readonly problem: string } {
  if (kind === 'none') return { choice: { amountCents: null, sharePercent: null } }
  if (kind === 'share') {
    const percent = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0
    return percent >= 1 && percent <= 100
      ? { choice: { amountCents: null, sharePercent: percent } }
      : { problem: 'Enter a whole percentage from 1 to 100.' }
  }
  const cents = parseAmount(text)
  if (!cents || cents < 0) return { problem: 'Enter an amount above 0.' }
  if (cents > limitCents) return { problem: aboveLimit(limitCents) }
  return { choice: { amountCents: cents, sharePercent: null } }
}

const aboveLimit = (limitCents: number) =>
  `The deposit cannot be more than the estimate, ${formatCents(limitCents)}.`

/** The reason why the database refused to change a deposit, and whether money moved, as a text for staff. */
export function depositProblem(error: Error): string {
  if (!(error instanceof DataError) || error.status === 0 || error.status >= 500) {
    return 'No response. Press the button again: nothing is recorded twice.'
  }
  if (error.code === 'PAID_ONLINE') {
    return 'The customer has just paid online. This second payment was not recorded. Give the money back.'
  }
  if (error.code === '23514') {
    return 'A text looks like a card number, or has characters that are not allowed. Nothing was recorded. Change that text.'
  }
  return problems[error.hint ?? ''] ?? `${error.message} Nothing was recorded.`
}

/**
 * The messages for changes that the database refused, by the hint in its error (TT104 in
 * contracts/payments/ledger-errors.ts).
 */
const problems: Readonly<Record<string, string>> = {
  above_approved: 'The deposit cannot be more than the estimate.',
  above_asked:
    'The requested deposit is lower now, because the approved amount is lower. Nothing was recorded.',
  already_invoiced: 'The invoice was created in the meantime. Take a payment on the invoice.',
  already_taken: 'The deposit was taken in the meantime. Nothing was recorded.',
  given_too_little: 'The cash given is less than the amount to take. Check both amounts.',
  not_asked: 'A deposit is no longer requested. Nothing was recorded.',
  nothing_approved: 'No job is approved any longer. Nothing was recorded.',
  nothing_held: 'The deposit was already refunded. No money moved.',
}

/** Returns the payments of a deposit that were not refunded, reversed or applied to an invoice, not even in part. */
export const heldPayments = ({ lines }: Deposit) =>
  lines.filter(
    ({ id, kind }) => kind === 'payment' && !lines.some(({ originalId }) => originalId === id),
  )
