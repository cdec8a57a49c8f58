import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiErrors } from '#contracts/api/errors.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
  await setEmailRequired(true)
})
afterAll(() => shop.close())

/** Changes whether the invoice lookup requires an email address, and waits until the server applies the new value. */
async function setEmailRequired(isRequired: boolean): Promise<void> {
  await shop.database.owner.query(
    'update public.booking_rules set invoice_lookup_requires_email = $1',
    [isRequired],
  )
  await vi.waitFor(async () => {
    const { body } = await lookUp('NOPE')
    expect(body['code']).toBe(isRequired ? 'EMAIL_NEEDED' : 'NOT_FOUND')
  }, 10_000)
}

const lookUp = (invoiceNumber: string, customerEmail?: unknown) =>
  shop.post('/api/invoice/lookup', { invoiceNumber, customerEmail })

const notFound = {
  status: 404,
  body: { ok: false, code: 'NOT_FOUND', message: apiErrors.NOT_FOUND.message },
}

describe('a shop whose invoice lookup requires the email address', () => {
  it('finds an invoice by its number and the email address in any letter case', async () => {
    const { id, number } = await shop.createInvoice()
    for (const email of ['dana@example.com', ' Dana@Example.COM ']) {
      expect(await lookUp(number, email)).toMatchObject({ status: 200, body: { invoice: { id } } })
    }
  })

  it('returns the same response for a wrong email address as for an unknown number, after the same calls to Stripe', async () => {
    const { id, number } = await shop.createInvoice()
    shop.drainCalls()
    expect(await lookUp('INV-2024-001', 'dana@example.com')).toEqual(notFound)
    const unknown = shop.drainCalls()
    expect(await lookUp(number, 'someone@example.com')).toEqual(notFound)
    // The shop's index of invoice numbers contains the correct number, so the lookup also reads that invoice from
    // Stripe. The comparison excludes this additional request to Stripe.
    const wrong = shop.drainCalls().filter((call) => call !== `GET /v1/invoices/${id}`)
    expect(wrong).toEqual(unknown)
  })

  it('requires an email address for every lookup', async () => {
    const { number } = await shop.createInvoice()
    for (const [isRequired, email] of [
      [number, undefined],
      [number, null],
      ['NOPE', '  '],
    ] as const) {
      expect(await lookUp(isRequired, email)).toMatchObject({
        status: 400,
        body: { ok: false, code: 'EMAIL_NEEDED', message: apiErrors.EMAIL_NEEDED.message },
      })
    }
  })
  it('finds invoices by the number alone after the owner disabled the requirement', async () => {
    const { id, number } = await shop.createInvoice()
    await setEmailRequired(false)
    expect(await lookUp(number)).toMatchObject({ status: 200, body: { invoice: { id } } })
    await setEmailRequired(true)
  })
})
