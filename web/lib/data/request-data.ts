import { sessionRefused, untilSignOut } from './session-renewal.ts'
import { type DataService, getDataService } from './supabase.ts'

type ErrorBody = {
  message: string
  code?: string
  hint?: string | null
  details?: string | null
}

/** What the data service refused, in its own words: SQLSTATE or PGRST code, hint, detail, HTTP status (0: no answer). */
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

type DataResponse<Data> = {
  readonly data: Data
  readonly error: ErrorBody | null
  readonly status: number
  readonly count?: number | null
}

/** What a request of the client is besides its answer; its types do not always say so. */
type Abortable = { abortSignal: (signal: AbortSignal) => unknown }

/**
 * Runs one request against the data service and returns its rows and count. A refused session is renewed
 * and the request tried once more; anything else that is refused throws a `DataError`.
 */
export async function requestData<Data>(
  request: (service: DataService) => PromiseLike<DataResponse<Data>>,
): Promise<{ data: NonNullable<Data>; count: number }> {
  const service = await getDataService()
  const attempt = () => {
    const query = request(service)
    if ('abortSignal' in query) (query as Abortable).abortSignal(untilSignOut())
    return query
  }
  let response = await attempt()
  if (response.status === 401 && (await sessionRefused())) response = await attempt()
  if (response.error) throw new DataError(response.error, response.status)
  return { data: response.data as NonNullable<Data>, count: response.count ?? 0 }
}
