/** The types of a parsed request, whose names are not yet resolved in the catalog. */

/** A column, or a value inside a JSON column such as `data->address->>city` or `tags->0`. */
export type Field = {
  readonly column: string
  readonly path: readonly JsonStep[]
}
export type JsonStep = { readonly arrow: '->' | '->>'; readonly key: string | number }

export type SelectItem = { readonly kind: 'all' } | SelectedColumn | SelectedEmbed
export type SelectedColumn = {
  readonly kind: 'column'
  readonly field: Field
  readonly alias?: string | undefined
  readonly cast?: string | undefined
}
export type SelectedEmbed = {
  readonly kind: 'embed'
  readonly target: string
  readonly alias?: string | undefined
  /** The hint, which is the name after `!`: a foreign key, a column of a foreign key, or a junction table. */
  readonly hint?: string | undefined
  readonly inner: boolean
  /** Whether the columns of the embed become columns of the outer row, as in `...authors(name)`. */
  readonly spread: boolean
  readonly items: readonly SelectItem[]
}

export type Condition = Filter | Group
export type Group = {
  readonly kind: 'group'
  readonly operator: 'and' | 'or'
  readonly negated: boolean
  readonly conditions: readonly Condition[]
}
export type Filter = {
  readonly kind: 'filter'
  readonly field: Field
  readonly negated: boolean
  readonly test: Test
}
export type Test =
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      /** With a quantifier, `value` is a list such as `{a,b}`, and any element or all elements must match. */
      readonly quantifier?: 'any' | 'all' | undefined
      readonly value: string
    }
  | {
      readonly kind: 'search'
      readonly operator: SearchOperator
      readonly language?: string | undefined
      readonly value: string
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: 'null' | 'true' | 'false' | 'unknown' }

/** The operators of the REST API with one operand, and PostgreSQL's operators for them. */
export const compareOperators = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
  isdistinct: 'is distinct from',
} as const
export type CompareOperator = keyof typeof compareOperators

/** The operators of full-text search, and PostgreSQL's functions that convert the operand to a query. */
export const searchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const
export type SearchOperator = keyof typeof searchOperators

export type OrderTerm = {
  readonly field: Field
  /** The to-one relation whose column determines the order, as in `order=authors(name)`. */
  readonly relation?: string | undefined
  readonly descending: boolean
  readonly nulls?: 'first' | 'last' | undefined
}

/** The part of a request about one table, which is the requested table or an embedded relation. */
export type Node = {
  readonly items: readonly SelectItem[]
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** The nodes of the embeds in `items`, by alias, or by target for an embed without an alias. */
  readonly embeds: ReadonlyMap<string, Node>
}

export type Query = {
  readonly root: Node
  /** The arguments of a function that is called with GET. */
  readonly args: ReadonlyMap<string, string>
  readonly onConflict?: readonly string[] | undefined
  readonly columns?: readonly string[] | undefined
}

type Count = 'exact' | 'planned' | 'estimated'
export type Preferences = {
  readonly return?: 'minimal' | 'representation' | 'headers-only' | undefined
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates' | undefined
  readonly missing?: 'default' | 'null' | undefined
  readonly count?: Count | undefined
  readonly handling?: 'strict' | 'lenient' | undefined
  /** The time zone in which the response states times. */
  readonly timezone?: string | undefined
}

/** A JSON body: its unchanged text, which the database parses, and the keys of its rows. */
export type Payload = {
  readonly text: string
  readonly keys: readonly string[]
  /** Whether the body is a JSON array instead of one object. */
  readonly list: boolean
  /** The number of rows in the body: 1 for an object, 0 for an empty array. */
  readonly rows: number
}
