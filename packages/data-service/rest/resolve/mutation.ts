import { Refusal, unknownColumn, unsupported } from '../response/refusal.ts'
import type { Catalog, Column, Relation } from '../catalog/catalog.ts'
import type { Payload, Preferences, Query } from '../parse/ast.ts'
import { expandComputed } from './computed.ts'
import type { PlannedCondition, ReadPlan } from './plan.ts'
import { requireOneRow } from './put.ts'
import { refuseRepresented, resolveRead } from './read.ts'

/** The kind of the write; `put` inserts or updates the row whose primary key is in the URL. */
export type MutationKind = 'insert' | 'put' | 'update' | 'delete'

export type MutationPlan = {
  readonly kind: MutationKind
  readonly table: Relation
  /** The columns to write, in the order of the payload. */
  readonly columns: readonly Column[]
  readonly payload: Payload
  readonly missingAsDefault: boolean
  readonly conflict: Conflict | undefined
  /** The conditions that select the rows to change. */
  readonly conditions: readonly PlannedCondition[]
  /** The plan of the response's rows; undefined unless the client prefers `return=representation`. */
  readonly returning: ReadPlan | undefined
  /** Whether the statement returns the primary key of the inserted row, for the header `Location`. */
  readonly location: boolean
}

type Conflict = { readonly columns: readonly string[]; readonly update: boolean }

const noPayload: Payload = { text: '{}', keys: [], list: false, rows: 1 }

/** Resolves the names of a write in the catalog. */
export function resolveMutation(
  catalog: Catalog,
  table: Relation,
  kind: MutationKind,
  query: Query,
  payload: Payload = noPayload,
  preferences: Preferences = {},
): MutationPlan {
  const { root } = query
  if (kind === 'put') requireOneRow(table, root)
  if (kind !== 'insert' && (root.limit !== undefined || root.offset !== undefined)) {
    throw unsupported('The parameters limit and offset of an update or delete')
  }
  const source = { ...table, relation: table.name }
  const read = resolveRead(catalog, source, root, Number.MAX_SAFE_INTEGER)
  if (kind !== 'insert' && (read.joins.some((join) => join.inner) || onEmbed(read.conditions))) {
    throw unsupported('Conditions on embedded resources of an update or delete')
  }
  const conflict =
    kind === 'put'
      ? { columns: table.primaryKey, update: true }
      : kind === 'insert'
        ? resolveConflict(table, query, preferences)
        : undefined
  const returning: ReadPlan = {
    ...read,
    outputs: expandComputed(table.columns, read),
    conditions: [],
    order: [],
    limit: undefined,
    offset: undefined,
  }
  return {
    kind,
    table,
    columns: (query.columns ?? payload.keys).map((name) => columnOf(table, name)),
    payload,
    missingAsDefault: preferences.missing === 'default',
    conflict,
    conditions: kind === 'insert' ? [] : read.conditions,
    returning: preferences.return === 'representation' ? returning : undefined,
    location: preferences.return === 'headers-only' && kind === 'insert' && payload.rows === 1,
  }
}

function onEmbed(conditions: readonly PlannedCondition[]): boolean {
  return conditions.some(
    (one) => one.kind === 'empty' || (one.kind === 'group' && onEmbed(one.conditions)),
  )
}

function resolveConflict(
  table: Relation,
  query: Query,
  preferences: Preferences,
): Conflict | undefined {
  if (!preferences.resolution) return undefined
  const columns = query.onConflict?.length ? query.onConflict : table.primaryKey
  for (const name of columns) {
    if (!table.columns.has(name)) throw unknownColumn(table.name, name)
  }
  if (columns.length === 0) return undefined
  return { columns, update: preferences.resolution === 'merge-duplicates' }
}

function columnOf(table: Relation, name: string): Column {
  const column = table.columns.get(name)
  if (column) {
    refuseRepresented(column)
    return column
  }
  throw new Refusal(400, 'PGRST204', `Column '${name}' of relation '${table.name}' does not exist`)
}
