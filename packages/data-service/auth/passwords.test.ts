import { describe, expect, it, vi } from 'vitest'
import { createPasswords, deriveWithScrypt } from './passwords.ts'

describe('a password hash', () => {
  const passwords = createPasswords()

  it('matches its own password and no other password', async () => {
    const stored = await passwords.hash('correct horse battery')
    expect(await passwords.verify('correct horse battery', stored)).toBe(true)
    expect(await passwords.verify('correct horse batterz', stored)).toBe(false)
    expect(await passwords.verify('', stored)).toBe(false)
  })

  it('contains its parameters and differs for two hashes of the same password', async () => {
    const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
    expect(one).not.toBe(other)
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  })

  it('matches its password when it was created with other parameters than the current ones', async () => {
    const salt = Buffer.alloc(16, 7)
    const hash = await deriveWithScrypt('old one', salt, { ln: 10, r: 8, p: 1 })
    const stored = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
    expect(await passwords.verify('old one', stored)).toBe(true)
    expect(await passwords.verify('new one', stored)).toBe(false)
  })

  it('matches both Unicode encodings of an accented letter', async () => {
    const stored = await passwords.hash('caf\u00e9')
    expect(await passwords.verify('cafe\u0301', stored)).toBe(true)
  })
})

describe('the duration of a password check', () => {
  it('is that of one derivation with the same parameters for an unknown user, a wrong password and the correct password', async () => {
    const derive = vi.fn(deriveWithScrypt)
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
    expect(derive.mock.calls.map(([, , parameters]) => parameters)).toEqual([
      { ln: 15, r: 8, p: 3 },
      { ln: 15, r: 8, p: 3 },
      { ln: 15, r: 8, p: 3 },
    ])
  })

  it('is the same for an unknown user, whose result is always false', async () => {
    const derive = () => Promise.resolve(Buffer.alloc(32))
    expect(await createPasswords(derive).verify('', undefined)).toBe(false)
  })
})
