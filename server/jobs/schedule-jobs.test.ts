import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { standardShop } from '#domain/standard-shop.ts'
import { linkOldInvoices } from '#server/features/invoices/link-old-invoices.ts'
import { tellOfApprovals } from '#server/features/estimates/tell-of-approvals.ts'
import type { Mailer } from '#server/features/emails/mailer.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { reconcilePayments } from '#server/features/payments/reconcile-payments.ts'
import { linkOldRecords } from '#server/features/people/link-old-records.ts'
import { remindCustomers } from '#server/features/reminders/remind-customers.ts'
import { answerLinkRequests } from '#server/features/visit-links/answer-link-requests.ts'
import { endExpiredHolds } from '#server/features/visit/end-expired-holds.ts'
import { createMetrics } from '#server/platform/health/metrics.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { scheduleJobs } from './schedule-jobs.ts'

// What each does is told where it lives; here it is asked only whether and when it is done.
vi.mock('#server/features/visit/end-expired-holds.ts', () => ({ endExpiredHolds: vi.fn() }))
vi.mock('#server/features/people/link-old-records.ts', () => ({ linkOldRecords: vi.fn() }))
vi.mock('#server/features/invoices/link-old-invoices.ts', () => ({ linkOldInvoices: vi.fn() }))
vi.mock('#server/features/estimates/tell-of-approvals.ts', () => ({ tellOfApprovals: vi.fn() }))
vi.mock('#server/features/reminders/remind-customers.ts', () => ({ remindCustomers: vi.fn() }))
vi.mock('#server/features/visit-links/answer-link-requests.ts', () => ({
  answerLinkRequests: vi.fn(),
}))
vi.mock('#server/features/invoices/bill-estimate.ts', () => ({ billClaimed: vi.fn() }))
vi.mock('#server/features/payments/reconcile-payments.ts', () => ({ reconcilePayments: vi.fn() }))

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
afterEach(() => {
  vi.useRealTimers()
})

/** How often each job has been done so many seconds after the app was ready. */
function runsDueBy(seconds: number): Record<string, number> {
  const everySeconds = {
    'send-emails': 15,
    'end-holds': 60,
    'end-retention': 3600,
    'link-old-invoices': 60,
    'link-old-records': 60,
    'answer-link-requests': 15,
    'remind-customers': 60,
    'bill-claimed': 60,
    'tell-of-approvals': 60,
    'reconcile-payments': 600,
  }
  const due = Object.entries(everySeconds).map(
    ([name, every]) => [name, Math.floor(seconds / every)] as const,
  )
  return Object.fromEntries(due.filter(([, runs]) => runs > 0))
}

describe('the jobs of the shop', () => {
  it('are done at their times from when the app is ready until it closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const metrics = createMetrics(Date.now)
    const deliverDue = vi.fn<Mailer['deliverDue']>()
    const payments = {} as PaymentContext
    const app = Fastify()
    scheduleJobs(app, {
      database: shop.database,
      mailer: { deliverDue } as Partial<Mailer> as Mailer,
      payments,
      metrics,
      currentShop: () => standardShop,
      publicUrl: 'https://shop.example',
      outboxFolder: '/nowhere',
    })
    const runs = () =>
      Object.fromEntries(metrics.read().jobs.map(({ name, runs }) => [name, runs] as const))

    vi.advanceTimersByTime(600_000)
    await app.ready()
    expect(runs()).toEqual({})
    for (let second = 15; second <= 600; second += 15) {
      vi.advanceTimersByTime(15_000)
      await expect.poll(runs, { timeout: 10_000 }).toEqual(runsDueBy(second))
    }
    expect(deliverDue).toHaveBeenCalledTimes(40)
    expect(linkOldInvoices).toHaveBeenLastCalledWith(payments, expect.any(AbortSignal))
    expect(linkOldRecords).toHaveBeenLastCalledWith(shop.database, expect.any(AbortSignal))
    expect(endExpiredHolds).toHaveBeenLastCalledWith(shop.database)
    const site = { database: shop.database, shop: standardShop, publicUrl: 'https://shop.example' }
    expect(remindCustomers).toHaveBeenLastCalledWith(site)
    expect(tellOfApprovals).toHaveBeenLastCalledWith({
      database: shop.database,
      currentShop: expect.any(Function),
      publicUrl: 'https://shop.example',
    })
    expect(answerLinkRequests).toHaveBeenLastCalledWith(site)
    expect(reconcilePayments).toHaveBeenLastCalledWith(payments, expect.any(Function))
    await app.close()
    // The first thing that a job does.
    const connect = vi.spyOn(shop.database.pool, 'connect')
    vi.advanceTimersByTime(600_000)
    expect(connect).not.toHaveBeenCalled()
  })
})
