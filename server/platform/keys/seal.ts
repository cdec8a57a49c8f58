import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Encrypts keys for the database (AES-256-GCM). */
export type Seal = {
  close(name: string, key: string): string
  /**
   * Decrypts and returns the key with this name. Returns undefined for a text that was encrypted with another password
   * or under another name, and for a text that is not encrypted.
   */
  open(name: string, sealed: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const prefix = 'sealed.'
const nonceBytes = 12
const tagBytes = 16

/** A person may have chosen the password, so each attempt to guess it must cost 64 MB of memory and about 0.1 s. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

export async function createSeal(password: string, salt: string): Promise<Seal> {
  const derive = promisify<string, string, number, typeof cost, Buffer>(scrypt)
  const secret = await derive(password, salt, 32, cost)
  return {
    close(name, key) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(name))
      const encrypted = Buffer.concat([cipher.update(key), cipher.final()])
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
    },
    open(name, sealed) {
      if (!sealed.startsWith(prefix)) return undefined
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
      if (tag.length !== tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
      try {
        const encrypted = bytes.subarray(nonceBytes + tagBytes)
        return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}
