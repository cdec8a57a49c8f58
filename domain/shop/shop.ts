import type { BookingRules } from '#domain/bookings/booking-rules.ts'
import type { OpeningHours, Openings, OpeningWeek } from '#domain/calendar/opening-hours.ts'
import type { PhoneNumber } from '#domain/customers/phone-number.ts'

/** The shop's facts in emails, invoices, calendar files and pages (docs/product.md 11.1). */
export type Shop = {
  readonly name: string
  /** The registered name of the business. */
  readonly legalName: string
  readonly kind: string
  readonly tagline: string
  /** A description of the business in one or two sentences. */
  readonly lead: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly postalCode: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
  }
  /** WGS 84 degrees: the center of the map and the position in JSON-LD. Null while the position is unknown. */
  readonly position: Position | null
  /** IANA time zone name: the wall clock of every date and time of the product. */
  readonly timeZone: string
  /** The phone number of the counter, shown on every public page. */
  readonly phone: PhoneNumber
  /**
   * The phone number of accounts, shown on the payment success page; differs from the counter's on purpose
   * (docs/product.md 2.6).
   */
  readonly billingPhone: PhoneNumber
  readonly supportEmail: string
  readonly billingEmail: string
  readonly bookingEmail: string
  /** URLs of pages about the shop on other sites, for structured data. */
  readonly links: readonly string[]
  /** The length of an appointment that the site states, in minutes (docs/product.md 9.1). */
  readonly appointmentMinutes: number
  /** The number of hours within which the site promises a reply to a quote request. */
  readonly quoteReplyHours: number
}

export type Position = { readonly latitude: number; readonly longitude: number }

/** A future day with hours other than the week's. */
export type SpecialDay = {
  /** 'yyyy-MM-dd' */
  readonly date: string
  /** When the shop is open; empty when it is closed all day. */
  readonly hours: readonly OpeningHours[]
  /** When bays are open, which may be shorter than `hours`. */
  readonly openings: Openings
  /** The public reason of a closure ('Thanksgiving'); null without one. */
  readonly reason: string | null
}

/** All public facts of the shop, used by the pages and the server. */
export type ShopFacts = Shop & {
  readonly week: OpeningWeek
  /** In order of their dates. */
  readonly specialDays: readonly SpecialDay[]
  readonly rules: PublicRules
}

type PublicRules = BookingRules & {
  /** The sentence that visitors read while online booking is switched off. */
  readonly pauseSentence: string
  /** Whether an invoice lookup requires the customer's email address. */
  readonly requiresInvoiceEmail: boolean
}

/** Returns the current facts, which can change while a process runs. */
export type CurrentShop = () => ShopFacts

/** '2130 Example Way, Mountain View, CA 94043' */
export function addressLine(shop: Pick<Shop, 'address'>): string {
  return `${shop.address.street}, ${cityAndState(shop)} ${shop.address.postalCode}`
}

/** 'Auto Repair & Performance in Mountain View, CA' */
export function formatShopAddress(shop: Pick<Shop, 'kind' | 'address'>): string {
  return `${shop.kind} in ${cityAndState(shop)}`
}

/** 'Mountain View, CA' */
export function cityAndState({ address }: Pick<Shop, 'address'>): string {
  return address.state ? `${address.city}, ${address.state}` : address.city
}
