import { unsupported } from '../answer/refusal.ts'
import { compareOperators } from './ast.ts'
import type { CompareOperator, Condition, Field, Group, Test } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseField } from './field.ts'

const operatorName = /(not\.)?([a-z]+)(\([^)]*\))?\./y
const isValue = /(?:null|true|false|unknown)/iy
const fullText = new Set(['fts', 'plfts', 'phfts', 'wfts'])
// A visitor could write an expression that keeps the database busy for seconds.
const regular = new Set(['match', 'imatch'])
const quantifiable = new Set(['eq', 'like', 'ilike', 'gt', 'gte', 'lt', 'lte'])

/** Whether the text is a filter (`eq.1`) rather than an argument of a function (`1`). */
export function isFilter(text: string): boolean {
  const found = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(text)?.[1]
  return found !== undefined && isOperator(found)
}

/** `column=not.eq.1`: the whole rest of the parameter is the value. */
export function parseFilter(field: Field, text: string): Condition {
  const cursor = new Cursor('filter', text)
  const { negated, test } = parseTest(cursor, (operator) =>
    operator === 'in' || operator === 'is' ? undefined : takeRest(cursor),
  )
  cursor.end()
  return { kind: 'filter', field, negated, test }
}

/** `or=(a.eq.1,not.and(b.gt.2,c.in.(1,2)))` */
export function parseLogic(key: string, text: string): Group {
  const negated = key.startsWith('not.')
  const operator = key.endsWith('or') ? 'or' : 'and'
  const cursor = new Cursor('logic tree', text)
  const conditions = parseConditions(cursor)
  cursor.end()
  return { kind: 'group', operator, negated, conditions }
}

function parseConditions(cursor: Cursor): Condition[] {
  cursor.expect('(')
  const conditions: Condition[] = []
  cursor.deeper(() => {
    do conditions.push(parseCondition(cursor))
    while (cursor.take(','))
  })
  cursor.expect(')')
  return conditions
}

function parseCondition(cursor: Cursor): Condition {
  cursor.match(/ */y)
  const group = cursor.match(/(not\.)?(and|or)(?=\()/y)
  if (group) {
    const operator = group[2] === 'or' ? 'or' : 'and'
    return {
      kind: 'group',
      operator,
      negated: group[1] !== undefined,
      conditions: parseConditions(cursor),
    }
  }
  const field = parseField(cursor)
  cursor.expect('.')
  const { negated, test } = parseTest(cursor, () => takeLogicValue(cursor))
  return { kind: 'filter', field, negated, test }
}

function parseTest(
  cursor: Cursor,
  takeValue: (operator: string) => string | undefined,
): { negated: boolean; test: Test } {
  const start = cursor.at
  const found = cursor.match(operatorName)
  const operator = found?.[2]
  if (!operator || !isOperator(operator)) {
    cursor.at = start
    throw cursor.fail('"not" or operator (eq, gt, ...)')
  }
  if (fullText.has(operator)) throw unsupported(`Full-text search (operator "${operator}")`)
  if (regular.has(operator)) throw unsupported(`Regular expressions (operator "${operator}")`)
  if (found[3] !== undefined) {
    throw quantifiable.has(operator)
      ? unsupported(`The modifier ${found[3]} of operator "${operator}"`)
      : cursor.fail('a value')
  }
  return { negated: found[1] !== undefined, test: parseOperand(cursor, operator, takeValue) }
}

function parseOperand(
  cursor: Cursor,
  operator: string,
  takeValue: (operator: string) => string | undefined,
): Test {
  if (operator === 'is') {
    const value = cursor.match(isValue)?.[0].toLowerCase()
    if (!value) throw cursor.fail('isVal: (null, not_null, true, false, unknown)')
    return { kind: 'is', value: value as 'null' }
  }
  if (operator === 'in') return { kind: 'in', values: parseList(cursor) }
  const value = takeValue(operator) ?? ''
  const pattern = operator === 'like' || operator === 'ilike'
  return {
    kind: 'compare',
    operator: operator as CompareOperator,
    value: pattern ? value.replaceAll('*', '%') : value,
  }
}

/** `(1,"a, b",c)` */
function parseList(cursor: Cursor): string[] {
  cursor.expect('(')
  if (cursor.take(')')) return []
  const values: string[] = []
  do values.push(takeListValue(cursor))
  while (cursor.take(','))
  cursor.expect(')')
  return values
}

function takeListValue(cursor: Cursor): string {
  const start = cursor.at
  const quoted = cursor.quoted()
  if (quoted !== undefined && (cursor.peek(',') || cursor.peek(')'))) return quoted
  cursor.at = start
  return cursor.match(/[^,)]*/y)?.[0] ?? ''
}

/** Inside a logic tree a value ends at a comma or bracket, unless quoted or in braces. */
function takeLogicValue(cursor: Cursor): string {
  const braces = cursor.match(/\{[^{}]*\}(?=[,)])/y)
  return braces ? braces[0] : takeListValue(cursor)
}

function takeRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at)
  cursor.at = cursor.text.length
  return rest
}

function isOperator(name: string): boolean {
  return (
    Object.hasOwn(compareOperators, name) ||
    ['in', 'is'].includes(name) ||
    fullText.has(name) ||
    regular.has(name)
  )
}
