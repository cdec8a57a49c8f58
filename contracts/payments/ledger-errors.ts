/**
 * The SQLSTATEs with which the database refuses requests about the ledger and about payments at the counter (see
 * `contracts/database-errors.ts`).
 */
export const ledgerErrors = {
  TT101: {
    meaning:
      'A refund, reversal, credit or applied deposit exceeds the remaining amount of its payment, or belongs to another invoice than its payment.',
    message: 'This amount is more than the part of the payment that can still be refunded.',
    hints: ['above_left', 'other_invoice'],
  },
  TT102: {
    meaning:
      'A payment at the counter cannot be recorded. An error with the hint above_balance has the detail {balanceCents, excessCents}.',
    message: 'This payment was not recorded. Reload the page and try again.',
    hints: [
      'above_balance',
      'given_too_little',
      'invalid_amount',
      'invalid_method',
      'invoice_not_found',
      'invoice_void',
    ],
  },
  TT103: {
    meaning:
      'The status, the payments or the Stripe reports of the invoice do not allow this correction. The hint of the error states the reason.',
    message: 'This invoice was not changed. Reload the page to see its current status.',
    hints: [
      'above_total',
      'already_reported',
      'deposit_stays',
      'has_balance',
      'never_paid',
      'not_correctable',
      'not_outstanding',
      'parts_changed',
      'was_paid',
    ],
  },
  TT104: {
    meaning:
      'The deposit of an estimate cannot be requested, taken, corrected or returned. An error with the hint above_approved has the detail {limitCents}, an error with the hint above_asked {askedCents, excessCents}.',
    message: 'This deposit was not changed. Reload the page to see its current status.',
    hints: [
      'above_approved',
      'above_asked',
      'already_taken',
      'given_too_little',
      'invalid_amount',
      'invalid_method',
      'not_asked',
      'not_correctable',
      'nothing_approved',
      'nothing_held',
    ],
  },
} as const
