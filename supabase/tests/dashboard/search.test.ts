import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { admin, signedInStranger } from '#tests/support/database/database-fixtures.ts'
import type { Identity } from '@local/postgres'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  // The trigger that links bookings to customers is disabled, because the trigger would take most of the time and does
  // not affect these tests.
  await shop.owner.query('alter table public.bookings disable trigger t50_link_to_customer')
  await shop.owner.query(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select service.id, date '2020-01-01' + n, '13:30', 60,
       case n when 77 then 'Jo O''Neil \\ 100%' else 'Dana Whitfield' end,
       'customer' || n || '@shop.example', '(650) 555-01' || lpad((n % 100)::text, 2, '0'),
       '2019', case n % 2 when 0 then 'Subaru' else 'Honda' end, 'Outback'
     from (select id from public.services limit 1) as service, generate_series(1, 5000) as n`,
  )
  await shop.owner.query('alter table public.bookings enable trigger t50_link_to_customer')
  await shop.owner.query('vacuum analyze public.bookings')
})
afterAll(() => shop.drop())

async function found(search: string, identity: Identity = admin): Promise<number> {
  const rows = await shop.database.transaction(identity, (query) =>
    query.unchecked('select id from public.find_bookings($1)', [search]),
  )
  return rows.length
}

/** Counts the database pages (blocks) that a search reads, from the buffers or from disk. */
async function pagesReadFor(search: string): Promise<number> {
  const [row] = await shop.database.transaction(admin, (query) =>
    query.unchecked<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      'explain (analyze, buffers, format json) select id from public.find_bookings($1)',
      [search],
    ),
  )
  const plan = row?.['QUERY PLAN'][0].Plan ?? {}
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

describe('the search of the admin among thousands of appointments', () => {
  it.each([
    ['a name in the middle of a word', 'neil', 1],
    ['every word, in any order and case', 'NEIL jo', 1],
    ['two letters that begin a word', 'jo', 1],
    ['three letters inside a word', 'eil', 1],
    ['two letters inside a word, which find none', 'il', 0],
    ['a phone number, grouped in any way', '650.555-0177', 50],
    ['a vehicle and an email address', 'honda customer77@', 1],
    ['characters with a meaning in SQL patterns', '100%', 1],
    ['a backslash', '\\', 1],
    ['an apostrophe', "o'neil", 1],
    ['an empty search text, which finds all', ' ', 5000],
  ])('finds the expected appointments for %s', async (_what, search, count) => {
    expect(await found(search)).toBe(count)
  })

  it('reads only a few more database pages than those that contain the results', async () => {
    const { rows } = await shop.owner.query<{ pages: number }>(
      `select relpages as pages from pg_class where oid = 'public.bookings'::regclass`,
    )
    const all = rows[0]?.pages ?? 0
    expect(await pagesReadFor('neil jo')).toBeLessThan(all / 3)
    expect(await pagesReadFor(' ')).toBeGreaterThanOrEqual(all)
  })

  it('returns nothing to a user who is not the admin', async () => {
    expect(await found('neil', signedInStranger)).toBe(0)
  })
})
