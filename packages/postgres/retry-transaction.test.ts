import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { retryTransaction } from './retry-transaction.ts'

const failure = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })

it('repeats a transaction after a deadlock and again after a serialization failure', async () => {
  const work = vi.fn<() => Promise<string>>()
  work.mockRejectedValueOnce(failure('40P01')).mockRejectedValueOnce(failure('40001'))
  expect(await retryTransaction(work.mockResolvedValueOnce('done'))).toBe('done')
})

it('gives up after the third deadlock', async () => {
  const work = vi.fn<() => Promise<string>>().mockRejectedValue(failure('40P01'))
  await expect(retryTransaction(work)).rejects.toMatchObject({ code: '40P01' })
  expect(work).toHaveBeenCalledTimes(3)
})

it('does not repeat a transaction after another error', async () => {
  const work = vi.fn<() => Promise<string>>().mockRejectedValue(failure('23P01'))
  await expect(retryTransaction(work)).rejects.toMatchObject({ code: '23P01' })
  expect(work).toHaveBeenCalledOnce()
})
