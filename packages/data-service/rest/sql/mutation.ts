import { escapeLiteral } from 'pg'
import type { Shape } from '../parse/accept.ts'
import type { MutationPlan } from '../resolve/mutation.ts'
import { computedIn } from '../resolve/computed.ts'
import type { ReadPlan } from '../resolve/plan.ts'
import { resultColumns, responseColumns, rowsText } from './response.ts'
import { conditionSql, valueSql } from './conditions.ts'
import { Aliases, readSql } from './read.ts'
import { Parameters, qualified, quote, type Statement } from './statement.ts'

/**
 * Writes the statement that changes rows and reads the changed rows. The statement returns a single row with the
 * columns of `resultColumns`.
 */
export function mutationStatement(plan: MutationPlan, shape: Shape): Statement {
  const parameters = new Parameters()
  const aliases = new Aliases()
  const target = aliases.consume()
  const change = `${changeSql(plan, target, parameters)} returning ${returning(plan, target, parameters)}`
  const returned = plan.returning && readSql(plan.returning, 'changed', parameters, aliases, true)
  const columns = resultColumns('null', returned ? rowsText('r.*', shape) : 'null', extraSql(plan))
  const rows = returned ? `(${returned}) as r` : 'changed'
  const text = `with changed as (${change}) select ${columns}, ${responseColumns} from ${rows}`
  return { text, values: parameters.values }
}

function changeSql(plan: MutationPlan, target: string, parameters: Parameters): string {
  const table = `${qualified(plan.table.name)} as ${target}`
  if (plan.kind === 'insert' || plan.kind === 'put') return insertSql(plan, table, parameters)
  if (plan.kind === 'delete') return `delete from ${table}${whereSql(plan, target, parameters)}`
  const set = plan.columns.map(({ name }) => `${quote(name)} = sent.${quote(name)}`).join(', ')
  const rows = sentRows(plan, parameters)
  return `update ${table} set ${set} from ${rows}${whereSql(plan, target, parameters)}`
}

function insertSql(plan: MutationPlan, table: string, parameters: Parameters): string {
  const names = plan.columns.map(({ name }) => quote(name)).join(', ')
  const values = plan.columns.map(({ name }) => `sent.${quote(name)}`).join(', ')
  if (names === '') return `insert into ${table} default values${conflictSql(plan)}`
  const rows = sentRows(plan, parameters)
  const where = plan.kind === 'put' ? whereSql(plan, 'sent', parameters) : ''
  return `insert into ${table} (${names}) select ${values} from ${rows}${where}${conflictSql(plan)}`
}

function conflictSql({ conflict, columns }: MutationPlan): string {
  if (!conflict) return ''
  const target = conflict.columns.map(quote).join(', ')
  if (!conflict.update || columns.length === 0) return ` on conflict (${target}) do nothing`
  const set = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(', ')
  return ` on conflict (${target}) do update set ${set} where ${countUpdated}`
}

// The SQL for the number of rows that an upsert updated. PostgreSQL does not report this number, and the system column
// xmax does not show this number for a partitioned table. Each updated row therefore increments a setting that is local
// to the transaction.
const updatedRows = `coalesce(nullif(current_setting('rest.updated', true), ''), '0')::int`
const countUpdated = `set_config('rest.updated', (${updatedRows} + 1)::text, true) is not null`

/**
 * Writes the SQL that reads the JSON payload as rows; the database converts the values to the types of the table's
 * columns.
 */
function sentRows(plan: MutationPlan, parameters: Parameters): string {
  const types = plan.columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
  const body = parameters.add(plan.payload.text)
  const { list } = plan.payload
  if (plan.missingAsDefault) {
    const elements = list ? `${body}::jsonb` : `jsonb_build_array(${body}::jsonb)`
    const filled = `select jsonb_agg(${defaultsJson(plan)} || e.one) from jsonb_array_elements(${elements}) as e (one)`
    return `jsonb_to_recordset((${filled})) as sent (${types})`
  }
  const read = list ? 'json_to_recordset' : 'json_to_record'
  return `${read}(${body}::json) as sent (${types})`
}

function defaultsJson({ columns }: MutationPlan): string {
  const pairs = columns
    .filter(({ defaultSql }) => defaultSql !== null)
    .map(({ name, defaultSql }) => `${escapeLiteral(name)}, ${defaultSql}`)
  return `jsonb_build_object(${pairs.join(', ')})`
}

function whereSql(plan: MutationPlan, target: string, parameters: Parameters): string {
  const parts = plan.conditions.map((condition) =>
    conditionSql({ alias: target, stored: false }, condition, parameters, () => {
      throw new Error('the resolver refuses conditions on embeds of a write')
    }),
  )
  return parts.length > 0 ? ` where ${parts.join(' and ')}` : ''
}

/**
 * Writes `returning` with only the columns that the response needs, because each returned column requires the privilege
 * to read it. A role may be allowed to insert rows that it cannot read. `returning 1` requires no privilege.
 */
function returning(plan: MutationPlan, target: string, parameters: Parameters): string {
  const names = new Set(plan.location ? plan.table.primaryKey : [])
  if (plan.returning) for (const name of columnsRead(plan.returning)) names.add(name)
  const columns = [...names].map((name) => `${target}.${quote(name)}`)
  if (plan.returning && needsWholeRow(plan.returning))
    columns.splice(0, columns.length, `${target}.*`)
  for (const column of plan.returning ? computedIn(plan.returning) : []) {
    const value = valueSql({ alias: target, stored: false }, { column, path: [] }, parameters)
    columns.push(`${value} as ${quote(column.name)}`)
  }
  return columns.length > 0 ? columns.join(', ') : '1'
}

/**
 * Returns whether `returning` needs all columns: for a request that selects `*` or a count, and for a computed
 * relation, which is a function that takes the whole row as its argument.
 */
function needsWholeRow({ outputs, joins }: ReadPlan): boolean {
  return (
    outputs.some(({ kind }) => kind === 'all' || kind === 'count') ||
    joins.some(({ relationship }) => relationship.computed !== undefined)
  )
}

function columnsRead(returned: ReadPlan): string[] {
  const shown = returned.outputs.flatMap((output) =>
    output.kind === 'column' && output.value.column.computedBy === undefined
      ? [output.value.column.name]
      : [],
  )
  const joined = returned.joins.flatMap(({ relationship }) =>
    (relationship.junction?.outer ?? relationship.on).map(([, outer]) => outer),
  )
  return [...shown, ...joined]
}

function extraSql(plan: MutationPlan): string {
  if (plan.conflict?.update) return `(select count(*) - ${updatedRows} from changed)`
  if (!plan.location || plan.table.primaryKey.length === 0) return 'null'
  const key = plan.table.primaryKey.map((name) => `changed.${quote(name)}::text`).join(', ')
  return `(select json_build_array(${key})::text from changed)`
}
