import type { EmailStatus } from '#contracts/emails/emails.ts'
import type { Outbox } from '#emails/delivery/deliver-email.ts'
import type { DeliveryFailure, OutgoingEmail } from '#emails/delivery/mail-transport.ts'
import { type EmailRow, toOutgoingEmail } from '#emails/delivery/stored-email.ts'
import { emailKinds } from '#emails/email-kinds.ts'
import type { Owner } from '#emails/setup/owner-notice.ts'
import { writeUndeliveredNotice } from '#emails/delivery/undelivered-notice.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { queueOwnerNotice } from '../owner-notices/queue-owner-notice.ts'

/** The sender address of all emails, and the owner, who receives a notice about each undeliverable email. */
type Correspondents = Owner & { readonly mailFrom: () => string | undefined }

/** The outbox of the embedded backend, which reads and writes the emails with SQL. */
export function createSqlOutbox(database: Database, correspondents: Correspondents): Outbox {
  const { currentShop, mailFrom } = correspondents
  return {
    claim: (id) =>
      database.transaction(asServer, async (query) => {
        const [row] = rowsAs<EmailRow>(
          await query(
            `select id, kind, recipient_email, recipient_name, subject, html_body, text_body, attachments,
             resend_count, created_at
           from public.claim_email($1)`,
            [id],
          ),
        )
        return row && toOutgoingEmail(row, currentShop(), mailFrom())
      }),
    recordSent: (id, outcome, providerMessageId) =>
      database.transaction(asServer, async (query) => {
        await query('select public.record_email_sent($1, $2, $3)', [id, outcome, providerMessageId])
      }),
    recordFailure: (email, failure) => recordFailure(database, correspondents, email, failure),
    readStatus: (id) =>
      database.transaction(asServer, async (query) => {
        const [row] = await query('select status from public.emails where id = $1', [id])
        return row?.status
      }),
  }
}

function recordFailure(
  database: Database,
  owner: Owner,
  email: OutgoingEmail,
  { message, isPermanent }: DeliveryFailure,
): Promise<EmailStatus | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<{ status: EmailStatus | null }>(
      await query('select public.record_email_failure($1, $2, $3) as status', [
        email.id,
        message,
        isPermanent,
      ]),
    )
    const needsCall = row?.status === 'failed' && emailKinds[email.kind].goesTo === 'customer'
    if (needsCall) await queueOwnerNotice(query, writeUndeliveredNotice(email, message, owner))
    return row?.status ?? undefined
  })
}
