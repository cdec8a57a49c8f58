import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, type OurBookshop } from '../conformance/bookshop.ts'

describe('the REST service', () => {
  let ours: OurBookshop

  beforeAll(async () => {
    ours = await openOurs()
  })
  afterAll(() => ours?.close())

  test('returns at most 1000 rows in a page, and a count that includes the rows of all pages', async () => {
    await ours.testDatabase.owner.query(
      `insert into settings (key) select 'many-' || n from generate_series(1, 1500) n`,
    )
    const page = await get('/settings?key=like.many-*&limit=5000', { prefer: 'count=exact' })
    expect(page.json()).toHaveLength(1000)
    expect(page.statusCode).toBe(206)
    expect(page.headers['content-range']).toBe('0-999/1500')
    const rest = await get('/settings?key=like.many-*&offset=1000')
    expect(rest.json()).toHaveLength(500)
  })

  test('refuses a body over 1 MB before parsing the body', async () => {
    const response = await post('/settings', { key: 'x'.repeat(1024 * 1024) })
    expect(response.statusCode).toBe(413)
    expect(response.json()).toMatchObject({ code: 'PGRST102' })
  })

  test('refuses a body over 128 KB from a visitor', async () => {
    const rows = Array.from({ length: 20_000 }, () => ({ key: 1 }))
    expect((await post('/settings', rows)).statusCode).toBe(413)
    expect((await post('/settings', { key: 'x'.repeat(100_000) })).statusCode).not.toBe(413)
  })

  test.each(['', '{', '"text"', '[1]', '[{"key":"a"},[]]', 'key=a'])(
    'refuses the body %j, which is no JSON object and no array of JSON objects',
    async (body) => {
      const response = await ours.app.inject({
        method: 'POST',
        url: '/rest/v1/settings',
        headers: { ...visitor, 'content-type': 'application/json' },
        payload: body,
      })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'PGRST102' })
    },
  )

  test('refuses a body with an unsupported content type', async () => {
    const response = await ours.app.inject({
      method: 'POST',
      url: '/rest/v1/settings',
      headers: { ...visitor, 'content-type': 'text/csv' },
      payload: 'key\na',
    })
    expect(response.statusCode).toBe(415)
    expect(response.json()).toMatchObject({ code: 'PGRST107' })
  })

  test('cancels a statement that takes too long, and serves later requests', async () => {
    const response = await post('/rpc/slow', { seconds: 30 })
    expect(response.json()).toMatchObject({ code: '57014' })
    expect((await get('/books?select=id&id=eq.1')).json()).toEqual([{ id: 1 }])
  })

  test('serves more different statements than the cache of prepared statements can contain', async () => {
    const columns = ['id', 'title', 'price', 'stock', 'slug', 'author_id', 'published', 'metadata']
    for (let shape = 1; shape < 256; shape += 1) {
      const select = columns.filter((_, index) => (shape >> index) & 1).join(',')
      const response = await get(`/books?select=${select}&id=eq.1`)
      expect(Object.keys(response.json<object[]>()[0] ?? {}).join(',')).toBe(select)
    }
  })

  test('executes a statement correctly after an execution of the same statement failed', async () => {
    expect((await get('/books?id=eq.1&price=gt.x')).statusCode).toBe(400)
    expect((await get('/books?id=eq.1&price=gt.0&select=id')).json()).toEqual([{ id: 1 }])
    expect((await get('/books?id=eq.1&price=gt.x')).statusCode).toBe(400)
    expect((await get('/books?id=eq.1&price=gt.0')).statusCode).toBe(200)
  })

  test('resets the settings of a request before the next request on the same connection', async () => {
    const { pool } = ours.testDatabase.database
    const settingsSql = `select current_user as role, current_setting('request.jwt.claims', true) as claims,
      current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as timeout`
    await Promise.all(Array.from({ length: 30 }, () => get('/books?limit=1')))
    const settings = await Promise.all(Array.from({ length: 10 }, () => pool.query(settingsSql)))
    for (const { rows } of settings) {
      expect(rows).toEqual([
        {
          role: 'rest_login',
          claims: expect.toBeOneOf(['', null]),
          read_only: 'off',
          timeout: '15s',
        },
      ])
    }
  })

  test('can read a new table after `notify pgrst`', async () => {
    await get('/books?limit=1')
    await ours.testDatabase.owner.query(
      `create table latecomers (id int); grant select on latecomers to anon; notify pgrst, 'reload schema'`,
    )
    await expect.poll(async () => (await get('/latecomers')).statusCode).toBe(200)
  })

  test('can read a table after a column was dropped, even without `notify pgrst`', async () => {
    await ours.testDatabase.owner.query(
      `create table shrinking (id int, extra int); insert into shrinking values (1, 2);
       grant select on shrinking to anon; notify pgrst, 'reload schema'`,
    )
    await expect.poll(async () => (await get('/shrinking')).json()).toEqual([{ id: 1, extra: 2 }])
    await ours.testDatabase.owner.query('alter table shrinking drop column extra')
    // After the failed request, the service reads the catalog again only if it last read the catalog some seconds ago.
    await expect
      .poll(async () => (await get('/shrinking')).json(), { timeout: 10_000 })
      .toEqual([{ id: 1 }])
  })

  test('refuses unsupported methods, paths and media types with the errors of PostgREST', async () => {
    const put = await ours.app.inject({
      method: 'PUT',
      url: '/rest/v1/books',
      headers: visitor,
      payload: '{}',
    })
    expect([put.statusCode, put.json()]).toMatchObject([405, { code: 'PGRST105' }])
    expect((await get('/')).json()).toMatchObject({ code: 'PGRST125' })
    expect((await get('/a/b/c')).json()).toMatchObject({ code: 'PGRST125' })
    const plan = await get('/books', { accept: 'application/vnd.pgrst.plan+json' })
    expect([plan.statusCode, plan.json()]).toMatchObject([415, { code: 'PGRST107' }])
  })

  const visitor = { authorization: `Bearer ${anonToken}` }
  const get = (path: string, headers: Record<string, string> = {}) =>
    ours.app.inject({ url: `/rest/v1${path}`, headers: { ...visitor, ...headers } })
  const post = (path: string, payload: object) =>
    ours.app.inject({ method: 'POST', url: `/rest/v1${path}`, headers: visitor, payload })
})
