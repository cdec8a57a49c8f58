import type { Shape } from '../parse/accept.ts'
import type { ReadPlan } from '../resolve/plan.ts'
import { Aliases, countedRowsSql, readSql } from './read.ts'
import { Parameters, type Statement } from './statement.ts'

/**
 * Writes the statement that reads a page of rows. With `count` 'all', the statement also counts all matching rows; if
 * `count` is a number, the statement counts at most that many rows.
 */
export function readStatement(
  plan: ReadPlan,
  from: string,
  count: 'no' | 'all' | number,
  shape: Shape,
): Statement {
  const parameters = new Parameters()
  const aliases = new Aliases()
  const rows = readSql(plan, from, parameters, aliases)
  const counted = () => countedRowsSql(plan, from, parameters, aliases)
  const most = typeof count === 'number' ? ` limit ${count}` : ''
  const total = count === 'no' ? 'null' : `(select count(*) from (${counted()}${most}) as c)`
  const text = `select ${resultColumns(total, rowsText('r.*', shape), 'null')} from (${rows}) as r`
  return { text, values: parameters.values }
}

/** Writes the statement that returns the planner's estimate of the number of rows: JSON that contains `Plan Rows`. */
export function estimateStatement(plan: ReadPlan, from: string): Statement {
  const parameters = new Parameters()
  const rows = countedRowsSql(plan, from, parameters, new Aliases())
  return { text: `explain (format json) ${rows}`, values: parameters.values }
}

/**
 * Returns the SQL of the columns in the single row that the statement of a request returns. `total`: the number of
 * matching rows without limit and offset, or null when the request does not ask for it. `page`: the number of rows in
 * `body`, or of changed rows. `body`: the rows as JSON array or CSV lines, or null. `extra`: the primary key of the
 * inserted row as JSON array, or the number of rows that an upsert inserted.
 */
export function resultColumns(total: string, body: string, extra: string): string {
  return `${total} as total, count(*) as page, ${body} as body, ${extra} as extra`
}

/** The SQL of the result columns with the status and the headers that a function or trigger set for the response. */
export const responseColumns = [
  `nullif(current_setting('response.status', true), '') as status`,
  `nullif(current_setting('response.headers', true), '') as headers`,
].join(', ')

/**
 * Aggregates all rows to one JSON array, or to the lines of CSV without the line of column names. The SQL refers to a
 * whole row as `r.*`, because the table could have a column `r`.
 */
export function rowsText(row: string, { form, stripped }: Shape): string {
  if (form === 'csv') {
    // PostgreSQL's text of a row is a CSV line in parentheses.
    const text = '(r.*)::text'
    return `coalesce(string_agg(substring(${text}, 2, length(${text}) - 2), chr(10)), '')`
  }
  const rows = stripped ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`
  return `coalesce(${rows}, '[]')::text`
}
