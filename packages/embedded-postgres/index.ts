/**
 * Starts, supervises and stops a PostgreSQL server on a folder that the calling program chooses. The server's
 * programs come from npm packages.
 */
export { spoolOf } from './archive.ts'
export { findRunningServer, hasCluster } from './cluster.ts'
export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
export { findOwner, type Postmaster, readPostmaster } from './lock.ts'
export { isAlive } from './running-process.ts'
