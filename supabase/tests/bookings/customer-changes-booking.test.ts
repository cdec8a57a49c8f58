import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  runVisitAction,
  addBay,
  addService,
  admin,
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
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(
    `${truncateTables('public.bookings')}; delete from public.special_hours; delete from public.bays where name <> 'Bay 1';
     update public.booking_rules set change_cutoff_minutes = 120, cancel_cutoff_minutes = 120`,
  )
  await setShopClock(shop.owner, fixtureClock)
})

type Row = {
  id: string
  status: string
  appointment_date: string
  appointment_time: string
  bay_id: string | null
  calendar_sequence: number
  attendance_confirmed_at: string | null
  version: number
}
const rows = async () => {
  const { rows: found } = await shop.owner.query<Row>(
    `select id, status, appointment_date::text, appointment_time::text, bay_id, calendar_sequence, attendance_confirmed_at, version
     from public.bookings order by created_at`,
  )
  return found
}
const now = async (): Promise<Row> => {
  const [row] = await rows()
  if (!row) throw new Error('There is no appointment.')
  return row
}
const book = async (change = {}, identity: Identity = visitor) => {
  await shop.database.transaction(identity, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, change)),
  )
  return now()
}
const run = async (sql: string, values: unknown[], identity: Identity = asServer) => {
  const [row] = await shop.database.transaction(identity, (query) =>
    query.unchecked<{ outcome: string }>(`select ${sql} as outcome`, values),
  )
  return row?.outcome
}
/**
 * Runs an action of a customer; returns the name of the change, such as 'cancelled', or 'refused: ' followed by the
 * reason.
 */
const runAction = (call: string, values: unknown[]) => runVisitAction(shop.database, call, values)
const move = ({ id, calendar_sequence: seen }: Row, time: string, date = '2026-11-28') =>
  runAction('internal.move_booking_by_customer($1, $2, $3, $4)', [id, seen, date, time])
const cancel = ({ id, calendar_sequence: seen }: Row) =>
  runAction('internal.cancel_booking_by_customer($1, $2)', [id, seen])
const restore = ({ id, calendar_sequence: seen }: Row) =>
  runAction('internal.undo_cancellation_by_customer($1, $2)', [id, seen])
const come = ({ id, calendar_sequence: seen }: Row) =>
  runAction('internal.confirm_attendance($1, $2)', [id, seen])
const setState = async ({ id, version }: Row, state: string) =>
  run('(public.change_booking_state($1, $2, $3)).status', [id, state, version], admin)
const readHistory = async () => {
  const { rows: lines } = await shop.owner.query<{ line: string }>(
    `select kind || ' by ' || source as line from public.booking_events order by id`,
  )
  return lines.map(({ line }) => line)
}
/** The appointment is at 1:30 PM: `atTheCutoff` sets the clock to 11:30 AM, `pastTheCutoff` to one second later. */
const atTheCutoff = () => setShopClock(shop.owner, '2026-11-28T19:30:00Z')
const pastTheCutoff = () => setShopClock(shop.owner, '2026-11-28T19:30:01Z')

describe('moving a booking by its customer', () => {
  it('frees the old time immediately and adds a history entry that names the customer', async () => {
    const booked = await book()
    expect(await move(booked, '15:00')).toBe('moved')
    expect(await now()).toMatchObject({ appointment_time: '15:00:00', calendar_sequence: 1 })
    expect((await readHistory()).slice(-2)).toEqual(['booked by visitor', 'moved by customer'])
    await book({ customer_email: 'other@example.com', customer_phone: '555-0199' })
    expect(await rows()).toHaveLength(2)
  })

  it('is possible repeatedly, even to a time that overlaps the old time', async () => {
    await book()
    for (const time of ['14:00', '13:30', '14:30', '14:00']) {
      expect(await move(await now(), time)).toBe('moved')
    }
    expect(await now()).toMatchObject({ appointment_time: '14:00:00', calendar_sequence: 4 })
  })

  it('happens only once when the request is repeated', async () => {
    const booked = await book()
    expect(await Promise.all([1, 2, 3].map(() => move(booked, '15:00')))).toEqual(
      expect.arrayContaining(['moved', 'unchanged', 'unchanged']),
    )
    expect(await now()).toMatchObject({ calendar_sequence: 1 })
  })

  it('is refused from a tab that shows an outdated time of the booking', async () => {
    const booked = await book()
    await move(booked, '15:00')
    expect(await move(booked, '17:00')).toBe('refused: version_conflict')
    expect(await cancel(booked)).toBe('refused: version_conflict')
    expect(await come(booked)).toBe('refused: version_conflict')
  })

  it('succeeds from a tab that was opened before staff added a note', async () => {
    const booked = await book()
    await shop.owner.query(`update public.bookings set internal_note = 'Waits inside'`)
    expect(await move(booked, '15:00')).toBe('moved')
  })

  it('is refused when the rules for visitors do not allow the new time', async () => {
    const booked = await book()
    expect(await move(booked, '15:10')).toBe('refused: off_the_grid')
    expect(await move(booked, '22:00')).toBe('refused: outside_hours')
    expect(await move(booked, '13:30', '2026-12-28')).toBe('refused: too_far_ahead')
    expect(await move(booked, '13:30', '2026-11-19')).toBe('refused: in_the_past')
    await setShopClock(shop.owner, '2026-11-27T23:00:00Z')
    expect(await move(booked, '16:30', '2026-11-27')).toBe('refused: notice_required')
    expect(await now()).toMatchObject({ calendar_sequence: 0 })
  })

  it('is refused when the new time is taken, or when only a bay that cannot do the service is free at that time', async () => {
    const booked = await book()
    await book({
      appointment_time: '15:00:00',
      customer_email: 'b@example.com',
      customer_phone: '555-0111',
    })
    expect(await move(booked, '14:30')).toBe('refused: slot_taken')
    const bay = await addBay(shop, 'Rack')
    const other = await addService(shop, 'Other', 60)
    await shop.owner.query('insert into public.bay_services values ($1, $2)', [bay, other])
    expect(await move(booked, '14:30')).toBe('refused: slot_taken')
    await shop.owner.query('delete from public.bay_services')
    expect(await move(booked, '14:30')).toBe('moved')
    expect(await now()).toMatchObject({ bay_id: bay })
  })

  it('is possible until exactly the cut-off time for changes; one second later, the customer can neither move nor cancel the booking', async () => {
    const booked = await book()
    await atTheCutoff()
    expect(await move(booked, '18:00')).toBe('moved')
    await shop.owner.query(truncateTables('public.bookings'))
    await setShopClock(shop.owner, fixtureClock)
    const again = await book()
    await pastTheCutoff()
    expect(await move(again, '18:00')).toBe('refused: too_close')
    expect(await cancel(again)).toBe('refused: too_close')
    expect(await come(again)).toBe('attendance_confirmed')
  })

  it('has a cut-off time that counts elapsed hours when daylight-saving time begins before the appointment', async () => {
    await shop.owner.query('update public.booking_rules set change_cutoff_minutes = 1440')
    // Daylight-saving time begins on March 14, 2027: 12:30 PM on March 13 is 24 elapsed hours before 1:30 PM on March
    // 14.
    await setShopClock(shop.owner, '2027-03-10T18:00:00Z')
    const booked = await book({ appointment_date: '2027-03-14' })
    await setShopClock(shop.owner, '2027-03-13T20:30:00Z')
    expect(await move(booked, '15:00', '2027-03-16')).toBe('moved')
  })
})

describe('a booking that its customer cancelled', () => {
  it('can be restored while its time is still free', async () => {
    expect(await cancel(await book())).toBe('cancelled')
    expect(await cancel(await now())).toBe('unchanged')
    expect(await restore(await now())).toBe('restored')
    expect(await restore(await now())).toBe('unchanged')
    expect(await now()).toMatchObject({ status: 'confirmed', calendar_sequence: 2 })
    expect(await readHistory()).toEqual(
      expect.arrayContaining(['cancelled by customer', 'reopened by customer']),
    )
  })

  it('cannot be restored after another customer took its time', async () => {
    await cancel(await book())
    await book({ customer_email: 'b@example.com', customer_phone: '555-0111' })
    expect(await restore(await now())).toBe('refused: slot_taken')
    expect(await now()).toMatchObject({ status: 'cancelled' })
  })

  it('cannot be restored after the shop closed that day, unless staff had placed it outside the opening hours', async () => {
    await cancel(await book())
    await shop.owner.query(
      `insert into public.special_hours (starts_at, ends_at) values ('2026-11-28', '2026-11-29')`,
    )
    expect(await restore(await now())).toBe('refused: outside_hours')
    expect(await now()).toMatchObject({ status: 'cancelled' })
    await shop.owner.query(
      `update public.bookings set conflict_accepted_at = now(), conflict_accepted_by = 'ana'`,
    )
    expect(await restore(await now())).toBe('restored')
  })

  it('cannot be cancelled again by a form that was opened before it was restored', async () => {
    const booked = await book()
    await cancel(booked)
    await restore(await now())
    expect(await cancel(booked)).toBe('refused: version_conflict')
    expect(await now()).toMatchObject({ status: 'confirmed' })
  })

  it('can be restored by the customer, whereas a booking that the shop cancelled cannot', async () => {
    await setState(await book(), 'cancelled')
    expect(await restore(await now())).toBe('refused: not_yours')
    expect(await move(await now(), '15:00')).toBe('refused: cancelled')
    expect(await come(await now())).toBe('refused: cancelled')
  })

  it('stores at most one reason of the customer for each cancellation', async () => {
    const explain = (reason: string) =>
      now().then(({ id }) => runAction('internal.save_cancellation_reason($1, $2)', [id, reason]))
    await cancel(await book())
    expect(await explain('Price')).toBe('reason_saved')
    expect(await explain('Other')).toBe('unchanged')
    await restore(await now())
    expect(await explain('Other')).toBe('refused: version_conflict')
    await cancel(await now())
    expect(await explain('Other')).toBe('reason_saved')
  })
})

it('an action of a customer can return neither a refusal reason as a success nor a success as a refusal reason', async () => {
  for (const sql of [
    `select internal.action_refused('moved')`,
    `select internal.action_done('too_close')`,
    `select internal.action_done(null)`,
  ]) {
    await expect(shop.owner.query(sql)).rejects.toMatchObject({ code: '23514' })
  }
})

describe('the customer’s confirmation of an appointment', () => {
  it('is removed when the customer moves the booking', async () => {
    expect(await come(await book())).toBe('attendance_confirmed')
    expect(await come(await now())).toBe('unchanged')
    await move(await now(), '15:00')
    expect(await now()).toMatchObject({ attendance_confirmed_at: null })
    expect(await readHistory()).toContain('answered by customer')
  })

  it('is shown in the day view', async () => {
    await come(await book())
    const [row] = await shop.database.transaction(admin, (query) =>
      query.unchecked<{ day: { bookings: { will_come: boolean }[] } }>(
        `select public.read_day('2026-11-28') as day`,
      ),
    )
    expect(row?.day.bookings).toMatchObject([{ will_come: true }])
  })
})

describe('a booking that has begun or ended', () => {
  it.each(['arrived', 'in_work', 'completed'])(
    'cannot be moved, cancelled or confirmed by its customer in the state %s',
    async (state) => {
      await setState(await book(), state)
      for (const attempt of [(row: Row) => move(row, '15:00'), cancel, come, restore]) {
        expect(['refused: over', 'unchanged']).toContain(await attempt(await now()))
      }
      expect(await now()).toMatchObject({ appointment_time: '13:30:00', calendar_sequence: 0 })
    },
  )

  it('cannot be changed by its customer after its start, and neither can a held booking', async () => {
    const held = await book({}, formBot)
    expect(await move(held, '15:00')).toBe('refused: not_confirmed')
    await shop.owner.query(truncateTables('public.bookings'))
    const booked = await book()
    await setShopClock(shop.owner, '2026-11-28T21:30:00Z')
    expect([await move(booked, '17:00'), await cancel(booked), await come(booked)]).toEqual([
      'refused: over',
      'refused: over',
      'refused: over',
    ])
  })

  it("is reported as 'not found' if its id is unknown", async () => {
    const unknown = { ...(await book()), id: '00000000-0000-4000-8000-00000000000f' }
    expect([await move(unknown, '15:00'), await cancel(unknown), await come(unknown)]).toEqual([
      'refused: gone',
      'refused: gone',
      'refused: gone',
    ])
  })
})

describe('the visit link', () => {
  const token = ({ id }: Row) => run('public.visit_page_token($1)', [id])

  it('stops working when staff create a new link', async () => {
    const booked = await book()
    const before = await token(booked)
    const after = await run('public.read_visit_page_link($1, true)', [booked.id], admin)
    expect(after).toBe(`/visit/${await token(booked)}`)
    expect(after).not.toBe(`/visit/${before}`)
    expect(await run('public.read_visit_page_link($1)', [booked.id], admin)).toBe(after)
    expect(await readHistory()).toContain('relinked by counter')
  })

  it.each([
    ['a visitor', visitor],
    ['a signed-in user who is not an admin', signedInStranger],
  ])('cannot be used by %s to call the database functions directly', async (_case, identity) => {
    const { id } = await book()
    for (const sql of [
      'select public.visit_page_token($1)',
      'select public.read_visit_page_link($1, true)',
      'select internal.read_visit_page($1)',
      'select internal.cancel_booking_by_customer($1, 0)',
      `select internal.move_booking_by_customer($1, 0, '2026-11-28', '15:00')`,
    ]) {
      const { code } = await refusalTo(shop.database, identity, (query) =>
        query.unchecked(sql, [id]),
      )
      expect(code).toBe('42501')
    }
  })
})

it('concurrent changes by a customer, staff and a visitor cause neither overlapping bookings nor a deadlock', async () => {
  const times = ['12:00', '13:30', '15:00', '16:30']
  for (const time of times.slice(0, 3)) {
    await book({
      appointment_time: `${time}:00`,
      customer_email: `${time.slice(0, 2)}@example.com`,
      customer_phone: `555-01${time.slice(0, 2)}`,
    })
  }
  for (let round = 0; round < 15; round += 1) {
    const all = await rows()
    const [customers, counters, cancelled] = all
    if (!customers || !counters || !cancelled) throw new Error('There are not three.')
    const at = (shift: number) => times[(round + shift) % times.length] ?? ''
    const outcomes = await Promise.allSettled([
      move(customers, at(0)),
      run(
        '(public.move_booking($1, $2, $3, $4)).id',
        [counters.id, counters.version, '2026-11-28', at(1)],
        admin,
      ),
      round % 2 === 0 ? cancel(cancelled) : restore(cancelled),
      book({
        appointment_time: `${at(2)}:00`,
        customer_email: `${round}@example.com`,
        customer_phone: `555-02${10 + round}`,
      }),
    ])
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: '23P01' })
    }
    await shop.owner.query(
      `update public.bookings set status = 'cancelled' where customer_phone like '555-02%'`,
    )
  }
  const { rows: overlaps } = await shop.owner.query(
    `select from public.bookings one join public.bookings other on one.id < other.id and one.bay_id = other.bay_id
       and one.occupied && other.occupied
     where one.status <> 'cancelled' and other.status <> 'cancelled'`,
  )
  expect(overlaps).toEqual([])
})
