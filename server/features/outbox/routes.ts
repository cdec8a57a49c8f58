import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OutboxEmail, outboxEndpoints } from '#contracts/emails/emails.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { type EmailRow, toOutgoingEmail } from '#emails/delivery/stored-email.ts'
import { findAdminSession } from '#server/features/admin-session/admin-sessions.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import { serializeMessage } from '#server/features/emails/transport/compose-message.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { outboxFileName } from '#server/features/emails/transport/outbox-transport.ts'
import { resendEmail } from '#server/features/emails/outbox/resend-email.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { findMessage, findSummary, listOutbox } from './read-outbox.ts'

type Dependencies = {
  readonly database: Database
  readonly mailer: Mailer
  readonly currentShop: CurrentShop
  readonly mailFrom: () => string | undefined
}

// The content security policy of the email preview. An email contains escaped text that visitors typed. The policy
// additionally prevents scripts, loaded resources and navigation, even if the preview is opened in its own tab.
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"

/** Routes for the list of emails, for the content of an email, and for sending an email again. */
export function registerOutbox(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, mailer } = dependencies

  serve(app, outboxEndpoints.list).with({
    invalid: { code: 'BAD_REQUEST' },
    handle: async (input) =>
      accepted(await database.transaction(asServer, (query) => listOutbox(query, input))),
    present: (page) => ({ ok: true, mode: mailer.transport.mode, ...page }),
  })
  serve(app, outboxEndpoints.read).with({
    invalid: notFound,
    handle: ({ id }, { request }) => findEmail(dependencies, id, request),
    present: ({ summary, message }) => ({
      ok: true,
      email: { ...summary, ...presentContent(message) },
    }),
  })
  serve(app, outboxEndpoints.preview).with({
    invalid: notFound,
    handle: ({ id }, { request }) => findEmail(dependencies, id, request),
    present: ({ message }, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', previewPolicy)
        .header('x-frame-options', 'SAMEORIGIN')
        .send(message.html_body),
  })
  serve(app, outboxEndpoints.download).with({
    invalid: notFound,
    handle: ({ id }, { request }) => printEmail(dependencies, id, request),
    present: ({ fileName, content }, reply) =>
      reply
        .type('message/rfc822')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(content),
  })
  serve(app, outboxEndpoints.resend).with({
    invalid: notFound,
    handle: ({ id }) => resend(dependencies, id),
    present: (email) => ({ ok: true, email }),
  })
}

const notFound = { code: 'EMAIL_NOT_FOUND' } as const

type Found = { readonly summary: OutboxEmail; readonly message: EmailRow }

async function findEmail(
  { database, mailer }: Dependencies,
  id: string,
  request: FastifyRequest,
): Promise<Result<Found, Refusal>> {
  const session = await findAdminSession(database, readSessionCookie(request) ?? '')
  // In a shop without a mail server, the owner forwards invitation links to the invited people, and may therefore
  // read the text of an invitation.
  const showsInvitations = session?.role === 'owner' && mailer.transport.mode === 'outbox'
  return database.transaction(asServer, async (query) => {
    const summary = await findSummary(query, id)
    const message = await findMessage(query, id, showsInvitations)
    return summary && message ? accepted({ summary, message }) : refused(notFound)
  })
}

async function printEmail(dependencies: Dependencies, id: string, request: FastifyRequest) {
  const { currentShop, mailFrom } = dependencies
  const found = await findEmail(dependencies, id, request)
  if (!found.ok) return found
  const email = toOutgoingEmail(found.value.message, currentShop(), mailFrom())
  const content = await serializeMessage(email)
  return accepted({ fileName: outboxFileName(email), content })
}

async function resend(
  { database, mailer }: Dependencies,
  id: string,
): Promise<Result<OutboxEmail, Refusal>> {
  const resent = await resendEmail({ database, mailer }, id)
  if (!resent.ok) return refused({ code: resent.refusal })
  const email = await database.transaction(asServer, (query) => findSummary(query, id))
  return email ? accepted(email) : refused(notFound)
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
