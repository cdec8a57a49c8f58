import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { StripeConnection } from '#server/features/payments/stripe.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { SignedInvoiceUrls } from './document/signed-invoice-urls.ts'
import type { InvoicePdfs } from './pdf/invoice-pdfs.ts'

/** The dependencies of the invoice routes. */
export type InvoiceDependencies = {
  readonly publicUrl: string
  readonly stripeConnection: StripeConnection
  readonly database: Database
  readonly limits: RateLimits
  readonly pdfs: InvoicePdfs
  readonly invoiceLinks: SignedInvoiceUrls
  readonly currentShop: CurrentShop
  readonly canSendEmail: () => boolean
  readonly now: () => number
}
