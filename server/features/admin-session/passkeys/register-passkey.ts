import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Database } from '@local/postgres'
import type { RegistrationAnswer } from '#contracts/passkeys.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import { challengeIn, closeChallenge, issueChallenge } from './challenges.ts'
import {
  insertPasskey,
  type ListedPasskey,
  listPasskeys,
  type NewPasskey,
} from './passkey-records.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { RelyingParty } from './relying-party.ts'

/** The COSE numbers of the signature algorithms that devices support: ES256, EdDSA and RS256 (RFC 9053, RFC 8812). */
const algorithms = [-7, -8, -257]

/** The site, the team member who registers a passkey, and the token in the challenge cookie of the browser. */
export type Registrant = {
  readonly site: RelyingParty
  readonly admin: Admin
  readonly browserToken: string
}

/** Returns the options with which the browser asks the device to create a passkey. */
export async function startRegistration(
  database: Database,
  shopName: string,
  { site, admin, browserToken }: Registrant,
) {
  const known = await listPasskeys(database, admin.userId)
  const challenge = await issueChallenge(database, { browserToken, userId: admin.userId })
  return registrationOptions({ shopName, site, admin, challenge, known })
}

type Registration = {
  readonly shopName: string
  readonly site: RelyingParty
  readonly admin: Admin
  readonly challenge: Buffer
  /** The existing passkeys of the team member. A device that has one of them creates no second passkey. */
  readonly known: readonly Pick<ListedPasskey, 'credential_id' | 'transports'>[]
}

export const registrationOptions = ({ shopName, site, admin, challenge, known }: Registration) =>
  generateRegistrationOptions({
    rpName: shopName,
    rpID: site.id,
    userID: userHandleOf(admin.userId),
    userName: admin.username,
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    // The device must store a discoverable credential, so that nobody has to type a username to sign in.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      id: id.toString('base64url'),
      transports,
    })),
  })

/** Verifies the registration response of the device and stores the passkey. */
export async function finishRegistration(
  database: Database,
  { site, admin, browserToken }: Registrant,
  registered: RegisteredPasskey,
): Promise<Result<undefined, 'PASSKEY_REFUSED'>> {
  const challenge = challengeIn(registered.answer.response.clientDataJSON)
  const isOpen = await closeChallenge(database, challenge, { browserToken, userId: admin.userId })
  const passkey = isOpen && (await checkRegistration(registered, { challenge, site }))
  if (!passkey) return refused('PASSKEY_REFUSED')
  const isStored = await database.transaction(asServer, (query) =>
    insertPasskey(query, { ...passkey, userId: admin.userId }),
  )
  return isStored ? accepted(undefined) : refused('PASSKEY_REFUSED')
}

/** The registration response of a device, and the name that the team member gives the passkey. */
export type RegisteredPasskey = { readonly name: string; readonly answer: RegistrationAnswer }

/** Returns the passkey in a valid registration response; undefined for an invalid one. */
export async function checkRegistration(
  { name, answer }: RegisteredPasskey,
  { challenge, site }: { readonly challenge: Buffer; readonly site: RelyingParty },
): Promise<Omit<NewPasskey, 'userId'> | undefined> {
  const verified = await verify(answer, challenge, site)
  if (!verified) return undefined
  const { credential, credentialDeviceType, credentialBackedUp } = verified
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    transports: answer.response.transports,
    name,
    rpId: site.id,
  }
}

/** The WebAuthn user handle under which devices store the passkeys of a team member: the bytes of the user's id. */
export function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
}

async function verify(
  answer: RegistrationAnswer,
  challenge: Buffer,
  site: RelyingParty,
): Promise<VerifiedRegistrationResponse['registrationInfo'] | undefined> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    return registrationInfo
  } catch {
    // The library throws an error if any part of the response is invalid.
    return undefined
  }
}
