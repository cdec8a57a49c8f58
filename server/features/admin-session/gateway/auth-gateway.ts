import type { DataSession } from '#contracts/admin-session.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'
import type { Result } from '#domain/result.ts'
import type { PasswordQueueName } from '../sign-in/password-queues.ts'

/** The admin who is signed in to the dashboard. */
export type Admin = { readonly userId: string; readonly username: string }

export type NewAdmin = {
  readonly username: string
  readonly password: string
  readonly role: StaffRole
}

/** A new user who signs in with a passkey. The device has already stored the passkey under the id of the user. */
type NewPasskeyUser = Omit<NewAdmin, 'password'> & { readonly userId: string }

/** A data session (tokens for the REST API), with its id (a UUID). */
export type OpenedSession = { readonly id: string; readonly session: DataSession }

/**
 * The operations of an auth service that sign-in to the dashboard needs. The auth service is the embedded one or that
 * of a hosted Supabase project. A user without a staff account is treated as unknown. Throws during an outage.
 */
export type AuthGateway = {
  signIn(
    username: string,
    password: string,
    queue: PasswordQueueName,
  ): Promise<
    Result<{ admin: Admin; opened: OpenedSession }, 'INVALID_CREDENTIALS' | 'BUSY' | 'RATE_LIMITED'>
  >
  /**
   * Creates another data session (tokens for the REST API) for a signed-in admin. Returns undefined when the user was
   * deleted.
   */
  openSession(admin: Admin, endsAtMs: number): Promise<OpenedSession | undefined>
  /** Ends a data session (tokens for the REST API) that the server has not returned to a client. */
  closeSession(opened: OpenedSession): Promise<void>
  /**
   * Ends the data sessions (tokens for the REST API) of a signed-out browser. Needed only for an auth service whose
   * database does not end these sessions together with the dashboard session.
   */
  closeSessions(admin: Admin): Promise<void>
  findAdmin(username: string): Promise<Admin | undefined>
  createAdmin(account: NewAdmin | NewPasskeyUser): Promise<Result<Admin, 'USERNAME_TAKEN'>>
  /**
   * Sends the role of a staff account to an auth service whose access tokens contain a role. The database reads the
   * role from the staff account, so a token with a former role grants no rights.
   */
  recordRole(userId: string, role: StaffRole): Promise<void>
  /** Sets the password of an admin and ends the admin's data sessions (tokens for the REST API). */
  setPassword(username: string, password: string): Promise<Result<Admin, 'UNKNOWN_USERNAME'>>
  /** Deletes the user of a staff account and ends the user's data sessions (tokens for the REST API). */
  deleteUser(userId: string): Promise<void>
}

/** The JWT claims of an admin's access token; the database policies read `role`. */
export const adminMetadata = (username: string) => ({ role: 'admin', username }) as const

/**
 * Auth services identify users by email address, but the dashboard identifies users by username. Each username is
 * therefore mapped to an email address that never receives email. This address does not contain the shop's name, so
 * that renaming the shop does not affect the sign-in.
 */
export function staffEmail(username: string): string {
  return `${username.toLowerCase()}@staff.torqueandtiming.example`
}
