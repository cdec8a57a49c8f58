import type { Column, Routine, RoutineArgument } from '../catalog/catalog.ts'
import { scalarColumn } from '../resolve/call.ts'
import type { Shape } from '../parse/accept.ts'
import { computedIn } from '../resolve/computed.ts'
import type { ReadPlan } from '../resolve/plan.ts'
import { resultColumns, responseColumns, rowsText } from './response.ts'
import { valueSql } from './conditions.ts'
import { Aliases, countedRowsSql, readSql } from './read.ts'
import { Parameters, qualified, quote, type Statement } from './statement.ts'

/** The arguments of a function call: a text for each name (GET), or one JSON object (POST). */
export type Arguments = ReadonlyMap<string, string> | { readonly json: string }

/**
 * Writes the statement that calls a function and reads its result. The statement returns a single row with the columns
 * of `resultColumns`.
 */
export function callStatement(
  routine: Routine,
  names: readonly string[],
  args: Arguments,
  plan: ReadPlan,
  count: boolean,
  shape: Shape,
): Statement {
  const parameters = new Parameters()
  const aliases = new Aliases()
  const sent = routine.args.filter((arg) => names.includes(arg.name))
  const result = resultSql(routine, sent, args, computedIn(plan), parameters)
  const rows = readSql(plan, 'result', parameters, aliases, true)
  const total = count
    ? `(select count(*) from (${countedRowsSql(plan, 'result', parameters, aliases, true)}) as c)`
    : 'null'
  const shown = routine.returns === 'rows' ? 'r.*' : `r.${scalarColumn}`
  const body = routine.returns === 'void' ? 'null' : rowsText(shown, shape)
  const text = `with result as (${result}) select ${resultColumns(total, body, 'null')}, ${responseColumns} from (${rows}) as r`
  return { text, values: parameters.values }
}

function resultSql(
  routine: Routine,
  sent: readonly RoutineArgument[],
  args: Arguments,
  computed: readonly Column[],
  parameters: Parameters,
): string {
  const row = { alias: 'call', stored: false }
  const values = computed.map(
    (column) => `, ${valueSql(row, { column, path: [] }, parameters)} as ${quote(column.name)}`,
  )
  const columns = `call.*${values.join('')}`
  const name = qualified(routine.name)
  if ('json' in args && sent.length > 0) {
    const types = sent.map((arg) => `${quote(arg.name)} ${arg.type}`).join(', ')
    const record = `json_to_record(${parameters.add(args.json)}::json) as sent (${types})`
    const passed = sent.map((arg) => `${quote(arg.name)} := sent.${quote(arg.name)}`).join(', ')
    if (routine.returns === 'rows') {
      return `select ${columns} from ${record}, lateral ${name}(${passed}) as call`
    }
    return `select ${name}(${passed}) as ${scalarColumn} from ${record}`
  }
  const given = 'json' in args ? new Map<string, string>() : args
  const passed = sent
    .map(
      (arg) => `${quote(arg.name)} := ${parameters.add(given.get(arg.name) ?? null)}::${arg.type}`,
    )
    .join(', ')
  if (routine.returns === 'rows') return `select ${columns} from ${name}(${passed}) as call`
  return `select ${name}(${passed}) as ${scalarColumn}`
}
