import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { emailInvoiceCommand as endpoint } from '#contracts/invoices/linked-invoice.ts'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { accepted, refused } from '#domain/result.ts'
import { writeHandedOverInvoice } from '#emails/invoices/invoice.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { makeInvoiceUrls, readLinkedInvoice } from './invoice-links.ts'

/** Emails an invoice with its link to an email address that staff typed. Refuses a void or cancelled invoice. */
export const emailInvoiceCommand = (context: PaymentContext) =>
  defineCommand(endpoint, {
    prepare: ({ invoiceId, email }) =>
      callStripe({ missing: 'NOT_FOUND', otherwise: 'STRIPE_ERROR' }, async () => {
        const invoice = await context.stripe.invoices.retrieve(invoiceId)
        const written = await writeEmail(context, invoice, email)
        return written ? accepted(written) : refused({ code: 'NOT_FOUND' })
      }),
    async asStaff(query, { invoiceId }) {
      const known = await query('select from public.invoices where invoice_id = $1', [invoiceId])
      return known.length === 1 ? accepted(undefined) : refused({ code: 'NOT_FOUND' })
    },
    async asServer(query, { email }, _known, written) {
      if (!written) throw new Error('The prepared email of an invoice is missing')
      await queueEmail(query, written)
      return accepted({ email })
    },
  })

async function writeEmail(
  { database, publicUrl, pdfs, currentShop }: PaymentContext,
  invoice: Stripe.Invoice,
  email: string,
): Promise<ShopEmail | undefined> {
  const [urls, linked, print] = await Promise.all([
    makeInvoiceUrls(database, publicUrl, invoice.id),
    readLinkedInvoice(database, invoice.id),
    pdfs.prepare(invoice),
  ])
  if (!urls || !linked) return undefined
  return writeHandedOverInvoice(currentShop(), invoice, await print(), {
    email,
    dueCents: linked.balanceCents,
    due: linked.dueDate === null ? undefined : formatDate(linked.dueDate),
    payUrl: urls.url,
    // Staff may email an invoice several times, so each command queues a separate email.
    dedupeKey: `invoice:${invoice.id}:${randomUUID()}`,
  })
}
