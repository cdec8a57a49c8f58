import { type databaseErrors, versionConflictCode } from '#contracts/database-errors.ts'
import type { ErrorCode } from '#contracts/api/errors.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

const codes: Partial<Record<keyof typeof databaseErrors, ErrorCode>> = {
  TT090: 'CUSTOMER_NOT_FOUND',
  TT092: 'CUSTOMER_CHANGED',
  [versionConflictCode]: 'CUSTOMER_CHANGED',
  TT099: 'CUSTOMER_HAS_OPEN_RECORDS',
}

/** Runs `work` and converts its customer-related database errors to refusals. Other errors are thrown. */
export async function toCustomerError<Value>(
  work: () => Promise<Value>,
): Promise<Result<Value, Refusal>> {
  try {
    return accepted(await work())
  } catch (error) {
    const sqlState = error instanceof Error && 'code' in error ? String(error.code) : ''
    const code = Object.entries(codes).find(([listedState]) => listedState === sqlState)?.[1]
    if (!code) throw error
    return refused({ code })
  }
}
