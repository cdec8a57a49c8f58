import type { ConfirmationEmailRequest } from '#contracts/api/server-functions.ts'
import { callFunction } from '#web/lib/data/call-function.ts'
import { senderHeaders, type GuardHeaders } from './form-guard.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'

/**
 * The outcome of the confirmation email. `confirmBy` (ISO 8601): the deadline for confirming the booking by email.
 * `visitPath`: the path of the booking's visit page.
 */
export type Confirmation = {
  readonly isSent: boolean
  readonly confirmBy: string | null
  readonly visitPath: string | null
}

/**
 * Requests the confirmation email from the server (docs/product.md 7.3). The server sends the email only for a
 * recent booking or quote request, so a sent email also proves that the row was stored. `guard` must be the headers of
 * the insert: the server accepts this request only from the browser that sent the insert. Never throws.
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

/** Returns the JSON body of a failed call; supabase-js puts the response into the error's `context`. */
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
    // Returns only the path of the visit page, because the visitor may have opened the site under another host name.
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
