import type { OutboxEmail } from '#contracts/emails/emails.ts'
import type { EmailRow } from '#emails/delivery/stored-email.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The columns of the email list. The body and the attachments are read only when somebody opens an email. */
const summaryColumns = `id, kind, json_build_object('email', recipient_email, 'name', recipient_name) as "to",
  subject, status, attempts, last_error as "lastError",
  to_json(created_at) #>> '{}' as "createdAt", to_json(sent_at) #>> '{}' as "sentAt",
  case when status in ('queued', 'retrying') then to_json(next_attempt_at) #>> '{}' end as "nextAttemptAt",
  booking_id as "bookingId", quote_request_id as "quoteRequestId", invoice_id as "invoiceId"`

type Page = { readonly emails: OutboxEmail[]; readonly next: string | null }

/**
 * Lists one page of emails, newest first. The cursor is the time (microseconds since 1970) and the id of the last
 * email of the previous page, joined by '_'.
 */
export async function listOutbox(
  query: Query,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<Page> {
  const [micros = null, id = null] = before?.split('_') ?? []
  const rows = rowsAs<OutboxEmail & { cursor: string }>(
    await query(
      `select ${summaryColumns}, (extract(epoch from created_at) * 1000000)::bigint || '_' || id as cursor
     from public.emails
     where $1::bigint is null
       or (created_at, id) < (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::uuid)
     order by created_at desc, id desc limit $3`,
      [micros, id, limit + 1],
    ),
  )
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? (page.at(-1)?.cursor ?? null) : null
  return { emails: page.map(withoutCursor), next }
}

function withoutCursor({ cursor: _cursor, ...email }: OutboxEmail & { cursor: string }) {
  return email
}

export async function findSummary(query: Query, id: string): Promise<OutboxEmail | undefined> {
  const [row] = rowsAs<OutboxEmail>(
    await query(`select ${summaryColumns} from public.emails where id = $1`, [id]),
  )
  return row
}

/**
 * Hides the text of an invitation, because anybody who knows the link in the text can accept the invitation, even
 * one for an owner account.
 */
const hiddenInvitation =
  'The text of this email is hidden, because only the invited team member may see the invitation link.'

/**
 * Reads an email with its text and attachments. A notice replaces the text of an invitation, unless
 * `showsInvitations` is true.
 */
export async function findMessage(
  query: Query,
  id: string,
  showsInvitations: boolean,
): Promise<EmailRow | undefined> {
  const [row] = rowsAs<EmailRow>(
    await query(
      `select id, kind, recipient_email, recipient_name, subject,
         case when kind = 'invitation' and not $3::boolean then $2 else html_body end as html_body,
         case when kind = 'invitation' and not $3::boolean then $2 else text_body end as text_body, attachments, resend_count, created_at
       from public.emails where id = $1`,
      [id, hiddenInvitation, showsInvitations],
    ),
  )
  return row
}
