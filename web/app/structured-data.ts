import { dayNames } from '#domain/calendar-date.ts'
import { timeOfMinute } from '#domain/clock-time.ts'
import { groupOpeningHours } from '#domain/opening-hours.ts'
import { shop } from '#domain/shop.ts'

/** The shop as https://schema.org/AutoRepair, JSON safe inside a `<script>`. */
export function autoRepairJsonLd(): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'AutoRepair',
    '@id': '%PUBLIC_URL%/#shop',
    name: shop.name,
    description: `${shop.kind} in ${shop.address.city}, ${shop.address.state}`,
    url: '%PUBLIC_URL%/',
    image: '%PUBLIC_URL%/social.png',
    logo: '%PUBLIC_URL%/icon-512.png',
    telephone: shop.phone.e164,
    email: shop.bookingEmail,
    address: {
      '@type': 'PostalAddress',
      streetAddress: shop.address.street,
      addressLocality: shop.address.city,
      addressRegion: shop.address.state,
      postalCode: shop.address.postalCode,
      addressCountry: shop.address.country,
    },
    geo: { '@type': 'GeoCoordinates', ...shop.position },
    openingHoursSpecification: groupOpeningHours().map(({ days, hours }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days.map((day) => dayNames[day]),
      opens: timeOfMinute(hours.opensAtMinute),
      closes: timeOfMinute(hours.closesAtMinute),
    })),
    potentialAction: {
      '@type': 'ReserveAction',
      target: '%PUBLIC_URL%/book-appointment',
      name: 'Book an appointment',
    },
  }
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
