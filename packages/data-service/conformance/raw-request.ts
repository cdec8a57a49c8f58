/**
 * A request that the test sends to this REST API and to PostgREST. The requests run in order, so that reads see earlier
 * writes.
 */
export type RawRequest = {
  readonly path: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly prefer?: string
  readonly headers?: Readonly<Record<string, string>>
  /** True when the user `user-1` sends the request; false when a visitor sends the request. */
  readonly signedIn?: boolean
  /** The reason why the error of this REST API may differ from PostgREST's: a key of `differences`. */
  readonly differs?: keyof typeof differences
}

/** The intended differences from PostgREST 12.0, each with the fields of the error that may differ. */
export const differences = {
  /** The message of a parse error differs from PostgREST's; the code and the status are the same. */
  wording: ['details', 'message'],
  /**
   * When a function raises an error in an invalid format, the details, the message and the hint differ from
   * PostgREST's.
   */
  advice: ['details', 'message', 'hint'],
  /**
   * When a name does not exist, PostgREST suggests similar names. This service does not, because suggestions would
   * disclose names of the schema to visitors.
   */
  suggestion: ['hint'],
  /**
   * For a missing table, this REST API responds like PostgREST 13, which hosted Supabase projects run: this REST API
   * reports the error before PostgreSQL runs a statement.
   */
  table: ['code', 'message'],
  /**
   * For an invalid filter on an embed, this REST API responds like PostgREST 13, which reports the filter instead of
   * failing in SQL.
   */
  newer: ['code', 'message', 'details', 'hint'],
  /**
   * PostgREST's message contains the alias of a table in its statement; the message of this REST API contains the name
   * of the table.
   */
  alias: ['message', 'hint'],
  /**
   * During an outage, PostgreSQL's message may contain names of files and limits, so this REST API sends a general
   * message.
   */
  outage: ['message', 'details', 'hint'],
} as const satisfies Record<string, readonly string[]>

export const object = { accept: 'application/vnd.pgrst.object+json' }
