import { createHmac, timingSafeEqual } from 'node:crypto'

const idBytes = 16
/** The length of the signature in a link: 128 bits, which nobody can guess. */
const signatureBytes = 16
const nilId = '00000000-0000-0000-0000-000000000000'

/**
 * The key that signs mailed links, and the current version of the link of a record; the version is undefined when
 * the record does not exist.
 */
export type LinkNow = { readonly key: string; readonly version: number | undefined }

export type LinkRow = { readonly key: string | null; readonly version: number | null }

/** Converts a database row to the key and the version of the current link. Without a key, no link is valid. */
export function linkNow(row: LinkRow | undefined): LinkNow {
  return { key: row?.key ?? '', version: row?.key ? (row.version ?? undefined) : undefined }
}

type Signing = {
  /** Returns the text that the signature covers. The database signs the same text when it creates the link. */
  readonly textOf: (id: string, version: number) => string
  /**
   * Reads the key and version of the link from the database for each token, so that a new key or version takes
   * effect immediately in every process.
   */
  readonly findLink: (id: string) => Promise<LinkNow>
}

/**
 * Returns a function that verifies tokens of secret links. A token consists of a record's id and an HMAC of the id
 * and the version of the link. The returned function returns the id of a valid token, and undefined for a forged token
 * or a token of a link that a newer link replaced. Every token causes one read and one comparison, so that the response
 * time does not distinguish a forged token from an old one.
 */
export function createLinkTokens({ textOf, findLink }: Signing) {
  const tokenFor = (key: string, id: string, version: number) => {
    const signature = createHmac('sha256', key).update(textOf(id, version)).digest()
    const idPart = Buffer.from(id.replaceAll('-', ''), 'hex')
    return Buffer.concat([idPart, signature.subarray(0, signatureBytes)]).toString('base64url')
  }
  return async (token: string): Promise<string | undefined> => {
    const isWhole = /^[\w-]{43}$/.test(token)
    const given = isWhole ? token : tokenFor('', nilId, 0)
    const id = toUuid(Buffer.from(given, 'base64url').subarray(0, idBytes))
    const { key, version } = await findLink(id)
    const expected = tokenFor(key, id, version ?? 0)
    const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(given))
    return isSame && isWhole && version !== undefined ? id : undefined
  }
}

function toUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
