import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { retryDeadlock } from './retry-deadlock.ts'

const failure = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })

it('work that a deadlock ended is done once more, and no more often', async () => {
  const work = vi.fn<() => Promise<string>>()
  work.mockRejectedValueOnce(failure('40P01')).mockResolvedValueOnce('done')
  expect(await retryDeadlock(work)).toBe('done')
  work.mockReset().mockRejectedValue(failure('40P01'))
  await expect(retryDeadlock(work)).rejects.toMatchObject({ code: '40P01' })
  expect(work).toHaveBeenCalledTimes(2)
})

it('work that failed otherwise is not', async () => {
  const work = vi.fn<() => Promise<string>>().mockRejectedValue(failure('23P01'))
  await expect(retryDeadlock(work)).rejects.toMatchObject({ code: '23P01' })
  expect(work).toHaveBeenCalledOnce()
})
