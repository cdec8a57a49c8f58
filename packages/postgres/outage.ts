import pg from 'pg'

/**
 * The kinds of temporary database failures: the database is unreachable, has a full disk, accepts no writes, has no
 * free connection or memory, or cannot read its files.
 */
export type Outage = 'unreachable' | 'disk-full' | 'read-only' | 'exhausted' | 'failing'

/** The `Retry-After` header of a response during an outage, in seconds. */
export const retryAfterSeconds = '2'

/** Messages with which node-postgres reports a broken connection; these errors have no code. */
const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client was closed|Client has encountered a connection error|Cannot use a pool)/

/** The kind of outage by error code of the operating system or SQLSTATE (PostgreSQL manual, appendix A). */
const codes: readonly (readonly [RegExp, Outage])[] = [
  [/^(08|57P|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/, 'unreachable'],
  [/^(53100|ENOSPC|EDQUOT)/, 'disk-full'],
  [/^(25006|EROFS)/, 'read-only'],
  // The code 53400 is excluded, because it reports a limit that is configured for the client, not a shortage of the
  // server.
  [/^53(?!400)/, 'exhausted'],
  [/^(58|XX)/, 'failing'],
]

/**
 * The names of the PostgreSQL source files whose code reads and writes data files. A PostgreSQL error names the source
 * file that raised it.
 */
const storage = /^(md|fd|buffile|fileset|slru|xlog|transam|copydir|relmapper)\w*\.c$/

/**
 * Returns the kind of outage that caused `error`; undefined when the statement caused the error. In a transaction that
 * was opened read-only (`wasReadOnly`), the error 25006 also counts as caused by the statement.
 */
export function outageOf(error: unknown, wasReadOnly = false): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  // PostgreSQL reports the code 42501 (missing permission) for a file on a read-only file system, and for a table on
  // which the role has no privilege. Only the error about a file is an outage.
  if (error instanceof pg.DatabaseError && error.code === '42501') {
    return storage.test(error.file ?? '') ? 'read-only' : undefined
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '25006' && wasReadOnly) return undefined
  // Any failed connection counts: while a server restarts, its socket may be missing (ENOENT).
  if ('syscall' in error && error.syscall === 'connect') return 'unreachable'
  const match = codes.find(([pattern]) => pattern.test(code))
  if (match) return match[1]
  return lostConnection.test(error.message) ? 'unreachable' : undefined
}
