/** The SQLSTATEs of the ledger and of the counter (see `contracts/database-errors.ts`). */
export const ledgerErrors = {
  TT101: {
    meaning:
      'A line of the ledger would return more than its payment has left, or names another invoice.',
    message: 'This payment has less left to return.',
    hints: ['above_left', 'other_invoice'],
  },
} as const
