import { formatTime, minuteOfTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { givenName } from '#domain/customers/given-name.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { hoursOn } from '#domain/calendar/special-days.ts'
import type { VehicleState } from '#domain/bookings/vehicle-state.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import type { RepairStatus, VisitPageData } from '#contracts/bookings/visit-page.ts'
import {
  cancellationOf,
  weekdayName,
  dayOfMonth,
  formatStampDateTime,
  formatService,
} from './visit-page-text.ts'

/** The heading and the introduction of the visit page: the state of the appointment, and the customer's next step. */
type Headings = { readonly heading: string; readonly lead: string }

/**
 * The data for the heading and the introduction. `work` contains the data of the repair; undefined on pages that do not
 * show the repair.
 */
type HeadingInput = {
  readonly shop: ShopFacts
  readonly booking: VisitPageData
  readonly work?: Pick<RepairStatus, 'tasks' | 'invoice' | 'hasInvoice'> | undefined
}

/** The texts for each state of a vehicle (docs/product.md 12.14). */
const headings: Readonly<Record<VehicleState, (input: HeadingInput) => Headings>> = {
  held: ({ booking: { heldUntil } }) => ({
    heading: 'Please confirm your appointment',
    lead: `We hold this time for you until ${heldUntil === null ? 'soon' : formatShopTime(new Date(heldUntil))}. Confirm to keep it.`,
  }),
  expected: ({ booking }) => (booking.hasStarted ? passed : expected(booking)),
  here: ({ booking }) => ({ heading: 'Your car is with us', lead: `${formatService(booking)}.` }),
  in_work: ({ booking }) => ({
    heading: 'We are working on your car',
    lead: `${booking.serviceName}.`,
  }),
  waiting_on_parts: (input) => ({
    heading: withNote('Waiting on parts', noteOf(input, 'waiting_on_parts')),
    lead: 'Your car is with us. We’ll continue when the parts arrive.',
  }),
  waiting_on_customer: (input) => ({
    heading: withNote('Waiting to hear from you', noteOf(input, 'waiting_on_customer')),
    lead: `Please call ${input.shop.phone.display}.`,
  }),
  ready: (input) => {
    const until = openUntil(input)
    return {
      heading: until ? `Your car is ready. Pick it up by ${until}.` : 'Your car is ready.',
      lead: until
        ? 'The key is at the counter.'
        : 'We are closed now. The key is at the counter when we open again.',
    }
  },
  ready_and_paid: (input) => {
    const name = givenName(input.booking.customerName)
    const until = openUntil(input)
    return {
      heading: name === '' ? 'Paid. Thank you.' : `Paid. Thank you, ${name}.`,
      lead: [
        paidLine(input),
        until ? `Your car is ready. Pick it up by ${until}.` : 'Your car is ready.',
      ].join(' '),
    }
  },
  picked_up: (input) => ({
    heading: 'Your appointment is complete',
    lead: [paidLine(input), 'Thank you for bringing your car to us.'].join(' ').trim(),
  }),
  cancelled: ({ booking, work: read }) => ({
    heading: read?.hasInvoice ? 'Your appointment is cancelled' : 'Cancelled. There is no charge.',
    lead: cancelledLead(booking),
  }),
  no_show: () => ({
    heading: 'Sorry we missed you',
    lead: 'Do you still need us? Please book a new time.',
  }),
  not_confirmed: ({ booking }) =>
    booking.hasStarted ? passed : booking.isTimeFree ? stillFree : noLongerFree,
}

export function vehicleStateText(input: HeadingInput): Headings {
  return headings[input.booking.state](input)
}

const expected = (booking: VisitPageData): Headings => ({
  heading: `See you ${weekdayName(booking.date)} at ${formatTime(booking.time)}`,
  lead: `${dayOfMonth(booking.date)}. ${formatService(booking)}.`,
})

const passed: Headings = {
  heading: 'This appointment has passed',
  lead: 'On your way, or do you still need us? Please call, or book a new time.',
}

const stillFree: Headings = {
  heading: 'Please confirm your appointment',
  lead: 'The 30-minute hold has ended, but this time is still available. Confirm to keep it.',
}

const noLongerFree: Headings = {
  heading: 'This time is no longer available',
  lead: 'The 30-minute hold has ended, and someone else has booked this time. Please pick another time.',
}

const withNote = (text: string, note: string) => (note === '' ? text : `${text}: ${note}`)

/** Returns the note to the customer from the first task with the given status; '' without a note. */
function noteOf({ work: read }: HeadingInput, status: string): string {
  return read?.tasks.find((task) => task.status === status)?.note ?? ''
}

/** The shop's closing time today; undefined if the shop is closed today or has already closed. */
function openUntil({ booking: { now }, shop }: HeadingInput): string | undefined {
  const minute = minuteOfTime(now.slice(11, 16))
  const hours = hoursOn(now.slice(0, 10), shop)
  const closes = hours.findLast(({ closesAtMinute }) => closesAtMinute > minute)
  return closes && formatTime(timeOfMinute(closes.closesAtMinute))
}

function paidLine({ work: read }: HeadingInput): string {
  const invoice = read?.invoice
  if (!invoice?.isPaid) return ''
  const when = invoice.paidAt === null ? '' : ` ${formatStampDateTime(invoice.paidAt)}`
  return `${formatCents(invoice.totalCents)} received${when}.`
}

function cancelledLead(booking: VisitPageData): string {
  const when = formatDateTime(booking.date, booking.time)
  if (cancellationOf(booking)?.source !== 'customer') return `${when} is cancelled.`
  const emailSentence = booking.wasEmailed ? ' We sent you an email to confirm this.' : ''
  return `${when} is free again.${emailSentence}`
}
