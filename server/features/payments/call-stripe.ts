import type { ErrorCode } from '#contracts/api/errors.ts'
import { refused, type Result } from '#domain/result.ts'
import { describeStripeError, type StripeFailure, stripeFailure } from './stripe.ts'

/** Why something was not done with the processor; `logged` is what the log may hold of its failure. */
export type StripeRefusal = {
  readonly code: ErrorCode
  readonly logged?: Record<string, unknown>
}

/** What each failure of the processor is answered with; `otherwise` where none is named. */
type Codes = Partial<Record<StripeFailure, ErrorCode>> & { readonly otherwise: ErrorCode }

/** Does what asks the processor, and makes its failures refusals. Everything else that throws travels on. */
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
    return refused({ code: codes[failure] ?? codes.otherwise, logged })
  }
}
