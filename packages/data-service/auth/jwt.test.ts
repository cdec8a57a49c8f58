import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importJwtKey, signJwt, verifyJwt } from './jwt.ts'

const secret = 'a key of at least thirty-two characters'
const key = await importJwtKey(secret)
const now = Date.UTC(2026, 10, 21, 9)
const inAnHour = now / 1000 + 3_600

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a token with the given header and claims; `algorithm` is the hash function of the signature. */
function forge(header: object, claims: object, algorithm = 'sha256', withKey = secret): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac(algorithm, withKey).update(content).digest('base64url')}`
}

describe('an access token', () => {
  it('contains the claims that were signed', async () => {
    const claims = { sub: 'someone', role: 'authenticated', exp: inAnHour }
    expect(await verifyJwt(await signJwt(claims, key), key, now)).toEqual({
      ok: true,
      value: claims,
    })
  })

  it('is accepted when it is the example of RFC 7515, appendix A.1', async () => {
    const rfcKey = await importJwtKey(
      Buffer.from(
        'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
        'base64url',
      ),
    )
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const verified = await verifyJwt(token, rfcKey, 1_300_819_379_000)
    expect(verified.ok && verified.value['iss']).toBe('joe')
    expect(await verifyJwt(token, rfcKey, 1_300_819_380_000)).toEqual({
      ok: false,
      refusal: 'EXPIRED',
    })
  })

  it('is refused when it names the algorithm `none` and has no signature', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const content = `${encode({ alg, typ: 'JWT' })}.${encode({ role: 'service_role', exp: inAnHour })}`
      for (const token of [`${content}.`, content, `${content}.${'A'.repeat(43)}`]) {
        expect((await verifyJwt(token, key, now)).ok).toBe(false)
      }
    }
  })

  it('is refused when it names another algorithm, even with a valid signature of that algorithm', async () => {
    const claims = { exp: inAnHour }
    expect(await verifyJwt(forge({ alg: 'HS512' }, claims, 'sha512'), key, now)).toEqual({
      ok: false,
      refusal: 'UNSUPPORTED_ALGORITHM',
    })
    expect((await verifyJwt(forge({ alg: 'RS256' }, claims), key, now)).ok).toBe(false)
  })

  it('is refused when another key signed it', async () => {
    const token = forge({ alg: 'HS256' }, { exp: inAnHour }, 'sha256', 'another key')
    expect(await verifyJwt(token, key, now)).toEqual({ ok: false, refusal: 'BAD_SIGNATURE' })
  })

  it('is refused before its start time, and from its expiry time on', async () => {
    const token = (claims: object) => verifyJwt(forge({ alg: 'HS256' }, claims), key, now)
    expect((await token({ exp: now / 1000 + 1 })).ok).toBe(true)
    expect(await token({ exp: now / 1000 })).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(await token({})).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(await token({ exp: 'tomorrow' })).toEqual({ ok: false, refusal: 'EXPIRED' })
    expect(await token({ exp: inAnHour, nbf: now / 1000 + 1 })).toEqual({
      ok: false,
      refusal: 'NOT_YET_VALID',
    })
    expect((await token({ exp: inAnHour, nbf: now / 1000 })).ok).toBe(true)
  })

  it('is refused when any character is changed', async () => {
    const token = await signJwt({ sub: 'someone', exp: inAnHour }, key)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/'
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom(...alphabet.split('')),
        async (position, character) => {
          const changed = token.slice(0, position) + character + token.slice(position + 1)
          expect(changed === token || !(await verifyJwt(changed, key, now)).ok).toBe(true)
        },
      ),
    )
  })

  it('is refused in any encoding except the canonical one', async () => {
    const token = await signJwt({ sub: 'someone', exp: inAnHour }, key)
    const signature = token.slice(token.lastIndexOf('.') + 1)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // The last character of a base64url text of 32 bytes encodes 4 bits of the bytes and 2 unused bits.
    const strayBits = alphabet[alphabet.indexOf(signature.slice(-1)) + 1]
    const others = [`${token.slice(0, -1)}${strayBits}`, `${token}=`, `${token} `, ` ${token}`]
    for (const other of others) {
      expect(Buffer.from(other.split('.')[2] ?? '', 'base64url')).toEqual(
        Buffer.from(signature, 'base64url'),
      )
      expect((await verifyJwt(other, key, now)).ok).toBe(false)
    }
  })

  it('is refused without an exception when it is a random text', async () => {
    const word = fc.string({ unit: 'binary' })
    const anyText = fc.oneof(
      word,
      fc.tuple(word, word, word).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect((await verifyJwt(text, key, now)).ok).toBe(false)
      }),
    )
    expect(await verifyJwt('a.'.repeat(100_000), key, now)).toEqual({
      ok: false,
      refusal: 'MALFORMED',
    })
  })
})
