import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  admin,
  type BookingRow,
  bookingRow,
  insertRow,
  formBot,
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
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner
    .query(`${truncateTables('public.bookings', 'public.quote_requests', 'public.customers')};
    delete from internal.form_origins; delete from internal.rate_limits`)
  slot = 0
})

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))

/** Each booking of these tests gets its own time, because the tests are not about conflicts. */
let slot = 0
function nextTime(): BookingRow {
  const day = 21 + Math.floor(slot / 10)
  const hour = 11 + (slot % 10) / 2
  slot += 1
  return {
    appointment_date: `2026-11-${day}`,
    appointment_time: `${Math.floor(hour)}:${hour % 1 ? '30' : '00'}`,
  }
}
const book = (change: BookingRow, as = visitor) =>
  shop.database.transaction(as, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, { ...nextTime(), ...change })),
  )
const call = (name: string, phone: string, email: string | null = null) =>
  asAdmin(
    `select public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
       customer_name => $4, customer_phone => $5, customer_email => $6)`,
    [serviceId, ...Object.values(nextTime()), name, phone, email],
  )
const requestQuote = (change: BookingRow) =>
  shop.database.transaction(visitor, (query) =>
    insertRow(query, 'quote_requests', {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      phone: null,
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      description: 'A clunk from the left.',
      status: 'pending',
      ...change,
    }),
  )
const customers = () =>
  runQuery<{ name: string; email: string | null; phone: string | null }>(
    'select name, email, phone from public.customers order by name',
  )
const countCustomers = async () => (await customers()).length
/** Returns the customer names of all bookings, grouped by the customer to which the bookings are linked. */
const together = async () =>
  (
    await runQuery<{ names: string[] }>(
      `select array_agg(customer_name order by created_at) as names from public.bookings
       group by customer_id order by min(created_at)`,
    )
  ).map(({ names }) => names)

describe('a booking', () => {
  it('is linked to a new customer when it is inserted', async () => {
    await book({ vehicle_color: 'Green' })
    expect(await customers()).toEqual([
      { name: 'Dana Whitfield', email: 'dana@example.com', phone: '(650) 555-0167' },
    ])
    const [vehicle] = await runQuery(
      `select car.year, car.make, car.model, car.color, car.customer_id = booking.customer_id as is_theirs
       from public.bookings booking join public.vehicles car on car.id = booking.vehicle_id`,
    )
    expect(vehicle).toEqual({
      year: '2019',
      make: 'Subaru',
      model: 'Outback',
      color: 'Green',
      is_theirs: true,
    })
  })

  it('is linked to a known customer by the email address in upper or lower case', async () => {
    await book({})
    await book({ customer_email: 'DANA@Example.com', customer_phone: '(650) 555-0199' })
    expect(await countCustomers()).toBe(1)
    await call('Dana', '650 555 0199')
    expect(await countCustomers()).toBe(1)
  })

  it.each(['6505550167', '+1 650 555-0167', '1-650-555-0167', '650.555.0167', '(650)5550167'])(
    'is linked to a known customer by the phone number in the format %s',
    async (phone) => {
      await book({})
      await call('Dana Whitfield', phone)
      expect(await together()).toEqual([['Dana Whitfield', 'Dana Whitfield']])
    },
  )

  it('by phone adds an email address to a customer who is known by phone number, whereas an online booking does not', async () => {
    await call('Dana Whitfield', '650-555-0167')
    await book({})
    expect(await customers()).toEqual([
      { name: 'Dana Whitfield', email: null, phone: '650-555-0167' },
    ])
    await call('Dana Whitfield', '650-555-0167', 'dana@example.com')
    expect(await customers()).toEqual([
      { name: 'Dana Whitfield', email: 'dana@example.com', phone: '650-555-0167' },
    ])
  })

  it('creates separate customers for a family with one phone number and different email addresses', async () => {
    await book({ customer_name: 'Maria Delgado', customer_email: 'maria@example.com' })
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis@example.com' })
    expect(await together()).toEqual([['Maria Delgado'], ['Luis Delgado']])
    await call('luis delgado', '6505550167')
    await call('Luis', '6505550167')
    await call('Maria', '6505550167')
    expect(await together()).toEqual([
      ['Maria Delgado', 'Maria'],
      ['Luis Delgado', 'luis delgado', 'Luis'],
    ])
  })

  it('with the name and the phone number of a customer is linked to that customer, even with another email address', async () => {
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis@example.com' })
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis.junior@example.com' })
    expect(await together()).toEqual([['Luis Delgado', 'Luis Delgado']])
    expect(await customers()).toMatchObject([{ email: 'luis@example.com' }])
  })

  it('with a new email address is linked to neither of two customers with the same name', async () => {
    await book({ customer_name: 'Maria Delgado', customer_email: 'maria@example.com' })
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis@example.com' })
    await book({ customer_name: 'Delgado', customer_email: 'delgado@example.com' })
    expect(await countCustomers()).toBe(3)
  })

  it('with another name is not linked to a family that shares the phone number', async () => {
    await book({ customer_name: 'Maria Delgado', customer_email: 'maria@example.com' })
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis@example.com' })
    await call('Sofia', '6505550167')
    expect(await countCustomers()).toBe(3)
  })

  it('does not add its email address to another customer with the same phone number', async () => {
    await call('Maria Delgado', '6505550167')
    await book({ customer_name: 'Luis Delgado', customer_email: 'luis@example.com' })
    expect(await customers()).toEqual([
      { name: 'Luis Delgado', email: 'luis@example.com', phone: '(650) 555-0167' },
      { name: 'Maria Delgado', email: null, phone: '6505550167' },
    ])
  })

  it('with a name without letters is linked to no known customer and adds no contact method', async () => {
    await call('Maria Delgado', '6505550167')
    await book({ customer_name: '.', customer_email: 'mallory@example.com' })
    expect(await customers()).toEqual([
      { name: '.', email: 'mallory@example.com', phone: '(650) 555-0167' },
      { name: 'Maria Delgado', email: null, phone: '6505550167' },
    ])
  })

  it('is linked to a known customer by a name in any script', async () => {
    await book({ customer_name: 'Zoë Álvarez', customer_email: 'zoe@example.com' })
    await book({ customer_name: 'Luis', customer_email: 'luis@example.com' })
    await call('ZOË ÁLVAREZ', '6505550167')
    expect(await together()).toEqual([['Zoë Álvarez', 'ZOË ÁLVAREZ'], ['Luis']])
  })

  it('by phone is linked to the only customer with the phone number', async () => {
    await book({})
    await call('Somebody of the family', '650 555 0167')
    expect(await countCustomers()).toBe(1)
  })

  it.each(['000', 'none'])(
    'is linked to no known customer by the invalid phone number %s',
    async (phone) => {
      await book({ customer_phone: phone, customer_email: 'one@example.com' })
      await book({ customer_phone: phone, customer_email: 'two@example.com' })
      expect(await countCustomers()).toBe(2)
    },
  )

  it('that looks automated creates a new customer, and adds no contact method to a known customer', async () => {
    await book({})
    await book({ customer_phone: '(650) 555-0111' }, formBot)
    await book({ customer_email: 'odd@example.com', customer_phone: '(650) 555-0112' }, formBot)
    expect(await countCustomers()).toBe(2)
    expect(
      await runQuery(
        `select value from public.customer_contact_methods where value = '(650) 555-0111'`,
      ),
    ).toEqual([])
  })

  it('with the email address of another customer does not add its phone number to that customer', async () => {
    await book({})
    await book({ customer_name: 'Mallory', customer_phone: '(650) 555-0111' })
    expect(await together()).toEqual([['Dana Whitfield', 'Mallory']])
    await call('Mallory', '6505550111')
    expect(await together()).toEqual([['Dana Whitfield', 'Mallory'], ['Mallory']])
  })

  it('that is refused creates no customer', async () => {
    await refusalTo(shop.database, visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, { appointment_date: '2026-11-01' })),
    )
    for (const wrong of [{ customer_name: ' ' }, { customer_name: 'x'.repeat(201) }]) {
      const refusal = await refusalTo(shop.database, visitor, (query) =>
        insertRow(query, 'bookings', bookingRow(serviceId, wrong)),
      )
      expect(refusal.message).toContain('bookings')
      expect(refusal.message).not.toContain('customers')
    }
    expect(await countCustomers()).toBe(0)
  })

  it('creates one customer when the same visitor books twice concurrently', async () => {
    await Promise.all([
      book({ appointment_date: '2026-11-24' }),
      book({ appointment_date: '2026-11-25' }),
      book({ appointment_date: '2026-11-26' }),
      call('Dana Whitfield', '6505550167'),
      requestQuote({ phone: '(650) 555-0167' }),
    ])
    expect(await countCustomers()).toBe(1)
    expect(await runQuery('select from public.vehicles')).toHaveLength(1)
  })
})

it('a single transaction can lock the email addresses of 50,000 new customers', async () => {
  const locked = await runQuery(
    `select internal.lock_contact_keys(array(select 'dana' || n || '@example.com' from generate_series(1, 50000) n))`,
  )
  expect(locked).toHaveLength(1)
})

describe('a vehicle', () => {
  it('is reused when the same customer enters the same year, make and model again', async () => {
    await book({})
    await book({ vehicle_make: 'SUBARU', vehicle_model: ' out-back', vehicle_color: 'Green' })
    await book({ vehicle_model: 'Forester' })
    await book({ customer_email: 'luis@example.com', customer_phone: '(650) 555-0102' })
    expect(await runQuery('select model, color from public.vehicles order by created_at')).toEqual([
      { model: 'Outback', color: 'Green' },
      { model: 'Forester', color: null },
      { model: 'Outback', color: null },
    ])
  })

  it('is created when its name is in another script, and not created when its name has no letters', async () => {
    for (const vehicle_make of ['豊田', '本田', '豊田', '?']) {
      await book({ vehicle_make, vehicle_model: vehicle_make })
    }
    expect(await runQuery('select make from public.vehicles order by make')).toEqual([
      { make: '本田' },
      { make: '豊田' },
    ])
  })

  it('is not created for a phone booking without vehicle details', async () => {
    await call('Dana', '650 555 0167')
    expect(await runQuery('select vehicle_id from public.bookings')).toEqual([{ vehicle_id: null }])
  })

  it('gets a VIN only when its check digit is correct', async () => {
    await book({})
    for (const vin of ['1M8GDM9AXKP042788', '11111111111111111', '5GZCZ43D13S812715']) {
      await runQuery('update public.vehicles set vin = $1', [vin])
    }
    for (const vin of ['1M8GDM9A1KP042788', '11111111111111112', '1M8GDM9AXKP04278', 'IOQ']) {
      await expect(runQuery('update public.vehicles set vin = $1', [vin])).rejects.toThrow(
        /vehicles_vin_is_valid/,
      )
    }
  })

  it('is found by VIN or plate before it is searched for by name', async () => {
    await book({})
    const [vehicle] = await runQuery<{ id: string; customer_id: string }>(
      `update public.vehicles set plate = '8KLM 204', vin = '1M8GDM9AXKP042788' returning id, customer_id`,
    )
    const find = async (...described: (string | null)[]) =>
      (
        await runQuery<{ id: string | null }>(
          'select internal.find_vehicle($1, row($2, $3, $4, null, $5, $6)) as id',
          [vehicle?.customer_id, ...described],
        )
      )[0]?.id
    expect(await find('2001', 'Ford', 'Focus', null, '1M8GDM9AXKP042788')).toBe(vehicle?.id)
    expect(await find(null, null, null, '8klm-204', null)).toBe(vehicle?.id)
    expect(await find('2019', 'Subaru', 'Outback', null, null)).toBe(vehicle?.id)
    expect(await find('2019', 'Subaru', 'Outback', '7TRD118', null)).toBeNull()
  })
})

describe('a quote request', () => {
  it('is linked to its customer and vehicle even without a phone number', async () => {
    await book({})
    await requestQuote({ email: 'Dana@example.com' })
    await requestQuote({ name: 'Luis', email: 'luis@example.com' })
    expect(await customers()).toHaveLength(2)
    expect(
      await runQuery(`select count(distinct vehicle_id)::int as vehicles, count(vehicle_id)::int as named
                 from (select vehicle_id from public.bookings union all select vehicle_id from public.quote_requests) all_of_them`),
    ).toEqual([{ vehicles: 2, named: 3 }])
  })
})

describe('the backfill of records from before customers existed', () => {
  /**
   * Removes all customers, all vehicles and the links of other records to them, as in a shop that was updated from a
   * version without customers.
   */
  const forget = () =>
    runQuery(`update public.bookings set customer_id = null, vehicle_id = null`)
      .then(() =>
        runQuery(`update public.quote_requests set customer_id = null, vehicle_id = null`),
      )
      .then(() => runQuery('delete from public.vehicles'))
      .then(() => runQuery('delete from public.customers'))
  const linkAll = async () => {
    const counts: number[] = []
    do {
      const rows = await shop.database.transaction({ role: 'shop_server' }, (query) =>
        query.unchecked<{ linked: number }>('select internal.backfill_customers(2) as linked'),
      )
      counts.push(rows[0]?.linked ?? 0)
    } while (counts.at(-1) !== 0)
    return counts
  }

  it('links the oldest records first, in batches, and changes nothing else', async () => {
    await book({})
    await call('Dana Whitfield', '650 555 0167')
    await book({ customer_email: 'luis@example.com', customer_phone: '(650) 555-0102' })
    await requestQuote({ phone: '(650) 555-0167' })
    await runQuery(
      `update public.bookings set created_at = '2024-03-09' where customer_email is null`,
    )
    const linked =
      'select id, customer_id is not null as is_linked from public.bookings order by id'
    const before = await runQuery(linked)
    const countEvents = 'select count(*)::int as lines from public.booking_events'
    const lines = await runQuery(countEvents)
    const rows = () =>
      runQuery(
        `select to_jsonb(booking) - '{customer_id,vehicle_id}'::text[] as row from public.bookings booking order by id`,
      )
    const rowsBefore = await rows()
    await forget()
    expect(await linkAll()).toEqual([3, 1, 0])
    expect(await runQuery(linked)).toEqual(before)
    expect(await rows()).toEqual(rowsBefore)
    expect(await runQuery(countEvents)).toEqual(lines)
    expect(await customers()).toHaveLength(2)
    expect(
      await runQuery(
        `select created_at::date::text as since from public.customers order by created_at limit 1`,
      ),
    ).toEqual([{ since: '2024-03-09' }])
  })

  it('uses the name in the oldest record as the customer’s name', async () => {
    await book({ customer_name: 'Dana' })
    await book({ customer_name: 'Dana Whitfield' })
    await runQuery(
      `update public.bookings set created_at = '2024-03-09' where customer_name = 'Dana Whitfield'`,
    )
    await forget()
    await runQuery('select internal.backfill_customers(1)')
    expect(await customers()).toMatchObject([{ name: 'Dana Whitfield' }])
  })
})

describe('the sample customers of the sample week', () => {
  it('are deleted with it, except customers who have a real booking', async () => {
    await book({})
    await book({ customer_email: 'nora@sample.example', customer_phone: '(650) 555-0121' })
    await runQuery('update public.bookings set is_sample = true')
    await runQuery('update public.customers set is_sample = true')
    await runQuery('update public.vehicles set is_sample = true')
    await call('Dana Whitfield', '(650) 555-0167')
    await runQuery('select internal.remove_sample_week()')
    expect(await customers()).toMatchObject([{ name: 'Dana Whitfield', email: 'dana@example.com' }])
    expect(await runQuery('select from public.vehicles')).toEqual([])
  })
})

describe('customers and vehicles', () => {
  it.each(['customers', 'customer_contact_methods', 'vehicles', 'odometer_readings'])(
    'in the table %s can be read by the admin only',
    async (table) => {
      await book({})
      await runQuery(`insert into public.odometer_readings (vehicle_id, miles, read_on, recorded_by_name)
                 select id, 71506, '2026-11-20', 'ana' from public.vehicles`)
      const read = (as: typeof admin) =>
        shop.database.transaction(as, (query) => query.unchecked(`select * from public.${table}`))
      expect((await read(admin)).length).toBeGreaterThan(0)
      expect(await read(signedInStranger)).toEqual([])
      for (const identity of [visitor, { role: 'service_role' } as const]) {
        expect(
          (
            await refusalTo(shop.database, identity, (query) =>
              query.unchecked(`select from public.${table}`),
            )
          ).code,
        ).toBe('42501')
      }
    },
  )

  it('of a booking cannot be chosen by the visitor who books', async () => {
    await book({})
    const [customer] = await runQuery<{ id: string }>('select id from public.customers')
    const refusal = await refusalTo(shop.database, visitor, (query) =>
      insertRow(query, 'bookings', {
        ...bookingRow(serviceId, nextTime()),
        customer_id: customer?.id ?? '',
      }),
    )
    expect(refusal.code).toBe('42501')
  })
})
