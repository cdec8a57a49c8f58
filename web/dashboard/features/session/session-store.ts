import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Result } from '#domain/result.ts'
import { openLiveEvents } from '#web/lib/live/live-events.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { getDataService } from '#web/lib/data/supabase.ts'
import { abandonRequests } from '#web/lib/data/session-renewal.ts'
import {
  readSession,
  endSession,
  type LoggedIn,
  loginFailed,
  type LogInRefusal,
} from './session-api.ts'

/**
 * The login state of the dashboard. The server decides from the session cookie whether the user is logged in; this
 * store only mirrors the server's decision.
 */
export type Session =
  | { readonly state: 'checking' }
  | { readonly state: 'signed-out' }
  | {
      readonly state: 'signed-in'
      readonly username: string
      readonly name: string
      readonly role: StaffRole
      /**
       * Whether the team member must first set up an authenticator app. Until then, the server refuses all other
       * requests.
       */
      readonly needsCodeApp: boolean
      /** Whether the sign-in session has ended at the server. The page remains visible while the user logs in again. */
      readonly hasEnded: boolean
      /** Whether the database's REST API rejected a request and the server could not issue new tokens for it. */
      readonly isWithoutData: boolean
    }

const loggedInFlag = 'admin_logged_in'

let session: Session = { state: 'checking' }
const listeners = new Set<() => void>()

function setSession(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const sessionStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => session,
}

/** Checks the session cookie with the server and passes issued tokens to the client of the database's REST API. */
export async function checkSession(): Promise<void> {
  try {
    const service = await getDataService()
    const { data } = await service.auth.getSession()
    const response = await readSession({ withDataSession: data.session === null })
    if (!response) return signedOut()
    if (!response.needsCodeApp) openLiveEvents()
    if (response.session) await service.auth.setSession(response.session)
    signedIn(response)
  } catch (error) {
    // The browser could not load the code of the client of the database's REST API, without which the dashboard cannot
    // work. The page shows the login card, so that the user can try again.
    logQuietly('The session could not be checked', error)
    signedOut()
  }
}

/**
 * Passes the tokens of a login to the client of the database's REST API and shows the dashboard. Returns the reason if
 * the login failed.
 */
export async function completeLogIn(
  response: Result<LoggedIn, LogInRefusal>,
): Promise<LogInRefusal | undefined> {
  if (!response.ok) return response.refusal
  try {
    const service = await getDataService()
    const dataSession =
      response.value.session ?? (await readSession({ withDataSession: true }))?.session
    if (dataSession) await service.auth.setSession(dataSession)
    // Tokens for the database's REST API from an earlier login must not be used for this login.
    else await service.auth.signOut({ scope: 'local' })
  } catch (error) {
    logQuietly('The Supabase client rejected the tokens of the login', error)
    return { message: loginFailed }
  }
  signedIn(response.value)
  return undefined
}

/**
 * Ends the sign-in session at the server and deletes the browser's tokens for the database's REST API. The caller then
 * leaves the page.
 */
export async function logOut(): Promise<void> {
  // Hide the dashboard and abort its requests before the sign-in session ends. Otherwise the server would reject the
  // requests, and the page would repeat them.
  setSession({ state: 'checking' })
  abandonRequests()
  try {
    // Sign out of the database's REST API first. The end of the sign-in session also revokes the tokens for this API,
    // so a later sign-out would fail.
    const service = await getDataService()
    await service.auth.signOut({ scope: 'local' })
  } finally {
    await endSession()
    localStorage.removeItem(loggedInFlag)
  }
}

let renewal: Promise<boolean> | undefined

/**
 * Renews the tokens after the database's REST API has rejected a request. Requests new tokens if the sign-in session is
 * still valid, else shows the login dialog and waits for a login. Concurrent calls share one renewal.
 * @returns whether the rejected request may be retried.
 */
export function renewSession(): Promise<boolean> {
  renewal ??= renew().finally(() => (renewal = undefined))
  return renewal
}

async function renew(): Promise<boolean> {
  if (session.state !== 'signed-in') return false
  const response = await readSession({ withDataSession: true })
  if (response?.session) {
    const service = await getDataService()
    await service.auth.setSession(response.session)
    if (session.isWithoutData) signedIn(response)
    return true
  }
  if (session.state !== 'signed-in') return false
  if (response) {
    setSession({ ...session, isWithoutData: true })
    return false
  }
  setSession({ ...session, hasEnded: true })
  return loggedInAgain()
}

function loggedInAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = sessionStore.subscribe(() => {
      if (session.state === 'signed-in' && session.hasEnded) return
      stop()
      resolve(session.state === 'signed-in')
    })
  })
}

let signedInCallback: (response: LoggedIn) => void = () => {}

/** Registers the callback that receives the server's login response before the dashboard is shown. */
export function onSignedIn(then: typeof signedInCallback): void {
  signedInCallback = then
}

function signedIn(response: LoggedIn): void {
  localStorage.setItem(loggedInFlag, 'true')
  signedInCallback(response)
  void import('./report-use.ts').then(({ reportUse }) => reportUse())
  const { username, name, role, needsCodeApp } = response
  const account = { username, name, role, needsCodeApp }
  setSession({ state: 'signed-in', ...account, hasEnded: false, isWithoutData: false })
}

function signedOut(): void {
  localStorage.removeItem(loggedInFlag)
  setSession({ state: 'signed-out' })
}
