import type { DataSession } from '#contracts/admin-session.ts'
import type { Onboarding } from '#contracts/onboarding.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'

/** Selects the fields that the browser's data client needs from the response of the auth service. */
export function presentSession(session: DataSession): DataSession {
  const { access_token, refresh_token, expires_in, expires_at } = session
  return { access_token, refresh_token, expires_in, expires_at }
}

/** Only owners and advisors receive the setup steps; technicians receive none. */
export const withOnboarding = (role: StaffRole, onboarding: Onboarding) =>
  role === 'technician' ? {} : { onboarding }
