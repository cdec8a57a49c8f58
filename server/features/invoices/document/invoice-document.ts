import type Stripe from 'stripe'
import type { Shop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { RegistrationDetails } from '../pdf/letterhead-lines.ts'
import { readPrintableInvoice } from './read-printable.ts'
import type { Work } from './work-text.ts'

/**
 * What an invoice says, as a PDF or as a page: plain values, so that equal documents make equal PDFs. Money is
 * integer cents.
 */
export type InvoiceDocument = {
  /** Who made it out. */
  readonly shop: InvoiceIssuer
  readonly number: string
  readonly status: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly dueAt: number | null
  readonly paidAt: number | null
  readonly currency: string
  readonly customer: {
    readonly name: string
    readonly email: string
    readonly phone: string
  }
  readonly lines: readonly InvoiceDocumentLine[]
  readonly totalCents: number
  readonly paidCents: number
  readonly dueCents: number
  readonly memo: string
  /** What was approved and done, where the invoice is of an estimate. */
  readonly work?: Work | undefined
}

/** What papers say of the shop. */
export type InvoiceIssuer = Pick<Shop, 'name' | 'legalName' | 'address' | 'phone'> &
  RegistrationDetails

export type InvoiceDocumentLine = {
  readonly description: string
  readonly quantity: number
  readonly unitCents: number | null
  readonly amountCents: number
}

type Reading = { readonly stripe: Stripe; readonly database: Database; readonly shop: Shop }

/** What the shop prints and shows of the processor's invoice, with all its lines or the jobs that they are of. */
export async function readInvoiceDocument(
  { stripe, database, shop }: Reading,
  invoice: Stripe.Invoice,
): Promise<InvoiceDocument> {
  const [lines, printable] = await Promise.all([
    allLines(stripe, invoice),
    readPrintableInvoice(database, invoice.id),
  ])
  const document = toInvoiceDocument(invoice, lines, { ...shop, ...printable.facts })
  return printable.work ? { ...document, work: printable.work } : document
}

/** An invoice carries only its first ten lines. */
async function allLines(
  stripe: Stripe,
  invoice: Stripe.Invoice,
): Promise<readonly Stripe.InvoiceLineItem[]> {
  if (!invoice.lines.has_more) return invoice.lines.data
  const lines: Stripe.InvoiceLineItem[] = []
  for await (const line of stripe.invoices.listLineItems(invoice.id, { limit: 100 })) {
    lines.push(line)
  }
  return lines
}

/** The same of an invoice whose `lines` are all there, in order. */
export function toInvoiceDocument(
  invoice: Stripe.Invoice,
  lines: readonly Stripe.InvoiceLineItem[],
  shop: InvoiceIssuer,
): InvoiceDocument {
  const { name, legalName, address, phone, registrationNumber, epaNumber, conditions } = shop
  return {
    shop: { name, legalName, address, phone, registrationNumber, epaNumber, conditions },
    number: invoice.number ?? 'Draft',
    status: invoice.status ?? 'draft',
    issuedAt: invoice.status_transitions.finalized_at ?? invoice.created,
    dueAt: invoice.due_date,
    paidAt: invoice.status_transitions.paid_at,
    currency: invoice.currency,
    customer: {
      name: invoice.customer_name ?? '',
      email: invoice.customer_email ?? '',
      phone: invoice.customer_phone ?? '',
    },
    lines: lines.map(toLine),
    totalCents: invoice.total,
    paidCents: invoice.amount_paid,
    dueCents: invoice.amount_remaining,
    memo: invoice.description ?? '',
  }
}

function toLine(line: Stripe.InvoiceLineItem): InvoiceDocumentLine {
  const quantity = line.quantity ?? 1
  // The price of one as the processor states it; computing it back from the amount could round.
  const unit = Number(line.pricing?.unit_amount_decimal?.toString() ?? Number.NaN)
  return {
    description: line.description ?? '',
    quantity,
    unitCents: Number.isInteger(unit) ? unit : null,
    amountCents: line.amount,
  }
}
