import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * An encrypted backup consists of a header and of the backup in chunks, encrypted with AES-256-GCM. The nonce of a chunk
 * contains its position and marks the last chunk, so that a file with missing chunks, even at its end, is refused (the
 * STREAM construction: Hoang, Reyhanitabar, Rogaway, Vizár, 2015). scrypt derives the key from the passphrase or the key
 * file and a new salt.
 *
 *   head   'TTBACKUP' | format 1 | log2 of scrypt's N | 16 bytes of salt | 16 bytes with which a wrong key is detected
 *   chunk  up to 65,536 encrypted bytes | 16 bytes of the GCM tag
 */
export type Lock = { readonly head: Buffer; readonly key: Buffer }

const algorithm = 'aes-256-gcm'
const magic = Buffer.from('TTBACKUP\x01')
const saltBytes = 16
const tagBytes = 16
const plainHeadBytes = magic.length + 1 + saltBytes
export const headBytes = plainHeadBytes + tagBytes
const chunkBytes = 64 * 1024

/**
 * The cost of scrypt: each guess of a passphrase needs 128 MB of memory, as OWASP's Password Storage Cheat Sheet
 * recommends.
 */
const costLog2 = 17
/**
 * Whether the scrypt cost in a file header is accepted. Without this limit, a forged header could exhaust the memory
 * of the machine or crash the command.
 */
const fitsCost = (log2: number) => log2 >= 14 && log2 <= 20

/**
 * The first byte of a nonce, by the kind of chunk. The last eight bytes count the chunks. Nonces of different files
 * may be equal, because each file has its own key.
 */
const nonceOf = { head: 0, chunk: 1, lastChunk: 2 } as const

export function isEncrypted(start: Buffer): boolean {
  return start.subarray(0, magic.length).equals(magic)
}

export async function createLock(secret: string): Promise<Lock> {
  const plain = Buffer.concat([magic, Buffer.from([costLog2]), randomBytes(saltBytes)])
  const key = await deriveKey(secret, plain)
  return { head: Buffer.concat([plain, tagOfHead(key, plain)]), key }
}

/**
 * Derives the key of an encrypted file from `secret` and the file header `head`. Returns undefined when `secret` is
 * wrong.
 */
export async function openLock(secret: string, head: Buffer): Promise<Lock | undefined> {
  const plain = head.subarray(0, plainHeadBytes)
  if (head.length !== headBytes || !fitsCost(costOf(plain))) return undefined
  const key = await deriveKey(secret, plain)
  return tagOfHead(key, plain).equals(head.subarray(plainHeadBytes)) ? { head, key } : undefined
}

export async function* encrypt(
  { head, key }: Lock,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield head
  for await (const { bytes, nonce } of chunksOf(source, chunkBytes)) {
    const cipher = createCipheriv(algorithm, key, nonce)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts one chunk after the other. Throws at the first chunk that somebody has changed. */
export async function* decrypt(
  { head, key }: Lock,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const body = skipBytes(source, head.length)
  for await (const { bytes, nonce } of chunksOf(body, chunkBytes + tagBytes)) {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    yield Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
  }
}

type Chunk = { readonly bytes: Buffer; readonly nonce: Buffer }

/** Splits `source` into chunks of `size` bytes. The last chunk may be shorter; its nonce marks it as the last one. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let waiting = Buffer.alloc(0)
  let count = 0n
  for await (const piece of source) {
    waiting = Buffer.concat([waiting, piece])
    // A complete chunk is yielded only when more data follows, because the last chunk has another nonce.
    while (waiting.length > size) {
      yield { bytes: waiting.subarray(0, size), nonce: nonceFor(nonceOf.chunk, count) }
      waiting = waiting.subarray(size)
      count += 1n
    }
  }
  yield { bytes: waiting, nonce: nonceFor(nonceOf.lastChunk, count) }
}

async function* skipBytes(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const piece of source) {
    const skipped = Math.min(left, piece.length)
    left -= skipped
    yield piece.subarray(skipped)
  }
}

function nonceFor(kind: number, count: bigint): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(kind, 0)
  nonce.writeBigUInt64BE(count, 4)
  return nonce
}

function tagOfHead(key: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceFor(nonceOf.head, 0n)).setAAD(plain)
  cipher.final()
  return cipher.getAuthTag()
}

function costOf(plain: Buffer): number {
  return plain[magic.length] ?? 0
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

function deriveKey(secret: string, plain: Buffer): Promise<Buffer> {
  const N = 2 ** costOf(plain)
  const salt = plain.subarray(magic.length + 1)
  return derive(secret, salt, 32, { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N })
}
