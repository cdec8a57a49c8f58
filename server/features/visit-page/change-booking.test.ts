import { randomBytes } from 'node:crypto'
import ical from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { createVisitPageTokens } from './visit-page-tokens.ts'

let shop: TestApp
let serviceId: string
const logged: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line) => void logged.push(line) },
  })
  serviceId = await addService(shop.database, 'Clutch Check', 60)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    `${truncateTables('public.bookings', 'internal.rate_limits', 'internal.visitor_emails')};
     update public.booking_rules set notify_shop_of_changes = false, cancel_cutoff_minutes = 120, online_booking_paused = false`,
  )
  await setShopClock(shop.database.owner, fixtureClock)
})

const all = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows

/** Books an appointment on Saturday at 1:30 PM. Returns the path of its visit page. */
async function addBooking(change: Record<string, string | null> = {}): Promise<string> {
  await shop.database.database.transaction(visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, { notes: 'It grinds.', ...change })),
  )
  return currentPath()
}
const currentPath = async () => {
  const [row] = await all<{ path: string }>(
    `select '/visit/' || public.visit_page_token(id) as path from public.bookings order by created_at limit 1`,
  )
  return row?.path ?? ''
}
const openPage = (url: string, method: 'GET' | 'HEAD' = 'GET') => shop.inject({ method, url })
const post = (
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) =>
  shop.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const moveTo = (path: string, time: string, seen = '0') =>
  post(`${path}/move`, { seen, date: '2026-11-28', time })
const setState = (state: string) =>
  shop.database.database.transaction(admin, (query) =>
    query.unchecked('select public.change_booking_state(id, $1, version) from public.bookings', [
      state,
    ]),
  )
const bookings = () =>
  all<{ status: string; at: string; version: number }>(
    `select status, to_char(appointment_time, 'HH24:MI') as at, version from public.bookings order by created_at`,
  )
const eventKinds = async () => {
  const found = await all<{ kind: string }>(
    'select event.kind from public.booking_events event join public.bookings on bookings.id = booking_id',
  )
  return found.map(({ kind }) => kind)
}
const listEmails = () =>
  all<{
    kind: string
    subject: string
    recipient_email: string
    text_body: string
    attachments: { contentBase64: string }[]
  }>('select * from public.emails order by created_at')

describe('the visit page', () => {
  it("shows the appointment details, without the customer's email address and phone number", async () => {
    const { body, statusCode } = await openPage(await addBooking())
    expect(statusCode).toBe(200)
    for (const text of [
      'See you Saturday at 1:30 PM',
      'Dana Whitfield, 2019 Subaru Outback',
      'Saturday, November 28, 2026',
      'It grinds.',
      'Booked online',
      'You can change or cancel here until <b>Saturday, November 28, 11:30 AM</b>',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).not.toMatch(/dana@|555-0167/)
  })

  it('renders untrusted text without markup and without links', async () => {
    const { body } = await openPage(
      await addBooking({
        customer_name: '<b>Dana</b>',
        notes: 'See https://evil.example <script>',
      }),
    )
    expect(body).toContain('&lt;b&gt;Dana')
    expect(body).not.toContain('<script>')
    expect(body).not.toContain('https://evil.example')
  })

  it('changes no record after any number of GET and HEAD requests', async () => {
    const path = await addBooking()
    const before = await all('select * from public.bookings')
    for (const below of [
      '',
      '/change',
      '/change?date=2026-11-28&time=15:00',
      '/cancel',
      '/appointment.ics',
    ]) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await openPage(path + below, method)).statusCode).toBe(200)
      }
    }
    for (const action of ['move', 'restore', 'attend', 'reason', 'confirm']) {
      const { statusCode, headers } = await openPage(`${path}/${action}`)
      expect([statusCode, headers.location]).toEqual([303, path])
    }
    expect(await all('select * from public.bookings')).toEqual(before)
    expect(await eventKinds()).toEqual(['booked'])
  })

  it('forbids caching and indexing, sends no referrer, and writes no token to the log', async () => {
    const path = await addBooking()
    logged.length = 0
    for (const below of ['', '/change', '/cancel', '/appointment.ics']) {
      expect((await openPage(path + below)).headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      })
    }
    await moveTo(path, '15:00')
    expect(logged.join('')).toContain('/visit/[…]/move')
    expect(logged.join('')).not.toContain(path.slice(7))
  })

  it('ignores invalid dates and times in its URL', async () => {
    const path = await addBooking()
    for (const query of [
      'date=2026-02-29',
      'date=9999-12-31&time=25:00',
      'month=x',
      'date=a&date=b',
      'time=15:00',
    ]) {
      expect((await openPage(`${path}/change?${query}`)).statusCode).toBe(200)
    }
  })
})

describe('an action of the customer on the visit page', () => {
  it('moves the appointment with one click, and sends an email with the new time', async () => {
    const path = await addBooking()
    const response = await moveTo(path, '15:00')
    expect([response.statusCode, response.headers.location]).toEqual([303, `${path}?done=moved`])
    expect(await bookings()).toMatchObject([{ status: 'confirmed', at: '15:00' }])
    const { body } = await openPage(`${path}?done=moved`)
    expect(body).toContain('Your appointment has a new time.')
    expect(body).toContain('You moved it from 1:30 PM to 3:00 PM')
    const [email, ...others] = await listEmails()
    expect(others).toEqual([])
    expect(email).toMatchObject({ kind: 'booking_moved', recipient_email: 'dana@example.com' })
    expect(email?.text_body).toContain(new URL(path, shop.config.publicUrl).href)
  })

  it('sends an email with the previous time after each move of the appointment', async () => {
    const path = await addBooking()
    await moveTo(path, '15:00')
    await moveTo(path, '18:00', '1')
    const oldTimes = (await listEmails()).map(
      ({ text_body }) => /^Old time: (.*)$/m.exec(text_body)?.[1],
    )
    expect(oldTimes).toEqual([
      'Saturday, November 28, 2026 at 1:30 PM',
      'Saturday, November 28, 2026 at 3:00 PM',
    ])
  })

  it('sends an email about a cancellation that offers to restore the appointment or to book another time', async () => {
    const path = await addBooking()
    await post(`${path}/cancel`, { seen: '0' })
    const [email] = await listEmails()
    expect(email?.text_body).toContain(
      'You can restore the appointment on its page as long as the time is still available.',
    )
    expect(email?.text_body).toContain(
      `View your cancelled appointment: ${new URL(path, shop.config.publicUrl).href}`,
    )
    expect(email?.text_body).toContain(
      `Book another time: ${new URL('/book-appointment', shop.config.publicUrl).href}`,
    )
    expect(email?.text_body).not.toContain('Old time')
  })

  it('is performed once and causes one email when the button is clicked twice', async () => {
    const path = await addBooking()
    const responses = await Promise.all([moveTo(path, '15:00'), moveTo(path, '15:00')])
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([303, 303])
    await moveTo(path, '15:00')
    expect(await bookings()).toMatchObject([{ version: 2 }])
    expect(await listEmails()).toHaveLength(1)
  })

  it('is refused if the page was outdated, and the response shows the current state', async () => {
    const path = await addBooking()
    await moveTo(path, '15:00')
    const response = await post(`${path}/cancel`, { seen: '0' })
    expect(response.statusCode).toBe(409)
    expect(response.body).toContain(
      'This appointment has changed. Your request was not carried out.',
    )
    expect(response.body).toContain('See you Saturday at 3:00 PM')
    expect(await bookings()).toMatchObject([{ status: 'confirmed' }])
  })

  it('reports all offered times that other customers have booked since the page was opened, whether or not the customer selected them', async () => {
    const path = await addBooking()
    const { body } = await openPage(`${path}/change?date=2026-11-28&time=18:00`)
    const shown = / name="shown" value="([^"]*)"/.exec(body)?.[1] ?? ''
    expect(shown).toContain('15:00')
    const after = async (time: string) => {
      const query = new URLSearchParams({ date: '2026-11-28', time, shown })
      return (await openPage(`${path}/change?${query.toString()}`)).body
    }
    expect(await after('18:00')).not.toContain('no longer available')
    await addBooking({
      appointment_time: '15:00:00',
      customer_phone: '555-0111',
      customer_email: 'b@example.com',
    })
    // An appointment of one hour makes three start times unavailable, because an appointment at any of these times
    // would overlap the booked appointment.
    expect(await after('18:00')).toContain('2:30 PM, 3:00 PM, and 3:30 PM are no longer available.')
    expect(await after('18:00')).toContain('Change to this time')
    expect(await after('15:00')).toContain('Your appointment is still Saturday, 1:30 PM.')
    const refused = await post(`${path}/move`, {
      seen: '0',
      date: '2026-11-28',
      time: '15:00',
      shown,
    })
    expect(refused.body).toContain(
      '3:00 PM is no longer available. Your appointment is still Saturday, 1:30 PM.',
    )
    expect(refused.body).toContain('2:30 PM and 3:30 PM are no longer available.')
  })

  it('does not report a time as booked if the time is only too soon (within the minimum notice)', async () => {
    const path = await addBooking()
    const { body } = await openPage(`${path}/change?date=2026-11-20`)
    const shown = / name="shown" value="([^"]*)"/.exec(body)?.[1] ?? ''
    expect(shown).not.toBe('')
    await setShopClock(shop.database.owner, '2026-11-21T03:00:00Z')
    const query = new URLSearchParams({ date: '2026-11-20', shown })
    const later = (await openPage(`${path}/change?${query.toString()}`)).body
    expect(later).toContain('No available slots on')
    expect(later).not.toContain('no longer available')
  })

  it('is refused for a time that another customer has booked, leaves the appointment unchanged, and offers the remaining times', async () => {
    const path = await addBooking()
    await addBooking({
      appointment_time: '15:00:00',
      customer_phone: '555-0111',
      customer_email: 'b@example.com',
    })
    const response = await moveTo(path, '15:30')
    expect(response.statusCode).toBe(409)
    expect(response.body).toContain(
      '3:30 PM is no longer available. Your appointment is still Saturday, 1:30 PM.',
    )
    expect(response.body).toContain('value="17:00"')
    expect(response.body).not.toContain('value="15:30"')
  })

  it('cancels and restores the appointment and its calendar entry', async () => {
    const path = await addBooking()
    await post(`${path}/cancel`, { seen: '0' })
    expect((await openPage(path)).body).toContain('Cancelled. There is no charge.')
    await post(`${path}/reason`, { reason: 'Plans changed' })
    await post(`${path}/reason`, { reason: 'made up' })
    await post(`${path}/restore`, { seen: '1' })
    expect(await bookings()).toMatchObject([{ status: 'confirmed', at: '13:30' }])
    const sent = await listEmails()
    expect(sent.map(({ kind }) => kind)).toEqual(['booking_cancelled', 'booking_moved'])
    expect(sent.map(methodAndSequence)).toEqual([
      ['CANCEL', 1],
      ['REQUEST', 2],
    ])
    expect(await all('select reason from public.booking_events where reason is not null')).toEqual([
      { reason: 'Plans changed' },
    ])
  })

  it('sends at most ten emails an hour to one mailbox, and the page mentions no email that was not sent', async () => {
    const path = await addBooking()
    const times = Array.from({ length: 12 }, (_, nth) => (nth % 2 === 0 ? '15:00' : '13:30'))
    for (const [seen, time] of times.entries()) {
      expect((await moveTo(path, time, String(seen))).statusCode).toBe(303)
      const { body } = await openPage(`${path}?done=moved`)
      expect(body).toContain('Your appointment has a new time.')
      expect(body.includes('We sent you an email to confirm this.')).toBe(seen < 10)
    }
    expect(await bookings()).toMatchObject([{ at: '13:30' }])
    expect(await listEmails()).toHaveLength(10)
  })

  it('offers no times while online booking is paused, and shows the reason for the pause', async () => {
    const path = await addBooking()
    await shop.database.owner.query(
      `update public.booking_rules set online_booking_paused = true, pause_message = 'We are moving.'`,
    )
    await expect
      .poll(async () => (await openPage(`${path}/change`)).body, { timeout: 10_000 })
      .toContain('We are moving. Your appointment is still Saturday, 1:30 PM.')
  })

  it.each(['the shop', 'the customer'])(
    'is refused on an appointment that %s cancelled, and sends no email',
    async (canceller) => {
      const path = await addBooking()
      if (canceller === 'the customer') await post(`${path}/cancel`, { seen: '0' })
      else await setState('cancelled')
      const sentBefore = (await listEmails()).length
      for (const response of [
        await moveTo(path, '15:00', '1'),
        await moveTo(path, '13:30', '1'),
        await post(`${path}/attend`, { seen: '1' }),
      ]) {
        expect(response.statusCode).toBe(409)
        expect(response.body).toContain(
          'Your request was not carried out. Here is the current status of your appointment.',
        )
      }
      expect(await listEmails()).toHaveLength(sentBefore)
      expect(await bookings()).toMatchObject([{ status: 'cancelled', at: '13:30' }])
    },
  )

  it('is refused shortly before the appointment, and the page shows a phone number instead', async () => {
    const path = await addBooking()
    await setShopClock(shop.database.owner, '2026-11-28T19:31:00Z')
    const { body } = await openPage(path)
    expect(body).toContain(
      `It&#x27;s too late to change this appointment online. Please call <a href="tel:+16505550142">(650) 555-0142</a>.`,
    )
    expect(body).not.toContain('Change time')
    expect((await openPage(`${path}/change`)).headers.location).toBe(path)
    expect((await moveTo(path, '18:00')).statusCode).toBe(409)
    expect((await post(`${path}/attend`, { seen: '0' })).statusCode).toBe(303)
    expect((await openPage(path)).body).toContain(
      'Thank you for letting us know that you will come. See you Saturday.',
    )
  })

  it('sends the owner a notice only if the shop has enabled these notices', async () => {
    const path = await addBooking()
    await moveTo(path, '15:00')
    await shop.database.owner.query('update public.booking_rules set notify_shop_of_changes = true')
    await post(`${path}/cancel`, { seen: '1' })
    const notices = (await listEmails()).filter(({ kind }) => kind === 'owner_notice')
    expect(notices).toMatchObject([
      {
        subject: 'Dana Whitfield cancelled an appointment: Saturday, November 28, 3:00 PM',
        recipient_email: 'hello@torqueandtiming.example',
      },
    ])
  })

  it('sends no email for a booking without an email address', async () => {
    await shop.database.database.transaction(admin, (query) =>
      query.unchecked(
        `select public.book_by_phone(service_id => $1, appointment_date => '2026-11-28', appointment_time => '13:30',
           customer_name => 'Sam', customer_phone => '555-0155')`,
        [serviceId],
      ),
    )
    const path = await currentPath()
    expect((await moveTo(path, '15:00')).statusCode).toBe(303)
    expect((await openPage(`${path}?done=moved`)).body).not.toContain('e-mail that says')
    expect(await listEmails()).toEqual([])
  })
})

function methodAndSequence({ attachments }: { attachments: { contentBase64: string }[] }) {
  const text = Buffer.from(attachments[0]?.contentBase64 ?? '', 'base64').toString()
  const calendar = new ical.Component(ical.parse(text))
  const event = calendar.getFirstSubcomponent('vevent')
  return [calendar.getFirstPropertyValue('method'), event?.getFirstPropertyValue('sequence')]
}

describe('an invalid link to a visit page', () => {
  const text = 'This link is not valid.'

  it('gets the same 404 page for every kind of invalid token, for views and for actions', async () => {
    const path = await addBooking()
    await shop.database.database.transaction(admin, (query) =>
      query.unchecked('select public.read_visit_page_link(id, true) from public.bookings'),
    )
    const bodies = new Set<string>()
    const links = [
      path,
      path.slice(0, -1),
      `${path}A`,
      `/visit/${'a'.repeat(43)}`,
      '/visit/x',
      `/visit/${randomBytes(32).toString('base64url')}`,
    ]
    for (const link of links) {
      for (const response of [
        await openPage(link),
        await openPage(`${link}/change`),
        await post(`${link}/cancel`, { seen: '0' }),
      ]) {
        expect(response.statusCode).toBe(404)
        bodies.add(response.body)
      }
    }
    expect([...bodies]).toEqual([expect.stringContaining(text)])
    expect(await bookings()).toMatchObject([{ status: 'confirmed' }])
    expect((await openPage(await currentPath())).statusCode).toBe(200)
  })

  it('is refused for each of a thousand guessed tokens, even if the token contains the id of an existing booking', async () => {
    await addBooking()
    const [booking] = await all<{ id: string }>('select id from public.bookings')
    const tokens = createVisitPageTokens(shop.database.database)
    const id = Buffer.from((booking?.id ?? '').replaceAll('-', ''), 'hex')
    for (let nth = 0; nth < 1_000; nth += 1) {
      const guess = Buffer.concat([nth % 2 ? id : randomBytes(16), randomBytes(16)])
      expect(await tokens.bookingIdOf(guess.toString('base64url'))).toBeUndefined()
    }
  })

  it('gets status 429 after thirty attempts', async () => {
    for (let nth = 0; nth < 30; nth += 1) await post(`/visit/${nth}/cancel`)
    const refused = await post('/visit/31/cancel')
    expect([refused.statusCode, refused.body]).toEqual([
      429,
      expect.stringContaining('Too many attempts'),
    ])
  })
})

describe('a form that another site submits to the visit page', () => {
  it.each([
    ['by its Sec-Fetch-Site header', { 'sec-fetch-site': 'cross-site' }],
    ['by its Origin header', { origin: 'https://evil.example' }],
  ])('is refused %s', async (_how, headers) => {
    const path = await addBooking()
    expect((await post(`${path}/cancel`, { seen: '0' }, headers)).statusCode).toBe(403)
    expect(await bookings()).toMatchObject([{ status: 'confirmed' }])
  })

  it('is distinguished from the visit page’s own form, which is accepted although its Origin header is null', async () => {
    const path = await addBooking()
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' }
    expect((await post(`${path}/cancel`, { seen: '0' }, headers)).statusCode).toBe(303)
  })
})
