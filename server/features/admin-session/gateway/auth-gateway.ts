import type { DataSession } from '#contracts/admin-session.ts'
import type { Result } from '#domain/result.ts'
import type { PasswordQueue } from '#packages/data-service/auth/password-queues.ts'

/** Who is signed in to the dashboard. */
export type Admin = { readonly userId: string; readonly username: string }

/** A session of the data service, and its id there (a UUID). */
export type OpenedSession = { readonly id: string; readonly session: DataSession }

/**
 * What the dashboard's session asks of an auth service: ours in this process, or a hosted one. Only
 * users with the role `admin` count. Outages throw.
 */
export type AuthGateway = {
  signIn(
    username: string,
    password: string,
    queue: PasswordQueue,
  ): Promise<
    Result<{ admin: Admin; opened: OpenedSession }, 'INVALID_CREDENTIALS' | 'BUSY' | 'RATE_LIMITED'>
  >
  /** A further session for who is signed in here; undefined when the user is gone. */
  openSession(admin: Admin, endsAtMs: number): Promise<OpenedSession | undefined>
  /** Ends a session that was handed to nobody. */
  closeSession(opened: OpenedSession): Promise<void>
  /** Ends what a browser that signed out had been handed, where the database does not with the cookie. */
  closeSessions(admin: Admin): Promise<void>
  hasAdmin(): Promise<boolean>
  findAdmin(username: string): Promise<Admin | undefined>
  createAdmin(username: string, password: string): Promise<Result<Admin, 'USERNAME_TAKEN'>>
  /** Ends the user's sessions too. */
  setPassword(username: string, password: string): Promise<Result<Admin, 'UNKNOWN_USERNAME'>>
  /** Ends the user's sessions too. Somebody else must be left who can sign in, unless `evenTheLast`. */
  removeAdmin(
    username: string,
    evenTheLast: boolean,
  ): Promise<Result<Admin, 'UNKNOWN_USERNAME' | 'LAST_ADMIN'>>
}

/** What an admin's access token carries; the database's policies look at `role`. */
export const adminMetadata = (username: string) => ({ role: 'admin', username }) as const

/**
 * Auth services know users by e-mail, the dashboard by name: each name has one address, to which nothing is ever sent.
 * It says nothing of the shop: who signs in stays the same whatever the shop is called.
 */
export function staffEmail(username: string): string {
  return `${username.toLowerCase()}@staff.torqueandtiming.example`
}
