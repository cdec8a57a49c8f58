import type { Pool } from 'pg'
import { foreignKeysQuery, relationsQuery, routinesQuery } from './catalog-queries.ts'
import type { Catalog, Column, ForeignKey, Relation, Routine } from './catalog.ts'

type RelationRow = Omit<Relation, 'columns' | 'primaryKey'> & {
  columns: Column[]
  primaryKey: string[] | null
}
type RoutineRow = Omit<Routine, 'columns'> & { columns: Column[] }

/** Reads schema `public` of the database that `connection` is logged in to. */
export async function loadCatalog(connection: Pick<Pool, 'query'>): Promise<Catalog> {
  const [relations, foreignKeys, routines] = await Promise.all([
    connection.query<RelationRow>(relationsQuery),
    connection.query<ForeignKey>(foreignKeysQuery),
    connection.query<RoutineRow>(routinesQuery),
  ])
  return {
    relations: new Map(relations.rows.map((row) => [row.name, relationOf(row)])),
    foreignKeys: foreignKeys.rows,
    routines: Map.groupBy(routines.rows.map(routineOf), (routine) => routine.name),
  }
}

function relationOf(row: RelationRow): Relation {
  return { ...row, primaryKey: row.primaryKey ?? [], columns: byName(row.columns) }
}

function routineOf(row: RoutineRow): Routine {
  return { ...row, columns: byName(row.columns) }
}

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.name, column]))
}
