import { DataError } from '#web/lib/data/request-data.ts'

/** Why a deletion was refused, where it was because the law keeps the record (docs/product.md 15.35). */
export const retentionMessage = (error: unknown): string | undefined =>
  error instanceof DataError && error.code === 'TT076' ? error.message : undefined
