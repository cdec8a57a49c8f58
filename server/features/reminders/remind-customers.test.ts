import type { QueryResultRow } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { type Database, openDatabase, type Query, queryBy } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addBay, addService, admin } from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { remindCustomers } from './remind-customers.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, brakes', 60)
  await addBay(shop, 'Bay 2')
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings', 'public.emails', 'public.customers'))
  await clock('2026-11-20 10:00')
})

/** Sets the clock to a shop time 'yyyy-MM-dd HH:mm'. */
async function clock(wall: string): Promise<void> {
  const { rows } = await shop.owner.query<{ instant: Date }>(
    `select $1::timestamp at time zone 'America/Los_Angeles' as instant`,
    [wall],
  )
  await setShopClock(shop.owner, rows[0]?.instant.toISOString())
}

type Made = { id: string; version: number }
const asAdmin = async (sql: string, values: unknown[]): Promise<Made> => {
  const [row] = await shop.database.transaction(admin, (query) =>
    query.unchecked<Made>(sql, values),
  )
  if (!row) throw new Error('Nothing was answered.')
  return row
}
const book = (date: string, time: string, email: string | null = 'sam@customer.example') =>
  asAdmin(
    `select id, version from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
       customer_name => 'Sam Okafor', customer_phone => '555-0155', customer_email => $4)`,
    [serviceId, date, time, email],
  )
const move = ({ id, version }: Made, date: string, time: string) =>
  asAdmin('select id, version from public.move_booking($1, $2, $3, $4)', [id, version, date, time])
const become = ({ id, version }: Made, state: string) =>
  asAdmin('select id, version from public.change_booking_state($1, $2, $3)', [id, state, version])

const remind = (database = shop.database) =>
  remindCustomers({ database, shop: defaultShop, publicUrl: 'https://shop.example' })
const remindAt = async (wall: string) => {
  await clock(wall)
  await remind()
}
const reminders = async () => {
  const { rows } = await shop.owner.query<{ id: string; at: string; text: string }>(
    `select id, to_char(appointment_at, 'YYYY-MM-DD HH24:MI') as at, text_body as text
     from public.emails where kind = 'booking_reminder' order by appointment_at, id`,
  )
  return rows
}
const timesReminded = async () => (await reminders()).map(({ at }) => at)
/**
 * Reserves the reminder email for delivery with `claim_email`, as the mailer does. Then returns the status and the last
 * error of the email.
 */
const claim = async (id: string) => {
  await shop.owner.query('select id from public.claim_email($1)', [id])
  const { rows } = await shop.owner.query<{ status: string; last_error: string | null }>(
    'select status, last_error from public.emails where id = $1',
    [id],
  )
  return rows[0]
}

describe('a booking reminder', () => {
  it('is queued once, at the reminder time on the day before the appointment, and links to the visit page', async () => {
    const { id } = await book('2026-11-24', '13:00')
    await remindAt('2026-11-22 17:00')
    await remindAt('2026-11-23 16:59')
    expect(await reminders()).toEqual([])
    await remindAt('2026-11-23 17:00')
    await remindAt('2026-11-23 17:01')
    const [email, ...more] = await reminders()
    expect(more).toEqual([])
    const { rows } = await shop.owner.query<{ token: string }>(
      'select public.visit_page_token($1) as token',
      [id],
    )
    expect(email?.text).toContain('Reminder: Tuesday at 1:00 PM')
    expect(email?.text).toContain(`https://shop.example/visit/${rows[0]?.token}`)
    expect(await claim(email?.id ?? '')).toMatchObject({ status: 'queued', last_error: null })
  })

  it('thanks a customer who already confirmed attendance, instead of asking for a confirmation', async () => {
    await book('2026-11-24', '13:00')
    const { id } = await book('2026-11-24', '15:00')
    await shop.owner.query(
      'select internal.confirm_attendance(id, calendar_sequence) from public.bookings where id = $1',
      [id],
    )
    await remindAt('2026-11-23 17:00')
    const texts = (await reminders()).map(({ text }) => text)
    const [question, thanks] = [
      'Can you make it?',
      'Thank you for letting us know that you will come.',
    ]
    expect(texts.map((text) => [text.includes(question), text.includes(thanks)])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it('is queued once by two simultaneous processes', async () => {
    await Promise.all(['13:00', '14:00', '15:00'].map((time) => book('2026-11-24', time)))
    await clock('2026-11-23 17:00')
    const other = openDatabase(shop.url)
    await Promise.all([remind(), remind(other), remind(), remind(other)])
    await other.close()
    expect(await timesReminded()).toEqual([
      '2026-11-24 13:00',
      '2026-11-24 14:00',
      '2026-11-24 15:00',
    ])
  })

  it('is not sent to a customer who disabled reminders, even after that customer was merged with another customer', async () => {
    const set = (name: string, getsThem: boolean) =>
      asAdmin(
        `select public.set_customer_reminders(id, $2) from public.customers where name = $1 and merged_into is null`,
        [name, getsThem],
      )
    await book('2026-11-24', '13:00')
    await asAdmin(
      `select public.book_by_phone(service_id => $1, appointment_date => '2026-11-24', appointment_time => '14:00',
         customer_name => 'Ana Okafor', customer_phone => '555-0156', customer_email => 'ana@customer.example')`,
      [serviceId],
    )
    await set('Sam Okafor', false)
    await remindAt('2026-11-23 17:00')
    expect(await timesReminded()).toEqual(['2026-11-24 14:00'])
    // A reminder that was queued before the customer disabled reminders is not sent.
    await set('Ana Okafor', false)
    expect(await claim((await reminders())[0]?.id ?? '')).toMatchObject({
      last_error: 'Not sent: the customer wants no reminders.',
    })
    await set('Ana Okafor', true)
    await shop.owner.query('delete from public.emails')
    await asAdmin(
      `select public.merge_customers(ana.id, sam.id, ana.version, sam.version)
       from public.customers ana, public.customers sam where ana.name = 'Ana Okafor' and sam.name = 'Sam Okafor'`,
      [],
    )
    await remind()
    expect(await timesReminded()).toEqual([])
    await set('Ana Okafor', true)
    await remind()
    expect(await timesReminded()).toEqual(['2026-11-24 13:00', '2026-11-24 14:00'])
  })

  it('is queued at the reminder time in the shop settings', async () => {
    await book('2026-11-24', '13:00')
    await shop.owner.query(`update public.booking_rules set reminder_time = '09:30'`)
    await remindAt('2026-11-23 09:29')
    expect(await timesReminded()).toEqual([])
    await remindAt('2026-11-23 09:30')
    await shop.owner.query(`update public.booking_rules set reminder_time = '17:00'`)
    await remindAt('2026-11-23 17:00')
    expect(await timesReminded()).toEqual(['2026-11-24 13:00'])
  })

  it.each([
    ['was booked after the reminder time', () => book('2026-11-24', '13:00')],
    [
      'was moved to that day after the reminder time',
      async (made: Made) => move(made, '2026-11-24', '15:00'),
    ],
    [
      'was cancelled and confirmed again after the reminder time',
      async (made: Made) =>
        become(await become(await move(made, '2026-11-24', '15:00'), 'cancelled'), 'confirmed'),
    ],
  ])(
    'is not queued when the appointment %s, because the customer knows the time',
    async (_what, change) => {
      const made = await book('2026-11-27', '13:00')
      await clock('2026-11-23 17:05')
      await change(made)
      await remindAt('2026-11-23 18:00')
      expect(await timesReminded()).toEqual([])
    },
  )

  it('is queued even if staff moved the appointment to another bay after the reminder time', async () => {
    const made = await book('2026-11-24', '13:00')
    await clock('2026-11-23 17:05')
    await asAdmin(
      `select id, version from public.move_booking($1, $2, '2026-11-24', '13:00',
         bay_id => (select id from public.bays where name = 'Bay 2'))`,
      [made.id, made.version],
    )
    await remind()
    expect(await timesReminded()).toEqual(['2026-11-24 13:00'])
  })

  it('is queued for the new time of a moved appointment, not for its original time', async () => {
    await move(await book('2026-11-24', '13:00'), '2026-11-25', '15:00')
    await remindAt('2026-11-23 17:00')
    expect(await timesReminded()).toEqual([])
    await remindAt('2026-11-24 17:00')
    expect(await timesReminded()).toEqual(['2026-11-25 15:00'])
  })

  it('is not queued again when only the duration changed', async () => {
    const made = await book('2026-11-24', '13:00')
    await remindAt('2026-11-23 17:00')
    await asAdmin(
      `select id, version from public.move_booking($1, $2, '2026-11-24', '13:00', minutes => 90)`,
      [made.id, made.version],
    )
    await remindAt('2026-11-23 17:05')
    expect(await timesReminded()).toEqual(['2026-11-24 13:00'])
  })

  it('is not queued with the old time if the appointment is moved while the reminder job runs', async () => {
    const made = await book('2026-11-24', '13:00')
    await clock('2026-11-23 17:00')
    let moved: Promise<unknown> | undefined
    const database: Database = {
      ...shop.database,
      transaction: (sender, work) =>
        shop.database.transaction(sender, (query, actAs) =>
          work(
            queryBy(async <Row extends QueryResultRow>(...args: Parameters<Query['unchecked']>) => {
              const rows = await query.unchecked<Row>(...args)
              await (moved ??= move(made, '2026-11-27', '11:00'))
              return rows
            }),
            actAs,
          ),
        ),
    }
    await remind(database)
    expect(await timesReminded()).toEqual([])
    await remindAt('2026-11-26 17:00')
    expect(await timesReminded()).toEqual(['2026-11-27 11:00'])
  })

  it('is queued again when an appointment is moved to a later day after its first reminder', async () => {
    const made = await book('2026-11-24', '13:00')
    await remindAt('2026-11-23 17:00')
    await move(made, '2026-11-27', '11:00')
    await remindAt('2026-11-26 17:00')
    expect(await timesReminded()).toEqual(['2026-11-24 13:00', '2026-11-27 11:00'])
  })

  it.each(['cancelled', 'completed', 'arrived'])(
    'is not queued for an appointment that is %s',
    async (state) => {
      await become(await book('2026-11-24', '13:00'), state)
      await remindAt('2026-11-23 17:00')
      expect(await timesReminded()).toEqual([])
    },
  )

  it('is not queued for a booking without an email address or for a booking that is held for confirmation', async () => {
    await book('2026-11-24', '11:00', null)
    const held = await book('2026-11-24', '13:00')
    await shop.owner.query(
      `update public.bookings set held_until = '2026-12-01', flagged_reasons = '{many_from_one_client}' where id = $1`,
      [held.id],
    )
    await remindAt('2026-11-23 17:00')
    expect(await timesReminded()).toEqual([])
  })

  it('is not sent if its delivery was delayed until the appointment had changed or the night had begun', async () => {
    const moved = await book('2026-11-24', '11:00')
    const cancelled = await book('2026-11-24', '13:00')
    await book('2026-11-24', '15:00')
    await remindAt('2026-11-23 17:00')
    const [first, second, third] = await reminders()
    await move(moved, '2026-11-25', '11:00')
    await become(cancelled, 'cancelled')
    expect(await claim(first?.id ?? '')).toMatchObject({
      status: 'failed',
      last_error: 'Not sent: the appointment was moved.',
    })
    expect(await claim(second?.id ?? '')).toMatchObject({
      status: 'failed',
      last_error: 'Not sent: the appointment was cancelled.',
    })
    await clock('2026-11-23 21:30')
    expect(await claim(third?.id ?? '')).toMatchObject({
      status: 'failed',
      last_error: 'Not sent in time: it is night.',
    })
  })

  it('is not queued during the night after the process was down at the reminder time', async () => {
    await book('2026-11-24', '13:00')
    await remindAt('2026-11-23 21:01')
    await remindAt('2026-11-24 08:00')
    expect(await timesReminded()).toEqual([])
  })

  it.each([
    ['of spring', '2027-03-13', '2027-03-14'],
    ['of autumn', '2026-10-31', '2026-11-01'],
  ])(
    'is queued once, at the reminder time in the shop time zone, on the day before the clock change %s',
    async (_night, before, day) => {
      await clock(`${before} 09:00`)
      await book(day, '13:00')
      await remindAt(`${before} 16:59`)
      expect(await timesReminded()).toEqual([])
      await remindAt(`${before} 17:00`)
      await remindAt(`${before} 20:00`)
      expect(await timesReminded()).toEqual([`${day} 13:00`])
    },
  )
})
