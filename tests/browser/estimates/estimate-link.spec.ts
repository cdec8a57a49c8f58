import type { Route } from '@playwright/test'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { addEstimate, clearEstimates, resetEstimates, openEstimate } from './estimate-records.ts'
import { expect, expectAccessible, notification, signIn, test } from '#tests/browser/fixtures.ts'

const jobs = [{ title: 'Front brakes', cents: 35_669 }] as const
const email = 'mario@customer.example'
const correctEmail = 'maria@customer.example'

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  await resetEstimates(shop, page)
  await shop.database.query(truncateTables('public.emails'))
})

test('a decision by a wrong recipient is withdrawn, and the estimate is sent to the correct recipient @phone', async ({
  page,
  context,
  shop,
}) => {
  const id = await addEstimate(shop, { email, jobs })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Send for approval' }).click()
  await expect(page.getByRole('region', { name: 'Front brakes' })).toContainText('No answer yet')
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  const visitor = await context.newPage()
  await visitor.goto(`/estimate/${rows[0]?.token}`)
  await visitor.getByLabel(/^Type your name/).fill('Mario Delgado')
  await visitor.getByRole('button', { name: /^Approve \$356\.69/ }).click()
  await expect(page.getByText('Approved by Mario Delgado online').first()).toBeVisible()

  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByRole('textbox', { name: 'Email' }).fill(correctEmail)
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByLabel('The old address was wrong').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Sent to ${email}.`)).toBeVisible()
  const authorizations = page.getByRole('region', { name: 'Authorizations' })
  await expect(authorizations).toContainText(`Withdrawn: wrong recipient ${email}`)
  await expect(authorizations).toContainText('Authorized total $0.00')
  await expect(page.getByRole('button', { name: /^Create invoice/ })).toHaveCount(0)
  await expectAccessible(page)
  await visitor.reload()
  await expect(visitor.getByText(/This link is not valid/)).toBeVisible()
  await visitor.close()

  await page.getByRole('button', { name: `Send again to ${correctEmail}` }).click()
  await expect(notification(page)).toContainText(
    'Email is not set up. The message is in the outbox.',
  )
  await expect(page.getByText(`Sent to ${email}.`)).toHaveCount(0)
})

test.describe('a version conflict of an estimate', () => {
  test.use({ expectedConsoleErrors: [/status of 400/] })

  test('the dialog Change email keeps the typed address when another window saves the estimate first', async ({
    page,
    shop,
  }) => {
    const id = await addEstimate(shop, { email, jobs })
    await openEstimate(page, id)
    await page.getByRole('button', { name: 'Send for approval' }).click()
    await page.getByRole('button', { name: 'Change the estimate' }).click()
    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change email' })
    await dialog.getByRole('textbox', { name: 'Email' }).fill('maria@')
    await expect(dialog.getByText('Enter a complete email address.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Email' }).fill(correctEmail)
    await dialog.getByLabel('The customer has a new address').check()
    // Another browser window saves the estimate during this request, so that no live event can show the other window's
    // version before the response.
    const saveElsewhere = async (route: Route) => {
      await shop.database.query('update public.estimates set version = version + 1 where id = $1', [
        id,
      ])
      await route.continue()
    }
    await page.route('**/rpc/change_estimate_email', saveElsewhere, { times: 1 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('The email was not changed.')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue(correctEmail)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const { rows } = await shop.database.query(
      'select customer_email from public.estimates where id = $1',
      [id],
    )
    expect(rows).toEqual([{ customer_email: correctEmail }])
  })
})

test('a new link of an estimate invalidates the older links', async ({ page, context, shop }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await addEstimate(shop, { email, jobs })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Send for approval' }).click()
  const link = page.getByRole('region', { name: 'Customer’s link' })
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await link.getByRole('button', { name: 'Copy' }).click()
  await expect(notification(page)).toContainText('Link copied.')
  const old = await copied()
  await link.getByRole('button', { name: 'Create new link' }).click()
  await page
    .getByRole('dialog', { name: 'Create new link?' })
    .getByRole('button', { name: 'Create new link' })
    .click()
  await expect(page.getByText('New link created. Older links stopped working.')).toBeVisible()
  const made = await copied()
  const customer = await context.newPage()
  await customer.goto(old)
  await expect(customer.getByText(/This link is not valid/)).toBeVisible()
  await customer.goto(made)
  await expect(customer.getByRole('heading', { name: /Your estimate is ready/ })).toBeVisible()
  await customer.close()
})

test('an estimate without an email address cannot be billed, and keeps its approval', async ({
  page,
  shop,
}) => {
  const id = await addEstimate(shop, { jobs })
  await openEstimate(page, id)
  await page.getByRole('button', { name: 'Record phone approval' }).click()
  await page.getByRole('dialog').getByLabel('Front brakes').selectOption('Approved')
  await page.getByRole('button', { name: 'Record $356.69' }).click()
  await expect(page.getByText(/^The payment provider needs an email address/)).toBeVisible()
  await page.getByRole('button', { name: 'Add email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add email' })
  await dialog.getByRole('textbox', { name: 'Email' }).fill(correctEmail)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Create invoice, $356.69' }).click()
  await expect(page.getByRole('link', { name: /^Invoice \S+$/ })).toBeVisible()
})
