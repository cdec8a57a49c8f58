import { fillDay, fixtureDay, resetDay } from '#tests/browser/day/day-records.ts'
import { expect, openDashboard, type Page, signIn, test } from '#tests/browser/fixtures.ts'

const id = '00000000-0000-4000-8000-000000000001'
const block = (page: Page, name: RegExp) => page.locator('.day-grid').getByRole('button', { name })
const bookingPanel = (page: Page, name: string) => page.getByRole('dialog', { name })

test.beforeEach(({ shop }) => fillDay(shop))
test.afterEach(({ shop }) => resetDay(shop))

test('The dashboard opens the calendar at the first visit, and later the view that was used last', async ({
  page,
}) => {
  await openDashboard(page)
  await expect(page).toHaveURL(/\/admin-dashboard\/appointments\?view=calendar$/)
  await expect(page.getByText('Week of')).toBeVisible()
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect(page).toHaveURL(/\/admin-dashboard\/day$/)
  await page.goto('/admin-dashboard')
  await expect(page).toHaveURL(/\/admin-dashboard\/day$/)
  await page.getByRole('tab', { name: 'Quote Requests' }).click()
  await expect(page).toHaveURL(/\/admin-dashboard\/quotes$/)
  await page.goto('/admin-dashboard')
  await expect(page).toHaveURL(/\/admin-dashboard\/quotes$/)
})

test('A former URL redirects to the view that replaced its view', async ({
  page,
  expectedConsoleErrors,
}) => {
  // No record has this id.
  expectedConsoleErrors.push(/400/)
  await signIn(page)
  const former = [
    ['?tab=today', '/today'],
    ['?tab=appointments&view=day&day=2026-11-24', '/day/2026-11-24'],
    [`?tab=appointments&view=day&day=2026-11-24&booking=${id}`, `/day/2026-11-24?booking=${id}`],
    ['?tab=appointments&view=list', '/appointments?view=list'],
    [`?tab=tasks&task=${id}`, `/tasks?task=${id}`],
    [`?tab=quotes&quote=${id}`, `/quotes?quote=${id}`],
    ['?tab=invoices&invoice=in_1', '/invoices?invoice=in_1'],
    [`?tab=invoices&estimate=${id}`, `/estimates/${id}`],
    [`?tab=person&person=${id}`, `/customers/${id}`],
    [`?tab=car&car=${id}`, `/vehicles/${id}`],
    ['?tab=settings&section=hours', '/settings/hours'],
    ['?tab=outbox', '/outbox'],
  ] as const
  for (const [search, view] of former) {
    await page.goto(`/admin-dashboard${search}`)
    await expect(page).toHaveURL(`/admin-dashboard${view}`)
  }
})

test('An unknown URL below the dashboard shows a not-found page', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/404/)
  for (const view of ['nothing', 'day/tomorrow', 'settings/nothing', 'customers']) {
    const response = await page.goto(`/admin-dashboard/${view}`)
    expect(response?.status()).toBe(404)
    await expect(page.getByText('Oops! Page not found')).toBeVisible()
  }
})

test('A link opens the booking panel, a reload keeps it open, and Back closes it @phone', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await page
    .getByRole('button', { name: /Maria Delgado/ })
    .first()
    .click()
  await expect(bookingPanel(page, 'Maria Delgado')).toBeVisible()
  await expect(page).toHaveURL(/\?booking=[\w-]{36}$/)
  const address = page.url()
  await page.goBack()
  await expect(bookingPanel(page, 'Maria Delgado')).toBeHidden()
  await expect(page).toHaveURL(`/admin-dashboard/day/${fixtureDay}`)
  await page.goForward()
  await expect(bookingPanel(page, 'Maria Delgado')).toBeVisible()
  await page.reload()
  await expect(bookingPanel(page, 'Maria Delgado')).toBeVisible()
  await page.goto('/admin-dashboard/tasks')
  await page.goto(address)
  await expect(bookingPanel(page, 'Maria Delgado')).toBeVisible()
  await bookingPanel(page, 'Maria Delgado').getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/admin-dashboard/day/${fixtureDay}`)
})

test('Back closes the search and the phone booking panel, and the panel keeps its input', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/admin-dashboard/tasks')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  await expect(page).toHaveURL('/admin-dashboard/tasks?panel=search')
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden()

  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await expect(block(page, /Maria Delgado/)).toBeVisible()
  await page.keyboard.press('n')
  const booking = page.getByRole('dialog', { name: /Book by phone/ })
  await booking.getByRole('combobox', { name: 'Who is calling?' }).fill('Tessa Blackwood')
  // The URL contains the date that the panel proposes: `fixtureDay`, or the browser's current date once `fixtureDay` is
  // in the past, because the panel books no past date.
  await expect(page).toHaveURL(/\/day\/2026-11-24\?book=[\d-]{10}$/)
  expect(page.url()).not.toContain('Tessa')
  await page.goBack()
  await expect(booking).toBeHidden()
  await page.goForward()
  await expect(booking.getByRole('combobox', { name: 'Who is calling?' })).toHaveValue(
    'Tessa Blackwood',
  )
})

test('The search opens over unsaved settings without a confirmation, and opening a result asks before it discards them', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/admin-dashboard/settings/rules')
  await page.getByLabel('Booking window').selectOption('60 days')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill('Maria Delgado')
  await page
    .getByRole('option', { name: /Maria Delgado/ })
    .first()
    .click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page).toHaveURL(/settings\/rules/)
  await page
    .getByRole('option', { name: /Maria Delgado/ })
    .first()
    .click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).not.toHaveURL(/settings/)
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden()
})

test('A link opens the status panel of a task, and Back closes it', async ({ page, shop }) => {
  await shop.database.query(`insert into tasks (title) values ('Order brake discs')`)
  await signIn(page)
  await page.goto('/admin-dashboard/tasks')
  await page
    .getByRole('button', { name: /^Update Status/ })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Update Task Status' })
  await expect(panel).toContainText('Order brake discs')
  await page.reload()
  await expect(panel).toContainText('Order brake discs')
  await page.goBack()
  await expect(panel).toBeHidden()
  await expect(page).toHaveURL('/admin-dashboard/tasks')
})
