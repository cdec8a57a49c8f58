import type { FastifyReply, FastifyRequest } from 'fastify'
import type { adminSessionEndpoints, DataSession } from '#contracts/admin-session.ts'
import type { ResponseOf } from '#contracts/api/endpoint.ts'
import { apiErrors } from '#contracts/api/errors.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import { accepted, type Result } from '#domain/result.ts'
import {
  closeAdminSession,
  findAdminSession,
  linkDataSession,
  recordUse,
} from './admin-sessions.ts'
import type { LogInDependencies } from './sign-in/log-in.ts'
import { presentSession, withOnboarding } from './present-session.ts'
import { clearSessionCookie, readSessionCookie } from './session-cookie.ts'

/** The data of the dashboard session of a browser; undefined when the browser is not signed in. */
type CurrentSession =
  | {
      readonly username: string
      readonly name: string
      readonly role: StaffRole
      readonly needsCodeApp: boolean
      readonly session?: DataSession
      readonly onboarding: Onboarding
    }
  | undefined

/**
 * Returns the admin to whom the session cookie belongs. Opens a new data session (tokens for the REST API) when the
 * browser reports that it has none.
 */
export async function readCurrentSession(
  { gateway, database, publicUrl, liveSessions, readOnboarding }: LogInDependencies,
  isMissing: boolean,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Result<CurrentSession, never>> {
  const token = readSessionCookie(request)
  const session = token === undefined ? undefined : await findAdminSession(database, token)
  liveSessions.note(request, 'cookie', session !== undefined)
  if (token === undefined || !session) return accepted(undefined)
  const { username, name, role, needsCodeApp } = session
  if (!isMissing) {
    // A browser that has a data session (tokens for the REST API) sends this request when a team member opens or uses
    // the page. The request therefore counts as use of the dashboard session.
    await recordUse(database, token)
    const onboarding = await readOnboarding()
    return accepted({ username, name, role, needsCodeApp, onboarding })
  }
  const opened = await gateway.openSession(session, session.endsAtMs)
  if (!opened || !(await linkDataSession(database, token, opened.id))) {
    // The user was deleted, lost the admin role or signed out during the request, so the dashboard session is ended.
    if (opened) await gateway.closeSession(opened)
    await closeAdminSession(database, token)
    clearSessionCookie(reply, publicUrl)
    return accepted(undefined)
  }
  return accepted({
    username,
    name,
    role,
    needsCodeApp,
    session: opened.session,
    onboarding: await readOnboarding(),
  })
}

export function presentCurrentSession(
  current: CurrentSession,
): ResponseOf<typeof adminSessionEndpoints.whoAmI> {
  if (!current) {
    const { message } = apiErrors.UNAUTHENTICATED
    return { ok: false, code: 'UNAUTHENTICATED', message }
  }
  const { username, name, role, session, onboarding } = current
  return {
    ok: true,
    user: { username },
    name,
    role,
    ...(session && { session: presentSession(session) }),
    ...withOnboarding(current, onboarding),
  }
}
