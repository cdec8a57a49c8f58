import type { ConfirmationEmailRequest } from '#contracts/api/server-functions.ts'
import { callFunction } from '#web/lib/data/call-function.ts'
import { senderHeaders, type GuardHeaders } from './form-guard.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'

/**
 * What became of the e-mail. `confirmBy` (ISO 8601): the booking waits until then for a click in it. `visitPath`: its
 * private page.
 */
export type Confirmation = {
  readonly isSent: boolean
  readonly confirmBy: string | null
  readonly visitPath: string | null
}

/**
 * Asks the server to send the confirmation e-mail (docs/product.md 7.3). The server writes only to the
 * address of a booking or quote request that exists and is fresh, so that one was sent also proves that it
 * stands. `guard` is what it was inserted with: only its sender is answered. Never throws.
 */
export async function requestConfirmation(
  body: ConfirmationEmailRequest,
  guard: GuardHeaders,
): Promise<Confirmation> {
  try {
    const data = await getVisitorService()
    const { data: reply, error } = await callFunction(data, 'send-confirmation-email', {
      timeout: 30_000,
      headers: senderHeaders(guard),
      body,
    })
    if (!error && !hasError(reply)) return { isSent: true, ...readConfirmation(reply) }
    logQuietly('The confirmation email was not sent', error ?? 'refused')
    return { isSent: false, ...readConfirmation(await bodyOf(error)) }
  } catch (cause) {
    logQuietly('The confirmation email was not requested', cause)
  }
  return { isSent: false, ...readConfirmation(undefined) }
}

/** The client hands a refusal over as the answer that it came with. */
async function bodyOf(refusal: unknown): Promise<unknown> {
  const response: unknown =
    refusal instanceof Error && 'context' in refusal ? refusal.context : undefined
  if (!(response instanceof Response)) return undefined
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

function readConfirmation(reply: unknown): Omit<Confirmation, 'isSent'> {
  const [confirmBy, visitUrl] = [textOf(reply, 'confirmBy'), textOf(reply, 'visitUrl')]
  return {
    confirmBy: Number.isNaN(Date.parse(confirmBy)) ? null : confirmBy,
    // On this site, by whatever name it was opened.
    visitPath: /\/visit\/[\w-]+$/.exec(visitUrl)?.[0] ?? null,
  }
}

function textOf(reply: unknown, name: string): string {
  const value: unknown =
    typeof reply === 'object' && reply !== null ? Reflect.get(reply, name) : undefined
  return typeof value === 'string' ? value : ''
}

const hasError = (reply: unknown) =>
  typeof reply === 'object' && reply !== null && 'error' in reply && Boolean(reply.error)
