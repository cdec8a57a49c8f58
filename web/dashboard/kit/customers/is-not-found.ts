import { DataError } from '#web/lib/data/request-data.ts'

/** Whether a person or a car could not be read because it is not there (any more): erased, or never known. */
export function isNotFound(error: unknown): boolean {
  return error instanceof DataError && (error.code === 'TT090' || error.code === '22P02')
}
