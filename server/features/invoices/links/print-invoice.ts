import { accepted, type Result } from '#domain/result.ts'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { callStripe, type StripeRefusal } from '#server/features/payments/call-stripe.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import type { InvoiceAddresses, InvoiceDocument } from '../document/invoice-document.ts'
import type { Work } from '../document/work-text.ts'

/** A PDF and its file name for the browser. */
export type InvoicePdf = { readonly bytes: Buffer; readonly fileName: string }

/**
 * Renders the PDF of an invoice for staff. While the invoice can be paid, the PDF contains a QR code and a short URL
 * that open the invoice online.
 */
export function printForStaff(
  context: PaymentContext,
  invoiceId: string,
  link: InvoiceAddresses | undefined,
): Promise<Result<InvoicePdf, StripeRefusal>> {
  return print(context, invoiceId, (document) => (link ? { ...document, link } : document))
}

/** Renders the PDF of an invoice without personal data, for any client that has the secret link of the invoice. */
export function printForLink(
  context: PaymentContext,
  invoiceId: string,
): Promise<Result<InvoicePdf, StripeRefusal>> {
  return print(context, invoiceId, withoutPersonalData)
}

function print(
  { stripe, pdfs }: PaymentContext,
  invoiceId: string,
  adapt: (document: InvoiceDocument) => InvoiceDocument,
): Promise<Result<InvoicePdf, StripeRefusal>> {
  return callStripe({ missing: 'NOT_FOUND', otherwise: 'STRIPE_ERROR' }, async () => {
    const invoice = await stripe.invoices.retrieve(invoiceId)
    const printPdf = await pdfs.prepare(invoice, adapt)
    return accepted({ bytes: await printPdf(), fileName: invoiceFileName(invoice.number) })
  })
}

/**
 * Removes from an invoice document the customer, the license plate, the third-party payer and every text in which staff
 * may have written contact details. The function lists the permitted fields, so that a new field of the document stays
 * excluded until a developer adds the field to this list.
 */
function withoutPersonalData(document: InvoiceDocument): InvoiceDocument {
  const { shop, number, status, issuedAt, dueAt, paidAt, currency, lines } = document
  const { totalCents, paidCents, dueCents, payments, work, isTest } = document
  return {
    shop,
    number,
    status,
    issuedAt,
    dueAt,
    paidAt,
    currency,
    customer: { name: '', email: '', phone: '' },
    lines,
    totalCents,
    paidCents,
    dueCents,
    payments: payments.map(({ kind, method, amountCents, paidAt: at }) => {
      return { kind, method, amountCents, paidAt: at, reference: null }
    }),
    memo: '',
    ...(isTest && { isTest }),
    work: work && withoutContacts(work),
  }
}

const withoutContacts = (work: Work): Work => ({
  ...work,
  vehicle: { ...work.vehicle, plate: '' },
  authorizations: [],
  tearDownDeclines: [],
})
