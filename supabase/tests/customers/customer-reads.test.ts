import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  vehicleRecord,
  customerRecord,
  customerHighlights,
  searchResults,
} from '#contracts/customers.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Oil and filter', 30)
})
afterAll(() => shop.drop())

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const read = async (call: string, values: unknown[] = []) => {
  const [row] = await asAdmin<{ answer: unknown }>(`select public.${call} as answer`, values)
  return row?.answer
}
const refusal = (call: string, values: unknown[] = [], as = admin) =>
  refusalTo(shop.database, as, (query) => query.unchecked(`select public.${call}`, values))

type Visit = { day: string; status?: string; model?: string; name?: string; phone?: string }
async function come({ day, status = 'confirmed', model = 'Outback', ...customer }: Visit) {
  const [row] = await runQuery<{ id: string; customer: string; vehicle: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, status, created_at)
     values ($1, $2, '12:00', 30, $3, $4, $5, '2019', 'Subaru', $6, $7, $2::date - 3)
     returning id, customer_id as customer, vehicle_id as vehicle`,
    [
      serviceId,
      day,
      customer.name ?? 'Maria Delgado',
      customer.name
        ? `${customer.name.replace(' ', '.').toLowerCase()}@example.com`
        : 'maria@example.com',
      customer.phone ?? '(650) 555-0167',
      model,
      status,
    ],
  )
  return row ?? { id: '', customer: '', vehicle: '' }
}
const bill = (id: string, cents: number, status: string, email = 'maria@example.com') =>
  runQuery('select internal.link_invoice($1)', [
    {
      id: `in_${id}`,
      number: `INV-2026-${id}`,
      name: 'Maria Delgado',
      email,
      total_cents: cents,
      currency: 'usd',
      status,
      created_at: 1_790_000_000,
    },
  ])
const estimate = async (bookingId: string) => {
  const made = (await read('create_estimate($1)', [{ bookingId }])) as { id: string }
  const [opened] =
    (await runQuery<{ version: number }>('select version from public.estimates')) ?? []
  await asAdmin('select public.save_estimate($1, $2, $3)', [
    made.id,
    opened?.version,
    {
      customer: { name: 'Maria Delgado', email: 'maria@example.com', phone: '(650) 555-0167' },
      vehicle: {
        year: '2019',
        make: 'Subaru',
        model: 'Outback',
        plate: '8KLM204',
        vin: '1M8GDM9AXKP042788',
        odometerMiles: 71_506,
      },
      customerNote: '',
      internalNote: '',
      goodUntil: '2026-12-01',
      jobs: [
        {
          key: '00000000-0000-4000-8000-0000000000a1',
          title: 'Coolant flush',
          customerDescription: 'It protects down to 8 degrees only.',
          isNeeded: false,
          measurement: null,
          lines: [
            {
              kind: 'labor',
              subtype: '',
              description: 'Flush and fill',
              quantityThousandths: 1000,
              unitPriceCents: 16_980,
              isTaxable: false,
            },
          ],
        },
      ],
    },
  ])
  return made.id
}

beforeEach(async () => {
  await runQuery(`delete from public.estimate_revisions where frozen_at is null`)
  await runQuery(
    truncateTables(
      'public.bookings',
      'public.quote_requests',
      'public.customers',
      'public.merges',
      'public.payments',
      'public.invoices',
      'public.estimates',
    ),
  )
})

describe('a customer', () => {
  it('is returned by one call with all records, even for the id of a customer that was merged into this customer', async () => {
    const { customer } = await come({ day: '2026-06-20', model: 'Forester' })
    await come({ day: '2026-08-12', status: 'no_show' })
    await come({ day: '2026-11-24' })
    await bill('0064', 9460, 'paid')
    await bill('0091', 4900, 'open')
    await runQuery(
      `insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at)
       values ('in_0064', 'pi_64', 9460, 'usd', 'payment', 'card_online', now())`,
    )
    await asAdmin(`select public.add_customer_note($1, ' Works nights. ')`, [customer])
    const other = await come({ day: '2026-10-01', name: 'Maria Delgato' })
    await runQuery(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
       values ('Maria', 'maria@example.com', '2011', 'Toyota', 'Tacoma', 'Clutch.')`,
    )
    const record = customerRecord.parse(await read('read_customer($1)', [customer]))
    expect(record).toMatchObject({
      id: customer,
      name: 'Maria Delgado',
      email: 'maria@example.com',
      vehicles: [{ model: 'Forester' }, { model: 'Outback' }, { model: 'Tacoma' }],
      bookings: [
        { startsAt: '2026-11-24T12:00:00', state: 'confirmed', vehicle: '2019 Subaru Outback' },
        { state: 'no_show' },
        { vehicle: '2019 Subaru Forester' },
      ],
      quotes: [{ status: 'pending', vehicle: '2011 Toyota Tacoma' }],
      totals: {
        bookings: 1,
        noShows: 1,
        ahead: 1,
        lastBookingDate: '2026-06-20',
        paidCents: 9460,
        openCents: 4900,
      },
      notes: [{ note: 'Works nights.', writtenBy: 'ana' }],
      maybeSame: [{ id: other.customer, name: 'Maria Delgato', why: 'phone' }],
    })
    expect(record.since.slice(0, 10)).toBe('2026-06-17')
    expect(new Set(record.invoices.map(({ number }) => number))).toEqual(
      new Set(['INV-2026-0064', 'INV-2026-0091']),
    )
    const [versions] = await runQuery<{ mine: number; theirs: number }>(
      `select (select version from public.customers where id = $1) as mine, (select version from public.customers where id = $2) as theirs`,
      [customer, other.customer],
    )
    await read('merge_customers($1, $2, $3, $4)', [
      customer,
      other.customer,
      versions?.mine,
      versions?.theirs,
    ])
    const merged = customerRecord.parse(await read('read_customer($1)', [other.customer]))
    expect(merged).toMatchObject({
      id: customer,
      maybeSame: [],
      merges: [{ name: 'Maria Delgato' }],
    })
    expect(merged.bookings).toHaveLength(4)
  })

  it('is no longer listed as a possible duplicate after staff dismissed the pair', async () => {
    const { customer } = await come({ day: '2026-06-20' })
    const other = await come({ day: '2026-10-01', name: 'Luis Delgado' })
    await asAdmin('select public.mark_not_duplicates($1, $2)', [other.customer, customer])
    for (const id of [customer, other.customer]) {
      expect(customerRecord.parse(await read('read_customer($1)', [id])).maybeSame).toEqual([])
    }
  })

  it('can be saved only if staff saw the latest version, and keeps earlier contact details', async () => {
    const { customer } = await come({ day: '2026-06-20' })
    const { version } = customerRecord.parse(await read('read_customer($1)', [customer]))
    const save = (seen: number, email: string) => [customer, seen, 'Maria D.', email, '6505550102']
    const next = await read('save_customer($1, $2, $3, $4, $5)', save(version, 'md@example.com'))
    expect(next).toBe(version + 1)
    expect(
      await refusal('save_customer($1, $2, $3, $4, $5)', save(version, 'x@example.com')),
    ).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
    expect((await come({ day: '2026-10-01' })).customer).toBe(customer)
    expect(
      customerRecord
        .parse(await read('read_customer($1)', [customer]))
        .contacts.map(({ value }) => value),
    ).toEqual(['maria@example.com', '(650) 555-0167', 'md@example.com', '6505550102'])
  })

  it('gets an email address that belongs to another customer only after staff confirm this', async () => {
    const { customer } = await come({ day: '2026-06-20' })
    await come({ day: '2026-10-01', name: 'Luis Delgado', phone: '(650) 555-0102' })
    const save = [customer, 1, 'Maria', 'LUIS.delgado@example.com', '']
    const error = await refusal('save_customer($1, $2, $3, $4, $5)', save)
    expect(error).toMatchObject({ code: 'TT096', hint: 'email_in_use' })
    // PostgreSQL writes the error message to its log, so the message must not contain a name.
    expect(error.message).not.toContain('Luis')
    expect(await read('save_customer($1, $2, $3, $4, $5, true)', save)).toBe(2)
  })
})

describe('a saved name and phone number', () => {
  it.each([
    ['\u200b', ''],
    ['Maria \u202eogladeD', ''],
    ['Maria', '\u202e650'],
  ])('cannot contain invisible characters: name %j, phone number %j', async (name, phone) => {
    const { customer } = await come({ day: '2026-06-20' })
    const save = [customer, 1, name, 'maria@example.com', phone]
    expect((await refusal('save_customer($1, $2, $3, $4, $5)', save)).code).toBe('23514')
  })

  it.each(['שרה לוי', '王小明', "O'Brien “Bo” 50%_\\", '👩‍🔧 Ana'])(
    'are accepted with a name in any script: %s',
    async (name) => {
      const { customer } = await come({ day: '2026-06-20' })
      const save = [customer, 1, name, 'maria@example.com', '']
      expect(await read('save_customer($1, $2, $3, $4, $5)', save)).toBe(2)
    },
  )
})

describe('a vehicle', () => {
  it.each(['-infinity', '0026-11-01', '0001-01-01 BC'])(
    'cannot have an odometer reading on the impossible date %s',
    async (day) => {
      const { vehicle } = await come({ day: '2026-02-28' })
      expect(
        await refusal('record_odometer($1, 61240, $2::date, null, true)', [vehicle, day]),
      ).toMatchObject({ code: '22023', hint: 'date_too_old' })
      await expect(
        runQuery(
          `insert into public.odometer_readings (vehicle_id, miles, read_on, recorded_by_name) values ($1, 1, $2, 'ana')`,
          [vehicle, day],
        ),
      ).rejects.toMatchObject({ code: '23514' })
    },
  )

  it('is returned with its history and odometer readings', async () => {
    const first = await come({ day: '2026-02-28' })
    const second = await come({ day: '2026-10-03' })
    await read('record_odometer($1, 61240, $2, $3)', [first.vehicle, '2026-02-28', first.id])
    await read('record_odometer($1, 69980, $2, $3)', [first.vehicle, '2026-10-03', second.id])
    const vehicle = vehicleRecord.parse(await read('read_vehicle($1)', [first.vehicle]))
    expect(vehicle).toMatchObject({
      model: 'Outback',
      customer: { name: 'Maria Delgado' },
      miles: 69_980,
      milesOn: '2026-10-03',
      milesAMonth: 1224,
      bookings: [{ miles: 69_980 }, { miles: 61_240 }],
      odometer: [{ miles: 69_980, recordedBy: 'ana' }, { miles: 61_240 }],
    })
    expect(await refusal('record_odometer($1, 5000)', [first.vehicle])).toMatchObject({
      code: 'TT098',
      hint: 'odometer_decreased',
    })
    await read('record_odometer($1, 5000, null, null, true)', [first.vehicle])
    expect((await refusal(`record_odometer($1, 90000, '2026-12-24')`, [first.vehicle])).code).toBe(
      '22023',
    )
  })

  it('can be saved with a plate and a valid VIN only if staff saw the latest version', async () => {
    const { vehicle, customer } = await come({ day: '2026-02-28' })
    const save = (version: number, vin: string) =>
      [
        vehicle,
        version,
        null,
        '2019',
        'Subaru',
        'Outback',
        'Green',
        '8klm 204',
        vin,
        'FB25, 2.5 L',
      ] as unknown[]
    const call = 'save_vehicle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)'
    expect((await refusal(call, save(1, '1M8GDM9A1KP042788'))).code).toBe('TT097')
    await read(call, save(1, '1m8gdm9ax kp042788'))
    expect((await refusal(call, save(1, ''))).code).toBe('TT051')
    expect(vehicleRecord.parse(await read('read_vehicle($1)', [vehicle]))).toMatchObject({
      plate: '8KLM 204',
      vin: '1M8GDM9AXKP042788',
      color: 'Green',
    })
    const added = await read(call, [
      null,
      null,
      customer,
      '2011',
      'Toyota',
      'Tacoma',
      '',
      '',
      '',
      '',
    ])
    await read('change_vehicle_owner($1, 2, $2)', [
      added,
      (await come({ day: '2026-03-01', name: 'Luis' })).customer,
    ])
    expect(vehicleRecord.parse(await read('read_vehicle($1)', [added])).customer.name).toBe('Luis')
  })

  it('gets the plate, VIN, odometer reading and declined jobs of a sent estimate', async () => {
    const booking = await come({ day: '2026-11-20' })
    await come({ day: '2026-12-01' })
    const id = await estimate(booking.id)
    expect(await runQuery('select plate from public.vehicles')).toEqual([{ plate: null }])
    const [row] = await runQuery<{ version: number }>('select version from public.estimates')
    await runQuery(`select internal.freeze_estimate($1, $2, true, 'ana')`, [id, row?.version])
    const [revision] = await runQuery<{ hash: string }>(
      'select hash from public.estimate_revisions',
    )
    await runQuery(
      `insert into public.authorizations (estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name,
         decided_at, recorded_by)
       values ($1, 1, $2, '00000000-0000-4000-8000-0000000000a1', gen_random_uuid(), 'declined', 'in_person', 'Maria',
         internal.current_instant(), 'ana')`,
      [id, revision?.hash],
    )
    expect(vehicleRecord.parse(await read('read_vehicle($1)', [booking.vehicle]))).toMatchObject({
      plate: '8KLM204',
      vin: '1M8GDM9AXKP042788',
      miles: 71_506,
      estimates: [
        {
          number: expect.stringMatching(/^E-/),
          declined: [{ title: 'Coolant flush', cents: 16_980 }],
        },
      ],
    })
    const highlights = customerHighlights.parse(
      await read('read_customer_highlights(customer_id => $1)', [booking.customer]),
    )
    expect(highlights).toMatchObject({ declined: [{ title: 'Coolant flush' }] })
    expect(highlights.ahead.map(({ startsAt }) => startsAt.slice(0, 10))).toEqual([
      '2026-11-20',
      '2026-12-01',
    ])
    await runQuery(truncateTables('public.estimates'))
  })
})

describe('a new estimate', () => {
  const begin = async (source: object) =>
    (await read('create_estimate($1)', [source])) as { id: string; isNew: boolean }
  const ownerOf = (id: string) =>
    runQuery(
      `select customer_id as customer, vehicle_id as vehicle, customer_name as name, vehicle_plate as plate
       from public.estimates where id = $1`,
      [id],
    )

  it('without an appointment is linked to its customer and vehicle immediately, even when another customer has the same email address', async () => {
    await come({ day: '2026-03-01' })
    const { customer, vehicle } = await come({
      day: '2026-03-02',
      name: 'Luis',
      phone: '(650) 555-0102',
    })
    await runQuery(`update public.vehicles set plate = '8KLM204' where id = $1`, [vehicle])
    // Both customers have Maria's email address, as after a split. Maria had the address first.
    await runQuery(`update public.customers set email = 'maria@example.com' where id = $1`, [
      customer,
    ])
    await runQuery(
      `update public.customer_contact_methods set match_key = 'maria@example.com' where customer_id = $1`,
      [customer],
    )
    const { id } = await begin({ vehicleId: vehicle })
    const theirs = [{ customer, vehicle, name: 'Luis', plate: '8KLM204' }]
    expect(await ownerOf(id)).toEqual(theirs)
    await runQuery(`update public.customers set name = 'Luis Ortega' where id = $1`, [customer])
    await runQuery(
      `update public.estimates set customer_name = customer_name, vehicle_plate = vehicle_plate, version = version + 1
       where id = $1`,
      [id],
    )
    expect(await ownerOf(id)).toEqual(theirs)
    // When staff enter Maria's name and email address, the estimate is linked to Maria instead of Luis.
    await runQuery(
      `update public.estimates set customer_name = 'Maria Delgado', customer_email = 'maria@example.com' where id = $1`,
      [id],
    )
    expect(await ownerOf(id)).not.toEqual(theirs)
  })

  it('is linked to a known customer, and never to an erased one', async () => {
    const booking = await come({ day: '2026-03-01' })
    const { id } = await begin({ bookingId: booking.id })
    await runQuery('update public.customers set erased_at = now() where id = $1', [
      booking.customer,
    ])
    await runQuery('delete from public.customer_contact_methods where customer_id = $1', [
      booking.customer,
    ])
    const again = await come({ day: '2026-03-02' })
    await runQuery('update public.estimates set customer_name = customer_name where id = $1', [id])
    expect(await ownerOf(id)).toMatchObject([{ customer: again.customer, vehicle: again.vehicle }])
  })

  it('is created once for each booking and each quote request, even when requested twice', async () => {
    const booking = await come({ day: '2026-03-01' })
    const first = await begin({ bookingId: booking.id })
    expect(await begin({ bookingId: booking.id })).toEqual({ id: first.id, isNew: false })
    const [quote] = await runQuery<{ id: string }>(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
       values ('Maria Delgado', 'maria@example.com', '2011', 'Toyota', 'Tacoma', 'Clutch.') returning id`,
    )
    const offered = await begin({ quoteRequestId: quote?.id })
    expect(offered.isNew).toBe(true)
    await runQuery('update public.estimates set version = 2 where id = $1', [offered.id])
    expect(await begin({ quoteRequestId: quote?.id })).toEqual({ id: offered.id, isNew: false })
  })

  it('is returned again when staff begin another estimate for the same customer, until staff edit the first estimate', async () => {
    const { customer, vehicle } = await come({ day: '2026-03-01' })
    const first = await begin({ customerId: customer })
    expect(await ownerOf(first.id)).toMatchObject([
      { customer, vehicle: null, name: 'Maria Delgado' },
    ])
    expect(await begin({ customerId: customer })).toEqual({ id: first.id, isNew: false })
    expect((await begin({ vehicleId: vehicle })).isNew).toBe(true)
    await runQuery('update public.estimates set version = 2 where id = $1', [first.id])
    expect((await begin({ customerId: customer })).isNew).toBe(true)
    await expect(
      begin({ customerId: '00000000-0000-4000-8000-000000000000' }),
    ).rejects.toMatchObject({ code: 'TT071' })
  })
})

describe('the details of a booking', () => {
  it('include the highlights of the customer', async () => {
    await come({ day: '2026-08-12', status: 'no_show' })
    await come({ day: '2026-10-03' })
    const today = await come({ day: '2026-11-20' })
    await come({ day: '2026-12-01', model: 'Forester' })
    const highlights = customerHighlights.parse(
      await read('read_customer_highlights($1)', [today.id]),
    )
    expect(highlights).toMatchObject({
      customerId: today.customer,
      vehicleId: today.vehicle,
      noShows: 1,
      lastHere: { startsAt: '2026-10-03T12:00:00', service: 'Oil and filter' },
      ahead: [{ startsAt: '2026-12-01T12:00:00', vehicle: '2019 Subaru Forester' }],
      declined: [],
      openEstimates: [],
    })
  })
})

describe('the dashboard search', () => {
  const search = async (term: string) => {
    const found = searchResults.parse(await read('search_everything($1)', [term]))
    return {
      customers: found.customers.map(({ name }) => name),
      vehicles: found.vehicles.map(({ model }) => model),
      bookings: found.bookings.length,
      documents: found.documents.map(({ number }) => number),
      found,
    }
  }
  beforeEach(async () => {
    const { vehicle } = await come({ day: '2026-10-03' })
    await come({ day: '2026-11-24' })
    await runQuery(
      `update public.vehicles set plate = '8KLM204', vin = '1M8GDM9AXKP042788' where id = $1`,
      [vehicle],
    )
    await come({ day: '2026-10-04', name: 'Ken Morimoto', phone: '+1 650-555-0188', model: 'WRX' })
    await bill('0064', 9460, 'paid')
  })

  it.each([
    'delg',
    'MARIA',
    'maria del',
    '5550167',
    '(650) 555-0167',
    '+1 650 555 0167',
    'maria@ex',
    'ma',
  ])("finds a customer by '%s', with vehicles, appointments and invoices", async (term) => {
    const { found, ...named } = await search(term)
    expect(named).toEqual({
      customers: ['Maria Delgado'],
      vehicles: ['Outback'],
      bookings: 2,
      documents: ['INV-2026-0064'],
    })
    expect(found.customers[0]).toMatchObject({
      vehicles: 1,
      noShows: 0,
      lastBookingDate: '2026-10-03',
      nextBookingDate: '2026-11-24',
    })
    expect(found.counts).toEqual({ bookings: 2, documents: 1 })
  })

  it.each(['nunez', 'NÚÑEZ', 'álv', 'alvarez nú', 'lukasz', 'Łuk', 'Ál'])(
    "finds a name with accents by '%s'",
    async (term) => {
      const name = 'Łukasz Álvarez Núñez'
      await come({ day: '2026-10-05', name, phone: '(650) 555-0142' })
      expect((await search(`${term} `)).customers).toContain(name)
      const found = shop.database.transaction(admin, (query) =>
        query.unchecked('select id from public.find_bookings($1)', [term]),
      )
      expect((await found).length).toBeGreaterThan(0)
    },
  )

  it.each(['6505550188', '1 650 555 0188', '650.555.0188'])(
    'finds a phone number in the format %s',
    async (term) => {
      expect((await search(term)).customers).toEqual(['Ken Morimoto'])
    },
  )

  it.each(['8klm204', '8KLM 204', '8klm-204', '1M8GDM9AXKP042788', 'kp0427'])(
    "finds a vehicle by '%s', with its appointments",
    async (term) => {
      expect(await search(term)).toMatchObject({
        customers: [],
        vehicles: ['Outback'],
        bookings: 2,
      })
    },
  )

  it("finds a vehicle by the customer's name and the vehicle's model together", async () => {
    expect(await search('morimoto wrx')).toMatchObject({
      customers: ['Ken Morimoto'],
      vehicles: ['WRX'],
    })
  })

  it('ignores the text after the first hundred characters', async () => {
    expect((await search(`maria${' '.repeat(100)}${'nobody '.repeat(100)}`)).customers).toEqual([
      'Maria Delgado',
    ])
  })

  it('omits a vehicle that was merged into another vehicle', async () => {
    const survivor = (await come({ day: '2026-10-05' })).customer
    const duplicate = (await come({ day: '2026-10-06', name: 'Maria Delgato' })).customer
    await read('save_vehicle(null, null, $1, $2, $3, $4, $5, $6, $7, $8)', [
      duplicate,
      '2019',
      'Subaru',
      'Outback Wagon',
      '',
      '8KLM 204',
      '',
      '',
    ])
    expect((await search('8klm204')).vehicles).toHaveLength(2)
    const [versions] = await runQuery<{ survivor: number; duplicate: number }>(
      `select (select version from public.customers where id = $1) as survivor,
         (select version from public.customers where id = $2) as duplicate`,
      [survivor, duplicate],
    )
    await read('merge_customers($1, $2, $3, $4)', [
      survivor,
      duplicate,
      versions?.survivor,
      versions?.duplicate,
    ])
    expect((await search('8klm204')).vehicles).toEqual(['Outback'])
  })

  it.each([
    [null, 5],
    [0, 1],
    [1000, 50],
  ])(
    'returns at most %i results of each kind when the limit in the request is %j',
    async (most, returned) => {
      await runQuery(
        `insert into public.customers (name) select 'Maria ' || n from generate_series(1, 60) n`,
      )
      const found = searchResults.parse(await read('search_everything($1, $2)', ['maria', most]))
      expect(found.customers).toHaveLength(returned)
    },
  )

  it('finds an invoice by its number and a booking by the start of its id', async () => {
    expect(await search('inv-2026-0064')).toMatchObject({
      customers: [],
      documents: ['INV-2026-0064'],
    })
    const [row] = await runQuery<{ id: string }>(
      `select id from public.bookings where customer_name = 'Ken Morimoto'`,
    )
    expect(await search(row?.id.slice(0, 8) ?? '')).toMatchObject({ bookings: 1 })
  })

  it('finds a customer by a former phone number', async () => {
    await runQuery(
      `update public.customers set phone = '(650) 555-0199' where name = 'Maria Delgado'`,
    )
    expect((await search('5550167')).customers).toEqual(['Maria Delgado'])
  })

  it.each(['', 'm', '%', '_', ' ', '\\', "'; drop", '%%%%', 'x'.repeat(300)])(
    'finds nothing for %j and raises no error',
    async (term) => {
      expect(await search(term)).toMatchObject({
        customers: [],
        vehicles: [],
        bookings: 0,
        documents: [],
      })
    },
  )
})

describe('a role other than the admin', () => {
  it.each([
    'read_customer(null)',
    'read_vehicle(null)',
    'read_customer_highlights(null, null)',
    `search_everything('maria')`,
    `save_customer(null, 1, '', '', '')`,
    `save_vehicle(null, 1, null, '', '', '', '', '', '', '')`,
    'change_vehicle_owner(null, 1, null)',
    'record_odometer(null, 1)',
    'remove_odometer_reading(null)',
    `add_customer_note(null, 'x')`,
    'delete_customer_note(null)',
  ])('cannot call the function %s', async (call) => {
    for (const as of [visitor, signedInStranger])
      expect((await refusal(call, [], as)).code).toBe('42501')
  })
})
