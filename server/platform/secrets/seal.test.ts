import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { isOfInstallation } from '#server/platform/storage/take-backup.ts'
import { openSecret, sealSecret, WrongSecretsKeyError } from './seal.ts'
import { openSecretsKey, parseSecretsKey, secretsKeyFile } from './secrets-key.ts'

const key = randomBytes(32)

describe('an encrypted (“sealed”) secret', () => {
  it.each(['', 'sk_live_1', 'pässword ☕', 'x'.repeat(5000)])(
    'is decrypted to the original text %j',
    (plain) => {
      expect(openSecret(key, sealSecret(key, plain))).toBe(plain)
    },
  )

  it('begins with the name of its format, does not contain the secret, and differs each time', () => {
    const sealed = sealSecret(key, 'sk_live_1')
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('sk_live')
    expect(sealSecret(key, 'sk_live_1')).not.toBe(sealed)
  })

  it('is refused with every other key', () => {
    const sealed = sealSecret(randomBytes(32), 'sk_live_1')
    expect(() => openSecret(key, sealed)).toThrow(WrongSecretsKeyError)
  })

  it('is refused after any change of its bytes', () => {
    const bytes = Buffer.from(sealSecret(key, 'sk_live_1').slice(3), 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      const text = `v1.${changed.toString('base64url')}`
      expect(() => openSecret(key, text), `byte ${index}`).toThrow(WrongSecretsKeyError)
    }
  })

  it.each(['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'sk_live_1'])(
    'cannot be decrypted from the malformed text %j',
    (text) => {
      expect(() => openSecret(key, text)).toThrow(WrongSecretsKeyError)
    },
  )
})

describe('the key that encrypts stored secrets', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'torque-secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is created once, in a file that other users cannot read and that no backup contains', () => {
    const first = openSecretsKey(folder, undefined)
    expect(first).toHaveLength(32)
    expect(openSecretsKey(folder, undefined)).toEqual(first)
    expect(readdirSync(join(folder, 'keys'))).toEqual([secretsKeyFile])
    const path = join('keys', secretsKeyFile)
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600)
    expect(isOfInstallation(path)).toBe(true)
  })

  it('is not replaced when its file is damaged', () => {
    const damaged = join(folder, 'damaged')
    openKeyFiles(damaged).write(secretsKeyFile, 'x'.repeat(40))
    expect(() => openSecretsKey(damaged, undefined)).toThrow(/is damaged/)
    expect(openKeyFiles(damaged).read(secretsKeyFile)).toBe('x'.repeat(40))
  })

  it('is the value of SECRETS_KEY if that is set, and then has no file', () => {
    const elsewhere = join(folder, 'elsewhere')
    expect(openSecretsKey(elsewhere, key)).toBe(key)
    expect(readdirSync(folder)).not.toContain('elsewhere')
  })

  it.each(['hex', 'base64', 'base64url'] as const)(
    'may be entered in the encoding %s',
    (encoding) => {
      expect(parseSecretsKey(key.toString(encoding))).toEqual(key)
    },
  )

  it.each([
    ['too short', randomBytes(31).toString('hex')],
    ['too long', randomBytes(33).toString('base64')],
    ['a password', 'correct horse battery staple'],
    ['empty', ''],
  ])('is refused when it is %s', (_reason, text) => {
    expect(parseSecretsKey(text)).toBeUndefined()
  })
})
