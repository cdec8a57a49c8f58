import { describe, expect, it, vi } from 'vitest'
import { createPasswords, deriveWithScrypt } from './passwords.ts'

describe('a stored password', () => {
  const passwords = createPasswords()

  it('fits the password it was made of and no other', async () => {
    const stored = await passwords.hash('correct horse battery')
    expect(await passwords.verify('correct horse battery', stored)).toBe(true)
    expect(await passwords.verify('correct horse batterz', stored)).toBe(false)
    expect(await passwords.verify('', stored)).toBe(false)
  })

  it('differs for the same password, and says how it was made', async () => {
    const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
    expect(one).not.toBe(other)
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  })

  it('still fits when it was made with other parameters', async () => {
    const salt = Buffer.alloc(16, 7)
    const hash = await deriveWithScrypt('old one', salt, { ln: 10, r: 8, p: 1 })
    const stored = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
    expect(await passwords.verify('old one', stored)).toBe(true)
    expect(await passwords.verify('new one', stored)).toBe(false)
  })

  it('fits however the keyboard spells an accented letter', async () => {
    const stored = await passwords.hash('caf\u00e9')
    expect(await passwords.verify('cafe\u0301', stored)).toBe(true)
  })
})

describe('the price of a try', () => {
  it('is one derivation of one strength, known user or not, right password or not', async () => {
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

  it('buys nothing for an unknown user, even with the words behind the placeholder', async () => {
    const derive = () => Promise.resolve(Buffer.alloc(32))
    expect(await createPasswords(derive).verify('', undefined)).toBe(false)
  })
})
