import { formatStamp } from '#domain/calendar/shop-time.ts'

/** The text for each method by which a customer can authorize work (16 CCR 3354). */
const ways = {
  web: 'online',
  in_person: 'in person',
  phone: 'by phone',
  text: 'by text message',
  email: 'by email',
  signature: 'by signature',
  shop: 'by the shop',
} as const

type AuthorizationFields = {
  readonly decidedByName: string
  readonly relationship: string
  readonly method: keyof typeof ways
  readonly recordedBy: string
  /** The time (ISO 8601) at which the customer decided. */
  readonly decidedAt: string
}

/**
 * The authorization as text: the name, the method and the time: 'Maria Delgado, by phone with sam, November 24, 2026,
 * 5:05 PM'.
 */
export function formatAuthorization({
  decidedByName,
  relationship,
  method,
  recordedBy,
  decidedAt,
}: AuthorizationFields): string {
  const decidedBy = relationship === '' ? decidedByName : `${decidedByName} (${relationship})`
  const how = method === 'web' || recordedBy === '' ? '' : ` with ${recordedBy}`
  return `${decidedBy}, ${ways[method]}${how}, ${formatStamp(decidedAt)}`
}
