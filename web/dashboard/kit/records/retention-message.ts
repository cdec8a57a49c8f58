import { DataError } from '#web/lib/data/request-data.ts'

/**
 * Explains why the database refused a deletion, if the law requires the shop to keep the record; undefined for another
 * error (docs/product.md 15.35).
 */
export const retentionMessage = (error: unknown): string | undefined =>
  error instanceof DataError && error.code === 'TT076' ? error.message : undefined
