import type { FastifyInstance } from 'fastify'

export type JobFigures = {
  readonly name: string
  readonly runs: number
  readonly failures: number
  /** The end of the last run of the job in ISO 8601; null before the first run. */
  readonly lastEndedAt: string | null
  readonly lastFailed: boolean
  /** The duration of the last run of the job in milliseconds. */
  readonly lastMs: number
}

/** The counters of this process since its start. Every process has its own counters. */
export type Metrics = {
  recordRequest(status: number): void
  recordJob(name: string, ms: number, failed: boolean): void
  read(): {
    readonly startedAt: string
    /** The number of responses per class of HTTP status: '2xx', '4xx' and so on. */
    readonly responses: Readonly<Record<string, number>>
    readonly jobs: readonly JobFigures[]
    readonly memoryMegabytes: number
  }
}

export function createMetrics(now: () => number): Metrics {
  const startedAt = new Date(now()).toISOString()
  const responses = new Map<string, number>()
  const jobs = new Map<string, JobFigures>()
  return {
    recordRequest(status) {
      const kind = `${Math.floor(status / 100)}xx`
      responses.set(kind, (responses.get(kind) ?? 0) + 1)
    },
    recordJob(name, ms, failed) {
      const { runs = 0, failures = 0 } = jobs.get(name) ?? {}
      jobs.set(name, {
        name,
        runs: runs + 1,
        failures: failures + (failed ? 1 : 0),
        lastEndedAt: new Date(now()).toISOString(),
        lastFailed: failed,
        lastMs: Math.round(ms),
      })
    },
    read: () => ({
      startedAt,
      responses: Object.fromEntries(responses),
      jobs: [...jobs.values()],
      memoryMegabytes: Math.round(process.memoryUsage.rss() / 1_048_576),
    }),
  }
}

export function countResponses(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (_request, reply) => metrics.recordRequest(reply.statusCode))
}
