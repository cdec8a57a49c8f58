import { createHmac, randomInt } from 'node:crypto'
import type { Query } from '@local/postgres'

/** The digits and letters of recovery codes, without characters that look alike. */
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const signsOfCode = 8
const codesOfAccount = 10

function createRecoveryCode(): string {
  const code = Array.from({ length: signsOfCode }, () => signs[randomInt(signs.length)]).join('')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** Replaces the recovery codes of an account and returns the new ones. The server can never show them again. */
export async function replaceRecoveryCodes(
  query: Query,
  secretsKey: Buffer,
  userId: string,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < codesOfAccount) codes.add(createRecoveryCode())
  await query('delete from internal.recovery_codes where user_id = $1', [userId])
  await query(
    'insert into internal.recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])',
    [userId, [...codes].map((code) => hashOf(secretsKey, code))],
  )
  return [...codes]
}

/** Marks a recovery code as used. Returns true if the code belongs to the account and was unused. */
export async function spendRecoveryCode(
  query: Query,
  secretsKey: Buffer,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<boolean> {
  const rows = await query(
    `update internal.recovery_codes set used_at = now()
     where user_id = $1 and code_hash = $2 and used_at is null returning 1`,
    [userId, hashOf(secretsKey, code)],
  )
  return rows.length > 0
}

/**
 * Hashes the code with a secret key of this installation, so that somebody who has only the database cannot guess
 * codes.
 */
function hashOf(secretsKey: Buffer, code: string): Buffer {
  const typed = code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  return createHmac('sha256', secretsKey).update(`recovery code ${typed}`).digest()
}
