import { type Columns, money } from '#domain/text/csv.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { bookingStateLabel } from '#domain/bookings/state-labels.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { firstId, pageRows, readPages } from './pages.ts'

type Appointment = {
  readonly id: string
  readonly appointment_date: string
  readonly appointment_time: string
  readonly service: string
  readonly minutes: number
  readonly price_cents: number | null
  readonly state: string
  readonly is_held: boolean
  readonly customer: string
  readonly email: string | null
  readonly phone: string
  readonly vehicle: string
  readonly plate: string | null
  readonly bay: string | null
  readonly booked_on: string
  readonly source: string | null
}

/** The columns of the CSV file of appointments, in order (docs/product.md 16.26). */
export const appointmentColumns: Columns<Appointment> = {
  Date: (row) => row.appointment_date,
  Time: (row) => row.appointment_time.slice(0, 5),
  Service: (row) => row.service,
  Minutes: (row) => row.minutes,
  'Price from (USD)': (row) => money(row.price_cents),
  State: (row) => (row.is_held ? 'Held' : bookingStateLabel(row.state)),
  Customer: (row) => row.customer,
  Email: (row) => row.email,
  Phone: (row) => row.phone,
  Vehicle: (row) => row.vehicle,
  Plate: (row) => row.plate,
  Bay: (row) => row.bay,
  'Booked on': (row) => row.booked_on,
  'Came from': (row) => (row.source === 'counter' ? 'Phone' : 'Website'),
}

/** Lists the appointments in a date range, whatever their status, in order of date and time. */
export function listAppointments(
  { database }: { readonly database: Database },
  { from, to }: DateRange,
): AsyncGenerator<Appointment[]> {
  const first = { appointment_date: from, appointment_time: '00:00', id: firstId }
  return readPages(first, ({ appointment_date: date, appointment_time: time, id }) =>
    readPage(database, [date, time, id, to, pageRows]),
  )
}

function readPage(
  database: Database,
  parameters: [date: string, time: string, id: string, until: string, atMost: number],
): Promise<Appointment[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<Appointment>(
      await query(
        'select * from internal.list_appointment_records($1, $2, $3, $4, $5)',
        parameters,
      ),
    ),
  )
}
