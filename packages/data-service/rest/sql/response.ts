import type { Shape } from '../parse/accept.ts'
import type { ReadPlan } from '../resolve/plan.ts'
import { Aliases, countedRowsSql, readSql } from './read.ts'
import { Parameters, type Statement } from './statement.ts'

/** Reads a page of rows; with `count`, also how many there are in all, or up to a number. */
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

/** Asks the planner how many rows there are: one JSON value with `Plan Rows`. */
export function estimateStatement(plan: ReadPlan, from: string): Statement {
  const parameters = new Parameters()
  const rows = countedRowsSql(plan, from, parameters, new Aliases())
  return { text: `explain (format json) ${rows}`, values: parameters.values }
}

/**
 * The columns of the one row that the statement of a request returns. `total`: all rows that match,
 * without limit and offset, or null when not asked for. `page`: rows in `body`, or rows changed.
 * `body`: a JSON array of rows, or null. `extra`: the key of the row inserted, as JSON array, or how
 * many rows an upsert inserted.
 */
export function resultColumns(total: string, body: string, extra: string): string {
  return `${total} as total, count(*) as page, ${body} as body, ${extra} as extra`
}

/** What a function or trigger wants of the answer; two more columns, for statements that can run one. */
export const responseColumns = [
  `nullif(current_setting('response.status', true), '') as status`,
  `nullif(current_setting('response.headers', true), '') as headers`,
].join(', ')

/**
 * All rows as one JSON array, or as the lines of CSV after the first. Whole rows are `r.*`, never `r`: that
 * would be a column of the caller's called so.
 */
export function rowsText(row: string, { form, stripped }: Shape): string {
  if (form === 'csv') {
    // A row as text is CSV in round brackets.
    const text = '(r.*)::text'
    return `coalesce(string_agg(substring(${text}, 2, length(${text}) - 2), chr(10)), '')`
  }
  const rows = stripped ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`
  return `coalesce(${rows}, '[]')::text`
}
