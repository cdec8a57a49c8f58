// Exports PostgREST itself, for comparisons with this service.
export { findPostgrest, startPostgrest } from './conformance/oracle.ts'
