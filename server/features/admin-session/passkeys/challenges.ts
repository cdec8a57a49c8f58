import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The browser that requests a passkey challenge; for a registration also the team member, for a step-up authentication
 * also the dashboard session.
 */
export type Asker = {
  /** The token in the challenge cookie of the browser. */
  readonly browserToken: string
  /** The team member who registers a passkey. */
  readonly userId?: string
  /** The dashboard session that the step-up authentication confirms. */
  readonly sessionId?: string
}

/** Creates and returns a passkey challenge that is valid for five minutes. */
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
 * Deletes a passkey challenge, so that it cannot be answered twice. Returns true if the challenge was still valid and
 * had been created for this browser, team member and session.
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

/** An invitation that a person accepts with a passkey, and the browser that sends the acceptance. */
type InvitedBrowser = { readonly invitationId: string; readonly browserToken: string }

/** Creates a passkey challenge for the acceptance of an invitation, and the id of the future user. */
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
 * Deletes a passkey challenge. Returns the id of the future user if the challenge was still valid and had been created
 * for this invitation and browser, otherwise undefined.
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

/** Deletes the challenges that have expired without an answer. */
export async function sweepChallenges(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.passkey_challenges where expires_at <= now()'),
  )
}

/**
 * Returns the challenge in the client data of a passkey response; an empty string if the client data contain no
 * challenge (WebAuthn Level 3, section 5.8.1).
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
