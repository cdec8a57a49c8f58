import { openCall } from '../api/call.ts'
import type { Call } from '../api/route.ts'
import type { StripeSandboxOptions } from '../sandbox.ts'

/** The options with which the sandbox was created. */
export type SimulatedAccount = Pick<
  StripeSandboxOptions,
  'account' | 'now' | 'publicUrl' | 'transaction'
>

/** Runs work that is not caused by an API request, such as the decision of a bank, in one transaction. */
export function simulate<Result>(
  { account, now = Date.now, publicUrl, transaction }: SimulatedAccount,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  return transaction((query) => work(openCall(query, { account, now, publicUrl })))
}
