import type { Shop } from '#domain/shop/shop.ts'

/** Who a message says it comes from. */
export type Sender = { readonly name: string; readonly address: string }

/**
 * The shop as a sender. `mailFrom` is 'hello@shop.example' or 'Name <hello@shop.example>', of which the address
 * counts; without it messages come from the address that answers bookings.
 */
export function senderOf(shop: Shop, mailFrom: string | undefined): Sender {
  const from = mailFrom ?? shop.bookingEmail
  return { name: shop.name, address: (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim() }
}
