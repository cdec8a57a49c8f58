import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { clients, createStaffRequests, workOneRound } from './simulated-staff.ts'
import { type ExpectedRecords, createExpectedRecords } from './expected-records.ts'
import { simulateVisitor } from './simulated-visitors.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { longTestAdmin, signIn } from '#tests/long/support/staff-client.ts'
import { readServices } from '#tests/long/support/visitor-client.ts'

const visitors = testSize('VISITORS', { short: 40, long: 1_000 })
const visitorCount = 20
/** The timeout is longer than usual, because the Stripe sandbox delivers the events of payments one after the other. */
const patiently = { timeout: 60_000 + visitors * 400 }

let database: TestDatabase
let mail: TestMailServer
let shop: ServerProcess
const day: ExpectedRecords = createExpectedRecords()
beforeAll(async () => {
  database = await createTestDatabase()
  // The simulated day takes only minutes, and all email addresses are at one domain, so the usual limits would refuse
  // the visitors.
  await database.owner.query(
    `update internal.visitor_email_limits set max_count = 10000 where name in ('domain', 'flagged', 'site');
     update internal.visitor_booking_limits set max_count = 10000 where name = 'site'`,
  )
  mail = await startMailServer()
  shop = await startServer({
    DATABASE_URL: database.ownerUrl,
    SMTP_URL: mail.url,
    // Lets the requests name a separate IP network for each visitor and each computer of the staff, because the server
    // enforces its rate limits.
    TRUST_PROXY: '127.0.0.1,::1',
    LOG_LEVEL: 'error',
    ...longTestAdmin,
  })
})
afterAll(async () => {
  await shop?.end()
  await mail?.stop()
  await database?.drop()
})

const column = async (sql: string) =>
  (await database.owner.query<{ value: string }>(sql)).rows.map(({ value }) => value).toSorted()
const sorted = (values: Iterable<string>) => [...values].toSorted()
/**
 * Returns the email addresses that received a message. If the mail server responds too late, the shop sends the message
 * again with the same Message-ID; the two copies count as one message.
 */
function received(): { addresses: string[]; copies: number } {
  const byId = new Map(
    mail.received.map(({ recipients, mail }) => [mail.messageId, recipients.join()]),
  )
  return {
    addresses: [...byId.values()].toSorted(),
    copies: mail.received.length - byId.size,
  }
}

describe(`a day with ${visitors} visitors`, () => {
  it('ends without an unexpected response', { timeout: 60_000 + visitors * 1_000 }, async () => {
    const services = await readServices(shop)
    const createClient = clients(shop.url)
    const staff = await signIn(createClient())
    const scene = {
      day,
      services,
      staffRequests: createStaffRequests(createClient, staff),
      random: seeded(2026),
    }
    const left = Array.from({ length: visitors }, (_, number) => number)
    const started = performance.now()
    const closing = new AbortController()
    const worker = async () => {
      for (let number = left.shift(); number !== undefined; number = left.shift()) {
        const address = `198.${18 + (Math.floor(number / 256) % 2)}.${number % 256}.${Math.floor(number / 512) + 1}`
        await simulateVisitor(scene, { url: shop.url, address }, number)
      }
    }
    const admin = async () => {
      do await workOneRound(createClient, staff, day)
      while (!closing.signal.aborted)
    }
    const working = admin()
    await Promise.all(Array.from({ length: visitorCount }, worker))
    closing.abort()
    await working
    const seconds = (performance.now() - started) / 1000
    expect(day.unexpected).toEqual([])
    expect(shop.output()).not.toMatch(/"level":"(error|fatal)"/)
    reportFigure(
      `${visitors} visitors in ${seconds.toFixed(0)} s: ${day.booked.size} booked (${day.tooLate} times booked by others meanwhile, ${day.gaveUp} gave up), ${day.quoteRequested.size} asked, ${day.paid.size} paid; ${day.quoteAnswered.size} quotes answered, ${day.completed.size} completed, ${day.cancelled.size} cancelled`,
    )
  })

  it('stores each acknowledged booking once, and no two bookings for the same time', async () => {
    expect(day.booked.size).toBeGreaterThan(0)
    expect(await column('select customer_email as value from bookings')).toEqual(sorted(day.booked))
    const of = (condition: string) =>
      column(`select customer_email as value from bookings where ${condition}`)
    expect(await of(`status = 'cancelled'`)).toEqual(sorted(day.cancelled))
    expect(await of('completed_at is not null')).toEqual(sorted(day.completed))
    const { rows } = await database.owner.query(
      `select a.id from bookings a join bookings b on a.id < b.id and a.occupied && b.occupied
       where a.status <> 'cancelled' and b.status <> 'cancelled'`,
    )
    expect(rows).toEqual([])
  })

  it('stores each quote request once, and marks the requests with a reply as completed', async () => {
    expect(await column('select email as value from quote_requests')).toEqual(
      sorted(day.quoteRequested),
    )
    expect(
      await column(`select email as value from quote_requests where status = 'completed'`),
    ).toEqual(sorted(day.quoteAnswered))
    expect(
      await column(
        'select recipient_email as value from quote_email_logs where sent_at is not null',
      ),
    ).toEqual(sorted(day.quoteAnswered))
  })

  it(
    'records each payment once with its exact amount, even if the customer never returned from the checkout',
    patiently,
    async () => {
      expect(day.paid.size).toBeGreaterThan(0)
      await vi.waitFor(
        async () =>
          expect(await column('select invoice_id as value from payments')).toHaveLength(
            day.paid.size,
          ),
        { timeout: patiently.timeout, interval: 250 },
      )
      const { rows } = await database.owner.query<{
        email: string
        cents: number
        kind: string
      }>(
        `select o.data ->> 'customer_email' as email, p.amount_cents as cents, p.kind
       from payments p join stripe_sandbox.objects o on o.id = p.invoice_id`,
      )
      expect(new Map(rows.map(({ email, cents }) => [email, cents]))).toEqual(day.paid)
      expect(rows.filter(({ kind }) => kind !== 'payment')).toEqual([])
      const cents = [...day.paid.values()].reduce((sum, one) => sum + one, 0)
      reportFigure(
        `payments and ledger agree: ${rows.length} payments, $${(cents / 100).toFixed(2)}`,
      )
    },
  )

  it('stores each email once, and delivers each email to the mail server', patiently, async () => {
    await vi.waitFor(
      async () =>
        expect(await column(`select id::text as value from emails where status <> 'sent'`)).toEqual(
          [],
        ),
      { timeout: patiently.timeout, interval: 250 },
    )
    const of = (kind: string) =>
      column(`select recipient_email as value from emails where kind = '${kind}'`)
    const expected = {
      booking_confirmation: sorted(day.bookingConfirmed),
      quote_confirmation: sorted(day.quoteConfirmed),
      quote_reply: sorted(day.quoteAnswered),
      payment_receipt: sorted(day.paid.keys()),
    }
    for (const [kind, addresses] of Object.entries(expected)) {
      expect({ kind, addresses: await of(kind) }).toEqual({ kind, addresses })
    }
    const everyone = Object.values(expected).flat().toSorted()
    const { addresses, copies } = received()
    expect(addresses).toEqual(everyone)
    reportFigure(
      `${everyone.length} emails expected, written and received, one by one (${day.confirmedLater} after a delay, ${copies} repeated under their Message-ID)`,
    )
  })
})

/** Returns a generator of random numbers that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
