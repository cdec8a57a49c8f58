import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
/** The prefix of an encrypted text, which distinguishes this format from future formats. */
const version = 'v1.'
const nonceBytes = 12
const tagBytes = 16

/** Thrown when a secret was encrypted with another key, or when somebody changed the encrypted text. */
export class WrongSecretsKeyError extends Error {
  override readonly name = 'WrongSecretsKeyError'

  constructor() {
    super('The secret cannot be decrypted with the key on this machine.')
  }
}

/**
 * Encrypts a secret for the database with a key of 32 bytes. Each call with the same secret returns a different text.
 */
export function sealSecret(key: Buffer, plain: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return version + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/**
 * Decrypts a secret. Throws `WrongSecretsKeyError` when the secret was encrypted with another key or its encrypted text
 * was changed.
 */
export function openSecret(key: Buffer, sealed: string): string {
  if (!sealed.startsWith(version)) throw new WrongSecretsKeyError()
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  if (tag.length !== tagBytes) throw new WrongSecretsKeyError()
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes)).setAuthTag(tag)
  try {
    const encrypted = bytes.subarray(nonceBytes + tagBytes)
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
  } catch {
    throw new WrongSecretsKeyError()
  }
}
