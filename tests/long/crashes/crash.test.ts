import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { fixFormKeyIn } from '#tests/long/support/fixed-form-key.ts'
import { processesOn } from '#tests/long/support/processes.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { freeAllTimes, longTestAdmin, readAll, signIn } from '#tests/long/support/staff-client.ts'
import {
  book,
  readServices,
  type Service,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'

const rounds = testSize('ROUNDS', { short: 2, long: 30 })
const visitorCount = 8

type StoredBooking = { customer_email: string; status: string }

describe('a site whose processes are killed while visitors book', () => {
  let directory: string
  let shop: ServerProcess | undefined
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'torque-crash-'))
  })
  afterAll(async () => {
    await shop?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  const start = () =>
    startServer({ DATA_DIR: directory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...longTestAdmin })

  it(
    `has every acknowledged booking after a restart (${rounds} rounds)`,
    { timeout: 60_000 + rounds * 20_000 },
    async () => {
      const acknowledged: string[] = []
      let slowestStart = 0
      shop = await start()
      await fixFormKeyIn(directory)
      for (let round = 1; round <= rounds; round += 1) {
        acknowledged.push(...(await bookUntilKilled(shop, round)))
        const before = performance.now()
        shop = await start()
        slowestStart = Math.max(slowestStart, performance.now() - before)
        await expectStored(shop, acknowledged)
      }
      await shop.end()
      await vi.waitFor(() => expect(processesOn(directory)).toEqual([]), 10_000)
      expect(acknowledged.length).toBeGreaterThan(rounds * visitorCount)
      reportFigure(
        `${rounds} kills, ${acknowledged.length} acknowledged bookings, 0 lost, slowest start again ${(slowestStart / 1000).toFixed(1)} s, 0 processes left`,
      )
    },
  )

  /**
   * Books until the process is killed. Returns the email addresses of the bookings to which the server responded with
   * 201.
   */
  async function bookUntilKilled(site: ServerProcess, round: number): Promise<string[]> {
    const service = shortest(await readServices(site))
    const slots = upcomingSlots(service.duration_minutes)
    const acknowledged: string[] = []
    const killAt = visitorCount * 2 + ((round * 7) % 40)
    let killed: Promise<void> | undefined
    const bookSlots = async (worker: number) => {
      for (let slot = slots.shift(); slot && !killed; slot = slots.shift()) {
        const email = `round-${round}-${worker}-${slots.length}@example.com`
        const { status } = await book(site, service, slot, email)
        if (status === 201) acknowledged.push(email)
        if (acknowledged.length >= killAt) killed ??= site.end('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: visitorCount }, (_, worker) => bookSlots(worker)))
    await killed
    return acknowledged
  }

  /**
   * Expects that the site has stored every acknowledged booking. Then cancels the bookings, so that the next round can
   * book all times again.
   */
  async function expectStored(site: ServerProcess, acknowledged: string[]): Promise<void> {
    const staff = await signIn(site)
    const stored = await readAll<StoredBooking>(
      site,
      staff,
      'bookings?select=customer_email,status&order=id.asc',
    )
    const found = new Set(stored.map((row) => row.customer_email))
    expect(acknowledged.filter((email) => !found.has(email))).toEqual([])
    await freeAllTimes(site, staff)
  }
})

function shortest(services: Service[]): Service {
  const [first] = services.toSorted((a, b) => a.duration_minutes - b.duration_minutes)
  if (!first) throw new Error('The shop has no services.')
  return first
}
