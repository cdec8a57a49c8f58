import { phoneNumber } from './phone-number.ts'

/**
 * The facts about the shop that pages, e-mails, invoices and calendar files repeat.
 * What a fresh shop has: the row is `public.shop` (docs/product.md 11.1), and a test holds the two together. The
 * hours are in opening-hours.ts, the rules in booking-rules.ts. web/public/site.webmanifest repeats the name.
 */
export const shop = {
  name: 'Torque & Timing',
  legalName: 'Torque & Timing Auto Repair',
  tagline: 'Fixed right. Ready on time.',
  kind: 'Auto Repair & Performance',
  lead: 'Brakes, engines, transmissions and the small things in between. You see the price before we start.',
  address: {
    street: '2130 Example Way',
    city: 'Mountain View',
    state: 'CA',
    postalCode: '94043',
    country: 'US',
  },
  /** WGS 84 degrees: where the map is centred and what JSON-LD states. */
  position: { latitude: 37.4189, longitude: -122.0864 },
  timeZone: 'America/Los_Angeles',
  /** The counter: shown on every public page. */
  phone: phoneNumber('+16505550142'),
  /** Accounts: shown on the payment success page, differs from the counter on purpose (docs/product.md 2.6). */
  billingPhone: phoneNumber('+16505550188'),
  supportEmail: 'support@torqueandtiming.example',
  billingEmail: 'billing@torqueandtiming.example',
  bookingEmail: 'hello@torqueandtiming.example',
  /** docs/product.md 9.1. */
  appointmentMinutes: 75,
  appointmentDuration: '1 hour and 15 minutes',
  quoteReplyHours: 24,
} as const

/** '2130 Example Way, Mountain View, CA 94043' */
export const shopAddressLine = `${shop.address.street}, ${shop.address.city}, ${shop.address.state} ${shop.address.postalCode}`
