/**
 * The facts about the shop that pages, e-mails, invoices and calendar files repeat.
 * Change them here; the hours are in opening-hours.ts, the notice in booking-notice.ts. What cannot read
 * this file repeats: the name in web/public/site.webmanifest, the time zone in the migration
 * create_shop_calendar.
 */
export const shop = {
  name: 'Torque & Timing',
  legalName: 'Torque & Timing Auto Repair',
  tagline: 'Fixed right. Ready on time.',
  kind: 'Auto Repair & Performance',
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
  phone: { display: '(650) 555-0142', href: 'tel:+16505550142', e164: '+16505550142' },
  /** Accounts: shown on the payment success page, differs from the counter on purpose (docs/product.md 2.6). */
  billingPhone: { display: '(650) 555-0188', href: 'tel:+16505550188', e164: '+16505550188' },
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
