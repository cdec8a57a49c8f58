import { describe, expect, it } from 'vitest'
import { createSharedWork } from './shared-work.ts'

/** Work that ends when told to, and counts how often it began. */
function openWork() {
  const ends: ((value: number) => void)[] = []
  const work = () => new Promise<number>((resolve) => ends.push(resolve))
  return { work, begun: () => ends.length, end: (run: number) => ends[run]?.(run) }
}

describe('shared work', () => {
  it('is done once more for all who asked while it was under way', async () => {
    const share = createSharedWork<number>()
    const { work, begun, end } = openWork()
    const first = share('a', work)
    const later = [share('a', work), share('a', work), share('a', work)]
    expect(begun()).toBe(1)
    end(0)
    // What was under way may have looked before they asked: they are told of the next run.
    expect(await first).toBe(0)
    await expect.poll(begun).toBe(2)
    end(1)
    expect(await Promise.all(later)).toEqual([1, 1, 1])
    expect(begun()).toBe(2)
  })

  it('goes on for one key while another waits', async () => {
    const share = createSharedWork<number>()
    const { work } = openWork()
    void share('slow', work)
    expect(await share('quick', async () => 7)).toBe(7)
  })

  it('fails for those who share it, and is tried anew by who asks next', async () => {
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
