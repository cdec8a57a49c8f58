import type { SupabaseClient } from '@supabase/supabase-js'
import { sessionRefused } from './session-renewal.ts'
import { getDataService } from './supabase.ts'

/** What the data service refused, in its own words: SQLSTATE or PGRST code, hint, HTTP status (0: no answer). */
export class DataRefusal extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly status: number

  constructor(error: { message: string; code?: string; hint?: string | null }, status: number) {
    super(error.message)
    this.name = 'DataRefusal'
    this.code = error.code ?? ''
    this.hint = error.hint ?? undefined
    this.status = status
  }
}

type DataError = { message: string; code?: string; hint?: string | null }

type DataAnswer<Data> = {
  readonly data: Data
  readonly error: DataError | null
  readonly status: number
  readonly count?: number | null
}

/**
 * Runs one request against the data service and returns its rows and count. A refused session is renewed
 * and the request tried once more; anything else that is refused throws a `DataRefusal`.
 */
export async function askData<Data>(
  request: (service: SupabaseClient) => PromiseLike<DataAnswer<Data>>,
): Promise<{ data: NonNullable<Data>; count: number }> {
  const service = await getDataService()
  let answer = await request(service)
  if (answer.status === 401 && (await sessionRefused())) answer = await request(service)
  if (answer.error) throw new DataRefusal(answer.error, answer.status)
  return { data: answer.data as NonNullable<Data>, count: answer.count ?? 0 }
}
