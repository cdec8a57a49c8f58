import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const refusal = (sql: string, values: unknown[] = [], as = admin) =>
  refusalTo(shop.database, as, (query) => query.unchecked(sql, values))

/**
 * Every table with records of a customer or vehicle. The tests compare the rows of these tables before and after a
 * change, without the column `version`, which only counts changes.
 */
const tables = [
  'bookings',
  'quote_requests',
  'invoices',
  'vehicles',
  'odometer_readings',
  'customers',
  'customer_contact_methods',
  'customer_notes',
  'estimates',
] as const
type Rows = Record<string, Record<string, unknown>[]>
async function allRows(): Promise<Rows> {
  const rows: Rows = {}
  for (const table of tables) {
    const found = await runQuery<{ row: Record<string, unknown> }>(
      `select to_jsonb(one) - 'version' as row from public.${table} one order by to_jsonb(one) ->> 'id', one::text collate "C"`,
    )
    rows[table] = found.map(({ row }) => row)
  }
  return rows
}
const without = (rows: Rows, columns: readonly string[]) =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      list
        .map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))),
        )
        .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    ]),
  )
const ownersOf = (rows: Rows) =>
  Object.values(rows).flatMap((list) =>
    list.flatMap((row) => ('customer_id' in row ? [row['customer_id']] : [])),
  )

async function book(name: string, phone: string, email: string, vehicle: string, day: string) {
  const [row] = await runQuery<{ id: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     values ($1, $2, '12:00', 30, $3, $4, $5, '2019', 'Subaru', $6) returning id`,
    [serviceId, day, name, email, phone, vehicle],
  )
  return row?.id ?? ''
}
const customerIdOf = async (name: string) => {
  const [row] = await runQuery<{ id: string; version: number }>(
    'select id, version from public.customers where name = $1',
    [name],
  )
  return row ?? { id: '', version: 0 }
}
/** Adds a customer with a record in each table of the list `tables`. */
async function addCustomer(
  name: string,
  phone: string,
  email: string,
  vehicle: string,
  day: number,
) {
  const bookingId = await book(name, phone, email, vehicle, `2026-10-${day}`)
  await runQuery(
    `insert into public.quote_requests (name, email, phone, vehicle_year, vehicle_make, vehicle_model, description)
     values ($1, $2, $3, '2019', 'Subaru', $4, 'A clunk.')`,
    [name, email, phone, vehicle],
  )
  await runQuery('select internal.link_invoice($1)', [
    {
      id: `in_${day}`,
      number: `INV-${day}`,
      name,
      email,
      total_cents: 4900,
      currency: 'usd',
      status: 'paid',
      created_at: 1_790_000_000,
      booking_id: bookingId,
    },
  ])
  await runQuery(
    `insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
     select vehicle_id, id, 70000 + $2, '2026-10-01', 'ana' from public.bookings where id = $1`,
    [bookingId, day],
  )
  await runQuery(
    `insert into public.customer_notes (customer_id, note, written_by_name)
     select customer_id, 'Works nights.', 'sam' from public.bookings where id = $1`,
    [bookingId],
  )
  await runQuery(
    `insert into public.estimates (number, customer_name, customer_email, vehicle_year, vehicle_make, vehicle_model, booking_id)
     values ('E-' || $4::text, $1, $2, '2019', 'Subaru', $3, $5)`,
    [name, email, vehicle, day, bookingId],
  )
  return bookingId
}
const merge = async (survivor: string, duplicate: string, fromDuplicate: string[] = []) => {
  const [first, second] = [await customerIdOf(survivor), await customerIdOf(duplicate)]
  const [row] = await asAdmin<{ id: string }>(
    'select public.merge_customers($1, $2, $3, $4, $5) as id',
    [first.id, second.id, first.version, second.version, fromDuplicate],
  )
  return row?.id ?? ''
}

/** Waits until `count` database sessions are waiting for a lock. */
async function waiting(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await runQuery<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.waiting
    })
    .toBe(count)
}

beforeEach(async () => {
  await setShopClock(shop.owner, fixtureClock)
  await runQuery(
    truncateTables(
      'public.bookings',
      'public.quote_requests',
      'public.customers',
      'public.merges',
      'public.invoices',
    ),
  )
  await addCustomer('Maria Delgado', '(650) 555-0167', 'maria@example.com', 'Outback', 10)
  await addCustomer('Maria Delgato', '(650) 555-0176', 'delgado@example.com', 'Forester', 11)
  await addCustomer('Sam Okafor', '(650) 555-0155', 'sam@example.com', 'Outback', 12)
})

describe('merging two customers', () => {
  it('has a merge rule for every foreign key to customers and vehicles', async () => {
    expect(await runQuery('select internal.list_references_without_merge_rule()')).toEqual([])
    const stale = await runQuery(
      `select table_name, column_name from internal.merge_rules rule
       where not exists (
         select from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
         where contype = 'f' and conrelid = rule.table_name::regclass and attname = rule.column_name
           and confrelid = case rule.kind when 'customer' then 'public.customers' else 'public.vehicles' end::regclass)`,
    )
    expect(stale).toEqual([])
  })

  it('is refused while a foreign key to customers has no merge rule', async () => {
    await runQuery('create table public.not_decided (customer_id uuid references public.customers)')
    try {
      await expect(merge('Maria Delgado', 'Maria Delgato')).rejects.toThrow(
        'not_decided.customer_id',
      )
    } finally {
      await runQuery('drop table public.not_decided')
    }
  })

  it('moves all records of the duplicate and no others, and changes only their customer', async () => {
    const [survivor, duplicate, other] = [
      await customerIdOf('Maria Delgado'),
      await customerIdOf('Maria Delgato'),
      await customerIdOf('Sam Okafor'),
    ]
    const before = await allRows()
    await merge('Maria Delgado', 'Maria Delgato')
    const after = await allRows()
    expect(without(after, ['customer_id', 'merged_into'])).toEqual(
      without(before, ['customer_id', 'merged_into']),
    )
    expect(ownersOf(before).filter((id) => id === duplicate.id).length).toBeGreaterThan(6)
    expect(ownersOf(after).filter((id) => id === duplicate.id)).toEqual([])
    expect(ownersOf(after).filter((id) => id === survivor.id)).toHaveLength(
      ownersOf(before).filter((id) => id !== other.id).length,
    )
    expect(ownersOf(after).filter((id) => id === other.id)).toEqual(
      ownersOf(before).filter((id) => id === other.id),
    )
    expect(
      await runQuery('select internal.resolve_merged_customer($1) as id', [duplicate.id]),
    ).toEqual([{ id: survivor.id }])
  })

  it('can be undone exactly, and records created after the merge remain with the surviving customer', async () => {
    const before = await allRows()
    const id = await merge('Maria Delgado', 'Maria Delgato', ['name', 'phone'])
    expect(await customerIdOf('Maria Delgado')).toMatchObject({ id: '' })
    const since = await book(
      'Maria',
      '(650) 555-0167',
      'maria@example.com',
      'Outback',
      '2026-10-20',
    )
    await asAdmin('select public.unmerge($1)', [id])
    await asAdmin('select public.unmerge($1)', [id])
    const [row] = await runQuery<{ name: string }>(
      `select name from public.customers person join public.bookings booking on person.id = customer_id where booking.id = $1`,
      [since],
    )
    expect(row?.name).toBe('Maria Delgado')
    await runQuery(
      `update public.bookings set completed_at = now(), completed_by = 'ana' where id = $1`,
      [since],
    )
    await runQuery('delete from public.bookings where id = $1', [since])
    expect(await allRows()).toEqual(before)
  })

  it('a second time after an unmerge cannot be undone by the id of the first merge', async () => {
    const first = await merge('Maria Delgado', 'Maria Delgato')
    await asAdmin('select public.unmerge($1)', [first])
    await merge('Maria Delgado', 'Maria Delgato')
    const merged = await allRows()
    await asAdmin('select public.unmerge($1)', [first])
    expect(await allRows()).toEqual(merged)
  })

  it('moves thousands of records, and undoing the merge moves them back', async () => {
    await runQuery(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_email, customer_phone, customer_id)
       select $1, date '2020-01-01' + n, '12:00', 30, 'Maria Delgato', 'delgado@example.com', '(650) 555-0176', person.id
       from generate_series(1, 2000) n, public.customers person where person.name = 'Maria Delgato'`,
      [serviceId],
    )
    const before = await allRows()
    const id = await merge('Maria Delgado', 'Maria Delgato')
    const duplicate = await runQuery(
      `select id from public.customers where merged_into is not null`,
    )
    expect(ownersOf(await allRows())).not.toContain(duplicate[0]?.['id' as never])
    await asAdmin('select public.unmerge($1)', [id])
    expect(await allRows()).toEqual(before)
  })

  it('in a chain assigns all records to the last customer without a cycle, and is undone in reverse order', async () => {
    const before = await allRows()
    const first = await merge('Maria Delgado', 'Maria Delgato')
    const second = await merge('Sam Okafor', 'Maria Delgado')
    const [a, b, c] = [
      await customerIdOf('Maria Delgato'),
      await customerIdOf('Maria Delgado'),
      await customerIdOf('Sam Okafor'),
    ]
    expect(await runQuery('select internal.resolve_merged_customer($1) as id', [a.id])).toEqual([
      { id: c.id },
    ])
    for (const duplicate of [a, b]) {
      expect(
        await refusal('select public.merge_customers($1, $2, $3, $4)', [
          duplicate.id,
          c.id,
          duplicate.version,
          c.version,
        ]),
      ).toMatchObject({ code: 'TT092' })
    }
    await asAdmin('select public.unmerge($1)', [second])
    await asAdmin('select public.unmerge($1)', [first])
    expect(await allRows()).toEqual(before)
  })

  it('keeps later edits of the surviving customer, even after an unmerge', async () => {
    const id = await merge('Maria Delgado', 'Maria Delgato', ['name'])
    await runQuery(
      `update public.customers set name = 'Maria D.' where name = 'Maria Delgato' and merged_into is null`,
    )
    await asAdmin('select public.unmerge($1)', [id])
    expect(await runQuery('select name from public.customers order by name')).toEqual([
      { name: 'Maria D.' },
      { name: 'Maria Delgato' },
      { name: 'Sam Okafor' },
    ])
  })

  it('also merges two records of one vehicle, and undoing the merge restores both', async () => {
    await runQuery(
      `update public.invoices links set vehicle_id = booking.vehicle_id
       from public.bookings booking where links.invoice_id = 'in_' || to_char(appointment_date, 'FMDD')`,
    )
    const before = await allRows()
    const id = await merge('Maria Delgado', 'Sam Okafor')
    expect(await runQuery('select from public.vehicles where merged_into is null')).toHaveLength(2)
    expect(
      await runQuery(`select count(distinct vehicle_id)::int as vehicles from public.bookings
                 where vehicle_model = 'Outback'`),
    ).toEqual([{ vehicles: 1 }])
    const rules = await runQuery<{ table: string; column: string }>(
      `select table_name as table, column_name as column from internal.merge_rules
       where kind = 'vehicle' and column_name <> 'merged_into'`,
    )
    for (const { table, column } of rules) {
      const about = (state: string) =>
        runQuery(
          `select from ${table} one join public.vehicles car on car.id = one.${column} where car.merged_into ${state}`,
        )
      expect([table, await about('is not null')]).toEqual([table, []])
      expect([table, (await about('is null')).length]).not.toEqual([table, 0])
    }
    await asAdmin('select public.unmerge($1)', [id])
    expect(await allRows()).toEqual(before)
  })

  it('does not merge vehicles that differ only in their plates', async () => {
    await runQuery(
      `update public.vehicles car set plate = case person.name when 'Sam Okafor' then '7TRD118' else '8KLM204' end
       from public.customers person where person.id = car.customer_id and car.model = 'Outback'`,
    )
    await merge('Maria Delgado', 'Sam Okafor')
    expect(
      await runQuery(
        `select plate from public.vehicles where model = 'Outback' and merged_into is null order by plate`,
      ),
    ).toEqual([{ plate: '7TRD118' }, { plate: '8KLM204' }])
  })

  it('links a later booking with the contact details of either customer to the surviving customer', async () => {
    await merge('Maria Delgado', 'Maria Delgato')
    const survivor = await customerIdOf('Maria Delgado')
    for (const [nth, email] of ['delgado@example.com', 'maria@example.com'].entries()) {
      const id = await book('M.', '(650) 555-0100', email, 'Outback', `2026-10-2${nth}`)
      expect(await runQuery('select customer_id from public.bookings where id = $1', [id])).toEqual(
        [{ customer_id: survivor.id }],
      )
    }
  })

  it('includes a booking that the duplicate makes concurrently', async () => {
    await Promise.all([
      merge('Maria Delgado', 'Maria Delgato'),
      ...[1, 2, 3, 4].map((day) =>
        book('Maria', '(650) 555-0176', 'delgado@example.com', 'Outback', `2026-09-0${day}`),
      ),
    ])
    const duplicate = await customerIdOf('Maria Delgato')
    expect(
      await runQuery('select from public.bookings where customer_id = $1', [duplicate.id]),
    ).toEqual([])
  })

  it("does not deadlock with a concurrent change of a vehicle's owner", async () => {
    const survivor = await customerIdOf('Maria Delgado')
    const duplicate = await customerIdOf('Maria Delgato')
    const [vehicle] = await runQuery<{ id: string; version: number }>(
      'select id, version from public.vehicles where customer_id = $1',
      [duplicate.id],
    )
    // The test locks the invoices, so that the merge waits after locking the customers and before locking the
    // vehicles.
    const invoices = await shop.owner.connect()
    try {
      await invoices.query('begin')
      await invoices.query('select from public.invoices for update')
      const merged = merge('Maria Delgado', 'Maria Delgato')
      await waiting(1)
      const changed = refusal('select public.change_vehicle_owner($1, $2, $3)', [
        vehicle?.id,
        vehicle?.version,
        survivor.id,
      ])
      await waiting(2)
      await invoices.query('commit')
      expect(await merged).not.toBe('')
      // The merge changed the vehicle first. The change of owner names the vehicle's earlier version, so the database
      // refuses the change of owner as a version conflict.
      expect((await changed).code).toBe('TT051')
    } finally {
      invoices.release()
    }
  })

  it.each([
    ['with itself', 'TT091', 'select public.merge_customers($1, $1, 1, 1)'],
    ['without a second customer', 'TT091', 'select public.merge_customers($1, null, 1, 1)'],
    [
      'with an unknown customer',
      'TT090',
      'select public.merge_customers($1, gen_random_uuid(), $2, 1)',
    ],
    ['with an outdated version', 'TT051', 'select public.merge_customers($1, $3, $2 - 1, $4)'],
  ])('is refused %s', async (_what, code, sql) => {
    const [survivor, duplicate] = [
      await customerIdOf('Maria Delgado'),
      await customerIdOf('Maria Delgato'),
    ]
    const values = [survivor.id, survivor.version, duplicate.id, duplicate.version]
    const used = values.slice(
      0,
      Math.max(...[...sql.matchAll(/\$(\d)/g)].map(([, n]) => Number(n))),
    )
    expect((await refusal(sql, used)).code).toBe(code)
  })

  it('is refused if one of them was already merged into another customer', async () => {
    const [survivor, duplicate] = [
      await customerIdOf('Maria Delgado'),
      await customerIdOf('Maria Delgato'),
    ]
    await merge('Maria Delgado', 'Maria Delgato')
    const [third, duplicateId] = [
      await customerIdOf('Sam Okafor'),
      await customerIdOf('Maria Delgato'),
    ]
    expect(
      await refusal('select public.merge_customers($1, $2, $3, $4)', [
        third.id,
        duplicate.id,
        third.version,
        duplicateId.version,
      ]),
    ).toMatchObject({ code: 'TT092', hint: 'already_merged' })
    expect(survivor.id).not.toBe(duplicate.id)
  })

  it('cannot be undone after thirty days, or while a later merge of the same customer remains', async () => {
    const first = await merge('Maria Delgado', 'Maria Delgato')
    const second = await merge('Sam Okafor', 'Maria Delgado')
    expect((await refusal('select public.unmerge($1)', [first])).code).toBe('TT095')
    await setShopClock(shop.owner, '2026-12-20T17:00:00Z')
    await asAdmin('select public.unmerge($1)', [second])
    await setShopClock(shop.owner, '2026-12-20T18:30:00Z')
    expect((await refusal('select public.unmerge($1)', [first])).code).toBe('TT094')
  })

  it.each([
    'select public.merge_customers(null, null, 1, 1)',
    'select public.unmerge(null)',
    'select public.split_booking(null)',
    'select public.split_vehicle(null, 1)',
    'select public.mark_not_duplicates(null, null)',
  ])('cannot be called by any role except the admin: %s', async (sql) => {
    for (const as of [visitor, signedInStranger])
      expect((await refusal(sql, [], as)).code).toBe('42501')
  })
})

describe('splitting off a new customer', () => {
  it('moves a booking with its vehicle and invoice to the new customer', async () => {
    const id = await book('Luis', '(650) 555-0167', 'maria@example.com', 'Outback', '2026-10-22')
    const [row] = await asAdmin<{ id: string }>('select public.split_booking($1) as id', [id])
    expect(
      await runQuery(
        `select person.name, person.email, car.customer_id = person.id as has_vehicle
         from public.bookings booking join public.customers person on person.id = booking.customer_id
         join public.vehicles car on car.id = booking.vehicle_id where booking.id = $1`,
        [id],
      ),
    ).toEqual([{ name: 'Luis', email: 'maria@example.com', has_vehicle: true }])
    // The two customers have the same contact methods after the split, so the name decides to whom a booking belongs.
    for (const [nth, name] of ['Luis', 'Maria'].entries()) {
      await book(name, '(650) 555-0167', 'maria@example.com', 'Outback', `2026-10-2${4 + nth}`)
    }
    expect(
      await runQuery(
        'select customer_name from public.bookings where customer_id = $1 order by 1',
        [row?.id],
      ),
    ).toEqual([{ customer_name: 'Luis' }, { customer_name: 'Luis' }])
  })

  it('keeps the earlier email addresses of the original customer, so that bookings with them are still linked to that customer', async () => {
    const maria = await customerIdOf('Maria Delgado')
    for (const email of ['before@example.com', 'now@example.com']) {
      const { version } = await customerIdOf('Maria Delgado')
      await asAdmin('select public.save_customer($1, $2, $3, $4, $5)', [
        maria.id,
        version,
        'Maria Delgado',
        email,
        '',
      ])
    }
    const luis = await book('Luis', '(650) 555-0102', 'maria@example.com', 'WRX', '2026-10-22')
    await asAdmin('select public.split_booking($1)', [luis])
    const next = await book('Maria', '(650) 555-0188', 'before@example.com', 'WRX', '2026-10-23')
    expect(await runQuery('select customer_id from public.bookings where id = $1', [next])).toEqual(
      [{ customer_id: maria.id }],
    )
  })

  it('with a vehicle moves the records of the vehicle, and the contact details that occur only in these records', async () => {
    await book('Luis', '(650) 555-0102', 'maria@example.com', 'WRX', '2026-10-22')
    const [vehicle] = await runQuery<{ id: string; version: number; customer_id: string }>(
      `select id, version, customer_id from public.vehicles where model = 'WRX'`,
    )
    const rows = Object.values(await allRows()).flat().length
    const [row] = await asAdmin<{ id: string }>('select public.split_vehicle($1, $2) as id', [
      vehicle?.id,
      vehicle?.version,
    ])
    expect(
      await runQuery('select customer_id from public.vehicles where id = $1', [vehicle?.id]),
    ).toEqual([{ customer_id: row?.id }])
    expect(
      await runQuery(
        'select value from public.customer_contact_methods where customer_id = $1 order by 1',
        [vehicle?.customer_id],
      ),
    ).toEqual([{ value: '(650) 555-0167' }, { value: 'maria@example.com' }])
    // The split added three rows: one customer and two contact methods. The phone number belongs to the new customer
    // only, the email address to both customers.
    expect(Object.values(await allRows()).flat()).toHaveLength(rows + 3)
  })
})
