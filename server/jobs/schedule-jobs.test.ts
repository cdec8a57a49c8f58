import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Mailer } from '#server/features/emails/mailer.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/health/metrics.ts'
import { scheduleJobs } from './schedule-jobs.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the jobs of the shop', () => {
  it('are scheduled from when the app is ready until it closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const app = Fastify()
    // No job comes to its turn: what they work with is only handed on.
    scheduleJobs(app, {
      database: openDatabase('postgres://nobody@127.0.0.1:1/none'),
      mailer: {} as Mailer,
      payments: {} as PaymentContext,
      metrics: createMetrics(Date.now),
    })
    expect(vi.getTimerCount()).toBe(0)
    await app.ready()
    expect(vi.getTimerCount()).toBe(3)
    await app.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
