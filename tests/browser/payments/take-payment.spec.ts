import { renderSVG } from 'uqr'
import { expect, expectAccessible, notification, type Shop, test } from '#tests/browser/fixtures.ts'
import { enterCard } from '#tests/browser/payment/payment-steps.ts'
import { button, field, ledgerOf, openList, openPanel, panel, row } from './take-payment-steps.ts'

test('The keys P, C and Enter record the exact sum in cash, and the focus returns to the row @phone', async ({
  page,
  shop,
}) => {
  const number = await openList(page, shop)
  await row(page, number).focus()
  await page.keyboard.type('pc')
  await expect(button(page, 'Take $498.57 in cash')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('$498.57 in cash. Paid in full.')
  await expect(button(page, 'Done')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeHidden()
  await expect(row(page, number)).toBeFocused()
  await expect(row(page, number)).toContainText('paid')
  expect(await ledgerOf(shop, number)).toEqual([
    { method: 'cash', cents: 49_857, reference: null, note: null },
  ])
})

/** Returns the delivery state of the newest email to Maria. */
async function receiptState(shop: Shop): Promise<string | undefined> {
  const { rows } = await shop.database.query<{ status: string }>(
    `select status from emails where recipient_email = 'maria.delgado@example.com'
     order by created_at desc limit 1`,
  )
  return rows[0]?.status
}

test('The panel Take payment shows the change to give back until staff press Done @phone', async ({
  page,
  shop,
}) => {
  await openPanel(page, shop)
  await page.keyboard.press('c')
  await field(page, 'Given').fill('$500')
  await expect(panel(page).getByText('Change $1.43')).toBeVisible()
  await expect(panel(page).getByRole('group', { name: 'Given sums' })).toHaveText(
    'Exact$500$520$600',
  )
  await button(page, '$520').click()
  await expect(panel(page).getByText('Change $21.43')).toBeVisible()
  await button(page, 'Exact').click()
  await expect(field(page, 'Given')).toHaveValue('')
  await field(page, 'Given').fill('500')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByText('Change $1.43')).toBeVisible()
  await expect(panel(page)).toContainText('Cash given: $500.00.')
  await expect(panel(page)).toContainText('Email is not set up. The message is in the outbox.')
  await expect.poll(() => receiptState(shop)).toBe('in_outbox')
  await button(page, 'Send again').click()
  await expect(notification(page)).toContainText('Kept in the outbox')
  await expect(panel(page).getByText('Change $1.43')).toBeVisible()
})

for (const [key, label, error, reference, taken] of [
  ['k', 'Check number', 'Enter the check number.', '1042', 'Check of $498.57. Paid in full.'],
  [
    'o',
    'What it is',
    'Enter the payment method, like bank transfer.',
    'Zelle',
    '$498.57. Paid in full.',
  ],
] as const) {
  test(`After the key ${key.toUpperCase()}, Enter moves the focus to the required field '${label}'`, async ({
    page,
    shop,
  }) => {
    const number = await openPanel(page, shop)
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await expect(field(page, label)).toBeFocused()
    await expect(panel(page)).not.toContainText(error)
    await page.keyboard.press('Enter')
    await expect(panel(page)).toContainText(error)
    await expectAccessible(page)
    // In a text field, the shortcut of another payment method only types its letter.
    await page.keyboard.type(reference)
    await page.keyboard.press('Enter')
    await expect(panel(page)).toContainText(taken)
    expect(await ledgerOf(shop, number)).toMatchObject([{ cents: 49_857, reference }])
  })
}

test('A partial payment by terminal leaves a balance, and the panel for the next payment shows the previous payments @phone', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop, 'cash')
  await page.keyboard.press('t')
  await field(page, 'Amount').fill('200')
  await field(page, 'Last four digits').fill('4417')
  await panel(page).getByText('Note (optional)').click()
  await field(page, 'Note').fill('The rest on Friday')
  await panel(page).getByRole('radio', { name: 'None' }).check()
  await button(page, 'Take $200.00 by terminal').click()
  await expect(panel(page)).toContainText('$200.00 by terminal. $298.57 is still open.')
  await expect(panel(page)).toContainText('None')
  await button(page, 'Done').click()
  await expect(row(page, number)).toContainText('part paid')
  await row(page, number).focus()
  await page.keyboard.press('p')
  await expect(panel(page)).toContainText('Payments so far')
  await expect(panel(page)).toContainText('Card, terminal')
  // The panel preselects the payment method that was used last.
  await expect(panel(page).getByRole('radio', { name: 'Terminal' })).toBeFocused()
  await expect(panel(page).getByRole('radio', { name: 'Terminal' })).toBeChecked()
  await expect(field(page, 'Amount')).toHaveValue('298.57')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('$298.57 by terminal. Paid in full.')
  expect(await ledgerOf(shop, number)).toEqual([
    { method: 'card_terminal', cents: 20_000, reference: '4417', note: 'The rest on Friday' },
    { method: 'card_terminal', cents: 29_857, reference: null, note: null },
  ])
})

test('With cash rounding, the cash that settles the balance is rounded to five cents', async ({
  page,
  shop,
}) => {
  await shop.database.query('update booking_rules set rounds_cash = true')
  try {
    const number = await openPanel(page, shop)
    await page.keyboard.press('c')
    await expect(field(page, 'Given')).toBeFocused()
    await expect(panel(page)).toContainText('Cash rounding: $498.55 in place of $498.57.')
    await button(page, 'Take $498.55 in cash').click()
    await expect(panel(page)).toContainText('$498.55 in cash. Paid in full.')
    expect(await ledgerOf(shop, number)).toMatchObject([{ cents: 49_855 }, { cents: 2 }])
  } finally {
    await shop.database.query('update booking_rules set rounds_cash = false')
  }
})

test('In the panel Take payment, Esc asks before typed input is lost, and Back closes the panel', async ({
  page,
  shop,
}) => {
  const number = await openPanel(page, shop)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(row(page, number)).toBeFocused()
  await row(page, number).getByRole('button', { name: 'Take payment' }).click()
  await field(page, 'Amount').fill('100')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard this payment?' })
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(field(page, 'Amount')).toHaveValue('100')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(panel(page)).toBeHidden()
  await row(page, number).getByRole('button', { name: 'Take payment' }).click()
  await expect(page).toHaveURL(/pay=in_/)
  await expect(field(page, 'Amount')).toHaveValue('498.57')
  await page.goBack()
  await expect(panel(page)).toBeHidden()
})

test('Staff send the payment link by email and copy it, and the panel confirms both @phone', async ({
  page,
  shop,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const number = await openPanel(page, shop)
  await page.keyboard.press('l')
  await expect(panel(page)).toContainText('Send the payment link to')
  await expect(panel(page)).toContainText('maria.delgado@example.com')
  await expectAccessible(page)
  await button(page, 'Copy link').click()
  await expect(panel(page).getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${shop.url}/pay-invoice?invoice=${number}`,
  )
  await button(page, 'Send link for $498.57').press('Enter')
  await expect(panel(page).getByRole('heading', { name: /^Link sent, / })).toBeVisible()
  await expectAccessible(page)
  const { rows } = await shop.database.query<{ recipient_email: string }>(
    `select recipient_email from emails where kind = 'payment_request'
     and invoice_id = (select invoice_id from invoices where number = $1)`,
    [number],
  )
  expect(rows).toEqual([{ recipient_email: 'maria.delgado@example.com' }])
})

test('The customer scans the payment link from the panel, and the panel then shows the payment @phone', async ({
  page,
  shop,
  browser,
}) => {
  await openPanel(page, shop)
  const handedOver = page.waitForResponse(/\/api\/invoice\/hand-over$/)
  await page.keyboard.press('l')
  const { url } = (await (await handedOver).json()) as { url: string }
  const code = panel(page).getByRole('img', { name: 'QR code of the invoice' })
  await expect(code).toHaveAttribute('src', new RegExp(`^data:image/svg\\+xml,`))
  expect(decodeURIComponent((await code.getAttribute('src')) ?? '')).toContain(
    renderSVG(url, { border: 4 }),
  )
  await expect
    .poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible(page)

  const customer = await browser.newPage()
  await customer.goto(url)
  await customer.getByRole('button', { name: 'Pay $498.57 now' }).click()
  await enterCard(customer, '4242 4242 4242 4242')
  await expect(panel(page)).toContainText('This invoice is paid. No payment is due.')
  await customer.close()
})

test('Without an email address the payment link can only be copied', async ({ page, shop }) => {
  const number = await openList(page, shop)
  await shop.database.query(
    'update customers set email = null where id = (select customer_id from invoices where number = $1)',
    [number],
  )
  await page.reload()
  await row(page, number).getByRole('button', { name: 'Take payment' }).click()
  await panel(page).getByRole('radio', { name: /Link/ }).check({ force: true })
  await expect(panel(page)).toContainText('No email address. Copy the link.')
  await expect(button(page, 'Copy link for $498.57')).toBeVisible()
  await expect(button(page, /^Send link/)).toHaveCount(0)
})
