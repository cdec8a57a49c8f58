import { randomUUID } from 'node:crypto'
import { type Deposit, deposit as depositSchema } from '#contracts/payments/deposits.ts'
import { closeDispute, openDispute } from '@local/stripe-sandbox/testing/disputes'
import { idOf } from '#server/features/payments/stripe.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import type { PaymentApp } from './payment-app.ts'

type Random = () => number
/** An estimate with a deposit, and the steps that a test ran before the invoice was created. */
type DepositHistory = {
  readonly estimateId: string
  /** The number of the estimate. */
  readonly number: string
  /** The id of the invoice; undefined when the customer declined every job and the estimate therefore has none. */
  readonly invoiceId: string | undefined
  readonly history: readonly string[]
}

const stepsBeforeInvoice = 4

/** Takes random steps with the deposit of a new estimate, then creates the estimate's invoice. */
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
  const steps = stepsOf(shop, client, estimateId, random)
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
  const { number } = await client.read(estimateId)
  if (random() < 0.25) {
    await client.record(estimateId, { [kept.key]: 'withdrawn', [dropped.key]: 'withdrawn' })
    if (random() < 0.5) await steps.refund()
    return { estimateId, number, invoiceId: undefined, history: [...history, 'declined'] }
  }
  const seenVersion = await client.version(estimateId)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
  const { id: invoiceId } = body['invoice'] as { id: string }
  return { estimateId, number, invoiceId, history: [...history, 'invoice'] }
}

export async function readDeposit(shop: PaymentApp, estimateId: string): Promise<Deposit> {
  const client = createEstimateClient(shop.database)
  return depositSchema.parse(await client.call(admin, 'public.read_deposit($1)', [estimateId]))
}

/**
 * Returns the possible steps, such as actions of staff, the customer or the bank. The shop refuses a step that the
 * deposit's state does not allow.
 */
function stepsOf(
  shop: PaymentApp,
  client: ReturnType<typeof createEstimateClient>,
  estimateId: string,
  random: Random,
) {
  const run = (name: string, input: object) =>
    shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
  const take = async (change: object = {}) => {
    const { askedCents } = await readDeposit(shop, estimateId)
    return run('take-deposit', {
      estimateId,
      method: 'cash',
      reference: null,
      amountCents: Math.max(askedCents, 1),
      givenCents: null,
      note: null,
      sendsReceipt: false,
      ...change,
    })
  }
  const latestPayment = async () =>
    (await readDeposit(shop, estimateId)).lines.findLast(({ kind }) => kind === 'payment')?.id ??
    randomUUID()
  /** Opens the payment page of the deposit; returns its URL, or undefined when no deposit has to be paid. */
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
    /** The customer pays online while staff record a payment of the same deposit at the counter. */
    async twice() {
      const page = await openPage()
      await shop.database.owner.query('delete from internal.payment_pages where estimate_id = $1', [
        estimateId,
      ])
      await take()
      if (page !== undefined) await shop.payByCard(page)
      await shop.deliverEvents()
    },
    /** Staff correct the latest payment of the deposit. */
    correct: async () => {
      const paymentId = await latestPayment()
      const change = {
        method: 'card_terminal',
        reference: null,
        amountCents: 1 + Math.floor(random() * 5000),
      }
      return run('correct-deposit', { paymentId, ...change, reason: 'Typed wrongly.' })
    },
    bounce: async () =>
      run('return-deposit-check', { paymentId: await latestPayment(), reason: 'No funds.' }),
    /** The bank reverses the online payment of a deposit that is neither refunded nor applied to an invoice. */
    async dispute() {
      const { rows } = await shop.database.owner.query<{ intent: string }>(
        `select payment_intent_id as intent from public.payments payment
         where estimate_id = $1 and payment_intent_id is not null and internal.left_cents(payment) = amount_cents`,
        [estimateId],
      )
      if (!rows[0]) return
      const { latest_charge: charge } = await shop.stripe.paymentIntents.retrieve(rows[0].intent)
      await closeDispute(shop.account, await openDispute(shop.account, idOf(charge)), 'lost')
      await shop.deliverEvents()
    },
    refund: () =>
      run('refund-deposit', {
        estimateId,
        reference: null,
        method: null,
        reason: 'As agreed.',
        notifies: false,
      }),
  }
}
