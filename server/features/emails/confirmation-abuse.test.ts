import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { agedFormToken } from '#tests/support/app/form-token.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { bookingRow, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { createSmtpTransport } from './transport/smtp-transport.ts'

let shop: TestApp
let server: TestMailServer
let serviceId: string
beforeAll(async () => {
  server = await startMailServer()
  shop = await createTestApp({ mailTransport: createSmtpTransport(server.url) })
  await setShopClock(shop.database.owner, fixtureClock)
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `select id from public.services where name = 'Brake Job'`,
  )
  serviceId = rows[0]?.id ?? ''
  await shop.database.owner.query(
    'alter table public.bookings disable trigger t10_prevent_open_booking_delete',
  )
})
afterAll(async () => {
  await shop.close()
  await server.stop()
})
afterEach(async () => {
  shop.forgetRefusals()
  server.received.length = 0
  await shop.database.owner.query(
    `delete from internal.rate_limits; delete from internal.visitor_emails;
     delete from public.bookings; delete from public.quote_requests; delete from public.emails`,
  )
})

type Sender = { address?: string; token?: string }

async function post(url: string, payload: object, { address = '203.0.113.7', token }: Sender) {
  const response = await shop.inject({
    method: 'POST',
    url,
    remoteAddress: address,
    headers: {
      apikey: shop.config.anonKey,
      'content-type': 'application/json',
      ...(token && { 'x-form-token': token }),
    },
    payload: JSON.stringify(payload),
  })
  return { status: response.statusCode, body: response.body }
}

const function_ = '/functions/v1/send-confirmation-email'

async function book(sender: Sender, change: Record<string, string | null> = {}): Promise<void> {
  const row = bookingRow(serviceId, change)
  expect(await post('/rest/v1/bookings', row, sender)).toMatchObject({ status: 201 })
}

const requestConfirmation = (sender: Sender, customerEmail = 'dana@example.com') =>
  post(
    function_,
    {
      type: 'booking',
      customerName: 'Dana Whitfield',
      customerEmail,
      details: { serviceName: 'Brake Job', date: 'Saturday, November 28, 2026', time: '1:30 PM' },
    },
    sender,
  )

async function requestQuote(sender: Sender, change: Record<string, string | null> = {}) {
  const row = {
    name: 'Dana Whitfield',
    email: 'dana@example.com',
    phone: null,
    vehicle_year: '2019',
    vehicle_make: 'Subaru',
    vehicle_model: 'Outback',
    service_type: 'brake-service',
    description: 'It squeaks.',
    status: 'pending',
    ...change,
  }
  expect(await post('/rest/v1/quote_requests', row, sender)).toMatchObject({ status: 201 })
  const details = { vehicle: '', serviceType: '', description: row.description, phone: null }
  return () =>
    post(function_, { type: 'quote', customerName: '', customerEmail: row.email, details }, sender)
}

const sent = { status: 200, body: '{"success":true}' }
/** Only the sender of the form receives the URL of the visit page (the customer's page of the booking). */
const sentWithLink = {
  status: 200,
  body: expect.stringMatching(/^\{"success":true,"visitUrl":"[^"]*\/visit\/[\w-]{43}"\}$/),
}
const refused = { status: 502, body: '{"error":"The confirmation email could not be sent."}' }

const createSender = async (address?: string): Promise<Sender> => ({
  token: await agedFormToken(shop.database.database),
  ...(address && { address }),
})

describe('one mailbox', () => {
  it('receives at most ten emails an hour, even if its domain is spelled in several ways', async () => {
    const domains = ['gmail.com', 'GMAIL.com', 'gmail。com', 'gmail｡com', 'ｇmail.com', 'ⓖmail.com']
    const spelled = [...domains, 'gm\ufe0fail.com', 'gma\ufe0fil.com', 'gmai\u034fl.com']
    for (const [nth, domain] of [...spelled, ...spelled].entries()) {
      const sendRequest = await requestQuote(await createSender(`198.18.${nth}.1`), {
        email: `dana@${domain}`,
      })
      await sendRequest()
    }
    const recipients = server.received.flatMap((email) => email.recipients)
    expect(recipients).toEqual(Array.from({ length: 10 }, () => 'dana@gmail.com'))
  })
})

describe('untrusted text of a visitor', () => {
  it.each([
    ['a phone number that is a URL', { phone: 'https://evil.example/win' }, 'evil'],
    ['a name that is a message', { name: 'Your prize waits at win7.com' }, 'win7'],
    ['a name with a premium number', { name: 'Call 1-900-555-0199 now' }, '900'],
    ['a description', { description: 'Claim at hxxp://evil․example' }, 'evil'],
    ['a vehicle', { vehicle_model: 'win7 . com', vehicle_make: 'win7.com' }, 'win7'],
  ])('does not appear in the email about a quote request: %s', async (_case, change, phrase) => {
    const sendRequest = await requestQuote(await createSender(), change)
    expect(await sendRequest()).toEqual(sent)
    const [{ raw, mail } = { raw: '', mail: undefined }] = server.received
    // Removes the Message-ID and the MIME boundaries before the search, because these random texts could contain the
    // searched phrase by chance.
    const message = raw.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|NmP-[\da-f]+/g, '')
    for (const text of [message, mail?.subject, mail?.text, mail?.html]) {
      expect(text).not.toContain(phrase)
    }
  })

  it('does not appear in the email about a booking, in its headers or in its calendar file', async () => {
    const sender = await createSender()
    await book(sender, {
      customer_name: 'Win at <b>casino.example.com</b>',
      customer_phone: 'https://casino.example.com',
      notes: 'See https://casino.example.com/win now',
      vehicle_make: '"><script>casino</script>',
      vehicle_model: 'casino․example',
      vehicle_color: 'casino.example',
    })
    expect(await requestConfirmation(sender)).toEqual(sentWithLink)
    const [{ raw, mail } = { raw: '', mail: undefined }] = server.received
    const files = mail?.attachments.map(({ content }) => content.toString()) ?? []
    // The message contains the calendar file twice, as a MIME part and as an attachment (docs/product.md 14.8).
    expect(files).toHaveLength(2)
    for (const text of [raw, mail?.text, mail?.html, ...files]) expect(text).not.toContain('casino')
    expect(mail?.text).toContain('\nHello,\n')
    expect(raw).toMatch(/^To: dana@example\.com\r?$/m)
  })

  it('is omitted from the greeting in the email about a form that looks automated', async () => {
    const sendRequest = await requestQuote({})
    expect(await sendRequest()).toEqual(sent)
    const [{ raw, mail } = { raw: '', mail: undefined }] = server.received
    expect(mail?.text).toContain('\nHello,\n')
    expect(raw).not.toMatch(/Dana|Whitfield|Subaru|squeaks/)
  })
})

describe('the response to a request for a confirmation email', () => {
  it('reports success to a client with the token of the form that it sent, whatever the IP address', async () => {
    const sender = await createSender()
    await book(sender)
    expect(await requestConfirmation({ ...sender, address: '198.51.100.9' })).toEqual(sentWithLink)
  })

  it('reports success to a client without a token if its IP address sent the form', async () => {
    await book({})
    // A form without a token looks automated, so the email asks the customer to confirm the booking.
    const { status, body } = await requestConfirmation({})
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { success: true, confirmBy: expect.any(String) },
    ])
  })

  it('is the same for every client that did not send the form, whether or not the booking exists', async () => {
    const sender = await createSender()
    await book(sender)
    const visitors: Sender[] = [
      {},
      { address: '198.51.100.9' },
      await createSender(),
      await createSender('198.51.100.9'),
      { token: '' },
    ]
    for (const visitor of visitors) {
      expect(await requestConfirmation(visitor)).toEqual(refused)
      expect(await requestConfirmation(visitor, 'nobody@example.com')).toEqual(refused)
    }
    expect(server.received).toEqual([])
  })

  it('contains the URL of the visit page only for the sender of the form, and only when no email can be sent', async () => {
    const sender = await createSender()
    await book(sender)
    server.setMood('is-busy')
    try {
      const { status, body } = await requestConfirmation(sender)
      expect([status, JSON.parse(body)]).toEqual([
        502,
        {
          error: 'The confirmation email could not be sent.',
          visitUrl: expect.stringMatching(/\/visit\/[\w-]{43}$/),
        },
      ])
      for (const visitor of [
        {},
        await createSender(),
        await createSender('198.51.100.9'),
        { token: '' },
      ]) {
        expect(await requestConfirmation(visitor)).toEqual(refused)
      }
    } finally {
      server.setMood('takes')
    }
  })

  it('contains no URL of the visit page for a booking that is held until the customer confirms it', async () => {
    await book({})
    server.setMood('is-busy')
    try {
      const { status, body } = await requestConfirmation({})
      expect([status, JSON.parse(body)]).toEqual([
        502,
        {
          error: 'The confirmation email could not be sent.',
          confirmBy: expect.any(String),
        },
      ])
    } finally {
      server.setMood('takes')
    }
  })

  it('reveals nothing about a booking to a client that did not send its form, even if the client forges the visitor’s IP address', async () => {
    await book({})
    expect(await requestConfirmation({ address: '198.51.100.9' })).toEqual(refused)
    expect(await requestConfirmation(await createSender('198.51.100.9'))).toEqual(refused)
    const claimed = await shop.inject({
      method: 'POST',
      url: function_,
      remoteAddress: '198.51.100.9',
      headers: {
        apikey: shop.config.anonKey,
        'content-type': 'application/json',
        'cf-connecting-ip': '203.0.113.7',
        'x-forwarded-for': '203.0.113.7',
        'x-client-address-hash': 'x',
      },
      payload: JSON.stringify({
        type: 'booking',
        customerName: '',
        customerEmail: 'dana@example.com',
        details: { serviceName: 'Brake Job', date: 'Saturday, November 28, 2026', time: '1:30 PM' },
      }),
    })
    expect(claimed.body).toBe(refused.body)
  })

  it('reveals nothing about a quote request to a client that did not send the form', async () => {
    await requestQuote(await createSender())
    const details = { vehicle: '', serviceType: '', description: 'It squeaks.', phone: null }
    const body = { type: 'quote', customerName: '', customerEmail: 'dana@example.com', details }
    expect(await post(function_, body, {})).toEqual(refused)
    expect(server.received).toEqual([])
  })
})

describe('emails to one mailbox', () => {
  it('are limited to exactly ten an hour, even for simultaneous requests with different spellings of the email address', async () => {
    const spellings = ['dana', 'Dana', 'dana+a', 'D.ana', 'd.a.n.a+x', 'DANA', 'dana+b', 'da.na']
    const senders = await Promise.all(
      [...spellings, 'DAna', 'd.ana', 'dan.a', 'dana+c', 'DA.NA'].map(async (name, index) =>
        requestQuote(await createSender(`198.51.100.${index}`), {
          email: `${name}@gmail.com`,
          description: randomBytes(6).toString('hex'),
        }),
      ),
    )
    const responses = await Promise.all(senders.map((sendRequest) => sendRequest()))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(responses.filter(({ body }) => body === refused.body)).toHaveLength(3)
    expect(server.received).toHaveLength(10)
    const { rows } = await shop.database.owner.query(
      'select count(*)::int as stand from public.quote_requests',
    )
    expect(rows).toEqual([{ stand: 13 }])
  })
})
