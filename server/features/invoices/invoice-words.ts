import { formatCents } from '#domain/format-cents.ts'
import { formatShopDate } from '#domain/format-shop-date.ts'
import type { InvoiceDocument, InvoiceDocumentLine } from './invoice-document.ts'

/** An invoice as it reads, whether printed as a PDF or shown as a page: every figure and date in its final form. */
export type InvoiceWords = {
  readonly number: string
  readonly issued: string
  readonly due: string | undefined
  /** 'Paid November 20, 2026' or 'Void'. */
  readonly stamp: { readonly words: string; readonly isPaid: boolean } | undefined
  /** The customer's name, or the address in its place, and what else is known, one line each. */
  readonly billedTo: readonly string[]
  readonly lines: readonly LineWords[]
  /** What leads to the sum that is due: nothing unless some of it is paid. */
  readonly beforeDue: readonly Figure[]
  readonly dueSum: Figure
  readonly memo: string
}

export type LineWords = {
  readonly description: string
  readonly quantity: string
  /** Empty when one piece costs no whole cents. */
  readonly unitPrice: string
  readonly amount: string
}

type Figure = { readonly label: string; readonly amount: string }

/** The heads of the table of lines. */
export const lineHeads = ['Description', 'Qty', 'Unit price', 'Amount'] as const

/** Puts an invoice into words. */
export function wordInvoice(invoice: InvoiceDocument): InvoiceWords {
  const { customer, currency, dueAt } = invoice
  const money = (cents: number) => formatCents(cents, currency)
  const isPartlyPaid = invoice.paidCents > 0
  return {
    number: invoice.number,
    issued: formatShopDate(invoice.issuedAt),
    due: dueAt === null ? undefined : formatShopDate(dueAt),
    stamp: stampOf(invoice),
    billedTo: [customer.name, customer.email, customer.phone]
      .map(visible)
      .filter((line) => line !== ''),
    lines: invoice.lines.map((line) => wordLine(line, money)),
    beforeDue: isPartlyPaid
      ? [
          { label: 'Total', amount: money(invoice.totalCents) },
          { label: 'Amount paid', amount: money(invoice.paidCents) },
        ]
      : [],
    dueSum: { label: isPartlyPaid ? 'Amount due' : 'Total due', amount: money(invoice.dueCents) },
    memo: visible(invoice.memo),
  }
}

function wordLine(line: InvoiceDocumentLine, money: (cents: number) => string): LineWords {
  return {
    description: visible(line.description),
    quantity: String(line.quantity),
    unitPrice: line.unitCents === null ? '' : money(line.unitCents),
    amount: money(line.amountCents),
  }
}

function stampOf({ status, paidAt }: InvoiceDocument): InvoiceWords['stamp'] {
  if (status === 'void') return { words: 'Void', isPaid: false }
  if (status !== 'paid') return undefined
  return { words: paidAt === null ? 'Paid' : `Paid ${formatShopDate(paidAt)}`, isPaid: true }
}

/** Text as it was meant, without what turns its direction around or cannot be seen; line breaks stay. */
function visible(text: string): string {
  return text
    .replaceAll(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}
