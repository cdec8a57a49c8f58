import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

type Response = Awaited<ReturnType<PaymentApp['post']>>

const sendLink = (invoiceId: string, commandId: string = randomUUID()): Promise<Response> =>
  shop.post('/api/commands/send-payment-link', { commandId, input: { invoiceId } })

const makeInvoice = async (change: object = {}) => {
  const email = `${randomUUID()}@example.com`
  const customer = { name: 'Dana', email, phone: '', ...change }
  return { email, ...(await shop.createInvoice({ customer, isForPrint: customer.email === '' })) }
}
const messages = async (invoiceId: string) =>
  (
    await shop.database.owner.query<{
      recipient_email: string
      subject: string
      text_body: string
    }>(
      `select recipient_email, subject, text_body from public.emails where kind = 'payment_request' and invoice_id = $1`,
      [invoiceId],
    )
  ).rows

describe('the email with the payment link of an invoice', () => {
  it('is sent to the customer, with the balance and the payment URL', async () => {
    const { id, number, email } = await makeInvoice()
    expect((await sendLink(id)).status).toBe(200)
    const [message, ...others] = await messages(id)
    expect(others).toEqual([])
    expect(message).toMatchObject({
      recipient_email: email,
      subject: expect.stringContaining(number) as unknown,
    })
    expect(message?.text_body).toContain('$407.00')
    expect(message?.text_body).toContain(`/pay-invoice?invoice=${number}`)
  })

  it('is sent once for a repeated command, and again for a new command', async () => {
    const { id } = await makeInvoice()
    const commandId = randomUUID()
    const [first, repeated] = [await sendLink(id, commandId), await sendLink(id, commandId)]
    expect(repeated).toEqual(first)
    expect(await messages(id)).toHaveLength(1)
    await sendLink(id)
    expect(await messages(id)).toHaveLength(2)
  })

  it('is not sent without an email address, for a void invoice, or by a client that is not signed in', async () => {
    const printed = await makeInvoice({ email: '' })
    expect(await sendLink(printed.id)).toMatchObject({
      status: 409,
      body: { code: 'NO_EMAIL_ADDRESS' },
    })
    const { id } = await makeInvoice()
    await shop.post('/api/commands/void-invoice', {
      commandId: randomUUID(),
      input: { invoiceId: id, reason: 'Made twice', notifies: false },
    })
    for (const invoiceId of [id, 'in_unknown']) {
      expect(await sendLink(invoiceId)).toMatchObject({ body: { code: 'NOT_PAYABLE' } })
    }
    const { statusCode } = await shop.inject({
      method: 'POST',
      url: '/api/commands/send-payment-link',
      payload: { commandId: randomUUID(), input: { invoiceId: id } },
    })
    expect(statusCode).toBe(401)
    expect([...(await messages(id)), ...(await messages(printed.id))]).toEqual([])
  })
})
