import { readFile } from 'node:fs/promises'
import {
  confirmSessions,
  expect,
  expectAccessible,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'
import { addMaria, resetCustomers } from '#tests/browser/customers/customer-records.ts'

test.use({ expectedConsoleErrors: [/Failed to load resource/] })

test.beforeEach(async ({ shop, page }) => {
  await addMaria(shop)
  await signIn(page)
  await confirmSessions(shop)
  await page.goto('/admin-dashboard/settings/accountant')
  await expect(page.getByRole('button', { name: 'Last month' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})
test.afterEach(({ shop }) => resetCustomers(shop))

const endpoint = '**/api/accountant/file'
const from = (page: Page) => page.getByLabel('From', { exact: true })
const to = (page: Page) => page.getByLabel('To', { exact: true })
const download = (page: Page) => page.getByRole('button', { name: 'Download appointments' })

test('The records of the chosen days are saved as a file for the accountant, by keyboard alone', async ({
  page,
}) => {
  await from(page).fill('2026-06-20')
  await to(page).fill('2026-10-03')
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await download(page).press('Enter')
  const file = await saved
  expect(file.suggestedFilename()).toBe('appointments-2026-06-20-to-2026-10-03.csv')
  await expect(page.getByText(`Saved as ${file.suggestedFilename()}.`)).toBeVisible()
  await expect(download(page)).toBeFocused()
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines.map((line) => line.split(',').slice(0, 7).join(','))).toEqual([
    '\u{feff}Date,Time,Service,Minutes,Price from (USD),State,Customer',
    '2026-06-20,13:00,Oil Change,45,,Picked up,Maria Delgado',
    '2026-08-12,13:00,Oil Change,45,,No-show,Maria Delgado',
    '2026-10-03,13:00,Brake Job,90,,Picked up,Maria Delgado',
    '',
  ])
  await expectAccessible(page)
})

test('Each kind of record has its own file for the accountant', async ({ page }) => {
  await expect(page.getByRole('listitem').getByRole('heading')).toHaveText([
    'Appointments',
    'Invoices',
    'Payments',
    'Refunds',
    'Deposits',
    'Write-offs',
    'Day closes',
    'Customers',
  ])
  await from(page).fill('2020-01-01')
  await to(page).fill('2020-12-31')
  await page.getByRole('button', { name: 'Download refunds' }).press('Enter')
  await expect(page.getByText(/^There are no refunds from January 1, 2020/)).toBeVisible()
  await expectAccessible(page)
})

test('An empty or invalid period shows a message instead of a file for the accountant', async ({
  page,
}) => {
  await from(page).fill('2020-01-01')
  await to(page).fill('2019-12-31')
  await download(page).press('Enter')
  await expect(to(page)).toBeFocused()
  await expect(to(page)).toHaveAccessibleDescription(/The last day is before the first one/)
  await to(page).fill('2020-12-31')
  await download(page).press('Enter')
  await expect(
    page.getByText(
      'There are no appointments from January 1, 2020 to December 31, 2020, so there is no file.',
    ),
  ).toBeVisible()
})

test('A failed download of a file for the accountant shows an error with instructions, and can be retried', async ({
  page,
}) => {
  await from(page).fill('2026-01-01')
  const failure = page.getByRole('alert').filter({ hasText: 'No file was saved.' })
  await page.route(endpoint, (route) =>
    route.fulfill({
      status: 500,
      json: { ok: false, code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' },
    }),
  )
  await download(page).press('Enter')
  await expect(failure).toContainText('Something went wrong on our side.')
  await expectAccessible(page)
  await page.unroute(endpoint)
  await page.route(endpoint, (route) => route.abort())
  await failure.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(failure).toContainText('The connection ended before the download was complete.')
  await page.unroute(endpoint)
  const saved = page.waitForEvent('download')
  await failure.getByRole('button', { name: 'Try again' }).press('Enter')
  await saved
  await expect(failure).toBeHidden()
  await expect(download(page)).toBeFocused()
})

test('A slow download of a file for the accountant can be cancelled', async ({ page }) => {
  await from(page).fill('2026-01-01')
  // The request for the file never gets a response.
  await page.route(endpoint, () => undefined)
  await download(page).press('Enter')
  await expect(page.getByText('Reading…')).toBeVisible()
  await page.getByRole('button', { name: 'Stop appointments' }).press('Enter')
  await expect(page.getByText('Stopped. No file was saved.')).toBeVisible()
  await expect(download(page)).toBeFocused()
})
