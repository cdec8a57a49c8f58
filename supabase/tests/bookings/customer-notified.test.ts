import { constantFrom, sample } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addBay,
  addService,
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

/*
 * These tests check when a customer still has to be notified of a change: when the date, the start time or the
 * cancellation of the appointment differs from the last delivered notification.
 */

let shop: TestDatabase
let serviceId: string
let bay2: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
  bay2 = await addBay(shop, 'Bay 2')
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await setShopClock(shop.owner, fixtureClock)
  await shop.owner.query(
    `${truncateTables('public.bookings', 'public.emails')}; delete from internal.form_origins`,
  )
})

type Booking = {
  id: string
  version: number
  calendar_sequence: number
  status: string
  is_due: boolean
}
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const read = async (): Promise<Booking> => {
  const { rows } = await shop.owner.query<Booking>(
    `select id, version, calendar_sequence, status, internal.needs_notification(booking) as is_due
     from public.bookings booking`,
  )
  if (!rows[0]) throw new Error('There is no appointment.')
  return rows[0]
}
const isDue = async () => (await read()).is_due
const book = async (change = {}) => {
  await shop.database.transaction(visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, change)),
  )
}
const move = async (time: string, date = '2026-11-28', more: object = {}) => {
  const { id, version } = await read()
  const change = { minutes: null, bay_id: null, ...more }
  await asAdmin('select public.move_booking($1, $2, $3, $4, $5, $6)', [
    id,
    version,
    date,
    time,
    change.minutes,
    change.bay_id,
  ])
}
const setState = async (state: string) => {
  const { id, version } = await read()
  await asAdmin('select public.change_booking_state($1, $2, $3)', [id, state, version])
}
const dismiss = async (reason: string, more: Partial<Booking> = {}) => {
  const { id, version } = { ...(await read()), ...more }
  await asAdmin('select public.dismiss_notification($1, $2, $3)', [id, version, reason])
}
/** Queues the email that notifies the customer of the current state of the appointment. */
const write = async (kind: string): Promise<string> => {
  const { rows } = await shop.owner.query<{ id: string }>(
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body,
       booking_id, appointment_at)
     select $1, gen_random_uuid()::text, 'dana@example.com', 'Dana', 'About your visit', '', '', id,
       appointment_date + appointment_time
     from public.bookings returning id`,
    [kind],
  )
  return rows[0]?.id ?? ''
}
const deliver = (emailId: string, outcome: 'sent' | 'in_outbox' = 'sent') =>
  shop.database.transaction(asServer, (query) =>
    query.unchecked('select public.record_email_sent($1, $2, null)', [emailId, outcome]),
  )
const notify = async (kind: string) => deliver(await write(kind))

describe('a customer', () => {
  it('needs no notification of the time that they booked online or by phone', async () => {
    await book()
    expect(await isDue()).toBe(false)
    await shop.owner.query(truncateTables('public.bookings'))
    await asAdmin(
      `select public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
         appointment_time => '13:30', customer_name => 'Sam Okafor', customer_phone => '555-0155')`,
      [serviceId],
    )
    expect(await isDue()).toBe(false)
  })

  it('needs a notification of a changed date or time, but not of a changed bay or duration', async () => {
    await book()
    await move('13:30', '2026-11-28', { minutes: 90, bay_id: bay2 })
    expect(await isDue()).toBe(false)
    await move('13:30', '2026-11-29')
    expect(await isDue()).toBe(true)
    await move('13:30')
    expect(await isDue()).toBe(false)
    await move('15:00')
    expect(await isDue()).toBe(true)
  })

  it('needs a notification of a cancellation, unless the cancellation was undone', async () => {
    await book()
    await setState('cancelled')
    expect(await isDue()).toBe(true)
    await setState('confirmed')
    expect(await isDue()).toBe(false)
  })

  it('counts as notified after the delivery of the email, but not while the email is only in the outbox', async () => {
    await book()
    await move('15:00')
    const email = await write('booking_moved')
    expect(await isDue()).toBe(true)
    await deliver(email, 'in_outbox')
    expect(await isDue()).toBe(true)
    await deliver(email)
    expect(await isDue()).toBe(false)
    await setState('cancelled')
    await notify('booking_cancelled')
    expect(await isDue()).toBe(false)
    await setState('confirmed')
    expect(await isDue()).toBe(true)
    await notify('booking_reminder')
    expect(await isDue()).toBe(false)
  })

  it('does not count as notified of a time that changed while the email was being delivered', async () => {
    await book()
    await move('15:00')
    const email = await write('booking_moved')
    await move('17:00')
    await deliver(email)
    expect(await isDue()).toBe(true)
    await move('15:00')
    expect(await isDue()).toBe(false)
  })

  it('needs no notification of their own changes', async () => {
    await book()
    const runAction = async (call: string, values: unknown[]) => {
      const { id, calendar_sequence } = await read()
      await shop.database.transaction(asServer, (query) =>
        query.unchecked(`select * from internal.${call}`, [id, calendar_sequence, ...values]),
      )
    }
    await move('15:00')
    await runAction('move_booking_by_customer($1, $2, $3, $4)', ['2026-11-28', '16:00'])
    expect(await isDue()).toBe(false)
    await runAction('cancel_booking_by_customer($1, $2)', [])
    expect(await read()).toMatchObject({ status: 'cancelled', is_due: false })
    await runAction('undo_cancellation_by_customer($1, $2)', [])
    expect(await read()).toMatchObject({ status: 'confirmed', is_due: false })
  })

  it('needs no notification after the vehicle has arrived or after both the old and the new time have passed', async () => {
    await book()
    await move('15:00')
    await setState('arrived')
    expect(await isDue()).toBe(false)
    await setState('confirmed')
    expect(await isDue()).toBe(true)
    await setShopClock(shop.owner, '2026-11-29T00:01:00Z')
    expect(await isDue()).toBe(false)
  })

  it('of a moved appointment still needs a notification after its new time has passed, if its original time is in the future', async () => {
    await book({ appointment_time: '16:00' })
    await move('10:00')
    await setShopClock(shop.owner, '2026-11-28T20:00:00Z')
    expect(await isDue()).toBe(true)
  })

  it('needs no notification of a booking that looks automated', async () => {
    await book()
    await shop.owner.query(`update public.bookings set flagged_reasons = '{sent_too_fast}'`)
    await setState('cancelled')
    expect(await isDue()).toBe(false)
    await shop.owner.query(`update public.bookings set flagged_reasons = '{many_at_once}'`)
    expect(await isDue()).toBe(true)
  })
})

describe('a notification that is due', () => {
  it('can be dismissed by staff with a reason, and becomes due again after the next change', async () => {
    await book()
    await move('15:00')
    expect(
      await refusalTo(shop.database, admin, async (query) =>
        query.unchecked('select public.dismiss_notification($1, $2, $3)', [
          (await read()).id,
          (await read()).version,
          ' ',
        ]),
      ),
    ).toMatchObject({ code: 'TT066', hint: 'reason_required' })
    await dismiss('Called, comes at 3')
    expect(await isDue()).toBe(false)
    const { rows } = await shop.owner.query(
      'select kind, source, changed_by_name, reason from public.booking_events order by id desc limit 1',
    )
    expect(rows).toEqual([
      {
        kind: 'notification_dismissed',
        source: 'counter',
        changed_by_name: 'ana',
        reason: 'Called, comes at 3',
      },
    ])
    await move('13:30')
    expect(await isDue()).toBe(true)
  })

  it('can be dismissed by the admin only, with the version that the admin saw, and only once', async () => {
    await book()
    await move('15:00')
    const { id, version } = await read()
    const call = 'select public.dismiss_notification($1, $2, $3)'
    for (const identity of [visitor, signedInStranger]) {
      const refusal = await refusalTo(shop.database, identity, (query) =>
        query.unchecked(call, [id, version, 'Called']),
      )
      expect(refusal.code).toBe('42501')
    }
    const outdated = await refusalTo(shop.database, admin, (query) =>
      query.unchecked(call, [id, version - 1, 'Called']),
    )
    expect(outdated).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
    await dismiss('Called')
    await dismiss('Called')
    const { rows } = await shop.owner.query(
      `select from public.booking_events where booking_id = $1 and kind = 'notification_dismissed'`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })

  it('leaves the version of the booking unchanged when it is delivered or dismissed', async () => {
    await book()
    await move('15:00')
    const { version } = await read()
    await notify('booking_moved')
    expect((await read()).version).toBe(version)
    await move('16:00')
    await dismiss('Called')
    expect((await read()).version).toBe(version + 1)
  })
})

const commands = [
  'move early',
  'move late',
  'cancel',
  'reopen',
  'lengthen',
  'deliver',
  'dismiss',
] as const
type Command = (typeof commands)[number]

/**
 * A model of the notification state. `knows` is the start time of which the customer was last notified, `is` is the
 * current start time. A cancelled appointment has 'cancelled' in place of a start time.
 */
type Model = { knows: string; is: string; start: string }

const doOne: Record<Command, (model: Model) => Promise<Partial<Model>>> = {
  'move early': (model) => moveTo(model, '13:30'),
  'move late': (model) => moveTo(model, '16:00'),
  cancel: async ({ is }) => {
    if (is === 'cancelled') return {}
    await setState('cancelled')
    return { is: 'cancelled' }
  },
  reopen: async ({ is, start }) => {
    if (is !== 'cancelled') return {}
    await setState('confirmed')
    return { is: start }
  },
  lengthen: async ({ is, start }) => {
    if (is !== 'cancelled') await move(start, '2026-11-28', { minutes: 75 })
    return {}
  },
  deliver: async ({ is }) => {
    await notify(is === 'cancelled' ? 'booking_cancelled' : 'booking_moved')
    return { knows: is }
  },
  dismiss: async ({ is }) => {
    await dismiss('Called')
    return { knows: is }
  },
}
async function moveTo({ is }: Model, time: string): Promise<Partial<Model>> {
  if (is === 'cancelled') return {}
  await move(time)
  return { is: time, start: time }
}

it('after any sequence of changes, deliveries and dismissals, a notification is due exactly when the current time differs from the time of the last notification', async () => {
  const sequences = sample(constantFrom(...commands), { seed: 20261124, numRuns: 240 })
  for (let first = 0; first < sequences.length; first += 12) {
    await shop.owner.query(truncateTables('public.bookings', 'public.emails'))
    await book()
    const model: Model = { knows: '13:30', is: '13:30', start: '13:30' }
    for (const command of sequences.slice(first, first + 12)) {
      Object.assign(model, await doOne[command](model))
      expect([command, await isDue()]).toEqual([command, model.knows !== model.is])
    }
  }
}, 60_000)
