import { DataError } from '#web/lib/data/request-data.ts'

/** The reason why a deletion was refused, if the law requires keeping the record (docs/product.md 15.35). */
export const retentionMessage = (error: unknown): string | undefined =>
  error instanceof DataError && error.code === 'TT076' ? error.message : undefined
