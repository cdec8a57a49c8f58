import type { ErrorCode } from '#contracts/api/errors.ts'
import { refused, type Result } from '#domain/result.ts'
import { describeStripeError, type StripeFailure, stripeFailure } from './stripe.ts'

/** The reason why Stripe refused a call; `logged` contains the parts of Stripe's error that may be logged. */
export type StripeRefusal = {
  readonly code: ErrorCode
  readonly message?: string
  readonly logged?: Record<string, unknown>
}

/** The error codes for kinds of Stripe failures; `otherwise` is the error code for all kinds that are not listed. */
type Codes = Partial<Record<StripeFailure, ErrorCode>> & { readonly otherwise: ErrorCode }

/**
 * Runs `work`, which calls Stripe. Returns a failure of Stripe as a refusal with an error code from `codes`; throws
 * every other error.
 */
export async function callStripe<Value>(
  codes: Codes,
  work: () => Promise<Result<Value, StripeRefusal>>,
): Promise<Result<Value, StripeRefusal>> {
  try {
    return await work()
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    const logged = { stripe: describeStripeError(error) }
    if (failure === 'not_set_up') return refused({ code: 'PAYMENTS_NOT_SET_UP' })
    return refused({ code: codes[failure] ?? codes.otherwise, logged })
  }
}
