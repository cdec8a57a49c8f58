import type { CustomerRecord, BookingSummary } from '#contracts/customers.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { quoteServiceLabel } from '#domain/quotes/quote-form.ts'
import { taskStatusLabel } from '#domain/tasks/task-status.ts'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import {
  dayLink,
  estimateLink,
  invoicePageLink,
  quoteLink,
  taskLink,
} from '#web/dashboard/kit/navigation/links.ts'
import {
  estimateLabel,
  invoiceLabel,
  quoteLabel,
} from '#web/dashboard/kit/records/record-labels.ts'
import { bookingBadge } from './customer-text.ts'
import type { CustomerEstimate, CustomerInvoice, CustomerQuote, CustomerTask } from './records.ts'
import { type RecordRow, RecordSection } from './record-section.tsx'

type Props = { customer: CustomerRecord }

export function AppointmentRecords({ customer }: Props) {
  return (
    <RecordSection
      title="Appointments"
      heads={['When', 'Vehicle']}
      rows={customer.bookings.map(bookingRow)}
      empty="No appointments yet."
    />
  )
}

export function EstimateRecords({ customer }: Props) {
  const rows = [
    ...customer.estimates.map((estimate) => ({
      at: estimate.createdAt,
      row: estimateRow(estimate),
    })),
    ...customer.quotes.map((quote) => ({ at: quote.createdAt, row: quoteRow(quote) })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return (
    <RecordSection
      title="Estimates and quotes"
      heads={['Number', 'Vehicle']}
      rows={rows.map(({ row }) => row)}
      empty="No estimates or quotes yet."
    />
  )
}

export function InvoiceRecords({ customer }: Props) {
  const { paidCents } = customer.totals
  return (
    <RecordSection
      title="Invoices"
      heads={['Number', 'Date']}
      rows={customer.invoices.map((invoice) => invoiceRow(invoice, customer.bookings))}
      empty="No invoices yet."
      sum={customer.invoices.length > 0 && <b>{formatCents(paidCents)} paid</b>}
    />
  )
}

/** The tasks of a customer or vehicle. Renders nothing without tasks. */
export function TaskRecords({ tasks }: { tasks: readonly CustomerTask[] }) {
  if (tasks.length === 0) return null
  return (
    <RecordSection
      title="Tasks"
      heads={['Since', '']}
      rows={tasks.map(taskRow)}
      empty="No tasks yet."
    />
  )
}

function bookingRow(booking: BookingSummary): RecordRow {
  const date = booking.startsAt.slice(0, 10)
  return {
    id: booking.id,
    name: formatMediumDate(date),
    link: dayLink(date, booking.id),
    about: booking.vehicle,
    what: booking.service,
    state: bookingBadge(booking),
  }
}

function estimateRow(estimate: CustomerEstimate): RecordRow {
  const { title, jobs, declined } = estimate
  const more = jobs > 1 ? ` and ${jobs - 1} more` : ''
  const no = declined.length > 0 ? `. Declined: ${listOf(declined.map((job) => job.title))}` : ''
  return {
    id: estimate.id,
    name: estimate.number,
    link: estimateLink(estimate.id),
    about: estimate.vehicle,
    what: `${title || 'No job yet'}${more}${no}`,
    amount: formatCents(estimate.totalCents),
    state: estimateLabel(estimate.state),
  }
}

const listOf = (titles: readonly string[]) => titles.join(', ')

function quoteRow(quote: CustomerQuote): RecordRow {
  return {
    id: quote.id,
    name: `Quote, ${formatInstantDate(quote.createdAt)}`,
    link: quoteLink(quote.id),
    about: quote.vehicle,
    what: quote.service ? quoteServiceLabel(quote.service) : '',
    state: quoteLabel(quote.status),
  }
}

function invoiceRow(invoice: CustomerInvoice, bookings: readonly BookingSummary[]): RecordRow {
  const booking = bookings.find(({ id }) => id === invoice.bookingId)
  return {
    id: invoice.id,
    name: invoice.number ?? 'Draft',
    link: invoicePageLink(invoice.id),
    about: formatInstantDate(invoice.madeAt),
    what: booking ? [booking.service, booking.vehicle].filter(Boolean).join(', ') : '',
    amount: formatCents(invoice.totalCents, invoice.currency),
    state: invoiceLabel(invoice.status),
  }
}

function taskRow(task: CustomerTask): RecordRow {
  return {
    id: task.id,
    name: formatInstantDate(task.createdAt),
    link: taskLink(task.id),
    about: '',
    what: task.title,
    state: { tone: 'neutral', label: taskStatusLabel(task.status) },
  }
}
