import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

const remind = (estimateId: string, commandId: string = randomUUID()) =>
  shop.post('/api/commands/remind-of-deposit', { commandId, input: { estimateId } })
const messages = async (estimateId: string) =>
  (
    await shop.database.owner.query<{ recipient_email: string; text_body: string }>(
      `select recipient_email, text_body from public.emails where kind = 'payment_request' and estimate_id = $1`,
      [estimateId],
    )
  ).rows

/** Creates a sent estimate with a requested deposit of $150, before the customer approved a job. */
async function sent(email: string) {
  const client = createEstimateClient(shop.database)
  const job = estimateJob()
  const customer = { name: 'Maria Delgado', email, phone: '(650) 555-0167' }
  const id = await client.write(estimateDocument([job], { customer }))
  await client.call(admin, 'public.ask_deposit($1, 15000, null)', [id])
  await client.freeze(id)
  return {
    id,
    path: await client.path(id),
    approve: () => client.record(id, { [job.key]: 'approved' }),
  }
}

it('A deposit reminder is emailed to the customer once per command, with the amount and the payment link', async () => {
  const email = `${randomUUID()}@example.com`
  const { id, path, approve } = await sent(email)
  await approve()
  const commandId = randomUUID()
  expect((await remind(id, commandId)).status).toBe(200)
  expect((await remind(id, commandId)).status).toBe(200)
  const [message, ...others] = await messages(id)
  expect(others).toEqual([])
  expect(message?.recipient_email).toBe(email)
  expect(message?.text_body).toContain('$150.00')
  expect(message?.text_body).toContain(path)
})

it('A deposit reminder is refused before the approval, after the payment, and without an email address', async () => {
  const { id, approve } = await sent(`${randomUUID()}@example.com`)
  expect(await remind(id)).toMatchObject({ status: 409, body: { code: 'NOT_PAYABLE' } })
  await approve()
  await shop.post('/api/commands/take-deposit', {
    commandId: randomUUID(),
    input: {
      estimateId: id,
      method: 'cash',
      amountCents: 15_000,
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
    },
  })
  expect(await remind(id)).toMatchObject({ body: { code: 'NOT_PAYABLE' } })
  const printed = await sent('')
  await printed.approve()
  expect(await remind(printed.id)).toMatchObject({ body: { code: 'NO_EMAIL_ADDRESS' } })
  expect([...(await messages(id)), ...(await messages(printed.id))]).toEqual([])
})
