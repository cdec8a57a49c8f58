import { describe, expect, test } from 'vitest'
import type { Catalog, Column, ForeignKey, Relation } from '../catalog/catalog.ts'
import { parseQuery } from '../parse/query.ts'
import { resolveRead } from '../resolve/read.ts'
import { readStatement } from './response.ts'

const column = (name: string): [string, Column] => [
  name,
  { name, type: 'uuid', isJson: false, defaultSql: null, represented: false },
]
const relation = (name: string, ...columns: string[]): Relation => ({
  name,
  kind: 'table',
  permissions: {},
  columns: new Map(columns.map(column)),
  computed: new Map(),
  media: [],
  primaryKey: ['id'],
  uniques: [['id']],
})
const oneToOne = (from: string, fromColumn: string, to: string): ForeignKey => ({
  name: `${from}_${fromColumn}_fkey`,
  from,
  fromColumns: [fromColumn],
  to,
  toColumns: ['id'],
  oneToOne: true,
})
const letters = relation('letters', 'id', 'sent_at')
const logs = relation('logs', 'id', 'letter_id', 'noted_at')
/**
 * Two tables that refer to each other one-to-one, so that nested embeds can alternate between them to any
 * depth.
 */
const catalog: Catalog = {
  relations: new Map([letters, logs].map((one) => [one.name, one])),
  foreignKeys: [oneToOne('logs', 'letter_id', 'letters')],
  routines: new Map(),
}

const statementOf = (search: string) => {
  const { root } = parseQuery(search)
  const source = { ...letters, relation: letters.name }
  const plan = resolveRead(catalog, source, root, 1000)
  return readStatement(plan, '"public"."letters"', 'no', { form: 'list', stripped: false }).text
}
const joinsIn = (text: string) => text.split(' join lateral (select row_to_json').length - 1

/**
 * Builds a query with `depth` nested embeds (rows of related tables). Each level is ordered by `terms` columns of the
 * level below.
 */
function nested(depth: number, terms: number): string {
  const names = Array.from({ length: depth }, (_, level) => (level % 2 === 0 ? 'logs' : 'letters'))
  const select = names.reduceRight((inside, name) => `${name}(id${inside && `,${inside}`})`, '')
  const orders = names.map((name, level) => {
    const path = names.slice(0, level).map((one) => `${one}.`)
    const sorted = name === 'logs' ? 'noted_at' : 'sent_at'
    return `${path.join('')}order=${Array.from({ length: terms }, () => `${name}(${sorted})`).join(',')}`
  })
  return `select=id,${select}&${orders.join('&')}`
}

describe('the statement of a read', () => {
  test('orders by a column of an embed without joining the embed a second time', () => {
    expect(statementOf('select=id,logs(id)&order=logs(noted_at).desc,id')).toBe(
      "select null as total, count(*) as page, coalesce(json_agg(r.*), '[]')::text as body, null as extra from (" +
        'select t0."id" as "id", t1.json as "logs" from "public"."letters" as t0 ' +
        'left join lateral (select row_to_json(r.*) as json, t3."noted_at" as t2 from "public"."logs" as t3 ' +
        'cross join lateral (select t3."id" as "id") as r where t3."letter_id" = t0."id") as t1 on true ' +
        'order by t1.t2 desc, t0."id" asc limit $1) as r',
    )
  })

  test.each([
    [9, 2],
    [10, 5],
    [3, 40],
  ])(
    'joins each of %i nested embeds once when %i order terms refer to each of them',
    (depth, terms) => {
      const text = statementOf(nested(depth, terms))
      expect(joinsIn(text)).toBe(depth)
      expect(text.length).toBeLessThan(300 + depth * 300 + terms * 20)
    },
  )
})
