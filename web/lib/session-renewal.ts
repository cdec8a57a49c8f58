let renew: () => Promise<boolean> = () => Promise.resolve(false)

/** Says how to get a new session when one was refused; the dashboard sets it. */
export function onSessionRefused(renewSession: () => Promise<boolean>): void {
  renew = renewSession
}

/** To be called when an answer was 401: resolves to whether the request may be tried once more. */
export function sessionRefused(): Promise<boolean> {
  return renew()
}
