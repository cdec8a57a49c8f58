import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { agedFormToken } from '#tests/support/app/form-token.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  bookingRow,
  insertRow,
  formBot,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { endExpiredHolds } from './end-expired-holds.ts'

let shop: TestApp
let mail: TestMailServer
let client: SupabaseClient
let serviceId: string
const logged: string[] = []
beforeAll(async () => {
  mail = await startMailServer()
  shop = await createTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line) => void logged.push(line) },
    mailTransport: createSmtpTransport(mail.url),
  })
  client = await shop.createClient()
  serviceId = await addService(shop.database, 'Clutch Check', 60)
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    truncateTables('public.bookings', 'internal.rate_limits', 'internal.visitor_emails'),
  )
  await setShopClock(shop.database.owner, fixtureClock)
  mail.setMood('takes')
  mail.received.length = 0
})

const halfAnHourLater = () => setShopClock(shop.database.owner, '2026-11-20T18:30:00Z')

const input = { customer_name: 'Your prize waits at win7.example', notes: 'Go to evil.example now' }
const bookAs = (sender: typeof visitor, change: Record<string, string> = input) =>
  shop.database.database.transaction(sender, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, change)),
  )

/**
 * Books as a browser does, with or without a form token (the proof of when the form was opened). Returns a function
 * that requests the confirmation email from the same client.
 */
async function bookOnline(token = '', change: Record<string, string> = input) {
  const row: object = bookingRow(serviceId, change)
  const { error } = await client.from('bookings').insert(row).setHeader('x-form-token', token)
  expect(error).toBeNull()
  return () =>
    client.functions.invoke<{ success?: boolean; confirmBy?: string }>('send-confirmation-email', {
      headers: { 'x-form-token': token },
      body: {
        type: 'booking',
        customerName: 'Dana Whitfield',
        customerEmail: 'dana@example.com',
        details: {
          serviceName: 'Clutch Check',
          date: 'Saturday, November 28, 2026',
          time: '1:30 PM',
        },
      },
    })
}

async function bookingId(): Promise<string> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.bookings order by created_at limit 1',
  )
  return rows[0]?.id ?? ''
}
async function statusNow(): Promise<[string, boolean]> {
  const { rows } = await shop.database.owner.query<{ status: string; is_held: boolean }>(
    'select status, held_until is not null as is_held from public.bookings order by created_at limit 1',
  )
  return [rows[0]?.status ?? '', rows[0]?.is_held ?? false]
}
const openPage = (token: string, method: 'GET' | 'HEAD' = 'GET') =>
  // Without a web build, the server has no HTML 404 page, so these requests ask for JSON errors.
  shop.inject({ method, url: `/visit/${token}`, headers: { accept: 'application/json' } })
const click = (token: string, remoteAddress = '127.0.0.1') =>
  shop.inject({
    method: 'POST',
    url: `/visit/${token}/confirm`,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  })

const tokenOf = async (id: string) => {
  const { rows } = await shop.database.owner.query<{ token: string }>(
    'select public.visit_page_token($1) as token',
    [id],
  )
  return rows[0]?.token ?? ''
}

async function heldBooking(): Promise<string> {
  await bookAs(formBot)
  return tokenOf(await bookingId())
}

describe('the email about a booking that looks automated', () => {
  it('asks the customer to confirm with one click and contains no untrusted text; the response of the server states the deadline', async () => {
    const requestMail = await bookOnline()
    const { data, error } = await requestMail()
    expect({ data, error }).toEqual({
      data: { success: true, confirmBy: '2026-11-20T18:30:00+00:00' },
      error: null,
    })
    const [email, ...others] = mail.received
    expect(others).toEqual([])
    const { rows } = await shop.database.owner.query<Record<string, string>>(
      'select kind, recipient_name, subject, text_body, html_body, attachments::text from public.emails',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      kind: 'confirmation_request',
      recipient_name: '',
      subject: 'Please confirm by 10:30 AM: Clutch Check, Saturday, November 28, 2026 at 1:30 PM',
      attachments: '[]',
    })
    expect(JSON.stringify(rows)).not.toMatch(/prize|win7|evil|Dana|Subaru|555-0167/)
    expect(email?.recipients).toEqual(['dana@example.com'])
    const link = /https?:\/\/\S+\/visit\/\S+/.exec(rows[0]?.['text_body'] ?? '')?.[0] ?? ''
    expect(new URL(link).pathname).toBe(`/visit/${await tokenOf(await bookingId())}`)
  })

  it('is sent once for any number of requests', async () => {
    const requestMail = await bookOnline()
    await Promise.all([requestMail(), requestMail(), requestMail()])
    expect(mail.received).toHaveLength(1)
  })

  it('is reported as not sent, with the deadline, during a mail server outage', async () => {
    mail.setMood('is-busy')
    const requestMail = await bookOnline()
    const { error } = await requestMail()
    const response = (error as { context: Response }).context
    expect([response.status, await response.json()]).toEqual([
      502,
      {
        error: 'The confirmation email could not be sent.',
        confirmBy: '2026-11-20T18:30:00+00:00',
      },
    ])
  })

  it('is not sent after the half hour for the confirmation has passed', async () => {
    mail.setMood('is-busy')
    const requestMail = await bookOnline()
    await requestMail()
    await halfAnHourLater()
    mail.setMood('takes')
    await shop.database.owner.query('update public.emails set next_attempt_at = now()')
    const cookie = await shop.logIn()
    const { rows } = await shop.database.owner.query<{ id: string }>('select id from public.emails')
    await shop.inject({
      method: 'POST',
      url: `/api/emails/${rows[0]?.id}/resend`,
      headers: { cookie },
    })
    expect(mail.received).toEqual([])
  })

  it('differs from the email about any other booking, which is an ordinary confirmation', async () => {
    const requestMail = await bookOnline(await agedFormToken(shop.database.database), {})
    const { data } = await requestMail()
    expect(data).toEqual({
      success: true,
      visitUrl: new URL(`/visit/${await tokenOf(await bookingId())}`, shop.config.publicUrl).href,
    })
    const { rows } = await shop.database.owner.query('select kind from public.emails')
    expect(rows).toEqual([{ kind: 'booking_confirmation' }])
  })
})

describe('the visit page of a booking that waits for the customer’s confirmation', () => {
  it('shows service, time, place and a confirm button; opening the page changes no record', async () => {
    const token = await heldBooking()
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const page = await openPage(token, method)
      expect(page.statusCode).toBe(200)
    }
    const { body, headers } = await openPage(token)
    for (const text of [
      'Please confirm your appointment',
      'We hold this time for you until 10:30 AM.',
      'Saturday, November 28, 2026',
      '1:30 PM shop time (Pacific)',
      'Clutch Check',
      '2130 Example Way<br/>Mountain View, CA 94043',
      `<form action="/visit/${token}/confirm#result" method="post">`,
      'Confirm Appointment',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).not.toMatch(/prize|evil|dana@|Subaru|<script>/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(await statusNow()).toEqual(['confirmed', true])
  })

  it('confirms the booking with one click, and gives the same response to a second click', async () => {
    const token = await heldBooking()
    const clicks = await Promise.all([click(token), click(token)])
    expect(clicks.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual([
      [303, `/visit/${token}?done=confirmed`],
      [303, `/visit/${token}?done=confirmed`],
    ])
    const page = (await openPage(token)).body
    expect(page).toContain('See you Saturday at 1:30 PM')
    expect(page).not.toContain('Confirm Appointment')
    expect(await statusNow()).toEqual(['confirmed', false])
    const { rows } = await shop.database.owner.query('select kind, attachments from public.emails')
    expect(rows).toMatchObject([
      { kind: 'booking_confirmation', attachments: [{ filename: 'appointment.ics' }] },
    ])
  })

  it('still confirms the booking after half an hour if the time is free', async () => {
    const token = await heldBooking()
    await halfAnHourLater()
    expect((await openPage(token)).body).toContain('has ended, but this time is still available')
    await endExpiredHolds(shop.database.database)
    expect(await statusNow()).toEqual(['not_confirmed', false])
    await click(token)
    expect((await openPage(token)).body).toContain('See you Saturday at 1:30 PM')
  })

  it('offers a new booking after half an hour if the time was booked by another customer', async () => {
    const token = await heldBooking()
    await halfAnHourLater()
    await bookAs(visitor, {})
    for (const action of [openPage, click, openPage]) await action(token)
    const { body } = await openPage(token)
    expect(body).toContain('This time is no longer available')
    expect(body).toContain('href="/book-appointment"')
    expect(body).not.toContain('<form')
  })

  it.each([
    ['cancelled', `status = 'cancelled'`, 'Cancelled. There is no charge.'],
    ['completed', `completed_at = now(), completed_by = 'admin'`, 'Your appointment is complete'],
  ])(
    'shows the state of a booking that is %s, and a click on the confirm button changes nothing',
    async (_state, change, heading) => {
      const token = await heldBooking()
      await shop.database.owner.query(`update public.bookings set ${change}`)
      const before = await statusNow()
      await click(token)
      expect(await statusNow()).toEqual(before)
      expect((await openPage(token)).body).toContain(heading)
    },
  )

  it('shows after the start time that the appointment has passed', async () => {
    const token = await heldBooking()
    await setShopClock(shop.database.owner, '2026-11-28T21:30:00Z')
    expect((await openPage(token)).body).toContain('This appointment has passed')
  })

  it('asks the customer to call when they have more than ten appointments', async () => {
    const token = await heldBooking()
    await shop.database.owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
         customer_name, customer_email, customer_phone)
       select $1, date '2026-11-29' + nth, '13:30', 60, 'Dana', 'DANA+x@example.com', '555-0100'
       from generate_series(1, 10) nth`,
      [serviceId],
    )
    const response = await click(token)
    expect(response.statusCode).toBe(409)
    expect(response.body).toContain('Please call us to confirm')
  })

  it.each([
    [
      'with the signature of another booking',
      (token: string) =>
        `${Buffer.from(randomUUID()).toString('base64url').slice(0, 21)}${token.slice(21)}`,
    ],
    ['that is truncated', (token: string) => token.slice(0, -1)],
    [
      'with one letter changed',
      (token: string) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1),
    ],
    [
      'with other unused bits at its end',
      (token: string) => token.slice(0, -1) + (token.at(-1) === 'B' ? 'C' : 'B'),
    ],
    ['that is invented', () => 'a'.repeat(43)],
  ])('is not found for a link %s', async (_what, change) => {
    const forged = change(await heldBooking())
    const [page, response] = [await openPage(forged), await click(forged)]
    expect([page.statusCode, response.statusCode]).toEqual([404, 404])
    expect(await statusNow()).toEqual(['confirmed', true])
  })

  it('returns 404 after the booking was deleted', async () => {
    const token = await heldBooking()
    await shop.database.owner.query(truncateTables('public.bookings'))
    expect((await openPage(token)).statusCode).toBe(404)
  })

  it('accepts at most thirty clicks in ten minutes from one IP address', async () => {
    const token = await heldBooking()
    for (let nth = 0; nth < 30; nth += 1) expect((await click(token)).statusCode).toBe(303)
    const refused = await click(token)
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      429,
      'text/html; charset=utf-8',
    ])
    expect(refused.body).toContain('Too many attempts')
    expect((await click(token, '198.51.100.7')).statusCode).toBe(303)
  })

  it('refuses a request with a large body and accepts an empty body', async () => {
    const token = await heldBooking()
    const large = await shop.inject({
      method: 'POST',
      url: `/visit/${token}/confirm`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a'.repeat(2_000),
    })
    expect(large.statusCode).toBe(413)
    expect((await shop.inject({ method: 'POST', url: `/visit/${token}/confirm` })).statusCode).toBe(
      303,
    )
  })

  it('writes no token to the log', async () => {
    const token = await heldBooking()
    logged.length = 0
    await openPage(token)
    await click(token)
    expect(logged.join('')).toContain('/visit/[…]/confirm')
    expect(logged.join('')).not.toContain(token)
  })
})
