/** Thrown when a work queue is full; the response is 503 with Retry-After. */
export class QueueFullError extends Error {
  override readonly name = 'TooBusy'
  /** The seconds after which another attempt is reasonable. */
  readonly retryAfterSeconds = 2
}

/** Runs `work` when a place is free; throws QueueFullError when none is free in time. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

type QueueLimits = {
  /** The number of simultaneous runs. */
  readonly atOnce: number
  /** The number of waiting calls, which run in their order. */
  readonly waiting: number
  /** The maximum wait in milliseconds; less than the timeout of the caller. */
  readonly timeoutMs: number
}

/** Creates a queue with limits for one kind of work, so that a large amount of this work does not delay other work. */
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
  /** Passes the place to the next waiting call, or frees it. */
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
