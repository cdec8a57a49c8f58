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
 * Records that an account received another password. Only an account without an employee record can have the
 * generated first password, because the account of an invited team member always has an employee record.
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
