/** What schema `public` offers, as read from PostgreSQL. Every identifier sent to it is one of these. */
export type Catalog = {
  readonly relations: ReadonlyMap<string, Relation>
  /** Foreign keys between exposed tables, and between the views that show their columns. */
  readonly foreignKeys: readonly ForeignKey[]
  /** Overloads by name. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>
}

/**
 * What each role that the data API serves may do; a right to a single column counts. Of a role that is
 * not named here nothing is known.
 */
export type Permissions<Verb extends string> = Readonly<Record<string, readonly Verb[]>>

export type Relation = {
  readonly name: string
  /** As PostgreSQL's messages call it. */
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table'
  readonly permissions: Permissions<'select' | 'insert' | 'update' | 'delete'>
  readonly columns: ReadonlyMap<string, Column>
  /** Functions of one row of it: they are asked for like a column, or embedded like a relation. */
  readonly computed: ReadonlyMap<string, Routine>
  /** Media types of aggregates that write its rows in a form of their own. */
  readonly media: readonly string[]
  readonly primaryKey: readonly string[]
  /** Column lists that an upsert can conflict on, the primary key included. */
  readonly uniques: readonly (readonly string[])[]
}

export type Column = {
  readonly name: string
  /** As PostgreSQL writes it, modifiers included: `numeric(10,2)`. */
  readonly type: string
  readonly isJson: boolean
  /** The default's expression, as PostgreSQL wrote it back. */
  readonly defaultSql: string | null
  /** Its type, a domain, has casts to or from what requests are written in. */
  readonly represented: boolean
  /** The function of the whole row that computes it. */
  readonly computedBy?: string | undefined
}

export type ForeignKey = {
  readonly name: string
  readonly from: string
  readonly fromColumns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  /** The referring columns are unique: one row on either side. */
  readonly oneToOne: boolean
}

export type Routine = {
  readonly name: string
  readonly permissions: Permissions<'execute'>
  readonly args: readonly RoutineArgument[]
  readonly volatile: boolean
  readonly returnsSet: boolean
  /** A set not declared to have one row. */
  readonly returnsMany: boolean
  readonly returnsJson: boolean
  /** Its result is a document of a media type, called like its type. */
  readonly ownMedia: boolean
  /** `rows` have columns of their own; they may be those of an exposed relation. */
  readonly returns: 'void' | 'scalar' | 'rows'
  readonly relation: string | null
  readonly columns: ReadonlyMap<string, Column>
}

export type RoutineArgument = {
  readonly name: string
  readonly type: string
  /** The relation whose rows it takes. */
  readonly rowOf: string | null
  readonly hasDefault: boolean
  readonly variadic: boolean
}
