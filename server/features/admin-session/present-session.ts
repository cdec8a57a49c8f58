import type { DataSession } from '#contracts/admin-session.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import type { AdminSession } from './admin-sessions.ts'

/** Selects the fields that the browser's data client needs from the response of the auth service. */
export function presentSession(session: DataSession): DataSession {
  const { access_token, refresh_token, expires_in, expires_at } = session
  return { access_token, refresh_token, expires_in, expires_at }
}

/**
 * Adds the setup steps to the response for owners and advisors; technicians receive none. For a team member who must
 * first set up an authenticator app, the response contains only this requirement.
 */
export function withOnboarding(
  { role, needsCodeApp }: Pick<AdminSession, 'role' | 'needsCodeApp'>,
  onboarding: Onboarding,
) {
  if (needsCodeApp) return { needsCodeApp } as const
  return role === 'technician' ? {} : { onboarding }
}
