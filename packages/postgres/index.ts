/**
 * A pool of PostgreSQL connections for programs that act as several database roles. The package runs transactions and
 * pipelines as a role, reads the types of statements from the database, receives notifications (NOTIFY), takes advisory
 * locks, and distinguishes outages from refusals.
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
