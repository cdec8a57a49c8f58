/**
 * Returns a function that creates a value at its first call. Later and concurrent calls return the same value. After
 * a failure, the next call tries again.
 */
export function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () =>
    (made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    }))
}
