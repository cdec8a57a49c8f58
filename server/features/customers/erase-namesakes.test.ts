import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { fixtureClock } from '#tests/support/database/database-fixtures.ts'

/** Customer names that equal service names, part names and other words in the shop's records. */
const names = [
  'Front Brakes',
  'Check Engine',
  'Brake Pads',
  'Brake Rotor',
  'Brake Job',
  'Oil Change',
  'Cabin Air Filter',
  'Coolant Flush',
  'Ignition Coil',
  'Ignition Coils',
  'Spark Plug',
  'Spark Plugs',
  'Wiper Blades',
  'Engine Light',
  'Battery Test',
  'Engine Diagnostics',
  'Multipoint Inspection',
  'Rear Pads',
  'Front Pads',
  'Drop Box',
  'Road Test',
  'Tire Rotation',
  'Transmission Service',
  'Scheduled Maintenance',
  'Throttle Body',
  'Air Filter',
  'Better Pads',
  'Highway Speed',
  'Ordering Parts',
  'The Customer',
] as const

let shop: TestApp
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows

beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  await shop.inject({
    method: 'POST',
    url: sampleWeekEndpoints.fill.path,
    headers: { cookie: await shop.logInConfirmed() },
    payload: {},
  })
}, 60_000)
afterAll(() => shop.close())

/**
 * Lists every text value in the shop's records with its column, such as '["public.tasks.title", "Front brakes, XC60"]'.
 */
async function allTexts(): Promise<string[]> {
  const columns = await runQuery<{ place: string; sql: string }>(
    `select format('%s.%s.%s', table_schema, table_name, column_name) as place,
            format('select %I::text as said from %I.%I where %I is not null', column_name, table_schema, table_name, column_name) as sql
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema = 'public' and data_type in ('text', 'jsonb')
       -- A job changes the delivery state of emails during the test.
       and (table_name, column_name) not in (('emails', 'status'), ('emails', 'last_error'), ('emails', 'provider_message_id'))`,
  )
  const texts: string[] = []
  for (const { place, sql } of columns)
    for (const { said: text } of await runQuery<{ said: string }>(sql))
      texts.push(JSON.stringify([place, text]))
  return texts
}

it('Erasing one of thirty customers who have names like services and parts changes no text of another customer', async () => {
  const before = await allTexts()
  expect(names).toHaveLength(30)
  const inUse = names.filter((name) =>
    before.some((text) => text.toLowerCase().includes(name.toLowerCase())),
  )
  expect(inUse.length).toBeGreaterThan(20)
  for (const [index, name] of names.entries()) {
    const [row] = await runQuery<{ customer: string }>(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
       values ($1, $2, '2019', 'Kia', 'Soul', 'A clunk.') returning customer_id as customer`,
      [name, `namesake-${index}@example.com`],
    )
    await runQuery(
      `select internal.erase_customer(id, version, 'ana') from public.customers where id = $1`,
      [row?.customer],
    )
  }
  expect(await runQuery('select from public.customers where erased_at is not null')).toHaveLength(
    names.length,
  )
  const left = new Map<string, number>()
  for (const text of await allTexts()) left.set(text, (left.get(text) ?? 0) + 1)
  const changed = before.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count === 0
  })
  expect(changed).toEqual([])
}, 60_000)
