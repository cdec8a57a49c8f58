import { expect, it } from 'vitest'
import { findStatements } from './find-statements.ts'

const statementsIn = (source: string) => findStatements('feature.ts', source)

it('findStatements returns the texts passed to query functions, also to query methods of an object', () => {
  expect(statementsIn(`await query('select 1'); call.store.query("select 2")`)).toEqual([
    'select 1',
    'select 2',
  ])
})

it('findStatements ignores calls of query.unchecked and client.query', () => {
  expect(statementsIn(`query.unchecked(text); client.query(text)`)).toEqual([])
})

it('findStatements resolves constants of the same file, also inside template strings', () => {
  const source =
    'const limit = 1_0; const columns = `id, ${name}` as const; const name = "kind";' +
    'query(`select ${columns} from emails limit ${limit}`)'
  expect(statementsIn(source)).toEqual(['select id, kind from emails limit 10'])
})

it('findStatements finds both texts of a conditional expression', () => {
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
])('%s is refused with the line number', (_, source) => {
  expect(() => statementsIn(`\n${source}`)).toThrow('feature.ts:2')
})
