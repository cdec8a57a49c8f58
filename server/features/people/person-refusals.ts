import type { ErrorCode } from '#contracts/errors.ts'
import { personRefusals } from '#contracts/people.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

const codes: Partial<Record<(typeof personRefusals)[keyof typeof personRefusals], ErrorCode>> = {
  not_found: 'PERSON_NOT_FOUND',
  already_merged: 'PERSON_CHANGED',
  version_conflict: 'PERSON_CHANGED',
  open_records: 'PERSON_HAS_OPEN',
}

/** What the database objects to of people, as a refusal; throws every other failure. */
export async function orRefusal<Value>(
  work: () => Promise<Value>,
): Promise<Result<Value, Refusal>> {
  try {
    return accepted(await work())
  } catch (error) {
    const sqlState = error instanceof Error && 'code' in error ? String(error.code) : ''
    const known = Object.entries(personRefusals).find(([code]) => code === sqlState)?.[1]
    const code = known && codes[known]
    if (!code) throw error
    return refused({ code })
  }
}
