import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { openDatabase } from '@local/postgres'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { sendRequestedLinks } from './send-requested-links.ts'

let shop: TestApp
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp()
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Brake check', 60)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    truncateTables(
      'public.bookings',
      'public.emails',
      'internal.visit_link_requests',
      'internal.rate_limits',
      'internal.visitor_emails',
    ),
  )
})

const book = async (date: string, time: string, email: string) => {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ id: string; version: number }>(
      `select id, version from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
         customer_name => 'Sam Okafor', customer_phone => '555-0155', customer_email => $4, notes => 'Squeals.')`,
      [serviceId, date, time, email],
    ),
  )
  if (!row) throw new Error('Nothing was booked.')
  return row
}
const sendRequest = (email: string, headers: Record<string, string> = {}) =>
  shop.inject({
    method: 'POST',
    url: '/visit',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ email }).toString(),
  })
const sendLinks = (database = shop.database.database) =>
  sendRequestedLinks({
    database,
    shop: defaultShop,
    publicUrl: 'https://shop.example',
    isCapped: true,
  })
const listEmails = async () => {
  const { rows } = await shop.database.owner.query<{ to: string; text: string }>(
    `select recipient_email as to, text_body as text from public.emails where kind = 'visit_links'`,
  )
  return rows
}
const linksIn = (text = '') => text.match(/https:\/\/shop\.example\/visit\/[\w-]{43}/g) ?? []

describe('Find my appointment (/visit)', () => {
  it('emails working links to all upcoming appointments of a mailbox', async () => {
    await book('2026-11-24', '13:00', 'sam@customer.example')
    await book('2026-11-27', '15:00', 'Sam@customer.example')
    await book('2026-11-25', '15:00', 'another@customer.example')
    const cancelled = await book('2026-11-28', '15:00', 'sam@customer.example')
    await shop.database.database.transaction(admin, (query) =>
      query.unchecked(`select id from public.change_booking_state($1, 'cancelled', $2)`, [
        cancelled.id,
        cancelled.version,
      ]),
    )
    const page = await sendRequest('SAM@customer.example')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Check your inbox')
    expect(await sendLinks()).toBe(1)
    const [email, ...more] = await listEmails()
    expect(more).toEqual([])
    expect(email?.to.toLowerCase()).toBe('sam@customer.example')
    expect(email?.text).not.toMatch(/Okafor|Squeals/)
    const links = linksIn(email?.text)
    expect(links).toHaveLength(2)
    for (const link of links) {
      expect((await shop.inject({ url: new URL(link).pathname })).statusCode).toBe(200)
    }
  })

  it('sends the link of an appointment only to the email address of that appointment', async () => {
    await book('2026-11-24', '13:00', 's.okafor@gmail.com')
    await book('2026-11-25', '13:00', 'sokafor+car@gmail.com')
    await sendRequest('sokafor@gmail.com')
    expect(await sendLinks()).toBe(2)
    const sent = await listEmails()
    expect(Object.fromEntries(sent.map(({ to, text }) => [to, linksIn(text).length]))).toEqual({
      's.okafor@gmail.com': 1,
      'sokafor+car@gmail.com': 1,
    })
  })

  it('sends at most ten emails an hour to one mailbox, even if its email address is spelled in several ways', async () => {
    const spelled = ['s.okafor', 'so.kafor', 'sok.afor', 'soka.for', 'sokaf.or', 'sokafo.r']
    for (const [nth, name] of spelled.entries()) {
      await book('2026-11-24', `${11 + nth}:00`, `${name}@gmail.com`)
    }
    for (let hour = 0; hour < 3; hour += 1) {
      await shop.database.owner.query('delete from internal.visit_link_requests')
      await sendRequest('sokafor@googlemail.com')
      await sendLinks()
    }
    expect(await listEmails()).toHaveLength(10)
    await book('2026-11-25', '13:00', 'another@customer.example')
    await sendRequest('another@customer.example')
    expect(await sendLinks()).toBe(1)
    expect(await listEmails()).toHaveLength(11)
  })

  it('counts its emails toward the same limit as emails that forms and visit pages trigger', async () => {
    await book('2026-11-24', '13:00', 'sokafor@gmail.com')
    await shop.database.owner.query(
      `insert into internal.visitor_emails (dedupe_key, mailbox_digest, is_flagged)
       select 'form ' || n, sha256(convert_to('sokafor@gmail.com', 'UTF8')), false from generate_series(1, 10) n`,
    )
    await sendRequest('so.kafor+car@gmail.com')
    await sendLinks()
    expect(await listEmails()).toEqual([])
  })

  it('treats different email addresses that start with a plus sign as different mailboxes', async () => {
    await book('2026-11-24', '13:00', '+16505550142@gateway.example')
    await sendRequest('+16505550199@gateway.example')
    expect(await sendLinks()).toBe(0)
    await sendRequest('+16505550142@gateway.example')
    expect(await sendLinks()).toBe(1)
  })

  it('sends no email about sample appointments', async () => {
    await book('2026-11-24', '13:00', 'sam@customer.example')
    await shop.database.owner.query('update public.bookings set is_sample = true')
    await sendRequest('sam@customer.example')
    expect(await sendLinks()).toBe(0)
  })

  it('returns the same response for every email address, and sends an email only to an address with an appointment', async () => {
    await book('2026-11-24', '13:00', 'sam@customer.example')
    const [known, unknown] = [
      await sendRequest('sam@customer.example'),
      await sendRequest('no@customer.example'),
    ]
    const same = ({ statusCode, body, headers }: typeof known) => ({
      statusCode,
      body,
      headers: { ...headers, date: '', 'x-request-id': '' },
    })
    expect(same(unknown)).toEqual(same(known))
    await sendLinks()
    expect((await listEmails()).map(({ to }) => to)).toEqual(['sam@customer.example'])
  })

  it('sends one email per hour to a mailbox, even if two processes handle the requests', async () => {
    await book('2026-11-24', '13:00', 'sam@customer.example')
    await sendRequest('sam@customer.example')
    const other = openDatabase(shop.database.url)
    await Promise.all([sendLinks(), sendLinks(other), sendLinks()])
    await other.close()
    await sendRequest('sam@customer.example')
    await sendLinks()
    expect(await listEmails()).toHaveLength(1)
    await shop.database.owner.query(
      `update internal.visit_link_requests set requested_at = requested_at - interval '61 minutes'`,
    )
    await sendRequest('sam@customer.example')
    await sendLinks()
    expect(await listEmails()).toHaveLength(2)
  })

  it('deletes the email address in a request after the request was handled, and the request itself after a day', async () => {
    await sendRequest('no@customer.example')
    const readStored = async () =>
      (await shop.database.owner.query('select mailbox from internal.visit_link_requests')).rows
    expect(await readStored()).toEqual([{ mailbox: 'no@customer.example' }])
    await sendLinks()
    expect(await readStored()).toEqual([{ mailbox: null }])
    await shop.database.owner.query(
      `update internal.visit_link_requests set requested_at = requested_at - interval '25 hours'`,
    )
    await sendLinks()
    expect(await readStored()).toEqual([])
  })

  it.each(['', 'sam', 'sam@', 'a@b.example, c@d.example', `${'x'.repeat(300)}@d.example`])(
    'shows the form again for the invalid email address %j',
    async (input) => {
      const page = await sendRequest(input)
      expect(page.statusCode).toBe(422)
      expect(page.body).toContain('Please enter a valid email address.')
    },
  )

  it('accepts at most five requests from one client in ten minutes, and no cross-site request', async () => {
    const elsewhere = await sendRequest('sam@customer.example', {
      origin: 'https://elsewhere.example',
    })
    expect(elsewhere.statusCode).toBe(403)
    for (let times = 0; times < 5; times += 1) await sendRequest(`no${times}@customer.example`)
    const refused = await sendRequest('no6@customer.example')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('changes no record when the page is opened', async () => {
    const page = await shop.inject({ url: '/visit?email=sam%40customer.example' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Find my appointment')
    const { rows } = await shop.database.owner.query('select 1 from internal.visit_link_requests')
    expect(rows).toEqual([])
  })
})
