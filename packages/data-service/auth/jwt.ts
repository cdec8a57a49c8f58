import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { accepted, refused, type Result } from '../result.ts'

export type Claims = JWTPayload

/** A key of HMAC-SHA256, which signs and verifies tokens. */
export type JwtKey = CryptoKey

export type JwtRefusal =
  /** The token does not consist of a header and claims in base64url JSON and a base64url signature. */
  | 'MALFORMED'
  /**
   * The header of the token names another algorithm than HS256, for example `none`. The verification never uses the
   * algorithm that a token names.
   */
  | 'UNSUPPORTED_ALGORITHM'
  | 'BAD_SIGNATURE'
  | 'EXPIRED'
  | 'NOT_YET_VALID'

const algorithm = 'HS256'

/**
 * The maximum length of a token in characters. The tokens that the auth service issues are much shorter, so this
 * service rejects a longer token before it computes the signature.
 */
const maxLength = 8_192

/** Imports a secret as an HMAC key; a text secret is converted to its UTF-8 bytes. */
export function importJwtKey(secret: string | Uint8Array<ArrayBuffer>): Promise<JwtKey> {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify'])
}

export function signJwt(claims: Claims, key: JwtKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(key)
}

/**
 * Returns the claims of a token that was signed with `key` and is valid at `nowMs` (milliseconds since 1970). Refuses a
 * token without an expiry, because every issued token has an expiry.
 */
export async function verifyJwt(
  token: string,
  key: JwtKey,
  nowMs: number,
): Promise<Result<Claims, JwtRefusal>> {
  if (token.length > maxLength || !token.split('.').every(isCanonical)) {
    return refused('MALFORMED')
  }
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      requiredClaims: ['exp'],
      currentDate: new Date(nowMs),
    })
    return accepted(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) return refused(refusalOf(error))
    throw error
  }
}

/**
 * Returns whether a part of a token is canonical base64url. A decoder also accepts padding, spaces and different unused
 * bits at the end, so several texts would decode to the same token.
 */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}

function refusalOf(error: errors.JOSEError): JwtRefusal {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' ? 'NOT_YET_VALID' : 'EXPIRED'
  }
  return refusals[error.code] ?? 'MALFORMED'
}

const refusals: Record<string, JwtRefusal> = {
  [errors.JOSEAlgNotAllowed.code]: 'UNSUPPORTED_ALGORITHM',
  [errors.JOSENotSupported.code]: 'UNSUPPORTED_ALGORITHM',
  [errors.JWSSignatureVerificationFailed.code]: 'BAD_SIGNATURE',
  [errors.JWTExpired.code]: 'EXPIRED',
}
