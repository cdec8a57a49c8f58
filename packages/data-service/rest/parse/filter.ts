import { compareOperators, searchOperators } from './ast.ts'
import type { CompareOperator, Condition, Field, Group, SearchOperator, Test } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseField } from './field.ts'

const operatorName = /(not\.)?([a-z]+)(\([^)]*\))?\./y
const isValue = /(?:null|true|false|unknown)/iy
const languageName = /^[\p{L}\d_$ ]+$/u
const quantifiable = new Set('eq like ilike match imatch gt gte lt lte'.split(' '))

/**
 * Returns whether the text is a filter such as `eq.1`. Any other text, such as `1`, is an argument of the called
 * function.
 */
export function isFilter(text: string): boolean {
  const found = /^(not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(text)
  return text.startsWith('not.') || isOperator(found?.[2])
}

/** Parses the value of a filter such as `column=not.eq.1`. The operand is the whole text after the operator. */
export function parseFilter(field: Field, text: string): Condition {
  const cursor = new Cursor('filter', text)
  const { negated, test } = parseTest(cursor, () => parseRest(cursor))
  cursor.end()
  return { kind: 'filter', field, negated, test }
}

/** Parses a logic tree such as `or=(a.eq.1,not.and(b.gt.2,c.in.(1,2)))`. */
export function parseLogic(key: string, text: string): Group {
  const negated = key.startsWith('not.')
  const operator = key.endsWith('or') ? 'or' : 'and'
  const cursor = new Cursor('logic tree', text)
  const conditions = parseConditions(cursor)
  cursor.end()
  return { kind: 'group', operator, negated, conditions }
}

function parseConditions(cursor: Cursor): Condition[] {
  cursor.expectSpaced('(')
  const conditions: Condition[] = []
  cursor.deeper(() => {
    do conditions.push(parseCondition(cursor))
    while (cursor.consumeSpaced(','))
  })
  cursor.expectSpaced(')')
  return conditions
}

function parseCondition(cursor: Cursor): Condition {
  const group = cursor.match(/(not\.)?(and|or)(?=[ \t]*\()/y)
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
  const { negated, test } = parseTest(cursor, () => parseLogicValue(cursor))
  return { kind: 'filter', field, negated, test }
}

function parseTest(cursor: Cursor, parseValue: () => string): { negated: boolean; test: Test } {
  const start = cursor.at
  const found = cursor.match(operatorName)
  const operator = found?.[2]
  if (!isOperator(operator)) {
    cursor.at = start
    throw cursor.fail('"not" or operator (eq, gt, ...)')
  }
  const modifier = found?.[3]?.slice(1, -1)
  return {
    negated: found?.[1] !== undefined,
    test: parseOperand(cursor, operator, modifier, parseValue),
  }
}

function parseOperand(
  cursor: Cursor,
  operator: Operator,
  modifier: string | undefined,
  parseValue: () => string,
): Test {
  if (isSearch(operator)) {
    if (modifier !== undefined && !languageName.test(modifier)) throw cursor.fail('a language')
    return { kind: 'search', operator, language: modifier?.trim(), value: parseValue() }
  }
  if (modifier !== undefined && !isQuantifier(operator, modifier)) throw cursor.fail('a value')
  if (operator === 'is') return { kind: 'is', value: parseState(cursor) }
  if (operator === 'in') return { kind: 'in', values: parseList(cursor) }
  const value = parseValue()
  const pattern = operator === 'like' || operator === 'ilike'
  return {
    kind: 'compare',
    operator,
    quantifier: modifier as 'any' | 'all' | undefined,
    value: pattern ? value.replaceAll('*', '%') : value,
  }
}

function isQuantifier(operator: string, modifier: string): boolean {
  return quantifiable.has(operator) && (modifier === 'any' || modifier === 'all')
}

function parseState(cursor: Cursor): 'null' | 'true' | 'false' | 'unknown' {
  const value = cursor.match(isValue)?.[0].toLowerCase()
  if (!value) throw cursor.fail('isVal: (null, not_null, true, false, unknown)')
  return value as 'null'
}

/** Parses a list of values such as `(1,"a, b",c)`. */
function parseList(cursor: Cursor): string[] {
  cursor.expectSpaced('(')
  const values: string[] = []
  do values.push(parseListValue(cursor))
  while (cursor.consume(','))
  cursor.expectSpaced(')')
  return values.length === 1 && values[0] === '' ? [] : values
}

function parseListValue(cursor: Cursor): string {
  const start = cursor.at
  const quoted = cursor.quoted()
  if (quoted !== undefined && (cursor.peek(',') || cursor.peek(')'))) return quoted
  cursor.at = start
  return cursor.match(/[^,)]*/y)?.[0] ?? ''
}

/** Parses a value inside a logic tree. Unless the value is quoted or in braces, it ends at a comma or a bracket. */
function parseLogicValue(cursor: Cursor): string {
  const braces = cursor.match(/\{[^{}]*\}(?=[,)])/y)
  return braces ? braces[0] : parseListValue(cursor)
}

function parseRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at)
  cursor.at = cursor.text.length
  return rest
}

type Operator = CompareOperator | SearchOperator | 'in' | 'is'

function isOperator(name: string | undefined): name is Operator {
  if (name === undefined) return false
  return Object.hasOwn(compareOperators, name) || isSearch(name) || name === 'in' || name === 'is'
}

function isSearch(name: string): name is SearchOperator {
  return Object.hasOwn(searchOperators, name)
}
