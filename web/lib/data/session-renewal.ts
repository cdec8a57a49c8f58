let renew: () => Promise<boolean> = () => Promise.resolve(false)

/** Sets the function that renews a rejected session. The dashboard calls this when it starts. */
export function onSessionRefused(renewSession: () => Promise<boolean>): void {
  renew = renewSession
}

let requests = new AbortController()

/** A signal that sign-out aborts, because nobody needs the responses of running requests afterwards. */
export function untilSignOut(): AbortSignal {
  return requests.signal
}

/** Aborts every running request. */
export function abandonRequests(): void {
  requests.abort()
  requests = new AbortController()
}

/**
 * Call this after a 401 response. Resolves to whether the session was renewed, so that the caller can send the request
 * once more.
 */
export function sessionRefused(): Promise<boolean> {
  return renew()
}
