import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { createMetrics } from '#server/platform/health/metrics.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { scheduleJobs } from './schedule-jobs.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())
afterEach(() => {
  vi.useRealTimers()
})

/** How often each job has been done, and failed, so many seconds after the app was ready. */
function runsDueBy(seconds: number): Record<string, { runs: number; failures: number }> {
  const everySeconds = {
    'send-emails': 15,
    'collect-owner-notices': 60,
    'end-holds': 60,
    'keep-bay-hours': 3600,
    'end-retention': 3600,
    'clean-files': 60,
    'link-old-invoices': 60,
    'link-old-records': 60,
    'answer-link-requests': 15,
    'remind-customers': 60,
    'ask-about-addresses': 60,
    'bill-claimed': 60,
    'tell-of-approvals': 60,
    'reconcile-payments': 600,
  }
  const due = Object.entries(everySeconds).map(
    ([name, every]) => [name, { runs: Math.floor(seconds / every), failures: 0 }] as const,
  )
  return Object.fromEntries(due.filter(([, { runs }]) => runs > 0))
}

// What each does is told where it lives; here it is asked only whether and when it is done, by a shop that has
// nothing to do.
describe('the jobs of the shop', () => {
  it('are done at their times from when the app is ready until it closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const metrics = createMetrics(Date.now)
    const deliverDue = vi.fn<Mailer['deliverDue']>()
    const { database } = shop.database
    const app = Fastify()
    scheduleJobs(app, {
      database,
      mailer: { deliverDue } as Partial<Mailer> as Mailer,
      payments: shop.context,
      metrics,
      currentShop: () => defaultShop,
      publicUrl: 'https://shop.example',
      outboxFolder: '/nowhere',
      ownerUrl: shop.database.ownerUrl,
      isCapped: true,
    })
    const done = () =>
      Object.fromEntries(
        metrics.read().jobs.map(({ name, runs, failures }) => [name, { runs, failures }] as const),
      )

    vi.advanceTimersByTime(3_600_000)
    await app.ready()
    expect(done()).toEqual({})
    for (let second = 15; second <= 3600; second += 15) {
      vi.advanceTimersByTime(15_000)
      await expect.poll(done, { timeout: 10_000, interval: 1 }).toEqual(runsDueBy(second))
    }
    expect(deliverDue).toHaveBeenCalledTimes(240)
    // The old invoices are asked for until all are linked, the new payments each time.
    const calls = shop.drainCalls()
    expect(calls.filter((call) => call === 'GET /v1/invoices')).toHaveLength(1)
    expect(calls.filter((call) => call === 'GET /v1/checkout/sessions')).toHaveLength(6)
    await app.close()
    // The first thing that a job does.
    const connect = vi.spyOn(database.pool, 'connect')
    vi.advanceTimersByTime(3_600_000)
    expect(connect).not.toHaveBeenCalled()
  })

  it('link the bookings of visitors twice a second where the data service leaves that to them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const metrics = createMetrics(Date.now)
    const app = Fastify()
    scheduleJobs(app, {
      database: shop.database.database,
      mailer: {} as Mailer,
      payments: shop.context,
      metrics,
      currentShop: () => defaultShop,
      publicUrl: 'https://shop.example',
      outboxFolder: '/nowhere',
      isCapped: true,
      linksLater: true,
    })
    await app.ready()
    for (const runs of [1, 2]) {
      vi.advanceTimersByTime(500)
      await expect
        .poll(() => metrics.read().jobs.map(({ name, runs: done }) => [name, done]), {
          interval: 1,
        })
        .toEqual([['link-new-records', runs]])
    }
    await app.close()
  })
})
