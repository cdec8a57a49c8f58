import * as otpauth from 'otpauth'

/** The settings that all authenticator apps support (RFC 6238): SHA-1, six digits, a new code every 30 seconds. */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Returns a new secret of 160 bits in base32 (RFC 4226, section 4). */
export const createSecret = (): string => new otpauth.Secret({ size: 20 }).base32

/**
 * Returns the otpauth URI from which an authenticator app reads the secret; the URI contains the names of the shop
 * and the user.
 */
export function addressOf(secret: string, issuer: string, username: string): string {
  return new otpauth.TOTP({ ...shape, issuer, label: username, secret }).toString()
}

/**
 * Returns the number of the 30-second time step, counted from 1970, to which a code belongs; undefined for a wrong
 * code. The codes of the previous and the next time step are valid too, because clocks differ.
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const distance = new otpauth.TOTP({ ...shape, secret }).validate({
    token: code,
    timestamp: now,
    window: 1,
  })
  return distance === null ? undefined : Math.floor(now / 1000 / shape.period) + distance
}
