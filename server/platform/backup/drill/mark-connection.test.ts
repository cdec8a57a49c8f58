import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { withMarkConnection } from './mark-connection.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

describe('the database connection of a restore drill', () => {
  it('ends in the middle of a statement when the drill is stopped', async () => {
    const stopping = new AbortController()
    const reading = withMarkConnection(shop.ownerUrl, stopping.signal, async (client) => {
      const sleeping = client.query('select pg_sleep(600)')
      setTimeout(() => stopping.abort(new Error('stopped')))
      await sleeping
    })
    await expect(reading).rejects.toThrow('stopped')
  })

  it('runs no statement after the drill was stopped', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(
      withMarkConnection(shop.ownerUrl, signal, () => Promise.resolve('read')),
    ).rejects.toThrow('stopped')
  })

  it('passes on a database error that occurs while the drill runs', async () => {
    const { signal } = new AbortController()
    await expect(
      withMarkConnection(shop.ownerUrl, signal, (client) => client.query('select 1 / 0')),
    ).rejects.toThrow('division by zero')
  })
})
