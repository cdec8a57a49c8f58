/** An exposed view as PostgreSQL stores it. Relations are numbered by OID, columns by `attnum`. */
export type ViewRow = {
  readonly id: number
  readonly name: string
  /** The names of the view's columns by their numbers. */
  readonly columns: Readonly<Record<string, string>>
  /** The query of the view as the text of a `pg_node_tree`. */
  readonly tree: string
}

type Origin = { readonly table: number; readonly column: number }
type Origins = ReadonlyMap<number, Origin>

/** A relation that shows columns of a table, and the names that these columns have in the relation. */
export type Shown = { readonly name: string; readonly columns: readonly string[] }

/**
 * Finds the views that show columns of a table unchanged, directly or through other views. Such views share the foreign
 * keys and primary keys of the table.
 */
export class ViewOrigins {
  private readonly views: readonly ViewRow[]
  private readonly direct: ReadonlyMap<number, Origins>

  constructor(views: readonly ViewRow[]) {
    this.views = views
    this.direct = new Map(views.map((view) => [view.id, originsIn(view.tree)]))
  }

  /**
   * Returns each view that shows all of `columns`. A view that shows one of these columns under two names is
   * returned twice, once with each name.
   */
  showing(table: number, columns: readonly number[]): Shown[] {
    return this.views.flatMap(({ id, name, columns: names }): Shown[] => {
      const positions = columns.map((column) => this.positionsOf(id, { table, column }))
      return combinations(positions).map((chosen) => ({
        name,
        columns: chosen.map((position) => names[position] ?? ''),
      }))
    })
  }

  private positionsOf(view: number, sought: Origin): number[] {
    const origins = [...(this.direct.get(view) ?? [])]
    return origins
      .filter(([, origin]) => {
        const { table, column } = this.resolved(origin)
        return table === sought.table && column === sought.column
      })
      .map(([position]) => position)
  }

  /**
   * Follows views to the tables that they read. `seen` prevents endless recursion, because `create or replace` can make
   * views refer to each other in a circle.
   */
  private resolved(origin: Origin, seen: ReadonlySet<number> = new Set()): Origin {
    const further = this.direct.get(origin.table)?.get(origin.column)
    if (!further || seen.has(origin.table)) return origin
    return this.resolved(further, new Set(seen).add(origin.table))
  }
}

/**
 * Reads the target list of the outermost query. Returns, for each column of the view, the relation and the column from
 * which the values come.
 */
function originsIn(tree: string): Origins {
  const entries = outermost(tree).matchAll(
    /\{TARGETENTRY[^}]*:resno (\d+) [^}]*:resorigtbl (\d+) :resorigcol (\d+)/g,
  )
  return new Map(
    [...entries]
      .map((entry) => entry.slice(1).map(Number))
      .map(([position = 0, table = 0, column = 0]) => [position, { table, column }] as const)
      .filter(([, { table }]) => table !== 0),
  )
}

/** Removes everything below the second level of a node tree: the expressions and the subqueries. */
function outermost(tree: string): string {
  let depth = 0
  let text = ''
  for (const [part] of tree.matchAll(/\\.|[{}]|[^\\{}]+/gs)) {
    if (part === '{') depth += 1
    if (depth <= 2) text += part
    if (part === '}') depth -= 1
  }
  return text
}

/** Returns the Cartesian product of lists: every choice of one element of each list. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (found, list) => found.flatMap((chosen) => list.map((one) => [...chosen, one])),
    [[]],
  )
}
