import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** The delivery status of an email; `public.emails.status` explains each. */
const emailStatus = z.enum(['queued', 'retrying', 'sent', 'in_outbox', 'failed'])
export type EmailStatus = z.infer<typeof emailStatus>

/** How emails are sent; with `outbox` no mail server is configured and emails stay in the outbox. */
export const mailMode = z.enum(['smtp', 'resend', 'outbox'])

/** The kind of an email; `emails/email-kinds.ts` has the rules for each. */
const emailKind = z.enum([
  'booking_confirmation',
  'confirmation_request',
  'booking_moved',
  'booking_cancelled',
  'booking_reminder',
  'address_question',
  'visit_links',
  'quote_confirmation',
  'quote_reply',
  'estimate',
  'estimate_approved',
  'invoice',
  'payment_receipt',
  'owner_notice',
  'test_message',
])
export type EmailKind = z.infer<typeof emailKind>

/** An email in the dashboard's list. Times are ISO 8601 instants. */
const outboxEmail = z.object({
  id: z.uuid(),
  kind: emailKind,
  to: z.object({ email: z.string(), name: z.string() }),
  subject: z.string(),
  status: emailStatus,
  attempts: z.int(),
  /** The mail server's response to the last attempt, or the reason why the email was not sent. */
  lastError: z.nullable(z.string()),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  /** The time of the next attempt; null once the email is sent, stored in the outbox or failed. */
  nextAttemptAt: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  invoiceId: z.nullable(z.string()),
})
export type OutboxEmail = z.infer<typeof outboxEmail>

const emailId = z.object({ id: z.uuid() })

/** The outbox: the owner's list of emails to customers, with 'Resend'. */
export const outboxEndpoints = {
  /** Newest first, in pages. */
  list: {
    method: 'GET',
    path: '/api/outbox',
    caller: 'admin',
    request: z.object({
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
      before: z.optional(z.string().check(z.regex(/^\d{10,20}_[0-9a-f-]{36}$/))),
    }),
    response: z.object({
      ok: z.literal(true),
      mode: mailMode,
      emails: z.array(outboxEmail),
      /** The value of `before` for the next page; null on the last page. */
      next: z.nullable(z.string()),
    }),
  },
  read: {
    method: 'GET',
    path: '/api/outbox/:id',
    caller: 'admin',
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
  /** The email as an HTML page, which must be shown only in an `<iframe sandbox>`. */
  preview: { method: 'GET', path: '/api/outbox/:id/preview', caller: 'admin', request: emailId },
  /** The email as a file that mail programs can open. */
  download: {
    method: 'GET',
    path: '/api/outbox/:id/message.eml',
    caller: 'admin',
    request: emailId,
  },
  /** Tries to send the email again and returns the result. */
  resend: {
    method: 'POST',
    path: '/api/emails/:id/resend',
    caller: 'admin',
    request: emailId,
    response: z.object({ ok: z.literal(true), email: outboxEmail }),
  },
} satisfies Record<string, Endpoint>
