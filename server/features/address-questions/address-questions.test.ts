import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { askAboutAddresses } from './send-address-questions.ts'

let shop: TestApp
let serviceId: string
const logged: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line) => void logged.push(line) },
  })
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Brake check', 30)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    truncateTables(
      'public.bookings',
      'public.emails',
      'public.customers',
      'internal.rate_limits',
      'internal.visitor_emails',
      'internal.form_origins',
    ),
  )
})

const own = 'dana@example.com'
const onlineEmail = 'win-a-prize.at.evil@stranger.example'

const owner = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.database.owner.query<Row>(sql, values)).rows

/**
 * Creates a customer with earlier bookings, and an online booking with the customer's name and phone but a different
 * email address.
 */
async function bookAsDana(time = '13:30:00', email = onlineEmail): Promise<string> {
  await shop.database.database.transaction(visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, { appointment_time: time, customer_email: email }),
    ),
  )
  const [row] = await owner<{ id: string }>(
    'select id from public.bookings where appointment_time = $1',
    [time],
  )
  return row?.id ?? ''
}
const callAsDana = () =>
  shop.database.database.transaction(admin, (query) =>
    query.unchecked(
      `select public.book_by_phone(service_id => $1, appointment_date => '2026-11-27', appointment_time => '12:00',
         customer_name => 'Dana Whitfield', customer_phone => '650 555 0167', customer_email => $2)`,
      [serviceId, own],
    ),
  )
const sendQuestions = () =>
  askAboutAddresses({
    database: shop.database.database,
    shop: defaultShop,
    publicUrl: 'https://shop.example',
  })
type QuestionEmail = { to: string; name: string; text: string; html: string; subject: string }
const listEmails = () =>
  owner<QuestionEmail>(
    `select recipient_email as to, recipient_name as name, text_body as text, html_body as html, subject
     from public.emails where kind = 'address_question'`,
  )
async function questionToken(): Promise<string> {
  await callAsDana()
  await bookAsDana()
  await sendQuestions()
  const [email] = await listEmails()
  return /https:\/\/shop\.example\/address\/([\w-]{43})/.exec(email?.text ?? '')?.[1] ?? ''
}
const openPage = (token: string, method: 'GET' | 'HEAD' = 'GET') =>
  shop.inject({ method, url: `/address/${token}`, headers: { accept: 'application/json' } })
const press = (token: string, headers: Record<string, string> = {}) =>
  shop.inject({
    method: 'POST',
    url: `/address/${token}/confirm`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: '',
  })
const addresses = async () =>
  (
    await owner<{ value: string }>(
      `select value from public.customer_contact_methods where kind = 'email' order by id`,
    )
  ).map(({ value }) => value)
const question = '>Yes, that is my address<'

describe('the email that asks whether a new email address belongs to the customer', () => {
  it('is sent to the email address on the customer record, and quotes no untrusted text', async () => {
    await callAsDana()
    await bookAsDana()
    expect(await sendQuestions()).toBe(1)
    expect(await sendQuestions()).toBe(0)
    const [email, ...more] = await listEmails()
    expect(more).toEqual([])
    expect(email).toMatchObject({ to: own, name: '' })
    const pageTexts = `${email?.subject} ${email?.text} ${email?.html}`
    for (const part of [onlineEmail, 'stranger', 'prize', 'Whitfield', 'Subaru']) {
      expect(pageTexts).not.toContain(part)
    }
    expect(email?.text).toContain('Yes, that is my address')
  })

  it('counts toward the limits on emails that visitors can trigger', async () => {
    await callAsDana()
    await owner(
      `insert into internal.visitor_emails (dedupe_key, mailbox_digest, is_flagged)
       select 'story ' || n, sha256(convert_to(internal.normalize_mailbox($1), 'UTF8')), false from generate_series(1, 10) n`,
      [own],
    )
    await bookAsDana()
    await sendQuestions()
    expect(await listEmails()).toEqual([])
    await owner(`update internal.visitor_emails set created_at = now() - interval '2 days'`)
    await sendQuestions()
    expect(await listEmails()).toHaveLength(1)
  })

  it('is not sent after the booking was cancelled', async () => {
    await questionToken()
    await owner(`update public.bookings set status = 'cancelled' where customer_email = $1`, [
      onlineEmail,
    ])
    const [email] = await owner<{ reason: string }>(
      `select internal.email_outdated_reason(email) as reason from public.emails email where kind = 'address_question'`,
    )
    expect(email?.reason).toBe('Not sent: the appointment was cancelled.')
  })
})

describe('the page on which a customer confirms a new email address', () => {
  it('shows the new email address; opening the page changes no record', async () => {
    const token = await questionToken()
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const page = await openPage(token, method)
      expect(page.statusCode).toBe(200)
      expect(page.headers['cache-control']).toContain('no-store')
    }
    const { body } = await openPage(token)
    expect(body).toContain(onlineEmail)
    expect(body.replaceAll(/>\s+|\s+</g, (gap) => gap.trim())).toContain(question)
    expect(body).not.toContain(`mailto:${onlineEmail}`)
    expect(await addresses()).toEqual([own])
  })

  it('adds the email address when the button is pressed, and does not add the address again after staff removed it', async () => {
    const token = await questionToken()
    const pressed = await press(token)
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, `/address/${token}`])
    expect(await addresses()).toEqual([own, onlineEmail])
    expect(
      await owner(
        `select confirmed_by_name from public.customer_contact_methods where value = $1`,
        [onlineEmail],
      ),
    ).toEqual([{ confirmed_by_name: 'customer' }])
    // The customer's primary email address, to which the shop sends emails, is unchanged.
    expect(await owner('select email from public.customers')).toEqual([{ email: own }])
    const { body } = await openPage(token)
    expect(body).toContain('You confirmed')
    expect(body).not.toContain('/confirm')
    // After staff remove the confirmed email address, a second confirmation with the same link does not add the address
    // again.
    await owner('delete from public.customer_contact_methods where value = $1', [onlineEmail])
    await press(token)
    expect(await addresses()).toEqual([own])
  })

  it('adds the email address once when three requests arrive at the same time', async () => {
    const token = await questionToken()
    await Promise.all([press(token), press(token), press(token)])
    expect(await addresses()).toEqual([own, onlineEmail])
  })

  it('changes no record after the booking was cancelled, or after staff removed the email address that received the question', async () => {
    const token = await questionToken()
    await owner(`update public.bookings set status = 'cancelled' where customer_email = $1`, [
      onlineEmail,
    ])
    await press(token)
    expect((await openPage(token)).body).toContain('nothing left to confirm')
    await owner(`update public.bookings set status = 'confirmed' where customer_email = $1`, [
      onlineEmail,
    ])
    await owner('delete from public.customer_contact_methods where value = $1', [own])
    await press(token)
    expect(await addresses()).toEqual([])
  })

  it('rejects the tokens of other kinds of pages, which in turn reject the token of this page', async () => {
    const token = await questionToken()
    const [booking] = await owner<{ token: string }>(
      'select public.visit_page_token(id) as token from public.bookings where customer_email = $1',
      [onlineEmail],
    )
    for (const wrong of [booking?.token ?? '', `${token.slice(0, -2)}AA`, 'x', 'a'.repeat(43)]) {
      expect((await openPage(wrong)).statusCode).toBe(404)
      expect((await press(wrong)).statusCode).toBe(404)
    }
    expect((await shop.inject({ url: `/visit/${token}` })).statusCode).toBe(404)
    expect((await shop.inject({ url: `/estimate/${token}` })).statusCode).toBe(404)
    await owner('update public.bookings set link_version = link_version + 1')
    expect((await openPage(token)).statusCode).toBe(404)
  })

  it('refuses a cross-site form submission, and allows 30 requests in ten minutes', async () => {
    const token = await questionToken()
    const crossOrigin = await press(token, { origin: 'https://evil.example' })
    expect(crossOrigin.statusCode).toBe(403)
    expect(await addresses()).toEqual([own])
    const codes: number[] = []
    for (let nth = 0; nth < 31; nth += 1) codes.push((await press(token)).statusCode)
    // The refused cross-site request counts toward the limit of 30 requests, so only 29 requests are left.
    expect(codes).toEqual([...Array<number>(29).fill(303), 429, 429])
  })

  it('writes neither its token nor the email address to the log', async () => {
    const token = await questionToken()
    logged.length = 0
    await openPage(token)
    await press(token)
    expect(logged.join('')).toContain('/address/[…]/confirm')
    expect(logged.join('')).not.toContain(token)
    expect(logged.join('')).not.toContain('stranger.example')
  })
})
