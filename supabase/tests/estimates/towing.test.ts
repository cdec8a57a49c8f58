import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sentRevision } from '#contracts/estimates/estimates.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { fixtureClock, refusalTo } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, laborLine } from '#tests/support/estimates/estimates.ts'

let shop: TestDatabase
let estimateClient: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  shop = await createTestDatabase()
  estimateClient = createEstimateClient(shop)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const towing = estimateJob({
  title: 'Towing',
  lines: [{ ...laborLine, description: 'Towing, 12 miles' }],
})
const unread = () => {
  const document = estimateDocument([towing])
  return { ...document, vehicle: { ...document.vehicle, odometerMiles: null } }
}

describe('A towing estimate', () => {
  it('is separate from repair estimates, is sent and billed without an odometer reading, and states that it is for towing', async () => {
    const id = await estimateClient.write(unread(), { kind: 'towing' })
    expect(await estimateClient.read(id)).toMatchObject({ kind: 'towing', problems: [] })
    await estimateClient.freeze(id)
    expect(sentRevision.parse(await estimateClient.sentRevision(id)).kind).toBe('towing')
    expect(
      await estimateClient.call(asServer, 'internal.read_printable_estimate($1, true)', [id]),
    ).toMatchObject({ kind: 'towing' })
    await estimateClient.record(id, { [towing.key]: 'approved' })
    expect(await estimateClient.bill(id)).toMatchObject({ kind: 'towing' })
  })

  it('is not returned when staff begin a repair estimate for the same customer', async () => {
    const id = await estimateClient.write(unread(), { kind: 'towing' })
    const { rows } = await shop.owner.query<{ customer_id: string }>(
      'update public.estimates set version = 1 where id = $1 returning customer_id',
      [id],
    )
    await estimateClient.freeze(id)
    const { rows: linked } = await shop.owner.query<{ customer_id: string }>(
      'select customer_id from public.estimates where id = $1',
      [id],
    )
    const customerId = rows[0]?.customer_id ?? linked[0]?.customer_id
    expect(await estimateClient.write(estimateDocument(), { customerId })).not.toBe(id)
  })
})

describe('An estimate of a repair', () => {
  it('is not sent with a line for towing', async () => {
    const id = await estimateClient.write(unread())
    expect((await estimateClient.read(id)).problems).toEqual([
      { code: 'towing_needs_own_estimate', jobKey: towing.key, line: 1 },
    ])
    const version = await estimateClient.version(id)
    const refused = await refusalTo(shop.database, asServer, (query) =>
      query.unchecked(`select internal.freeze_estimate($1, $2, true, 'ana')`, [id, version]),
    )
    expect(refused).toMatchObject({ code: 'TT074', hint: 'towing_needs_own_estimate' })
  })
})

const isTowing = async (description: string) => {
  const { rows } = await shop.owner.query<{ answer: boolean }>(
    'select internal.is_towing($1) as answer',
    [description],
  )
  return rows[0]?.answer
}

it.each([
  'Towing',
  'Tow',
  'TOW TO SHOP',
  'Flatbed tow, 12 miles',
  'Vehicle towed from Palo Alto',
  'After-hours towing fee',
  'Tow/recovery',
])('the database treats a line named “%s” as towing', async (description) => {
  expect(await isTowing(description)).toBe(true)
})

it.each([
  'Tow hitch',
  'Install tow bar',
  'Towing mirrors, pair',
  'Tow hook cover',
  'Trailer towing package wiring',
  'Two rotors',
  'Shop towels',
  'Front brakes',
])('the database does not treat a line named “%s” as towing', async (description) => {
  expect(await isTowing(description)).toBe(false)
})
