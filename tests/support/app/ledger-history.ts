import { randomUUID } from 'node:crypto'
import { closeDispute, openDispute } from '@local/stripe-sandbox/testing/disputes'
import { failRefund } from '@local/stripe-sandbox/testing/refund-outcomes'
import { type InvoiceDetail, invoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { makeReplacements } from '#server/features/payments/reports/make-replacements.ts'
import { reportToStripe } from '#server/features/payments/reports/report-to-stripe.ts'
import { idOf } from '#server/features/payments/stripe.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import type { PaymentApp } from './payment-app.ts'

/**
 * One random command on an invoice. `part` returns a random amount up to the given amount, and `other` is another
 * invoice of the same test run.
 */
type Step = (context: StepContext) => Promise<unknown>
type StepContext = {
  readonly invoice: InvoiceDetail
  readonly other: string
  readonly part: (cents: number) => number
}

const reason = 'As agreed.'
type Line = InvoiceDetail['ledger'][number]
const isWhole = ({ kind, leftCents, amountCents }: Line) =>
  kind === 'payment' && leftCents === amountCents

/** Returns the steps from which tests make random invoice histories, and functions that read the invoices. */
export function createLedgerHistory(shop: PaymentApp) {
  const run = (name: string, input: Record<string, unknown>) =>
    shop.post(`/api/commands/${name}`, { commandId: randomUUID(), input })
  const read = async (id: string): Promise<InvoiceDetail> => {
    const [row] = await shop.database.database.transaction(admin, (query) =>
      query.unchecked<{ invoice: unknown }>('select public.read_invoice($1) as invoice', [id]),
    )
    return invoiceDetail.parse(row?.invoice)
  }
  /**
   * Runs the jobs that report ledger lines to Stripe and create replacement invoices; returns the failures of these
   * jobs.
   */
  async function report(): Promise<unknown[]> {
    const failures: unknown[] = []
    await reportToStripe(shop.context, (_id, error) => failures.push(error))
    await makeReplacements(shop.context, (_id, error) => failures.push(error))
    return failures
  }
  const take = ({ invoice, part }: StepContext, change: Record<string, unknown>) =>
    run('take-payment', {
      invoiceId: invoice.id,
      method: 'cash',
      amountCents: part(invoice.balanceCents),
      givenCents: null,
      reference: null,
      note: null,
      sendsReceipt: false,
      ...change,
    })
  const correct = ({ invoice, part }: StepContext, invoiceId: string) => {
    const payment = invoice.ledger.findLast(
      ({ kind, amountCents }) =>
        kind === 'payment' || (kind === 'applied_deposit' && amountCents > 0),
    )
    return run('correct-payment', {
      paymentId: payment?.id ?? randomUUID(),
      invoiceId,
      method: 'card_terminal',
      amountCents: part(payment?.amountCents ?? 1),
      reference: null,
      reason,
    })
  }
  const close = (name: string, { invoice }: StepContext) =>
    run(name, { invoiceId: invoice.id, reason, notifies: false })

  /**
   * The possible steps, such as actions of staff, the customer or the bank. The shop refuses a step that the invoice's
   * state does not allow.
   */
  const steps: Readonly<Record<string, Step>> = {
    cash: (context) => take(context, {}),
    check: (context) => take(context, { method: 'check', reference: '1042' }),
    terminal: (context) =>
      take(context, {
        method: 'card_terminal',
        amountCents: Math.max(context.invoice.balanceCents, 1),
      }),
    async online({ invoice: { id: invoiceId } }) {
      await report()
      const { status } = await shop.post('/api/create-checkout', { invoiceId })
      if (status === 200) await shop.payByCard(await shop.checkout(invoiceId))
      await shop.deliverEvents()
    },
    price: ({ invoice, part }) =>
      run('correct-invoice-price', {
        invoiceId: invoice.id,
        amountCents: part(invoice.balanceCents),
        reason,
      }),
    refund({ invoice, part }) {
      const payment = invoice.ledger.find(({ leftCents }) => leftCents > 0)
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
    wrong: (context) => correct(context, context.invoice.id),
    move: (context) => correct(context, context.other),
    bounce({ invoice }) {
      const check = invoice.ledger.findLast((line) => isWhole(line) && line.method === 'check')
      return run('return-check', { paymentId: check?.id ?? randomUUID(), reason })
    },
    /** The bank rejects the latest refund to a card. */
    async failRefund({ invoice }) {
      await report()
      const { data } = await shop.stripe.refunds.list({ limit: 100 })
      const made = data.find(
        ({ metadata, status }) => metadata?.['invoice_id'] === invoice.id && status === 'succeeded',
      )
      if (made) await failRefund(shop.account, made.id)
      await shop.deliverEvents()
    },
    retry({ invoice, part }) {
      const failed = invoice.ledger.find(({ retryCents }) => retryCents > 0)
      const byCheck = part(100) < 50
      return run('retry-refund', {
        refundId: failed?.id ?? randomUUID(),
        method: byCheck ? 'check' : null,
        reference: byCheck ? '2207' : null,
      })
    },
    /**
     * The bank decides a dispute over the latest card payment: the bank reverses the payment, or decides for the shop.
     */
    async dispute({ invoice, part }) {
      await report()
      await endDispute(shop, invoice.id, part(100) < 70 ? 'lost' : 'won')
    },
    void: (context) => close('void-invoice', context),
    cancel: (context) => close('cancel-invoice', context),
    report: () => report(),
  }
  return { steps, read, report }
}

/** Opens and decides a dispute over the latest card payment of an invoice, if that payment was never disputed. */
async function endDispute(
  shop: PaymentApp,
  invoiceId: string,
  outcome: 'lost' | 'won',
): Promise<void> {
  const { rows } = await shop.database.owner.query<{ intent: string }>(
    `select coalesce(line.payment_intent_id, deposit.payment_intent_id) as intent from public.payments line
     left join public.payments deposit on deposit.id = line.original_id
     where line.invoice_id = $1 and line.method = 'card_online' and line.kind in ('payment', 'applied_deposit')
     order by line.recorded_at desc limit 1`,
    [invoiceId],
  )
  const intent = rows[0]?.intent
  if (intent === undefined) return
  const { latest_charge: latest } = await shop.stripe.paymentIntents.retrieve(intent)
  const charge = await shop.stripe.charges.retrieve(idOf(latest))
  if (charge.disputed || charge.refunded) return
  await closeDispute(shop.account, await openDispute(shop.account, charge.id), outcome)
  await shop.deliverEvents()
}
