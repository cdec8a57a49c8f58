import { useCallback, useEffect, useRef } from 'react'
import { formTokenEndpoint } from '#contracts/form-token.ts'
import { callApi } from '#web/lib/data/call-api.ts'

/** How long a submit waits for a token that is still on its way; then it goes without. */
const timeoutMs = 1_500

/**
 * A form sent within three seconds of its token looks automated to the database (create_form_guard.sql).
 * People are that fast only when the browser filled the form in, or when it was filled in before a reload:
 * their submit waits for the rest, and for what timers and the clocks of two servers may be apart.
 */
const ripeMs = 3_500

/** How often a form looks whether it has a good token. */
const checkMs = 5_000

/** A token is good for a day: a page that stands open longer takes another one in time. */
const maxAgeMs = 12 * 60 * 60 * 1000

export type GuardHeaders = Record<string, string>

/** What shows a server function that the form it confirms was this one. */
export function senderHeaders({ 'x-form-token': token }: GuardHeaders): GuardHeaders {
  return token ? { 'x-form-token': token } : {}
}

type Token = {
  readonly text: Promise<string>
  /** Once the token is old enough for a person's form. */
  readonly ripe: Promise<void>
  readonly requestedAt: number
  isMissing: boolean
}

/**
 * The browser's half of the quiet spam defence on the two public forms. When the form appears it fetches
 * a signed token that carries its age; the insert sends it along with what the honeypot field holds. The
 * server flags what is suspicious for the admin. Nothing here ever keeps a visitor from sending.
 *
 *   const guard = useFormGuard()
 *   <Honeypot ref={guard.honeypot} />                      // web/ui/field/honeypot.tsx
 *   for (const [name, value] of Object.entries(await guard.headers())) insert.setHeader(name, value)
 *   guard.renew()                                          // once the form was taken
 *
 * A form that did not arrive keeps its token for the next try: a new one would be too young, and somebody
 * with bad reception would look like a robot.
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
      // Header values are Latin-1 without line breaks: encoded, whatever a robot typed.
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
