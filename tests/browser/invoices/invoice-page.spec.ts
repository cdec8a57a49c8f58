import { expect, expectAccessible, test, withoutLiveEvents } from '#tests/browser/fixtures.ts'
import {
  cashLine,
  sampleInvoice,
  sampleLine,
  samplePaidInvoice,
  terminalLine,
} from '#tests/support/invoices/sample-invoice.ts'
import {
  makeOpenInvoice,
  openInvoice,
  openSampleInvoice,
  respondWith,
  takePayment,
} from './invoice-page-records.ts'

const refundLine = sampleLine({
  id: '5d0cbd8e-0ce5-4a6e-9f0e-000000000003',
  kind: 'refund',
  method: 'card_terminal',
  originalId: terminalLine.id,
  amountCents: -8620,
  leftCents: 0,
  reference: '4417',
  paidAt: '2026-11-30T18:04:00Z',
  recordedByName: 'lena',
  reportState: 'due',
})
const refundNote = {
  id: '5d0cbd8e-0ce5-4a6e-9f0e-000000000004',
  kind: 'refund',
  amountCents: 8620,
  taxCents: 360,
  reason: 'Slide pins covered by warranty',
  createdByName: 'lena',
  createdAt: '2026-11-30T18:04:00Z',
} as const

test('An invoice page shows amounts, every line of the ledger, credit notes and history @phone', async ({
  page,
}) => {
  await openSampleInvoice(
    page,
    samplePaidInvoice({
      state: 'part_refunded',
      paidCents: 41_237,
      ledger: [cashLine, { ...terminalLine, leftCents: 21_237 }, refundLine],
      creditNotes: [refundNote],
    }),
  )
  const heading = page.getByRole('heading', { level: 2 })
  await expect(heading).toContainText('paid')
  await expect(heading).toContainText('part refunded')
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('Total, tax $20.79 included$498.57')
  await expect(balance).toContainText('Credit notes−$86.20')
  await expect(balance).toContainText('Paid$498.57')
  await expect(balance).toContainText('Refunded−$86.20')
  await expect(balance).toContainText('Kept$412.37')
  const lines = page.getByRole('region', { name: 'Payments and refunds' }).getByRole('listitem')
  await expect(lines).toHaveCount(3)
  await expect(lines.nth(0)).toContainText('Refund by terminal')
  await expect(lines.nth(0)).toContainText(
    'This payment or refund is not reported to the payment provider yet.',
  )
  await expect(lines.nth(1)).toContainText('Card ending 4417')
  await expect(lines.nth(1)).toContainText('$0.00 left')
  await expect(lines.nth(2)).toContainText('$298.57 left')
  await expect(page.getByRole('region', { name: 'Credit notes' })).toContainText('tax in it $3.60')
  await expect(page.getByRole('region', { name: 'Emails and history' })).toContainText(
    'Refund of $86.20: “Slide pins covered by warranty”',
  )
  await expect(page.getByRole('link', { name: 'Estimate E-0093' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Print' })).toBeVisible()
  await expectAccessible(page)
})

test('A reversed payment stays visible on the invoice page, and a payment whose report to Stripe was refused has a warning', async ({
  page,
}) => {
  const reversal = sampleLine({
    id: '5d0cbd8e-0ce5-4a6e-9f0e-000000000005',
    kind: 'reversal',
    originalId: cashLine.id,
    amountCents: -20_000,
    leftCents: 0,
    note: 'Typed for the wrong invoice',
    paidAt: '2026-11-28T01:13:00Z',
  })
  await openSampleInvoice(
    page,
    sampleInvoice({
      state: 'part_paid',
      paidCents: 29_857,
      balanceCents: 20_000,
      ledger: [
        { ...cashLine, leftCents: 0 },
        reversal,
        { ...terminalLine, reportState: 'refused' },
      ],
      can: { takePayment: true },
    }),
  )
  const lines = page.getByRole('region', { name: 'Payments and refunds' }).getByRole('listitem')
  await expect(lines.nth(0)).toContainText('report refused')
  await expect(lines.nth(1)).toContainText('Reversal: Cash')
  await expect(lines.nth(1)).toContainText('Typed for the wrong invoice')
  await expect(lines.nth(2)).toContainText('reversed')
  await expect(lines.nth(2).getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
})

test('The invoice page has buttons only for actions that the server allows, and the P key opens the URL of the panel Take payment', async ({
  page,
}) => {
  await openSampleInvoice(
    page,
    sampleInvoice({ can: { takePayment: true, correctPrice: true, void: true, writeOff: true } }),
  )
  const actions = page.getByRole('region', { name: 'Balance' }).getByRole('button')
  await expect(actions).toHaveText([
    /^Take payment/,
    'Hand over…',
    'Correct the price…',
    'Write off balance…',
    'Void invoice…',
  ])
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/invoices\/in_maria\?pay=in_maria$/)
})

for (const [state, event, title] of [
  ['void', 'voided', 'Voided Nov 27, 5:20 PM, by sam: “Wrong customer”'],
  ['written_off', 'written_off', 'Written off Nov 27, 5:20 PM, by sam: “Wrong customer”'],
] as const) {
  test(`The page of an invoice that is ${state} shows the staff member and the reason`, async ({
    page,
  }) => {
    await openSampleInvoice(
      page,
      sampleInvoice({
        state,
        balanceCents: state === 'void' ? 0 : 49_857,
        events: [
          {
            kind: event,
            reason: 'Wrong customer',
            changedByName: 'sam',
            happenedAt: '2026-11-28T01:20:00Z',
          },
        ],
      }),
    )
    await expect(page.getByText(title)).toBeVisible()
    await expectAccessible(page)
  })
}

test('An unknown invoice shows a message, and a failed load of an invoice has a retry button', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  // The test disables live events, because a live event would refetch the invoice before the test clicks.
  await withoutLiveEvents(page)
  await openSampleInvoice(page, null)
  await expect(page.getByText('This invoice is not known here.')).toBeVisible()
  await page.route('**/rpc/read_invoice', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByText('The invoice could not be loaded.')).toBeVisible({ timeout: 20_000 })
  await respondWith(page, sampleInvoice())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toContainText('INV-2026')
})

test('An invoice page that is already open shows a payment from another window without a reload', async ({
  page,
  shop,
}) => {
  const id = await makeOpenInvoice(page, shop)
  await openInvoice(page, id)
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('Balance$549.50')
  await takePayment(page, shop, id, 10_000)
  await expect(balance).toContainText('Balance$449.50')
  await expect(page.getByRole('heading', { level: 2 })).toContainText('part paid')
  await expect(
    page.getByRole('region', { name: 'Payments and refunds' }).getByRole('listitem'),
  ).toContainText('$100.00')
})
