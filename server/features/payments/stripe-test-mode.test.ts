import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createInvoice } from '#server/features/invoices/create-invoice.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { lookupInvoice } from '#server/features/invoices/lookup/lookup-invoice.ts'
import { connectStripe, idOf, stripeFailure } from './stripe.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createCheckout } from './checkout/create-checkout.ts'
import type { PaymentContext } from './payment-context.ts'
import { createPaymentQueues } from './payment-queues.ts'
import { settlePayment } from './settlement/settle-payment.ts'
import { verifyInvoice } from './checkout/verify-payment.ts'

// These tests call Stripe's real servers and run only with STRIPE_TEST_KEY=sk_test_…, a test-mode key, which moves no
// money.
const key = process.env['STRIPE_TEST_KEY'] ?? ''

describe.skipIf(!key.startsWith('sk_test_'))(
  "with Stripe's test mode (needs STRIPE_TEST_KEY)",
  () => {
    let database: TestDatabase
    let context: PaymentContext
    beforeAll(async () => {
      database = await createTestDatabase()
      const { client } = connectStripe({ secretKey: key, webhookSecret: 'whsec_unused' })
      context = {
        stripe: client,
        database: database.database,
        now: Date.now,
        publicUrl: 'https://shop.example',
        ownerEmail: 'owner@shop.example',
        currentShop: () => defaultShop,
        pdfs: createInvoicePdfs(client, database.database, () => defaultShop),
        paymentQueues: createPaymentQueues(),
        paymentMode: () => 'stripe',
        report(what, error) {
          throw new Error(what, { cause: error })
        },
      }
    })
    afterAll(() => database?.drop())

    const makeInvoice = async () => {
      const made = await createInvoice(
        context,
        {
          customer: { name: 'Test Mode', email: `${randomUUID()}@example.com`, phone: '' },
          lines: [{ description: 'Łukasz 5W‑30', amountCents: 1999, quantity: 3 }],
          memo: 'Made by a test',
          dueDays: 7,
        },
        randomUUID(),
      )
      if (!made.ok) throw new Error(made.refusal.code)
      return made.value
    }

    const lookup = (number: string | null | undefined) => ({
      number: number ?? '',
      email: undefined,
    })

    /** Pays by card as a checkout does, without opening the checkout page. */
    async function pay(customer: string, invoiceId: string) {
      return context.stripe.paymentIntents.create({
        amount: 5997,
        currency: 'usd',
        customer,
        payment_method: 'pm_card_visa',
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { invoice_id: invoiceId },
      })
    }

    it('Stripe test mode: creates an invoice, finds the invoice, opens a single checkout, and settles the payment', async () => {
      const invoice = await makeInvoice()
      expect(invoice).toMatchObject({ status: 'open', amount_remaining: 5997 })
      expect(invoice.number).toMatch(/^INV-\d{4}-\d{4,}-\w{6}$/)
      expect(await lookupInvoice(context, lookup(invoice.number))).toMatchObject({
        ok: true,
        value: { id: invoice.id },
      })
      expect(await lookupInvoice(context, lookup(invoice.number?.toLowerCase()))).toMatchObject({
        ok: true,
        value: { id: invoice.id },
      })
      const [first, second] = [
        await createCheckout(context, invoice.id),
        await createCheckout(context, invoice.id),
      ]
      expect(first).toMatchObject({ ok: true })
      expect(second).toEqual(first)

      const intent = await pay(idOf(invoice.customer), invoice.id)
      await context.stripe.invoices.attachPayment(invoice.id, { payment_intent: intent.id })
      await settlePayment(context, invoice.id)
      expect(await verifyInvoice(context, invoice.id)).toMatchObject({
        ok: true,
        value: { status: 'paid', amountPaid: 5997 },
      })
      const open = await context.stripe.checkout.sessions.list({
        customer: idOf(invoice.customer),
        status: 'open',
      })
      expect(open.data).toEqual([])
      const { rows } = await database.owner.query('select kind from public.payments')
      expect(rows).toEqual([{ kind: 'payment' }])
    }, 60_000)

    it(
      'Stripe test mode: finds an invoice number in any letter case',
      { timeout: 180_000 },
      async () => {
        const { id, number } = await makeInvoice()
        const query = `number:"${(number ?? '').toLowerCase()}"`
        // According to Stripe's documentation, Stripe's search can find new objects up to a minute late.
        await vi.waitFor(
          async () => {
            const { data } = await context.stripe.invoices.search({ query })
            expect(data.map((invoice) => invoice.id)).toContain(id)
          },
          { timeout: 150_000, interval: 5_000 },
        )
      },
    )

    it(
      'Stripe test mode: refuses an invoice number that another invoice has',
      { timeout: 60_000 },
      async () => {
        const { customer, number } = await makeInvoice()
        const again = context.stripe.invoices.create({
          customer: idOf(customer),
          number: number ?? '',
          collection_method: 'send_invoice',
          days_until_due: 7,
        })
        await expect(again).rejects.toSatisfy((error) => stripeFailure(error) === 'refused')
      },
    )

    it('Stripe test mode: refuses to attach a second payment to a paid invoice', async () => {
      const invoice = await makeInvoice()
      const customer = idOf(invoice.customer)
      const first = await pay(customer, invoice.id)
      await context.stripe.invoices.attachPayment(invoice.id, { payment_intent: first.id })
      const second = await pay(customer, invoice.id)
      const attached = context.stripe.invoices.attachPayment(invoice.id, {
        payment_intent: second.id,
      })
      await expect(attached).rejects.toSatisfy((error) => stripeFailure(error) === 'refused')
    }, 60_000)
  },
)
