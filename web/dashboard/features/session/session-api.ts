import { adminSessionEndpoints, type DataSession } from '#contracts/admin-session.ts'
import type { ResponseOf } from '#contracts/api/endpoint.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type ApiResult, callApi } from '#web/lib/data/call-api.ts'

export type LogInRefusal = {
  readonly message: string
  /**
   * Whether the password was correct and the server now asks for a code of the authenticator app. Such a response is
   * not an error.
   */
  readonly needsCode?: true
}

/**
 * The server's response to a successful login. `session` contains the tokens for the database's REST API; undefined if
 * the server issued none.
 */
export type LoggedIn = {
  readonly username: string
  /** The displayed name of the user; the username when the server sent no name. */
  readonly name: string
  readonly role: StaffRole
  /** Whether the user must set up an authenticator app before using the dashboard (docs/product.md 6.11). */
  readonly needsCodeApp: boolean
  readonly session: DataSession | undefined
  readonly onboarding: Onboarding | undefined
  /** The former hosts at which the person created passkeys, if none of these passkeys works at the current host. */
  readonly formerPasskeyHosts?: readonly string[] | undefined
}

type SignedIn = Extract<ResponseOf<typeof adminSessionEndpoints.whoAmI>, { ok: true }>

/**
 * The assumed role if the login response contains no role. With this role the page hides nothing, and the database
 * refuses the actions that the real role is not allowed to do.
 */
const unknownRole: StaffRole = 'owner'

/**
 * The message for a failed login. A login also fails when the client of the database's REST API rejects the tokens
 * (docs/product.md 8.5).
 */
export const loginFailed = 'An error occurred during login.'

export async function requestLogIn(
  username: string,
  password: string,
): Promise<Result<LoggedIn, LogInRefusal>> {
  return readLogIn(await callApi(adminSessionEndpoints.logIn, { username, password }))
}

/** Parses the response to a login with a password or a passkey. */
export function readLogIn(
  result: ApiResult<typeof adminSessionEndpoints.logIn>,
): Result<LoggedIn, LogInRefusal> {
  if (result.ok) {
    const { formerPasskeyHosts } = result.value
    return accepted({ ...readLoggedIn(result.value), formerPasskeyHosts })
  }
  const { reply, message, code } = result.refusal
  if (code === 'SECOND_FACTOR') return refused({ message: '', needsCode: true })
  if (!reply.body) return refused({ message: loginFailed })
  return refused({ message: message || 'Invalid username or password' })
}

/**
 * The user whom the session cookie identifies; undefined when nobody is logged in. With `withDataSession`, the result
 * includes tokens for the database's REST API.
 */
export async function readSession(options: {
  withDataSession: boolean
}): Promise<LoggedIn | undefined> {
  const request = options.withDataSession ? ({ session: 'missing' } as const) : {}
  const result = await callApi(adminSessionEndpoints.whoAmI, request)
  if (!result.ok || !result.value.ok) return undefined
  return readLoggedIn(result.value)
}

function readLoggedIn(response: SignedIn): LoggedIn {
  const { user, name = user.username, role = unknownRole, session, onboarding } = response
  const needsCodeApp = response.needsCodeApp === true
  return { username: user.username, name, role, needsCodeApp, session, onboarding }
}

export async function endSession(): Promise<void> {
  await callApi(adminSessionEndpoints.logOut)
}
