/** Starts, watches and stops a PostgreSQL server whose programs come from npm, on a folder of the caller. */
export { findRunningServer, hasCluster } from './cluster.ts'
export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
export { findOwner, type Postmaster, readPostmaster } from './lock.ts'
export { isAlive } from './running-process.ts'
