import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture with three bytes (red, green, blue) per pixel, row by row from the top. */
export type Picture = { readonly width: number; readonly height: number; readonly rgb: Uint8Array }

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bytesPerPixel = 3

/**
 * Decodes an 8-bit RGB PNG without interlacing (https://www.w3.org/TR/png-3/), the only PNG format that this site uses.
 */
export function decodePng(file: Buffer): Picture {
  const chunks = chunksOf(file)
  const header = chunks.find(({ type }) => type === 'IHDR')
  if (!header) throw new Error('The PNG picture has no header.')
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  if (header.data.toString('hex', 8) !== '0802000000') throw new Error('The picture is not RGB.')
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data)
  return { width, height, rgb: unfilter(inflateSync(Buffer.concat(data)), width, height) }
}

/**
 * Encodes a PNG. Each row is stored as the difference from the row above, because consecutive rows of a drawing are
 * often equal.
 */
export function encodePng({ width, height, rgb }: Picture): Buffer {
  const stride = width * bytesPerPixel
  const rows = Buffer.alloc(height * (stride + 1))
  for (let row = 0; row < height; row += 1) {
    const to = row * (stride + 1)
    rows[to] = 2
    for (let at = row * stride; at < (row + 1) * stride; at += 1) {
      rows[to + 1 + at - row * stride] = (rgb[at] ?? 0) - (rgb[at - stride] ?? 0)
    }
  }
  const header = Buffer.from('00000000000000000802000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    signature,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

type Chunk = { readonly type: string; readonly data: Buffer }

function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/**
 * Reverses the PNG filter of each row, which stores differences from predicted values
 * (https://www.w3.org/TR/png-3/#9Filters).
 */
function unfilter(rows: Buffer, width: number, height: number): Uint8Array {
  const stride = width * bytesPerPixel
  const rgb = new Uint8Array(height * stride)
  for (let row = 0; row < height; row += 1) {
    const guess = guessBy[rows[row * (stride + 1)] ?? 0]
    if (!guess) throw new Error('The PNG picture has a row with an unknown filter.')
    for (let at = 0; at < stride; at += 1) {
      const to = row * stride + at
      const left = at < bytesPerPixel ? 0 : (rgb[to - bytesPerPixel] ?? 0)
      const up = rgb[to - stride] ?? 0
      const corner = at < bytesPerPixel ? 0 : (rgb[to - stride - bytesPerPixel] ?? 0)
      rgb[to] = (rows[row * (stride + 1) + 1 + at] ?? 0) + guess(left, up, corner)
    }
  }
  return rgb
}

type Guess = (left: number, up: number, corner: number) => number

const guessBy: readonly Guess[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => Math.floor((left + up) / 2),
  (left, up, corner) => {
    const guess = left + up - corner
    const byLeft = Math.abs(guess - left)
    const byUp = Math.abs(guess - up)
    const byCorner = Math.abs(guess - corner)
    if (byLeft <= byUp && byLeft <= byCorner) return left
    return byUp <= byCorner ? up : corner
  },
]
