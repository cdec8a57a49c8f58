import { payerLabels } from '#domain/estimates/payer.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShopDate } from '#domain/text/format-shop-date.ts'
import type { InvoiceDocument, InvoiceDocumentLine } from './invoice-document.ts'
import { letterheadLines } from '../pdf/letterhead-lines.ts'
import { type LabeledAmount, type LineText, type Stamp, visible } from './line-text.ts'
import { type WorkText, formatWork } from './work-text.ts'

/** An invoice with every amount and date as text, for the PDF and the HTML page. */
export type InvoiceText = {
  readonly number: string
  readonly issued: string
  readonly due: string | undefined
  readonly stamp: Stamp | undefined
  /** The legal name, street address, phone number and registrations of the shop, one line each. */
  readonly issuer: readonly string[]
  /** The customer's name (or the email address, if there is no name) and the other contact details, one line each. */
  readonly billedTo: readonly string[]
  readonly lines: readonly LineText[]
  /**
   * The approved jobs, which an invoice of an estimate shows instead of lines that staff typed; undefined for other
   * invoices.
   */
  readonly work: WorkText | undefined
  /** The amounts that are printed above the amount due: the total and the amount paid. Empty while nothing is paid. */
  readonly beforeDue: readonly LabeledAmount[]
  readonly dueSum: LabeledAmount
  readonly memo: string
  /** The name and reference number of the third-party payer, one line each; empty if there is no such payer. */
  readonly payer: readonly string[]
  /** The shop's terms and conditions, which every printed document contains. */
  readonly conditions: string
}

/** Formats an invoice as text. */
export function formatInvoice(invoice: InvoiceDocument): InvoiceText {
  const { customer, currency, dueAt } = invoice
  const money = (cents: number) => formatCents(cents, currency)
  const isPartlyPaid = invoice.paidCents > 0
  return {
    number: invoice.number,
    issued: formatShopDate(invoice.issuedAt),
    due: dueAt === null ? undefined : formatShopDate(dueAt),
    stamp: stampOf(invoice),
    issuer: letterheadLines(invoice.shop),
    billedTo: [customer.name, customer.email, customer.phone]
      .map(visible)
      .filter((line) => line !== ''),
    lines: invoice.lines.map((line) => formatLine(line, money)),
    work: invoice.work && formatWork(invoice.work),
    beforeDue: isPartlyPaid
      ? [{ label: 'Total', amount: money(invoice.totalCents) }, ...paymentTexts(invoice, money)]
      : [],
    dueSum: { label: isPartlyPaid ? 'Amount due' : 'Total due', amount: money(invoice.dueCents) },
    memo: visible(invoice.memo),
    payer: payerTexts(invoice.payer),
    conditions: visible(invoice.shop.conditions),
  }
}

/**
 * Formats the name and the reference number of the third-party payer. Only the estimate shows the amount that the
 * payer approved.
 */
function payerTexts(payer: InvoiceDocument['payer']): string[] {
  if (!payer) return []
  return [payer.name, `${payerLabels.reference}: ${payer.reference}`].map(visible)
}

/** Formats each payment with its method and date, or only the paid total if the shop's ledger has no payments. */
function paymentTexts(
  { payments, paidCents }: InvoiceDocument,
  money: (cents: number) => string,
): LabeledAmount[] {
  if (payments.length === 0) return [{ label: 'Amount paid', amount: money(paidCents) }]
  return payments.map((line) => ({ label: paymentLabel(line), amount: money(line.amountCents) }))
}

function paymentLabel(line: InvoiceDocument['payments'][number]): string {
  const method = visible(line.method === 'other' ? (line.reference ?? 'Other') : methodText(line))
  const date = formatShopDate(line.paidAt)
  switch (line.kind) {
    case 'payment':
      return `Paid ${date}, ${method}`
    case 'refund':
      return `Refunded ${date}, ${method}`
    case 'reversal':
      return `Reversed ${date}, ${method}`
    case 'customer_credit':
      return 'Kept as credit'
    case 'cash_rounding':
      return 'Cash rounding'
    case 'applied_deposit':
      return line.amountCents > 0 ? `Deposit, ${method}` : `Deposit removed, ${method}`
  }
}

const methodNames = {
  card_terminal: 'card',
  card_online: 'card online',
  cash: 'cash',
  check: 'check',
  other: 'other',
} as const

function methodText({ method, reference }: InvoiceDocument['payments'][number]): string {
  return reference === null ? methodNames[method] : `${methodNames[method]} ${reference}`
}

function formatLine(line: InvoiceDocumentLine, money: (cents: number) => string): LineText {
  return {
    description: visible(line.description),
    quantity: String(line.quantity),
    unitPrice: line.unitPriceCents === null ? '' : money(line.unitPriceCents),
    amount: money(line.amountCents),
  }
}

function stampOf({ status, paidAt, isTest }: InvoiceDocument): InvoiceText['stamp'] {
  if (status === 'void') return { text: 'Void', isPaid: false }
  if (status !== 'paid') return isTest && { text: 'Test', isPaid: false }
  const paid = paidAt === null ? 'Paid' : `Paid ${formatShopDate(paidAt)}`
  return { text: isTest ? `Test: ${paid}` : paid, isPaid: true }
}
