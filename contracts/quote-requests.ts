import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'

/** A quote request as the dashboard reads it from the REST API (docs/product.md 3.3). */
export type QuoteRequest = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly vehicle_year: string
  readonly vehicle_make: string
  readonly vehicle_model: string
  readonly service_type: string | null
  readonly description: string
  readonly status: 'pending' | 'completed'
  readonly created_at: string
  /** The signs that an automated program sent the request; empty for an ordinary request. */
  readonly flagged_reasons: readonly string[]
  /** The emails about the request: the confirmation to the customer, and staff's replies. */
  readonly emails: readonly EmailDelivery[]
  readonly quote_email_logs: readonly QuoteReplyLog[]
  /** The estimates that staff created for the request. */
  readonly estimates: readonly { readonly id: string; readonly number: string }[]
}

/** A reply as staff wrote it; `sent_at` is null until the server has sent the reply. */
type QuoteReplyLog = {
  readonly id: string
  readonly subject: string
  readonly final_body: string
  readonly sent_at: string | null
}
