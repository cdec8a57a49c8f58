import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { publicAnonKey } from '#server/config.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import {
  startVisitors,
  bookAny,
  findWrongHealth,
  isBookedOrTaken,
} from '#tests/long/races/concurrent-visitors.ts'
import { fixFormKeyIn } from '#tests/long/support/fixed-form-key.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { mountSmallDisk } from './small-disk.ts'
import { freeAllTimes, longTestAdmin, readAll, signIn } from '#tests/long/support/staff-client.ts'
import { sendRequest, readServices, type Service } from '#tests/long/support/visitor-client.ts'

const floods = testSize('FLOODS', { short: 1, long: 5 })
const disk = mountSmallDisk(200)
let shop: ServerProcess | undefined
afterAll(async () => {
  await shop?.end()
  disk?.remove()
})

/** Parts of PostgreSQL's messages about its files, which no response may contain. */
const namesFile = /base\/|pg_|pgsql_tmp|could not (extend|write|create|open)|No space/

it.runIf(disk)(
  `a full disk loses no acknowledged booking, and /healthz reports the failure (${floods} times; skipped where no file system may be mounted)`,
  { timeout: 180_000 + floods * 60_000 },
  async () => {
    if (!disk) return
    const site = await startServer({
      DATA_DIR: join(disk.path, 'data'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...longTestAdmin,
    })
    shop = site
    const [service] = (await readServices(site)) as [Service]
    const staff = await signIn(site)
    await fixFormKeyIn(site.dataDirectory)
    const visitors = startVisitors(site, service, 8)
    const full: [number, number][] = []
    const noticed: number[] = []
    const recovered: number[] = []
    for (let flood = 0; flood < floods; flood += 1) {
      await bookAny(visitors)
      const filledAt = performance.now()
      await disk.fill()
      const findCheckSince = (since: number, ok: boolean) =>
        vi.waitFor(() => {
          const healthCheck = visitors.healthChecks.find(
            (healthCheck) => healthCheck.startedAt > since && healthCheck.ok === ok,
          )
          if (!healthCheck) throw new Error(`no ${ok ? 200 : 503}`)
          return healthCheck
        }, 60_000)
      const ill = await findCheckSince(filledAt, false)
      expect(ill.code).toBe('DISK_FULL')
      noticed.push(ill.endedAt - filledAt)
      const refused = () =>
        visitors.attempts.filter(
          (attempt) => attempt.startedAt > filledAt && attempt.status === 503,
        )
      await vi.waitFor(() => expect(refused().length).toBeGreaterThan(200), 60_000)
      for (const text of await requestEverything(site)) expect(text).not.toMatch(namesFile)
      await disk.free()
      const freedAt = performance.now()
      full.push([filledAt, freedAt])
      const well = await findCheckSince(freedAt, true)
      recovered.push(well.endedAt - freedAt)
      await freeAllTimes(site, staff)
    }
    await bookAny(visitors)
    await visitors.stop()

    const rows = await readAll<{ customer_email: string }>(
      site,
      staff,
      'bookings?select=customer_email&order=id.asc',
    )
    const found = new Set(rows.map((row) => row.customer_email))
    expect(visitors.acknowledged.filter((email) => !found.has(email))).toEqual([])
    expect(findWrongHealth(visitors, (at) => full.some(([a, b]) => at > a && at < b))).toEqual([])
    expect(visitors.missingPages).toEqual([])
    const refusals = visitors.attempts.filter((attempt) => !isBookedOrTaken(attempt))
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]))
    const countOutput = (text: RegExp) => site.output().match(text)?.length ?? 0
    expect(countOutput(/no booking can be taken: The disk of the database is full/g)).toBe(floods)
    expect(countOutput(/bookings can be taken again/g)).toBe(floods)
    const worst = (times: number[]) => (Math.max(...times) / 1000).toFixed(1)
    reportFigure(
      `a disk of 200 MB filled and emptied ${floods} times: ${visitors.acknowledged.length} acknowledged bookings, 0 lost; ${refusals.length} refused with 503; ${visitors.healthChecks.length} responses of /healthz, all correct; reported within ${worst(noticed)} s, over within ${worst(recovered)} s`,
    )
  },
)

/** Requests each part of the site while the disk is full; returns the responses. */
async function requestEverything(site: ServerProcess): Promise<string[]> {
  const anon = { authorization: `Bearer ${publicAnonKey}` }
  const requests = [
    sendRequest(site, 'GET', '/rest/v1/services', undefined, anon),
    sendRequest(
      site,
      'POST',
      '/rest/v1/quote_requests',
      { name: 'x'.repeat(90), description: 'y' },
      anon,
    ),
    sendRequest(site, 'POST', '/functions/v1/send-confirmation-email', {}, anon),
    sendRequest(site, 'POST', '/auth/v1/token?grant_type=password', {
      email: 'nobody@staff.example',
      password: 'wrong words',
    }),
    sendRequest(site, 'POST', '/api/admin/login', { username: 'admin', password: 'wrong words' }),
    sendRequest(site, 'GET', '/healthz'),
  ]
  return Promise.all(requests.map(async (response) => (await response).text()))
}
