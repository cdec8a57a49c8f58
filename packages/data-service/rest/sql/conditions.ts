import { compareOperators, searchOperators } from '../parse/ast.ts'
import type { PlannedCondition, Value } from '../resolve/plan.ts'
import { qualified, quote, type Parameters } from './statement.ts'

/** A row in a statement. `stored` is true for a row of a subquery that has already evaluated the computed columns. */
export type Row = { readonly alias: string; readonly stored: boolean }

/** Writes the SQL for a column, or for the value at a JSON path in the column. */
export function valueSql(row: Row, { column, path }: Value, parameters: Parameters): string {
  const { computedBy } = column
  const name =
    computedBy === undefined || row.stored
      ? `${row.alias}.${quote(column.name)}`
      : `${qualified(computedBy)}(${row.alias}.*)`
  if (path.length === 0) return name
  const start = column.isJson ? name : `to_jsonb(${name})`
  return path.reduce(
    (sql, { arrow, key }) =>
      `${sql}${arrow}${parameters.add(key)}::${typeof key === 'number' ? 'int' : 'text'}`,
    start,
  )
}

/**
 * Writes the SQL of a condition on `row`; `emptySql` writes the condition that an embed (the rows of a related table)
 * has no rows.
 */
export function conditionSql(
  row: Row,
  condition: PlannedCondition,
  parameters: Parameters,
  emptySql: (condition: PlannedCondition & { kind: 'empty' }) => string,
): string {
  if (condition.kind === 'empty') return emptySql(condition)
  if (condition.kind === 'group') {
    const parts = condition.conditions.map((one) => conditionSql(row, one, parameters, emptySql))
    return `${condition.negated ? 'not ' : ''}(${parts.join(` ${condition.operator} `)})`
  }
  const value = valueSql(row, condition.value, parameters)
  return `${condition.negated ? 'not ' : ''}${testSql(value, condition, parameters)}`
}

function testSql(
  value: string,
  { test }: PlannedCondition & { kind: 'test' },
  parameters: Parameters,
): string {
  if (test.kind === 'is') return `${value} is ${test.value}`
  if (test.kind === 'in') return `${value} = any (${parameters.add(arrayLiteral(test.values))})`
  if (test.kind === 'search') {
    const language =
      test.language === undefined ? '' : `${parameters.add(test.language)}::regconfig, `
    const query = `${searchOperators[test.operator]}(${language}${parameters.add(test.value)})`
    return `${value} @@ ${query}`
  }
  const operand = parameters.add(test.value)
  const fits = test.quantifier ? `${test.quantifier} (${operand})` : operand
  return `${value} ${compareOperators[test.operator]} ${fits}`
}

/**
 * Writes a list as a PostgreSQL array literal for a single parameter, so that the text of the statement does not depend
 * on the length of the list.
 */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
