import type { Pool } from 'pg'
import {
  foreignKeysQuery,
  primaryKeysQuery,
  relationsQuery,
  routinesQuery,
  viewsQuery,
} from './catalog-queries.ts'
import type { Catalog, Column, Relation, Routine } from './catalog.ts'
import {
  exposedKeys,
  primaryKeysOfViews,
  type ForeignKeyRow,
  type PrimaryKeyRow,
} from './keys-of-views.ts'
import { ViewOrigins, type ViewRow } from './view-origins.ts'

type RelationRow = Omit<Relation, 'columns' | 'computed' | 'primaryKey'> & {
  columns: Column[]
  primaryKey: string[] | null
}
type RoutineRow = Omit<Routine, 'columns'> & { columns: Column[] }

/** Reads the catalog of the schema `public` over `connection`. */
export async function loadCatalog(connection: Pick<Pool, 'query'>): Promise<Catalog> {
  const [relations, foreignKeys, primaryKeys, views, routines] = await Promise.all([
    connection.query<RelationRow>(relationsQuery),
    connection.query<ForeignKeyRow>(foreignKeysQuery),
    connection.query<PrimaryKeyRow>(primaryKeysQuery),
    connection.query<ViewRow>(viewsQuery),
    connection.query<RoutineRow>(routinesQuery),
  ])
  const origins = new ViewOrigins(views.rows)
  const keysOfViews = primaryKeysOfViews(origins, primaryKeys.rows)
  const all = routines.rows.map(routineOf)
  const computed = Map.groupBy(all.filter(isComputed), ({ args }) => args[0]?.rowOf ?? '')
  const relationOf = (row: RelationRow): Relation => ({
    ...row,
    primaryKey: inOrder(row.columns, row.primaryKey ?? keysOfViews.get(row.name) ?? []),
    columns: byName(row.columns),
    computed: byName(computed.get(row.name) ?? []),
  })
  return {
    relations: new Map(relations.rows.map((row) => [row.name, relationOf(row)])),
    foreignKeys: foreignKeys.rows.flatMap((key) => exposedKeys(origins, key)),
    routines: Map.groupBy(all, (routine) => routine.name),
  }
}

function inOrder(columns: readonly Column[], key: readonly string[]): string[] {
  return columns.map(({ name }) => name).filter((name) => key.includes(name))
}

function isComputed({ args }: Routine): boolean {
  return args.length === 1 && args[0]?.rowOf != null
}

function routineOf(row: RoutineRow): Routine {
  return { ...row, columns: byName(row.columns) }
}

function byName<Named extends { readonly name: string }>(
  all: readonly Named[],
): ReadonlyMap<string, Named> {
  return new Map(all.map((one) => [one.name, one]))
}
