import {
  expect,
  expectAccessible,
  messageInOutbox,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { addEmail, addQuote, clearQuotes } from '#tests/browser/shop-records.ts'

const openQuotes = async (page: Page) => {
  await page.goto('/admin-dashboard/quotes')
  await expect(page.getByRole('heading', { name: /^Pending Quote Requests \(\d/ })).toBeVisible()
}
const openAutomated = (page: Page, row: string) => page.getByText(row, { exact: true }).click()
const record = (page: Page, name: string) =>
  page.getByRole('article', { name: `Quote request of ${name}` })
const press = (page: Page, name: string, button: string) =>
  record(page, name)
    .getByRole('button', { name: new RegExp(`^${button}`) })
    .click()
const replyDialog = (page: Page) => page.getByRole('dialog', { name: 'Reply to Quote Request' })

/** Inserts a quote request as in docs/product.md 7.2, without the form and its token. */
async function insertAsVisitor(page: Page, name: string): Promise<void> {
  await page.goto('/request-quote')
  const settings = await page.locator('meta[name="data-service"]').getAttribute('content')
  const { anonKey } = JSON.parse(settings ?? '{}') as { anonKey: string }
  const response = await page.request.post('/rest/v1/quote_requests', {
    headers: { apikey: anonKey, authorization: `Bearer ${anonKey}` },
    data: {
      name,
      email: 'dana@customer.example',
      phone: null,
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      service_type: null,
      description: 'Grinding from the front left.',
      status: 'pending',
    },
  })
  expect(response.status()).toBe(201)
}

test.beforeEach(async ({ shop, page }) => {
  await clearQuotes(shop)
  await signIn(page)
})

test('The list of pending quote requests and the list of completed ones each show a message when they are empty', async ({
  page,
}) => {
  await openQuotes(page)
  await expect(page.getByRole('heading', { name: 'Pending Quote Requests (0)' })).toBeVisible()
  await expect(page.getByText('No pending quote requests')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (0)' })).toBeVisible()
  await expect(page.getByText('No completed quote requests')).toBeVisible()
  await expect(page.getByText('Looks automated')).toBeHidden()
  await expectAccessible(page)
})

test('A quote request shows all its fields, with its time in shop time', async ({ page, shop }) => {
  await addQuote(shop, { name: 'Iris Kwan', createdAt: '2026-11-20T17:14:00Z' })
  await addQuote(shop, { name: 'Paul Brandt', phone: null, service: null, status: 'completed' })
  await openQuotes(page)
  const iris = record(page, 'Iris Kwan')
  for (const text of [
    'Pending',
    'iris@customer.example',
    '(650) 555-0197',
    'Transmission Service',
    '2015 Honda Accord',
    'November 20, 2026, 9:14 AM',
    'Hesitates between second and third.',
  ]) {
    await expect(iris).toContainText(text)
  }
  const paul = record(page, 'Paul Brandt')
  await expect(paul).toContainText('Not specified')
  await expect(paul).toContainText('Completed')
  await expect(paul.locator('a[href^="tel:"]')).toHaveCount(0)
  await expect(paul.getByRole('button', { name: /^Reply/ })).toBeHidden()
  await expect(paul.getByRole('button', { name: /^Delete/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pending Quote Requests (1)' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (1)' })).toBeVisible()
  await expectAccessible(page)
})

test('While staff type a reply, the list shows a new quote request, and a request that another window completed leaves the list', async ({
  page,
  shop,
}) => {
  const iris = await addQuote(shop, { name: 'Iris Kwan' })
  const live = page.waitForResponse('**/api/admin/live')
  await openQuotes(page)
  await live
  await press(page, 'Iris Kwan', 'Reply')
  await replyDialog(page).getByLabel('Additional Notes').fill('Fluid and filter first.')

  await addQuote(shop, { name: 'Paul Brandt' })
  const record = (name: string) => page.locator(`[aria-label="Quote request of ${name}"]`)
  await expect(record('Paul Brandt')).toBeVisible()
  const pending = page.locator('h2', { hasText: 'Pending Quote Requests' })
  await expect(pending).toHaveText('Pending Quote Requests (2)')
  await expect(replyDialog(page).getByLabel('Additional Notes')).toHaveValue(
    'Fluid and filter first.',
  )
  await expect(replyDialog(page).getByLabel('Additional Notes')).toBeFocused()

  await shop.database.query(`update quote_requests set status = 'completed' where id = $1`, [iris])
  await expect(pending).toHaveText('Pending Quote Requests (1)')
  await expect(replyDialog(page).getByLabel('Additional Notes')).toHaveValue(
    'Fluid and filter first.',
  )
  await replyDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('A reply to a quote request is drafted from price and notes, sent and logged, and completes the request @phone', async ({
  page,
  shop,
}) => {
  const id = await addQuote(shop, { name: 'Iris Kwan' })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Reply')
  const dialog = replyDialog(page)
  await expect(dialog.getByLabel('Subject')).toHaveValue(
    'Quote for Transmission Service - 2015 Honda Accord',
  )
  await dialog.getByLabel('Estimated Price').fill('240-310')
  await dialog.getByLabel('Additional Notes').fill('Fluid and filter first.')
  const draft = [
    'Hi Iris,',
    'Thank you for writing to Torque & Timing about your 2015 Honda Accord.',
    'Estimated price: $240 – $310',
    'Fluid and filter first.',
    'Torque & Timing, (650) 555-0142',
  ].join('\n\n')
  await expect(dialog.getByLabel('Email Content')).toHaveValue(draft)
  await expectAccessible(page)
  await dialog.getByLabel('Email Content').fill(`${draft}\n\nAna`)
  const request = page.waitForRequest('**/api/commands/reply-to-quote')
  await dialog.getByRole('button', { name: 'Send Email' }).click()
  expect((await request).postDataJSON().input).toEqual({
    quoteRequestId: id,
    recipientEmail: 'iris@customer.example',
    recipientName: 'Iris Kwan',
    subject: 'Quote for Transmission Service - 2015 Honda Accord',
    originalDraft: draft,
    polishedDraft: null,
    finalBody: `${draft}\n\nAna`,
    vehicleInfo: '2015 Honda Accord',
  })
  await expect(page.getByText('Email Sent')).toBeVisible()
  await expect(notification(page)).toContainText(messageInOutbox)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (1)' })).toBeVisible()
  const iris = record(page, 'Iris Kwan')
  await expect(iris.getByRole('group', { name: 'Reply' })).toContainText('Kept in outbox')
  await iris.getByText('Your reply: Quote for Transmission Service').click()
  await expect(iris.getByText('Fluid and filter first.')).toBeVisible()
})

test('The text of a reply follows price and notes until staff edit it, can be reset, and is not sent blank', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Iris Kwan' })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Reply')
  const dialog = replyDialog(page)
  const content = dialog.getByLabel('Email Content')
  await content.fill('My own words')
  await dialog.getByLabel('Estimated Price').fill('99')
  await expect(content).toHaveValue('My own words')
  await dialog.getByRole('button', { name: 'Restore generated email' }).click()
  await expect(content).toHaveValue(/Estimated price: \$99/)
  await expect(dialog.getByText('You edited this email')).toBeHidden()
  const send = dialog.getByRole('button', { name: 'Send Email' })
  await expect(send).toBeEnabled()
  await dialog.getByLabel('Subject').fill('   ')
  await expect(send).toBeDisabled()
  await dialog.getByLabel('Subject').fill('Your Accord')
  await dialog.getByLabel('Email Content').fill(' \n ')
  await expect(send).toBeDisabled()
})

test('A reply that the mail server refuses keeps its text and can be sent again', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await addQuote(shop, { name: 'Iris Kwan' })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Reply')
  const dialog = replyDialog(page)
  await dialog.getByLabel('Estimated Price').fill('$240')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/commands/reply-to-quote', async (route) => {
    await held
    await route.fulfill({
      status: 502,
      json: {
        ok: false,
        code: 'REPLY_NOT_SENT',
        message: 'The mail server did not accept the email. It was not sent.',
      },
    })
  })
  await dialog.getByRole('button', { name: 'Send Email' }).click()
  await expect(dialog.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  release()
  await expect(page.getByText('Send Failed')).toBeVisible()
  await expect(page.getByText('Failed to send email. Please try again.')).toBeVisible()
  await expect(dialog.getByText('The mail server did not accept the email.')).toBeVisible()
  await expect(dialog.getByLabel('Email Content')).toHaveValue(/\$240/)
  await expectAccessible(page)
  await page.unroute('**/api/commands/reply-to-quote')
  await dialog.getByRole('button', { name: 'Send Email' }).click()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (1)' })).toBeVisible()
})

test('Input in a reply is discarded only after a confirmation', async ({ page, shop }) => {
  await addQuote(shop, { name: 'Iris Kwan' })
  await page.goto('/admin-dashboard/tasks')
  const quotes = page.getByRole('tab', { name: 'Quote Requests' })
  await quotes.click()
  await press(page, 'Iris Kwan', 'Reply')
  const dialog = replyDialog(page)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await press(page, 'Iris Kwan', 'Reply')
  await dialog.getByLabel('Estimated Price').fill('$240')
  const question = page.getByRole('dialog', { name: 'Discard this reply?' })
  for (const _ of [1, 2]) {
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(dialog.getByLabel('Estimated Price')).toHaveValue('$240')
  }
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Keep writing' }).click()
  // The browser's Back button opens the previous view and closes the dialog, but does not discard the typed reply.
  await page.goBack()
  await expect(dialog).toBeHidden()
  await quotes.click()
  await press(page, 'Iris Kwan', 'Reply')
  await expect(dialog.getByLabel('Estimated Price')).toHaveValue('$240')

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await press(page, 'Iris Kwan', 'Reply')
  await expect(dialog.getByLabel('Estimated Price')).toHaveValue('')
})

test('A quote request and its logs are deleted only after a confirmation', async ({
  page,
  shop,
}) => {
  const id = await addQuote(shop, { name: 'Iris Kwan', status: 'completed' })
  const emailId = await addEmail(shop, {
    kind: 'quote_reply',
    status: 'sent',
    about: { quoteId: id },
  })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete Quote Request' })
  await expect(question).toContainText('cannot be undone')
  await expect(question).toContainText('All associated email logs are also deleted.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(record(page, 'Iris Kwan')).toBeVisible()
  await press(page, 'Iris Kwan', 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Quote Deleted')).toBeVisible()
  await expect(page.getByText('No completed quote requests')).toBeVisible()
  const { rows } = await shop.database.query('select id from emails where id = $1', [emailId])
  expect(rows).toEqual([])
})

test('A failed deletion shows an error and keeps the quote request', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await addQuote(shop, { name: 'Iris Kwan' })
  await openQuotes(page)
  await page.route('**/rest/v1/quote_requests?id=*', (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  )
  await press(page, 'Iris Kwan', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete Quote Request' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Delete Failed')).toBeVisible()
  await expect(page.getByText('Failed to delete quote request. Please try again.')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(record(page, 'Iris Kwan')).toBeVisible()
})

test('A quote request that was sent to the REST API without the quote form is a collapsed row until staff mark the request as no spam', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Iris Kwan', createdAt: '2026-11-20T17:14:00Z' })
  await insertAsVisitor(page, 'Dana Whitfield')
  await openQuotes(page)
  await expect(page.getByRole('heading', { name: 'Pending Quote Requests (2)' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2)
  const dana = record(page, 'Dana Whitfield')
  await expect(dana).toBeHidden()
  await expectAccessible(page)
  await openAutomated(page, 'The request of Dana Whitfield looks automated')
  const names = page.getByRole('article').getByRole('heading')
  await expect(names).toHaveText([/^Dana Whitfield/, /^Iris Kwan/])
  for (const text of [
    'Pending',
    'Looks automated',
    'The request was sent without opening the form.',
  ]) {
    await expect(dana).toContainText(text)
  }
  for (const button of [/^Reply/, /^Delete/]) {
    await expect(dana.getByRole('button', { name: button })).toBeVisible()
  }
  await expect(record(page, 'Iris Kwan')).not.toContainText('Looks automated')
  await expectAccessible(page)
  await press(page, 'Dana Whitfield', 'Not spam')
  await expect(page.getByText('The request is now in the list of ordinary requests.')).toBeVisible()
  await expect(names).toHaveText([/^Dana Whitfield/, /^Iris Kwan/])
  await expect(dana).not.toContainText('Looks automated')
  await expect(dana.getByRole('button', { name: /^Not spam/ })).toBeHidden()
})

test('A reply to a quote request that looked automated removes the text Looks automated', async ({
  page,
}) => {
  await insertAsVisitor(page, 'Dana Whitfield')
  await openQuotes(page)
  await openAutomated(page, 'The request of Dana Whitfield looks automated')
  await press(page, 'Dana Whitfield', 'Reply')
  await replyDialog(page).getByRole('button', { name: 'Send Email' }).click()
  await expect(page.getByText('Email Sent')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (1)' })).toBeVisible()
  await expect(record(page, 'Dana Whitfield')).toContainText('Completed')
  await expect(record(page, 'Dana Whitfield')).not.toContainText('Looks automated')
})

test('A quote request that looks automated can be deleted in its row, and a failed removal of the flag shows an error', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await addQuote(shop, { name: 'Robo Form', flagged: ['hidden_field_filled', 'sent_too_fast'] })
  await openQuotes(page)
  await openAutomated(page, 'The request of Robo Form looks automated')
  const robo = record(page, 'Robo Form')
  await expect(robo).toContainText('A form field that people cannot see was filled in.')
  await expect(robo).toContainText('within three seconds')
  await page.route('**/rest/v1/quote_requests?id=*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, body: '{}' })
      : route.fallback(),
  )
  await press(page, 'Robo Form', 'Not spam')
  await expect(page.getByText('The spam flag could not be removed.')).toBeVisible()
  await expect(robo).toContainText('Looks automated')
  await press(page, 'Robo Form', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Quote Deleted')).toBeVisible()
  await expect(page.getByText('No pending quote requests')).toBeVisible()
})

test('Many automated quote requests do not push genuine ones off the first page', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Iris Kwan', createdAt: '2026-11-20T17:14:00Z' })
  await addQuote(shop, {
    name: 'Robo the elder',
    createdAt: '2026-11-19T17:14:00Z',
    flagged: ['form_token_missing'],
  })
  for (let index = 0; index < 21; index++) {
    await addQuote(shop, { name: `Robo ${index}`, flagged: ['form_token_missing'] })
  }
  await openQuotes(page)
  await expect(page.getByRole('heading', { name: 'Pending Quote Requests (23)' })).toBeVisible()
  await expect(page.getByText('20 requests look automated')).toBeVisible()
  await expect(record(page, 'Iris Kwan')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByText('21 requests look automated')).toBeVisible()
  await expect(page.getByText('The request of Robo the elder looks automated')).toBeVisible()
})

test('An email about a quote request that will be retried shows the time of the next attempt; an undelivered one asks staff to call and can be sent again', async ({
  page,
  shop,
}) => {
  const id = await addQuote(shop, { name: 'Iris Kwan' })
  await addEmail(shop, { kind: 'quote_confirmation', status: 'sent', about: { quoteId: id } })
  await addEmail(shop, {
    kind: 'quote_reply',
    status: 'failed',
    about: { quoteId: id },
    error: '550 No such user here',
  })
  const retriedId = await addQuote(shop, { name: 'Paul Brandt' })
  await addEmail(shop, {
    kind: 'quote_confirmation',
    status: 'retrying',
    about: { quoteId: retriedId },
    error: '451 Try again later',
    attempts: 2,
  })
  await openQuotes(page)
  const state = record(page, 'Paul Brandt').getByRole('group', { name: 'Confirmation' })
  await expect(state).toContainText('Retrying')
  await expect(state).toContainText(/2 tries so far, next: [A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M/)
  await expect(state).toContainText('451 Try again later')
  const iris = record(page, 'Iris Kwan')
  await expect(iris.getByRole('group', { name: 'Confirmation' })).toContainText('Sent')
  const reply = iris.getByRole('group', { name: 'Reply' })
  await expect(reply).toContainText('Not delivered')
  await expect(reply).toContainText('550 No such user here')
  await expect(iris.getByText(/^Needs a call\s*\(650\) 555-0197$/)).toBeVisible()
  await expectAccessible(page)
  await reply.getByRole('button', { name: 'Resend Reply to Iris Kwan' }).click()
  await expect(page.getByText('No mail server is set yet.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Completed Quote Requests (1)' })).toBeVisible()
  await expect(reply.filter({ hasText: 'Kept in outbox' })).toBeVisible()
  await expect(iris.getByText('Needs a call')).toBeHidden()
})

test('A quote request prefills a task and an invoice, and the invoice form keeps a changed value', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Iris Kwan' })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Create Task')
  const dialog = page.getByRole('dialog', { name: 'Create Task' })
  await expect(dialog.getByLabel('Task Title')).toHaveValue(
    'Transmission Service: 2015 Honda Accord',
  )
  await expect(dialog.getByLabel('Task Description')).toHaveValue(
    'Iris Kwan, (650) 555-0197, iris@customer.example\n\nHesitates between second and third.',
  )
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(page.getByText('Task Created')).toBeVisible()
  await expect(dialog).toBeHidden()

  await press(page, 'Iris Kwan', 'Create Invoice')
  await expect(page.getByRole('tab', { name: 'Invoices' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel(/name/i).first()).toHaveValue('Iris Kwan')
  await expect(page.getByLabel(/e-?mail/i).first()).toHaveValue('iris@customer.example')
  await expect(page.getByLabel(/phone/i).first()).toHaveValue('(650) 555-0197')
  await expect(page.getByLabel(/description/i).first()).toHaveValue(
    'Transmission Service: 2015 Honda Accord',
  )
  // The invoice form keeps the changed customer name when the admin opens another page and returns.
  await page.getByLabel('Customer Name').fill('Iris K. Kwan')
  await page.getByRole('link', { name: 'All emails' }).click()
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Customer Name')).toHaveValue('Iris K. Kwan')
})

test('The button Book opens the phone booking with the name and the phone number of the quote request', async ({
  page,
  shop,
}) => {
  await addQuote(shop, { name: 'Iris Kwan', phone: '(650) 555-0197' })
  await openQuotes(page)
  await press(page, 'Iris Kwan', 'Book')
  const panel = page.getByRole('dialog', { name: /^Book by phone/ })
  await expect(panel.getByLabel('Name')).toHaveValue('Iris Kwan')
  await expect(panel.getByLabel('Phone')).toHaveValue('(650) 555-0197')
})

test('The list shows twenty quote requests at a time and the total number', async ({
  page,
  shop,
}) => {
  for (let index = 0; index < 23; index++) await addQuote(shop, { name: `Customer ${index}` })
  await openQuotes(page)
  await expect(page.getByRole('heading', { name: 'Pending Quote Requests (23)' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(20)
  await expect(page.getByText('20 of 23')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('article')).toHaveCount(23)
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
})

test('A failed load of the quote requests shows an error and a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  // The test disables live events, because a live event would refetch the list before the test clicks.
  await withoutLiveEvents(page)
  await page.route('**/rest/v1/quote_requests*', (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  )
  await page.goto('/admin-dashboard/quotes')
  await expect(page.getByText('Data Loading Error')).toBeVisible()
  await page.unroute('**/rest/v1/quote_requests*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No pending quote requests')).toBeVisible()
})
