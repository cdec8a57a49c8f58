import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  addService,
  admin,
  bookingRow,
  fixtureClock,
  insertRow,
  refusalTo,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: TestDatabase
let serviceId: string
let estimateClient: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
  estimateClient = createEstimateClient(shop)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const job = estimateJob()
const withVehicle = (change: Partial<EstimateDocument['vehicle']>) => {
  const document = estimateDocument([job])
  return { ...document, vehicle: { ...document.vehicle, ...change } }
}
const unread = withVehicle({ odometerMiles: null })

const refusalToSend = async (id: string) => {
  const version = await estimateClient.version(id)
  return refusalTo(shop.database, asServer, (query) =>
    query.unchecked(`select internal.freeze_estimate($1, $2, true, 'ana')`, [id, version]),
  )
}
const problemsOf = async (id: string) =>
  (await estimateClient.read(id)).problems.map(({ code }) => code)
const recordOdometer = async (id: string, miles: number | null) =>
  estimateClient.call(admin, 'public.record_estimate_odometer($1, $2, $3)', [
    id,
    await estimateClient.version(id),
    miles,
  ])

let booked = 0
/**
 * Books an appointment at a time that no other appointment has, for a vehicle in the given state; returns the
 * appointment's id.
 */
async function book(status: string): Promise<string> {
  booked += 1
  const customer_email = `nora${booked}@customer.example`
  await shop.database.transaction(visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, { customer_email, appointment_date: `2026-12-0${booked}` }),
    ),
  )
  const { rows } = await shop.owner.query<{ id: string }>(
    `update public.bookings set held_until = null, status = $1 where customer_email = $2 returning id`,
    [status, customer_email],
  )
  return rows[0]?.id ?? ''
}

/** Creates an estimate without an odometer reading for a vehicle in the given state. */
const estimateOfBooking = async (status: string) =>
  estimateClient.write(unread, { bookingId: await book(status) })

describe('An estimate is not sent', () => {
  it.each(['year', 'make', 'model'] as const)('without the %s of its vehicle', async (name) => {
    const id = await estimateClient.write(withVehicle({ [name]: ' ' }))
    expect(await problemsOf(id)).toEqual(['vehicle_missing'])
    expect(await refusalToSend(id)).toMatchObject({ code: 'TT074', hint: 'vehicle_missing' })
    await estimateClient.save(id, withVehicle({}))
    await estimateClient.freeze(id)
    expect(await estimateClient.read(id)).toMatchObject({ isFrozen: true, problems: [] })
  })

  it.each(['arrived', 'in_work'])(
    'without an odometer reading once the state of its booking is %s',
    async (status) => {
      const id = await estimateOfBooking(status)
      expect(await problemsOf(id)).toEqual(['odometer_missing'])
      expect(await refusalToSend(id)).toMatchObject({ code: 'TT074', hint: 'odometer_missing' })
      await recordOdometer(id, 71_506)
      expect(await problemsOf(id)).toEqual([])
      await estimateClient.freeze(id)
      expect((await estimateClient.sentRevision(id)).state).toBe('open')
    },
  )

  it('without an odometer reading after the vehicle was picked up', async () => {
    const bookingId = await book('confirmed')
    const id = await estimateClient.write(unread, { bookingId })
    expect(await problemsOf(id)).toEqual([])
    await shop.owner.query(
      `update public.bookings set completed_at = internal.current_instant(), completed_by = 'ana' where id = $1`,
      [bookingId],
    )
    expect(await problemsOf(id)).toEqual(['odometer_missing'])
  })
})

describe('An estimate without an odometer reading', () => {
  it.each([
    ['before the vehicle of its booking arrives', () => estimateOfBooking('confirmed')],
    ['without a booking', () => estimateClient.write(unread)],
  ])('is sent %s', async (_, write) => {
    const id = await write()
    await estimateClient.freeze(id)
    expect((await estimateClient.sentRevision(id)).state).toBe('open')
  })

  it('gets no invoice until the reading is recorded, which starts no new revision and keeps the approval', async () => {
    const id = await estimateClient.write(unread)
    await estimateClient.record(id, { [job.key]: 'approved' })
    expect(await estimateClient.refusalToBill(id)).toMatchObject({
      code: 'TT074',
      hint: 'odometer_missing',
    })
    await recordOdometer(id, 71_506)
    const read = await estimateClient.read(id)
    expect(read).toMatchObject({ revision: 1, state: 'approved', authorizedCents: 29_295 })
    expect(read.history).toMatchObject([
      {
        kind: 'details_changed',
        before: { odometerMiles: null },
        after: { odometerMiles: 71_506 },
      },
    ])
    expect(await estimateClient.bill(id)).toMatchObject({ vehicle: { odometerMiles: 71_506 } })
  })
})

describe('The odometer reading of an estimate', () => {
  it('is added once to the odometer readings of the vehicle', async () => {
    const vehicle = { ...unread, customer: { name: 'Ivo Reyes', email: '', phone: '' } }
    const id = await estimateClient.write(vehicle)
    await estimateClient.freeze(id)
    await recordOdometer(id, 80_000)
    await recordOdometer(id, 80_000)
    const { rows } = await shop.owner.query(
      `select miles from public.odometer_readings reading
       join public.estimates estimate on estimate.vehicle_id = reading.vehicle_id where estimate.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ miles: 80_000 }])
  })

  it('is refused when it is not a number of miles, or after the estimate was invoiced', async () => {
    const id = await estimateClient.write(unread)
    await estimateClient.record(id, { [job.key]: 'approved' })
    await expect(recordOdometer(id, null)).rejects.toThrow('number of miles')
    await expect(recordOdometer(id, -1)).rejects.toThrow('estimates_odometer_in_range')
    await recordOdometer(id, 71_506)
    await estimateClient.bill(id)
    await expect(recordOdometer(id, 71_507)).rejects.toThrow('has its invoice')
  })
})
