import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'

/** The payment methods as staff read them. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'Card, online',
  card_terminal: 'Card, terminal',
  cash: 'Cash',
  check: 'Check',
  other: 'Other',
}
