import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkDatabase } from '#server/platform/health/check-database.ts'
import { type Database, openDatabase } from '@local/postgres'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

let shop: TestApp
const lines: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line) => void lines.push(line) },
  })
})
afterAll(() => shop.close())

/**
 * PostgreSQL's message for a full disk. The message names a file of the database, and no response is allowed to contain
 * that name.
 */
const message = 'could not extend file "base/5/16384": No space left on device'

/** Makes every insert into `table` fail with the SQLSTATE `code`. */
async function failInserts(table: string, code: string): Promise<void> {
  await shop.database.owner.query(`
    create or replace function public.fail_now() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '${code}', message = '${message}', detail = '${message}',
        hint = 'Check free disk space.'; end $$;
    drop trigger if exists fail_now on ${table};
    create trigger fail_now before insert on ${table} for each row execute function public.fail_now()`)
}

const allow = (table: string) =>
  shop.database.owner.query(`drop trigger if exists fail_now on ${table}`)

const sendRequest = (url: string, payload: object) =>
  shop.inject({ method: 'POST', url, headers: { apikey: shop.config.anonKey }, payload })

const quote = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  service_type: 'diagnostic',
  description: 'It rattles.',
  status: 'pending',
}

describe('a database outage', () => {
  it.each(['53100', '53200', '25006', '57P03', '58030', 'XX001'])(
    'makes the REST API return 503 with Retry-After, with the code %s as the only detail',
    async (code) => {
      await failInserts('public.quote_requests', code)
      const response = await sendRequest('/rest/v1/quote_requests', quote)
      await allow('public.quote_requests')
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
      expect(response.json()).toEqual({
        code: code.startsWith('57P') ? 'PGRST001' : code,
        message: expect.stringMatching(
          /^(The database is temporarily unavailable|Database client error)/,
        ) as string,
        details: null,
        hint: null,
      })
    },
  )

  it.each([
    ['/api/admin/login', testAdmin],
    ['/auth/v1/token?grant_type=password', { email: 'a@staff.example', password: 'wrong words' }],
    ['/functions/v1/send-confirmation-email', { type: 'quote' }],
  ])(
    'makes %s return 503 with Retry-After, without the name of a database file',
    async (url, payload) => {
      await failInserts('internal.rate_limits', '53100')
      const response = await sendRequest(url, payload)
      await allow('internal.rate_limits')
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
      expect(response.body).not.toMatch(/base|space/)
    },
  )

  it('is logged once, not once for each failed request', async () => {
    lines.length = 0
    await failInserts('internal.rate_limits', '53100')
    const { owner } = shop.database
    await owner.query('alter table public.services rename to services_away')
    for (let count = 0; count < 20; count += 1) await sendRequest('/api/admin/login', testAdmin)
    await owner.query('alter table public.services_away rename to services')
    await allow('internal.rate_limits')
    const failures = lines.filter((line) => line.includes('"level":"error"'))
    expect(failures.length).toBeLessThan(3)
  })

  it('is not reported while a booking can still be saved', async () => {
    expect(await checkDatabase(shop.database.database)).toBeUndefined()
  })

  it('is reported as read-only when the database accepts no changes', async () => {
    const { rows } = await shop.database.owner.query<{ name: string }>(
      'select current_database() as name',
    )
    const setReadOnly = (value: string) =>
      shop.database.owner.query(
        `alter database ${rows[0]?.name} set default_transaction_read_only = ${value}`,
      )
    await setReadOnly('on')
    const database = openDatabase(shop.database.url)
    expect(await checkDatabase(database)).toBe('read-only')
    await database.close()
    await setReadOnly('off')
  })

  it('is reported as unreachable when no database server responds', async () => {
    const none = openDatabase('postgres://nobody:nothing@127.0.0.1:1/none')
    expect(await checkDatabase(none)).toBe('unreachable')
    await none.close()
  })

  it('is not reported when only one connection of the pool is broken', async () => {
    const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    const transaction = vi
      .fn<Database['transaction']>()
      .mockRejectedValueOnce(broken)
      .mockResolvedValueOnce(undefined)
    expect(await checkDatabase({ transaction } as Partial<Database> as Database)).toBeUndefined()
    expect(transaction).toHaveBeenCalledTimes(2)
  })

  it('is detected by a query that writes to the disk of the database', async () => {
    const written = async () => {
      const { rows } = await shop.database.owner.query<{ bytes: string }>(
        'select temp_bytes as bytes from pg_stat_database where datname = current_database()',
      )
      return Number(rows[0]?.bytes)
    }
    const before = await written()
    await checkDatabase(shop.database.database)
    await expect.poll(written, { timeout: 15_000 }).toBeGreaterThan(before + 400_000)
  })
})
