import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { approveEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

type Input = Readonly<Record<string, unknown>>

let shop: PaymentApp
/** The ids of an open invoice, of a paid invoice and its payment, and of an estimate whose deposit is due. */
let open: string
let paid: string
let paymentId: string
let estimateId: string
beforeAll(async () => {
  shop = await createPaymentApp()
  open = (await shop.createInvoice()).id
  paid = (await shop.createInvoice()).id
  estimateId = await approveEstimate(shop.database.database, estimateDocument([estimateJob()]))
  await shop.database.database.transaction(admin, (query) =>
    query.unchecked('select public.ask_deposit($1, 15000, null)', [estimateId]),
  )
  const taken = await run('take-payment', { ...commands['take-payment'](), invoiceId: paid })
  paymentId = (taken.body['result'] as { paymentId: string }).paymentId
})
beforeEach(() => shop.post('/api/admin/confirm-password', { password: testAdmin.password }))
afterAll(() => shop.close())

const run = (name: string, input: Input, commandId: string = randomUUID()) =>
  shop.post(`/api/commands/${name}`, { commandId, input })

const reason = 'Agreed at pickup'
const full = 40_700

/** The payment commands, each with a valid input. */
const commands = {
  'take-payment': () => ({
    invoiceId: open,
    method: 'check',
    amountCents: full,
    givenCents: null,
    reference: '1042',
    note: 'Paid by the neighbor',
    sendsReceipt: false,
  }),
  'correct-invoice-price': () => ({ invoiceId: open, amountCents: 100, reason }),
  'refund-payment': () => ({
    paymentId,
    amountCents: 100,
    partKeys: null,
    method: 'other',
    reference: 'Bank transfer',
    reason,
    notifies: false,
  }),
  'correct-payment': () => ({
    paymentId,
    invoiceId: paid,
    method: 'other',
    amountCents: full,
    reference: 'Bank transfer',
    reason,
  }),
  'void-invoice': () => ({ invoiceId: open, reason, notifies: false }),
  'cancel-invoice': () => ({ invoiceId: paid, reason, notifies: false }),
  'write-off-invoice': () => ({ invoiceId: open, reason }),
  'return-check': () => ({ paymentId, reason }),
  'take-deposit': () => ({
    estimateId,
    method: 'check',
    amountCents: 15_000,
    givenCents: null,
    reference: '1042',
    note: 'Paid by the neighbor',
    sendsReceipt: false,
  }),
} satisfies Record<string, () => Input>
type Name = keyof typeof commands

/** Reads all payment data that the payment commands can change. */
async function readMoney(): Promise<unknown> {
  const { rows } = await shop.database.owner.query<{ money: unknown }>(
    `select jsonb_build_object(
       'lines', (select jsonb_agg(to_jsonb(line) order by line.recorded_at, line.id) from public.payments line),
       'notes', (select count(*) from public.credit_notes),
       'events', (select count(*) from public.invoice_events),
       'reports', (select count(*) from internal.stripe_reports),
       'ended', (select count(*) from public.invoices where voided_at is not null or written_off_at is not null)) as money`,
  )
  return rows[0]?.money
}

/** Runs a payment command. Returns the error code, and whether all payment data is unchanged. */
async function attempt(name: string, input: Input) {
  const before = await readMoney()
  const { status, body } = await run(name, input)
  const code = (body['cause'] as { code: string } | undefined)?.code ?? body['code']
  return { input, status, code, isUnchanged: isDeepStrictEqual(await readMoney(), before) }
}
const refusal = (code: string) => ({ status: 400, code, isUnchanged: true })

const names = Object.keys(commands) as Name[]
const fieldsOf = (name: Name, wanted: readonly string[]) =>
  Object.keys(commands[name]()).filter((field) => wanted.includes(field))
const cases = (wanted: readonly string[]) =>
  names.flatMap((name) => fieldsOf(name, wanted).map((field) => [name, field] as const))

describe('a payment command with an invalid input', () => {
  it.each(cases(['amountCents', 'givenCents']))(
    '%s rejects every invalid value of %s, such as zero, a negative or a fractional amount',
    async (name, field) => {
      for (const amount of [0, -1, 0.001, 1e12, 2 ** 31, '100', '1e3', [100], true]) {
        const input = { ...commands[name](), [field]: amount }
        expect(await attempt(name, input)).toMatchObject(refusal('BAD_REQUEST'))
      }
    },
  )

  it.each(cases(['reference', 'note', 'reason']))(
    '%s refuses a card number in the field %s',
    async (name, field) => {
      const texts = ['4242 4242 4242 4242', 'Card 5555-5555-5555-4444, thanks', '378282246310005']
      for (const text of texts) {
        const input = { ...commands[name](), [field]: text }
        expect(await attempt(name, input)).toMatchObject(refusal('23514'))
      }
    },
  )

  it.each([
    ['take-payment', full + 1, 'TT102'],
    ['correct-invoice-price', full + 1, 'TT102'],
    ['refund-payment', full + 1, 'TT101'],
    ['correct-payment', full + 1, 'TT102'],
    ['take-deposit', 15_001, 'TT104'],
  ] as const)(
    'is refused if its amount is one cent too high: %s',
    async (name, amountCents, code) => {
      const input = { ...commands[name](), amountCents }
      expect(await attempt(name, input)).toMatchObject(refusal(code))
    },
  )

  it.each(['refund-payment', 'correct-payment', 'return-check'] as const)(
    'is refused if the payment with the given id does not exist: %s',
    async (name) => {
      const unknown = { ...commands[name](), paymentId: randomUUID() }
      expect(await attempt(name, unknown)).toMatchObject(refusal('TT102'))
      for (const paymentId of [open, "' or true --"]) {
        const input = { ...commands[name](), paymentId }
        expect(await attempt(name, input)).toMatchObject(refusal('BAD_REQUEST'))
      }
    },
  )

  it('refunds no job of another invoice, and moves no payment to an unknown invoice', async () => {
    const part = { ...commands['refund-payment'](), partKeys: ['other'] }
    expect(await attempt('refund-payment', part)).toMatchObject(refusal('TT103'))
    const moved = { ...commands['correct-payment'](), invoiceId: 'in_unknown' }
    expect(await attempt('correct-payment', moved)).toMatchObject(refusal('TT102'))
  })

  it('is refused when a command id is repeated with another input', async () => {
    const commandId = randomUUID()
    const order = { ...commands['take-payment'](), amountCents: 100 }
    expect((await run('take-payment', order, commandId)).status).toBe(200)
    const before = await readMoney()
    for (const change of [{ amountCents: 200 }, { invoiceId: paid }, { method: 'cash' }]) {
      const { status } = await run('take-payment', { ...order, ...change }, commandId)
      expect({ change, isRefused: status >= 400 && status < 500 }).toEqual({
        change,
        isRefused: true,
      })
    }
    expect(
      (await run('correct-invoice-price', commands['correct-invoice-price'](), commandId)).status,
    ).toBeGreaterThanOrEqual(400)
    expect(await readMoney()).toEqual(before)
    expect((await run('take-payment', order, commandId)).status).toBe(200)
    expect(await readMoney()).toEqual(before)
  })
})

it('The payment commands accept valid inputs, so that the refusals in the other tests of this file result from the invalid values', async () => {
  for (const name of [
    'take-deposit',
    'correct-invoice-price',
    'refund-payment',
    'write-off-invoice',
    'cancel-invoice',
  ] as const) {
    const { status } = await run(name, commands[name]())
    expect({ name, status }).toEqual({ name, status: 200 })
  }
})

describe('a customer with the secret link to an invoice', () => {
  it('cannot run a payment command', async () => {
    const before = await readMoney()
    for (const name of names) {
      const response = await shop.inject({
        method: 'POST',
        url: `/api/commands/${name}`,
        payload: { commandId: randomUUID(), input: commands[name]() },
      })
      expect({ name, status: response.statusCode }).toEqual({ name, status: 401 })
    }
    expect(await readMoney()).toEqual(before)
  })

  it('pays the balance of that invoice, even if the submitted form names another amount and invoice', async () => {
    const { id } = await shop.createInvoice()
    const { body } = await shop.post('/api/invoice/hand-over', { invoiceId: id })
    const path = new URL(String(body['url'])).pathname
    const opened = await shop.inject({
      method: 'POST',
      url: `${path}/pay?amountCents=1&invoiceId=${paid}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `amountCents=1&invoiceId=${paid}`,
    })
    expect(opened.statusCode).toBe(303)
    await shop.payByCard(String(opened.headers.location))
    await shop.deliverEvents()
    const { rows } = await shop.database.owner.query<{ invoice_id: string; amount_cents: number }>(
      `select invoice_id, amount_cents from public.payments where method = 'card_online'`,
    )
    expect(rows).toEqual([{ invoice_id: id, amount_cents: full }])
  })
})
