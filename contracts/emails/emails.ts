import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** The delivery status of an email; the SQL comment on `public.emails.status` explains each value. */
export const emailStatus = z.enum(['queued', 'retrying', 'sent', 'in_outbox', 'failed'])
export type EmailStatus = z.infer<typeof emailStatus>

/**
 * The way in which the shop sends emails. With `outbox`, no mail server is configured and emails stay in the outbox.
 */
export const mailMode = z.enum(['smtp', 'resend', 'outbox'])

/** The kind of an email; `emails/email-kinds.ts` contains the rules for each kind. */
export const emailKind = z.enum([
  'booking_confirmation',
  'confirmation_request',
  'booking_moved',
  'booking_cancelled',
  'booking_handed_over',
  'booking_reminder',
  'address_question',
  'visit_links',
  'quote_confirmation',
  'quote_reply',
  'estimate',
  'estimate_approved',
  'invoice',
  'payment_request',
  'payment_receipt',
  'invoice_correction',
  'owner_notice',
  'test_message',
  'invitation',
])
export type EmailKind = z.infer<typeof emailKind>

/** An email in the dashboard's list of emails. Times are ISO 8601 instants. */
const outboxEmail = z.object({
  id: z.uuid(),
  kind: emailKind,
  to: z.object({ email: z.string(), name: z.string() }),
  subject: z.string(),
  status: emailStatus,
  attempts: z.int(),
  /** The mail server's response to the last attempt, or the reason why the shop did not send the email. */
  lastError: z.nullable(z.string()),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  /**
   * The time of the next attempt to deliver the email. Null when no attempt follows, because the email was sent, has
   * failed, or stays in the outbox of a shop without a mail server.
   */
  nextAttemptAt: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  invoiceId: z.nullable(z.string()),
})
export type OutboxEmail = z.infer<typeof outboxEmail>

const emailId = z.object({ id: z.uuid() })

/** The endpoints of the outbox, the owner's list of emails to customers. */
export const outboxEndpoints = {
  /** Lists the emails in pages, newest first. */
  list: {
    method: 'GET',
    path: '/api/outbox',
    rights: 'admin',
    request: z.object({
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
      before: z.optional(z.string().check(z.regex(/^\d{10,20}_[0-9a-f-]{36}$/))),
    }),
    response: z.object({
      ok: z.literal(true),
      mode: mailMode,
      emails: z.array(outboxEmail),
      /** The value of the request's field `before` that returns the next page; null on the last page. */
      next: z.nullable(z.string()),
    }),
  },
  read: {
    method: 'GET',
    path: '/api/outbox/:id',
    rights: 'admin',
    request: emailId,
    response: z.object({
      ok: z.literal(true),
      email: z.extend(outboxEmail, {
        text: z.string(),
        attachments: z.array(
          z.object({ filename: z.string(), contentType: z.string(), bytes: z.int() }),
        ),
      }),
    }),
  },
  /** Returns the email as an HTML page. Browsers must show the page only in an `<iframe sandbox>`. */
  preview: { method: 'GET', path: '/api/outbox/:id/preview', rights: 'admin', request: emailId },
  /** Downloads the email as a file that mail programs can open. */
  download: {
    method: 'GET',
    path: '/api/outbox/:id/message.eml',
    rights: 'admin',
    request: emailId,
  },
  /** Attempts to send the email again and returns the result. */
  resend: {
    method: 'POST',
    path: '/api/emails/:id/resend',
    rights: 'admin',
    request: emailId,
    response: z.object({ ok: z.literal(true), email: outboxEmail }),
  },
} satisfies Record<string, Endpoint>
