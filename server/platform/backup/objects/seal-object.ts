import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { BackupKey } from './backup-key.ts'

/**
 * An object at the target is compressed, then encrypted with AES-256-GCM. HKDF derives key and nonce from the key of
 * the backup, a new salt and the object's name, so an object that somebody moved to another name cannot be decrypted.
 *
 * 'TTOBJECT' | format 1 | 12 characters of the key's fingerprint | 32 bytes of salt | encrypted bytes | 16 bytes of tag
 */
const magic = Buffer.from('TTOBJECT\x01')
const fingerprintBytes = 12
const saltBytes = 32
const tagBytes = 16
const headBytes = magic.length + fingerprintBytes + saltBytes

const algorithm = 'aes-256-gcm'
/**
 * The lowest compression level saves processor time. This level is sufficient, because the segments of the write-ahead
 * log consist mostly of zeros.
 */
const level = 1

const compress = promisify<Buffer, object, Buffer>(gzip)
const decompress = promisify<Buffer, object, Buffer>(gunzip)

/** The maximum size of a decompressed object in bytes; a segment of the write-ahead log has 16 MB. */
const largestBytes = 64 * 1024 * 1024

export type SealRefusal =
  | { readonly reason: 'damaged' }
  | { readonly reason: 'wrong-key'; readonly fingerprint: string }

export async function sealObject(key: BackupKey, name: string, content: Buffer): Promise<Buffer> {
  const packed = await compress(content, { level })
  const fingerprint = Buffer.from(key.fingerprint.replaceAll(' ', ''))
  const head = Buffer.concat([magic, fingerprint, randomBytes(saltBytes)])
  const { secret, nonce } = derive(key, name, head)
  const cipher = createCipheriv(algorithm, secret, nonce).setAAD(head)
  return Buffer.concat([head, cipher.update(packed), cipher.final(), cipher.getAuthTag()])
}

/**
 * Returns the decrypted content of an object. Returns a refusal when the object was encrypted with another key, or when
 * its bytes were cut off or changed.
 */
export async function openObject(
  key: BackupKey,
  name: string,
  sealed: Buffer,
): Promise<Result<Buffer, SealRefusal>> {
  const head = sealed.subarray(0, headBytes)
  if (!head.subarray(0, magic.length).equals(magic) || sealed.length < headBytes + tagBytes) {
    return refused({ reason: 'damaged' })
  }
  const fingerprint = head
    .subarray(magic.length, magic.length + fingerprintBytes)
    .toString('latin1')
  if (fingerprint !== key.fingerprint.replaceAll(' ', '')) {
    if (!/^[0-9A-F]{12}$/.test(fingerprint)) return refused({ reason: 'damaged' })
    return refused({
      reason: 'wrong-key',
      fingerprint: (fingerprint.match(/.{4}/g) ?? []).join(' '),
    })
  }
  const { secret, nonce } = derive(key, name, head)
  const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: tagBytes })
  decipher.setAAD(head).setAuthTag(sealed.subarray(-tagBytes))
  try {
    const packed = [decipher.update(sealed.subarray(headBytes, -tagBytes)), decipher.final()]
    return accepted(await decompress(Buffer.concat(packed), { maxOutputLength: largestBytes }))
  } catch {
    return refused({ reason: 'damaged' })
  }
}

function derive(key: BackupKey, name: string, head: Buffer): { secret: Buffer; nonce: Buffer } {
  const salt = head.subarray(-saltBytes)
  const bytes = Buffer.from(hkdfSync('sha256', key.secret, salt, Buffer.from(name), 44))
  return { secret: bytes.subarray(0, 32), nonce: bytes.subarray(32) }
}
