import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setupEndpoints } from '#contracts/setup.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { sendTestMessage } from './send-test-message.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'

const secrets = {
  smtpUrl: 'smtp://owner%40shop.example:hunter2@mail.example:587',
  secretKey: 'sk_live_0123456789',
  webhookSecret: 'whsec_9876543210',
}
let shop: TestApp
let server: TestMailServer
let cookie: string
beforeAll(async () => {
  server = await startMailServer()
  shop = await createTestApp({
    config: {
      mail: {
        smtpUrl: secrets.smtpUrl,
        resendApiKey: undefined,
        from: 'Counter <counter@shop.example>',
        owner: 'owner@shop.example',
      },
      payments: { mode: 'stripe', ...secrets },
      publicUrl: 'https://shop.example',
    },
    mailTransport: createSmtpTransport(server.url, { silenceMs: 500, totalMs: 1500 }),
  })
  cookie = await shop.logIn()
})
afterAll(async () => {
  await shop.close()
  await server.stop()
})
afterEach(async () => {
  server.setMood('takes')
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
})

const get = (url: string) => shop.inject({ url, headers: { cookie } })
const sendTest = (to: unknown) =>
  shop.inject({
    method: 'POST',
    url: '/api/setup/email/test',
    headers: { cookie },
    payload: { to } as object,
  })
const outcomeOf = async (to: string) =>
  setupEndpoints.sendTest.response.parse((await sendTest(to)).json())

describe('the configuration of email and payments', () => {
  it('contains the mail server and the names of its settings, without a secret', async () => {
    const response = await get('/api/setup/email')
    expect(response.json()).toEqual({
      ok: true,
      isSetByEnvironment: true,
      mailServer: null,
      mode: 'smtp',
      settings: [
        { name: 'SMTP_URL', isSet: true, shows: 'smtp://mail.example:587' },
        { name: 'RESEND_API_KEY', isSet: false, shows: null },
        { name: 'MAIL_FROM', isSet: true, shows: 'Counter <counter@shop.example>' },
        { name: 'OWNER_EMAIL', isSet: true, shows: 'owner@shop.example' },
      ],
      from: 'counter@shop.example',
      owner: 'owner@shop.example',
    })
    expect(response.body).not.toMatch(/hunter2|owner%40/)
  })

  it('contains the payment mode and the time of the last webhook, without a key', async () => {
    const heard = () => get('/api/setup/payments')
    expect((await heard()).json()).toEqual({
      ok: true,
      mode: 'live',
      settings: [
        { name: 'STRIPE_SECRET_KEY', isSet: true, shows: 'a live key' },
        { name: 'STRIPE_WEBHOOK_SECRET', isSet: true, shows: null },
      ],
      isSetByEnvironment: true,
      stripeAccount: null,
      openTestInvoices: 0,
      canReceiveEvents: true,
      webhookUrl: 'https://shop.example/api/stripe/webhook',
      webhookSeenAt: null,
    })
    await shop.database.owner.query(
      `insert into internal.stripe_events (id, type, is_live, handled_at) values
         ('evt_live', 'invoice.paid', true, '2026-11-20T18:00:00Z'),
         ('evt_test', 'invoice.paid', false, '2026-11-21T18:00:00Z')`,
    )
    const response = await heard()
    expect(response.json()).toMatchObject({ webhookSeenAt: '2026-11-20T18:00:00+00:00' })
    expect(response.body).not.toMatch(/0123456789|9876543210/)
  })
})

describe('a test message', () => {
  it('is sent once, through the outbox, to the email address that the owner entered', async () => {
    expect(await outcomeOf('  dana@example.com ')).toMatchObject({ outcome: 'sent' })
    const [mail] = server.received.splice(0)
    expect(mail?.recipients).toEqual(['dana@example.com'])
    expect(mail?.mail.subject).toBe('Test message from Torque & Timing')
    const { rows } = await shop.database.owner.query(
      `select status, recipient_email from public.emails where kind = 'test_message'`,
    )
    expect(rows).toEqual([{ status: 'sent', recipient_email: 'dana@example.com' }])
  })

  it.each([
    ['refuses-recipient', /No such user here/, /refused the recipient/],
    ['is-busy', /Try again later/, /is busy/],
    ['is-silent', /timeout/i, /does not answer/],
  ] as const)(
    "to a server in the mode %s returns the server's message and an explanation",
    async (mood, message, meaning) => {
      server.setMood(mood)
      const outcome = await outcomeOf('dana@example.com')
      expect(outcome).toEqual({
        ok: true,
        outcome: 'failed',
        serverMessage: expect.stringMatching(message) as string,
        meaning: expect.stringMatching(meaning) as string,
      })
      expect(server.received).toEqual([])
    },
  )

  it('is reported as failed, with an explanation, when no mail server responds', async () => {
    await server.stop()
    expect(await outcomeOf('dana@example.com')).toMatchObject({
      outcome: 'failed',
      serverMessage: expect.stringContaining('ECONNREFUSED') as string,
      meaning: expect.stringContaining('No mail server responds') as string,
    })
    await server.start()
  })

  it('remains in the outbox when the server does not respond in time', async () => {
    const dependencies = {
      database: shop.database.database,
      currentShop: () => defaultShop,
      mailer: { deliver: () => new Promise<never>(() => undefined) },
    }
    expect(await sendTestMessage(dependencies, 'dana@example.com', 10)).toMatchObject({
      value: { outcome: 'waiting', serverMessage: null },
    })
  })

  it.each([
    '',
    'nobody',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'Dana <a@example.com>',
    `${'a'.repeat(300)}@example.com`,
    ['a@example.com'],
    null,
  ])('to %j is refused, and nothing is sent', async (to) => {
    const response = await sendTest(to)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { ok: false, code: 'INVALID_ADDRESS', message: 'Please enter one email address.' },
    ])
    expect(server.received).toEqual([])
  })

  it('is refused when the shop has already sent ten test messages within an hour', async () => {
    for (let press = 0; press < 10; press += 1) await outcomeOf('dana@example.com')
    const response = await sendTest('dana@example.com')
    expect(response.statusCode).toBe(429)
    expect(server.received.splice(0)).toHaveLength(10)
  })
})

describe('a shop without settings for email and payments', () => {
  it('stores the test message in the outbox folder and uses the payment sandbox', async () => {
    const fresh = await createTestApp()
    try {
      const headers = { cookie: await fresh.logIn() }
      const sent = await fresh.inject({
        method: 'POST',
        url: '/api/setup/email/test',
        headers,
        payload: { to: 'dana@example.com' },
      })
      expect(sent.json()).toMatchObject({ outcome: 'in_outbox' })
      const payments = await fresh.inject({ url: '/api/setup/payments', headers })
      expect(payments.json()).toMatchObject({ mode: 'sandbox', webhookSeenAt: null })
      const email = await fresh.inject({ url: '/api/setup/email', headers })
      expect(email.json()).toMatchObject({
        mode: 'outbox',
        from: 'hello@torqueandtiming.example',
        owner: 'hello@torqueandtiming.example',
      })
    } finally {
      await fresh.close()
    }
  })
})
