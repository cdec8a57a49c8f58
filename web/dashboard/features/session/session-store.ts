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
  requestLogIn,
} from './session-api.ts'

/** What the dashboard knows of who sits in front of it. The server's cookie is the truth; this follows it. */
export type Session =
  | { readonly state: 'checking' }
  | { readonly state: 'signed-out' }
  | {
      readonly state: 'signed-in'
      readonly username: string
      /** The server no longer knows the session: the work stays in sight until the admin logs in again. */
      readonly hasEnded: boolean
      /** The data service refused to answer, and the server has no session for it to hand out. */
      readonly isWithoutData: boolean
    }

const loggedInFlag = 'admin_logged_in'

let session: Session = { state: 'checking' }
const listeners = new Set<() => void>()

function become(next: Session): void {
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

/** Asks the server once whether the browser's cookie still stands; gives the data client its tokens. */
export async function checkSession(): Promise<void> {
  try {
    const service = await getDataService()
    const { data } = await service.auth.getSession()
    const response = await readSession({ withDataSession: data.session === null })
    if (!response) return signedOut()
    openLiveEvents()
    if (response.session) await service.auth.setSession(response.session)
    signedIn(response)
  } catch (error) {
    // Without its data client the dashboard can do nothing: the login card is the way to try again.
    logQuietly('session not checked', error)
    signedOut()
  }
}

export async function logIn(username: string, password: string): Promise<LogInRefusal | undefined> {
  const response = await requestLogIn(username, password)
  if (!response.ok) return response.refusal
  try {
    const service = await getDataService()
    const handedOut =
      response.value.session ?? (await readSession({ withDataSession: true }))?.session
    if (handedOut) await service.auth.setSession(handedOut)
    // What another login left behind must not answer for this one.
    else await service.auth.signOut({ scope: 'local' })
  } catch (error) {
    logQuietly('session not taken', error)
    return { message: loginFailed }
  }
  signedIn(response.value)
  return undefined
}

/** Ends both sessions here and on the server; the caller leaves the page. */
export async function logOut(): Promise<void> {
  // The work is put away first: what it was still asking for would be refused, and asked for again.
  become({ state: 'checking' })
  abandonRequests()
  try {
    // In this order: the server ends both with the cookie, and then would not know the token any more.
    const service = await getDataService()
    await service.auth.signOut({ scope: 'local' })
  } finally {
    await endSession()
    localStorage.removeItem(loggedInFlag)
  }
}

let renewal: Promise<boolean> | undefined

/**
 * To be called when a request was refused for its session: takes new tokens if the cookie still stands,
 * else shows the login card over the work and waits for the login. What was under way goes on from there.
 * @returns whether the request may be tried again.
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
    become({ ...session, isWithoutData: true })
    return false
  }
  become({ ...session, hasEnded: true })
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

let greet: (response: LoggedIn) => void = () => {}

/** Sets what is done with the server's answer before the dashboard is shown. */
export function onSignedIn(then: typeof greet): void {
  greet = then
}

function signedIn(response: LoggedIn): void {
  localStorage.setItem(loggedInFlag, 'true')
  greet(response)
  const { username } = response
  become({ state: 'signed-in', username, hasEnded: false, isWithoutData: false })
}

function signedOut(): void {
  localStorage.removeItem(loggedInFlag)
  become({ state: 'signed-out' })
}
