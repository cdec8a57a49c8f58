import type { BookingRules } from '#domain/bookings/booking-rules.ts'
import type { OpeningHours, Openings, OpeningWeek } from '#domain/calendar/opening-hours.ts'
import type { PhoneNumber } from '#domain/customers/phone-number.ts'

/** The shop's public data that emails, invoices, calendar files and pages show (docs/product.md 11.1). */
export type Shop = {
  readonly name: string
  /** The registered name of the business. */
  readonly legalName: string
  readonly kind: string
  readonly tagline: string
  /** A description of the business in one or two sentences. */
  readonly lead: string
  /** The texts of 'Why Choose Us' on the home page: technicians, duration of repairs, warranty. */
  readonly experts: string
  readonly turnaround: string
  readonly warranty: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly postalCode: string
    /** The country as ISO 3166-1 alpha-2 code. */
    readonly country: string
  }
  /**
   * The position of the shop in WGS 84 degrees: the center of the map and the position in JSON-LD. Null while
   * unknown.
   */
  readonly position: Position | null
  /** The IANA time zone name of the shop, in which all dates and times of the product are shown. */
  readonly timeZone: string
  /** The phone number of the shop's counter, shown on every public page. */
  readonly phone: PhoneNumber
  /**
   * The phone number for questions about payments, shown on the payment success page. The number intentionally differs
   * from the counter's number (docs/product.md 2.6).
   */
  readonly billingPhone: PhoneNumber
  readonly supportEmail: string
  readonly billingEmail: string
  readonly bookingEmail: string
  /** URLs of pages about the shop on other sites, for structured data. */
  readonly links: readonly string[]
  /** The duration of an appointment in minutes, as the public pages state it (docs/product.md 9.1). */
  readonly appointmentMinutes: number
  /** The number of hours within which the public pages promise a reply to a quote request. */
  readonly quoteReplyHours: number
}

export type Position = { readonly latitude: number; readonly longitude: number }

/** A future day whose hours differ from the weekly hours. */
export type SpecialDay = {
  /** The date of the special day: 'yyyy-MM-dd'. */
  readonly date: string
  /** The hours in which the shop is open on the special day; empty when the shop is closed all day. */
  readonly hours: readonly OpeningHours[]
  /**
   * The hours in which the bays are open on the special day; a bay may be open for less time than the shop (`hours`).
   */
  readonly openings: Openings
  /** The public reason of a closure ('Thanksgiving'); null when the closure has no public reason. */
  readonly reason: string | null
}

/** All public data of the shop, used by the pages and the server. */
export type ShopFacts = Shop & {
  readonly week: OpeningWeek
  /** The special days, sorted by date. */
  readonly specialDays: readonly SpecialDay[]
  readonly rules: PublicRules
  /** The services that visitors can book, in the order of the cards. */
  readonly services: readonly OfferedService[]
}

/** A service that visitors can book (docs/product.md 3.1). */
export type OfferedService = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly duration_minutes: number
  /** The lowest price of the service; null when pages show no price. */
  readonly price_from_cents: number | null
}

type PublicRules = BookingRules & {
  /** The sentence that visitors read on the booking page while online booking is switched off. */
  readonly pauseSentence: string
  /** Whether an invoice lookup requires the customer's email address. */
  readonly requiresInvoiceEmail: boolean
}

/** Returns the shop's current public data, which can change while a process runs. */
export type CurrentShop = () => ShopFacts

/** The shop's street address in one line: '2130 Example Way, Mountain View, CA 94043'. */
export function addressLine(shop: Pick<Shop, 'address'>): string {
  return `${shop.address.street}, ${cityAndState(shop)} ${shop.address.postalCode}`
}

/** Returns the URL of a page with a map of the shop's street address. */
export function mapUrlOf(shop: Pick<Shop, 'address'>): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(addressLine(shop))}`
}

/** The kind of the shop with its city: 'Auto Repair & Performance in Mountain View, CA'. */
export function formatShopAddress(shop: Pick<Shop, 'kind' | 'address'>): string {
  return `${shop.kind} in ${cityAndState(shop)}`
}

/** The shop's city and state: 'Mountain View, CA'. */
export function cityAndState({ address }: Pick<Shop, 'address'>): string {
  return address.state ? `${address.city}, ${address.state}` : address.city
}
