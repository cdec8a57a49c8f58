import type { VehicleRecord, BookingSummary } from '#contracts/customers.ts'
import { addDays, formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'
import {
  type DashboardLink,
  dayLink,
  estimateLink,
  invoicePageLink,
} from '#web/dashboard/kit/navigation/links.ts'
import { bookingBadge } from '#web/dashboard/kit/customers/customer-text.ts'
import type { CustomerInvoice } from '#web/dashboard/kit/customers/records.ts'

/** An entry of a vehicle's history. */
export type VehicleHistoryEntry = {
  readonly id: string
  /**
   * 'due': maintenance that is due, or a job that the customer declined; drawn with a dashed line. 'now': the latest
   * entry up to today. 'past': every other entry.
   */
  readonly timing: 'due' | 'now' | 'past'
  /** The odometer reading, or the mileage at which maintenance is due. */
  readonly miles: number | undefined
  /** The date of the entry, yyyy-MM-dd. */
  readonly date: string | undefined
  /** The text that replaces the miles of an entry: 'Open' for a declined job. */
  readonly milesLabel?: string
  /** The text that replaces the date of an entry: 'Due now', 'About Feb 2027'. */
  readonly when?: string
  readonly title: string
  readonly link?: DashboardLink
  readonly badge?: { readonly tone: BadgeTone; readonly label: string } | undefined
  readonly detail: string
  readonly invoices: readonly {
    readonly name: string
    readonly link: ReturnType<typeof invoicePageLink>
    readonly amount: string
  }[]
}

/** The distance in miles after which maintenance is due again. */
const serviceEveryMiles = 15_000
const daysAMonth = 30.4

/** Returns the entries: due maintenance and declined jobs first, then all past entries, latest first. */
export function vehicleHistory(vehicle: VehicleRecord, today: string): VehicleHistoryEntry[] {
  return [...dueLines(vehicle, today), ...declinedLines(vehicle), ...pastLines(vehicle, today)]
}

/** The next maintenance, if the odometer readings are sufficient to estimate its date. */
function dueLines(
  { miles, milesAMonth, milesOn }: VehicleRecord,
  today: string,
): VehicleHistoryEntry[] {
  if (miles === null || !milesAMonth || milesAMonth <= 0 || !milesOn) return []
  const due = (Math.floor(miles / serviceEveryMiles) + 1) * serviceEveryMiles
  const date = addDays(milesOn, Math.round(((due - miles) / milesAMonth) * daysAMonth))
  const [month, , year] = formatMediumDate(date).replace(',', '').split(' ')
  return [
    {
      id: 'due',
      timing: 'due',
      miles: due,
      date: undefined,
      when: date < today ? 'Due now' : `About ${month} ${year}`,
      title: `${due.toLocaleString('en-US')} mi maintenance due`,
      detail: `At ${milesAMonth.toLocaleString('en-US')} miles a month.`,
      invoices: [],
    },
  ]
}

function declinedLines({ estimates }: VehicleRecord): VehicleHistoryEntry[] {
  return estimates.flatMap((estimate) =>
    estimate.declined.map((job) => ({
      id: `${estimate.id} ${job.title}`,
      timing: 'due' as const,
      miles: undefined,
      milesLabel: 'Open',
      date: undefined,
      when: `Declined ${formatMediumDate(shopToday(new Date(job.decidedAt)))}`,
      title: job.title,
      link: estimateLink(estimate.id),
      detail: `${formatCents(job.cents)}, in ${estimate.number}.`,
      invoices: [],
    })),
  )
}

function pastLines(vehicle: VehicleRecord, today: string): VehicleHistoryEntry[] {
  const lines = [
    ...vehicle.bookings.map((booking) => bookingEntry(booking, today)),
    ...readingLines(vehicle),
    ...vehicle.invoices.map((invoice) => invoiceLine(invoice)),
  ].toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? ''))
  const latest = lines.findIndex(({ date }) => (date ?? '') <= today)
  const now = lines[latest]
  return now ? lines.with(latest, { ...now, timing: 'now' }) : lines
}

function bookingEntry(
  booking: VehicleRecord['bookings'][number],
  today: string,
): VehicleHistoryEntry {
  const date = booking.startsAt.slice(0, 10)
  return {
    id: booking.id,
    timing: 'past',
    miles: booking.miles ?? undefined,
    date,
    title: booking.service,
    link: dayLink(date, booking.id),
    badge: badgeOf(booking, today),
    detail: booking.internalNote ?? (booking.state === 'no_show' ? 'No-show' : ''),
    invoices: booking.invoices.map(invoiceOf),
  }
}

/** A past appointment that was completed or confirmed needs no badge. */
function badgeOf(booking: BookingSummary, today: string) {
  const isOver = booking.startsAt.slice(0, 10) < today
  return isOver && (booking.state === 'completed' || booking.state === 'confirmed')
    ? undefined
    : bookingBadge(booking)
}

/** Returns the odometer readings that were not recorded at an appointment of this vehicle. */
const readingLines = ({ odometer, bookings }: VehicleRecord): VehicleHistoryEntry[] =>
  odometer
    .filter(({ bookingId }) => !bookings.some(({ id }) => id === bookingId))
    .map(({ id, miles, readOn, recordedBy }) => ({
      id,
      timing: 'past',
      miles,
      date: readOn,
      title: 'Odometer read',
      detail: `By ${recordedBy}.`,
      invoices: [],
    }))

const invoiceLine = (invoice: CustomerInvoice): VehicleHistoryEntry => ({
  id: invoice.id,
  timing: 'past',
  miles: undefined,
  date: shopToday(new Date(invoice.madeAt)),
  title: 'Invoice',
  detail: '',
  invoices: [invoiceOf(invoice)],
})

const invoiceOf = ({ id, number, totalCents, currency }: CustomerInvoice) => ({
  name: number ?? 'Draft',
  link: invoicePageLink(id),
  amount: formatCents(totalCents, currency),
})
