import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { type LoadBalancer, startLoadBalancer } from '#tests/long/support/load-balancer.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { longTestAdmin, signIn } from '#tests/long/support/staff-client.ts'
import {
  book,
  type Outcome,
  readServices,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'

const restarts = testSize('RESTARTS', { short: 1, long: 10 })
const visitorCount = 8

let database: TestDatabase
let balancer: LoadBalancer
const shops: ServerProcess[] = []
const settings: Record<string, string>[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  for (const _process of [1, 2]) {
    const shop = await startServer({ ...common() })
    shops.push(shop)
    settings.push({ ...common(), PORT: new URL(shop.url).port })
  }
  balancer = await startLoadBalancer(
    0,
    shops.map(({ url }) => url),
  )
})
afterAll(async () => {
  await balancer?.close()
  await Promise.all(shops.map((shop) => shop.end()))
  await database.drop()
})

const common = () => ({
  DATABASE_URL: database.ownerUrl,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  ...longTestAdmin,
})

describe('a rolling restart of two processes', () => {
  it(
    `completes every request of the visitors who book during the restart (${restarts} restarts)`,
    { timeout: 60_000 + restarts * 20_000 },
    async () => {
      const [service] = await readServices(balancer)
      if (!service) throw new Error('Nothing to book.')
      const outcomes: Outcome[] = []
      const acknowledged: string[] = []
      const closing = new AbortController()
      const bookSlots = async (worker: number) => {
        for (let slots = newSlots(); !closing.signal.aborted; slots = newSlots()) {
          for (let slot = slots.pop(); slot && !closing.signal.aborted; slot = slots.pop()) {
            const email = `shutdown-${worker}-${outcomes.length}@example.com`
            const outcome = await book(balancer, service, slot, email)
            outcomes.push(outcome)
            if (outcome.status === 201) acknowledged.push(email)
          }
        }
      }
      const newSlots = () => upcomingSlots(service.duration_minutes)
      const visitors = Array.from({ length: visitorCount }, (_, worker) => bookSlots(worker))
      for (let restart = 0; restart < restarts; restart += 1) {
        const index = restart % 2
        await shops[index]?.end('SIGTERM')
        const started = await startServer(settings[index] ?? {})
        shops[index] = started
        // As in a rolling restart, the restarted process receives visitors again before the other process is stopped.
        await vi.waitFor(() => expect(balancer.sends(started.url)).toBe(true), 10_000)
      }
      closing.abort()
      await Promise.all(visitors)

      const kinds = new Set(outcomes.map(({ status, code }) => `${status} ${code}`.trim()))
      expect([...kinds].filter((kind) => kind !== '201' && kind !== '400 23P01')).toEqual([])
      const { rows } = await database.owner.query<{ customer_email: string }>(
        'select customer_email from bookings',
      )
      const stored = new Set(rows.map((row) => row.customer_email))
      expect(acknowledged.filter((email) => !stored.has(email))).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(0)
      reportFigure(
        `${restarts} restarts under load: ${outcomes.length} requests, 0 failed, ${acknowledged.length} bookings kept`,
      )
    },
  )
})

describe('a process that is stopped while a dashboard receives live events', () => {
  it(
    'delivers the outstanding live events, then ends their stream with a complete response',
    { timeout: 60_000 },
    async () => {
      const shop = await startServer(common())
      const { cookie } = await signIn(shop)
      const response = await fetch(`${shop.url}/api/admin/live`, { headers: { cookie } })
      const body = response.text()
      await shop.end('SIGTERM')
      expect(await body).toContain('event: refetch')
    },
  )
})
