import { afterEach, afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  insertRow,
  refusalTo,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  // Sets the key that signs form tokens, as the server does at its start. The limits need the key to recognize the
  // client that sent a form.
  await shop.owner.query(
    `insert into internal.secrets (name, value) values ('form_key', repeat('k', 40))
     on conflict do nothing`,
  )
})
afterAll(() => shop.drop())
afterEach(() =>
  shop.owner.query(
    'delete from public.emails; delete from internal.visitor_emails; delete from public.quote_requests',
  ),
)

type TestEmail = { key: string; to: string; address?: string; isFlagged?: boolean }

/** Inserts a visitor's quote request and returns the confirmation email for the request. */
async function requestQuote({ key, to, address, isFlagged = false }: TestEmail): Promise<object> {
  const headers = { 'x-client-address-hash': address ?? key }
  await shop.database.transaction({ ...visitor, headers }, (query) =>
    insertRow(query, 'quote_requests', {
      name: 'Dana Whitfield',
      email: to,
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      description: key,
    }),
  )
  const { rows } = await shop.owner.query<{ id: string }>(
    'update public.quote_requests set flagged_reasons = $2 where description = $1 returning id',
    [key, isFlagged ? ['sent_too_fast'] : []],
  )
  return {
    kind: 'quote_confirmation',
    dedupe_key: key,
    recipient_email: to,
    recipient_name: '',
    subject: 's',
    html_body: 'h',
    text_body: 't',
    attachments: [],
    quote_request_id: rows[0]?.id,
  }
}

const queue = (message: object, isCapped = true) =>
  shop.database.transaction(asServer, async (query) => {
    const [row] = await query.unchecked<{ id: string | null }>(
      'select public.queue_visitor_email($1, $2) as id',
      [message, isCapped],
    )
    return row?.id ?? null
  })

const several = (count: number, email: (n: number) => Omit<TestEmail, 'key'>): TestEmail[] =>
  Array.from({ length: count }, (_, n) => ({ key: `letter ${n}`, ...email(n) }))

/** Queues all emails concurrently and returns how many the limits allowed. */
async function written(emails: TestEmail[]): Promise<number> {
  const messages = await Promise.all(emails.map(requestQuote))
  const ids = await Promise.all(messages.map((message) => queue(message)))
  const { rows } = await shop.owner.query<{ count: number }>(
    'select count(*)::int as count from public.emails',
  )
  const count = ids.filter((id) => id !== null).length
  expect(rows).toEqual([{ count }])
  return count
}

const names = ['dana', 'DANA', 'd.a.n.a', 'dana+tag', 'Da.Na+x', 'dana+', 'ｄana']

describe('emails that visitors trigger', () => {
  it.each([
    [
      'one Gmail mailbox in different spellings',
      10,
      several(14, (n) => ({ to: `${names[n % 7]}@gmail.com` })),
    ],
    [
      'one Gmail mailbox under both of Gmail’s domains',
      10,
      several(14, (n) => ({ to: `dana@g${n % 2 ? 'oogle' : ''}mail.com` })),
    ],
    [
      'one Proton mailbox under its aliases and domains',
      10,
      several(20, (n) => ({
        to: `dana+${n}@${['proton.me', 'protonmail.com', 'PM.me'][n % 3] ?? ''}`,
      })),
    ],
    [
      'one mailbox at another provider',
      10,
      several(14, (n) => ({ to: `dana+${n}@Mail.Acme.example` })),
    ],
    ['a domain with few customers', 30, several(36, (n) => ({ to: `p${n}@h${n}.acme.example` }))],
    [
      'one customer’s subdomain at a provider',
      30,
      several(36, (n) => ({ to: `p${n}@dana.fastmail.com` })),
    ],
    ['a domain below co.uk', 30, several(36, (n) => ({ to: `p${n}@h${n}.acme.co.uk` }))],
    ['many Gmail mailboxes', 36, several(36, (n) => ({ to: `p${n}@gmail.com` }))],
    ['many Proton mailboxes', 36, several(36, (n) => ({ to: `p${n}@pm.me` }))],
    ['a provider with few customers', 30, several(36, (n) => ({ to: `p${n}@yahoo.com` }))],
    [
      'different domains, from one client',
      20,
      several(24, (n) => ({ to: `p${n}@d${n}.example`, address: 'a' })),
    ],
    [
      'different domains, from flagged forms',
      20,
      several(30, (n) => ({ to: `p${n}@d${n}.example`, isFlagged: true })),
    ],
    ['different domains', 100, several(110, (n) => ({ to: `p${n}@d${n}.example` }))],
  ] as const)('to %s are limited to %d', async (_case, limit, emails) => {
    expect(await written([...emails])).toBe(limit)
  })

  it('are queued only once for each form', async () => {
    const message = await requestQuote({ key: 'one', to: 'dana@example.com' })
    const ids = await Promise.all(Array.from({ length: 9 }, () => queue(message)))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).not.toBeNull()
  })

  it('are limited per hour and per day, and emails that a limit refused do not count', async () => {
    const mails = several(14, () => ({ to: 'dana@example.com' }))
    expect(await written(mails)).toBe(10)
    const later = () =>
      shop.owner.query(
        `update internal.visitor_emails set created_at = created_at - interval '61 minutes'`,
      )
    await later()
    const more = Array.from({ length: 14 }, (_, n) =>
      requestQuote({ key: `more ${n}`, to: 'dana@example.com' }),
    )
    const ids = await Promise.all((await Promise.all(more)).map((message) => queue(message)))
    expect(ids.filter((id) => id !== null)).toHaveLength(10)
    await later()
    expect(await queue(await requestQuote({ key: 'last', to: 'dana@example.com' }))).toBeNull()
    await shop.owner.query(
      `update internal.visitor_emails set created_at = created_at - interval '1 day'`,
    )
    expect(
      await queue(await requestQuote({ key: 'next day', to: 'dana@example.com' })),
    ).not.toBeNull()
  })

  describe('emails that visitors trigger to one domain', () => {
    let serviceId: string
    beforeAll(async () => {
      serviceId = await addService(shop, 'Story, 30 minutes', 30)
    })
    afterEach(() => shop.owner.query(truncateTables('public.bookings')))

    /** Adds `count` customers with email addresses of one domain, each with a completed appointment. */
    const addCustomers = (count: number, domain: string, tag = '') =>
      shop.owner.query(
        `insert into public.bookings (service_id, appointment_date, appointment_time, customer_name, customer_email,
           customer_phone, duration_minutes, vehicle_year, vehicle_make, vehicle_model, status, completed_at, completed_by)
         select $1, date '2026-01-01' + nth, '13:00', 'Customer', 'c' || case $4 when '' then nth::text else $4 || nth end || '@' || $3,
           '555-0100', 30, '2019', 'Subaru', 'Outback', 'confirmed', now(), 'admin' from generate_series(1, $2::int) nth`,
        [serviceId, count, domain, tag],
      )

    it.each([
      ['ten email addresses: not limited', 10, 'yahoo.com', '', 36],
      ['nine email addresses: limited', 9, 'yahoo.com', '', 30],
      ['ten email addresses of another domain: limited', 10, 'yahoo.example', '', 30],
      ['ten spellings of one email address: limited', 10, 'yahoo.com', '+', 30],
    ] as const)(
      'are limited until ten email addresses of the domain have completed appointments – %s',
      async (_case, count, domain, tag, leave) => {
        await addCustomers(count, domain, tag)
        expect(await written(several(36, (n) => ({ to: `p${n}@yahoo.com` })))).toBe(leave)
      },
    )

    it('are still limited if the ten email addresses occur only in appointments of the sample week', async () => {
      await addCustomers(10, 'yahoo.com')
      expect(await written(several(36, (n) => ({ to: `p${n}@h${n}.yahoo.com` })))).toBe(30)
      await shop.owner.query(
        `delete from public.emails; delete from internal.visitor_emails; delete from public.quote_requests;
         update public.bookings set is_sample = true`,
      )
      expect(await written(several(36, (n) => ({ to: `q${n}@yahoo.com` })))).toBe(30)
    })
  })

  it('are not limited when the caller switches the limits off, as a load test does', async () => {
    for (const email of several(12, () => ({ to: 'dana@example.com' }))) {
      expect(await queue(await requestQuote(email), false)).not.toBeNull()
    }
  })

  it('are counted without storing an email address in the counters', async () => {
    await queue(await requestQuote({ key: 'one', to: 'dana@example.com', address: 'the client' }))
    const { rows } = await shop.owner.query<{ row: string }>(
      `select row::text from internal.visitor_emails row
       union all select row::text from internal.form_origins row`,
    )
    expect(rows).toHaveLength(2)
    for (const { row } of rows) expect(row).not.toMatch(/dana|example|client/)
  })

  it.each(['select public.queue_visitor_email($1)', 'select public.forms_sent_by($1)'])(
    'cannot be queued or read by a visitor with the statement %s',
    async (sql) => {
      const refusal = await refusalTo(shop.database, visitor, (query) => query.unchecked(sql, [{}]))
      expect(refusal.code).toBe('42501')
    },
  )
})
