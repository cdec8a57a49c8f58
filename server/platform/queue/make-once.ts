/** Makes a value when it is first asked for. Callers meanwhile wait for the same; the next call retries a failure. */
export function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () =>
    (made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    }))
}
