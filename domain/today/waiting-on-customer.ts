import { daysBetween, formatDayOfYear, formatShortDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShopTime, shopToday } from '#domain/calendar/shop-time.ts'
import { type VehicleFacts, vehicleState } from '#domain/bookings/vehicle-state.ts'
import { todaySentence } from '#domain/bookings/vehicle-state-table.ts'
import type { WaitingClock, WaitingItem } from './waiting-item.ts'
import { nearDay, formatWaitingTime } from './waiting-time.ts'

type Held = {
  readonly id: string
  readonly customer_name: string
  readonly service_name: string
  /** The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  readonly starts_at: string
  readonly held_until: string
}
type Task = {
  readonly id: string
  readonly title: string
  readonly customer_name: string | null
  readonly vehicle_facts: VehicleFacts
  readonly since: string
}
/** An unpaid invoice. `dueDate` is yyyy-MM-dd, `balanceCents` the unpaid amount. */
type Invoice = {
  readonly id: string
  readonly number: string | null
  readonly customerName: string
  readonly balanceCents: number
  readonly currency: string
  readonly dueDate: string | null
}

/**
 * The records that wait for an action of a customer: bookings that are held until the customer confirms them, tasks that
 * wait for the customer's answer or for the pickup of the vehicle, and unpaid invoices.
 */
export type WaitingOnCustomerFacts = {
  readonly held: readonly Held[]
  readonly tasks: readonly Task[]
  readonly invoices: readonly Invoice[]
}

/**
 * Returns the lines of 'Waiting on customers' (docs/product.md 13.3): confirmations, vehicles to be picked up,
 * invoices. Within one kind, the lines have the order of the records in `facts`.
 */
export function listWaitingOnCustomer(
  facts: WaitingOnCustomerFacts,
  clock: WaitingClock,
): WaitingItem[] {
  return [
    ...facts.held.map((booking) => unconfirmed(booking, clock)),
    ...facts.tasks.map((task) => withCustomer(task, clock)),
    ...facts.invoices.map((invoice) => unpaid(invoice, clock)),
  ]
}

function unconfirmed(booking: Held, { instant }: WaitingClock): WaitingItem {
  const [date = '', time = ''] = booking.starts_at.split('T')
  const until = new Date(booking.held_until)
  return {
    key: `held ${booking.id}`,
    about: 'date',
    title: todaySentence('held', booking.customer_name),
    detail: `${booking.service_name}, ${formatDayOfYear(date)} at ${formatTime(time)}, on hold until ${formatShopTime(until)}`,
    wait: `${formatWaitingTime(until, instant)} left`,
    isUrgent: false,
    target: { kind: 'booking', id: booking.id, date },
  }
}

function withCustomer(task: Task, { today, instant }: WaitingClock): WaitingItem {
  const since = new Date(task.since)
  const day = nearDay(shopToday(since), today)
  const state = vehicleState(task.vehicle_facts)
  const customerName = task.customer_name ?? task.title
  // A task that waits for the customer gets its own line, unless the state of its vehicle already has a line in
  // 'Waiting on customers'.
  const isAboutVehicle = ['waiting_on_customer', 'ready', 'ready_and_paid'].includes(state)
  return {
    key: `task ${task.id}`,
    about: state === 'ready' || state === 'ready_and_paid' ? 'vehicle' : 'customer',
    title: isAboutVehicle
      ? todaySentence(state, customerName)
      : `${task.title}, waiting on customer`,
    detail: detailOf(task, isAboutVehicle) ?? `Since ${formatShortDate(shopToday(since))}`,
    wait: day === 'today' ? formatWaitingTime(since, instant) : `since ${day}`,
    isUrgent: false,
    target: { kind: 'task', id: task.id },
  }
}

function detailOf({ customer_name: name, title }: Task, isAboutVehicle: boolean) {
  return name === null ? undefined : isAboutVehicle ? title : name
}

function unpaid(invoice: Invoice, { today }: WaitingClock): WaitingItem {
  const { customerName, dueDate } = invoice
  const daysLate = dueDate === null ? 0 : daysBetween(dueDate, today)
  const name = `invoice ${invoice.number ?? 'without a number'}`
  const amount = formatCents(invoice.balanceCents, invoice.currency)
  return {
    key: `invoice ${invoice.id}`,
    about: 'invoice',
    title: customerName ? `${customerName}, ${name}` : name,
    detail: dueDate === null ? amount : `${amount}, due ${formatShortDate(dueDate)}`,
    wait: daysLate > 0 ? `${daysLate} ${daysLate === 1 ? 'day' : 'days'} late` : 'open',
    isUrgent: daysLate > 0,
    target: { kind: 'invoice', id: invoice.id },
  }
}
