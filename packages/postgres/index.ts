/**
 * A pool of PostgreSQL connections for programs that act as several roles: transactions and pipelines as a role,
 * statements whose types come from the database, NOTIFY, advisory locks, and the distinction of outages from
 * refusals.
 */
export * from './columns.ts'
export * from './database.ts'
export * from './listen.ts'
export * from './outage.ts'
export { runPipelined, type PipelinedRows, type PipelinedStatement } from './pipelining.ts'
export * from './query.ts'
export * from './retry-transaction.ts'
export * from './session-locks.ts'
export * from './startup-error.ts'
export * from './zero-byte.ts'
