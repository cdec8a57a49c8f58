import { describe, expect, it, vi } from 'vitest'
import { createPasswords, deriveKey } from './passwords.ts'

/** Returns a hash of the password 'old one' in the format of an earlier version of this package. */
async function scryptHash(): Promise<string> {
  const salt = Buffer.alloc(16, 7)
  const hash = await deriveKey('old one', salt, { kind: 'scrypt', ln: 10, r: 8, p: 1 })
  return `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

describe('a password hash', () => {
  const passwords = createPasswords()

  it('matches its own password and no other password', async () => {
    const stored = await passwords.hash('correct horse battery')
    expect(await passwords.verify('correct horse battery', stored)).toBe(true)
    expect(await passwords.verify('correct horse batterz', stored)).toBe(false)
    expect(await passwords.verify('', stored)).toBe(false)
  })

  it('contains its parameters, and is different each time the same password is hashed', async () => {
    const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
    expect(one).not.toBe(other)
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('has the value that the reference implementation of Argon2 computes', async () => {
    // This command computed the expected hash:
    // echo -n password | argon2 'somesalt16bytes!' -id -t 2 -k 64 -p 1 -l 32 -r
    const cost = { kind: 'argon2id', m: 64, t: 2, p: 1 } as const
    const hash = await deriveKey('password', Buffer.from('somesalt16bytes!'), cost)
    expect(hash.toString('hex')).toBe(
      'ac09230651f4855141b3cdfca3e77a7ab1a70d300bbd4a78cf9bb658333e4abe',
    )
  })

  it('of an earlier format still matches its password, and is reported as outdated', async () => {
    const stored = await scryptHash()
    expect(await passwords.verify('old one', stored)).toBe(true)
    expect(await passwords.verify('new one', stored)).toBe(false)
    expect(passwords.isOutdated(stored)).toBe(true)
    expect(passwords.isOutdated((await passwords.hash('x')).replace('t=2', 't=1'))).toBe(true)
    expect(passwords.isOutdated(await passwords.hash('x'))).toBe(false)
  })

  it('matches both Unicode encodings of an accented letter', async () => {
    const stored = await passwords.hash('caf\u00e9')
    expect(await passwords.verify('cafe\u0301', stored)).toBe(true)
  })
})

describe('the duration of a password check', () => {
  it('is the time of one key derivation, whether the user is unknown or the password is wrong or correct', async () => {
    const derive = vi.fn(deriveKey)
    const passwords = createPasswords(derive)
    const stored = await passwords.hash('the password')
    derive.mockClear()
    for (const [password, hash] of [
      ['the password', stored],
      ['wrong', stored],
      ['wrong', undefined],
    ] as const) {
      await passwords.verify(password, hash)
    }
    const cost = { kind: 'argon2id', m: 19_456, t: 2, p: 1 }
    expect(derive.mock.calls.map((call) => call[2])).toEqual([cost, cost, cost])
  })

  it('does not depend on a stored hash; without a stored hash, the check fails even for an empty password', async () => {
    const derive = () => Promise.resolve(Buffer.alloc(32))
    expect(await createPasswords(derive).verify('', undefined)).toBe(false)
  })
})
