import {
  adminLogin,
  expect,
  expectAccessible,
  forgetConfirmations,
  notification,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import {
  sampleInvoice,
  sampleLine,
  samplePaidInvoice,
} from '#tests/support/invoices/sample-invoice.ts'
import {
  makeOpenInvoice,
  makePaidInvoice,
  openInvoice,
  openSampleInvoice,
  respondWith,
} from './invoice-page-records.ts'

const refundId = '5d0cbd8e-0ce5-4a6e-9f0e-0000000000ff'
const refundPanel = (page: Page) => page.getByRole('dialog', { name: /^Refund/ })
const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const head = (page: Page) => page.getByRole('heading', { level: 2 }).first()

/** Collects the ids of all commands with the given name that the page sends. */
function followCommands(page: Page, name: string): string[] {
  const ids: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/commands/${name}`)) {
      ids.push((request.postDataJSON() as { commandId: string }).commandId)
    }
  })
  return ids
}

/** Types the password into the dialog of the step-up authentication and confirms with Enter. */
async function confirmWithPassword(page: Page): Promise<void> {
  await expect(stepUp(page)).toBeVisible()
  await page.keyboard.type(adminLogin.password)
  await page.keyboard.press('Enter')
  await expect(stepUp(page)).toBeHidden()
}

async function readEmail(shop: Shop, invoiceId: string): Promise<string> {
  const { rows } = await shop.database.query<{ text_body: string }>(
    'select text_body from emails where invoice_id = $1 order by created_at desc limit 1',
    [invoiceId],
  )
  return rows[0]?.text_body ?? ''
}

test('Staff refund by keyboard; the refund asks for the password, and is then sent again with the same command id @phone', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  const commandIds = followCommands(page, 'refund-payment')
  await openInvoice(page, id)
  await page.keyboard.press('r')
  await expect(refundPanel(page).getByRole('radio', { name: /^Cash, \$549\.50/ })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'All $549.50' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await page.keyboard.type('86.20')
  await expect(refundPanel(page)).toContainText('Take out of the drawer $86.20')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Slide pins covered by warranty')
  const preview = 'returns $86.20 to you in cash.'
  await expect(refundPanel(page)).toContainText(preview)
  await page.keyboard.press('Enter')

  await expect(stepUp(page)).toContainText('You are about to refund $86.20 to Dana Whitfield.')
  await expectAccessible(page)
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(stepUp(page)).toContainText('This password is wrong')
  await page.getByLabel('Password').fill('')
  await confirmWithPassword(page)

  await expect(refundPanel(page)).toBeHidden()
  await expect(notification(page)).toContainText('Refunded $86.20')
  await expect(head(page)).toContainText('part refunded')
  await expect(page.getByRole('region', { name: 'Payments and refunds' })).toContainText('−$86.20')
  expect(commandIds).toHaveLength(2)
  expect(new Set(commandIds).size).toBe(1)
  expect((await readEmail(shop, id)).replaceAll(/\s+/g, ' ')).toContain(preview)
})

test('Staff refund chosen jobs with their tax; the panel asks for two refunds if a job costs more than the refundable rest of the payment @phone', async ({
  page,
}) => {
  const part = (key: string, title: string, leftCents: number, leftTaxCents: number) => ({
    key,
    title,
    leftCents,
    leftTaxCents,
  })
  const parts = [
    part('brakes', 'Front brakes', 35_669, 1620),
    part('pins', 'Slide pins', 8620, 236),
    part('filter', 'Cabin air filter', 5568, 223),
  ]
  await openSampleInvoice(page, samplePaidInvoice({ parts }))
  const sent: unknown[] = []
  await page.route('**/api/commands/refund-payment', (route) => {
    sent.push((route.request().postDataJSON() as { input: unknown }).input)
    return route.fulfill({
      json: { ok: true, result: { refundId, refundCents: 14_188, taxCents: 459 } },
    })
  })
  await page.keyboard.press('r')
  const panel = refundPanel(page)
  await page.getByRole('radio', { name: 'Jobs' }).check()
  await expect(panel.getByRole('checkbox', { name: /^Front brakes/ })).toBeDisabled()
  await expect(panel).toContainText(
    'This item costs more than the unrefunded rest of the payment. Refund the item in two steps.',
  )
  await page.getByLabel('Reason, the customer reads it').fill('Covered by warranty')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('Choose at least one job or line.')
  await expect(panel.getByRole('checkbox', { name: /^Slide pins/ })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(panel).toContainText('Tax in it $2.36')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Refund $141.88 by terminal' }).press('Enter')
  await expect(notification(page)).toContainText('Refunded $141.88')
  expect(sent).toMatchObject([{ amountCents: 14_188, partKeys: ['pins', 'filter'] }])
})

test('Staff refund chosen lines of a paid invoice, and the panel shows how a typed amount is divided between the lines', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  await openInvoice(page, id)
  await page.keyboard.press('r')
  const panel = refundPanel(page)
  await page.getByRole('radio', { name: 'Other sum' }).check()
  await page.getByLabel('Amount, in dollars').fill('100')
  await expect(panel.getByRole('definition').first()).toBeVisible()
  await page.getByRole('radio', { name: 'Lines' }).check()
  await panel.getByRole('checkbox').first().check()
  await page.getByLabel('Reason, the customer reads it').fill('Not done')
  await page.keyboard.press('Enter')
  await confirmWithPassword(page)
  await expect(head(page)).toContainText('part refunded')
})

test('The receipt of a refund is printed from the panel, and no email is sent', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  await openInvoice(page, id)
  await page.keyboard.press('r')
  await page.getByLabel('Reason, the customer reads it').fill('Warranty')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Email' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(refundPanel(page)).toContainText('The receipt prints after the refund is recorded.')
  await page.getByLabel('Reason, the customer reads it').press('Enter')
  await confirmWithPassword(page)
  const done = page.getByRole('dialog', { name: /^Refunded/ })
  const receipt = done.getByRole('link', { name: 'Print receipt' })
  await expect(receipt).toBeFocused()
  await expect(done).toContainText('$549.50 goes back.')
  await expectAccessible(page)
  const emails = 'select from emails where invoice_id = $1 and kind = $2'
  expect((await shop.database.query(emails, [id, 'invoice_correction'])).rowCount).toBe(0)
  await page.goto((await receipt.getAttribute('href')) ?? '')
  await expect(page.getByRole('heading', { name: 'Receipt for a refund' })).toBeVisible()
})

test('Back in the confirmation of a refund refunds nothing and preserves the typed values', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  await openInvoice(page, id)
  await page.keyboard.press('r')
  await page.getByLabel('Reason, the customer reads it').fill('Warranty')
  await page.keyboard.press('Enter')
  await expect(stepUp(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(stepUp(page)).toBeHidden()
  await expect(page.getByLabel('Reason, the customer reads it')).toHaveValue('Warranty')
  await expect(refundPanel(page).getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('Paid$549.50')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(refundPanel(page)).toBeHidden()
})

test('The refund panel validates the amount, the reason and the reference of another payment method', async ({
  page,
}) => {
  await openSampleInvoice(page, samplePaidInvoice())
  await page.keyboard.press('r')
  const panel = refundPanel(page)
  await expect(panel).toContainText(
    'Refund the card on the terminal first, then record the refund here.',
  )
  await page.getByRole('radio', { name: 'Other sum' }).check()
  await page.getByLabel('Amount, in dollars').fill('298.58')
  await page.getByLabel('Refund by').selectOption('Check')
  await panel.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(panel).toContainText('Only $298.57 of this payment can still be refunded.')
  await expect(panel).toContainText('Enter the check number.')
  await expect(panel).toContainText('Enter the reason, which the customer reads.')
  await expect(page.getByLabel('Amount, in dollars')).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('radio', { name: /^Cash, \$200\.00/ }).check()
  await expect(page.getByLabel('Refund by')).toHaveValue('')
  await expect(panel).toContainText('Up to $200.00.')
})

test('A refund without a response shows a message, and a second press sends the same command id', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openSampleInvoice(page, samplePaidInvoice())
  const commandIds = followCommands(page, 'refund-payment')
  await page.route('**/api/commands/refund-payment', (route) => route.abort())
  await page.keyboard.press('r')
  await page.getByLabel('Reason, the customer reads it').fill('Warranty')
  await page.keyboard.press('Enter')
  const panel = refundPanel(page)
  await expect(panel.getByRole('alert')).toContainText(
    'No response. The refund may or may not have been recorded.',
  )
  await expect(page.getByLabel('Reason, the customer reads it')).toHaveValue('Warranty')
  await expectAccessible(page)
  await page.route('**/api/commands/refund-payment', (route) =>
    route.fulfill({
      json: { ok: true, result: { refundId, refundCents: 29_857, taxCents: 1245 } },
    }),
  )
  await panel.getByRole('button', { name: 'Refund $298.57 by terminal' }).click()
  await expect(notification(page)).toContainText('Refunded $298.57')
  expect(commandIds).toHaveLength(2)
  expect(new Set(commandIds).size).toBe(1)
})

test('While a refund is running, its button is disabled and shows Refunding…', async ({ page }) => {
  await openSampleInvoice(page, samplePaidInvoice())
  await page.route('**/api/commands/refund-payment', () => undefined)
  await page.keyboard.press('r')
  await page.getByLabel('Reason, the customer reads it').fill('Warranty')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Refunding…' })).toBeDisabled()
})

test('The dialog Void shows the consequences and the email to the customer @phone', async ({
  page,
  shop,
}) => {
  const id = await makeOpenInvoice(page, shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: 'Void invoice…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Void this invoice?' })
  await expect(dialog).toContainText('The number stays in the list, marked void.')
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Other, say why below')
  await dialog.getByRole('button', { name: 'Void invoice' }).press('Enter')
  await expect(page.getByLabel('Why')).toBeFocused()
  await page.keyboard.type('Typed for the wrong shop')
  const preview = /“(Invoice \S+ was voided\. You owe nothing\.)/
  const shown = preview.exec((await dialog.textContent()) ?? '')?.[1]
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(notification(page)).toContainText('Invoice voided')
  await expect(page.getByText('by admin: “Typed for the wrong shop”')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Balance' }).getByRole('button')).toHaveCount(0)
  expect(shown).toBeDefined()
  expect((await readEmail(shop, id)).replaceAll(/\s+/g, ' ')).toContain(shown)
})

test('An invoice that is paid while the void dialog is open can be cancelled instead', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 409/)
  await openSampleInvoice(page, sampleInvoice({ can: { takePayment: true, void: true } }))
  await page.getByRole('button', { name: 'Void invoice…' }).click()
  await page.route('**/api/commands/void-invoice', (route) =>
    route.fulfill({ status: 409, json: { ok: false, code: 'PAID_ONLINE', message: 'Paid.' } }),
  )
  await respondWith(page, samplePaidInvoice())
  await page.getByRole('button', { name: 'Void invoice', exact: true }).click()
  const refused = page.getByRole('dialog', { name: 'This invoice cannot be voided' })
  await refused.getByRole('button', { name: 'Cancel this invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this invoice?' })
  await expect(dialog).toContainText('$298.57 goes back: Card, terminal')
  await expect(dialog).toContainText('$200.00 goes back: Cash, take it out of the drawer.')
  await expectAccessible(page)
})

test('Cancelling a paid invoice refunds the payment after the password was confirmed', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: 'Cancel this invoice…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this invoice?' })
  await expect(page.getByLabel('Reason, the customer reads it')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Enter the reason, which the customer reads.')
  await page.keyboard.type('The work was not done')
  await expect(dialog).toContainText(
    'returns $549.50 to you in cash. Reason: The work was not done',
  )
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await confirmWithPassword(page)
  await expect(dialog).toBeHidden()
  await expect(notification(page)).toContainText('$549.50 goes back.')
  await expect(head(page)).toContainText('cancelled')
  await expect(page.getByRole('region', { name: 'Payments and refunds' })).toContainText('−$549.50')
})

test('Staff reverse the payment of a returned check, and the page names the replacement invoice @phone', async ({
  page,
}) => {
  const check = sampleLine({ id: crypto.randomUUID(), method: 'check', reference: '1042' })
  const paid = sampleInvoice({ state: 'paid', balanceCents: 0, paidCents: 20_000, ledger: [check] })
  await openSampleInvoice(page, paid)
  await page.getByRole('button', { name: /^Returned check…/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Returned check' })
  await page.getByLabel('Reason').press('Enter')
  await expect(dialog).toContainText('Enter the reason.')
  await expectAccessible(page)
  await page.keyboard.type('Not enough funds')
  const back = sampleLine({
    id: crypto.randomUUID(),
    kind: 'reversal',
    cause: 'returned_check',
    method: 'check',
    originalId: check.id,
    amountCents: -20_000,
    note: 'Not enough funds',
  })
  const number = 'INV-2026-0149-ABCDEF'
  await page.route('**/api/commands/return-check', (route) =>
    route.fulfill({ json: { ok: true, result: { balanceCents: 20_000 } } }),
  )
  await respondWith(
    page,
    sampleInvoice({
      state: 'replaced',
      balanceCents: 0,
      ledger: [{ ...check, leftCents: 0 }, back],
      replacements: [{ invoiceId: 'in_second', number, amountCents: 20_000 }],
    }),
  )
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(head(page)).toContainText('replaced')
  const lines = page.getByRole('region', { name: 'Payments and refunds' }).getByRole('listitem')
  await expect(lines.first()).toContainText('Returned by the bank: Check')
  await expect(page.getByText(`$200.00 is due on ${number}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: number })).toHaveAttribute('href', /in_second$/)
  await expectAccessible(page)
})

test('Staff repeat a failed refund, this time by check', async ({ page }) => {
  const card = sampleLine({ id: crypto.randomUUID(), method: 'card_online' })
  const refund = sampleLine({
    id: crypto.randomUUID(),
    kind: 'refund',
    method: 'card_online',
    originalId: card.id,
    amountCents: -8620,
    leftCents: 0,
    retryCents: 8620,
  })
  const failed = { ...refund, id: crypto.randomUUID(), kind: 'reversal' as const }
  const ledger = [
    card,
    refund,
    {
      ...failed,
      cause: 'failed_refund' as const,
      originalId: refund.id,
      amountCents: 8620,
      retryCents: 0,
    },
  ]
  await openSampleInvoice(page, samplePaidInvoice({ ledger }))
  const sent: unknown[] = []
  await page.route('**/api/commands/retry-refund', (route) => {
    sent.push((route.request().postDataJSON() as { input: unknown }).input)
    return route.fulfill({ json: { ok: true, result: { refundCents: 8620 } } })
  })
  await page.getByRole('button', { name: /^Refund again…/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Refund again' })
  await page.getByLabel('Refund by').selectOption('Check')
  await dialog.getByRole('button', { name: 'Refund $86.20' }).press('Enter')
  await expect(dialog).toContainText('Enter the check number.')
  await expectAccessible(page)
  await page.getByLabel('Check number').fill('2207')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('Refunded $86.20 again')
  expect(sent).toEqual([{ refundId: refund.id, method: 'check', reference: '2207' }])
})

test('The receipt of a refund is printed on 80 mm and letter paper', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 403/)
  const id = await makePaidInvoice(page, shop)
  await forgetConfirmations(shop)
  await openInvoice(page, id)
  await page.keyboard.press('r')
  await page.getByLabel('Reason, the customer reads it').fill('Not done')
  await page.keyboard.press('Enter')
  await confirmWithPassword(page)
  const lines = page.getByRole('region', { name: 'Payments and refunds' })
  await lines.getByRole('link', { name: 'Receipt Refund in cash' }).click()
  const receipt = page.getByRole('article')
  await expect(receipt).toContainText('Receipt for a refund')
  await expect(receipt).toContainText('Refund: Cash$549.50')
  await expect(receipt).toContainText('ReasonNot done')
  await expect(receipt).toContainText('Balance $0.00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Letter' }).click()
  await expect(receipt).toHaveClass(/receipt-sheet/)
})

test('A credit note corrects the price of an open invoice', async ({ page, shop }) => {
  const id = await makeOpenInvoice(page, shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: 'Correct the price…' }).press('Enter')
  await expect(page.getByLabel('Lower the price by, in dollars')).toBeFocused()
  await page.keyboard.type('600')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Correct the price' })
  await expect(dialog).toContainText('The balance is $549.50. The price cannot be lowered by more.')
  await expectAccessible(page)
  await page.getByLabel('Lower the price by, in dollars').fill('49.50')
  await expect(dialog).toContainText('New balance: $500.00')
  await page.getByLabel('Reason, the customer reads it').fill('Agreed at pickup')
  await page.keyboard.press('Enter')
  await expect(notification(page)).toContainText('The balance is $500.00. No money moved.')
  await expect(page.getByRole('region', { name: 'Credit notes' })).toContainText('Agreed at pickup')
})

test('A written-off invoice shows the reason and can still be paid', async ({ page, shop }) => {
  const id = await makeOpenInvoice(page, shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: 'Write off balance…' }).press('Enter')
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('Moved away')
  await page.keyboard.press('Enter')
  await expect(head(page)).toContainText('written off')
  await expect(page.getByText('by admin: “Moved away”')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Take payment/ })).toBeVisible()
})

test('Staff reverse a payment that was recorded wrongly and record it again', async ({
  page,
  shop,
}) => {
  const id = await makePaidInvoice(page, shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: /^Recorded wrongly…/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Recorded wrongly' })
  await expect(page.getByLabel('It was paid by')).toBeFocused()
  await page.getByLabel('Reason').fill('It was a check')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Change the method, the amount or the reference.')
  await page.getByLabel('It was paid by').selectOption('Check')
  await page.getByLabel('Check number').fill('1042')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const lines = page.getByRole('region', { name: 'Payments and refunds' }).getByRole('listitem')
  await expect(lines).toHaveCount(3)
  await expect(lines.nth(0)).toContainText('Number 1042')
  await expect(lines.nth(1)).toContainText('Reversal: Cash')
  await expect(lines.nth(2)).toContainText('reversed')
})

test('Staff move a payment to the invoice for which it was paid, by keyboard @phone', async ({
  page,
  shop,
}) => {
  const id = await makePaidInvoice(page, shop)
  const target = await makeOpenInvoice(page, shop)
  await openInvoice(page, id)
  await page.getByRole('button', { name: /^Recorded wrongly…/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Recorded wrongly' })
  const number = await numberOf(shop, target)
  await dialog
    .getByLabel('Invoice that it paid')
    .selectOption({ label: `${number}, Dana Whitfield, $549.50 open` })
  await dialog.getByRole('button', { name: 'Correct the payment' }).press('Enter')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('The other vehicle')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(notification(page)).toContainText('The balance of this invoice is $549.50.')
  const ledger = page.getByRole('region', { name: 'Payments and refunds' })
  await expect(ledger).toContainText(`“Belongs to invoice ${number}: The other vehicle”`)
  await openInvoice(page, target)
  await expect(ledger).toContainText(/First recorded on invoice INV-/)
  await expect(head(page)).toContainText('paid')
})

async function numberOf(shop: Shop, id: string): Promise<string> {
  const { rows } = await shop.database.query<{ number: string }>(
    'select number from invoices where invoice_id = $1',
    [id],
  )
  return rows[0]?.number ?? ''
}
