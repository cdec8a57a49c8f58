import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findRunningServer } from '@local/embedded-postgres'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { fixFormKeyIn } from '#tests/long/support/fixed-form-key.ts'
import { freeAllTimes, longTestAdmin, readAll, signIn } from '#tests/long/support/staff-client.ts'
import { book, readServices, upcomingSlots } from '#tests/long/support/visitor-client.ts'
import { isLong, reportFigure, testSize } from '#tests/long/test-size.ts'

const rounds = testSize('BURNT_ROUNDS', { short: 1, long: 10 })
/**
 * The time, in milliseconds, during which visitors book in one round. In `npm test` less time is enough, because there
 * PostgreSQL completes a segment of the write-ahead log every second instead of every minute.
 */
const bookingMs = isLong ? 150_000 : 15_000
const promisedMs = isLong ? 120_000 : 10_000
/** The number of concurrent visitors. Together they book more than twenty appointments a second. */
const visitorCount = 16
const pauseMs = 200
const promisedRate = 20

type Acknowledged = { readonly email: string; readonly atMs: number }

let root: string
let target: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'torque-burnt-'))
  target = join(root, 'target')
  mkdirSync(target)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (directory: string) =>
  startServer({
    DATA_DIR: directory,
    BACKUP_URL: pathToFileURL(target).href,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...longTestAdmin,
  })

const countBases = () =>
  readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('manifest-'),
  ).length

it(
  `a shop that is restored after the loss of its machine lacks at most the bookings of the last ${promisedMs / 1000} seconds (${rounds} rounds)`,
  { timeout: 120_000 + rounds * (bookingMs + 180_000) },
  async () => {
    let directory = join(root, 'round-0')
    const found: Round[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const bases = countBases()
      const site = await start(directory)
      await vi.waitUntil(() => countBases() > bases, { timeout: 120_000, interval: 100 })
      await fixFormKeyIn(directory)
      const { acknowledged, burntMs, key } = await bookUntilBurnt(site, round)
      directory = await restore(key, round)
      const missing = await findMissing(directory, acknowledged)
      const gapMs = Math.max(0, ...missing.map(({ atMs }) => burntMs - atMs))
      found.push({ count: acknowledged.length, gapMs })
      reportFigure(`round ${round}: ${describe(found.slice(-1))}`)
      expect(missing.filter(({ atMs }) => atMs < burntMs - promisedMs)).toEqual([])
    }
    reportFigure(`${rounds} lost machines: ${describe(found)}`)
    expect(Math.min(...found.map(({ count }) => count))).toBeGreaterThan(20)
    if (isLong) expect(slowestRate(found)).toBeGreaterThanOrEqual(promisedRate)
  },
)

/**
 * The number of acknowledged bookings in a round, and the age in milliseconds of the oldest booking that the restored
 * shop lacks.
 */
type Round = { readonly count: number; readonly gapMs: number }

const slowestRate = (found: readonly Round[]) =>
  Math.min(...found.map(({ count }) => count / (bookingMs / 1000)))

function describe(found: readonly Round[]): string {
  const count = found.reduce((sum, round) => sum + round.count, 0)
  const gapMs = Math.max(...found.map((round) => round.gapMs))
  return `${count} acknowledged bookings (at least ${slowestRate(found).toFixed(1)} a second), largest gap ${(gapMs / 1000).toFixed(1)} s`
}

async function bookUntilBurnt(site: ServerProcess, round: number) {
  const { dataDirectory } = site
  const [service] = await readServices(site)
  if (!service) throw new Error('The shop has no services.')
  const staff = await signIn(site)
  const slots: ReturnType<typeof upcomingSlots> = []
  let refilling: Promise<void> | undefined
  // Cancels the bookings when all times are taken, so that visitors can book until the machine is destroyed.
  const refill = async () => {
    await freeAllTimes(site, staff)
    slots.push(...upcomingSlots(service.duration_minutes))
  }
  const acknowledged: Acknowledged[] = []
  const burning = new AbortController()
  let count = 0
  const visitor = async (worker: number) => {
    while (!burning.signal.aborted) {
      const slot = slots.shift()
      if (!slot) {
        refilling ??= refill().finally(() => (refilling = undefined))
        // The site may be down or overloaded. The visitor pauses before the next attempt.
        await refilling.catch(() => delay(pauseMs))
        continue
      }
      const email = `round-${round}-${worker}-${(count += 1)}@example.com`
      const answer = await book(site, service, slot, email).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push({ email, atMs: Date.now() })
      await delay(pauseMs)
    }
  }
  const visitors = Array.from({ length: visitorCount }, (_, worker) => visitor(worker))
  await Promise.race([
    delay(bookingMs),
    isLong ? new Promise(() => undefined) : endSegments(dataDirectory, burning.signal),
  ])
  const key = readFileSync(join(dataDirectory, 'keys', 'backup.key'), 'utf8')
  const burntMs = Date.now()
  await site.end('SIGKILL')
  burning.abort()
  await Promise.all(visitors)
  await vi.waitUntil(() => findRunningServer(dataDirectory) === undefined, { timeout: 30_000 })
  rmSync(dataDirectory, { recursive: true, force: true })
  return { acknowledged, burntMs, key }
}

/** Makes PostgreSQL complete a segment of its write-ahead log every second. */
async function endSegments(dataDirectory: string, signal: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: findRunningServer(dataDirectory) ?? '' })
  client.on('error', () => undefined)
  await client.connect()
  while (!signal.aborted) {
    await client.query('select pg_switch_wal()').catch(() => undefined)
    await delay(1_000)
  }
}

async function restore(key: string, round: number): Promise<string> {
  const directory = join(root, `round-${round}`)
  const keyFile = join(root, `key-${round}`)
  writeFileSync(keyFile, key)
  const from = pathToFileURL(target).href
  await promisify(execFile)(
    process.execPath,
    ['server/commands/restore.ts', '--from', from, '--key', keyFile],
    {
      cwd: join(import.meta.dirname, '../../..'),
      env: { ...minimalEnvironment, DATA_DIR: directory },
    },
  )
  return directory
}

/** Returns the acknowledged bookings that the restored shop lacks. */
async function findMissing(
  directory: string,
  acknowledged: readonly Acknowledged[],
): Promise<Acknowledged[]> {
  const site = await startServer({ DATA_DIR: directory, LOG_LEVEL: 'silent', ...longTestAdmin })
  const stored = await readAll<{ customer_email: string }>(
    site,
    await signIn(site),
    'bookings?select=customer_email&order=id.asc',
  )
  await site.end()
  const found = new Set(stored.map((row) => row.customer_email))
  return acknowledged.filter(({ email }) => !found.has(email))
}
