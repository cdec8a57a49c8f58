import type { DataSession } from '#contracts/admin-session.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import type { AdminSession } from './admin-sessions.ts'

/** Selects the fields of the auth service's response that the browser needs to call the REST API. */
export function presentSession(session: DataSession): DataSession {
  const { access_token, refresh_token, expires_in, expires_at } = session
  return { access_token, refresh_token, expires_in, expires_at }
}

/**
 * Returns the setup steps of a new shop for owners and advisors, and nothing for technicians. For a team member who
 * must first set up an authenticator app, returns only `needsCodeApp`.
 */
export function withOnboarding(
  { role, needsCodeApp }: Pick<AdminSession, 'role' | 'needsCodeApp'>,
  onboarding: Onboarding,
) {
  if (needsCodeApp) return { needsCodeApp } as const
  return role === 'technician' ? {} : { onboarding }
}
