/** Who waits where for a password to be checked: strangers never stand before a browser that is known. */
export type Lane = 'strangers' | 'known'

export type PasswordQueue = {
  /** Runs `work` when its turn in the lane has come; undefined, at once, when too many wait already. */
  run<Value>(lane: Lane, work: () => Promise<Value>): Promise<Value> | undefined
}

/** When who found the lane full may come back. */
export const fullLaneSeconds = 5

/** A check takes a core for a fraction of a second and 32 MiB: one at a time in each lane. */
const maxWaiting = 8

export function createPasswordQueue(): PasswordQueue {
  const lanes = { strangers: createLane(), known: createLane() }
  return { run: (lane, work) => lanes[lane](work) }
}

function createLane() {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return <Value>(work: () => Promise<Value>): Promise<Value> | undefined => {
    if (count > maxWaiting) return undefined
    count += 1
    const turn = last.then(work).finally(() => (count -= 1))
    last = turn.catch(() => undefined)
    return turn
  }
}
