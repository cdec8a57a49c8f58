import { randomUUID } from 'node:crypto'
import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ConfirmationEmailRequest } from '#contracts/api/server-functions.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { agedFormToken } from '#tests/support/app/form-token.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { bookingRow, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { createSmtpTransport } from './transport/smtp-transport.ts'

let shop: TestApp
let server: TestMailServer
let client: SupabaseClient
beforeAll(async () => {
  server = await startMailServer()
  shop = await createTestApp({
    config: { rateLimits: 'off' },
    mailTransport: createSmtpTransport(server.url),
  })
  await setShopClock(shop.database.owner, fixtureClock)
  await shop.database.owner.query(
    'alter table public.bookings disable trigger t10_prevent_open_booking_delete',
  )
  client = await shop.createClient()
})
afterAll(async () => {
  await shop.close()
  await server.stop()
})
afterEach(async () => {
  server.setMood('takes')
  server.received.length = 0
  await shop.database.owner.query(
    'delete from public.bookings; delete from public.quote_requests; delete from public.emails',
  )
})

/** The token of the most recently submitted form. */
let token = ''

async function book(change: Record<string, string | null> = {}): Promise<void> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `select id from public.services where name = 'Brake Job'`,
  )
  token = await agedFormToken(shop.database.database)
  const row: object = bookingRow(rows[0]?.id ?? '', change)
  const { error } = await client.from('bookings').insert(row).setHeader('x-form-token', token)
  expect(error).toBeNull()
}

const details = {
  serviceName: 'Brake Job',
  date: 'Saturday, November 28, 2026',
  time: '1:30 PM',
  notes: null,
  phone: '(650) 555-0167',
  year: '2019',
  vehicleMake: 'Subaru',
  vehicleModel: 'Outback',
  vehicleColor: null,
}
const booking = {
  type: 'booking',
  customerName: 'Dana Whitfield',
  customerEmail: 'dana@example.com',
  details,
} satisfies ConfirmationEmailRequest

const quoteRow = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: null,
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  service_type: 'brake-service',
  description: 'It squeaks.\nOn Mondays.',
  status: 'pending',
}

type TestResponse = { status: number; body: unknown }

async function sendRequest(body: unknown): Promise<TestResponse> {
  const { data, error } = await client.functions.invoke('send-confirmation-email', {
    headers: { 'x-form-token': token },
    body: body as Record<string, unknown>,
  })
  if (!(error instanceof FunctionsHttpError)) return { status: 200, body: data }
  const response = error.context as Response
  return { status: response.status, body: await response.json() }
}

const sent = {
  status: 200,
  body: { success: true, visitUrl: expect.stringContaining('/visit/') },
}
const failure: TestResponse = {
  status: 502,
  body: { error: 'The confirmation email could not be sent.' },
}

/**
 * The form token proves who booked, so the response contains the URL of the visit page (the customer's page of the
 * booking) even when the email could not be sent.
 */
const notSent = {
  status: 502,
  body: { ...(failure.body as object), visitUrl: expect.stringContaining('/visit/') },
}

describe('requesting the confirmation of a booking', () => {
  it('sends an email with the service name at the time of booking, even after the service was renamed', async () => {
    await book()
    const rename = (from: string, to: string) =>
      shop.database.owner.query('update public.services set name = $2 where name = $1', [from, to])
    await rename('Brake Job', 'Brakes and rotors')
    try {
      expect(await sendRequest(booking)).toEqual(sent)
    } finally {
      await rename('Brakes and rotors', 'Brake Job')
    }
    expect(server.received[0]?.mail.subject).toContain('Brake Job')
  })

  it('sends one email for any number of requests', async () => {
    await book()
    const responses = await Promise.all([
      sendRequest(booking),
      sendRequest(booking),
      sendRequest(booking),
    ])
    expect(responses).toEqual(Array.from({ length: 3 }, () => sent))
    expect(await sendRequest(booking)).toEqual(sent)
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['dana@example.com']])
  })

  it.each([
    ['an email address without a booking', { ...booking, customerEmail: 'victim@example.net' }],
    [
      'a service that differs from the booking',
      { ...booking, details: { ...details, serviceName: 'Oil Change' } },
    ],
    [
      'a date that differs from the booking',
      { ...booking, details: { ...details, date: 'Sunday, November 29, 2026' } },
    ],
    [
      'a time that differs from the booking',
      { ...booking, details: { ...details, time: '2:00 PM' } },
    ],
    ['a SQL LIKE pattern as the email address', { ...booking, customerEmail: '%' }],
  ])(
    'returns the same response for %s with and without an outage of the mail server',
    async (_case, body) => {
      await book()
      expect(await sendRequest(body)).toEqual(failure)
      server.setMood('is-busy')
      // A request that does not match the booking gets the same response with and without an outage of the mail server.
      // The response to the sender of the form contains the URL of the visit page (the customer's page).
      expect(await sendRequest(body)).toEqual(failure)
      expect(await sendRequest(booking)).toEqual(notSent)
      expect(server.received).toEqual([])
    },
  )

  it.each([
    ['old', `update public.bookings set created_at = now() - interval '16 minutes'`],
    ['cancelled', `update public.bookings set status = 'cancelled'`],
    [
      'flagged as sent by a robot',
      `update public.bookings set flagged_reasons = '{hidden_field_filled}'`,
    ],
  ])('sends nothing when the booking is %s', async (_case, sql) => {
    await book()
    await shop.database.owner.query(sql)
    expect(await sendRequest(booking)).toEqual(failure)
    expect(server.received).toEqual([])
  })

  it('reports a failure during an outage of the mail server, and sends the email once after the outage', async () => {
    await book()
    server.setMood('is-busy')
    expect(await sendRequest(booking)).toEqual(notSent)
    const { rows } = await shop.database.owner.query('select status from public.emails')
    expect(rows).toEqual([{ status: 'retrying' }])
    server.setMood('takes')
    await shop.database.owner.query('update public.emails set next_attempt_at = now()')
    expect(await sendRequest(booking)).toEqual(sent)
    expect(server.received).toHaveLength(1)
  })
})

describe('requesting the confirmation of a quote request', () => {
  const quote = {
    type: 'quote',
    customerName: 'Dana Whitfield',
    customerEmail: 'dana@example.com',
    details: {
      vehicle: '2019 Subaru Outback',
      serviceType: 'Brake Service',
      description: 'It squeaks.\nOn Mondays.',
      phone: null,
    },
  } satisfies ConfirmationEmailRequest

  const request = async (change: Record<string, string | null> = {}) => {
    token = await agedFormToken(shop.database.database)
    const { error } = await client
      .from('quote_requests')
      .insert({ ...quoteRow, ...change })
      .setHeader('x-form-token', token)
    expect(error).toBeNull()
  }

  it('sends one email that promises a reply within 24 hours', async () => {
    await request()
    expect(await sendRequest(quote)).toEqual({ status: 200, body: { success: true } })
    expect(await sendRequest(quote)).toEqual({ status: 200, body: { success: true } })
    expect(server.received).toHaveLength(1)
    const [{ mail } = { mail: undefined }] = server.received
    expect(mail?.subject).toBe('We have your quote request')
    expect(mail?.text).toContain('within 24 hours')
    expect(mail?.text).toContain('Brake Service')
  })

  it('sends no email when the description in the request differs from the stored description', async () => {
    await request({ description: 'Something else.' })
    expect(await sendRequest(quote)).toEqual(failure)
    expect(server.received).toEqual([])
  })
})

describe('a malformed request to a server function', () => {
  it.each([
    ['no type', {}],
    ['an unknown type', { ...booking, type: 'newsletter' }],
    ['an unknown field', { ...booking, bcc: 'victim@example.net' }],
    ['a list of addresses', { ...booking, customerEmail: ['a@example.com', 'b@example.com'] }],
    ['a name of 201 characters', { ...booking, customerName: 'x'.repeat(201) }],
    [
      'a note of 100,000 characters',
      { ...booking, details: { ...details, notes: 'x'.repeat(100_000) } },
    ],
    ['an empty body', ''],
  ])('a malformed request with %s is refused with a message', async (_case, body) => {
    expect(await sendRequest(body)).toEqual({
      status: 400,
      body: { error: 'The request could not be read.' },
    })
  })

  it('is refused when it consists of nested arrays', async () => {
    const origin = await shop.listen()
    const response = await fetch(`${origin}/functions/v1/send-confirmation-email`, {
      method: 'POST',
      headers: { apikey: shop.config.anonKey, 'content-type': 'application/json' },
      body: '['.repeat(30_000),
    })
    expect(response.status).toBe(400)
  })

  it('gets an HTTP error when the function does not exist', async () => {
    const { error } = await client.functions.invoke(`send-${randomUUID()}`, { body: {} })
    expect(error).toBeInstanceOf(FunctionsHttpError)
  })
})
