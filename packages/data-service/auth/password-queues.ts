import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'

/** Who waits where for a password to be checked: strangers never stand before a browser that is known. */
export type PasswordQueue = 'unknown' | 'known'

export type PasswordQueues = Readonly<Record<PasswordQueue, WorkQueue>>

/** When who found the lane full may come back. */
export const fullQueueRetrySeconds = 5

/** A check takes a core for a fraction of a second and 32 MiB: one at a time in each lane. */
const limits = { atOnce: 1, waiting: 8, timeoutMs: 10_000 }

export function createPasswordQueues(): PasswordQueues {
  return { unknown: createWorkQueue(limits), known: createWorkQueue(limits) }
}
