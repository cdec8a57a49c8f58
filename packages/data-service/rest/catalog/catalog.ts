/** The tables, views and functions of the schema `public`. Statements contain only identifiers from this catalog. */
export type Catalog = {
  readonly relations: ReadonlyMap<string, Relation>
  /**
   * The foreign keys between exposed tables, and the equivalent relationships of views that show the columns of the
   * keys.
   */
  readonly foreignKeys: readonly ForeignKey[]
  /** The functions by name; each name can have several overloads. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>
}

/**
 * The privileges of `anon`, `authenticated` and `service_role`; a privilege on a single column counts. The catalog
 * contains no privileges of other roles.
 */
export type Permissions<Verb extends string> = Readonly<Record<string, readonly Verb[]>>

export type Relation = {
  readonly name: string
  /** The kind of the relation, named as in PostgreSQL's messages. */
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table'
  readonly permissions: Permissions<'select' | 'insert' | 'update' | 'delete'>
  readonly columns: ReadonlyMap<string, Column>
  /**
   * The functions, by name, that take one row of the relation. Requests select these functions like columns or embed
   * them like relations.
   */
  readonly computed: ReadonlyMap<string, Routine>
  /** The media types that aggregate functions over the relation's rows return. */
  readonly media: readonly string[]
  readonly primaryKey: readonly string[]
  /** The column lists of unique indexes, the primary key included. */
  readonly uniques: readonly (readonly string[])[]
}

export type Column = {
  readonly name: string
  /** The type of the column in PostgreSQL's notation with modifiers: `numeric(10,2)`. */
  readonly type: string
  readonly isJson: boolean
  /** The default of the column as a SQL expression printed by PostgreSQL. */
  readonly defaultSql: string | null
  /**
   * Whether the type is a domain that defines a cast to JSON, from JSON or from text. PostgREST applies such casts;
   * this REST API does not.
   */
  readonly represented: boolean
  /** The name of the function that computes the column from the row. */
  readonly computedBy?: string | undefined
}

export type ForeignKey = {
  readonly name: string
  readonly from: string
  readonly fromColumns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  /** Whether the referring columns are unique, so that at most one row refers to each row of the referenced table. */
  readonly oneToOne: boolean
}

export type Routine = {
  readonly name: string
  readonly permissions: Permissions<'execute'>
  readonly args: readonly RoutineArgument[]
  readonly volatile: boolean
  readonly returnsSet: boolean
  /** Whether the function can return several rows: its result is a set, and it is not declared with `rows 1`. */
  readonly returnsMany: boolean
  readonly returnsJson: boolean
  /** Whether the result type has the name of a media type. The result is then a document of this type. */
  readonly ownMedia: boolean
  /**
   * The kind of result. A result of the kind `rows` has columns; if `relation` is set, they are the columns of this
   * relation.
   */
  readonly returns: 'void' | 'scalar' | 'rows'
  readonly relation: string | null
  readonly columns: ReadonlyMap<string, Column>
}

export type RoutineArgument = {
  readonly name: string
  readonly type: string
  /** The relation whose row type is the type of the argument. */
  readonly rowOf: string | null
  readonly hasDefault: boolean
  readonly variadic: boolean
}
