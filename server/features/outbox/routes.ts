import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { emailParams, listOutboxQuery } from '#contracts/emails.ts'
import { type EmailRow, toOutgoing } from '#letters/delivery/stored-email.ts'
import { addressOf, printMessage } from '#server/features/emails/compose-message.ts'
import type { Mailer } from '#server/features/emails/mailer.ts'
import { outboxFileName } from '#server/features/emails/outbox-transport.ts'
import { resendEmail } from '#server/features/emails/resend-email.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { sendRefusal } from '#server/platform/http/errors.ts'
import { findMessage, findSummary, listOutbox } from './read-outbox.ts'

type Dependencies = {
  readonly database: Database
  readonly mailer: Mailer
  readonly mailFrom: string
  /** A preHandler that lets only the shop's admin through. */
  readonly onlyAdmin: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

// A message holds what strangers wrote. It is escaped already; this makes sure that nothing in it runs,
// loads or leads anywhere, even if it is opened in a tab of its own.
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"

/** The owner's view of what the shop writes to its customers, and 'Resend'. */
export function registerOutbox(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, mailer, mailFrom, onlyAdmin } = dependencies
  const read = { preHandler: onlyAdmin }

  app.get('/api/outbox', read, async (request, reply) => {
    const asked = z.safeParse(listOutboxQuery, request.query)
    if (!asked.success) return sendRefusal(reply, 'BAD_REQUEST')
    const page = await database.transaction(asServer, (query) => listOutbox(query, asked.data))
    return { ok: true, mode: mailer.transport.mode, ...page }
  })

  app.get('/api/outbox/:id', read, async (request, reply) => {
    const found = await findBoth(database, request)
    if (!found) return sendRefusal(reply, 'EMAIL_NOT_FOUND')
    return { ok: true, email: { ...found.summary, ...presentContent(found.message) } }
  })

  app.get('/api/outbox/:id/preview', read, async (request, reply) => {
    const found = await findBoth(database, request)
    if (!found) return sendRefusal(reply, 'EMAIL_NOT_FOUND')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', previewPolicy)
      .header('x-frame-options', 'SAMEORIGIN')
      .send(found.message.html_body)
  })

  app.get('/api/outbox/:id/message.eml', read, async (request, reply) => {
    const found = await findBoth(database, request)
    if (!found) return sendRefusal(reply, 'EMAIL_NOT_FOUND')
    const email = toOutgoing(found.message)
    return reply
      .type('message/rfc822')
      .header('content-disposition', `attachment; filename="${outboxFileName(email)}"`)
      .send(await printMessage(email, addressOf(mailFrom)))
  })

  app.post('/api/emails/:id/resend', read, async (request, reply) => {
    const params = z.safeParse(emailParams, request.params)
    if (!params.success) return sendRefusal(reply, 'EMAIL_NOT_FOUND')
    const { id } = params.data
    const resent = await resendEmail({ database, mailer }, id)
    if (!resent.ok) return sendRefusal(reply, resent.refusal)
    const email = await database.transaction(asServer, (query) => findSummary(query, id))
    return email ? { ok: true, email } : sendRefusal(reply, 'EMAIL_NOT_FOUND')
  })
}

async function findBoth(database: Database, request: FastifyRequest) {
  const params = z.safeParse(emailParams, request.params)
  if (!params.success) return undefined
  const { id } = params.data
  return database.transaction(asServer, async (query) => {
    const [summary, message] = [await findSummary(query, id), await findMessage(query, id)]
    return summary && message ? { summary, message } : undefined
  })
}

function presentContent({ text_body, attachments }: EmailRow) {
  return {
    text: text_body,
    attachments: attachments.map(({ filename, contentType, contentBase64 }) => ({
      filename,
      contentType,
      bytes: Buffer.byteLength(contentBase64, 'base64'),
    })),
  }
}
