import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  const { rows } = await shop.owner.query<{ id: string }>(
    'select id from services order by name limit 1',
  )
  serviceId = rows[0]?.id ?? ''
})
afterAll(() => shop.drop())

const asTheServer = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(asServer, (query) => query.unchecked<Row>(sql, values))
const booking = (change: object = {}) => ({
  id: '00000000-0000-4000-8000-00000000000a',
  serviceId,
  date: '2026-11-21',
  time: '12:00',
  name: 'Nora Lindholm',
  email: 'nora.lindholm@sample.example',
  phone: '(650) 555-0121',
  year: '2017',
  make: 'Honda',
  model: 'Civic',
  status: 'confirmed',
  createdAt: '2026-11-18T18:00:00Z',
  ...change,
})
const addBooking = (change: object = {}) =>
  asTheServer<Record<string, unknown>>(
    `select appointment_time, bay_id is not null as is_placed, completed_at is not null as is_completed, is_sample
     from internal.add_sample_booking($1)`,
    [booking(change)],
  )

describe.each([
  ['a visitor', visitor],
  ['a user who is not the admin', signedInStranger],
  ['the admin who calls SQL directly', admin],
])('%s', (_case, identity) => {
  it.each([
    'select internal.begin_sample_week()',
    'select internal.remove_sample_week()',
    'select * from internal.onboarding',
  ])('cannot run the sample-week statement %s', async (sql) => {
    const refusal = await refusalTo(shop.database, identity, (query) => query.unchecked(sql))
    expect(refusal.code).toBe('42501')
  })

  it('cannot mark a real record as a sample', async () => {
    const row = { ...bookingRow(serviceId), is_sample: 'true' }
    const refusal = await refusalTo(shop.database, identity, (query) =>
      insertRow(query, 'bookings', row),
    )
    expect(refusal.code).toBe('42501')
  })
})

describe('a sample appointment', () => {
  it('gets the nearest free time, or no appointment on a fully booked day', async () => {
    expect(await addBooking()).toEqual([
      { appointment_time: '12:00:00', is_placed: true, is_completed: false, is_sample: true },
    ])
    const [second] = await addBooking({ id: '00000000-0000-4000-8000-00000000000b' })
    expect(second?.['appointment_time']).not.toBe('12:00:00')
    await shop.owner.query(
      `insert into special_hours (starts_at, ends_at) values ('2026-11-22', '2026-11-23')`,
    )
    expect(
      await addBooking({ id: '00000000-0000-4000-8000-00000000000c', date: '2026-11-22' }),
    ).toEqual([])
  })

  it('is completed when its time has passed', async () => {
    const [over] = await addBooking({
      id: '00000000-0000-4000-8000-00000000000d',
      date: '2026-11-19',
    })
    expect(over).toMatchObject({ is_completed: true })
  })

  it('can be deleted while it is open, unlike an appointment of a customer', async () => {
    const open = `delete from bookings where completed_at is null and is_sample = $1 returning 1`
    const asAdmin = (isSample: boolean) =>
      shop.database.transaction(admin, (query) => query.unchecked(open, [isSample]))
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId)),
    )
    await expect(asAdmin(false)).rejects.toMatchObject({ code: 'TT021' })
    expect(await asAdmin(true)).toHaveLength(2)
  })
})

describe('the onboarding state (the setup steps of a new shop)', () => {
  it('is a single row, and no client can mark a required step as done without completing it', async () => {
    await expect(
      shop.owner.query('insert into internal.onboarding default values'),
    ).rejects.toMatchObject({
      code: '23505',
    })
    await expect(
      asTheServer(`update internal.onboarding set confirmed_steps = array['payments']`),
    ).rejects.toMatchObject({ constraint: 'onboarding_confirmed_steps_are_known' })
  })
})
