import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLock, decrypt, encrypt, headBytes, type Lock, openLock } from './encryption.ts'

const secret = 'a passphrase of the owner'
const chunk = 64 * 1024
const sealedChunk = chunk + 16

let lock: Lock
beforeAll(async () => {
  lock = await createLock(secret)
})

/** Splits bytes into chunks of an odd size, as a file or a compressor may yield them. */
function inPieces(bytes: Buffer, size = 10_007): AsyncIterable<Buffer> {
  const pieces = Math.ceil(bytes.length / size)
  return Readable.from(
    Array.from({ length: pieces }, (_, nth) => bytes.subarray(nth * size, (nth + 1) * size)),
  )
}
const seal = (bytes: Buffer) => buffer(Readable.from(encrypt(lock, inPieces(bytes))))
const whyRefused = (bytes: Buffer) => open(bytes).then(() => 'it was not', String)
const noAuthentication = expect.stringMatching(/authenticat/) as string
const open = (bytes: Buffer) => buffer(Readable.from(decrypt(lock, inPieces(bytes))))

describe('an encrypted backup', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 5])(
    'of %i bytes is decrypted to the same bytes',
    async (length) => {
      const plain = randomBytes(length)
      expect((await open(await seal(plain))).equals(plain)).toBe(true)
    },
  )

  it('is refused when it is truncated at any point', async () => {
    const sealed = await seal(randomBytes(3 * chunk + 5))
    const chunkEnds = [0, 1, 2, 3].map((count) => headBytes + count * sealedChunk)
    for (const end of [...chunkEnds, sealed.length - 1, headBytes + 10]) {
      expect([end, await whyRefused(sealed.subarray(0, end))]).toEqual([end, noAuthentication])
    }
  })

  it('is refused with a changed bit, with a chunk omitted, repeated or moved, and with additional bytes', async () => {
    const sealed = await seal(randomBytes(2 * chunk + 5))
    const [head, one, two, last] = [
      sealed.subarray(0, headBytes),
      sealed.subarray(headBytes, headBytes + sealedChunk),
      sealed.subarray(headBytes + sealedChunk, headBytes + 2 * sealedChunk),
      sealed.subarray(headBytes + 2 * sealedChunk),
    ]
    const flipped = Buffer.from(one)
    flipped[100] = (flipped[100] ?? 0) ^ 1
    const forgeries = {
      changed: [head, flipped, two, last],
      'left out': [head, one, last],
      repeated: [head, one, one, two, last],
      moved: [head, two, one, last],
      'ended twice': [head, one, two, last, last],
      'one byte more': [head, one, two, last, Buffer.from([0])],
    }
    for (const [name, parts] of Object.entries(forgeries)) {
      expect([name, await whyRefused(Buffer.concat(parts))]).toEqual([name, noAuthentication])
    }
  })

  it('does not reveal its content, and differs each time it is encrypted', async () => {
    const plain = Buffer.from('Dana Whitfield, dana@example.com'.repeat(100))
    const [one, other] = [await seal(plain), await createLock(secret)]
    expect(one.includes('Dana')).toBe(false)
    expect(other.head.equals(lock.head)).toBe(false)
    expect(other.key.equals(lock.key)).toBe(false)
  })
})

describe('the header of an encrypted backup', () => {
  it('can be decrypted only with the secret of its backup', async () => {
    expect((await openLock(secret, lock.head))?.key.equals(lock.key)).toBe(true)
    expect(await openLock(`${secret} `, lock.head)).toBeUndefined()
    expect(await openLock('', lock.head)).toBeUndefined()
  })

  it('is refused when it is truncated, changed, or requires too much memory', async () => {
    expect(await openLock(secret, lock.head.subarray(0, -1))).toBeUndefined()
    for (const [place, value] of [
      [9, 63],
      [9, 0],
      [12, (lock.head[12] ?? 0) ^ 1],
    ] as const) {
      const forged = Buffer.from(lock.head)
      forged[place] = value
      expect([place, await openLock(secret, forged)]).toEqual([place, undefined])
    }
  })
})
