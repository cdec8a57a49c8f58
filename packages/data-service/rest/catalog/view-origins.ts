/** An exposed view as PostgreSQL keeps it. Relations and columns are known by their numbers here. */
export type ViewRow = {
  readonly id: number
  readonly name: string
  /** Names of its columns by number. */
  readonly columns: Readonly<Record<string, string>>
  /** Its query, as `pg_node_tree`. */
  readonly tree: string
}

type Origin = { readonly table: number; readonly column: number }
type Origins = ReadonlyMap<number, Origin>

/** A relation that shows columns of a table, and what each of these is called there. */
export type Shown = { readonly name: string; readonly columns: readonly string[] }

/**
 * Finds the views that show columns of a table unchanged, through other views as well. Only so can they
 * take part in the table's keys.
 */
export class ViewOrigins {
  private readonly views: readonly ViewRow[]
  private readonly direct: ReadonlyMap<number, Origins>

  constructor(views: readonly ViewRow[]) {
    this.views = views
    this.direct = new Map(views.map((view) => [view.id, originsIn(view.tree)]))
  }

  /** Each view of all these columns; one that shows a column twice is several. */
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

  /** Views can be made to show each other in a circle (`create or replace`): no step is taken twice. */
  private resolved(origin: Origin, seen: ReadonlySet<number> = new Set()): Origin {
    const further = this.direct.get(origin.table)?.get(origin.column)
    if (!further || seen.has(origin.table)) return origin
    return this.resolved(further, new Set(seen).add(origin.table))
  }
}

/** The target list of the outermost query: which column of which relation each of its columns shows. */
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

/** The text without what is more than two levels deep: expressions, and queries within the query. */
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

/** One of each list, in every way. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (found, list) => found.flatMap((chosen) => list.map((one) => [...chosen, one])),
    [[]],
  )
}
