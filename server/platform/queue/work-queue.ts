/** Thrown when a work queue is full. The server then responds with 503 and Retry-After. */
export class QueueFullError extends Error {
  override readonly name = 'TooBusy'
  /** The number of seconds after which the client should try again. */
  readonly retryAfterSeconds = 2
}

/** Runs `work` when the queue has a free place. Throws QueueFullError when no place becomes free in time. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

type QueueLimits = {
  /** The maximum number of simultaneous runs. */
  readonly atOnce: number
  /** The maximum number of waiting calls, which run in the order of their arrival. */
  readonly waiting: number
  /** The maximum wait in milliseconds, which must be less than the timeout of the caller. */
  readonly timeoutMs: number
}

/**
 * Creates a queue that limits how many calls of one kind of work run at the same time. Without this limit, many such
 * calls could delay other work.
 */
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
  /** Passes the place of the finished run to the next waiting call. Frees the place if no call is waiting. */
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
