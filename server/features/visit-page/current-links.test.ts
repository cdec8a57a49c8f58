import type { QueryResultRow } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { writeVisitLinks } from '#emails/bookings/visit-links.ts'
import { changeEmails, findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Clutch Check', 60)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings', 'public.emails'))
  await setShopClock(shop.owner, fixtureClock)
})

const asAdmin = async <Row extends QueryResultRow>(sql: string, values: unknown[]) => {
  const [row] = await shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
  if (!row) throw new Error('Nothing was answered.')
  return row
}
const book = async (time: string, email: string) => {
  const { id } = await asAdmin<{ id: string }>(
    `select id from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28', appointment_time => $2,
       customer_name => 'Dana Whitfield', customer_phone => '555-0155', customer_email => $3)`,
    [serviceId, time, email],
  )
  return id
}
const makeNewLink = async (id: string) => {
  const { path } = await asAdmin<{ path: string }>(
    'select public.read_visit_page_link($1, true) as path',
    [id],
  )
  return path
}
const linkOf = async (id: string) => {
  const { path } = await asAdmin<{ path: string }>(
    'select public.read_visit_page_link($1) as path',
    [id],
  )
  return path
}
const confirm = (bookingId: string) =>
  shop.database.transaction(asServer, async (query) => {
    const booking = await findChangedBooking(query, bookingId, 'https://shop.example')
    if (!booking) throw new Error('There is no such appointment.')
    return queueEmail(query, changeEmails.booked(defaultShop, booking))
  })
const markSent = async (emailId: string) => {
  const { rows } = await shop.owner.query<{ html_body: string; text_body: string }>(
    'select html_body, text_body from public.claim_email($1)',
    [emailId],
  )
  expect(rows).toHaveLength(1)
  return { html: rows[0]?.html_body ?? '', text: rows[0]?.text_body ?? '' }
}

describe('a queued email whose appointment gets a new link', () => {
  it('is sent with the newest link, even at a second delivery attempt', async () => {
    const id = await book('13:30', 'dana@customer.example')
    const old = await linkOf(id)
    const sent = await confirm(id)
    await makeNewLink(id)
    const newer = await makeNewLink(id)
    for (const body of Object.values(await markSent(sent))) {
      expect(body).toContain(`https://shop.example${newer}`)
      expect(body).not.toContain(old)
    }
    await shop.owner.query(
      `update public.emails set status = 'retrying', next_attempt_at = now(), leased_until = null`,
    )
    const newest = await makeNewLink(id)
    for (const body of Object.values(await markSent(sent))) {
      expect(body).toContain(`https://shop.example${newest}`)
      expect(body).not.toContain(newer)
    }
  })

  it('contains the newest link to each of its appointments', async () => {
    const email = 'dana@customer.example'
    const [first, second] = [await book('13:30', email), await book('15:00', email)]
    const booking = async (id: string, time: string) => ({
      id,
      serviceName: 'Clutch Check',
      date: '2026-11-28',
      time,
      url: `https://shop.example${await linkOf(id)}`,
    })
    const bookings = [await booking(first, '13:30:00'), await booking(second, '15:00:00')] as const
    const sent = await shop.database.transaction(asServer, (query) =>
      queueEmail(query, writeVisitLinks(defaultShop, email, [bookings[0], bookings[1]], 1)),
    )
    const renewed = await makeNewLink(second)
    const { text } = await markSent(sent)
    expect(text).toContain(bookings[0].url)
    expect(text).toContain(`https://shop.example${renewed}`)
    expect(text).not.toContain(bookings[1].url)
  })

  it('contains no new link to another customer’s appointment, even if its text contains an old link to that appointment', async () => {
    const victim = await book('13:30', 'dana@customer.example')
    const replaced = await linkOf(victim)
    await makeNewLink(victim)
    const own = await book('15:00', 'mallory@customer.example')
    await shop.owner.query('update public.bookings set customer_name = $1 where id = $2', [
      `See ${replaced}`,
      own,
    ])
    const sent = await confirm(own)
    const { text, html } = await markSent(sent)
    expect(text).toContain(await linkOf(own))
    expect(text + html).not.toContain(await linkOf(victim))
  })

  it('is not sent when the email address of the appointment was changed', async () => {
    const id = await book('13:30', 'dnaa@customer.example')
    const sent = await confirm(id)
    await shop.owner.query(`update public.bookings set customer_email = 'dana@customer.example'`)
    await makeNewLink(id)
    const { rowCount } = await shop.owner.query('select from public.claim_email($1)', [sent])
    expect(rowCount).toBe(0)
  })

  it('is sent unchanged when its text only resembles a link', async () => {
    const id = await book('13:30', 'dana@customer.example')
    const sent = await confirm(id)
    const odd = `/visit/${'_'.repeat(43)} /visit/${'é'.repeat(43)} /visit/x`
    await shop.owner.query('update public.emails set text_body = text_body || $1', [odd])
    expect((await markSent(sent)).text).toContain(odd)
  })
})
