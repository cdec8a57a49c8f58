import {
  generateAuthenticationOptions,
  type VerifiedAuthenticationResponse,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import type { Database } from '@local/postgres'
import type { SignInAnswer } from '#contracts/passkeys.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Owner } from '#emails/setup/owner-notice.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import { challengeIn, closeChallenge, issueChallenge } from './challenges.ts'
import { findUsablePasskey, recordAnswer, type UsablePasskey } from './passkey-records.ts'
import { userHandleOf } from './register-passkey.ts'
import type { RelyingParty } from './relying-party.ts'
import { unknownPublicKey } from './unknown-public-key.ts'

type Verified = VerifiedAuthenticationResponse['authenticationInfo']

export type SignInOptions = Awaited<ReturnType<typeof startSignIn>>

/**
 * Returns the options with which the browser asks the device for a response from any passkey of this site, whichever
 * team member owns it.
 */
export async function startSignIn(database: Database, site: RelyingParty, browserToken: string) {
  const challenge = await issueChallenge(database, { browserToken })
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  })
}

/**
 * The site, the browser that sends a passkey response and, for a step-up authentication, the dashboard session. The
 * team member of the session must own the passkey.
 */
export type PasskeyAsker = {
  readonly site: RelyingParty
  readonly browserToken: string
  readonly session?: { readonly id: string; readonly userId: string }
}

/**
 * Verifies the response of a device and returns the team member who owns the passkey. The function runs the same steps
 * for every response, so that neither the message nor the duration of a refusal reveals whether the passkey exists or
 * whether its owner may sign in. The error PASSKEY_AGAIN asks for another response after the first anomaly of the
 * signature counter.
 */
export async function checkPasskey(
  { database, owner }: { readonly database: Database; readonly owner: Owner },
  { site, browserToken, session }: PasskeyAsker,
  answer: SignInAnswer,
): Promise<Result<Admin, 'INVALID_CREDENTIALS' | 'PASSKEY_AGAIN'>> {
  const challenge = challengeIn(answer.response.clientDataJSON)
  const isOpen = await closeChallenge(database, challenge, {
    browserToken,
    ...(session && { sessionId: session.id }),
  })
  const passkey = await findUsablePasskey(database, Buffer.from(answer.id, 'base64url'), site.id)
  const verified = await verify(answer, challenge, {
    site,
    publicKey: passkey?.publicKey ?? unknownPublicKey,
  })
  const isRight = passkey && verified && isOf(passkey, answer, verified)
  if (!isRight || !isOpen || (session && session.userId !== passkey.admin.userId)) {
    return refused('INVALID_CREDENTIALS')
  }
  const isRecorded = await recordAnswer({ database, owner }, passkey.id, {
    counter: verified.newCounter,
    isBackedUp: verified.credentialBackedUp,
  })
  if (isRecorded) return accepted(passkey.admin)
  const isStillOn = await findUsablePasskey(database, Buffer.from(answer.id, 'base64url'), site.id)
  return refused(isStillOn ? 'PASSKEY_AGAIN' : 'INVALID_CREDENTIALS')
}

/**
 * Whether the response names no user other than the owner of the passkey, and reports the same backup eligibility
 * (ability to sync) as the registration. The backup eligibility never changes (WebAuthn Level 3, section 7.2).
 */
function isOf(
  { admin, isBackupEligible }: UsablePasskey,
  { response: { userHandle } }: SignInAnswer,
  { credentialDeviceType }: Verified,
): boolean {
  // A device may omit the user handle when the server sent a list of allowed passkeys. The server sends such a list
  // only for a step-up authentication.
  const isOwner =
    userHandle === '' || Buffer.from(userHandle, 'base64url').equals(userHandleOf(admin.userId))
  return isOwner && isBackupEligible === (credentialDeviceType === 'multiDevice')
}

async function verify(
  answer: SignInAnswer,
  challenge: Buffer,
  { site, publicKey }: { readonly site: RelyingParty; readonly publicKey: Buffer },
): Promise<Verified | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The library gets 0 as the previous signature counter, so it accepts every counter. The database checks the
      // counter instead (passkey-records.ts).
      credential: { id: answer.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? authenticationInfo : undefined
  } catch {
    // The library throws an error if any part of the response is invalid.
    return undefined
  }
}
