import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemsOf } from './check-stripe-responses.ts'
import {
  openInvoice,
  openTestSandbox,
  type TestSandbox,
} from '#tests/support/app/stripe-sandbox.ts'

let sandbox: TestSandbox
let invoice: Record<string, unknown>
beforeAll(async () => {
  sandbox = await openTestSandbox()
  const { id } = await openInvoice(sandbox.stripe)
  const response = await sandbox.sandbox.fetch(`https://api.stripe.com/v1/invoices/${id}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  })
  invoice = (await response.json()) as Record<string, unknown>
})
afterAll(() => sandbox.close())

const page = { object: 'list', data: [] as unknown[], has_more: false, url: '/v1/invoices' }

/** The invoice with other fields in one of the objects inside it. */
function withInner(field: string, changes: object): object {
  return { ...invoice, [field]: { ...Object(invoice[field]), ...changes } }
}

describe('the check against the typings of the SDK', () => {
  it('accepts what the sandbox answers, alone and on a page', async () => {
    expect(await problemsOf([invoice, { ...page, data: [invoice] }])).toEqual([])
  })

  it('says what does not fit, however deep inside', async () => {
    const { amount_paid: _missing, ...incomplete } = invoice
    const [line] = (invoice['lines'] as { data: object[] }).data
    const priced = { ...line, pricing: { type: 'price_details', unit_amount_decimal: 100 } }
    const wrong = {
      "'amount_paid' is missing": incomplete,
      '\'"paid"\' does not exist': { ...invoice, paid: true },
      '"paid_at": "1"': withInner('status_transitions', { paid_at: '1' }),
      '"status": "settled"': { ...page, data: [{ ...invoice, status: 'settled' }] },
      '"unit_amount_decimal": 100': withInner('lines', { data: [priced] }),
      '\'"pages"\' does not exist': { ...page, pages: 1 },
      "type 'never'": { object: 'event', type: 'invoice.settled' },
      '"lines": {': {
        object: 'event',
        type: 'customer.created',
        data: { object: { ...invoice, object: 'customer' } },
      },
      "'voucher' does not exist": { object: 'voucher' },
    }
    const problems = await problemsOf(Object.values(wrong))
    const text = Object.keys(wrong).map((text) => expect.stringContaining(text) as string)
    expect(problems).toEqual(text)
  })
})
