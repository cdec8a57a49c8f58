import { expect, type Page } from '#tests/browser/fixtures.ts'
import type { SampleIds } from '#tests/browser/sample-records.ts'

/**
 * How a test opens a page: the path, the elements to click after loading, and a text that shows that the page is
 * complete.
 */
export type Seen = {
  readonly path: string
  readonly text: string
  readonly press?: (page: Page) => Promise<unknown>
}

const choose = async (page: Page) => {
  await page.getByRole('button', { name: 'Select Oil Change' }).click()
  const bookable = page.getByRole('grid').getByRole('button', { disabled: false })
  await bookable.first().waitFor()
  // At the end of a month, the month has too few bookable dates.
  if ((await bookable.count()) < 3) await page.getByRole('button', { name: 'Next month' }).click()
  await bookable.nth(2).click()
  await expect(page.locator('button.time-slot').first()).toBeVisible()
}

/** Returns the pages for visitors and customers, each with the steps by which a test opens the page. */
export const publicPages = (ids: SampleIds): readonly Seen[] => [
  { path: '/', text: 'Ready to Get Started' },
  {
    path: '/',
    text: 'Ready to Get Started',
    press: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
  },
  { path: '/book-appointment', text: 'Choose Your Service' },
  { path: '/book-appointment', text: 'Choose Your Service', press: choose },
  {
    path: '/book-appointment',
    text: 'Choose Your Service',
    press: async (page) => {
      await choose(page)
      await page.locator('button.time-slot').first().click()
      await expect(page.getByLabel('Full Name')).toBeVisible()
    },
  },
  { path: '/request-quote', text: 'Request a Quote' },
  { path: '/pay-invoice', text: 'Pay Invoice' },
  { path: '/payment-success', text: 'Pay' },
  { path: '/privacy', text: 'Privacy' },
  { path: '/no-such-page', text: 'Page not found' },
  { path: '/visit', text: 'Find my appointment' },
  { path: ids.visitPath, text: 'Change time' },
  { path: `${ids.visitPath}/change`, text: 'Pick a new time' },
  { path: `${ids.visitPath}/cancel`, text: 'Your time becomes available to others' },
  { path: ids.openPath, text: 'Your estimate' },
  { path: `${ids.openPath}/decline`, text: 'Decline this estimate?' },
  { path: ids.decidedPath, text: 'approved' },
]

const sections = [
  ['shop', 'Address, as registered'],
  ['hours', 'Monday'],
  ['bays', 'Bay 1'],
  ['services', 'Oil Change'],
  ['rules', 'Changes by the customer'],
  ['estimates', 'On every estimate and invoice'],
  ['email', 'The queue'],
  ['payments', 'Webhook'],
  ['team', 'Ana Reyes'],
  ['backup', 'Backups are not set up'],
  ['accountant', 'This day is included.'],
] as const

const inDashboard = (view: string) => `/admin-dashboard/${view}`

/** Returns the views of the dashboard other than its settings, each with the steps by which a test opens the view. */
export const dailyViews = (ids: SampleIds): readonly Seen[] => [
  { path: inDashboard('today'), text: 'Appointments today' },
  { path: inDashboard('outbox'), text: 'Kept' },
  { path: inDashboard('profile'), text: 'Signed in on' },
  // A day long before the sample week, so that it has no payments.
  { path: inDashboard('day-close/2026-01-04'), text: 'Nothing to close' },
  { path: inDashboard('day'), text: 'Bay 1' },
  {
    path: inDashboard(`day?booking=${ids.bookingId}`),
    text: 'Internal note',
  },
  {
    path: inDashboard('day'),
    text: 'Bay 1',
    press: (page: Page) => page.getByRole('button', { name: /^Book\b/ }).click(),
  },
  { path: inDashboard('day?panel=search'), text: 'Bay 1' },
  { path: inDashboard('appointments?view=calendar'), text: 'Week of' },
  { path: inDashboard('appointments?view=list'), text: 'Upcoming Appointments' },
  { path: inDashboard('tasks'), text: 'Active Tasks' },
  { path: inDashboard('quotes'), text: 'Odette Marlow' },
  { path: inDashboard('invoices'), text: 'Create & Send Invoice' },
  { path: inDashboard(`invoices/${ids.invoiceId}`), text: 'Payments and refunds' },
  { path: inDashboard(`estimates/${ids.openId}`), text: 'Tomas Quillon' },
  { path: inDashboard(`estimates/${ids.decidedId}`), text: 'Ingrid Farrow' },
  { path: inDashboard(`customers/${ids.customerId}`), text: 'Customer since' },
  { path: inDashboard(`vehicles/${ids.vehicleId}`), text: 'By mileage' },
]

/** Returns the pages of the settings, each with the steps by which a test opens the page. */
export const settingsPages = (): readonly Seen[] =>
  sections.map(([id, text]) => ({ path: inDashboard(`settings/${id}`), text }))

/** Opens a page in the size of a phone and waits until the page is complete. */
export async function see(page: Page, { path, text, press }: Seen): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  await expect(page.getByRole('main').getByText(text).first()).toBeAttached()
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  await press?.(page)
}
