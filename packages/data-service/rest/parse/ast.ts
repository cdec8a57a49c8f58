/** What a request asks for, before any name in it is known to exist. */

/** A column, or a value inside a JSON column: `data->address->>city`, `tags->0`. */
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
  /** After `!`: a foreign key, a column of it, or a table in between. */
  readonly hint?: string | undefined
  readonly inner: boolean
  /** Its columns stand among those of the row that it belongs to. */
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
      /** `value` is then a list (`{a,b}`) of which any, or all, are to fit. */
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

/** Operators of the dialect with one operand, and what PostgreSQL calls them. */
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

/** Operators of full-text search, and what makes a query of their operand. */
export const searchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const
export type SearchOperator = keyof typeof searchOperators

export type OrderTerm = {
  readonly field: Field
  /** Orders by a column of this to-one relation: `order=authors(name)`. */
  readonly relation?: string | undefined
  readonly descending: boolean
  readonly nulls?: 'first' | 'last' | undefined
}

/** What is asked of one table: the requested one, or a relation embedded in it. */
export type Node = {
  readonly items: readonly SelectItem[]
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** By the alias, or else the target, of the embed in `items`. */
  readonly embeds: ReadonlyMap<string, Node>
}

export type Query = {
  readonly root: Node
  /** Arguments of a function called by GET. */
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
  /** In which times are written. */
  readonly timezone?: string | undefined
}

/** A JSON body: the text as it came, for the database to read, and the keys it names. */
export type Payload = {
  readonly text: string
  readonly keys: readonly string[]
  /** A JSON array rather than one object. */
  readonly list: boolean
  /** Rows offered: 0 for an empty list. */
  readonly rows: number
}
