import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanLines, cleanLine } from '#domain/text/text-input.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  type BookingRow,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let booking: BookingRow
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  booking = bookingRow(await addService(shop, 'Clutch Check', 60))
})
afterAll(() => shop.drop())

const quote: BookingRow = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: '(650) 555-0167',
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  description: 'It squeaks.',
}
const rows = { bookings: () => booking, quote_requests: () => quote }
type Table = keyof typeof rows

const insert = (table: Table, change: BookingRow) =>
  refusalTo(shop.database, visitor, (query) =>
    insertRow(query, table, { ...rows[table](), ...change }),
  )

const unseen =
  '\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e' +
  '\u2060\u2064\u2066\u2067\u2068\u2069\u206f\ufeff\ufff9\ufffb\u{e0001}\u{e007f}'
const fields = {
  bookings: [
    'customer_name',
    'customer_email',
    'customer_phone',
    'vehicle_year',
    'vehicle_make',
    'vehicle_model',
    'vehicle_color',
  ],
  quote_requests: ['name', 'email', 'phone', 'vehicle_year', 'vehicle_make', 'vehicle_model'],
} as const

describe('an invisible character', () => {
  it.each(Object.keys(fields) as Table[])(
    'is refused in every single-line field of %s',
    async (table) => {
      for (const field of fields[table]) {
        expect(await insert(table, { [field]: 'a@b\u202e.c' })).toMatchObject({ code: '23514' })
      }
    },
  )

  it('is refused by the database and removed by the form, for each invisible character in the list', async () => {
    for (const character of unseen) {
      const refusal = await insert('quote_requests', { name: `Da${character}na` })
      expect({ character, code: refusal.code }).toEqual({ character, code: '23514' })
      expect(cleanLine(`Da${character}na`).replace(' ', '')).toBe('Dana')
    }
  })

  it('that changes the text direction is refused in long texts, which may contain line breaks', async () => {
    for (const character of '\u202a\u202e\u2066\u2069\u001b\u009f') {
      expect(await insert('bookings', { notes: `a${character}b` })).toMatchObject({ code: '23514' })
      expect(await insert('quote_requests', { description: `a${character}b` })).toMatchObject({
        code: '23514',
      })
      expect(cleanLines(`a${character}b`)).toBe('ab')
    }
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'quote_requests', { ...quote, description: 'One\r\n\ttwo \u200fשלום' }),
    )
  })

  it('is accepted where the spelling of a language requires it, for example the joiner in a Persian name', async () => {
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'quote_requests', { ...quote, name: 'علی\u200cرضا' }),
    )
    const { rows: stored } = await shop.owner.query(
      `select count(*)::int as stored from public.quote_requests where name ~ '\u200c'`,
    )
    expect(stored).toEqual([{ stored: 1 }])
  })
})
