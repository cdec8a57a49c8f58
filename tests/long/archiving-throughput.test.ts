import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer } from '#tests/support/app/server-process.ts'
import { fixFormKeyIn } from '#tests/long/support/fixed-form-key.ts'
import { freeAllTimes, longTestAdmin, signIn } from '#tests/long/support/staff-client.ts'
import { book, readServices, upcomingSlots } from '#tests/long/support/visitor-client.ts'
import { isLong, reportFigure } from '#tests/long/test-size.ts'

const alternations = 5
const visitorCount = 8
/**
 * The duration of each measurement in milliseconds. A measurement books all times, cancels all bookings, and starts
 * again.
 */
const measuredMs = 10_000

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'torque-archiving-'))
  mkdirSync(join(root, 'target'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it.runIf(isLong)(
  `the shop accepts at least 95 percent as many bookings a second with log archiving as without (median of ${alternations} alternations)`,
  { timeout: 600_000 },
  async () => {
    const ratios: number[] = []
    for (let nth = 0; nth < alternations; nth += 1) {
      const without = await measure('without', {})
      const url = pathToFileURL(join(root, 'target')).href
      ratios.push((await measure('with', { BACKUP_URL: url })) / without)
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(alternations / 2)] ?? 0
    reportFigure(
      `bookings a second with archiving: ${(median * 100).toFixed(1)} % of those without`,
    )
    expect(median).toBeGreaterThanOrEqual(0.95)
  },
)

/** Returns the number of bookings a second, measured only while visitors book. */
async function measure(folder: string, backup: Record<string, string>): Promise<number> {
  const directory = join(root, folder)
  const site = await startServer({
    DATA_DIR: directory,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...longTestAdmin,
    ...backup,
  })
  await fixFormKeyIn(directory)
  if (backup['BACKUP_URL']) await vi.waitUntil(hasBase, { timeout: 60_000, interval: 100 })
  const staff = await signIn(site)
  const [service] = await readServices(site)
  if (!service) throw new Error('The shop has no services.')
  let [count, bookingMs] = [0, 0]
  while (bookingMs < measuredMs) {
    await freeAllTimes(site, staff)
    const slots = upcomingSlots(service.duration_minutes)
    const startedMs = performance.now()
    const visitor = async (worker: number) => {
      for (let slot = slots.shift(); slot; slot = slots.shift()) {
        const { status } = await book(site, service, slot, `v${worker}-${slots.length}@example.com`)
        if (status === 201) count += 1
      }
    }
    await Promise.all(Array.from({ length: visitorCount }, (_, worker) => visitor(worker)))
    bookingMs += performance.now() - startedMs
  }
  await site.end()
  return count / (bookingMs / 1000)
}

const hasBase = () =>
  readdirSync(join(root, 'target'), { recursive: true, encoding: 'utf8' }).some((name) =>
    name.includes('manifest-'),
  )
