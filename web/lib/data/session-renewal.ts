let renew: () => Promise<boolean> = () => Promise.resolve(false)

/**
 * Registers the function that renews the sign-in session after the server has rejected a request. The dashboard calls
 * this when it starts.
 */
export function onSessionRefused(renewSession: () => Promise<boolean>): void {
  renew = renewSession
}

let requests = new AbortController()

/**
 * The abort signal of running requests. Signing out aborts these requests, because nobody needs their responses
 * any more.
 */
export function untilSignOut(): AbortSignal {
  return requests.signal
}

/** Aborts every running request. */
export function abandonRequests(): void {
  requests.abort()
  requests = new AbortController()
}

/**
 * Call this after a 401 response. Resolves to whether the sign-in session was renewed, so that the caller can send the
 * request once more.
 */
export function sessionRefused(): Promise<boolean> {
  return renew()
}
