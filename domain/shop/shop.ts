import type { BookingRules } from '#domain/bookings/booking-rules.ts'
import type { OpeningHours, Openings, OpeningWeek } from '#domain/calendar/opening-hours.ts'
import type { PhoneNumber } from '#domain/customers/phone-number.ts'

/** Who the shop is: what letters, invoices, calendar files and pages say of it (docs/product.md 11.1). */
export type Shop = {
  readonly name: string
  /** Under which it is registered. */
  readonly legalName: string
  readonly kind: string
  readonly tagline: string
  /** What it does, in one or two sentences. */
  readonly lead: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly postalCode: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
  }
  /** WGS 84 degrees: where the map is centered and what JSON-LD states. Null while the position of the address is not known. */
  readonly position: Position | null
  /** A name of the IANA database: the wall clock of every date and time of the product. */
  readonly timeZone: string
  /** The counter: shown on every public page. */
  readonly phone: PhoneNumber
  /** Accounts: shown on the payment success page, differs from the counter on purpose (docs/product.md 2.6). */
  readonly billingPhone: PhoneNumber
  readonly supportEmail: string
  readonly billingEmail: string
  readonly bookingEmail: string
  /** Pages about the shop elsewhere, for structured data. */
  readonly links: readonly string[]
  /** How long the site says that an appointment takes (docs/product.md 9.1). */
  readonly appointmentMinutes: number
  /** Within how many hours the site promises to answer a quote request. */
  readonly quoteReplyHours: number
}

export type Position = { readonly latitude: number; readonly longitude: number }

/** A day to come that does not keep the week's hours. */
export type SpecialDay = {
  /** 'yyyy-MM-dd' */
  readonly date: string
  /** When the shop is open; empty when it is closed all day. */
  readonly hours: readonly OpeningHours[]
  /** When cars can be worked on, which may be less. */
  readonly openings: Openings
  /** 'Thanksgiving', where it is closed and the public may know why. */
  readonly reason: string | null
}

/** All that the public may know of the shop: every page reads these facts, and the server's pages too. */
export type ShopFacts = Shop & {
  readonly week: OpeningWeek
  /** In order of their dates. */
  readonly specialDays: readonly SpecialDay[]
  readonly rules: PublicRules
}

type PublicRules = BookingRules & {
  /** What a visitor reads while the shop takes no bookings. */
  readonly pauseSentence: string
  /** Whether who looks an invoice up must know its e-mail address as well. */
  readonly requiresInvoiceEmail: boolean
}

/** The facts as they are now: they change while a process runs. */
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
