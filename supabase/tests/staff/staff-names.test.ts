import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await shop.owner.query(
    `insert into public.staff_accounts (user_id, username, name, role, created_at)
     values (gen_random_uuid(), 'lena', 'Lena Marsh', 'advisor', '2026-11-01T00:00:00Z')`,
  )
})
afterAll(() => shop.drop())

const nameOf = async (username: string | null, at: string) => {
  const { rows } = await shop.owner.query<{ name: string | null }>(
    'select internal.staff_name_at($1, $2) as name',
    [username, at],
  )
  return rows[0]?.name
}

it('the author name of an action is the name of the account, or the username for an action before the account existed', async () => {
  expect(await nameOf('lena', '2026-11-01T00:00:00Z')).toBe('Lena Marsh')
  expect(await nameOf('lena', '2026-10-31T23:59:59Z')).toBe('lena')
})

it('the author name of an action is the username if there is no account, and empty if there is no username', async () => {
  expect(await nameOf('customer', '2026-11-02T00:00:00Z')).toBe('customer')
  expect(await nameOf(null, '2026-11-02T00:00:00Z')).toBeNull()
})
