import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'

/** The names of the payment methods for staff. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = paymentMethodNames
