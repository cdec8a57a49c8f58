import type { Readable } from 'node:stream'
import type { WorkQueue } from '#server/platform/queue/work-queue.ts'

/**
 * Opens a stream in a work queue. The stream occupies its place in the queue until it closes, even when its reader does
 * not read it to the end.
 */
export function streamFromQueue(
  queue: WorkQueue,
  open: () => Promise<Readable | undefined>,
): Promise<Readable | undefined> {
  return new Promise((resolve, reject) => {
    queue(async () => {
      const stream = await open()
      resolve(stream)
      await new Promise((closed) => (stream ? stream.once('close', closed) : closed(undefined)))
    }).catch(reject)
  })
}
