import { formatCents } from '#domain/money/format-cents.ts'

/* What the customer reads about a correction. The email contains these sentences, and the dashboard shows them before. */

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
