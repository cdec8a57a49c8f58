import { asServer, type Database } from '#packages/postgres/database.ts'

/** Notes whether the admin's password is the one that the first start made and printed: one to change. */
export async function recordFirstPassword(database: Database, isFirst: boolean): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.onboarding set has_first_password = $1::boolean
       where has_first_password <> $1::boolean`,
      [isFirst],
    ),
  )
}
