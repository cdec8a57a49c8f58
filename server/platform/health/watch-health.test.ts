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

/**
 * Watches a fake database whose check returns `state.problem`. The returned function `fail` simulates a request that
 * failed because of an outage.
 */
function watch(state: { problem: HealthProblem | undefined }) {
  const lines: string[] = []
  app = Fastify(logOptions({ level: 'info', stream: { write: (line) => void lines.push(line) } }))
  const clock = { ms: 10_000 }
  const check = vi.fn<() => Promise<HealthProblem | undefined>>(async () => state.problem)
  let fail: (error: Error, outage: Outage) => void = () => undefined
  const database = { onOutage: (listen: typeof fail) => (fail = listen) } as unknown as Database
  const health = watchHealth(app, { database, check, now: () => clock.ms })
  const logLines = () =>
    lines.map((line) => JSON.parse(line) as Line).map(({ level, msg }) => `${level}: ${msg}`)
  return { health, clock, check, logLines, fail: () => fail(new Error('no'), 'disk-full') }
}

describe('the health of the database', () => {
  it('is checked once a second, for any number of requests', async () => {
    const { health, clock, check } = watch({ problem: undefined })
    await Promise.all(Array.from({ length: 1_000 }, () => health.check()))
    clock.ms += 999
    await health.check()
    expect(check).toHaveBeenCalledTimes(1)
    clock.ms += 1
    await Promise.all(Array.from({ length: 1_000 }, () => health.check()))
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('is reported with an error code, and logged once with instructions', async () => {
    const state: { problem: HealthProblem | undefined } = { problem: 'disk-full' }
    const { health, clock, logLines } = watch(state)
    for (let second = 0; second < 5; second += 1) {
      expect(await health.check()).toEqual({
        ok: false,
        code: 'DISK_FULL',
        why: 'The disk of the database is full.',
      })
      clock.ms += 1_000
    }
    state.problem = undefined
    expect(await health.check()).toEqual({ ok: true })
    expect(logLines()).toEqual([
      expect.stringMatching(/^error: no booking can be taken: .* Free some space on this disk/),
      'warn: bookings can be taken again',
    ])
  })

  it('is checked again immediately after a failed request, even if the last check is less than a second old', async () => {
    const state: { problem: HealthProblem | undefined } = { problem: undefined }
    const { health, clock, fail } = watch(state)
    await health.check()
    state.problem = 'unreachable'
    clock.ms += 300
    fail()
    await vi.waitFor(async () => expect(await health.check()).toMatchObject({ ok: false }))
  })

  it('is logged with an unexplained failure when a request failed although the check finds no problem', async () => {
    const { logLines, fail } = watch({ problem: undefined })
    fail()
    await vi.waitFor(() =>
      expect(logLines()).toEqual([
        'error: the database failed a request, but its check finds no problem',
      ]),
    )
  })

  it('is logged only once per second, however many unexplained failures occur', async () => {
    const { logLines, fail, clock, health } = watch({ problem: undefined })
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

  it('is checked regularly without requests, and its changes are logged', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const state: { problem: HealthProblem | undefined } = { problem: 'read-only' }
    const { clock, logLines } = watch(state)
    await app.ready()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(logLines()).toHaveLength(1)
    state.problem = undefined
    clock.ms += 1_000
    await vi.advanceTimersByTimeAsync(1_000)
    expect(logLines()).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(1)
    await app.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
