/** What node-postgres says when it has no connection to work with. */
const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client was closed|Client has encountered a connection error|Cannot use a pool)/

/**
 * Whether the database could not be reached or is going away, rather than objecting to what was asked:
 * connection failures of the operating system, and PostgreSQL's classes 08 (connection) and 57P
 * (operator intervention).
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /^(08|57P|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(codeOf(error)) ||
    lostConnection.test(error.message)
  )
}

/** Whether PostgreSQL has no disk, memory or connection left (class 53): later may be better. */
export function isExhausted(error: unknown): boolean {
  return error instanceof Error && codeOf(error).startsWith('53')
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
