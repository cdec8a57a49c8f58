import { type CSSProperties, useRef } from 'react'
import {
  groupOpeningHours,
  type HoursGroup,
  type OpeningHours,
} from '#domain/calendar/opening-hours.ts'
import { specialDayOn } from '#domain/calendar/special-days.ts'
import { upcomingSpecialHours, formatSpecialPeriod } from '#domain/calendar/special-hours.ts'
import { useShop } from '#web/lib/shop.ts'
import { usePublicToday } from '#web/lib/time/use-public-today.ts'
import { ShopMap } from './shop-map.tsx'
import './find-our-shop.css'

/**
 * The section with the shop's location and hours: street address, phone number, opening hours as a timing chart, and
 * map.
 */
export function FindOurShop() {
  const { address, phone } = useShop()
  const { street, city, state, postalCode } = address
  return (
    <section className="section" id="find-us">
      <div className="page-width">
        <div className="section-head">
          <h2 className="display-heading">Find Our Shop</h2>
        </div>
        <div className="find-shop">
          <div className="find-shop-facts">
            <dl>
              <dt>Address</dt>
              <dd>
                {street}
                <br />
                {city}, {state} {postalCode}
              </dd>
            </dl>
            <dl>
              <dt>Phone</dt>
              <dd>
                <a href={phone.href}>{phone.display}</a>
              </dd>
            </dl>
            <Hours />
          </div>
          <ShopMap />
        </div>
      </div>
    </section>
  )
}

/** The chart shows 8 AM to 10 PM. */
const chart = { fromMinute: 8 * 60, toMinute: 22 * 60 }
const marks = [
  { minute: 8 * 60, label: '8 AM' },
  { minute: 12 * 60, label: 'noon' },
  { minute: 16 * 60, label: '4 PM' },
  { minute: 20 * 60, label: '8 PM' },
]

const share = (minutes: number) =>
  `${((100 * minutes) / (chart.toMinute - chart.fromMinute)).toFixed(2)}%`

/**
 * Converts CSS custom properties to the type of the prop `style`. The style sheet of the opening hours chart reads the
 * positions of its bars and times from these properties.
 */
const toStyle = (properties: Record<`--${string}`, string>) => properties as CSSProperties

function Hours() {
  const shop = useShop()
  const box = useRef<HTMLDivElement>(null)
  const today = usePublicToday(box)
  const isUsual = today !== null && !specialDayOn(today, shop)
  const weekday = today && new Date(today).getUTCDay()
  return (
    <div className="opening-hours" ref={box}>
      <h3>Opening hours</h3>
      {groupOpeningHours(shop.week).map((group) => (
        <HoursRow
          key={group.text}
          group={group}
          isToday={isUsual && group.days.some((day) => day === weekday)}
        />
      ))}
      <div className="opening-hours-scale" aria-hidden="true">
        {marks.map(({ minute, label }) => (
          <span key={label} style={toStyle({ '--start': share(minute - chart.fromMinute) })}>
            {label}
          </span>
        ))}
      </div>
      {upcomingSpecialHours(shop, today ?? '').map((period) => (
        <p key={period.first} className="opening-hours-exception">
          {formatSpecialPeriod(period)}
        </p>
      ))}
    </div>
  )
}

function HoursRow({ group, isToday }: { group: HoursGroup; isToday: boolean }) {
  return (
    <div
      className={isToday ? 'opening-hours-row opening-hours-today' : 'opening-hours-row'}
      aria-current={isToday ? 'date' : undefined}
    >
      <strong>{group.text}</strong>
      <div className="opening-hours-bar" aria-hidden="true">
        {group.hours && <i style={spanOf(group.hours)} />}
      </div>
    </div>
  )
}

/** If the shop opens before or closes after the range of the chart, the bar ends at the edge of the chart. */
function spanOf({ opensAtMinute, closesAtMinute }: OpeningHours): CSSProperties {
  const from = Math.max(opensAtMinute, chart.fromMinute)
  const to = Math.min(closesAtMinute, chart.toMinute)
  return toStyle({
    '--start': share(Math.min(from, chart.toMinute) - chart.fromMinute),
    '--length': share(Math.max(to - from, 0)),
  })
}
