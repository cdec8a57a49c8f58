import type { ReadPlan } from '../resolve/plan.ts'
import { Aliases, countedRowsSql, readSql } from './read.ts'
import { Parameters, type Statement } from './statement.ts'

/** The columns of the one row that every statement of a request returns, in this order. */
export type AnswerRow = readonly [
  /** All rows that match, without limit and offset; null when not asked for. */
  total: string | null,
  /** Rows in `body`, or rows changed. */
  page: string,
  /** A JSON array of the rows, or null. */
  body: string | null,
  /** Primary key of the one row inserted, as JSON array, or rows inserted by an upsert. */
  extra: string | null,
]

/** Reads a page of rows as JSON; with `count`, also how many there are in all. */
export function readStatement(plan: ReadPlan, from: string, count: boolean): Statement {
  const parameters = new Parameters()
  const aliases = new Aliases()
  const rows = readSql(plan, from, parameters, aliases)
  const total = count
    ? `(select count(*) from (${countedRowsSql(plan, from, parameters, aliases)}) as c)`
    : 'null'
  const text = `select ${answerColumns(total, jsonRows('r'), 'null')} from (${rows}) as r`
  return { text, values: parameters.values }
}

/** Asks the planner how many rows there are: one JSON value with `Plan Rows`. */
export function estimateStatement(plan: ReadPlan, from: string): Statement {
  const parameters = new Parameters()
  const rows = countedRowsSql(plan, from, parameters, new Aliases())
  return { text: `explain (format json) ${rows}`, values: parameters.values }
}

/** The output list that makes an `AnswerRow`. */
export function answerColumns(total: string, body: string, extra: string): string {
  return `${total} as total, count(*) as page, ${body} as body, ${extra} as extra`
}

/** All rows as one JSON array; `[]` when there is none. */
export const jsonRows = (row: string): string => `coalesce(json_agg(${row}), '[]')::text`
