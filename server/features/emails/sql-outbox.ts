import type { EmailStatus } from '#contracts/emails.ts'
import type { Outbox } from '#letters/delivery/deliver-email.ts'
import type { DeliveryFailure, OutgoingEmail } from '#letters/delivery/mail-transport.ts'
import { type EmailRow, toOutgoingEmail } from '#letters/delivery/stored-email.ts'
import { emailKinds } from '#letters/email-kinds.ts'
import type { Owner } from '#letters/owner-notice.ts'
import { writeUndeliveredNotice } from '#letters/undelivered-notice.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { queueOwnerNotice } from './queue-owner-notice.ts'

/** Who writes, and who hears of what no customer will get. */
type Correspondents = Owner & { readonly mailFrom: string | undefined }

/** The outbox as this process reaches it. */
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
        return row && toOutgoingEmail(row, currentShop(), mailFrom)
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
