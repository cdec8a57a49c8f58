import { dayNames } from '#domain/calendar/calendar-date.ts'
import { timeOfMinute } from '#domain/calendar/clock-time.ts'
import { groupOpeningHours, type OpeningHours } from '#domain/calendar/opening-hours.ts'
import { formatShopAddress, type ShopFacts } from '#domain/shop/shop.ts'
import { type SpecialHours, groupSpecialHours } from '#domain/calendar/special-hours.ts'

/** Returns the shop's data in the format https://schema.org/AutoRepair. */
export function autoRepairJsonLd(shop: ShopFacts, publicUrl: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'AutoRepair',
    '@id': `${publicUrl}/#shop`,
    name: shop.name,
    description: formatShopAddress(shop),
    url: `${publicUrl}/`,
    image: `${publicUrl}/social.png`,
    logo: `${publicUrl}/icon-512.png`,
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
    ...(shop.position && { geo: { '@type': 'GeoCoordinates', ...shop.position } }),
    openingHoursSpecification: groupOpeningHours(shop.week)
      .filter(({ hours }) => hours !== null)
      .map(({ days, hours }) => hoursOf({ dayOfWeek: days.map((day) => dayNames[day]) }, hours)),
    ...(shop.specialDays.length > 0 && {
      specialOpeningHoursSpecification: groupSpecialHours(shop.specialDays).flatMap(specialHours),
    }),
    ...(shop.links.length > 0 && { sameAs: shop.links }),
    potentialAction: {
      '@type': 'ReserveAction',
      target: `${publicUrl}/book-appointment`,
      name: 'Book an appointment',
    },
  }
}

/** The hours of a closed day begin and end at midnight (https://schema.org/openingHoursSpecification). */
function specialHours({ first, last, hours }: SpecialHours) {
  const spans = hours.length > 0 ? hours : [null]
  return spans.map((span) => hoursOf({ validFrom: first, validThrough: last }, span))
}

function hoursOf(when: object, hours: OpeningHours | null) {
  return {
    '@type': 'OpeningHoursSpecification',
    ...when,
    opens: timeOfMinute(hours?.opensAtMinute ?? 0),
    closes: timeOfMinute(hours?.closesAtMinute ?? 0),
  }
}
