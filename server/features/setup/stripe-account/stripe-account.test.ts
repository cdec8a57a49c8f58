import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setupEndpoints } from '#contracts/setup.ts'
import { buildApp } from '#server/app.ts'
import { sealSecret } from '#server/platform/secrets/seal.ts'
import { takeBackup } from '#server/platform/storage/take-backup.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { createStripeAccountStub } from '#tests/support/stripe-account-stub.ts'

const secretsKey = randomBytes(32)
const stripe = createStripeAccountStub()
const keys = ['sk_live_firstKeyOfTheShop1', 'sk_test_otherKeyOfTheShop2'] as const
let shop: TestApp
let confirmed: string
const log: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { secretsKey, logLevel: 'debug', publicUrl: 'https://shop.example' },
    logStream: { write: (line: string) => void log.push(line) },
    stripeFetch: stripe.fetch,
  })
  confirmed = await shop.logInConfirmed()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
  await post('/api/setup/payments/remove')
  stripe.webhooks.splice(0)
  stripe.calls.splice(0)
})
afterEach(() => stripe.setMood('takes'))

const post = (url: string, payload: object = {}, cookie = confirmed) =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie } })
const save = (secretKey: string = keys[0], cookie?: string) =>
  post('/api/setup/payments/save', { secretKey }, cookie)
const remove = () => post('/api/setup/payments/remove')
const read = async () =>
  setupEndpoints.payments.response.parse(
    (await shop.inject({ url: '/api/setup/payments', headers: { cookie: confirmed } })).json(),
  )
const stored = async () =>
  (
    await shop.database.owner.query<{ sealed: string | null }>(
      `select sealed from internal.sealed_settings where name = 'payments'`,
    )
  ).rows[0]?.sealed ?? null
const openCount = () => stripe.webhooks.filter(({ disabled }) => !disabled).length

/** Sends a webhook event with the signature that Stripe creates with `secret`. */
function deliver(secret: string, type = 'customer.created') {
  const payload = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type,
    livemode: true,
    data: { object: {} },
  })
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  return shop.inject({
    method: 'POST',
    url: '/api/stripe/webhook',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload,
  })
}

describe('a Stripe key that an owner enters', () => {
  it('connects the account with a webhook endpoint, and from then on cards are charged', async () => {
    expect(await read()).toMatchObject({ mode: 'sandbox', stripeAccount: null })
    expect((await save()).json()).toEqual({
      ok: true,
      outcome: 'saved',
      accountName: 'Cedar Motors 1',
      isTestKey: false,
      hasWebhook: true,
      meaning: null,
      openTestInvoices: 0,
    })
    expect(stripe.webhooks).toMatchObject([
      { url: 'https://shop.example/api/stripe/webhook', disabled: false, key: keys[0] },
    ])
    expect(stripe.webhooks[0]?.events).toContain('checkout.session.completed')
    expect(await read()).toMatchObject({
      mode: 'live',
      isSetByEnvironment: false,
      stripeAccount: {
        fields: { name: 'Cedar Motors 1', isTestKey: false, hasWebhook: true },
        changedByName: 'admin',
      },
    })
  })

  it('is used for calls to Stripe, and webhook events must have the signature of its webhook endpoint', async () => {
    await save()
    const [webhook] = stripe.webhooks
    expect((await deliver(webhook?.secret ?? '')).statusCode).toBe(200)
    expect((await deliver('whsec_of_somebody_else')).statusCode).toBe(400)
    expect((await deliver(`whsec_${testKeys.sandboxWebhooks}`)).statusCode).toBe(400)
  })

  it('replaces the stored key, and the webhook endpoint of the replaced key is disabled', async () => {
    await save()
    expect((await save(keys[1])).json()).toMatchObject({ outcome: 'saved', isTestKey: true })
    expect(stripe.webhooks).toMatchObject([
      { key: keys[0], disabled: true },
      { key: keys[1], disabled: false },
    ])
    expect(await read()).toMatchObject({ mode: 'test' })
    expect((await deliver(stripe.webhooks[0]?.secret ?? '')).statusCode).toBe(400)
    expect((await deliver(stripe.webhooks[1]?.secret ?? '')).statusCode).toBe(200)
  })

  it('starts the job that links the invoices of its account to customers, once for each account', async () => {
    const isDone = async () =>
      (
        await shop.database.owner.query<{ done: boolean }>(
          'select done_at is not null as done from internal.invoice_backfill',
        )
      ).rows[0]?.done
    const finish = () =>
      shop.database.owner.query('update internal.invoice_backfill set done_at = now()')
    await finish()
    await save()
    expect(await isDone()).toBe(false)
    await finish()
    await save()
    expect(await isDone()).toBe(true)
    await save(keys[1])
    expect(await isDone()).toBe(false)
  })

  it('leaves one open webhook endpoint when two owners save at the same time', async () => {
    await Promise.all([save(keys[0]), save(keys[1])])
    expect(stripe.webhooks).toHaveLength(2)
    expect(openCount()).toBe(1)
  })

  it.each([
    ['unknown', /does not know this key/],
    ['restricted', /lacks a right/],
    ['unreachable', /could not be reached/],
    ['fails', /answered with an error/],
  ] as const)(
    'is not saved when the stub of Stripe simulates the case ‘%s’',
    async (mood, meaning) => {
      stripe.setMood(mood)
      const { outcome, meaning: given } = setupEndpoints.saveStripeAccount.response.parse(
        (await save()).json(),
      )
      expect([outcome, given]).toEqual(['failed', expect.stringMatching(meaning)])
      expect(await stored()).toBeNull()
      expect(await read()).toMatchObject({ mode: 'sandbox', stripeAccount: null })
    },
  )

  it.each([
    'pk_live_publishable',
    'sk_live_',
    'sk_live_a b',
    'whsec_1234567890',
    '',
    `sk_live_${'x'.repeat(300)}`,
  ])('a Stripe key is refused as %j', async (secretKey) => {
    expect((await save(secretKey)).json()).toMatchObject({ code: 'INVALID_STRIPE_KEY' })
    expect(stripe.calls).toEqual([])
  })

  it('is deleted when the owner removes it, and its webhook endpoint is disabled', async () => {
    await save()
    expect((await remove()).json()).toEqual({ ok: true, isWebhookDisabled: true })
    expect(openCount()).toBe(0)
    expect(await read()).toMatchObject({ mode: 'sandbox', stripeAccount: null })
  })

  it('is deleted even when Stripe cannot be reached, and the response states that its webhook endpoint is not disabled', async () => {
    await save()
    stripe.setMood('unreachable')
    expect((await remove()).json()).toEqual({ ok: true, isWebhookDisabled: false })
    expect(await stored()).toBeNull()
  })

  it('does not appear in the audit entries about its changes', async () => {
    await save()
    await remove()
    const { rows } = await shop.database.owner.query<Record<string, unknown>>(
      `select kind, detail, name from public.audit_events join public.staff_accounts using (user_id)
       where kind like 'setting%' order by id desc limit 2`,
    )
    expect(rows).toEqual([
      { kind: 'setting_removed', detail: 'payments', name: 'admin' },
      { kind: 'setting_saved', detail: 'payments', name: 'admin' },
    ])
  })
})

describe('a site that Stripe cannot reach', () => {
  it.each(['http://shop.example', 'https://localhost:3000', 'https://192.168.1.20'])(
    'connects the account without a webhook endpoint: %s',
    async (publicUrl) => {
      const second = await openSecondProcess({ publicUrl })
      try {
        const response = await second.post('/api/setup/payments/save', { secretKey: keys[0] })
        expect(response.json()).toMatchObject({ outcome: 'saved', hasWebhook: false })
        expect(stripe.webhooks).toEqual([])
        expect(await second.read()).toMatchObject({ mode: 'live', canReceiveEvents: false })
        expect((await deliver('')).statusCode).toBe(400)
      } finally {
        await second.close()
      }
    },
  )
})

describe('the secrets of a Stripe account', () => {
  it('are in no response, log or backup, and are stored only encrypted', async () => {
    const response = await save()
    const { secret = '' } = stripe.webhooks[0] ?? {}
    stripe.setMood('unknown')
    const answers = [response.body, (await save(keys[1])).body, JSON.stringify(await read())].join()
    for (const text of [...keys, secret]) {
      expect(answers).not.toContain(text)
      expect(log.join()).not.toContain(text)
    }
    expect(log.join()).toContain('/api/setup/payments')
    expect(await stored()).toMatch(/^v1\./)
    const backup: string[] = []
    for await (const entry of takeBackup(shop.database.ownerUrl, shop.config.dataDirectory)) {
      backup.push(JSON.stringify(entry))
    }
    expect(backup.join()).toContain('internal.sealed_settings')
    for (const text of [keys[0], secret, secretsKey.toString('base64')]) {
      expect(backup.join()).not.toContain(text)
    }
  })

  it('are reported as unreadable if another machine encrypted them, and payments do not fall back to the sandbox', async () => {
    await save()
    await shop.database.owner.query(
      `update internal.sealed_settings set sealed = $1 where name = 'payments'`,
      [sealSecret(randomBytes(32), '{}')],
    )
    await vi.waitFor(async () =>
      expect(await read()).toMatchObject({ mode: 'not_set_up', stripeAccount: { fields: null } }),
    )
    expect((await save()).json()).toMatchObject({ outcome: 'saved' })
    expect(await read()).toMatchObject({ mode: 'live' })
  })
})

describe('the payment settings', () => {
  it.each(['advisor', 'technician'] as const)(
    'are refused to the role %s, even after step-up authentication',
    async (role) => {
      await addStaffAccount(shop, `pay-${role}`, role)
      const { cookie } = await signInAs(shop, `pay-${role}`)
      const { password } = testAdmin
      const stepUp = await post('/api/admin/confirm-password', { password }, cookie)
      expect(stepUp.statusCode).toBe(200)
      expect((await save(keys[0], cookie)).statusCode).toBe(403)
      expect((await post('/api/setup/payments/remove', {}, cookie)).statusCode).toBe(403)
      const setup = await shop.inject({ url: '/api/setup/payments', headers: { cookie } })
      expect(setup.statusCode).toBe(403)
      expect(stripe.calls).toEqual([])
    },
  )

  it('are refused to visitors, and require step-up authentication of an owner', async () => {
    expect((await save(keys[0], '')).statusCode).toBe(401)
    expect((await post('/api/setup/payments/remove', {}, '')).statusCode).toBe(401)
    const response = await save(keys[0], await shop.logIn())
    expect(response.json()).toMatchObject({ code: 'STEP_UP_REQUIRED' })
    expect(stripe.calls).toEqual([])
  })

  it('accept at most twenty keys an hour', async () => {
    for (let press = 0; press < 20; press += 1) await save()
    expect((await save()).statusCode).toBe(429)
  })

  it('apply in another process within a second', async () => {
    const second = await openSecondProcess()
    try {
      await save()
      await vi.waitFor(
        async () => expect(await second.read()).toMatchObject({ mode: 'live' }),
        1000,
      )
      await remove()
      await vi.waitFor(
        async () => expect(await second.read()).toMatchObject({ mode: 'sandbox' }),
        1000,
      )
    } finally {
      await second.close()
    }
  })

  it('from the environment take precedence and cannot be changed in the dashboard', async () => {
    await save()
    const payments = { mode: 'stripe', secretKey: keys[1], webhookSecret: 'whsec_of_env' } as const
    const second = await openSecondProcess({ payments })
    try {
      expect(await second.read()).toMatchObject({ mode: 'test', isSetByEnvironment: true })
      for (const url of ['/api/setup/payments/save', '/api/setup/payments/remove']) {
        const response = await second.post(url, { secretKey: keys[0] })
        expect(response.json()).toMatchObject({ code: 'SET_BY_ENVIRONMENT' })
      }
    } finally {
      await second.close()
    }
  })
})

describe('a request that is running when the payment settings change', () => {
  it('continues with the payment provider with which it began', async () => {
    await save()
    stripe.calls.splice(0)
    const resume = stripe.pause()
    const lookUp = () =>
      shop.inject({
        method: 'POST',
        url: '/api/invoice/lookup',
        payload: { invoiceNumber: 'INV-2026-0001-ABCDEF' },
      })
    const begun = lookUp()
    await vi.waitFor(() => expect(stripe.calls).toEqual(['GET /v1/invoices/search']))
    await shop.database.owner.query(
      `update internal.sealed_settings set sealed = null where name = 'payments'`,
    )
    await vi.waitFor(async () => expect(await read()).toMatchObject({ mode: 'sandbox' }))
    resume()
    expect((await begun).json()).toMatchObject({ code: 'NOT_FOUND' })
    expect(stripe.calls).toEqual(['GET /v1/invoices/search', 'GET /v1/invoices'])
    await lookUp()
    expect(stripe.calls).toHaveLength(2)
  })
})

/** Starts a second server process for the database of the shop, with a separate data directory. */
async function openSecondProcess(changes: Partial<TestApp['config']> = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-second-'))
  const app = await buildApp({
    config: { ...shop.config, dataDirectory, logLevel: 'silent', ...changes },
    database: shop.database.database,
    keys: testKeys,
    now: Date.now,
    stripeFetch: stripe.fetch,
  })
  await app.ready()
  const headers = { cookie: confirmed }
  return {
    read: async () => (await app.inject({ url: '/api/setup/payments', headers })).json<object>(),
    post: (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload }),
    async close() {
      await app.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
