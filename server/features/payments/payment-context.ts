import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop.ts'
import type { InvoicePdfs } from '#server/features/invoices/invoice-pdfs.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { PaymentQueues } from './payment-traffic.ts'

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
