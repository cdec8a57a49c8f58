import type { SkipProblem } from './skipped-file.ts'

/**
 * The header of a numbered backup object: a part of a file's content, the removal of a file, or a note that the site
 * cannot read the newest version of a file.
 */
export type FileHeader = {
  readonly path: string
  /**
   * The time at which the file was written or removed, in milliseconds since 1970. The database row that refers to
   * the file is committed later.
   */
  readonly atMs: number
} & (
  | {
      readonly sha256: string
      readonly part: number
      readonly parts: number
      readonly removed?: never
      readonly skipped?: never
    }
  | { readonly removed: true; readonly skipped?: never; readonly part?: never }
  | { readonly skipped: SkipProblem; readonly removed?: never; readonly part?: never }
)

/** The format of an object: 4 bytes with the length of the header, the header as JSON, the content. */
export function encodeFileObject(header: FileHeader, content: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, content])
}

export function decodeFileObject(object: Buffer): { header: FileHeader; content: Buffer } {
  const end = 4 + object.readUInt32BE()
  const header = JSON.parse(object.subarray(4, end).toString()) as FileHeader
  return { header, content: object.subarray(end) }
}
