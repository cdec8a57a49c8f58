import { generateAuthenticationOptions } from '@simplewebauthn/server'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { issueChallenge } from './challenges.ts'
import { listPasskeys } from './passkey-records.ts'
import type { PasskeyAsker } from './sign-in-with-passkey.ts'

/** The browser, and the dashboard session that a step-up authentication in this browser confirms. */
export type Confirmer = Required<PasskeyAsker>

/**
 * Returns the options with which the browser asks the device for a response from a passkey of the team member; null
 * when the team member has no passkey for this site.
 */
export async function startConfirmation(
  database: Database,
  { site, browserToken, session }: Confirmer,
) {
  const passkeys = await listPasskeys(database, session.userId)
  const usable = passkeys.filter(({ rp_id: host, is_active: isOn }) => isOn && host === site.id)
  if (usable.length === 0) return null
  const challenge = await issueChallenge(database, { browserToken, sessionId: session.id })
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
    allowCredentials: usable.map(({ credential_id: id, transports }) => ({
      id: id.toString('base64url'),
      transports,
    })),
  })
}

/** Whether the team member has a password, which can confirm the session instead of a passkey. */
export async function hasPassword(database: Database, userId: string): Promise<boolean> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select internal.has_password($1) as has_password', [userId]),
  )
  return row?.has_password === true
}
