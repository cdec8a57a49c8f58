import { randomUUID } from 'node:crypto'
import ical from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestApp
let cookie: string
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logIn()
  serviceId = await addService(shop.database, 'Story, brakes', 90)
})
afterAll(() => shop.close())
beforeEach(() => shop.database.owner.query(truncateTables('public.bookings')))

const asAdmin = async (sql: string, values: unknown[]) => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ id: string; version: number }>(sql, values),
  )
  if (!row) throw new Error('Nothing was answered.')
  return row
}
const book = (email: string | null = 'sam@example.com') =>
  asAdmin(
    `select id, version from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
       appointment_time => '13:30', customer_name => 'Sam Okafor', customer_phone => '555-0155',
       customer_email => $2)`,
    [serviceId, email],
  )
const move = ({ id, version }: { id: string; version: number }, time: string) =>
  asAdmin(`select id, version from public.move_booking($1, $2, '2026-11-28', $3)`, [
    id,
    version,
    time,
  ])
const become = ({ id, version }: { id: string; version: number }, state: string) =>
  asAdmin('select id, version from public.change_booking_state($1, $2, $3)', [id, state, version])
type Answer = { ok: boolean; code?: string; result?: { emailId: string } }
const notify = async (
  bookingId: string,
  about: string,
): Promise<Omit<Answer, 'result'> & { emailId?: string }> => {
  const response = await shop.inject({
    method: 'POST',
    url: bookingCommands.notify.path,
    headers: { cookie },
    payload: { commandId: randomUUID(), input: { bookingId, about } },
  })
  const { result, ...body } = response.json<Answer>()
  return { ...body, ...result }
}

type SentEmail = {
  kind: string
  subject: string
  text_body: string
  status: string
  last_error: string | null
  attachments: { contentType: string; contentBase64: string }[]
}
const emailOf = async (id: string | undefined): Promise<SentEmail> => {
  const { rows } = await shop.database.owner.query<SentEmail>(
    'select * from public.emails where id = $1',
    [id],
  )
  const [email] = rows
  if (!email) throw new Error('There is no such letter.')
  return email
}
const calendarOf = ({ attachments }: SentEmail) => {
  const [attachment] = attachments
  const text = Buffer.from(attachment?.contentBase64 ?? '', 'base64').toString()
  const calendar = new ical.Component(ical.parse(text))
  const event = calendar.getFirstSubcomponent('vevent')
  const read = (name: string) => String(event?.getFirstPropertyValue(name))
  return {
    type: attachment?.contentType,
    method: calendar.getFirstPropertyValue('method'),
    uid: read('uid'),
    sequence: read('sequence'),
    status: read('status'),
    start: read('dtstart'),
    attendee: read('attendee'),
    methodFirst: text.indexOf('METHOD:') < text.indexOf('BEGIN:VEVENT'),
  }
}
/** Reserves the email for a delivery, as the mailer does. Returns whether the database permits the delivery. */
const canBeSent = async (id: string | undefined) => {
  const { rowCount } = await shop.database.owner.query('select from public.claim_email($1)', [id])
  return rowCount === 1
}
/** Records the email as sent, as the mailer does. */
const deliver = (id: string | undefined) =>
  shop.database.owner.query(`select public.record_email_sent($1, 'sent', null)`, [id])

describe('the email to a customer about a changed booking', () => {
  it('updates the calendar entry each time the appointment is moved', async () => {
    const moved = await move(await book(), '15:00')
    const email = await emailOf((await notify(moved.id, 'moved')).emailId)
    expect(email.subject).toBe('New time: Story, brakes, Saturday, November 28, 2026 at 3:00 PM')
    expect(email.text_body).toContain('3:00 PM shop time')
    expect(calendarOf(email)).toEqual({
      type: 'text/calendar; charset=utf-8; method=REQUEST',
      method: 'REQUEST',
      uid: `booking-${moved.id}`,
      sequence: '1',
      status: 'CONFIRMED',
      start: '2026-11-28T23:00:00Z',
      attendee: 'mailto:sam@example.com',
      methodFirst: true,
    })
    const again = await move(moved, '17:00')
    const second = await emailOf((await notify(again.id, 'moved')).emailId)
    expect(calendarOf(second)).toMatchObject({ sequence: '2', start: '2026-11-29T01:00:00Z' })
  })

  it('names the new time, and as the old time the time in the last email to the customer', async () => {
    const moved = await move(await book(), '15:00')
    const first = await notify(moved.id, 'moved')
    expect((await emailOf(first.emailId)).text_body).toContain(
      'Old time: Saturday, November 28, 2026 at 1:30 PM\n',
    )
    // The email about 3:00 PM was not sent, so the last email to the customer still names 1:30 PM.
    const again = await move(moved, '17:00')
    const second = await notify(again.id, 'moved')
    expect((await emailOf(second.emailId)).text_body).toContain('2026 at 1:30 PM\n')
    await deliver(second.emailId)
    const third = await move(again, '10:00')
    const email = await emailOf((await notify(third.id, 'moved')).emailId)
    expect(email.text_body).toContain('Old time: Saturday, November 28, 2026 at 5:00 PM\n')
    expect(email.text_body).not.toContain('1:30 PM')
  })

  it('names, for a cancellation, also the time in the last email if the cancelled appointment had another time', async () => {
    const cancelled = await become(await move(await book(), '15:00'), 'cancelled')
    const email = await emailOf((await notify(cancelled.id, 'cancelled')).emailId)
    expect(email.text_body).toContain('Old time: Saturday, November 28, 2026 at 1:30 PM\n')
  })

  it('links to the booking form after a cancellation by the shop, and does not offer to restore the appointment', async () => {
    const cancelled = await become(await book(), 'cancelled')
    const { text_body } = await emailOf((await notify(cancelled.id, 'cancelled')).emailId)
    expect(text_body).toContain(
      `Book another time: ${new URL('/book-appointment', shop.config.publicUrl).href}`,
    )
    expect(text_body).not.toContain('Old time')
    expect(text_body).not.toContain('take it back')
  })

  it('does not link to the booking form after a cancellation while online booking is paused', async () => {
    const cancelled = await become(await book(), 'cancelled')
    await shop.database.owner.query(
      `update public.booking_rules set online_booking_paused = true, pause_message = 'We are moving.'`,
    )
    const { emailId } = await notify(cancelled.id, 'cancelled')
    await shop.database.owner.query(
      `update public.booking_rules set online_booking_paused = false, pause_message = ''`,
    )
    const { text_body } = await emailOf(emailId)
    expect(text_body).not.toContain('/book-appointment')
    expect(text_body).toContain('Please call (650) 555-0142.')
  })

  it('does not mention a new time when staff restored a cancelled appointment', async () => {
    const cancelled = await become(await book(), 'cancelled')
    await deliver((await notify(cancelled.id, 'cancelled')).emailId)
    const reopened = await become(cancelled, 'confirmed')
    const email = await emailOf((await notify(reopened.id, 'moved')).emailId)
    expect(email.subject).toBe(
      'Appointment restored: Story, brakes, Saturday, November 28, 2026 at 1:30 PM',
    )
    expect(email.text_body).not.toContain('Old time')
  })

  it('removes the calendar entry when the appointment was cancelled', async () => {
    const cancelled = await become(await move(await book(), '15:00'), 'cancelled')
    const email = await emailOf((await notify(cancelled.id, 'cancelled')).emailId)
    expect(email.kind).toBe('booking_cancelled')
    expect(email.subject).toBe('Cancelled: Story, brakes, Saturday, November 28, 2026 at 3:00 PM')
    expect(calendarOf(email)).toMatchObject({
      method: 'CANCEL',
      sequence: '2',
      status: 'CANCELLED',
      uid: `booking-${cancelled.id}`,
    })
  })

  it('confirms an appointment that staff booked by phone', async () => {
    const { id } = await book()
    expect(await emailOf((await notify(id, 'booked')).emailId)).toMatchObject({
      kind: 'booking_confirmation',
    })
  })

  it('is queued once, even if it is requested again', async () => {
    const moved = await move(await book(), '15:00')
    expect(await notify(moved.id, 'moved')).toEqual(await notify(moved.id, 'moved'))
  })

  it('is not sent about a move that was undone before the delivery', async () => {
    const booked = await book()
    const moved = await move(booked, '15:00')
    const { emailId } = await notify(moved.id, 'moved')
    await move(moved, '13:30')
    expect(await canBeSent(emailId)).toBe(false)
    expect(await emailOf(emailId)).toMatchObject({
      status: 'failed',
      last_error: 'Not sent: the appointment was moved.',
    })
  })

  it('is not sent about a cancellation that was undone before the delivery', async () => {
    const cancelled = await become(await book(), 'cancelled')
    const { emailId } = await notify(cancelled.id, 'cancelled')
    await become(cancelled, 'confirmed')
    expect(await canBeSent(emailId)).toBe(false)
    expect((await emailOf(emailId)).last_error).toBe('Not sent: the appointment stands again.')
  })

  it('is sent about a cancellation that was not undone', async () => {
    const cancelled = await become(await book(), 'cancelled')
    const { emailId } = await notify(cancelled.id, 'cancelled')
    expect(await canBeSent(emailId)).toBe(true)
  })
})

describe('a request to notify a customer', () => {
  it('is refused when the booking has no email address', async () => {
    const { id } = await book(null)
    expect(await notify(id, 'booked')).toMatchObject({ ok: false, code: 'NO_EMAIL_ADDRESS' })
  })

  it('is refused when the kind of email does not match the booking status or is unknown, or the booking does not exist', async () => {
    const booked = await book()
    expect(await notify(booked.id, 'cancelled')).toMatchObject({ code: 'BOOKING_CHANGED' })
    await become(booked, 'cancelled')
    expect(await notify(booked.id, 'moved')).toMatchObject({ code: 'BOOKING_CHANGED' })
    expect(await notify('00000000-0000-4000-8000-00000000000f', 'moved')).toMatchObject({
      code: 'BOOKING_NOT_FOUND',
    })
    expect(await notify(booked.id, 'washed')).toMatchObject({ code: 'BAD_REQUEST' })
  })
})
