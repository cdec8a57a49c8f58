import { randomUUID } from 'node:crypto'
import { type Deposit, deposit as depositSchema } from '#contracts/payments/deposits.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import type { PaymentApp } from './payment-app.ts'

type Random = () => number
/** An estimate with a deposit, and what happened to it before its invoice. */
type DepositHistory = {
  readonly estimateId: string
  readonly invoiceId: string
  readonly history: readonly string[]
}

const stepsBeforeInvoice = 3

/** Plays a random history of a deposit, and makes the invoice of its estimate. */
export async function playDepositHistory(
  shop: PaymentApp,
  random: Random,
): Promise<DepositHistory> {
  const client = createEstimateClient(shop.database)
  const [kept, dropped] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
  const customer = { name: 'Dana', email: `${randomUUID()}@example.com`, phone: '' }
  const estimateId = await client.write(estimateDocument([kept, dropped], { customer }))
  await client.record(estimateId, { [kept.key]: 'approved', [dropped.key]: 'approved' })
  const share = 1 + Math.floor(random() * 100)
  await client.call(admin, 'public.ask_deposit($1, null, $2)', [estimateId, share])
  const steps = stepsOf(shop, client, estimateId)
  const playable = {
    ...steps,
    lower: () => client.record(estimateId, { [dropped.key]: 'withdrawn' }),
  }
  const names = Object.keys(playable) as (keyof typeof playable)[]
  const history = [`${share} %`]
  for (let step = 0; step < stepsBeforeInvoice; step += 1) {
    const name = names[Math.floor(random() * names.length)] ?? 'cash'
    history.push(name)
    await playable[name]()
  }
  const seenVersion = await client.version(estimateId)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
  const { id: invoiceId } = body['invoice'] as { id: string }
  return { estimateId, invoiceId, history: [...history, 'invoice'] }
}

export async function readDeposit(shop: PaymentApp, estimateId: string): Promise<Deposit> {
  const client = createEstimateClient(shop.database)
  return depositSchema.parse(await client.call(admin, 'public.read_deposit($1)', [estimateId]))
}

/** The steps, which the shop refuses where the state of the deposit does not allow them. */
function stepsOf(
  shop: PaymentApp,
  client: ReturnType<typeof createEstimateClient>,
  estimateId: string,
) {
  const run = (name: string, input: object) =>
    shop.post(`/api/commands/${name}`, {
      commandId: randomUUID(),
      input: { estimateId, reference: null, ...input },
    })
  const take = async (change: object = {}) => {
    const { askedCents } = await readDeposit(shop, estimateId)
    return run('take-deposit', {
      method: 'cash',
      amountCents: Math.max(askedCents, 1),
      givenCents: null,
      note: null,
      sendsReceipt: false,
      ...change,
    })
  }
  /** Opens the payment page; returns its address, or undefined when no deposit has to be paid. */
  const openPage = async () => {
    const { headers } = await shop.inject({
      method: 'POST',
      url: `${await client.path(estimateId)}/deposit`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
    const address = String(headers.location)
    return address.includes('/checkout/') ? address : undefined
  }
  return {
    cash: () => take(),
    check: () => take({ method: 'check', reference: '1042' }),
    async online() {
      const page = await openPage()
      if (page !== undefined) await shop.payByCard(page)
      await shop.deliverEvents()
    },
    /** The customer pays online in the moment in which the counter takes the deposit. */
    async twice() {
      const page = await openPage()
      await shop.database.owner.query('delete from internal.payment_pages where estimate_id = $1', [
        estimateId,
      ])
      await take()
      if (page !== undefined) await shop.payByCard(page)
      await shop.deliverEvents()
    },
    refund: () => run('refund-deposit', { method: null, reason: 'As agreed.', notifies: false }),
  }
}
