import type Stripe from 'stripe'
import { customerOf } from './payments.ts'

/** Reports a cash payment by the customer of an invoice. Returns the payment record. */
export function reportCash(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  cents = invoice.amount_remaining,
  changes: Partial<Stripe.PaymentRecordReportPaymentParams> = {},
): Promise<Stripe.PaymentRecord> {
  return stripe.paymentRecords.reportPayment({
    amount_requested: { currency: invoice.currency, value: cents },
    customer_details: { customer: customerOf(invoice) },
    guaranteed: { guaranteed_at: 1_795_280_400 },
    initiated_at: 1_795_280_400,
    outcome: 'guaranteed',
    payment_method_details: { type: 'custom', custom: { display_name: 'Cash' } },
    ...changes,
  })
}

/** Reports a cash payment by the customer of an invoice, and attaches the payment to the invoice. */
export async function payCash(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  cents = invoice.amount_remaining,
): Promise<Stripe.PaymentRecord> {
  const record = await reportCash(stripe, invoice, cents)
  await stripe.invoices.attachPayment(invoice.id, { payment_record: record.id })
  return record
}
