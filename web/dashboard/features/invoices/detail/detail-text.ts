import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'

export type LedgerLine = InvoiceDetail['ledger'][number]

/**
 * For this many minutes after a customer opened the online payment page, the dashboard assumes that the customer is
 * paying.
 */
const payingMinutes = 10

/**
 * Whether the customer is probably paying online now: the customer opened Stripe's payment page at most `payingMinutes`
 * ago, and the page is still open.
 */
export function isPayingOnline(
  { paymentPageOpenedAt }: Pick<InvoiceDetail, 'paymentPageOpenedAt'>,
  now: Date,
): boolean {
  if (paymentPageOpenedAt === null) return false
  return now.getTime() - Date.parse(paymentPageOpenedAt) < payingMinutes * 60_000
}

/** The amounts of the balance card, in cents. Total − credited − received + refunded is the balance. */
export function invoiceAmounts({ ledger, creditNotes, paidCents }: InvoiceDetail) {
  const refunds = ledger.filter(({ kind }) => kind === 'refund')
  const refundedCents = refunds.reduce(
    (sum, line) => sum - line.amountCents - reversalCents(line, ledger),
    0,
  )
  return {
    /** The sum of the customer's payments, except reversed ones. */
    receivedCents: paidCents + refundedCents,
    /** The sum of the refunds to the customer, except failed ones. */
    refundedCents,
    creditedCents: creditNotes.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}

/** An amount in cents as text, with a minus sign before the currency: -1500 → '−$15.00'. */
export function signedCents(cents: number, currency?: string): string {
  return cents < 0 ? `−${formatCents(-cents, currency)}` : formatCents(cents, currency)
}

const refundNames: typeof methodNames = {
  card_online: 'Refund to the card',
  card_terminal: 'Refund by terminal',
  cash: 'Refund in cash',
  check: 'Refund by check',
  other: 'Refund',
}

const causeNames: Readonly<Record<NonNullable<LedgerLine['cause']>, string>> = {
  recorded_wrongly: 'Reversal',
  returned_check: 'Returned by the bank',
  lost_dispute: 'Lost dispute',
  failed_refund: 'Refund failed',
}

/** The title of a line of the ledger: 'Cash', 'Refund in cash', 'Reversal: Cash', 'Bank transfer'. */
export function ledgerTitle({ kind, method, reference, cause, amountCents }: LedgerLine): string {
  const way = method === 'other' && reference !== null ? reference : methodNames[method]
  switch (kind) {
    case 'payment':
      return way
    case 'refund':
      return method === 'other' ? `Refund: ${way}` : refundNames[method]
    case 'reversal':
      return cause === null ? `Reversal: ${way}` : `${causeNames[cause]}: ${way}`
    case 'customer_credit':
      return 'Customer credit'
    case 'cash_rounding':
      return 'Cash rounding'
    case 'applied_deposit':
      return amountCents > 0 ? `Deposit: ${way}` : `Deposit removed: ${way}`
  }
}

/** The reference and the note of a ledger line: 'Number 1042', 'Card ending 4417. “Paid by the neighbor”'. */
export function ledgerDetail({ method, reference, note }: LedgerLine): string {
  const about = reference === null || method === 'other' ? '' : referenceText(method, reference)
  return [about, note && `“${note}”`].filter(Boolean).join('. ')
}

function referenceText(method: LedgerLine['method'], reference: string): string {
  if (method === 'check') return `Number ${reference}`
  return /^\d{4}$/.test(reference) ? `Card ending ${reference}` : reference
}

/**
 * The sum, in cents, of the ledger lines that reverse a payment or refund, or that apply a deposit to an invoice. The
 * sum is negative for a payment or deposit, and positive for a refund.
 */
const reversalCents = ({ id }: LedgerLine, ledger: readonly LedgerLine[]) =>
  ledger
    .filter(
      ({ kind, originalId }) =>
        (kind === 'reversal' || kind === 'applied_deposit') && originalId === id,
    )
    .reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * Whether a ledger line was reversed in full, in part or not at all. A line is reversed if staff recorded a wrong
 * payment, the shop lost a dispute, or a refund failed.
 */
export function reversedPart(
  line: LedgerLine,
  ledger: readonly LedgerLine[],
): 'none' | 'part' | 'all' {
  const cents = reversalCents(line, ledger)
  if (cents === 0) return 'none'
  return line.amountCents + cents === 0 ? 'all' : 'part'
}

/** The amount, in cents, that the customer owes on replacement invoices instead of on this invoice. */
const replacedCents = ({ replacements }: InvoiceDetail) =>
  replacements
    .filter(({ invoiceId }) => invoiceId !== null)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * The balance after each payment, by the payment's id. The function starts with the current balance and goes back
 * through payments and credit notes. Cash rounding counts as a part of the payment that was rounded.
 */
export function dueAfterPayments(invoice: InvoiceDetail): ReadonlyMap<string, number> {
  const due = new Map<string, number>()
  const notes = [...invoice.creditNotes]
  let dueCents = invoice.balanceCents + replacedCents(invoice)
  let roundingCents = 0
  for (const { id, kind, amountCents, paidAt } of invoice.ledger.toReversed()) {
    if (kind === 'cash_rounding') {
      roundingCents += amountCents
      continue
    }
    while (Date.parse(notes.at(-1)?.createdAt ?? paidAt) > Date.parse(paidAt)) {
      dueCents += notes.pop()?.amountCents ?? 0
    }
    if (kind === 'payment' || kind === 'applied_deposit') due.set(id, dueCents)
    dueCents += amountCents + roundingCents
    roundingCents = 0
  }
  return due
}

/**
 * Returns a note for staff about whether a payment was reported to the payment provider; '' when staff need no note.
 */
export function reportText({ reportState }: LedgerLine): string {
  switch (reportState) {
    case 'due':
      return 'This payment or refund is not reported to the payment provider yet.'
    case 'reversed':
      return 'This payment was reversed before its report to the payment provider.'
    case 'corrected':
      return 'The payment provider has this payment with its values before the correction.'
    case 'refused':
      return 'The payment provider did not accept this payment or refund. Compare the invoice in the provider’s dashboard.'
    case 'reported':
    case null:
      return ''
  }
}
