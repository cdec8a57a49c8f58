import type { PasswordQueue } from '@local/data-service'
import {
  createWorkQueue,
  QueueFullError,
  type WorkQueue,
} from '#server/platform/queue/work-queue.ts'

/**
 * The queue in which a password is checked. Unknown browsers and known browsers (with an earlier sign-in) have separate
 * queues, so that attempts from unknown browsers never delay an attempt from a known browser.
 */
export type PasswordQueueName = 'unknown' | 'known'

export type PasswordQueues = Readonly<Record<PasswordQueueName, PasswordQueue>>

/**
 * A password check occupies a core for a fraction of a second and uses 32 MiB of memory, so each queue runs one check
 * at a time.
 */
const limits = { atOnce: 1, waiting: 8, timeoutMs: 10_000 }

export function createPasswordQueues(): PasswordQueues {
  return {
    unknown: passwordQueue(createWorkQueue(limits)),
    known: passwordQueue(createWorkQueue(limits)),
  }
}

function passwordQueue(queue: WorkQueue): PasswordQueue {
  return async (check) => {
    try {
      return await queue(check)
    } catch (error) {
      if (error instanceof QueueFullError) return 'busy'
      throw error
    }
  }
}
