import { readSession } from './session-api.ts'

const everyMs = 10 * 60_000

let reportedAtMs: number | undefined

/**
 * Reports to the server, at most every ten minutes, that the user uses the keyboard or the pointer, so that the server
 * extends the sign-in session. Requests that the page sends by itself do not extend the session (docs/product.md 6.7).
 */
export function reportUse(): void {
  if (reportedAtMs === undefined) {
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, report, true)
  }
  reportedAtMs = Date.now()
}

function report(): void {
  if (Date.now() - (reportedAtMs ?? 0) < everyMs) return
  reportedAtMs = Date.now()
  void readSession({ withDataSession: false })
}
