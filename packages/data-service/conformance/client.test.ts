import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, openPostgrest, readerToken, type Bookshop } from './bookshop.ts'
import { findPostgrest } from './oracle.ts'

const binary = findPostgrest()

const noBinary = 'skipped: no PostgREST binary for this platform'

describe.each([{ name: 'our data service', open: () => openOurs() }])('$name', ({ open }) => {
  passesTheSuite(open)
})
describe
  .skipIf(!binary)
  .each([{ name: binary ? 'PostgREST' : noBinary, open: () => openPostgrest(binary ?? '') }])(
  '$name',
  ({ open }) => {
    passesTheSuite(open)
  },
)

/** Defines the tests with supabase-js that both this REST API and PostgREST must pass. */
function passesTheSuite(open: () => Promise<Bookshop>): void {
  let bookshop: Bookshop
  let client: SupabaseClient
  let reader: SupabaseClient

  beforeAll(async () => {
    bookshop = await open()
    client = connect(bookshop, anonToken)
    reader = connect(bookshop, readerToken)
  })
  afterAll(() => bookshop?.close())

  test('supabase-js selects, filters, orders and limits rows', async () => {
    const { data, error } = await client
      .from('books')
      .select('id, title')
      .gte('price', 8)
      .neq('id', 2)
      .order('price', { ascending: false })
      .limit(1)
    expect(error).toBeNull()
    expect(data).toEqual([{ id: 3, title: 'Camshaft' }])
  })

  test('a request applies every kind of filter that supabase-js has', async () => {
    const ids = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
      (await query).data?.map(({ id }) => id)
    const books = () => client.from('books').select('id').order('id')
    expect(await ids(books().in('title', ['Camshaft', 'Brake Fluid']))).toEqual([2, 3])
    expect(await ids(books().is('editor_id', null))).toEqual([2, 4])
    expect(await ids(books().not('editor_id', 'is', null))).toEqual([1, 3])
    expect(await ids(books().or('id.eq.1,and(stock.gt.5,price.eq.20)'))).toEqual([1, 3])
    expect(await ids(books().ilike('title', '%FLUID'))).toEqual([2])
    expect(await ids(books().match({ author_id: 1, stock: 0 }))).toEqual([2])
    expect(await ids(books().filter('metadata->>isbn', 'eq', '4-4'))).toEqual([4])
    const authors = () => client.from('authors').select('id').order('id')
    expect(await ids(authors().contains('tags', ['crime', 'noir']))).toEqual([1])
    expect(await ids(authors().overlaps('tags', ['poetry', 'c d']))).toEqual([2, 4])
    expect(await ids(authors().contains('profile', { city: 'Rome' }))).toEqual([2])
  })

  test('a request embeds to-one, to-many and many-to-many relations, including nested ones', async () => {
    const { data, error } = await client
      .from('books')
      .select(
        'title, writer:authors!author_id(name, author_details(biography)), genres(name), reviews(rating)',
      )
      .order('rating', { referencedTable: 'reviews' })
      .order('name', { referencedTable: 'genres' })
      .eq('id', 1)
    expect(error).toBeNull()
    expect(data).toEqual([
      {
        title: 'Angle of Attack',
        writer: { name: 'Ada Archer', author_details: { biography: 'Writes at night.' } },
        genres: [{ name: 'Crime' }, { name: 'Technical' }],
        reviews: [{ rating: 2 }, { rating: 5 }],
      },
    ])
  })

  test('a request with an inner join omits rows that have no related row', async () => {
    const { data } = await client
      .from('authors')
      .select('id, books!author_id!inner(id)')
      .gt('books.price', 10)
      .order('id')
    expect(data).toEqual([
      { id: 1, books: [{ id: 1 }] },
      { id: 2, books: [{ id: 3 }] },
    ])
  })

  test('a request returns the number of rows, either with the rows or alone', async () => {
    const some = await client.from('books').select('id', { count: 'exact' }).order('id').range(1, 2)
    expect(some).toMatchObject({ status: 206, count: 4, data: [{ id: 2 }, { id: 3 }] })
    const none = await client
      .from('books')
      .select('*', { count: 'exact', head: true })
      .eq('author_id', 1)
    expect(none).toMatchObject({ status: 200, count: 2, data: null })
    const planned = await client.from('books').select('*', { count: 'planned', head: true })
    expect(planned.count).toBeGreaterThan(0)
    const estimated = await client.from('books').select('*', { count: 'estimated', head: true })
    expect(estimated.count).toBe(4)
  })

  test('single and maybeSingle of supabase-js return one row, or an error for several rows', async () => {
    const one = await client.from('books').select('id').eq('id', 1).single()
    expect(one.data).toEqual({ id: 1 })
    const none = await client.from('books').select('id').eq('id', 99).single()
    expect(none).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    })
    const maybe = await client.from('books').select('id').eq('id', 99).maybeSingle()
    expect(maybe).toMatchObject({ data: null, error: null })
    const many = await client.from('books').select('id').maybeSingle()
    expect(many.error?.code).toBe('PGRST116')
  })

  test('a request inserts one or several rows, with and without returning the rows', async () => {
    const silent = await client.from('settings').insert({ key: 'one' })
    expect(silent).toMatchObject({ status: 201, data: null, error: null })
    const response = await reader
      .from('settings')
      .insert([{ key: 'two', weight: 2 }, { key: 'three' }], { defaultToNull: false })
      .select()
    expect(response.data).toEqual([
      { key: 'two', value: 'unset', weight: 2 },
      { key: 'three', value: 'unset', weight: 5 },
    ])
    const single = await client.from('settings').insert({ key: 'four' }).select('key').single()
    expect(single.data).toEqual({ key: 'four' })
  })

  test('a request upserts rows by the primary key and by a named constraint', async () => {
    const merged = await client.from('settings').upsert({ key: 'colour', value: 'blue' }).select()
    expect(merged.data).toEqual([{ key: 'colour', value: 'blue', weight: 1 }])
    const ignored = await client
      .from('settings')
      .upsert({ key: 'colour', value: 'green' }, { ignoreDuplicates: true, onConflict: 'key' })
    expect(ignored.error).toBeNull()
    const { data } = await client.from('settings').select('value').eq('key', 'colour').single()
    expect(data).toEqual({ value: 'blue' })
  })

  test('a request updates and deletes only the rows that match its filter', async () => {
    const updated = await client
      .from('settings')
      .update({ weight: 8 }, { count: 'exact' })
      .eq('key', 'size')
    expect(updated).toMatchObject({ status: 204, count: 1 })
    const shown = await client
      .from('settings')
      .update({ weight: 9 })
      .eq('key', 'size')
      .select('weight')
      .single()
    expect(shown.data).toEqual({ weight: 9 })
    const deleted = await client.from('settings').delete().eq('key', 'size').select('key')
    expect(deleted.data).toEqual([{ key: 'size' }])
    const again = await client.from('settings').delete({ count: 'exact' }).eq('key', 'size')
    expect(again).toMatchObject({ status: 204, count: 0 })
  })

  test('a write that should change a single row but changes several is rolled back', async () => {
    const { error } = await client
      .from('reviews')
      .update({ rating: 1 })
      .gt('rating', 0)
      .select()
      .single()
    expect(error?.code).toBe('PGRST116')
    const { data } = await client.from('reviews').select('id').eq('rating', 1)
    expect(data).toEqual([])
  })

  test('a procedure can be called with POST and with GET', async () => {
    expect((await client.rpc('add_numbers', { a: 2, b: 3 })).data).toBe(5)
    expect((await client.rpc('add_numbers', { a: 2 }, { get: true })).data).toBe(4)
    const rows = await client
      .rpc('books_above', { minimum: 8 })
      .select('title')
      .order('title')
      .limit(1)
    expect(rows.data).toEqual([{ title: 'Angle of Attack' }])
    expect((await client.rpc('book_stats').eq('titles', 2)).error?.code ?? 'served').toMatch(
      /served|42703/,
    )
    expect(await client.rpc('restock', { book_id: 2 })).toMatchObject({
      status: 204,
      data: null,
      error: null,
    })
    expect((await client.rpc('sum_all', { numbers: [1, 2, 3] })).data).toBe(6)
    expect((await client.rpc('one_book', { book_id: 3 })).data).toMatchObject({
      title: 'Camshaft',
    })
  })

  test('an error has a code, a message, details and a hint', async () => {
    const duplicate = await client.from('books').insert({ id: 70, title: 'Camshaft', author_id: 1 })
    expect(duplicate).toMatchObject({
      status: 409,
      error: { code: '23505', details: 'Key (title)=(Camshaft) already exists.', hint: null },
    })
    const raised = await client.rpc('fail_with', {
      state: 'TT001',
      words: 'Taken',
      detail: 'd',
      advice: 'h',
    })
    expect(raised).toMatchObject({
      status: 400,
      error: { code: 'TT001', message: 'Taken', details: 'd', hint: 'h' },
    })
    const overlap = await client
      .from('rooms')
      .insert({ during: '[2024-01-01 10:30,2024-01-01 10:45)' })
    expect(overlap).toMatchObject({ status: 400, error: { code: '23P01' } })
  })

  test('a request returns only the rows that row-level security allows the caller to read', async () => {
    expect((await client.from('diary').select('entry')).data).toEqual([])
    expect((await reader.from('diary').select('entry')).data).toEqual([{ entry: 'canary-diary-1' }])
    expect(await client.from('vault').select()).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
    expect(await reader.from('vault').select()).toMatchObject({
      status: 403,
      error: { code: '42501' },
    })
    const disallowed = await reader.from('diary').insert({ id: 9, owner: 'user-2', entry: 'x' })
    expect(disallowed).toMatchObject({ status: 403, error: { code: '42501' } })
  })

  test('a visitor can insert rows into a table that visitors cannot read', async () => {
    const left = await client.from('mailbox').insert({ message: 'Hello' })
    expect(left).toMatchObject({ status: 201, error: null })
    const shown = await client.from('mailbox').insert({ message: 'Hello' }).select()
    expect(shown).toMatchObject({ status: 401, error: { code: '42501' } })
  })

  test('a procedure can read the role, the token claims and the headers of the request', async () => {
    const { data } = await reader.rpc('who_am_i', {}, { get: true }).setHeader('x-custom', 'abc')
    expect(data).toEqual({
      role: 'authenticated',
      claims: { role: 'authenticated', sub: 'user-1' },
      token: 'abc',
      read_only: 'on',
    })
  })

  test('a response contains all digits of large numbers', async () => {
    const response = await fetch(
      `${bookshop.restUrl}/moods?select=lower_limit,ratio&id=lte.2&order=id`,
      {
        headers: { authorization: `Bearer ${anonToken}` },
      },
    )
    expect(await response.text()).toContain('"lower_limit":9007199254740993')
  })
}

function connect(bookshop: Bookshop, token: string): SupabaseClient {
  // The client sends requests to /rest/v1, but PostgREST serves tables at its root, so this function removes the path
  // prefix.
  const served = (url: RequestInfo | URL, init?: RequestInit) =>
    fetch(new Request(url, init).url.replace('http://site.test/rest/v1', bookshop.restUrl), init)
  return createClient('http://site.test', token, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: served },
  })
}
