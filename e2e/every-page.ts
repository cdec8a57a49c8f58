import { expect, type Page } from './fixtures.ts'
import type { SampleIds } from './sample-records.ts'

/** A page as somebody comes to see it: what it says once it has come, and what is pressed on it first. */
export type Seen = {
  readonly path: string
  readonly says: string
  readonly press?: (page: Page) => Promise<unknown>
}

const choose = async (page: Page) => {
  await page.getByRole('button', { name: 'Select Oil Change' }).click()
  await page.locator('.calendar button:not([disabled], [aria-disabled])').nth(2).click()
  await expect(page.locator('button.time-slot').first()).toBeVisible()
}

/** What visitors and customers see. */
export const publicPages = (ids: SampleIds): readonly Seen[] => [
  { path: '/', says: 'Ready to Get Started' },
  {
    path: '/',
    says: 'Ready to Get Started',
    press: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
  },
  { path: '/book-appointment', says: 'Choose Your Service' },
  { path: '/book-appointment', says: 'Choose Your Service', press: choose },
  {
    path: '/book-appointment',
    says: 'Choose Your Service',
    press: async (page) => {
      await choose(page)
      await page.locator('button.time-slot').first().click()
      await expect(page.getByLabel('Full Name')).toBeVisible()
    },
  },
  { path: '/request-quote', says: 'Request a Quote' },
  { path: '/pay-invoice', says: 'Pay Invoice' },
  { path: '/payment-success', says: 'Pay' },
  { path: '/privacy', says: 'Privacy' },
  { path: '/no-such-page', says: 'Page not found' },
  { path: '/visit', says: 'Find my appointment' },
  { path: ids.visitPath, says: 'Change time' },
  { path: `${ids.visitPath}/change`, says: 'Pick a new time' },
  { path: `${ids.visitPath}/cancel`, says: 'Your time becomes available to others' },
  { path: ids.openPath, says: 'Your estimate' },
  { path: `${ids.openPath}/decline`, says: 'Decline this estimate?' },
  { path: ids.decidedPath, says: 'approved' },
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
  ['accountant', 'That day too.'],
] as const

const inDashboard = (tab: string) => `/admin-dashboard?tab=${tab}`

/** What the staff sees. */
export const dashboardViews = (ids: SampleIds): readonly Seen[] => [
  { path: inDashboard('today'), says: 'Appointments today' },
  { path: inDashboard('outbox'), says: 'Kept' },
  { path: inDashboard('appointments&view=day'), says: 'Bay 1' },
  {
    path: inDashboard(`appointments&view=day&booking=${ids.bookingId}`),
    says: 'Internal note',
  },
  {
    path: inDashboard('appointments&view=day'),
    says: 'Bay 1',
    press: (page: Page) => page.getByRole('button', { name: /^Book\b/ }).click(),
  },
  { path: inDashboard('appointments&view=calendar'), says: 'Week of' },
  { path: inDashboard('appointments&view=list'), says: 'Upcoming Appointments' },
  { path: inDashboard('tasks'), says: 'Active Tasks' },
  { path: inDashboard('quotes'), says: 'Odette Marlow' },
  { path: inDashboard('invoices'), says: 'Create & Send Invoice' },
  { path: inDashboard(`invoices&estimate=${ids.openId}`), says: 'Tomas Quillon' },
  { path: inDashboard(`invoices&estimate=${ids.decidedId}`), says: 'Ingrid Farrow' },
  { path: inDashboard(`person&person=${ids.personId}`), says: 'Customer since' },
  { path: inDashboard(`car&car=${ids.carId}`), says: 'By mileage' },
  ...sections.map(([id, says]) => ({ path: inDashboard(`settings&section=${id}`), says })),
]

/** Opens it in the size of a phone and waits until all of it is there. */
export async function see(page: Page, { path, says, press }: Seen): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  await expect(page.getByRole('main').getByText(says).first()).toBeAttached()
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  await press?.(page)
}
