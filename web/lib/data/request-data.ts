import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { sessionRefused, untilSignOut } from './session-renewal.ts'
import { type DataService, getDataService } from './supabase.ts'

type ErrorBody = {
  message: string
  code?: string
  hint?: string | null
  details?: string | null
}

/**
 * An error of the database's REST API with its SQLSTATE or PGRST code, hint, detail and HTTP status (0 without a
 * response).
 */
export class DataError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly detail: string | undefined
  readonly status: number

  constructor(error: ErrorBody, status: number) {
    super(error.message)
    this.name = 'DataRefusal'
    this.code = error.code ?? ''
    this.hint = error.hint ?? undefined
    this.detail = error.details ?? undefined
    this.status = status
  }
}

/** A request that can be aborted. The types of supabase-js do not declare `abortSignal` on every request. */
type Abortable = { abortSignal: (signal: AbortSignal) => unknown }

const isAbortable = (query: object): query is Abortable => 'abortSignal' in query

/**
 * Runs one request against the database's REST API and returns its rows and count. When the API rejects the access
 * token (401), requests a new token and sends the request once more. Any other error throws a `DataError`.
 */
export async function requestData<Data>(
  request: (service: DataService) => PromiseLike<PostgrestSingleResponse<Data>>,
): Promise<{ data: Data; count: number }> {
  const service = await getDataService()
  const attempt = () => {
    const query = request(service)
    if (isAbortable(query)) query.abortSignal(untilSignOut())
    return query
  }
  let response = await attempt()
  if (response.status === 401 && (await sessionRefused())) response = await attempt()
  if (response.error) throw new DataError(response.error, response.status)
  return { data: response.data, count: response.count ?? 0 }
}
