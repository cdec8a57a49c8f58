import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { handleErrors } from './errors.ts'
import { logOptions, logPath, logRequests } from './request-log.ts'

type Line = Record<string, unknown>

describe('the log of requests', () => {
  const lines: string[] = []
  let shop: TestApp
  beforeAll(async () => {
    shop = await createTestApp({
      config: { logLevel: 'debug' },
      logStream: { write: (line) => void lines.push(line) },
    })
  })
  afterAll(() => shop.close())

  it('contains no personal data: no query, body, header, email address, IP address, password or token', async () => {
    const cookie = await shop.logIn()
    const client = await shop.createClient()
    await client.auth.signInWithPassword({
      email: 'admin@staff.torqueandtiming.example',
      password: testAdmin.password,
    })
    await client.from('bookings').insert({
      customer_name: 'Grace Hopper',
      customer_email: 'grace@customer.example',
      appointment_date: 'Grace Hopper',
    })
    await client.from('bookings').select('id').eq('customer_email', 'grace@customer.example')
    await shop.inject({ url: '/invoices/grace%40customer.example', remoteAddress: '192.0.2.77' })
    await shop.inject({
      url: '/api/admin/me?session=missing',
      headers: { cookie, 'user-agent': 'Grace/1.0' },
    })
    const text = lines.filter((line) => line.includes('reqId')).join('')
    expect(lines.length).toBeGreaterThan(5)
    for (const secret of [
      'grace',
      'Hopper',
      '192.0.2.77',
      '127.0.0.1',
      'session=missing',
      'eyJ',
      '?',
      testAdmin.password,
      cookie.replace('admin_session=', ''),
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('identifies each request by the id in its response', async () => {
    const response = await shop.inject('/api/admin/me')
    const line = lines
      .map((text) => JSON.parse(text) as Line)
      .find(({ reqId }) => reqId === response.headers['x-request-id'])
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/api/admin/me',
      status: 200,
      ms: expect.any(Number) as number,
    })
  })
})

describe('the log entry of a failure', () => {
  async function failWith(error: unknown): Promise<{ line: Line; status: number; body: string }> {
    const lines: string[] = []
    const site = Fastify(
      logOptions({ level: 'info', stream: { write: (line) => void lines.push(line) } }),
    )
    handleErrors(site)
    logRequests(site)
    site.get('/', () => {
      throw error as Error
    })
    const response = await site.inject('/?email=grace@customer.example')
    const failure = lines.map((text) => JSON.parse(text) as Line).find(({ err }) => err)
    return { line: failure ?? {}, status: response.statusCode, body: response.body }
  }

  it('contains the message and the stack, which the response does not contain', async () => {
    const { line, status, body } = await failWith(new Error('the disk is full'))
    expect(line).toMatchObject({
      level: 'error',
      err: { message: 'the disk is full', stack: expect.stringContaining('.ts') as string },
    })
    expect(status).toBe(500)
    expect(JSON.parse(body)).toEqual({
      ok: false,
      code: 'INTERNAL_ERROR',
      message: 'Something went wrong on our side. Please try again.',
      requestId: line['reqId'],
    })
  })

  it('names the violated constraint of the database without the values', async () => {
    const shop = await createTestApp()
    const failures = await Promise.all(
      [
        `insert into auth.users (email) values ('grace@customer.example'), ('grace@customer.example')`,
        `select 'grace@customer.example'::date`,
      ].map((sql) => shop.database.owner.query(sql).catch((error: unknown) => error)),
    )
    await shop.close()
    const [unique, invalid] = await Promise.all(failures.map(failWith))
    expect(unique?.line['err']).toMatchObject({ code: '23505', table: 'users' })
    expect(invalid?.line['err']).toMatchObject({ code: '22007' })
    expect(JSON.stringify([unique?.line, invalid?.line])).not.toContain('grace')
  })

  it('is accompanied by a 503 response while the database is unreachable', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const { status, body } = await failWith(refused)
    expect([status, JSON.parse(body)]).toEqual([
      503,
      expect.objectContaining({ ok: false, code: 'UNAVAILABLE' }),
    ])
  })
})

it.each([
  ['/api/invoice/lookup?number=1', '/api/invoice/lookup'],
  ['/x/someone@example.com/y', '/x/[…]/y'],
  ['/x/someone%40example.com', '/x/[…]'],
  [`/sandbox/receipt/${'a'.repeat(40)}`, '/sandbox/receipt/[…]'],
  [`/sandbox/invoice/${'a'.repeat(48)}/pdf`, '/sandbox/invoice/[…]/pdf'],
  ['/x/0b5c1e1e-9d76-4c13-8a0a-47e191c921eb', '/x/0b5c1e1e-9d76-4c13-8a0a-47e191c921eb'],
  ['/i/K7MT-4RWX-9BQZ', '/i/[…]'],
  ['/i/AAAAAAAAAAAAAAAAAAAAAA/pay', '/i/[…]/pay'],
  ['/a#b', '/a'],
])('the URL %s is logged as %s', (url, path) => {
  expect(logPath(url)).toBe(path)
})
