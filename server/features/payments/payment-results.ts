import type { Payment } from '#contracts/payments/payments.ts'
import type { Result } from '#domain/result.ts'
import type { StripeRefusal } from './call-stripe.ts'

/** The address of the checkout in which an invoice can be paid. */
export type CheckoutResult = Result<{ url: string }, StripeRefusal>

/** The receipt in the outbox. */
export type ConfirmationResult = Result<{ emailId: string }, StripeRefusal>

/** What was paid. */
export type Verified = Result<Payment, StripeRefusal>

/** The invoice of a checkout, if Stripe knows the checkout, and what was paid. */
export type VerifiedSession = { readonly invoiceId?: string; readonly verified: Verified }
