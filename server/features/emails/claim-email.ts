import type { EmailKind } from '#contracts/emails.ts'
import { asServer, type Database, type Query } from '#server/platform/database.ts'
import { emailKinds } from '#letters/email-kinds.ts'
import type { OutgoingEmail, StoredAttachment } from '#letters/delivery/mail-transport.ts'
import { messageIdOf } from '#letters/delivery/message-id.ts'

/** A message that only this process tries to send for the next two minutes. */
export type ClaimedEmail = OutgoingEmail & {
  /** Which attempt this is, from 1. */
  readonly attempts: number
  /** Why the message is no longer true and must not be sent. */
  readonly obsolete: string | undefined
}

/** Longer than any attempt may take; after a crash the message is due again then. */
const leaseSeconds = 120

/** Takes a due message for one attempt; undefined when it is not due, done, or taken. */
export function claimEmail(database: Database, id: string): Promise<ClaimedEmail | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query<ClaimedRow>(
      `update public.emails set attempts = attempts + 1,
         next_attempt_at = now() + ${leaseSeconds} * interval '1 second',
         leased_until = now() + ${leaseSeconds} * interval '1 second'
       where id = $1 and status in ('queued', 'retrying') and next_attempt_at <= now()
       returning id, kind, recipient_email, recipient_name, subject, html_body, text_body, attachments,
         attempts, resends, created_at, booking_id, appointment_at`,
      [id],
    )
    return (
      row && { ...toOutgoing(row), attempts: row.attempts, obsolete: await whyObsolete(query, row) }
    )
  })
}

/** The columns that a message is made of. */
export type EmailRow = {
  id: string
  kind: EmailKind
  recipient_email: string
  recipient_name: string
  subject: string
  html_body: string
  text_body: string
  attachments: StoredAttachment[]
  resends: number
  created_at: string
}

type ClaimedRow = EmailRow & {
  attempts: number
  booking_id: string | null
  appointment_at: string | null
}

export function toOutgoing(row: EmailRow): OutgoingEmail {
  return {
    id: row.id,
    kind: row.kind,
    recipientEmail: row.recipient_email,
    recipientName: row.recipient_name,
    subject: row.subject,
    html: row.html_body,
    text: row.text_body,
    attachments: row.attachments,
    createdAt: new Date(row.created_at).toISOString(),
    messageId: messageIdOf(row.id, row.resends),
  }
}

type BookingNow = { status: string; is_held: boolean; is_moved: boolean; is_over: boolean }

async function whyObsolete(query: Query, row: ClaimedRow): Promise<string | undefined> {
  if (emailKinds[row.kind].agreesWith === 'nothing' || row.booking_id === null) return undefined
  const [booking] = await query<BookingNow>(
    `select status, coalesce(held_until > internal.current_instant(), false) as is_held, appointment_date + appointment_time <> $2::timestamp as is_moved,
       appointment_date + appointment_time < internal.shop_now() as is_over
     from public.bookings where id = $1`,
    [row.booking_id, row.appointment_at],
  )
  if (!booking) return 'Not sent: the appointment was deleted.'
  if (booking.status === 'cancelled') return 'Not sent: the appointment was cancelled.'
  if (emailKinds[row.kind].agreesWith === 'held_booking' && !booking.is_held) {
    return 'Not sent: the appointment waits for no confirmation any more.'
  }
  if (booking.status === 'not_confirmed') return 'Not sent: the appointment was not confirmed.'
  if (booking.is_moved) return 'Not sent: the appointment was moved.'
  return booking.is_over ? 'Not sent in time: the appointment has begun.' : undefined
}
