import type { Payment } from '#contracts/payments/payments.ts'
import type { Result } from '#domain/result.ts'
import type { StripeRefusal } from './call-stripe.ts'

/** The URL of the checkout in which an invoice can be paid. */
export type CheckoutResult = Result<{ url: string }, StripeRefusal>

/** The id of the receipt in the outbox. */
export type ConfirmationResult = Result<{ emailId: string }, StripeRefusal>

/** The verified payment. */
export type Verified = Result<Payment, StripeRefusal>

/** The invoice of a checkout, if Stripe knows the checkout, and the verified payment. */
export type VerifiedSession = { readonly invoiceId?: string; readonly verified: Verified }
