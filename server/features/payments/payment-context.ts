import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { InvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import type { Database } from '@local/postgres'
import type { PaymentQueues } from './payment-queues.ts'
import type { PaymentMode } from './stripe.ts'

/** The dependencies of the payment functions. */
export type PaymentContext = {
  readonly stripe: Stripe
  readonly database: Database
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** The public URL of the site, without a trailing slash. */
  readonly publicUrl: string
  /** The recipient of notices about payments that the owner has to check. */
  readonly ownerEmail: string | undefined
  readonly currentShop: CurrentShop
  readonly pdfs: InvoicePdfs
  readonly paymentQueues: PaymentQueues
  readonly paymentMode: () => PaymentMode
  /** Logs a failure that does not stop the calling function. */
  readonly report: (what: string, error: unknown) => void
}
