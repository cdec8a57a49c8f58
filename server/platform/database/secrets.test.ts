import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { getSecret } from './secrets.ts'

describe('a secret', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  it('is created only once when several processes start at the same time', async () => {
    const pending = Array.from({ length: 8 }, () => getSecret(test.database, 'signing_key'))
    const values = await Promise.all(pending)
    expect(new Set(values).size).toBe(1)
    expect(values[0]).toMatch(/^[\w-]{43}$/)
    expect(await getSecret(test.database, 'signing_key')).toBe(values[0])
  })

  it('has a different value for each name', async () => {
    const [one, other] = await Promise.all([
      getSecret(test.database, 'one'),
      getSecret(test.database, 'other'),
    ])
    expect(one).not.toBe(other)
  })

  it('is readable by the server only', async () => {
    for (const role of ['anon', 'authenticated', 'service_role'] as const) {
      const reading = test.database.transaction({ role }, (query) =>
        query.unchecked('select value from internal.secrets'),
      )
      await expect(reading).rejects.toThrow(/permission denied/)
    }
  })
})
