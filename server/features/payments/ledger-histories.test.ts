import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InvoiceDetail, invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { invoiceList } from '#contracts/invoices/invoice-list.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { playDepositHistory, readDeposit } from '#tests/support/app/deposit-history.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { seeded } from '#tests/support/database/vehicle-model.ts'
import { makeReplacements } from './reports/make-replacements.ts'
import { reportToStripe } from './reports/report-to-stripe.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterAll(() => shop.close())

const stepsOfHistory = 7

const readAsAdmin = async (sql: string, values: unknown[]): Promise<unknown> => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ result: unknown }>(`select ${sql} as result`, values),
  )
  return row?.result
}
const read = async (id: string): Promise<InvoiceDetail> =>
  invoiceDetail.parse(await readAsAdmin('public.read_invoice($1)', [id]))
const readList = async () =>
  invoiceList.parse(await readAsAdmin('public.list_invoices($1, 500)', ['all']))
const run = (name: string, input: Record<string, unknown>) =>
  shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })

type Step = (
  id: string,
  invoice: InvoiceDetail,
  part: (cents: number) => number,
) => Promise<unknown>
const reason = 'As agreed.'
const refundable = ({ ledger }: InvoiceDetail) => ledger.find(({ leftCents }) => leftCents > 0)

/** The shop refuses those steps that the state of the invoice does not allow. */
const steps: Readonly<Record<string, Step>> = {
  cash: (invoiceId, { balanceCents }, part) =>
    take(invoiceId, { amountCents: part(balanceCents), givenCents: null }),
  check: (invoiceId, { balanceCents }, part) =>
    take(invoiceId, { method: 'check', reference: '1042', amountCents: part(balanceCents) }),
  terminal: (invoiceId, { balanceCents }) =>
    take(invoiceId, { method: 'card_terminal', amountCents: Math.max(balanceCents, 1) }),
  async online(invoiceId) {
    await report()
    const { status } = await shop.post('/api/create-checkout', { invoiceId })
    if (status === 200) await shop.payByCard(await shop.checkout(invoiceId))
    await shop.deliverEvents()
  },
  price: (invoiceId, { balanceCents }, part) =>
    run('correct-invoice-price', { invoiceId, amountCents: part(balanceCents), reason }),
  refund(_id, invoice, part) {
    const payment = refundable(invoice)
    return run('refund-payment', {
      paymentId: payment?.id ?? randomUUID(),
      amountCents: part(payment?.leftCents ?? 1),
      partKeys: null,
      method: null,
      reference: null,
      reason,
      notifies: false,
    })
  },
  wrong(invoiceId, { ledger }, part) {
    const payment = ledger.findLast(({ kind }) => kind === 'payment')
    return run('correct-payment', {
      paymentId: payment?.id ?? randomUUID(),
      invoiceId,
      method: 'card_terminal',
      amountCents: part(payment?.amountCents ?? 1),
      reference: null,
      reason,
    })
  },
  void: (invoiceId) => run('void-invoice', { invoiceId, reason, notifies: false }),
  cancel: (invoiceId) => run('cancel-invoice', { invoiceId, reason, notifies: false }),
  report: () => report(),
}

const take = (invoiceId: string, change: Record<string, unknown>) =>
  run('take-payment', {
    invoiceId,
    method: 'cash',
    givenCents: null,
    reference: null,
    note: null,
    sendsReceipt: false,
    ...change,
  })

async function report(): Promise<void> {
  const failures: unknown[] = []
  await reportToStripe(shop.context, (_id, error) => failures.push(error))
  await makeReplacements(shop.context, (_id, error) => failures.push(error))
  expect(failures).toEqual([])
}

type Lived = { history: string[]; id: string }

/** Runs a random history of one invoice, and returns the names of its steps and the invoice. */
async function live(seed: number): Promise<Lived> {
  const email = `dana.${randomUUID()}@example.com`
  const { id } = await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })
  return continueWith(id, seeded(seed), [])
}

/** Runs a random history of an estimate with a deposit, then of its invoice. */
async function liveWithDeposit(seed: number): Promise<Lived & { estimateId: string }> {
  const random = seeded(seed)
  const { estimateId, invoiceId, history } = await playDepositHistory(shop, random)
  return { estimateId, ...(await continueWith(invoiceId, random, history)) }
}

async function continueWith(
  id: string,
  random: () => number,
  before: readonly string[],
): Promise<Lived> {
  const part = (cents: number) => Math.max(1, Math.ceil(cents * (random() < 0.4 ? 1 : random())))
  const names = Object.keys(steps)
  const history = [...before]
  for (let step = 0; step < stepsOfHistory; step += 1) {
    // Most histories begin with payments: void and cancelled invoices allow no further step.
    const name = names[Math.floor(random() * (step < 2 ? 7 : names.length))] ?? 'report'
    history.push(name)
    await steps[name]?.(id, await read(id), part)
  }
  await report()
  await shop.deliverEvents()
  return { history, id }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Compares an invoice with its ledger, the list and Stripe; returns what its lines received. */
async function compare({ history, id }: Lived): Promise<number> {
  const invoice = await read(id)
  const { totalCents, paidCents, balanceCents, state, ledger, creditNotes } = invoice
  const credited = sum(creditNotes.map(({ amountCents }) => amountCents))
  expect({ history, paidCents }).toEqual({
    history,
    paidCents: sum(ledger.map(({ amountCents }) => amountCents)),
  })
  const replaced = sum(invoice.replacements.map(({ amountCents }) => amountCents))
  const due = state === 'void' ? 0 : totalCents - credited - paidCents - replaced
  expect({ history, balanceCents }).toEqual({ history, balanceCents: due })
  const list = await readList()
  expect(list.invoices.find((listed) => listed.id === id)).toMatchObject({
    paidCents,
    balanceCents,
    state,
  })
  const atStripe = await shop.stripe.invoices.retrieve(id)
  expect({ history, remaining: state === 'void' ? 0 : atStripe.amount_remaining }).toEqual({
    history,
    remaining: balanceCents,
  })
  const { data: notes } = await shop.stripe.creditNotes.list({ invoice: id, limit: 100 })
  expect(sum(notes.map(({ amount }) => amount))).toBe(credited)
  return sum(ledger.filter(movesMoney).map(({ amountCents }) => amountCents))
}

const movesMoney = ({ kind }: { kind: string }) => ['payment', 'refund', 'reversal'].includes(kind)
const received = async () => (await readList()).received.receivedCents

describe('a random history of payments and corrections', () => {
  it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'number %i ends with the same amounts in the ledger, on the invoice, in the list, on Today and at Stripe',
    async (seed) => {
      const before = await received()
      const lived = await live(seed)
      const cents = await compare(lived)
      expect({ ...lived, cents: (await received()) - before }).toEqual({ ...lived, cents })
    },
    60_000,
  )
})

describe('a random history of a deposit and its invoice', () => {
  it.each(Array.from({ length: 14 }, (_, index) => index + 101))(
    'number %i ends with the same amounts in the ledger, on the invoice, in the list, on Today and at Stripe',
    async (seed) => {
      const before = await received()
      const lived = await liveWithDeposit(seed)
      const { history, estimateId } = lived
      const { lines, heldCents } = await readDeposit(shop, estimateId)
      const applied = (await read(lived.id)).ledger.filter(({ kind }) => kind === 'applied_deposit')
      const taken = sum(lines.map(({ amountCents }) => amountCents))
      // What was taken and not returned is on the invoice, to the cent: nothing is held after it.
      expect({ history, heldCents, taken }).toEqual({
        history,
        heldCents: 0,
        taken: sum(applied.map(({ amountCents }) => amountCents)),
      })
      const cents = taken + (await compare(lived))
      expect({ ...lived, cents: (await received()) - before }).toEqual({ ...lived, cents })
    },
    60_000,
  )
})
