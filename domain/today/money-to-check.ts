import { daysBetween, formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { WaitingClock, WaitingItem } from './waiting-item.ts'

type UnclosedDay = {
  readonly day: string
  readonly payments: number
  /** The cash received on the day minus the cash paid out, in US cents. */
  readonly cashCents: number
}

type LedgerDifference = {
  readonly invoiceId: string
  readonly number: string | null
  readonly customerName: string
  /** The unpaid amount of the invoice in the shop's ledger. */
  readonly balanceCents: number
  /** The unpaid amount of the invoice at the payment provider; null when the amount is not known. */
  readonly remainingCents: number | null
  readonly currency: string
}

/** The records about money that the shop has to check; each list has the oldest record first. */
export type MoneyToCheck = {
  /** Earlier business days whose cash count staff have not closed. */
  readonly unclosed_days: readonly UnclosedDay[]
  /** Invoices whose balance differs from the unpaid amount at the payment provider. */
  readonly ledger_differences: readonly LedgerDifference[]
  /** Deposits that the shop holds although the work was declined, or the appointment was cancelled or missed. */
  readonly undecided_deposits: readonly UndecidedDeposit[]
}

/** The lines of 'Needs attention' about money (docs/product.md 13.2). */
export function listMoneyToCheck(
  { unclosed_days, ledger_differences, undecided_deposits }: MoneyToCheck,
  clock: WaitingClock,
): WaitingItem[] {
  return [
    ...unclosed_days.map((unclosed) => notClosed(unclosed, clock)),
    ...ledger_differences.map(differs),
    ...undecided_deposits.map(isHeld),
  ]
}

type UndecidedDeposit = {
  readonly estimateId: string
  readonly number: string
  readonly customerName: string
  readonly heldCents: number
  readonly because: 'declined' | 'cancelled' | 'no_show'
}

const reasons: Readonly<Record<UndecidedDeposit['because'], string>> = {
  declined: 'no job is approved any more',
  cancelled: 'the appointment was cancelled',
  no_show: 'the customer did not come',
}

function isHeld(deposit: UndecidedDeposit): WaitingItem {
  const { estimateId, number, customerName, heldCents, because } = deposit
  return {
    key: `deposit ${estimateId}`,
    about: 'invoice',
    title: `Deposit of ${customerName || number}`,
    detail: `${formatCents(heldCents)} held, and ${reasons[because]}`,
    wait: 'Refund?',
    isUrgent: true,
    target: { kind: 'estimate', id: estimateId },
  }
}

function notClosed(
  { day, payments, cashCents }: UnclosedDay,
  { today }: WaitingClock,
): WaitingItem {
  const days = daysBetween(day, today)
  return {
    key: `close ${day}`,
    about: 'drawer',
    title: `${formatDayOfYear(day)} is not closed`,
    detail: `${payments} payment${payments === 1 ? '' : 's'}, ${formatCents(cashCents)} in cash`,
    wait: `${days} day${days === 1 ? '' : 's'}`,
    isUrgent: true,
    target: { kind: 'day_close', date: day },
  }
}

function differs(difference: LedgerDifference): WaitingItem {
  const { invoiceId, number, customerName, balanceCents, remainingCents, currency } = difference
  const there = remainingCents === null ? 'unknown' : formatCents(remainingCents, currency)
  return {
    key: `difference ${invoiceId}`,
    about: 'invoice',
    title: `${customerName}, invoice ${number ?? 'without a number'}: the payment provider has a different balance`,
    detail: `${formatCents(balanceCents, currency)} in the shop, ${there} at the payment provider`,
    wait: 'check',
    isUrgent: true,
    target: { kind: 'invoice', id: invoiceId },
  }
}
