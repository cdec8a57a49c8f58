import { expect, type Page } from '@playwright/test'
import type { BookingField } from '#domain/bookings/booking-form.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { notification, type Shop } from '#tests/browser/fixtures.ts'

/** The time to which `startAt` sets the clocks by default: Friday, November 20, 2026, 10 AM at the shop. */
export const fixtureInstant = '2026-11-20T18:00:00Z'

/**
 * Deletes all bookings, and sets the clock of the database's booking rules and the page's clock to `instant`. The
 * page's clock does not advance.
 */
export async function startAt(page: Page, shop: Shop, instant = fixtureInstant): Promise<void> {
  await shop.database.query(truncateTables('public.bookings'))
  await shop.setClock(instant)
  await page.clock.setFixedTime(new Date(instant))
}

export const stepLabel = (page: Page, step: 1 | 2 | 3) =>
  page.getByText(`Step ${step} of 3`, { exact: true })

/** Opens the booking wizard and chooses a service. */
export async function chooseService(page: Page, name = 'Brake Job'): Promise<void> {
  await page.goto('/book-appointment')
  await page.getByRole('button', { name: `Select ${name}` }).click()
  await expect(page.getByRole('heading', { name: 'Pick Your Time' })).toBeFocused()
}

/** Picks a day ('yyyy-MM-dd') of the displayed month. */
export async function pickDate(page: Page, date: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${formatLongDate(date)}`) }).click()
}

export const slot = (page: Page, time: string) =>
  page.getByRole('button', { name: formatTime(time), exact: true })

/** Chooses a service, a date and a time ('HH:mm'). */
export async function reachDetails(
  page: Page,
  { date = '2026-11-28', time = '13:30' } = {},
): Promise<void> {
  await chooseService(page)
  await pickDate(page, date)
  await slot(page, time).click()
  await expect(page.getByRole('heading', { name: 'Confirm Your Booking' })).toBeFocused()
}

/**
 * The labels of the form's fields. The type check fails until each new field of the form has a label and a test value
 * here.
 */
type Label = (typeof labels)[BookingField]
const labels = {
  name: 'Full Name',
  email: 'Email Address',
  phone: 'Phone Number',
  notes: 'Additional Notes (Optional)',
  vehicleYear: 'Year',
  vehicleMake: 'Make',
  vehicleModel: 'Model',
  vehicleColor: 'Color',
} as const satisfies Record<BookingField, string>

export const input: Readonly<Record<Label, string>> = {
  'Full Name': 'Dana Whitfield',
  'Email Address': 'dana@example.com',
  'Phone Number': '(650) 555-0167',
  'Additional Notes (Optional)': 'Squeals when cold',
  Year: '2019',
  Make: 'Subaru',
  Model: 'Outback',
  Color: 'Green',
}

export async function fillDetails(page: Page, change: Partial<typeof input> = {}): Promise<void> {
  for (const [label, text] of Object.entries({ ...input, ...change })) {
    await page.getByLabel(label).fill(text)
  }
}

export async function expectDetailsRestored(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(input)) {
    await expect(page.getByLabel(label)).toHaveValue(text)
  }
}

export const confirmButton = (page: Page) =>
  page.getByRole('button', { name: 'Confirm Appointment' })

/** Expects a notification that contains the title and the description. */
export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const toast = notification(page)
  await expect(toast).toContainText(title)
  await expect(toast).toContainText(description)
}

export async function bookingsOf(shop: Shop): Promise<Record<string, unknown>[]> {
  const { rows } = await shop.database.query<Record<string, unknown>>(
    `select appointment_date::text, appointment_time::text, customer_name, customer_email,
            customer_phone, notes, vehicle_year, vehicle_make, vehicle_model, vehicle_color, status,
            s.name as service
     from public.bookings b join public.services s on s.id = service_id
     order by appointment_date, appointment_time`,
  )
  return rows
}

/** Inserts another customer's booking directly into the database. */
export async function bookInOtherWindow(shop: Shop, date: string, time: string): Promise<void> {
  await shop.database.query(
    `insert into public.bookings (service_id, duration_minutes, appointment_date, appointment_time,
       customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select id, duration_minutes, $1, $2, 'Robin', 'robin@example.com', '1', '2001', 'Ford', 'Ka'
     from public.services where name = 'Brake Job'`,
    [date, time],
  )
}
