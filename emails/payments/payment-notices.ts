import type Stripe from 'stripe'
import { formatCents } from '#domain/money/format-cents.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

/*
 * The emails that notify the owner when a payment requires attention. The server queues each email once, in the
 * transaction that records Stripe's payment event.
 */

type Payment = { readonly invoice: Stripe.Invoice; readonly intent: Stripe.PaymentIntent }

export function noticeOfDuplicate(owner: Owner, { invoice, intent }: Payment): OwnerNotice {
  const amount = formatCents(intent.amount_received, intent.currency)
  return notice(owner, {
    key: `duplicate:${intent.id}`,
    invoiceId: invoice.id,
    subject: `Second payment of invoice ${invoice.number ?? invoice.id} refunded`,
    sentences: [
      `A payment of ${amount} arrived for invoice ${invoice.number ?? invoice.id}, which no longer accepts payments (status: ${invoice.status ?? 'closed'}).`,
      'The payment was refunded in full. You do not have to do anything, but the customer may ask about it.',
      `Payment in Stripe: ${intent.id}`,
    ],
  })
}

export function noticeOfReturnedDeposit(owner: Owner, intent: Stripe.PaymentIntent): OwnerNotice {
  const amount = formatCents(intent.amount_received, intent.currency)
  return notice(owner, {
    key: `deposit-returned:${intent.id}`,
    invoiceId: null,
    subject: `A deposit of ${amount} is refunded`,
    sentences: [
      `A customer paid a deposit of ${amount} online, but the deposit was already paid or is no longer requested.`,
      'The deposit is refunded in full. You do not have to do anything, but the customer may ask about it.',
      `Payment in Stripe: ${intent.id}`,
    ],
  })
}

export function noticeOfOverpayment(
  owner: Owner,
  { invoice, intent }: Payment,
  overpaidCents: number,
): OwnerNotice {
  const amount = formatCents(overpaidCents, invoice.currency)
  return notice(owner, {
    key: `overpaid:${intent.id}`,
    invoiceId: invoice.id,
    subject: `Invoice ${invoice.number ?? invoice.id} was overpaid by ${amount}`,
    sentences: [
      `Invoice ${invoice.number ?? invoice.id} received ${amount} more than was due.`,
      'The payment provider keeps the excess as customer credit for the next invoice. If the customer prefers a refund, refund the excess in the Stripe dashboard.',
      `Payment in Stripe: ${intent.id}`,
    ],
  })
}

export function noticeOfDispute(owner: Owner, dispute: Stripe.Dispute): OwnerNotice {
  const amount = formatCents(dispute.amount, dispute.currency)
  return notice(owner, {
    key: `dispute:${dispute.id}`,
    invoiceId: null,
    subject: `A card payment of ${amount} is disputed`,
    sentences: [
      `The card's bank disputes a payment of ${amount}. The Stripe dashboard shows the deadline for your response.`,
      `Dispute in Stripe: ${dispute.id}`,
    ],
  })
}

export function noticeOfFailedRefund(owner: Owner, refund: Stripe.Refund): OwnerNotice {
  const amount = formatCents(refund.amount, refund.currency)
  return notice(owner, {
    key: `refund-failed:${refund.id}`,
    invoiceId: null,
    subject: `A refund of ${amount} failed`,
    sentences: [
      `The card's bank did not accept a refund of ${amount}, so the money is back in the shop's account. Return it to the customer by another payment method.`,
      `Refund in Stripe: ${refund.id}`,
    ],
  })
}

export function noticeOfLostDispute(owner: Owner, dispute: Stripe.Dispute): OwnerNotice {
  const amount = formatCents(dispute.amount, dispute.currency)
  return notice(owner, {
    key: `dispute-lost:${dispute.id}`,
    invoiceId: null,
    subject: `A dispute over ${amount} was lost`,
    sentences: [
      `The card's bank returned ${amount} to the cardholder. The customer owes this amount again, although the payment provider lists the invoice as paid.`,
      `Dispute in Stripe: ${dispute.id}`,
    ],
  })
}

function notice(
  owner: Owner,
  message: { key: string; invoiceId: string | null; subject: string; sentences: string[] },
): OwnerNotice {
  const { key, invoiceId, subject, sentences } = message
  return writeOwnerNotice(owner, {
    key,
    line: [subject, sentences.at(-1)].join('. '),
    subject,
    preview: sentences[0] ?? subject,
    heading: subject,
    parts: sentences.map((text) => ({ kind: 'paragraph', text })),
    reason: "You're receiving this email as the owner of the shop.",
    invoiceId,
  })
}
