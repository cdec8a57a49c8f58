import { DataError } from '#web/lib/data/request-data.ts'

/**
 * Whether a request failed because the customer or vehicle does not exist: the record was erased, or the id is unknown.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof DataError && (error.code === 'TT090' || error.code === '22P02')
}
