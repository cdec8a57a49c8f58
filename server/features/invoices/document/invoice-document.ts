import type Stripe from 'stripe'
import type { PrintedPayer } from '#domain/estimates/payer.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { RegistrationDetails } from '../pdf/letterhead-lines.ts'
import { type InvoiceLedger, readInvoiceLedger } from '../records/read-invoice-ledger.ts'
import { type PrintableInvoice, readPrintableInvoice } from './read-printable.ts'
import type { Work } from './work-text.ts'

/**
 * The content of an invoice, for the PDF and the HTML page. The object contains only plain values, so that equal
 * documents result in equal PDFs. Amounts are integer cents.
 */
export type InvoiceDocument = {
  /** The shop that issued the invoice, with its name, street address and registrations. */
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
  /** The ledger entries of the invoice (payments, refunds and others), oldest first. */
  readonly payments: InvoiceLedger['lines']
  readonly memo: string
  /**
   * True for an invoice that was created in the payment sandbox, if the shop now charges real cards; otherwise the
   * field is absent.
   */
  readonly isTest?: true
  /** The approved jobs; absent unless the invoice bills an estimate. */
  readonly work?: Work | undefined
  /** The third party, such as an insurer, that pays for the work of the estimate. */
  readonly payer?: PrintedPayer | undefined
  /** The URLs that open the invoice online, printed on an invoice that is handed over on paper; absent otherwise. */
  readonly link?: InvoiceAddresses | undefined
}

/** The URL of an invoice for the QR code, and a short URL that a customer can type. */
export type InvoiceAddresses = { readonly url: string; readonly typedUrl: string }

/** The shop details that every printed document contains. */
export type InvoiceIssuer = Pick<Shop, 'name' | 'legalName' | 'address' | 'phone'> &
  RegistrationDetails

export type InvoiceDocumentLine = {
  readonly description: string
  readonly quantity: number
  readonly unitPriceCents: number | null
  readonly amountCents: number
}

type Reading = { readonly stripe: Stripe; readonly database: Database; readonly shop: Shop }

/** Reads a Stripe invoice with all its lines, or with the jobs of its estimate. */
export async function readInvoiceDocument(
  { stripe, database, shop }: Reading,
  invoice: Stripe.Invoice,
): Promise<InvoiceDocument> {
  const [lines, printable, ledger] = await Promise.all([
    allLines(stripe, invoice),
    readPrintableInvoice(database, invoice.id),
    readInvoiceLedger(database, invoice.id),
  ])
  const document = withLedger(
    toInvoiceDocument(invoice, lines, { ...shop, ...printable.facts }),
    ledger,
  )
  const marked: InvoiceDocument = ledger?.isTest ? { ...document, isTest: true } : document
  return withRecords(marked, printable)
}

/**
 * Adds the data that only the shop's database contains: the due date, the jobs of the estimate and the third-party
 * payer.
 */
function withRecords(
  document: InvoiceDocument,
  { dueAt, work, payer }: PrintableInvoice,
): InvoiceDocument {
  return {
    ...document,
    dueAt: document.dueAt ?? dueAt,
    ...(work ? { work } : {}),
    ...(payer ? { payer } : {}),
  }
}

/**
 * Stripe includes only the first ten lines in an invoice, so the other lines of a longer invoice need further
 * requests.
 */
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

/** Converts an invoice to a document; `lines` are all its lines, in order. */
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
    payments: [],
    memo: invoice.description ?? '',
  }
}

/**
 * Replaces the payments, the paid amount and the balance of the document by those of the shop's ledger, because a job
 * reports payments to Stripe a little later.
 */
function withLedger(document: InvoiceDocument, ledger: InvoiceLedger | undefined): InvoiceDocument {
  if (!ledger || ledger.lines.length === 0 || document.status === 'void') return document
  const { balanceCents, paidCents, lines } = ledger
  const isPaid = balanceCents === 0
  return {
    ...document,
    status: isPaid ? 'paid' : document.status,
    paidAt: isPaid ? (document.paidAt ?? lines.at(-1)?.paidAt ?? null) : document.paidAt,
    paidCents,
    dueCents: balanceCents,
    payments: lines,
  }
}

function toLine(line: Stripe.InvoiceLineItem): InvoiceDocumentLine {
  const quantity = line.quantity ?? 1
  // Uses Stripe's unit price, because a price computed from the line amount could be rounded.
  const unit = Number(line.pricing?.unit_amount_decimal?.toString() ?? Number.NaN)
  return {
    description: line.description ?? '',
    quantity,
    unitPriceCents: Number.isInteger(unit) ? unit : null,
    amountCents: line.amount,
  }
}
