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

/** Confirms the invoice's own payment with a card. The caller locked the invoice and knows it is payable. */
export async function payInvoiceByCard(
  call: Call,
  invoice: WireInvoice,
  use: CardUse,
): Promise<InvoiceCharge> {
  const [own] = await call.store.all('invoice_payment', {
    invoice: invoice.id,
    is_default: true,
    status: 'open',
  })
  const intent = await call.store.lock('payment_intent', idOf(own?.payment.payment_intent))
  // The own payment is kept in step with what is left to pay.
  const {
    charge,
    decline,
    intent: confirmed,
  } = await chargeCard(call, { ...intent, amount: invoice.amount_remaining }, use)
  if (!decline) {
    return { invoice: await creditInvoice(call, attempt(invoice), confirmed), charge, decline }
  }
  const failed = await call.store.save(attempt(invoice))
  await call.emit('invoice.payment_failed', failed)
  return { invoice: failed, charge, decline }
}

function attempt(invoice: WireInvoice): WireInvoice {
  return { ...invoice, attempted: true, attempt_count: invoice.attempt_count + 1 }
}
