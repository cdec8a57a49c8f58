import type { Result } from '#domain/result.ts'

/**
 * Returns the value of a successful result. Throws the error of a failed result. Use it where React Query expects
 * exceptions.
 */
export function orThrow<Value>(result: Result<Value, Error>): Value {
  if (!result.ok) throw result.refusal
  return result.value
}
