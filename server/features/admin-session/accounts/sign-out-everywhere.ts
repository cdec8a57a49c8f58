import type { Database } from '#packages/postgres/database.ts'
import { closeAdminSessionsOf } from '../admin-sessions.ts'
import { revokeSignInCodesOf } from '../sign-in/sign-in-codes.ts'

/** Ends what an admin holds here: cookies, what was handed out beside them, codes. */
export async function signOutEverywhere(database: Database, userId: string): Promise<void> {
  await revokeSignInCodesOf(database, userId)
  await closeAdminSessionsOf(database, userId)
}
