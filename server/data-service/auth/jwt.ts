import { createHmac, timingSafeEqual } from 'node:crypto'
import { accepted, refused, type Result } from '#domain/result.ts'

export type Claims = Readonly<Record<string, unknown>>

type Key = string | Buffer

export type JwtRefusal =
  /** Not three parts of base64url JSON. */
  | 'MALFORMED'
  /** Any algorithm but HS256, above all `none`: the token does not choose how it is checked. */
  | 'UNSUPPORTED_ALGORITHM'
  | 'BAD_SIGNATURE'
  | 'EXPIRED'
  | 'NOT_YET_VALID'

const header = encode({ alg: 'HS256', typ: 'JWT' })

/** No token of ours is nearly as long; what is longer is not worth a hash. */
const maxLength = 8_192

/** Signs with HMAC-SHA256 (RFC 7515, RFC 7519). */
export function signJwt(claims: Claims, key: string): string {
  const content = `${header}.${encode(claims)}`
  return `${content}.${sign(content, key).toString('base64url')}`
}

/**
 * The claims of a token that `key` signed and that is valid at `nowMs`. A token without an expiry is
 * refused: each of ours has one.
 */
export function verifyJwt(token: string, key: Key, nowMs: number): Result<Claims, JwtRefusal> {
  const parts = token.length <= maxLength ? token.split('.') : []
  const [head = '', body = '', signature = ''] = parts
  const algorithm = decode(head)?.['alg']
  if (parts.length !== 3 || algorithm === undefined) return refused('MALFORMED')
  if (algorithm !== 'HS256') return refused('UNSUPPORTED_ALGORITHM')
  if (!isSignedBy(`${head}.${body}`, signature, key)) return refused('BAD_SIGNATURE')
  const claims = decode(body)
  if (!claims) return refused('MALFORMED')
  const { exp, nbf } = claims
  if (typeof exp !== 'number' || exp * 1000 <= nowMs) return refused('EXPIRED')
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf * 1000 <= nowMs)) {
    return refused('NOT_YET_VALID')
  }
  return accepted(claims)
}

function isSignedBy(content: string, signature: string, key: Key): boolean {
  const expected = sign(content, key).toString('base64url')
  // Compared as text: a decoder would take several spellings of one signature.
  return (
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  )
}

function sign(content: string, key: Key): Buffer {
  return createHmac('sha256', key).update(content).digest()
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Claims | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}
