import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Records whether the owner still has the password that the server generated and printed at its first start. */
export async function recordFirstPassword(database: Database, isFirst: boolean): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.onboarding set has_first_password = $1::boolean
       where has_first_password <> $1::boolean`,
      [isFirst],
    ),
  )
}

/**
 * Records that the generated first password is no longer in use, if an account without an employee record received a
 * new password. Accounts with an employee record belong to invited team members, who never had the generated password.
 */
export async function recordNewPassword(database: Database, userId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.onboarding set has_first_password = false
       where has_first_password
         and exists (select from public.staff_accounts where user_id = $1 and employee_id is null)`,
      [userId],
    ),
  )
}
