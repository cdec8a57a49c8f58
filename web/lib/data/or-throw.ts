import type { Result } from '#domain/result.ts'

/** The value, for who takes refusals thrown: a query, say. */
export function orThrow<Value>(result: Result<Value, Error>): Value {
  if (!result.ok) throw result.refusal
  return result.value
}
