import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop.ts'
import { formatCents } from '#domain/format-cents.ts'
import type { ShopEmail } from './shop-email.ts'
import { layOut } from './email-layout.ts'

/*
 * What happened to money and needs a person to know. Each is told once, in the transaction that
 * records it.
 */

/** Who is told: the address that bookings are answered from, unless there is another one. */
export type Owner = {
  readonly currentShop: CurrentShop
  readonly ownerEmail: string | undefined
}

type Payment = { readonly invoice: Stripe.Invoice; readonly intent: Stripe.PaymentIntent }

export function noticeOfDuplicate(owner: Owner, { invoice, intent }: Payment): ShopEmail {
  const amount = formatCents(intent.amount_received, intent.currency)
  return notice(owner, {
    key: `duplicate:${intent.id}`,
    invoiceId: invoice.id,
    subject: `Second payment of invoice ${invoice.number ?? invoice.id} refunded`,
    sentences: [
      `A payment of ${amount} arrived for invoice ${invoice.number ?? invoice.id}, which could take none any more (it is ${invoice.status ?? 'closed'}).`,
      'It was refunded in full. The customer may ask; there is nothing else to do.',
      `Payment at the processor: ${intent.id}`,
    ],
  })
}

export function noticeOfOverpayment(
  owner: Owner,
  { invoice, intent }: Payment,
  overpaidCents: number,
): ShopEmail {
  const amount = formatCents(overpaidCents, invoice.currency)
  return notice(owner, {
    key: `overpaid:${intent.id}`,
    invoiceId: invoice.id,
    subject: `Invoice ${invoice.number ?? invoice.id} was overpaid by ${amount}`,
    sentences: [
      `Invoice ${invoice.number ?? invoice.id} received ${amount} more than was due.`,
      "The processor keeps it as the customer's credit for the next invoice. Refund it there if the customer prefers.",
      `Payment at the processor: ${intent.id}`,
    ],
  })
}

export function noticeOfDispute(owner: Owner, dispute: Stripe.Dispute): ShopEmail {
  const amount = formatCents(dispute.amount, dispute.currency)
  return notice(owner, {
    key: `dispute:${dispute.id}`,
    invoiceId: null,
    subject: `A card payment of ${amount} is disputed`,
    sentences: [
      `The card's bank disputes a payment of ${amount}. The processor's dashboard says until when you can answer.`,
      `Dispute at the processor: ${dispute.id}`,
    ],
  })
}

function notice(
  { currentShop, ownerEmail }: Owner,
  told: { key: string; invoiceId: string | null; subject: string; sentences: string[] },
): ShopEmail {
  const { key, invoiceId, subject, sentences } = told
  const shop = currentShop()
  const rendered = layOut(shop, {
    subject,
    preview: sentences[0] ?? subject,
    heading: subject,
    parts: sentences.map((text) => ({ kind: 'paragraph', text })),
    reason: 'You receive this message as the owner of the shop.',
  })
  return {
    kind: 'owner_notice',
    dedupeKey: key,
    to: { email: ownerEmail ?? shop.bookingEmail, name: shop.name },
    ...rendered,
    attachments: [],
    invoiceId,
  }
}
