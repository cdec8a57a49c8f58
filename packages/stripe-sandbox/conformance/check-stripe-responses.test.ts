import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemsOf } from './check-stripe-responses.ts'
import { openInvoice } from '../testing/payments.ts'
import { openTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

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

/** Returns a copy of the invoice with changed fields in one of its nested objects. */
function withNested(field: string, changes: object): object {
  return { ...invoice, [field]: { ...Object(invoice[field]), ...changes } }
}

describe('the comparison of responses with the types of the SDK', () => {
  it('reports no difference for an invoice, alone and in a list', async () => {
    expect(await problemsOf([invoice, { ...page, data: [invoice] }])).toEqual([])
  })

  it('reports missing, unknown and wrongly typed fields at every depth', async () => {
    const { amount_paid: _missing, ...incomplete } = invoice
    const [line] = (invoice['lines'] as { data: object[] }).data
    const priced = { ...line, pricing: { type: 'price_details', unit_amount_decimal: 100 } }
    const invalidResponses = {
      "'amount_paid' is missing": incomplete,
      '\'"paid"\' does not exist': { ...invoice, paid: true },
      '"paid_at": "1"': withNested('status_transitions', { paid_at: '1' }),
      '"status": "settled"': { ...page, data: [{ ...invoice, status: 'settled' }] },
      '"unit_amount_decimal": 100': withNested('lines', { data: [priced] }),
      '\'"pages"\' does not exist': { ...page, pages: 1 },
      "type 'never'": { object: 'event', type: 'invoice.settled' },
      '"lines": {': {
        object: 'event',
        type: 'customer.created',
        data: { object: { ...invoice, object: 'customer' } },
      },
      "'voucher' does not exist": { object: 'voucher' },
    }
    const problems = await problemsOf(Object.values(invalidResponses))
    const expected = Object.keys(invalidResponses).map(
      (part) => expect.stringContaining(part) as string,
    )
    expect(problems).toEqual(expected)
  })
})
