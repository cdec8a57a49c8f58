import { createInvoice } from '#server/features/invoices/create-invoice.ts'
import { mailInvoice } from '#server/features/invoices/mail-invoice.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { settlePayment } from '#server/features/payments/settlement/settle-payment.ts'
import { type SampleInvoice, sampleInvoices } from './sample-work.ts'

/**
 * The request id of a sample invoice. The database recognizes sample invoices by the prefix of this id
 * (internal.sample_invoices). No Idempotency-Key of a client can have this prefix.
 */
const requestIdOf = (weekId: string, index: number) => `sample-week:${weekId}:${index}`

/**
 * Creates the invoices of a sample week in the payment sandbox; a repeated call for the same week creates no invoice
 * twice.
 */
export async function makeSampleInvoices(context: PaymentContext, weekId: string): Promise<void> {
  for (const [index, sample] of sampleInvoices.entries()) {
    await makeInvoice(context, sample, requestIdOf(weekId, index))
  }
}

async function makeInvoice(context: PaymentContext, sample: SampleInvoice, request: string) {
  const { stripe } = context
  const { name, email, phone, lines, memo, dueDays, isPaid } = sample
  const order = { customer: { name, email, phone }, lines, memo, dueDays }
  const made = await createInvoice(context, order, request)
  if (!made.ok) throw new Error(`The Stripe sandbox refused a sample invoice: ${made.refusal.code}`)
  const invoice = made.value
  if (!isPaid) {
    await mailInvoice(
      {
        ...context,
        stripeConnection: { client: stripe, sendsEmail: false },
        canSendEmail: () => false,
      },
      invoice,
    )
    return
  }
  await stripe.invoices.pay(
    invoice.id,
    { payment_method: 'pm_card_visa' },
    { idempotencyKey: `${request}-pay` },
  )
  await settlePayment(context, invoice.id)
}
