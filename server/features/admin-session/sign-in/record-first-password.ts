import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Records whether the admin still has the password that the first start generated and printed. */
export async function recordFirstPassword(database: Database, isFirst: boolean): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.onboarding set has_first_password = $1::boolean
       where has_first_password <> $1::boolean`,
      [isFirst],
    ),
  )
}
