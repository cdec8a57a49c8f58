import { randomInt } from 'node:crypto'
import type { Database, Query } from '@local/postgres'
import { signOutEverywhere } from '#server/features/admin-session/accounts/sign-out-everywhere.ts'
import type { AuthGateway, Admin } from '#server/features/admin-session/gateway/auth-gateway.ts'
import {
  insertPasskey,
  type NewPasskey,
} from '#server/features/admin-session/passkeys/passkey-records.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { ReadInvitation } from './invitations.ts'

type Dependencies = { readonly database: Database; readonly gateway: AuthGateway }

/**
 * Creates the staff account of an invitation with the password that its recipient chose. Returns undefined when the
 * invitation was used, revoked or has expired in the meantime. The auth service user is created first, which is safe
 * because a user without a staff account cannot sign in.
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
  const admin = await createUser(gateway, invitation, { password })
  const isAccepted = await accept(database, invitation.id, admin)
  if (isAccepted) return admin
  await gateway.deleteUser(admin.userId)
  return undefined
}

/**
 * Creates the auth service user. If another user got the same username in the meantime, appends random digits to the
 * username.
 */
async function createUser(
  gateway: AuthGateway,
  { username, role }: ReadInvitation,
  by: { readonly password: string } | { readonly userId: string },
): Promise<Admin> {
  for (const name of [username, `${username}${randomInt(1000, 10_000)}`]) {
    const created = await gateway.createAdmin({ username: name, role, ...by })
    if (created.ok) return created.value
  }
  throw new Error('Both usernames that were tried for an invitation are taken')
}

/**
 * Accepts an invitation that resets the password of an existing account. Marks the invitation as used before setting
 * the password, so that each link works only once.
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

/** The passkey that a device created for an invitation. The server has already verified the device's response. */
type CheckedPasskey = Omit<NewPasskey, 'userId'>

/**
 * Creates the staff account of an invitation together with its passkey, in one transaction. Returns undefined when
 * the invitation was used, revoked or has expired in the meantime, or when the passkey belongs to another account.
 */
export async function acceptWithPasskey(
  { database, gateway }: Dependencies,
  invitation: ReadInvitation,
  { userId, passkey }: { readonly userId: string; readonly passkey: CheckedPasskey },
): Promise<Admin | undefined> {
  const admin = await createUser(gateway, invitation, { userId })
  const isAccepted =
    admin.userId === userId &&
    (await database
      .transaction(asServer, async (query) => {
        const isOpen = await acceptIn(query, invitation.id, admin, false)
        if (isOpen && !(await insertPasskey(query, { ...passkey, userId }))) {
          throw new KnownPasskeyError()
        }
        return isOpen
      })
      .catch((error: unknown) => {
        if (error instanceof KnownPasskeyError) return false
        throw error
      }))
  if (isAccepted) return admin
  await gateway.deleteUser(admin.userId)
  return undefined
}

/** Thrown to roll back the transaction that accepts an invitation, because the passkey belongs to another account. */
class KnownPasskeyError extends Error {}

const accept = (database: Database, id: string, admin: Admin): Promise<boolean> =>
  database.transaction(asServer, (query) => acceptIn(query, id, admin, true))

async function acceptIn(
  query: Query,
  id: string,
  admin: Admin,
  withPassword: boolean,
): Promise<boolean> {
  const [row] = await query('select internal.accept_staff_invitation($1, $2, $3, $4) as accepted', [
    id,
    admin.userId,
    admin.username,
    withPassword,
  ])
  return row?.accepted === true
}
