import type { Result } from '#domain/result.ts'

/** Returns the accepted value, or throws the refusal. Used where errors are expected as exceptions, as in a query. */
export function orThrow<Value>(result: Result<Value, Error>): Value {
  if (!result.ok) throw result.refusal
  return result.value
}
