import type { GuardHeaders } from './form-guard.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { type DataService, getVisitorService } from '#web/lib/data/supabase.ts'

const timeoutMs = 20_000

/** Why a visitor's row does not stand, as far as anybody knows. */
export type InsertFailure =
  /** It was never sent. */
  | { kind: 'unreachable' }
  /** `code`: SQLSTATE or PGRST code, empty without one. `status`: HTTP, 0 when no answer came. */
  | { kind: 'refused'; code: string; status: number }

/** An insert of the client, before it is sent. */
type Insert = {
  setHeader: (name: string, value: string) => unknown
  abortSignal: (signal: AbortSignal) => PromiseLike<{
    readonly error: { readonly code: string } | null
    readonly status: number
  }>
}

/**
 * Inserts what a visitor sends, with what the form's guard says about the sender. The row is not asked back:
 * a visitor may read none. Never throws; undefined once the row stands.
 *
 *   await insertGuarded((data) => data.from('bookings').insert(row), await guard.headers())
 */
export async function insertGuarded(
  insert: (data: DataService) => Insert,
  guard: GuardHeaders,
): Promise<InsertFailure | undefined> {
  const data = await getVisitorService().catch((error: unknown) => {
    logQuietly('What was typed was not sent', error)
    return undefined
  })
  if (!data) return { kind: 'unreachable' }
  const sending = insert(data)
  for (const [name, value] of Object.entries(guard)) sending.setHeader(name, value)
  const { error, status } = await sending.abortSignal(AbortSignal.timeout(timeoutMs))
  if (!error) return undefined
  logQuietly('What was typed was not stored', error.code || `HTTP ${status}`)
  return { kind: 'refused', code: error.code, status }
}
