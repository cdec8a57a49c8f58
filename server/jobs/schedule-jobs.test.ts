import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestDatabase } from '#tests/support/database/database.ts'
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

/**
 * Returns the expected number of runs of each job in the first `seconds` after the start of the app, and 0 expected
 * failures.
 */
function runsDueBy(seconds: number): Record<string, { runs: number; failures: number }> {
  const everySeconds = {
    'send-emails': 15,
    'collect-owner-notices': 60,
    'end-holds': 60,
    'keep-bay-hours': 3600,
    'clean-audit': 3600,
    'end-retention': 3600,
    'clean-files': 60,
    'start-drills': 60,
    'link-old-invoices': 60,
    'link-old-records': 60,
    'answer-link-requests': 15,
    'remind-customers': 60,
    'ask-about-addresses': 60,
    'bill-claimed': 60,
    'notify-approvals': 60,
    'report-to-stripe': 15,
    'make-replacement-invoices': 15,
    'reconcile-payments': 600,
    'check-invoice-numbers': 600,
  }
  const due = Object.entries(everySeconds).map(
    ([name, every]) => [name, { runs: Math.floor(seconds / every), failures: 0 }] as const,
  )
  return Object.fromEntries(due.filter(([, { runs }]) => runs > 0))
}

// The tests of each feature check what its job does. These tests check only when each job runs, in a shop in which the
// jobs have nothing to do.
describe('the scheduled jobs', () => {
  it('run at their intervals after the app is ready, and stop when it closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const metrics = createMetrics(Date.now)
    const deliverDue = vi.fn<Mailer['deliverDue']>()
    // This test needs a separate database: the app of `shop` also runs these jobs, and each app skips a job that
    // the other app is running.
    const own = await createTestDatabase()
    const { database } = own
    const app = Fastify()
    scheduleJobs(app, {
      keepProvider: (work) => work(),
      database,
      mailer: { deliverDue } as Partial<Mailer> as Mailer,
      payments: shop.context,
      metrics,
      currentShop: () => defaultShop,
      publicUrl: 'https://shop.example',
      outboxFolder: '/nowhere',
      ownerUrl: own.ownerUrl,
      isCapped: true,
      scheduleDrill: async () => undefined,
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
    // The job that links old invoices to customers calls Stripe only in its first run, which finds no old invoice. The
    // job that imports new payments calls Stripe on each of its six runs.
    const calls = shop.drainCalls()
    expect(calls.filter((call) => call === 'GET /v1/invoices')).toHaveLength(1)
    expect(calls.filter((call) => call === 'GET /v1/checkout/sessions')).toHaveLength(6)
    await app.close()
    // Every job begins with a connection from the pool, so without a connection no job runs.
    const connect = vi.spyOn(database.pool, 'connect')
    vi.advanceTimersByTime(3_600_000)
    expect(connect).not.toHaveBeenCalled()
    await own.drop()
  })

  it('start in a restored shop only after the app has read the newest invoice numbers from Stripe', async () => {
    const { database, owner } = shop.database
    await owner.query('insert into internal.restored_shop (recovered_until) values (now())')
    const customer = await shop.stripe.customers.create({ name: 'Dana' })
    const number = 'INV-2026-0500-7K3QXR'
    await shop.stripe.invoices.create({ customer: customer.id, number })
    const app = Fastify()
    scheduleJobs(app, {
      keepProvider: (work) => work(),
      database,
      mailer: {} as Mailer,
      payments: shop.context,
      metrics: createMetrics(Date.now),
      currentShop: () => defaultShop,
      publicUrl: 'https://shop.example',
      outboxFolder: '/nowhere',
      isCapped: true,
    })
    await app.ready()
    const { rows } = await owner.query(`select nextval('internal.invoice_count') as count`)
    expect(rows).toEqual([{ count: '501' }])
    await app.close()
  })

  it('link visitors’ bookings to customers twice a second if the insert does not link them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const metrics = createMetrics(Date.now)
    const app = Fastify()
    scheduleJobs(app, {
      keepProvider: (work) => work(),
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
