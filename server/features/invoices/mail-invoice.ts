import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { type StripeConnection, stripeFailure } from '#server/features/payments/stripe.ts'
import type { InvoicePdfs } from './pdf/invoice-pdfs.ts'
import { writeInvoiceEmail } from '#emails/invoices/invoice.ts'

type Dependencies = {
  readonly stripeConnection: Pick<StripeConnection, 'client' | 'sendsEmail'>
  readonly database: Database
  readonly pdfs: InvoicePdfs
  readonly publicUrl: string
  readonly currentShop: CurrentShop
  /** Whether a mail server is configured. */
  readonly canSendEmail: () => boolean
}

export type Mailed = {
  readonly emailSent: boolean
  readonly emailError: string | null
  /** Whether the email was stored in the outbox folder instead of sent, because no mail server is configured. */
  readonly isEmailInOutbox: boolean
  /** The error because of which the email could not be sent; the error is written to the log. */
  readonly cause?: unknown
}

/** The result for an invoice that staff chose not to email. */
export const notMailed: Mailed = { emailSent: false, emailError: null, isEmailInOutbox: false }

/**
 * Emails an invoice to its customer. Stripe sends the email if the Stripe account sends invoice emails, otherwise the
 * shop does. A failure is returned and not thrown, because the invoice is valid without the email.
 */
export async function mailInvoice(
  dependencies: Dependencies,
  invoice: Stripe.Invoice,
): Promise<Mailed> {
  try {
    if (dependencies.stripeConnection.sendsEmail) {
      await dependencies.stripeConnection.client.invoices.sendInvoice(invoice.id)
    } else {
      await mailByOurselves(dependencies, invoice)
    }
    const isEmailInOutbox =
      !dependencies.stripeConnection.sendsEmail && !dependencies.canSendEmail()
    return { emailSent: true, emailError: null, isEmailInOutbox }
  } catch (error) {
    const message = stripeFailure(error)
      ? 'The invoice was created, but the card payment provider did not send the email. Please send the invoice from the provider’s dashboard.'
      : 'The invoice was created, but its email could not be prepared. Please email the invoice again from the invoice list.'
    return { emailSent: false, emailError: message, isEmailInOutbox: false, cause: error }
  }
}

async function mailByOurselves(
  { database, pdfs, publicUrl, currentShop }: Dependencies,
  invoice: Stripe.Invoice,
): Promise<void> {
  const print = await pdfs.prepare(invoice)
  const email = writeInvoiceEmail(currentShop(), invoice, publicUrl, await print())
  await database.transaction(asServer, (query) => queueEmail(query, email))
}
