import pg from 'pg'
import { type Database, type Query } from '@local/postgres'
import type { ErrorCode } from '#contracts/api/errors.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'

export const changeName = (database: Database, userId: string, name: string) =>
  change(database, (query) =>
    query('update public.staff_accounts set name = $2 where user_id = $1', [userId, name]),
  )

export const changeEmail = (database: Database, userId: string, email: string) =>
  change(database, (query) =>
    query('update public.staff_accounts set email = $2 where user_id = $1', [userId, email]),
  )

/** The error code for each database constraint that refuses a name or an email address. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  staff_accounts_name_is_text: 'INVALID_NAME',
  staff_accounts_email_is_an_address: 'INVALID_ADDRESS',
  staff_accounts_email_key: 'EMAIL_TAKEN',
}

async function change(
  database: Database,
  work: (query: Query) => Promise<unknown>,
): Promise<Result<true, Refusal>> {
  try {
    await database.transaction(asServer, work)
    return accepted(true)
  } catch (error) {
    const code = error instanceof pg.DatabaseError && refusals[error.constraint ?? '']
    if (!code) throw error
    return refused({ code })
  }
}
