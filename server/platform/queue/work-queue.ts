/** There is more work of a kind than can wait: try again in a moment. Answered with 503 and Retry-After. */
export class QueueFullError extends Error {
  override readonly name = 'TooBusy'
  /** When it is worth asking again. */
  readonly retryAfterSeconds = 2
}

/** Runs `work` when there is a place for it; throws QueueFullError when there is none in time. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

type QueueLimits = {
  /** How much runs at the same time. */
  readonly atOnce: number
  /** How much more may wait, first come, first served. */
  readonly waiting: number
  /** How long it waits: less than the timeout of who asked. */
  readonly timeoutMs: number
}

/** A queue with bounds for one kind of work, so that a rush of it holds up nothing else. */
export function createWorkQueue({ atOnce, waiting, timeoutMs }: QueueLimits): WorkQueue {
  const line = new Set<() => void>()
  let running = 0

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.delete(enter)
        reject(new QueueFullError())
      }, timeoutMs)
      line.add(enter)
    })
  const enter = async () => {
    if (running >= atOnce && line.size >= waiting) throw new QueueFullError()
    if (running >= atOnce) return wait()
    running += 1
    return undefined
  }
  /** The place goes to the next in line, or is free. */
  const release = () => {
    const [next] = line
    if (!next) return void (running -= 1)
    line.delete(next)
    return next()
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
