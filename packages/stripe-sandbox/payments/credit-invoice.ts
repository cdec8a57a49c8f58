import type { Call } from '../api/route.ts'
import { idOf, newId } from '../objects/new-id.ts'
import type {
  WireInvoice,
  WireInvoicePayment,
  WirePaymentIntent,
  WirePaymentRecord,
} from '../objects/wire.ts'
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
  return settleByPayment(call, invoice, await recordPayment(call, invoice, intent))
}

/**
 * Credits a payment outside Stripe to an invoice. The caller must have locked the invoice and the payment record and
 * checked that the payment is at most the remaining amount.
 */
export async function creditPaymentRecord(
  call: Call,
  invoice: WireInvoice,
  record: WirePaymentRecord,
): Promise<WireInvoice> {
  const cents = record.amount_guaranteed.value
  const open = newInvoicePayment(
    invoice,
    { payment_record: record.id, type: 'payment_record' },
    cents,
    call.now,
  )
  const payment = await call.store.insert(asPaid(open, cents, call.now))
  return settleByPayment(call, withOffStripe(invoice, cents), payment)
}

async function settleByPayment(
  call: Call,
  invoice: WireInvoice,
  payment: WireInvoicePayment,
): Promise<WireInvoice> {
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
    offStripe === 0 ? invoice : withPayment(withOffStripe(invoice, offStripe), offStripe)
  const settled = await closeAsPaid(call, credited)
  await emitUpdated(call, settled)
  return settled
}

function withOffStripe(invoice: WireInvoice, cents: number): WireInvoice {
  return { ...invoice, amount_paid_off_stripe: (invoice.amount_paid_off_stripe ?? 0) + cents }
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
 * Marks the invoice payment of this PaymentIntent as paid. Stores a new invoice payment when the invoice has none with
 * this PaymentIntent.
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
  const reference = { payment_intent: intent.id, type: 'payment_intent' as const }
  const open = own ?? newInvoicePayment(invoice, reference, intent.amount, call.now)
  const paid = asPaid(open, intent.amount_received, call.now)
  return own ? call.store.save(paid) : call.store.insert(paid)
}

function asPaid(payment: WireInvoicePayment, cents: number, now: number): WireInvoicePayment {
  return {
    ...payment,
    amount_paid: cents,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: now },
  }
}

/** Creates an invoice payment with the status 'open', which links a PaymentIntent or payment record to the invoice. */
export function newInvoicePayment(
  invoice: WireInvoice,
  payment: WireInvoicePayment['payment'],
  requestedCents: number,
  now: number,
): WireInvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: requestedCents,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: false,
    livemode: false,
    payment,
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}

/**
 * Cancels the default invoice payment (`is_default`) of an invoice if the payment is open, together with its
 * PaymentIntent.
 */
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

/** Adds an amount to the customer's credit balance, which reduces the next invoice. */
export async function creditCustomer(
  call: Call,
  invoice: WireInvoice,
  cents: number,
): Promise<void> {
  const customer = await call.store.lock('customer', idOf(invoice.customer))
  // A negative balance is the customer's credit.
  const credited = await call.store.save({
    ...customer,
    balance: customer.balance - cents,
    currency: invoice.currency,
  })
  await call.emit('customer.updated', credited)
}
