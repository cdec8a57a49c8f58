import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'

/** A quote request as the dashboard reads it from the data service (docs/product.md 3.3). */
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
  /** Signs of an automated request; empty for an ordinary one. */
  readonly flagged_reasons: readonly string[]
  /** The confirmation email and the replies. */
  readonly emails: readonly EmailDelivery[]
  readonly quote_email_logs: readonly QuoteReplyLog[]
  /** The estimates made for the request. */
  readonly estimates: readonly { readonly id: string; readonly number: string }[]
}

/** A reply as it was written; `sent_at` is null until it was sent. */
type QuoteReplyLog = {
  readonly id: string
  readonly subject: string
  readonly final_body: string
  readonly sent_at: string | null
}
