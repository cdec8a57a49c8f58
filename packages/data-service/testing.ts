// Exports functions that run the original PostgREST, for comparisons with this service.
export { findPostgrest, startPostgrest } from './conformance/oracle.ts'
