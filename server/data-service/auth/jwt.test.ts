import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signJwt, verifyJwt } from './jwt.ts'

const key = 'a key of at least thirty-two characters'
const now = Date.UTC(2026, 10, 21, 9)
const inAnHour = now / 1000 + 3_600

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with any header, signed as `algorithm` says. */
function forge(header: object, claims: object, algorithm = 'sha256', withKey = key): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac(algorithm, withKey).update(content).digest('base64url')}`
}

describe('an access token', () => {
  it('gives back the claims it was signed with', () => {
    const claims = { sub: 'someone', role: 'authenticated', exp: inAnHour }
    expect(verifyJwt(signJwt(claims, key), key, now)).toEqual({ ok: true, value: claims })
  })

  it('is the example of RFC 7515, appendix A.1, to the letter', () => {
    const rfcKey = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    )
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const verified = verifyJwt(token, rfcKey, 1_300_819_379_000)
    expect(verified.ok && verified.value['iss']).toBe('joe')
    expect(verifyJwt(token, rfcKey, 1_300_819_380_000)).toEqual({ ok: false, refusal: 'EXPIRED' })
  })

  it('is refused without a signature, whatever its header says', () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const content = `${encode({ alg, typ: 'JWT' })}.${encode({ role: 'service_role', exp: inAnHour })}`
      for (const token of [`${content}.`, content, `${content}.${'A'.repeat(43)}`]) {
        expect(verifyJwt(token, key, now).ok).toBe(false)
      }
    }
  })

  it('is refused when it names another algorithm, even with a right signature of it', () => {
    const claims = { exp: inAnHour }
    expect(verifyJwt(forge({ alg: 'HS512' }, claims, 'sha512'), key, now)).toEqual({
      ok: false,
      refusal: 'UNSUPPORTED_ALGORITHM',
    })
    expect(verifyJwt(forge({ alg: 'RS256' }, claims), key, now).ok).toBe(false)
  })

  it('is refused with the signature of another key', () => {
    const token = forge({ alg: 'HS256' }, { exp: inAnHour }, 'sha256', 'another key')
    expect(verifyJwt(token, key, now)).toEqual({ ok: false, refusal: 'BAD_SIGNATURE' })
  })

  it('is refused from the second on in which it expires, and before it begins', () => {
    const token = (claims: object) => verifyJwt(forge({ alg: 'HS256' }, claims), key, now)
    expect(token({ exp: now / 1000 + 1 }).ok).toBe(true)
    expect(token({ exp: now / 1000 })).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(token({})).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(token({ exp: 'tomorrow' })).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(token({ exp: inAnHour, nbf: now / 1000 + 1 })).toEqual({
      ok: false,
      refusal: 'NOT_YET_VALID',
    })
    expect(token({ exp: inAnHour, nbf: now / 1000 }).ok).toBe(true)
  })

  it('is refused after any change of any character', () => {
    const token = signJwt({ sub: 'someone', exp: inAnHour }, key)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/'
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom(...alphabet.split('')),
        (position, character) => {
          const changed = token.slice(0, position) + character + token.slice(position + 1)
          expect(changed === token || !verifyJwt(changed, key, now).ok).toBe(true)
        },
      ),
    )
  })

  it('is refused, not a crash, when it is any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(verifyJwt(text, key, now).ok).toBe(false)
      }),
    )
    expect(verifyJwt('a.'.repeat(100_000), key, now)).toEqual({ ok: false, refusal: 'MALFORMED' })
  })
})
