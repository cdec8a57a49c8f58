import { randomInt } from 'node:crypto'
import type { Database } from '@local/postgres'
import { signOutEverywhere } from '#server/features/admin-session/accounts/sign-out-everywhere.ts'
import type { AuthGateway, Admin } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { ReadInvitation } from './invitations.ts'

type Dependencies = { readonly database: Database; readonly gateway: AuthGateway }

/**
 * Creates the staff account of an invitation with the chosen password; undefined when the invitation was used, revoked
 * or has expired in the meantime. The auth service user is created first, which is safe because a user without a staff
 * account cannot sign in.
 */
export async function acceptInvitation(
  dependencies: Dependencies,
  invitation: ReadInvitation,
  password: string,
): Promise<Admin | undefined> {
  return invitation.accountId === null
    ? createInvitedAccount(dependencies, invitation, password)
    : renewAccount(dependencies, invitation, password)
}

async function createInvitedAccount(
  { database, gateway }: Dependencies,
  invitation: ReadInvitation,
  password: string,
): Promise<Admin | undefined> {
  const admin = await createUser(gateway, invitation, password)
  const isAccepted = await accept(database, invitation.id, admin)
  if (isAccepted) return admin
  await gateway.deleteUser(admin.userId)
  return undefined
}

/** Creates the auth service user. If another user got the same username in the meantime, random digits are appended. */
async function createUser(
  gateway: AuthGateway,
  { username, role }: ReadInvitation,
  password: string,
): Promise<Admin> {
  for (const name of [username, `${username}${randomInt(1000, 10_000)}`]) {
    const created = await gateway.createAdmin({ username: name, password, role })
    if (created.ok) return created.value
  }
  throw new Error('No username was free for an invitation')
}

/**
 * Sets a new password for an existing account. The invitation is marked as used first, so that a link that was already
 * used changes no password.
 */
async function renewAccount(
  { database, gateway }: Dependencies,
  { id, username }: ReadInvitation,
  password: string,
): Promise<Admin | undefined> {
  const admin = await gateway.findAdmin(username)
  if (!admin || !(await accept(database, id, admin))) return undefined
  await signOutEverywhere(database, admin.userId)
  const changed = await gateway.setPassword(username, password)
  return changed.ok ? changed.value : undefined
}

async function accept(database: Database, id: string, admin: Admin): Promise<boolean> {
  const [row] = await database.transaction(asServer, (query) =>
    query(
      'select internal.accept_staff_invitation($1, $2, $3, with_password => true) as accepted',
      [id, admin.userId, admin.username],
    ),
  )
  return row?.accepted === true
}
