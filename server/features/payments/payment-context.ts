import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { InvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import type { Database } from '@local/postgres'
import type { PaymentQueues } from './payment-queues.ts'

/** What the verbs of this folder work with. */
export type PaymentContext = {
  readonly stripe: Stripe
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where visitors reach the site, without a trailing slash. */
  readonly publicUrl: string
  /** Who is told of what needs a person. */
  readonly ownerEmail: string | undefined
  readonly currentShop: CurrentShop
  readonly pdfs: InvoicePdfs
  readonly paymentQueues: PaymentQueues
  /** A failure that must not stop the work but be seen: goes to the log. */
  readonly report: (what: string, error: unknown) => void
}
