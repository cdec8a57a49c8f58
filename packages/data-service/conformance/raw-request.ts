/** One request of the comparison with PostgREST. They run in this order: later ones see earlier writes. */
export type RawRequest = {
  readonly path: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly prefer?: string
  readonly headers?: Readonly<Record<string, string>>
  /** As the reader `user-1`, not as a visitor. */
  readonly signedIn?: boolean
  /** What of the error may differ, and why: see `differences`. */
  readonly differs?: keyof typeof differences
}

/** Where we depart from PostgREST 12.0 on purpose, and the fields of the error that then differ. */
export const differences = {
  /** Parse errors are told in other words; code and status are the same. */
  wording: ['details', 'message'],
  /** The same of an error that a function raised in the wrong form, with advice. */
  advice: ['details', 'message', 'hint'],
  /** We suggest no names: a suggestion tells a visitor what exists. */
  suggestion: ['hint'],
  /** PostgREST 13, which hosted projects run, knows a missing table without asking PostgreSQL. */
  table: ['code', 'message'],
  /** A filter on an embedded relation: PostgREST 13 says what is wrong instead of failing in SQL. */
  newer: ['code', 'message', 'details', 'hint'],
  /** PostgreSQL names the alias inside PostgREST's statement; we name the table. */
  alias: ['message', 'hint'],
  /** A database that cannot work speaks of its files and limits; ours says only to come again. */
  outage: ['message', 'details', 'hint'],
} as const satisfies Record<string, readonly string[]>

export const object = { accept: 'application/vnd.pgrst.object+json' }
