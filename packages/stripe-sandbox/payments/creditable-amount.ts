import { invalidRequest } from '../api/api-error.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireCreditNote, WireInvoice } from '../objects/wire.ts'
import type { LinkedRefund } from './link-refunds.ts'

/**
 * Throws an ApiError when the credit notes of the invoice would exceed its total. Refunds of card payments without a
 * credit note reduce the creditable amount.
 */
export async function requireWithinTotal(
  store: ObjectStore,
  invoice: WireInvoice,
  total: number,
  issued: readonly WireCreditNote[],
  linked: readonly LinkedRefund[],
): Promise<void> {
  const credited = issued.reduce((sum, note) => sum + note.total, 0)
  const links = [...issued.flatMap((note) => note.refunds), ...linked]
  const left = invoice.total - credited - (await unlinkedAmount(store, invoice, links))
  if (total <= left) return
  throw invalidRequest(
    `The total of the credit note (${total}) is greater than the creditable amount of the invoice (${left}).`,
    undefined,
    'amount',
  )
}

/** Returns the sum of the card refunds of the invoice that did not fail and belong to no credit note. */
async function unlinkedAmount(
  store: ObjectStore,
  invoice: WireInvoice,
  links: readonly LinkedRefund[],
): Promise<number> {
  let unlinked = 0
  for (const { payment } of await store.all('invoice_payment', { invoice: invoice.id })) {
    if (payment.payment_intent === undefined) continue
    const refunds = await store.all('refund', { payment_intent: idOf(payment.payment_intent) })
    for (const { amount, id, status } of refunds) {
      if (status === 'failed' || status === 'canceled') continue
      const own = links.filter(({ refund, type }) => refund === id && type === 'refund')
      unlinked += own.reduce((left, link) => left - link.amount_refunded, amount)
    }
  }
  return unlinked
}
