import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import {
  expect,
  expectAccessible,
  openDashboard,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import {
  addBooking,
  addEmail,
  addQuote,
  clearBookings,
  clearQuotes,
} from '#tests/browser/shop-records.ts'

const openOutbox = async (page: Page) => {
  await page.goto('/admin-dashboard/outbox')
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
}
const confirmation = (within: Locator) => within.getByRole('group', { name: 'Confirmation' })
const rows = (page: Page) => page.getByRole('list', { name: 'Emails' }).getByRole('listitem')

test.beforeEach(async ({ shop, page }) => {
  await clearBookings(shop)
  await clearQuotes(shop)
  await signIn(page)
})

test('The dashboard shows that email is not set up, and links to the outbox', async ({ page }) => {
  await openDashboard(page)
  await expect(page.getByText('Email is not set up.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  await expect(
    page.getByText('After an owner has entered a mail server in Settings, Email'),
  ).toBeVisible()
  await expect(page.getByText('No emails yet')).toBeVisible()
  await expect(page.getByRole('tab', { selected: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Task Management' }).click()
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
})

test('A message in the outbox is shown without running its scripts, and can be downloaded', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  // The browser logs that it blocked the email's script, which proves that the script did not run.
  expectedConsoleErrors.push(/Blocked script execution in '.*preview'/)
  const id = await addQuote(shop, { name: 'Iris Kwan' })
  await addEmail(shop, { kind: 'quote_confirmation', status: 'in_outbox', about: { quoteId: id } })
  await openOutbox(page)
  const row = rows(page)
  for (const text of ['Kept in outbox', 'About your car', 'Iris Kwan', 'iris@customer.example']) {
    await expect(row).toContainText(text)
  }
  await expectAccessible(page)
  await row.getByRole('button', { name: /^View/ }).click()
  const dialog = page.getByRole('dialog', { name: 'About your car' })
  await expect(dialog.locator('iframe')).toHaveAttribute('sandbox', '')
  await expect(dialog.frameLocator('iframe').getByText('About your car')).toBeVisible()
  expect(await page.title()).not.toBe('owned')
  await dialog.getByRole('button', { name: 'Text', exact: true }).click()
  await expect(dialog.locator('pre')).toHaveText('About your car')
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Download .eml' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/quote_confirmation-.*\.eml$/)
  const eml = await readFile(await download.path(), 'utf8')
  expect(eml).toContain('Subject: About your car')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('A failed message in the outbox shows its error and can be sent again', async ({
  page,
  shop,
}) => {
  const id = await addQuote(shop, { name: 'Iris Kwan' })
  await addEmail(shop, {
    kind: 'quote_reply',
    status: 'failed',
    about: { quoteId: id },
    error: '550 No such user here',
  })
  await openOutbox(page)
  await expect(rows(page)).toContainText('Not delivered')
  await expect(rows(page)).toContainText('550 No such user here')
  await rows(page)
    .getByRole('button', { name: /^Resend/ })
    .click()
  await expect(page.getByRole('status').getByText('Kept in the outbox')).toBeVisible()
  await expect(rows(page)).toContainText('Kept in outbox')
})

test('The outbox shows fifty messages at a time', async ({ page, shop }) => {
  const id = await addQuote(shop, { name: 'Iris Kwan' })
  for (let index = 0; index < 53; index++) {
    await addEmail(shop, { kind: 'quote_reply', status: 'sent', about: { quoteId: id } })
  }
  await openOutbox(page)
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows(page)).toHaveCount(53)
})

test('A failed load of the outbox shows an error and a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  // The test disables live events, because a live event would refetch the outbox before the test clicks.
  await withoutLiveEvents(page)
  await page.route('**/api/outbox?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await openOutbox(page)
  await expect(page.getByText('The outbox could not be loaded.')).toBeVisible()
  await page.unroute('**/api/outbox?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No emails yet')).toBeVisible()
})

test('An appointment shows the delivery state of its confirmation email', async ({
  page,
  shop,
}) => {
  const date = addDays(shopToday(new Date()), 3)
  const arrived = await addBooking(shop, { name: 'Dana Whitfield', time: '11:00:00', date })
  const lost = await addBooking(shop, { name: 'Paul Brandt', time: '13:00:00', date })
  const about = { kind: 'booking_confirmation' } as const
  await addEmail(shop, { ...about, status: 'sent', about: { bookingId: arrived } })
  await addEmail(shop, {
    ...about,
    status: 'failed',
    about: { bookingId: lost },
    error: '550 No such user here',
  })
  await page.goto(`/admin-dashboard/appointments?view=list`)
  const dana = page.getByRole('article').filter({ hasText: 'Dana Whitfield' })
  await expect(confirmation(dana)).toContainText('Sent')
  await expect(dana.getByText('Needs a call')).toBeHidden()
  const paul = page.getByRole('article').filter({ hasText: 'Paul Brandt' })
  await expect(confirmation(paul)).toContainText('550 No such user here')
  await expect(paul.getByText(/^Needs a call\s*\(650\) 555-0167$/)).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/admin-dashboard/appointments?view=calendar&day=${date}`)
  const card = page.getByRole('listitem').filter({ hasText: 'Paul Brandt' })
  await expect(card).toContainText('Needs a call')
  await expectAccessible(page)
  await card.getByRole('button', { name: /^Resend/ }).click()
  await expect(confirmation(card)).toContainText('Kept in outbox')
  await expect(card.getByText('Needs a call')).toBeHidden()
})

test('The confirmation email of a past appointment cannot be sent again', async ({
  page,
  shop,
}) => {
  const date = addDays(shopToday(new Date()), -2)
  const past = await addBooking(shop, { name: 'Dana Whitfield', time: '11:00:00', date })
  await addEmail(shop, {
    kind: 'booking_confirmation',
    status: 'failed',
    about: { bookingId: past },
  })
  await page.goto(`/admin-dashboard/appointments?view=list`)
  const dana = page.getByRole('article').filter({ hasText: 'Dana Whitfield' })
  await expect(confirmation(dana)).toContainText('Not delivered')
  await expect(dana.getByRole('button', { name: /^Resend/ })).toBeHidden()
  await expect(dana.getByText('Needs a call')).toBeHidden()
})
