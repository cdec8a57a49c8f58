import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { retryTransaction } from './retry-transaction.ts'

const failure = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })

it('a transaction is repeated after a deadlock, and again after a serialization failure', async () => {
  const work = vi.fn<() => Promise<string>>()
  work.mockRejectedValueOnce(failure('40P01')).mockRejectedValueOnce(failure('40001'))
  expect(await retryTransaction(work.mockResolvedValueOnce('done'))).toBe('done')
})

it('a transaction is not repeated after the third deadlock', async () => {
  const work = vi.fn<() => Promise<string>>().mockRejectedValue(failure('40P01'))
  await expect(retryTransaction(work)).rejects.toMatchObject({ code: '40P01' })
  expect(work).toHaveBeenCalledTimes(3)
})

it('a transaction is not repeated after an error that is neither a deadlock nor a serialization failure', async () => {
  const work = vi.fn<() => Promise<string>>().mockRejectedValue(failure('23P01'))
  await expect(retryTransaction(work)).rejects.toMatchObject({ code: '23P01' })
  expect(work).toHaveBeenCalledOnce()
})
