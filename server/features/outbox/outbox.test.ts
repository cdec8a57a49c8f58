import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outboxEndpoints } from '#contracts/emails/emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'

let shop: TestApp
let server: TestMailServer
let cookie: string
beforeAll(async () => {
  server = await startMailServer()
  shop = await createTestApp({
    config: { rateLimits: 'off' },
    mailTransport: createSmtpTransport(server.url),
  })
  cookie = await shop.logIn()
})
afterAll(async () => {
  await shop.close()
  await server.stop()
})

/**
 * Queues an email that is due in an hour, so that the email job does not send it during the test. Returns the id of the
 * email.
 */
async function write(key: string, status = 'retrying'): Promise<string> {
  return shop.database.database.transaction(asServer, async (query) => {
    const id = await queueEmail(query, {
      kind: 'payment_receipt',
      dedupeKey: key,
      to: { email: 'dana@example.com', name: 'Dana' },
      subject: `Receipt ${key}`,
      html: '<h1>Thank you</h1>',
      text: 'Thank you',
      attachments: [
        { filename: 'invoice.pdf', contentType: 'application/pdf', content: Buffer.from('pdf') },
      ],
    })
    await query.unchecked(
      `update public.emails set status = $2, next_attempt_at = now() + interval '1 hour',
         sent_at = case when $2 = 'sent' then now() - interval '1 hour' end where id = $1`,
      [id, status],
    )
    return id
  })
}

/**
 * Returns the messages that the test mail server received for the email with this id. Omits other messages that the
 * mail server received, such as notices to the owner.
 */
const receivedOf = (id: string) =>
  server.received.filter(({ mail }) => mail.messageId?.startsWith(`<${id}.`))
const get = (url: string) => shop.inject({ url, headers: { cookie } })
const resend = (id: string) =>
  shop.inject({ method: 'POST', url: `/api/emails/${id}/resend`, headers: { cookie } })

describe('the outbox page', () => {
  it('lists every message once, newest first, page by page', async () => {
    const ids = []
    for (const key of ['a', 'b', 'c', 'd', 'e']) ids.unshift(await write(key))
    const seen: string[] = []
    let before = ''
    do {
      const response = await get(`/api/outbox?limit=2${before}`)
      const page = outboxEndpoints.list.response.parse(response.json())
      expect(page.mode).toBe('smtp')
      seen.push(...page.emails.map(({ id }) => id))
      before = page.next ? `&before=${page.next}` : ''
    } while (before)
    expect(seen).toEqual(ids)
  })

  it('shows a message as plain text and as an HTML preview without scripts, and offers it as an .eml file', async () => {
    const id = await write('shown')
    const read = outboxEndpoints.read.response.parse((await get(`/api/outbox/${id}`)).json())
    expect(read.email).toMatchObject({
      subject: 'Receipt shown',
      text: 'Thank you',
      attachments: [{ filename: 'invoice.pdf', contentType: 'application/pdf', bytes: 3 }],
    })
    const preview = await get(`/api/outbox/${id}/preview`)
    expect(preview.body).toBe('<h1>Thank you</h1>')
    expect(preview.headers['content-security-policy']).toContain("default-src 'none'")
    expect(preview.headers['content-security-policy']).toContain('sandbox')
    const file = await get(`/api/outbox/${id}/message.eml`)
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.eml"$/)
    const mail = await simpleParser(file.rawPayload)
    expect(mail.subject).toBe('Receipt shown')
  })

  it.each([
    ['GET', '/api/outbox'],
    ['GET', '/api/outbox/0b5c0000-0000-4000-8000-000000000001'],
    ['GET', '/api/outbox/0b5c0000-0000-4000-8000-000000000001/preview'],
    ['GET', '/api/outbox/0b5c0000-0000-4000-8000-000000000001/message.eml'],
    ['POST', '/api/emails/0b5c0000-0000-4000-8000-000000000001/resend'],
  ] as const)('requires a signed-in admin: %s %s', async (method, url) => {
    expect((await shop.inject({ method, url })).statusCode).toBe(401)
  })

  it.each(['?limit=0', '?limit=1000', '?before=x', "?before=1_'or 1=1"])(
    'refuses the query %s',
    async (query) => {
      expect((await get(`/api/outbox${query}`)).statusCode).toBe(400)
    },
  )

  it.each(['nonsense', '0b5c0000-0000-4000-8000-000000000001'])(
    'returns 404 for the message %s',
    async (id) => {
      expect((await get(`/api/outbox/${id}`)).statusCode).toBe(404)
      expect((await resend(id)).statusCode).toBe(404)
    },
  )
})

describe('resending a message', () => {
  it.each(['failed', 'retrying', 'sent'])(
    'with the status %s attempts the delivery immediately',
    async (status) => {
      const id = await write(`again-${status}`, status)
      const response = outboxEndpoints.resend.response.parse((await resend(id)).json())
      expect(response.email).toMatchObject({ status: 'sent', nextAttemptAt: null })
      expect(receivedOf(id)).toHaveLength(1)
      const expected = status === 'sent' ? `<${id}.1@` : `<${id}.0@`
      expect(receivedOf(id)[0]?.mail.messageId).toContain(expected)
    },
  )

  it('returns the error when the mail server rejects the message again', async () => {
    const id = await write('refused', 'failed')
    server.setMood('refuses-recipient')
    const response = outboxEndpoints.resend.response.parse((await resend(id)).json())
    server.setMood('takes')
    expect(response.email).toMatchObject({ status: 'failed' })
    expect(response.email.lastError).toContain('No such user here')
  })

  it('sends the message once when the admin clicks Resend twice', async () => {
    const id = await write('clicks', 'sent')
    await Promise.all([resend(id), resend(id)])
    const echo = outboxEndpoints.resend.response.parse((await resend(id)).json())
    expect(echo.email.status).toBe('sent')
    expect(receivedOf(id)).toHaveLength(1)
  })

  it('is refused while an attempt to deliver the message is running', async () => {
    const id = await write('under-way')
    await shop.database.owner.query(
      `update public.emails set leased_until = now() + interval '1 minute' where id = $1`,
      [id],
    )
    const response = await resend(id)
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ ok: false, code: 'EMAIL_BEING_SENT' })
  })
})
