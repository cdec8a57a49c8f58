/** The payment methods of the ledger (contracts/payments/ledger-line.ts) as staff and the accountant read them. */
export const paymentMethodNames = {
  card_online: 'Card, online',
  card_terminal: 'Card, terminal',
  cash: 'Cash',
  check: 'Check',
  other: 'Other',
} as const
