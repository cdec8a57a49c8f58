/** Runs `work` once for all calls with the same `key` that arrive at about the same time. */
export type SharedWork<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>

type Turn<Result> = { readonly ended: Promise<void>; next?: Promise<Result> }

/**
 * Calls with the same key share the first run that starts after them, so that no call receives data that is older
 * than the call. At most one run of a key is active, and at most one is waiting.
 */
export function createSharedWork<Result>(): SharedWork<Result> {
  const turns = new Map<string, Turn<Result>>()

  const begin = (key: string, work: () => Promise<Result>) => {
    const result = work()
    const ended = result.then(
      () => undefined,
      () => undefined,
    )
    const turn: Turn<Result> = { ended }
    turns.set(key, turn)
    void ended.finally(() => {
      if (!turn.next) turns.delete(key)
    })
    return result
  }
  return (key, work) => {
    const turn = turns.get(key)
    if (!turn) return begin(key, work)
    turn.next ??= turn.ended.then(() => begin(key, work))
    return turn.next
  }
}
