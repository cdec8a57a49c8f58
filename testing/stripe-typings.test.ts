import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInvoice, openTestSandbox, type TestSandbox } from './stripe-sandbox.ts'
import { problemsOf } from './stripe-typings.ts'

let sandbox: TestSandbox
let invoice: Record<string, unknown>
beforeAll(async () => {
  sandbox = await openTestSandbox()
  const { id } = await openInvoice(sandbox.stripe)
  const answer = await sandbox.sandbox.fetch(`https://api.stripe.com/v1/invoices/${id}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  })
  invoice = (await answer.json()) as Record<string, unknown>
})
afterAll(() => sandbox.close())

describe('the check against the typings of the SDK', () => {
  it('accepts what the sandbox answers', () => {
    expect(problemsOf(invoice)).toEqual([])
  })

  it('misses a required field', () => {
    const { amount_paid: _missing, ...rest } = invoice
    expect(problemsOf(rest)).toEqual(['Invoice.amount_paid is missing'])
  })

  it('knows no invented field', () => {
    expect(problemsOf({ ...invoice, paid: true })).toEqual(['Invoice.paid is not in the typings'])
  })

  it('sees a wrong type deep inside', () => {
    const wrong = {
      ...invoice,
      status_transitions: { ...Object(invoice['status_transitions']), paid_at: '1' },
    }
    expect(problemsOf(wrong)).toEqual([
      'Invoice.status_transitions.paid_at is "1" instead of a number',
    ])
  })

  it('sees a status that the typings do not list', () => {
    expect(problemsOf({ ...invoice, status: 'settled' })).toHaveLength(1)
  })

  it('sees a number where a decimal travels as text', () => {
    const [line] = (invoice['lines'] as { data: { pricing: object }[] }).data
    const data = [{ ...line, pricing: { type: 'price_details', unit_amount_decimal: 100 } }]
    const wrong = { ...invoice, lines: { ...Object(invoice['lines']), data } }
    expect(problemsOf(wrong)).toEqual([
      'Invoice.lines.data.0.pricing.unit_amount_decimal is no decimal in a string',
    ])
  })

  it('checks an event by its own declaration', () => {
    const event = {
      object: 'event',
      type: 'invoice.paid',
      data: { object: { object: 'customer' } },
    }
    expect(problemsOf(event)).toContain('InvoicePaidEvent.data.object.amount_due is missing')
    expect(problemsOf({ ...event, type: 'invoice.settled' })).toEqual([
      'invoice.settled is not declared',
    ])
  })
})
