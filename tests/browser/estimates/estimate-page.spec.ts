import { expect, expectAccessible, type Page, test } from '#tests/browser/fixtures.ts'
import {
  sendTestEstimate,
  sendNextRevision,
  resetSentEstimates,
  readSentRevision,
  withExtraJob,
} from './sent-estimate-records.ts'
import { sampleSentJob } from '#tests/support/estimates/sample-sent-revision.ts'
import {
  expectNoWiderThanScreen,
  heading,
  main,
} from '#tests/browser/visit-page/visit-page-steps.ts'

test.beforeEach(({ shop }) => shop.setClock('2026-11-24T15:18:00-08:00'))
test.afterEach(({ shop }) => resetSentEstimates(shop))

const decide = (page: Page, job: string, label: 'Approve' | 'Not now') =>
  page.getByRole('group', { name: job }).getByText(label, { exact: true }).click()
const name = (page: Page) => page.getByLabel('Type your name to approve')
const approve = (page: Page, amount: string) =>
  page.getByRole('button', { name: `Approve ${amount}` })
const posted = (page: Page) => {
  const all: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') all.push(new URL(request.url()).pathname)
  })
  return all
}

test('a customer reads an estimate, decides about each job and approves it @phone', async ({
  page,
  shop,
}) => {
  const { id, path } = await sendTestEstimate(shop)
  const posts = posted(page)
  await page.goto(path)
  await expect(heading(page, 'Your estimate is ready')).toBeVisible()
  await expect(main(page)).toContainText('Maria Delgado, 2019 Subaru Outback')
  await expect(page.getByRole('img', { name: /^Front brakes: 2 mm/ })).toBeVisible()
  await expectAccessible(page)
  // Opening the page changes no data, even if the page's scripts run.
  expect(posts).toEqual([])
  await decide(page, 'Cabin air filter', 'Approve')
  await expect.poll(() => posts).toEqual([`${path}/seen`])
  await expect(approve(page, '$412.37')).toBeVisible()
  await expect(main(page)).toContainText(/2 of 3 jobs, tax included\s*\$412\.37/)
  await decide(page, 'Coolant flush', 'Approve')
  await expect(approve(page, '$582.17')).toBeVisible()
  await decide(page, 'Coolant flush', 'Not now')
  await page.getByText('What this price includes').first().click()
  await expect(page.getByText('Labor, 1.2 h')).toBeVisible()
  await expectAccessible(page)
  await name(page).fill('Maria Delgado')
  await page.getByLabel('I want the replaced parts back').check()
  await approve(page, '$412.37').click()
  await expect(heading(page, 'You approved 2 of 3 jobs')).toBeVisible()
  await expect(main(page)).toContainText('Maria Delgado, online, November 24, 2026, 3:18 PM')
  await expect(main(page)).toContainText(/Approved so far\s*\$412\.37/)
  await expectAccessible(page)
  expect((await readSentRevision(shop, id))?.authorizedCents).toBe(41_237)
  expect(posts).toEqual([`${path}/seen`, `${path}/approve`])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('a customer decides by keyboard alone, and the estimate page asks for a missing name', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/422/)
  const { path } = await sendTestEstimate(shop)
  await page.goto(path)
  await page.getByRole('radio', { name: 'Approve' }).first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('link', { name: 'Decline', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(approve(page, '$356.69')).toBeVisible()
  await approve(page, '$356.69').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please type your name.').first()).toBeVisible()
  await expect(name(page)).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await name(page).fill('Maria Delgado')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'You approved 1 of 3 jobs')).toBeVisible()
})

test('a customer declines all jobs of an estimate after one confirmation', async ({
  page,
  shop,
}) => {
  const { id, path } = await sendTestEstimate(shop)
  await page.goto(path)
  await page.getByRole('link', { name: 'Decline everything' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decline this estimate?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Decline everything' }).click()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(heading(page, 'You declined this estimate')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your answer' })).toBeVisible()
  await expect(main(page)).not.toContainText(/You approve up to|Approved so far/)
  expect((await readSentRevision(shop, id))?.authorizedCents).toBe(0)
})

test('a change that the shop makes while the customer decides is shown for review, and the input is kept', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/409/)
  const { id, path } = await sendTestEstimate(shop)
  await page.goto(path)
  await decide(page, 'Cabin air filter', 'Approve')
  await name(page).fill('Maria Delgado')
  const job = sampleSentJob({ key: '00000000-0000-4000-8000-00000000000d', title: 'Slide pins' })
  const { totalCents: _total, taxCents: _tax, decision: _, authorizedCents: _cents, ...pins } = job
  await sendNextRevision(shop, id, withExtraJob(pins))
  await approve(page, '$412.37').click()
  await expect(page.getByRole('status')).toContainText(
    'The shop changed this estimate. Please review it again.',
  )
  await expect(name(page)).toHaveValue('Maria Delgado')
  // The page keeps the earlier decisions and preselects the new job as approved, because staff marked that job as
  // needed now.
  await approve(page, '$557.37').click()
  await expect(heading(page, 'You approved 3 of 4 jobs')).toBeVisible()
  expect((await readSentRevision(shop, id))?.authorizedCents).toBe(55_737)
})

test('the page of an expired estimate states that it has expired and shows the phone number', async ({
  page,
  shop,
}) => {
  const { path } = await sendTestEstimate(shop)
  await shop.setClock('2026-12-09T00:00:00-08:00')
  await page.goto(path)
  await expect(heading(page, 'This estimate has expired')).toBeVisible()
  await expect(main(page)).toContainText("Call (650) 555-0142 and we'll send you a new one.")
  await expect(page.getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
})

test('an invalid link to an estimate shows the phone number', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/404/)
  await page.goto(`/estimate/${'a'.repeat(43)}`)
  await expect(heading(page, 'This link is not valid.')).toBeVisible()
  await expectAccessible(page)
})

test('on a phone the total of an estimate stays at the bottom and links to the decision @phone', async ({
  page,
  shop,
}) => {
  const note = `See ${'featherstonehaugh'.repeat(3)}.`
  const { path } = await sendTestEstimate(shop, { change: { customerNote: note } })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    await page.goto(path)
    await expectNoWiderThanScreen(page)
    const link = page.getByRole('link', { name: 'Review and approve' })
    await expect(link).toBeInViewport()
    await decide(page, 'Cabin air filter', 'Approve')
    await expect(link.locator('..')).toContainText('2 of 3 jobs$412.37')
    await link.click()
    await expect(approve(page, '$412.37')).toBeInViewport()
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the server computes the total of a changed selection of jobs before the approval', async ({
    page,
    shop,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/409/)
    const { id, path } = await sendTestEstimate(shop)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(path)
    await expectNoWiderThanScreen(page)
    await decide(page, 'Cabin air filter', 'Approve')
    await name(page).fill('Maria Delgado')
    await approve(page, '$356.69').click()
    await expect(page.getByRole('status')).toContainText(
      'The jobs you chose cost $412.37. Please review this total, then approve.',
    )
    await expect(name(page)).toHaveValue('Maria Delgado')
    await approve(page, '$412.37').click()
    await expect(heading(page, 'You approved 2 of 3 jobs')).toBeVisible()
    expect((await readSentRevision(shop, id))?.authorizedCents).toBe(41_237)
  })

  test('the customer declines all jobs on a separate page', async ({ page, shop }) => {
    const { path } = await sendTestEstimate(shop)
    await page.goto(path)
    await page.getByRole('link', { name: 'Decline everything' }).click()
    await expect(heading(page, 'Decline this estimate?')).toBeVisible()
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(heading(page, 'You declined this estimate')).toBeVisible()
  })
})
