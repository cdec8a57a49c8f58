import { expect, it } from 'vitest'
import { findStatements } from './find-statements.ts'

const statementsIn = (source: string) => findStatements('feature.ts', source)

it('finds what is given to a query, also to that of a store', () => {
  expect(statementsIn(`await query('select 1'); call.store.query("select 2")`)).toEqual([
    'select 1',
    'select 2',
  ])
})

it('leaves alone what is unchecked, and the queries of a bare connection', () => {
  expect(statementsIn(`query.unchecked(text); client.query(text)`)).toEqual([])
})

it('reads constants of the file, in templates too', () => {
  const source =
    'const limit = 1_0; const columns = `id, ${name}` as const; const name = "kind";' +
    'query(`select ${columns} from emails limit ${limit}`)'
  expect(statementsIn(source)).toEqual(['select id, kind from emails limit 10'])
})

it('reads both sides of a choice', () => {
  expect(statementsIn('query(isLocked ? `select 1 for update` : `select 1`)')).toEqual([
    'select 1 for update',
    'select 1',
  ])
})

it.each([
  ['a text that somebody hands over', 'const read = (sql: string) => query(sql)'],
  ['a text that a function makes', 'query(`select ${columnsOf("emails")}`)'],
  ['a constant of another file', 'import { sql } from "./sql.ts"; query(sql)'],
  ['one of two constants of one name', '{ const sql = "a" } { const sql = "b"; query(sql) }'],
])('refuses %s, and says where', (_, source) => {
  expect(() => statementsIn(`\n${source}`)).toThrow('feature.ts:2')
})
