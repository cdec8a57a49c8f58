import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'
import { costOf } from './parse/cost.ts'
import { parsePayload } from './parse/payload.ts'
import { parseQuery } from './parse/query.ts'

const repeat = (text: string, times: number) => Array.from({ length: times }, () => text).join(',')
const aliased = (column: string, times: number) =>
  Array.from({ length: times }, (_, n) => `a${n}:${column}`).join(',')

describe('the cost of a request', () => {
  const cost = (search: string) => costOf(parseQuery(search), 0)

  test('is one plus the number of columns, conditions, order terms and steps in JSON paths', () => {
    expect(cost('select=id,title&id=eq.1&order=id')).toBe(5)
    expect(cost('select=metadata->a->b&metadata->c=eq.1&order=metadata->d')).toBe(8)
    expect(cost('or=(a.eq.1,and(b.eq.2,c->d.eq.3))')).toBe(1 + 1 + 1 + 1 + 1 + 2)
    expect(cost('columns=a,b&on_conflict=c')).toBe(4)
  })

  test('adds 15 for each embed, in addition to the columns, conditions and order terms of the embed', () => {
    expect(cost('select=id,books(id,title)&books.order=id&books.id=gt.1')).toBe(1 + 15 + 2 + 2 + 1)
    expect(cost('select=books(authors(books(id)))')).toBe(15 * 3 + 1)
  })

  test('increases with the length of the URL and of the body', () => {
    expect(costOf(parseQuery(''), 1_000)).toBe(1 + 10)
    const text = JSON.stringify({ a: 'x'.repeat(20_000), b: 1 })
    expect(costOf(parseQuery(''), 0, parsePayload(text, undefined))).toBe(1 + 2 + 5)
  })
})

describe('the cost limit of a request', () => {
  let ours: OurBookshop
  let sent: string[] = []

  beforeAll(async () => {
    ours = await openOurs((sql) => sent.push(sql))
  })
  afterAll(() => ours?.close())

  const get = (path: string, token = anonToken) => {
    sent = []
    return ours.app.inject({
      url: `/rest/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
    })
  }
  const post = (path: string, payload: object | string, token = anonToken) => {
    sent = []
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return ours.app.inject({ method: 'POST', url: `/rest/v1${path}`, headers, payload })
  }

  test.each([
    ['columns', `/books?select=${aliased('id', 101)}`],
    ['orders', `/books?select=id&order=${repeat('id', 60)}`],
    ['steps into JSON', `/books?select=id&order=${repeat('metadata->a', 40)}`],
    ['one long path', `/books?select=id,metadata${'->a'.repeat(120)}`],
    ['conditions', `/books?select=id&or=(${repeat('id.eq.1', 101)})`],
    ['parameters', `/books?select=id${'&id=gt.0'.repeat(101)}`],
    ['embeds', `/authors?select=${aliased('books!author_id(id)', 7)}`],
    ['columns to write', `/settings?columns=${repeat('key', 120)}`],
    ['characters', `/books?id=in.(${repeat('123456789', 1_100)})`],
  ])('refuses a request with too many %s before a statement is built', async (_what, path) => {
    const response = await get(path)
    expect([response.statusCode, sent]).toEqual([400, []])
    expect(response.json()).toMatchObject({
      code: 'PGRST100',
      message: 'The request is too costly',
      details: expect.stringMatching(/^It costs \d+ units; the maximum is 100\.$/),
    })
  })

  test('is five times as high for a signed-in user as for a visitor', async () => {
    const wide = `/books?select=${aliased('id', 300)}`
    expect((await get(wide)).statusCode).toBe(400)
    expect((await get(wide, readerToken)).statusCode).toBe(200)
    const wider = await get(`/books?select=${aliased('id', 501)}`, readerToken)
    expect([wider.statusCode, sent]).toEqual([400, []])
  })

  test('also applies to the arguments of a function and to the keys of a row', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, n]))
    for (const path of ['/rpc/add_numbers', '/settings']) {
      const response = await post(path, many)
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
        400,
        'PGRST100',
      ])
    }
  })

  test('refuses a parameter name that would take long to parse', async () => {
    const response = await get(`/books?${'"\\'.repeat(2_000)}=eq.1`)
    expect([response.statusCode, sent]).toEqual([400, []])
    expect(response.json()).toMatchObject({ message: 'The name of a query parameter is too long' })
  })

  test('refuses a body with too many levels of nesting', async () => {
    const deep = `{"payload":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    const response = await post('/rpc/echo', deep)
    expect([response.statusCode, sent]).toEqual([400, []])
    expect(response.json()).toMatchObject({ code: 'PGRST102' })
    expect((await post('/rpc/echo', { payload: [[[[[[[[1]]]]]]]] })).statusCode).toBe(200)
  })

  test('allows a visitor to insert one row in each request, and a signed-in user several', async () => {
    const rows = [{ key: 'batch-1' }, { key: 'batch-2' }]
    const response = await post('/settings', rows)
    expect([response.statusCode, sent]).toEqual([400, []])
    expect(response.json()).toMatchObject({ message: 'Visitors may send one row at a time' })
    expect((await post('/settings', [{ key: 'batch-3' }])).statusCode).toBe(201)
    expect((await post('/settings', rows, readerToken)).statusCode).toBe(201)
  })
})
