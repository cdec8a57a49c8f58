import { clearEstimates, resetEstimates, newEstimate, saved, total } from './estimate-records.ts'
import {
  expect,
  expectAccessible,
  notification,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'

test.beforeEach(async ({ shop, page }) => {
  await clearEstimates(shop)
  await signIn(page)
})
test.afterEach(({ shop, page }) => resetEstimates(shop, page))

test('staff write an estimate by keyboard alone, and changes are saved automatically', async ({
  page,
  shop,
}) => {
  await newEstimate(page)
  const { keyboard } = page
  await expect(page.getByLabel('Customer', { exact: true })).toBeVisible()
  await page.getByLabel('Customer', { exact: true }).focus()
  await keyboard.type('Maria Delgado')
  await page.getByRole('button', { name: 'Done' }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Add a job' })).toBeFocused()
  await keyboard.type('Front brakes')
  await expect(page.getByRole('option', { name: 'Empty job “Front brakes”' })).toBeVisible()
  await keyboard.press('Enter')
  await keyboard.type('Front pads and discs')
  await keyboard.press('Enter')
  await keyboard.type('0.335')
  await keyboard.press('Enter')
  await keyboard.type('164.95')
  await keyboard.press('Enter')
  // The new line has the kind of the previous line, and the shop's hourly rate.
  await keyboard.type('Road test')
  await keyboard.press('Tab')
  await keyboard.type('0.2')
  await expect(total(page)).toContainText('$84.26')
  await keyboard.press('Alt+ArrowUp')
  await expect(page.getByLabel('Description').first()).toHaveValue('Road test')
  await expect(page.getByLabel('Hours').first()).toBeFocused()
  await keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Job 1: Front brakes' })).toBeFocused()
  await expect(saved(page)).toBeVisible()
  await expectAccessible(page)
  const { rows } = await shop.database.query(
    'select description, quantity_thousandths, unit_price_cents from estimate_lines order by position',
  )
  expect(rows).toEqual([
    { description: 'Road test', quantity_thousandths: 200, unit_price_cents: 14_500 },
    { description: 'Front pads and discs', quantity_thousandths: 335, unit_price_cents: 16_495 },
  ])
})

test('a job of an estimate has parts, fees, a discount and a measurement, and can be postponed @phone', async ({
  page,
}) => {
  await newEstimate(page)
  const job = page.getByRole('region', { name: /^Job 1/ })
  await page.getByRole('combobox', { name: 'Add a job' }).fill('Front brakes')
  await page.keyboard.press('Enter')
  await expect(job.getByLabel('Description')).toBeFocused()
  await job.getByLabel('Description').fill('Front pads and discs')
  await job.getByLabel('Hours').fill('1.2')
  await job.getByLabel('Rate per hour').fill('145')
  await job.getByRole('button', { name: 'Part', exact: true }).click()
  await job.getByLabel('Description').last().fill('Brake disc, front, 316 mm')
  await job.getByLabel('Condition').selectOption('Rebuilt')
  await job.getByLabel('Quantity').last().fill('2')
  await job.getByLabel('Unit price').last().fill('54.50')
  await expect(job.getByLabel('Taxable').last()).toBeChecked()
  await job.getByRole('button', { name: 'Discount', exact: true }).click()
  await job.getByLabel('Description').last().fill('Returning customer, off labor')
  await job.getByLabel('Unit price').last().fill('−15.00')
  await expect(job.getByRole('row').last()).toContainText('−$15.00')
  // The lines cost $174.00 + $109.00 - $15.00; the tax is 9.125 % of $109.00.
  await expect(total(page)).toContainText('$277.95')
  await job.getByRole('button', { name: 'Measurement' }).click()
  await expect(job.getByLabel('Measured')).toBeFocused()
  await job.getByLabel('Measured').fill('2')
  await job.getByLabel('Limit').fill('3')
  await job.getByLabel('New', { exact: true }).fill('11')
  await job.getByRole('radio', { name: 'Recommended' }).check()
  await job.getByLabel('In plain words').fill('The pads are almost gone.')
  await expect(saved(page)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(job.getByLabel('Condition')).toHaveValue('rebuilt')
  await expect(job.getByLabel('Unit price').last()).toHaveValue('−15.00')
  await expect(job.getByLabel('Measured')).toHaveValue('2')
  await expect(job.getByRole('radio', { name: 'Recommended' })).toBeChecked()
  await expect(total(page)).toContainText('$277.95')
})

test('an invalid value in an estimate shows an error in its cell, is kept, and is saved once it is valid', async ({
  page,
  shop,
}) => {
  await newEstimate(page)
  await page.getByRole('combobox', { name: 'Add a job' }).fill('Brakes')
  await page.keyboard.press('Enter')
  await page.getByLabel('Description').fill('Pads')
  const rate = page.getByLabel('Rate per hour')
  await rate.fill('815.955')
  await expect(rate).toHaveAccessibleDescription(
    'Enter whole cents: 815.955 has a fraction of a cent.',
  )
  await expect(page.getByText(/^Not saved yet\./)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(rate).toHaveValue('815.955')
  await rate.fill('815.95')
  await expect(saved(page)).toBeVisible()
  const { rows } = await shop.database.query('select unit_price_cents from estimate_lines')
  expect(rows).toEqual([{ unit_price_cents: 81_595 }])
})

test('Undo restores a removed line of an estimate; after the removal the focus is on a neighboring line', async ({
  page,
}) => {
  await newEstimate(page)
  for (const title of ['Brakes', 'Coolant']) {
    await page.getByRole('combobox', { name: 'Add a job' }).fill(title)
    await page.keyboard.press('Enter')
    await page.getByLabel('Description').last().fill(title)
  }
  await page.getByRole('button', { name: 'Remove job Brakes' }).click()
  await expect(page.getByLabel('Job', { exact: true })).toHaveValue('Coolant')
  await expect(page.getByLabel('Job', { exact: true })).toBeFocused()
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Job', { exact: true }).first()).toHaveValue('Brakes')
  await page.getByRole('button', { name: 'Move job Brakes', exact: true }).click()
  await expect(page.getByLabel('Job', { exact: true }).first()).toHaveValue('Coolant')
  await page.getByRole('button', { name: 'Remove line' }).first().click()
  await expect(page.getByRole('button', { name: 'Labor', exact: true }).first()).toBeFocused()
  await notification(page).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Description').first()).toHaveValue('Coolant')
})

test('a saved canned job is suggested in the next estimate', async ({ page }) => {
  await newEstimate(page)
  const add = page.getByRole('combobox', { name: 'Add a job' })
  await add.fill('Rear brakes')
  await page.keyboard.press('Enter')
  await page.getByLabel('Description').fill('Pads and discs')
  await page.getByLabel('Hours').fill('1.3')
  await page.getByRole('button', { name: 'Save as canned job' }).click()
  await expect(notification(page)).toContainText('Saved as canned job')
  await expect(saved(page)).toBeVisible()
  await newEstimate(page)
  await add.fill('bra')
  await expect(page.getByRole('option').first()).toContainText('Rear brakes$188.501.3 h')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Hours')).toHaveValue('1.3')
  await add.click()
  await page.getByRole('button', { name: 'Canned jobs…' }).click()
  await page.getByRole('button', { name: 'Delete Rear brakes' }).click()
  await expect(page.getByRole('dialog')).toContainText('No canned jobs yet.')
  await expectAccessible(page, 'dialog')
})

test.describe('without a connection', () => {
  test.use({ expectedConsoleErrors: [/ERR_INTERNET_DISCONNECTED/] })

  test('input in an estimate is kept, shown as unsaved, and saved after the connection returns', async ({
    page,
    context,
    shop,
  }) => {
    await newEstimate(page)
    await context.setOffline(true)
    await page.getByLabel('Note to the customer').fill('Call me.')
    await expect(page.getByText(/^No connection\. Showing/)).toBeVisible()
    await expect(page.getByText('not saved', { exact: true })).toBeVisible()
    await context.setOffline(false)
    await expect(saved(page)).toBeVisible()
    const { rows } = await shop.database.query('select customer_note from estimate_revisions')
    expect(rows).toEqual([{ customer_note: 'Call me.' }])
  })
})

test.describe('failures of the autosave', () => {
  test.use({ expectedConsoleErrors: [/rpc\/save_estimate/] })

  test('a failed save of an estimate shows an error, keeps the input after a reload, and can be retried', async ({
    page,
  }) => {
    await newEstimate(page)
    await page.route('**/rpc/save_estimate', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.getByLabel('Internal note').fill('Discs at NorCal Parts')
    await expect(page.getByText(/^The server did not respond/)).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Internal note')).toHaveValue('Discs at NorCal Parts')
    await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
    await page.unroute('**/rpc/save_estimate')
    await page.getByRole('button', { name: 'Try now' }).click()
    await expect(saved(page)).toBeVisible()
  })

  test('a save of an estimate does not overwrite the changes that another window saved first', async ({
    page,
    context,
    shop,
  }) => {
    await newEstimate(page)
    await page.getByRole('combobox', { name: 'Add a job' }).fill('Brakes')
    await page.keyboard.press('Enter')
    await page.getByLabel('Description').fill('Pads')
    await expect(saved(page)).toBeVisible()
    const other = await context.newPage()
    for (const window of [page, other]) await withoutLiveEvents(window)
    await page.reload()
    // This browser window loads the estimate before the other window saves the estimate.
    await expect(page.getByLabel('Description')).toHaveValue('Pads')
    await other.goto(page.url())
    await other.getByLabel('Hours').fill('3')
    await expect(saved(other)).toBeVisible()
    await page.getByLabel('Note to the customer').fill('Call me.')
    const notice = page.getByRole('main').getByRole('alert')
    await expect(notice).toContainText(/^admin changed this/)
    await page.getByText('Show the changes').click()
    await expect(notice).toContainText('Brakes changed, $0.00 before, $435.00.')
    await expectAccessible(page)
    await expect(page.getByLabel('Note to the customer')).toHaveValue('Call me.')
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await expect(saved(page)).toBeVisible()
    await expect(page.getByLabel('Hours')).toHaveValue('3')
    const { rows } = await shop.database.query(
      `select customer_note, quantity_thousandths from estimate_revisions join estimate_lines using (estimate_id, revision)`,
    )
    expect(rows).toEqual([{ customer_note: 'Call me.', quantity_thousandths: 3000 }])
  })
})

test('a draft estimate that was never sent is deleted after a confirmation', async ({
  page,
  shop,
  context,
}) => {
  await newEstimate(page)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete this estimate?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  const other = await context.newPage()
  await other.goto('/admin-dashboard/invoices')
  await expect(other.getByRole('link', { name: /^E-/ })).toBeVisible()
  // The live event of the deletion arrives before the response to the deletion.
  await page.route('**/rest/v1/rpc/delete_estimate', async (route) => {
    const response = await route.fetch()
    await expect(other.getByText('No estimates yet.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Deleting…' })).toBeVisible()
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(notification(page)).toContainText('deleted')
  await expect(page.getByText('No estimates yet.')).toBeVisible()
  expect((await shop.database.query('select from estimates')).rowCount).toBe(0)
})
