import { formatCents } from '#domain/money/format-cents.ts'

/*
 * Returns the sentences about a correction for the customer. The email contains them, and the dashboard shows them
 * before the correction.
 */

export function refundSentence(shopName: string, cents: number, currency: string): string {
  const amount = formatCents(cents, currency)
  return `${shopName} returns ${amount} to you. A refund to a card arrives within about ten days.`
}

export function voidSentence(invoiceNumber: string): string {
  return `Invoice ${invoiceNumber} was voided. You owe nothing.`
}

/** The sentence about a cancelled invoice of which nothing goes back. */
export function cancelSentence(invoiceNumber: string): string {
  return `Invoice ${invoiceNumber} was cancelled. You owe nothing.`
}
