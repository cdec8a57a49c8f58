import type { SearchResults } from '#contracts/customers.ts'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatInstantDate, shopToday } from '#domain/calendar/shop-time.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import {
  customerLink,
  dayLink,
  estimateLink,
  invoicePageLink,
  vehicleLink,
} from '#web/dashboard/kit/navigation/links.ts'
import { estimateLabel, invoiceLabel } from '#web/dashboard/kit/records/record-labels.ts'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'
import type { Hit } from './hits.ts'
import { hasMatch } from './mark-matches.ts'

/**
 * A type in which only the fields named by `Needed` are required. The same functions can therefore format search
 * results and recently opened records, which have fewer fields.
 */
type Partially<Record, Needed extends keyof Record> = Pick<Record, Needed> & Partial<Record>
type Document = SearchResults['documents'][number]
type Estimate = Extract<Document, { kind: 'estimate' }>
type Invoice = Extract<Document, { kind: 'invoice' }>

/**
 * The search result for a customer, with title, detail and remark: 'Maria Delgado', '(650) 555-0167, 2 vehicles, last
 * visit Oct 3, 2026', '1 no-show'.
 */
export function customerHit(
  customer: Partially<SearchResults['customers'][number], 'id' | 'name' | 'phone'>,
  search = '',
): Hit {
  const { id, name, phone, email, vehicles, lastBookingDate, nextBookingDate, quoteRequestedOn } =
    customer
  const quoteText = quoteRequestedOn && `asked for a quote ${formatInstantDate(quoteRequestedOn)}`
  const here = lastBookingDate ? `last visit ${formatMediumDate(lastBookingDate)}` : quoteText
  return {
    kind: 'customer',
    id,
    title: name,
    detail: joined(
      phone,
      // If the customer has a phone number, the line shows the email address only when the search matches the address
      // but not the name. Many addresses contain the name, so a search for the name would show most addresses.
      email && (!phone || (hasMatch(email, search) && !hasMatch(name, search))) && email,
      vehicles !== undefined && formatVehicleCount(vehicles),
      here ?? (nextBookingDate && `next appointment ${formatMediumDate(nextBookingDate)}`),
    ),
    remark: remarkOf(customer),
    link: customerLink(id),
    customer: { name, phone },
  }
}

const formatVehicleCount = (vehicles: number) =>
  vehicles === 0 ? 'no vehicle' : `${vehicles} ${vehicles === 1 ? 'vehicle' : 'vehicles'}`

function remarkOf({ noShows = 0, maybeSame }: { noShows?: number; maybeSame?: boolean }) {
  const missed = noShows > 0 && `${noShows} ${noShows === 1 ? 'no-show' : 'no-shows'}`
  if (!maybeSame) return missed || undefined
  return missed ? `${missed}, possible duplicate` : 'Possible duplicate'
}

/**
 * The search result for a vehicle, with title, detail and remark: '2019 Subaru Outback', '8KLM204, Maria Delgado',
 * '71,506 mi'.
 */
export function vehicleHit(
  vehicle: Partially<SearchResults['vehicles'][number], 'id' | 'year' | 'make' | 'model' | 'plate'>,
  search = '',
): Hit {
  const { id, year, make, model, plate, vin, miles, customerName } = vehicle
  return {
    kind: 'vehicle',
    id,
    title: vehicleText({ vehicle_year: year, vehicle_make: make, vehicle_model: model }),
    detail: joined(plate, vin && (!plate || hasMatch(vin, search)) && vin, customerName),
    remark: miles ? `${miles.toLocaleString('en-US')} mi` : undefined,
    link: vehicleLink(id),
  }
}

/**
 * The search result for a booking, with title and detail: 'Nov 24, 2026, 1:00 PM, Multipoint Inspection', 'Maria
 * Delgado, Bay 1'.
 */
export function bookingHit(
  booking: Partially<SearchResults['bookings'][number], 'id' | 'startsAt' | 'service' | 'name'>,
): Hit {
  const { id, startsAt, service, name, vehicle, bay, vehicleFacts, willCome } = booking
  const date = startsAt.slice(0, 10)
  return {
    kind: 'booking',
    id,
    title: `${date === shopToday(new Date()) ? 'Today' : formatMediumDate(date)}, ${formatTime(startsAt.slice(11, 16))}, ${service}`,
    detail: joined(name, vehicle, bay),
    badge:
      vehicleFacts && stateLabel({ vehicle_facts: vehicleFacts, will_come: willCome ?? false }),
    link: dayLink(date, id),
  }
}

/**
 * The search result for an estimate, with title and detail: 'E-0093', 'Maria Delgado, Front brakes and 2 more,
 * $582.17'.
 */
export function estimateHit(estimate: Partially<Estimate, 'id' | 'number' | 'name'>): Hit {
  const { id, number, name, title, jobs = 0, totalCents, state } = estimate
  const work = title && (jobs > 1 ? `${title} and ${jobs - 1} more` : title)
  return {
    kind: 'estimate',
    id,
    title: number,
    detail: joined(name, work, totalCents !== undefined && formatCents(totalCents)),
    badge: state === undefined ? undefined : estimateLabel(state),
    link: estimateLink(id),
  }
}

/** The search result for an invoice, with title and detail: 'TT-0091', 'Maria Delgado, $49.00, Oct 3, 2026'. */
export function invoiceHit(invoice: Partially<Invoice, 'id' | 'number' | 'name'>): Hit {
  const { id, number, name, totalCents, currency, madeAt, status } = invoice
  return {
    kind: 'invoice',
    id,
    title: number ?? 'Draft',
    detail: joined(
      name,
      totalCents !== undefined && formatCents(totalCents, currency),
      madeAt && formatInstantDate(madeAt),
    ),
    badge: status === undefined ? undefined : invoiceLabel(status),
    link: invoicePageLink(id),
  }
}

const joined = (...parts: readonly (string | false | null | undefined)[]) =>
  parts.filter(Boolean).join(', ')
