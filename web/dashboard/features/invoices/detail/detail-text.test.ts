import { describe, expect, test } from 'vitest'
import {
  dueAfterPayments,
  invoiceAmounts,
  isPayingOnline,
  ledgerDetail,
  type LedgerLine,
  ledgerTitle,
  reportText,
  reversedPart,
  signedCents,
} from './detail-text.ts'
import { invoiceHistory } from './history-text.ts'
import { sampleInvoice, sampleLine } from '#tests/support/invoices/sample-invoice.ts'

const cash = sampleLine({ id: 'cash', amountCents: 20_000, paidAt: '2026-11-27T10:00:00Z' })
const check = sampleLine({ id: 'check', amountCents: 29_857, paidAt: '2026-11-27T12:00:00Z' })
const refund = sampleLine({
  id: 'refund',
  kind: 'refund',
  originalId: 'check',
  amountCents: -8620,
  paidAt: '2026-11-27T14:00:00Z',
})
const refundNote = {
  id: 'note',
  kind: 'refund',
  amountCents: 8620,
  taxCents: 360,
  reason: 'Warranty',
  createdByName: 'lena',
  createdAt: '2026-11-27T14:00:00Z',
} as const

test('A customer who opened the payment page in the last ten minutes counts as paying online', () => {
  const now = new Date('2026-11-27T18:00:00Z')
  expect(isPayingOnline({ paymentPageOpenedAt: '2026-11-27T17:51:00Z' }, now)).toBe(true)
  expect(isPayingOnline({ paymentPageOpenedAt: '2026-11-27T17:50:00Z' }, now)).toBe(false)
  expect(isPayingOnline({ paymentPageOpenedAt: null }, now)).toBe(false)
})

test('The balance of an invoice is its total minus credit notes and payments plus refunds', () => {
  const invoice = sampleInvoice({
    totalCents: 49_857,
    paidCents: 41_237,
    balanceCents: 0,
    ledger: [cash, check, refund],
    creditNotes: [refundNote],
  })
  const { receivedCents, refundedCents, creditedCents } = invoiceAmounts(invoice)
  expect({ receivedCents, refundedCents, creditedCents }).toEqual({
    receivedCents: 49_857,
    refundedCents: 8620,
    creditedCents: 8620,
  })
  expect(invoice.totalCents - creditedCents - receivedCents + refundedCents).toBe(0)
})

describe('the balance of an invoice after a payment', () => {
  test('is calculated back from the current balance, including a later refund and its credit note', () => {
    const due = dueAfterPayments(
      sampleInvoice({
        balanceCents: 0,
        ledger: [cash, check, refund],
        creditNotes: [refundNote],
      }),
    )
    expect([...due]).toEqual([
      ['check', 0],
      ['cash', 29_857],
    ])
  })
  test('still includes an amount that a later price correction removed', () => {
    const note = { ...refundNote, kind: 'price_correction', amountCents: 1000 } as const
    const due = dueAfterPayments(
      sampleInvoice({ balanceCents: 28_857, ledger: [cash], creditNotes: [note] }),
    )
    expect(due.get('cash')).toBe(29_857)
  })
  test('rises again after a payment was reversed', () => {
    const reversal = sampleLine({
      id: 'reversal',
      kind: 'reversal',
      originalId: 'cash',
      amountCents: -20_000,
      paidAt: '2026-11-27T11:00:00Z',
    })
    const due = dueAfterPayments(
      sampleInvoice({ balanceCents: 20_000, ledger: [cash, reversal, check] }),
    )
    expect([...due]).toEqual([
      ['check', 20_000],
      ['cash', 29_857],
    ])
  })
  test('is zero after a rounded cash payment that settled the invoice', () => {
    const rounding = sampleLine({ id: 'rounding', kind: 'cash_rounding', amountCents: 2 })
    const due = dueAfterPayments(sampleInvoice({ balanceCents: 0, ledger: [cash, rounding] }))
    expect([...due]).toEqual([['cash', 0]])
  })
})

test.each([
  ['reported', ''],
  ['due', 'This payment or refund is not reported to the payment provider yet.'],
  ['reversed', 'This payment was reversed before its report to the payment provider.'],
  ['corrected', 'The payment provider has this payment with its values before the correction.'],
  [
    'refused',
    'The payment provider did not accept this payment or refund. Compare the invoice in the provider’s dashboard.',
  ],
  [null, ''],
] as const)(
  'A payment or refund whose report to Stripe has the state %s has the note %j',
  (reportState, text) => {
    expect(reportText(sampleLine({ reportState }))).toBe(text)
  },
)

test.each<[Partial<LedgerLine>, string, string]>([
  [{ method: 'cash' }, 'Cash', ''],
  [{ method: 'check', reference: '1042' }, 'Check', 'Number 1042'],
  [{ method: 'card_terminal', reference: '4417' }, 'Card, terminal', 'Card ending 4417'],
  [{ method: 'card_terminal', reference: 'Visa' }, 'Card, terminal', 'Visa'],
  [{ method: 'other', reference: 'Bank transfer', note: 'Late' }, 'Bank transfer', '“Late”'],
  [{ kind: 'refund', method: 'check', reference: '7' }, 'Refund by check', 'Number 7'],
  [{ kind: 'refund', method: 'other', reference: 'Bank transfer' }, 'Refund: Bank transfer', ''],
  [{ kind: 'reversal', method: 'cash' }, 'Reversal: Cash', ''],
  [{ kind: 'reversal', method: 'cash', cause: 'recorded_wrongly' }, 'Reversal: Cash', ''],
  [
    { kind: 'reversal', method: 'check', cause: 'returned_check' },
    'Returned by the bank: Check',
    '',
  ],
  [{ kind: 'reversal', method: 'cash', cause: 'failed_refund' }, 'Refund failed: Cash', ''],
  [{ kind: 'customer_credit' }, 'Customer credit', ''],
  [{ kind: 'cash_rounding' }, 'Cash rounding', ''],
  [{ kind: 'applied_deposit', method: 'cash' }, 'Deposit: Cash', ''],
  [{ kind: 'applied_deposit', method: 'cash', amountCents: -1 }, 'Deposit removed: Cash', ''],
])('A ledger line has a title and a detail: %o', (changes, title, detail) => {
  const line = sampleLine(changes)
  expect(ledgerTitle(line)).toBe(title)
  expect(ledgerDetail(line)).toBe(detail)
})

test('A ledger line counts as reversed in part or in full according to the reversals that refer to it', () => {
  const part = sampleLine({ kind: 'reversal', originalId: 'cash', amountCents: -5000 })
  const rest = sampleLine({ kind: 'reversal', originalId: 'cash', amountCents: -15_000 })
  expect(reversedPart(cash, [cash, check])).toBe('none')
  expect(reversedPart(cash, [cash, check, part])).toBe('part')
  expect(reversedPart(cash, [cash, check, part, rest])).toBe('all')
})

test('A failed refund does not count toward the refunded amount', () => {
  const failed = sampleLine({ kind: 'reversal', originalId: 'refund', amountCents: 8620 })
  const invoice = sampleInvoice({ paidCents: 49_857, ledger: [cash, check, refund, failed] })
  expect(invoiceAmounts(invoice)).toMatchObject({ receivedCents: 49_857, refundedCents: 0 })
})

test('A negative amount has its sign before the currency', () => {
  expect(signedCents(-8620)).toBe('−$86.20')
  expect(signedCents(8620)).toBe('$86.20')
})

test('The history of an invoice lists the newest change first, with its reason and the staff member', () => {
  const invoice = sampleInvoice({
    createdAt: '2026-11-27T09:00:00Z',
    estimateNumber: 'E-0093',
    creditNotes: [refundNote],
    events: [
      {
        kind: 'written_off',
        reason: 'Moved away',
        changedByName: 'sam',
        happenedAt: '2026-11-27T16:00:00Z',
      },
    ],
  })
  expect(invoiceHistory(invoice).map(({ text, by }) => [text, by])).toEqual([
    ['Written off: “Moved away”', 'sam'],
    ['Refund of $86.20: “Warranty”', 'lena'],
    ['Invoice created from Estimate E-0093', null],
  ])
})

test('A replaced invoice shows the balance that it had before its replacement was created', () => {
  const paid = sampleLine({ id: 'paid', method: 'check', amountCents: 49_857, leftCents: 0 })
  const returned = sampleLine({ kind: 'reversal', originalId: 'paid', amountCents: -49_857 })
  const invoice = sampleInvoice({
    state: 'replaced',
    balanceCents: 0,
    ledger: [paid, returned],
    replacements: [{ invoiceId: 'in_second', number: 'INV-2026-0149', amountCents: 49_857 }],
  })
  expect(dueAfterPayments(invoice).get('paid')).toBe(0)
})
