import { createHash, randomBytes } from 'node:crypto'
import type { OpenInvitation } from '#contracts/team.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Creates the secret token of an invitation link. The database stores only a hash of the token. */
export const createInvitationToken = (): string => randomBytes(32).toString('base64url')

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Returns the id of the invitation with this token; undefined unless the invitation is open (not used, revoked or
 * expired). Hashes and looks up valid and invalid tokens in the same manner, so that the response time does not reveal
 * whether an invitation exists.
 */
export async function findInvitation(
  database: Database,
  token: string,
): Promise<string | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ id: string | null }>(
      await query('select internal.find_staff_invitation($1) as id', [hashOfToken(token)]),
    ),
  )
  return row?.id ?? undefined
}

export type ReadInvitation = OpenInvitation & {
  readonly id: string
  readonly email: string
  /** The id of an existing account whose password the invitation resets; null for a new team member. */
  readonly accountId: string | null
}

/** Reads an invitation in any state: open, used, revoked or expired. */
export async function readInvitation(
  query: Query,
  id: string,
): Promise<ReadInvitation | undefined> {
  const [row] = rowsAs<ReadInvitation>(
    await query(
      `select invitation.id, invitation.name, invitation.email, invitation.role, invitation.username,
         account_id as "accountId", inviter.name as "inviterName", to_json(expires_at) #>> '{}' as "expiresAt"
       from public.staff_invitations invitation join public.staff_accounts inviter on inviter.user_id = invited_by
       where invitation.id = $1`,
      [id],
    ),
  )
  return row
}
