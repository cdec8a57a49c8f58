import { defaultBookingRules } from '#domain/bookings/booking-rules.ts'
import { openingHours } from '#domain/calendar/opening-hours.ts'
import { phoneNumber } from '#domain/customers/phone-number.ts'
import type { ShopFacts } from './shop.ts'

/**
 * The public data of a newly installed shop, equal to the initial row in supabase/schemas/15_shop.sql. Tests use these
 * data, and so do pages that are rendered before a database exists.
 */
export const defaultShop: ShopFacts = {
  name: 'Torque & Timing',
  legalName: 'Torque & Timing Auto Repair',
  kind: 'Auto Repair & Performance',
  tagline: 'Fixed right. Ready on time.',
  lead: 'Brakes, engines, transmissions and the small things in between. You see the price before we start.',
  experts:
    'One technician looks after your car from start to finish, and can tell you exactly what was done.',
  turnaround:
    'Most repairs are same-day or next-day. If something will take longer, you hear it first.',
  warranty: 'Every repair carries a warranty. Checked, marked, and written on your invoice.',
  address: {
    street: '2130 Example Way',
    city: 'Mountain View',
    state: 'CA',
    postalCode: '94043',
    country: 'US',
  },
  position: { latitude: 37.4189, longitude: -122.0864 },
  timeZone: 'America/Los_Angeles',
  phone: phoneNumber('+16505550142'),
  billingPhone: phoneNumber('+16505550188'),
  supportEmail: 'support@torqueandtiming.example',
  billingEmail: 'billing@torqueandtiming.example',
  bookingEmail: 'hello@torqueandtiming.example',
  links: [],
  appointmentMinutes: 75,
  quoteReplyHours: 24,
  week: openingHours,
  specialDays: [],
  rules: { ...defaultBookingRules, pauseSentence: '', requiresInvoiceEmail: false },
  services: [],
}
