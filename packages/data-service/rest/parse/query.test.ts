import { describe, expect, test } from 'vitest'
import { Refusal } from '../response/refusal.ts'
import { parseQuery } from './query.ts'

const column = (name: string) => ({ column: name, path: [] })
const parse = (search: string) => parseQuery(search).root

describe('select', () => {
  test('reads all columns when the query has no select', () => {
    expect(parse('').items).toEqual([{ kind: 'all' }])
  })

  test('parses columns with aliases, JSON paths and casts', () => {
    expect(parse('select=id,total:price::text,data->a->0->>b').items).toEqual([
      { kind: 'column', field: column('id') },
      { kind: 'column', field: column('price'), alias: 'total', cast: 'text' },
      {
        kind: 'column',
        alias: 'b',
        field: {
          column: 'data',
          path: [
            { arrow: '->', key: 'a' },
            { arrow: '->', key: 0 },
            { arrow: '->>', key: 'b' },
          ],
        },
      },
    ])
  })

  test('parses nested embeds with their alias, hint and join type', () => {
    expect(parse('select=writer:authors!author_id!inner(name,books(*))').items).toEqual([
      {
        kind: 'embed',
        target: 'authors',
        alias: 'writer',
        hint: 'author_id',
        inner: true,
        spread: false,
        items: [
          { kind: 'column', field: column('name') },
          { kind: 'embed', target: 'books', inner: false, spread: false, items: [{ kind: 'all' }] },
        ],
      },
    ])
  })

  test('keeps commas, brackets and escaped quotes inside quoted names', () => {
    expect(parse(`select=${encodeURIComponent('"a,b(\\"c"')}`).items).toEqual([
      { kind: 'column', field: column('a,b("c') },
    ])
  })
})

describe('filters', () => {
  test('are parsed to an operator and an operand, which may contain dots and commas', () => {
    expect(parse('title=not.eq.a.b,c').conditions).toEqual([
      {
        kind: 'filter',
        field: column('title'),
        negated: true,
        test: { kind: 'compare', operator: 'eq', value: 'a.b,c' },
      },
    ])
  })

  test('have stars converted to wildcards only in patterns', () => {
    const values = parse('a=like.*x*&b=eq.*').conditions.map(
      (one) => one.kind === 'filter' && one.test.kind === 'compare' && one.test.value,
    )
    expect(values).toEqual(['%x%', '*'])
  })

  test('keep commas inside quoted values of a list', () => {
    expect(parse('a=in.(1,"b,c",d e)').conditions).toMatchObject([
      { test: { kind: 'in', values: ['1', 'b,c', 'd e'] } },
    ])
  })

  test('can have a modifier: the language of a text search, or `any` or `all` for a list of values', () => {
    expect(parse('a=wfts(german).x y&b=like(any).{*a,b}').conditions).toMatchObject([
      { test: { kind: 'search', operator: 'wfts', language: 'german', value: 'x y' } },
      { test: { operator: 'like', quantifier: 'any', value: '{%a,b}' } },
    ])
  })

  test('with nested logic are assigned to the embed whose name is their prefix', () => {
    const root = parse('select=id,books(id)&books.not.or=(a.eq.1,and(b.gt.2,c.is.null))')
    expect(root.conditions).toEqual([])
    expect(root.embeds.get('books')?.conditions).toMatchObject([
      {
        kind: 'group',
        operator: 'or',
        negated: true,
        conditions: [{ kind: 'filter' }, { kind: 'group', operator: 'and' }],
      },
    ])
  })

  test('are separate from order, limit and offset, which are assigned to the embed whose name is their prefix', () => {
    const root = parse(
      'select=id,b:books(id)&b.order=id.desc.nullslast&b.limit=2&limit=5&offset=1&order=books(x)',
    )
    expect(root).toMatchObject({ limit: 5, offset: 1, order: [{ relation: 'books' }] })
    expect(root.embeds.get('b')).toMatchObject({
      limit: 2,
      order: [{ field: column('id'), descending: true, nulls: 'last' }],
    })
  })

  test('without an operator are arguments of the called function', () => {
    const query = parseQuery('day=2026-01-01&id=eq.1&limit=2', true)
    expect([...query.args]).toEqual([['day', '2026-01-01']])
    expect(query.root).toMatchObject({ limit: 2, conditions: [{ field: column('id') }] })
  })
})

describe('an invalid query', () => {
  test.each([
    ['PGRST100', 'id=foo.1'],
    ['PGRST100', 'id=1'],
    ['PGRST100', 'id=is.maybe'],
    ['PGRST100', 'id=in.(1'],
    ['PGRST100', 'id=in.(1)x'],
    ['PGRST100', 'or=(id.eq.1'],
    ['PGRST100', 'or=id.eq.1'],
    ['PGRST100', 'order=id.up'],
    ['PGRST100', 'limit=many'],
    ['PGRST100', 'limit=1e3'],
    ['PGRST100', 'select=id,,title'],
    ['PGRST100', 'select=(id)'],
    ['PGRST100', 'select=books(id'],
    ['PGRST100', `select=${'a('.repeat(30)}id${')'.repeat(30)}`],
    ['PGRST100', `or=${'(and'.repeat(30)}(a.eq.1)${')'.repeat(30)}`],
    ['PGRST100', 'a=eq.1&'.repeat(300)],
    ['PGRST103', 'limit=-1'],
    ['PGRST108', 'books.id=eq.1'],
    ['PGRST123', 'select=price.sum()'],
    ['PGRST123', 'select=count()'],
    ['PGRST100', 'title=fts().word'],
    ['PGRST100', 'title=cs(any).{a}'],
    ['PGRST100', 'metadata->>--1=eq.1'],
    ['22021', 'title=eq.a%00b'],
    ['22021', 'select="a%00b":title'],
    ['22021', 'select=metadata->a%00b'],
    ['22021', 'a%00b=eq.1'],
    ['42712', 'select=books(id),books(title)'],
  ])('is refused with the code %s: %s', (code, search) => {
    expect(codeOf(() => parseQuery(search))).toBe(code)
  })
})

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.body.code
    throw error
  }
  return 'none'
}
