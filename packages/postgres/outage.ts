import pg from 'pg'

/**
 * Why a database cannot do what it could do a while ago and soon may again: it is not there, has no
 * room, takes no writes, has no connection or memory left, or its files cannot be read.
 */
export type Outage = 'unreachable' | 'disk-full' | 'read-only' | 'exhausted' | 'failing'

/** How long a client had better wait before it asks again, in seconds. */
export const retryAfterSeconds = '2'

/** What node-postgres says when it has no connection to work with. */
const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client was closed|Client has encountered a connection error|Cannot use a pool)/

/** Codes of the operating system and SQLSTATEs (PostgreSQL manual, appendix A). */
const codes: readonly (readonly [RegExp, Outage])[] = [
  [/^(08|57P|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/, 'unreachable'],
  [/^(53100|ENOSPC|EDQUOT)/, 'disk-full'],
  [/^(25006|EROFS)/, 'read-only'],
  // 53400 is a limit that was configured for whoever asks.
  [/^53(?!400)/, 'exhausted'],
  [/^(58|XX)/, 'failing'],
]

/** The parts of PostgreSQL that handle files, as its errors name them. */
const storage = /^(md|fd|buffile|fileset|slru|xlog|transam|copydir|relmapper)\w*\.c$/

/**
 * Whether, and how, the database failed to do its work rather than objecting to what was asked.
 * Undefined for every answer that is about the request; who asked to be read-only (`wasReadOnly`) is told
 * so by a database that takes writes.
 */
export function outageOf(error: unknown, wasReadOnly = false): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  // On a read-only file system PostgreSQL speaks of rights, as for a table that one may not touch.
  if (error instanceof pg.DatabaseError && error.code === '42501') {
    return storage.test(error.file ?? '') ? 'read-only' : undefined
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '25006' && wasReadOnly) return undefined
  const match = codes.find(([pattern]) => pattern.test(code))
  if (match) return match[1]
  return lostConnection.test(error.message) ? 'unreachable' : undefined
}
