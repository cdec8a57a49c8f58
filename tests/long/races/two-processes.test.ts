import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { sqlFolder } from '#server/platform/database/migrations.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { type LoadBalancer, startLoadBalancer } from '#tests/long/support/load-balancer.ts'
import { fixFormKey } from '#tests/long/support/fixed-form-key.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { longTestAdmin, signIn } from '#tests/long/support/staff-client.ts'
import {
  sendRequest,
  book,
  confirmBooking,
  readServices,
  type Service,
  upcomingSlots,
} from '#tests/long/support/visitor-client.ts'

const emailCount = testSize('EMAILS', { short: 12, long: 60 })

const { ownerUrl: serverUrl } = inject('testServer')
const name = `shop_two_${randomBytes(6).toString('hex')}`
const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href

let server: pg.Pool
let owner: pg.Pool
let mail: TestMailServer
let shops: ServerProcess[] = []
let balancer: LoadBalancer
let service: Service
beforeAll(async () => {
  server = openPool(serverUrl, 1)
  await server.query(`create database ${name}`)
  owner = openPool(databaseUrl, 2)
  mail = await startMailServer()
  const start = () =>
    startServer({
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: 'http://localhost',
      TRUST_PROXY: '127.0.0.1,::1',
      SMTP_URL: mail.url,
      LOG_LEVEL: 'error',
      ...longTestAdmin,
    })
  // Starts both processes of the shop at the same moment, on an empty database.
  shops = await Promise.all([start(), start()])
  balancer = await startLoadBalancer(
    0,
    shops.map(({ url }) => url),
  )
  service = (await readServices(balancer))[0] as Service
  await fixFormKey(databaseUrl)
  // All customers of this test have email addresses of one domain and act within minutes; the usual limits would refuse
  // them.
  await owner.query(
    `update internal.visitor_email_limits set max_count = 1000 where name = 'domain';
     update internal.visitor_booking_limits set max_count = 1000`,
  )
})
afterAll(async () => {
  await balancer?.close()
  await Promise.all(shops.map((shop) => shop.end()))
  await mail?.stop()
  await owner?.end()
  await server.query(`drop database if exists ${name} with (force)`)
  await server.end()
})

const count = async (sql: string) =>
  (await owner.query<{ count: number }>(`select count(*)::int as count from ${sql}`)).rows[0]?.count

/** Returns the IP address of the nth visitor. Each visitor is in another IP network. */
const addressOf = (n: number) => `198.18.${n}.1`
const visitorFrom = (n: number) => ({ url: balancer.url, address: addressOf(n) })

describe('two processes on one database', () => {
  it('migrate and seed the database once when they start at the same time', async () => {
    const migrations = readdirSync(join(sqlFolder, 'migrations'))
    expect(await count('supabase_migrations.schema_migrations')).toBe(migrations.length)
    expect(await count('(select from services group by name having count(*) > 1)')).toBe(0)
    expect(await count('auth.users')).toBe(1)
  })

  it('both receive requests from the proxy', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => sendRequest(balancer, 'GET', '/healthz')),
    )
    expect(new Set(responses.map(({ headers }) => headers.get('x-target'))).size).toBe(2)
  })

  it('share sign-in sessions and sign-outs', async () => {
    const [first, second] = shops as [ServerProcess, ServerProcess]
    const staff = await signIn(first)
    const me = async (shop: ServerProcess) =>
      (await sendRequest(shop, 'GET', '/api/admin/me', undefined, { cookie: staff.cookie })).json()
    const bookings = (shop: ServerProcess) =>
      sendRequest(shop, 'GET', '/rest/v1/bookings?limit=1', undefined, {
        authorization: staff.authorization,
      })
    expect(await me(second)).toMatchObject({ ok: true })
    expect((await bookings(second)).status).toBe(200)
    await sendRequest(second, 'POST', '/api/admin/logout', {}, { cookie: staff.cookie })
    expect(await me(first)).toMatchObject({ ok: false })
    expect((await bookings(first)).status).toBe(401)
  })

  it('share the limit on the forms of one visitor', async () => {
    const slots = upcomingSlots(service.duration_minutes)
    const outcomes = await Promise.all(
      slots
        .slice(0, 16)
        .map((slot, n) => book(visitorFrom(1), service, slot, `one${n}@example.com`)),
    )
    const booked = outcomes.filter(({ status }) => status === 201)
    const refused = outcomes.filter(({ status }) => status === 429)
    expect([booked.length, refused.length]).toEqual([10, 6])
  })

  it('send each email once when both receive the request', { timeout: 60_000 }, async () => {
    const slots = upcomingSlots(service.duration_minutes).slice(20, 20 + emailCount)
    const emails = slots.map((_, n) => `letter${n}@example.com`)
    await Promise.all(
      slots.map((slot, n) => book(visitorFrom(10 + n), service, slot, emails[n] ?? '')),
    )
    mail.setMood('is-busy')
    const refused = await Promise.all(
      slots.flatMap((slot, n) =>
        shops.map(({ url }) =>
          confirmBooking({ url, address: addressOf(10 + n) }, service, slot, emails[n] ?? ''),
        ),
      ),
    )
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 502))
    expect(await count(`emails where status = 'retrying'`)).toBe(emailCount)
    mail.setMood('takes')
    await owner.query('update emails set next_attempt_at = now()')
    // Each request wakes the mailer of the process that responds. The scheduled job of the process sends emails as
    // well.
    await Promise.all(
      shops.flatMap((shop) => [1, 2].map(() => sendRequest(shop, 'GET', '/api/form-token'))),
    )
    await vi.waitFor(async () => expect(await count(`emails where status <> 'sent'`)).toBe(0), {
      timeout: 40_000,
      interval: 250,
    })
    const received = mail.received.map(({ recipients }) => recipients.join()).toSorted()
    expect(received).toEqual(emails.toSorted())
    reportFigure(
      `${emailCount} emails through two processes and a busy mail server: each delivered once`,
    )
  })

  it('show a changed setting on the pages of both', async () => {
    await owner.query(`update public.shop set name = 'Camshaft & Co'`)
    await vi.waitFor(async () => {
      for (const { url } of shops) {
        expect(await (await fetch(url)).text()).toContain('Camshaft &amp; Co')
      }
    }, 10_000)
  })
})
