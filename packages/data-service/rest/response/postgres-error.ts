import { DatabaseError } from 'pg'
import { isRetryable, type Outage, retryAfterSeconds } from '@local/postgres'
import { raisedRefusal } from './raised.ts'
import { Refusal } from './refusal.ts'

// The HTTP status of SQLSTATE codes and classes in PostgREST 12 (its module PostgREST.Error). Codes that are not listed
// have the status 400. For a database outage, the function `unavailable` creates the response.
const byCode: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '21000': 500,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  P0001: 400,
}
const byClass: Readonly<Record<string, number>> = {
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '54': 413,
  '55': 500,
  '57': 500,
  F0: 500,
  HV: 500,
  P0: 500,
}

/**
 * Converts a PostgreSQL error to an error response of PostgREST's API. Returns a `Refusal` unchanged, and throws any
 * other error again.
 */
export function refusalOf(error: unknown, anonymous: boolean): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof DatabaseError) || error.code === undefined) throw error
  if (isRetryable(error)) return serializationFailure(error.code)
  const { code, message, detail, hint } = error
  if (code === 'PGRST') return raisedRefusal(message, detail)
  return new Refusal(statusOf(code, message, anonymous), code, message, {
    details: detail ?? null,
    hint: hint ?? null,
    ...(code === '42501' && anonymous ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
  })
}

function statusOf(code: string, message: string, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403
  if (code === '21000' && message.endsWith('requires a WHERE clause')) return 400
  const custom = /^PT([2-5]\d\d)$/.exec(code)?.[1]
  if (custom !== undefined) return Number(custom)
  return byCode[code] ?? byClass[code.slice(0, 2)] ?? (code.startsWith('PT') ? 500 : 400)
}

/**
 * Replaces PostgreSQL's text about a deadlock or a serialization failure, because that text may contain process ids and
 * a hint to read the server log.
 */
function serializationFailure(code: string): Refusal {
  const message =
    'Someone else changed the same data at the same time. Nothing was changed. Please try again.'
  return new Refusal(409, code, message)
}

/**
 * Returns the response during a database outage: the code is PGRST001 when the service has no connection to the
 * database, otherwise the SQLSTATE. The response omits PostgreSQL's message, which may contain names of files.
 */
export function unavailable(outage: Outage, error: unknown): Refusal {
  const headers = { 'retry-after': retryAfterSeconds }
  if (outage === 'unreachable' || !(error instanceof DatabaseError)) {
    const message = 'Database client error. Retrying the connection.'
    return new Refusal(503, 'PGRST001', message, { headers })
  }
  const message = 'The database is temporarily unavailable. Please try again in a moment.'
  return new Refusal(503, error.code ?? 'PGRST001', message, { headers })
}
