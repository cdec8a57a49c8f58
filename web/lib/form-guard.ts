import { useCallback, useEffect, useRef } from 'react'
import { getJson } from './api.ts'

/** How long a submit waits for a token that is still on its way; then it goes without. */
const patienceMs = 1_500

export type GuardHeaders = Record<string, string>

/**
 * The browser's half of the quiet spam defence on the two public forms. When the form appears it fetches
 * a signed token that carries its age; the insert sends it along with what the honeypot field holds. The
 * server flags what is suspicious for the admin. Nothing here ever keeps a visitor from sending.
 *
 *   const guard = useFormGuard()
 *   <Honeypot ref={guard.honeypot} />                      // web/ui/honeypot.tsx
 *   for (const [name, value] of Object.entries(await guard.headers())) insert.setHeader(name, value)
 *
 * Each call of `headers` uses the token up and fetches the next.
 */
export function useFormGuard() {
  const honeypot = useRef<HTMLInputElement>(null)
  const token = useRef<Promise<string> | null>(null)
  useEffect(() => {
    token.current ??= fetchToken()
  }, [])
  const headers = useCallback(async (): Promise<GuardHeaders> => {
    const current = token.current ?? fetchToken()
    const value = await Promise.race([current, waitInVain()])
    token.current = fetchToken()
    return {
      ...(value && { 'x-form-token': value }),
      // Header values are Latin-1 without line breaks: encoded, whatever a robot typed.
      'x-form-website': encodeURIComponent(honeypot.current?.value ?? '').slice(0, 200),
    }
  }, [])
  return { honeypot, headers }
}

async function fetchToken(): Promise<string> {
  const reply = await getJson('/api/form-token')
  if (reply.kind !== 'json' || !reply.httpOk) return ''
  const { body } = reply
  const hasToken = typeof body === 'object' && body !== null && 'token' in body
  return hasToken && typeof body.token === 'string' ? body.token : ''
}

function waitInVain(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs, '')
  })
}
