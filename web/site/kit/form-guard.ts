import { useCallback, useEffect, useRef } from 'react'
import { formTokenEndpoint } from '#contracts/form-token.ts'
import { callApi } from '#web/lib/data/call-api.ts'

/**
 * The maximum time, in milliseconds, that a submit waits for the form's spam-defense token. Afterwards the form is sent
 * without a token.
 */
const timeoutMs = 1_500

/**
 * The database flags a form as automated if the form is sent within three seconds after its spam-defense token was
 * created (supabase/schemas/45_holds.sql). Humans are that fast only when the browser fills the form in, or when they
 * filled it in before a reload. The submit of such a form waits until the token is old enough, plus a margin for timers
 * and for clocks that differ between servers.
 */
const ripeMs = 3_500

/** The interval, in milliseconds, at which a form checks whether it has a valid spam-defense token. */
const checkMs = 5_000

/**
 * The age of a spam-defense token at which an open page fetches a new one. A token is valid for a day, so the page
 * renews it after twelve hours.
 */
const maxAgeMs = 12 * 60 * 60 * 1000

export type GuardHeaders = Record<string, string>

/**
 * Returns the header with the form's token. The token proves to a server function that the request comes from the
 * browser that sent the form.
 */
export function senderHeaders({ 'x-form-token': token }: GuardHeaders): GuardHeaders {
  return token ? { 'x-form-token': token } : {}
}

type Token = {
  readonly text: Promise<string>
  /** Resolves when the token is old enough that the database no longer flags the form as sent by a bot. */
  readonly ripe: Promise<void>
  readonly requestedAt: number
  isMissing: boolean
}

/**
 * The browser's part of the spam defense of the two public forms. When the form appears, this code fetches a signed
 * token that contains the time of the fetch. The insert sends the token and the value of the honeypot field, by
 * which the server flags suspicious rows for staff. The spam defense never prevents a visitor from sending.
 *
 *   const guard = useFormGuard()
 *   <Honeypot ref={guard.honeypot} />                      // web/ui/field/honeypot.tsx
 *   for (const [name, value] of Object.entries(await guard.headers())) insert.setHeader(name, value)
 *   guard.renew()                                          // after the form was stored
 *
 * A form that did not reach the server keeps its token for the next attempt: a new token would be too young, and the
 * database would flag a visitor with a bad connection as automated.
 */
export function useFormGuard() {
  const honeypot = useRef<HTMLInputElement>(null)
  const token = useRef<Token>(undefined)
  const renew = useCallback(() => {
    token.current = requestToken()
  }, [])
  useEffect(() => {
    const renewIfOld = () => {
      const { current } = token
      const isOld = current !== undefined && Date.now() - current.requestedAt > maxAgeMs
      if (navigator.onLine && (!current || current.isMissing || isOld)) renew()
    }
    renewIfOld()
    const timer = setInterval(renewIfOld, checkMs)
    return () => clearInterval(timer)
  }, [renew])
  const headers = useCallback(async (): Promise<GuardHeaders> => {
    token.current ??= requestToken()
    const { text, ripe } = token.current
    const value = await Promise.race([text, wait(timeoutMs).then(() => '')])
    if (value) await ripe
    return {
      ...(value && { 'x-form-token': value }),
      // The honeypot's value is encoded, because header values are Latin-1 without line breaks and an automated sender
      // may type anything.
      'x-form-website': encodeURIComponent(honeypot.current?.value ?? '').slice(0, 200),
    }
  }, [])
  return { honeypot, headers, renew }
}

function requestToken(): Token {
  const text = fetchToken()
  const ripe = text.then(() => wait(ripeMs))
  const token: Token = { text, ripe, requestedAt: Date.now(), isMissing: false }
  const recordMissing = async () => {
    token.isMissing = (await token.text) === ''
  }
  void recordMissing()
  return token
}

async function fetchToken(): Promise<string> {
  const issued = await callApi(formTokenEndpoint)
  return issued.ok ? issued.value.token : ''
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
