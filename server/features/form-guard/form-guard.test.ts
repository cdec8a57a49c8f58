import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { deleteOldVisitorEmails } from '#server/features/emails/outbox/delete-old-visitor-emails.ts'
import { getSecret } from '#server/platform/database/secrets.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
} from '#tests/support/database/database-fixtures.ts'
import { signFormToken } from './form-tokens.ts'

let shop: TestApp
let key: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  key = await getSecret(shop.database.database, 'form_key')
})
afterAll(() => shop.close())

const minutesAgo = (minutes: number, secret = key) =>
  signFormToken(Date.now() - minutes * 60_000, secret)

const request = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: null,
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  service_type: null,
  description: 'It squeaks.',
  status: 'pending',
}

async function reasonsOf(headers: Record<string, string> | undefined): Promise<string[]> {
  const visitor: Identity = { role: 'anon', ...(headers && { headers }) }
  const description = randomBytes(6).toString('hex')
  await shop.database.database.transaction(visitor, (query) =>
    insertRow(query, 'quote_requests', { ...request, description }),
  )
  const { rows } = await shop.database.owner.query<{ flagged_reasons: string[] }>(
    'select flagged_reasons from public.quote_requests where description = $1',
    [description],
  )
  return rows[0]?.flagged_reasons ?? ['not stored']
}

describe('the spam protection of forms', () => {
  it('does not flag a form that was open for a minute before it was sent', async () => {
    expect(await reasonsOf({ 'x-form-token': minutesAgo(1), 'x-form-website': '' })).toEqual([])
  })

  it('stores and flags a form whose hidden field was filled in', async () => {
    const headers = { 'x-form-token': minutesAgo(1), 'x-form-website': 'https%3A%2F%2Fspam' }
    expect(await reasonsOf(headers)).toEqual(['hidden_field_filled'])
  })

  it.each([
    ['a form without headers', undefined, 'form_token_missing'],
    ['a form without a token', {}, 'form_token_missing'],
    ['an empty token', { 'x-form-token': '' }, 'form_token_missing'],
    ['a malformed token', { 'x-form-token': "'; drop table bookings --" }, 'form_token_invalid'],
    ['a line break at the end', () => `${minutesAgo(1)}\n`, 'form_token_invalid'],
    ['the signature of another key', () => minutesAgo(1, 'x'.repeat(40)), 'form_token_invalid'],
    [
      'a changed time',
      () => minutesAgo(600).replace(/^\d{13}/, String(Date.now() - 60_000)),
      'form_token_invalid',
    ],
    [
      'a wrong separator before the signature',
      () => minutesAgo(1).replace(/[.](?=\w{64}$)/, '-'),
      'form_token_invalid',
    ],
    ['a token from more than a day ago', () => minutesAgo(24 * 60 + 1), 'form_token_invalid'],
    ['a token from tomorrow', () => minutesAgo(-600), 'form_token_invalid'],
    ['a form that was opened just now', () => minutesAgo(0), 'sent_too_fast'],
  ] as const)('stores and flags %s', async (_case, given, reason) => {
    const headers = typeof given === 'function' ? { 'x-form-token': given() } : given
    expect(await reasonsOf(headers)).toEqual([reason])
  })

  it('flags a second form that uses the same token', async () => {
    const headers = { 'x-form-token': minutesAgo(1) }
    expect(await reasonsOf(headers)).toEqual([])
    expect(await reasonsOf(headers)).toEqual(['form_token_reused'])
  })

  it('flags a second form with the same token even after the booking or request of the first form was deleted', async () => {
    const { owner } = shop.database
    const headers = { 'x-form-token': minutesAgo(1) }
    expect(await reasonsOf(headers)).toEqual([])
    const { rows } = await owner.query<{ id: string }>(
      `delete from public.quote_requests where id = (
         select quote_request_id from internal.form_origins where token_digest = sha256(convert_to($1, 'UTF8')))
       returning id`,
      [headers['x-form-token']],
    )
    expect(rows).toHaveLength(1)
    const { rows: kept } = await owner.query(
      `select quote_request_id as record, address_digest as address from internal.form_origins
       where token_digest = sha256(convert_to($1, 'UTF8'))`,
      [headers['x-form-token']],
    )
    expect(kept).toEqual([{ record: null, address: null }])
    expect(await reasonsOf(headers)).toEqual(['form_token_reused'])
  })

  it("deletes the stored client address of a form without a token together with the form's quote request", async () => {
    const { owner } = shop.database
    const countOrigins = async () => {
      const { rows } = await owner.query<{ count: number }>(
        'select count(*)::int from internal.form_origins',
      )
      return rows[0]?.count ?? 0
    }
    const before = await countOrigins()
    await reasonsOf({})
    expect(await countOrigins()).toBe(before + 1)
    await owner.query(
      'delete from public.quote_requests where id = (select id from public.quote_requests order by created_at desc limit 1)',
    )
    expect(await countOrigins()).toBe(before)
  })

  it('flags a used token with a changed signature as invalid, not as reused', async () => {
    const token = minutesAgo(1)
    await shop.database.owner.query(
      `insert into internal.form_origins (token_digest, first_use) values (sha256(convert_to($1, 'UTF8')), true)`,
      [token.replace(/.$/, 'x')],
    )
    expect(await reasonsOf({ 'x-form-token': token.replace(/.$/, 'x') })).toEqual([
      'form_token_invalid',
    ])
  })

  it('does not flag a second form with the same token if the first form was refused', async () => {
    const headers = { 'x-form-token': minutesAgo(1) }
    const visitor: Identity = { role: 'anon', headers }
    await refusalTo(shop.database.database, visitor, (query) =>
      insertRow(query, 'quote_requests', { ...request, description: ' ' }),
    )
    expect(await reasonsOf(headers)).toEqual([])
  })

  it('checks the bookings of visitors, but not the bookings that staff enter', async () => {
    const { database, owner } = shop.database
    await setShopClock(owner, fixtureClock)
    const { rows: services } = await owner.query<{ id: string }>(
      `select id from public.services where name = 'Brake Job'`,
    )
    const row = bookingRow(services[0]?.id ?? '')
    await database.transaction({ role: 'anon' }, (query) => insertRow(query, 'bookings', row))
    await database.transaction(admin, (query) =>
      insertRow(query, 'bookings', { ...row, appointment_time: '17:30:00' }),
    )
    const { rows } = await owner.query(
      'select appointment_time::text as time, flagged_reasons as reasons from public.bookings order by 1',
    )
    expect(rows).toEqual([
      { time: '13:30:00', reasons: ['form_token_missing'] },
      { time: '17:30:00', reasons: [] },
    ])
  })

  it('removes the flag from a quote request only when staff complete the request', async () => {
    const { database, owner } = shop.database
    const { rows: added } = await owner.query<{ id: string }>(
      `insert into public.quote_requests
         (name, email, vehicle_year, vehicle_make, vehicle_model, description, flagged_reasons)
       values ('Dana', 'dana@example.com', '2019', 'Subaru', 'Outback', 'Squeaks.', '{form_token_missing}')
       returning id`,
    )
    const marksAfter = async (status: string) => {
      const [row] = await database.transaction(admin, (query) =>
        query.unchecked<{ flagged_reasons: string[]; looks_automated: boolean }>(
          `update public.quote_requests set status = $1 where id = $2
           returning flagged_reasons, looks_automated`,
          [status, added[0]?.id],
        ),
      )
      return row
    }
    expect(await marksAfter('pending')).toEqual({
      flagged_reasons: ['form_token_missing'],
      looks_automated: true,
    })
    expect(await marksAfter('completed')).toEqual({ flagged_reasons: [], looks_automated: false })
  })

  it('issues tokens that the database accepts when supabase-js submits a form', async () => {
    const response = await shop.inject({ url: '/api/form-token' })
    const { ok, token } = response.json<{ ok: boolean; token: string }>()
    expect({ ok, cache: response.headers['cache-control'] }).toEqual({
      ok: true,
      cache: 'no-store',
    })
    const client = await shop.createClient()
    const description = 'through the client'
    const insert = client.from('quote_requests').insert({ ...request, description })
    const { error } = await insert.setHeader('x-form-token', token).setHeader('x-form-website', '')
    expect(error).toBeNull()
    const { rows } = await shop.database.owner.query(
      'select flagged_reasons from public.quote_requests where description = $1',
      [description],
    )
    // The test sends the form within a second, which the spam protection flags as too fast for a human.
    expect(rows).toEqual([{ flagged_reasons: ['sent_too_fast'] }])
  })

  it('does not let visitors read the key that signs form tokens, or call the database functions of the spam protection', async () => {
    const { database } = shop.database
    for (const sql of [
      'select value from internal.secrets',
      'select * from internal.form_origins',
      `select internal.record_form('{}', null, null, null, false)`,
      `select internal.hmac_sha256('a', 'b')`,
    ]) {
      const refusal = await refusalTo(database, { role: 'anon' }, (query) => query.unchecked(sql))
      expect({ sql, code: refusal.code }).toEqual({ sql, code: '42501' })
    }
  })

  it('deletes used tokens after 26 hours, and not after 24 hours', async () => {
    const { database, owner } = shop.database
    const countAfter = async (hours: number) => {
      await owner.query(
        'update internal.form_origins set created_at = now() - make_interval(hours => $1)',
        [hours],
      )
      await deleteOldVisitorEmails(database)
      const { rows } = await owner.query<{ count: number }>(
        'select count(*)::int from internal.form_origins where first_use',
      )
      return rows[0]?.count
    }
    expect(await countAfter(24)).toBeGreaterThan(0)
    expect(await countAfter(26)).toBe(0)
  })
})

describe('the HMAC function of the database', () => {
  it.each([1, 20, 63, 64, 65, 200])(
    'returns the same value as node:crypto for a key of %d bytes',
    async (size) => {
      const secret = randomBytes(size).toString('hex').slice(0, size)
      const message = `1764000000000.${randomBytes(8).toString('hex')}`
      const { rows } = await shop.database.owner.query<{ mac: string }>(
        `select encode(internal.hmac_sha256($1, $2), 'hex') as mac`,
        [message, secret],
      )
      expect(rows[0]?.mac).toBe(createHmac('sha256', secret).update(message).digest('hex'))
    },
  )
})
