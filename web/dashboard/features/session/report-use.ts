import { readSession } from './session-api.ts'

const everyMs = 10 * 60_000

let reportedAtMs: number | undefined

/**
 * Tells the server at most every ten minutes that somebody works in the page, so that the session goes on. What the page
 * reads by itself does not count (docs/product.md 6.7).
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
