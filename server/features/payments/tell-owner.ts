import type Stripe from 'stripe'
import { formatCents } from '#domain/money.ts'
import { shop } from '#domain/shop.ts'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import type { Query } from '#server/platform/database.ts'
import { layOut } from '#supabase/functions/_shared/email-layout.ts'
import type { PaymentContext } from './payment-context.ts'

/*
 * What happened to money and needs a person to know. Each is told once, in the transaction that
 * records it.
 */

export async function tellOwnerOfDuplicate(
  context: PaymentContext,
  query: Query,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const amount = formatCents(intent.amount_received, intent.currency)
  await tell(context, query, {
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

export async function tellOwnerOfOverpayment(
  context: PaymentContext,
  query: Query,
  invoice: Stripe.Invoice,
  { intent, overpaidCents }: { intent: Stripe.PaymentIntent; overpaidCents: number },
): Promise<void> {
  const amount = formatCents(overpaidCents, invoice.currency)
  await tell(context, query, {
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

export async function tellOwnerOfDispute(
  context: PaymentContext,
  query: Query,
  dispute: Stripe.Dispute,
): Promise<void> {
  const amount = formatCents(dispute.amount, dispute.currency)
  await tell(context, query, {
    key: `dispute:${dispute.id}`,
    invoiceId: null,
    subject: `A card payment of ${amount} is disputed`,
    sentences: [
      `The card's bank disputes a payment of ${amount}. The processor's dashboard says until when you can answer.`,
      `Dispute at the processor: ${dispute.id}`,
    ],
  })
}

async function tell(
  { ownerEmail }: PaymentContext,
  query: Query,
  notice: { key: string; invoiceId: string | null; subject: string; sentences: string[] },
): Promise<void> {
  const { key, invoiceId, subject, sentences } = notice
  const rendered = layOut({
    subject,
    preview: sentences[0] ?? subject,
    heading: subject,
    parts: sentences.map((text) => ({ kind: 'paragraph', text })),
    reason: 'You receive this message as the owner of the shop.',
  })
  await queueEmail(query, {
    kind: 'owner_notice',
    dedupeKey: key,
    to: { email: ownerEmail, name: shop.name },
    ...rendered,
    attachments: [],
    invoiceId,
  })
}
