import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  refusalTo,
  fixtureClock,
  signedInStranger,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let bookingId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
})
afterAll(() => shop.drop())

type Row = { id: string; version: number; internal_note: string | null }
const asAdmin = <Answer extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Answer>(sql, values))
const note = (text: string, seen: string | null) =>
  asAdmin('select public.save_booking_note($1, $2, $3)', [bookingId, text, seen])
const refusalOf = (text: string, seen: string | null, id = bookingId) =>
  refusalTo(shop.database, admin, (query) =>
    query.unchecked('select public.save_booking_note($1, $2, $3)', [id, text, seen]),
  )
const booking = async () => {
  const [row] = await asAdmin<Row>('select id, version, internal_note from public.bookings')
  if (!row) throw new Error('There is no appointment.')
  return row
}

beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings'))
  const serviceId = await addService(shop, `Story ${crypto.randomUUID()}`, 60)
  await asAdmin(
    `select id from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
       appointment_time => '13:30', customer_name => 'Sam Okafor', customer_phone => '555-0155')`,
    [serviceId],
  )
  bookingId = (await booking()).id
})

describe('an internal note of an appointment', () => {
  it('can be added, changed and removed without changing the version of the booking', async () => {
    const { version } = await booking()
    await note(' Pads are here ', null)
    expect(await booking()).toMatchObject({ internal_note: 'Pads are here', version })
    await note('Pads are here, shelf 4', 'Pads are here')
    await note('', 'Pads are here, shelf 4')
    expect(await booking()).toMatchObject({ internal_note: null, version })
    await asAdmin(`select id from public.change_booking_state($1, 'arrived', $2)`, [
      bookingId,
      version,
    ])
    expect((await booking()).version).toBe(version + 1)
  })

  it('cannot be overwritten by an edit that began before another change, and the refusal states the reason', async () => {
    await note('Hers', null)
    await expect(note('His', null)).rejects.toMatchObject({
      code: 'TT051',
      hint: 'version_conflict',
      detail: 'Hers',
    })
    expect((await booking()).internal_note).toBe('Hers')
  })

  it('can be saved twice with the same text', async () => {
    await note('Hers', null)
    await note('Hers', null)
    expect((await booking()).internal_note).toBe('Hers')
  })

  it('requires an existing appointment, a text within the maximum length, and the admin role', async () => {
    const unknownId = '00000000-0000-4000-8000-00000000000f'
    expect(await refusalOf('Text', null, unknownId)).toMatchObject({ code: 'TT060' })
    expect(await refusalOf('x'.repeat(501), null)).toMatchObject({ code: '23514' })
    const refusal = await refusalTo(shop.database, signedInStranger, (query) =>
      query.unchecked('select public.save_booking_note($1, $2)', [bookingId, 'Text']),
    )
    expect(refusal.code).toBe('42501')
  })
})
