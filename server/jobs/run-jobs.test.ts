import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type Job, runAlone, runJobs } from './run-jobs.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

const never = new AbortController().signal

describe('a job', () => {
  it('runs in one process at a time', async () => {
    const other = openDatabase(shop.url)
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const slow: Job = {
      name: 'slow',
      everySeconds: 1,
      run: () => {
        started.resolve()
        return gate.promise
      },
    }
    const first = runAlone(shop.database, slow, never)
    await started.promise
    expect(await runAlone(other, slow, never)).toBe(false)
    expect(await runAlone(other, { ...slow, name: 'another', run: async () => 1 }, never)).toBe(
      true,
    )
    gate.resolve()
    expect(await first).toBe(true)
    expect(await runAlone(other, slow, never)).toBe(true)
    await other.close()
  })

  it('releases its lock when it fails', async () => {
    const job: Job = { name: 'bad', everySeconds: 1, run: () => Promise.reject(new Error('no')) }
    await expect(runAlone(shop.database, job, never)).rejects.toThrow('no')
    expect(await runAlone(shop.database, { ...job, run: async () => 1 }, never)).toBe(true)
  })
})

describe('running jobs', () => {
  it('run again after a failure, which is reported', async () => {
    const ranTwice = Promise.withResolvers<void>()
    const reported: string[] = []
    let runs = 0
    const job: Job = {
      name: 'flaky',
      everySeconds: 0.01,
      run: async () => {
        runs += 1
        if (runs === 2) ranTwice.resolve()
        throw new Error('no')
      },
    }
    const running = runJobs([job], {
      database: shop.database,
      report: (name) => reported.push(name),
    })
    await ranTwice.promise
    await running.stop()
    expect(reported[0]).toBe('flaky')
  })

  it('are limited to three at the same time, so that visitors’ requests find a free database connection', async () => {
    const allDone = Promise.withResolvers<void>()
    const threeRun = Promise.withResolvers<void>()
    let [running, most, done] = [0, 0, 0]
    const jobs = Array.from({ length: 12 }, (_, nth): Job => ({
      name: `due ${nth}`,
      everySeconds: 0.01,
      run: async () => {
        running += 1
        most = Math.max(most, running)
        if (running === 3) threeRun.resolve()
        await threeRun.promise
        await shop.database.transaction({ role: 'shop_server' }, (query) =>
          query.unchecked('select 1'),
        )
        running -= 1
        done += 1
        if (done === 24) allDone.resolve()
      },
    }))
    const failed: string[] = []
    const runningJobs = runJobs(jobs, {
      database: shop.database,
      report: (name) => {
        failed.push(name)
        allDone.resolve()
      },
    })
    await allDone.promise
    await runningJobs.stop()
    expect([failed, most]).toEqual([[], 3])
  })

  it('do not delay an urgent job', async () => {
    const ended = Promise.withResolvers<void>()
    const slow: Job[] = Array.from({ length: 3 }, (_, n) => ({
      name: `slow ${n}`,
      everySeconds: 0.01,
      run: () => ended.promise,
    }))
    const ran = Promise.withResolvers<string>()
    const urgent: Job = {
      name: 'urgent',
      everySeconds: 0.2,
      isUrgent: true,
      run: async () => ran.resolve('ran'),
    }
    const running = runJobs([...slow, urgent], {
      database: shop.database,
      report: () => undefined,
    })
    expect(await ran.promise).toBe('ran')
    ended.resolve()
    await running.stop()
  })

  it('receive the abort signal when the process stops, and the process waits for their end', async () => {
    const started = Promise.withResolvers<void>()
    const ended = vi.fn()
    const job: Job = {
      name: 'patient',
      everySeconds: 0.01,
      run: (signal) =>
        new Promise<void>((resolve) => {
          started.resolve()
          signal.addEventListener('abort', () => {
            ended()
            resolve()
          })
        }),
    }
    const running = runJobs([job], { database: shop.database, report: () => undefined })
    await started.promise
    await running.stop()
    expect(ended).toHaveBeenCalledOnce()
  })
})
