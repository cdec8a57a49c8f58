import type { GuardHeaders } from './form-guard.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { type DataService, getVisitorService } from '#web/lib/data/supabase.ts'

const timeoutMs = 20_000

/**
 * The reason why inserting a visitor's booking or quote request failed. Without a response, the server may nevertheless
 * have stored the row.
 */
export type InsertFailure =
  /** The request was not sent, because the browser could not load the code of the data client. */
  | { kind: 'unreachable' }
  /** `code`: SQLSTATE or PGRST code, or empty. `status`: the HTTP status, 0 without a response. */
  | { kind: 'refused'; code: string; status: number }

/** An insert of supabase-js that has not been sent yet. */
type Insert = {
  setHeader: (name: string, value: string) => unknown
  abortSignal: (signal: AbortSignal) => PromiseLike<{
    readonly error: { readonly code: string } | null
    readonly status: number
  }>
}

/**
 * Inserts a visitor's row with the spam-defense headers of its form. Does not read the row back, because visitors are
 * not allowed to read rows. Never throws; resolves to undefined when the row is stored.
 *
 *   await insertGuarded((data) => data.from('bookings').insert(row), await guard.headers())
 */
export async function insertGuarded(
  insert: (data: DataService) => Insert,
  guard: GuardHeaders,
): Promise<InsertFailure | undefined> {
  const data = await getVisitorService().catch((error: unknown) => {
    logQuietly('The form was not sent', error)
    return undefined
  })
  if (!data) return { kind: 'unreachable' }
  const sending = insert(data)
  for (const [name, value] of Object.entries(guard)) sending.setHeader(name, value)
  const { error, status } = await sending.abortSignal(AbortSignal.timeout(timeoutMs))
  if (!error) return undefined
  logQuietly('The form was not stored', error.code || `HTTP ${status}`)
  return { kind: 'refused', code: error.code, status }
}
