import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

describe('a test database', () => {
  let first: TestDatabase
  let second: TestDatabase
  beforeAll(async () => {
    ;[first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
  })
  afterAll(() => Promise.all([first.drop(), second.drop()]))

  it('is migrated, and connects with the roles that the site uses', async () => {
    const [row] = await first.database.transaction(asServer, (query) =>
      query.unchecked<{ who: string; login: string }>(
        'select current_user as who, session_user as login',
      ),
    )
    expect(row).toEqual({ who: 'shop_server', login: 'authenticator' })
  })

  it('shares no data with another test database', async () => {
    await first.owner.query('create table only_here (id int)')
    const { rows } = await second.owner.query(`select to_regclass('public.only_here') as found`)
    expect(rows).toEqual([{ found: null }])
  })
})
