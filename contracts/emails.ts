import * as z from 'zod/mini'

/** What becomes of a message; see `public.emails.status` for the meaning of each. */
const emailStatus = z.enum(['queued', 'retrying', 'sent', 'kept', 'failed'])
export type EmailStatus = z.infer<typeof emailStatus>

/** How mail leaves: `outbox` means that no mail server is set and nothing leaves. */
const mailMode = z.enum(['smtp', 'resend', 'outbox'])

/** What a message is about; `letters/email-kinds.ts` says what holds for each. */
const emailKind = z.enum([
  'booking_confirmation',
  'confirmation_request',
  'quote_confirmation',
  'quote_reply',
  'invoice',
  'payment_receipt',
  'owner_notice',
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

/** GET /api/outbox?limit=50&before=cursor: newest first. */
export const listOutboxQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  before: z.optional(z.string().check(z.regex(/^\d{10,20}_[0-9a-f-]{36}$/))),
})

export const listOutboxResponse = z.object({
  ok: z.literal(true),
  mode: mailMode,
  emails: z.array(outboxEmail),
  /** The `before` of the next page; null on the last one. */
  next: z.nullable(z.string()),
})

/** The `:id` of a message. */
export const emailParams = z.object({ id: z.uuid() })

/**
 * GET /api/outbox/:id. `html` is shown by `GET /api/outbox/:id/preview` in an `<iframe sandbox>`;
 * `GET /api/outbox/:id/message.eml` is the message as a file.
 */
export const readOutboxResponse = z.object({
  ok: z.literal(true),
  email: z.extend(outboxEmail, {
    text: z.string(),
    attachments: z.array(
      z.object({ filename: z.string(), contentType: z.string(), bytes: z.int() }),
    ),
  }),
})

/** POST /api/emails/:id/resend: tries once more now and answers what became of it. */
export const resendEmailResponse = z.object({ ok: z.literal(true), email: outboxEmail })
