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

/** A user who signs in with a passkey, which the device stored under the id of the user. */
type NewPasskeyUser = Omit<NewAdmin, 'password'> & { readonly userId: string }

/** A session of the data service, and its id there (a UUID). */
export type OpenedSession = { readonly id: string; readonly session: DataSession }

/**
 * The operations of an auth service that the dashboard's session needs. The auth service is the embedded one or that of
 * a hosted project. Only users with a staff account count. Outages throw.
 */
export type AuthGateway = {
  signIn(
    username: string,
    password: string,
    queue: PasswordQueueName,
  ): Promise<
    Result<{ admin: Admin; opened: OpenedSession }, 'INVALID_CREDENTIALS' | 'BUSY' | 'RATE_LIMITED'>
  >
  /** Creates another session for a signed-in admin; undefined when the user was deleted. */
  openSession(admin: Admin, endsAtMs: number): Promise<OpenedSession | undefined>
  /** Ends a session that the server did not return to any client. */
  closeSession(opened: OpenedSession): Promise<void>
  /**
   * Ends the data sessions of a signed-out browser. An auth service needs this call if its database does not end the
   * data sessions together with the cookie.
   */
  closeSessions(admin: Admin): Promise<void>
  findAdmin(username: string): Promise<Admin | undefined>
  createAdmin(account: NewAdmin | NewPasskeyUser): Promise<Result<Admin, 'USERNAME_TAKEN'>>
  /**
   * Records the role of a staff account in an auth service whose access tokens contain the database role. The database
   * reads the role from the account, so a token with a former role grants no rights.
   */
  recordRole(userId: string, role: StaffRole): Promise<void>
  /** Sets the password of an admin and ends the sessions of the user. */
  setPassword(username: string, password: string): Promise<Result<Admin, 'UNKNOWN_USERNAME'>>
  /** Deletes the user of a staff account and ends the sessions of the user. */
  deleteUser(userId: string): Promise<void>
}

/** The claims of an admin's access token; the database policies read `role`. */
export const adminMetadata = (username: string) => ({ role: 'admin', username }) as const

/**
 * Auth services identify users by email address, the dashboard by name. Each name has one address, which never receives
 * email. The address does not contain the shop's name, so that a new name of the shop does not affect the sign-in.
 */
export function staffEmail(username: string): string {
  return `${username.toLowerCase()}@staff.torqueandtiming.example`
}
