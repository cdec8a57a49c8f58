import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { RegistrationAnswer, SignInAnswer } from '#contracts/passkeys.ts'

/**
 * The values that the device states in its response. The defaults are those of an honest device with a verified user.
 */
type Claims = {
  readonly origin?: string
  readonly rpId?: string
  readonly isUserVerified?: boolean
  readonly counter?: number
}

type Options = Record<string, unknown> & { readonly challenge: string }

/**
 * Creates a simulated device with one passkey, whose signatures follow WebAuthn Level 3 (6.1, 6.5.4). Tests can make
 * the device send false values.
 */
export function createSoftwareAuthenticator({ isSynced = false }: { isSynced?: boolean } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  let userHandle = ''
  const common = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  } as const

  return {
    register(options: Options, claims: Claims = {}): RegistrationAnswer {
      userHandle = (options['user'] as { id: string }).id
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
      const data = Buffer.concat([authenticatorData(claims, isSynced ? 0x58 : 0x40), credential])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174', 'hex'),
        Buffer.from([0x61, 0x58, data.length]),
        data,
      ])
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', options, claims).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    signIn(options: Options, claims: Claims = {}): SignInAnswer {
      const data = authenticatorData(claims, isSynced ? 0x18 : 0)
      const client = clientData('webauthn.get', options, claims)
      const hash = createHash('sha256').update(client).digest()
      return {
        ...common,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url'),
          userHandle,
        },
      }
    },
  }
}

function authenticatorData(
  { rpId = 'localhost', isUserVerified = true, counter = 0 }: Claims,
  flags: number,
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([1 | (isUserVerified ? 4 : 0) | flags]),
    count,
  ])
}

function clientData(
  type: string,
  { challenge }: Options,
  { origin = 'http://localhost:3000' }: Claims,
): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
