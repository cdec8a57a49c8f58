import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'

/** The payment methods as staff read them. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = paymentMethodNames
