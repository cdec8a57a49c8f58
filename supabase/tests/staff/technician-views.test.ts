import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addBay,
  addService,
  admin,
  fixtureClock,
  refusalTo,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

const ids = {
  ben: '00000000-0000-4000-8000-00000000000a',
  advisor: '00000000-0000-4000-8000-00000000000b',
}
const staff = (id: string, role: string): Identity => ({
  role: `shop_${role}`,
  claims: { role: 'authenticated', sub: id },
})
const ben = staff(ids.ben, 'technician')
const views = [
  'technician_bays',
  'technician_bookings',
  'technician_hours',
  'technician_services',
  'technician_tasks',
]

let shop: TestDatabase
let serviceId: string
let employeeId: string
let otherId: string
const bays = { free: '', own: '', other: '' }
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Brake check', 60)
  employeeId = await insertId(
    `public.employees (name, email) values ('Ben Novak', 'ben@shop.example')`,
  )
  otherId = await insertId(
    `public.employees (name, email) values ('Ana Reyes', 'ana@shop.example')`,
  )
  await shop.owner.query(
    `insert into public.staff_accounts (user_id, username, role, employee_id)
     values ($1, 'ben', 'technician', $2), ($3, 'sam', 'advisor', null)`,
    [ids.ben, employeeId, ids.advisor],
  )
  bays.free = await addBay(shop, 'Free bay')
  bays.own = await addBay(shop, 'Own bay')
  bays.other = await addBay(shop, 'Other bay')
  await shop.owner.query(
    `update public.bays set technician = case id when $1 then 'ben novak ' else 'Ana Reyes' end where id in ($1, $2)`,
    [bays.own, bays.other],
  )
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings', 'public.tasks'))
  await shop.owner.query(
    `update public.staff_accounts set role = 'technician', is_active = true where username = 'ben'`,
  )
})

async function insertId(values: string, parameters: unknown[] = []): Promise<string> {
  const { rows } = await shop.owner.query<{ id: string }>(
    `insert into ${values} returning id`,
    parameters,
  )
  return rows[0]?.id ?? ''
}

let hour = 0
const addBooking = (bayId: string | null, change: { day?: string; notes?: string } = {}) => {
  hour = (hour + 1) % 12
  return insertId(
    `public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_email,
       customer_phone, notes, vehicle_year, vehicle_make, vehicle_model, bay_id, service_price_cents)
     values ($1, $2, make_time($3, 0, 0), 60, 'Maria Delgado', 'maria@customer.example', '(650) 555-0167', $4, '2019', 'Subaru', 'Outback', $5, 49857)`,
    [serviceId, change.day ?? '2026-11-20', hour + 6, change.notes ?? 'They squeak.', bayId],
  )
}
const addTask = (assignedTo: string | null, bookingId: string | null, title = 'Pads') =>
  insertId(`public.tasks (title, assigned_to, booking_id) values ($1, $2, $3)`, [
    title,
    assignedTo,
    bookingId,
  ])

type Row = Record<string, unknown>
const read = (view: string, identity = ben) =>
  shop.database.transaction(identity, async (query) => [
    ...(await query.unchecked<Row>(`select * from public.${view} order by 1`, [])),
  ])
const bookingOf = async (id: string) =>
  (await read('technician_bookings')).find((row) => row['id'] === id)
const step = (id: string, state: string, version = 1, identity = ben) =>
  shop.database.transaction(identity, (query) =>
    query.unchecked<{ version: number }>(
      'select public.record_technician_step($1, $2, $3) as version',
      [id, state, version],
    ),
  )
const refusalOfStep = (id: string, state: string, identity = ben) =>
  refusalTo(shop.database, identity, (query) =>
    query.unchecked('select public.record_technician_step($1, $2, 1)', [id, state]),
  )

describe('the day of a technician', () => {
  it('shows full details of own and unassigned appointments, and of other appointments only time, bay, vehicle, service and first name', async () => {
    const byBay = await addBooking(bays.own)
    const byTask = await addBooking(bays.other)
    await addTask(employeeId, byTask)
    const unassigned = await addBooking(bays.free)
    const ofBay = await addBooking(bays.other)
    const ofTask = await addBooking(bays.free)
    await addTask(otherId, ofTask)
    const shown = await Promise.all([byBay, byTask, unassigned, ofBay, ofTask].map(bookingOf))
    expect(shown.map((row) => row?.['assignment'])).toEqual([
      'own',
      'own',
      'unassigned',
      'other',
      'other',
    ])
    expect(shown.map((row) => row?.['notes'])).toEqual([
      'They squeak.',
      'They squeak.',
      'They squeak.',
      null,
      null,
    ])
    expect(shown[3]).toMatchObject({
      first_name: 'Maria',
      service_name: 'Brake check',
      bay_name: 'Other bay',
      vehicle_make: 'Subaru',
      state: 'confirmed',
    })
  })

  it('omits cancelled appointments and appointments of other days', async () => {
    const tomorrow = await addBooking(bays.free, { day: '2026-11-21' })
    const cancelled = await addBooking(bays.free)
    await shop.owner.query(`update public.bookings set status = 'cancelled' where id = $1`, [
      cancelled,
    ])
    const today = await addBooking(bays.free)
    expect((await read('technician_bookings')).map(({ id }) => id)).toEqual([today])
    expect(await bookingOf(tomorrow)).toBeUndefined()
  })

  it('contains no price, email address or phone number, even in notes and tasks', async () => {
    const id = await addBooking(bays.free, {
      notes:
        'Call 650 555 0188 or (650) 555-0167, or write to m.d@mail.example. It cost $1,240.50 at 120,000 miles.',
    })
    await addTask(null, id, 'Quote $300, ask maria@customer.example')
    const rows = await Promise.all(views.map((view) => read(view)))
    expect(rows.every((each) => each.length > 0)).toBe(true)
    // Removes the ids from the rows, because the random digits of an id could match a searched number.
    const text = JSON.stringify(rows).replaceAll(/[0-9a-f-]{36}/g, '')
    expect(text).not.toMatch(/555|@|\$|49857|0167|,240|Delgado/)
    expect(text).toContain('120,000 miles')
    expect(text).toContain('(number hidden) or (number hidden)')
  })

  it('contains exactly the columns that this test lists, so that a new column needs a change of the list', async () => {
    const { rows } = await shop.owner.query<{ name: string; columns: string }>(
      `select table_name as name, string_agg(column_name, ' ' order by ordinal_position) as columns
       from information_schema.columns where table_schema = 'public' and table_name like 'technician\\_%'
       group by table_name`,
    )
    expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual({
      technician_bays: 'id name position is_own open',
      technician_bookings:
        'id version starts_at ends_at bay_id bay_name service_name state is_held vehicle_year vehicle_make vehicle_model ' +
        'vehicle_color first_name assignment vehicle_plate notes',
      technician_hours: 'weekday opens_minute closes_minute',
      technician_services: 'id name duration_minutes position',
      technician_tasks:
        'id booking_id title description priority status due_date created_at is_own vehicle_year vehicle_make vehicle_model',
    })
  })

  it('shows the technician’s open tasks, and the tasks of the technician’s own and of unassigned appointments', async () => {
    const unassigned = await addBooking(bays.free)
    const other = await addBooking(bays.other)
    const later = await addBooking(bays.other, { day: '2026-11-25' })
    const ofUnassigned = await addTask(null, unassigned)
    await addTask(otherId, other)
    await addTask(null, later)
    await addTask(null, null)
    const own = await addTask(employeeId, null)
    const ownLater = await addTask(employeeId, later)
    const shown = await read('technician_tasks')
    expect(new Map(shown.map(({ id, is_own: isOwn }) => [id, isOwn]))).toEqual(
      new Map([
        [ofUnassigned, false],
        [own, true],
        [ownLater, true],
      ]),
    )
  })

  it('can be read by active technicians only, whatever role a token names', async () => {
    await addBooking(bays.free)
    for (const view of views) {
      for (const identity of [admin, staff(ids.advisor, 'advisor'), visitor, signedInStranger]) {
        const refusal = await refusalTo(shop.database, identity, (query) =>
          query.unchecked(`select from public.${view}`, []),
        )
        expect(refusal.code).toBe('42501')
      }
      // An access token from before a role change, which still names the technician role.
      for (const change of [`role = 'advisor'`, `role = 'technician', is_active = false`]) {
        await shop.owner.query(`update public.staff_accounts set ${change} where username = 'ben'`)
        expect(await read(view)).toEqual([])
      }
      await shop.owner.query(
        `update public.staff_accounts set is_active = true where username = 'ben'`,
      )
      expect(await read(view, staff(ids.ben, 'technician'))).toBeInstanceOf(Array)
      expect(await read(view, staff(ids.advisor, 'technician'))).toEqual([])
    }
  })
})

describe('a state change by a technician', () => {
  it('is possible for own and unassigned appointments: arrived, in work, completed', async () => {
    for (const id of [await addBooking(bays.own), await addBooking(bays.free)]) {
      for (const [nth, state] of ['arrived', 'in_work', 'completed'].entries()) {
        expect(await step(id, state, nth + 1)).toEqual([{ version: nth + 2 }])
      }
      const { rows } = await shop.owner.query(
        `select kind, source from public.booking_events where booking_id = $1 order by id offset 1`,
        [id],
      )
      expect(rows.map(({ kind, source }: Row) => [kind, source])).toEqual([
        ['arrived', 'counter'],
        ['started', 'counter'],
        ['completed', 'counter'],
      ])
      const { rows: completed } = await shop.owner.query(
        'select completed_by from public.bookings where id = $1',
        [id],
      )
      expect(completed).toEqual([{ completed_by: 'admin' }])
    }
  })

  it('is refused with the same text for an unknown appointment, an appointment of another technician and an appointment of another day', async () => {
    const refusals = []
    for (const id of [
      await addBooking(bays.other),
      await addBooking(bays.own, { day: '2026-11-21' }),
      '00000000-0000-4000-8000-0000000000ff',
    ]) {
      refusals.push(await refusalOfStep(id, 'arrived'))
    }
    expect(refusals[0]?.code).toBe('42501')
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
  })

  it('cannot be a cancellation, a no-show or an undo', async () => {
    const id = await addBooking(bays.free)
    for (const state of ['cancelled', 'no_show', 'pending', 'confirmed']) {
      expect((await refusalOfStep(id, state)).code).toBe('42501')
    }
  })

  it('is refused to other roles, and to a technician whose account is switched off', async () => {
    const id = await addBooking(bays.free)
    for (const identity of [
      admin,
      staff(ids.advisor, 'advisor'),
      staff(ids.advisor, 'technician'),
      visitor,
    ]) {
      expect((await refusalOfStep(id, 'arrived', identity)).code).toBe('42501')
    }
    await shop.owner.query(
      `update public.staff_accounts set is_active = false where username = 'ben'`,
    )
    expect((await refusalOfStep(id, 'arrived')).code).toBe('42501')
  })

  it('is refused when the technician looked at an outdated version of the appointment, and has no further effect when it is repeated', async () => {
    const id = await addBooking(bays.free)
    expect(await step(id, 'arrived')).toEqual([{ version: 2 }])
    expect(await step(id, 'arrived')).toEqual([{ version: 2 }])
    expect((await refusalOfStep(id, 'in_work')).code).toBe('TT051')
  })
})

describe('a task of a technician', () => {
  const complete = (id: string, identity = ben) =>
    shop.database.transaction(identity, (query) =>
      query.unchecked('select public.complete_own_task($1)', [id]),
    )

  it('can be completed by the assigned technician, and the history records it', async () => {
    const id = await addTask(employeeId, null)
    await complete(id)
    const { rows } = await shop.owner.query(
      `select task.status, history.new_status from public.tasks task
       join public.task_status_history history on history.task_id = task.id`,
    )
    expect(rows).toEqual([{ status: 'completed', new_status: 'completed' }])
  })

  it('cannot be completed by another technician or another role', async () => {
    const booking = await addBooking(bays.free)
    const tasks = [await addTask(otherId, null), await addTask(null, booking)]
    for (const id of [...tasks, '00000000-0000-4000-8000-0000000000ff']) {
      await expect(complete(id)).rejects.toMatchObject({ code: '42501' })
    }
    const own = await addTask(employeeId, null)
    for (const identity of [admin, staff(ids.advisor, 'technician'), visitor]) {
      await expect(complete(own, identity)).rejects.toMatchObject({ code: '42501' })
    }
  })
})
