import { setTimeout as delay } from 'node:timers/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isAlive, readPostmaster } from '@local/embedded-postgres'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import {
  type ConcurrentVisitors,
  startVisitors,
  bookAny,
  findWrongHealth,
  isBookedOrTaken,
} from '#tests/long/races/concurrent-visitors.ts'
import { fixFormKeyIn } from '#tests/long/support/fixed-form-key.ts'
import { isLong, testSize, reportFigure } from '#tests/long/test-size.ts'
import { freeAllTimes, longTestAdmin, readAll, signIn } from '#tests/long/support/staff-client.ts'
import { readServices, type Service } from '#tests/long/support/visitor-client.ts'

const kills = testSize('KILLS', { short: 2, long: 10 })

/**
 * The site exits when the database server crashes for the fifth time within a minute. The test therefore kills the
 * database server four times in a row and then pauses for a minute.
 */
const inARow = 4
const minuteMs = 61_000

let shop: ServerProcess
let service: Service
beforeAll(async () => {
  shop = await startServer({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...longTestAdmin })
  await fixFormKeyIn(shop.dataDirectory)
  service = (await readServices(shop))[0] as Service
})
afterAll(() => shop?.end())

const serverPid = () =>
  readPostmaster(join(shop.dataDirectory, 'postgresql', 'cluster'))?.pid ?? Number.NaN

describe('a database server that is killed while visitors book', () => {
  it(
    `restarts automatically and loses no acknowledged booking (${kills} kills)`,
    { timeout: 180_000 + kills * 45_000 },
    async () => {
      const visitors = startVisitors(shop, service, 8)
      const staff = await signIn(shop)
      const seconds: number[] = []
      for (let kill = 0; kill < kills; kill += 1) {
        if (kill > 0 && kill % inARow === 0) await delay(minuteMs)
        await freeAllTimes(shop, staff)
        await bookAny(visitors)
        seconds.push((await killServer(visitors)) / 1000)
      }
      await bookAny(visitors)
      await visitors.stop()

      const stored = await readAll<{ customer_email: string }>(
        shop,
        staff,
        'bookings?select=customer_email&order=id.asc',
      )
      const found = new Set(stored.map((row) => row.customer_email))
      expect(visitors.acknowledged.filter((email) => !found.has(email))).toEqual([])
      expect(findWrongHealth(visitors)).toEqual([])
      expect(visitors.missingPages).toEqual([])
      const refusals = visitors.attempts.filter((attempt) => !isBookedOrTaken(attempt))
      expect(new Set(refusals.map(({ status, code }) => `${status} ${code}`))).toEqual(
        new Set(['503 PGRST001']),
      )
      if (isLong) expect(Math.max(...seconds)).toBeLessThan(5)
      reportFigure(
        `${kills} kills of the database server: ${visitors.acknowledged.length} acknowledged bookings, 0 lost; ${visitors.healthChecks.length} responses of /healthz, all correct; ${refusals.length} attempts refused with 503; booking again after ${seconds.map((s) => s.toFixed(1)).join(', ')} s`,
      )
    },
  )

  it.runIf(process.platform === 'linux')(
    'restarts automatically when the process of one connection is killed',
    { timeout: 180_000 },
    async () => {
      const visitors = startVisitors(shop, service, 8)
      await freeAllTimes(shop, await signIn(shop))
      await bookAny(visitors)
      const server = serverPid()
      const connections = connectionsOf(server)
      const killedAt = performance.now()
      process.kill(connections[0] ?? Number.NaN, 'SIGKILL')
      // PostgreSQL serves the other connections until it notices that one of its processes crashed. Then PostgreSQL
      // ends all connections.
      await vi.waitFor(() => expect(connections.filter(isAlive)).toEqual([]), 60_000)
      await freeAllTimesOnceBack()
      const backAt = performance.now()
      await bookAny(visitors)
      await visitors.stop()
      expect(serverPid()).toBe(server)
      expect(visitors.attempts.map(({ status }) => status)).not.toContain(0)
      // The restart may be so short that every attempt to book waits for the end of the restart, and the server refuses
      // none.
      const isRestarting = (at: number) => at > killedAt && at < backAt
      expect(findWrongHealth(visitors, isRestarting)).toEqual([])
    },
  )

  it(
    'makes the site exit with a reason and status 1 at the fifth crash within a minute',
    { timeout: 180_000 },
    async () => {
      const doomed = await startServer({ LOG_LEVEL: 'silent' })
      const cluster = join(doomed.dataDirectory, 'postgresql', 'cluster')
      // Counts the messages about a completed restart. If a database is killed before the site has connected to it, the
      // site logs a failed start instead, with another message.
      const comebacks = () => [...doomed.output().matchAll(/is running again after/g)].length
      for (let crash = 1; crash <= 5; crash += 1) {
        const { pid } = await vi.waitFor(() => {
          const postmaster = readPostmaster(cluster)
          if (!postmaster || !isAlive(postmaster.pid)) throw new Error('not up')
          expect(comebacks()).toBe(crash - 1)
          return postmaster
        }, 60_000)
        process.kill(pid, 'SIGKILL')
        await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
      }
      expect(await doomed.ended).toEqual([1, null])
      expect(doomed.output()).toContain('ended 5 times within a minute')
      await doomed.end()
    },
  )
})

/** Returns the processes of the site's connections, recognized by the title that PostgreSQL gives to its processes. */
function connectionsOf(server: number): number[] {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ')
  return children
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('authenticator'))
    .map(Number)
}

async function freeAllTimesOnceBack(): Promise<void> {
  await vi.waitFor(async () => freeAllTimes(shop, await signIn(shop)), 60_000)
}

/** Kills the main process of PostgreSQL; returns the milliseconds until the next successful booking. */
async function killServer(visitors: ConcurrentVisitors): Promise<number> {
  const killedAt = performance.now()
  process.kill(serverPid(), 'SIGKILL')
  await vi.waitFor(() => expect(refusedSince(visitors, killedAt)).toBeDefined(), 60_000)
  return vi.waitFor(() => {
    const refused = refusedSince(visitors, killedAt) ?? Infinity
    const again = visitors.attempts.find(
      (attempt) => isBookedOrTaken(attempt) && attempt.startedAt > refused,
    )
    if (!again) throw new Error('no booking succeeded')
    return again.endedAt - killedAt
  }, 60_000)
}

/** Returns the time of the first response after `since` that refused a booking because of the database. */
const refusedSince = ({ attempts }: ConcurrentVisitors, since: number) =>
  attempts.find((attempt) => attempt.startedAt > since && !isBookedOrTaken(attempt))?.endedAt
