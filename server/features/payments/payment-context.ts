import type Stripe from 'stripe'
import type { InvoicePdfs } from '#server/features/invoices/invoice-pdfs.ts'
import type { Database, Query } from '#server/platform/database.ts'

/** A message for the outbox. */
export type ShopEmail = {
  readonly kind: 'payment_receipt' | 'owner_notice'
  /** The same message is written once for its key. */
  readonly dedupeKey: string
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly invoiceId: string | null
  readonly attachments: readonly {
    readonly filename: string
    readonly contentType: string
    readonly content: Buffer
  }[]
}

/** What the verbs of this folder work with. */
export type PaymentContext = {
  readonly stripe: Stripe
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where visitors reach the site, without a trailing slash. */
  readonly publicUrl: string
  /** Who is told of what needs a person. */
  readonly ownerEmail: string
  readonly pdfs: InvoicePdfs
  /** Writes a message in the given transaction; the id of its row, the known one if it was written before. */
  readonly queueEmail: (query: Query, email: ShopEmail) => Promise<string>
  /** A failure that must not stop the work but be seen: goes to the log. */
  readonly report: (what: string, error: unknown) => void
}
