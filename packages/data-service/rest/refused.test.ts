import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'

// Tables and functions for features of PostgREST that this REST API does not implement. A request that needs such a
// feature must fail instead of returning other data.
const fixture = `
  create domain colour as int;
  create function json(colour) returns json language sql immutable return to_json(to_hex($1));
  create cast (colour as json) with function json(colour) as implicit;
  create table paints (id int primary key, shade colour);
  create domain "image/png" as bytea;
  create function picture() returns "image/png" language sql immutable return ''::bytea::"image/png";
  create table charts (id int primary key);
  create domain "text/csv" as text;
  create function add_line(line "text/csv", chart charts) returns "text/csv" language sql immutable
    return (line || chart.id)::"text/csv";
  create aggregate as_lines (charts) (sfunc = add_line, stype = "text/csv", initcond = '');
  create function sum_of(variadic numbers int[]) returns bigint language sql immutable
    begin atomic select sum(n) from unnest(numbers) n; end;
  grant all on paints, charts to anon, authenticated;
  grant execute on function picture, sum_of to anon;
  notify pgrst`.replaceAll('function json(', 'function "json"(')

describe('features of PostgREST that are not implemented', () => {
  let ours: OurBookshop

  beforeAll(async () => {
    ours = await openOurs()
    await ours.testDatabase.owner.query(fixture)
  })
  afterAll(() => ours?.close())

  test.each([
    { path: '/paints' },
    { path: '/paints?select=shade' },
    { path: '/paints?select=id&shade=eq.ff' },
    { path: '/paints?select=id&order=shade' },
    { path: '/paints', method: 'POST', payload: { id: 1, shade: 2 } },
    { path: '/rpc/picture' },
    { path: '/charts', accept: 'text/csv' },
    { path: '/rpc/sum_of?numbers=1&numbers=2' },
    { path: '/books', prefer: 'params=single-object' },
    { path: '/books?title=match.(x{0,250}){0,60}$' },
    { path: '/books?or=(id.eq.1,title.not.imatch.a)' },
    { path: '/authors?select=id,books!author_id(id)&books.title=match.a' },
  ])('cause the error PGRST127 for $path $accept $prefer', async ({ path, method, ...more }) => {
    const response = await sendRequest(path, {
      method: method === 'POST' ? method : 'GET',
      ...more,
    })
    expect(response.json()).toMatchObject({ code: 'PGRST127' })
  })

  test('do not affect other requests to the same tables', async () => {
    expect((await sendRequest('/paints?select=id')).statusCode).toBe(200)
    expect((await sendRequest('/charts')).statusCode).toBe(200)
    expect(
      (await sendRequest('/books?title=match.^A&select=id', { token: readerToken })).json(),
    ).toEqual([{ id: 1 }])
  })

  test('include OPTIONS requests, except preflight requests of browsers', async () => {
    const method = 'OPTIONS' as const
    const preflight = await sendRequest('/books', {
      method,
      'access-control-request-method': 'GET',
    })
    expect(preflight.statusCode).toBe(204)
    expect((await sendRequest('/books', { method })).json()).toMatchObject({ code: 'PGRST125' })
  })

  function sendRequest(
    path: string,
    {
      method = 'GET',
      payload,
      token = anonToken,
      ...headers
    }: {
      method?: 'GET' | 'POST' | 'OPTIONS'
      payload?: object
      token?: string
      [header: string]: unknown
    } = {},
  ) {
    return ours.app.inject({
      method,
      url: encodeURI(`/rest/v1${path}`).replaceAll('%25', '%'),
      headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
      ...(payload ? { payload } : {}),
    })
  }
})
