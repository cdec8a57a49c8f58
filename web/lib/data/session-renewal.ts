let renew: () => Promise<boolean> = () => Promise.resolve(false)

/** Says how to get a new session when one was refused; the dashboard sets it. */
export function onSessionRefused(renewSession: () => Promise<boolean>): void {
  renew = renewSession
}

let requests = new AbortController()

/** Aborted when the session is ended on purpose: nobody waits for these answers any more. */
export function untilSignOut(): AbortSignal {
  return requests.signal
}

/** Lets go of every request that is under way. */
export function abandonRequests(): void {
  requests.abort()
  requests = new AbortController()
}

/** To be called when an answer was 401: resolves to whether the request may be tried once more. */
export function sessionRefused(): Promise<boolean> {
  return renew()
}
