import type { Database } from '@local/postgres'
import { closeAdminSessionsOf } from '../admin-sessions.ts'
import { revokeSignInCodesOf } from '../sign-in/sign-in-codes.ts'

/** Invalidates the session cookies, the data sessions (tokens for the REST API) and the sign-in codes of an admin. */
export async function signOutEverywhere(database: Database, userId: string): Promise<void> {
  await revokeSignInCodesOf(database, userId)
  await closeAdminSessionsOf(database, userId)
}
