/** The tables, views and functions of the schema `public`. Statements contain only identifiers of the catalog. */
export type Catalog = {
  readonly relations: ReadonlyMap<string, Relation>
  /** The foreign keys between exposed tables, and the same keys between views that show their columns. */
  readonly foreignKeys: readonly ForeignKey[]
  /** The overloads of each function name. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>
}

/**
 * The privileges of `anon`, `authenticated` and `service_role`; a privilege on a single column counts. The catalog knows
 * nothing about other roles.
 */
export type Permissions<Verb extends string> = Readonly<Record<string, readonly Verb[]>>

export type Relation = {
  readonly name: string
  /** The word of PostgreSQL's messages. */
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table'
  readonly permissions: Permissions<'select' | 'insert' | 'update' | 'delete'>
  readonly columns: ReadonlyMap<string, Column>
  /** Functions of one row of the relation, by name. Requests select them like columns or embed them like relations. */
  readonly computed: ReadonlyMap<string, Routine>
  /** The media types that aggregates of the relation's rows produce. */
  readonly media: readonly string[]
  readonly primaryKey: readonly string[]
  /** The column lists of unique indexes, the primary key included. */
  readonly uniques: readonly (readonly string[])[]
}

export type Column = {
  readonly name: string
  /** The type in PostgreSQL's notation with modifiers: `numeric(10,2)`. */
  readonly type: string
  readonly isJson: boolean
  /** The default as a SQL expression of PostgreSQL. */
  readonly defaultSql: string | null
  /** Whether the type is a domain with casts to or from JSON, or from text. PostgREST applies such casts. */
  readonly represented: boolean
  /** The name of the function of the row that computes the column. */
  readonly computedBy?: string | undefined
}

export type ForeignKey = {
  readonly name: string
  readonly from: string
  readonly fromColumns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  /** Whether the referring columns are unique, so that each side has at most one row. */
  readonly oneToOne: boolean
}

export type Routine = {
  readonly name: string
  readonly permissions: Permissions<'execute'>
  readonly args: readonly RoutineArgument[]
  readonly volatile: boolean
  readonly returnsSet: boolean
  /** Whether the function returns a set that is not declared with `rows 1`. */
  readonly returnsMany: boolean
  readonly returnsJson: boolean
  /** Whether the result type is named like a media type: the result is a document of that type. */
  readonly ownMedia: boolean
  /** `rows` have columns, which may be those of the exposed relation `relation`. */
  readonly returns: 'void' | 'scalar' | 'rows'
  readonly relation: string | null
  readonly columns: ReadonlyMap<string, Column>
}

export type RoutineArgument = {
  readonly name: string
  readonly type: string
  /** The relation whose row type the argument has. */
  readonly rowOf: string | null
  readonly hasDefault: boolean
  readonly variadic: boolean
}
