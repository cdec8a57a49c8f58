import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'

type LedgerLine = InvoiceDetail['ledger'][number]

/** Returns a line of the ledger: $200.00 in cash, unless `changes` contain other values. */
export const sampleLine = (changes: Partial<LedgerLine> = {}): LedgerLine => ({
  id: '5d0cbd8e-0ce5-4a6e-9f0e-000000000001',
  kind: 'payment',
  method: 'cash',
  originalId: null,
  amountCents: 20_000,
  leftCents: changes.amountCents ?? 20_000,
  reference: null,
  note: null,
  recordedByName: 'sam',
  paidAt: '2026-11-28T01:12:00Z',
  cause: null,
  retryCents: 0,
  reportState: 'reported',
  ...changes,
})

export const cashLine = sampleLine()

export const terminalLine = sampleLine({
  id: '5d0cbd8e-0ce5-4a6e-9f0e-000000000002',
  method: 'card_terminal',
  amountCents: 29_857,
  reference: '4417',
  paidAt: '2026-11-28T01:14:00Z',
})

const nothing: InvoiceDetail['can'] = {
  takePayment: false,
  correctPrice: false,
  refund: false,
  void: false,
  cancel: false,
  writeOff: false,
}

/** Maria's invoice, open unless `changes` contain another state. */
export function sampleInvoice(
  changes: Partial<Omit<InvoiceDetail, 'can'>> & { can?: Partial<InvoiceDetail['can']> } = {},
): InvoiceDetail {
  return {
    id: 'in_maria',
    number: 'INV-2026-0148-KJ4R7Y',
    customerName: 'Maria Delgado',
    customerId: 'f1a4a1b4-0000-4000-8000-000000000001',
    customerEmail: 'maria.delgado@example.com',
    vehicle: '2019 Subaru Outback',
    bookingId: null,
    totalCents: 49_857,
    taxCents: 2079,
    paidCents: 0,
    balanceCents: 49_857,
    currency: 'usd',
    state: 'open',
    createdAt: '2026-11-28T00:52:00Z',
    dueDate: '2026-12-04',
    isTest: false,
    paymentPageOpenedAt: null,
    estimateId: 'f1a4a1b4-0000-4000-8000-000000000002',
    estimateNumber: 'E-0093',
    ledger: [],
    creditNotes: [],
    events: [],
    parts: [],
    replacements: [],
    replaces: null,
    ...changes,
    can: { ...nothing, ...changes.can },
  }
}

/** Maria's invoice, paid in full by a cash payment and a payment at the card terminal. */
export const samplePaidInvoice = (changes: Parameters<typeof sampleInvoice>[0] = {}) =>
  sampleInvoice({
    state: 'paid',
    paidCents: 49_857,
    balanceCents: 0,
    ledger: [cashLine, terminalLine],
    ...changes,
    can: { refund: true, cancel: true, ...changes.can },
  })
