import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { QuoteEmailRequest } from '#contracts/api/server-functions.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createSmtpTransport } from './transport/smtp-transport.ts'

let shop: TestApp
let server: TestMailServer
let visitor: SupabaseClient
let admin: SupabaseClient
let quoteRequestId: string
beforeAll(async () => {
  server = await startMailServer()
  shop = await createTestApp({
    config: { rateLimits: 'off' },
    mailTransport: createSmtpTransport(server.url),
  })
  visitor = await shop.createClient()
  admin = await shop.createClient()
  const { error } = await admin.auth.signInWithPassword({
    email: staffEmail(testAdmin.username),
    password: testAdmin.password,
  })
  if (error) throw error
  quoteRequestId = await addRequest('dana@example.com')
})
afterAll(async () => {
  await shop.close()
  await server.stop()
})
afterEach(async () => {
  server.setMood('takes')
  server.received.length = 0
  await shop.database.owner.query(
    `delete from public.emails; update public.quote_requests set status = 'pending'`,
  )
})

async function addRequest(email: string): Promise<string> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ('Dana Whitfield', $1, '2019', 'Subaru', 'Outback', 'It squeaks.') returning id`,
    [email],
  )
  return rows[0]?.id ?? ''
}

const reply = (change: Partial<QuoteEmailRequest> = {}): QuoteEmailRequest => ({
  quoteRequestId,
  recipientEmail: 'dana@example.com',
  recipientName: 'Dana Whitfield',
  subject: 'Quote for Brake Service - 2019 Subaru Outback',
  originalDraft: 'Hello Dana, about $300.',
  polishedDraft: null,
  finalBody: 'Hello Dana,\n\nabout $280 <all included>.\n\nAna',
  vehicleInfo: '2019 Subaru Outback',
  ...change,
})

async function sendRequest(client: SupabaseClient, body: QuoteEmailRequest) {
  const { data, error } = await client.functions.invoke('send-quote-email', {
    body: body as unknown as Record<string, unknown>,
  })
  if (!(error instanceof FunctionsHttpError)) return { status: 200, body: data as unknown }
  const response = error.context as Response
  return { status: response.status, body: (await response.json()) as unknown }
}

async function readHistory() {
  const { owner } = shop.database
  const { rows: requests } = await owner.query<{ status: string }>(
    'select status from public.quote_requests where id = $1',
    [quoteRequestId],
  )
  const { rows: emails } = await owner.query<{ status: string }>(
    `select status from public.emails where kind = 'quote_reply'`,
  )
  const { rows: logs } = await owner.query(
    `select original_draft, polished_draft, final_body, vehicle_info, sent_at is not null as has_time
     from public.quote_email_logs`,
  )
  return { request: requests[0]?.status, emails: emails.map(({ status }) => status), logs }
}

describe('the reply to a quote request', () => {
  it('reaches the customer with the admin’s text, is recorded in the email log, and completes the quote request', async () => {
    expect(await sendRequest(admin, reply())).toEqual({ status: 200, body: { success: true } })
    const [{ recipients, mail } = { recipients: [], mail: undefined }] = server.received
    expect(recipients).toEqual(['dana@example.com'])
    expect(mail?.subject).toBe('Quote for Brake Service - 2019 Subaru Outback')
    expect(mail?.text).toContain('about $280 <all included>.\n\nAna')
    expect(mail?.html).toContain('about $280 &lt;all included&gt;.<br>')
    expect(await readHistory()).toEqual({
      request: 'completed',
      emails: ['sent'],
      logs: [
        {
          original_draft: 'Hello Dana, about $300.',
          polished_draft: null,
          final_body: 'Hello Dana,\n\nabout $280 <all included>.\n\nAna',
          vehicle_info: '2019 Subaru Outback',
          has_time: true,
        },
      ],
    })
  })

  it('is sent once when the admin clicks Send twice', async () => {
    const responses = await Promise.all([sendRequest(admin, reply()), sendRequest(admin, reply())])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(server.received).toHaveLength(1)
    expect((await readHistory()).logs).toHaveLength(1)
  })

  it('is not retried automatically after a failure; only the admin can send the reply again', async () => {
    server.setMood('is-busy')
    expect(await sendRequest(admin, reply())).toEqual({
      status: 502,
      body: { success: false, error: 'The mail server did not accept the email. It was not sent.' },
    })
    expect(await readHistory()).toMatchObject({ request: 'pending', emails: ['failed'] })
    server.setMood('takes')
    await shop.database.owner.query('update public.emails set next_attempt_at = now()')
    await shop.inject({ url: '/api/form-token' })
    expect(server.received).toEqual([])
    expect(await sendRequest(admin, reply())).toEqual({ status: 200, body: { success: true } })
    expect(server.received).toHaveLength(1)
    expect(await readHistory()).toMatchObject({ request: 'completed', emails: ['sent'] })
  })

  it.each([
    ["an address that is not the customer's", { recipientEmail: 'victim@example.net' }, 409],
    ['an unknown quote request', { quoteRequestId: '0b5c0000-0000-4000-8000-000000000001' }, 404],
    ['no subject', { subject: ' ' }, 400],
    ['no text', { finalBody: '\n' }, 400],
    ['a text of more than 20,000 characters', { finalBody: 'x'.repeat(20_001) }, 400],
  ])('is refused for %s', async (_case, change, status) => {
    const response = await sendRequest(admin, reply(change))
    expect(response).toMatchObject({ status, body: { success: false } })
    expect(server.received).toEqual([])
    expect(await readHistory()).toEqual({ request: 'pending', emails: [], logs: [] })
  })

  it('cannot be sent by a visitor', async () => {
    expect(await sendRequest(visitor, reply())).toMatchObject({ status: 401 })
    expect(server.received).toEqual([])
  })

  it('is recorded in log rows that are deleted together with the quote request', async () => {
    await sendRequest(admin, reply())
    const { error } = await admin.from('quote_requests').delete().eq('id', quoteRequestId)
    expect(error).toBeNull()
    expect((await readHistory()).logs).toEqual([])
    quoteRequestId = await addRequest('dana@example.com')
  })
})
