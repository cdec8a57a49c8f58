import type { Payment } from '#contracts/payments/payments.ts'
import type { Result } from '#domain/result.ts'
import type { StripeRefusal } from './call-stripe.ts'

/** The result of opening a checkout: the URL of the page on which the invoice can be paid. */
export type CheckoutResult = Result<{ url: string }, StripeRefusal>

/** The result of a receipt request: the id of the receipt email in the outbox. */
export type ConfirmationResult = Result<{ emailId: string }, StripeRefusal>

/** The result of a payment verification: the verified payment, or the reason why the payment could not be verified. */
export type Verified = Result<Payment, StripeRefusal>

/**
 * The result of verifying a checkout session: the id of its invoice, if Stripe has the session, and the verified
 * payment.
 */
export type VerifiedSession = { readonly invoiceId?: string; readonly verified: Verified }
