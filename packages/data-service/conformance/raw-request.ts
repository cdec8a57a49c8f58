/** One request that is sent to this service and to PostgREST. The requests run in order, so that reads see earlier writes. */
export type RawRequest = {
  readonly path: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly prefer?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the user `user-1` sends the request instead of a visitor. */
  readonly signedIn?: boolean
  /** The reason why the error may differ: a key of `differences`. */
  readonly differs?: keyof typeof differences
}

/** The intended differences to PostgREST 12.0, each with the fields of the error that differ. */
export const differences = {
  /** The message of a parse error; code and status are the same. */
  wording: ['details', 'message'],
  /** The message of an invalid error that a function raises, and PostgREST's advice about it. */
  advice: ['details', 'message', 'hint'],
  /** PostgREST suggests similar names. This service does not, because a suggestion discloses names to visitors. */
  suggestion: ['hint'],
  /** A missing table: PostgREST 13, which hosted projects run, reports it before PostgreSQL does. */
  table: ['code', 'message'],
  /** An invalid filter on an embed: PostgREST 13 reports it instead of failing in SQL. */
  newer: ['code', 'message', 'details', 'hint'],
  /** PostgREST's message contains the alias of a table in its statement; this service names the table. */
  alias: ['message', 'hint'],
  /** An outage: PostgreSQL's message may name files and limits; this service sends a general message. */
  outage: ['message', 'details', 'hint'],
} as const satisfies Record<string, readonly string[]>

export const object = { accept: 'application/vnd.pgrst.object+json' }
