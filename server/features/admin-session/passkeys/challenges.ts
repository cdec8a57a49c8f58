import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** The browser that may answer a challenge; for a registration also the team member, and for a step-up the session. */
export type Asker = {
  /** The token of the browser's cookie. */
  readonly browserToken: string
  /** The team member who registers a passkey. */
  readonly userId?: string
  /** The session that a step-up confirms. */
  readonly sessionId?: string
}

/** Creates a challenge that is valid for five minutes, and returns it. */
export async function issueChallenge(
  database: Database,
  { browserToken, userId, sessionId }: Asker,
): Promise<Buffer> {
  const challenge = randomBytes(32)
  await database.transaction(asServer, (query) =>
    query(
      'insert into internal.passkey_challenges (challenge, browser_hash, user_id, session_id) values ($1, $2, $3, $4)',
      [challenge, hash(browserToken), userId ?? null, sessionId ?? null],
    ),
  )
  return challenge
}

/**
 * Closes a challenge. Returns whether the challenge was open for this browser, team member and session, by the clock of
 * the database.
 */
export async function closeChallenge(
  database: Database,
  challenge: Buffer,
  { browserToken, userId, sessionId }: Asker,
): Promise<boolean> {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `delete from internal.passkey_challenges
       where challenge = $1 and browser_hash = $2 and user_id is not distinct from $3
         and session_id is not distinct from $4 and invitation_id is null and expires_at > now()
       returning 1`,
      [challenge, hash(browserToken), userId ?? null, sessionId ?? null],
    ),
  )
  return rows.length > 0
}

/** The invitation that a device's answer accepts, and the browser that requested the challenge. */
type InvitedBrowser = { readonly invitationId: string; readonly browserToken: string }

/** Creates a challenge for the acceptance of an invitation, and the id of the future user. */
export async function issueInvitationChallenge(
  database: Database,
  { invitationId, browserToken }: InvitedBrowser,
): Promise<{ readonly challenge: Buffer; readonly userId: string }> {
  const [challenge, userId] = [randomBytes(32), randomUUID()]
  await database.transaction(asServer, (query) =>
    query(
      `insert into internal.passkey_challenges (challenge, browser_hash, invitation_id, new_user_id)
       values ($1, $2, $3, $4)`,
      [challenge, hash(browserToken), invitationId, userId],
    ),
  )
  return { challenge, userId }
}

/**
 * Closes a challenge. Returns the id of the new user if the challenge was open for this invitation and browser,
 * otherwise undefined.
 */
export async function closeInvitationChallenge(
  database: Database,
  challenge: Buffer,
  { invitationId, browserToken }: InvitedBrowser,
): Promise<string | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query(
      `delete from internal.passkey_challenges
       where challenge = $1 and browser_hash = $2 and invitation_id = $3 and expires_at > now()
       returning new_user_id`,
      [challenge, hash(browserToken), invitationId],
    ),
  )
  return row?.new_user_id ?? undefined
}

/** Deletes the challenges that no device answered in time. */
export async function sweepChallenges(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.passkey_challenges where expires_at <= now()'),
  )
}

/**
 * Returns the challenge in the client data of an answer; empty for an answer without a challenge (WebAuthn Level 3,
 * 5.8.1).
 */
export function challengeIn(clientDataJson: string): Buffer {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')) as {
      challenge?: unknown
    }
    return Buffer.from(typeof challenge === 'string' ? challenge : '', 'base64url')
  } catch {
    return Buffer.alloc(0)
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
