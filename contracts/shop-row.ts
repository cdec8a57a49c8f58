import { phoneNumber } from '#domain/customers/phone-number.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { Database } from './database.ts'

/** The row of `public.shop`, limited to the columns that every client may read. */
export type ShopRow = Omit<Database['public']['Tables']['shop']['Row'], 'id' | 'version'>

/** Converts a row of `public.shop` to the type `Shop`. */
export function toShop(row: ShopRow): Shop {
  return {
    name: row.name,
    legalName: row.legal_name,
    kind: row.business_type,
    tagline: row.tagline,
    lead: row.description,
    experts: row.experts_text,
    turnaround: row.turnaround_text,
    warranty: row.warranty_text,
    address: {
      street: row.street,
      city: row.city,
      state: row.state,
      postalCode: row.postal_code,
      country: row.country,
    },
    position: positionOf(row),
    timeZone: row.time_zone,
    phone: phoneNumber(row.phone),
    billingPhone: phoneNumber(row.billing_phone),
    supportEmail: row.support_email,
    billingEmail: row.billing_email,
    bookingEmail: row.booking_email,
    links: row.links,
    appointmentMinutes: row.appointment_minutes,
    quoteReplyHours: row.quote_reply_hours,
  }
}

function positionOf({ latitude, longitude }: ShopRow): Shop['position'] {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
