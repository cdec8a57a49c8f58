import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Database, Outage } from '@local/postgres'
import type { HealthProblem } from './check-database.ts'
import { logOptions } from '#server/platform/http/request-log.ts'
import { watchHealth } from './watch-health.ts'

type Line = { level: string; msg: string; code?: string }

let app: FastifyInstance
afterEach(async () => {
  vi.useRealTimers()
  await app?.close()
})

/** A database that is as `state` says; `fail` is a request that found it so. */
function watch(state: { ailment: HealthProblem | undefined }) {
  const lines: string[] = []
  app = Fastify(logOptions({ level: 'info', stream: { write: (line) => void lines.push(line) } }))
  const clock = { ms: 10_000 }
  const check = vi.fn<() => Promise<HealthProblem | undefined>>(async () => state.ailment)
  let fail: (error: Error, outage: Outage) => void = () => undefined
  const database = { onOutage: (listen: typeof fail) => (fail = listen) } as unknown as Database
  const health = watchHealth(app, { database, check, now: () => clock.ms })
  const logLines = () =>
    lines.map((line) => JSON.parse(line) as Line).map(({ level, msg }) => `${level}: ${msg}`)
  return { health, clock, check, logLines, fail: () => fail(new Error('no'), 'disk-full') }
}

describe('the health of the database', () => {
  it('is looked at once a second, however many ask', async () => {
    const { health, clock, check } = watch({ ailment: undefined })
    await Promise.all(Array.from({ length: 1_000 }, () => health.check()))
    clock.ms += 999
    await health.check()
    expect(check).toHaveBeenCalledTimes(1)
    clock.ms += 1
    await Promise.all(Array.from({ length: 1_000 }, () => health.check()))
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('is told with a code, and to the log once with what to do', async () => {
    const state: { ailment: HealthProblem | undefined } = { ailment: 'disk-full' }
    const { health, clock, logLines } = watch(state)
    for (let second = 0; second < 5; second += 1) {
      expect(await health.check()).toEqual({
        ok: false,
        code: 'DISK_FULL',
        why: 'The disk of the database is full.',
      })
      clock.ms += 1_000
    }
    state.ailment = undefined
    expect(await health.check()).toEqual({ ok: true })
    expect(logLines()).toEqual([
      expect.stringMatching(/^error: no booking can be taken: .* Make room on it/),
      'warn: bookings can be taken again',
    ])
  })

  it('is looked at anew when a request met an outage, not only when it is a second old', async () => {
    const state: { ailment: HealthProblem | undefined } = { ailment: undefined }
    const { health, clock, fail } = watch(state)
    await health.check()
    state.ailment = 'unreachable'
    clock.ms += 300
    fail()
    await vi.waitFor(async () => expect(await health.check()).toMatchObject({ ok: false }))
  })

  it('names the failure of a request that the look after it cannot explain', async () => {
    const { logLines, fail } = watch({ ailment: undefined })
    fail()
    await vi.waitFor(() =>
      expect(logLines()).toEqual(['error: the database failed a request, and works']),
    )
  })

  it('says so once for a rush of requests that fail', async () => {
    const { logLines, fail, clock, health } = watch({ ailment: undefined })
    await health.check()
    for (let failure = 0; failure < 20; failure += 1) fail()
    await vi.waitFor(() => expect(logLines()).toHaveLength(1))
    clock.ms += 900
    fail()
    await health.check()
    expect(logLines()).toHaveLength(1)
    clock.ms += 300
    fail()
    await vi.waitFor(() => expect(logLines()).toHaveLength(2))
  })

  it('is noticed, and so is its end, when nobody asks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const state: { ailment: HealthProblem | undefined } = { ailment: 'read-only' }
    const { clock, logLines } = watch(state)
    await app.ready()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(logLines()).toHaveLength(1)
    state.ailment = undefined
    clock.ms += 1_000
    await vi.advanceTimersByTimeAsync(1_000)
    expect(logLines()).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(1)
    await app.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
