import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { createMailer, type Mailer } from '#server/features/emails/transport/mailer.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { readCalendar } from '#tests/support/read-calendar.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let mail: TestMailServer
let mailer: Mailer
let cookie: string
beforeAll(async () => {
  mail = await startMailServer()
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  mailer = createMailer({
    config: shop.config,
    database: shop.database.database,
    currentShop: () => defaultShop,
    log: shop.app.log,
    transport: createSmtpTransport(mail.url),
  })
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logIn()
})
afterAll(async () => {
  await mailer.stop()
  await shop.close()
  await mail.stop()
})

type Made = { id: string; version: number }
const asAdmin = async (sql: string, values: unknown[]): Promise<Made> => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<Made>(sql, values),
  )
  if (!row) throw new Error('Nothing was answered.')
  return row
}

/** Notifies the customer and delivers the email immediately, without the delay for an undo. */
async function notify({ id }: Made, about: 'booked' | 'moved' | 'cancelled'): Promise<void> {
  const response = await shop.inject({
    method: 'POST',
    url: bookingCommands.notify.path,
    headers: { cookie },
    payload: { commandId: randomUUID(), input: { bookingId: id, about } },
  })
  const { result } = response.json<{ result: { emailId: string } }>()
  expect(await mailer.deliver(result.emailId)).toBe('sent')
}

it('The calendar files in the emails about one booking describe a single event that is moved and then cancelled', async () => {
  const serviceId = await addService(shop.database, 'Brake check', 60)
  const booked = await asAdmin(
    `select id, version from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
       appointment_time => '13:30', customer_name => 'Sam Okafor', customer_phone => '555-0155',
       customer_email => 'sam@customer.example')`,
    [serviceId],
  )
  await notify(booked, 'booked')
  const moved = await asAdmin(
    `select id, version from public.move_booking($1, $2, '2026-11-28', '15:00')`,
    [booked.id, booked.version],
  )
  await notify(moved, 'moved')
  const deleted = await asAdmin(
    `select id, version from public.change_booking_state($1, 'cancelled', $2)`,
    [moved.id, moved.version],
  )
  await notify(deleted, 'cancelled')

  const events = mail.received.map(({ mail: { attachments } }) => {
    const [part, file] = attachments
    expect(attachments.map(({ contentType }) => contentType)).toEqual([
      'text/calendar',
      'application/ics',
    ])
    expect(file?.content).toEqual(part?.content)
    const calendar = part?.content.toString() ?? ''
    return Object.assign(readCalendar(calendar), { uid: /UID:(.*)\r/.exec(calendar)?.[1] })
  })
  const same = {
    uid: `booking-${booked.id}`,
    attendee: 'mailto:sam@customer.example',
    organizer: 'mailto:hello@torqueandtiming.example',
  }
  expect(events).toMatchObject([
    { ...same, method: 'REQUEST', sequence: 0, start: '2026-11-28T21:30:00.000Z' },
    { ...same, method: 'REQUEST', sequence: 1, start: '2026-11-28T23:00:00.000Z' },
    { ...same, method: 'CANCEL', sequence: 2, status: 'CANCELLED' },
  ])
})
