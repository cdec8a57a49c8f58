import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let estimateClient: ReturnType<typeof createEstimateClient>
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  estimateClient = createEstimateClient(shop)
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const kindsOf = async (id: string) =>
  (await estimateClient.read(id)).history.map(({ kind }) => kind)
const all = async (sql: string, values: unknown[] = []) =>
  (await shop.owner.query(sql, values)).rows

let customerCount = 0
/** Returns the contact details of a new customer with the given name. */
const customerNamed = (name: string) => {
  customerCount += 1
  const number = String(100 + customerCount)
  return { name, email: `${randomUUID()}@example.com`, phone: `(650) 555-0${number}` }
}

/** Creates an estimate with one job that the customer approved by phone. */
async function approved(customer = customerNamed('Maria Delgado'), source: object = {}) {
  const document = estimateDocument([estimateJob()], { customer })
  const id = await estimateClient.write(document, source)
  const [job] = document.jobs
  if (!job) throw new Error('There is no job.')
  await estimateClient.freeze(id)
  await estimateClient.record(id, { [job.key]: 'approved' })
  const { authorizedCents } = await estimateClient.read(id)
  expect(authorizedCents).toBeGreaterThan(0)
  return { id, document, authorizedCents, jobKey: job.key }
}
const customerIdOf = async (id: string) => {
  const [row] = await all(
    `select person.* from public.customers person
     join public.estimates estimate on estimate.customer_id = person.id where estimate.id = $1`,
    [id],
  )
  return row
}

const changed = (document: EstimateDocument, part: 'customer' | 'vehicle', change: object) => ({
  ...document,
  [part]: { ...document[part], ...change },
})

describe('an approval of an estimate stays valid', () => {
  it.each([
    ['customer', 'name', { name: 'Maria Delgada' }],
    ['customer', 'phone', { phone: '(650) 555-0099' }],
    ['vehicle', 'plate', { plate: '8KLM205' }],
    ['vehicle', 'vin', { vin: '1M8GDM9AXKP042788' }],
    ['vehicle', 'odometerMiles', { odometerMiles: 71_650 }],
  ] as const)(
    'correcting the %s (%s) keeps the approval and adds a history entry',
    async (part, name, change) => {
      const { id, document, authorizedCents } = await approved()
      const before = await all(
        'select customer_id, vehicle_id from public.estimates where id = $1',
        [id],
      )
      await estimateClient.save(id, changed(document, part, change))
      expect((await estimateClient.read(id)).authorizedCents).toBe(authorizedCents)
      expect(await estimateClient.bill(id)).toMatchObject({ totalCents: authorizedCents })
      expect(
        await all('select customer_id, vehicle_id from public.estimates where id = $1', [id]),
      ).toEqual(before)
      expect((await estimateClient.read(id)).history).toMatchObject([
        {
          kind: 'details_changed',
          before: { [name]: document[part][name as never] },
          after: change,
          changedBy: 'admin',
        },
      ])
    },
  )

  it('when staff correct the name on the customer page and the color on the vehicle page', async () => {
    const { id, authorizedCents } = await approved()
    const customerId = await customerIdOf(id)
    await estimateClient.call(admin, 'public.save_customer($1, $2, $3, $4, $5)', [
      customerId.id,
      customerId.version,
      'Maria Delgado-Ruiz',
      customerId.email,
      customerId.phone,
    ])
    const [vehicle] = await all(
      'select car.* from public.vehicles car join public.estimates on vehicle_id = car.id where estimates.id = $1',
      [id],
    )
    await estimateClient.call(
      admin,
      'public.save_vehicle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        vehicle.id,
        vehicle.version,
        customerId.id,
        vehicle.year,
        vehicle.make,
        vehicle.model,
        'Blue',
        vehicle.plate,
        vehicle.vin,
        vehicle.note,
      ],
    )
    expect((await estimateClient.read(id)).history).toMatchObject([
      { before: { name: 'Maria Delgado' }, after: { name: 'Maria Delgado-Ruiz' } },
      { before: { color: null }, after: { color: 'Blue' } },
    ])
    expect(await estimateClient.bill(id)).toMatchObject({ totalCents: authorizedCents })
  })

  it('when staff merge two records of one customer', async () => {
    const { id, authorizedCents } = await approved()
    const { id: otherId } = await approved(customerNamed('Maria Delgado'))
    const [duplicate, survivor] = [await customerIdOf(id), await customerIdOf(otherId)]
    await estimateClient.call(admin, 'public.merge_customers($1, $2, $3, $4)', [
      survivor.id,
      duplicate.id,
      survivor.version,
      duplicate.version,
    ])
    expect((await customerIdOf(id)).id).toBe(survivor.id)
    expect((await estimateClient.read(id)).authorizedCents).toBe(authorizedCents)
    expect(await kindsOf(id)).toEqual([])
  })
})

describe('an approval of an estimate becomes void', () => {
  const readCustomer = async () => {
    const { document } = await approved(customerNamed('Sam Okafor'))
    return document.customer
  }

  it.each([
    ['a known customer', readCustomer, 'customer_changed'],
    ['a new customer', () => customerNamed('Zoë Quartermain'), 'customer_changed'],
  ])(
    'changing the estimate to %s voids the approval, and an invoice requires a new one',
    async (_case, customerOf, kind) => {
      const { id, document, jobKey, authorizedCents } = await approved()
      const customer = await customerOf()
      await estimateClient.save(id, { ...document, customer })
      expect(await estimateClient.read(id)).toMatchObject({
        authorizedCents: 0,
        jobs: [{ decision: null }],
      })
      expect(await estimateClient.refusalToBill(id)).toMatchObject({
        code: 'TT072',
        hint: 'approval_void',
      })
      await estimateClient.freeze(id)
      expect(await kindsOf(id)).toEqual(['address_changed', kind, 'details_changed'])
      expect((await estimateClient.sentRevision(id)).authorizations).toEqual([])
      await estimateClient.record(id, { [jobKey]: 'approved' })
      expect((await estimateClient.read(id)).authorizations.at(-1)?.runningTotalCents).toBe(
        authorizedCents,
      )
      expect(await estimateClient.bill(id)).toMatchObject({ totalCents: authorizedCents })
    },
  )

  it('when staff change the estimate to another customer, even one field at a time', async () => {
    const { id, document } = await approved()
    const other = customerNamed('Zoë Quartermain')
    const { name, phone, email } = other
    for (const given of [{ name }, { name, phone }, { name, phone, email }]) {
      await estimateClient.save(id, changed(document, 'customer', given))
    }
    expect((await estimateClient.read(id)).authorizedCents).toBe(0)
  })

  it('when staff change the estimate to another vehicle, with and without an appointment', async () => {
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId)),
    )
    const [booking] = await all('select id from public.bookings')
    for (const source of [{}, { bookingId: booking.id }]) {
      const { id, document, jobKey } = await approved(customerNamed('Maria Delgado'), source)
      const vehicle = { make: 'Ford', model: 'F-150', plate: '', vin: '', odometerMiles: 52_000 }
      await estimateClient.save(id, changed(document, 'vehicle', vehicle))
      expect((await estimateClient.read(id)).authorizedCents).toBe(0)
      expect(await estimateClient.refusalToBill(id)).toMatchObject({
        code: 'TT072',
        hint: 'approval_void',
      })
      expect(await kindsOf(id)).toEqual(['vehicle_changed'])
      await estimateClient.record(id, { [jobKey]: 'approved' })
      expect(await estimateClient.bill(id)).toBeTruthy()
    }
  })

  it('when the customer changes, and counts again when staff change the estimate back to the first customer', async () => {
    const { id, document, authorizedCents } = await approved()
    await estimateClient.save(id, { ...document, customer: await readCustomer() })
    expect((await estimateClient.read(id)).authorizedCents).toBe(0)
    await estimateClient.save(id, document)
    expect((await estimateClient.read(id)).authorizedCents).toBe(authorizedCents)
  })

  it('when staff move the appointment to another customer, which also opens the estimate again', async () => {
    await shop.database.transaction(visitor, (query) =>
      insertRow(
        query,
        'bookings',
        bookingRow(serviceId, { appointment_time: '16:30:00', customer_phone: '555-0171' }),
      ),
    )
    const [booking] = await all('select id from public.bookings order by created_at desc limit 1')
    const { id } = await approved(customerNamed('Maria Delgado'), { bookingId: booking.id })
    expect((await estimateClient.read(id)).state).toBe('approved')
    await estimateClient.call(admin, 'public.split_booking($1)', [booking.id])
    expect(await estimateClient.read(id)).toMatchObject({
      authorizedCents: 0,
      decidedAt: null,
      state: 'sent',
    })
    expect((await estimateClient.sentRevision(id)).state).toBe('open')
    expect(await kindsOf(id)).toEqual(['customer_changed'])
  })

  it('only if the changed estimate is not invoiced yet', async () => {
    const { id, authorizedCents } = await approved()
    const { requestId } = await estimateClient.bill(id)
    await estimateClient.recordBilled(requestId, `in_${requestId}`, `INV-${requestId.slice(0, 8)}`)
    await shop.owner.query('update public.estimates set customer_id = null where id = $1', [id])
    expect(await estimateClient.read(id)).toMatchObject({ authorizedCents, state: 'invoiced' })
  })
})

describe('The history of an estimate', () => {
  it('is deleted together with its estimate, and cannot be deleted in any other way', async () => {
    const { id, document } = await approved()
    await estimateClient.save(id, changed(document, 'vehicle', { plate: '8KLM206' }))
    await estimateClient.freeze(id)
    expect(await kindsOf(id)).toEqual(['details_changed'])
    for (const sql of [
      'delete from public.estimate_events',
      `update public.estimate_events set before = '{}'`,
      'truncate public.estimate_events',
    ]) {
      await expect(shop.owner.query(sql)).rejects.toMatchObject({ code: 'TT055' })
    }
    await shop.owner.query(
      `begin; set local "shop.ledger_exception" = 'sample_week_removal';
       update public.estimates set is_sample = true where id = '${id}';
       delete from public.authorizations where estimate_id = '${id}';
       delete from public.estimates where id = '${id}'; commit`,
    )
    expect(await all('select from public.estimate_events where estimate_id = $1', [id])).toEqual([])
  })
})
