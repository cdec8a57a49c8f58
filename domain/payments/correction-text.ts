import { formatCents } from '#domain/money/format-cents.ts'

/*
 * The sentences that inform a customer of a refund or of a void or cancelled invoice. The email to the customer
 * contains these sentences, and the dashboard shows them to staff before the refund or cancellation.
 */

/** The method of a refund. */
export type RefundWay = {
  readonly method: string
  /** The reference of the payment when the refund uses the payment's method; otherwise the reference of the refund. */
  readonly reference: string | null
  readonly isSameWay: boolean
}

/**
 * Returns the sentence about a refund. `way` is the method of the refund; undefined if the refund uses several methods.
 */
export function refundSentence(
  shopName: string,
  cents: number,
  currency: string,
  way?: RefundWay,
): string {
  const returns = `${shopName} returns ${formatCents(cents, currency)}`
  if (!way) return `${returns} to you. A refund to a card arrives within about ten days.`
  const isCard = way.method === 'card_online' || way.method === 'card_terminal'
  return `${returns} ${wayText(way)}.${isCard ? ' Your bank shows it in 5 to 10 days.' : ''}`
}

function wayText({ method, reference, isSameWay }: RefundWay): string {
  switch (method) {
    case 'card_online':
      return 'to the card that you paid with'
    case 'card_terminal':
      return isSameWay && /^\d{4}$/.test(reference ?? '')
        ? `to your card ending ${reference}`
        : 'to your card'
    case 'cash':
      return 'to you in cash'
    case 'check':
      return isSameWay || reference === null ? 'to you by check' : `to you by check ${reference}`
    default:
      return reference === null ? 'to you' : `to you by ${reference}`
  }
}

export function voidSentence(invoiceNumber: string): string {
  return `Invoice ${invoiceNumber} was voided. You owe nothing.`
}

/** The sentence about a cancelled invoice without a refund. */
export function cancelSentence(invoiceNumber: string): string {
  return `Invoice ${invoiceNumber} was cancelled. You owe nothing.`
}
