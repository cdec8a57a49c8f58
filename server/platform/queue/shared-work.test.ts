import { describe, expect, it } from 'vitest'
import { createSharedWork } from './shared-work.ts'

/** Creates work that runs until the test ends it, and counts the runs. */
function openWork() {
  const ends: ((value: number) => void)[] = []
  const work = () => new Promise<number>((resolve) => ends.push(resolve))
  return { work, begun: () => ends.length, end: (run: number) => ends[run]?.(run) }
}

describe('work that concurrent callers share', () => {
  it('runs only once more for all calls that arrive during a run', async () => {
    const share = createSharedWork<number>()
    const { work, begun, end } = openWork()
    const first = share('a', work)
    const later = [share('a', work), share('a', work), share('a', work)]
    expect(begun()).toBe(1)
    end(0)
    // The running work may have read its data before the later calls, so these calls share the next run.
    expect(await first).toBe(0)
    await expect.poll(begun).toBe(2)
    end(1)
    expect(await Promise.all(later)).toEqual([1, 1, 1])
    expect(begun()).toBe(2)
  })

  it('for one key is not delayed by the work for another key', async () => {
    const share = createSharedWork<number>()
    const { work } = openWork()
    void share('slow', work)
    expect(await share('quick', async () => 7)).toBe(7)
  })

  it('fails for all calls that share the run, and runs again for the next call', async () => {
    const share = createSharedWork<number>()
    const failing = () => Promise.reject(new Error('down'))
    const both = [share('a', failing), share('a', failing)]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    expect(await share('a', async () => 7)).toBe(7)
  })
})
