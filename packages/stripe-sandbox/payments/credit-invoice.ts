import type { Call } from '../api/route.ts'
import { idOf, newId } from '../objects/new-id.ts'
import type { WireInvoice, WireInvoicePayment, WirePaymentIntent } from '../objects/wire.ts'
import { withPayment } from './invoice-amounts.ts'

/**
 * Credits a succeeded payment to an invoice, which the caller must have locked. A full payment closes the invoice, a
 * partial payment leaves it open, and the excess of an overpayment is added to the customer's credit balance.
 */
export async function creditInvoice(
  call: Call,
  invoice: WireInvoice,
  intent: WirePaymentIntent,
): Promise<WireInvoice> {
  const payment = await recordPayment(call, invoice, intent)
  const credited = withPayment(invoice, payment.amount_paid ?? 0)
  const settled =
    credited.amount_remaining > 0
      ? await call.store.save(credited)
      : await closeAsPaid(call, credited)
  await call.emit('invoice_payment.paid', payment)
  if (settled.amount_overpaid > invoice.amount_overpaid) {
    await creditCustomer(call, invoice, settled.amount_overpaid - invoice.amount_overpaid)
    await call.emit('invoice.overpaid', settled)
  }
  await emitUpdated(call, settled)
  return settled
}

/** Closes an invoice as paid without a PaymentIntent, because nothing was due or the customer paid outside Stripe. */
export async function closeAsPaidElsewhere(call: Call, invoice: WireInvoice): Promise<WireInvoice> {
  const offStripe = invoice.amount_remaining
  const credited =
    offStripe === 0
      ? invoice
      : { ...withPayment(invoice, offStripe), amount_paid_off_stripe: offStripe }
  const settled = await closeAsPaid(call, credited)
  await emitUpdated(call, settled)
  return settled
}

async function emitUpdated(call: Call, settled: WireInvoice): Promise<void> {
  await call.emit('invoice.updated', settled)
  if (settled.status !== 'paid') return
  await call.emit('invoice.paid', settled)
  await call.emit('invoice.payment_succeeded', settled)
}

async function closeAsPaid(call: Call, invoice: WireInvoice): Promise<WireInvoice> {
  await cancelDefaultPayment(call, invoice)
  return call.store.save({
    ...invoice,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: call.now },
  })
}

/**
 * Marks the invoice payment of this PaymentIntent as paid, or stores a new one when the invoice has no payment with
 * it.
 */
async function recordPayment(
  call: Call,
  invoice: WireInvoice,
  intent: WirePaymentIntent,
): Promise<WireInvoicePayment> {
  const [own] = await call.store.all('invoice_payment', {
    invoice: invoice.id,
    payment: { payment_intent: intent.id },
  })
  const paid: WireInvoicePayment = {
    ...(own ?? newInvoicePayment(invoice, intent, call.now)),
    amount_paid: intent.amount_received,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: call.now },
  }
  return own ? call.store.save(paid) : call.store.insert(paid)
}

/**
 * Creates an open invoice payment. The default payment has the PaymentIntent that the hosted invoice page confirms.
 */
export function newInvoicePayment(
  invoice: WireInvoice,
  intent: WirePaymentIntent,
  now: number,
  isDefault = false,
): WireInvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: isDefault ? invoice.amount_remaining : intent.amount,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: isDefault,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}

/** Cancels the open default payment of an invoice together with its PaymentIntent. */
export async function cancelDefaultPayment(call: Call, invoice: WireInvoice): Promise<void> {
  const open = await call.store.all('invoice_payment', {
    invoice: invoice.id,
    is_default: true,
    status: 'open',
  })
  for (const payment of open) {
    await call.store.save({
      ...payment,
      status: 'canceled',
      status_transitions: { ...payment.status_transitions, canceled_at: call.now },
    })
    const intent = await call.store.lock('payment_intent', idOf(payment.payment.payment_intent))
    const canceled = await call.store.save({
      ...intent,
      canceled_at: call.now,
      cancellation_reason: 'void_invoice',
      status: 'canceled',
    })
    await call.emit('payment_intent.canceled', canceled)
  }
}

async function creditCustomer(call: Call, invoice: WireInvoice, cents: number): Promise<void> {
  const customer = await call.store.lock('customer', idOf(invoice.customer))
  // A negative balance is the customer's credit.
  const credited = await call.store.save({
    ...customer,
    balance: customer.balance - cents,
    currency: invoice.currency,
  })
  await call.emit('customer.updated', credited)
}
