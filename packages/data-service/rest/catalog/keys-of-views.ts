import type { ForeignKey } from './catalog.ts'
import type { Shown, ViewOrigins } from './view-origins.ts'

/** One end of a foreign key: the OID of a relation, and the relation's name if the API exposes the relation. */
type KeyEnd = {
  readonly id: number
  readonly name: string | null
  /** The numbers of the columns in the relation (`attnum`). */
  readonly places: readonly number[]
  readonly columns: readonly string[]
}
export type ForeignKeyRow = {
  readonly name: string
  readonly from: KeyEnd
  readonly to: KeyEnd
  readonly oneToOne: boolean
}
export type PrimaryKeyRow = { readonly id: number; readonly places: readonly number[] }

/**
 * Returns the relationships of a foreign key: between its tables if both are exposed, and between views that show the
 * columns of the key.
 */
export function exposedKeys(views: ViewOrigins, { name, from, to, oneToOne }: ForeignKeyRow) {
  const ends = (end: KeyEnd): Shown[] => [
    ...(end.name === null ? [] : [{ name: end.name, columns: end.columns }]),
    ...views.showing(end.id, end.places),
  ]
  const targets = ends(to)
  return ends(from).flatMap((near): ForeignKey[] =>
    targets.map((far) => ({
      name,
      from: near.name,
      fromColumns: near.columns,
      to: far.name,
      toColumns: far.columns,
      oneToOne,
    })),
  )
}

/**
 * Returns the primary key columns of each view. A view has the primary key of a table when it shows all columns of
 * that key.
 */
export function primaryKeysOfViews(
  views: ViewOrigins,
  keys: readonly PrimaryKeyRow[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { id, places } of keys) {
    const shown = Map.groupBy(views.showing(id, places), (view) => view.name)
    for (const [name, [first]] of shown) {
      found.set(name, [...(found.get(name) ?? []), ...(first?.columns ?? [])])
    }
  }
  return found
}
