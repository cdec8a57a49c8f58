import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setupEndpoints } from '#contracts/setup.ts'
import { buildApp } from '#server/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { createStripeAccountStub } from '#tests/support/stripe-account-stub.ts'

const stripe = createStripeAccountStub()
let shop: PaymentApp
let confirmed: string
let open: { id: string; number: string }
let paid: { id: string; number: string }
beforeAll(async () => {
  const publicUrl = 'https://shop.example'
  shop = await createPaymentApp({ secretsKey: randomBytes(32), publicUrl }, stripe.fetch)
  confirmed = await shop.logInConfirmed()
  open = await shop.createInvoice()
  paid = await shop.createInvoice()
  await shop.payByCard(await shop.checkout(paid.id))
  await shop.deliverEvents()
})
afterAll(() => shop.close())

const connect = async () =>
  setupEndpoints.saveStripeAccount.response.parse(
    (
      await shop.inject({
        method: 'POST',
        url: '/api/setup/payments/save',
        payload: { secretKey: 'sk_live_keyOfTheShop' },
        headers: { cookie: confirmed },
      })
    ).json(),
  )
const describeInvoice = async (id: string) =>
  (
    await shop.database.owner.query<{ invoice: { state: string; isTest: boolean } }>(
      'select internal.describe_listed_invoice(invoice) as invoice from public.invoices invoice where invoice_id = $1',
      [id],
    )
  ).rows[0]?.invoice
const print = (id: string, app = shop.app) =>
  app.inject({ url: `/api/admin/invoice/${id}/print`, headers: { cookie: confirmed } })
const payInCash = (id: string) =>
  shop.database.owner.query(
    `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
     select invoice_id, 'payment', 'cash', total_cents, currency, now() from public.invoices where invoice_id = $1`,
    [id],
  )

describe('connecting a Stripe account while the shop has invoices of the sandbox', () => {
  it('is refused while test invoices are open, and the response states how many', async () => {
    expect(await connect()).toMatchObject({ outcome: 'test_invoices_open', openTestInvoices: 1 })
    expect(stripe.calls).toEqual([])
    expect((await shop.get('/api/setup/payments')).body).toMatchObject({
      mode: 'sandbox',
      openTestInvoices: 1,
    })
    expect(await describeInvoice(open.id)).toMatchObject({ state: 'open', isTest: false })
  })

  it('is refused by the database even if the server does not check for open test invoices', async () => {
    const store = shop.database.owner.query(
      `insert into internal.sealed_settings (name, sealed, changed_by)
       select 'payments', 'v1.AAAA', user_id from public.staff_accounts limit 1`,
    )
    await expect(store).rejects.toMatchObject({ code: 'TT123', hint: 'test_invoices_open' })
  })

  it('is refused when a test invoice is created while the key is tested; the new webhook is then disabled', async () => {
    await payInCash(open.id)
    const resume = stripe.pause()
    const connecting = connect()
    await vi.waitFor(() => expect(stripe.calls).toContain('GET /v1/account'))
    const late = await shop.createInvoice()
    resume()
    expect(await connecting).toMatchObject({ outcome: 'test_invoices_open', openTestInvoices: 1 })
    expect(stripe.webhooks).toMatchObject([{ disabled: true }])
    await payInCash(late.id)
  })

  it('succeeds once all test invoices are paid', async () => {
    expect(await connect()).toMatchObject({ outcome: 'saved' })
    expect((await shop.get('/api/setup/payments')).body).toMatchObject({ mode: 'live' })
  })
})

describe('a sandbox invoice after the shop connected a Stripe account', () => {
  it('is marked as a test invoice, whereas the invoices of the Stripe account are not', async () => {
    expect(await describeInvoice(paid.id)).toMatchObject({ state: 'paid', isTest: true })
    await shop.database.owner.query(
      `insert into public.invoices (invoice_id, number, customer_name, total_cents, currency, status, created_at)
       values ('in_ofTheStripeAccount', 'INV-9', 'Dana', 100, 'usd', 'open', now())`,
    )
    expect(await describeInvoice('in_ofTheStripeAccount')).toMatchObject({ isTest: false })
  })

  it('can still be read by staff and customers after it was paid, and accepts no further payment', async () => {
    const printed = await print(paid.id)
    expect(JSON.stringify(await readPdf(printed.rawPayload))).toContain('Test: Paid')
    const lookup = await shop.post('/api/invoice/lookup', { invoiceNumber: paid.number })
    expect(lookup.body).toMatchObject({ code: 'ALREADY_PAID' })
    const checkout = await shop.post('/api/create-checkout', { invoiceId: paid.id })
    expect(checkout.body).toMatchObject({ code: 'ALREADY_PAID' })
    const named = stripe.calls.filter((call) => call.includes(paid.id))
    expect(named).toEqual([])
  })

  it('can still be read in a process whose payments are not set up', async () => {
    await shop.database.owner.query(
      `update internal.sealed_settings set sealed = null where name = 'payments'`,
    )
    const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-second-'))
    const payments = { mode: 'dashboard', otherwise: 'not_set_up' } as const
    const second = await buildApp({
      config: { ...shop.config, dataDirectory, payments },
      database: shop.database.database,
      keys: testKeys,
      now: Date.now,
    })
    try {
      await second.ready()
      expect((await print(paid.id, second)).headers['content-type']).toBe('application/pdf')
    } finally {
      await second.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  })

  it('opens no payment page of the sandbox, even if it is unpaid', async () => {
    await connect()
    const { body } = await shop.post('/api/create-checkout', { invoiceId: open.id })
    expect(body['checkout']).toBeUndefined()
  })
})
