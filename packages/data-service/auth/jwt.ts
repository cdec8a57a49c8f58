import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { accepted, refused, type Result } from '#domain/result.ts'

export type Claims = JWTPayload

/** Signs and checks tokens with HMAC-SHA256. */
export type JwtKey = CryptoKey

export type JwtRefusal =
  /** Not three parts of base64url JSON. */
  | 'MALFORMED'
  /** Any algorithm but HS256, above all `none`: the token does not choose how it is checked. */
  | 'UNSUPPORTED_ALGORITHM'
  | 'BAD_SIGNATURE'
  | 'EXPIRED'
  | 'NOT_YET_VALID'

const algorithm = 'HS256'

/** No token of ours is nearly as long; what is longer is not worth a hash. */
const maxLength = 8_192

/** The key that a secret text, or its bytes, stands for. */
export function importJwtKey(secret: string | Uint8Array<ArrayBuffer>): Promise<JwtKey> {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify'])
}

export function signJwt(claims: Claims, key: JwtKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(key)
}

/**
 * The claims of a token that `key` signed and that is valid at `nowMs`. A token without an expiry is
 * refused: each of ours has one.
 */
export async function verifyJwt(
  token: string,
  key: JwtKey,
  nowMs: number,
): Promise<Result<Claims, JwtRefusal>> {
  if (token.length > maxLength || !token.split('.').every(isOnlySpelling)) {
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

/** A decoder would also take padding, spaces and stray bits at the end: several texts for one token. */
function isOnlySpelling(part: string): boolean {
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
