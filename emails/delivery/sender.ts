import type { Shop } from '#domain/shop/shop.ts'

/** The name and the email address in the From header of an email. */
export type Sender = { readonly name: string; readonly address: string }

/**
 * Returns the sender of the shop's emails. `mailFrom` is 'hello@shop.example' or 'Name <hello@shop.example>'; the
 * shop's name replaces the name in `mailFrom`. Without `mailFrom`, the sender is the shop's email address for bookings.
 */
export function senderOf(shop: Shop, mailFrom: string | undefined): Sender {
  const from = mailFrom ?? shop.bookingEmail
  return { name: shop.name, address: (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim() }
}
