import { expect, it } from 'vitest'
import { findStatements } from './find-statements.ts'

const statementsIn = (source: string) => findStatements('feature.ts', source)

it('finds the texts passed to query functions, including methods of a store', () => {
  expect(statementsIn(`await query('select 1'); call.store.query("select 2")`)).toEqual([
    'select 1',
    'select 2',
  ])
})

it('ignores unchecked queries and queries of a bare connection', () => {
  expect(statementsIn(`query.unchecked(text); client.query(text)`)).toEqual([])
})

it('resolves constants of the file, also inside templates', () => {
  const source =
    'const limit = 1_0; const columns = `id, ${name}` as const; const name = "kind";' +
    'query(`select ${columns} from emails limit ${limit}`)'
  expect(statementsIn(source)).toEqual(['select id, kind from emails limit 10'])
})

it('finds both texts of a conditional expression', () => {
  expect(statementsIn('query(isLocked ? `select 1 for update` : `select 1`)')).toEqual([
    'select 1 for update',
    'select 1',
  ])
})

it.each([
  ['a text that is a parameter', 'const read = (sql: string) => query(sql)'],
  ['a text that a function returns', 'query(`select ${columnsOf("emails")}`)'],
  ['a constant of another file', 'import { sql } from "./sql.ts"; query(sql)'],
  ['an ambiguous constant name', '{ const sql = "a" } { const sql = "b"; query(sql) }'],
])('refuses %s and reports the line', (_, source) => {
  expect(() => statementsIn(`\n${source}`)).toThrow('feature.ts:2')
})
