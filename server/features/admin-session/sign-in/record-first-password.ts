import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Records whether the owner still has the password that the first start generated and printed. */
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
 * new password. The account of an invited team member always has an employee record, so only the first owner's account
 * can have the generated password.
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
