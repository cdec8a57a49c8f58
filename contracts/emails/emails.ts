import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** What becomes of a message; see `public.emails.status` for the meaning of each. */
const emailStatus = z.enum(['queued', 'retrying', 'sent', 'in_outbox', 'failed'])
export type EmailStatus = z.infer<typeof emailStatus>

/** How mail leaves: `outbox` means that no mail server is set and nothing leaves. */
export const mailMode = z.enum(['smtp', 'resend', 'outbox'])

/** What a message is about; `emails/email-kinds.ts` says what holds for each. */
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

/** A message as the dashboard lists it. Times are ISO 8601 instants. */
const outboxEmail = z.object({
  id: z.uuid(),
  kind: emailKind,
  to: z.object({ email: z.string(), name: z.string() }),
  subject: z.string(),
  status: emailStatus,
  attempts: z.int(),
  /** What the mail server said to the last attempt, or why the message was not sent. */
  lastError: z.nullable(z.string()),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  /** When it is tried again; null once it is sent, kept or given up. */
  nextAttemptAt: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  invoiceId: z.nullable(z.string()),
})
export type OutboxEmail = z.infer<typeof outboxEmail>

const emailId = z.object({ id: z.uuid() })

/** The owner's view of what the shop writes to its customers, and 'Resend'. */
export const outboxEndpoints = {
  /** Newest first, a page at a time. */
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
      /** The `before` of the next page; null on the last one. */
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
  /** The letter as an HTML page, to be shown in an `<iframe sandbox>` only. */
  preview: { method: 'GET', path: '/api/outbox/:id/preview', caller: 'admin', request: emailId },
  /** The message as a file that mail programs open. */
  download: {
    method: 'GET',
    path: '/api/outbox/:id/message.eml',
    caller: 'admin',
    request: emailId,
  },
  /** Tries once more now and answers what became of it. */
  resend: {
    method: 'POST',
    path: '/api/emails/:id/resend',
    caller: 'admin',
    request: emailId,
    response: z.object({ ok: z.literal(true), email: outboxEmail }),
  },
} satisfies Record<string, Endpoint>
