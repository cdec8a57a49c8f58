import type { Call } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireCharge, WireInvoice } from '../objects/wire.ts'
import { type CardUse, chargeCard } from './charge-card.ts'
import { creditInvoice } from './credit-invoice.ts'
import type { Decline } from './test-cards.ts'

export type InvoiceCharge = {
  readonly invoice: WireInvoice
  readonly charge: WireCharge
  readonly decline: Decline | undefined
}

/** Pays an invoice with a card. The caller must have locked the invoice and checked that it can be paid. */
export async function payInvoiceByCard(
  call: Call,
  invoice: WireInvoice,
  use: CardUse,
): Promise<InvoiceCharge> {
  const [payment] = await call.store.all('invoice_payment', {
    invoice: invoice.id,
    is_default: true,
    status: 'open',
  })
  const intent = await call.store.lock('payment_intent', idOf(payment?.payment.payment_intent))
  // The charge is for the remaining amount of the invoice, because partial payments may have changed this amount after
  // the creation of the default PaymentIntent.
  const {
    charge,
    decline,
    intent: confirmed,
  } = await chargeCard(call, { ...intent, amount: invoice.amount_remaining }, use)
  if (!decline) {
    return { invoice: await creditInvoice(call, withAttempt(invoice), confirmed), charge, decline }
  }
  const failed = await call.store.save(withAttempt(invoice))
  await call.emit('invoice.payment_failed', failed)
  return { invoice: failed, charge, decline }
}

function withAttempt(invoice: WireInvoice): WireInvoice {
  return { ...invoice, attempted: true, attempt_count: invoice.attempt_count + 1 }
}
